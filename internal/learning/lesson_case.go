package learning

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
)

// keepCase makes the case of a released decision (seed 000 learn_from_successful_consultation). Only what a person
// approved becomes guidance in it; a rejected draft is kept as a warning without guidance, and is never an exemplar.
func (p *Pipeline) keepCase(ctx context.Context, lessonID string) error {
	var l Lesson
	var src *Source
	err := p.d.Read(ctx, func(tx *db.Tx) (err error) {
		if l, err = lessonTx(tx, lessonID); err != nil {
			return err
		}
		src, err = sourceTx(tx, lessonID)
		return err
	})
	if fault.Is(err, fault.NotFound) || err == nil && (src == nil || l.CaseState != CaseRunning && l.CaseState != CaseFailed) {
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
	if err := addStepTx(tx, l.ID, Step{Name: StageCase, State: StepDone, AnsweredBy: "embedded", Duration: took, Input: jsonOf(map[string]string{"kind": l.Origin}),
		Output: jsonOf(map[string]any{"case": made.ID, "number": made.Number, "success_factors": made.SuccessFactors, "exemplar": made.Exemplar})}); err != nil {
		return err
	}
	if l.RuleID != "" {
		if err := p.supportTx(tx, &l, []string{made.ID}); err != nil {
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
	l.State, l.Outcome = Accepted, "Kept as "+made.Label()+"."
	return saveTx(tx, &l)
}

// caseFailed says on the lesson why its case could not be made, when trying again is no use or the tries are used up.
func (p *Pipeline) caseFailed(ctx context.Context, l Lesson, why error) error {
	if ctx.Err() != nil {
		return why
	}
	result := why
	err := p.d.Write(ctx, func(tx *db.Tx) error {
		cur, err := lessonTx(tx, l.ID)
		if err != nil || cur.CaseState != CaseRunning && cur.CaseState != CaseFailed {
			return errors.Join(err, errStale)
		}
		var tries int
		if err := tx.QueryRow(`SELECT case_attempts + 1 FROM lesson WHERE id = $1`, l.ID).Scan(&tries); err != nil {
			return err
		}
		state, outcome, caseState := cur.State, cur.Outcome, cur.CaseState
		if !fault.KindOf(why).Retriable() || tries >= p.policy.Attempts {
			caseState = CaseFailed
			result = fault.Wrap(fault.Invalid, why, "The case could not be made: %s", fault.Message(why)) // parks the job
			if cur.Stage == StageCase {
				state, outcome = Failed, fault.Message(result)
			}
		}
		_, err = tx.Exec(`UPDATE lesson SET state = $1, outcome = $2, case_state = $3, case_attempts = $4, updated_at = $5 WHERE id = $6`,
			state, outcome, caseState, tries, tx.NowMs(), l.ID)
		tx.Touch("learning")
		return err
	})
	if errors.Is(err, errStale) {
		return nil
	}
	return errors.Join(result, err)
}

// supportTx adds cases, and those on which l's principle was validated, to the evidence of its rule.
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
	before := len(rule.Supporting)
	for _, c := range append(helped, cases...) {
		if !slices.Contains(rule.Supporting, c) {
			rule.Supporting = append(rule.Supporting, c)
		}
	}
	if len(rule.Supporting) == before {
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
		Source: knowledge.FromReview, Origin: s.DecisionID, AgentID: s.AgentID, Task: s.Task, Domain: l.Domain, By: me,
		Reason: "Learned from a decision by " + s.By + ".",
	}
	c.Title = pack.Label(s.Task)
	c.Situation, c.Reasoning = situationText(s.Situation), s.Reasoning
	switch s.Kind {
	case Approve:
		c.Guidance, c.Outcome = firstText(s.HumanText, s.AgentText), "Approved by a supervisor without change"
		c.Approved, c.Exemplar = true, true
	case Revise:
		c.Guidance, c.Negative, c.Outcome = s.HumanText, s.AgentText, "Revised by a supervisor"+because(s.Reason)
		c.Approved, c.Exemplar = true, true
	case Reject:
		c.Negative, c.Outcome = s.AgentText, "Rejected by a supervisor"+because(firstText(s.Reason, s.ReasonCode))
	}
	c.SuccessFactors = successFactors(c.Guidance, s.Situation)
	if c.Domain == "" {
		c.Domain = domainOf(c.Guidance)
	}
	return c
}

func because(reason string) string {
	if reason = strings.TrimSpace(reason); reason == "" {
		return ""
	}
	return ": " + reason
}

func firstText(list ...string) string {
	for _, s := range list {
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// successFactors names what an approved text does well, in words for a prompt.
func successFactors(text string, s pack.Situation) []string {
	var out []string
	for _, f := range pack.DetectMoves(text) {
		m, ok := movebook[f.Move]
		if !ok || m.factor == "" || slices.Contains(out, m.factor) {
			continue
		}
		out = append(out, m.factor)
	}
	if s.Literacy == "low" && averageSentence(text) > 0 && averageSentence(text) <= 16 {
		out = append(out, "Short sentences for a customer with low literacy")
	}
	return out
}

// domainOf files an approved text under the weightiest thing it does.
func domainOf(text string) string {
	best := len(Domains) - 1
	for _, f := range pack.DetectMoves(text) {
		if i := slices.Index(Domains, movebook[f.Move].domain); i >= 0 && i < best {
			best = i
		}
	}
	return Domains[best]
}
