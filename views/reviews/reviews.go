// Package reviews draws the desk: the queue, the case with its draft, the forms of a decision, and the rail on which
// one sees one's decisions go out and what is learned from them.
//
// Modes of a case (revise, reject, skip) are addresses of their own, so that every step works without a script; with
// one, the main region is swapped in place and the keys printed on the buttons press them. What somebody typed comes
// back with every answer that isn't the decision itself: a refusal, a conflict, a check.
package reviews

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
	"preceptor/internal/review"
	"preceptor/views/layout"
	"preceptor/views/ui"
)

// Targets are the ages at which a waiting case turns amber and red.
type Targets = review.Target

// DefaultTargets: quiet for four hours, late after a day.
var DefaultTargets = Targets{Soon: 4 * time.Hour, Late: 24 * time.Hour}

// Rail are my last decisions.
type Rail struct {
	Items  []RailItem
	Viewer string
	Filter string // query that an undo keeps, as "?agent=x"
	Now    time.Time
}

// RailItem is one decision and what became of it.
type RailItem struct {
	Decision   review.Decision
	Lesson     *learning.Lesson
	WroteAgain bool // the customer, since it was decided
}

// waited is the tone, sign and word of an age.
func waited(t Targets, d time.Duration) (ui.Tone, string, string) {
	switch {
	case d >= t.Late:
		return ui.Red, "warn", "past the target"
	case d >= t.Soon:
		return ui.Amber, "clock", "waiting long"
	default:
		return ui.Neutral, "", ""
	}
}

// FlagName is a code of the check in words, as everywhere.
func FlagName(code string) string { return pack.IssueName(code) }

// RuledName is a finding on which experts rule, in words: a judge may say where and not what.
func RuledName(code string) string {
	if code == compliance.Other {
		return "What weighs most with a judge"
	}
	return FlagName(code)
}

// whys are the reasons why a case is here.
func whys(why string) []string {
	var out []string
	for _, w := range strings.Split(why, ", ") {
		if w != "" {
			out = append(out, FlagName(w))
		}
	}
	return out
}

// gravity is how serious a flag is at the desk, where only what blocks a text is critical: what judges alone found
// doesn't.
func gravity(f review.Flag) string {
	if f.Severity == review.Critical && !f.Stops {
		return review.Major
	}
	return f.Severity
}

func flagTone(f review.Flag) ui.Tone {
	switch gravity(f) {
	case review.Critical:
		return ui.Red
	case review.Major:
		return ui.Amber
	default:
		return ui.Neutral
	}
}

func flagIcon(f review.Flag) string {
	if gravity(f) == review.Critical {
		return "stop"
	}
	return "flag"
}

// marks are the flags that can point at words.
func marks(flags []review.Flag) []ui.Mark {
	var out []ui.Mark
	for i, f := range flags {
		if f.End > f.Start {
			out = append(out, ui.Mark{Start: f.Start, End: f.End, Number: i + 1, Tone: flagTone(f),
				Label: FlagName(f.Code), Href: "#flag-" + strconv.Itoa(i+1)})
		}
	}
	return out
}

// verdict is an assessment in words.
func verdict(a review.Assessment) (ui.Tone, string, string) {
	switch {
	case a.Label == "":
		return ui.Neutral, "question", "Not checked"
	case !a.Clean():
		return ui.Red, "stop", blockedBy(a)
	case a.Label == review.NotJudged && a.Borderline:
		return ui.Amber, "warn", "Not checked"
	case a.Label == review.NotJudged && len(a.Flags) == 0:
		return ui.Neutral, "question", "Not checked"
	case onlyUnsure(a) && len(a.Flags) == 0:
		return ui.Neutral, "check", noFlagsUnsure
	case a.Borderline && a.ByPanel() && (a.Label == string(compliance.NonCompliant) || len(a.Flags) > 0):
		return ui.Amber, "warn", "Flagged by the judges"
	case a.Borderline && a.ByPanel():
		return ui.Amber, "warn", "Judges unsure"
	case a.Borderline:
		return ui.Amber, "warn", "Borderline"
	case (a.Passed || a.Label == review.NotJudged) && len(a.Flags) > 0:
		return ui.Amber, "flag", ui.Count(len(a.Flags), "flag")
	case a.Passed:
		return ui.Green, "check", noFlags
	default:
		return ui.Red, "stop", "Non-compliant"
	}
}

const (
	noFlags       = "No flags"
	noFlagsUnsure = noFlags + ", the judge is unsure"
)

// verdict is that of a text of the case, and what the encoder's silence is worth in domains on which it wasn't tuned:
// what it misses there differs too much from one author to the next for a figure (embedded/card.md).
func (v Case) verdict(a review.Assessment) (tone ui.Tone, icon, word, hint string) {
	tone, icon, word = verdict(a)
	if strings.HasPrefix(word, noFlags) && a.Source == compliance.Embedded && v.In != nil &&
		!pack.Of(v.In.Consultation.Pack).Checks {
		return ui.Neutral, icon, word, "Only the encoder judged it. " + compliance.NoEstimate + ". " +
			compliance.NotCompared + " "
	}
	return tone, icon, word, ""
}

// heading is the verdict as every page words it: what experts ruled counts, whatever was thought
// before; what the judges have against a text says more than that they do.
func (v Case) heading(x borderline.Standing, a review.Assessment) (tone ui.Tone, icon, word, hint string) {
	if tone, icon, word, ok := ruled(x); ok {
		return tone, icon, word + flagged(a.Flags), ""
	}
	tone, icon, word, hint = v.verdict(a)
	if judges := panelLine(x, a); judges != "" && a.Clean() {
		tone, icon = panelSign(judges)
		word = judges
	}
	return tone, icon, word, hint
}

// onlyUnsure reports whether a text passed, and all that keeps it from being cleared is that the judge isn't sure.
func onlyUnsure(a review.Assessment) bool { return a.Passed && isUnsure(a) }

// isUnsure reports whether all that keeps a text from being cleared is that the one judge isn't sure.
func isUnsure(a review.Assessment) bool {
	return slices.Equal(a.Because, []string{compliance.BecauseUnsure})
}

// blockedBy names what blocks a text.
func blockedBy(a review.Assessment) string {
	codes := a.Stopping()
	names := make([]string, len(codes))
	for i, code := range codes {
		if names[i] = pack.Lower(FlagName(code)); strings.HasPrefix(names[i], "missing ") {
			names[i] = "no " + strings.TrimPrefix(names[i], "missing ")
		}
	}
	if len(names) == 0 {
		return "Blocked"
	}
	return "Blocked: " + strings.Join(names, ", ")
}

func decisionIcon(kind string) string {
	return map[string]string{review.Approve: "check", review.Revise: "pencil", review.Reject: "cross",
		review.Return: "undo", review.Sampled: "skip", review.Again: "send"}[kind]
}

// reasonOptions are the reasons of the review's domain, and the chosen one, each with a digit; the tenth has 0.
func (v Case) reasonOptions() (out []ui.Option) {
	for i, r := range pack.Of(v.In.Consultation.Pack).ReasonsWith(v.Form.ReasonCode) {
		o := ui.Option{Value: r.Code, Label: r.Label, Hint: r.Help}
		if i < 10 {
			o.Key = strconv.Itoa((i + 1) % 10)
		}
		out = append(out, o)
	}
	return out
}

func taskOptions(f layout.Frame, v Queue) []ui.Option {
	seen := []string{v.Filter.Task}
	for _, r := range v.Page.Items {
		seen = append(seen, r.Task)
	}
	return append([]ui.Option{{Value: "", Label: "All tasks"}}, f.Tasks(seen...)...)
}

func sentence(s string) string {
	return pack.Upper(pack.Plain(s))
}
