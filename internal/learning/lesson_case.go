package learning

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
)

// keepCase makes the case of a released decision (seed 000 learn_from_successful_consultation). Only what a person
// approved becomes guidance in it; a rejected draft is kept as a warning without guidance, and is never an exemplar.
func (p *Pipeline) keepCase(ctx context.Context, lessonID string) error {
	l, src, err := p.sourced(ctx, lessonID)
	if fault.Is(err, fault.NotFound) || err == nil &&
		(src == nil || l.CaseState != CaseRunning && l.CaseState != CaseFailed) {
		return nil
	}
	if err != nil {
		return err
	}
	began := time.Now()
	c := caseOf(l, *src)
	if err := p.kb.PrepareCase(ctx, &c); err != nil {
		return p.caseFailed(ctx, l, err)
	}
	err = p.d.Write(ctx, func(tx *db.Tx) error { return p.keepCaseTx(tx, lessonID, c, time.Since(began)) })
	if errors.Is(err, errStale) {
		return nil
	}
	if err != nil {
		return p.caseFailed(ctx, l, err)
	}
	return nil
}

func (p *Pipeline) keepCaseTx(tx *db.Tx, lessonID string, c knowledge.Case, took time.Duration) error {
	l, err := lessonTx(tx, lessonID)
	if err != nil {
		return err
	}
	if l.State == Withdrawn || l.CaseState != CaseRunning && l.CaseState != CaseFailed {
		return errStale
	}
	if l.Domain != "" {
		c.Domain = l.Domain // known by now, even if it was not when the case was prepared
	}
	made, err := p.kb.AddCaseTx(tx, c)
	if err != nil {
		return err
	}
	from := l.CaseState
	l.CaseState, l.CaseID, l.CaseNumber = CaseKept, made.ID, made.Number
	if err := saveCaseTx(tx, &l, from); err != nil {
		return err
	}
	if err := addStepTx(tx, l.ID, Step{Name: StageCase, AnsweredBy: "embedded", Duration: took,
		Input: jsonOf(map[string]string{"kind": l.Origin}),
		Output: jsonOf(map[string]any{"case": made.ID, "number": made.Number, "success_factors": made.SuccessFactors,
			"exemplar": made.Exemplar})}); err != nil {
		return err
	}
	stated, err := ofCauseTx(tx, l.Cause, l.CauseID) // the case speaks for the rule of each statement
	if err != nil {
		return err
	}
	for i := range stated {
		if stated[i].RuleID == "" {
			continue
		}
		if err := p.supportTx(tx, &stated[i], []string{made.ID}); err != nil {
			return err
		}
	}
	tx.Touch("knowledge")
	if made.Exemplar && made.Guidance != "" {
		if err := p.retestTx(tx, l.AgentID, made.Number); err != nil {
			return err
		}
	}
	if l.Stage != StageCase {
		return nil
	}
	l.State, l.Outcome = Accepted, strings.TrimSpace("Saved as "+made.Label()+". "+l.Outcome)
	return saveTx(tx, &l)
}

// caseFailed says on the lesson why its case could not be made, when trying again is no use or the tries are used up.
func (p *Pipeline) caseFailed(ctx context.Context, l Lesson, why error) error {
	return p.fail(ctx, l.ID, why, func(tx *db.Tx, cur Lesson) (parked string, err error) {
		if cur.CaseState != CaseRunning && cur.CaseState != CaseFailed {
			return "", errStale
		}
		tries, err := db.Value[int](tx, "learning: count tries", `SELECT case_attempts + 1 FROM lesson
			WHERE id = $1`, l.ID)
		if err != nil {
			return "", err
		}
		if p.givesUp(why, tries) {
			cur.CaseState, parked = CaseFailed, "The case could not be made: "+fault.Message(why)
			if cur.Stage == StageCase {
				cur.State, cur.Outcome = Failed, parked
			}
		}
		_, err = tx.Exec(`UPDATE lesson SET state = $1, outcome = $2, case_state = $3, case_attempts = $4,
			updated_at = $5
			WHERE id = $6`,
			cur.State, cur.Outcome, cur.CaseState, tries, tx.NowMs(), l.ID)
		return parked, err
	})
}

// supportTx adds the cases that l's rule was made from, and those on which it was validated, to its evidence.
func (p *Pipeline) supportTx(tx *db.Tx, l *Lesson, cases []string) error {
	rule, err := p.kb.RuleTx(tx, l.RuleID)
	if err != nil {
		return err
	}
	if rule.Status != knowledge.Active && rule.Status != knowledge.Candidate {
		return nil
	}
	helped, _, err := evidenceTx(tx, l.ID)
	if err != nil {
		return err
	}
	before := len(rule.Supporting) + len(rule.MadeFrom) // one it was tried on may be one it was made from
	for _, c := range append(helped, cases...) {
		if !slices.Contains(rule.Supporting, c) {
			rule.Supporting = append(rule.Supporting, c)
		}
	}
	rule.MadeFrom = union(rule.MadeFrom, cases)
	if len(rule.Supporting)+len(rule.MadeFrom) == before {
		return nil
	}
	rule.By, rule.Reason = me, "Evidence added."
	_, err = p.kb.EditRuleTx(tx, *rule)
	tx.Touch("knowledge")
	return err
}

// caseOf is the case that a source leaves behind.
func caseOf(l Lesson, s Source) knowledge.Case {
	c := knowledge.Case{
		Source: knowledge.FromReview, Origin: s.DecisionID, InteractionID: s.InteractionID,
		AgentID: s.AgentID, Task: s.Task, Domain: l.Domain, By: me,
		Reason: "Learned from a decision by " + s.By + ".",
	}
	c.Title = pack.Label(s.Task)
	c.Situation, c.Reasoning = situationText(s.Situation), s.Reasoning
	switch s.Kind {
	case Approve:
		c.Guidance, c.Outcome = firstText(s.HumanText, s.AgentText), "Approved by a supervisor without change"
		if s.NotJudged != "" {
			c.Outcome += ". Not judged: " + s.NotJudged
		}
		c.Approved, c.Exemplar = true, !s.Unread // a person let it go; what judges can't read is no example for others
	case Revise:
		c.Guidance, c.Negative, c.Outcome = s.HumanText, s.AgentText, "Revised by a supervisor"+because(s.Reason)
		c.Approved, c.Exemplar = true, true
	case Reject:
		c.Negative = s.AgentText
		c.Outcome = "Rejected by a supervisor" + because(firstText(s.Reason, pack.ReasonOf(s.ReasonCode).Label))
	}
	for _, st := range s.Statements {
		c.SuccessFactors = append(c.SuccessFactors, st.Do.Words())
	}
	if c.Domain == "" {
		c.Domain = lightest(s.Situation.Pack)
	}
	return c
}

func because(reason string) string {
	if reason = strings.TrimSpace(reason); reason == "" {
		return ""
	}
	return ": " + reason
}

// situationText is a customer in words, without sums or names; it is what a case is found by.
func situationText(s pack.Situation) string {
	p := pack.Of(s.Pack)
	var parts []string
	for _, f := range p.Fields {
		values, known := s.Field(f.Name)
		if !known || f.Kind == "number" && f.Name != "age" || f.Kind == "text" {
			continue
		}
		words := lists.Map(values, func(v string) string { return p.ValueLabel(f.Name, v) })
		parts = append(parts, f.Label+": "+strings.Join(words, ", "))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Fields)) {
		if _, known := p.Field(name); !known {
			parts = append(parts, p.FieldLabel(name)+": "+strings.Join(s.Fields[name], ", "))
		}
	}
	text := "Customer"
	if len(parts) > 0 {
		text += " with " + strings.Join(parts, "; ")
	}
	if s.Goal != "" {
		text += ". Goal: " + strings.TrimRight(s.Goal, ". ")
	}
	if said := impersonal(strings.TrimSpace(s.Exchange()), s); said != "" {
		text += ". Said before: “" + strings.ReplaceAll(said, "\n", "” “") + "”"
	}
	if s.Question != "" {
		text = knowledge.WithAsked(text, s.Question)
	}
	return text
}
