package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// halves gives the calls that change the case of a text's first byte alone: of a letter beyond ASCII that is half of
// it.
func halves(s source) (out []*ast.CallExpr) {
	ast.Inspect(s.File, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || len(c.Args) != 1 || !called(c, "strings", "ToUpper") && !called(c, "strings", "ToLower") &&
			!called(c, "strings", "ToTitle") {
			return true
		}
		part, ok := c.Args[0].(*ast.SliceExpr)
		if !ok {
			return true
		}
		if end, ok := part.High.(*ast.BasicLit); ok && end.Value == "1" {
			out = append(out, c)
		}
		return true
	})
	return out
}

// TestFirstLettersAreWhole keeps names as "élan" from becoming invalid text: pack.Upper and pack.Lower know letters,
// and which words keep their capital.
func TestFirstLettersAreWhole(t *testing.T) {
	sources(t, true, func(s source) {
		for _, c := range halves(s) {
			t.Errorf("%s:%d: the case of one byte; take pack.Upper or pack.Lower", s.name, s.line(c))
		}
	})
}

func TestTheRuleOfLettersBites(t *testing.T) {
	for code, want := range map[string]int{
		`strings.ToUpper(s[:1]) + s[1:]`: 1, `strings.ToLower(names[at][:1])`: 1, `strings.ToTitle(s[0:1])`: 1,
		`strings.ToUpper(string([]rune(s)[:1]))`: 0, `strings.ToUpper(s[:3])`: 0, `strings.ToUpper(s)`: 0,
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "a.go", "package a\n\nvar _ = "+code, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(halves(source{"a.go", fset, file})); got != want {
			t.Errorf("%s: %d, want %d", code, got, want)
		}
	}
}
