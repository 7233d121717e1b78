package learned

import (
	"iter"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"preceptor/internal/platform/fault"
)

const (
	// Title is a new file.
	Title    = "# Agent Learnings\n"
	mostLine = 64 << 10
	// waits ends the line of what nobody approved yet, in the copy that has such.
	waits = " <!-- waiting -->"
)

// headings of the file's sections, by category.
var headings = map[string]string{Preference: "## User Preferences", Correction: "## Corrections",
	Pattern: "## Successful Patterns", ToolUsage: "## Tool Usage"}

// Document is a LEARNINGS.md, line by line. Only entries are read: lines "- [2025-01-29] text", by hand also without
// the day, below a heading of the four; what else a person wrote stays where it is, letter by letter.
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

// EntryOf is an entry of a content as it fits into a line.
func EntryOf(category, content string, day time.Time) Entry {
	return Entry{category, shortened(content), day}
}

// Key tells entries apart: the category, and the content without the mark that ends it.
func (e Entry) Key() [2]string {
	return [2]string{e.Category, strings.ToLower(strings.TrimRight(shortened(e.Content), ".! "))}
}

// HasSections reports whether the file has a section of a category.
func (d *Document) HasSections() bool {
	return slices.ContainsFunc(d.lines, func(l line) bool { return l.section != "" })
}

// byLine is strings.Lines for a file whose lines may end in \r alone, too.
func byLine(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for more := true; more && s != ""; {
			n := strings.IndexAny(s, "\r\n") + 1
			if n == 0 {
				n = len(s)
			} else if strings.HasPrefix(s[n-1:], "\r\n") {
				n++
			}
			more = yield(s[:n])
			s = s[n:]
		}
	}
}

// Read reads a file of at most limit bytes. What can't be read is told with its line.
func Read(markdown string, limit int) (*Document, error) {
	d := &Document{}
	section, aside, size, n := "", "", 0, 0
	for text := range byLine(markdown) {
		n, size = n+1, size+len(text)
		switch {
		case size > limit:
			return nil, fault.New(fault.Invalid, "Line %d: the file is larger than %d bytes.", n, limit)
		case len(text) > mostLine:
			return nil, fault.New(fault.Invalid, "Line %d is longer than %d bytes.", n, mostLine)
		case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
			return nil, fault.New(fault.Invalid, "Line %d is not UTF-8 text.", n)
		}
		text = strings.Replace(text, waits, "", 1)
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
				var err error
				if l.entry, err = entryOf(section, bare); err != nil {
					return nil, fault.New(fault.Invalid, "Line %d: %s", n, fault.Message(err))
				}
			}
		} else {
			aside = strings.TrimSuffix(aside, "!")
		}
		d.lines = append(d.lines, l)
	}
	return d, nil
}

// within tells what the line stands in, a comment or a code block, by the mark that ends it; with a ! the line itself
// ends it.
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
	if strings.HasPrefix(content, "[") && closed && strings.Trim(day, "0123456789-") == "" &&
		strings.Count(day, "-") == 2 {
		var err error
		if e.Day, err = time.Parse(time.DateOnly, day); err != nil {
			return nil, fault.New(fault.Invalid, "%q is not a day. Write it like 2025-01-29.", day)
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

// Entries are the learnings of the file in its order.
func (d *Document) Entries() (out []Entry) {
	for _, l := range d.lines {
		if l.entry != nil {
			out = append(out, *l.entry)
		}
	}
	return out
}

// Drop takes the lines of entries out.
func (d *Document) Drop(gone func(e Entry) bool) {
	d.lines = slices.DeleteFunc(d.lines, func(l line) bool { return l.entry != nil && gone(*l.entry) })
}

// written tells why an entry can't stand in a file.
func (e Entry) written() error {
	if headings[e.Category] == "" || e.Day.IsZero() || e.Day.Year() < 0 || e.Day.Year() > 9999 {
		return fault.New(fault.Invalid, "An entry needs a category and a day.")
	}
	if e.Content != strings.TrimSpace(e.Content) || strings.ContainsAny(e.Content, "\r\n\x00") ||
		!utf8.ValidString(e.Content) {
		return fault.New(fault.Invalid, "An entry has to be one line of text without spaces around it.")
	}
	return e.check()
}

// Add puts an entry behind the last of its section, or begins the section at the end of the file.
func (d *Document) Add(e Entry) error {
	if err := e.written(); err != nil {
		return err
	}
	end, at := "\n", -1
	if len(d.lines) > 0 && strings.HasSuffix(d.lines[0].text, "\r\n") {
		end = "\r\n"
	}
	for n, l := range d.lines {
		if l.section == e.Category && (at < 0 || l.entry != nil) {
			at = n
		}
	}
	var before []string
	switch {
	case at < 0:
		before, at = []string{end, headings[e.Category] + end, end}, len(d.lines)-1
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
	text := "- [" + e.Day.Format(time.DateOnly) + "] " + e.Content + end
	d.lines = slices.Insert(d.lines, at+1, append(add, line{text: text, section: e.Category, entry: &e})...)
	return nil
}

// String is the file.
func (d *Document) String() string { return d.marked(func(Entry) bool { return false }) }

func (d *Document) marked(waiting func(e Entry) bool) string {
	var b strings.Builder
	for _, l := range d.lines {
		bare := strings.TrimRight(l.text, "\r\n")
		b.WriteString(bare)
		if l.entry != nil && waiting(*l.entry) {
			b.WriteString(waits)
		}
		b.WriteString(l.text[len(bare):])
	}
	return b.String()
}
