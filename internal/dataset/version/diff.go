package version

import (
	"context"
	"fmt"

	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// Diff is what changed from one version of a set to another. The lists hold the first MaxChanges of each kind.
type Diff struct {
	From, To   *Version
	Counts     Changes
	Added      []Change
	Removed    []Change
	Relabelled []Change
	Recoded    []Change // the same label with other codes or another boundary class
	Moved      []Change // to another split
}

// Changes counts them.
type Changes struct{ Added, Removed, Relabelled, Recoded, Moved, Erased, Same int }

// Change is one item of a Diff.
type Change struct {
	ItemID   string
	Opening  string // of the guidance; "" when it was erased
	From, To string // label, codes, or split in Moved
}

// MaxChanges bounds the lists of a Diff.
const MaxChanges = 200

// Diff compares two versions of one set.
func (s *Store) Diff(ctx context.Context, fromID, toID string) (d *Diff, err error) {
	d = &Diff{}
	if d.From, err = s.ByID(ctx, fromID); err != nil {
		return nil, err
	}
	if d.To, err = s.ByID(ctx, toID); err != nil {
		return nil, err
	}
	if d.From.DatasetID != d.To.DatasetID {
		return nil, fault.New(fault.Invalid,
			"These versions belong to different datasets. Choose two from the same dataset.")
	}
	type brief struct {
		label, codes, split string
		erased              bool
	}
	of := func(r *Row) brief {
		return brief{r.Label, fmt.Sprint(r.Answer.Codes(), " ", r.Answer.Boundary), r.Split, r.Erased}
	}
	before := map[string]brief{}
	if err := s.Each(ctx, fromID, "", func(r *Row) error { before[r.ItemID] = of(r); return nil }); err != nil {
		return nil, err
	}
	if err := s.Each(ctx, toID, "", func(r *Row) error {
		was, ok := before[r.ItemID]
		is := of(r)
		if !ok {
			d.Counts.Added++
			d.Added = add(d.Added, r, "", is.label)
			return nil
		}
		delete(before, r.ItemID)
		same := was.label == is.label && was.split == is.split
		if was.label != is.label {
			d.Counts.Relabelled++
			d.Relabelled = add(d.Relabelled, r, was.label, is.label)
		}
		if was.split != is.split {
			d.Counts.Moved++
			d.Moved = add(d.Moved, r, was.split, is.split)
		}
		switch {
		case was.erased || is.erased:
			d.Counts.Erased++
			same = false
		case was.label == is.label && was.codes != is.codes:
			d.Counts.Recoded++
			d.Recoded = add(d.Recoded, r, was.codes, is.codes)
			same = false
		}
		if same {
			d.Counts.Same++
		}
		return nil
	}); err != nil {
		return nil, err
	}
	d.Counts.Removed = len(before)
	return d, s.Each(ctx, fromID, "", func(r *Row) error {
		if _, gone := before[r.ItemID]; gone {
			d.Removed = add(d.Removed, r, r.Label, "")
		}
		return nil
	})
}

func add(list []Change, r *Row, from, to string) []Change {
	if len(list) >= MaxChanges {
		return list
	}
	return append(list, Change{r.ItemID, text.Opening(r.Guidance, 90), from, to})
}
