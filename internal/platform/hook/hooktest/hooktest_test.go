package hooktest_test

import (
	"errors"
	"testing"

	"preceptor/internal/platform/hook"
	"preceptor/internal/platform/hook/hooktest"
)

type hooks struct {
	Ask  func(string) (int, error)
	Hide func(text string, known ...string) int
	Then func() func() error
}

func TestLateHooksAreCompleteAndFollowWhatIsSetAfter(t *testing.T) {
	var held hooks
	late := hooktest.Late(&held)
	hook.Complete(late)
	if n, err := late.Ask("x"); n != 0 || err != nil {
		t.Errorf("nothing set: %d, %v", n, err)
	}
	if err := late.Then()(); err != nil {
		t.Errorf("what follows, when nothing is set: %v", err)
	}
	boom := errors.New("boom")
	held.Ask = func(s string) (int, error) { return len(s), boom }
	held.Hide = func(_ string, known ...string) int { return len(known) }
	if n, err := late.Ask("four"); n != 4 || !errors.Is(err, boom) {
		t.Errorf("set: %d, %v, want 4 and the error", n, err)
	}
	if n := late.Hide("", "a", "b"); n != 2 {
		t.Errorf("%d known, want 2", n)
	}
}
