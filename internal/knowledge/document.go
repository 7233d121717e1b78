package knowledge

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	reader "preceptor/internal/platform/document"
	"preceptor/internal/platform/text"
)

// maxDocument bounds a file of Markdown: guidance is pages, not books.
const maxDocument = 2 << 20

// mostSections is how many sections a document may have: they are written at once.
const mostSections = 2000

// document is one guidance page, cut into sections.
type document struct {
	path     string
	label    string // from the front matter
	title    string // the first heading, else the label, else the file's name
	sections []section
	hash     string    // of its title and sections
	struck   int       // passages that were left out
	notes    []Skipped // what was odd, without being fatal
}

// section is one heading with the text under it, up to the next.
type section struct {
	heading string
	parents []string // the headings above it, outermost first, without the page's title
	text    string   // plain paragraphs, "- " and "1. " lists, tables a row a line
	level   int
	place   string // what the page calls it: an anchor, or page=3 of a PDF
	beside  bool   // it is not below the page's title, nor the title
}

// frontMatter is what we read of it; anything else in it is left alone.
type frontMatter struct {
	Title string `yaml:"title"`
	Label string `yaml:"label"`
}

// brokenDocument says where a file can't be read.
type brokenDocument struct {
	line int
	why  string
}

func (e *brokenDocument) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.why) }

// parseDocument reads one file, which is of the kind that the name says. Any bytes at all may come in.
func parseDocument(path, name string, raw []byte) (*document, error) {
	if !reader.Reads(name) {
		return parseMarkdown(path, raw)
	}
	page, err := reader.Read(name, raw)
	if err != nil {
		return nil, &brokenDocument{0, err.Error()}
	}
	d := &document{path: path, label: oneLine(page.Title), struck: page.Struck}
	d.note(page.Notes)
	if err := d.readHTML(strings.NewReader(page.HTML)); err != nil {
		return nil, &brokenDocument{0, err.Error()}
	}
	return d, nil
}

func parseMarkdown(path string, raw []byte) (*document, error) {
	if len(raw) > maxDocument {
		return nil, &brokenDocument{1, fmt.Sprintf("the file is larger than %d MB", maxDocument>>20)}
	}
	whole, odd, err := reader.Plain(raw)
	if err != nil {
		return nil, &brokenDocument{1, err.Error()}
	}
	raw = []byte(whole)
	meta, body, err := readFrontMatter(raw)
	if err != nil {
		return nil, err
	}
	d := &document{path: path, label: oneLine(firstOf(meta.Label, meta.Title))}
	d.note(odd)
	lines := strings.Split(string(body), "\n")
	source := d.plainMarkdown(lines, bytes.Count(raw[:len(raw)-len(body)], []byte("\n")))
	if text.Tangled(source) {
		return nil, &brokenDocument{0, "it takes too long to read: a paragraph has too many marks, or quotes and " +
			"lists are nested too deeply"}
	}
	if err := d.readSections(source); err != nil {
		return nil, &brokenDocument{1, err.Error()}
	}
	return d, nil
}

// note keeps what the reader says of the document.
func (d *document) note(list []reader.Note) {
	for _, n := range list {
		d.notes = append(d.notes, Skipped{File: d.path, Line: n.Line, Why: n.Why, Note: true})
	}
}

func firstOf(list ...string) string {
	for _, s := range list {
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

var yamlLine = regexp.MustCompile(`line (\d+)`)

// readFrontMatter takes the optional YAML block off. It must be a mapping and be closed.
func readFrontMatter(raw []byte) (meta frontMatter, body []byte, err error) {
	first, _, _ := bytes.Cut(raw, []byte("\n"))
	if string(bytes.TrimRight(first, " \t\r")) != "---" {
		return meta, raw, nil
	}
	block, body, closed := cutFrontMatter(raw)
	if !closed {
		return meta, nil, &brokenDocument{1, "the block that begins with --- is never closed"}
	}
	defer func() { // the YAML reader is not ours, and a bad file must not stop the others
		if p := recover(); p != nil {
			err = &brokenDocument{1, "the front matter is not YAML"}
		}
	}()
	var any map[string]any
	if err := yaml.Unmarshal(block, &any); err != nil {
		line := 1
		if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
			n, _ := strconv.Atoi(m[1])
			line = n + 1 // YAML counts from the line after ---
		}
		return meta, nil, &brokenDocument{line, "the front matter is not YAML: " +
			strings.TrimPrefix(oneLine(err.Error()), "yaml: ")}
	}
	meta.Label, _ = any["label"].(string)
	meta.Title, _ = any["title"].(string)
	return meta, body, nil
}

// cutFrontMatter splits what stands between the first line and the next --- from the rest.
func cutFrontMatter(raw []byte) (block, body []byte, closed bool) {
	_, rest, _ := bytes.Cut(raw, []byte("\n"))
	at := 0
	for line := range bytes.Lines(rest) {
		if string(bytes.TrimRight(line, " \t\r\n")) == "---" {
			return rest[:at], rest[at+len(line):], true
		}
		at += len(line)
	}
	return nil, raw, false
}

var (
	kramdownTag   = regexp.MustCompile(`\{::(\w+)([^{}]*)\}`)
	tagPath       = regexp.MustCompile(`\bpath="([^"]*)"`)
	buttonLink    = regexp.MustCompile(`!?\[[^\]]*\]\([^()]*\)\{:[^{}]*\.button[^{}]*\}`)
	plainLink     = regexp.MustCompile(`\[([^\[\]]+)\]\([^()\n]*\)`) // targets with spaces too, which Markdown refuses
	attributeList = regexp.MustCompile(`\{:[^{}]*\}`)
	tightHeading  = regexp.MustCompile(`^(#{1,6})([^#\s].*)$`)
	stepMark      = regexp.MustCompile(`^(\s*)s(\d+)\.\s+`)
	tableRule     = regexp.MustCompile(`^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)+\|?\s*$`)
	lineBreak     = regexp.MustCompile(`(?i)<br\s*/?>`)
	boldMarks     = regexp.MustCompile(`([\s>(])\*\*([^\s*<](?:[^<\n]*?[^\s<])?)\*\*`)
	anyHeading    = regexp.MustCompile(`^#{1,6}\s+(.*?)\s*#*$`)
)

// plainMarkdown turns govspeak and Kramdown marks into plain Markdown, line by line; above is how many lines of front
// matter stand before.
func (d *document) plainMarkdown(lines []string, above int) string {
	code := fenced(lines)
	blocks := blockMarks(lines, code)
	var out []string
	inside := false // of an example or contact block, whose headings begin no section
	tables := 0     // how many HTML tables are open
	until := 0      // to where it is known whether lines are in columns
	shown := false  // as HTML
	var unsure []int
	for i, line := range lines {
		if i < until && shown {
			continue
		}
		if code[i] {
			out = append(out, line)
			continue
		}
		if i >= until && tables == 0 {
			to := i + 1
			for to < len(lines) && !code[to] {
				to++
			}
			n, page, odd := reader.Columns(lines[i:to], above+i+1, "   ")
			if until, shown = i+n, page != ""; shown {
				out = append(out, "", boldMarks.ReplaceAllString(page, "$1$2"), "")
				unsure = append(unsure, odd...)
				continue
			}
		}
		if what, ok := blocks[i]; ok {
			switch what {
			case opens:
				inside = true
			case closes:
				inside = false
			case dangles:
				d.notes = append(d.notes, Skipped{File: d.path, Line: above + i + 1, Why: "the block mark " +
					strings.TrimSpace(line) + " has no partner; it was ignored"})
			}
			out = append(out, "")
			continue
		}
		line = plainLine(line)
		if tables > 0 {
			// Markdown ends an HTML block at an empty line and takes what is indented after it for code.
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
		}
		if n := len(out); n > 0 && tableRule.MatchString(line) {
			out[n-1], line = widened(out[n-1], line, lines[i+1:])
		}
		tables = max(0, tables+strings.Count(line, "<table")-strings.Count(line, "</table"))
		if m := anyHeading.FindStringSubmatch(line); inside && m != nil {
			line = "\n**" + strings.Trim(m[1], "*") + "**\n"
		}
		out = append(out, callout(line))
	}
	d.note(reader.Unsure(unsure))
	return strings.Join(out, "\n")
}

func plainLine(line string) string {
	line = kramdownTag.ReplaceAllStringFunc(line, func(tag string) string {
		if m := tagPath.FindStringSubmatch(tag); m != nil {
			return "/" + m[1] // inside a link's target
		}
		return ""
	})
	line = buttonLink.ReplaceAllString(line, "") // a button asks for a click, it tells nothing
	line = plainLink.ReplaceAllString(line, "$1")
	line = attributeList.ReplaceAllString(line, "")
	line = tightHeading.ReplaceAllString(line, "$1 $2")
	line = stepMark.ReplaceAllString(line, "$1$2. ")
	if tableRule.MatchString(line) {
		line = "|" + strings.Trim(line, "| \t") + "|" // "- | -" alone would be a list
	}
	return lineBreak.ReplaceAllString(line, " ")
}

// callout takes the marks off a whole-line information (^...^) or warning (%...%) box. A % in a sentence stays.
func callout(line string) string {
	t := strings.TrimSpace(line)
	if len(t) < 3 {
		return line
	}
	body := t[1 : len(t)-1]
	switch {
	case t[0] == '^' && t[len(t)-1] == '^' && !strings.Contains(body, "^"):
		return "\n" + body + "\n"
	case t[0] == '%' && t[len(t)-1] == '%':
		return "\nWarning: " + body + "\n"
	case t[0] == '^' && !strings.Contains(t[1:], "^"): // opened and closed on different lines
		return "\n" + t[1:]
	case t[len(t)-1] == '^' && !strings.Contains(t[:len(t)-1], "^"):
		return t[:len(t)-1] + "\n"
	}
	return line
}

var fence = regexp.MustCompile("^[\\s>*+-]*(```+|~~~+)([^`]*)$")

// fenced reports which lines are in fenced code, which is taken as it stands. A fence that nothing closes is none.
func fenced(lines []string) []bool {
	code := make([]bool, len(lines))
	marks, ends := make([]string, len(lines)), make([]bool, len(lines))
	for i, line := range lines {
		if m := fence.FindStringSubmatch(line); m != nil {
			marks[i], ends[i] = m[1], strings.TrimSpace(m[2]) == ""
		}
	}
	open := map[byte]int{} // from how long on a fence of this kind is never closed; nor is one that comes later
	for i := 0; i < len(lines); i++ {
		mark := marks[i]
		if mark == "" || open[mark[0]] > 0 && len(mark) >= open[mark[0]] {
			continue
		}
		j := i + 1
		for j < len(lines) && !(ends[j] && strings.HasPrefix(marks[j], mark)) {
			j++
		}
		if j == len(lines) {
			open[mark[0]] = len(mark)
			continue
		}
		for ; i < j; i++ {
			code[i] = true
		}
		code[j] = true
	}
	return code
}

type blockMark int

const (
	opens blockMark = iota
	closes
	dangles
)

// blockMarks pairs the lines that are $E or $C (examples, contacts; also $CTA, $A and their like, which govspeak
// knows).
func blockMarks(lines []string, code []bool) map[int]blockMark {
	marks := map[int]blockMark{}
	open := map[string]int{}
	for i, line := range lines {
		t := strings.TrimSpace(line)
		if code[i] || len(t) < 2 || len(t) > 4 || t[0] != '$' || strings.Trim(t[1:], "ACEIDPT!") != "" {
			continue
		}
		if at, ok := open[t]; ok {
			marks[at], marks[i] = opens, closes
			delete(open, t)
			continue
		}
		open[t] = i
		marks[i] = dangles
	}
	return marks
}
