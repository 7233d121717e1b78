package stats

import (
	"context"
	"errors"
	"testing"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
)

// Who leaves while others are read for is not waited for any more, and whoever reads gives the turn back, also when it
// fails.
func TestFiguresAreReadInTurn(t *testing.T) {
	r := New(dbtest.New(t), time.UTC, quiet())
	r.turns = make(chan struct{}, 1)
	f := Filter{Range: Days(r.db.Now(), 30, time.UTC)}
	broken := errors.New("broken")
	if err := r.read(t.Context(), func(*db.Tx) error { return broken }); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	func() {
		defer func() { _ = recover() }()
		_ = r.read(t.Context(), func(*db.Tx) error { panic("broken") })
	}()
	if err := r.read(t.Context(), func(*db.Tx) error {
		gone, leave := context.WithCancel(t.Context())
		leave()
		_, err := r.Satisfaction(gone, f)
		return err
	}); !errors.Is(err, context.Canceled) {
		t.Errorf("a second reader was let in: %v", err)
	}
	for _, page := range []func() error{
		func() error { _, err := r.Satisfaction(t.Context(), f); return err },
		func() error { _, err := r.Review(t.Context(), f); return err },
		func() error { _, err := r.Compliance(t.Context(), f); return err },
		func() error { _, err := r.Learning(t.Context(), f); return err },
		func() error { _, err := r.Changes(t.Context(), f, f.Range); return err },
		func() error { _, err := r.Mine(t.Context(), f, "nobody"); return err },
		func() error { _, err := r.Rows(t.Context(), f, RowQuery{Of: "votes"}); return err },
		func() error { _, err := r.Choices(t.Context()); return err },
		func() error { _, err := r.Overview(t.Context(), 7); return err },
		func() error { _, err := r.Pace(t.Context(), 7); return err },
	} {
		if err := page(); err != nil { // one that waited for its own turn would hang here
			t.Error(err)
		}
	}
}
