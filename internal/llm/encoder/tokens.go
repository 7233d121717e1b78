package encoder

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"preceptor/internal/platform/fault"

	unicodenorm "golang.org/x/text/unicode/norm"
)

const (
	longestWord = 100 // characters of a word that are looked up; a longer one is unknown
	within      = "##"
)

// vocabulary is the pieces of words that a trunk knows.
type vocabulary struct {
	begins, inside    map[string]int32 // pieces that begin a word, and those that go on within one
	longest           int              // bytes of the longest piece
	lower             bool
	unknown, cls, sep int32
}

func readVocabulary(h Header, text []byte) (*vocabulary, error) {
	lines := strings.Split(string(text), "\n")
	if len(lines) != h.Vocabulary {
		return nil, fault.New(fault.Invalid, "The encoder's vocabulary has %d pieces, not %d.", len(lines),
			h.Vocabulary)
	}
	v := &vocabulary{begins: make(map[string]int32, len(lines)), inside: map[string]int32{}, lower: h.Lower}
	for id, piece := range lines {
		if rest, ok := strings.CutPrefix(piece, within); ok && rest != "" {
			v.inside[rest] = int32(id)
		} else {
			v.begins[piece] = int32(id)
		}
		v.longest = max(v.longest, len(piece))
	}
	for name, id := range map[string]*int32{"[UNK]": &v.unknown, "[CLS]": &v.cls, "[SEP]": &v.sep} {
		found, ok := v.begins[name]
		if *id = found; !ok {
			return nil, fault.New(fault.Invalid, "The encoder's vocabulary lacks %s.", name)
		}
	}
	return v, nil
}

// Token is a piece of a word, or a mark of the model's own (From and To are 0).
type Token struct {
	ID       int32
	Segment  uint8 // 0 in the text, 1 in its pair
	Mark     bool
	From, To int // the bytes of the text or of the pair that it stands for
}

// word is what is being read: characters as the model knows them, each with the bytes that it comes from.
type word struct {
	letters  []byte
	starts   []int // in letters, of each character
	from, to []int // in the text, of each character
}

func (w *word) add(c rune, from, to int) {
	w.starts, w.from, w.to = append(w.starts, len(w.letters)), append(w.from, from), append(w.to, to)
	w.letters = append(w.letters, string(c)...)
}

// split cuts a text into pieces as BERT does. A mark's name in the text, as [SEP], is read as the characters that it
// is.
func (v *vocabulary) split(text string, segment uint8) []Token {
	var out []Token
	var w word
	end := func() {
		out = v.pieces(out, &w, segment)
		w = word{w.letters[:0], w.starts[:0], w.from[:0], w.to[:0]}
	}
	one := func(c rune, from, to int) {
		end()
		w.add(c, from, to)
		end()
	}
	for at, to := 0, 0; at < len(text); at = to {
		c, size := utf8.DecodeRuneInString(text[at:])
		to = at + size
		switch {
		case space(c):
			end()
		case c == 0 || c == unicode.ReplacementChar || unicode.In(c, unicode.Cc, unicode.Cf, unicode.Co):
		case c < 0x80:
			if v.lower {
				c = unicode.ToLower(c)
			}
			if punctuation(c) {
				one(c, at, to)
			} else {
				w.add(c, at, to)
			}
		default:
			if chinese(c) {
				end()
			}
			for _, c := range v.plain(c) {
				if punctuation(c) {
					one(c, at, to)
				} else if space(c) {
					end()
				} else {
					w.add(c, at, to)
				}
			}
			if chinese(c) {
				end()
			}
		}
	}
	end()
	return out
}

// plain is a character in small letters and without its accents.
func (v *vocabulary) plain(c rune) string {
	if !v.lower {
		return string(c)
	}
	return strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Mn, c) {
			return -1
		}
		return unicode.ToLower(c)
	}, unicodenorm.NFD.String(string(c)))
}

// pieces cuts a word: each time the longest piece that the rest begins with. A word that can't be cut to its end is
// unknown.
func (v *vocabulary) pieces(out []Token, w *word, segment uint8) []Token {
	n := len(w.starts)
	if n == 0 {
		return out
	}
	whole := Token{ID: v.unknown, Segment: segment, From: w.from[0], To: w.to[n-1]}
	if n > longestWord {
		return append(out, whole)
	}
	known, before := v.begins, len(out)
	for at := 0; at < n; {
		to := n
		for ; to > at; to-- {
			end := len(w.letters)
			if to < n {
				end = w.starts[to]
			}
			if end-w.starts[at] > v.longest {
				continue
			}
			if id, ok := known[string(w.letters[w.starts[at]:end])]; ok {
				out = append(out, Token{ID: id, Segment: segment, From: w.from[at], To: w.to[to-1]})
				break
			}
		}
		if to == at {
			return append(out[:before], whole)
		}
		known, at = v.inside, to
	}
	return out
}

func space(c rune) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c > 0x85 && unicode.Is(unicode.White_Space, c)
}

func punctuation(c rune) bool {
	if c < 0x80 {
		return c > ' ' && c < 0x7F && !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')
	}
	return unicode.Is(unicode.P, c)
}

func chinese(c rune) bool {
	return c >= 0x4E00 && c <= 0x9FFF || c >= 0x3400 && c <= 0x4DBF || c >= 0x20000 && c <= 0x2A6DF ||
		c >= 0x2A700 && c <= 0x2B73F || c >= 0x2B740 && c <= 0x2B81F || c >= 0x2B920 && c <= 0x2CEAF ||
		c >= 0xF900 && c <= 0xFAFF || c >= 0x2F800 && c <= 0x2FA1F
}
