package seedtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/demo"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
)

// advisor is an agent of the seed's domain with the demo's guidance, and a supervisor beside the expert.
type advisor struct {
	agent
	supervisor *apptest.Client
}

func newAdvisor(t *testing.T) advisor {
	t.Helper()
	s := apptest.Open(t)
	if _, err := s.Knowledge.Import(t.Context(), demo.Guidance(),
		knowledge.ImportOptions{By: audit.System("test")}); err != nil {
		t.Fatal(err)
	}
	key, _, err := s.Accounts.CreateToken(t.Context(), "pension-advisor", "pension",
		[]account.Scope{account.Feedback, account.Recall, account.Submit}, time.Time{}, audit.System("test"))
	if err != nil {
		t.Fatal(err)
	}
	a := advisor{agent{t, s, s.Nobody(t), s.SignedIn(t, account.Expert, account.Admin)},
		s.SignedIn(t, account.Supervisor)}
	a.api.Header.Set("Authorization", "Bearer "+key)
	return a
}

// submit hands in guidance for a customer of 54 with a pension of a kind.
func (a advisor) submit(question, guidance, kind string) (id string) {
	a.Helper()
	id = text(a.post("/api/guidance", object{"guidance": guidance, "reasoning": "Asked about pensions.",
		"consultation": object{"question": question, "customer": object{"age": 54, "literacy": "low",
			"pensions": []object{{"kind": kind, "value_gbp": 42000}}}}}), "id")
	a.site.Drain(a.T)
	return id
}

var hidden = regexp.MustCompile(`name="(version|text_hash)" value="([0-9a-f]+)"`)

// decide is a supervisor's decision: approve, revise or reject.
func (a *advisor) decide(id, act string, more url.Values) {
	a.Helper()
	if more == nil {
		more = url.Values{}
	}
	for _, m := range hidden.FindAllStringSubmatch(a.supervisor.Get(a.T, "/reviews/"+id+"?mode="+act).Body, -1) {
		more.Set(m[1], m[2])
	}
	if r := a.supervisor.Post(a.T, "/reviews/"+id+"/"+act, more); r.Status != http.StatusSeeOther {
		a.Fatalf("%s: %d %s", act, r.Status, regexp.MustCompile(`(?s)class="(field-error|notice-body)".{0,300}`).
			FindAllString(r.Body, 3))
	}
	a.site.Clock.Advance(time.Hour)
	a.site.Drain(a.T)
	a.supervisor = a.site.SignedIn(a.T, account.Supervisor) // an hour's rest ends a session
	a.expert = a.site.SignedIn(a.T, account.Expert, account.Admin)
}

func (a advisor) recall(query string) string {
	a.Helper()
	return text(a.post("/api/recall", object{"query": query, "customer": object{"age": 54, "literacy": "low",
		"pensions": []object{{"kind": "dc", "value_gbp": 42000}}}}), "prompt")
}

const (
	consolidate = "Should I put my three old workplace pensions into one plan?"
	options     = "Some people put small pensions into one plan: one set of charges and one statement. Others keep " +
		"them apart, because a plan may have a benefit that is lost on a transfer. Compare the charges and any exit fee " +
		"of each plan first. MoneyHelper explains this free of charge. Can you tell me in your own words what you would " +
		"check?"
)

func TestSeed000(t *testing.T) {
	t.Run("Memory System 1: Population, Retrieval and Usage in Guidance", func(t *testing.T) {
		a := newAdvisor(t)
		id := a.submit(consolidate, options, "dc")
		if strings.Contains(a.recall(consolidate), options[:60]) {
			t.Error("what nobody approved is given")
		}
		a.decide(id, "approve", nil)
		if got := a.get("/api/guidance/" + id); text(got, "status") != "released" || text(got, "final_text") != options {
			t.Fatalf("%v", got)
		}
		prompt := a.recall("Is it wise to join up my old pensions?")
		for _, part := range []string{"Similar Cases (from Case Base):", "Case #", "Customer situation: ",
			"Guidance provided: " + options, "Outcome: "} {
			if !strings.Contains(prompt, part) {
				t.Errorf("no %q: %s", part, prompt)
			}
		}
		if out := a.post("/api/feedback/outcomes", object{"interaction_id": id, "satisfaction": 9, "comprehension": 8,
			"goal_alignment": 9}); out["successful"] != true {
			t.Errorf("%v", out)
		}
	})

	t.Run("Memory System 2: Creation Process, Retrieval and Usage in Guidance", func(t *testing.T) {
		a := newAdvisor(t)
		const say = "Ask the customer to say back in their own words what they understood."
		id := a.submit(consolidate, strings.Split(options, " Can you")[0], "dc")
		a.decide(id, "revise", url.Values{"text": {options}, "reason": {"It doesn't check understanding."},
			"teach.0.kind": {"other"}, "teach.0.on": {"1"}, "teach.0.text": {say}, "when.0.kind": {"topic"},
			"when.0.values": {"consolidation"}, "when.0.on": {"1"}})
		lessons, err := a.site.Learning.ForInteraction(t.Context(), id)
		if err != nil || len(lessons) == 0 {
			t.Fatalf("%v, %v", lessons, err)
		}
		page := a.expert.Get(t, "/learning/"+lessons[0].ID).Body
		for _, step := range []string{"Reflect", "Validate", "Refine", "Judge", say} {
			if !strings.Contains(page, step) {
				t.Errorf("no %s on the lesson's page", step)
			}
		}
		if _, rules, _ := strings.Cut(a.recall(consolidate), "Relevant Rules"); strings.Contains(rules, say) {
			t.Errorf("a rule that nobody accepted is given: %s", rules)
		}
		if r := a.expert.Post(t, "/learning/"+lessons[0].ID+"/accept",
			url.Values{"version": {fmt.Sprint(lessons[0].Version)}}); r.Status != http.StatusSeeOther {
			t.Fatalf("accept: %d %+v", r.Status, lessons[0])
		}
		a.site.Drain(t)
		prompt := a.recall(consolidate)
		for _, part := range []string{"Relevant Rules (from Rules Base):", "Rule #", `Principle: "When `, say, "Domain: ",
			"Confidence: ", "FCA Compliant: ✓"} {
			if !strings.Contains(prompt, part) {
				t.Errorf("no %q: %s", part, prompt)
			}
		}
	})

	t.Run("Memory System 2: a rule that says the opposite of one in use takes its place", func(t *testing.T) {
		a := newAdvisor(t)
		says := []string{"Always mention exit fees", "Never mention exit fees"}
		var waits []learning.Lesson
		for i, question := range []string{consolidate, "Is it wise to join up my old pensions?"} {
			id := a.submit(question, strings.Split(options, " Can you")[0], "dc")
			a.decide(id, "revise", url.Values{"text": {options}, "reason": {"The fees."}, "teach.0.kind": {"other"},
				"teach.0.on": {"1"}, "teach.0.text": {says[i]}, "when.0.kind": {"topic"},
				"when.0.values": {"consolidation"}, "when.0.on": {"1"}})
			list, err := a.site.Learning.ForInteraction(t.Context(), id)
			if err != nil || len(list) == 0 || list[0].State != learning.Waiting {
				t.Fatalf("%+v, %v", list, err)
			}
			waits = append(waits, list[0])
		}
		accept := func(l learning.Lesson, retire string) int {
			return a.expert.Post(t, "/learning/"+l.ID+"/accept", url.Values{"version": {fmt.Sprint(l.Version)},
				"retire": {retire}}).Status
		}
		if s := accept(waits[0], ""); s != http.StatusSeeOther {
			t.Fatalf("%d", s)
		}
		a.site.Drain(t)
		offered := regexp.MustCompile(`name="retire" value="([^"]+)"`).
			FindStringSubmatch(a.expert.Get(t, "/learning/"+waits[1].ID).Body)
		if offered == nil {
			t.Fatal("it isn't offered on the lesson's page")
		}
		if s := accept(waits[1], ""); s != http.StatusUnprocessableEntity {
			t.Errorf("both in use: %d", s)
		}
		if s := accept(waits[1], "another"); s != http.StatusConflict {
			t.Errorf("another rule: %d", s)
		}
		if s := accept(waits[1], offered[1]); s != http.StatusSeeOther {
			t.Errorf("%d", s)
		}
		a.site.Drain(t)
		_, rules, _ := strings.Cut(strings.ToLower(a.recall(consolidate)), "relevant rules")
		if strings.Contains(rules, strings.ToLower(says[0])) || !strings.Contains(rules, strings.ToLower(says[1])) {
			t.Errorf("%s", rules)
		}
	})

	t.Run("Compliance Feedback Loop, case 1 and the example of the judges", func(t *testing.T) {
		var in strings.Builder
		for id, guidance := range []string{"You should transfer your final salary pension to a drawdown plan this week.",
			"Given your situation, you might want to consider consolidating those pensions.", options} {
			kind := map[bool]string{true: "db", false: "dc"}[id == 0]
			b, err := json.Marshal(object{"id": id, "question": consolidate, "guidance": guidance,
				"customer": object{"age": 54, "pensions": []object{{"kind": kind}}}})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&in, "%s\n", b)
		}
		lines := strings.Split(strings.TrimSpace(command(t, in.String(), "check")), "\n")
		var got []object
		for _, line := range lines {
			var o object
			if err := json.Unmarshal([]byte(line), &o); err != nil {
				t.Fatal(err)
			}
			got = append(got, o)
		}
		if len(got) != 3 || got[0]["passed"] != false || !strings.Contains(lines[0], "MISSING_DB_WARNING") {
			t.Errorf("the missing warning: %s", lines)
		}
		if got[1]["passed"] == true && got[1]["requires_human_review"] != true {
			t.Errorf("the softened recommendation passes: %s", lines[1])
		}
		if got[2]["passed"] != true {
			t.Errorf("options: %s", lines[2])
		}
	})

	t.Run("Hybrid Learning: rejected guidance is escalated to a person", func(t *testing.T) {
		a := newAdvisor(t)
		id := a.submit(consolidate, options, "dc")
		a.decide(id, "reject", url.Values{"reason_code": {"other"}, "reason": {"She asked for somebody to call her."},
			"feedback": {"Offer a call."}})
		got := a.get("/api/guidance/" + id)
		if text(got, "status") != "escalated" || text(got, "final_text") != "" {
			t.Errorf("%v", got)
		}
		if page := a.supervisor.Get(t, "/reviews/escalated").Body; !strings.Contains(page, id) {
			t.Errorf("it is not in the queue of the escalated: %s", page)
		}
	})

	t.Run("Learning Dynamics: Scaling Laws and Knowledge Base Growth", func(t *testing.T) {
		for n, want := range map[int]float64{0: .6, 100: .9, 5000: .965, 50_000: .99} {
			if got := knowledge.ExpectedQuality(n); got < want-.03 || got > want+.001 {
				t.Errorf("%d consultations: %v, want about %v", n, got, want)
			}
		}
		a := newAdvisor(t)
		a.decide(a.submit(consolidate, options, "dc"), "approve", nil)
		if page := a.expert.Get(t, "/knowledge/growth").Body; !strings.Contains(page, "four in five") {
			t.Errorf("%s", page)
		}
	})

	t.Run("Virtual Training, Virtual World Evaluation and Ablation Studies, on the command line", func(t *testing.T) {
		if testing.Short() {
			t.Skip("holds some hundred consultations; make check runs it")
		}
		file, docs := filepath.Join(t.TempDir(), "p.db"), "../demo/guidance"
		command(t, "", "import", "documents", "--db", file, "--agent", "advisor", "--pack", "pension", docs)
		out := command(t, "", "train", "--db", file, "--agent", "advisor", "--customers", "12")
		for _, part := range []string{"CUSTOMERS", "CASES", "RULES", "SEED 000 EXPECTS"} {
			if !strings.Contains(out, part) {
				t.Errorf("no %s: %s", part, out)
			}
		}
		var m object
		if err := json.Unmarshal([]byte(command(t, "", "evaluate", "--db", file, "--agent", "advisor", "--json")),
			&m); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"risk_assessment_accuracy", "guidance_appropriateness", "compliance_rate",
			"satisfaction", "comprehension", "goal_alignment", "understanding_verification_rate", "signposting_rate",
			"db_warning_rate", "overall_quality"} {
			if _, ok := m[name]; !ok {
				t.Errorf("the evaluation has no %s: %v", name, m)
			}
		}
		var ablated struct {
			Arms []struct{ Arm string }
		}
		if err := json.Unmarshal([]byte(command(t, "", "ablate", "--json", "--splits", "1", "--seeds", "1", "--customers",
			"12")), &ablated); err != nil {
			t.Fatal(err)
		}
		var arms []string
		for _, arm := range ablated.Arms {
			arms = append(arms, arm.Arm)
		}
		for _, name := range []string{"baseline", "cases only", "rules only", "full"} {
			if !slices.Contains(arms, name) {
				t.Errorf("no arm %s: %v", name, arms)
			}
		}
	})
}
