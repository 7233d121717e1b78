package dataset

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

// Next is what a person does next, and the item after it. The same until it is answered or passed over, also after a
// reload or on another day, but for what stood there for keepFor and was needed by others. Denied to who may not label
// here.
func (s *Store) Next(ctx context.Context, datasetID string, who Person) (w Work, err error) {
	var d *Dataset
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		if d, err = s.labellerTx(tx, datasetID, who); err != nil {
			return err
		}
		if d.State == Closed {
			w.Empty = SetClosed
			return nil
		}
		w, err = workTx(tx, d, who)
		return err
	})
	if err != nil || w.Empty != "" || w.Then != nil {
		return w, err
	}
	return db.Write(ctx, s.db, func(tx *db.Tx) (w Work, err error) {
		if err := s.fillTx(tx, d, who); err != nil {
			return w, err
		}
		if w, err = workTx(tx, d, who); err == nil && w.Now == nil {
			w.Empty, err = emptyTx(tx, d, who)
		}
		return w, err
	})
}

// labellerTx reads a set that who may label in.
func (s *Store) labellerTx(tx *db.Tx, datasetID string, who Person) (*Dataset, error) {
	if who == Operator {
		return nil, fault.New(fault.Denied, "Only people can label.")
	}
	if err := may(s.MayLabel, tx, who); err != nil {
		return nil, err
	}
	d, err := getTx(tx, datasetID)
	if err != nil || !d.Invited {
		return d, err
	}
	invited, err := db.Maybe[bool](tx, "dataset: read an invitation",
		`SELECT invited FROM dataset_person WHERE dataset_id = $1 AND person_id = $2`, datasetID, who.ID)
	if err != nil {
		return nil, err
	}
	if !invited {
		return nil, fault.New(fault.Denied,
			"Only invited people can label this dataset. Ask the people who run it for an invitation.")
	}
	return d, nil
}

const turnColumns = `t.state, t.flag, t.draft, i.id, i.dataset_id, i.customer, i.question, i.messages, i.guidance`

func scanTask(s db.Row) (t *Task, state string, err error) {
	t = &Task{}
	var customer string
	if err = s.Scan(&state, &t.Flag, &t.Draft, &t.ItemID, &t.DatasetID, &customer, &t.Question, db.JSON(&t.Messages),
		&t.Guidance); err != nil {
		return nil, "", fmt.Errorf("dataset: read a task: %w", err)
	}
	if customer != "" {
		t.Customer = []byte(customer)
	}
	return t, state, nil
}

const openTurns = `SELECT ` + turnColumns + ` FROM labelling_turn t JOIN dataset_item i ON i.id = t.item_id
	WHERE t.set_id = $1 AND t.person_id = $2 AND t.state = 'open' AND t.seq > $3 ORDER BY t.seq LIMIT 2`

// workTx reads the list.
func workTx(tx *db.Tx, d *Dataset, who Person) (w Work, err error) {
	return w, db.Each(tx, "dataset: read a list", func(row db.Row) error {
		t, _, err := scanTask(row)
		if err != nil {
			return err
		}
		if w.Now == nil {
			w.Now = t
		} else {
			w.Then = t
		}
		return nil
	}, openTurns, d.ID, who.ID, 0)
}

// emptyTx says why there is nothing to do.
func emptyTx(tx *db.Tx, d *Dataset, who Person) (string, error) {
	var skipped, others bool
	err := db.One(tx, "dataset: read a list", `SELECT EXISTS (SELECT 1 FROM labelling_turn
			WHERE set_id = $1 AND person_id = $2 AND state = 'skipped'),
		EXISTS (SELECT 1 FROM labelling_turn t WHERE t.set_id = $1 AND t.state = 'open' AND t.person_id <> $2
			AND NOT EXISTS (SELECT 1 FROM labelling_turn m
				WHERE m.item_id = t.item_id AND m.person_id = $2 AND m.state <> 'dropped'))`, d.ID,
		who.ID).Scan(&skipped, &others)
	switch {
	case err != nil:
		return "", err
	case d.Counts.Items == 0:
		return SetEmpty, nil
	case skipped:
		return OnlySkipped, nil
	case others:
		return OthersHaveIt, nil
	}
	return AllDone, nil
}

// Peek is the item that follows itemID on a person's list, to fetch it ahead; nil when there is none yet.
func (s *Store) Peek(ctx context.Context, datasetID, itemID string, who Person) (t *Task, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		if _, err := s.labellerTx(tx, datasetID, who); err != nil {
			return err
		}
		at, err := labelling.At(datasetID, itemID, who).Turn(tx)
		if err != nil {
			return err
		}
		t, _, err = scanTask(db.One(tx, "dataset: read the next item", openTurns, datasetID, who.ID, at.Seq))
		if errors.Is(err, sql.ErrNoRows) {
			t, err = nil, nil
		}
		return err
	})
	return t, err
}

// Task is an item by its address, for a person who has it or had it before them; NotFound to everybody else, and to who
// has read the answers.
func (s *Store) Task(ctx context.Context, itemID string, who Person) (*Task, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (*Task, error) { return s.taskTx(tx, itemID, who) })
}

func (s *Store) taskTx(tx *db.Tx, itemID string, who Person) (*Task, error) {
	t, state, err := scanTask(db.One(tx, "dataset: read a turn", `SELECT `+turnColumns+` FROM labelling_turn t
		JOIN dataset_item i ON i.id = t.item_id
		WHERE t.item_id = $1 AND t.person_id = $2 AND t.state <> 'seen' AND i.erased_at = 0`, itemID,
		who.ID).Or(fault.New(fault.NotFound, "This item is not on your list. Go to the next one.")))
	if err != nil {
		return nil, err
	}
	if _, err := s.labellerTx(tx, t.DatasetID, who); err != nil {
		return nil, err
	}
	t.Skipped = state == "skipped"
	if state != "done" {
		return t, nil
	}
	said, err := labelling.At(t.DatasetID, itemID, who).Answers(tx)
	if err != nil || len(said) == 0 {
		return t, err
	}
	r, err := itemTx(tx, itemID)
	if err != nil {
		return nil, err
	}
	l, err := labelOf(said[len(said)-1])
	if err != nil {
		return nil, err
	}
	t.Mine, t.CanUndo = &l, r.undoable(tx.Now)
	return t, nil
}

// maxDraft is how many bytes of a form are kept.
const maxDraft = 200_000

// SaveDraft keeps what a person has typed of an answer, until they send it.
func (s *Store) SaveDraft(ctx context.Context, itemID string, who Person, draft string) (saved time.Time, err error) {
	if len(draft) > maxDraft {
		return saved, fault.New(fault.Invalid, "This is too long. Shorten it.")
	}
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		t, err := s.taskTx(tx, itemID, who)
		if err != nil {
			return err
		}
		saved = tx.Now
		return labelling.At(t.DatasetID, itemID, who).SaveDraft(tx, draft)
	})
	return saved, err
}

// at is a person's place at the item.
func (r *row) at(who Person) labelling.Place { return labelling.At(r.DatasetID, r.ID, who) }

// turnTx is a person's turn at an item; NotFound when the item was never theirs.
func (r *row) turnTx(tx *db.Tx, who Person) (labelling.Turn, error) {
	t, err := r.at(who).Turn(tx)
	if err == nil && t.State == "" {
		err = fault.New(fault.NotFound, "This item is not on your list. Go to the next one.")
	}
	return t, err
}

// Skip passes an item over; it stays open for others, and comes again only after Undo or Unskip. A reason is required.
func (s *Store) Skip(ctx context.Context, itemID string, who Person, why string) error {
	why, err := text.Reason(why, "reason", "Say why, in a few words.")
	if err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		r, err := itemTx(tx, itemID)
		if err != nil {
			return err
		}
		if _, err := s.labellerTx(tx, r.DatasetID, who); err != nil {
			return err
		}
		t, err := r.turnTx(tx, who)
		switch {
		case err != nil:
			return err
		case t.State == labelling.Skipped:
			return nil
		case t.State != labelling.Open:
			return fault.New(fault.Conflict, "This item is no longer waiting for you. Go to the next one.")
		}
		if err := r.at(who).Skip(tx); err != nil {
			return err
		}
		if err := takeTx(tx, r.DatasetID, itemID, -1); err != nil {
			return err
		}
		if err := db.Exec(tx, "dataset: skip",
			`INSERT INTO dataset_skip (id, dataset_id, item_id, by_id, by_name, reason, at)
				VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			id.New(), r.DatasetID, itemID, who.ID, who.Name, why, tx.NowMs()); err != nil {
			return err
		}
		return personTx(tx, r.DatasetID, who, personDelta{skipped: 1})
	})
}

// Unskip puts all that I passed over back on my list, as far as it is still open; it returns how many.
func (s *Store) Unskip(ctx context.Context, datasetID string, who Person) (n int, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		if _, err := s.labellerTx(tx, datasetID, who); err != nil {
			return err
		}
		type skipped struct {
			item string
			open bool
		}
		list, err := db.List(tx, "dataset: unskip", func(row db.Row) (k skipped, err error) {
			return k, row.Scan(&k.item, &k.open)
		}, `SELECT t.item_id, i.state = 'open' FROM labelling_turn t JOIN dataset_item i ON i.id = t.item_id
			WHERE t.set_id = $1 AND t.person_id = $2 AND t.state = 'skipped' ORDER BY t.seq`, datasetID, who.ID)
		if err != nil {
			return err
		}
		for _, k := range list {
			if k.open {
				n++
				err = unskipTx(tx, datasetID, k.item, who)
			} else {
				err = errors.Join(labelling.At(datasetID, k.item, who).Move(tx, labelling.Dropped),
					personTx(tx, datasetID, who, personDelta{skipped: -1}))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

// unskipTx puts an item that I passed over, and that is still open, back on my list.
func unskipTx(tx *db.Tx, datasetID, itemID string, who Person) error {
	return errors.Join(labelling.At(datasetID, itemID, who).Move(tx, labelling.Open), takeTx(tx, datasetID, itemID, 1),
		personTx(tx, datasetID, who, personDelta{skipped: -1}))
}

// Flag marks an item that I have or had for those who manage the set; an empty note takes the flag off.
func (s *Store) Flag(ctx context.Context, itemID string, who Person, note string) error {
	if strings.TrimSpace(note) != "" {
		var err error
		if note, err = text.Reason(note, "note", "Say why, in a few words."); err != nil {
			return err
		}
	} else {
		note = ""
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		r, err := itemTx(tx, itemID)
		if err != nil {
			return err
		}
		if _, err := s.labellerTx(tx, r.DatasetID, who); err != nil {
			return err
		}
		t, err := r.turnTx(tx, who)
		if err != nil || t.Flag == note {
			return err
		}
		by := 0
		switch {
		case t.Flag == "":
			by = 1
		case note == "":
			by = -1
		}
		if err := db.Exec(tx, "dataset: flag",
			`UPDATE labelling_turn SET flag = $1 WHERE item_id = $2 AND person_id = $3`, note, itemID,
			who.ID); err != nil {
			return err
		}
		if err := r.changeTx(tx, func() error { r.Flags += by; return nil }); err != nil {
			return err
		}
		return personTx(tx, r.DatasetID, who, personDelta{flagged: by})
	})
}
