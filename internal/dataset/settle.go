package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
)

// labelOf is an answer as a label of its set.
func labelOf(a labelling.Answer) (l Label, err error) {
	l = Label{ID: a.ID, ItemID: a.Item, By: a.By, Revision: a.Revision, First: a.First,
		Standing: a.Standing, Late: a.Late,
		SpentMs: a.SpentMs, At: a.At}
	if l.External = strings.HasPrefix(l.By.ID, outsideID); l.External {
		l.By.Name = outside(l.By.Name)
	}
	l.Answer, err = parseAnswer(a.Body)
	return l, err
}

// labelsTx are an item's labels, by time.
func (r *row) labelsTx(tx *db.Tx) (list []Label, err error) {
	all, err := labelling.OfItem(tx, r.DatasetID, r.ID)
	for _, a := range all {
		l, wrong := labelOf(a)
		list, err = append(list, l), errors.Join(err, wrong)
	}
	return list, err
}

// standingTx are an item's standing labels, by time.
func (r *row) standingTx(tx *db.Tx) ([]Label, error) {
	list, err := r.labelsTx(tx)
	return slices.DeleteFunc(list, func(l Label) bool { return !l.Standing }), err
}

// resettleTx works out from the standing labels where an unruled item stands. Called inside changeTx.
func resettleTx(tx *db.Tx, d *Dataset, r *row) error {
	if r.Has < r.Needs {
		return r.openTx(tx)
	}
	labels, err := r.standingTx(tx)
	if err != nil {
		return err
	}
	same, most := d.same(labels), d.MaxLabels
	if slices.ContainsFunc(labels, func(l Label) bool { return l.External }) {
		most = 0 // nobody more is asked
	}
	if labelling.ComesTo(r.Has, r.Needs, most, same) == labelling.Another {
		r.Needs = r.Has + 1
		return r.openTx(tx)
	}
	return r.closeTx(tx, d, labels, same)
}

// openTx has the item wait for labels, last on its level.
func (r *row) openTx(tx *db.Tx) error {
	r.State, r.whole, r.finalByID = ItemOpen, nil, ""
	r.ClosedAt = db.Time(0)
	return r.moveTx(tx)
}

// closeTx has the item be labelled or disputed, and takes it off everybody's list.
func (r *row) closeTx(tx *db.Tx, d *Dataset, labels []Label, same bool) error {
	if err := labelling.Off(tx, r.DatasetID, r.ID); err != nil {
		return err
	}
	r.taken, r.State, r.ClosedAt, r.whole, r.finalByID = r.Has, ItemDisputed, tx.Now, nil, ""
	if !same {
		return nil
	}
	r.State = ItemLabelled
	if len(labels) < 2 || d.Adjudicate {
		return nil
	}
	r.whole = agreed(labels, tx)
	if inside(labels) == 0 { // nobody here said anything: it is what the import says
		r.whole.Why = WhyImport
	}
	return nil
}

// inside counts the labels of account holders.
func inside(labels []Label) (n int) {
	for _, l := range labels {
		if !l.External {
			n++
		}
	}
	return n
}

// same reports whether labels say the same; one label alone does, and one that was revised late never.
func (d *Dataset) same(labels []Label) bool {
	return len(labels) > 0 && !slices.ContainsFunc(labels, func(l Label) bool { return l.Late }) &&
		labelling.Same(labels, func(l Label) string {
			if d.AgreeOn == AgreeCodes {
				return fmt.Sprintf("%q %q %q", l.Label, l.Boundary, l.Codes())
			}
			return l.Label
		})
}

// agreed is the final answer of labels that agree: the label, the boundary class if all name the same, and the issues
// whose codes all of them name, with everybody's spans.
func agreed(labels []Label, tx *db.Tx) *Final {
	f := &Final{Why: WhyAgreement, At: tx.Now}
	f.Label, f.Boundary = labels[0].Label, labels[0].Boundary
	codes, names := labels[0].Codes(), make([]string, len(labels))
	for i, l := range labels {
		if l.Boundary != f.Boundary {
			f.Boundary = ""
		}
		codes = slices.DeleteFunc(codes, func(c string) bool { return !slices.Contains(l.Codes(), c) })
		names[i] = l.By.Name
	}
	for _, l := range labels {
		for _, i := range l.Issues {
			if slices.Contains(codes, i.Code) && !slices.Contains(f.Issues, i) {
				f.Issues = append(f.Issues, i)
			}
		}
	}
	slices.SortFunc(f.Issues, compareIssues)
	f.By = strings.Join(names, ", ")
	return f
}

// reopenTx opens the items again that were complete with fewer labels than the set needs now. What was ruled on or
// imported with its final label stays. Answers that could be seen stay as they are: nothing is taken back on such an
// item.
func (s *Store) reopenTx(tx *db.Tx, d *Dataset) error {
	list, err := itemsTx(tx, `SELECT `+itemColumns+` FROM dataset_item i
		WHERE i.dataset_id = $1 AND i.state IN ('labelled', 'disputed') AND i.planted = 0 AND i.has > 0
		AND i.has < $2 AND i.final_why IN ('', 'agreement')`, d.ID, d.Overlap)
	if err != nil {
		return err
	}
	for _, r := range list {
		if err := r.changeTx(tx, func() error {
			if r.settled(tx.Now) && r.revealedAt == 0 {
				r.revealedAt = tx.NowMs()
			}
			r.Needs = d.Overlap
			return r.openTx(tx)
		}); err != nil {
			return err
		}
	}
	return nil
}

// settleFullTx closes the open items of a set that have their labels since it needs fewer.
func (s *Store) settleFullTx(tx *db.Tx, d *Dataset) error {
	list, err := itemsTx(tx, `SELECT `+itemColumns+` FROM dataset_item i
		WHERE i.dataset_id = $1 AND i.state = 'open' AND i.planted = 0 AND i.has >= $2`, d.ID, d.Overlap)
	if err != nil {
		return err
	}
	for _, r := range list {
		if err := r.changeTx(tx, func() error {
			r.Needs = r.Has
			return resettleTx(tx, d, r)
		}); err != nil {
			return err
		}
	}
	return nil
}
