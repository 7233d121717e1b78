package feedback

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

// Successful reports whether it went well throughout: every score is above Middle, nobody named an issue, and nothing
// that is asked about was missed. What nobody said counts neither way.
func (o Outcome) Successful() bool {
	missed := slices.ContainsFunc([]*bool{o.GoalsMet, o.UnderstandingChecked, o.Signposted, o.DBWarningGiven},
		func(b *bool) bool { return b != nil && !*b })
	return min(o.Satisfaction, o.Comprehension, o.GoalAlignment) > Middle && len(o.Issues) == 0 && !missed
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

// AddOutcome stores how it went, in place of what the same person said of it through the same channel before, and gives
// its id. Who is not named is one person. Invalid names the fields; NotFound as with Vote; Limited after MaxVersions.
// One subject may have several, of different people; each is evidence of its own.
func (b *Book) AddOutcome(ctx context.Context, o Outcome) (string, error) {
	err := b.db.Write(ctx, func(tx *db.Tx) error { return b.AddOutcomeTx(tx, &o) })
	return o.ID, err
}

// AddFirstOutcome is AddOutcome for who hasn't said how it went; what they say again counts for nothing.
func (b *Book) AddFirstOutcome(ctx context.Context, o Outcome) error {
	return b.db.Write(ctx, func(tx *db.Tx) error {
		if list, err := outcomesTx(tx, ` WHERE subject_id = $1 AND by_id = $2`, o.SubjectID, o.By); err != nil ||
			len(list) > 0 {
			return err
		}
		return b.AddOutcomeTx(tx, &o)
	})
}

// AddOutcomeTx is AddOutcome in the caller's transaction; it fills in the id and the version.
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
	o.SubjectID, o.AgentID = s.ID, s.AgentID
	old, err := saidBeforeTx(tx, o)
	if err != nil {
		return err
	}
	if old != nil && old.says(o) {
		o.ID, o.Version = old.ID, old.Version
		return nil
	}
	if err := writeOutcomeTx(tx, o, old, s); err != nil {
		return err
	}
	if err := b.hooks.OnOutcome(tx, old, *o, s); err != nil {
		return fmt.Errorf("feedback: after an outcome of %s: %w", s.ID, err)
	}
	tx.Touch(Topic)
	return nil
}

// saidBeforeTx is what the same person said through the same channel; nil when there is nothing. What was erased is
// nobody's any more.
func saidBeforeTx(tx *db.Tx, o *Outcome) (*Outcome, error) {
	list, err := outcomesTx(tx, ` WHERE subject_id = $1 AND by_id = $2 AND channel = $3 AND erased_at = 0
		ORDER BY at DESC, id DESC LIMIT 1`, o.SubjectID, o.By, o.Channel)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// says reports whether two outcomes say the same.
func (o *Outcome) says(other *Outcome) bool {
	same := func(a, b *bool) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }
	return o.Satisfaction == other.Satisfaction && o.Comprehension == other.Comprehension &&
		o.GoalAlignment == other.GoalAlignment && slices.Equal(o.Issues, other.Issues) &&
		same(o.GoalsMet, other.GoalsMet) && same(o.UnderstandingChecked, other.UnderstandingChecked) &&
		same(o.Signposted, other.Signposted) && same(o.DBWarningGiven, other.DBWarningGiven)
}

// writeOutcomeTx stores o as the next version of the person's outcome.
func writeOutcomeTx(tx *db.Tx, o, old *Outcome, s Subject) error {
	issues, err := json.Marshal(o.Issues)
	if err != nil {
		return err
	}
	action := "feedback.outcome"
	if old == nil {
		err = insertOutcomeTx(tx, o, string(issues), s)
	} else {
		if old.Version >= MaxVersions {
			return fault.New(fault.Limited,
				"This outcome has already been changed %d times. It can't be changed again.", MaxVersions)
		}
		o.ID, o.Version, action = old.ID, old.Version+1, "feedback.outcome_changed"
		_, err = tx.Exec(`UPDATE outcome SET satisfaction = $1, comprehension = $2, goal_alignment = $3, issues = $4,
			goals_met = $5, understanding_checked = $6,
				signposted = $7, db_warning_given = $8, at = $9, version = $10 WHERE id = $11`,
			o.Satisfaction, o.Comprehension, o.GoalAlignment, string(issues), o.GoalsMet, o.UnderstandingChecked,
			o.Signposted, o.DBWarningGiven, db.Ms(o.At), o.Version, o.ID)
	}
	if err != nil {
		return fmt.Errorf("feedback: store an outcome: %w", err)
	}
	if err := db.Exec(tx, "feedback: keep an outcome's history", `INSERT INTO outcome_history (outcome_id, version,
			satisfaction, comprehension, goal_alignment, issues, goals_met, understanding_checked, signposted,
			db_warning_given, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		o.ID, o.Version, o.Satisfaction, o.Comprehension, o.GoalAlignment, string(issues), o.GoalsMet,
		o.UnderstandingChecked, o.Signposted, o.DBWarningGiven, db.Ms(o.At)); err != nil {
		return err
	}
	by := actorOf(o.Channel, s)
	if o.Channel == ChannelDesk {
		by = audit.Actor{Kind: audit.Person, ID: o.By, Name: o.ByName}
	}
	return audit.Note(tx, by, action, s.Kind, s.ID, map[string]any{"outcome": o.ID, "version": o.Version,
		"satisfaction": o.Satisfaction, "comprehension": o.Comprehension, "goal_alignment": o.GoalAlignment,
		"issues": len(o.Issues), "channel": o.Channel})
}

func insertOutcomeTx(tx *db.Tx, o *Outcome, issues string, s Subject) error {
	var n int
	if err := db.One(tx, "feedback: count outcomes", `SELECT count(*) FROM outcome
		WHERE subject_id = $1`, s.ID).Scan(&n); err != nil {
		return err
	}
	if n >= MaxOutcomes {
		return fault.New(fault.Limited, "This interaction already has %d outcomes, the maximum.", MaxOutcomes)
	}
	o.ID, o.Version = id.New(), 1
	_, err := tx.Exec(`INSERT INTO outcome (id, subject_id, agent_id, agent_type, topic, satisfaction, comprehension,
			goal_alignment, issues,
			goals_met, understanding_checked, signposted, db_warning_given, by_id, channel, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
		o.ID, s.ID, s.AgentID, s.AgentType, s.Topic, o.Satisfaction, o.Comprehension, o.GoalAlignment, issues,
		o.GoalsMet, o.UnderstandingChecked, o.Signposted, o.DBWarningGiven, o.By, o.Channel, db.Ms(o.At))
	return err
}

// MaxOutcomes is how many outcomes one subject may have.
const MaxOutcomes = 50

// Outcomes lists those of a subject, oldest first.
func (b *Book) Outcomes(ctx context.Context, subjectID string) ([]Outcome, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) ([]Outcome, error) {
		return outcomesTx(tx, ` WHERE subject_id = $1 ORDER BY at, id`, subjectID)
	})
}
