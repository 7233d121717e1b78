package lists_test

import (
	"slices"
	"strconv"
	"testing"

	"preceptor/internal/platform/lists"
)

func TestAnd(t *testing.T) {
	for want, names := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		if got := lists.And(names); got != want {
			t.Errorf("%q: %q", names, got)
		}
	}
}

func TestMap(t *testing.T) {
	if got := lists.Map([]int{3, 1}, strconv.Itoa); !slices.Equal(got, []string{"3", "1"}) {
		t.Errorf("%q", got)
	}
	if got := lists.Map(nil, strconv.Itoa); got == nil || len(got) != 0 {
		t.Errorf("of none: %#v", got)
	}
}
