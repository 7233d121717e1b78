package feedback

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"preceptor/internal/audit"
	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/id"
)

// WellDone is the score, of ten, that all three of an outcome reach when it went well: what is below calls for reflection
// (learning.LowScore).
const WellDone = 7.0

// Successful tells whether it went well throughout: every score reaches WellDone, nobody named an issue, and nothing that is asked
// about was missed. What nobody said counts neither way.
func (o Outcome) Successful() bool {
	missed := slices.ContainsFunc([]*bool{o.GoalsMet, o.UnderstandingChecked, o.Signposted, o.DBWarningGiven}, func(b *bool) bool { return b != nil && !*b })
	return min(o.Satisfaction, o.Comprehension, o.GoalAlignment) >= WellDone && len(o.Issues) == 0 && !missed
}

func (o *Outcome) check() error {
	var w wrong
	w.text("interaction_id", &o.SubjectID, MaxName, true)
	w.text("by", &o.By, MaxName, false)
	for _, score := range []struct {
		field string
		value float64
	}{{"satisfaction", o.Satisfaction}, {"comprehension", o.Comprehension}, {"goal_alignment", o.GoalAlignment}} {
		if !(score.value >= 0 && score.value <= 10) {
			w.add(score.field, "Send a number from 0 to 10.")
		}
	}
	if len(o.Issues) > MaxIssues {
		w.add("issues", "Name at most %d.", MaxIssues)
	}
	issues := make([]string, 0, len(o.Issues))
	for i := range o.Issues[:min(len(o.Issues), MaxIssues)] {
		issue := o.Issues[i]
		w.text(fmt.Sprintf("issues/%d", i), &issue, MaxText, true)
		issues = append(issues, issue)
	}
	o.Issues = issues
	if !slices.Contains(channels, o.Channel) {
		return fmt.Errorf("feedback: an outcome by an unknown channel %q", o.Channel)
	}
	return w.err()
}

// AddOutcome stores how it went, and gives its id. Invalid names the fields; NotFound as with Vote. One subject may have several,
// of different times; each is evidence of its own.
func (b *Book) AddOutcome(ctx context.Context, o Outcome) (string, error) {
	err := b.db.Write(ctx, func(tx *db.Tx) error { return b.AddOutcomeTx(tx, &o) })
	if err != nil {
		return "", err
	}
	return o.ID, nil
}

// AddOutcomeTx is AddOutcome in the caller's transaction; it fills in the id.
func (b *Book) AddOutcomeTx(tx *db.Tx, o *Outcome) error {
	if err := o.check(); err != nil {
		return err
	}
	s, err := b.SubjectTx(tx, o.AgentID, o.SubjectID)
	if err == nil {
		err = s.judgeable()
	}
	if err != nil {
		return err
	}
	if o.At.IsZero() {
		o.At = tx.Now
	}
	var n int
	if err := tx.QueryRow(`SELECT count(*) FROM outcome WHERE subject_id = $1`, s.ID).Scan(&n); err != nil {
		return fmt.Errorf("feedback: count outcomes: %w", err)
	}
	if n >= MaxOutcomes {
		return fault.New(fault.Limited, "There are %d outcomes of this interaction already, and no more are taken.", MaxOutcomes)
	}
	issues, err := json.Marshal(o.Issues)
	if err != nil {
		return err
	}
	o.ID, o.SubjectID = id.New(), s.ID
	if _, err := tx.Exec(`INSERT INTO outcome (id, subject_id, agent_id, agent_type, topic, satisfaction, comprehension, goal_alignment, issues,
			goals_met, understanding_checked, signposted, db_warning_given, by_id, channel, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
		o.ID, s.ID, s.AgentID, s.AgentType, s.Topic, o.Satisfaction, o.Comprehension, o.GoalAlignment, string(issues),
		o.GoalsMet, o.UnderstandingChecked, o.Signposted, o.DBWarningGiven, o.By, o.Channel, db.Ms(o.At)); err != nil {
		return fmt.Errorf("feedback: store an outcome: %w", err)
	}
	by := actorOf(o.Channel, s)
	if o.Channel == ChannelDesk {
		by = audit.Actor{Kind: audit.Person, ID: o.By, Name: o.ByName}
	}
	if err := audit.Record(tx, audit.Entry{Actor: by, Action: "feedback.outcome", ObjectKind: s.Kind, ObjectID: s.ID, Content: map[string]any{
		"outcome": o.ID, "satisfaction": o.Satisfaction, "comprehension": o.Comprehension, "goal_alignment": o.GoalAlignment, "issues": len(o.Issues), "channel": o.Channel}}); err != nil {
		return err
	}
	for _, f := range b.onOutcome {
		if err := f(tx, *o, s); err != nil {
			return fmt.Errorf("feedback: after an outcome of %s: %w", s.ID, err)
		}
	}
	tx.Touch(Topic)
	return nil
}

// MaxOutcomes is how many outcomes one subject may have.
const MaxOutcomes = 50

// Outcomes lists those of a subject, oldest first.
func (b *Book) Outcomes(ctx context.Context, subjectID string) (list []Outcome, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		list, err = outcomes(tx, `WHERE subject_id = $1 ORDER BY at, id`, subjectID)
		return err
	})
	return list, err
}

func outcomes(tx *db.Tx, where string, args ...any) (list []Outcome, err error) {
	rows, err := tx.Query(`SELECT id, subject_id, satisfaction, comprehension, goal_alignment, issues, goals_met, understanding_checked, signposted, db_warning_given, by_id, channel, at
		FROM outcome `+where, args...)
	if err != nil {
		return nil, fmt.Errorf("feedback: read outcomes: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var o Outcome
		var issues string
		var at int64
		if err := rows.Scan(&o.ID, &o.SubjectID, &o.Satisfaction, &o.Comprehension, &o.GoalAlignment, &issues, &o.GoalsMet, &o.UnderstandingChecked, &o.Signposted,
			&o.DBWarningGiven, &o.By, &o.Channel, &at); err != nil {
			return nil, fmt.Errorf("feedback: read outcomes: %w", err)
		}
		if err := json.Unmarshal([]byte(issues), &o.Issues); err != nil {
			return nil, fmt.Errorf("feedback: read the issues of %s: %w", o.ID, err)
		}
		o.At = db.Time(at)
		list = append(list, o)
	}
	return list, rows.Err()
}
