package pdf

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"

	"preceptor/internal/platform/text/sign"
)

// font turns the codes of a string into text and widths.
type font struct {
	size   int // bytes of a code: 1 or 2
	chars  map[int]string
	widths map[int]float64
	usual  float64 // width of a code that has none
	scale  float64 // of a width, to a size of 1
	bold   bool
}

var boldName = regexp.MustCompile(`(?i)bold|black|heavy|demi`)

// font reads what a page calls a font. It is kept where the file holds it once.
func (f *pdfFile) font(v any) *font {
	r, shared := v.(ref)
	if made := f.fonts[r]; shared && made != nil {
		return made
	}
	d := f.dict(v)
	t := &font{size: 1, chars: map[int]string{}, widths: map[int]float64{}, usual: 500, scale: 0.001}
	if f.name(d["Subtype"]) == "Type0" {
		f.composite(t, d)
	} else {
		f.simple(t, d)
	}
	if s, ok := f.get(d["ToUnicode"]).(*stream); ok {
		t.unicode(f, f.data(s))
	}
	if shared {
		f.fonts[r] = t
	}
	return t
}

func (t *font) weight(f *pdfFile, d dict) {
	about := f.dict(d["FontDescriptor"])
	t.bold = t.bold || boldName.MatchString(string(f.name(d["BaseFont"]))) || int(f.num(about["Flags"]))&(1<<18) != 0 ||
		f.num(about["FontWeight"]) >= 600
}

func (f *pdfFile) composite(t *font, d dict) {
	t.size, t.usual = 2, 1000
	under := f.list(d["DescendantFonts"])
	if len(under) == 0 {
		return
	}
	cid := f.dict(under[0])
	t.weight(f, cid)
	if dw := f.num(cid["DW"]); dw > 0 {
		t.usual = dw
	}
	list := f.list(cid["W"])
	for i := 0; i+1 < len(list); {
		f.step()
		from := int(f.num(list[i]))
		if ws := f.list(list[i+1]); ws != nil {
			for k, w := range ws {
				t.widths[from+k] = f.num(w)
			}
			i += 2
			continue
		}
		if i+2 >= len(list) {
			break
		}
		for k := from; k <= min(int(f.num(list[i+1])), from+1<<16); k++ {
			t.widths[k] = f.num(list[i+2])
		}
		i += 3
	}
}

func (f *pdfFile) simple(t *font, d dict) {
	t.weight(f, d)
	if m := f.list(d["FontMatrix"]); len(m) == 6 && f.num(m[0]) != 0 {
		t.scale = f.num(m[0])
	}
	first := int(f.num(d["FirstChar"]))
	for i, w := range f.list(d["Widths"]) {
		t.widths[first+i] = f.num(w)
	}
	face := string(f.name(d["BaseFont"]))
	if len(t.widths) == 0 {
		t.standard(face)
	}
	base, encoding := charmap.Windows1252, f.dict(d["Encoding"])
	pictures := strings.Contains(face, "Symbol") || strings.Contains(face, "Dingbats")
	var signs map[int64]string
	if strings.HasPrefix(face[strings.LastIndex(face, "+")+1:], "Symbol") {
		signs = sign.Symbols["symbol"]
	}
	given := f.name(d["Encoding"])
	if encoding != nil {
		given = f.name(encoding["BaseEncoding"])
	}
	if given == "MacRomanEncoding" {
		base = charmap.Macintosh
	}
	for c := 32; c < 256; c++ {
		if pictures && c > 127 {
			t.chars[c] = "•"
			if signs != nil {
				t.chars[c] = cmp.Or(signs[int64(c)], sign.Unknown)
			}
			continue
		}
		t.chars[c] = string(base.DecodeByte(byte(c)))
	}
	if given == "" && !pictures { // Adobe's own
		for c, s := range map[int]string{0x27: "’", 0x60: "‘", 0xae: "fi", 0xaf: "fl", 0xb1: "–", 0xb7: "•", 0xd0: "—",
			0xaa: "“", 0xba: "”", 0xa9: "'", 0xbc: "…"} {
			t.chars[c] = s
		}
	}
	code := 0
	for _, v := range f.list(encoding["Differences"]) {
		switch v := f.get(v).(type) {
		case float64:
			code = int(v)
		case name:
			if s := glyph(string(v)); s != "" {
				t.chars[code] = s
			} else if t.chars[code] == "" || code < 32 {
				delete(t.chars, code)
			}
			code++
		}
	}
}

// The widths from the space to ~ of the fonts that every reader has, which a file need not say.
var (
	sansWidths = [...]float64{278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556,
		556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778,
		722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278,
		469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
		278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584}
	serifWidths = [...]float64{250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500,
		500, 500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611, 556, 722,
		722, 333, 389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333,
		469, 500, 333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389,
		278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541}
)

func (t *font) standard(name string) {
	widths := sansWidths
	switch {
	case strings.HasPrefix(name, "Courier"):
		t.usual = 600
		return
	case strings.HasPrefix(name, "Times"):
		widths = serifWidths
	case !strings.HasPrefix(name, "Helvetica") && !strings.HasPrefix(name, "Arial"):
		return
	default:
		t.usual = 556
	}
	for i, w := range widths {
		if t.widths[32+i] = w; t.bold {
			t.widths[32+i] += 30 // about
		}
	}
}

// glyphs are the names of signs that aren't a letter's own.
var glyphs = map[string]string{"space": " ", "nbspace": " ", "exclam": "!", "quotedbl": `"`, "numbersign": "#",
	"dollar": "$", "percent": "%", "ampersand": "&", "quotesingle": "'", "quoteright": "’", "quoteleft": "‘",
	"parenleft": "(", "parenright": ")", "asterisk": "*", "plus": "+", "comma": ",", "hyphen": "-", "minus": "−",
	"period": ".", "slash": "/", "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5",
	"six":   "6",
	"seven": "7", "eight": "8", "nine": "9", "colon": ":", "semicolon": ";", "less": "<", "equal": "=", "greater": ">",
	"question": "?", "at": "@", "bracketleft": "[", "backslash": `\`, "bracketright": "]", "underscore": "_", "bar": "|",
	"braceleft": "{", "braceright": "}", "quotedblleft": "“", "quotedblright": "”", "endash": "–", "emdash": "—",
	"bullet": "•", "ellipsis": "…", "sterling": "£", "Euro": "€", "section": "§", "copyright": "©", "registered": "®",
	"trademark": "™", "degree": "°", "fi": "fi", "fl": "fl", "ff": "ff", "ffi": "ffi", "ffl": "ffl", "germandbls": "ß",
	"eacute": "é", "egrave": "è", "agrave": "à", "ccedilla": "ç", "udieresis": "ü", "odieresis": "ö", "adieresis": "ä",
	"onehalf": "½", "onequarter": "¼", "threequarters": "¾", "multiply": "×", "periodcentered": "·"}

func glyph(n string) string {
	n, _, _ = strings.Cut(n, ".")
	if s := glyphs[n]; s != "" {
		return s
	}
	if len(n) == 1 {
		return n
	}
	for _, before := range []string{"uni", "u"} {
		if hex, ok := strings.CutPrefix(n, before); ok && len(hex) >= 4 {
			if v, err := strconv.ParseUint(hex[:min(len(hex), 6)], 16, 32); err == nil && v < 0x110000 {
				return string(rune(v))
			}
		}
	}
	return ""
}

// unicode reads the table that says which text the codes are.
func (t *font) unicode(f *pdfFile, raw []byte) {
	l := &lexer{raw: raw, f: f}
	var args []any
	for {
		switch v := l.object(0).(type) {
		case error:
			return
		case operator:
			switch v {
			case "endcodespacerange":
				if lo, _ := first(args).(text); lo != "" {
					t.size = min(2, len(lo))
				}
			case "endbfchar":
				for i := 0; i+1 < len(args); i += 2 {
					t.set(code(args[i]), args[i+1], 0)
				}
			case "endbfrange":
				for i := 0; i+2 < len(args); i += 3 {
					lo, hi := code(args[i]), code(args[i+1])
					list, several := args[i+2].([]any)
					for c := lo; c <= min(hi, lo+0xffff); c++ {
						f.step()
						if several && c-lo < len(list) {
							t.set(c, list[c-lo], 0)
						} else if !several {
							t.set(c, args[i+2], c-lo)
						}
					}
				}
			}
			args = args[:0]
		default:
			if len(args) < 100_000 {
				args = append(args, v)
			}
		}
	}
}

func (t *font) set(c int, to any, plus int) {
	s, ok := to.(text)
	if !ok || len(s) < 2 || len(s) > 64 {
		if len(s) == 1 {
			t.chars[c] = string(rune(int(s[0]) + plus))
		}
		return
	}
	units := wide(string(s))
	units[len(units)-1] += uint16(plus)
	if made := string(utf16.Decode(units)); !strings.ContainsRune(made, 0) {
		t.chars[c] = made
	}
}

func code(v any) (n int) {
	s, _ := v.(text)
	for _, b := range []byte(s[:min(len(s), 4)]) {
		n = n<<8 | int(b)
	}
	return n
}

// codes cuts a string.
func (t *font) codes(s text) (out []int) {
	for len(s) >= t.size {
		out, s = append(out, code(s[:t.size])), s[t.size:]
	}
	return out
}

func (t *font) width(c int) float64 {
	if w, ok := t.widths[c]; ok {
		return w * t.scale
	}
	return t.usual * t.scale
}
