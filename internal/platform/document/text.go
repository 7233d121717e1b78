package document

import (
	"mime"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"preceptor/internal/platform/text/charset"
	"preceptor/internal/platform/text/sign"
)

// Text decodes a text however it is written; label is the encoding that it claims, if any. The notes say what was
// guessed and what was broken, with its line.
func Text(raw []byte, label string) (string, []Note, error) {
	var notes []Note
	enc := charset.Marked(raw)
	if enc == nil && !utf8.Valid(raw) {
		if enc = charset.Declared(label); enc == nil {
			var name string
			var ok bool
			switch enc, name, ok = charset.Guess(raw); {
			case !ok && label != "":
				return "", nil, cannot("its characters aren't what it says (%.30s), or that isn't known here; "+
					"save it as UTF-8", label)
			case !ok:
				return "", nil, cannot("nothing tells how its characters are encoded; save it as UTF-8")
			case enc != nil:
				notes = append(notes, Note{Why: "read as " + name + ", which it doesn't say it is; check £, €, – and " +
					"accents, and save it as UTF-8 if they are wrong"})
			}
		}
	}
	if enc != nil {
		var err error
		if raw, err = enc.NewDecoder().Bytes(raw); err != nil {
			return "", nil, cannot("its characters can't be read; save it as UTF-8")
		}
	}
	text := strings.NewReplacer("\ufeff", "", "\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u00ad", "").
		Replace(strings.ToValidUTF8(string(raw), "\ufffd"))
	if strings.ContainsRune(text, 0) || strings.Count(text, "\ufffd") > max(20, len(text)/100) {
		return "", nil, cannot("it isn't text")
	}
	n := 0
	for line := range strings.Lines(text) {
		n++
		switch bad := strings.Contains(line, "\ufffd"); {
		case bad && len(notes) == mostBroken:
			return text, append(notes, Note{n, "this line and others have broken characters, too"}), nil
		case bad:
			notes = append(notes, Note{n, "it has a broken character, which is shown as \ufffd; correct it, or save " +
				"the file as UTF-8 again"})
		}
	}
	return text, notes, nil
}

// mostBroken is how many lines with broken characters are named.
const mostBroken = 20

// InUTF8 is what a server sent, by the encoding that it says it sends where that isn't UTF-8.
func InUTF8(mediaType string, raw []byte) []byte {
	kind, params, _ := mime.ParseMediaType(mediaType)
	enc := charset.Declared(params["charset"])
	if enc == nil || !strings.HasPrefix(kind, "text/") && kind != "application/xhtml+xml" || utf8.Valid(raw) {
		return raw
	}
	out, err := enc.NewDecoder().Bytes(raw)
	if err != nil {
		return raw
	}
	return out
}

// Plain decodes a file of text, unless it is another kind of file in truth.
func Plain(raw []byte) (string, []Note, error) {
	if err := textKind.check(raw); err != nil {
		return "", nil, err
	}
	return Text(raw, "")
}

// looksLikeText reports whether bytes of a file are text rather than a program's.
func looksLikeText(raw []byte) bool {
	_, _, err := Text(raw, "")
	return err == nil
}

var (
	marked    = regexp.MustCompile(`(?m)^#{1,6}\s+\S`)
	ruled     = regexp.MustCompile(`^\s*(={3,}|-{3,}|~{3,}|\*{3,})\s*$`)
	numbered  = sign.Numbered
	lettered  = regexp.MustCompile(`^(?i:(part|chapter|section|appendix|annex|schedule))\s+[0-9A-Z]{1,4}\b`)
	bullet    = sign.Bullet
	ordinal   = sign.Ordinal
	wideSpace = regexp.MustCompile(`\t+| {3,}|\s*\|\s*`)
	oneTab    = regexp.MustCompile(` *\t *`)
	cellSpace = regexp.MustCompile(`\s*\|\s*`)
)

// readText finds the headings that plain text has: underlined, in capitals, numbered, or a short line of its own.
func readText(raw []byte, p *Page) error {
	text, notes, err := Text(raw, "")
	if err != nil {
		return err
	}
	p.Notes = notes
	text = strings.Map(unframed, text)
	lines := strings.Split(strings.ReplaceAll(text, "\f", "\n\n"), "\n")
	hashes := marked.MatchString(text)
	var w writer
	var widths []int
	for _, l := range lines {
		if n := utf8.RuneCountInString(strings.TrimSpace(l)); n > 0 {
			widths = append(widths, n)
		}
	}
	if slices.Sort(widths); len(widths) > 0 {
		w.width = widths[len(widths)*9/10]
	}
	var para []string
	at := 0
	var unsure []int
	end := func() {
		unsure, para = append(unsure, w.block(para, at-len(para)+1)...), nil
	}
	blank := func(i int) bool { return i < 0 || i >= len(lines) || strings.TrimSpace(lines[i]) == "" }
	until := 0 // to where it is known whether lines are in columns
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		at = i
		if i >= until {
			n, page, odd := Columns(lines[i:], i+1, "")
			if until = i + n; page != "" {
				end()
				w.WriteString(page)
				unsure, i = append(unsure, odd...), until-1
				continue
			}
		}
		switch {
		case line == "":
			end()
		case ruled.MatchString(line) && blank(i-1):
			end()
		case hashes && strings.HasPrefix(line, "#") && marked.MatchString(line):
			end()
			n := len(line) - len(strings.TrimLeft(line, "#"))
			w.heading(n, strings.Trim(line, "# "), "")
		case blank(i-1) && i+1 < len(lines) && ruled.MatchString(lines[i+1]):
			end()
			level := 2
			if strings.Contains(lines[i+1], "=") || strings.Contains(lines[i+1], "*") {
				level = 1
			}
			w.heading(level, line, "")
			i++
		case !hashes && blank(i-1) && blank(i+1):
			end()
			if level := alone(line, i, lines); level > 0 {
				w.heading(level, line, "")
			} else {
				para = append(para, line)
			}
		default:
			para = append(para, lines[i])
		}
	}
	at = len(lines)
	end()
	p.Notes = append(p.Notes, Unsure(unsure)...)
	p.HTML = w.String()
	return nil
}

// unframed writes the lines that frame a table as a typewriter does.
func unframed(r rune) rune {
	switch {
	case r < 0x2500 || r > 0x257f:
		return r
	case strings.ContainsRune("│┃║", r):
		return '|'
	case strings.ContainsRune("─━═", r):
		return '-'
	}
	return '+'
}

// alone is the level of the heading that a line between empty ones is; 0: it is none.
func alone(line string, at int, lines []string) int {
	letters, capitals := 0, 0
	for _, r := range line {
		if unicode.IsLetter(r) {
			letters++
			if unicode.IsUpper(r) {
				capitals++
			}
		}
	}
	first, _ := utf8.DecodeRuneInString(line)
	followed := slices.ContainsFunc(lines[min(at+1, len(lines)):], func(l string) bool {
		return strings.TrimSpace(l) != ""
	})
	switch {
	case letters < 3 || utf8.RuneCountInString(line) > 90 || !followed || bullet.MatchString(line) ||
		strings.ContainsAny(line[len(line)-1:], ".,;:!") || wideSpace.MatchString(line):
		return 0
	case numbered.MatchString(line):
		return 2 + strings.Count(strings.TrimRight(numbered.FindStringSubmatch(line)[1], "."), ".")
	case lettered.MatchString(line):
		return 1
	case capitals == letters && at == firstLine(lines):
		return 1
	case capitals == letters:
		return 2
	case ordinal.MatchString(line) || !unicode.IsUpper(first) || utf8.RuneCountInString(line) > 70:
		return 0
	case at == firstLine(lines):
		return 1
	}
	return 3
}

func firstLine(lines []string) int {
	return slices.IndexFunc(lines, func(l string) bool { return strings.TrimSpace(l) != "" })
}

// block writes lines that belong together: a list, a table, or a paragraph. The first is at a line; odd are those whose
// columns can't be told apart.
func (w *writer) block(lines []string, at int) (odd []int) {
	whole := columns(lines) != nil
	for i, j := tabbed(lines); i < j && !whole; i, j = tabbed(lines) {
		w.text(lines[:i])
		if rows := columns(lines[i:j]); rows != nil {
			w.table(rows, true)
		} else { // several tabs may go to one column
			odd = append(odd, w.inColumns(lines[i:j], at+i)...)
		}
		lines, at = lines[j:], at+j
	}
	w.text(lines)
	return odd
}

// text writes lines without tabs.
func (w *writer) text(lines []string) {
	if rows := columns(lines); rows != nil {
		w.table(rows, true)
		return
	}
	var text []string
	mark := ""
	flush := func() {
		if len(text) > 0 {
			open, shut, name := "", "", "p"
			if mark != "" {
				open, shut, name = "<"+mark+">", "</"+mark+">", "li"
			}
			w.WriteString(open)
			w.tag(name, strings.Join(text, " "))
			w.WriteString(shut)
		}
		text = nil
	}
	for i, l := range lines {
		if m := bullet.FindStringSubmatch(l); m != nil {
			flush()
			mark, l = "ul", m[1]
		} else if ordinal.MatchString(l) {
			flush()
			mark = "" // with its own number or letter
		} else if i > 0 && w.ends(lines[i-1], l) {
			if mark == "" {
				text[len(text)-1] += "\u2028"
			} else if !startsBlank(l) {
				flush()
				mark = ""
			}
		}
		text = append(text, strings.TrimSpace(l))
	}
	flush()
}

func startsBlank(s string) bool { return s != "" && (s[0] == ' ' || s[0] == '\t') }

// ends reports whether a person ended a line before the next: its first word would have had room, and begins anew.
func (w *writer) ends(line, next string) bool {
	word, _, _ := strings.Cut(strings.TrimSpace(next), " ")
	first, _ := utf8.DecodeRuneInString(word)
	return utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= w.width*9/10 && !unicode.IsLower(first)
}

// tabbed are the first lines that follow each other with a tab within each, from i to before j.
func tabbed(lines []string) (i, j int) {
	for j < len(lines) {
		if strings.Contains(strings.TrimSpace(lines[j]), "\t") {
			j++
			continue
		}
		if j-i > 1 {
			break
		}
		j++
		i = j
	}
	if j-i < 2 {
		return 0, 0
	}
	return i, j
}

// columns are the cells of lines that are set as a table by tabs or upright lines, or nil.
func columns(lines []string) (rows [][]string) {
	in := func(mark string) bool {
		return !slices.ContainsFunc(lines, func(l string) bool { return !strings.Contains(l, mark) && !isRule(l) })
	}
	tabs := in("\t")
	if !tabs && !in("|") {
		return nil
	}
	indented := !slices.ContainsFunc(lines, func(l string) bool { return !strings.HasPrefix(l, "\t") })
	for _, l := range lines {
		if isRule(l) {
			continue
		}
		split := cellSpace
		if tabs {
			split = oneTab
			if l = strings.TrimRight(l, "\t "); indented {
				l = strings.TrimLeft(l, "\t ")
			}
		} else {
			l = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(l), "|"), "|"))
		}
		row := split.Split(l, -1)
		if tabs && len(rows) > 0 && len(row) > len(rows[0]) || !tabs && len(rows) > 0 && len(row) != len(rows[0]) ||
			len(rows) == 0 && (len(row) < 2 || slices.Contains(row[1:], "")) {
			return nil
		}
		rows = append(rows, row)
	}
	if len(rows) < 2 {
		return nil
	}
	return rows
}
