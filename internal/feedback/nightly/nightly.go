// Package nightly is seed 001's batch learning pipeline: it looks at a day's feedback, says what liked answers have
// that disliked ones have not, and refreshes and retires exemplars.
//
// It owns the table night.
//
// What it promises. A day is a local day of the desk's zone and is summed up once per agent and type, however often the
// job runs; days that were missed while the program stood still are made up, at most CatchUp of them. A pattern is a
// share of liked answers set against the share of disliked ones, with the 99 % interval of their difference
// (Newcombe's), because many are looked at each night; one whose interval holds nought is not shown as a difference.
// Nothing here quotes a user, and nothing follows from a pattern by itself: what should change a person states as a
// rule.
//
// Patterns are counted, not read by a model: a named list of things that can be seen in a text (Features). That they go
// with votes does not say that they cause them, and the page says so; an experiment can.
//
// Prompt files (prompt.go) are made of what people accepted, proposed at each run and approved by a person.
//
// What it decided against: composing lines for a prompt out of patterns (nothing here writes what an agent is told),
// patterns of single words (they tell the day's topic), and mail (webhooks carry the digest).
package nightly

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"preceptor/internal/approval"
	"preceptor/internal/audit"
	"preceptor/internal/feedback"
	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook"
	"preceptor/internal/platform/id"
)

// The named numbers of the batch.
const (
	// Every is how often the job looks whether a day is over.
	Every = 15 * time.Minute
	// CatchUp is how many days back a missed night is made up.
	CatchUp = 7
	// RetireLine is the share of positive votes below which an exemplar surely has to lie (the upper end of its 95 %
	// Wilson interval) to be retired.
	RetireLine = 0.5
	// Window is over how many days patterns are looked for where the day alone has too few answers.
	Window = 28
	// Least is how many liked and how many disliked answers a pattern needs.
	Least = 20
	// most bounds how many answers are looked at.
	most = 2_000
)

// me is who the batch's acts are recorded under.
var me = audit.System("feedback nightly")

// Batch is the nightly work.
type Batch struct {
	db        *db.DB
	book      *feedback.Book
	approvals *approval.Store
	zone      *time.Location
	hooks     Hooks
	log       *slog.Logger
}

// Hooks are what the batch asks and tells others.
type Hooks struct {
	// AgentName tells an agent's name by its id.
	AgentName func(ctx context.Context, agentID string) (string, error)
	// OnNight runs in the transaction of each summary.
	OnNight func(tx *db.Tx, n Night) error
	// Agents are the names of all agents by id, and Rules what is in force for one.
	Agents func(ctx context.Context) (map[string]string, error)
	Rules  func(ctx context.Context, agentID string) ([]Rule, error)
	// Words are those of a version of a rule, as they are kept now, and whether they are in force no more.
	Words func(tx *db.Tx, r Rule) (text string, gone bool, err error)
	// MayApprove passes who may approve a prompt file.
	MayApprove person.Guard
}

// New makes the batch; the caller registers Run with the queue.
func New(d *db.DB, book *feedback.Book, approvals *approval.Store, zone *time.Location, h Hooks,
	log *slog.Logger) *Batch {
	hook.Complete(h)
	if zone == nil {
		zone = time.UTC
	}
	b := &Batch{db: d, book: book, approvals: approvals, zone: zone, hooks: h, log: log}
	approvals.Handle(approval.PromptFile.Kind, b.promptHandler())
	return b
}

// Night is the summary of one day and agent.
type Night struct {
	ID           string
	Day          string // 2026-11-22, in the desk's zone
	AgentID      string
	AgentName    string
	AgentType    string
	Interactions int
	Positive     int
	Negative     int
	Neutral      int
	Promoted     int // exemplars, as with the next two
	Demoted      int
	Retired      int
	Patterns     []Pattern
	At           time.Time
}

// Share is the satisfaction of the day: positive / (positive + negative); ok is false where there is neither.
func (n Night) Share() (rate float64, ok bool) {
	return feedback.Figures{Positive: n.Positive, Negative: n.Negative}.Satisfaction()
}

// Run sums up the days that are over and were not summed up, refreshes exemplars and retires low ones. Running twice
// has one effect.
func (b *Batch) Run(ctx context.Context) error {
	now := b.db.Now().In(b.zone)
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, b.zone)
	worked := false
	for back := CatchUp; back >= 1; back-- {
		from := today.AddDate(0, 0, -back)
		to := today.AddDate(0, 0, 1-back) // not 24 hours later: clocks change
		days, err := b.book.DaysOf(ctx, from, to)
		if err != nil {
			return err
		}
		for _, d := range days {
			done, err := b.done(ctx, d, from)
			if err != nil {
				return err
			}
			if done {
				continue
			}
			if !worked {
				worked = true
				if err := b.exemplars(ctx); err != nil {
					return err
				}
			}
			if err := b.sumUp(ctx, d, from, to); err != nil {
				return err
			}
		}
	}
	return b.proposePrompts(ctx)
}

// exemplars refreshes and retires, once per run.
func (b *Batch) exemplars(ctx context.Context) error {
	weighed, err := b.book.RefreshDue(ctx)
	if err != nil {
		return err
	}
	retired, err := b.book.RetireLow(ctx, RetireLine)
	if err != nil {
		return err
	}
	b.log.Info("exemplars refreshed", "groups", weighed, "retired", retired)
	return nil
}

func dayOf(t time.Time) string { return t.Format(time.DateOnly) }

func (b *Batch) done(ctx context.Context, d feedback.Day, from time.Time) (bool, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) (bool, error) {
		return db.Value[bool](tx, "nightly: look for a night", `SELECT
			EXISTS (SELECT 1 FROM night WHERE agent_id = $1 AND agent_type = $2 AND day = $3)`, d.AgentID, d.AgentType,
			dayOf(from))
	})
}

// sumUp writes the summary of a day.
func (b *Batch) sumUp(ctx context.Context, d feedback.Day, from, to time.Time) error {
	name, err := b.hooks.AgentName(ctx, d.AgentID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	// Retirement happens after the day is over, so exemplars are counted up to now.
	moves, err := b.book.MovesOf(ctx, d.AgentID, d.AgentType, from, to)
	if err != nil {
		return err
	}
	tonight, err := b.book.MovesOf(ctx, d.AgentID, d.AgentType, to, b.db.Now().Add(time.Millisecond))
	if err != nil {
		return err
	}
	n := Night{ID: id.New(), Day: dayOf(from), AgentID: d.AgentID, AgentName: name, AgentType: d.AgentType,
		Interactions: d.Interactions,
		Positive:     d.Positive, Negative: d.Negative, Neutral: d.Neutral, Promoted: moves.Promoted,
		Demoted: moves.Demoted, Retired: moves.Retired + tonight.Retired}
	if n.Patterns, err = b.patterns(ctx, d, from, to); err != nil {
		return err
	}
	return b.db.Write(ctx, func(tx *db.Tx) error {
		written, err := b.writeTx(tx, &n)
		if err != nil || !written {
			return err
		}
		if err := b.hooks.OnNight(tx, n); err != nil {
			return fmt.Errorf("nightly: after the night of %s: %w", n.Day, err)
		}
		tx.Touch(feedback.Topic)
		return audit.Note(tx, me, "feedback.night", "night", n.ID,
			map[string]any{"day": n.Day, "agent_type": n.AgentType, "positive": n.Positive, "negative": n.Negative})
	})
}

// patterns looks at the day, or at Window days where the day has too few answers of either kind.
func (b *Batch) patterns(ctx context.Context, d feedback.Day, from, to time.Time) ([]Pattern, error) {
	for _, days := range []int{1, Window} {
		samples, err := b.book.Samples(ctx, d.AgentID, d.AgentType, to.AddDate(0, 0, -days), to, most)
		if err != nil {
			return nil, err
		}
		if list := Find(samples, days); len(list) > 0 {
			return list, nil
		}
	}
	return nil, nil
}
