package hook_test

import (
	"testing"

	"preceptor/internal/platform/hook"
)

type hooks struct {
	Ask, Tell func() error
	Zone      string
}

func TestAnAbsentHookIsRefused(t *testing.T) {
	defer func() {
		if got, want := recover(), "hook: hook_test.hooks.Tell is not set"; got != want {
			t.Errorf("got %v, want %q", got, want)
		}
	}()
	hook.Complete(hooks{Ask: func() error { return nil }})
}
