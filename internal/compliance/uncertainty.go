package compliance

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"preceptor/internal/pack"
)

// missing are the votes of judges that were asked and gave no answer.
func (v Verdict) missing() (out []Vote) {
	for _, j := range v.Judges {
		if j.Missing {
			out = append(out, j)
		}
	}
	return out
}

// counter is how many judges passed and failed the text.
func (v Verdict) counter() (passed, failed int) {
	for _, j := range v.Judges {
		switch {
		case j.Abstained:
		case j.Passed:
			passed++
		default:
			failed++
		}
	}
	return passed, failed
}

// Dissent reports whether judges of the same thing disagree: of one aspect, or of the whole text with those of aspects
// together.
func (v Verdict) Dissent() bool {
	by := map[string][]Vote{}
	var said []Vote
	for _, j := range v.Judges {
		if !j.Abstained {
			said, by[j.Aspect] = append(said, j), append(by[j.Aspect], j)
		}
	}
	by[""] = together(said)
	for _, votes := range by {
		if n := nays(votes); n > 0 && n < len(votes) {
			return true
		}
	}
	return false
}

// leastUncertain is the uncertainty of a verdict that is unsettled, however near to 0 or 1 the panel's probability
// lies.
const leastUncertain = 0.001

// Uncertainty orders what experts are asked, 0 to 1. Dissent comes first, above 0.5; then how near the pooled
// probability of a violation is to as likely as not. It is 0 where there is nothing for an expert to settle: the panel
// is sure, a check stops the text, no judge voted, or a person must look for no other reason than that a judge gave no
// answer.
func (v Verdict) Uncertainty() float64 {
	passed, failed := v.counter()
	absent := len(v.missing())
	if v.Critical() || !v.RequiresHumanReview || passed+failed == 0 || absent > 0 && len(v.Because) == absent {
		return 0
	}
	near := max(1-math.Abs(2*v.Violation-1), 2*leastUncertain) / 2
	if v.Dissent() {
		return 0.5 + near
	}
	return min(near, 0.5)
}

// Line is what keeps the panel from settling the text, in one line for a supervisor; "" where nothing does.
func (v Verdict) Line() string {
	if v.Critical() || !v.RequiresHumanReview || len(v.Judges) == 0 {
		return ""
	}
	passed, failed := v.counter()
	n := passed + failed
	about := v.about()
	line := ""
	switch {
	case len(v.Because) > 0 && slices.Contains(unreadable, v.Because[0]): // what judges said of it says little
		line = strings.TrimSuffix(v.Because[0], ".")
	case n == 0:
		line = "No judge answered"
	case n == 1:
		line = v.alone(about)
	case v.Dissent():
		line = fmt.Sprintf("Judges split %d–%d", max(passed, failed), min(passed, failed)) + about.String()
	case failed > 0:
		line = fmt.Sprintf("%d of %d judges flagged it (%.0f%% sure)", failed, n, 100*v.Confidence) + about.String()
	case v.Label == Borderline && !slices.ContainsFunc(v.Issues, func(i Issue) bool { return i.By == "" }):
		line = fmt.Sprintf("No single judge flagged it, but together they are %.0f%% sure of a violation",
			100*v.Violation)
	case v.Label == Borderline:
		line = fmt.Sprintf("%d of %d judges passed it", passed, n) + about.String()
	default:
		line = fmt.Sprintf("%d of %d judges passed it, %.0f%% sure", passed, n, 100*v.Confidence)
	}
	for _, m := range v.missing() {
		line += "; " + m.Judge + " gave no answer"
	}
	return strings.TrimPrefix(line, "; ")
}

// What a verdict is worth that nobody measured on the firm's own texts, in the same words wherever it is told.
const (
	NoEstimate  = "We can't estimate how many faulty drafts get through"
	NotCompared = "Facts such as prices, dates and hours aren't compared with your documents: a person must check them."
)

// NamesNothing is said of a text that a judge, or several, hold for a violation without naming one.
func NamesNothing(who string, violation float64) string {
	return fmt.Sprintf("%s %.0f%% for a violation but names nothing: read the whole", who, 100*violation)
}

// Stake is the issue at stake, in words: one that judges name, or else one that a check found. It is zero for none.
type Stake struct {
	Name    string
	ByCheck bool
}

// String is what is said of it behind what the judges did.
func (s Stake) String() string {
	switch {
	case s.ByCheck:
		return "; a check flagged it: " + s.Name
	case s.Name == "":
		return ""
	}
	return ": " + s.Name
}

// Against is what a judge, or several, have against a text, and a check that found something.
func Against(who, whoIs string, violation float64, s Stake) string {
	switch {
	case s == Stake{}: // half of such texts are fine
		return NamesNothing(whoIs, violation)
	case s.ByCheck:
		return fmt.Sprintf("%s %.0f%% for a violation%s", whoIs, 100*violation, s)
	}
	return fmt.Sprintf("%s flagged it (%.0f%% sure)%s", who, 100*violation, s)
}

// alone is the line of a verdict on which one judge voted: who flagged the text, and for what. "" where nobody did.
func (v Verdict) alone(about Stake) string {
	j := v.Judges[slices.IndexFunc(v.Judges, func(j Vote) bool { return !j.Abstained })]
	who := "The judge " + j.Judge
	if j.embedded() {
		who = "The " + j.Judge
	}
	switch {
	case !j.Passed:
		return Against(who, who+" is", v.Confidence, about)
	case v.Label == Borderline:
		return strings.TrimSuffix("A check flagged it: "+about.Name, ": ")
	}
	return ""
}

// about names the issue that is at stake: the one that most failing judges name, or else the first that a check found.
func (v Verdict) about() Stake {
	votes, best := map[string]int{}, ""
	for _, j := range v.Judges {
		said := map[string]bool{}
		for _, i := range j.Issues {
			if j.Passed || j.Abstained || said[i.Code] || i.Code == Other {
				continue
			}
			said[i.Code] = true
			if votes[i.Code]++; best == "" || votes[i.Code] > votes[best] {
				best = i.Code
			}
		}
	}
	if best != "" {
		return Stake{pack.Lower(pack.IssueName(best)), false}
	}
	if i := slices.IndexFunc(v.Issues, func(i Issue) bool { return i.By == "" && i.Severity != Minor }); i >= 0 {
		return Stake{pack.Lower(pack.IssueName(v.Issues[i].Code)), true}
	}
	passed, failed := v.counter()
	if i := slices.IndexFunc(v.Judges, func(j Vote) bool { return !j.Passed && !j.Abstained }); i >= 0 &&
		passed+failed > 1 {
		return Stake{Name: "the judge “" + v.Judges[i].Judge + "” flagged the text as a whole"}
	}
	return Stake{}
}
