package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxColumns is the widest line, a tab counted as four; maxFile is the most bytes of code in a file, without comments.
// What can't be broken may be wider: what is in back quotes or a long string (a struct's tag, a pattern, a list of
// words, JSON), a picture's path, a diagram.
const maxColumns, maxFile = 120, 13_000

var unbreakable = regexp.MustCompile("`|<path d=|^//\t|\"[^\" ]{60}|\\\\\"")

// longFiles have more code than maxFile. The list may only shrink.
var longFiles = []string{"web/routes.go", "internal/review/review.go",
	"internal/app/events.go", "views/reviews/case.go", "views/compliance/compliance.go"}

func TestFilesAndLinesStaySmall(t *testing.T) {
	walk(t, []string{".go", ".templ"}, func(name string, content []byte) {
		if strings.HasSuffix(name, "_templ.go") || strings.HasSuffix(name, "_test.go") {
			return
		}
		if strings.HasSuffix(name, ".go") && codeBytes(t, name, content) > maxFile &&
			!slices.Contains(longFiles, name) {
			t.Errorf("%s has more than %d bytes of code", name, maxFile)
		}
		quoted := false
		for i, line := range strings.Split(string(content), "\n") {
			wide := utf8.RuneCountInString(line)+3*strings.Count(line, "\t") > maxColumns
			if wide && !quoted && !unbreakable.MatchString(strings.TrimSpace(line)) {
				t.Errorf("%s:%d is wider than %d columns: %s", name, i+1, maxColumns, strings.TrimSpace(line))
			}
			quoted = quoted != (strings.Count(line, "`")%2 == 1)
		}
	})
}

// mostFolders is how many folders of code internal/ may have: a stranger reads their names first.
const mostFolders = 32

func TestTheHouseHasFewRooms(t *testing.T) {
	rooms := map[string]bool{}
	walk(t, []string{".go"}, func(name string, _ []byte) {
		if parts := strings.Split(name, "/"); parts[0] == "internal" && !strings.HasSuffix(name, "_test.go") {
			rooms[parts[1]] = true
		}
	})
	if len(rooms) > mostFolders {
		t.Errorf("internal/ has %d folders; %d is the limit", len(rooms), mostFolders)
	}
}

// packageBytes is the most code that a package may have, without comments, tests and generated files. Lines are no
// measure: they can be made wider.
const packageBytes = 90_000

// large are the packages that have more today. The list may only shrink.
var large = []string{"internal/knowledge", "internal/learning", "internal/review", "internal/dataset", "internal/app",
	"cmd/preceptor"}

func TestTheHouseStaysSmall(t *testing.T) {
	sizes, house := map[string]int{}, 0
	walk(t, []string{".go"}, func(name string, content []byte) {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_templ.go") {
			return
		}
		dir, size := path.Dir(name), codeBytes(t, name, content)
		sizes[dir] += size
		if (pack{ImportPath: module + dir}).layer() != support && !strings.HasPrefix(name, "tools/") {
			house += size
		}
	})
	for dir, n := range sizes {
		if n > packageBytes && !slices.Contains(large, dir) {
			t.Errorf("%s has %d bytes of code; %d is the limit", dir, n, packageBytes)
		}
	}
	if t.Logf("%d bytes of code", house); house > houseBytes {
		t.Errorf("%d bytes of code; %d is the limit. Delete before you add", house, houseBytes)
	}
	for _, dir := range large {
		if sizes[dir] <= packageBytes {
			t.Errorf("%s has %d bytes of code: take it off the list of large packages", dir, sizes[dir])
		}
	}
}

// codeBytes is the size of a file of Go without its comments.
func codeBytes(t *testing.T, name string, content []byte) int {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, content, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	n := len(content)
	for _, c := range f.Comments {
		n -= int(c.End() - c.Pos())
	}
	return n
}

// selectors gives the uses of a package's names, as time.Now, told apart by the file's imports.
func selectors(s source, importPath string, f func(*ast.SelectorExpr)) {
	local := ""
	for _, i := range s.Imports {
		if strings.Trim(i.Path.Value, `"`) == importPath {
			local = path.Base(importPath)
			if i.Name != nil {
				local = i.Name.Name
			}
		}
	}
	if local == "" {
		return
	}
	ast.Inspect(s.File, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == local {
				f(sel)
			}
		}
		return true
	})
}

// stopwatches gives the calls of time.Now that start a measurement: began := time.Now(), with began in time.Since
// alone.
func stopwatches(s source) map[ast.Expr]bool {
	out := map[ast.Expr]bool{}
	for _, d := range s.Decls {
		started, uses := map[string]ast.Expr{}, map[string]int{} // by name, within one function
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if call, ok := n.Rhs[0].(*ast.CallExpr); ok && n.Tok == token.DEFINE && len(n.Lhs) == 1 &&
					called(call, "time", "Now") {
					started[n.Lhs[0].(*ast.Ident).Name] = call.Fun
				}
			case *ast.CallExpr:
				if x, ok := firstIdent(n); ok && called(n, "time", "Since") {
					uses[x]--
				}
			case *ast.Ident:
				uses[n.Name]++
			}
			return true
		})
		for name, call := range started {
			if uses[name] == 1 { // the definition
				out[call] = true
			}
		}
	}
	return out
}

func firstIdent(c *ast.CallExpr) (string, bool) {
	if len(c.Args) == 0 {
		return "", false
	}
	x, ok := c.Args[0].(*ast.Ident)
	if !ok {
		return "", false
	}
	return x.Name, true
}

func called(c *ast.CallExpr, pkg, name string) bool {
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	return ok && x.Name == pkg
}

// TestRowsTakeTheTransactionsTime keeps the machine's clock out of the product: a row's time is its transaction's. How
// long something took is no such time.
func TestRowsTakeTheTransactionsTime(t *testing.T) {
	sources(t, false, func(s source) {
		l := pack{ImportPath: module + path.Dir(s.name)}.layer()
		if l != domain && l != machinery || strings.HasPrefix(s.name, "internal/llm/") {
			return
		}
		measured := stopwatches(s)
		selectors(s, "time", func(sel *ast.SelectorExpr) {
			if sel.Sel.Name == "Now" && !measured[sel] {
				t.Errorf("%s:%d: time.Now; take tx.Now, the database's Now, or the clock that was handed in", s.name,
					s.line(sel))
			}
		})
	})
}

func TestTheClockRuleTellsAStopwatch(t *testing.T) {
	for body, want := range map[string]int{
		"began := time.Now(); _ = time.Since(began)":            1,
		"began := time.Now(); _ = began":                        0,
		"began := time.Now(); _ = time.Since(began); _ = began": 0,
		"_ = time.Now()": 0,
	} {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "x.go", "package x; import \"time\"; func f() {"+body+"}", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(stopwatches(source{"x.go", fset, f})); got != want {
			t.Errorf("%s: %d stopwatches, want %d", body, got, want)
		}
	}
}

// TestOnlyCommandsPrint keeps output where it belongs: data and progress in commands, everything else through slog.
func TestOnlyCommandsPrint(t *testing.T) {
	sources(t, false, func(s source) {
		if s.Name.Name == "main" {
			return
		}
		l := pack{ImportPath: module + path.Dir(s.name)}.layer()
		if l == support {
			return
		}
		selectors(s, "fmt", func(sel *ast.SelectorExpr) {
			if strings.HasPrefix(sel.Sel.Name, "Print") {
				t.Errorf("%s:%d: fmt.%s; use the logger or the writer that was handed in", s.name, s.line(sel),
					sel.Sel.Name)
			}
		})
		selectors(s, "log", func(sel *ast.SelectorExpr) {
			t.Errorf("%s:%d: log.%s; use the slog.Logger that was handed in", s.name, s.line(sel), sel.Sel.Name)
		})
	})
}

// TestFormsReadDecimalsInOnePlace keeps strconv.ParseFloat from what people type: it takes what Go's compiler takes,
// 0x1p3 for eight.
func TestFormsReadDecimalsInOnePlace(t *testing.T) {
	sources(t, false, func(s source) {
		if l := (pack{ImportPath: module + path.Dir(s.name)}).layer(); l != web && l != views {
			return
		}
		selectors(s, "strconv", func(sel *ast.SelectorExpr) {
			if sel.Sel.Name == "ParseFloat" {
				t.Errorf("%s:%d: strconv.ParseFloat; use package decimal", s.name, s.line(sel))
			}
		})
	})
}

// formReads is how many reads of single fields may stand outside web/form: what has no struct, as the parts of a large
// upload.
const formReads = 10

// TestFormsAreReadInOnePlace keeps reads of single form fields out of handlers: web/form binds them to tagged structs.
func TestFormsAreReadInOnePlace(t *testing.T) {
	single := []string{"FormValue", "PostFormValue", "FormFile", "FormParams", "QueryParam", "QueryParams", "PostForm",
		"MultipartForm", "MultipartReader"}
	var found []string
	sources(t, false, func(s source) {
		if l := (pack{ImportPath: module + path.Dir(s.name)}).layer(); l != web || path.Dir(s.name) == "web/form" {
			return
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && slices.Contains(single, sel.Sel.Name) {
				found = append(found, fmt.Sprintf("%s:%d: %s", s.name, s.line(sel), sel.Sel.Name))
			}
			return true
		})
	})
	if len(found) > formReads {
		t.Errorf("%d form reads outside web/form, at most %d:\n%s", len(found), formReads, strings.Join(found, "\n"))
	}
}

// TestPasswordsAreHashedAtFullCost keeps account.HashForTests out of the program.
func TestPasswordsAreHashedAtFullCost(t *testing.T) {
	sources(t, false, func(s source) {
		if strings.HasPrefix(s.name, "internal/app/apptest/") {
			return
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "HashForTests" {
				t.Errorf("%s:%d: HashForTests; passwords of the program cost what internal/account says", s.name,
					s.line(sel))
			}
			return true
		})
	})
}

// TestInterfacesEarnTheirPlace lists the exported interfaces of the product.
func TestInterfacesEarnTheirPlace(t *testing.T) {
	sources(t, false, func(s source) {
		l := pack{ImportPath: module + path.Dir(s.name)}.layer()
		if l != domain && l != machinery {
			return
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if _, ok := spec.Type.(*ast.InterfaceType); ok && spec.Name.IsExported() &&
				!interfaces[path.Dir(s.name)+"."+spec.Name.Name] {
				t.Errorf("%s:%d: the interface %s is not on the list in rules_test.go", s.name, s.line(spec),
					spec.Name.Name)
			}
			return true
		})
	})
}

// unsafeMarkup is what the content security policy would block, or what escapes escaping.
var unsafeMarkup = []struct {
	what string
	re   *regexp.Regexp
}{
	{"a script without src", regexp.MustCompile(`(?i)<script(?:\s[^>]*)?>`)},
	{"a style element", regexp.MustCompile(`(?i)<style[\s>]`)},
	{"an inline style", regexp.MustCompile(`(?i)\sstyle\s*=`)},
	{"an inline handler", regexp.MustCompile(`(?i)\son[a-z]+\s*=\s*["{]`)},
	{"an htmx handler", regexp.MustCompile(`(?i)\shx-on[:a-z-]*\s*=`)},
	{"a javascript address", regexp.MustCompile(`(?i)["'](?:javascript|js):`)},
	{"unescaped markup", regexp.MustCompile(`templ\.Raw\b|templ\.JSFuncCall|templ\.SafeScript|templ\.ComponentScript`)},
	{"a script template", regexp.MustCompile(`(?m)^script\s+\w+\(`)},
	{"a css template", regexp.MustCompile(`(?m)^css\s+\w+\(`)},
}

func markupFaults(content string) (faults []string) {
	for _, u := range unsafeMarkup {
		for _, hit := range u.re.FindAllString(content, -1) {
			if u.what == "a script without src" && regexp.MustCompile(`\ssrc\s*=`).MatchString(hit) {
				continue
			}
			faults = append(faults, u.what+": "+strings.TrimSpace(hit))
		}
	}
	return faults
}

func TestPagesObeyTheirContentSecurityPolicy(t *testing.T) {
	walk(t, []string{".templ"}, func(name string, content []byte) {
		for _, f := range markupFaults(string(content)) {
			t.Errorf("%s has %s", name, f)
		}
	})
}

func TestTheMarkupRulesBite(t *testing.T) {
	for _, bad := range []string{
		`<script>alert(1)</script>`, `<script type="module">x</script>`, `<style>p{}</style>`, `<p style="color:red">`,
		`<p style={ x }>`, `<a onclick="x()">`, `<a onclick={ x }>`, `<a hx-on:click="x">`, `<a href="javascript:x">`,
		`@templ.Raw(x)`, "script hello() {", "css red() {",
	} {
		if len(markupFaults(bad)) == 0 {
			t.Errorf("%s goes through", bad)
		}
	}
	for _, good := range []string{`<script src="/static/app.js" defer></script>`, `<p class="style">`,
		`<a href="/on">one = two</a>`} {
		if f := markupFaults(good); len(f) > 0 {
			t.Errorf("%s is refused: %v", good, f)
		}
	}
}
