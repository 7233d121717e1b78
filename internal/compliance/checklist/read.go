package checklist

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"preceptor/internal/approval"
	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

const wordingColumns = `id, check_id, version, code, title, syntax, source, severity, why, reference, finds, leaves,
	reason, by_id, by_name, at`

func scanWording(row db.Row) (*Wording, error) {
	w := &Wording{By: audit.Actor{Kind: audit.Person}}
	var finds, leaves string
	if err := row.Scan(&w.ID, &w.CheckID, &w.Version, &w.Code, &w.Title, &w.syntax, &w.Source, &w.Severity, &w.Why,
		&w.Reference, &finds, &leaves,
		&w.Reason, &w.By.ID, &w.By.Name, db.At(&w.At)); err != nil {
		return nil, err
	}
	if translated, ok := fromPlainWords(w.Source); ok && w.syntax == plainWords {
		w.Source, w.syntax = translated, phrases
	}
	if err := errors.Join(json.Unmarshal([]byte(finds), &w.Finds),
		json.Unmarshal([]byte(leaves), &w.Leaves)); err != nil {
		return nil, fmt.Errorf("checklist: read examples: %w", err)
	}
	return w, nil
}

func noSuchCheck(cause error) error {
	return fault.Wrap(fault.NotFound, cause, "There is no such check. Choose one from the list of checks.")
}

func newestTx(tx *db.Tx, checkID string) (*Wording, error) {
	return scanWording(db.One(tx, "checklist: read a wording", `SELECT `+wordingColumns+` FROM check_version
		WHERE check_id = $1 ORDER BY version DESC LIMIT 1`, checkID).
		Or(noSuchCheck(nil)))
}

func wordingTx(tx *db.Tx, checkID string, version int) (*Wording, error) {
	return scanWording(db.One(tx, "checklist: read a wording", `SELECT `+wordingColumns+` FROM check_version
		WHERE check_id = $1 AND version = $2`, checkID, version).
		Or(fault.New(fault.NotFound, "There is no such version of this check.")))
}

func wordingsTx(tx *db.Tx, query string, args ...any) (list []*Wording, err error) {
	return db.List(tx, "checklist: read wordings", scanWording, `SELECT `+wordingColumns+` FROM check_version `+query,
		args...)
}

// standing is how every check stands that was ever written or switched, in one transaction.
type standing struct {
	last, asked map[string]*Switch
	newest      []*Wording // of own checks, in the order in which they were first written
	inForce     map[string]*Wording
	book        int
}

func standingTx(tx *db.Tx) (st standing, err error) {
	st = standing{last: map[string]*Switch{}, asked: map[string]*Switch{}, inForce: map[string]*Wording{}}
	if st.newest, err = wordingsTx(tx,
		`v WHERE version = (SELECT max(n.version) FROM check_version n WHERE n.check_id = v.check_id) ORDER BY check_id`); err != nil {
		return st, err
	}
	for _, w := range st.newest {
		st.inForce[w.CheckID] = w // until the switches say otherwise
	}
	inForce, err := approval.InForce(tx, approval.CheckSwitch.Kind)
	if err != nil {
		return st, err
	}
	for _, c := range inForce {
		w, err := switchOf(c)
		if err != nil {
			return st, err
		}
		st.last[w.CheckID] = w
		st.book = max(st.book, w.Book)
	}
	for checkID, newest := range st.inForce {
		last := st.last[checkID]
		switch {
		case last == nil || !last.On:
			delete(st.inForce, checkID)
		case last.Version != newest.Version:
			if st.inForce[checkID], err = wordingTx(tx, checkID, last.Version); err != nil {
				return st, err
			}
		}
	}
	open, err := approval.OpenOf(tx, approval.CheckSwitch.Kind)
	for _, c := range open {
		w, _ := switchOf(c) // one that can't be read waits too, to be refused
		st.asked[w.CheckID] = w
	}
	return st, err
}

func (s *Store) shipped(st standing, info compliance.CheckInfo) Check {
	c := Check{ID: info.Code, Shipped: true, Info: info, On: true, Last: st.last[info.Code], Asked: st.asked[info.Code]}
	if c.Last != nil {
		// nobody takes it away alone, whatever is in the file
		c.On = c.Last.On || c.Guarded() && c.Last.Answered.ID == ""
	}
	return c
}

func (s *Store) own(st standing, newest *Wording) Check {
	c := Check{ID: newest.CheckID, Newest: newest, InForce: st.inForce[newest.CheckID], Last: st.last[newest.CheckID],
		Asked: st.asked[newest.CheckID]}
	c.On = c.InForce != nil
	if b := s.broken.Load(); b != nil && c.On {
		c.Broken = (*b)[c.ID]
	}
	return c
}

// List is every check: the shipped ones in the order in which they run, then the experts' own, the oldest first.
func (s *Store) List(ctx context.Context) (list []Check, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		list = nil
		st, err := standingTx(tx)
		if err != nil {
			return err
		}
		for _, info := range compliance.Registry() {
			list = append(list, s.shipped(st, info))
		}
		for _, w := range st.newest {
			list = append(list, s.own(st, w))
		}
		return nil
	})
	return list, err
}

// Get is one check; NotFound when there is none.
func (s *Store) Get(ctx context.Context, checkID string) (Check, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (Check, error) { return s.getTx(tx, checkID) })
}

func (s *Store) getTx(tx *db.Tx, checkID string) (Check, error) {
	st, err := standingTx(tx)
	if err != nil {
		return Check{}, err
	}
	if info, ok := compliance.InfoOf(checkID); ok {
		return s.shipped(st, info), nil
	}
	for _, w := range st.newest {
		if w.CheckID == checkID {
			return s.own(st, w), nil
		}
	}
	return Check{}, noSuchCheck(nil)
}

// Wordings are all versions of an own check, newest first.
func (s *Store) Wordings(ctx context.Context, checkID string) ([]*Wording, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]*Wording, error) {
		return wordingsTx(tx, `WHERE check_id = $1 ORDER BY version DESC LIMIT 200`, checkID)
	})
}

// Wording is one version of an own check; NotFound when there is none.
func (s *Store) Wording(ctx context.Context, checkID string, version int) (*Wording, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (*Wording, error) { return wordingTx(tx, checkID, version) })
}

// Switches are what became of a check, newest first.
func (s *Store) Switches(ctx context.Context, checkID string) (list []*Switch, err error) {
	changes, err := db.Read(ctx, s.db, func(tx *db.Tx) ([]approval.Change, error) {
		return approval.Of(tx, approval.CheckSwitch.Kind, checkID)
	})
	for _, c := range changes {
		w, _ := switchOf(c)
		list = append(list, w)
	}
	return list, err
}
