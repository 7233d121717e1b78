package dataset_test

import (
	"strings"
	"testing"

	"preceptor/internal/dataset"
	"preceptor/internal/platform/fault"
)

// What somebody typed of an answer is before them when they come back, until they answer; nobody else has it, and an
// erasure takes it.
func TestWhatIsTypedOfAnAnswerIsKept(t *testing.T) {
	f := open(t)
	d := f.set("Line", nil)
	ids := f.add(d, 2)
	f.next(d, ann)
	for _, id := range ids {
		if _, err := f.SaveDraft(ctx, id, ann, `{"Rationale":"because"}`); err != nil {
			t.Fatal(err)
		}
	}
	w, err := f.Next(ctx, d.ID, ann)
	if err != nil || !strings.Contains(w.Now.Draft, "because") {
		t.Fatalf("%+v, %v", w.Now, err)
	}
	if w, err := f.Next(ctx, d.ID, ben); err != nil || w.Now.Draft != "" {
		t.Errorf("%+v, %v", w.Now, err)
	}
	if _, err := f.SaveDraft(ctx, ids[0], dee, "x"); !fault.Is(err, fault.NotFound) {
		t.Errorf("who doesn't have it: %v", err)
	}
	if _, err := f.SaveDraft(ctx, ids[0], ann, strings.Repeat("x", 300_000)); !fault.Is(err, fault.Invalid) {
		t.Errorf("too long: %v", err)
	}
	f.label(ids[0], ann, good)
	if got, err := f.Task(ctx, ids[0], ann); err != nil || got.Draft != "" {
		t.Errorf("%+v, %v", got, err)
	}
}

// One rule for whoever judges a text: what is advice isn't compliant guidance.
func TestAdviceIsNotCompliant(t *testing.T) {
	f := open(t)
	d := f.set("Line", nil)
	ids := f.add(d, 1)
	pair := dataset.Answer{Label: good, Boundary: "ADVICE", Rationale: "Because."}
	refused := func(what string, err error) {
		t.Helper()
		if !fault.Is(err, fault.Invalid) || !strings.Contains(fault.Message(err), "can't be compliant guidance") {
			t.Errorf("%s: %v", what, err)
		}
	}
	f.next(d, ann)
	_, err := f.Label(ctx, dataset.LabelInput{ItemID: ids[0], By: ann, Answer: pair})
	refused("a label", err)
	f.label(ids[0], ann, good)
	f.next(d, ben)
	f.label(ids[0], ben, bad)
	f.clock.Advance(dataset.UndoFor)
	v, err := f.Sides(ctx, ids[0], cy)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Adjudicate(ctx, dataset.RulingInput{ItemID: ids[0], By: cy, Version: v.Item.Version, Answer: pair})
	refused("a ruling", err)
}

// Labels that differ only in case can't be told apart.
func TestLabelsDifferInMoreThanCase(t *testing.T) {
	f := open(t)
	s := dataset.DefaultSettings()
	s.Name, s.Labels = "Case", []string{"A", "a", "A", "B"}
	_, err := f.Create(ctx, s, mo)
	if list := fault.Fields(err); len(list) != 1 || list[0].Name != "labels" ||
		!strings.Contains(list[0].Msg, "differ only in case") {
		t.Errorf("%v %+v", err, list)
	}
}
