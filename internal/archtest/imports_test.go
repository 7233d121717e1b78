package archtest

import (
	"slices"
	"strings"
	"testing"
)

// verdict says why from may not import to, or "".
func verdict(from, to pack) string {
	a, b := from.layer(), to.layer()
	switch {
	case b == support && a != support:
		return "it is for tests"
	case slices.Contains(arrows[from.path()], to.path()):
		return ""
	case !slices.Contains(below[a], b):
		return "a package of the " + string(a) + " may not import one of the " + string(b) +
			" without an arrow in rules_test.go"
	}
	return ""
}

func forbidden(l layer, imported string) bool {
	for _, n := range never[l] {
		if prefix, ok := strings.CutSuffix(n, "/..."); imported == prefix ||
			ok && strings.HasPrefix(imported, prefix+"/") {
			return true
		}
	}
	return false
}

func TestWhoMayImportWhom(t *testing.T) {
	all := map[string]pack{}
	for _, p := range packages(t) {
		all[p.ImportPath] = p
	}
	for _, from := range all {
		if from.layer() == "" {
			t.Errorf("%s has no place in rules_test.go", from.path())
		}
		for _, imported := range from.Imports {
			if to, ours := all[imported]; ours {
				if why := verdict(from, to); why != "" {
					t.Errorf("%s imports %s: %s", from.path(), to.path(), why)
				}
			}
			if forbidden(from.layer(), imported) {
				t.Errorf("%s imports %s, which the %s never may", from.path(), imported, from.layer())
			}
		}
	}
}

// TestTheImportRulesBite has the rules judge imports that must be refused, so that a hole in the data is seen.
func TestTheImportRulesBite(t *testing.T) {
	at := func(p string) pack { return pack{ImportPath: module + p} }
	for _, c := range []struct {
		from, to string
		ok       bool
	}{
		{"internal/review", "internal/interaction", true},
		{"internal/interaction", "internal/review", false},
		{"internal/review", "internal/learning", false},
		{"internal/review", "web/desk", false},
		{"internal/review", "views/reviews", false},
		{"internal/review", "internal/app", false},
		{"internal/review", "internal/platform/db/dbtest", false},
		{"internal/platform/db", "internal/platform/job", false},
		{"internal/platform/job", "internal/audit", false},
		{"internal/search", "internal/knowledge", false},
		{"views/reviews", "web/desk", false},
		{"views/reviews", "internal/review", true},
		{"web/desk", "internal/app", false},
		{"web/desk", "views/reviews", true},
		{"cmd/preceptor", "internal/app", true},
		{"internal/pack", "internal/knowledge", false},
	} {
		if why := verdict(at(c.from), at(c.to)); (why == "") != c.ok {
			t.Errorf("%s -> %s: %q, want allowed %v", c.from, c.to, why, c.ok)
		}
	}
	for _, c := range []struct {
		from, imported string
		bad            bool
	}{
		{"web/desk", "preceptor/internal/platform/db", true},
		{"web/desk", "preceptor/internal/llm/openai", true},
		{"web/desk", "preceptor/internal/platform/job", false},
		{"web", "database/sql", true},
		{"views/ui", "net/http", true},
		{"internal/review", "net/http", true},
		{"internal/review", "github.com/labstack/echo/v4", true},
		{"internal/llm/openai", "net/http", false},
	} {
		if got := forbidden(at(c.from).layer(), c.imported); got != c.bad {
			t.Errorf("%s -> %s: forbidden %v, want %v", c.from, c.imported, got, c.bad)
		}
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	for _, p := range packages(t) {
		if len(p.GoFiles) > 0 && p.Doc == "" {
			t.Errorf("%s has no package comment", p.path())
		}
	}
}

func TestNamesThatSayNothing(t *testing.T) {
	for _, p := range packages(t) {
		for _, part := range append(strings.Split(p.path(), "/"), p.Name) {
			if slices.Contains(forbiddenNames, part) {
				t.Errorf("%s: %q says nothing about what is in it", p.path(), part)
			}
		}
	}
}
