package encoder

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBase measures the forms of orders on testdata/verbs.txt: the spelling was chosen on the first paragraph, and not
// on the second.
func TestBase(t *testing.T) {
	all, err := os.ReadFile(filepath.Join("testdata", "verbs.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for i, part := range strings.SplitN(string(all), "\n\n", 2) {
		right, wrong, of := 0, 0, 0
		for pair := range strings.FieldsSeq(part) {
			past, want, _ := strings.Cut(pair, ":")
			of++
			switch got := BGE().Base(past); got {
			case want:
				right++
			case "":
				t.Logf("%s: not sure", past)
			default:
				t.Logf("%s: %s, not %s", past, got, want)
				wrong++
			}
		}
		t.Logf("paragraph %d: %d of %d, %d wrong", i+1, right, of, wrong)
		if wrong > 0 || right < of-18 {
			t.Error("that is worse than it was")
		}
	}
	for word, want := range map[string]string{"run": "run", "write": "write", "found": "find", "calculate": "calculate",
		"": "", "summary": "", "terse": "", "short": "", "Wrote": "", "日本": "", "ed": "", "red": "", "embed": ""} {
		if got := BGE().Base(word); got != want {
			t.Errorf("%q: %q, not %q", word, got, want)
		}
	}
}
