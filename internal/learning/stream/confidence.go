package stream

import (
	"fmt"
	"strings"

	"preceptor/internal/compliance"
	"preceptor/internal/platform/db"
)

const mostQuotes = 5 // words of a text that a finding names

// Bands are what a verdict's confidence says, in the order of the page.
var Bands = []compliance.Band{compliance.Clarify, compliance.Ambiguous, compliance.NegativeExample,
	compliance.ExemplarOffer}

// FromVerdictTx is seed 000's use_confidence_for_learning ("Compliance Confidence Scoring as Learning Signal"): what a
// verdict's confidence says becomes a memory. e names the draft; its kind, what, codes and text are filled in here, and
// quotes are the words that divided the judges or that an issue is about.
//
//	below 0.7    where the line runs is not clear: boundary clarification
//	0.7 to 0.9   the words that divide: ambiguous language
//	from 0.9 on  passed: an exemplar candidate; failed: a negative one
//
// Nothing is stored as an exemplar here, which only a person's approval makes; a sure failure of the panel or a
// critical check already begins its lesson on the learning path. With the switch off nothing happens.
func (s *Store) FromVerdictTx(tx *db.Tx, e Event, v compliance.Verdict, quotes []string) error {
	band := v.Says()
	if s.policy.IgnoreConfidence || band == "" {
		return nil
	}
	e.Kind, e.What, e.Critical = Verdict, string(band), v.Critical()
	for _, i := range v.Issues {
		e.Codes = append(e.Codes, i.Code)
	}
	e.Text = finding(band, v, quotes)
	return s.RememberTx(tx, e)
}

// finding says in a sentence or two what a band found.
func finding(band compliance.Band, v compliance.Verdict, quotes []string) string {
	var b strings.Builder
	how := fmt.Sprintf("%.0f%% sure", v.Confidence*100)
	var most, rest int
	var word string // "2-1 failed": those who failed it come first
	if _, err := fmt.Sscanf(v.Split, "%d-%d %s", &most, &rest, &word); err == nil && most+rest > 1 {
		flagged := rest
		if word == "failed" {
			flagged = most
		}
		how = fmt.Sprintf("%d of %d judges flagged it, %s", flagged, most+rest, how)
	}
	switch band {
	case compliance.Clarify:
		fmt.Fprintf(&b, "It isn't clear whether this draft stays within the guidance boundary (%s).", how)
	case compliance.Ambiguous:
		fmt.Fprintf(&b, "The draft's language is ambiguous (%s).", how)
	case compliance.ExemplarOffer:
		fmt.Fprintf(&b,
			"The draft clearly keeps to guidance (%s); it may serve as an example once a person approves it.", how)
	default:
		fmt.Fprintf(&b,
			"The draft clearly breaks the guidance boundary (%s); it may serve as an example of what not to write.",
			how)
	}
	if codes := codesOf(v.Issues); len(codes) > 0 {
		b.WriteString(" Found: " + strings.Join(codes, ", ") + ".")
	}
	if band != compliance.ExemplarOffer && len(quotes) > 0 {
		b.WriteString(" In these words: ")
		for i, q := range unique(quotes, mostQuotes) {
			if i > 0 {
				b.WriteString("; ")
			}
			b.WriteString("“" + clip(q, 100) + "”")
		}
		b.WriteString(".")
	}
	return b.String()
}

func codesOf(issues []compliance.Issue) (out []string) {
	for _, i := range issues {
		out = append(out, words(i.Code))
	}
	return unique(out, maxCodes)
}

// words is a code as one says it: "missing db warning".
func words(code string) string {
	return strings.NewReplacer(" db ", " DB ").Replace(strings.ToLower(strings.ReplaceAll(code, "_", " ")))
}
