package archtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const module = "preceptor/"

// pack is what `go list -json` says of a package.
type pack struct {
	ImportPath string
	Name       string
	Doc        string
	Dir        string
	GoFiles    []string
	Imports    []string
}

// path is the package's folder, seen from the root.
func (p pack) path() string { return strings.TrimPrefix(p.ImportPath, module) }

func (p pack) layer() (l layer) {
	longest := -1
	for prefix, at := range places {
		if (p.path() == prefix || strings.HasPrefix(p.path(), prefix+"/")) && len(prefix) > longest {
			longest, l = len(prefix), at
		}
	}
	return l
}

var root = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	return strings.TrimSpace(string(out)), err
})

var tree = sync.OnceValues(func() ([]pack, error) {
	dir, err := root()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("go", "list", "-json=ImportPath,Name,Doc,Dir,GoFiles,Imports", "./...")
	cmd.Dir = dir
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		return nil, errors.New(problems.String())
	}
	var list []pack
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pack
		switch err := dec.Decode(&p); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, err
		}
		list = append(list, p)
	}
})

func packages(t *testing.T) []pack {
	t.Helper()
	list, err := tree()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 10 {
		t.Fatalf("go list names %d packages; the rules would hold of nothing", len(list))
	}
	return list
}

// walk gives every file with one of the ends, seen from the root, with its content.
func walk(t *testing.T, ends []string, f func(name string, content []byte)) {
	t.Helper()
	dir, err := root()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && (strings.HasPrefix(e.Name(), ".") && path != dir || e.Name() == "node_modules" ||
			e.Name() == "bin" || e.Name() == "tmp") {
			return filepath.SkipDir
		}
		if e.IsDir() && path != dir && isModule(path) {
			return filepath.SkipDir // not the product
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || e.IsDir() {
			return err
		}
		for _, end := range ends {
			if strings.HasSuffix(name, end) {
				content, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				seen++
				f(filepath.ToSlash(name), content)
				return nil
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen == 0 {
		t.Fatalf("no file ends in %v; the rule would hold of nothing", ends)
	}
}

// source is a parsed Go file that somebody wrote by hand.
type source struct {
	name string
	fset *token.FileSet
	*ast.File
}

func (s source) line(n ast.Node) int { return s.fset.Position(n.Pos()).Line }

// sources gives every Go file that is not generated; tests only when asked for.
func sources(t *testing.T, tests bool, f func(source)) {
	t.Helper()
	walk(t, []string{".go"}, func(name string, content []byte) {
		if strings.HasSuffix(name, "_templ.go") || strings.HasSuffix(name, "_test.go") && !tests {
			return
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, content, parser.ParseComments)
		if err != nil {
			t.Errorf("%v", err)
			return
		}
		f(source{name, fset, file})
	})
}

// isModule reports whether dir is a module of its own, as web/api/proxy/clients is.
func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}
