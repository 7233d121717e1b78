package dataset

import (
	"context"
	"fmt"
	"slices"

	"preceptor/internal/db"
)

// Standstill is what the people there are can't get done in a set, however much they work: it takes another person.
type Standstill struct {
	Labeller int // people who may label here
	Rulers   int // people who may rule
	Needed   int // different people that one item may need labels of
	Unruled  int // items that wait for a ruling, and everybody who may give it has labelled them
}

// Short tells whether items may need more labels than there are people to give them.
func (st Standstill) Short() bool { return st.Labeller < st.Needed }

// NoThird tells whether nobody is left to rule where the labels of an item differ, if all labels are given by those who may rule.
func (st Standstill) NoThird() bool { return st.Needed > 0 && !st.Short() && st.Rulers <= st.Needed }

// Standstill looks whether a set has come to one. Only what may be seen by everybody is in it: an item counts once its labels can't
// be taken back any more.
func (s *Store) Standstill(ctx context.Context, datasetID string) (st Standstill, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		d, err := getTx(tx, datasetID)
		if err == nil {
			st, err = s.standstillTx(tx, d)
		}
		return err
	})
	return st, err
}

func (s *Store) standstillTx(tx *db.Tx, d *Dataset) (st Standstill, err error) {
	experts, err := s.hooks.Experts(tx)
	if err != nil {
		return st, err
	}
	st = Standstill{Labeller: len(experts), Rulers: len(experts), Needed: max(d.Overlap, d.MaxLabels)}
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

// unruledStates are the states in which items wait for a ruling. That all of a hundred thousand agreed is known without a look at them.
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
		var in bool
		if err := db.One(tx, "dataset: count who is invited", `SELECT EXISTS (SELECT 1 FROM dataset_person WHERE dataset_id = $1 AND person_id = $2 AND invited = 1)`, datasetID, p.ID).Scan(&in); err != nil {
			return 0, err
		}
		if in {
			n++
		}
	}
	return n, nil
}

// unruledSQL counts what waits for a ruling and that as many of some people have labelled as the last number says.
const unruledSQL = `SELECT count(*) FROM dataset_item i WHERE i.dataset_id = $1 AND i.state = $2 AND i.final_label = '' AND i.planted = 0
	AND (i.revealed_at > 0 OR i.closed_at > 0 AND i.closed_at <= $3)
	AND (SELECT count(DISTINCT l.by_id) FROM dataset_label l WHERE l.item_id = i.id AND l.by_id IN (%s)) = $%d`

// unruledTx counts the items of a state that wait for a ruling and that all of some people have labelled, also with an answer that was
// taken back.
func unruledTx(tx *db.Tx, datasetID, state string, people []Person) (n int, err error) {
	if len(people) > MaxOverlap+MaxOverlap/2 { // more than can have had one item: somebody is left
		return 0, nil
	}
	args := []any{datasetID, state, tx.NowMs() - UndoFor.Milliseconds()}
	for _, p := range people {
		labels, err := labelsHereTx(tx, datasetID, p.ID)
		if err != nil || !labels {
			return 0, err // who labelled nothing here can rule on all of it
		}
		args = append(args, p.ID)
	}
	in := "''"
	if len(people) > 0 {
		in = db.In(4, len(people))
	}
	args = append(args, len(people))
	return db.Value[int](tx, "dataset: count what nobody can rule on", fmt.Sprintf(unruledSQL, in, len(args)), args...)
}

// RulersOf are the people who may rule on an item, those who did not label it, for who manages the set. Empty means that it takes
// another person. Waits is false where the item does not wait for a ruling that may be known of.
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
		if people, err = s.hooks.Experts(tx); err != nil {
			return err
		}
		labels, err := labelsTx(tx, `SELECT `+labelColumns+` FROM dataset_label l WHERE l.item_id = $1`, itemID)
		people = slices.DeleteFunc(people, func(p Person) bool {
			return slices.ContainsFunc(labels, func(l Label) bool { return l.By.ID == p.ID })
		})
		return err
	})
	return people, waits, err
}

// TellUnruled hands the sets in which something waits for a ruling that nobody can give to OnUnruled, which decides who hears of it and
// how often. It returns how many there were.
func (s *Store) TellUnruled(ctx context.Context) (n int, err error) {
	sets, err := s.List(ctx)
	if err != nil {
		return 0, err
	}
	for i := range sets {
		if len(sets[i].Counts.unruledStates()) == 0 {
			continue
		}
		err := s.db.Write(ctx, func(tx *db.Tx) error {
			st, err := s.standstillTx(tx, &sets[i])
			if err != nil || st.Unruled == 0 {
				return err
			}
			n++
			return s.hooks.OnUnruled(tx, &sets[i], st.Unruled)
		})
		if err != nil {
			return n, err
		}
	}
	return n, nil
}
