package prompted

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"preceptor/internal/compliance"
	"preceptor/internal/llm/llmtest"
	"preceptor/internal/privacy"
)

const draft = "Your pension could be moved.\nYou  should \u201cmove\u201d it now. Ask us."

func ask(t *testing.T, answer any) (compliance.Vote, error) {
	t.Helper()
	return New("strict", llmtest.New(answer), privacy.New()).Judge(t.Context(), compliance.Subject{Text: draft})
}

func TestVote(t *testing.T) {
	v, err := ask(t,
		`{"reasoning":"It steers.","boundary_classification":"ADVICE","passed":false,"confidence":0.8,"issues":[
		{"code":"PERSONAL_RECOMMENDATION","quote":"You should \"move\" it now.","why":"It tells the reader what to do.","severity":"critical"},
		{"code":"MISSING_SIGNPOST","quote":"","why":"Nobody is pointed to.","severity":"major"},
		{"code":"PRESSURE","quote":"","why":"No words.","severity":"critical"},
		{"code":"PRESSURE","quote":"before it is too late","why":"Not there.","severity":"critical"},
		{"code":"MISSING_DB_WARNING","quote":"not there either","why":"Not there.","severity":"critical"},
		{"code":"BAD_TASTE","quote":"Ask us.","why":"No such code.","severity":"minor"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	if v.Judge != "strict" || v.AnsweredBy != "scripted" || v.Passed || v.Confidence != 0.8 || v.Tokens == 0 ||
		v.Boundary != compliance.Advice {
		t.Errorf("%+v", v)
	}
	got := ""
	for _, i := range v.Issues {
		got += fmt.Sprintf("%s %v %q %t; ", i.Code, i.Span, i.Quote, i.Reference != "")
	}
	want := `PERSONAL_RECOMMENDATION [29 55] "You  should “move” it now." true; MISSING_SIGNPOST [63 63] "" true; `
	if got != want {
		t.Errorf("issues\n%s\nwant\n%s", got, want)
	}
}

func TestAnswersThatAbstain(t *testing.T) {
	answer := func(class string, passed any, confidence any, more string) string {
		return fmt.Sprintf(`{"reasoning":"x","boundary_classification":%q,"passed":%v,"confidence":%v,"issues":[]%s}`,
			class, passed, confidence, more)
	}
	for name, a := range map[string]any{
		"no JSON":                     "I think it passes",
		"prose around JSON":           "Sure! " + answer("GUIDANCE", true, 0.9, ""),
		"NaN":                         answer("GUIDANCE", true, "NaN", ""),
		"infinite":                    answer("GUIDANCE", true, "1e400", ""),
		"beyond one":                  answer("GUIDANCE", true, 1.01, ""),
		"below nothing":               answer("GUIDANCE", true, -0.1, ""),
		"a confidence in words":       answer("GUIDANCE", true, `"high"`, ""),
		"a pass in words":             answer("GUIDANCE", `"yes"`, 0.9, ""),
		"an unknown class":            answer("SAFE", true, 0.9, ""),
		"a field too many":            answer("GUIDANCE", true, 0.9, `,"approve":true`),
		"a name twice":                answer("GUIDANCE", true, 0.9, `,"confidence":0.1`),
		"a name twice in other case":  answer("GUIDANCE", true, 0.9, `,"Passed":false`),
		"a pass of advice":            answer("ADVICE", true, 0.9, ""),
		"a field too few":             `{"reasoning":"x","passed":true,"confidence":1,"issues":[]}`,
		"null":                        "null",
		"a list":                      "[]",
		"cut off":                     answer("GUIDANCE", true, 0.9, "")[:40],
		"two answers":                 answer("GUIDANCE", true, 0.9, "") + answer("ADVICE", false, 0.9, ""),
		"the model's failure":         errors.New("down"),
		"an issue with a field extra": `{"reasoning":"x","boundary_classification":"GUIDANCE","passed":true,"confidence":1,"issues":[{"code":"PRESSURE","quote":"x","why":"x","severity":"minor","span":[0,1]}]}`,
		"an issue without severity":   `{"reasoning":"x","boundary_classification":"GUIDANCE","passed":true,"confidence":1,"issues":[{"code":"PRESSURE","quote":"x","why":"x"}]}`,
	} {
		if v, err := ask(t, a); err == nil {
			t.Errorf("%s counts: %+v", name, v)
		}
		p := compliance.Panel{Judges: []compliance.Judge{New("strict", llmtest.New(a), privacy.New())}}
		v := p.Ask(t.Context(), compliance.Subject{Text: draft})[0]
		if !v.Abstained || v.Why == "" || v.Passed || v.Judge != "strict" {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

func TestWhatAJudgeSaysIsBoundedAndPlain(t *testing.T) {
	long := strings.Repeat("no end ", 5000)
	p := compliance.Panel{Judges: []compliance.Judge{New("strict", llmtest.New(map[string]any{
		"reasoning": "a\u202eb\x1b[2J\n" + long, "boundary_classification": "BORDERLINE", "passed": false,
		"confidence": 0.5,
		"issues":     []any{map[string]any{"code": "PRESSURE", "quote": "it now", "why": long, "severity": "major"}},
	}), privacy.New())}}
	v := p.Ask(t.Context(), compliance.Subject{Text: draft})[0]
	if v.Abstained || len(v.Reasoning) > 2100 || len(v.Issues) != 1 || len([]rune(v.Issues[0].Why)) > maxWhy ||
		!strings.HasPrefix(v.Reasoning, "ab [2J no end") {
		t.Errorf("%d, %d issues: %.60q", len(v.Reasoning), len(v.Issues), v.Reasoning)
	}
}

func FuzzRead(f *testing.F) {
	for _, o := range obeyed {
		f.Add(o.answer)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := read("m", text)
		if err != nil {
			return
		}
		if v := a.vote(draft, nil); v.Confidence < 0 || v.Confidence > 1 ||
			v.Passed && v.Boundary == compliance.Advice {
			t.Errorf("%q counts as %+v", text, v)
		}
	})
}

// A model that reads for pensions is offered no code of other trades, whose texts aren't sent to it.
func TestOnlyCodesOfPacksWithChecksAreOffered(t *testing.T) {
	offered := map[string]bool{}
	for _, c := range codes() {
		offered[c.Code] = c.Means != ""
	}
	for code, want := range map[string]bool{"PERSONAL_RECOMMENDATION": true, "PRESSURE": true, "OFF_TOPIC": true,
		"RUDE": false, "WRONG_FACT": false} {
		if offered[code] != want {
			t.Errorf("%s is offered: %v", code, offered[code])
		}
	}
}
