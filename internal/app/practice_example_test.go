package app_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/practice"
)

// What served virtual customers is proposed as cases, the best of near ones; an expert adopts several at once, they are
// marked, and with them alone the advisor answers what no document or rule does.
func TestGoodPracticeBecomesCases(t *testing.T) {
	s := apptest.Open(t)
	agent, err := s.Accounts.EnsureAgent(t.Context(), "Advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	people, err := practice.Of("pension")
	if err != nil {
		t.Fatal(err)
	}
	first, again, other := customers(t, people)
	told := func(who *practice.Person) string {
		var list []string
		for _, n := range who.Needs {
			if !strings.HasSuffix(n.Statement, "?") {
				list = append(list, n.Statement)
			}
		}
		return strings.Join(list, " ")
	}
	begin := func() practice.Run {
		t.Helper()
		run, err := s.Practice.Begin(t.Context(), practice.Plan{AgentID: agent.ID, Kind: practice.Training, Customers: 5}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	had := func(run practice.Run, n int, who *practice.Person, o practice.Outcome) {
		t.Helper()
		session := practice.Session{N: n, Person: who.Key(), Outcome: o, Dialogue: []practice.Turn{
			{By: practice.ByCustomer, Text: who.Question}, {By: practice.ByAdvisor, Text: told(who)}}}
		text, _ := json.Marshal(session)
		if err := s.DB.Write(t.Context(), func(tx *db.Tx) error {
			return db.Exec(tx, "test", `INSERT INTO practice_session (run_id, phase, n, person, successful, session)
				VALUES ($1, 'train', $2, $3, $4, $5)`, run.ID, n, who.Key(), o.Successful, string(text))
		}); err != nil {
			t.Fatal(err)
		}
	}
	finish := func(run practice.Run) string {
		t.Helper()
		if err := s.Practice.Finish(t.Context(), run.ID, "embedded customer", practice.Trained{Customers: 5}); err != nil {
			t.Fatal(err)
		}
		return "/practice/" + run.ID
	}
	run := begin()
	well := practice.Outcome{Satisfaction: 8, Comprehension: 8, GoalAlignment: 8, FCACompliant: true, Successful: true}
	best, faulty, failed := well, well, practice.Outcome{FCACompliant: true}
	best.Satisfaction, faulty.FCACompliant = 9.5, false
	for n, c := range []struct {
		who *practice.Person
		practice.Outcome
	}{{first, well}, {first, best}, {again, well}, {other, failed}, {other, faulty}} {
		had(run, n, c.who, c.Outcome)
	}
	path := finish(run)
	boss, ed := s.SignedIn(t, account.Manager), s.SignedIn(t, account.Expert)
	page := ed.Get(t, path).Body
	if !strings.Contains(page, "Examples: 1 good answer") || !strings.Contains(page, "Satisfaction 9.5 of 10, the best of 3 like it") ||
		strings.Contains(page, other.Question) {
		t.Errorf("what is proposed:\n%s", page)
	}
	adopt := url.Values{"person": {first.Key(), other.Key()}}
	for _, c := range []struct {
		who  *apptest.Client
		form url.Values
		want int
	}{{boss, adopt, http.StatusForbidden}, {ed, nil, http.StatusUnprocessableEntity}, {ed, adopt, http.StatusSeeOther}} {
		if r := c.who.Post(t, path+"/adopt", c.form); r.Status != c.want {
			t.Errorf("%v: %d, want %d", c.form, r.Status, c.want)
		}
	}
	if page = ed.Get(t, path).Body; !strings.Contains(page, "1 example was adopted") || !strings.Contains(page, "Adopted as ") {
		t.Error("the page doesn't say that it is adopted")
	}
	list, _, err := s.Knowledge.Cases(t.Context(), knowledge.Filter{AgentID: agent.ID, Status: knowledge.Active, Limit: 10})
	if err != nil || len(list) != 1 {
		t.Fatalf("%d cases, %v", len(list), err)
	}
	if c := list[0]; c.Source != knowledge.FromPractice || !c.Approved || c.Exemplar || c.By.ID != ed.Account.ID ||
		!strings.HasPrefix(c.Outcome, "Practised with a virtual customer") {
		t.Errorf("%+v", c)
	}
	if page := ed.Get(t, "/knowledge/cases/"+list[0].ID).Body; !strings.Contains(page, "Practice") {
		t.Error("the case isn't marked as practised")
	}
	if n, err := s.Knowledge.Sizes(t.Context()); err != nil || n.Practised != 1 || n.FromDrafts != 0 {
		t.Errorf("%+v %v", n, err)
	}
	if r := ed.Post(t, path+"/adopt", adopt); r.Status != http.StatusSeeOther {
		t.Errorf("again: %d", r.Status)
	}
	if page = ed.Get(t, path).Body; !strings.Contains(page, "adopted or retired before") {
		t.Error("adopting twice says nothing")
	}
	if r := ed.Post(t, "/knowledge/cases/"+list[0].ID+"/retire",
		url.Values{"reason": {"Not for everybody."}, "version": {"1"}}); r.Status != http.StatusSeeOther {
		t.Fatalf("retire: %d %s", r.Status, notices(r.Body))
	}
	ed.Post(t, path+"/adopt", adopt)
	if n, err := s.Knowledge.Sizes(t.Context()); err != nil || n.Practised != 0 {
		t.Errorf("what was retired came back: %+v %v", n, err)
	}

	run = begin()
	for n, who := range people.All(practice.Train, 0)[:40] {
		had(run, n, who, well)
	}
	path = finish(run)
	box := offered(t, ed.Get(t, path).Body)
	if len(box) < 10 {
		t.Fatalf("%d are proposed of 40", len(box))
	}
	if r := ed.Post(t, path+"/adopt", url.Values{"person": box}); r.Status != http.StatusSeeOther {
		t.Fatalf("adopt all: %d", r.Status)
	}
	school, err := s.School(agent)
	if err != nil {
		t.Fatal(err)
	}
	met := func(without knowledge.Withhold) float64 {
		list, err := school.Evaluate(t.Context(), people.All(practice.Test, 0)[:12], without)
		if err != nil {
			t.Fatal(err)
		}
		return practice.Measure(list).NeedsMet.Of
	}
	if cases, none := met(knowledge.Withhold{Rules: true}), met(knowledge.Withhold{Cases: true, Rules: true}); cases < none+0.05 {
		t.Errorf("with cases alone %.3f of the needs of strangers are met, without %.3f", cases, none)
	} else {
		t.Logf("with cases alone %.3f of the needs of strangers are met, without %.3f", cases, none)
	}
}

var personBox = regexp.MustCompile(`name="person" value="([^"]+)"`)

// offered are the examples that a page offers.
func offered(t *testing.T, body string) (out []string) {
	t.Helper()
	for _, m := range personBox.FindAllStringSubmatch(body, -1) {
		out = append(out, m[1])
	}
	return out
}

// customers are a training customer of whom a first need is a fact, the same in another's words, and another.
func customers(t *testing.T, p *practice.People) (first, again, other *practice.Person) {
	t.Helper()
	for _, split := range []int{0, 1, 2} {
		list := p.All(practice.Train, split)
		for _, a := range list {
			for _, b := range list {
				switch {
				case len(a.Needs) < 2 || a.Needs[0].Kind != practice.Fact || strings.ContainsAny(a.Needs[0].Statement, "0123456789"):
				case b.ID == a.ID && b.Author != a.Author:
					first, again = a, b
				case first != nil && a.ID == first.ID && b.Situation.Task != a.Situation.Task:
					return first, again, b
				}
			}
		}
	}
	t.Fatal("there are no such customers")
	return nil, nil, nil
}
