package practice

import (
	"slices"
	"strings"
	"testing"

	"preceptor/internal/compliance"
	"preceptor/internal/pack"
)

// A consultation that failed says why: what nobody can read in a section, what stands in one and wasn't used, what only
// a rule can add, a text too long for its reader, and what the checks found.
func TestAFailureSaysWhy(t *testing.T) {
	who := &Person{Life: Life{Literacy: "medium"}, Needs: []*Need{{ID: "how", Kind: Fact, Weight: 3},
		{ID: "when", Kind: Fact, Weight: 2}, {ID: "scam", Kind: Warning, Weight: 2},
		{ID: "ring", Kind: NextStep, Weight: 1}}}
	long := ""
	for range 400 {
		long += "word "
	}
	set := func(ids ...string) map[string]bool {
		out := map[string]bool{}
		for _, id := range ids {
			out[id] = true
		}
		return out
	}
	bad := compliance.Verdict{Issues: []compliance.Issue{{Code: "X", Severity: compliance.Critical}}}
	mend := compliance.Verdict{Issues: []compliance.Issue{{Code: "TOO_VAGUE", Severity: compliance.Major}}}
	unknown := pack.Of("").Frames.Unknown
	var list []Session
	for _, c := range []struct {
		name      string
		met, held map[string]bool
		said      string
		verdict   compliance.Verdict
		why       string
		inBase    bool
	}{
		{"no section", set(), set("when"), "A text.", compliance.Verdict{}, NoSource, false},
		{"the wrong one", set("scam", "ring"), set("how", "when"), "A text.", compliance.Verdict{}, WrongSource, true},
		{"nothing warns", set("how"), set("how"), "A text.", compliance.Verdict{}, RuleMissing, false},
		{"too long", set("how", "when", "scam", "ring"), set("how", "when"), long, compliance.Verdict{}, NotUnderstood,
			true},
		{"stopped", set("how", "when", "scam", "ring"), set("how", "when"), "A text.", bad, NotCompliant, true},
		{"stopped, whatever it missed", set(), set("how", "when"), "A text.", bad, NotCompliant, true},
		{"to mend", set("how", "when", "scam", "ring"), set("how", "when"), "A text.", mend, ToMend, true},
		{"no answer, though rules add what is needed", set("how", "when", "scam", "ring"), set("how", "when"),
			unknown + " A text.", compliance.Verdict{}, Unanswered, true},
		{"well", set("how", "when", "scam", "ring"), set("how"), "A text.", compliance.Verdict{}, "", false},
	} {
		o := judged(who, c.said, c.met, c.verdict)
		o.explain(who, c.held)
		if o.Why != c.why || o.InBase != c.inBase || (o.Why == "") != o.Successful {
			t.Errorf("%s: %q, in the base %v, %+v", c.name, o.Why, o.InBase, o)
		}
		list = append(list, Session{Outcome: o})
	}
	m := Measure(list)
	const said = "Why 8 weren't successful. 1: no section has the answer; 1: a section has it and the answer doesn't; " +
		"1: a warning or next step is missing that only a rule can add; 1: too long for the reader; " +
		"2: not compliant; 1: the advisor had no answer; 1: compliant, but a check asks for a change. " +
		"Checks found: too vague (1), x (2)."
	if m.Failures() != said || (Metrics{}).Failures() != "" ||
		m.InBase.N != 6 || m.InBase.Of != 0 || m.NotCompliant() != m.Failed[NotCompliant] {
		t.Errorf("%s %+v", m.Failures(), m)
	}
}

// What the advisor couldn't answer is no example, and neither is what answers something else, however satisfied the
// formulas find the customer whose needs a rule added.
func TestAnAnswerToSomethingElseIsNoSuccess(t *testing.T) {
	p := pensioners(t)
	who := p.of("P072/c") // underpaid by the scheme
	var own, scam []string
	met := map[string]bool{}
	for _, n := range who.Needs {
		own, met[n.ID] = append(own, n.Statement), true
	}
	for _, n := range p.Needs {
		if slices.Contains([]string{"scam-signs", "cold-call-illegal", "report-scam", "min-age-55"}, n.ID) {
			scam = append(scam, n.Statement)
		}
	}
	last := func(o Outcome) Outcome { o.explain(who, met); return o }
	answer := strings.Join(own, " ")
	if o := last(judged(who, answer, met, compliance.Verdict{})); !o.Successful || o.Why != "" {
		t.Errorf("its own: %+v", o)
	}
	o := last(judged(who, strings.Join(scam, " ")+" "+answer, met, compliance.Verdict{}))
	if o.Successful || o.Why != Elsewhere || o.Satisfaction < 9 {
		t.Errorf("scams: %+v", o)
	}
	refusal := pack.Of(pack.Pension).Frames.Unknown + " " + answer
	if o := last(judged(who, refusal, met, compliance.Verdict{})); o.Successful || o.Why != Unanswered {
		t.Errorf("a refusal: %+v", o)
	}
	s, run := runs(t)
	list := []Session{{Person: who.Key(), Dialogue: []Turn{{ByCustomer, who.Question}, {ByAdvisor, refusal}},
		Outcome: Outcome{Satisfaction: 10, FCACompliant: true, Successful: true}}} // kept before that was looked at
	if err := s.store(t.Context(), run.ID, phaseTrain, list); err != nil {
		t.Fatal(err)
	}
	if out, err := s.Good(t.Context(), run, p); err != nil || len(out) != 0 {
		t.Errorf("%d examples, %v", len(out), err)
	}
}
