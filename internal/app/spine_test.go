package app_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/demo"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
	"preceptor/internal/platform/config"
	"preceptor/internal/review"
)

// spine is the program with the demo's guidance, an agent, a supervisor and an expert, all over HTTP.
type spine struct {
	*apptest.Site
	agent, supervisor, expert *apptest.Client
}

func openSpine(t *testing.T) spine {
	t.Helper()
	s := spine{Site: apptest.Open(t, func(c *config.Config) { c.Hold = 30 * time.Second })}
	if _, err := s.Knowledge.Import(t.Context(), demo.Guidance(),
		knowledge.ImportOptions{By: audit.System("test")}); err != nil {
		t.Fatal(err)
	}
	s.agent = s.Nobody(t)
	s.agent.Header.Set("Authorization", "Bearer "+s.Token(t, account.Submit, account.Recall))
	s.supervisor, s.expert = s.SignedIn(t, account.Supervisor), s.SignedIn(t, account.Expert)
	return s
}

// advise asks our own advisor and waits for its draft.
func (s spine) advise(t *testing.T, question string, value int) *interaction.Interaction {
	t.Helper()
	body := `{"agent":"pension-advisor","consultation":{"question":` + strconv.Quote(question) +
		`,"customer":{"age":58,"literacy":"low","pensions":[{"kind":"db","value_gbp":` + strconv.Itoa(value) +
		`},{"kind":"dc","value_gbp":42000}]}}}`
	r := s.agent.JSON(t, http.MethodPost, "/api/advise", body)
	if r.Status != http.StatusAccepted {
		t.Fatalf("advise: %d %s", r.Status, r.Body)
	}
	s.Drain(t)
	in, err := s.Interactions.Get(t.Context(), s.id(t, r))
	if err != nil || in.Status != interaction.Waiting {
		t.Fatalf("the draft: %+v, %v", in, err)
	}
	return in
}

func (s spine) id(t *testing.T, r apptest.Response) string {
	t.Helper()
	var got struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal([]byte(r.Body), &got); err != nil || got.ID == "" {
		t.Fatalf("no id in %s", r.Body)
	}
	return got.ID
}

// shown are the fields that the form on the page of a case carries; mode is which form is open: revise or reject.
func (s spine) shown(t *testing.T, id, mode string) url.Values {
	t.Helper()
	r := s.supervisor.Get(t, "/reviews/"+id+"?mode="+mode)
	version := regexp.MustCompile(`name="version" value="(\d+)"`).FindStringSubmatch(r.Body)
	hash := regexp.MustCompile(`name="text_hash" value="([0-9a-f]{64})"`).FindStringSubmatch(r.Body)
	if r.Status != http.StatusOK || version == nil || hash == nil {
		t.Fatalf("the case's page has no form to %s: %d", mode, r.Status)
	}
	return url.Values{"version": {version[1]}, "text_hash": {hash[1]}}
}

const warning = "Your defined benefit pension promises you an income for life, and you would give up those " +
	"guarantees if you moved it. "

// state fills in what should change next time: a text at the start, for customers with a defined benefit pension.
func state(form url.Values, text string) {
	for name, value := range map[string]string{"teach.0.kind": "include", "teach.0.on": "1", "teach.0.text": text,
		"teach.0.place": "start",
		"when.0.kind":   "field", "when.0.name": "pensions", "when.0.how": "has", "when.0.values": "db",
		"when.0.on": "1"} {
		form.Set(name, value)
	}
}

func (s spine) revise(t *testing.T, in *interaction.Interaction) *review.Decision {
	t.Helper()
	form := s.shown(t, in.ID, "revise")
	form.Set("text", warning+in.Guidance+" You can talk it over with Pension Wise, a free and impartial service, and "+
		"a transfer worth more than £30,000 needs regulated financial advice first.")
	form.Set("reason", "The guarantees that the customer would give up are not mentioned.")
	state(form, strings.TrimSpace(warning))
	if r := s.supervisor.Post(t, "/reviews/"+in.ID+"/revise", form); r.Status != http.StatusSeeOther {
		t.Fatalf("revise: %d %s", r.Status, notices(r.Body))
	}
	second := s
	second.supervisor = s.SignedIn(t, account.Supervisor) // it is about giving up a guaranteed pension
	form = second.shown(t, in.ID, "")
	if r := second.supervisor.Post(t, "/reviews/"+in.ID+"/approve", form); r.Status != http.StatusSeeOther {
		t.Fatalf("approve: %d %s", r.Status, notices(r.Body))
	}
	list, err := s.Reviews.DecisionsFor(t.Context(), in.ID)
	if err != nil || len(list) != 1 {
		t.Fatalf("decisions %v, %v", list, err)
	}
	return &list[0]
}

func (s spine) status(t *testing.T, id string) (status, text string) {
	t.Helper()
	var got struct {
		Status    string `json:"status"`
		FinalText string `json:"final_text"`
	}
	r := s.agent.Get(t, "/api/guidance/"+id)
	if err := json.Unmarshal([]byte(r.Body), &got); err != nil {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	return got.Status, got.FinalText
}

// notices are what a page says went wrong.
func notices(body string) []string {
	return regexp.MustCompile(`(?s)<div class="notice-body">.*?</div>|class="field-error".*?</p>`).FindAllString(body,
		-1)
}

func warns(text string) bool {
	low := strings.ToLower(text)
	return strings.Contains(low, "guarantee") || strings.Contains(low, "give up") ||
		strings.Contains(low, "income for life")
}

// A correction becomes a rule, an expert accepts it, and the next draft obeys it.
func TestSpine(t *testing.T) {
	s := openSpine(t)
	first := s.advise(t, "Could I put my pensions together in one place?", 310_000)
	const next = "Should I think about joining my pots up?"
	if before := s.advise(t, next, 120_000); warns(first.Guidance) || warns(before.Guidance) {
		t.Fatalf("the drafts warn already, so this would prove nothing:\n%s\n%s", first.Guidance, before.Guidance)
	}
	if status, text := s.status(t, first.ID); status != interaction.Waiting || text != "" {
		t.Errorf("before the decision: %s, %q", status, text)
	}
	d := s.revise(t, first)
	if status, text := s.status(t, first.ID); status != interaction.Held || text != "" {
		t.Errorf("during the hold: %s, %q", status, text)
	}
	s.Drain(t) // the learning path does not wait for the hold
	lessons, err := s.lessonsOf(t, first.ID, d.ID)
	if err != nil || len(lessons) != 1 || lessons[0].Stage != learning.StageAccept ||
		lessons[0].State != learning.Waiting {
		t.Fatalf("lessons %+v, %v", lessons, err)
	}
	l := lessons[0]
	if r := s.expert.Get(t, "/learning"); r.Status != http.StatusOK || !strings.Contains(r.Body, "/learning/"+l.ID) {
		t.Errorf("the lesson is not on /learning: %d", r.Status)
	}
	accept := url.Values{"version": {strconv.Itoa(l.Version)}}
	if r := s.supervisor.Post(t, "/learning/"+l.ID+"/accept", accept); r.Status != http.StatusForbidden {
		t.Errorf("a supervisor accepts a rule: %d", r.Status)
	}
	if r := s.expert.Post(t, "/learning/"+l.ID+"/accept", accept); r.Status != http.StatusSeeOther {
		t.Fatalf("accept: %d %s", r.Status, notices(r.Body))
	}
	s.Drain(t)
	second := s.advise(t, next, 120_000)
	lessons, _ = s.lessonsOf(t, first.ID, d.ID)
	used := false
	for _, u := range second.KnowledgeUsed {
		used = used || u.ID == lessons[0].RuleID
	}
	if !warns(second.Guidance) || !used {
		t.Errorf("the rule %q (shown %v) did not act on\n%s", l.RuleText, used, second.Guidance)
	}
	s.Clock.Advance(31 * time.Second)
	s.Drain(t)
	if status, text := s.status(t, first.ID); status != interaction.Released || !strings.HasPrefix(text, warning) {
		t.Errorf("after the hold: %s, %q", status, text)
	}
	s.wantAudit(t, "review.revised", 1)
	if d.By.ID != s.supervisor.Account.ID {
		t.Errorf("decided by %+v", d.By)
	}
}

// lessonsOf are those of a decision; the checks may have begun one of their own when the draft came.
func (s spine) lessonsOf(t *testing.T, id, decisionID string) ([]learning.Lesson, error) {
	t.Helper()
	all, err := s.Learning.ForInteraction(t.Context(), id)
	return slices.DeleteFunc(all, func(l learning.Lesson) bool { return l.DecisionID != decisionID }), err
}

// Undo takes the release and the lesson back.
func TestUndoCancelsReleaseAndLesson(t *testing.T) {
	s := openSpine(t)
	in := s.advise(t, "Could I put my pensions together in one place?", 310_000)
	d := s.revise(t, in)
	if r := s.supervisor.Post(t, "/decisions/"+d.ID+"/undo", nil); r.Status != http.StatusSeeOther {
		t.Fatalf("undo: %d %s", r.Status, notices(r.Body))
	}
	s.Clock.Advance(time.Minute)
	s.Drain(t)
	if status, text := s.status(t, in.ID); status != interaction.Waiting || text != "" {
		t.Errorf("after undo: %s, %q", status, text)
	}
	lessons, err := s.lessonsOf(t, in.ID, d.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lessons {
		if l.State != learning.Withdrawn {
			t.Errorf("the lesson is %s", l.State)
		}
	}
}

// Nothing reaches a customer that a supervisor rejected.
func TestRejectEscalates(t *testing.T) {
	s := openSpine(t)
	in := s.advise(t, "Could I put my pensions together in one place?", 310_000)
	form := s.shown(t, in.ID, "reject")
	form.Set("reason_code", pack.Of(pack.Pension).Reasons[0].Code)
	form.Set("reason", "It says nothing about the guarantees.")
	form.Set("feedback", "Warn about guarantees.")
	if r := s.supervisor.Post(t, "/reviews/"+in.ID+"/reject", form); r.Status != http.StatusSeeOther {
		t.Fatalf("reject: %d %s", r.Status, notices(r.Body))
	}
	s.Clock.Advance(time.Minute)
	s.Drain(t)
	if status, text := s.status(t, in.ID); status != interaction.Escalated || text != "" {
		t.Errorf("after the hold: %s, %q", status, text)
	}
}

// A draft that the check blocks can't be approved; its verdict is on the case.
func TestBlockedDraftWaitsForAPassingText(t *testing.T) {
	s := openSpine(t)
	body := `{"agent":"pension-advisor","consultation":{"question":"Should I transfer?","customer":{"pensions":[{"kind":"db","value_gbp":310000}]}},
		"guidance":"You should transfer your defined benefit pension to a drawdown plan now. I recommend you do it this week."}`
	r := s.agent.JSON(t, http.MethodPost, "/api/guidance", body)
	if r.Status != http.StatusAccepted {
		t.Fatalf("submit: %d %s", r.Status, r.Body)
	}
	id := s.id(t, r)
	if page := s.supervisor.Get(t, "/reviews/"+id); !strings.Contains(page.Body, "Missing DB warning") ||
		!strings.Contains(page.Body, "Personal recommendation") {
		t.Error("the case does not show what the check found")
	}
	verdict, err := s.Compliance.Latest(t.Context(), id)
	if err != nil || verdict == nil || verdict.Passed {
		t.Fatalf("verdict %+v, %v", verdict, err)
	}
	if r := s.supervisor.Post(t, "/reviews/"+id+"/approve", s.shown(t, id, "revise")); r.Status == http.StatusSeeOther {
		t.Error("a blocked draft was approved")
	}
	if status, _ := s.status(t, id); status != interaction.Waiting {
		t.Errorf("status %s", status)
	}
}

func (s spine) wantAudit(t *testing.T, action string, n int) {
	t.Helper()
	page, err := audit.List(t.Context(), s.DB, audit.Filter{Action: action})
	if err != nil || len(page.Rows) != n {
		t.Errorf("%d audit rows of %s (%v), want %d", len(page.Rows), action, err, n)
	}
	report, err := audit.Verify(t.Context(), s.DB, nil)
	if err != nil || report.Bad != nil {
		t.Errorf("the chain: %+v, %v", report.Bad, err)
	}
}
