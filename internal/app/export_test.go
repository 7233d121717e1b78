package app

import (
	"context"

	"preceptor/internal/compliance/evaluate"
)

// CopyTo copies what practice needs of the base into a file.
func (a *App) CopyTo(ctx context.Context, file string) error { return a.copyTo(ctx, file) }

// Ruled are the rulings that the judge in the program learns from.
func (a *App) Ruled(ctx context.Context) ([]evaluate.Labelled, error) { return a.rulings(ctx) }
