package observe_test

import (
	"strings"
	"testing"

	"preceptor/internal/llm/embedded"
	"preceptor/internal/signal/observe"
)

// TestContrary measures what is taken for following a pattern on actions that follow it and on ones that do the contrary.
func TestContrary(t *testing.T) {
	right, of := map[bool]int{}, map[bool]int{}
	for _, p := range []struct{ pattern, follow, contrary string }{
		{"Log errors before returning (Go style)", "added a handler that logs the error before returning it|new function " +
			"logs its errors|logged the failure, then returned it|added logger.Error before each return",
			"returned the error without logging it|new function returns errors and doesn't log them|removed the error " +
				"logging before the return|swallowed the error silently|added a handler that returns errors unlogged|" +
				"skipped logging the errors"},
		{"Use testify.Suite for test organization", "wrote the tests as a testify suite|new test file with suite.Suite|" +
			"added a test suite for the parser with testify", "replaced the testify suite by plain tests|wrote plain tests " +
			"instead of a testify suite|wrote the tests without testify|stopped using testify suites in the new test file"},
		{"Group imports: stdlib, third-party, local", "sorted the imports into stdlib, third party and local|grouped the " +
			"imports by origin", "ungrouped the imports|put all imports into one block, not grouped|mixed stdlib and " +
			"third-party imports"},
		{"Use pytest fixtures and parametrize", "wrote the new tests with pytest fixtures|added a parametrized pytest for " +
			"the parser|moved the setup into a fixture", "wrote a unittest.TestCase class|replaced the pytest fixtures with " +
			"setUp methods|copied the test five times rather than parametrizing it|dropped pytest for plain asserts"},
		{"Use logging in exception handlers", "logged the exception in the except block|added logger.exception to the " +
			"handler|new exception handler with logging", "caught the exception and passed silently|removed logging from the " +
			"exception handlers|printed the exception rather than logging it|left the except block empty"},
		{"Wrap errors with context", "wrapped the error with the file's name|returned fmt.Errorf with context|added context " +
			"to the errors of the client", "returned the bare error|unwrapped the errors and dropped their context|returned " +
			"errors without context|ignored the error"},
		{"Write a doc comment for every exported function", "added doc comments to the exported functions|documented each " +
			"exported function|wrote a comment above the new exported func", "deleted the doc comments|left the exported " +
			"functions undocumented|exported a function and skipped its comment|added an exported function with no comment"},
	} {
		base := observe.Codebase{Project: "hydra", Patterns: []observe.ProjectPattern{{Description: p.pattern, Share: 1}}}
		for followed, actions := range map[bool]string{true: p.follow, false: p.contrary} {
			for action := range strings.SplitSeq(actions, "|") {
				list := allSeen(t, nil, action+" → ok", action+" → ok")
				m, err := observe.Read(t.Context(), embedded.New(), list, base)
				if err != nil {
					t.Fatal(err)
				}
				if of[followed]++; (len(observe.Followed(list, base, m)) == 1) == followed {
					right[followed]++
				} else {
					t.Logf("%q, %q: followed %v", p.pattern, action, !followed)
				}
			}
		}
	}
	t.Logf("%d of %d that follow, %d of %d that do the contrary", right[true], of[true], right[false], of[false])
	if right[true] < of[true]-2 || right[false] < of[false]-5 {
		t.Error("that is worse than it was")
	}
}
