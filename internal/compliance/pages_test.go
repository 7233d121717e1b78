package compliance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"preceptor/internal/pack"
)

// Sections of guidance that somebody published are in order: no critical check stops one, and at most one in twenty
// isn't clear. Our own documents stand in the demo; the pages of Pension Wise are read where they are.
func TestPublishedGuidanceIsInOrder(t *testing.T) {
	for name, pattern := range map[string]string{"our own documents": "../demo/guidance/*.md",
		"Pension Wise": "../../../shared/data/pensionwise/*.en.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if len(files) == 0 {
			t.Logf("%s: not here, so not read", pattern)
			continue
		}
		sections, unclear := 0, 0
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for section := range strings.SplitSeq("\n"+string(text), "\n#") {
				if len(strings.Fields(section)) < 12 || strings.Contains(section, "<table") ||
					strings.Contains(section, "\n---\n") {
					continue // no prose
				}
				sections++
				v := NewChecker(at).Check(section, pack.Situation{})
				if v.Label != Compliant { // a service by its old name is minor
					unclear++
					t.Logf("%s: %+v", filepath.Base(f), v.Issues)
				}
				if v.Label == NonCompliant {
					t.Errorf("%s is stopped: %+v\n%s", filepath.Base(f), v.Issues, section)
				}
			}
		}
		if unclear*20 > sections {
			t.Errorf("%s: %d of %d sections aren't clear", name, unclear, sections)
		}
		t.Logf("%s: %d sections, %d not clear", name, sections, unclear)
	}
}
