// Package approval is how two people agree to a change of something that has versions: one proposes it with a reason,
// on top of the version that was in force, and another agrees or refuses; the proposer can withdraw it.
//
// It owns the table approval, in which every change stays with what became of it, and the list of what takes two people
// (acts.go). What a change says, and what follows from it, is for the package that has the versions: it gives a
// Handler.
//
//	propose ──> proposed ──agree──> agreed: in force until the next of its subject is
//	                     └─refuse, withdraw─> refused, withdrawn
//
// What it promises.
//   - Nobody agrees to their own change. Both are asked for their role in the transaction of the agreement, so a role
//     that was taken away in between counts; a trigger says the same, so that direct SQL can't get around it.
//   - What was proposed is what is agreed to: a change never changes, and what was decided stays. One that was
//     overtaken, because something else came into force for its subject since, or that can't be read, can't be agreed
//     to any more.
//   - What follows from an agreement is in its transaction, and happens once; so is the audit row of whatever happened
//     to a change, of every kind.
//   - Versions are numbered over a kind, so a number names one text. To go back is to propose an older text again.
//
// Decided against: editing a proposal (two people would have agreed to different texts), and ending one that was
// overtaken without a person (its proposer should see it).
package approval

import (
	"context"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

// The states of a change.
const (
	Proposed  = "proposed"
	Agreed    = "agreed"
	Refused   = "refused"
	Withdrawn = "withdrawn"
	Made      = "made" // by one person alone, or with the program
)

// Signature is who did something and when; the zero value: nobody yet.
type Signature struct {
	By, Name string // account
	At       time.Time
}

// Actor is the person as the audit log names them.
func (s Signature) Actor() audit.Actor {
	return audit.Actor{Kind: audit.Person, ID: s.By, Name: s.Name}
}

// Change is one version of something, with what became of it.
type Change struct {
	ID       string
	Kind     string
	Subject  string // what of the kind
	Version  int    // 0: it gets its number when it is agreed to
	Base     int    // the version that was in force when it was proposed; 0: none
	Payload  string // as its kind reads it
	Reason   string
	State    string
	Proposed Signature
	Decided  Signature // who agreed, refused or withdrew
	Answer   string    // why not
	Replaced Signature // who agreed to what took its place
}

// InForce reports whether the change is what counts for its subject.
func (c Change) InForce() bool {
	return (c.State == Agreed || c.State == Made) && c.Replaced.At.IsZero()
}

// Word is what became of it.
func (c Change) Word() string {
	switch {
	case c.InForce():
		return "in force"
	case !c.Replaced.At.IsZero():
		return "replaced"
	}
	return c.State
}

// Handler is what the package that has the versions of a kind says of their changes.
type Handler struct {
	MayPropose, MayAgree person.Guard
	// Base is the version in force of the subject of a change.
	Base func(tx *db.Tx, c Change) (int, error)
	// Check says what stands against a change, when it is proposed and again when it is agreed to; Unreadable where its
	// payload can't be read.
	Check func(tx *db.Tx, c Change) error
	// Follow runs in the transaction in which a change was proposed, made, agreed, refused or withdrawn, and says what
	// the audit log has of that; the zero value: what every change has. nil: nothing follows.
	Follow func(tx *db.Tx, c Change, by audit.Actor) (audit.Entry, error)
	// Says is a change in words for the person who is to agree; Unreadable where it has none.
	Says func(tx *db.Tx, c Change) (Says, error)
	// Late has changes numbered when they come into force, not when they are proposed.
	Late bool
	// Topic is what pages follow that show what is in force.
	Topic string
	// After runs when something has come into force and is on the disk; nil: nothing.
	After func(ctx context.Context) error
}

// Says is a change in words.
type Says struct {
	Title string
	Lines []string // what would change
	Href  string   // where all of it is shown
	Rules []string // ids of those that it gives to agents
}

// Hooks are what an approval tells others, in its transaction.
type Hooks struct {
	OnProposed func(tx *db.Tx, c Change) error
	// OnAnswered runs when a change waits no more.
	OnAnswered func(tx *db.Tx, c Change) error
}

// Store is the door to the changes.
type Store struct {
	db       *db.DB
	hooks    Hooks
	handlers map[string]Handler
}

// New makes the store on d. The packages that have versions give it their handlers when they are made.
func New(d *db.DB, h Hooks) *Store {
	hook.Complete(h)
	return &Store{db: d, hooks: h, handlers: map[string]Handler{}}
}

// Handle has changes of a kind checked and applied by h.
func (s *Store) Handle(kind string, h Handler) { s.handlers[kind] = h }

// Unreadable is why a payload can't be agreed to.
func Unreadable(err error) error {
	return fault.Wrap(fault.Invalid, err, "What was proposed can't be read. Refuse it, and propose it again.")
}

// Propose puts a change before others, or into force at once where the act takes one person and by is one. Nothing
// changes before somebody else agrees. Conflict when c.Base isn't the version in force any more. Its reason is for the
// caller to check.
func (s *Store) Propose(ctx context.Context, act Act, c Change, by audit.Actor) (Change, error) {
	h := s.handlers[act.Kind]
	c.Kind, c.ID = act.Kind, id.New()
	c, err := db.Write(ctx, s.db, func(tx *db.Tx) (Change, error) {
		if err := may(tx, h.MayPropose, by.ID); err != nil {
			return c, err
		}
		if err := h.Check(tx, c); err != nil {
			return c, err
		}
		now, err := h.Base(tx, c)
		if err != nil {
			return c, err
		}
		if now != c.Base {
			return c, fault.New(fault.Conflict,
				"Another version came into force while you were writing. Look at it, then propose again. What you "+
					"typed is still here.")
		}
		if err := asked(tx, c); err != nil {
			return c, err
		}
		c.State, c.Proposed = Proposed, Signature{by.ID, by.Name, tx.Now}
		if act.People == 1 && by.Kind == audit.Person { // what the program proposes waits for that one
			c.State, c.Decided.At = Made, tx.Now
		}
		if c.Version == 0 && (!h.Late || c.State == Made) {
			if c.Version, err = next(tx, c.Kind); err != nil {
				return c, err
			}
		}
		if err := insert(tx, c); err != nil {
			return c, err
		}
		tx.Touch(topic)
		tx.Touch(h.Topic)
		if err := h.follow(tx, c, by); err != nil || c.State == Made {
			return c, err
		}
		return c, s.hooks.OnProposed(tx, c)
	})
	if err != nil || c.State != Made {
		return c, err
	}
	return c, h.after(ctx)
}

// asked is a Conflict where the very change waits for somebody already.
func asked(tx *db.Tx, c Change) error {
	who, err := db.Maybe[string](tx, "approval: look for the same change", `SELECT proposed_name FROM approval
		WHERE kind = $1 AND subject = $2 AND state = 'proposed' AND base = $3 AND payload = $4`,
		c.Kind, c.Subject, c.Base, c.Payload)
	if err == nil && who != "" {
		err = fault.New(fault.Conflict, "%s has already proposed exactly this. It waits for another person.", who)
	}
	return err
}

// Ship puts what comes with the program into force, where nobody has agreed on anything of their own.
func Ship(tx *db.Tx, kind, subject, payload string) error {
	at := Signature{Name: "Preceptor", At: tx.Now}
	c := Change{ID: id.New(), Kind: kind, Subject: subject, Payload: payload, Reason: "It comes with the program.",
		State: Made, Proposed: at, Decided: at}
	var err error
	if c.Version, err = next(tx, kind); err != nil {
		return err
	}
	return insert(tx, c)
}

// follow has what follows from what happened to a change done, and puts it on record.
func (h Handler) follow(tx *db.Tx, c Change, by audit.Actor) (err error) {
	var e audit.Entry
	if h.Follow != nil {
		e, err = h.Follow(tx, c, by)
	}
	if e.Action == "" {
		e = audit.Entry{Action: c.Kind + "." + c.State, ObjectKind: c.Kind, ObjectID: c.ID, Content: map[string]any{
			"subject": c.Subject, "version": c.Version, "base_version": c.Base, "change": c.Payload, "why": c.Reason,
			"proposed_by": c.Proposed.Name, "answer": c.Answer}}
	}
	e.Actor = by
	if err == nil {
		err = audit.Record(tx, e)
	}
	return err
}

func (h Handler) after(ctx context.Context) error {
	if h.After == nil {
		return nil
	}
	return h.After(context.WithoutCancel(ctx))
}

// Agree puts a change into force. It takes somebody other than the proposer; both must hold their roles now, and what
// was in force when it was proposed must still be.
func (s *Store) Agree(ctx context.Context, changeID string, by audit.Actor) (Change, error) {
	c, err := s.decide(ctx, changeID, Agreed, "", by)
	if err != nil {
		return c, err
	}
	return c, s.handlers[c.Kind].after(ctx)
}

// Refuse ends a change that somebody else proposed, with a reason; field refusal.
func (s *Store) Refuse(ctx context.Context, changeID, why string, by audit.Actor) (c Change, err error) {
	if why, err = text.Reason(why, "refusal", "Give a reason. The person who proposed it will read it."); err != nil {
		return c, err
	}
	return s.decide(ctx, changeID, Refused, why, by)
}

// Withdraw takes one's own change back.
func (s *Store) Withdraw(ctx context.Context, changeID string, by audit.Actor) (Change, error) {
	return s.decide(ctx, changeID, Withdrawn, "", by)
}

func (s *Store) decide(ctx context.Context, changeID, to, answer string, by audit.Actor) (Change, error) {
	return db.Write(ctx, s.db, func(tx *db.Tx) (Change, error) {
		c, err := ByID(tx, changeID)
		if err != nil {
			return c, err
		}
		h, ok := s.handlers[c.Kind]
		if !ok {
			return c, fault.New(fault.Conflict,
				"This program doesn't know what this changes. Ask for the newer version.")
		}
		if err := h.open(tx, c, to, by); err != nil {
			return c, err
		}
		if to == Agreed {
			if err := s.agreeable(tx, h, c); err != nil {
				return c, err
			}
			if c.Version == 0 {
				if c.Version, err = next(tx, c.Kind); err != nil {
					return c, err
				}
			}
		}
		c.State, c.Decided, c.Answer = to, Signature{by.ID, by.Name, tx.Now}, answer
		if err := db.Exec(tx, "approval: decide", `UPDATE approval SET state = $1, version = $2, decided_by = $3,
			decided_name = $4, decided_at = $5, answer = $6
			WHERE id = $7`, c.State, c.Version, by.ID, by.Name, tx.NowMs(), answer, c.ID); err != nil {
			return c, err
		}
		tx.Touch(topic)
		tx.Touch(h.Topic)
		if err := h.follow(tx, c, by); err != nil {
			return c, err
		}
		return c, s.hooks.OnAnswered(tx, c)
	})
}

func may(tx *db.Tx, guard person.Guard, personID string) error {
	if personID == "" {
		return fault.New(fault.Denied, "Only people who are signed in can do this.")
	}
	return guard.May(tx, personID)
}

// open says why by can't bring a change to a state.
func (h Handler) open(tx *db.Tx, c Change, to string, by audit.Actor) error {
	mine := by.ID != "" && c.Proposed.By == by.ID
	if to != Withdrawn {
		if err := may(tx, h.MayAgree, by.ID); err != nil {
			return err
		}
	}
	switch {
	case c.State == Agreed:
		return fault.New(fault.Conflict, "%s has already agreed to this.", c.Decided.Name)
	case c.State != Proposed:
		return fault.New(fault.Conflict, "%s has already %s this.", c.Decided.Name, c.State)
	case to == Withdrawn && !mine:
		return fault.New(fault.Denied, "%s proposed this; refuse it instead.", c.Proposed.Name)
	case to == Refused && mine:
		return fault.New(fault.Denied, "You proposed this yourself; withdraw it instead.")
	case to == Agreed && mine:
		return fault.New(fault.Denied, "You proposed this, so someone else has to agree. You can withdraw it.")
	}
	return nil
}

// agreeable says what stands against an agreement.
func (s *Store) agreeable(tx *db.Tx, h Handler, c Change) error {
	if err := h.MayPropose.May(tx, c.Proposed.By); fault.Is(err, fault.Denied) {
		return fault.Wrap(fault.Conflict, err,
			"%s, who proposed this, can no longer do so. Refuse it, and propose it yourself if it is right.",
			c.Proposed.Name)
	} else if err != nil {
		return err
	}
	now, err := h.Base(tx, c)
	if err != nil {
		return err
	}
	overtaken, err := Overtaken(tx, c, now)
	switch {
	case err != nil:
		return err
	case now == 0 && c.Base != 0:
		return fault.New(fault.Conflict,
			"This was based on version %d, which is no longer in force. Refuse or withdraw it, and propose it again.",
			c.Base)
	case now != c.Base:
		return fault.New(fault.Conflict,
			"This was based on a version that is no longer in force; version %d is now. Refuse or withdraw it, and "+
				"propose it again.", now)
	case overtaken:
		return fault.New(fault.Conflict,
			"Another version was in force since this was proposed. Refuse or withdraw it, and propose it again.")
	}
	return h.Check(tx, c)
}

// Overtaken reports whether something came into force for a change's subject since it was proposed, so that it can't be
// agreed to; now is the version in force. The trigger asks the same.
func Overtaken(tx *db.Tx, c Change, now int) (bool, error) {
	if now != c.Base {
		return true, nil
	}
	return db.Value[bool](tx, "approval: look for what came since", `SELECT EXISTS (SELECT 1 FROM approval
		WHERE kind = $1 AND subject = $2 AND state IN ('agreed', 'made') AND version <> $3 AND decided_at > $4)`,
		c.Kind, c.Subject, c.Base, db.Ms(c.Proposed.At))
}

// topic is what pages follow that show what waits.
const topic = "approvals"

func next(tx *db.Tx, kind string) (int, error) {
	return db.Value[int](tx, "approval: number a "+kind, `SELECT coalesce(max(version), 0) + 1 FROM approval
		WHERE kind = $1`, kind)
}

func insert(tx *db.Tx, c Change) error {
	return db.Exec(tx, "approval: keep a change", `INSERT INTO approval
			(id, kind, subject, version, base, payload, reason, state, proposed_by, proposed_name, proposed_at,
				decided_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		c.ID, c.Kind, c.Subject, c.Version, c.Base, c.Payload, c.Reason, c.State, c.Proposed.By, c.Proposed.Name,
		db.Ms(c.Proposed.At), db.Ms(c.Decided.At))
}
