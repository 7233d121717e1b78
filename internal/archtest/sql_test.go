package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	looksLikeSQL = regexp.MustCompile(
		`(?is)^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|REPLACE)\s.*\b(FROM|INTO|SET|SELECT|VALUES)\b`)
	placeholder = regexp.MustCompile(`\$(\d+)`)
)

// gap stands for a part of a statement that is not a literal.
const gap = "\x00"

// text is what a literal, or a sum of literals and other things, says.
func text(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		s, err := strconv.Unquote(e.Value)
		return s, err == nil
	case *ast.ParenExpr:
		return text(e.X)
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return "", false
		}
		a, okA := text(e.X)
		b, okB := text(e.Y)
		if !okA {
			a = gap
		}
		if !okB {
			b = gap
		}
		return a + b, okA || okB
	}
	return "", false
}

// texts gives every string that the file spells out, a sum of strings as one.
func texts(s source, f func(at ast.Node, text string)) {
	ast.Inspect(s.File, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			_, isImport := n.(*ast.ImportSpec)
			return !isImport
		}
		if t, ok := text(e); ok {
			f(e, t)
			return false
		}
		return true
	})
}

// misordered says what is wrong with the order in which placeholders first appear. mattn/go-sqlite3 numbers them by
// appearance whatever their names say, and would swap arguments silently.
func misordered(query string) string {
	next := 1
	for _, m := range placeholder.FindAllStringSubmatch(query, -1) {
		n, _ := strconv.Atoi(m[1])
		if n < next {
			continue // seen before
		}
		if n > next && !strings.Contains(query, gap) {
			return fmt.Sprintf("$%d appears before $%d", n, next)
		}
		next = n + 1
	}
	return ""
}

func TestPlaceholdersAppearInOrder(t *testing.T) {
	statements := 0
	sources(t, true, func(s source) {
		texts(s, func(at ast.Node, q string) {
			if !looksLikeSQL.MatchString(q) {
				return
			}
			statements++
			if why := misordered(q); why != "" && !strings.HasPrefix(s.name, "internal/archtest/") {
				t.Errorf("%s:%d: %s", s.name, s.line(at), why)
			}
		})
	})
	if statements < 20 {
		t.Errorf("only %d statements were recognised; the rule holds of next to nothing", statements)
	}
}

func TestThePlaceholderRuleBites(t *testing.T) {
	for q, bad := range map[string]bool{
		"SELECT a FROM t WHERE b = $1 AND c = $2 AND d = $1":      false,
		"SELECT a FROM t WHERE b = $2 AND c = $1":                 true,
		"UPDATE t SET a = $2 WHERE b = $1":                        true,
		"SELECT a FROM t WHERE b = $3":                            true,
		"SELECT a FROM t WHERE " + gap + " AND c = $3":            false,
		"SELECT a FROM t WHERE b IN (" + gap + ") AND c = $1 = 2": false,
	} {
		if got := misordered(q) != ""; got != bad {
			t.Errorf("%q: refused %v, want %v", q, got, bad)
		}
	}
}

// dialects says which words only some packages may write in a statement.
var dialects = []struct {
	what    string
	re      *regexp.Regexp
	allowed []string
}{
	{"vector search", regexp.MustCompile(`(?i)\bvec0\b|\bvec_[a-z0-9_]+\s*\(`),
		[]string{"internal/search", "internal/platform/db"}},
	{"full-text search", regexp.MustCompile(`(?i)\bfts5\b|\bbm25\s*\(|\b(?:WHERE|AND)\s+\w+\s+MATCH\b`),
		[]string{"internal/search"}},
	{"a pragma", regexp.MustCompile(`(?i)^\s*(PRAGMA\s+\w+|VACUUM\b|ATTACH\s)|\bsqlite_(master|schema|version)\b`),
		[]string{"internal/platform/db"}},
	{"a query into JSON",
		regexp.MustCompile(`(?i)\bjson_(extract|each|tree|array|object|insert|set|group_\w+)\s*\(|->>`), nil},
	{"group_concat", regexp.MustCompile(`(?i)\b(group_concat|string_agg)\s*\(`), nil},
	{"the engine's clock", regexp.MustCompile(`(?i)\b(CURRENT_TIMESTAMP|datetime\s*\(|strftime\s*\(|unixepoch\s*\()`),
		nil},
	{"the sum of a truth (write count(*) FILTER (WHERE ...))",
		regexp.MustCompile(`(?i)\bsum\(\s*\w[\w.]*\s*(=|<|>|<=|>=|<>|IS|IN)\s`), nil},
	{"max or min of two (write CASE)", regexp.MustCompile(`(?i)\b(max|min)\([^()]*,[^()]*\)`), nil},
	{"a reserved word as a name",
		regexp.MustCompile(
			`(?i)\b(AS\s+(right|left|user|order|group|limit|offset|column|check|default|primary|when|all|both|window|some)|(SELECT|SET|,)\s+(right|left|user))\b`), nil},
	{"a column in DO UPDATE without its table", regexp.MustCompile(`(?is)\bDO UPDATE SET\b.*=\s*[a-z_]+\s*[+-]`), nil},
	{"a truth or else a number (write CASE)",
		regexp.MustCompile(`(?i)\bcoalesce\([^()]*[^<>!]=[^()]*,\s*[01]\)`), nil},
	{"INSERT OR", regexp.MustCompile(`(?i)\bINSERT\s+OR\s+(REPLACE|IGNORE)\b`), nil},
}

// engines are the functions of one engine, which a part of a statement may not have either.
var engines = regexp.MustCompile(`(?i)(?:^|[\s(,|])(iif|instr|printf|ifnull|json)\([^)]`)

// TestNoPartOfAStatementIsOfOneEngine: parts that are joined to statements look like none by themselves.
func TestNoPartOfAStatementIsOfOneEngine(t *testing.T) {
	allowed := []string{
		"internal/platform/job", // River's own table, whose driver is the engine's
	}
	for q, bad := range map[string]bool{`CASE WHEN a THEN 'b' END`: false, `coalesce(iif(a, 'b', c), d)`: true,
		`instr(lower(a), lower($2)) > 0`: true, `x AND iif (a)`: false} {
		if engines.MatchString(q) != bad {
			t.Errorf("%q: want %v", q, bad)
		}
	}
	sources(t, false, func(s source) {
		dir := path.Dir(s.name)
		if slices.Contains(allowed, dir) || !strings.HasPrefix(dir, "internal/") || dir == "internal/archtest" {
			return
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if ok && lit.Kind == token.STRING && lit.Value[0] == '`' && engines.MatchString(lit.Value[1:]) {
				t.Errorf("%s:%d: %s is of one engine", s.name, s.line(lit), engines.FindString(lit.Value[1:]))
			}
			return true
		})
	})
}

func TestEveryDialectHasItsPlace(t *testing.T) {
	sources(t, false, func(s source) {
		dir := path.Dir(s.name)
		texts(s, func(at ast.Node, q string) {
			if !looksLikeSQL.MatchString(q) &&
				!regexp.MustCompile(`(?i)^\s*(PRAGMA|VACUUM|ATTACH|CREATE)\s`).MatchString(q) {
				return
			}
			for _, d := range dialects {
				if !d.re.MatchString(q) {
					continue
				}
				ok := false
				for _, a := range d.allowed {
					ok = ok || dir == a
				}
				if !ok {
					t.Errorf("%s:%d: %s outside %v", s.name, s.line(at), d.what, d.allowed)
				}
			}
		})
	})
}

// TestRowsAreReadInOnePlace: db.One, db.List and their like ask for rows and say in errors what for. What walks two
// answers side by side, or the log without a transaction, does it by hand.
func TestRowsAreReadInOnePlace(t *testing.T) {
	byHand := 0
	sources(t, false, func(s source) {
		if strings.HasPrefix(s.name, "internal/platform/db/") {
			return
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			f, ok := call.Fun.(*ast.SelectorExpr)
			switch {
			case !ok:
			case f.Sel.Name == "QueryRow":
				t.Errorf("%s:%d: QueryRow; ask with db.One, db.Value or db.Maybe", s.name, s.line(call))
			case f.Sel.Name == "Next" && len(call.Args) == 0:
				if x, ok := f.X.(*ast.Ident); ok && x.Name == "rows" {
					byHand++
				} else if x, ok := f.X.(*ast.SelectorExpr); ok && x.Sel.Name == "rows" {
					byHand++
				}
			}
			return true
		})
	})
	if byHand > 5 {
		t.Errorf("rows are walked by hand in %d places outside internal/platform/db; at most 5 may be", byHand)
	}
}

// TestLikeIsEscapedAndCaseless: what a person types may hold % and _, and the engines differ in case.
func TestLikeIsEscapedAndCaseless(t *testing.T) {
	like := regexp.MustCompile(`(?i)(\S+)\s+LIKE\s+(\S+)`)
	sources(t, false, func(s source) {
		texts(s, func(at ast.Node, q string) {
			if !looksLikeSQL.MatchString(q) {
				return
			}
			for _, m := range like.FindAllStringSubmatch(q, -1) {
				if !strings.Contains(strings.ToUpper(q), "ESCAPE") || !strings.HasSuffix(m[1], ")") {
					t.Errorf("%s:%d: %s; write lower(x) LIKE $1 ESCAPE '\\', what was typed escaped", s.name,
						s.line(at), m[0])
				}
			}
		})
	})
}

func TestTablesAreStrictAndSingular(t *testing.T) {
	create := regexp.MustCompile(`(?is)CREATE\s+TABLE\s+(\w+)\s*\((.*?)\n\)([^;]*);`)
	seen := 0
	walk(t, []string{".sql"}, func(name string, content []byte) {
		if !strings.HasPrefix(name, "migrations/") {
			return
		}
		for _, m := range create.FindAllStringSubmatch(string(content), -1) {
			seen++
			if !strings.Contains(strings.ToUpper(m[3]), "STRICT") {
				t.Errorf("%s: %s is not STRICT", name, m[1])
			}
			if strings.HasSuffix(m[1], "s") && !strings.HasSuffix(m[1], "ss") {
				t.Errorf("%s: %s is a plural", name, m[1])
			}
		}
	})
	if seen < 3 {
		t.Errorf("only %d tables were recognised", seen)
	}
}
