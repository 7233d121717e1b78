// Package scan looks at a code base and says how it does a few things: how errors are handled, with what it is tested,
// how imports are grouped; for Go, Python and TypeScript. It feeds the third detector of package observe. It owns no
// table and reads nothing but a folder.
//
// Nothing outside the folder is read (os.Root), links aren't followed, and binary files and files over 1 MB are
// skipped, as are .git and other hidden folders, node_modules, vendor and virtual environments. Of each language twenty
// files and twenty test files are read, at even distances in the sorted tree, so that two scans of one tree say the
// same.
//
// Go is parsed; Python and TypeScript are read with their texts and comments blanked. Functions, handlers and files are
// counted, not strings: "12 of 14 functions", with the files. The seed's least numbers hold, below which there is
// nothing to say (more than five places and three that log; three test files; five files that group). The seed's share
// is of strings and reports one language; ours reports each. A pattern that few places follow is reported with its
// share; the detector asks for half.
//
// What it decided against: parsers for Python and TypeScript (hundreds of thousands of lines), tests and imports of
// plain JavaScript.
package scan

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"preceptor/internal/platform/fault"
	"preceptor/internal/signal/observe"
)

const (
	// Sample is how many files of each kind are read.
	Sample = 20
	// MaxFile is the largest file that is read, in bytes.
	MaxFile = 1 << 20
)

// Report is what a folder shows.
type Report struct {
	observe.Codebase
	Files   int `json:"files"` // of the three languages, tests included
	Read    int `json:"read"`
	Skipped int `json:"skipped"` // too large, binary, generated or not to be parsed
	Sample  int `json:"sample"`  // how many of each language, and as many of its tests
}

// Dir scans a folder. The project is called as the folder is where no name is given.
func Dir(ctx context.Context, dir, project string) (Report, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Report{}, fault.Wrap(fault.Invalid, err, "%s is not a folder that can be read.", dir)
	}
	defer root.Close()
	if project == "" {
		if full, err := filepath.Abs(dir); err == nil {
			project = filepath.Base(full)
		}
	}
	t := tree{root: root, names: map[string][]string{}, local: map[string]bool{}}
	t.Report = Report{Codebase: observe.Codebase{Project: project, Patterns: []observe.ProjectPattern{}},
		Sample: Sample}
	if err := t.walk(ctx); err != nil {
		return Report{}, err
	}
	t.golang(ctx)
	t.python(ctx)
	t.typescript(ctx)
	return t.Report, ctx.Err()
}

// tree is a folder that is being scanned.
type tree struct {
	Report
	root  *os.Root
	names map[string][]string // by kind: go, go test, ...
	local map[string]bool     // Python's modules in the folder
}

var skipped = regexp.MustCompile(`^(\..+|node_modules|vendor|venv|__pycache__)$`)

func (t *tree) walk(ctx context.Context) error {
	return fs.WalkDir(t.root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && name == ".":
			return fault.Wrap(fault.Invalid, err, "The folder can't be read.")
		case err != nil:
			t.Skipped++
			return nil
		case e.IsDir() && skipped.MatchString(e.Name()):
			return fs.SkipDir
		case !e.Type().IsRegular() || kind(e.Name()) == "":
			return nil
		}
		t.Files++
		if info, err := e.Info(); err != nil || info.Size() > MaxFile {
			t.Skipped++
			return nil
		}
		t.names[kind(e.Name())] = append(t.names[kind(e.Name())], name)
		if strings.HasSuffix(name, ".py") {
			first, _, _ := strings.Cut(strings.TrimPrefix(name, "src/"), "/")
			t.local[strings.TrimSuffix(first, ".py")] = true
		}
		return nil
	})
}

// kind is the language of a file, and whether it is a test; "" for any other file.
func kind(name string) string {
	base, ext := strings.TrimSuffix(name, path.Ext(name)), path.Ext(name)
	kinds := map[string]string{".go": "go", ".py": "python", ".ts": "typescript", ".tsx": "typescript"}
	test := ext == ".go" && strings.HasSuffix(base, "_test") || ext == ".py" &&
		(strings.HasPrefix(base, "test_") || strings.HasSuffix(base, "_test")) ||
		strings.HasPrefix(kinds[ext], "type") && (strings.HasSuffix(base, ".test") || strings.HasSuffix(base, ".spec"))
	switch {
	case test:
		return kinds[ext] + " test"
	case strings.HasSuffix(base, ".d"):
		return ""
	}
	return kinds[ext]
}

// each reads a sample of one kind; use says whether a file could be used.
func (t *tree) each(ctx context.Context, kind string, use func(name, src string) bool) {
	names := t.names[kind]
	slices.Sort(names)
	n := min(Sample, len(names))
	for i := range n {
		name := names[i*len(names)/n]
		if ctx.Err() != nil {
			return
		}
		if src, ok := t.read(name); ok && use(name, src) {
			t.Read++
		} else {
			t.Skipped++
		}
	}
}

// read gives a text of the folder; false for what is no text, too large, or isn't there.
func (t *tree) read(name string) (string, bool) {
	f, err := t.root.Open(name)
	if err != nil {
		return "", false
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return "", false
	}
	src, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	return string(src), err == nil && len(src) <= MaxFile && utf8.Valid(src) && bytes.IndexByte(src, 0) < 0
}

// votes count how places do one thing. A place that could be of two styles votes for both.
type votes struct {
	name, language, unit string
	leastOf, least       int // places, and how many of them of one style
	styles               []string
	of                   int
	files                map[string][]string // by style, one for each place
}

func (v *votes) cast(file string, styles ...string) {
	v.of++
	for _, s := range styles {
		v.files[s] = append(v.files[s], file)
	}
}

// when is a style that one place votes for, or the vote for none.
func when(yes bool, style string) string {
	if yes {
		return style
	}
	return ""
}

// add reports of each question the style of most places, the first of several.
func (t *tree) add(all ...votes) {
	for _, v := range all {
		style := slices.MaxFunc(v.styles, func(a, b string) int { return len(v.files[a]) - len(v.files[b]) })
		if holds := v.files[style]; len(holds) >= v.least && v.of >= v.leastOf {
			t.Patterns = append(t.Patterns,
				observe.ProjectPattern{Name: v.name, Language: v.language, Description: style, Unit: v.unit,
					Share: float64(len(holds)) / float64(v.of), Holds: len(holds), Of: v.of,
					Files: slices.Compact(holds)})
		}
	}
}

func handling(language, unit, style string) votes {
	return votes{"error_handling", language, unit, 6, 4, []string{style}, 0, map[string][]string{}}
}

func framework(language string, styles ...string) votes {
	return votes{"testing", language, "test files", 0, 3, styles, 0, map[string][]string{}}
}

func importing(language string, styles ...string) votes {
	return votes{"imports", language, "files", 0, 5, styles, 0, map[string][]string{}}
}

// spec is an import: where from, and where it begins and ends in its file.
type spec struct{ class, first, last int }

const (
	builtIn = iota
	thirdParty
	local
)

// grouped votes for how a file's imports are set apart by blank lines: in blocks of one class each, in order (the first
// style), or in two, where merge says which classes are one (the second). Imports of one class say nothing.
func (v *votes) grouped(file, src string, specs []spec, merge func(class int) int) {
	apart := func(merge func(int) int) (yes bool, classes int) {
		for i := range specs {
			if i == 0 {
				classes = 1
			} else if a, b := merge(specs[i-1].class), merge(specs[i].class); a != b {
				if classes++; a > b || !blankLine.MatchString(src[specs[i-1].last:specs[i].first]) {
					return false, classes
				}
			}
		}
		return classes > 1, classes
	}
	if !slices.ContainsFunc(specs, func(s spec) bool { return s.class != specs[0].class }) {
		return
	}
	three, classes := apart(func(class int) int { return class })
	two, _ := apart(merge)
	v.cast(file, when(three, v.styles[0]), when(two && (!three || classes == 2), v.styles[1]))
}

var blankLine = regexp.MustCompile(`\n\s*\n`)

// logger is what a thing that logs is called.
var logger = regexp.MustCompile(
	`^(log|logger|logging|slog|logrus|zap|klog|glog|console|LOG|LOGGER)$|(Log|Logger|_log|_logger)$`)
