package learning

import (
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
)

// FromVerdictTx stores what a ruling or a verdict may teach, in the transaction of its cause: seed 000's compliance
// feedback loop. What checks and panels find begins one lesson per issue code and agent: the tenth draft with the same
// finding says nothing that the first did not. Each text of a gold set begins its own, once, as a person asked for it.
// A missing warning that the pack knows the words of is urgent, and a rule in those words. begins says whether there is
// a new lesson.
func (p *Pipeline) FromVerdictTx(tx *db.Tx, s Source) (begins bool, err error) {
	if s.CauseID == "" || causeOf(s.Kind) == CauseDecision {
		return false, fault.New(fault.Invalid, "A lesson needs the ruling or verdict it comes from.")
	}
	l := begun(s, causeOf(s.Kind), s.CauseID)
	if s.Kind == Verdict && len(s.Flags) == 0 {
		return false, nil
	}
	if s.Kind != Ruling || l.Origin == Dataset {
		l.Code = findingOf(s)
	}
	if s.Kind != Ruling {
		if known, err := underway(tx, l); err != nil || known {
			return false, err
		}
	}
	if w, ok := warning(s); ok {
		s.Statements, s.StatedBy, l.Urgent = []rule.Statement{w}, pack.Of(s.Situation.Pack).Title, true
	}
	return p.beginTx(tx, l, s)
}

// findingOf is the issue that a lesson from checks, a panel or a gold set is about.
func findingOf(s Source) string {
	for _, f := range s.Flags {
		if f.Code != "" {
			return f.Code
		}
	}
	return strings.ToUpper(s.origin())
}

// warning is the rule that a missing mandatory warning calls for, in the pack's own words.
func warning(s Source) (rule.Statement, bool) {
	for _, w := range pack.Of(s.Situation.Pack).Warnings {
		if s.Kind == Verdict && w.Code == s.Flags[0].Code {
			return rule.Statement{
				When: []rule.Condition{{Kind: rule.Topic, Values: w.Topics},
					{Kind: rule.Field, Name: w.Field, Op: rule.Has, Values: []string{w.Value}}},
				Do: rule.Act{Kind: rule.Include, Text: w.Text, Place: rule.AtStart}, Because: w.Because}, true
		}
	}
	return rule.Statement{}, false
}

// begunTitle is what a card says before anybody has reflected.
var begunTitle = map[string]string{Ruling: "Borderline case ruled", Verdict: "Critical check failed",
	Judged:  "Failed by the judges",
	Dataset: "Labelled text of a gold set", Outcome: "Unsuccessful outcome", Practice: "Unsuccessful practice",
	Reflected: "Seen in a reflection", Disliked: "Answers that users disliked",
	Proposed: "Proposed by an agent"}

// onceIn is how long a finding opens no other lesson after a person said that it teaches nothing.
const onceIn = 30 * 24 * time.Hour

// underway reports whether an agent has a lesson about a finding that is open, in use, was the same as a rule in use,
// or that a person turned down a while ago.
func underway(tx *db.Tx, l Lesson) (known bool, err error) {
	err = db.One(tx, "learning: look for a lesson", `SELECT
		EXISTS (SELECT 1 FROM lesson WHERE agent_id = $1 AND code = $2
		AND (state IN ('running', 'unstated', 'waiting', 'failed', 'accepted', 'nothing') OR state = 'rejected'
			AND updated_at > $3))`,
		l.AgentID, l.Code, tx.Now.Add(-onceIn).UnixMilli()).Scan(&known)
	return known, err
}

// foldTx lets what a person teaches take the place of what the checks or the panel alone taught: a rule that nobody has
// accepted yet and that came of a verdict gives way to the same one from a decision or a ruling, which has a person's
// reasons. It reports whether it did.
func (p *Pipeline) foldTx(tx *db.Tx, l *Lesson, ruleID string) (bool, error) {
	if l.Cause == CauseVerdict || l.Cause == CauseReflection {
		return false, nil
	}
	found, err := lessonsTx(tx, `
		WHERE rule_id = $1 AND cause_kind = 'verdict' AND state = 'waiting' AND same_as = 0`, ruleID)
	if err != nil || len(found) == 0 {
		return false, err
	}
	old := found[0]
	if _, err := p.kb.SetRuleStatusTx(tx, ruleID, knowledge.Withdrawn,
		knowledge.Change{By: me, Reason: "A person teaches the same, with reasons."}); err != nil {
		return false, err
	}
	old.State, old.Outcome = Withdrawn, "A person's "+l.Cause+
		" teaches the same, with reasons. That lesson takes its place."
	if err := saveTx(tx, &old); err != nil {
		return false, err
	}
	return true, audit.Note(tx, me, "lesson.folded", "lesson", old.ID, map[string]any{"into": l.ID, "rule": ruleID})
}
