package app

import (
	"context"
	"errors"
	"slices"

	"preceptor/internal/account"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/checklist"
	"preceptor/internal/interaction"
	"preceptor/internal/review"
)

// checks makes the checklist: experts write, try and switch; an administrator can be the second person.
func (a *App) checks(ctx context.Context) error {
	a.Checklist = checklist.New(a.DB, a.Approvals, a.Validator.Checks(), a.Interactions, a.Datasets, a.Versions,
		checklist.Hooks{
			MayWrite: a.holds(account.Expert), MayAgree: a.holds(account.Expert, account.Admin), Decided: a.lastDecided,
			Read: func(text string, c interaction.Consultation) []compliance.Issue {
				return a.Validator.Glance(text, c).Issues
			},
		}, a.Log)
	a.Validator.Checks().Look = a.DB.NewWatch("checks", a.Log, func(ctx context.Context) error {
		return errors.Join(a.Checklist.Sync(ctx), a.AdoptRuled(ctx))
	}).Look
	return a.Checklist.Sync(ctx)
}

// lastDecided is what people last decided on an interaction; "" when nobody did, or when it stands no more.
func (a *App) lastDecided(ctx context.Context, id string) (string, error) {
	list, err := a.Reviews.DecisionsFor(ctx, id)
	if err != nil {
		return "", err
	}
	for _, d := range slices.Backward(list) {
		if d.Kind != review.Sampled &&
			!slices.Contains([]string{review.Pending, review.Undone, review.Overruled, review.Recalled}, d.State) {
			return d.Kind, nil
		}
	}
	return "", nil
}
