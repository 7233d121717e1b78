package demo

import (
	"context"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
)

// rule has experts settle the borderline case about a draft that the desk is about to decide, if they are asked about
// it: a draft that waits or will go out as it is keeps to the line, any other one leans.
func (w *Filling) rule(ctx context.Context, iid string, p plan) error {
	if w.Borderline == nil {
		return nil
	}
	cases, _, err := w.Borderline.ForInteraction(ctx, iid)
	if err != nil || len(cases) == 0 || !cases[0].Open() {
		return err
	}
	in := borderline.Input{CaseID: cases[0].ID, TextHash: cases[0].TextHash, Label: compliance.Compliant,
		Boundary: compliance.Guidance, Confidence: 0.8,
		Rationale: "It sets out the choices and what each costs, and leaves the choice to the customer.", Seconds: 95}
	if p != approve && p != wait {
		in.Label, in.Boundary, in.Confidence, in.Rationale = compliance.Borderline, compliance.OnTheBoundary, 0.7,
			"A customer could read it as a nudge. It needs another wording before it goes out."
	}
	for _, e := range w.expert {
		in.By = borderline.Person{ID: e.ID, Name: e.Name}
		if _, err := w.Borderline.AnswerBlind(ctx, in); err != nil {
			return err
		}
		if ruling, err := w.Borderline.Keep(ctx, in.CaseID, in.By); err != nil || ruling != nil {
			return err
		}
	}
	return nil
}
