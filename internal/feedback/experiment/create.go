package experiment

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

// Input is what somebody says of an experiment; the names of wrong fields are those of the form, in lower case.
type Input struct {
	Name      string
	Purpose   string // Memory, Rule, Prompt or Model
	AgentID   string // "" is every agent
	AgentName string
	RuleID    string // of purpose Rule
	Treatment string // what the arms are, in words; made for Memory and Rule
	Control   string
	Metric    string // Approved, Vote or Satisfaction
}

const (
	maxName = 200
	maxArm  = 200
)

// Create plans an experiment; it does not run yet. Invalid with the fields to mend.
func (s *Store) Create(ctx context.Context, in Input, aim Aim, by Person) (e *Experiment, err error) {
	return s.plan(ctx, in, aim, by, by.Actor(), nil)
}

// Begin plans an experiment that an agent carries out by itself and starts it, as seed 001's AgentABTest does. Conflict
// while another one runs that concerns the agent.
func (s *Store) Begin(ctx context.Context, in Input, aim Aim, by audit.Actor) (e *Experiment, err error) {
	if in.Purpose != Prompt && in.Purpose != Model {
		return nil, fault.Wrong("This experiment can't be planned yet.", "purpose", "Send prompt or model.")
	}
	return s.plan(ctx, in, aim, Person{ID: by.ID, Name: by.Name}, by, func(tx *db.Tx, e *Experiment) error {
		e.State = Running
		return s.startTx(tx, e.ID, by)
	})
}

func (s *Store) plan(ctx context.Context, in Input, aim Aim, by Person, actor audit.Actor,
	then func(tx *db.Tx, e *Experiment) error) (*Experiment, error) {
	plan, err := NewPlan(aim)
	if err != nil {
		return nil, err
	}
	return db.Write(ctx, s.db, func(tx *db.Tx) (*Experiment, error) {
		if err := s.checkTx(tx, &in); err != nil {
			return nil, err
		}
		e := &Experiment{ID: id.New(), Input: in, Plan: plan, State: Planned, Version: 1, By: by, CreatedAt: tx.Now}
		if err := insertTx(tx, e, actor); err != nil || then == nil {
			return e, err
		}
		return e, then(tx, e)
	})
}

// checkTx tidies in, and says what of it can't be.
func (s *Store) checkTx(tx *db.Tx, in *Input) error {
	var wrong []fault.Field
	add := func(name, msg string) { wrong = append(wrong, fault.Field{Name: name, Msg: msg}) }
	text := func(name string, v *string, most int, need bool) {
		*v = text.Typed(*v)
		switch {
		case need && *v == "":
			add(name, "Use a few words.")
		case utf8.RuneCountInString(*v) > most:
			add(name, fmt.Sprintf("At most %d characters.", most))
		}
	}
	text("name", &in.Name, maxName, true)
	if !slices.Contains(Purposes, in.Purpose) {
		add("purpose", "Choose what differs between the arms.")
	}
	if !slices.Contains(Metrics, in.Metric) {
		add("metric", "Choose what a good outcome is.")
	}
	switch in.Purpose {
	case Memory:
		in.Treatment, in.Control, in.RuleID = "with memory", "without memory", ""
	case Prompt, Model:
		in.RuleID = ""
		text("treatment", &in.Treatment, maxArm, true)
		text("control", &in.Control, maxArm, true)
		if in.Treatment != "" && in.Treatment == in.Control {
			add("control", "The arms need different names.")
		}
	case Rule:
		facts, msg := s.ruleTx(tx, in.RuleID)
		if msg != "" {
			add("rule", msg)
		}
		in.Treatment, in.Control = "with "+facts.Label, "without "+facts.Label
	}
	if len(wrong) > 0 {
		return fault.WithFields("This experiment can't be planned yet.", wrong...)
	}
	return nil
}

// ruleTx looks a rule up, and says why it can't be experimented on; "" when it can.
func (s *Store) ruleTx(tx *db.Tx, ruleID string) (RuleFacts, string) {
	if ruleID == "" {
		return RuleFacts{}, "Choose a rule."
	}
	facts, err := s.rule(tx, ruleID)
	switch {
	case err != nil:
		return facts, "There is no such rule."
	case facts.Protected:
		return facts, facts.Label +
			" is about compliance. Such rules are never withheld, so you can't experiment on them."
	case !facts.Active:
		return facts, facts.Label + " is not in use. An experiment needs a rule that is active."
	}
	return facts, ""
}

func insertTx(tx *db.Tx, e *Experiment, by audit.Actor) error {
	err := db.Exec(tx, "experiment: plan", `INSERT INTO experiment (id, name, purpose, agent_id, agent_name, rule_id,
			treatment, control, metric, baseline, effect, alpha, power, split,
			fixed, size_t, size_c, information, boundary, state, created_at, by_id, by_name)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
			$22, $23)`,
		e.ID, e.Name, e.Purpose, e.AgentID, e.AgentName, e.RuleID, e.Treatment, e.Control, e.Metric, e.Baseline,
		e.Effect, e.Alpha, e.Power, e.Split,
		e.Fixed, e.SizeT, e.SizeC, e.Information, e.Boundary, e.State, db.Ms(e.CreatedAt), e.By.ID, e.By.Name)
	if err != nil {
		return err
	}
	tx.Touch("experiments")
	return audit.Note(tx, by, "experiment.planned", "experiment", e.ID, map[string]any{
		"name": e.Name, "purpose": e.Purpose, "agent": e.AgentID, "rule": e.RuleID, "treatment": e.Treatment,
		"control": e.Control, "metric": e.Metric,
		"baseline": e.Baseline, "effect": e.Effect, "alpha": e.Alpha, "power": e.Power, "split": e.Split,
		"fixed": e.Fixed, "size_treatment": e.SizeT, "size_control": e.SizeC, "boundary": e.Boundary,
	})
}

// Start has a planned experiment run. Conflict when it did already, when another one runs that concerns the same agent,
// and when its rule can't be experimented on any more.
func (s *Store) Start(ctx context.Context, experimentID string, by Person) error {
	return s.db.Write(ctx, func(tx *db.Tx) error { return s.startTx(tx, experimentID, by.Actor()) })
}

func (s *Store) startTx(tx *db.Tx, experimentID string, by audit.Actor) error {
	e, err := getTx(tx, experimentID)
	if err != nil {
		return err
	}
	if e.State != Planned {
		return fault.New(fault.Conflict, "This experiment has already been started.")
	}
	other, found, err := maybeTx(tx, `
			WHERE state = 'running' AND (agent_id = $1 OR agent_id = '' OR $1 = '')
			ORDER BY started_at, id LIMIT 1`, e.AgentID)
	if err != nil {
		return err
	}
	if found {
		return fault.New(fault.Conflict,
			"%q is running for the same agent, and two at once would distort each other. Wait until it ends, or "+
				"stop it.", other.Name)
	}
	if e.Purpose == Rule {
		if _, msg := s.ruleTx(tx, e.RuleID); msg != "" {
			return fault.New(fault.Conflict, "%s", msg)
		}
	}
	if err := db.Exec(tx, "experiment: start "+e.ID, `UPDATE experiment SET state = 'running', started_at = $1,
			version = version + 1
			WHERE id = $2`, tx.NowMs(), e.ID); err != nil {
		return err
	}
	tx.Touch("experiments")
	return audit.Note(tx, by, "experiment.started", "experiment", e.ID, map[string]any{"name": e.Name})
}

// Stop ends an experiment before its rules do, or takes back a plan; a note says why. Nothing counts afterwards, and it
// never runs again.
func (s *Store) Stop(ctx context.Context, experimentID, note string, by Person) error {
	note, err := text.Reason(note, "note", "Say why it ends. It stays on record.")
	if err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		e, err := getTx(tx, experimentID)
		if err != nil {
			return err
		}
		if e.State == Stopped {
			return fault.New(fault.Conflict, "This experiment has already ended.")
		}
		return s.stopTx(tx, &e, ByPerson, note, by.Actor())
	})
}

func (s *Store) stopTx(tx *db.Tx, e *Experiment, why, note string, by audit.Actor) error {
	if err := db.Exec(tx, "experiment: stop "+e.ID, `UPDATE experiment SET state = 'stopped', ended = $1, note = $2,
		stopped_at = $3, version = version + 1
		WHERE id = $4`,
		why, note, tx.NowMs(), e.ID); err != nil {
		return err
	}
	tx.Touch("experiments")
	e.State, e.Ended, e.Note = Stopped, why, note
	if why != ByPerson && s.ended != nil {
		if err := s.ended(tx, e); err != nil {
			return err
		}
	}
	l := e.Look()
	return audit.Note(tx, by, "experiment.stopped", "experiment", e.ID, map[string]any{
		"why": why, "note": note, "n_treatment": e.Counts.N[0], "good_treatment": e.Counts.Good[0],
		"n_control": e.Counts.N[1], "good_control": e.Counts.Good[1],
		"effect": l.Effect, "low": l.Low, "high": l.High, "progress": l.Progress,
	})
}
