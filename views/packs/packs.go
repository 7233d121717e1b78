// Package packs are the pages where packs are made: the Consumer Duty pack of a period, the evidence pack of one piece
// of guidance, and the check of a pack that somebody holds. The packs themselves are made by internal/evidence and use
// none of this.
package packs

import (
	"strconv"
	"strings"

	"preceptor/internal/evidence"
	"preceptor/internal/evidence/duty"
	"preceptor/internal/evidence/history"
	"preceptor/internal/pack"
	"preceptor/views/ui"
)

// Periods is the page of Consumer Duty packs.
type Periods struct {
	Offers  []duty.Offer
	Past    []duty.Made
	From    string `form:"from"` // as typed
	To      string `form:"to"`
	Error   string
	Errors  map[string]string
	Checked *evidence.Report // of a pack that was given
	File    string           // its name
}

// Evidence is the page of one piece of guidance.
type Evidence struct {
	history.Standing
	MayOpen bool   // its case
	Refused string // why this person gets no pack now; "" when they do
}

func days(p duty.Period) string { return p.String() }

func value(o duty.Offer, last bool) string {
	first, end, _ := strings.Cut(o.Subject(), "/")
	if last {
		return end
	}
	return first
}

// subjectWords is a period of the log for people.
func subjectWords(subject string) string { return strings.ReplaceAll(subject, "/", " to ") }

// hashHead names what the hash of a pack is of: its proof, which holds the hash, comes after.
const hashHead = "SHA-256 without the proof"

// hashCheck is the command that prints the hash of a file on record.
func hashCheck(bytes int, file string) string {
	return "head -c " + strconv.Itoa(bytes) + " " + file + " | sha256sum"
}

func about(v Evidence) string {
	return v.Agent + " on " + strings.ToLower(pack.Label(v.Task)) + ", " + v.Status
}

func kindWords(kind string) string {
	if kind == evidence.Period {
		return "Consumer Duty report"
	}
	return "Evidence report"
}

// found are the facts of a pack that was checked.
func found(r evidence.Report) []ui.Fact {
	facts := []ui.Fact{
		{Label: "File", Value: kindWords(r.Kind) + ", " + r.Title},
		{Label: "Created", Value: evidence.When(r.MadeAt) + " by " + r.MadeBy},
		{Label: "Sealed as row", Value: strconv.FormatInt(r.Seal.Seq, 10)},
		{Label: "Parts", Value: strconv.Itoa(r.Parts)},
	}
	if r.Kind == evidence.Interaction {
		facts = append(facts, ui.Fact{Label: "Rows of the log", Value: strconv.Itoa(r.Rows)},
			ui.Fact{Label: "Texts that a row recorded", Value: strconv.Itoa(r.Texts)})
	}
	return facts
}
