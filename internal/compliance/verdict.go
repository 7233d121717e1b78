// Package compliance says whether guidance stays on the guidance side of the FCA's boundary, and keeps what it said.
//
// It owns the table verdict. A verdict is made in two steps (Validator): the pack's rules and needs
// (internal/pack/data, see package phrase), listed by code with their references and examples in the registry, and
// where they don't stop the text, the votes of a panel (package embedded; prompted judges beside it). Whose words a
// sentence reports, denies, supposes or warns of, excuses it in one place for all rules. Experts add checks in the same
// language (PatternCheck). Critical is kept for what is seldom wrong, because it blocks; an omission or a softened
// steer is major, and the panel says how hard the text is.
//
// What it promises. Validate is pure but for its clock, never fails, and takes time linear in the text. Spans are in
// Unicode code points, always within the text, and Quote is exactly what they cover. A thing that is missing has its
// span where it would have been needed. A failing verdict of critical severity blocks approval; no score ever approves
// anything.
//
// The line that the checks draw: a recommendation presented as suitable, or resting on the person's circumstances, is
// NON_COMPLIANT even with caveats or prudence ("stay in your DB scheme"); a softened steer is BORDERLINE; declining to
// choose, quoting the customer, a legal must and recommending regulated advice are fine.
//
// Decided against: a warning demanded only because the profile lists a DB pension. Seed 000 says so, but a customer who
// asks about the State Pension gains nothing from it; the benefit has to be in play.
//
// Seed 000's own better wordings, "some people consider" and "options include", are no free pass: the judge reads the
// whole text, and texts of a sentence or two that have them are mostly sent to a person.
package compliance

import "strings"

// Label is the outcome of validation in one word.
type Label string

// The labels.
const (
	Compliant    Label = "COMPLIANT_GUIDANCE"
	Borderline   Label = "BORDERLINE"
	NonCompliant Label = "NON_COMPLIANT"
	NotJudged    Label = "NOT_JUDGED" // nobody can say: no judge read it, and no check has anything against it
)

// Word is a label in a sentence.
func (l Label) Word() string {
	if l == Compliant {
		return "compliant"
	}
	return strings.ToLower(strings.ReplaceAll(string(l), "_", "-"))
}

// Severities: critical blocks, major makes a text borderline, minor is told.
const (
	Critical = "critical"
	Major    = "major"
	Minor    = "minor"
)

// Codes of the checks.
const (
	MissingDBWarning        = "MISSING_DB_WARNING"
	PersonalRecommendation  = "PERSONAL_RECOMMENDATION"
	DisguisedRecommendation = "DISGUISED_RECOMMENDATION"
	ProductNamed            = "PRODUCT_NAMED_RECOMMENDATION"
	MissingRiskDisclosure   = "MISSING_RISK_DISCLOSURE"
	MissingSignpost         = "MISSING_SIGNPOST"
	GuaranteeOrPromise      = "GUARANTEE_OR_PROMISE"
	ScamRiskUnflagged       = "SCAM_RISK_UNFLAGGED"
	Pressure                = "PRESSURE"
	InaccurateFact          = "INACCURATE_FACT"
	UnderstandingNotChecked = "UNDERSTANDING_NOT_CHECKED"
	JargonForLiteracy       = "JARGON_FOR_LITERACY"
	OffTopic                = "OFF_TOPIC"
	Other                   = "OTHER" // of people, and of a judge that says where and not what
)

// Issue is one thing that is wrong with a text.
type Issue struct {
	Code      string `json:"code"`
	Span      [2]int `json:"span"` // start and end in code points, end exclusive
	Severity  string `json:"severity"`
	Why       string `json:"why"`
	Reference string `json:"reference"`
	Quote     string `json:"quote"`
	By        string `json:"by,omitempty"`         // ByJudges when no deterministic check found it
	Own       bool   `json:"own,omitempty"`        // a check of the firm's own found it
	Case      string `json:"ruled_case,omitempty"` // borderline case by whose ruling it is told, or left out
}

// Stops reports whether a text with this issue may not go out, whoever signs it. What only judges name never does.
func (i Issue) Stops() bool { return i.By == "" && i.Severity == Critical }

// ByJudges marks an issue that judges name and no deterministic check.
const ByJudges = "judges"

// Sources of a verdict.
const (
	RuleBased = "RULE_BASED"
	Consensus = "LLM_JUDGE_CONSENSUS" // seed 000's name, where a model voted
	Embedded  = "PANEL_CONSENSUS"     // only judges did that need no model
)

// Verdict is the outcome of validation.
type Verdict struct {
	ID     string `json:"id,omitempty"` // of the checked item, where the caller gave one
	Passed bool   `json:"passed"`
	Label  Label  `json:"label"`
	Source string `json:"source"`
	// 0 to 1: of the checks in a fault, of a panel the mean of its judges' (seed 000); none of NotJudged
	Confidence          float64 `json:"confidence,omitzero"`
	Issues              []Issue `json:"issues"`
	Judges              []Vote  `json:"judges"`
	RequiresHumanReview bool    `json:"requires_human_review"`
	// Violation is the panel's pooled probability, 0 to 1, that the text breaks the line; 0 where no judge was asked.
	Violation float64  `json:"violation_probability"`
	Split     string   `json:"split,omitempty"`   // how the judges divided, as "2-1 failed"; empty where none voted
	Band      Band     `json:"band,omitempty"`    // what the confidence asks for (seed 000)
	Because   []string `json:"because,omitempty"` // why a person must look, each a sentence
	// version of the calibrated threshold that routed it; 0: the seed's bands
	Routing int `json:"routing,omitempty"`
	// version of the experts' decisions about the checks (Book); 0: as shipped
	Checklist int     `json:"checkbook,omitempty"`
	LeftOut   []Issue `json:"left_out,omitempty"` // what experts called wrong of such sentences
	Rules     string  `json:"-"`                  // of Glance: what it went by, as Validator.Rules names it
	// of the case, as pack.Situation.Facts lists them; kept with its review
	Facts []string `json:"-"`
}

// ByPanel reports whether judges had a say.
func ByPanel(source string) bool { return source == Consensus || source == Embedded }

// becauseUnasked stands on a verdict to which no judge could have had a say.
const becauseUnasked = "No judge reads texts of this domain, and the checks found nothing."

// unjudged is what the checks' own verdict comes to where no judge stands behind it: what they found, or that nobody
// can say.
func (v Verdict) unjudged(why ...string) Verdict {
	if v.Label == Compliant {
		v.Label, v.Passed, v.Confidence, v.RequiresHumanReview = NotJudged, false, 0, true
		v.Because = append(why, v.Because...)
	}
	v.Band = v.Says()
	return v
}

// Unasked reports whether a text isn't judged only because no judge reads texts of its domain: how much people look at
// there is for the review policy to say.
func (v Verdict) Unasked() bool {
	return v.Label == NotJudged && len(v.Because) == 1 && v.Because[0] == becauseUnasked
}

// Critical reports whether a deterministic check alone stops the text (seed 000, case 1).
func (v Verdict) Critical() bool { return v.Source == RuleBased && v.Label == NonCompliant }

// Bands of confidence, from seed 000: below clarifyBelow the boundary is unclear, from sureFrom on it is clear.
const (
	clarifyBelow = 0.7
	sureFrom     = 0.9
)

// conclude turns issues into a verdict. Confidences lie in the band that fits: critical issues are clear failures, a
// lone softened steer or omission is the ambiguous band, and a clean text that speaks of the reader's own choice is
// passed with less than full confidence.
func conclude(issues []Issue, steering bool) Verdict {
	v := Verdict{Source: RuleBased, Issues: issues, Judges: []Vote{}}
	if v.Issues == nil {
		v.Issues = []Issue{}
	}
	critical, major := count(issues, Critical), count(issues, Major)
	switch {
	case critical > 0:
		v.Label, v.Confidence = NonCompliant, min(0.99, 0.94+0.02*float64(critical)+0.01*float64(major))
	case major > 1:
		v.Label, v.Confidence = Borderline, 0.65
	case major > 0:
		v.Label, v.Confidence = Borderline, 0.75
	case steering:
		v.Label, v.Passed, v.Confidence = Compliant, true, 0.85
	default:
		v.Label, v.Passed, v.Confidence = Compliant, true, 0.93
	}
	v.RequiresHumanReview = v.Label == Borderline || v.Confidence < clarifyBelow
	return v
}

// Sure reports whether the confidence lies in the seed's highest band.
func (v Verdict) Sure() bool { return v.Confidence >= sureFrom }

func count(issues []Issue, severity string) int {
	n := 0
	for _, i := range issues {
		if i.Severity == severity {
			n++
		}
	}
	return n
}
