package evaluate

import (
	"context"
	"testing"

	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/measure"
	"preceptor/internal/dataset"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

func TestAVersionTeachesOnce(t *testing.T) {
	b := open(t, compliance.Panel{}, 120)
	kept, lessons := map[string]int{}, map[string]int{}
	b.OnExemplar = func(_ context.Context, g Gold, agent Agent, by audit.Actor) (func(*db.Tx) (string, error), error) {
		return func(*db.Tx) (string, error) { kept[g.ID]++; return "case-" + agent.ID + by.ID, nil }, nil
	}
	known := ""
	b.OnLesson = func(_ *db.Tx, g Gold, _ Agent) (bool, error) {
		if lessons[g.Kind]++; known == "" {
			known = g.ID // has a lesson, from another version
		}
		return g.ID != known, nil
	}
	t1, err := b.CanTeach(ctx, b.set.ID, 1)
	if err != nil || len(t1.Passes) == 0 || t1.Fails == 0 || t1.Border == 0 || t1.Taught != 0 {
		t.Fatalf("%d passes, %d fails, %d borderline, %v", len(t1.Passes), t1.Fails, t1.Border, err)
	}
	for _, g := range t1.Passes {
		if g.Split != "train" || g.Truth != measure.Compliant {
			t.Errorf("%s of %s is offered as an exemplar", g.Truth, g.Split)
		}
	}
	in := TeachInput{DatasetID: b.set.ID, Number: 1, Agent: Agent{ID: "a", Name: "A"},
		Approved: []string{t1.Passes[0].ID}, Passed: []string{t1.Passes[1].ID}, Lessons: true,
		By: audit.Actor{Kind: audit.Person, ID: "sam", Name: "Sam"}}
	if _, err := b.Teach(ctx, in); !fault.Is(err, fault.Denied) {
		t.Errorf("by somebody who may not: %v", err)
	}
	in.By = eve
	out, err := b.Teach(ctx, in)
	if err != nil || out.Exemplars != 1 || out.PassedOver != 1 || out.Lessons != t1.Fails+t1.Border-1 || out.Known != 1 ||
		out.Left != len(t1.Passes)+t1.More-2 {
		t.Fatalf("%+v, %v", out, err)
	}
	if kept[t1.Passes[0].ID] != 1 || len(kept) != 1 || lessons[Reflection] != t1.Fails ||
		lessons[Clarification] != t1.Border {
		t.Errorf("kept %v, lessons %v", kept, lessons)
	}
	if _, err := b.Teach(ctx, in); !fault.Is(err, fault.Conflict) {
		t.Errorf("the same press again: %v", err)
	}
	in.Approved, in.Passed = nil, nil
	if out, err := b.Teach(ctx, in); err != nil || out.Lessons != 0 {
		t.Errorf("lessons again: %+v, %v", out, err)
	}
	t2, err := b.CanTeach(ctx, b.set.ID, 1)
	if err != nil || t2.Fails != 0 || t2.Border != 0 || t2.Taught != 2+t1.Fails+t1.Border {
		t.Errorf("%+v, %v", t2.Taught, err)
	}
	in.Approved = []string{"no-such-item"}
	if _, err := b.Teach(ctx, in); !fault.Is(err, fault.Conflict) {
		t.Errorf("a text that is not there: %v", err)
	}
}

func TestKindOf(t *testing.T) {
	sure, unsure := 0.9, 0.5
	for _, c := range []struct {
		a    dataset.Answer
		want string
	}{
		{dataset.Answer{Label: measure.Compliant}, Exemplar},
		{dataset.Answer{Label: measure.Compliant, Confidence: &unsure}, ""},
		{dataset.Answer{Label: measure.Compliant, Issues: []dataset.Issue{{Code: "PRESSURE"}}}, ""},
		{dataset.Answer{Label: measure.NonCompliant, Confidence: &sure}, Reflection},
		{dataset.Answer{Label: measure.NonCompliant, Confidence: &unsure}, ""},
		{dataset.Answer{Label: measure.Borderline, Confidence: &unsure}, Clarification},
	} {
		if got := kindOf(c.a); got != c.want {
			t.Errorf("%+v teaches %q, want %q", c.a, got, c.want)
		}
	}
}
