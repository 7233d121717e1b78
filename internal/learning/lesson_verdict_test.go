package learning

import (
	"strings"
	"testing"

	"preceptor/internal/platform/db"
	"preceptor/internal/privacy"
)

// What judges, a check or a gold set fail is reflected on by the model as other failures are, with what the judges said;
// without a model it waits for a person, who can have a later model asked.
func TestTheModelReflectsOnWhatFailed(t *testing.T) {
	failed := func(kind, origin, cause string) Source {
		return Source{Kind: kind, Origin: origin, CauseID: cause, InteractionID: "i-" + cause, AgentID: "a-" + cause,
			AgentName: "other", Task: dbCustomer.Task, Situation: dbCustomer, AgentText: draftWithoutWarning,
			Label: "NON_COMPLIANT", By: "the panel", Flags: []Flag{{Code: "INACCURATE_FACT", Why: "It isn't so."}},
			Voices: []Voice{{Judge: "j", Reasoning: "The guarantee ends with a transfer."}}}
	}
	sources := []Source{failed(Judged, "", "1"), failed(Verdict, "", "2"), failed(Ruling, Dataset, "3")}
	lessons := func(b *bench) (out []Lesson) {
		for _, s := range sources {
			if err := b.d.Read(b.ctx, func(tx *db.Tx) error {
				l, _, err := byCauseTx(tx, causeOf(s.Kind), s.CauseID)
				out = append(out, l)
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		return out
	}
	script := goodScript()
	b, without := open(t, NewPrompted(script, privacy.New()), Policy{}), open(t, nil, Policy{})
	for _, s := range sources {
		for _, bench := range []*bench{b, without} {
			bench.write(func(tx *db.Tx) error { _, err := bench.FromVerdictTx(tx, s); return err })
			bench.drain()
		}
	}
	for _, l := range lessons(b) {
		if !l.Guessed || l.State != Waiting || l.Stage != StageAccept {
			t.Errorf("%s: %s/%s %q", l.Origin, l.Stage, l.State, l.Outcome)
		}
	}
	for i, says := range []string{"The compliance judges failed", "A compliance check failed", "Experts ruled"} {
		n := 0
		for _, r := range script.Asked() {
			if r.SchemaName == "lesson_reflect" && strings.Contains(r.Prompt, says) {
				n++
				if told := strings.Contains(r.Prompt, "The guarantee ends with a transfer."); told != (i == 0) {
					t.Errorf("%s: what the judges said: %v", says, told)
				}
			}
		}
		if n != 1 {
			t.Errorf("%q was asked %d times", says, n)
		}
	}
	for _, l := range lessons(without) {
		if l.State != Unstated || !l.MayReflectAgain() {
			t.Errorf("without a model, %s: %s %q", l.Origin, l.State, l.Outcome)
		}
	}
	without.reasoner = NewPrompted(goodScript(), privacy.New())
	first := lessons(without)[0]
	if err := without.Again(t.Context(), first.ID, expert); err != nil {
		t.Fatal(err)
	}
	without.drain()
	if l := lessons(without)[0]; l.State != Waiting || !l.Guessed || l.MayReflectAgain() {
		t.Errorf("once there is a model: %s %q", l.State, l.Outcome)
	}
	if (Lesson{State: Unstated, Origin: Reflected}).MayReflectAgain() {
		t.Error("what a reflection over many memories counted goes to the model: an expert says what follows")
	}
}
