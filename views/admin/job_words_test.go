package admin

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every kind of job that the program has is named in words on its page. feedback.nightly and feedback.prune stood there
// twice, as their kinds.
func TestEveryKindOfJobHasWords(t *testing.T) {
	kinds := []*regexp.Regexp{regexp.MustCompile(`\) Kind\(\) string *\{ return "([a-z.]+)" \}`),
		regexp.MustCompile(`\.Periodic(?:Unhurried)?\("([a-z.]+)",`)}
	found := map[string]bool{"job.nothing": true} // queued by nobody
	err := filepath.WalkDir(filepath.Join("..", "..", "internal"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.Contains(path, "dbtest") {
			return err
		}
		code, err := os.ReadFile(path)
		for _, re := range kinds {
			for _, m := range re.FindAllSubmatch(code, -1) {
				found[string(m[1])] = true
				if kind := string(m[1]); jobWords[kind] == "" && kind != "job.nothing" {
					t.Errorf("%s: %s has no words in job_words.go", path, kind)
				}
			}
		}
		return err
	})
	if err != nil || len(found) < 30 {
		t.Fatalf("found %d kinds, %v", len(found), err)
	}
	seen := map[string]string{}
	for kind, words := range jobWords {
		if !found[kind] {
			t.Errorf("%s is no kind of job", kind)
		}
		if seen[words] != "" {
			t.Errorf("%s and %s have the same words", kind, seen[words])
		}
		seen[words] = kind
	}
}
