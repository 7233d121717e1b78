package archtest

import (
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
)

// TestThereIsOneOfEach keeps second ones of what the whole house shares from being written.
func TestThereIsOneOfEach(t *testing.T) {
	// with roles, with an address, made up; may only shrink
	people := []string{"internal/person", "internal/knowledge", "internal/comment", "internal/practice"}
	sources(t, false, func(s source) {
		dir := path.Dir(s.name)
		ast.Inspect(s.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if n.Sel.Name == "DisallowUnknownFields" && dir != "internal/platform/strict" {
					t.Errorf("%s:%d: a strict reader of JSON; use package strict", s.name, s.line(n))
				}
			case *ast.BasicLit:
				if n.Value == "'＝'" && dir != "internal/platform/table" {
					t.Errorf("%s:%d: a guard against formulas in CSV; use package table", s.name, s.line(n))
				}
			case *ast.TypeSpec:
				if _, ok := n.Type.(*ast.StructType); ok && n.Name.Name == "Person" &&
					strings.HasPrefix(dir, "internal/") && !slices.Contains(people, dir) {
					t.Errorf("%s:%d: another Person; use package person", s.name, s.line(n))
				}
			}
			return true
		})
	})
}
