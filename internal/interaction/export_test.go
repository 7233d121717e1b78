package interaction

import "context"

// PruneForTest runs the periodic task now.
func (s *Store) PruneForTest(ctx context.Context) error { return s.prune(ctx) }
