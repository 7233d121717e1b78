package observe

import "testing"

// What codes of one behaviour have in common is what a rule says, in their own words.
func TestWritten(t *testing.T) {
	for _, c := range []struct {
		want    string
		actions []string
	}{
		{"Split files", []string{"split file a.go", "split file b.go", "split file c.go"}},
		{"Split files", []string{"split_file:a.go:2", "split_file:b.go:3"}},
		{"Edit files", []string{"edit:src/a.go", "edit:b.go"}},
		{"Continue: summary", []string{"summary:2", "summary:3"}},
		{"Add type hints", []string{"add-type-hints:a", "add-type-hints:c"}},
		{"Write test first", []string{"write_test_first:auth", "write_test_first:login"}},
		{"Write test first", []string{"write_test:first:1"}},
		{"Split files", []string{"split proxy.go into 3 files", "split cli.go into 2 files"}},
		{"Commit main", []string{"commit:main:1", "commit:main:2"}},
		{"Continue: commit", []string{"commit:main:1", "commit:topic:2"}},
		{"Continue: refactor", []string{"refactor:a:2", "refactor:b:1"}},
		{"Bash pwd", []string{"bash:pwd", "bash:pwd"}},
		{"Continue: bash", []string{"bash:pwd", "bash:ls"}},
		{"Format code", []string{"format_code:main.go"}},
		{"Send all mail", []string{"sent_mail:all:1"}},
		{"Rename files", []string{"renamed a.go", "renamed b.go"}},
		{"Continue: overrode the default", []string{"overrode the default in a.go"}},
		{"Document the API", []string{"documented the API"}},
		{"Split the blue widget", []string{"split the blue widget"}},
		{"Run all tests", []string{"run_tests:all"}},
		{"Plan split for config.go", []string{"planned split for config.go"}},
		{"Delete a branch", []string{"deleted a branch"}},
		{"Create plan doc before coding", []string{"created plan doc before coding"}},
		{"Summary: 2 sentences", []string{"summary: 2 sentences"}},
	} {
		if got := continued(c.actions); got != c.want {
			t.Errorf("%q: %q, want %q", c.actions, got, c.want)
		}
	}
	if got := avoided([]string{"explain:answer:400w", "explain:answer:500w"}); got != "explain answer" {
		t.Errorf("%q", got)
	}
}
