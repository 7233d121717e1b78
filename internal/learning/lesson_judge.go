package learning

import (
	"context"
	"slices"
	"sort"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// me is who the path's own changes are recorded under.
var me = audit.System("learning")

// judge asks whether the rule deserves a place, and gives it one as a candidate, or finds the rule that says it
// already. What the base's gate refuses goes back to a person.
func (p *Pipeline) judge(ctx context.Context, l Lesson, src *Source) (outcome, error) {
	if l.Statement.Empty() {
		return oldForm(StageJudge), nil
	}
	readAt := p.d.Now()
	c, err := p.candidate(ctx, l, src)
	if err != nil {
		return outcome{}, err
	}
	j, err := p.reasoner.Judge(ctx, c)
	if err != nil {
		return outcome{}, err
	}
	if err := j.check(); err != nil {
		return outcome{}, err
	}
	j.Regulation, j.Notes = cite(c.Regulation, j.Cites), c.Notes
	same := sameAmong(c, j.SameAs)
	rule := p.newRule(l)
	refused := len(c.Refused) > 0
	if j.Accept && !refused {
		if err := p.kb.PrepareRule(ctx, &rule); err != nil {
			return outcome{}, err
		}
	}
	return outcome{
		step: Step{AnsweredBy: p.reasoner.Name(), Input: jsonOf(c), Output: jsonOf(j)},
		change: func(tx *db.Tx, l *Lesson) error {
			if refused {
				l.Stage, l.State, l.Outcome = StageReflect, Unstated,
					"It can't become a rule as it is worded: "+fieldWords(c.Refused)
				return nil
			}
			if same == nil {
				if same, err = p.bornSinceTx(tx, l, readAt.UnixMilli()); err != nil {
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
				l.State, l.Outcome = Rejected, "Dropped: "+j.Why
				return nil
			}
			return p.proposeTx(tx, l, src, rule)
		},
	}, nil
}

// candidate is what the judge is given: the rule, what the gate says of it, and the rules that come near.
func (p *Pipeline) candidate(ctx context.Context, l Lesson, src *Source) (Candidate, error) {
	c := Candidate{Statement: l.Statement, Rule: l.RuleText, Pack: l.Pack, Situation: src.Situation, Domain: l.Domain,
		Helpful: l.Helpful, Tried: l.Tried,
		Provisional: l.Provisional, Regulation: RelevantRegulation(l.Pack, l.RuleText, l.Domain, p.d.Now())}
	v, err := p.vet(ctx, l, src, l.Statement)
	if err != nil && !fault.Is(err, fault.Invalid) {
		return c, err
	}
	if err != nil {
		if c.Refused = fault.Fields(err); len(c.Refused) == 0 {
			c.Refused = []fault.Field{{Name: "do", Msg: fault.Message(err)}}
		}
	} else if particular(l.Statement, src.Situation) {
		c.Refused = []fault.Field{
			{Name: "text", Msg: "It has words from one customer. Make them general or remove them."}}
	}
	if v.Same != nil {
		same := knownOf(*v.Same)
		c.Same = &same
	}
	c.Notes = v.Notes
	rules, err := p.livingRules(ctx, l.AgentID)
	if err != nil {
		return c, err
	}
	for i, k := range rules { // the gate does not look at what is in quarantine
		if c.Same == nil && k.Status == knowledge.Quarantined && sameRule(k.Statement, l.Statement) {
			c.Same = &rules[i]
		}
	}
	c.Known = nearest(slices.Clone(rules), l.RuleText, 5)
	return c, nil
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
		return fault.New(fault.Unavailable,
			"The judgement doesn't answer all four of its questions. It will be tried again.")
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
	r := knowledge.Rule{Status: knowledge.Candidate, AgentID: l.AgentID, Domain: l.Domain, By: me,
		Reason: "Learned from a decision by " + l.By + ".", RuleText: l.ruleText()}
	if l.Origin == Reflected {
		r.Reason = "Learned from a reflection on many drafts."
	}
	if l.Origin == Proposed {
		r.Reason = "Proposed by an agent, and approved by " + l.By + "."
	}
	return r
}

// proposeTx adds the rule as a candidate, or as active where a person approved it before, or policy needs none.
func (p *Pipeline) proposeTx(tx *db.Tx, l *Lesson, src *Source, rule knowledge.Rule) error {
	var err error
	if rule.Supporting, rule.Counter, err = evidenceTx(tx, l.ID); err != nil {
		return err
	}
	if kept, err := keptCasesTx(tx, *l); err != nil {
		return err
	} else if len(kept) > 0 {
		rule.Supporting, rule.MadeFrom = union(rule.Supporting, kept), kept
	}
	auto := !l.Guessed && p.policy.mayAutoAccept(l.Domain, l.Provisional)
	if auto {
		label := strings.ToLower(pack.DomainLabel(l.Domain, l.Pack))
		rule.Status, rule.Reason = knowledge.Active, "Accepted by policy for "+label+"."
	}
	actor := audit.System("policy")
	if by, ok := src.approval(*l); ok {
		auto, actor = true, by.Actor()
		rule.Status, rule.By, rule.Reason = knowledge.Active, actor, "Approved by "+by.Name+"."
	}
	made, err := p.putRuleTx(tx, l, rule)
	if err != nil {
		return err
	}
	l.Stage, l.State, l.RuleID, l.RuleNumber = StageAccept, Waiting, made.ID, made.Number
	l.Outcome = "Waiting for an expert to accept it."
	if auto {
		l.State, l.Outcome = Accepted, rule.Reason
		if err := audit.Note(tx, actor, "lesson.accepted", "lesson", l.ID,
			map[string]any{"rule": made.ID, "text": l.RuleText}); err != nil {
			return err
		}
	}
	tx.Touch("knowledge")
	return nil
}

// keptCasesTx are the cases that the lessons of l's cause have kept: the case of a decision speaks for each of its
// rules.
func keptCasesTx(tx *db.Tx, l Lesson) (ids []string, err error) {
	cause, _, _ := strings.Cut(l.CauseID, "#")
	list, err := ofCauseTx(tx, l.Cause, cause)
	for _, other := range list {
		if other.CaseState == CaseKept {
			ids = append(ids, other.CaseID)
		}
	}
	return ids, err
}

// evidenceTx lists the cases that spoke for and against a lesson's statement when it was last validated.
func evidenceTx(tx *db.Tx, lessonID string) (supporting, counter []string, err error) {
	err = db.Each(tx, "learning: evidence", func(row db.Row) error {
		var caseID, verdict string
		if err := row.Scan(&caseID, &verdict); err != nil {
			return err
		}
		if verdict == Helped {
			supporting = append(supporting, caseID)
		} else {
			counter = append(counter, caseID)
		}
		return nil
	}, `SELECT case_id, verdict FROM lesson_test WHERE lesson_id = $1 AND kind = 'exemplar' AND verdict <> 'silent'
		AND seq = (SELECT max(seq) FROM lesson_step WHERE lesson_id = $1 AND name = 'validate' AND state = 'done')
			ORDER BY nr`, lessonID)
	return supporting, counter, err
}

// livingRules lists the rules in use or waiting that an agent may see, and those in quarantine: what seems to do harm
// is not learned anew while a person looks at it.
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
				out = append(out, knownOf(r))
			}
			if next == "" {
				break
			}
			f.Cursor = next
		}
	}
	return out, nil
}

// bornSinceTx finds a rule that another lesson made, of the same statement, after the rules were read.
func (p *Pipeline) bornSinceTx(tx *db.Tx, l *Lesson, sinceMs int64) (*Known, error) {
	young, err := lessonsTx(tx, `WHERE state IN ('waiting', 'accepted') AND stage = 'accept'
		AND same_as = 0 AND agent_id = $1 AND updated_at >= $2 AND id <> $3`, l.AgentID, sinceMs, l.ID)
	if err != nil {
		return nil, err
	}
	for _, y := range young {
		if sameRule(y.Statement, l.Statement) {
			r, err := p.kb.RuleTx(tx, y.RuleID)
			if err != nil {
				return nil, err
			}
			k := knownOf(*r)
			return &k, nil
		}
	}
	return nil, nil
}

// nearest are the n rules whose words come closest to text, nearest first.
func nearest(rules []Known, text string, n int) []Known {
	sort.SliceStable(rules, func(i, j int) bool {
		return likeness(rules[i].Text, text) > likeness(rules[j].Text, text)
	})
	return rules[:min(n, len(rules))]
}

// sameAmong is the rule that says the same: as the base's gate says, or as the judge named it.
func sameAmong(c Candidate, named string) *Known {
	if c.Same != nil {
		return c.Same
	}
	for i := range c.Known {
		if named != "" && c.Known[i].ID == named {
			return &c.Known[i]
		}
	}
	return nil
}
