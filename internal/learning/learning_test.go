package learning

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/job"
	"preceptor/internal/privacy"
	"preceptor/internal/rule"
	"preceptor/internal/search"
)

var (
	expert     = knowledge.Person{ID: "e1", Name: "Edie", Roles: []string{"expert"}}
	supervisor = knowledge.Person{ID: "s1", Name: "Sam", Roles: []string{"supervisor"}}
)

// bench is a pipeline on a real database, with jobs that run when drained.
type bench struct {
	*Pipeline
	t     testing.TB
	clock *dbtest.Clock
	ctx   context.Context
}

func open(t testing.TB, r Reasoner, policy Policy) *bench {
	t.Helper()
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	dbtest.NothingWhole(t, d)
	jobs := job.New(d, slog.New(slog.DiscardHandler))
	kb := knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{Compliant: noAdvice})
	if r == nil {
		r = NewEmbedded(nil)
	}
	b := &bench{Pipeline: New(d, jobs, kb, r, privacy.New(), policy, slog.New(slog.DiscardHandler)), t: t, clock: clock,
		ctx: context.Background()}
	return b
}

func (b *bench) write(f func(tx *db.Tx) error) {
	b.t.Helper()
	if err := b.d.Write(b.ctx, f); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) decide(s Source) string {
	b.t.Helper()
	if s.DecisionID == "" {
		s.DecisionID = id.New()
	}
	if s.InteractionID == "" {
		s.InteractionID = id.New()
	}
	if s.AgentID == "" {
		s.AgentID, s.AgentName = "agent-1", "pension-advisor"
	}
	if s.By == "" {
		s.By = "Sam"
	}
	s.Situation.At = b.clock.Now()
	b.write(func(tx *db.Tx) error { return b.FromDecisionTx(tx, s) })
	return s.DecisionID
}

func (b *bench) release(decisionID string) {
	b.t.Helper()
	b.write(func(tx *db.Tx) error { return b.ReleasedTx(tx, decisionID) })
}

func (b *bench) undo(decisionID string) {
	b.t.Helper()
	b.write(func(tx *db.Tx) error { return b.WithdrawTx(tx, decisionID) })
}

func (b *bench) drain() {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	if err := b.jobs.Drain(ctx); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) lesson(decisionID string) Lesson {
	b.t.Helper()
	var l Lesson
	if err := b.d.Read(b.ctx, func(tx *db.Tx) error {
		got, ok, err := byCauseTx(tx, CauseDecision, decisionID)
		if err == nil && !ok {
			err = errors.New("the decision has no lesson")
		}
		l = got
		return err
	}); err != nil {
		b.t.Fatal(err)
	}
	full, err := b.Get(b.ctx, l.ID)
	if err != nil {
		b.t.Fatal(err)
	}
	return *full
}

func (b *bench) rule(l Lesson) *knowledge.Rule {
	b.t.Helper()
	r, err := b.kb.Rule(b.ctx, l.RuleID)
	if err != nil {
		b.t.Fatalf("rule of lesson %s (%s): %v", l.ID, l.Summary(), err)
	}
	return r
}

func (b *bench) rules(status string) []knowledge.Rule {
	b.t.Helper()
	list, _, err := b.kb.Rules(b.ctx, knowledge.Filter{Status: status, Limit: 500})
	if err != nil {
		b.t.Fatal(err)
	}
	return list
}

func (b *bench) cases() []knowledge.Case {
	b.t.Helper()
	list, _, err := b.kb.Cases(b.ctx, knowledge.Filter{Status: knowledge.Active, Limit: 500})
	if err != nil {
		b.t.Fatal(err)
	}
	return list
}

var dbCustomer = pack.Situation{Question: "What could I do with the £310,000 they've offered me?",
	Task: pack.DBTransfer, Age: 58,
	HasDB: true, HasDC: true, DBValue: 310_000, DCValue: 42_000, Literacy: "medium"}

const (
	draftWithoutWarning = "If it were transferred, you could take £77,500 tax free straight away and keep the rest " +
		"invested in a personal pension. " +
		"Income from the rest would be taxed as it is taken. MoneyHelper can tell you more."
	textWithWarning = "A defined benefit pension pays a guaranteed income for life. If you transfer it, you give up " +
		"that guarantee, it cannot be got back, and most people would be worse off. " +
		draftWithoutWarning
)

// lossWarning is what the corrected text says and the draft does not.
const lossWarning = "If you transfer it, you give up that guarantee, it cannot be got back, and most people would be " +
	"worse off."

// noAdvice stands for the compliance check of a rule's words.
func noAdvice(_, text string) string {
	if strings.Contains(text, "you should") {
		return "It is a personal recommendation."
	}
	return ""
}

// forDB is for whom the warning is.
func forDB() []rule.Condition {
	return []rule.Condition{{Kind: rule.Field, Name: "pensions", Op: rule.Has, Values: []string{"db"}}}
}

func warned() rule.Statement {
	return rule.Statement{When: forDB(), Do: rule.Act{Kind: rule.Include, Text: lossWarning},
		Because: "the guarantee cannot be got back"}
}

// dbRevision is a correction that adds the warning a DB customer needs, with the statement of it.
func dbRevision() Source {
	return Source{Kind: Revise, Task: pack.DBTransfer, Situation: dbCustomer, Question: dbCustomer.Question,
		AgentText: draftWithoutWarning, HumanText: textWithWarning,
		Reason: "The DB warning was missing.", Statements: []rule.Statement{warned()},
		Flags: []Flag{{Code: "MISSING_DB_WARNING", Why: "The guarantees are not mentioned."}}}
}

// corrected is a text for a DB customer that a person gave the warning; n keeps the customers apart. It teaches nothing
// else.
func corrected(n int) Source {
	s := dbRevision()
	s.Situation.Question = fmt.Sprintf("Question %d: can I move my final salary pension?", n)
	s.Question, s.Private, s.Statements = s.Situation.Question, true, nil
	s.AgentText, s.HumanText = fmt.Sprintf("%s Number %d.", draftWithoutWarning, n),
		fmt.Sprintf("%s Number %d.", textWithWarning, n)
	return s
}

// approval is guidance for a DB customer that went out as the advisor wrote it, warning and all.
func approval(n int) Source {
	s := corrected(n)
	s.Kind, s.Private, s.AgentText, s.Reason, s.Flags = Approve, false, s.HumanText, "", nil
	return s
}

// reverted is a text from which a person took the warning out.
func reverted(n int) Source {
	s := corrected(n)
	s.AgentText, s.HumanText = s.HumanText, s.AgentText
	return s
}

func TestAStatementBecomesARule(t *testing.T) {
	b := open(t, nil, Policy{})
	dec := b.decide(dbRevision())
	if l := b.lesson(dec); l.Stage != StageReflect || l.State != Running || l.Summary() != "Reflect …" {
		t.Fatalf("before any job: %s/%s %q", l.Stage, l.State, l.Summary())
	}
	b.drain()
	l := b.lesson(dec)
	if l.Stage != StageAccept || l.State != Waiting || !l.Provisional || l.RuleID == "" || l.Guessed ||
		!sameStatement(l.Statement, warned()) {
		t.Fatalf("%s/%s provisional=%v outcome=%q %+v", l.Stage, l.State, l.Provisional, l.Outcome, l.Statement)
	}
	if want := fmt.Sprintf("Reflect → Validate: unproven → Refine → Judge → Rule R-%d, waiting for acceptance",
		l.RuleNumber); l.Summary() != want {
		t.Errorf("summary %q, want %q", l.Summary(), want)
	}
	r := b.rule(l)
	if r.Status != knowledge.Candidate || r.CreatedFrom != l.ID || r.Domain != lightest("") || !r.Provisional ||
		!sameStatement(r.Statement, warned()) {
		t.Errorf("rule %+v", r)
	}
	if want := "When pensions includes a defined benefit pension, include “" + lossWarning +
		"” because the guarantee cannot be got back"; r.Principle != want || l.RuleText != want {
		t.Errorf("%q", r.Principle)
	}
	if !strings.Contains(l.Problem, "“The DB warning was missing”") ||
		!strings.Contains(l.Problem, "The guarantees are not mentioned.") {
		t.Errorf("problem %q", l.Problem)
	}
	names := ""
	for _, s := range l.Steps {
		names += s.Name + " " + s.AnsweredBy + ", "
	}
	if names != "reflect Sam, validate embedded reasoner, refine embedded reasoner, judge embedded reasoner, " {
		t.Errorf("steps: %s", names)
	}
}

func TestApprovalBecomesACaseOnlyOnceReleased(t *testing.T) {
	b := open(t, nil, Policy{})
	s := approval(1)
	s.AgentText += " Ring Jane Smith if anything is unclear."
	s.HumanText, s.Known = s.AgentText, []string{"Jane Smith"}
	dec := b.decide(s)
	b.drain()
	if l := b.lesson(dec); l.Stage != StageCase || l.State != Waiting || len(b.cases()) != 0 {
		t.Fatalf("before the release: %s/%s, %d cases", l.Stage, l.State, len(b.cases()))
	}
	b.release(dec)
	b.release(dec)
	b.drain()
	list := b.cases()
	if len(list) != 1 {
		t.Fatalf("%d cases", len(list))
	}
	c, l := list[0], b.lesson(dec)
	if !c.Approved || !c.Exemplar || c.Source != knowledge.FromReview || c.Origin != dec || c.Task != pack.DBTransfer ||
		c.Domain != lightest("") {
		t.Errorf("case %+v", c)
	}
	if l.State != Accepted || l.CaseNumber != c.Number || l.Summary() != c.Label() {
		t.Errorf("lesson %s: %q", l.State, l.Summary())
	}
	if strings.Contains(c.Guidance, "Jane") || strings.Contains(string(jsonOf(l.Source)), "Jane") {
		t.Errorf("a name was stored: %q", c.Guidance)
	}
}

func TestRevisedCaseKeepsTheDraftAsItsNegativeTwin(t *testing.T) {
	b := open(t, nil, Policy{})
	dec := b.decide(dbRevision())
	b.drain()
	if len(b.cases()) != 0 {
		t.Fatal("a case before the release")
	}
	b.release(dec)
	b.drain()
	c := b.cases()[0]
	if c.Guidance != textWithWarning || c.Negative != draftWithoutWarning || !c.Exemplar ||
		!strings.Contains(c.Outcome, "The DB warning was missing") {
		t.Errorf("case %+v", c)
	}
	if r := b.rule(b.lesson(dec)); len(r.Supporting) != 1 || r.Supporting[0] != c.ID || !r.Untested() ||
		!slices.Equal(r.MadeFrom, r.Supporting) {
		t.Errorf("the rule doesn't say that it was made from the case: %+v", r.RuleText)
	}
}

func TestRejectionTeachesAndIsNeverAnExemplar(t *testing.T) {
	b := open(t, nil, Policy{})
	s := dbRevision()
	s.Kind, s.HumanText, s.ReasonCode, s.Reason, s.Statements = Reject, "", "personal_recommendation",
		"It tells her to transfer, which is advice.", nil
	s.AgentText = "You should transfer it now, it is the best thing for you."
	dec := b.decide(s)
	b.drain()
	b.release(dec)
	b.drain()
	l := b.lesson(dec)
	if l.Stage != StageReflect || l.State != Unstated || !strings.Contains(l.Problem, "which is advice") {
		t.Errorf("%s %s: %q %s", l.Stage, l.Domain, l.RuleText, l.Outcome)
	}
	c, err := b.kb.Case(b.ctx, l.CaseID)
	if err != nil {
		t.Fatal(err)
	}
	if c.Exemplar || c.Approved || c.Guidance != "" || c.Negative == "" {
		t.Errorf("case of a rejection: %+v", c)
	}
}

func TestCosmeticRevisionTeachesNothing(t *testing.T) {
	b := open(t, nil, Policy{})
	s := dbRevision()
	s.AgentText, s.HumanText = textWithWarning, strings.Replace(textWithWarning, "life. If", "life.  If", 1)
	s.Reason, s.Statements, s.Flags = "Tidied up.", nil, nil
	dec := b.decide(s)
	b.drain()
	if l := b.lesson(dec); l.State != Nothing || l.Outcome == "" || l.Stage != StageReflect || l.RuleID != "" ||
		len(l.Steps) != 1 {
		t.Errorf("%s %q %d steps", l.State, l.Outcome, len(l.Steps))
	}
	if n := len(b.rules("")); n != 0 {
		t.Errorf("%d rules", n)
	}
}

func TestSameLessonTwiceIsOneRule(t *testing.T) {
	b := open(t, nil, Policy{})
	first, second := b.decide(dbRevision()), b.decide(dbRevision())
	b.drain()
	rules := b.rules("")
	if len(rules) != 1 {
		t.Fatalf("%d rules: %+v", len(rules), rules)
	}
	one, two := b.lesson(first), b.lesson(second)
	if one.SameAs {
		one, two, first, second = two, one, second, first
	}
	if one.State != Waiting || two.State != Nothing || !two.SameAs || two.RuleID != one.RuleID ||
		!strings.Contains(two.Outcome, fmt.Sprintf("same as rule R-%d", one.RuleNumber)) {
		t.Fatalf("%s and %s %q", one.State, two.State, two.Outcome)
	}
	b.release(second)
	b.drain()
	if r := b.rule(one); len(r.Supporting) != 1 {
		t.Errorf("the second case is no evidence: %v", r.Supporting)
	}
	if list, err := b.ForRule(b.ctx, one.RuleID); err != nil || len(list) != 2 {
		t.Errorf("lessons of the rule: %v %v", len(list), err)
	}
	b.undo(first) // what the second taught must not go with the first
	b.drain()
	if r := b.rule(one); r.Status != knowledge.Withdrawn {
		t.Errorf("rule of the undone decision is %s", r.Status)
	}
	if l := b.lesson(second); l.State != Waiting || l.SameAs || b.rule(l).CreatedFrom != l.ID ||
		b.rule(l).Status != knowledge.Candidate {
		t.Errorf("the other lesson: %s %q", l.State, l.Summary())
	}
}

func TestAccept(t *testing.T) {
	b := open(t, nil, Policy{})
	dec := b.decide(dbRevision())
	b.drain()
	l := b.lesson(dec)
	if _, err := b.Accept(b.ctx, l.ID, nil, l.Version, supervisor); !fault.Is(err, fault.Denied) {
		t.Errorf("a supervisor accepting: %v", err)
	}
	if _, err := b.Accept(b.ctx, l.ID, nil, l.Version-1, expert); !fault.Is(err, fault.Conflict) {
		t.Errorf("an old version: %v", err)
	}
	advice := warned()
	advice.Do.Text += " So you should keep it."
	if _, err := b.Accept(b.ctx, l.ID, &advice, l.Version, expert); !fault.Is(err, fault.Invalid) ||
		len(fault.Fields(err)) == 0 {
		t.Errorf("a personal recommendation: %v", err)
	}
	recalls := func() bool {
		rec, err := b.kb.Recall(b.ctx,
			knowledge.Query{AgentID: "agent-1", Text: "Can I transfer my final salary pension?",
				Situation: pack.Situation{Question: "Can I transfer my final salary pension?", HasDB: true},
				Task:      pack.DBTransfer})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rec.Rules {
			if r.ID == l.RuleID {
				return true
			}
		}
		return false
	}
	if recalls() {
		t.Error("a candidate is recalled")
	}
	edited := warned()
	edited.Do.Text = "A transfer cannot be undone."
	r, err := b.Accept(b.ctx, l.ID, &edited, l.Version, expert)
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != knowledge.Active || !sameStatement(r.Statement, edited) || r.Version != 2 ||
		len(r.Supporting) != 0 || !r.Provisional || !recalls() {
		t.Errorf("rule %+v, recalled %v", r, recalls())
	}
	got := b.lesson(dec)
	if got.State != Accepted || !sameStatement(got.Statement, edited) || got.RuleText != r.Principle ||
		!strings.Contains(got.Outcome, "Edie") || got.Steps[len(got.Steps)-3].AnsweredBy != "Edie" ||
		got.Steps[len(got.Steps)-3].Name != StageRefine || got.Steps[len(got.Steps)-2].Name != StageValidate {
		t.Errorf("%s %q %+v", got.State, got.Outcome, got.Steps)
	}
	if _, err := b.Accept(b.ctx, l.ID, nil, got.Version, expert); !fault.Is(err, fault.Conflict) ||
		!strings.Contains(fault.Message(err), "Edie") {
		t.Errorf("accepting twice: %v", err)
	}
	if err := b.Reject(b.ctx, l.ID, "no", l.Version, expert); !fault.Is(err, fault.Conflict) {
		t.Errorf("rejecting what is accepted: %v", err)
	}
	if n := b.audited("lesson.accepted"); n != 1 {
		t.Errorf("%d audit rows", n)
	}
}

func (b *bench) audited(action string) (n int) {
	b.t.Helper()
	if err := b.d.Reader().QueryRowContext(b.ctx, `SELECT count(*) FROM audit
		WHERE action = $1`, action).Scan(&n); err != nil {
		b.t.Fatal(err)
	}
	return n
}

func TestReject(t *testing.T) {
	b := open(t, nil, Policy{})
	dec := b.decide(dbRevision())
	b.drain()
	l := b.lesson(dec)
	if err := b.Reject(b.ctx, l.ID, "It is known.", l.Version, supervisor); !fault.Is(err, fault.Denied) {
		t.Errorf("a supervisor: %v", err)
	}
	if err := b.Reject(b.ctx, l.ID, "  ", l.Version, expert); !fault.Is(err, fault.Invalid) {
		t.Errorf("without a reason: %v", err)
	}
	if err := b.Reject(b.ctx, l.ID, "It is known.", l.Version-1, expert); !fault.Is(err, fault.Conflict) {
		t.Errorf("a page that is out of date: %v", err)
	}
	if err := b.Reject(b.ctx, l.ID, "It is known.", l.Version, expert); err != nil {
		t.Fatal(err)
	}
	if got := b.lesson(dec); got.State != Rejected || !strings.Contains(got.Outcome, "Edie: It is known.") ||
		b.rule(got).Status != knowledge.Rejected || b.audited("lesson.rejected") != 1 {
		t.Errorf("%s %q %s", got.State, got.Outcome, b.rule(got).Status)
	}
}

func TestPolicyAcceptsButNeverCompliance(t *testing.T) {
	p := Policy{AutoAccept: map[string]bool{RiskDisclosure: true, RegulatoryCompliance: true}}.withDefaults()
	for _, c := range []struct {
		domain      string
		provisional bool
		want        bool
	}{{RiskDisclosure, false, true}, {RiskDisclosure, true, false}, {RegulatoryCompliance, false, false},
		{"pension_education", false, false}} {
		if got := p.mayAutoAccept(c.domain, c.provisional); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	b := open(t, nil, Policy{Gate: GateSeed, Exemplars: 2, AutoAccept: map[string]bool{lightest(""): true}})
	for n := range 2 {
		b.release(b.decide(corrected(n)))
	}
	b.drain()
	dec := b.decide(dbRevision())
	b.drain()
	if l := b.lesson(dec); l.State != Accepted || b.rule(l).Status != knowledge.Active ||
		b.audited("lesson.accepted") != 1 {
		t.Errorf("%s/%s %q", l.Stage, l.State, l.Outcome)
	}
}
