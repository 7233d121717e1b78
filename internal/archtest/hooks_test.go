package archtest

import (
	"go/ast"
	"go/token"
	"path"
	"strings"
	"testing"
)

// maxHooksSet is how many hooks may be set after a store was made. The others are given whole to its New, so that what
// follows from an event stands in one place, internal/app/events.go.
const maxHooksSet = 25

// TestHooksAreGivenWhole counts, where parts are joined, assignments to fields that hold functions in a struct of
// another package; of fields called On..., as hooks are, wherever it is. It goes by the names of fields, so it may
// count one too many.
func TestHooksAreGivenWhole(t *testing.T) {
	var all []source
	sources(t, false, func(s source) { all = append(all, s) })
	own := map[string]bool{} // "package Field" of any type
	hooks := functionFields(all, own)
	n := 0
	for _, s := range all {
		dir := path.Dir(s.name)
		joins := dir == "internal/app" || strings.HasPrefix(dir, "cmd/")
		ast.Inspect(s.File, func(node ast.Node) bool {
			set, ok := node.(*ast.AssignStmt)
			if !ok || set.Tok != token.ASSIGN {
				return true
			}
			for _, left := range set.Lhs {
				sel, ok := left.(*ast.SelectorExpr)
				if !ok || !hooks[sel.Sel.Name] || !joins && !strings.HasPrefix(sel.Sel.Name, "On") {
					continue
				}
				if _, plain := sel.X.(*ast.Ident); plain && own[dir+" "+sel.Sel.Name] {
					continue // a field of its own, as the App's
				}
				n++
				t.Logf("%s:%d sets %s", s.name, s.line(left), sel.Sel.Name)
			}
			return true
		})
	}
	if n > maxHooksSet {
		t.Errorf("%d hooks are set from outside; %d is the limit. Give them to New", n, maxHooksSet)
	}
	if len(hooks) < 50 {
		t.Errorf("%d fields hold functions; the rule would hold of nothing", len(hooks))
	}
}

// functionFields are the names of exported fields that hold functions; every field of any type is noted in own, with
// its package.
func functionFields(all []source, own map[string]bool) map[string]bool {
	named, fields := map[string]bool{}, map[string]bool{} // named: types that are functions, or structs of nothing else
	for range 2 {                                         // a type may be of one that is found after it
		for _, s := range all {
			ast.Inspect(s.File, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.TypeSpec:
					if holdsFunctions(n.Type, named) {
						named[n.Name.Name] = true
					}
				case *ast.StructType:
					for _, f := range n.Fields.List {
						for _, name := range f.Names {
							own[path.Dir(s.name)+" "+name.Name] = true
							if name.IsExported() && holdsFunctions(f.Type, named) {
								fields[name.Name] = true
							}
						}
					}
				}
				return true
			})
		}
	}
	return fields
}

// holdsFunctions reports whether a type is a function, a list of functions, or a struct of functions alone.
func holdsFunctions(e ast.Expr, named map[string]bool) bool {
	switch e := e.(type) {
	case *ast.FuncType:
		return true
	case *ast.ArrayType:
		return holdsFunctions(e.Elt, named)
	case *ast.Ident:
		return named[e.Name]
	case *ast.SelectorExpr:
		return named[e.Sel.Name]
	case *ast.StructType:
		for _, f := range e.Fields.List {
			if !holdsFunctions(f.Type, named) {
				return false
			}
		}
		return len(e.Fields.List) > 0
	}
	return false
}
