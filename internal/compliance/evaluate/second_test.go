package evaluate

import (
	"testing"

	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/measure"
	"preceptor/internal/platform/fault"
)

// on has a threshold switched on by two people.
func (b *bench) on(t testing.TB, thresholdID string) {
	t.Helper()
	if err := b.AskOn(ctx, thresholdID, "It was measured.", eve); err != nil {
		t.Fatal(err)
	}
	if err := b.agree(t, thresholdID, ada); err != nil {
		t.Fatal(err)
	}
}

// agree has a person agree to what was asked of a threshold.
func (b *bench) agree(t testing.TB, thresholdID string, by audit.Actor) error {
	t.Helper()
	got, err := b.Threshold(ctx, thresholdID)
	if err != nil || got.Asked == nil {
		t.Fatalf("nobody asked: %v", err)
	}
	_, err = b.approvals.Agree(ctx, got.Asked.ID, by)
	return err
}

// One expert alone could label a trivial set, measure on it and turn escalation off.
func TestAThresholdTakesTwoPeople(t *testing.T) {
	b := open(t, panelOf(judge{name: "a", model: "m/a"}), 600)
	b.measure(t)
	list, _, err := b.Thresholds(ctx, 0, 10)
	if err != nil || len(list) != 1 || list[0].Threshold.Value > measure.MostThreshold {
		t.Fatalf("%+v, %v", list, err)
	}
	first := list[0].ID
	if err := b.AskOn(ctx, first, "It was measured.", eve); err != nil {
		t.Fatal(err)
	}
	got, err := b.Threshold(ctx, first)
	if err != nil || !got.Waits() || got.State != Proposed || b.Routing().Version != 0 {
		t.Fatalf("one person alone: %+v, %v, routing %d", got, err, b.Routing().Version)
	}
	if err := b.agree(t, first, eve); !fault.Is(err, fault.Denied) {
		t.Errorf("the same person: %v", err)
	}
	if err := b.Refuse(ctx, first, "No.", ada); !fault.Is(err, fault.Conflict) {
		t.Errorf("refused past who asked: %v", err)
	}
	if err := b.AskOn(ctx, first, "Me too.", ada); !fault.Is(err, fault.Conflict) {
		t.Errorf("asked twice: %v", err)
	}
	if _, err := b.approvals.Withdraw(ctx, got.Asked.ID, eve); err != nil {
		t.Fatal(err)
	}
	b.on(t, first)
	if got, err = b.Threshold(ctx, first); err != nil || got.State != Active || got.Switched.ID != eve.ID ||
		got.Asked.Decided.By != ada.ID || b.Routing().Version != got.Version {
		t.Errorf("%+v, %v", got, err)
	}
	origin, err := b.Origin(ctx, got)
	if err != nil || len(origin) != 1 || origin[0].ID != mo.ID || origin[0].Labels != 600 || got.ByAsker(origin) {
		t.Errorf("%+v, %v", origin, err)
	}
	origin[0].ID = eve.ID
	if !got.ByAsker(origin) {
		t.Error("who asked imported the labels, and nothing says so")
	}
}

func TestWhatOneJudgeFailsIsClearedAtNoThreshold(t *testing.T) {
	v := validator(panelOf(judge{name: "a", model: "m/a"}, judge{name: "b", model: "m/b"},
		judge{name: "c", model: "m/c", ask: nil}))
	answered := Ask(ctx, v, []Item{item(1, measure.Compliant, 0.05)})
	c := &Content{}
	if s := c.score(answered[0]); !(s <= 0.06) {
		t.Fatalf("all pass it: %v", s)
	}
	answered[0].of(voicePrefix + "a").Label = string(compliance.NonCompliant)
	if s := c.score(answered[0]); s == s {
		t.Errorf("one of three fails it: %v", s)
	}
}
