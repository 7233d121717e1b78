package review

import (
	"encoding/json"
	"strings"
)

// The severities of a flag.
const (
	Critical = "critical"
	Major    = "major"
	Minor    = "minor"
)

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
}

// Assessment is what review needs of a verdict. The zero value: not assessed, which does not pass.
type Assessment struct {
	Label      string // COMPLIANT_GUIDANCE, BORDERLINE, NON_COMPLIANT
	Passed     bool
	Blocked    bool
	Borderline bool
	Confidence float64 // 0 to 1
	Flags      []Flag
	Source     string // who assessed it: Panel, or the checks
	Pending    bool   // judges are still reading it: nothing goes unread on this. Not stored
	Rules      string // what it went by, as Queue.Rules names it; "": nobody can tell
}

// Panel is the source of an assessment that judges had a say in.
const Panel = "LLM_JUDGE_CONSENSUS"

// opening are the first words of a question, on one line, at most about 90 characters.
func opening(question string) string {
	const most = 90
	words := strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f {
			return ' '
		}
		return r
	}, question)), " ")
	r := []rune(words)
	if len(r) <= most {
		return words
	}
	cut := string(r[:most])
	if i := strings.LastIndexByte(cut, ' '); i > most/2 {
		cut = cut[:i]
	}
	return cut + "…"
}

func marshalFlags(list []Flag) string {
	if len(list) == 0 {
		return "[]"
	}
	b, err := json.Marshal(list)
	if err != nil {
		return "[]" // strings and ints always marshal
	}
	return string(b)
}
