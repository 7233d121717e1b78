package approval

import (
	"context"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Waiting is a change that waits, as a person sees it.
type Waiting struct {
	Change
	Says
	Overtaken bool // something else came into force since, so that it can't be agreed to
	Mine      bool
	May       bool // the person can answer it
	Unread    bool // it can't be read by this program
}

// ForMe reports whether the person can agree to it.
func (w Waiting) ForMe() bool { return w.May && !w.Mine && !w.Overtaken }

// Waiting lists what waits for a second person, the oldest first, as personID sees it.
func (s *Store) Waiting(ctx context.Context, personID string) (list []Waiting, err error) {
	return s.list(ctx, personID, true)
}

func (s *Store) list(ctx context.Context, personID string, says bool) (list []Waiting, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		open, err := listTx(tx, `WHERE c.state = 'proposed' ORDER BY c.proposed_at, c.id`)
		if err != nil {
			return err
		}
		list = make([]Waiting, 0, len(open))
		for _, c := range open {
			w, err := s.waiting(tx, c, personID, says)
			if err != nil {
				return err
			}
			list = append(list, w)
		}
		return nil
	})
	return list, err
}

// Of is one change, as personID sees it.
func (s *Store) Of(ctx context.Context, changeID, personID string) (Waiting, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (w Waiting, err error) {
		c, err := ByID(tx, changeID)
		if err != nil {
			return w, err
		}
		return s.waiting(tx, c, personID, true)
	})
}

func (s *Store) waiting(tx *db.Tx, c Change, personID string, says bool) (w Waiting, err error) {
	h, ok := s.handlers[c.Kind]
	w = Waiting{Change: c, Mine: c.Proposed.By == personID, Unread: !ok}
	if !ok {
		return w, nil
	}
	now, err := h.Base(tx, c)
	if fault.Is(err, fault.NotFound) { // what it was to change is gone
		w.Unread, err = true, nil
	}
	if err == nil {
		w.Overtaken, err = Overtaken(tx, c, now)
	}
	if err != nil {
		return w, err
	}
	if err := may(tx, h.MayAgree, personID); err == nil {
		w.May = true
	} else if !fault.Is(err, fault.Denied) {
		return w, err
	}
	if !says {
		return w, nil
	}
	if w.Says, err = h.Says(tx, c); fault.Is(err, fault.Invalid) || fault.Is(err, fault.NotFound) {
		w.Unread, err = true, nil
	}
	return w, err
}

// ForMe counts what this person could agree to; every page does, so it doesn't read what the changes say.
func (s *Store) ForMe(ctx context.Context, personID string) (n int, err error) {
	list, err := s.list(ctx, personID, false)
	for _, w := range list {
		if w.ForMe() {
			n++
		}
	}
	return n, err
}
