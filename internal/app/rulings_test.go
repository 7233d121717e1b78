package app_test

import (
	"testing"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/dataset"
)

// A ruling that can no longer be taken back teaches the judge, but not one that a gold set holds: judges are
// measured on those.
func TestARulingTeaches(t *testing.T) {
	s := openSpine(t)
	real := s.Validator
	withSeedsPanel(s)
	id := s.steered(t)
	s.Validator = real
	s.rule(t, s.caseOf(t, id), compliance.Compliant, compliance.Guidance, "It names an option and leaves the choice.")
	said := func() []evaluate.Labelled {
		t.Helper()
		list, err := s.Ruled(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	if list := said(); len(list) > 0 {
		t.Errorf("a ruling that can be taken back counts: %+v", list)
	}
	s.Clock.Advance(borderline.UndoFor)
	if list := said(); len(list) != 1 || list[0].Violation || list[0].Subject.Text == "" ||
		list[0].Subject.Situation.Question == "" {
		t.Errorf("the ruling isn't learned from: %+v", list)
	}
	set := dataset.DefaultSettings()
	set.Name = "Line"
	d, err := s.Datasets.Create(t.Context(), set, dataset.Operator)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Datasets.Gather(t.Context(), d.ID,
		dataset.Gathering{Source: dataset.FromRuling, Most: 10, Final: true}, dataset.Operator); err != nil {
		t.Fatal(err)
	}
	if list := said(); len(list) > 0 {
		t.Errorf("a ruling that a gold set holds counts: %+v", list)
	}
}
