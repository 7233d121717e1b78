package decimal

import (
	"testing"
	"time"
)

func TestDay(t *testing.T) {
	want := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	for _, typed := range []string{"01/12/2026", "1/12/2026", " 1 Dec  2026 ", "01 december 2026", "1 December 2026",
		"2026-12-01"} {
		if got, err := Day(typed, time.UTC); err != nil || !got.Equal(want) {
			t.Errorf("%q is %v, %v", typed, got, err)
		}
	}
	for _, typed := range []string{"", "12/31/2026", "31/02/2026", "1/12/26", "tomorrow", "2026-13-01",
		"9999-12-31"} {
		if got, err := Day(typed, time.UTC); err == nil {
			t.Errorf("%q is %v", typed, got)
		}
	}
}
