package learning

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/db"
	"preceptor/internal/db/dbtest"
	"preceptor/internal/fault"
	"preceptor/internal/id"
	"preceptor/internal/job"
	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/pack"
	"preceptor/internal/privacy"
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
	kb := knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{})
	if r == nil {
		r = NewEmbedded(compliance.NewChecker(d.Now))
	}
	b := &bench{Pipeline: New(d, jobs, kb, r, privacy.New(), policy, slog.New(slog.DiscardHandler)), t: t, clock: clock, ctx: context.Background()}
	b.UseDrafter(plainDrafter)
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
		got, ok, err := byDecisionTx(tx, decisionID)
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

var dbCustomer = pack.Situation{Question: "What could I do with the £310,000 they've offered me?", Task: pack.DBTransfer, Age: 58,
	HasDB: true, HasDC: true, DBValue: 310_000, DCValue: 42_000, Literacy: "medium"}

const (
	draftWithoutWarning = "If it were transferred, you could take £77,500 tax free straight away and keep the rest invested in a personal pension. " +
		"Income from the rest would be taxed as it is taken. MoneyHelper can tell you more."
	textWithWarning = "A defined benefit pension pays a guaranteed income for life. If you transfer it, you give up that guarantee, it cannot be got back, and most people would be worse off. " +
		draftWithoutWarning
)

// dbRevision is a correction that adds the warning a DB customer needs.
func dbRevision() Source {
	return Source{Kind: Revise, Task: pack.DBTransfer, Situation: dbCustomer, Question: dbCustomer.Question, AgentText: draftWithoutWarning, HumanText: textWithWarning,
		Reason: "The DB warning was missing.", Feedback: "Warn about the guarantees that would be lost.", Flags: []Flag{{Code: "MISSING_DB_WARNING", Why: "The guarantees are not mentioned."}}}
}

// approval is guidance for a DB customer that a person approved, warning and all; n keeps the texts apart.
func approval(n int) Source {
	s := Source{Kind: Approve, Task: pack.DBTransfer, Situation: dbCustomer, AgentText: fmt.Sprintf("%s This is general guidance number %d.", textWithWarning, n)}
	s.Situation.Question = fmt.Sprintf("Question %d: can I move my final salary pension?", n)
	s.Question, s.HumanText = s.Situation.Question, s.AgentText
	return s
}

func TestRevisionBecomesARuleThatActsOnOtherCustomers(t *testing.T) {
	b := open(t, nil, Policy{})
	dec := b.decide(dbRevision())
	if l := b.lesson(dec); l.Stage != StageReflect || l.State != Running || l.Summary() != "Reflect …" {
		t.Fatalf("before any job: %s/%s %q", l.Stage, l.State, l.Summary())
	}
	b.drain()
	l := b.lesson(dec)
	if l.Stage != StageAccept || l.State != Waiting || !l.Provisional || l.RuleID == "" {
		t.Fatalf("%s/%s provisional=%v outcome=%q", l.Stage, l.State, l.Provisional, l.Outcome)
	}
	if want := fmt.Sprintf("Reflect → Validate on its own case → Refine → Judge → Rule R-%d, waiting for acceptance", l.RuleNumber); l.Summary() != want {
		t.Errorf("summary %q, want %q", l.Summary(), want)
	}
	r := b.rule(l)
	if r.Status != knowledge.Candidate || r.CreatedFrom != l.ID || r.Domain != RiskDisclosure || !r.Provisional {
		t.Errorf("rule %+v", r)
	}
	pr, err := pack.ParsePrinciple(r.Principle)
	if err != nil || pr.Situation == "" || pr.Action == "" || pr.Because == "" {
		t.Fatalf("%q parses as %+v (%v)", r.Principle, pr, err)
	}
	for question, s := range map[string]pack.Situation{
		"same task":    {Question: "Shall I move my works pension?", Task: pack.DBTransfer, HasDB: true, Age: 61},
		"other task":   {Question: "How much can I take tax free?", Task: pack.TaxFreeCash, HasDB: true, HasDC: true},
		"combining":    {Question: "Should I put them together?", Task: pack.Consolidation, HasDB: true, HasDC: true, Literacy: "low"},
		"no task":      {Question: "What are my choices at 60?", HasDB: true},
		"in the words": {Question: "I've got a final salary pension with the council, can I cash it in?"},
	} {
		if ok, _ := pr.Applies(s); !ok {
			t.Errorf("%s: %q does not apply to another DB customer", question, r.Principle)
		}
	}
	if ok, why := pr.Applies(pack.Situation{Question: "Should I put my pots together?", Task: pack.Consolidation, HasDC: true}); ok {
		t.Errorf("%q applies to a customer without a DB pension: %v", r.Principle, why)
	}
	if pr.Present(draftWithoutWarning) || !pr.Present(textWithWarning) {
		t.Errorf("present in the draft %v, in the correction %v", pr.Present(draftWithoutWarning), pr.Present(textWithWarning))
	}
	names := ""
	for _, s := range l.Steps {
		names += s.Name + " "
		if s.AnsweredBy != "embedded reasoner" || len(s.Input) < 3 || len(s.Output) < 3 || s.State != StepDone {
			t.Errorf("step %+v", s)
		}
	}
	if names != "reflect validate refine judge " {
		t.Errorf("steps: %s", names)
	}
}

func TestValidateCountsApprovedCasesAndContrasts(t *testing.T) {
	b := open(t, nil, Policy{})
	for n := range 4 {
		b.release(b.decide(approval(n)))
	}
	other := Source{Kind: Approve, Task: pack.TaxFreeCash, AgentText: "Usually a quarter of a pot can be taken free of tax. Leaving the guarantee of nothing aside, the rest is taxed.",
		Situation: pack.Situation{Question: "How much can I take tax free?", Task: pack.TaxFreeCash, HasDC: true, DCValue: 80_000}}
	other.Question, other.HumanText = other.Situation.Question, other.AgentText
	b.release(b.decide(other))
	b.drain()
	dec := b.decide(dbRevision())
	b.drain()
	l := b.lesson(dec)
	if l.Tried != 4 || l.Helpful != 4 || !l.Provisional || l.MustNotFire < 3 || l.Held != l.MustNotFire {
		t.Fatalf("helped %d of %d, held %d of %d, provisional %v: %s", l.Helpful, l.Tried, l.Held, l.MustNotFire, l.Provisional, l.Outcome)
	}
	if !strings.HasPrefix(l.Summary(), "Reflect → Validate 4/4 → Refine") {
		t.Errorf("summary %q", l.Summary())
	}
	kinds := map[string]int{}
	for _, c := range l.Steps[1].Cases {
		kinds[c.Kind]++
		if c.Why == "" || c.Kind == TestExemplar && (c.CaseID == "" || c.Number == 0 || !c.Fired) {
			t.Errorf("case test %+v", c)
		}
	}
	if kinds[TestOrigin] != 1 || kinds[TestExemplar] != 4 || kinds[TestMustNotFire] < 3 {
		t.Errorf("tests: %v", kinds)
	}
	var g Gate
	if err := b.d.Read(b.ctx, func(tx *db.Tx) error { return lastOutputTx(tx, l.ID, StageValidate, &g) }); err != nil || !strings.Contains(g.Why, "4 of 4 cases; provisional: 60 % is sure") {
		t.Errorf("%v, gate says %q", err, g.Why)
	}
	if r := b.rule(l); len(r.Supporting) != 4 {
		t.Errorf("the rule's evidence: %v", r.Supporting)
	}
	for n := range 7 {
		b.release(b.decide(approval(10 + n)))
	}
	b.drain()
	b.undo(dec)
	again := b.decide(dbRevision())
	b.drain()
	if l := b.lesson(again); l.Tried != 10 || l.Helpful != 10 || l.Provisional || l.Confidence != 1 {
		t.Errorf("with enough exemplars: %d of %d, provisional %v, confidence %v: %s", l.Helpful, l.Tried, l.Provisional, l.Confidence, l.Outcome)
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
	if !c.Approved || !c.Exemplar || c.Source != knowledge.FromReview || c.Origin != dec || c.Task != pack.DBTransfer || c.Domain != RiskDisclosure || len(c.SuccessFactors) == 0 {
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
	if c.Guidance != textWithWarning || c.Negative != draftWithoutWarning || !c.Exemplar || !strings.Contains(c.Outcome, "The DB warning was missing") {
		t.Errorf("case %+v", c)
	}
	if r := b.rule(b.lesson(dec)); len(r.Supporting) != 1 || r.Supporting[0] != c.ID {
		t.Errorf("the case is no evidence for the rule: %v", r.Supporting)
	}
}

func TestRejectionTeachesAndIsNeverAnExemplar(t *testing.T) {
	b := open(t, nil, Policy{})
	s := dbRevision()
	s.Kind, s.HumanText, s.ReasonCode, s.Reason, s.Feedback = Reject, "", "personal_recommendation", "It tells her to transfer, which is advice.", ""
	s.AgentText = "You should transfer it now, it is the best thing for you."
	dec := b.decide(s)
	b.drain()
	b.release(dec)
	b.drain()
	l := b.lesson(dec)
	if l.Stage != StageAccept || l.Domain != RegulatoryCompliance || !strings.Contains(l.RuleText, "depersonalised") {
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
	s.Reason, s.Feedback, s.Flags = "Tidied up.", "", nil
	dec := b.decide(s)
	b.drain()
	if l := b.lesson(dec); l.State != Nothing || l.Outcome == "" || l.Stage != StageReflect || l.RuleID != "" || len(l.Steps) != 1 {
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
	if one.State != Waiting || two.State != Nothing || !two.SameAs || two.RuleID != one.RuleID || !strings.Contains(two.Outcome, fmt.Sprintf("same as rule R-%d", one.RuleNumber)) {
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
	if l := b.lesson(second); l.State != Waiting || l.SameAs || b.rule(l).CreatedFrom != l.ID || b.rule(l).Status != knowledge.Candidate {
		t.Errorf("the other lesson: %s %q", l.State, l.Summary())
	}
}

func TestAccept(t *testing.T) {
	b := open(t, nil, Policy{})
	dec := b.decide(dbRevision())
	b.drain()
	l := b.lesson(dec)
	if _, err := b.Accept(b.ctx, l.ID, "", l.Version, supervisor); !fault.Is(err, fault.Denied) {
		t.Errorf("a supervisor accepting: %v", err)
	}
	if _, err := b.Accept(b.ctx, l.ID, "", l.Version-1, expert); !fault.Is(err, fault.Conflict) {
		t.Errorf("an old version: %v", err)
	}
	if _, err := b.Accept(b.ctx, l.ID, "Be nice", l.Version, expert); !fault.Is(err, fault.Invalid) || len(fault.Fields(err)) == 0 {
		t.Errorf("a text without three parts: %v", err)
	}
	recalls := func() bool {
		rec, err := b.kb.Recall(b.ctx, knowledge.Query{AgentID: "agent-1", Text: "Can I transfer my final salary pension?",
			Situation: pack.Situation{Question: "Can I transfer my final salary pension?", HasDB: true}, Task: pack.DBTransfer})
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
	edited := strings.Replace(l.RuleText, " because ", ", in plain words, because ", 1)
	r, err := b.Accept(b.ctx, l.ID, edited, l.Version, expert)
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != knowledge.Active || r.Principle != edited || r.Version != 2 || !recalls() {
		t.Errorf("rule %+v, recalled %v", r, recalls())
	}
	got := b.lesson(dec)
	if got.State != Accepted || got.RuleText != edited || !strings.Contains(got.Outcome, "Edie") || got.Steps[len(got.Steps)-3].AnsweredBy != "Edie" || got.Steps[len(got.Steps)-3].Name != StageRefine || got.Steps[len(got.Steps)-2].Name != StageJudge {
		t.Errorf("%s %q %+v", got.State, got.Outcome, got.Steps)
	}
	if _, err := b.Accept(b.ctx, l.ID, "", got.Version, expert); !fault.Is(err, fault.Conflict) || !strings.Contains(fault.Message(err), "Edie") {
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
	if err := b.d.Reader().QueryRowContext(b.ctx, `SELECT count(*) FROM audit WHERE action = $1`, action).Scan(&n); err != nil {
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
	if got := b.lesson(dec); got.State != Rejected || !strings.Contains(got.Outcome, "Edie: It is known.") || b.rule(got).Status != knowledge.Rejected || b.audited("lesson.rejected") != 1 {
		t.Errorf("%s %q %s", got.State, got.Outcome, b.rule(got).Status)
	}
}

func TestPolicyAcceptsButNeverCompliance(t *testing.T) {
	p := Policy{AutoAccept: map[string]bool{RiskDisclosure: true, RegulatoryCompliance: true}}.withDefaults()
	for _, c := range []struct {
		domain      string
		provisional bool
		want        bool
	}{{RiskDisclosure, false, true}, {RiskDisclosure, true, false}, {RegulatoryCompliance, false, false}, {PensionEducation, false, false}} {
		if got := p.mayAutoAccept(c.domain, c.provisional); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	b := open(t, nil, Policy{Gate: GateSeed, Exemplars: 2, AutoAccept: map[string]bool{RiskDisclosure: true}})
	for n := range 2 {
		b.release(b.decide(approval(n)))
	}
	b.drain()
	dec := b.decide(dbRevision())
	b.drain()
	if l := b.lesson(dec); l.State != Accepted || b.rule(l).Status != knowledge.Active || b.audited("lesson.accepted") != 1 {
		t.Errorf("%s/%s %q", l.Stage, l.State, l.Outcome)
	}
}
