package practice

import (
	"testing"

	"preceptor/internal/compliance"
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
		{"stopped", set("how", "when", "scam", "ring"), set("how", "when"), "A text.", bad, Flagged, true},
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
	const said = "Why 5 weren't successful. 1: no section has the answer; 1: a section has it and the answer doesn't; " +
		"1: a warning or next step is missing that only a rule can add; 1: too long for the reader; " +
		"1: a check found a problem."
	if m.Failures() != said || (Metrics{}).Failures() != "" ||
		m.InBase.N != 3 || m.InBase.Of != 0 || m.NotCompliant() != 1 {
		t.Errorf("%s %+v", m.Failures(), m)
	}
}
