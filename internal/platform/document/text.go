package document

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	utf "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// encodings are those that a page may say it is in.
var encodings = map[string]encoding.Encoding{
	"windows-1252": charmap.Windows1252, "iso-8859-1": charmap.Windows1252, "latin1": charmap.Windows1252,
	"us-ascii": charmap.Windows1252, "ascii": charmap.Windows1252,
	"windows-1250": charmap.Windows1250, "windows-1251": charmap.Windows1251, "windows-1253": charmap.Windows1253,
	"windows-1254": charmap.Windows1254, "iso-8859-9": charmap.Windows1254, "windows-1257": charmap.Windows1257,
	"iso-8859-2": charmap.ISO8859_2, "iso-8859-5": charmap.ISO8859_5, "iso-8859-7": charmap.ISO8859_7,
	"iso-8859-15": charmap.ISO8859_15, "koi8-r": charmap.KOI8R, "macintosh": charmap.Macintosh,
	"ibm850": charmap.CodePage850,
}

// guesses are those of the texts that say nothing, the likelier first.
var guesses = []encoding.Encoding{charmap.Windows1252, charmap.Macintosh, charmap.CodePage850, charmap.Windows1251,
	charmap.Windows1253}

// Text decodes a text in whatever encoding it is; label is the one that it claims, if any.
func Text(raw []byte, label string) (string, error) {
	var enc encoding.Encoding
	switch {
	case bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")):
		raw = raw[3:]
	case bytes.HasPrefix(raw, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(raw, []byte("\x00\x00\xfe\xff")):
		enc = utf32.UTF32(utf32.BigEndian, utf32.UseBOM)
	case bytes.HasPrefix(raw, []byte("\xff\xfe")), bytes.HasPrefix(raw, []byte("\xfe\xff")):
		enc = utf.UTF16(utf.BigEndian, utf.UseBOM)
	default:
		enc = wide(raw)
	}
	label = strings.ToLower(strings.TrimSpace(label))
	if enc == nil && !utf8.Valid(raw) {
		if enc = encodings[label]; enc == nil {
			if label != "" && !strings.HasPrefix(label, "utf") && !strings.HasPrefix(label, "unicode") {
				return "", cannot("its encoding (%.30s) isn't known here; save it as UTF-8", label)
			}
			if enc = guess(raw); enc == nil {
				return "", cannot("its characters are in no encoding that is known here; save it as UTF-8")
			}
		}
	}
	if enc != nil {
		var err error
		if raw, err = enc.NewDecoder().Bytes(raw); err != nil {
			return "", cannot("its characters can't be read; save it as UTF-8")
		}
	}
	text := strings.NewReplacer("\ufeff", "", "\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u00ad", "").
		Replace(string(raw))
	if strings.ContainsRune(text, 0) || strings.Count(text, "\ufffd") > len(text)/100 {
		return "", cannot("it isn't text")
	}
	return text, nil
}

// Plain decodes a file of text, unless it is another kind of file in truth.
func Plain(raw []byte) (string, error) {
	if err := textKind.check(raw); err != nil {
		return "", err
	}
	return Text(raw, "")
}

// wide tells UTF-16 and UTF-32 without a mark by their zero bytes.
func wide(raw []byte) encoding.Encoding {
	head := raw[:min(len(raw), 4096)&^3]
	var nul [4]int
	for i, b := range head {
		if b == 0 {
			nul[i%4]++
		}
	}
	n := len(head) / 4
	many := func(i int) bool { return nul[i] > n/2 }
	switch {
	case n == 0:
		return nil
	case many(1) && many(2) && many(3) && !many(0):
		return utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)
	case many(0) && many(1) && many(2) && !many(3):
		return utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)
	case many(1) && many(3) && nul[0]+nul[2] <= n/8:
		return utf.UTF16(utf.LittleEndian, utf.IgnoreBOM)
	case many(0) && many(2) && nul[1]+nul[3] <= n/8:
		return utf.UTF16(utf.BigEndian, utf.IgnoreBOM)
	}
	return nil
}

// guess chooses the encoding in which what is not ASCII makes most sense: letters within words, and the signs of print.
func guess(raw []byte) encoding.Encoding {
	var best encoding.Encoding
	most := 0
	for _, enc := range guesses {
		text, err := enc.NewDecoder().Bytes(raw)
		if err != nil {
			continue
		}
		if s := sense([]rune(string(text))); s > most {
			best, most = enc, s
		}
	}
	return best
}

func sense(text []rune) (sum int) {
	letter := func(i int) bool { return i >= 0 && i < len(text) && unicode.IsLetter(text[i]) }
	script := func(r rune) int {
		switch {
		case unicode.Is(unicode.Cyrillic, r):
			return 1
		case unicode.Is(unicode.Greek, r):
			return 2
		}
		return 0
	}
	for i, r := range text {
		if r < utf8.RuneSelf {
			continue
		}
		switch {
		case letter(i):
			sum += 2
			for _, k := range []int{i - 1, i + 1} {
				if letter(k) && (script(text[k]) != script(r) ||
					k < i && unicode.IsLower(text[k]) && unicode.IsUpper(r)) {
					sum -= 4
				}
				if letter(k) && text[k] >= utf8.RuneSelf && script(r) == 0 {
					sum -= 2 // accented letters in a row
				}
			}
		case r == '£' || r == '€':
			if sum++; i+1 < len(text) && unicode.IsDigit(text[i+1]) {
				sum += 3
			}
		case strings.ContainsRune("‘’“”–—…•\u00a0", r):
			sum += 3
		case strings.ContainsRune("§©®°½¼¾·«»²³", r):
			sum++
		default:
			sum -= 3
		}
	}
	return sum
}

// looksLikeText reports whether bytes of a file are text rather than a program's.
func looksLikeText(raw []byte) bool {
	_, err := Text(raw, "")
	return err == nil
}

var (
	marked    = regexp.MustCompile(`(?m)^#{1,6}\s+\S`)
	ruled     = regexp.MustCompile(`^\s*(={3,}|-{3,}|~{3,}|\*{3,})\s*$`)
	numbered  = regexp.MustCompile(`^(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?\s+(\p{Lu}.*)$`)
	lettered  = regexp.MustCompile(`^(?i:(part|chapter|section|appendix|annex|schedule))\s+[0-9A-Z]{1,4}\b`)
	bullet    = regexp.MustCompile(`^\s*[•◦▪●‣·*\x{F0B7}\x{2013}-]\s+(.*)$`)
	ordinal   = regexp.MustCompile(`^\s*(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s+(.*)$`)
	pageMark  = regexp.MustCompile(`(?i)^\W*(page\s+)?\d{1,4}(\s*(of|/)\s*\d{1,4})?\W*$`)
	wideSpace = regexp.MustCompile(`\t+| {3,}|\s*\|\s*`)
	cellSpace = regexp.MustCompile(`\t+| {2,}|\s*\|\s*`)
)

// readText finds the headings that plain text has: underlined, in capitals, numbered, or a short line of its own.
func readText(raw []byte, p *Page) error {
	text, err := Text(raw, "")
	if err != nil {
		return err
	}
	lines := strings.Split(strings.ReplaceAll(text, "\f", "\n\n"), "\n")
	hashes := marked.MatchString(text)
	var w writer
	var para []string
	end := func() {
		w.block(para)
		para = nil
	}
	blank := func(i int) bool { return i < 0 || i >= len(lines) || strings.TrimSpace(lines[i]) == "" }
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
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
	end()
	p.HTML = w.String()
	return nil
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
	for i, l := range lines {
		if strings.TrimSpace(l) != "" {
			return i
		}
	}
	return 0
}

// block writes lines that belong together: a list, a table, or a paragraph.
func (w *writer) block(lines []string) {
	if len(lines) == 0 {
		return
	}
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
	for _, l := range lines {
		if m := bullet.FindStringSubmatch(l); m != nil {
			flush()
			mark, l = "ul", m[1]
		} else if ordinal.MatchString(l) {
			flush()
			mark = "" // with its own number or letter
		}
		text = append(text, strings.TrimSpace(l))
	}
	flush()
}

// columns are the cells of lines that are set as a table, or nil.
func columns(lines []string) (rows [][]string) {
	for _, l := range lines {
		l = strings.Trim(strings.TrimSpace(l), "|")
		if strings.Trim(l, "|-+=: ") == "" {
			continue
		}
		cells := cellSpace.Split(strings.TrimSpace(l), -1)
		if len(cells) < 2 || len(rows) > 0 && len(cells) != len(rows[0]) {
			return nil
		}
		rows = append(rows, cells)
	}
	if len(rows) < 2 {
		return nil
	}
	return rows
}
