package learned

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"preceptor/internal/fault"
)

const (
	title    = "# Agent Learnings"
	mostLine = 64 << 10
)

// headings of the file's sections, by category.
var headings = map[string]string{Preference: "## User Preferences", Correction: "## Corrections", Pattern: "## Successful Patterns", ToolUsage: "## Tool Usage"}

// Document is a LEARNINGS.md, line by line. Only entries are read and changed: lines "- [2025-01-29] text", by hand also without the day,
// below a heading of the four; what else a person wrote stays where it is, letter by letter.
type Document struct{ lines []line }

// line keeps its own ending. Below a heading of a category it knows its section.
type line struct {
	text    string
	section string
	entry   *Entry
}

// Entry is a learning in the file.
type Entry struct {
	Category string
	Content  string
	Day      time.Time // midnight, UTC; zero where a person wrote none
}

// Read reads a file of at most limit bytes. What can't be read is told with its line.
func Read(r io.Reader, limit int64) (*Document, error) {
	d := &Document{}
	in := bufio.NewReader(io.LimitReader(r, limit+1))
	section, aside, size := "", "", int64(0)
	for n := 1; ; n++ {
		text, err := in.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fault.Wrap(fault.Invalid, err, "Line %d can't be read.", n)
		}
		if text == "" {
			return d, nil
		}
		size += int64(len(text))
		switch {
		case size > limit:
			return nil, fault.New(fault.Invalid, "Line %d: the file is larger than %d bytes.", n, limit)
		case len(text) > mostLine:
			return nil, fault.New(fault.Invalid, "Line %d is longer than %d bytes.", n, mostLine)
		case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
			return nil, fault.New(fault.Invalid, "Line %d is not UTF-8 text.", n)
		}
		bare := strings.TrimRight(text, "\r\n")
		if n == 1 {
			bare = strings.TrimPrefix(bare, "\ufeff")
		}
		l := line{text: text}
		if aside = within(aside, bare); aside == "" {
			if strings.HasPrefix(bare, "# ") || strings.HasPrefix(bare, "## ") {
				section = categoryOf(bare)
			}
			if l.section = section; section != "" {
				if l.entry, err = entryOf(section, bare); err != nil {
					return nil, fault.New(fault.Invalid, "Line %d: %s", n, fault.Message(err))
				}
			}
		} else {
			aside = strings.TrimSuffix(aside, "!")
		}
		d.lines = append(d.lines, l)
	}
}

// within tells what the line stands in, a comment or a code block, by the mark that ends it; with a ! the line itself ends it.
func within(end, bare string) string {
	trimmed := strings.TrimSpace(bare)
	switch {
	case end == "-->" || end == "" && strings.HasPrefix(trimmed, "<!--"):
		if strings.Contains(trimmed, "-->") {
			return "!"
		}
		return "-->"
	case end != "":
		if trimmed == end {
			return "!"
		}
		return end
	case strings.HasPrefix(trimmed, "```"):
		return "```"
	}
	return ""
}

func categoryOf(heading string) string {
	for category, h := range headings {
		if strings.EqualFold(strings.TrimSpace(heading), h) {
			return category
		}
	}
	return ""
}

// entryOf reads a line as an entry; nil where it is none.
func entryOf(category, bare string) (*Entry, error) {
	content, ok := strings.CutPrefix(bare, "- ")
	if !ok {
		content, ok = strings.CutPrefix(bare, "* ")
	}
	content = strings.TrimSpace(content)
	if !ok || content == "" {
		return nil, nil
	}
	e := &Entry{Category: category, Content: content}
	day, rest, closed := strings.Cut(strings.TrimPrefix(content, "["), "]")
	if strings.HasPrefix(content, "[") && closed && strings.Trim(day, "0123456789-") == "" && strings.Count(day, "-") == 2 {
		var err error
		if e.Day, err = time.Parse(time.DateOnly, day); err != nil {
			return nil, fault.New(fault.Invalid, "%q is not a day; write it as 2025-01-29.", day)
		}
		e.Content = strings.TrimSpace(rest)
	}
	return e, e.check()
}

func (e Entry) check() error {
	n := utf8.RuneCountInString(e.Content)
	switch {
	case n == 0:
		return fault.New(fault.Invalid, "The entry says nothing behind its day.")
	case n > MostContent:
		return fault.New(fault.Invalid, "The entry has %d characters; %d is the most.", n, MostContent)
	}
	return nil
}

// line is the entry as the file has it.
func (e Entry) line(end string) string {
	return "- [" + e.Day.Format(time.DateOnly) + "] " + e.Content + end
}

// Entries are the learnings of the file in its order.
func (d *Document) Entries() (out []Entry) {
	for _, l := range d.lines {
		if l.entry != nil {
			out = append(out, *l.entry)
		}
	}
	return out
}

// at is the line of the i-th entry.
func (d *Document) at(i int) int {
	for n, l := range d.lines {
		if l.entry != nil {
			if i == 0 {
				return n
			}
			i--
		}
	}
	panic("learned: no such entry")
}

// ending is how the file's lines end.
func (d *Document) ending() string {
	if len(d.lines) > 0 && strings.HasSuffix(d.lines[0].text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// Remove takes the i-th entry's line out.
func (d *Document) Remove(i int) {
	n := d.at(i)
	d.lines = slices.Delete(d.lines, n, n+1)
}

// Change gives the i-th entry another content and day; its section stays.
func (d *Document) Change(i int, content string, day time.Time) error {
	n := d.at(i)
	e := Entry{d.lines[n].section, content, day}
	if err := e.written(); err != nil {
		return err
	}
	was := d.lines[n].text
	d.lines[n].entry, d.lines[n].text = &e, e.line(was[len(strings.TrimRight(was, "\r\n")):])
	return nil
}

// written tells why an entry can't stand in a file.
func (e Entry) written() error {
	if headings[e.Category] == "" || e.Day.IsZero() || e.Day.Year() < 0 || e.Day.Year() > 9999 {
		return fault.New(fault.Invalid, "An entry needs a category and a day.")
	}
	if e.Content != strings.TrimSpace(e.Content) || strings.ContainsAny(e.Content, "\r\n\x00") || !utf8.ValidString(e.Content) {
		return fault.New(fault.Invalid, "An entry is one line of text without spaces around it.")
	}
	return e.check()
}

// Add puts an entry behind the last of its section, or begins the section at the end of the file.
func (d *Document) Add(e Entry) error {
	if err := e.written(); err != nil {
		return err
	}
	end, at := d.ending(), -1
	for n, l := range d.lines {
		if l.section == e.Category && (at < 0 || l.entry != nil) {
			at = n
		}
	}
	var before []string
	switch {
	case at < 0:
		before, at = []string{end, headings[e.Category] + end, end}, len(d.lines)-1
		if at < 0 {
			before = append([]string{title + end}, before...)
		}
	case d.lines[at].entry == nil: // the heading of an empty section
		before = []string{end}
	}
	if at >= 0 && !strings.HasSuffix(d.lines[at].text, "\n") {
		d.lines[at].text += end
	}
	var add []line
	for _, text := range before {
		add = append(add, line{text: text, section: e.Category})
	}
	d.lines = slices.Insert(d.lines, at+1, append(add, line{e.line(end), e.Category, &e})...)
	return nil
}

// WriteTo writes the file.
func (d *Document) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	for _, l := range d.lines {
		b.WriteString(l.text)
	}
	return b.WriteTo(w)
}

// Write writes a new file: the categories in the seed's order, the entries of each as they come.
func Write(w io.Writer, entries []Entry) error {
	d := &Document{}
	for _, category := range Categories {
		for _, e := range entries {
			if e.Category == category {
				if err := d.Add(e); err != nil {
					return err
				}
			}
		}
	}
	if len(d.lines) == 0 {
		d.lines = []line{{text: title + "\n"}}
	}
	_, err := d.WriteTo(w)
	return err
}
