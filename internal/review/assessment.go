package review

import (
	"cmp"
	"encoding/json"
	"strings"

	"preceptor/internal/platform/db"
)

// The severities of a flag.
const (
	Critical = "critical"
	Major    = "major"
	Minor    = "minor"
)

// ByCheck marks a flag that a check found, whatever judges say.
const ByCheck = "check"

// Flag is one thing that the check found in a text. Start and End count runes; both 0 when no words can be pointed at.
type Flag struct {
	Code      string `json:"code"`
	Severity  string `json:"severity"`
	Why       string `json:"why"`
	Reference string `json:"reference,omitempty"`
	Quote     string `json:"quote,omitempty"`
	Start     int    `json:"start"`
	End       int    `json:"end"`
	Stops     bool   `json:"stops,omitempty"` // the text may not go out with it
	By        string `json:"by,omitempty"`    // ByCheck, or judges; "" where nobody kept it
	Case      string `json:"case,omitempty"`  // borderline case by whose ruling it is told, or left out
}

// Assessment is what review needs of a verdict. The zero value: not assessed, which does not pass.
type Assessment struct {
	Label      string // COMPLIANT_GUIDANCE, BORDERLINE, NON_COMPLIANT, NOT_JUDGED
	Passed     bool
	Blocked    bool
	Borderline bool
	Confidence float64 // 0 to 1; none of NOT_JUDGED
	Flags      []Flag
	LeftOut    []Flag   // what experts had called wrong of such sentences; Why says so
	Weighs     *Flag    // the sentence that weighs most with a judge who is against it and names nothing. Not stored
	Source     string   // who assessed it, as compliance names verdicts' sources
	Because    []string // why a person must look, each a sentence
	Facts      []string // of the case and the text, as policy's conditions name them; those that came to be known stay
	Pending    bool     // judges are still reading it: nothing goes unread on this. Not stored
	Rules      string   // what it went by, as Hooks.Rules names it; "": nobody can tell
}

func marshalList[T Flag | string](list []T) string {
	if len(list) == 0 {
		return "[]"
	}
	b, err := json.Marshal(list)
	if err != nil {
		return "[]" // strings and ints always marshal
	}
	return string(b)
}

// openingLength is how much of a question stands in lists, in characters.
const openingLength = 90

// NotJudged is the label of a text of which nobody can say anything (compliance.NotJudged).
const NotJudged = "NOT_JUDGED"

// ByPanel reports whether judges had a say in it: a model's, or the embedded ones (compliance.ByPanel).
func (a Assessment) ByPanel() bool {
	return a.Source == "LLM_JUDGE_CONSENSUS" || a.Source == "PANEL_CONSENSUS"
}

// notJudged is Decision.NotJudged and Unread.
func (r *Row) notJudged() (why string, unread bool) {
	if r.Assessment.Label != NotJudged {
		return "", false
	}
	return cmp.Or(strings.Join(r.Assessment.Because, " "), "No judge reads such texts."), r.Assessment.Borderline
}

// Undecided is nil while a case waits for a supervisor and the text with this hash is the one under review; "" is any
// text.
func (q *Queue) Undecided(tx *db.Tx, id, textHash string) error {
	r, err := getRow(tx, id)
	if err != nil {
		return err
	}
	if err := r.whyEnded(tx.Now); err != nil {
		return err
	}
	if r.State == "decided" {
		return decidedAlready(tx, r.DecisionID, Person{})
	}
	if textHash != "" && r.TextHash != textHash {
		return changedSince()
	}
	return nil
}
