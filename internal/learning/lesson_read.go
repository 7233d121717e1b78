package learning

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

const lessonColumns = `id, origin, cause_kind, cause_id, code, interaction_id, agent_id, agent_name, decided_by, task,
	stage, state, title, outcome,
	problem, root_cause, principle, rule_text, domain, confidence, provisional, helpful, tried, silent, held,
		must_not_fire,
	rule_id, rule_number, same_as, case_state, case_id, case_number, attempts, created_at, updated_at, version, urgent,
		sent_back, statement, guessed, pack, without_model,
	coalesce((SELECT status FROM knowledge_rule WHERE id = lesson.rule_id), '')`

func scanLesson(row db.Row) (Lesson, error) {
	var l Lesson
	var statement string
	err := row.Scan(&l.ID, &l.Origin, &l.Cause, &l.CauseID, &l.Code, &l.InteractionID, &l.AgentID, &l.AgentName, &l.By,
		&l.Task, &l.Stage, &l.State,
		&l.Title, &l.Outcome, &l.Problem, &l.RootCause, &l.Principle, &l.RuleText, &l.Domain, &l.Confidence,
		&l.Provisional,
		&l.Helpful, &l.Tried, &l.Silent, &l.Held, &l.MustNotFire, &l.RuleID, &l.RuleNumber, &l.SameAs,
		&l.CaseState, &l.CaseID, &l.CaseNumber, &l.Attempts, db.At(&l.CreatedAt), db.At(&l.UpdatedAt), &l.Version,
		&l.Urgent, &l.SentBack,
		&statement, &l.Guessed, &l.Pack, &l.WithoutModel, &l.RuleStatus)
	if err == nil && statement != "" {
		err = json.Unmarshal([]byte(statement), &l.Statement)
	}
	if l.Cause == CauseDecision {
		l.DecisionID, _, _ = strings.Cut(l.CauseID, "#")
	}
	return l, err
}

func lessonsTx(tx *db.Tx, where string, args ...any) ([]Lesson, error) {
	return db.List(tx, "learning: query lessons", scanLesson, `SELECT `+lessonColumns+` FROM lesson `+where, args...)
}

// lessonTx is a lesson without its steps; NotFound when there is none.
func lessonTx(tx *db.Tx, lessonID string) (Lesson, error) {
	return scanLesson(db.One(tx, "learning: read a lesson", `SELECT `+lessonColumns+` FROM lesson WHERE id = $1`,
		lessonID).
		Or(fault.New(fault.NotFound, "There is no such lesson. Go back to Learning and pick one from the list.")))
}

// byCauseTx is the first lesson of a decision, ruling or verdict; ok is false when it has none.
func byCauseTx(tx *db.Tx, kind, causeID string) (l Lesson, ok bool, err error) {
	return db.First(tx, "learning: read a lesson", scanLesson, `SELECT `+lessonColumns+` FROM lesson
		WHERE cause_kind = $1 AND cause_id = $2`, kind, causeID)
}

// ofCauseTx are all lessons of a cause, the first one first.
func ofCauseTx(tx *db.Tx, kind, causeID string) ([]Lesson, error) {
	return lessonsTx(tx, `WHERE cause_kind = $1 AND (cause_id = $2 OR cause_id > $3 AND cause_id < $4)
		ORDER BY length(cause_id), cause_id`, kind, causeID, causeID+"#", causeID+"$")
}

// OfCause lists the lessons of a decision, ruling, verdict or outcome, the first one first; each statement has its own.
func (p *Pipeline) OfCause(ctx context.Context, kind, causeID string) ([]Lesson, error) {
	return db.Read(ctx, p.d, func(tx *db.Tx) ([]Lesson, error) { return ofCauseTx(tx, kind, causeID) })
}

// sourceTx is what a lesson is learned from; nil once it was erased.
func sourceTx(tx *db.Tx, lessonID string) (*Source, error) {
	text, err := db.Maybe[string](tx, "learning: read a source", `SELECT source FROM lesson_source
		WHERE lesson_id = $1`, lessonID)
	if err != nil || text == "" {
		return nil, err
	}
	s := new(Source)
	if err := json.Unmarshal([]byte(text), s); err != nil {
		return nil, fmt.Errorf("learning: source of lesson %s: %w", lessonID, err)
	}
	s.Situation.Before = s.Before
	return s, nil
}

// Get is a lesson with its steps, their case tests and its source.
func (p *Pipeline) Get(ctx context.Context, lessonID string) (*Lesson, error) {
	if !id.Valid(lessonID) {
		return nil, fault.New(fault.NotFound,
			"There is no such lesson. Go back to Learning and pick one from the list.")
	}
	var l Lesson
	err := p.d.Read(ctx, func(tx *db.Tx) (err error) {
		if l, err = lessonTx(tx, lessonID); err != nil {
			return err
		}
		if l.Source, err = sourceTx(tx, lessonID); err != nil {
			return err
		}
		l.Steps, err = stepsTx(tx, lessonID)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &l, nil
}

func stepsTx(tx *db.Tx, lessonID string) ([]Step, error) {
	out, err := db.List(tx, "learning: steps", func(row db.Row) (s Step, err error) {
		var ms int64
		var in, res string
		err = row.Scan(&s.Seq, &s.Name, &s.State, &s.AnsweredBy, &ms, &s.TokensIn, &s.TokensOut, &in, &res,
			db.At(&s.At))
		s.Duration, s.Input, s.Output = time.Duration(ms)*time.Millisecond, json.RawMessage(in), json.RawMessage(res)
		return s, err
	}, `SELECT seq, name, state, answered_by, duration_ms, tokens_in, tokens_out, input, output, at
		FROM lesson_step WHERE lesson_id = $1 ORDER BY seq`, lessonID)
	if err != nil {
		return nil, err
	}
	return out, testsTx(tx, lessonID, out)
}

// testsTx hangs the case tests of a lesson on its steps, which are in order of seq from 1.
func testsTx(tx *db.Tx, lessonID string, steps []Step) error {
	return db.Each(tx, "learning: tests", func(row db.Row) error {
		var c CaseTest
		var seq int
		if err := row.Scan(&seq, &c.CaseID, &c.Number, &c.Kind, &c.Verdict, &c.Fired, &c.Why); err != nil {
			return err
		}
		for i := range steps {
			if steps[i].Seq == seq {
				steps[i].Cases = append(steps[i].Cases, c)
			}
		}
		return nil
	}, `SELECT seq, case_id, number, kind, verdict, fired, why FROM lesson_test
		WHERE lesson_id = $1 ORDER BY seq, nr`, lessonID)
}

// List is a page of lessons, newest first.
func (p *Pipeline) List(ctx context.Context, f Filter) (Page, error) {
	query, args, limit, err := f.query()
	if err != nil {
		return Page{}, err
	}
	var page Page
	err = p.d.Read(ctx, func(tx *db.Tx) (err error) {
		page.Items, err = lessonsTx(tx, query, args...)
		return err
	})
	page.Items, page.Next = keyset.Cut(page.Items, limit, func(l *Lesson) string {
		return keyset.At(l.CreatedAt, l.ID).Cursor()
	})
	return page, err
}

// decisionSettled leaves out the lessons of decisions that can still be taken back, or were.
const decisionSettled = `settled = 1`

func (f Filter) query() (query string, args []any, limit int, err error) {
	if limit = f.Limit; limit <= 0 {
		limit = 50
	}
	limit = min(limit, 200)
	w := keyset.Where{SQL: `WHERE 1 = 1`}
	w.Is("stage", f.Stage)
	w.Is("state", f.State)
	w.Is("interaction_id", f.InteractionID)
	w.If(f.Open, `state IN ('running', 'waiting', 'failed', 'unstated') AND (stage <> 'case' OR state = 'failed')`)
	// nearly all: walked by time, not sorted
	w.If(f.Ended, `+state IN ('accepted', 'rejected', 'withdrawn', 'nothing')`)
	w.If(f.Rules, `stage <> 'case'`)
	BoardFilter{AgentID: f.AgentID, Domain: f.Domain, Origin: f.Origin, Provisional: f.Provisional,
		Settled: f.Settled}.narrow(&w)
	from, err := keyset.Parse(f.Cursor)
	if err != nil {
		return "", nil, 0, err
	}
	query, args = keyset.Order{At: `created_at`, ID: `id`}.Page(w.SQL, w.Args, from, limit+1)
	return query, args, limit, nil
}

// ForInteraction lists the lessons that came of an interaction, oldest first.
func (p *Pipeline) ForInteraction(ctx context.Context, interactionID string) ([]Lesson, error) {
	return db.Read(ctx, p.d, func(tx *db.Tx) ([]Lesson, error) {
		return lessonsTx(tx, `WHERE interaction_id = $1 ORDER BY created_at, id`, interactionID)
	})
}

// ForRule lists the lessons that made a rule or came to the same, oldest first.
func (p *Pipeline) ForRule(ctx context.Context, ruleID string) ([]Lesson, error) {
	return db.Read(ctx, p.d, func(tx *db.Tx) ([]Lesson, error) {
		return lessonsTx(tx, `WHERE rule_id = $1 AND rule_id <> '' ORDER BY created_at, id`, ruleID)
	})
}

// Counts is how many open lessons stand in each column. It reads the index only, and of that only what is open.
func (p *Pipeline) Counts(ctx context.Context) (Counts, error) { return p.CountsOf(ctx, BoardFilter{}) }

// CountsOf is Counts of the lessons that a filter leaves on the board.
func (p *Pipeline) CountsOf(ctx context.Context, f BoardFilter) (Counts, error) {
	only, args := f.where()
	var c Counts
	err := p.d.Read(ctx, func(tx *db.Tx) error {
		err := db.Each(tx, "learning: counts", func(row db.Row) error {
			var state, stage string
			var n, urgent int
			var oldest int64
			if err := row.Scan(&state, &stage, &n, &urgent, &oldest); err != nil {
				return err
			}
			c.add(state, stage, n, db.Time(oldest))
			c.Urgent += urgent
			return nil
		}, `SELECT state, stage, count(*), sum(urgent), min(created_at) FROM lesson
			WHERE state IN ('running', 'waiting', 'failed', 'unstated')
				AND (stage <> 'case' OR state = 'failed')`+only+` GROUP BY state, stage`, args...)
		if err != nil {
			return err
		}
		var oldest sql.NullInt64
		var n int
		if err := db.One(tx, "learning: count what failed", `SELECT count(*), min(created_at) FROM lesson
			WHERE case_state = 'failed' AND state <> 'failed'`+only, args...).Scan(&n, &oldest); err != nil || n == 0 {
			return err
		}
		c.add(Failed, StageCase, n, db.Time(oldest.Int64))
		return nil
	})
	if err != nil {
		return c, err
	}
	err = p.d.Read(ctx, func(tx *db.Tx) error {
		ids, err := p.unclaimedTx(tx)
		c.Unclaimed = len(ids)
		return err
	})
	return c, err
}

func (c *Counts) add(state, stage string, n int, oldest time.Time) {
	column := map[string]*int{StageReflect: &c.Reflect, StageValidate: &c.Validate, StageRefine: &c.Refine,
		StageJudge: &c.Judge, StageAccept: &c.Accept}[stage]
	if column != nil {
		*column += n
	}
	if state == Unstated {
		c.Unstated += n
	}
	if state == Failed {
		c.Failed += n
		if c.FailedOldest.IsZero() || oldest.Before(c.FailedOldest) {
			c.FailedOldest = oldest
		}
	}
	if state == Waiting && stage == StageAccept {
		c.Oldest = oldest
	}
}
