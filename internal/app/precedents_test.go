package app_test

import (
	"strings"
	"testing"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/embedded"
	"preceptor/internal/dataset"
	"preceptor/internal/interaction"
)

// A ruling that can no longer be taken back is a precedent for texts like it, but not for one that a gold set holds: judges are
// measured on those.
func TestARulingIsAPrecedent(t *testing.T) {
	s := openSpine(t)
	real := s.Validator
	withSeedsPanel(s)
	id := s.steered(t)
	s.Validator = real
	s.rule(t, s.caseOf(t, id), compliance.Compliant, compliance.Guidance, "It names an option and leaves the choice.")
	said := func() string {
		t.Helper()
		if err := s.LearnPrecedents(t.Context()); err != nil {
			t.Fatal(err)
		}
		v := real.Validate(t.Context(), "Given your situation, you might want to consider bringing those pensions together.", interaction.Consultation{Question: "What can I do?"})
		for _, j := range v.Judges {
			if j.Judge == embedded.Precedent {
				return j.Reasoning
			}
		}
		t.Fatalf("no vote of precedents: %+v", v.Judges)
		return ""
	}
	if r := said(); strings.Contains(r, "ruled on") {
		t.Errorf("a ruling that can be taken back counts: %s", r)
	}
	s.Clock.Advance(borderline.UndoFor)
	rules := real.Rules()
	if r := said(); !strings.Contains(r, "ruled on") || strings.Contains(r, "consolidating") {
		t.Errorf("the ruling is no precedent, or its words are quoted: %s", r)
	}
	if real.Rules() == rules {
		t.Error("verdicts from before the ruling are taken for those after it")
	}
	set := dataset.DefaultSettings()
	set.Name = "Line"
	d, err := s.Datasets.Create(t.Context(), set, dataset.Operator)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Datasets.Gather(t.Context(), d.ID, dataset.Gathering{Source: dataset.FromRuling, Most: 10, Final: true}, dataset.Operator); err != nil {
		t.Fatal(err)
	}
	if r := said(); strings.Contains(r, "ruled on") {
		t.Errorf("a ruling that a gold set holds counts: %s", r)
	}
}
