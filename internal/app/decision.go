package app

import (
	"cmp"

	"preceptor/internal/compliance"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/review"
)

// draftAnew has our own advisor write again what was sent back to it, with the supervisor's note. Other agents do that
// by themselves.
func (a *App) draftAnew(tx *db.Tx, d *review.Decision) error {
	if d.State != review.Returned || d.Interaction.Drafter == "" {
		return nil
	}
	note := d.Reason
	if d.Feedback != "" {
		note += "\n" + d.Feedback
	}
	return a.Interactions.DraftAnewTx(tx, d.Interaction, note)
}

// mayReturn refuses to send back what our advisor wrote while it can't act on notes: nothing would come of it.
func (a *App) mayReturn(in *interaction.Interaction) error {
	if in.Drafter == "" || a.Advisor.TakesNotes() {
		return nil
	}
	return fault.Wrong("The embedded advisor can't act on notes. Revise the text, or reject it.", "reason",
		"Nobody would read this note.")
}

// forgetRecalled takes a recalled text that an outcome praised out of what the advisor chooses from.
func (a *App) forgetRecalled(tx *db.Tx, d *review.Decision) error {
	_, err := a.Knowledge.RetireOriginTx(tx, knowledge.FromFeedback, d.InteractionID,
		knowledge.Change{Reason: "The guidance was recalled."})
	return err
}

// assessment is what review needs of a verdict.
func assessment(v compliance.Verdict) review.Assessment {
	as := review.Assessment{
		Label: string(v.Label), Passed: v.Passed, Confidence: v.Confidence, Source: v.Source,
		Blocked: v.Critical(), Borderline: !v.Critical() && !v.Unasked() &&
			(v.Label != compliance.Compliant || v.RequiresHumanReview), Because: v.Because,
		Rules: v.Rules, Facts: v.Facts,
	}
	flag := func(i compliance.Issue) review.Flag {
		return review.Flag{Stops: i.Stops(), Code: i.Code, Severity: i.Severity, Why: i.Why, Reference: i.Reference,
			By: cmp.Or(i.By, review.ByCheck), Quote: i.Quote, Start: i.Span[0], End: i.Span[1], Case: i.Case}
	}
	for _, j := range v.Judges {
		if i, ok := j.Suspect(); ok && !j.Passed && as.Weighs == nil {
			weighs := flag(i)
			as.Weighs = &weighs
		}
	}
	as.Flags, as.LeftOut = lists.Map(v.Issues, flag), lists.Map(v.LeftOut, flag)
	return as
}
