package prompted

import (
	"slices"
	"strings"
	"testing"

	"preceptor/internal/pack"
)

// Of a long conversation a model gets the end, and is told so.
func TestAJudgeIsSentTheEndOfAConversation(t *testing.T) {
	long := slices.Repeat([]pack.Message{{Role: pack.FromCustomer, Text: strings.Repeat("x", 1000)}}, 50)
	got := said(append(long, pack.Message{Role: pack.FromTool, Tool: "rates", Text: "40%"}))
	if n := len(got); n != 13 || got[n-1] != "tool rates: 40%" || got[0] != "(what was said before is left out)" {
		t.Errorf("%d lines, %q to %q", n, got[0], got[n-1])
	}
	if got := said(long[:2]); len(got) != 2 || strings.Contains(got[0], "left out") {
		t.Errorf("%q", got)
	}
}
