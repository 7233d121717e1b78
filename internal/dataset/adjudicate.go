package dataset

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"preceptor/internal/audit"
	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

// waitingSQL walks what waits for a ruling in the order of the set: what is disputed, and what is labelled without
// being final. A person's own items are passed over.
const waitingSQL = `SELECT ` + itemColumns + ` FROM dataset_item i WHERE i.dataset_id = $1 AND i.state = $2 AND i.n > $3
	AND i.final_label = '' AND i.planted = 0 AND (i.revealed_at > 0 OR i.closed_at > 0)
	AND NOT EXISTS (SELECT 1 FROM labelling_answer l WHERE l.item_id = i.id AND l.by_id = $4)`

// ruledSQL walks what a person ruled on, so that they can withdraw it.
const ruledSQL = `SELECT ` + itemColumns + ` FROM dataset_item i WHERE i.dataset_id = $1 AND i.state = $2 AND i.n > $3
	AND EXISTS (SELECT 1 FROM dataset_ruling r WHERE r.item_id = i.id AND r.by_id = $4 AND r.undone_at = 0)`

// Waiting lists what waits for a ruling of this person, one who did not label it: state is ItemDisputed, or
// ItemLabelled for items whose labels agree and that are not final; ItemAdjudicated is what they ruled on. A
// manager or an administrator has those that every expert labelled.
func (s *Store) Waiting(ctx context.Context, datasetID, state string, who Person, cursor string,
	limit int) (page ItemPage, err error) {
	if state != ItemDisputed && state != ItemLabelled && state != ItemAdjudicated {
		return page, fault.Wrong("The state can't be used.", "state", "Choose disputed, labelled or adjudicated.")
	}
	if limit, err = keyset.Limit(limit); err != nil {
		return page, err
	}
	from, err := after(cursor)
	if err != nil {
		return page, err
	}
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		expert, err := s.rulesTx(tx, who)
		if err != nil {
			return err
		}
		query, args := waitingSQL, []any{datasetID, state, from, who.ID}
		if state == ItemAdjudicated {
			query = ruledSQL
		} else if !expert {
			experts, err := s.hooks.Experts(tx)
			if err != nil || tooMany(experts) {
				return err
			}
			query, args = byAll(query, args, experts)
		}
		list, err := itemsTx(tx, query+fmt.Sprintf(` ORDER BY i.n LIMIT $%d`, len(args)+1), append(args, limit+1)...)
		if err != nil {
			return err
		}
		list, page.Next = cut(list, limit)
		for _, r := range list {
			// its state is what the list is about, and who sees it can't label it any more once it is opened
			it := r.Item
			it.Settling = !r.settled(tx.Now)
			page.Items = append(page.Items, it)
		}
		return nil
	})
	return page, err
}

// Sides opens an item for adjudication: all answers side by side. From then on no label on it is taken back, and this
// person never labels it. Denied to who labelled it, and to a manager or an administrator while an expert is left;
// Conflict while it is being labelled.
func (s *Store) Sides(ctx context.Context, itemID string, who Person) (v *Sides, err error) {
	return db.Write(ctx, s.db, func(tx *db.Tx) (*Sides, error) {
		r, err := itemTx(tx, itemID)
		if err != nil {
			return nil, err
		}
		if err := s.thirdTx(tx, r, who); err != nil {
			return nil, err
		}
		if err := revealTx(tx, r, who); err != nil {
			return nil, err
		}
		return sidesTx(tx, r)
	})
}

// thirdTx refuses who may not rule, who labelled the item, also an answer that was taken back, and items that are not
// there to be ruled on.
func (s *Store) thirdTx(tx *db.Tx, r *row, who Person) error {
	if err := s.mayRuleTx(tx, r, who); err != nil {
		return err
	}
	if r.Check || r.State != ItemLabelled && r.State != ItemDisputed && r.State != ItemAdjudicated {
		return fault.New(fault.Conflict, "This item is not waiting for a ruling: it needs its labels first.")
	}
	left, err := labelling.Left(tx, r.DatasetID, r.ID, []Person{who})
	if len(left) == 0 {
		return fault.New(fault.Denied, "You labelled this item, so someone else has to rule on it.")
	}
	return err
}

// revealTx notes that who sees the answers now, which ends the time in which one can be taken back.
func revealTx(tx *db.Tx, r *row, who Person) error {
	if err := readsTx(tx, r, who); err != nil || r.revealedAt > 0 {
		return err
	}
	return r.changeTx(tx, func() error { r.revealedAt = tx.NowMs(); return nil })
}

// readsTx has who never be given the item, unless they answered it already.
func readsTx(tx *db.Tx, r *row, who Person) error {
	if who == Operator {
		return nil
	}
	if err := ensurePersonTx(tx, r.DatasetID, who); err != nil {
		return err
	}
	at := r.at(who)
	t, err := at.Turn(tx)
	switch {
	case err == nil && t.State == "":
		var seq int64
		if err := db.One(tx, "dataset: note who reads", `UPDATE dataset_person SET turns = turns + 1
			WHERE dataset_id = $1 AND person_id = $2 RETURNING turns`, r.DatasetID, who.ID).Scan(&seq); err != nil {
			return err
		}
		return at.Put(tx, labelling.Turn{Seq: seq, State: labelling.Seen, Origin: "walk"})
	case err != nil || t.State == labelling.Seen || t.State == labelling.Done:
		return err
	case t.State == labelling.Skipped:
		if err := personTx(tx, r.DatasetID, who, personDelta{skipped: -1}); err != nil {
			return err
		}
	}
	return at.Move(tx, labelling.Seen)
}

func sidesTx(tx *db.Tx, r *row) (*Sides, error) {
	d, err := getTx(tx, r.DatasetID)
	if err != nil {
		return nil, err
	}
	v := &Sides{Item: r.shown(tx.Now), Settings: d.Settings}
	all, err := r.labelsTx(tx)
	if err != nil {
		return nil, err
	}
	people := slices.DeleteFunc(slices.Clone(all), func(l Label) bool { return l.External })
	for _, l := range append(people, slices.DeleteFunc(all, func(l Label) bool { return !l.External })...) {
		if l.Standing {
			v.Labels = append(v.Labels, l)
		} else {
			v.Before = append(v.Before, l)
		}
	}
	if v.Skips, err = skipsTx(tx, []string{r.ID}); err != nil {
		return nil, err
	}
	if v.Flags, err = flagsTx(tx, []string{r.ID}); err != nil {
		return nil, err
	}
	v.Rulings, err = rulingsTx(tx, []string{r.ID})
	return v, err
}

// Adjudicate rules on an item: its final label. Invalid with the fields to mend (rationale is required); Denied to who
// labelled it; Conflict when it changed since it was opened, or is ruled on.
func (s *Store) Adjudicate(ctx context.Context, in RulingInput) (v *Ruling, err error) {
	return db.Write(ctx, s.db, func(tx *db.Tx) (*Ruling, error) { return s.adjudicateTx(tx, in) })
}

func (s *Store) adjudicateTx(tx *db.Tx, in RulingInput) (*Ruling, error) {
	if in.By == Operator {
		return nil, fault.New(fault.Denied, "Only people can rule.")
	}
	r, err := itemTx(tx, in.ItemID)
	if err != nil {
		return nil, err
	}
	if err := s.thirdTx(tx, r, in.By); err != nil {
		return nil, err
	}
	d, err := getTx(tx, r.DatasetID)
	if err != nil {
		return nil, err
	}
	if r.State == ItemAdjudicated {
		return nil, fault.New(fault.Conflict,
			"%s has ruled on this item already. That ruling has to be withdrawn first.", r.whole.By)
	}
	if r.Version != in.Version {
		return nil, fault.New(fault.Conflict,
			"The answers to this item have changed since you opened it. Reload to see them.")
	}
	if err := in.Answer.judged(&d.Settings, utf8.RuneCountInString(r.Guidance)); err != nil {
		return nil, err
	}
	if strings.TrimSpace(in.Answer.Rationale) == "" {
		return nil, fault.Wrong("A ruling needs a reason.", "rationale", "Say why, in a few words.")
	}
	v := &Ruling{ID: id.New(), ItemID: r.ID, By: in.By, Answer: in.Answer, Rubric: d.Rubric, At: tx.Now}
	if err := db.Exec(tx, "dataset: rule",
		`INSERT INTO dataset_ruling (id, dataset_id, item_id, by_id, by_name, label, answer, rubric, at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		v.ID, d.ID, r.ID, v.By.ID, v.By.Name, v.Label, v.Answer.json(), v.Rubric, tx.NowMs()); err != nil {
		return nil, err
	}
	if err := revealTx(tx, r, in.By); err != nil {
		return nil, err
	}
	if err := r.changeTx(tx, func() error {
		f := v.Answer
		f.Confidence, f.Notes = nil, ""
		r.State, r.whole, r.finalByID = ItemAdjudicated,
			&Final{Answer: f, Why: WhyAdjudication, By: v.By.Name, At: tx.Now}, v.By.ID
		return nil
	}); err != nil {
		return nil, err
	}
	return v, audit.Note(tx, in.By.Actor(), "dataset.adjudicated", "dataset_item", r.ID,
		map[string]any{"dataset": d.ID, "ruling": v.ID, "label": v.Label, "codes": v.Codes()})
}

// UndoRuling takes a ruling of one's own back, with a reason: the item waits for a ruling again. Versions that were
// frozen with it stay as they are.
func (s *Store) UndoRuling(ctx context.Context, rulingID string, who Person, why string) error {
	why, err := text.Reason(why, "reason", "Say why, in a few words.")
	if err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if _, err := s.rulesTx(tx, who); err != nil {
			return err
		}
		var itemID, byID, byName string
		var undone int64
		err := db.One(tx, "dataset: read a ruling", `SELECT item_id, by_id, by_name, undone_at
			FROM dataset_ruling WHERE id = $1`, rulingID).
			Or(fault.New(fault.NotFound, "There is no such ruling.")).Scan(&itemID, &byID, &byName, &undone)
		switch {
		case err != nil:
			return err
		case byID != who.ID:
			return fault.New(fault.Denied, "%s ruled on this, and only they can withdraw it.", byName)
		case undone > 0:
			return nil
		}
		if err := db.Exec(tx, "dataset: take a ruling back",
			`UPDATE dataset_ruling SET undone_at = $1, undone_by = $2, undone_why = $3 WHERE id = $4`, tx.NowMs(),
			who.ID, why, rulingID); err != nil {
			return err
		}
		r, err := itemTx(tx, itemID)
		if err != nil || r.State != ItemAdjudicated {
			return err
		}
		d, err := getTx(tx, r.DatasetID)
		if err != nil {
			return err
		}
		if err := r.changeTx(tx, func() error { return r.unruleTx(tx, d) }); err != nil {
			return err
		}
		return audit.Note(tx, who.Actor(), "dataset.ruling_undone", "dataset_item", itemID,
			map[string]any{"dataset": r.DatasetID, "ruling": rulingID})
	})
}

// unruleTx has the item stand as its labels say.
func (r *row) unruleTx(tx *db.Tx, d *Dataset) error {
	labels, err := r.standingTx(tx)
	if err != nil {
		return err
	}
	closed := r.ClosedAt
	if err := r.closeTx(tx, d, labels, d.same(labels)); err != nil {
		return err
	}
	r.ClosedAt = closed
	return nil
}

// Answers are what everybody said of an item that I answered, once it is closed, where the set allows it
// (Settings.Reveal). Reading them ends the time in which a label on the item can be taken back.
func (s *Store) Answers(ctx context.Context, itemID string, who Person) (list []Label, err error) {
	return db.Write(ctx, s.db, func(tx *db.Tx) ([]Label, error) {
		r, err := itemTx(tx, itemID)
		if err != nil {
			return nil, err
		}
		d, err := s.labellerTx(tx, r.DatasetID, who)
		if err != nil {
			return nil, err
		}
		t, err := r.turnTx(tx, who)
		switch {
		case err != nil:
			return nil, err
		case t.State != labelling.Done:
			return nil, fault.New(fault.Denied, "Answer this item yourself before you read what others said.")
		case !d.Reveal:
			return nil, fault.New(fault.Denied, "In this dataset labellers can't see other people's answers.")
		case r.Check || r.ClosedAt.IsZero():
			return nil, fault.New(fault.Denied,
				"Others still have to answer this item. You can read the answers once it is complete.")
		}
		if err := revealTx(tx, r, who); err != nil {
			return nil, err
		}
		return r.standingTx(tx)
	})
}
