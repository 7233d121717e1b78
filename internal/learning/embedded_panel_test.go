package learning

import (
	"context"
	"strings"
	"testing"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/pack"
)

const seedDraft = "Given your situation, you might want to consider consolidating those pensions."

// seedVoices are the three votes of seed 000, "Example: Learning from Judge Feedback".
var seedVoices = []Voice{
	{Judge: "one", Confidence: 0.75, Boundary: "ADVICE", Reasoning: "'might want to' is a softened recommendation. Suggests personal direction."},
	{Judge: "two", Passed: true, Confidence: 0.70, Boundary: "BORDERLINE", Reasoning: "'consider' is option language, not directive."},
	{Judge: "three", Confidence: 0.82, Boundary: "ADVICE", Reasoning: "'Given your situation' personalizes it, making it advice-like."},
}

func seedSource(kind, label, rationale string) Source {
	return Source{Kind: kind, CauseID: "c1", Task: pack.Consolidation, AgentText: seedDraft, Question: "Should I put them together?", Label: label, Reason: rationale,
		Voices: seedVoices, Phrases: []string{"Given your situation", "might want to"}}
}

func TestAPanelsObjectionsBecomeWordsToAvoid(t *testing.T) {
	e := NewEmbedded(compliance.NewChecker(time.Now))
	for name, c := range map[string]struct {
		src     Source
		want    []string
		nothing bool
	}{
		"seed 000": {src: seedSource(Ruling, "NON_COMPLIANT", "It steers this customer softly."),
			want: []string{"avoid", `"given your situation"`, `"might want to"`, `"some people consider"`, `"options include"`, "because"}},
		"the expert's own words": {src: seedSource(Ruling, "BORDERLINE", "Avoid 'might want to'; use 'one option is' instead because people take a suggestion for advice."),
			want: []string{`"might want to"`, `"one option is"`, "because people take a suggestion for advice"}},
		"the expert asks for something else": {src: seedSource(Ruling, "NON_COMPLIANT", "Mention that exit charges may apply to older contracts."),
			want: []string{"exit charges may apply"}},
		"a failing panel": {src: seedSource(Judged, "NON_COMPLIANT", ""), want: []string{`"might want to"`, `"options include"`}},
		"ruled compliant": {src: seedSource(Ruling, "COMPLIANT_GUIDANCE", "Option language; nobody is told what to do."), nothing: true},
		"no words named":  {src: func() Source { s := seedSource(Judged, "BORDERLINE", ""); s.Phrases = nil; return s }(), nothing: true},
		"words of this customer only": {src: func() Source {
			s := seedSource(Judged, "BORDERLINE", "")
			s.AgentText, s.Phrases = "Move your £41,200 now.", []string{"your £41,200 now"}
			return s
		}(), nothing: true},
		"a critical check": {src: func() Source {
			s := seedSource(Verdict, "NON_COMPLIANT", "")
			s.Situation = pack.Situation{HasDB: true, Question: s.Question}
			s.Phrases, s.Flags = nil, []Flag{{Code: "MISSING_DB_WARNING"}}
			return s
		}(), want: []string{"the customer has a defined benefit pension", "giving up a guaranteed income", "before discussing"}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := e.Reflect(context.Background(), c.src)
			if err != nil {
				t.Fatal(err)
			}
			if r.Nothing != c.nothing {
				t.Fatalf("nothing is %v: %+v", r.Nothing, r)
			}
			if c.nothing {
				if r.Why == "" {
					t.Error("no reason")
				}
				return
			}
			if err := r.check(); err != nil {
				t.Fatal(err)
			}
			rule, err := e.Refine(context.Background(), r)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := threeParts(rule); err != nil {
				t.Errorf("%s: %v", rule, err)
			}
			if r.Domain != RegulatoryCompliance {
				t.Errorf("domain %s", r.Domain)
			}
			low := strings.ToLower(rule)
			for _, w := range c.want {
				if !strings.Contains(low, w) {
					t.Errorf("%q is not in %q", w, rule)
				}
			}
			j, err := e.Judge(context.Background(), Candidate{Rule: rule, Domain: r.Domain})
			if err != nil || !j.Accept {
				t.Errorf("the judge: %+v %v", j, err)
			}
		})
	}
}

// The rule does to the seed's own sentence what it asks for.
func TestTheSeedsLessonMendsTheSeedsDraft(t *testing.T) {
	e := NewEmbedded(compliance.NewChecker(time.Now))
	r, err := e.Reflect(context.Background(), seedSource(Ruling, "NON_COMPLIANT", "It steers."))
	if err != nil {
		t.Fatal(err)
	}
	rule, err := e.Refine(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	pr, err := pack.ParsePrinciple(rule)
	if err != nil {
		t.Fatal(err)
	}
	if pr.Present(seedDraft) {
		t.Error("the draft counts as mended")
	}
	if !pr.Present("Some people consider consolidating their pensions. Options include leaving them where they are.") {
		t.Error("a mended draft counts as not mended")
	}
}
