package compliance

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"

	"preceptor/internal/platform/lists"
)

// Band is what a confidence asks for, from seed 000, "Compliance Confidence Scoring as Learning Signal".
type Band string

// The bands.
const (
	Clarify          Band = "boundary_clarification" // below clarifyBelow: nobody knows where the line is
	Ambiguous        Band = "ambiguous_language"     // between: the words that divide are named
	ExemplarOffer    Band = "exemplar_candidate"     // sure and passed: offered to a person, never stored by itself
	NegativeExample  Band = "negative_example"       // sure and failed
	shareOfPanelSaid      = 0.5                      // an issue counts when this share of the judges that voted says it
)

// BandOf is the band of a confidence from 0 to 1.
func BandOf(confidence float64, passed bool) Band {
	switch {
	case confidence < clarifyBelow:
		return Clarify
	case confidence < sureFrom:
		return Ambiguous
	case passed:
		return ExemplarOffer
	}
	return NegativeExample
}

// Says is the band of a verdict; "" where nobody judged it. What a person must look at first is no candidate for an
// example.
func (v Verdict) Says() Band {
	band := BandOf(v.Confidence, v.Passed)
	if v.Label == NotJudged || band == ExemplarOffer && v.RequiresHumanReview {
		return ""
	}
	return band
}

// Routing is a calibrated threshold that a person switched on. The zero value means the seed's bands.
type Routing struct {
	Version   int
	Pack      string  // whose drafts it was measured on; those of others go by the seed's bands
	Threshold float64 // the panel decides alone up to this pooled probability of a violation
	Alpha     float64 // the promised share of missed violations
	// Calibrate turns a judge's own probability of a violation into a measured one; nil leaves it.
	Calibrate func(judge string, p float64) float64
}

// pooled is the mean of the judges' probabilities of a violation: 0.62 in seed 000's example (.75, 1-.70, .82).
func (r Routing) pooled(votes []Vote) float64 {
	sum := 0.0
	for _, v := range votes {
		p := v.Violation()
		if r.Calibrate != nil && r.Version > 0 {
			p = r.Calibrate(v.Judge, p)
		}
		sum += p
	}
	return sum / float64(len(votes))
}

// Consent joins the checks' issues and the votes of a panel into a verdict. quorum is how many judges must have voted.
// Majority decides; the confidence is the mean of the judges' (seed 000: votes F .75, T .70, F .82 give FAILED 2/3,
// 0.76). A person must look on dissent, below the band of confidence, where the quorum is short, above a calibrated
// threshold, and where a judge that was asked gave no answer: no threshold was measured on a panel without it.
func Consent(found []Issue, votes []Vote, quorum int, r Routing) Verdict {
	v := consent(found, votes, quorum, r)
	for _, missing := range v.missing() {
		v.RequiresHumanReview, v.Because = true,
			append(v.Because, fmt.Sprintf("Judge %s gave no answer. %s", missing.Judge, missing.Why))
	}
	v.Band = v.Says()
	return v
}

// sourceOf is whose consensus votes make: nothing says LLM where no model voted.
func sourceOf(votes []Vote) string {
	if slices.ContainsFunc(votes, func(v Vote) bool { return !v.Abstained && !v.embedded() }) {
		return Consensus
	}
	return Embedded
}

// embedded reports whether a judge in the program voted.
func (v Vote) embedded() bool { return strings.HasPrefix(v.AnsweredBy, "embedded ") }

// BecauseUnsure is why a person must look where the only judge that voted isn't sure.
const BecauseUnsure = "The judge is unsure."

func consent(found []Issue, votes []Vote, quorum int, r Routing) Verdict {
	v := Verdict{Source: sourceOf(votes), Judges: votes, Issues: found, Routing: r.Version}
	if v.Issues == nil {
		v.Issues = []Issue{}
	}
	if v.Judges == nil {
		v.Judges = []Vote{}
	}
	said := slices.DeleteFunc(slices.Clone(votes), func(v Vote) bool { return v.Abstained })
	if len(said) < max(quorum, 1) {
		return v.short(said, quorum, r)
	}
	v.Issues = join(v.Issues, said)
	voices := together(said)
	for _, s := range voices {
		v.Confidence += s.Confidence / float64(len(voices))
	}
	v.Violation = r.pooled(voices)
	failed := nays(voices)
	v.Passed = 2*failed < len(voices) // a tie fails
	dissent := failed > 0 && failed < len(voices)
	v.Split = split(nays(said), len(said), v.Passed)
	v.Label = label(voices, v.Passed, count(found, Major) > 0)
	v.Passed = v.Passed && v.Label == Compliant
	v.Because = r.why(v, dissent)
	if i := slices.IndexFunc(said, Vote.sure); i >= 0 && v.Passed && !dissent {
		v.Because = append(v.Because,
			fmt.Sprintf("The judge %s is sure of a violation (%.2f), but the others don't agree.", said[i].Judge,
				said[i].Violation()))
	}
	v.RequiresHumanReview = len(v.Because) > 0
	return v
}

func nays(votes []Vote) (n int) {
	for _, v := range votes {
		if !v.Passed {
			n++
		}
	}
	return n
}

// Voices are what a panel's votes count as: those of aspects as one, those of the whole text one by one.
func Voices(votes []Vote) []Vote {
	return together(slices.DeleteFunc(slices.Clone(votes), func(v Vote) bool { return v.Abstained }))
}

// together makes one voice of the judges of which each looks at one aspect: a text is as bad as its worst. Those of one
// aspect speak by the mean of their log odds; faults of several aspects add up. Judges of the whole text are a voice
// each.
func together(said []Vote) []Vote {
	// the class by the aspect's first judge that fails it
	odds, n, class := map[string]float64{}, map[string]int{}, map[string]string{}
	var voices []Vote
	for _, v := range said {
		if v.Aspect == "" {
			voices = append(voices, v)
			continue
		}
		p := min(max(v.Violation(), 0.001), 0.999)
		odds[v.Aspect] += math.Log(p / (1 - p))
		n[v.Aspect]++
		if class[v.Aspect] == "" && !v.Passed {
			class[v.Aspect] = v.Boundary
		}
	}
	if len(n) == 0 {
		return voices
	}
	fine := 1.0
	for _, aspect := range slices.Sorted(maps.Keys(odds)) {
		fine *= 1 / (1 + math.Exp(odds[aspect]/float64(n[aspect])))
	}
	one := Vote{Judge: "the judges together"}
	one.Decide(1-fine, slices.Contains(slices.Collect(maps.Values(class)), Advice))
	return append(voices, one)
}

// hardness orders the boundary classes.
var hardness = map[string]int{Guidance: 0, OnTheBoundary: 1, Advice: 2}

// short is the verdict of a panel of which too few answered: the checks', and a person looks.
func (v Verdict) short(said []Vote, quorum int, r Routing) Verdict {
	checks := conclude(v.Issues, false)
	checks.Judges, checks.Routing = v.Judges, r.Version
	checks.RequiresHumanReview = true
	checks.Confidence = min(checks.Confidence, 0.5)
	if len(said) > 0 { // judges had a say, so a supervisor may weigh it
		checks.Violation, checks.Source = r.pooled(together(said)), sourceOf(said)
	}
	checks.Because = []string{"No judge answered."}
	switch n := len(said); {
	case n == 1:
		checks.Because[0] = fmt.Sprintf("Only 1 judge answered, and %d are needed.", quorum)
	case n > 1:
		checks.Because[0] = fmt.Sprintf("Only %d judges answered, and %d are needed.", n, quorum)
	}
	return checks.unjudged()
}

// label is the class of a verdict: a text is as hard as the panel's middle judge says, and a passing panel that stands
// against a check leaves it borderline. How sure they are is no part of the label; it asks for a person beside it.
func label(said []Vote, passed, flagged bool) Label {
	if passed {
		if flagged {
			return Borderline
		}
		return Compliant
	}
	classes := lists.Map(said, func(s Vote) int { return hardness[s.Boundary] })
	sort.Ints(classes)
	if classes[len(classes)/2] == 2 {
		return NonCompliant
	}
	return Borderline
}

// why lists the reasons for which a person must look.
func (r Routing) why(v Verdict, dissent bool) []string {
	var because []string
	say := func(format string, args ...any) { because = append(because, fmt.Sprintf(format, args...)) }
	if dissent { // no threshold speaks for judges of whom one saw a violation
		say("The judges disagree: %s.", v.Split)
	}
	if r.Version > 0 {
		if v.Violation > r.Threshold {
			say("The judges' probability of a violation, %.2f, is above the threshold of %.2f.", v.Violation,
				r.Threshold)
		}
	} else if passed, failed := v.counter(); passed+failed == 1 && v.Confidence < clarifyBelow {
		say(BecauseUnsure)
	} else if v.Confidence < clarifyBelow {
		say("The judges are unsure: their mean confidence is %.2f.", v.Confidence)
	}
	if v.Label == Borderline && len(because) == 0 {
		say("The text is borderline.")
	}
	return because
}

// split is how the judges divided, as "2-1 failed". Of judges that look at one aspect each, one may be enough for a
// failure: "1-2 failed".
func split(failed, n int, passed bool) string {
	if passed {
		return fmt.Sprintf("%d-%d passed", n-failed, failed)
	}
	return fmt.Sprintf("%d-%d failed", failed, n-failed)
}

// join adds what the judges found to what the checks found: an issue of the same code that overlaps is one issue, and
// one that only a minority of the judges of the whole text names stays in its vote and is none of the verdict's.
func join(found []Issue, said []Vote) []Issue {
	out := slices.Clone(found)
	type seen struct {
		issue Issue
		votes int
	}
	var all []seen
	whole := 0
	for _, v := range said {
		if v.Aspect == "" {
			whole++
		}
		var mine []int
		for _, i := range v.Issues {
			at := slices.IndexFunc(all, func(s seen) bool { return same(s.issue, i) })
			if at < 0 {
				all, at = append(all, seen{issue: i}), len(all)
			}
			if !slices.Contains(mine, at) {
				mine = append(mine, at)
				all[at].votes++
				if v.Aspect != "" { // nobody else looks at it
					all[at].votes = len(said)
				}
			}
		}
	}
	for _, s := range all {
		if float64(s.votes) >= shareOfPanelSaid*float64(whole) &&
			!slices.ContainsFunc(out, func(i Issue) bool { return same(i, s.issue) }) {
			s.issue.By = ByJudges
			out = append(out, s.issue)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Span[0] < out[j].Span[0] })
	return out
}

// same reports whether two issues are about the same thing: one code, and overlapping or both of something that is
// missing.
func same(a, b Issue) bool {
	if a.Code != b.Code {
		return false
	}
	missing := a.Span[0] == a.Span[1] || b.Span[0] == b.Span[1]
	return missing || a.Span[0] < b.Span[1] && b.Span[0] < a.Span[1]
}
