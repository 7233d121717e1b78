package learned

import (
	"slices"
	"strings"
	"time"
)

// Drop takes entries out.
func (d *Document) Drop(gone func(e Entry) bool) {
	before := len(d.blocks)
	d.blocks = slices.DeleteFunc(d.blocks, func(b block) bool { return b.entry != nil && gone(*b.entry) })
	if len(d.blocks) < before {
		d.part()
	}
}

// part keeps what has come to stand behind something else from becoming a part of it.
func (d *Document) part() {
	var out []block
	var prev, above block
	for _, b := range d.blocks {
		if !b.blank() && (b.prev != prev.id || b.above != above.id || above.moved) {
			apart := block{text: d.end(), section: b.section}
			plain := prev.id != 0 && prev.entry == nil && !prev.heading && !prev.blank()
			headed := strings.HasPrefix(b.text, "# ") || strings.HasPrefix(b.text, "## ")
			if plain && !headed || prev.entry != nil && b.entry == nil && !headed {
				out = append(out, apart)
			}
			if b.entry == nil && above.entry != nil && strings.ContainsAny(b.text[:1], " \t") {
				apart.text = "<!-- -->" + d.end()
				out = append(out, apart)
			}
		}
		if b.entry != nil && b.text[0] == ' ' {
			b.text, b.moved = strings.TrimLeft(b.text, " "), true
		}
		out = append(out, b)
		if prev = b; !b.blank() {
			above = b
		}
	}
	d.blocks = out
}

// end is how the file's lines end.
func (d *Document) end() string {
	if len(d.blocks) > 0 && strings.HasSuffix(d.blocks[0].text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// Given is what an agent is given of it: the headings of the four, and the entries. What else is in the file nobody
// approved.
func (d *Document) Given() *Document {
	end := d.end()
	out := &Document{given: true, blocks: []block{{text: strings.TrimSpace(Title) + end}}}
	for _, b := range d.blocks {
		if !b.heading && b.entry == nil || b.heading && strings.Trim(b.text, "-\r\n ") == "" {
			continue
		}
		if last := out.blocks[len(out.blocks)-1]; b.heading || last.entry == nil {
			out.blocks = append(out.blocks, block{text: end, section: b.section})
		}
		if b.heading {
			b.text = headings[b.section]
		}
		b.text = strings.TrimRight(strings.TrimLeft(b.text, " \ufeff"), "\r\n") + end
		out.blocks = append(out.blocks, b)
	}
	return out
}

// Keep puts in what old has beside what was given of it, of which the document was made: what people wrote, and entries
// that wait. Each comes behind the entry or heading that it stood behind, else at the beginning.
func (d *Document) Keep(old, given *Document) {
	there := map[[2]string]bool{}
	for _, e := range slices.Concat(given.Entries(), d.Entries()) {
		there[e.Key()] = true
	}
	anchor := func(b block) bool { return b.heading || b.entry != nil && there[b.entry.Key()] }
	if len(d.blocks) > 0 && strings.TrimSpace(d.blocks[0].text) == strings.TrimSpace(Title) {
		d.blocks = d.blocks[1:]
	}
	end, at := d.end(), 0
	for i := 0; i < len(old.blocks); i++ {
		if b := old.blocks[i]; anchor(b) {
			same := func(mine block) bool {
				return mine.heading && b.heading && mine.section == b.section ||
					mine.entry != nil && b.entry != nil && mine.entry.Key() == b.entry.Key()
			}
			if n := slices.IndexFunc(d.blocks, same); n >= 0 {
				at = n + 1
			}
			continue
		}
		run := old.blocks[i:]
		if n := slices.IndexFunc(run, anchor); n >= 0 {
			run = run[:n]
		}
		i += len(run) - 1
		if slices.ContainsFunc(run, func(b block) bool { return b.open }) {
			at = len(d.blocks)
		}
		if slices.ContainsFunc(run, func(b block) bool { return b.section == "" }) { // a section of its own
			for at > 0 && at < len(d.blocks) && !d.blocks[at].heading &&
				d.blocks[at].section == d.blocks[at-1].section {
				at++
			}
		}
		run = slices.DeleteFunc(slices.Clone(run), func(b block) bool { // what would be of another category
			return b.entry != nil && (at == 0 || d.blocks[at-1].section != b.section)
		})
		for n := range run { // which names no block of this document
			run[n].id, run[n].prev, run[n].above = run[n].id+elsewhere, run[n].prev+elsewhere, run[n].above+elsewhere
		}
		if !slices.ContainsFunc(run, func(b block) bool { return !b.blank() }) {
			continue
		}
		if at > 0 && !strings.HasSuffix(d.blocks[at-1].text, "\n") {
			d.blocks[at-1].text += end
		}
		if last := &run[len(run)-1]; !strings.HasSuffix(last.text, "\n") {
			last.text += end
		}
		d.blocks = slices.Insert(d.blocks, at, run...)
		at += len(run)
	}
	d.part()
}

// Add puts an entry behind the last of its section, or begins the section at the end of the file.
func (d *Document) Add(e Entry) error {
	if err := e.written(); err != nil {
		return err
	}
	end, at := d.end(), -1
	last := len(d.blocks) - 1
	if n := slices.IndexFunc(d.blocks, func(b block) bool { return b.open }); n >= 0 {
		last = n - 1
	}
	for n, b := range d.blocks {
		if b.section == e.Category && (b.entry != nil || b.heading && (at < 0 || at == n-1 && d.blocks[at].heading)) {
			at = n
		}
	}
	var before []string
	switch {
	case at < 0:
		before, at = []string{end, headings[e.Category] + end, end}, last
	case d.blocks[at].entry == nil: // the heading of an empty section
		before = []string{end}
	}
	if at >= 0 && !strings.HasSuffix(d.blocks[at].text, "\n") {
		d.blocks[at].text += end
	}
	var add []block
	for _, text := range before {
		add = append(add, block{text: text, section: e.Category, heading: strings.HasPrefix(text, "#")})
	}
	text := "- [" + e.Day.Format(time.DateOnly) + "] " + e.Content + end
	add = append(add, block{text: text, section: e.Category, entry: &e})
	for i := range add { // what was read has its place as id
		add[i].id, add[i].prev = -len(d.blocks)-i, -1
	}
	d.blocks = slices.Insert(d.blocks, at+1, add...)
	d.part()
	return nil
}
