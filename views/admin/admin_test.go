package admin

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDetailsFoldLongTextsAndLeaveNothingOut(t *testing.T) {
	long := strings.Repeat("word ", 40)
	content, err := json.Marshal(map[string]any{"reason_code": "tone", "guidance": long, "seconds": 12, "note": "a\nb",
		"nothing": nil})
	if err != nil {
		t.Fatal(err)
	}
	want := []detail{{"guidance", long, true}, {"note", "a\nb", true}, {"reason code", "tone", false},
		{"seconds", "12", false}}
	if diff := cmp.Diff(want, details(content), cmp.AllowUnexported(detail{})); diff != "" {
		t.Error(diff)
	}
	if got := details(json.RawMessage(`[1]`)); len(got) != 1 || got[0].value != "[1]" {
		t.Errorf("no object: %v", got)
	}
	if got := details(json.RawMessage(`{}`)); len(got) != 0 {
		t.Errorf("an empty object: %v", got)
	}
}
