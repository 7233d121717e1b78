package app_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
)

// scripted is a judge that always says the same.
type scripted struct{ vote compliance.Vote }

func (s scripted) Name() string { return s.vote.Judge }
func (s scripted) Local() bool  { return true }
func (s scripted) Judge(context.Context, compliance.Subject) (compliance.Vote, error) {
	return s.vote, nil
}

const steer = "Given your situation, you might want to consider consolidating those pensions."

// withSeedsPanel has the three judges of seed 000 vote, as in its example.
func withSeedsPanel(s spine) {
	var p compliance.Panel
	for _, v := range []compliance.Vote{
		{Judge: "gpt-4", Confidence: 0.75, Boundary: compliance.Advice,
			Reasoning: "'might want to' is a softened recommendation. Suggests personal direction."},
		{Judge: "claude", Passed: true, Confidence: 0.70, Boundary: compliance.OnTheBoundary,
			Reasoning: "'consider' is option language, not directive."},
		{Judge: "gpt-4 v2", Confidence: 0.82, Boundary: compliance.Advice,
			Reasoning: "'Given your situation' personalizes it, making it advice-like."},
	} {
		p.Judges = append(p.Judges, scripted{v})
	}
	s.Validator = compliance.New(compliance.NewChecker(s.DB.Now), p)
	s.Validator.Rubric = s.Borderline.Rubric
}

// steered submits the seed's draft and returns its id.
func (s spine) steered(t *testing.T) string {
	t.Helper()
	r := s.agent.JSON(t, http.MethodPost, "/api/guidance",
		`{"agent":"pension-advisor","consultation":{"question":"What could I do with my old pensions?","task_type":"pension_consolidation",
		"customer":{"age":47,"literacy":"medium","pensions":[{"kind":"dc","value_gbp":18000},{"kind":"dc","value_gbp":9000}]}},"guidance":"`+steer+`","reasoning":"Several small pots."}`)
	if r.Status != http.StatusCreated && r.Status != http.StatusAccepted {
		t.Fatalf("submit: %d %s", r.Status, r.Body)
	}
	return s.id(t, r)
}

func (s spine) caseOf(t *testing.T, id string) borderline.Case {
	t.Helper()
	cases, _, err := s.Borderline.ForInteraction(t.Context(), id)
	if err != nil || len(cases) != 1 {
		t.Fatalf("%d borderline cases: %v", len(cases), err)
	}
	return cases[0]
}

func personOf(c *apptest.Client) borderline.Person {
	return borderline.Person{ID: c.Account.ID, Name: c.Account.Name}
}

func (s spine) rule(t *testing.T, c borderline.Case, label compliance.Label,
	boundary, rationale string) *borderline.Ruling {
	t.Helper()
	by := personOf(s.expert)
	_, err := s.Borderline.AnswerBlind(t.Context(),
		borderline.Input{CaseID: c.ID, By: by, TextHash: c.TextHash, Label: label, Boundary: boundary, Confidence: 0.9,
			Rationale: rationale})
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Borderline.Keep(t.Context(), c.ID, by)
	if err != nil || r == nil {
		t.Fatal(r, err)
	}
	return r
}

func (s spine) approve(t *testing.T, id string) apptest.Response {
	t.Helper()
	return s.supervisor.Post(t, "/reviews/"+id+"/approve", s.shown(t, id, "revise"))
}

func (s spine) lessonOf(t *testing.T, id string) learning.Lesson {
	t.Helper()
	list, err := s.Learning.ForInteraction(t.Context(), id)
	if err != nil || len(list) != 1 {
		t.Fatalf("lessons %+v: %v", list, err)
	}
	return list[0]
}

// state has the expert say what a lesson teaches.
func (s spine) state(t *testing.T, l learning.Lesson, st rule.Statement) {
	t.Helper()
	by := knowledge.Person{ID: s.expert.Account.ID, Name: s.expert.Account.Name, Roles: []string{"expert"}}
	if err := s.Learning.State(t.Context(), l.ID, []rule.Statement{st}, l.Version, by); err != nil {
		t.Fatal(err, fault.Fields(err))
	}
	s.Drain(t)
}

// Acceptance 2 of issue 4: the seed's three votes give exactly its outcome, and its lesson arrives on the learning
// path.
func TestTheSeedsBorderlineCaseBecomesItsLesson(t *testing.T) {
	s := openSpine(t)
	withSeedsPanel(s)
	id := s.steered(t)
	rec, err := s.Compliance.Latest(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if v := rec.Verdict; v.Passed || v.Source != compliance.Consensus || v.Split != "2-1 failed" ||
		int(v.Confidence*100+0.5) != 76 || int(v.Violation*100+0.5) != 62 || !v.RequiresHumanReview {
		t.Errorf("the seed says FAILED 2/3, 0.76, human review required: %+v", v)
	}
	c := s.caseOf(t, id)
	s.rule(t, c, compliance.NonCompliant, compliance.Advice,
		"A softened steer that rests on this person's circumstances.")
	s.Drain(t)
	l := s.lessonOf(t, id)
	if l.State != learning.Unstated || l.Domain != learning.RegulatoryCompliance || l.Origin != learning.Ruling ||
		!strings.Contains(l.Problem, "A softened steer") {
		t.Fatalf("the lesson: %+v", l)
	}
	s.state(t, l, rule.Statement{When: []rule.Condition{{Kind: rule.Scope, Values: []string{rule.Universal}}},
		Because: "it reads as a recommendation",
		Do:      rule.Act{Kind: rule.Never, Phrases: []string{"you might want to", "given your situation"}}})
	if l = s.lessonOf(t, id); l.Stage != learning.StageAccept || l.State != learning.Waiting ||
		!strings.Contains(l.RuleText,
			"never say “you might want to” or “given your situation” because it reads as a recommendation") {
		t.Errorf("stated: %s %q %q", l.State, l.Outcome, l.RuleText)
	}
	if r := s.approve(t, id); r.Status == http.StatusSeeOther || !strings.Contains(r.Body, "ruled that this text") {
		t.Errorf("approved against the ruling: %d %s", r.Status, notices(r.Body))
	}
	if row, err := s.Reviews.Get(t.Context(), id); err != nil || !row.Assessment.Blocked ||
		row.Assessment.Flags[len(row.Assessment.Flags)-1].Code != "EXPERT_RULING" {
		t.Errorf("the desk does not carry the ruling: %+v %v", row.Assessment, err)
	}
	if err := s.Borderline.Undo(t.Context(), c.ID, personOf(s.expert)); err != nil {
		t.Fatal(err)
	}
	if l := s.lessonOf(t, id); l.State != learning.Withdrawn {
		t.Errorf("the ruling was undone, and its lesson is %s", l.State)
	}
}

// That there is no guidance answers nobody's question, so approving it makes no case that later questions are shown.
func TestAnApprovedNoAnswerIsNoCase(t *testing.T) {
	s := openSpine(t)
	r := s.agent.JSON(t, http.MethodPost, "/api/guidance",
		`{"agent":"pension-advisor","consultation":{"question":"Where do I find a pension I lost?","customer":{"age":47}},
		"guidance":"Hello,\n\n`+pack.Of(pack.Pension).Frames.Unknown+`"}`)
	id := s.id(t, r)
	if r := s.approve(t, id); r.Status != http.StatusSeeOther {
		t.Fatalf("approve: %d %s", r.Status, notices(r.Body))
	}
	s.Drain(t)
	if list, err := s.Learning.ForInteraction(t.Context(), id); err != nil || len(list) > 0 {
		t.Errorf("it teaches: %+v, %v", list, err)
	}
}

func TestACompliantRulingReleases(t *testing.T) {
	s := openSpine(t)
	withSeedsPanel(s)
	id := s.steered(t)
	c := s.caseOf(t, id)
	s.rule(t, c, compliance.Compliant, compliance.Guidance, "It leaves the choice open.")
	if r := s.approve(t, id); r.Status != http.StatusSeeOther {
		t.Fatalf("approve after the ruling: %d %s", r.Status, notices(r.Body))
	}
	if err := s.Borderline.Undo(t.Context(), c.ID, personOf(s.expert)); err == nil {
		t.Error("a ruling was undone although the supervisor had decided")
	}
	s.Drain(t)
	for _, l := range func() []learning.Lesson { l, _ := s.Learning.ForInteraction(t.Context(), id); return l }() {
		if l.Origin == learning.Ruling && l.State != learning.Nothing {
			t.Errorf("a compliant ruling asks for something: %+v", l)
		}
	}
}

func TestASupervisorWhoRejectsOvertakesTheExperts(t *testing.T) {
	s := openSpine(t)
	withSeedsPanel(s)
	id := s.steered(t)
	form := s.shown(t, id, "reject")
	for k, v := range (url.Values{"reason_code": {"personal_recommendation"}, "reason": {"It steers."}}) {
		form[k] = v
	}
	if r := s.supervisor.Post(t, "/reviews/"+id+"/reject", form); r.Status != http.StatusSeeOther {
		t.Fatalf("reject: %d %s", r.Status, notices(r.Body))
	}
	if c := s.caseOf(t, id); c.State != borderline.Overtaken {
		t.Errorf("the case is %s", c.State)
	}
	list, err := s.Reviews.DecisionsFor(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if r := s.supervisor.Post(t, "/decisions/"+list[0].ID+"/undo", url.Values{}); r.Status != http.StatusSeeOther {
		t.Fatalf("undo: %d %s", r.Status, notices(r.Body))
	}
	if c := s.caseOf(t, id); c.State != borderline.Waiting {
		t.Errorf("after undo the case is %s", c.State)
	}
}

// Seed 000, case 1: a critical check is no borderline case and goes to learning at once, once per check.
func TestACriticalCheckTeachesUrgently(t *testing.T) {
	s := openSpine(t)
	body := `{"agent":"pension-advisor","consultation":{"question":"Should I transfer my final salary pension?","task_type":"db_transfer","customer":{"age":58,"pensions":[{"kind":"db","value_gbp":310000}]}},
		"guidance":"You should transfer your final salary pension to a personal pension now.","reasoning":"."}`
	r := s.agent.JSON(t, http.MethodPost, "/api/guidance", body)
	id := s.id(t, r)
	if cases, _, err := s.Borderline.ForInteraction(t.Context(), id); len(cases) != 0 || err != nil {
		t.Errorf("enrolled: %v %v", cases, err)
	}
	l := s.lessonOf(t, id)
	if l.Origin != learning.Verdict || l.Code == "" {
		t.Fatalf("%+v", l)
	}
	again := s.agent.JSON(t, http.MethodPost, "/api/guidance", strings.Replace(body, " now.", " soon.", 1))
	if list, _ := s.Learning.ForInteraction(t.Context(), s.id(t, again)); len(list) != 0 {
		t.Errorf("the same check taught twice: %+v", list)
	}
	s.Drain(t)
	if l := s.lessonOf(t, id); l.Stage != learning.StageAccept || l.Domain != learning.RegulatoryCompliance {
		t.Errorf("%+v", l)
	}
}

func TestOnlyExpertsRule(t *testing.T) {
	s := openSpine(t)
	withSeedsPanel(s)
	c := s.caseOf(t, s.steered(t))
	for _, role := range []account.Role{account.Supervisor, account.Manager, account.Admin} {
		by := personOf(s.SignedIn(t, role))
		_, err := s.Borderline.AnswerBlind(t.Context(),
			borderline.Input{CaseID: c.ID, By: by, TextHash: c.TextHash, Label: compliance.Borderline,
				Boundary: compliance.OnTheBoundary, Confidence: 1, Rationale: "Mine."})
		if err == nil {
			t.Errorf("%s answered", role)
		}
	}
}

func TestAWithdrawalOvertakesTheExpertsInItsAgentsName(t *testing.T) {
	s := openSpine(t)
	withSeedsPanel(s)
	id := s.steered(t)
	in, err := s.Interactions.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	by := audit.Actor{Kind: audit.Agent, ID: in.AgentID, Name: in.AgentName}
	if err := s.Reviews.Withdraw(t.Context(), id, in.AgentID, "Solved.", by); err != nil {
		t.Fatal(err)
	}
	page, err := audit.List(t.Context(), s.DB, audit.Filter{Action: "borderline.overtaken"})
	if err != nil || len(page.Rows) != 1 || page.Rows[0].Actor != by {
		t.Errorf("%+v, %v", page.Rows, err)
	}
}
