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
	if diff := cmp.Diff(want, details(content, nil), cmp.AllowUnexported(detail{})); diff != "" {
		t.Error(diff)
	}
	if got := details(json.RawMessage(`[1]`), nil); len(got) != 1 || got[0].value != "[1]" {
		t.Errorf("no object: %v", got)
	}
	if got := details(json.RawMessage(`{}`), nil); len(got) != 0 {
		t.Errorf("an empty object: %v", got)
	}
}

// What was proposed is told in words, and a time that never comes not at all.
func TestDetailsTellWhatIsWithinAText(t *testing.T) {
	const rule = "01a2aaaa-0000-7000-8000-000000000003"
	got := details(json.RawMessage(`{"change":"{\"rules\":[{\"id\":\"`+rule+`\",\"version\":1000000}],\"examples\":[]}",
		"until":"0001-01-01T00:00:00Z"}`), map[string]string{rule: "R-7 Say the fee"})
	want := []detail{{"change", "rules: id: R-7 Say the fee, version: 1000000", false}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(detail{})); diff != "" {
		t.Error(diff)
	}
}

func TestDetailsNameWhomTheyMean(t *testing.T) {
	const ann, bob = "01a2aaaa-0000-7000-8000-000000000001", "01a2aaaa-0000-7000-8000-000000000002"
	got := details(json.RawMessage(`{"from":"`+ann+`","to":"`+bob+`","members":["`+ann+`","x"],"roles":null}`),
		map[string]string{ann: "Ann Archer", bob: "", "account " + bob: "Bob"})
	want := []detail{{"from", "Ann Archer", false}, {"members", "Ann Archer, x", false}, {"to", bob, false}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(detail{})); diff != "" {
		t.Error(diff)
	}
}
