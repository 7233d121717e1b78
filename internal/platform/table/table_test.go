package table_test

import (
	"strings"
	"testing"
	"time"

	"preceptor/internal/platform/table"
)

// Nothing changes on the way through the guard, and nothing comes out that a spreadsheet would run.
func FuzzGuard(f *testing.F) {
	for _, s := range []string{"", "=1", "'=1", "''", "'a", "-", "＝", "＋1", "－", "＠x", "\tx", "\r", "\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		g := table.Guard(s)
		if table.Unguard(g) != s {
			t.Fatalf("%q is guarded as %q and read as %q", s, g, table.Unguard(g))
		}
		for _, start := range []string{"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"} {
			if strings.HasPrefix(g, start) {
				t.Fatalf("%q is guarded as %q", s, g)
			}
		}
	})
}

func TestHead(t *testing.T) {
	for bom, want := range map[bool]string{false: "a,b\n", true: "\ufeffa,b\n"} {
		var b strings.Builder
		if err := table.Head(&b, []string{"a", "b"}, bom); err != nil || b.String() != want {
			t.Errorf("%v: %q, %v", bom, b.String(), err)
		}
	}
}

func TestStamp(t *testing.T) {
	if got := table.Stamp(time.Time{}); got != "" {
		t.Errorf("the zero time is %q", got)
	}
	if got := table.Stamp(time.UnixMilli(1_790_000_000_005)); got != "2026-09-21T14:13:20.005Z" {
		t.Errorf("%q", got)
	}
}
