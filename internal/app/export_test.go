package app

import "context"

// CopyTo copies what practice needs of the base into a file.
func (a *App) CopyTo(ctx context.Context, file string) error { return a.copyTo(ctx, file) }
