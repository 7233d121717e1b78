package learning

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"preceptor/internal/learning"
)

func TestGateInWords(t *testing.T) {
	for name, c := range map[string]struct {
		gate learning.Gate
		want []string
	}{
		"nothing yet": {learning.Gate{Kind: learning.GateWilson, Valid: true, Provisional: true, Held: 3,
			MustNotFire: 3}, []string{"No approved case supports", "If the next 10 relevant cases",
			"correctly not applied in 3 of 3 cases"}},
		"provisional": {learning.Gate{Kind: learning.GateWilson, Valid: true, Provisional: true, Helpful: 9, Tried: 10,
			Lower: 0.65, Silent: 1}, []string{"helped in 9 of 10 relevant cases", "At least 65%", "70% is required",
			"If the next 10 relevant cases", "1 case was not affected"}},
		"one missing": {learning.Gate{Kind: learning.GateWilson, Valid: true, Provisional: true, Helpful: 9, Tried: 9,
			Lower: 0.76}, []string{"If the next 1 relevant case supports it too, it is no longer"}},
		"passed": {learning.Gate{Kind: learning.GateWilson, Valid: true, Helpful: 18, Tried: 20, Lower: 0.73},
			[]string{"At least 73%"}},
		"not passed": {learning.Gate{Kind: learning.GateWilson, Tried: 4, Why: "it helped in 0 of 4 cases."},
			[]string{"Dropped: it helped in 0 of 4 cases."}},
		"the seed's": {learning.Gate{Kind: learning.GateSeed, Valid: true, Provisional: true, Helpful: 4, Tried: 4},
			[]string{"of ten cases", "If the next 6 relevant cases"}},
	} {
		text := gateWords(c.gate) + " " + strings.Join(gateMore(c.gate), " ")
		if strings.ContainsAny(text, "%") {
			t.Errorf("%s: %q says how it is measured, which stands behind Details", name, text)
		}
		text += " " + gateBound(c.gate)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q lacks %q", name, text, want)
			}
		}
	}
}

func TestStepsAreReadWhateverStandsInThem(t *testing.T) {
	for _, raw := range []string{"", "null", "[]", "{", `{"note":7}`, `{"rule":{}}`} {
		if f := read(json.RawMessage(raw)); f.Rule != "" || f.Note.Text != "" {
			t.Errorf("%s: %+v", raw, f)
		}
		if len(reflection(learning.Step{Output: json.RawMessage(raw)}).Principle) > 0 ||
			len(judgement(learning.Step{Output: json.RawMessage(raw)}).Heads) > 0 {
			t.Errorf("%s", raw)
		}
	}
	for raw, want := range map[string]string{`{"note":"Shorter."}`: "Shorter.",
		`{"note":{"by":"Edie","text":"Shorter."}}`: "Shorter."} {
		if got := read(json.RawMessage(raw)).Note.Text; got != want {
			t.Errorf("%s: %q", raw, got)
		}
	}
	if got := pretty(json.RawMessage(`"` + strings.Repeat("é", maxRecord) + `"`)); len(got) > maxRecord+10 ||
		!strings.HasSuffix(got, "…") {
		t.Errorf("%d bytes", len(got))
	}
}

func TestStepTitles(t *testing.T) {
	step := func(name, state, in string) learning.Step {
		return learning.Step{Name: name, State: state, Input: json.RawMessage(in)}
	}
	l := learning.Lesson{Steps: []learning.Step{
		step(learning.StageReflect, learning.StepFailed, "{}"), step(learning.StageReflect, learning.StepDone, "{}"),
		step(learning.StageValidate, learning.StepDone, "{}"),
		step(learning.StepBack, learning.StepDone, "{}"), step(learning.StageReflect, learning.StepDone, "{}"),
		step(learning.StageValidate, learning.StepDone, "{}"),
		step(learning.StageRefine, learning.StepDone, `{"principle":"p"}`),
		step(learning.StageRefine, learning.StepDone, `{"rule":"r"}`),
		step(learning.StageAccept, learning.StepDone, "{}"),
	}}
	want := []string{"What it teaches", "What it teaches", "What it was tested on", "Sent back",
		"What it teaches, again", "Tried again", "Put into words", "Reworded by hand", "What a person decided"}
	for i := range l.Steps {
		if got := stepTitle(l, i); got != want[i] {
			t.Errorf("step %d is %q, want %q", i+1, got, want[i])
		}
	}
	if got := answeredBy(learning.Step{AnsweredBy: "m", Duration: 1500 * time.Millisecond, TokensIn: 1204,
		TokensOut: 7}); got != "m, 1.5s, 1,204 tokens in and 7 out" {
		t.Error(got)
	}
}

func TestOrigins(t *testing.T) {
	if got := answeredBy(learning.Step{AnsweredBy: "m",
		Input: json.RawMessage(`{"principle":"x","prompts":["reflect.v1","system.v1"]}`)}); got !=
		"m, prompts reflect.v1, system.v1" {
		t.Errorf("prompts: %q", got)
	}
	for kind, want := range map[string]string{learning.Revise: "revised by Sam", learning.Dataset: "labelled in Sam",
		learning.Outcome: "low score from Sam", learning.Practice: "practised with Sam"} {
		l := learning.Lesson{}
		l.Origin, l.By = kind, "Sam"
		if got := origin(l); got != want {
			t.Errorf("%s: %q", kind, got)
		}
	}
	l := learning.Lesson{}
	l.Origin = learning.Reject
	if got := origin(l); got != "rejected" {
		t.Errorf("nobody: %q", got)
	}
}
