package learned

import (
	"iter"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

const (
	// Title is a new file.
	Title    = "# Agent Learnings\n"
	mostLine = 64 << 10
	// mostEntries is how many learnings a file may have.
	mostEntries = 2_000
	// waits ends the line of what nobody approved yet, in the copy that has such.
	waits = " <!-- waiting -->"
	// elsewhere is more than a file has lines.
	elsewhere = 1 << 24
)

// headings of the file's sections, by category.
var headings = map[string]string{Preference: "## User Preferences", Correction: "## Corrections",
	Pattern: "## Successful Patterns", ToolUsage: "## Tool Usage"}

// Document is a LEARNINGS.md. Its entries are the items of lists below a heading of the four, whatever their mark, each
// with the lines and lists that belong to it: "- [2025-01-29] text", by hand also without the day. What else a person
// wrote stays where it is, letter by letter, and is for people.
type Document struct {
	Edited string // the version of the copy that it was made from; "" where it tells none
	given  bool
	blocks []block
}

// block is an entry with all its lines, or one line of something else. Lines keep their own endings.
type block struct {
	text    string
	section string // the category below whose heading it is
	heading bool   // it is that
	moved   bool   // an entry that was indented isn't any more
	open    bool   // a code block or comment begins, and never ends
	entry   *Entry
	first   int // the line of an unread part that it begins; 0 where it begins none

	id, prev, above int // of the block before it as it was read, and of the one that isn't blank; 0 is none
}

func (b block) blank() bool { return strings.TrimSpace(b.text) == "" }

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
	return slices.ContainsFunc(d.blocks, func(b block) bool { return b.section != "" })
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
	d.Edited, markdown = cutVersion(markdown)
	cut, size := min(1, len(d.Edited)), 0 // lines
	var lines []string
	for text := range byLine(markdown) {
		size += len(text)
		n := len(lines) + 1 + cut
		switch {
		case size > limit:
			return nil, fault.New(fault.Invalid, "Line %d: the file is larger than %d bytes.", n, limit)
		case len(text) > mostLine:
			return nil, fault.New(fault.Invalid, "Line %d is longer than %d bytes.", n, mostLine)
		case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
			return nil, fault.New(fault.Invalid, "Line %d is not UTF-8 text.", n)
		case deep(text):
			return nil, fault.New(fault.Invalid, "Line %d is indented or nested too deep.", n)
		}
		bare := strings.TrimRight(text, "\r\n")
		lines = append(lines, strings.TrimSuffix(bare, waits)+text[len(bare):])
	}
	section, parts := "", partsOf(append(slices.Clip(lines), "\n", "# End\n"))
	open := -1 // a code block or comment that doesn't end
	if last := parts[len(parts)-1]; last.line > len(lines) {
		parts = parts[:len(parts)-1]
	} else {
		open = last.line
	}
	for i, at := 0, 0; at < len(lines); {
		end, p := len(lines), part{}
		if i < len(parts) && parts[i].line > at {
			end = parts[i].line
		} else if i < len(parts) {
			p = parts[i]
			if i++; i < len(parts) {
				end = parts[i].line
			}
		}
		if p.level == 1 || p.level == 2 {
			section = ""
			for category, h := range headings {
				if p.level == 2 && strings.EqualFold("## "+p.name, h) {
					section = category
				}
			}
		}
		from, b := at, block{section: section}
		heading := section != "" && (p.level == 1 || p.level == 2)
		if p.item && section != "" {
			for at = end; strings.TrimSpace(lines[at-1]) == ""; {
				at--
			}
			var err error
			if b.entry, err = entryOf(section, wordsOf(lines[from:at])); err != nil {
				return nil, fault.New(fault.Invalid, "Line %d: %s", from+1+cut, fault.Message(err))
			}
			if b.text = strings.Join(lines[from:at], ""); b.entry != nil {
				d.blocks = append(d.blocks, b)
			} else {
				at = from
			}
		}
		b.entry = nil
		for first := from + 1 + cut; at < end; at++ {
			b.text, b.first, b.open = lines[at], 0, at == open
			b.heading = heading && !b.blank()
			if !b.blank() && !b.heading && b.text != Title && at == from {
				b.first = first
			}
			d.blocks = append(d.blocks, b)
		}
	}
	prev, above := 0, 0
	for i := range d.blocks {
		b := &d.blocks[i]
		b.id, b.prev, b.above = i+1, prev, above
		if prev = b.id; !b.blank() {
			above = b.id
		}
	}
	return d, nil
}

// entryOf reads what an item says as an entry; nil where it says nothing.
func entryOf(category, content string) (*Entry, error) {
	if content == "" {
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

// Check says that a file has too many entries.
func (d *Document) Check() error {
	if n := len(d.Entries()); n > mostEntries {
		return fault.New(fault.Invalid, "LEARNINGS.md has %d entries. Keep at most %d.", n, mostEntries)
	}
	return nil
}

// Clone is a document of its own.
func (d *Document) Clone() *Document {
	c := *d
	c.blocks = slices.Clone(d.blocks)
	return &c
}

// Entries are the learnings of the file in its order.
func (d *Document) Entries() (out []Entry) {
	for _, b := range d.blocks {
		if b.entry != nil {
			out = append(out, *b.entry)
		}
	}
	return out
}

// Aside is what of a file is no entry and no heading of the four: where it begins, and how.
type Aside struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

// mostAside bounds how many are named.
const mostAside = 100

// Asides are those of the file that was read.
func (d *Document) Asides() (out []Aside) {
	for _, b := range d.blocks {
		if b.first > 0 && len(out) < mostAside {
			out = append(out, Aside{b.first, text.Opening(b.text, MostContent)})
		}
	}
	return out
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

// String is the file.
func (d *Document) String() string { return d.marked(func(Entry) bool { return false }) }

func (d *Document) marked(waiting func(e Entry) bool) string {
	var b strings.Builder
	for _, l := range d.blocks {
		n := len(l.text)
		if i := strings.IndexAny(l.text, "\r\n"); i >= 0 {
			n = i
		}
		b.WriteString(l.text[:n])
		if l.entry != nil && waiting(*l.entry) {
			b.WriteString(waits)
		}
		b.WriteString(l.text[n:])
	}
	return b.String()
}
