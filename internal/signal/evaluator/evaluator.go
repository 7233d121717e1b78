// Package evaluator looks at what an agent did, says what was wrong, and makes the notes that the agent is given next
// time (seed 003). It owns no table: evaluators, notes and the records of a file are functions over turns and results;
// internal/signal stores both.
//
// Evaluators look at one step or at a whole session, and are embedded (sqlvalidator, sqlerrorprofiler), prompted or
// asked over HTTP; agents may report results of their own. One that fails, panics or answers nonsense abstains: that is
// kept and shown, stops nothing, and is never "valid".
//
// A result is the seed's record. Its score runs from 0 (worst) to 1 (nothing wrong), and ranks; whether a step was
// right says is_valid. Results without issues are kept too, because an agent that gets it right makes notes expire
// (notes.go says when).
//
// Where the seed contradicts itself:
//   - "Most recent" and "worst first": the lowest score first, then the newest; issues without a score come last.
//   - "Lower is worse", but an invalid query has 0.7: a score is taken as it comes and compared with others alone.
//   - sql_db_schema is listed among the SQL tools, but its steps are "not validated": tools that show schemas or tables
//     never are.
//   - The example's fourth and fifth statement have the same fault, and only one is found invalid: sqlvalidator says
//     the same of both.
//   - max_items bounds issues and not records, each section by itself; merged issues count as one.
//   - Its name of a model for files keeps what follows the last dot, so that gpt-4.1 is "1": CleanModel keeps it whole.
//   - A record has the fields that it lists and no other, so that nothing is lost from file to file: a line with
//     another is refused.
//
// What it decided against: interfaces (two optional functions do), a profile of errors that came once (its step's note
// says it already), and numbers or quotes in telling whether two issues are the same.
package evaluator

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strconv"

	"preceptor/internal/signal/turn"
)

// Evaluator has one of the functions or both. A nil result without an error says that there was nothing for it to
// evaluate.
type Evaluator struct {
	Name string
	Step func(ctx context.Context, t turn.Turn, s turn.Step) (*Result, error)
	// found is what was said of the steps
	Trajectory func(ctx context.Context, turns []turn.Turn, found []Result) (*Result, error)
}

// QueryIdxKey is where a turn's context has which query it is about, as the agent counts them.
const QueryIdxKey = "query_idx"

// Abstention is an evaluator that failed.
type Abstention struct {
	Evaluator, Turn string
	Err             error
}

// Run gathers what evaluators say of turns.
type Run struct {
	Results   []Result
	Abstained []Abstention
	Log       *slog.Logger
}

// Steps has every step of a turn evaluated.
func (r *Run) Steps(ctx context.Context, list []Evaluator, t turn.Turn) {
	for i, s := range t.Steps {
		for _, e := range list {
			if e.Step != nil {
				r.ask(e.Name, t, func() (*Result, error) {
					result, err := e.Step(ctx, t, s)
					if result != nil {
						result.Step = i + 1
					}
					return result, err
				})
			}
		}
	}
}

// Trajectory has the turns of one session evaluated as a whole, with what was said of their steps.
func (r *Run) Trajectory(ctx context.Context, list []Evaluator, turns []turn.Turn, found []Result) {
	for _, e := range list {
		if e.Trajectory != nil && len(turns) > 0 {
			r.ask(e.Name, turns[len(turns)-1], func() (*Result, error) { return e.Trajectory(ctx, turns, found) })
		}
	}
}

// ask keeps what an evaluator says, or that it failed; the log has no text of the turn, which an error or a panic may
// repeat.
func (r *Run) ask(name string, t turn.Turn, f func() (*Result, error)) {
	defer func() {
		if p := recover(); p != nil {
			r.abstain(name, t, fmt.Errorf("it broke (%T)", p))
		}
	}()
	result, err := f()
	if err != nil {
		r.abstain(name, t, err)
		return
	}
	if result == nil {
		return
	}
	result.Evaluator, result.Timestamp, result.Turn, result.Session = name, Stamp(t.At), t.ID, t.Session
	result.QueryIdx = queryIdx(t)
	r.Results = append(r.Results, *result)
}

func (r *Run) abstain(name string, t turn.Turn, err error) {
	r.Abstained = append(r.Abstained, Abstention{name, t.ID, err})
	r.Log.Warn("an evaluator abstained", "evaluator", name, "turn", t.ID, "kind", fmt.Sprintf("%T", err))
}

// queryIdx is which query a turn is about; nil where the agent doesn't say.
func queryIdx(t turn.Turn) *int {
	if idx, err := strconv.Atoi(fmt.Sprint(t.Context[QueryIdxKey])); err == nil {
		return &idx
	}
	return nil
}

// Hidden is a turn as a model or another server may see it; hide takes personal data out.
func Hidden(t turn.Turn, hide func(string) string) turn.Turn {
	t.Query, t.Response, t.Reaction, t.Action, t.User, t.Context = hide(t.Query), hide(t.Response), hide(t.Reaction),
		hide(t.Action), "", map[string]any{QueryIdxKey: t.Context[QueryIdxKey]}
	t.Steps = slices.Clone(t.Steps)
	for i, step := range t.Steps {
		t.Steps[i].Output, t.Steps[i].Error = hide(step.Output), hide(step.Error)
		if safe := []byte(hide(string(step.Input))); json.Valid(safe) {
			t.Steps[i].Input = safe
		} else {
			t.Steps[i].Input = nil
		}
	}
	return t
}
