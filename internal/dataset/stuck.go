package dataset

import (
	"context"
	"fmt"

	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Stuck is what the experts there are can't get done in a set, however much they work.
type Stuck struct {
	Labeller int // people who may label here
	Rulers   int // people who may rule
	Needed   int // different people that one item may need labels of
	Unruled  int // items that wait for a ruling, and every expert has labelled them
}

// Short reports whether items may need more labels than there are people to give them.
func (st Stuck) Short() bool { return st.Labeller < st.Needed }

// Stuck looks whether a set has come to one. Only what may be seen by everybody is in it: an item counts once its
// labels can't be taken back any more.
func (s *Store) Stuck(ctx context.Context, datasetID string) (st Stuck, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		d, err := getTx(tx, datasetID)
		if err == nil {
			st, err = s.stuckTx(tx, d)
		}
		return err
	})
	return st, err
}

func (s *Store) stuckTx(tx *db.Tx, d *Dataset) (st Stuck, err error) {
	experts, err := s.hooks.Experts(tx)
	if err != nil {
		return st, err
	}
	st = Stuck{Labeller: len(experts), Rulers: len(experts), Needed: max(d.Overlap, d.MaxLabels)}
	if d.Invited {
		if st.Labeller, err = invitedTx(tx, d.ID, experts); err != nil {
			return st, err
		}
	}
	for _, state := range d.Counts.unruledStates() {
		n, err := unruledTx(tx, d.ID, state, experts)
		if err != nil {
			return st, err
		}
		st.Unruled += n
	}
	return st, nil
}

// unruledStates are the states in which items wait for a ruling. That all of a hundred thousand agreed is known without
// a look at them.
func (c Counts) unruledStates() (list []string) {
	if c.Disputed > 0 {
		list = append(list, ItemDisputed)
	}
	if c.Labelled+c.Adjudicated > c.Final {
		list = append(list, ItemLabelled)
	}
	return list
}

// invitedTx counts those of some people who are invited.
func invitedTx(tx *db.Tx, datasetID string, people []Person) (n int, err error) {
	for _, p := range people {
		in, err := db.Value[bool](tx, "dataset: count who is invited",
			`SELECT EXISTS (SELECT 1 FROM dataset_person
					WHERE dataset_id = $1 AND person_id = $2 AND invited = 1)`, datasetID, p.ID)
		if err != nil {
			return 0, err
		}
		if in {
			n++
		}
	}
	return n, nil
}

// unruledSQL counts what waits for a ruling.
const unruledSQL = `SELECT count(*) FROM dataset_item i
	WHERE i.dataset_id = $1 AND i.state = $2 AND i.final_label = '' AND i.planted = 0
	AND (i.revealed_at > 0 OR i.closed_at > 0 AND i.closed_at <= $3)`

// byAll adds to a question about items, and to its arguments, that all of some people have labelled them.
func byAll(query string, args []any, people []Person) (string, []any) {
	in := "''"
	if len(people) > 0 {
		in = db.In(len(args)+1, len(people))
	}
	for _, p := range people {
		args = append(args, p.ID)
	}
	args = append(args, len(people))
	return query + fmt.Sprintf(` AND (SELECT count(DISTINCT l.by_id) FROM labelling_answer l
		WHERE l.item_id = i.id AND l.by_id IN (%s)) = $%d`, in, len(args)), args
}

// tooMany reports whether there are more people than can have labelled one item: one of them is left to rule.
func tooMany(people []Person) bool { return len(people) > MaxOverlap+MaxOverlap/2 }

// unruledTx counts the items of a state that wait for a ruling and that all of some people have labelled, also with an
// answer that was taken back.
func unruledTx(tx *db.Tx, datasetID, state string, people []Person) (n int, err error) {
	if tooMany(people) {
		return 0, nil
	}
	for _, p := range people {
		labels, err := labelsHereTx(tx, datasetID, p.ID)
		if err != nil || !labels {
			return 0, err // who labelled nothing here can rule on all of it
		}
	}
	query, args := byAll(unruledSQL, []any{datasetID, state, tx.NowMs() - UndoFor.Milliseconds()}, people)
	return db.Value[int](tx, "dataset: count what no expert can rule on", query, args...)
}

// RulersOf are the experts who may rule on an item, those who did not label it, for who manages the set. Empty means
// that a manager or an administrator does. Waits is false where the item does not wait for a ruling that may be known
// of.
func (s *Store) RulersOf(ctx context.Context, itemID string, who Person) (people []Person, waits bool, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		if err := may(s.MayManage, tx, who); err != nil {
			return err
		}
		r, err := itemTx(tx, itemID)
		if err != nil {
			return err
		}
		waits = !r.Check && (r.State == ItemDisputed || r.State == ItemLabelled) && r.whole == nil && r.settled(tx.Now)
		if !waits {
			return nil
		}
		people, err = s.leftTx(tx, r)
		return err
	})
	return people, waits, err
}

// leftTx are the experts who did not label an item.
func (s *Store) leftTx(tx *db.Tx, r *row) ([]Person, error) {
	people, err := s.hooks.Experts(tx)
	if err != nil {
		return nil, err
	}
	return labelling.Left(tx, r.DatasetID, r.ID, people)
}

// rulesTx reports whether who rules as an expert; else they decide where no expert is left. Denied to all others.
func (s *Store) rulesTx(tx *db.Tx, who Person) (expert bool, err error) {
	err = may(s.MayAdjudicate, tx, who)
	if fault.Is(err, fault.Denied) && may(s.MayDecide, tx, who) == nil {
		return false, nil
	}
	return err == nil, err
}

// mayRuleTx is nil for who may rule on this item, or see the ruling that it has.
func (s *Store) mayRuleTx(tx *db.Tx, r *row, who Person) error {
	expert, err := s.rulesTx(tx, who)
	if err != nil || expert || r.State == ItemAdjudicated {
		return err
	}
	left, err := s.leftTx(tx, r)
	if err == nil && len(left) > 0 {
		return fault.New(fault.Denied, "An expert who didn't label this item rules on it. You can once none is left.")
	}
	return err
}

// TellUnruled hands the sets in which something waits for a ruling that no expert can give to OnUnruled, which decides
// who hears of it and how often, and the others with none. It returns how many there were.
func (s *Store) TellUnruled(ctx context.Context) (n int, err error) {
	sets, err := s.List(ctx)
	if err != nil {
		return 0, err
	}
	for i := range sets {
		var st Stuck
		if len(sets[i].Counts.unruledStates()) > 0 {
			st, err = db.Read(ctx, s.db, func(tx *db.Tx) (Stuck, error) { return s.stuckTx(tx, &sets[i]) })
		}
		if st.Unruled > 0 {
			n++
		}
		if err == nil {
			err = s.db.Write(ctx, func(tx *db.Tx) error { return s.hooks.OnUnruled(tx, &sets[i], st.Unruled) })
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}
