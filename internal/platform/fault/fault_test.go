package fault_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"preceptor/internal/platform/fault"
)

func TestKindSurvivesWrapping(t *testing.T) {
	cause := errors.New("disk on fire")
	err := fmt.Errorf("review: decide: %w",
		fault.Wrap(fault.Conflict, cause, "%s already decided this: %s.", "Ann", "approved"))
	if got := fault.KindOf(err); got != fault.Conflict {
		t.Errorf("KindOf = %v, want conflict", got)
	}
	if got, want := fault.Message(err), "Ann already decided this: approved."; got != want {
		t.Errorf("Message = %q, want %q", got, want)
	}
	if !errors.Is(err, cause) {
		t.Error("the cause is lost for the log")
	}
}

func TestUnclassifiedShowsNothing(t *testing.T) {
	for _, err := range []error{errors.New("SELECT secret"), fault.New(fault.Internal, "token abc leaked")} {
		if got := fault.Message(err); got != fault.InternalMessage {
			t.Errorf("Message(%v) = %q", err, got)
		}
		if fault.KindOf(err).Status() != 500 || fault.KindOf(err).ExitCode() != 1 {
			t.Errorf("%v is not an internal error at the edges", err)
		}
	}
}

func TestEdges(t *testing.T) {
	for _, c := range []struct {
		kind         fault.Kind
		status, exit int
		retry        bool
	}{
		{fault.Internal, 500, 1, true}, {fault.Invalid, 422, 2, false}, {fault.Unsigned, 401, 3, false},
		{fault.Denied, 403, 3, false}, {fault.NotFound, 404, 4, false}, {fault.Conflict, 409, 5, false},
		{fault.Limited, 429, 6, true}, {fault.Unavailable, 503, 6, true},
	} {
		if c.kind.Status() != c.status || c.kind.ExitCode() != c.exit || c.kind.Retriable() != c.retry {
			t.Errorf("%v: status %d exit %d retry %v", c.kind, c.kind.Status(), c.kind.ExitCode(), c.kind.Retriable())
		}
	}
}

func TestFieldsAndRetryAfter(t *testing.T) {
	err := fmt.Errorf("x: %w", fault.WithFields("Two fields need your attention.",
		fault.Field{Name: "reason", Msg: "Say why."}))
	if f := fault.Fields(err); len(f) != 1 || f[0].Name != "reason" {
		t.Errorf("Fields = %v", f)
	}
	lim := fault.New(fault.Limited, "Too many attempts.")
	lim.RetryAfter = time.Minute
	if fault.RetryAfter(fmt.Errorf("y: %w", lim)) != time.Minute || fault.RetryAfter(err) != 0 {
		t.Error("RetryAfter is lost")
	}
}
