package advisor

import (
	"strings"
	"testing"

	"preceptor/internal/audit"
	"preceptor/internal/db"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
)

func TestTheNoteOfWhatWasSentBackIsHeeded(t *testing.T) {
	r := asks(question, hasDB)
	before := draft(t, r)
	r.Note = "Warn about the guaranteed benefits that would be lost.\nCheck understanding at the end; and it reads like a leaflet."
	after := draft(t, r)
	if warned, first, _ := pack.WarnedOfGuarantees(after.Text); !warned || !first {
		t.Errorf("the warning is missing or comes late:\n%s", after.Text)
	}
	if warned, _, _ := pack.WarnedOfGuarantees(before.Text); warned || !strings.Contains(after.Text, "in your own words") {
		t.Errorf("before:\n%s\nafter:\n%s", before.Text, after.Text)
	}
	for _, want := range []string{`Sent back with "Warn about the guaranteed benefits that would be lost"`, `"and it reads like a leaflet": nothing that the embedded advisor knows how to do`} {
		if !strings.Contains(after.Reasoning, want) {
			t.Errorf("the reasoning lacks %q:\n%s", want, after.Reasoning)
		}
	}
	if strings.Contains(after.Text, "leaflet") {
		t.Errorf("a note that was not understood stands in the draft:\n%s", after.Text)
	}
}

// What was sent back is drafted anew with the note, once, and both versions know of each other.
func TestWhatWasSentBackIsDraftedAnew(t *testing.T) {
	b := newBench(t, Embedded{})
	id := b.ask(t, "How can I combine my pots?")
	b.drain(t)
	first := b.get(t, id)
	for range 2 {
		err := b.d.Write(ctx, func(tx *db.Tx) error { return b.interactions.DraftAnewTx(tx, first, "Check understanding at the end.") })
		if err != nil {
			t.Fatal(err)
		}
	}
	newer, err := b.interactions.RevisedBy(ctx, id)
	if err != nil || newer == "" {
		t.Fatalf("newer %q, %v", newer, err)
	}
	b.drain(t)
	second := b.get(t, newer)
	if second.Revises != id || second.Status != interaction.Waiting || second.AgentID != first.AgentID || !strings.Contains(second.Guidance, "in your own words") {
		t.Errorf("%+v", second)
	}
	if n, err := b.interactions.Note(ctx, second); err != nil || n != "Check understanding at the end." {
		t.Errorf("note %q, %v", n, err)
	}
	history, err := b.interactions.History(ctx, newer)
	if err != nil || history[0].Kind != "asked" || history[0].Actor.Kind != audit.SystemActor {
		t.Errorf("history %+v, %v", history, err)
	}
}
