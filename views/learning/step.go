package learning

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/learning"
	"preceptor/internal/pack"
	"preceptor/views/statement"
	"preceptor/views/ui"
)

// told is a person's note inside a step: a record with its author, or its text alone.
type told struct {
	By   string `json:"by"`
	Text string `json:"text"`
}

// UnmarshalJSON takes both forms.
func (t *told) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, &t.Text) == nil {
		return nil
	}
	type plain told
	return json.Unmarshal(b, (*plain)(t))
}

// fields are what the page shows of a step's input or output; each step has some of them.
type fields struct {
	Error     string `json:"error"`
	Rule      string `json:"rule"`
	Principle string `json:"principle"`
	Again     bool   `json:"again"`
	Accepted  bool   `json:"accepted"`
	Edited    bool   `json:"edited"`
	Reason    string `json:"reason"`
	To        string `json:"to"`
	Note      told   `json:"note"`
	Case      string `json:"case"`
	Number    int    `json:"number"`

	Prompts []string `json:"prompts"`
}

// read takes what it knows of a step's record; what it can't read is left empty.
func read(raw json.RawMessage) (f fields) {
	if json.Unmarshal(raw, &f) != nil {
		return fields{}
	}
	return f
}

func reflection(s learning.Step) (r learning.Reflection) {
	if json.Unmarshal(s.Output, &r) != nil {
		return learning.Reflection{}
	}
	return r
}

func judgement(s learning.Step) (j learning.Judgement) {
	if json.Unmarshal(s.Output, &j) != nil {
		return learning.Judgement{}
	}
	return j
}

func gate(s learning.Step) (g learning.Gate, ok bool) {
	return g, json.Unmarshal(s.Output, &g) == nil && g.Why != ""
}

// erased reports whether a step's record was taken away.
func erased(s learning.Step) bool { return string(s.Output) == "{}" }

// before is what a refinement began with.
func before(in fields) string {
	if in.Principle != "" {
		return in.Principle
	}
	return in.Rule
}

// maxRecord bounds what is shown of a record, in bytes.
const maxRecord = 20_000

// pretty is a record for reading.
func pretty(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return ""
	}
	if s := b.String(); len(s) <= maxRecord {
		return s
	}
	return strings.ToValidUTF8(b.String()[:maxRecord], "") + "\n…"
}

// stepTitle is what a step was, as a heading.
func stepTitle(l learning.Lesson, i int) string {
	s := l.Steps[i]
	again := false
	for _, older := range l.Steps[:i] {
		again = again || older.Name == s.Name && older.State == learning.StepDone
	}
	title := map[string]string{learning.StageReflect: "What it teaches",
		learning.StageValidate: "What it was tested on", learning.StageRefine: "Put into words",
		learning.StageJudge: "What the judge said", learning.StageAccept: "What a person decided",
		learning.StepBack: "Sent back", learning.StepRollback: rollbackTitle(s),
		learning.StageCase: "Saved as a case"}[s.Name]
	switch {
	case s.Name == learning.StageRefine && again && read(s.Input).Principle == "":
		return "Reworded by hand"
	case s.Name == learning.StageValidate && again:
		return "Tried again"
	case again && (s.Name == learning.StageReflect || s.Name == learning.StageRefine || s.Name == learning.StageJudge):
		return title + ", again"
	}
	return title
}

// answeredBy says who did a step, how long it took, what it cost and which prompts a model was asked with.
func answeredBy(s learning.Step) string {
	out := s.AnsweredBy
	if t := took(s.Duration); t != "" {
		out += ", " + t
	}
	if s.TokensIn+s.TokensOut > 0 {
		out += fmt.Sprintf(", %s tokens in and %s out", ui.Thousands(s.TokensIn), ui.Thousands(s.TokensOut))
	}
	if asked := read(s.Input).Prompts; len(asked) > 0 {
		out += ", prompts " + strings.Join(asked, ", ")
	}
	return out
}

// latest reports whether a step is the last one of its name.
func (v Lesson) latest(i int) bool {
	for _, s := range v.Lesson.Steps[i+1:] {
		if s.Name == v.Lesson.Steps[i].Name {
			return false
		}
	}
	return true
}

// newest are the last tests and judgement that were done and not erased; nil for none.
func (v Lesson) newest() (tests, judge *learning.Step) {
	for i := range v.Lesson.Steps {
		s := &v.Lesson.Steps[i]
		if s.State != learning.StepDone || erased(*s) {
			continue
		}
		switch s.Name {
		case learning.StageValidate:
			tests = s
		case learning.StageJudge:
			judge = s
		}
	}
	return tests, judge
}

// picked says what this lesson is filed under and where it comes from.
func picked(r learning.Reflection, packName string) string {
	parts := []string{pack.DomainLabel(r.Domain, packName) + "."}
	if r.Why != "" {
		parts = append(parts, r.Why)
	}
	return strings.Join(parts, " ")
}

func gateBadge(g learning.Gate) (ui.Tone, string, string) {
	switch {
	case !g.Valid:
		return ui.Red, "cross", "not passed"
	case g.Provisional:
		return ui.Amber, "info", "provisional"
	}
	return ui.Green, "check", "passed"
}

// gateWords are the gate's figures in words.
func gateWords(g learning.Gate) string {
	if g.Tried == 0 {
		return "No approved case supports or contradicts it yet."
	}
	return fmt.Sprintf("It helped in %d of %s.", g.Helpful, ui.Count(g.Tried, "relevant case"))
}

// gateBound is what the figures are measured by; "" where there are none.
func gateBound(g learning.Gate) string {
	switch {
	case g.Tried == 0:
		return ""
	case g.Kind == learning.GateSeed:
		return fmt.Sprintf("%.0f%% of ten cases is required.", learning.DefaultThreshold*100)
	}
	return fmt.Sprintf("At least %.0f%% (lower end of the one-sided 95%% Wilson interval); %.0f%% is required.",
		g.Lower*100, learning.DefaultThreshold*100)
}

// gateMore is what else there is to say: why it failed, how many cases are missing, where it had to keep quiet.
func gateMore(g learning.Gate) (lines []string) {
	if !g.Valid {
		lines = append(lines, "Dropped: "+g.Why)
	} else if n := g.Needs(); n > 0 {
		lines = append(lines, fmt.Sprintf("If the next %s it is no longer provisional. A person still decides whether "+
			"it is used.", ui.Count(n, "relevant case supports it too,", "relevant cases all support it,")))
	}
	if g.MustNotFire > 0 {
		lines = append(lines, fmt.Sprintf("It was correctly not applied in %d of %s it is not for.", g.Held,
			ui.Count(g.MustNotFire, "case")))
	}
	if g.Silent > 0 {
		lines = append(lines, ui.Count(g.Silent, "case was", "cases were")+" not affected and not counted.")
	}
	return lines
}

func lowerStage(stage string) string { return strings.ToLower(StageLabel(stage)) }

func ruledWords(s learning.Source) string {
	label := strings.ToLower(pack.IssueName(s.Label))
	if s.Origin == learning.Dataset {
		return "Experts labelled the text " + label + " in " + s.By + ", and chose it for learning."
	}
	return s.By + " ruled the text " + label + ", after the judges could not agree or were not sure."
}

// words are how a rule stands, as tone, sign and words.
func (r Rule) words() (ui.Tone, string, string) {
	if r.Failing {
		return ui.Red, "warn", "in use, failing"
	}
	return statement.RuleState(r.Status)
}

// quoted are what flags and judges found in the text, each once.
func quoted(l learning.Lesson) (out []learning.Flag) {
	if l.Source == nil {
		return nil
	}
	add := func(f learning.Flag) {
		if f.Why != "" && !slices.ContainsFunc(out, func(have learning.Flag) bool {
			return have.Why == f.Why && have.Quote == f.Quote
		}) {
			out = append(out, f)
		}
	}
	for _, f := range l.Source.Flags {
		add(f)
	}
	for _, v := range l.Source.Voices {
		for _, f := range v.Issues {
			add(f)
		}
	}
	for _, n := range l.Source.Notes {
		add(learning.Flag{Why: n.By + ": " + n.Text})
	}
	return out[:min(len(out), 6)]
}
