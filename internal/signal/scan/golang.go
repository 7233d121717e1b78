package scan

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	logsFirst    = "Log errors before returning"
	withSuite    = "Use testify.Suite for test organization"
	withTestify  = "Use testify assertions in tests"
	withStandard = "Use the standard testing package"
	inThree      = "Group imports: standard library, third-party, local"
	inTwo        = "Group imports: standard library, then the rest"
)

var moduleLine = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`)

func (t *tree) golang(ctx context.Context) {
	module := ""
	if src, ok := t.read("go.mod"); ok {
		if m := moduleLine.FindStringSubmatch(src); m != nil {
			module = m[1]
		}
	}
	errors, imports, tests := handling("go", "functions", logsFirst), importing("go", inThree, inTwo),
		framework("go", withSuite, withTestify, withStandard)
	t.each(ctx, "go", func(name, src string) bool {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || ast.IsGenerated(f) {
			return false
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				errors.function(name, n.Type, n.Body)
			case *ast.FuncLit:
				errors.function(name, n.Type, n.Body)
			}
			return true
		})
		var specs []spec
		for _, i := range f.Imports {
			p := importPath(i)
			first, _, _ := strings.Cut(p, "/")
			specs = append(specs,
				spec{class(module != "" && strings.HasPrefix(p+"/", module+"/"), !strings.Contains(first, ".")),
					fset.Position(i.Pos()).Offset, fset.Position(i.End()).Offset})
		}
		imports.grouped(name, src, specs, func(class int) int { return min(class, thirdParty) })
		return true
	})
	t.each(ctx, "go test", func(name, src string) bool {
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
		if err != nil {
			return false
		}
		style := withStandard
		for _, i := range f.Imports {
			switch p := importPath(i); {
			case p == "github.com/stretchr/testify/suite":
				style = withSuite
			case strings.HasPrefix(p, "github.com/stretchr/testify/") && style != withSuite:
				style = withTestify
			}
		}
		tests.cast(name, style)
		return true
	})
	t.add(errors, tests, imports)
}

func importPath(i *ast.ImportSpec) string {
	p, _ := strconv.Unquote(i.Path.Value)
	return p
}

// function votes for one that returns an error and has branches where there is one: does each of them log before it
// returns?
func (v *votes) function(name string, of *ast.FuncType, body *ast.BlockStmt) {
	returnsError := of.Results != nil && slices.ContainsFunc(of.Results.List, func(f *ast.Field) bool {
		return isName(f.Type, "error")
	})
	if body == nil || !returnsError {
		return
	}
	branches, logged := 0, 0
	ast.Inspect(body, func(n ast.Node) bool {
		if _, other := n.(*ast.FuncLit); other {
			return false
		}
		if i, ok := n.(*ast.IfStmt); ok && errorBranch(i) {
			branches++
			if slices.ContainsFunc(i.Body.List, goLogs) {
				logged++
			}
		}
		return true
	})
	if branches > 0 {
		v.cast(name, when(logged == branches, logsFirst))
	}
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// errorBranch is taken where something called an error isn't nil, and ends with a return.
func errorBranch(i *ast.IfStmt) (yes bool) {
	if len(i.Body.List) == 0 {
		return false
	}
	if _, ok := i.Body.List[len(i.Body.List)-1].(*ast.ReturnStmt); !ok {
		return false
	}
	ast.Inspect(i.Cond, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && b.Op == token.NEQ && isName(b.Y, "nil") {
			id, named := b.X.(*ast.Ident)
			yes = yes || named && strings.HasSuffix(strings.ToLower(id.Name), "err")
		}
		return true
	})
	return yes
}

// goLogs reports whether a statement calls something of what logs: log.Print, s.logger.With(x).Error.
func goLogs(s ast.Stmt) (yes bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			ast.Inspect(call.Fun, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok {
					in, nested := sel.X.(*ast.SelectorExpr)
					of, named := sel.X.(*ast.Ident)
					yes = yes || named && logger.MatchString(of.Name) || nested && logger.MatchString(in.Sel.Name)
				}
				return !yes
			})
		}
		return !yes
	})
	return yes
}
