// Package escalation is the queue of customers whom a person answers instead of the agent: each rejected draft, once
// its hold has passed.
//
// It owns the table escalation, and promises: one row for each escalated draft, whoever moves it named in the history
// and in the audit log in the same transaction. A supervisor takes it, which lasts until they release it, and closes it
// with an outcome. Who takes what somebody else has says so (the form names whom they saw), so that nothing stays with
// a person who left and nobody loses anything to a stale page. The customer's wait runs from their question to the
// close. What a person writes at the close is a note of the history, where erasure finds it.
//
// It decided against claims of the review queue, which end after ten minutes: a call to a customer takes days.
package escalation

import (
	"context"
	"slices"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// The ends.
const (
	Answered   = "answered"
	PassedOn   = "passed_on"
	NotReached = "not_reached"
	NotNeeded  = "not_needed"
)

// Outcomes are how an escalation can end, with what a form says of each.
var Outcomes = [][2]string{{Answered, "A person answered the customer"},
	{PassedOn, "Passed on to a regulated adviser or another team"},
	{NotReached, "The customer couldn't be reached"}, {NotNeeded, "The customer no longer needs it"}}

// The events that follow from a move.
const (
	Taken    = "taken"
	Released = "released" // nobody has it again
	Closed   = "closed"
)

const (
	PageOf      = 50    // cases on a page of the list
	MostCounted = 1_000 // of those that are open
)

// maxNote is how long the note at the close may be.
const maxNote = 2000

// Case is one escalated draft.
type Case struct {
	ID         string // of the guidance
	DecisionID string
	AgentID    string
	AgentName  string
	Task       string
	Who        string // who is asking, in a few words
	Opening    string // the first words of the question
	AskedAt    time.Time
	At         time.Time // when it was escalated
	By         person.Person
	TakenAt    time.Time
	ClosedAt   time.Time // zero: open
	Outcome    string
	WroteAgain bool // a later message of the customer has a draft
}

// Wait is how long the customer waited, or has waited at now.
func (c Case) Wait(now time.Time) time.Duration {
	if !c.ClosedAt.IsZero() {
		now = c.ClosedAt
	}
	return now.Sub(c.AskedAt)
}

// State is open, taken or closed.
func (c Case) State() string {
	switch {
	case !c.ClosedAt.IsZero():
		return Closed
	case c.By.ID != "":
		return Taken
	}
	return "open"
}

// Move is what a person does with a case.
type Move struct {
	By      person.Person
	Seen    string // the account that the page said has it
	Event   string // Taken, Released or Closed
	Outcome string // of Closed
	Note    string // of Closed; may be empty
}

// Hooks are what the queue asks and tells.
type Hooks struct {
	MayTake person.Guard
	// OnMoved runs in the transaction of a move.
	OnMoved func(tx *db.Tx, c *Case, event string) error
}

// Queue is the door to the escalated.
type Queue struct {
	db           *db.DB
	interactions *interaction.Store
	hooks        Hooks
}

// New opens the queue on d.
func New(d *db.DB, in *interaction.Store, h Hooks) *Queue { return &Queue{d, in, h} }

// OpenTx adds guidance whose rejection is final.
func (q *Queue) OpenTx(tx *db.Tx, interactionID, decisionID string) error {
	return db.Exec(tx, "escalation: open "+interactionID, `INSERT INTO escalation (interaction_id, decision_id, asked_at,
			created_at) SELECT id, $1, created_at, $2 FROM review WHERE id = $3
		ON CONFLICT (interaction_id) DO NOTHING`, decisionID, tx.NowMs(), interactionID)
}

const columns = `SELECT e.interaction_id, e.decision_id, r.agent_id,
	coalesce((SELECT name FROM agent WHERE id = r.agent_id), r.agent_name), r.task, r.who, r.opening, e.asked_at,
		e.created_at, e.taken_by, e.taken_name, e.taken_at, e.closed_at, e.outcome,
		r.thread <> '' AND EXISTS (SELECT 1 FROM review n WHERE n.agent_id = r.agent_id AND n.thread = r.thread
			AND n.thread <> '' AND n.turn > r.turn)
	FROM escalation e JOIN review r ON r.id = e.interaction_id `

func (c *Case) fields() []any {
	return []any{&c.ID, &c.DecisionID, &c.AgentID, &c.AgentName, &c.Task, &c.Who, &c.Opening, db.At(&c.AskedAt),
		db.At(&c.At), &c.By.ID, &c.By.Name, db.At(&c.TakenAt), db.At(&c.ClosedAt), &c.Outcome,
		&c.WroteAgain}
}

// Of is the escalation of guidance; nil for most.
func (q *Queue) Of(ctx context.Context, id string) (*Case, error) {
	return db.Read(ctx, q.db, func(tx *db.Tx) (*Case, error) { return ofTx(tx, id) })
}

func ofTx(tx *db.Tx, id string) (*Case, error) {
	var c Case
	found, err := db.One(tx, "escalation: read "+id, columns+`WHERE e.interaction_id = $1`, id).Find(c.fields()...)
	if err != nil || !found {
		return nil, err
	}
	return &c, nil
}

// Open lists a page of what is open, who has waited longest first, and where the next one begins.
func (q *Queue) Open(ctx context.Context, cursor string) (list []Case, next string, err error) {
	from, err := keyset.Parse(cursor)
	if err != nil {
		return nil, "", err
	}
	query, args := keyset.Order{At: `e.asked_at`, ID: `e.interaction_id`, Oldest: true}.Page(
		columns+`WHERE e.closed_at = 0`, nil, from, PageOf+1)
	if list, err = db.Read(ctx, q.db, func(tx *db.Tx) ([]Case, error) {
		return db.Rows(tx, "escalation: list", (*Case).fields, query, args...)
	}); err != nil {
		return nil, "", err
	}
	list, next = keyset.Cut(list, PageOf, func(c *Case) string { return keyset.At(c.AskedAt, c.ID).Cursor() })
	return list, next, nil
}

// Closed lists the newest that ended, a page of them.
func (q *Queue) Closed(ctx context.Context) ([]Case, error) {
	return db.Read(ctx, q.db, func(tx *db.Tx) ([]Case, error) {
		return db.Rows(tx, "escalation: list the closed", (*Case).fields,
			columns+`WHERE e.closed_at > 0 ORDER BY e.closed_at DESC, e.interaction_id DESC LIMIT $1`, PageOf)
	})
}

// Count says how many are open, at most MostCounted, and whether there ever was one.
func (q *Queue) Count(ctx context.Context) (open int, any bool, err error) {
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		return db.One(tx, "escalation: count", `SELECT
			(SELECT count(*) FROM (SELECT 1 FROM escalation WHERE closed_at = 0 LIMIT $1) AS part),
			EXISTS (SELECT 1 FROM escalation)`, MostCounted).Scan(&open, &any)
	})
	return open, any, err
}

// Move takes a case, releases it or closes it. It is a Conflict where somebody moved it since the page was drawn.
func (q *Queue) Move(ctx context.Context, id string, m Move) error {
	m.Note = text.Typed(m.Note)
	if m.Event != Closed {
		m.Outcome, m.Note = "", ""
	} else if OutcomeName(m.Outcome) == "" {
		return fault.Wrong("This isn't closed.", "outcome", "Choose how it ended.")
	} else if long := text.TooLong(m.Note, maxNote); long != "" {
		return fault.Wrong("This isn't closed.", "note", long)
	}
	return q.db.Write(ctx, func(tx *db.Tx) error { return q.moveTx(tx, id, m) })
}

func (q *Queue) moveTx(tx *db.Tx, id string, m Move) error {
	if err := q.hooks.MayTake.May(tx, m.By.ID); err != nil {
		return err
	}
	c, err := ofTx(tx, id)
	if err == nil && c == nil {
		err = fault.New(fault.NotFound, "This guidance isn't with a person.")
	}
	if err != nil {
		return err
	}
	if done, err := q.done(tx, c, m); err != nil || done {
		return err
	}
	switch {
	case !c.ClosedAt.IsZero():
		return fault.New(fault.Conflict, "%s closed this already.", c.By.Name)
	case c.By.ID != m.Seen || m.Event != Taken && c.By.ID != m.By.ID:
		if c.By.ID == "" {
			return fault.New(fault.Conflict, "Nobody has this any more. Take it first.")
		}
		return fault.New(fault.Conflict, "%s has taken this.", c.By.Name)
	}
	switch m.Event {
	case Taken:
		if c.By = m.By; c.TakenAt.IsZero() {
			c.TakenAt = tx.Now
		}
	case Released:
		c.By = person.Person{}
	case Closed:
		in, err := q.interactions.GetTx(tx, id)
		if err == nil && m.Note != "" && !in.ErasedAt.IsZero() {
			err = fault.Wrong("This isn't closed.", "note", "The texts were erased. Close it without a note.")
		}
		if err != nil {
			return err
		}
		c.ClosedAt, c.Outcome = tx.Now, m.Outcome
	default:
		return fault.New(fault.Invalid, "There is no such move.")
	}
	if err := db.Exec(tx, "escalation: move "+id, `UPDATE escalation SET taken_by = $1, taken_name = $2, taken_at = $3,
			closed_at = $4, outcome = $5 WHERE interaction_id = $6`,
		c.By.ID, c.By.Name, db.Ms(c.TakenAt), db.Ms(c.ClosedAt), c.Outcome, id); err != nil {
		return err
	}
	if err := q.interactions.NoteTx(tx, id, events[m.Event], m.By.Actor(), note(m)); err != nil {
		return err
	}
	if err := audit.Note(tx, m.By.Actor(), "escalation."+m.Event, "guidance", id,
		map[string]any{"outcome": m.Outcome, "from": m.Seen}); err != nil {
		return err
	}
	tx.Touch("reviews")
	return q.hooks.OnMoved(tx, c, m.Event)
}

// done reports whether the same person made the same move already, as with a second click.
func (q *Queue) done(tx *db.Tx, c *Case, m Move) (bool, error) {
	switch {
	case m.Event == Released:
		return c.State() == "open", nil
	case c.By.ID != m.By.ID || m.Event != c.State():
		return false, nil
	case m.Event == Taken:
		return true, nil
	}
	list, err := q.interactions.HistoryTx(tx, c.ID)
	return slices.ContainsFunc(list, func(e interaction.Event) bool {
		return e.Kind == events[Closed] && e.Note == note(m)
	}), err
}

// events are the lines of the history.
var events = map[string]string{Taken: "taken by a person", Released: "released by a person",
	Closed: "closed by a person"}

func note(m Move) string {
	s := OutcomeName(m.Outcome)
	if m.Note != "" {
		s += ": " + m.Note
	}
	return s
}

// OutcomeName is an end in words; "" for none that there is.
func OutcomeName(code string) string {
	for _, o := range Outcomes {
		if o[0] == code {
			return o[1]
		}
	}
	return ""
}
