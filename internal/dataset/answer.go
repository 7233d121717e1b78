package dataset

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"preceptor/internal/labelling"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
)

// Bounds of an answer.
const (
	maxIssues    = 200
	maxRationale = 10_000 // characters of rationale and of notes
)

// Issue is one problem that somebody sees in a text.
type Issue struct {
	Code  string `json:"code"`
	Start int    `json:"start"` // code points of the guidance
	End   int    `json:"end"`   // exclusive; 0 with Start 0: the text as a whole, as for something that is missing
}

// Answer is what one person says of an item.
type Answer struct {
	Label      string   `json:"label"`
	Boundary   string   `json:"boundary,omitempty"`
	Issues     []Issue  `json:"issues,omitempty"`
	Confidence *float64 `json:"confidence,omitempty"` // 0 to 1; nil: not said
	Rationale  string   `json:"rationale,omitempty"`
	Notes      string   `json:"notes,omitempty"` // to oneself and the adjudicator
}

// Codes are the issues' codes, sorted, once each.
func (a Answer) Codes() []string {
	out := lists.Map(a.Issues, func(i Issue) string { return i.Code })
	slices.Sort(out)
	return slices.Compact(out)
}

// normalise checks the answer against the set and the text that it is about, and puts the issues in order. Fields of
// the fault: label, boundary, issues, confidence, rationale, notes.
func (a *Answer) normalise(s *Settings, length int) error {
	var wrong []fault.Field
	bad := func(name, format string, args ...any) {
		wrong = append(wrong, fault.Field{Name: name, Msg: fmt.Sprintf(format, args...)})
	}
	switch {
	case a.Label == "":
		bad("label", "Choose a label.")
	case !slices.Contains(s.Labels, a.Label):
		bad("label", "Choose one of %s, not %.40q.", strings.Join(s.Labels, ", "), a.Label)
	}
	if a.Boundary != "" && !slices.Contains(s.Boundaries, a.Boundary) {
		bad("boundary", "Choose one of %s, or none, not %.40q.", strings.Join(s.Boundaries, ", "), a.Boundary)
	}
	if len(a.Issues) > maxIssues {
		bad("issues", "At most %d issues are kept.", maxIssues)
	}
	for _, i := range a.Issues {
		switch {
		case i.Code == "" || len(i.Code) > maxWord || !utf8.ValidString(i.Code) ||
			len(s.Codes) > 0 && !slices.Contains(s.Codes, i.Code):
			bad("issues", "There is no issue code %.40q in this set.", i.Code)
		case i.Start < 0 || i.End > length || i.Start > i.End || i.Start == i.End && i.End > 0:
			bad("issues", "The marked words from %d to %d are not within the text. Mark them again.", i.Start, i.End)
		}
	}
	if c := a.Confidence; c != nil && (math.IsNaN(*c) || *c < 0 || *c > 1) {
		bad("confidence", "Choose 0 to 1.")
	}
	tidy("rationale", &a.Rationale, maxRationale, bad)
	tidy("notes", &a.Notes, maxRationale, bad)
	if len(wrong) > 0 {
		return fault.WithFields("The answer can't be saved: "+wrong[0].Msg, wrong...)
	}
	slices.SortFunc(a.Issues, compareIssues)
	a.Issues = slices.Compact(a.Issues)
	return nil
}

// judged is normalise for what a person here says; what comes with a file says what it says.
func (a *Answer) judged(s *Settings, length int) error {
	if both := labelling.Contradicts(a.Label, a.Boundary); both != "" {
		return fault.WithFields("The answer can't be saved: "+both, fault.Field{Name: "boundary", Msg: both})
	}
	return a.normalise(s, length)
}

func compareIssues(x, y Issue) int {
	return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.End, y.End), strings.Compare(x.Code, y.Code))
}

func (a Answer) json() string {
	b, err := json.Marshal(a)
	if err != nil { // a confidence that is no number, which normalise refuses
		panic(fmt.Sprintf("dataset: encode an answer: %v", err))
	}
	return string(b)
}

func parseAnswer(s string) (a Answer, err error) {
	if s == "" {
		return a, nil
	}
	if err := json.Unmarshal([]byte(s), &a); err != nil {
		return a, fmt.Errorf("dataset: read an answer: %w", err)
	}
	return a, nil
}
