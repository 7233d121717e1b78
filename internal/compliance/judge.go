package compliance

import (
	"context"
	"math"
	"strings"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/phrase"
)

// Subject is what a judge is shown: a draft, for whom it is, and the rubric in force.
type Subject struct {
	Text      string
	Situation pack.Situation
	Customer  interaction.Customer // the profile. Data, never instructions
	Rubric    Rubric
	Found     []Issue // what the checks found already

	shown shown
}

// shown is the text as the checks saw it, with the way back to the text as it came.
type shown struct {
	reading  *phrase.Reading
	original []rune
	places   []int
}

// Reading is the text as the checks read it: without invisible marks, its quotation marks straight. It is made when the
// subject did not bring it.
func (s *Subject) Reading() *phrase.Reading {
	if s.shown.reading == nil {
		original := []rune(strings.ToValidUTF8(s.Text, "\uFFFD"))
		seen, places, _ := asSeen(original)
		seen, places = meant(seen, places)
		s.shown = shown{Read(seen), original, places}
	}
	return s.shown.reading
}

// Read is a text as the checks and the embedded judges of pensions share it.
func Read(text string) *phrase.Reading {
	return pack.Of(pack.Pension).Phrases().ReadText(text, pack.Facts(time.Time{}).Figure)
}

// Issue is an issue over the bytes from start to end of the reading's text, with its span and quote in the text as it
// came.
func (s *Subject) Issue(code, severity, why string, start, end int) Issue {
	text := s.Reading().Text
	reference := ""
	if info, ok := InfoOf(code); ok {
		reference = info.Reference
	}
	return toIssues(text, s.shown.original, s.shown.places,
		[]finding{{code: code, severity: severity, why: why, reference: reference, start: start, end: end}})[0]
}

// Rubric is the line as people wrote it down, with its version; answers keep the version they were made under.
type Rubric struct {
	Version int
	Text    string // Markdown
}

// Judge is one voter of the panel. It never approves anything, has no tools and changes no state: it answers, and what
// it answers is a number among others. An error means that it abstains.
type Judge interface {
	// Name is stable, unique in a panel, and stored with every vote.
	Name() string
	// Local reports whether it answers at once and without a network.
	Local() bool
	Judge(ctx context.Context, s Subject) (Vote, error)
}

// Boundary classes of seed 000, from this side of the line to the other.
const (
	Guidance      = "GUIDANCE"
	OnTheBoundary = "BORDERLINE"
	Advice        = "ADVICE"
	maxReasoning  = 2000 // code points of a judge's reasoning that are kept
	maxVoteIssues = 20   // issues of one vote that are kept
)

// Vote is one judge's answer, or the note that there was none.
type Vote struct {
	Judge      string  `json:"judge"`
	Aspect     string  `json:"aspect,omitempty"` // what alone it looks at; "" is the whole text
	Passed     bool    `json:"passed"`
	Confidence float64 `json:"confidence"` // 0 to 1, in Passed as it stands
	Reasoning  string  `json:"reasoning"`
	Boundary   string  `json:"boundary_classification"` // GUIDANCE, BORDERLINE or ADVICE
	Issues     []Issue `json:"issues"`

	Abstained bool `json:"abstained,omitempty"`
	// a judge that timed out, failed or made no sense; it is Abstained, too
	Missing    bool   `json:"missing,omitempty"`
	Why        string `json:"why_abstained,omitempty"` // for a person
	AnsweredBy string `json:"answered_by,omitempty"`   // provider and model, or embedded and version
	// Weighs is the sentence that weighs most, with the code Other, where one stands out.
	Weighs *Issue `json:"weighs,omitempty"`
	// Reads is, by code, how likely a judge that reads for issues finds each; nil of one that doesn't.
	Reads map[string]float64 `json:"-"`

	DurationMs int64 `json:"duration_ms,omitempty"`
	Tokens     int   `json:"tokens,omitempty"` // of prompt and answer together, where the provider counts them
}

// Decide sets what follows from a probability of a violation: which side, how sure, and where the line is, for hard on
// its far side.
func (v *Vote) Decide(violation float64, hard bool) {
	v.Passed, v.Confidence, v.Boundary = violation < 0.5, violation, Guidance
	switch {
	case v.Passed:
		v.Confidence = 1 - violation
	case hard:
		v.Boundary = Advice
	default:
		v.Boundary = OnTheBoundary
	}
}

// Violation is the judge's probability that the text breaks the line: the confidence of a failing vote, and what a
// passing one leaves.
func (v Vote) Violation() float64 {
	if v.Passed {
		return 1 - v.Confidence
	}
	return v.Confidence
}

// Suspect is what a judge that names nothing has against a text all the same, if it flags it or isn't sure; ok is false
// where a sentence of its own doesn't stand out.
func (v Vote) Suspect() (i Issue, ok bool) {
	if v.Weighs == nil || v.Abstained || len(v.Issues) > 0 || v.content() {
		return i, false
	}
	return *v.Weighs, true
}

// content reports whether the judge passes the text and is sure.
func (v Vote) content() bool { return v.Passed && v.Confidence >= sureFrom }

// SureFrom is the probability from which one judge's violation is not outvoted: a person looks, whatever the others
// say.
const SureFrom = 0.75

// sure reports whether the judge is sure of a violation.
func (v Vote) sure() bool { return !v.Abstained && v.Violation() >= SureFrom }

// sound reports whether an answer can be counted at all.
func (v Vote) sound() bool {
	if math.IsNaN(v.Confidence) || v.Confidence < 0 || v.Confidence > 1 {
		return false
	}
	return v.Boundary == Guidance || v.Boundary == OnTheBoundary || v.Boundary == Advice
}
