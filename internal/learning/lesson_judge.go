package learning

import (
	"context"
	"sort"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
)

// me is who the path's own changes are recorded under.
var me = audit.System("learning")

// judge asks whether the rule deserves a place, and gives it one as a candidate, or finds the rule that says it already.
func (p *Pipeline) judge(ctx context.Context, l Lesson, _ *Source) (outcome, error) {
	readAt := p.d.Now()
	rules, err := p.livingRules(ctx, l.AgentID)
	if err != nil {
		return outcome{}, err
	}
	known := nearest(rules, l.RuleText, 5)
	c := Candidate{Rule: l.RuleText, Domain: l.Domain, Helpful: l.Helpful, Tried: l.Tried, Provisional: l.Provisional, Known: known,
		Regulation: RelevantRegulation(l.RuleText, l.Domain, readAt)}
	j, err := p.reasoner.Judge(ctx, c)
	if err != nil {
		return outcome{}, err
	}
	if err := j.check(); err != nil {
		return outcome{}, err
	}
	j.Regulation = cite(c.Regulation, j.Cites)
	same := sameAmong(known, l.RuleText, j.SameAs)
	rule := p.newRule(l)
	if j.Accept {
		if err := p.kb.PrepareRule(ctx, &rule); err != nil {
			return outcome{}, err
		}
	}
	return outcome{
		step: Step{AnsweredBy: p.reasoner.Name(), Input: jsonOf(c), Output: jsonOf(j)},
		change: func(tx *db.Tx, l *Lesson) error {
			if same == nil {
				same, err = p.bornSinceTx(tx, l, readAt.UnixMilli())
				if err != nil {
					return err
				}
			}
			if same != nil && j.Accept {
				if folded, err := p.foldTx(tx, l, same.ID); err != nil {
					return err
				} else if folded {
					same = nil
				}
			}
			switch {
			case same != nil:
				l.State, l.RuleID, l.RuleNumber, l.SameAs = Nothing, same.ID, same.Number, true
				l.Outcome = sameAs(same)
				return p.supportTx(tx, l, nil)
			case !j.Accept:
				l.State, l.Outcome = Rejected, "Not kept: "+lowerFirst(j.Why)
				return nil
			}
			return p.proposeTx(tx, l, rule)
		},
	}, nil
}

// check refuses a judgement that does not answer the four questions, or that accepts what failed one of them.
func (j *Judgement) check() error {
	seen := map[string]bool{}
	pass := true
	for _, h := range j.Heads {
		seen[h.Name] = true
		pass = pass && h.Pass
	}
	if len(j.Heads) != 4 || !seen[HeadBoundary] || !seen[HeadActionable] || !seen[HeadGeneral] || !seen[HeadValue] {
		return fault.New(fault.Unavailable, "The judgement came back without an answer to each of its four questions. It will be tried again.")
	}
	if j.Accept && !pass {
		j.Accept = false
	}
	if j.Why == "" {
		for _, h := range j.Heads {
			if !h.Pass {
				j.Why = h.Why
				break
			}
		}
	}
	return nil
}

// newRule is the candidate that a lesson leads to.
func (p *Pipeline) newRule(l Lesson) knowledge.Rule {
	r := knowledge.Rule{Status: knowledge.Candidate, AgentID: l.AgentID, Domain: l.Domain, By: me, Reason: "Learned from a decision by " + l.By + "."}
	if l.Origin == Reflected {
		r.Reason = "Learned from a reflection over many drafts."
	}
	pr, _ := pack.ParsePrinciple(l.RuleText) // refine made sure that it parses
	r.RuleText = knowledge.RuleText{
		Title: l.Title, Principle: l.RuleText, Situation: pr.Situation, Action: pr.Action, Because: pr.Because,
		Confidence: l.Confidence, Provisional: l.Provisional, FCACompliant: true, CreatedFrom: l.ID, Lead: pr.Lead(),
	}
	return r
}

// proposeTx adds the rule as a candidate, or as active where policy needs no person.
func (p *Pipeline) proposeTx(tx *db.Tx, l *Lesson, rule knowledge.Rule) error {
	var err error
	if rule.Supporting, rule.Counter, err = evidenceTx(tx, l.ID); err != nil {
		return err
	}
	auto := p.policy.mayAutoAccept(l.Domain, l.Provisional)
	if auto {
		rule.Status, rule.Reason = knowledge.Active, "Accepted by policy for "+strings.ToLower(DomainLabel(l.Domain))+"."
	}
	made, err := p.putRuleTx(tx, l, rule)
	if err != nil {
		return err
	}
	l.Stage, l.State, l.RuleID, l.RuleNumber = StageAccept, Waiting, made.ID, made.Number
	l.Outcome = "Waiting for an expert to accept it."
	if auto {
		l.State, l.Outcome = Accepted, rule.Reason
		if err := audit.Record(tx, audit.Entry{Actor: audit.System("policy"), Action: "lesson.accepted", ObjectKind: "lesson", ObjectID: l.ID,
			Content: map[string]any{"rule": made.ID, "text": l.RuleText}}); err != nil {
			return err
		}
	}
	tx.Touch("knowledge")
	return nil
}

// evidenceTx lists the cases that spoke for and against a lesson's principle when it was last validated.
func evidenceTx(tx *db.Tx, lessonID string) (supporting, counter []string, err error) {
	rows, err := tx.Query(`SELECT case_id, verdict FROM lesson_test WHERE lesson_id = $1 AND kind = 'exemplar' AND verdict <> 'silent'
		AND seq = (SELECT max(seq) FROM lesson_test WHERE lesson_id = $1) ORDER BY nr`, lessonID)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var caseID, verdict string
		if err := rows.Scan(&caseID, &verdict); err != nil {
			return nil, nil, err
		}
		if verdict == Helped {
			supporting = append(supporting, caseID)
		} else {
			counter = append(counter, caseID)
		}
	}
	return supporting, counter, rows.Err()
}

// livingRules lists the rules in use or waiting that an agent may see, and those in quarantine: what seems to do harm is not
// learned anew while a person looks at it.
func (p *Pipeline) livingRules(ctx context.Context, agentID string) ([]Known, error) {
	var out []Known
	for _, status := range []string{knowledge.Active, knowledge.Candidate, knowledge.Quarantined} {
		f := knowledge.Filter{AgentID: agentID, Status: status, Limit: 500}
		for {
			rules, next, err := p.kb.Rules(ctx, f)
			if err != nil {
				return nil, err
			}
			for _, r := range rules {
				out = append(out, Known{ID: r.ID, Number: r.Number, Status: r.Status, Text: r.Principle, Domain: r.Domain})
			}
			if next == "" {
				break
			}
			f.Cursor = next
		}
	}
	return out, nil
}

// bornSinceTx finds a rule that another lesson made, of the same words, after the rules were read.
func (p *Pipeline) bornSinceTx(tx *db.Tx, l *Lesson, sinceMs int64) (*Known, error) {
	young, err := queryLessons(tx, `SELECT `+lessonColumns+` FROM lesson WHERE state IN ('waiting', 'accepted') AND stage = 'accept'
		AND same_as = 0 AND agent_id = $1 AND updated_at >= $2 AND id <> $3`, l.AgentID, sinceMs, l.ID)
	if err != nil {
		return nil, err
	}
	for _, y := range young {
		if sameRule(y.RuleText, l.RuleText) {
			return &Known{ID: y.RuleID, Number: y.RuleNumber, Text: y.RuleText, Domain: y.Domain}, nil
		}
	}
	return nil, nil
}

// nearest are the n rules whose words come closest to text, nearest first.
func nearest(rules []Known, text string, n int) []Known {
	sort.SliceStable(rules, func(i, j int) bool { return likeness(rules[i].Text, text) > likeness(rules[j].Text, text) })
	return rules[:min(n, len(rules))]
}

// sameAmong is the rule that says the same as text: by its words, or as the judge named it.
func sameAmong(known []Known, text, named string) *Known {
	for i := range known {
		if sameRule(known[i].Text, text) {
			return &known[i]
		}
	}
	for i := range known {
		if named != "" && known[i].ID == named {
			return &known[i]
		}
	}
	return nil
}
