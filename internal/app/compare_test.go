package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/feedback/experiment"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/review"
	"preceptor/internal/stats"
)

// ask has our own advisor draft for a customer of a reference.
func (s spine) ask(t *testing.T, question, customer string) *interaction.Interaction {
	t.Helper()
	r := s.agent.JSON(t, http.MethodPost, "/api/advise",
		`{"agent":"pension-advisor","consultation":{"question":`+strconv.Quote(question)+
			`,"customer":{"age":58,"literacy":"medium","customer_id":`+strconv.Quote(customer)+
			`,"pensions":[{"kind":"dc","value_gbp":42000}]}}}`)
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

// inUse puts a rule into use.
func (s spine) inUse(t *testing.T, domain, principle string) knowledge.Rule {
	t.Helper()
	var made knowledge.Rule
	err := s.DB.Write(t.Context(), func(tx *db.Tx) (err error) {
		made, err = s.Knowledge.AddRuleTx(tx,
			knowledge.Rule{Status: knowledge.Active, Domain: domain, By: audit.System("test"), Reason: "test",
				RuleText: knowledge.RuleText{Title: principle, Principle: principle, Confidence: 0.9}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// With an experiment on memory the control arm drafts without what was learned, and with the compliance rules; what
// comes of the drafts is counted, and who a person is decides the arm for good.
func TestTheControlGoesWithoutMemory(t *testing.T) {
	s := openSpine(t)
	learned := s.inUse(t, knowledge.PensionEducation,
		"When a customer asks about combining pensions, explain that charges differ between plans because it decides "+
			"what is left")
	protected := s.inUse(t, knowledge.RegulatoryCompliance,
		"When a customer asks about combining pensions, explain that this is guidance and no advice because only a "+
			"regulated adviser may recommend")
	mia := experiment.Person{ID: "p-mia", Name: "Mia"}
	aim := experiment.DefaultAim
	aim.Effect = 0.2
	e, err := s.Experiments.Create(t.Context(),
		experiment.Input{Name: "Does memory help?", Purpose: experiment.Memory, Metric: experiment.Approved}, aim, mia)
	if err != nil {
		t.Fatal(err)
	}
	if page, err := s.Stats.Learning(t.Context(), stats.Filter{Range: stats.Days(s.DB.Now(), 7, s.Zone)}); err != nil ||
		page.Memory != nil {
		t.Errorf("an effect before any outcome: %+v, %v", page.Memory, err)
	}
	const question = "Should I think about combining my pensions?"
	shows := func(in *interaction.Interaction, id string) bool {
		for _, u := range in.KnowledgeUsed {
			if u.ID == id {
				return true
			}
		}
		return false
	}
	if before := s.ask(t, question, "customer-000"); !shows(before, learned.ID) || !shows(before, protected.ID) {
		t.Fatalf("the rules are not recalled at all, so this would prove nothing: %+v", before.KnowledgeUsed)
	}
	if err := s.Experiments.Start(t.Context(), e.ID, mia); err != nil {
		t.Fatal(err)
	}
	seen := map[string]*interaction.Interaction{}
	for i := 0; len(seen) < 2 && i < 20; i++ {
		who := fmt.Sprintf("customer-%03d", i)
		in := s.ask(t, question, who)
		arm := experiment.ArmOf(e.ID, strings.ReplaceAll(who, "-", ""), 0.5) // the plain form of a reference
		seen[arm] = in
		if shows(in, learned.ID) != (arm == experiment.Treatment) || !shows(in, protected.ID) {
			t.Errorf("%s is shown %+v", arm, in.KnowledgeUsed)
		}
		if strings.Contains(in.Reasoning, "control") || strings.Contains(in.Reasoning, "xperiment") {
			t.Errorf("the desk is told the arm: %s", in.Reasoning)
		}
	}
	if len(seen) < 2 {
		t.Fatal("all are in one arm")
	}
	got, err := s.Experiments.Get(t.Context(), e.ID)
	if err != nil || got.Assigned[0]+got.Assigned[1] == 0 || got.Counts.Total() != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	// One is approved as it is, the other revised; the outcomes come with the end of the hold.
	item, err := s.Reviews.Get(t.Context(), seen[experiment.Treatment].ID)
	if err != nil {
		t.Fatal(err)
	}
	by := review.Person{ID: s.supervisor.Account.ID, Name: s.supervisor.Account.Name}
	if _, err := s.Reviews.Decide(t.Context(),
		review.Input{ID: item.ID, Kind: review.Approve, By: by, Version: item.Version, TextHash: item.TextHash,
			SecondsOnCase: 90}); err != nil {
		t.Fatal(err)
	}
	control := seen[experiment.Control]
	form := s.shown(t, control.ID, "revise")
	form.Set("text", control.Guidance+"\n\nAsk each provider what leaving costs before you decide anything.")
	form.Set("reason", "It never says that leaving a plan may cost something.")
	form.Set("feedback", "Always name exit charges.")
	if r := s.supervisor.Post(t, "/reviews/"+control.ID+"/revise", form); r.Status != http.StatusSeeOther {
		t.Fatalf("revise: %d %v", r.Status, notices(r.Body))
	}
	if c, err := s.Preferences.Counts(t.Context()); err != nil || c.Revisions != 0 {
		t.Errorf("a pair before the decision is settled: %+v, %v", c, err)
	}
	s.Clock.Advance(time.Minute)
	s.Drain(t)
	if got, err = s.Experiments.Get(t.Context(), e.ID); err != nil ||
		got.Counts != (experiment.Counts{N: [2]int{1, 1}, Good: [2]int{1, 0}}) {
		t.Errorf("%+v, %v", got.Counts, err)
	}
	page, err := s.Stats.Learning(t.Context(), stats.Filter{Range: stats.Days(s.DB.Now(), 7, s.Zone)})
	if m := page.Memory; err != nil || m == nil || m.ID != e.ID || m.With.Whole != 1 || m.Effect != 1 {
		t.Errorf("the page of learning: %+v, %v", page.Memory, err)
	}
	list, err := s.Preferences.List(t.Context(), "")
	if err != nil || len(list.Items) != 1 || list.Items[0].InteractionID != control.ID ||
		!strings.Contains(list.Items[0].Right.Text, "what leaving costs") || list.Items[0].Chosen != "right" {
		t.Fatalf("%+v, %v", list, err)
	}
	// Recalled, it is a pair no more.
	if r := s.supervisor.Post(t, "/decisions/"+list.Items[0].SourceID+"/recall",
		url.Values{"reason": {"The charges have changed."}}); r.Status != http.StatusSeeOther {
		t.Fatalf("recall: %d %v", r.Status, notices(r.Body))
	}
	if c, err := s.Preferences.Counts(t.Context()); err != nil || c.Revisions != 0 {
		t.Errorf("after the recall: %+v, %v", c, err)
	}
	if got, err = s.Experiments.Get(t.Context(), e.ID); err != nil || got.Counts.Total() != 2 {
		t.Errorf("a recall changed the outcome: %+v, %v", got.Counts, err)
	}
}
