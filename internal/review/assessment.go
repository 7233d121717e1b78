package review

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/interaction"
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
}

// Assessment is what review needs of a verdict. The zero value: not assessed, which does not pass.
type Assessment struct {
	Label      string // COMPLIANT_GUIDANCE, BORDERLINE, NON_COMPLIANT
	Passed     bool
	Blocked    bool
	Borderline bool
	Confidence float64 // 0 to 1
	Flags      []Flag
	Source     string // who assessed it
}

// The priorities; see the package comment.
const (
	priorityBlocked = iota
	priorityVulnerable
	priorityDB
	priorityUnsure
	priorityRest
)

// place computes where a case stands in the queue and says why in a few words.
func (q *Queue) place(in *interaction.Interaction, a Assessment) (priority int, why string) {
	c := in.Consultation.Customer
	critical := slices.ContainsFunc(a.Flags, func(f Flag) bool { return f.Severity == Critical })
	vulnerable := c.Vulnerable != nil && *c.Vulnerable
	db := slices.ContainsFunc(c.Pensions, func(p interaction.Pension) bool { return p.Kind == "db" }) || in.Consultation.TaskType == "db_transfer"
	unsure := a.Borderline || a.Confidence < q.policy.LowConfidence || len(a.Flags) > 0
	switch {
	case a.Blocked || critical:
		priority = priorityBlocked
	case vulnerable:
		priority = priorityVulnerable
	case db:
		priority = priorityDB
	case unsure:
		priority = priorityUnsure
	default:
		priority = priorityRest
	}
	return priority, a.why(vulnerable, db, q.policy.LowConfidence)
}

// why lists what stands out: the flags by their codes, then the rest.
func (a Assessment) why(vulnerable, db bool, low float64) string {
	var parts []string
	for _, f := range a.Flags {
		if !slices.Contains(parts, f.Code) {
			parts = append(parts, f.Code)
		}
	}
	if len(parts) > 3 {
		parts = append(parts[:2], fmt.Sprintf("%d more flags", len(parts)-2))
	}
	if a.Borderline {
		parts = append(parts, "borderline")
	}
	if vulnerable {
		parts = append(parts, "vulnerable customer")
	}
	if db {
		parts = append(parts, "DB pension")
	}
	if !a.Borderline && a.Confidence < low {
		parts = append(parts, "low confidence")
	}
	return strings.Join(parts, ", ")
}

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
