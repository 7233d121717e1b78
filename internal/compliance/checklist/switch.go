package checklist

import (
	"context"
	"encoding/json"
	"fmt"

	"preceptor/internal/approval"
	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// Sync puts in force what is on. It is called once at the start, and by this package after every change. A wording that
// this program can't run any more is left out, said in the log and on the page, and stops nothing.
func (s *Store) Sync(ctx context.Context) error {
	s.loading.Lock() // so that the newest book is the last to be adopted
	defer s.loading.Unlock()
	book := compliance.Book{}
	broken := map[string]string{}
	err := s.db.Read(ctx, func(tx *db.Tx) error {
		st, err := standingTx(tx)
		if err != nil {
			return err
		}
		book.Version = st.book
		for _, info := range compliance.Registry() {
			if !s.shipped(st, info).On {
				book.Off = append(book.Off, info.Code)
			}
		}
		for _, w := range st.newest {
			if on := st.inForce[w.CheckID]; on != nil {
				if err := on.usable(); err != nil {
					broken[w.CheckID] = fault.Message(err)
					continue
				}
				book.Patterns = append(book.Patterns, on.check())
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for checkID := range broken {
		s.log.Error("a check that is on can't be run by this program", "check", checkID)
	}
	s.broken.Store(&broken)
	return s.checker.Adopt(book)
}

// SwitchInput is what somebody wants of a check.
type SwitchInput struct {
	CheckID string
	Version int // of an own check that goes on: which wording
	On      bool
	Reason  string
	Book    int // Check.Book as the person saw it
	By      audit.Actor
}

// content is what a switch does, as it is kept.
type content struct {
	Version int  `json:"version"` // of the wording; 0 of a shipped check
	On      bool `json:"on"`
}

// switchOf makes a switch of a change.
func switchOf(c approval.Change) (*Switch, error) {
	w := &Switch{ID: c.ID, CheckID: c.Subject, State: c.State, Book: c.Version, Reason: c.Reason,
		By: c.Proposed.Actor(), At: c.Proposed.At, Answered: c.Decided.Actor(), Answer: c.Answer}
	if c.Decided.By != "" {
		w.AnswerAt = c.Decided.At
	}
	if c.State == approval.Agreed || c.State == approval.Made {
		w.State = Done
	}
	var said content
	if err := json.Unmarshal([]byte(c.Payload), &said); err != nil {
		return w, fmt.Errorf("checklist: read a switch: %w", err)
	}
	w.Version, w.On = said.Version, said.On
	return w, nil
}

// Switch puts a check on or off, or asks for it where that takes two people: the state of what comes back says which.
// Fields of its faults: reason. Conflict when it stands so already, when somebody switched it meanwhile, and when the
// wording was not tried or its own examples fail.
func (s *Store) Switch(ctx context.Context, in SwitchInput) (Switch, error) {
	why, err := text.Reason(in.Reason, "reason", "Say why. Your reason is kept on record.")
	if err != nil {
		return Switch{}, err
	}
	act, said := approval.CheckSwitch, content{Version: in.Version, On: in.On}
	if err := s.db.Read(ctx, func(tx *db.Tx) error {
		c, err := s.getTx(tx, in.CheckID)
		if err != nil {
			return err
		}
		if c.Guarded() && !in.On {
			act = approval.CriticalOff
		}
		if c.Shipped {
			said.Version = 0
		} else if !in.On && c.On {
			said.Version = c.InForce.Version
		}
		return nil
	}); err != nil {
		return Switch{}, err
	}
	text, err := json.Marshal(said)
	if err != nil {
		return Switch{}, fmt.Errorf("checklist: write a switch: %w", err)
	}
	c, err := s.approvals.Propose(ctx, act,
		approval.Change{Subject: in.CheckID, Base: in.Book, Payload: string(text), Reason: why}, in.By)
	if err != nil {
		return Switch{}, err
	}
	w, err := switchOf(c)
	return *w, err
}

// handler is how switches are checked and followed.
func (s *Store) handler() approval.Handler {
	return approval.Handler{
		Late: true, Topic: "checks", Follow: s.follow, Check: s.allowTx, After: s.Sync,
		MayPropose: s.hooks.MayWrite, MayAgree: s.hooks.MayAgree,
		Base: func(tx *db.Tx, c approval.Change) (int, error) {
			check, err := s.getTx(tx, c.Subject)
			return check.Book(), err
		},
		Says: func(tx *db.Tx, c approval.Change) (says approval.Says, err error) {
			if _, err := switchOf(c); err != nil {
				return says, approval.Unreadable(err)
			}
			check, err := s.getTx(tx, c.Subject)
			if err != nil {
				return says, err
			}
			return approval.Says{Title: check.Title(), Lines: []string{"It would no longer stop or flag any draft."},
				Href: "/compliance/checks/" + c.Subject}, nil
		},
	}
}

var acts = map[string]map[bool]string{
	Done:      {true: "check.switched_on", false: "check.switched_off"},
	Asked:     {false: "check.off_asked"},
	Refused:   {false: "check.off_refused"},
	Withdrawn: {false: "check.off_withdrawn"},
}

// follow is what the record has of what happened to a switch.
func (s *Store) follow(tx *db.Tx, c approval.Change, _ audit.Actor) (e audit.Entry, err error) {
	w, err := switchOf(c)
	if err != nil && w.State == Done {
		return e, err
	}
	m := map[string]any{"code": c.Subject, "version": w.Version, "on": w.On, "reason": w.Reason, "switch": w.ID}
	if w.Version > 0 {
		wording, err := wordingTx(tx, c.Subject, w.Version)
		if err != nil {
			return e, err
		}
		m["code"] = wording.Code
		if trial, err := lastTrialTx(tx, c.Subject, w.Version); err != nil {
			return e, err
		} else if w.On && trial != nil {
			m["trial"] = trial.ID // on what it was decided
		}
	}
	if w.Book > 0 {
		m["book"] = w.Book
	}
	if w.Answer != "" {
		m["answer"] = w.Answer
	}
	return audit.Entry{Action: acts[w.State][w.On], ObjectKind: "check", ObjectID: c.Subject, Content: m}, nil
}

// allowTx says what stands against a switch.
func (s *Store) allowTx(tx *db.Tx, change approval.Change) error {
	in, err := switchOf(change)
	if err != nil {
		return approval.Unreadable(err)
	}
	c, err := s.getTx(tx, change.Subject)
	if err != nil {
		return err
	}
	switch {
	case c.Asked != nil && c.Asked.ID != change.ID:
		return fault.New(fault.Conflict,
			"%s asked to switch this check off, and is waiting for an answer. Answer that first.", c.Asked.By.Name)
	case c.Book() != change.Base:
		return fault.New(fault.Conflict,
			"This check has just been switched on or off. Look at its status, then decide again.")
	case !in.On && !c.On:
		return fault.New(fault.Conflict, "This check is off already.")
	case c.Shipped && in.On && c.On:
		return fault.New(fault.Conflict, "This check is on already.")
	case c.Shipped, !in.On:
		return nil
	case c.On && c.InForce.Version == in.Version:
		return fault.New(fault.Conflict, "Version %d is on already.", in.Version)
	}
	next, err := wordingTx(tx, c.ID, in.Version)
	if err != nil {
		return err
	}
	trial, err := lastTrialTx(tx, c.ID, next.Version)
	switch {
	case err != nil:
		return err
	case trial == nil:
		return fault.New(fault.Conflict, "Version %d has not been tried yet. Try it first, then switch it on.",
			next.Version)
	case !trial.ExamplesOK:
		return fault.New(fault.Conflict,
			"Version %d fails on its own examples. Reword it, or correct the examples, then try it again.",
			next.Version)
	}
	if err := next.usable(); err != nil {
		return fault.Wrap(fault.Conflict, err, "Version %d can't be run. %s", next.Version, fault.Message(err))
	}
	return s.roomTx(tx, next)
}

// roomTx refuses one check too many.
func (s *Store) roomTx(tx *db.Tx, next *Wording) error {
	st, err := standingTx(tx)
	if err != nil {
		return err
	}
	st.inForce[next.CheckID] = next
	var all compliance.Book
	for _, w := range st.inForce {
		if w.usable() == nil {
			all.Patterns = append(all.Patterns, w.check())
		}
	}
	return compliance.NewChecker(s.db.Now).Adopt(all)
}
