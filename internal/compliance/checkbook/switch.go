package checkbook

import (
	"context"
	"fmt"
	"unicode/utf8"

	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/id"
	"preceptor/internal/text"
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

// Switch puts a check on or off, or asks for it where that takes two people: the state of what comes back says which.
// Fields of its faults: reason. Conflict when it stands so already, when somebody switched it meanwhile, and when the
// wording was not tried or its own examples fail.
func (s *Store) Switch(ctx context.Context, in SwitchInput) (w Switch, err error) {
	in.Reason = text.Typed(in.Reason)
	if in.Reason == "" || utf8.RuneCountInString(in.Reason) > MaxReason {
		msg := fmt.Sprintf("Say why, in at most %d characters. Your reason is kept on record.", MaxReason)
		return w, fault.Wrong(msg, "reason", msg)
	}
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		if err := s.may(tx, s.hooks.MayWrite, in.By); err != nil {
			return err
		}
		c, err := s.getTx(tx, in.CheckID)
		if err != nil {
			return err
		}
		w = Switch{ID: id.New(), CheckID: c.ID, On: in.On, State: Done, Reason: in.Reason, By: in.By, At: tx.Now}
		if err := s.allowTx(tx, c, in, &w); err != nil {
			return err
		}
		if c.Guarded() && !in.On {
			w.State = Asked
		} else if w.Book, err = nextBook(tx); err != nil {
			return err
		}
		err = db.Exec(tx, "checkbook: switch", `INSERT INTO check_switch (id, check_id, version, is_on, state, book,
				trial_id, reason, by_id, by_name, at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
			w.ID, w.CheckID, w.Version, w.On, w.State, w.Book, w.TrialID, w.Reason, in.By.ID, in.By.Name, tx.NowMs())
		if err != nil {
			return err
		}
		if w.State == Asked {
			if err := s.hooks.OnAsked(tx, w); err != nil {
				return err
			}
		}
		return record(tx, in.By, acts[w.State][w.On], w.CheckID, w.forRecord(c))
	})
	if err != nil || w.State != Done {
		return w, err
	}
	return w, s.Sync(context.WithoutCancel(ctx))
}

var acts = map[string]map[bool]string{
	Done:      {true: "check.switched_on", false: "check.switched_off"},
	Asked:     {false: "check.off_asked"},
	Refused:   {false: "check.off_refused"},
	Withdrawn: {false: "check.off_withdrawn"},
}

func (w Switch) forRecord(c Check) map[string]any {
	m := map[string]any{"code": c.Code(), "version": w.Version, "on": w.On, "reason": w.Reason, "switch": w.ID}
	if w.Book > 0 {
		m["book"] = w.Book
	}
	if w.TrialID != "" {
		m["trial"] = w.TrialID
	}
	if w.Answer != "" {
		m["answer"] = w.Answer
	}
	return m
}

// allowTx says what stands against a switch, and fills in which wording and which trial it is about.
func (s *Store) allowTx(tx *db.Tx, c Check, in SwitchInput, w *Switch) error {
	switch {
	case c.Asked != nil:
		return fault.New(fault.Conflict,
			"%s asked to switch this check off, and is waiting for an answer. Answer that first.", c.Asked.By.Name)
	case c.Book() != in.Book:
		return fault.New(fault.Conflict,
			"This check has just been switched on or off. Look at its status, then decide again.")
	case !in.On && !c.On:
		return fault.New(fault.Conflict, "This check is off already.")
	case c.Shipped && in.On && c.On:
		return fault.New(fault.Conflict, "This check is on already.")
	case c.Shipped:
		return nil
	case !in.On:
		w.Version = c.InForce.Version
		return nil
	case c.On && c.InForce.Version == in.Version:
		return fault.New(fault.Conflict, "Version %d is on already.", in.Version)
	}
	next, err := wordingTx(tx, c.ID, in.Version)
	if err != nil {
		return err
	}
	w.Version = next.Version
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
	w.TrialID = trial.ID
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

func nextBook(tx *db.Tx) (n int, err error) {
	return db.Value[int](tx, "checkbook: number a switch", `SELECT coalesce(max(book), 0) + 1 FROM check_switch`)
}

// Agree puts in force what somebody else asked for. Both must hold their roles at that moment.
func (s *Store) Agree(ctx context.Context, checkID string, by audit.Actor) error {
	return s.answer(ctx, checkID, Done, "", by)
}

// Refuse ends what somebody else asked for, with a reason (field refusal).
func (s *Store) Refuse(ctx context.Context, checkID, why string, by audit.Actor) error {
	why = text.Typed(why)
	if why == "" || utf8.RuneCountInString(why) > MaxReason {
		msg := fmt.Sprintf("Say why not, in at most %d characters. The person who asked will read it.", MaxReason)
		return fault.Wrong(msg, "refusal", msg)
	}
	return s.answer(ctx, checkID, Refused, why, by)
}

// Withdraw takes back what one asked for oneself.
func (s *Store) Withdraw(ctx context.Context, checkID string, by audit.Actor) error {
	return s.answer(ctx, checkID, Withdrawn, "", by)
}

func (s *Store) answer(ctx context.Context, checkID, state, why string, by audit.Actor) error {
	err := s.db.Write(ctx, func(tx *db.Tx) error {
		c, err := s.getTx(tx, checkID)
		if err != nil {
			return err
		}
		w := c.Asked
		if w == nil {
			return fault.New(fault.Conflict,
				"Nothing is waiting for an answer here. Another person may have just answered.")
		}
		if err := s.mayAnswer(tx, w, state, by); err != nil {
			return err
		}
		w.State, w.Answered, w.AnswerAt, w.Answer = state, by, tx.Now, why
		if state == Done {
			if w.Book, err = nextBook(tx); err != nil {
				return err
			}
		}
		if err = db.Exec(tx, "checkbook: answer", `UPDATE check_switch SET state = $1, book = $2, answered_by = $3,
			answered_name = $4, answered_at = $5, answer = $6
			WHERE id = $7 AND state = 'asked'`,
			w.State, w.Book, by.ID, by.Name, tx.NowMs(), why, w.ID); err != nil {
			return err
		}
		others, err := db.Value[bool](tx, "checkbook: do others wait", `SELECT
			EXISTS (SELECT 1 FROM check_switch WHERE state = 'asked')`)
		if err != nil {
			return err
		}
		if err := s.hooks.OnAnswered(tx, *w, others); err != nil {
			return err
		}
		return record(tx, by, acts[w.State][w.On], c.ID, w.forRecord(c))
	})
	if err != nil || state != Done {
		return err
	}
	return s.Sync(context.WithoutCancel(ctx))
}

func (s *Store) mayAnswer(tx *db.Tx, w *Switch, state string, by audit.Actor) error {
	mine := w.By.ID == by.ID
	if state == Withdrawn {
		if !mine {
			return fault.New(fault.Denied, "%s asked for this; refuse it instead.", w.By.Name)
		}
		return nil
	}
	if err := s.may(tx, s.hooks.MayAgree, by); err != nil {
		return err
	}
	if mine {
		return fault.New(fault.Denied, "You asked for this, so someone else has to answer. You can withdraw it.")
	}
	if state != Done {
		return nil
	}
	if err := s.may(tx, s.hooks.MayWrite, w.By); err != nil {
		if fault.Is(err, fault.Denied) {
			return fault.Wrap(fault.Conflict, err,
				"%s, who asked for this, is no longer an expert. Refuse it; another expert can ask again.", w.By.Name)
		}
		return err
	}
	return nil
}
