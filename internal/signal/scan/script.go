package scan

import (
	"context"
	_ "embed"
	"regexp"
	"slices"
	"strings"
)

// stdlib are Python's own modules (sys.stdlib_module_names), nodesOwn are Node's.
//
//go:embed stdlib.txt
var stdlib string

var (
	pythonsOwn = append(strings.Fields(stdlib), "__future__")
	nodesOwn   = strings.Fields("assert buffer child_process cluster crypto dns events fs http http2 https module " +
		"net os path perf_hooks process readline stream timers tls url util v8 vm worker_threads zlib")

	calls     = regexp.MustCompile(`([\w$]+)\s*\.\s*[\w$]+\s*\(`) // of a method
	handlers  = regexp.MustCompile(`(?m)^([ \t]*)except\b.*`)
	pyImport  = regexp.MustCompile(`(?m)^(?:import|from)[ \t]+(\.|\w+)[^\n(]*(\([^)]*\))?`)
	pyOther   = regexp.MustCompile(`(?m)^(def|class|async|@|if|for|while|with|try|[\w.\[\]]+\s*[:=(])`)
	function  = regexp.MustCompile(`(?m)^(?:async )?def test_`) // in no class: unittest finds none of those
	catches   = regexp.MustCompile(`(?:^|[^.\w$])catch\s*(?:\([^)]*\)\s*)?\{`)
	tsImport  = regexp.MustCompile(`(?m)^import\b[^'";(]*['"]([^'"\n]+)['"]`)
	fromJest  = regexp.MustCompile(`['"]@jest/globals['"]`)
	fromVite  = regexp.MustCompile(`['"]vitest['"]`)
	callsJest = regexp.MustCompile(`\bjest\s*\.`)
)

// logs reports whether a method of something that logs is called.
func logs(code string) bool {
	return slices.ContainsFunc(calls.FindAllStringSubmatch(code, -1), func(m []string) bool {
		return logger.MatchString(m[1])
	})
}

func (t *tree) python(ctx context.Context) {
	const logged, pytest, unittest = "Use logging in exception handlers", "Use pytest for tests",
		"Use unittest.TestCase for tests"
	errors, imports, tests := handling("python", "handlers", logged), importing("python", inThree, inTwo),
		framework("python", pytest, unittest)
	t.each(ctx, "python", func(name, src string) bool {
		code := strip(src, true)
		for _, at := range handlers.FindAllStringSubmatchIndex(code, -1) {
			errors.cast(name, when(logs(code[at[0]:at[1]]+indented(code[at[1]:], at[3]-at[2])), logged))
		}
		end := len(code)
		if at := pyOther.FindStringIndex(code); at != nil { // imports at the head of the file
			end = at[0]
		}
		var specs []spec
		for _, at := range pyImport.FindAllStringSubmatchIndex(code[:end], -1) {
			module := code[at[2]:at[3]]
			specs = append(specs, spec{class(module == "." || t.local[module], slices.Contains(pythonsOwn, module)),
				at[0], at[1]})
		}
		imports.grouped(name, src, specs, func(class int) int { return min(class, thirdParty) })
		return true
	})
	t.each(ctx, "python test", func(name, src string) bool {
		code := strip(src, true)
		unit := strings.Contains(code, "TestCase")
		tests.cast(name, when(strings.Contains(code, "pytest") || !unit && function.MatchString(code), pytest),
			when(unit && !strings.Contains(code, "pytest"), unittest))
		return true
	})
	t.add(errors, tests, imports)
}

// indented are the lines that stand deeper than indent, blank ones among them.
func indented(code string, indent int) string {
	end := 0
	for line := range strings.Lines(code) {
		if text := strings.TrimLeft(line, " \t"); strings.TrimSpace(line) != "" && len(line)-len(text) <= indent {
			break
		}
		end += len(line)
	}
	return code[:end]
}

func (t *tree) typescript(ctx context.Context) {
	const logged, vitest, jest = "Log errors in catch clauses", "Use Vitest for tests", "Use Jest for tests"
	errors, tests := handling("typescript", "handlers", logged), framework("typescript", vitest, jest)
	imports := importing("typescript", "Group imports: Node's own, packages, local files",
		"Group imports: packages, then local files")
	t.each(ctx, "typescript", func(name, src string) bool {
		code := strip(src, false)
		for _, at := range catches.FindAllStringIndex(code, -1) {
			errors.cast(name, when(logs(braced(code[at[1]:])), logged))
		}
		var specs []spec
		for _, at := range tsImport.FindAllStringSubmatchIndex(src, -1) {
			if from := src[at[2]:at[3]]; strings.HasPrefix(code[at[0]:], "import") { // and is no text or comment
				first, _, _ := strings.Cut(from, "/")
				specs = append(specs,
					spec{class(strings.ContainsAny(first[:1], ".#~") || first == "@",
						strings.HasPrefix(from, "node:") || slices.Contains(nodesOwn, first)), at[0], at[1]})
			}
		}
		imports.grouped(name, src, specs, func(class int) int { return max(class, thirdParty) })
		return true
	})
	settings, _ := t.read("package.json") // jest's functions need no import
	t.each(ctx, "typescript test", func(name, src string) bool {
		asks := fromVite.MatchString(src)
		named := fromJest.MatchString(src) || callsJest.MatchString(strip(src, false))
		tests.cast(name, when(asks || !named && strings.Contains(settings, `"vitest"`), vitest),
			when(!asks && (named || strings.Contains(settings, `"jest"`)), jest))
		return true
	})
	t.add(errors, tests, imports)
}

// braced is code up to the brace that closes the one before it.
func braced(code string) string {
	depth := 1
	for i := range len(code) {
		switch code[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return code[:i]
			}
		}
	}
	return code
}

func class(isLocal, isOwn bool) int {
	switch {
	case isLocal:
		return local
	case isOwn:
		return builtIn
	}
	return thirdParty
}
