package compliance

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"preceptor/internal/llm/encoder"
	"preceptor/internal/phrase"
)

// asSeen is a text as its reader sees it: without what is invisible (zero-width and direction marks, soft hyphens,
// variation selectors), without marks of emphasis, tags and pictures between words, with plain blanks, one at a time,
// for all kinds of them and for line ends inside a sentence, with straight quotation marks, and with plain letters for
// those that only look like them. All of these would hide words from the checks and from nobody else. places says where
// each of its code points stands in the original, and at its end how long that is. disguised is how many letters were
// others than they look, which nobody types by mistake.
func asSeen(original []rune) (text string, places []int, disguised int) {
	s := seer{b: make([]byte, 0, len(original)+len(original)/16), places: make([]int, 0, len(original)+1), margin: true,
		head: true}
	for i := 0; i < len(original); i++ {
		r := original[i]
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			s.letter(r, i)
			continue
		}
		switch {
		case r == '\n' && softWrap(original, i):
			s.blank(i)
		case r == '\t':
			s.blank(i)
		case r == ' ':
			s.blank(i)
		case (r == '*' || r == '_' || r == '`' || r == '~') && emphasis(original, i):
			if s.head && s.last != '*' {
				s.put('*', i) // a line or item that begins in bold names an option, as a bullet does
			}
		case r == '<' && tagEnd(original, i) > 0:
			i = tagEnd(original, i)
		case r < utf8.RuneSelf:
			s.put(r, i)
		default:
			s.foreign(r, i)
		}
	}
	return string(s.b), append(s.places, len(original)), s.disguised
}

// seer writes what is seen.
type seer struct {
	b         []byte
	places    []int
	last      rune
	margin    bool // only blanks stand in the line so far
	head      bool // only blanks and signs of a list
	disguised int
}

// letter is put for what most of a text is made of.
func (s *seer) letter(r rune, at int) {
	s.b = append(s.b, byte(r))
	s.places = append(s.places, at)
	s.last, s.margin, s.head = r, false, false
}

func (s *seer) put(r rune, at int) {
	s.b = utf8.AppendRune(s.b, r)
	s.places = append(s.places, at)
	s.last, s.margin = r, r == '\n' || s.margin && r == ' '
	s.head = r == '\n' || s.head && (strings.ContainsRune(" -*#>.)\u2022", r) || unicode.IsDigit(r))
}

// blank writes one, unless one stands there already; those at the beginning of a line stay, since lists are known by
// them.
func (s *seer) blank(at int) {
	if s.last != ' ' || s.margin {
		s.put(' ', at)
	}
}

// foreign writes a code point beyond ASCII.
func (s *seer) foreign(r rune, at int) {
	switch {
	case r == '\u2019' || r == '\u2018':
		s.put('\'', at)
	case r == '\u201c' || r == '\u201d':
		s.put('"', at)
	case unicode.Is(unicode.Zs, r):
		s.blank(at)
	case r == '\u202e' || r == '\u202d':
		s.disguised++ // from here on the letters stand the other way round
	case unicode.In(r, unicode.Cf, unicode.Mn, unicode.Me):
	case unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r):
		s.blank(at) // a picture between two words parts them as a blank does
	default:
		plain := plainLetters(r)
		if plain == "" {
			s.put(r, at)
			return
		}
		if r < '\ufb00' || r > '\ufb06' { // ligatures come with texts from PDF files
			s.disguised++
		}
		for _, p := range plain {
			s.put(p, at)
		}
	}
}

// softWrap reports whether a line end stands inside a sentence: between a word, or a comma, and a word in lower case.
func softWrap(text []rune, i int) bool {
	before := i - 1
	for before >= 0 && (text[before] == ' ' || text[before] == '\r') {
		before--
	}
	after := i + 1
	for after < len(text) && text[after] == ' ' {
		after++
	}
	return before >= 0 && after < len(text) && (unicode.IsLetter(text[before]) || text[before] == ',') &&
		unicode.IsLower(text[after])
}

// emphasis reports whether a mark belongs to Markdown's emphasis or code: it touches a letter, a figure or another mark
// on one side at least, and is no sign of a list, a multiplication or a name with an underscore.
func emphasis(text []rune, i int) bool {
	word := func(j int) bool {
		return j >= 0 && j < len(text) && (unicode.IsLetter(text[j]) || unicode.IsDigit(text[j]))
	}
	mark := func(j int) bool {
		return j >= 0 && j < len(text) && (text[j] == '*' || text[j] == '_' || text[j] == '`' || text[j] == '~')
	}
	if text[i] == '_' && word(i-1) && word(i+1) {
		return false
	}
	return word(i-1) || word(i+1) || mark(i-1) || mark(i+1)
}

// longestTag is how many code points a tag may have; what is longer is text.
const longestTag = 80

// tagEnd is where the tag ends that begins at i; 0 when none does. "under <£30,000" is none.
func tagEnd(text []rune, i int) int {
	j := i + 1
	if j < len(text) && text[j] == '/' {
		j++
	}
	if j >= len(text) || text[j] > 'z' || !unicode.IsLetter(text[j]) {
		return 0
	}
	for ; j < len(text) && j-i <= longestTag; j++ {
		switch text[j] {
		case '>':
			return j
		case '<', '\n':
			return 0
		}
	}
	return 0
}

// lookalikes are letters of other scripts that can't be told from Latin ones, each followed by the letter that it looks
// like.
var lookalikes = func() map[rune]string {
	const pairs = "аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwԍgьbАAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅSαaοoνvρpτtυuκkιiΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXɑaɡgıiᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz"
	m, runes := map[rune]string{}, []rune(pairs)
	for i := 0; i+1 < len(runes); i += 2 {
		m[runes[i]] = string(runes[i+1])
	}
	return m
}()

// plainLetters are the Latin letters that r looks like (fullwidth, mathematical, small capitals, Cyrillic, Greek); ""
// when it looks like itself. Letters with accents are themselves.
func plainLetters(r rune) string {
	if p, ok := lookalikes[r]; ok {
		return p
	}
	if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
		return ""
	}
	p := norm.NFKC.String(string(r))
	for _, c := range p {
		if c >= utf8.RuneSelf || !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return ""
		}
	}
	return p
}

// From how rare words on a text isn't English (encoder.Trunk.Rarity): of 700 English answers of under 20 words one
// reaches it, of 2,000 longer ones none, and of 36 short texts in 20 other languages 34. Of
// 5,949 English texts two have a rare sentence.
const (
	rareText     = 8
	rareSentence = 9.2
	leastWords   = 4  // fewer, of under leastLetters, don't say which language they are
	leastLetters = 60 // in bytes
	leastPart    = 5  // words of a sentence, in a text of many
	leastScript  = 10 // letters of another script, beside many Latin ones
)

// Why a text counts as not read.
const (
	becauseDisguised = "It has letters that only look like Latin ones, or runs the other way round: the checks may " +
		"not have read it as a person does."
	becauseForeign = "It doesn't read as English: the checks and judges know no other language."
	becauseShort   = "It is too short to tell whether it is English: the checks and judges know no other language."
	becausePart    = "A part of it doesn't read as English: the checks and judges know no other language."
	becauseOrders  = "It is addressed to the person or model checking it, not to the customer."
	becauseLong    = "It has a sentence without an end, so what it says may not have been read as one."
)

// unreadable are all of them.
var unreadable = []string{becauseDisguised, becauseForeign, becauseShort, becausePart, becauseOrders,
	becauseLong}

// longSentence is from how many bytes on a sentence may have been cut, so that a phrase across the cut isn't found.
const longSentence = phrase.LongestSentence - 100

// unread says why a text that was found clean may not have been read as a person reads it; "" when it was. seen is the
// prose as its reader sees it.
func unread(d draft, prose, seen string, disguised int) string {
	latin, other := scripts(prose)
	rarity, words := encoder.BGE().Rarity(seen)
	rare := func(s phrase.Span) bool {
		mean, n := encoder.BGE().Rarity(s.In(seen))
		return n >= leastPart && mean > rareSentence && 2*capitals(s.In(seen)) <= n // a signature is all names
	}
	switch {
	case other > latin:
		return becauseForeign
	case rarity > rareText && words < leastWords && len(seen) < leastLetters:
		return becauseShort
	case rarity > rareText:
		return becauseForeign
	case disguised > 0 && other-disguised < leastScript:
		return becauseDisguised
	case d.lexicon.Holds(d.Reading, "orders"):
		return becauseOrders
	case slices.ContainsFunc(d.Sentences, func(s phrase.Sentence) bool { return s.End-s.Start > longSentence }):
		return becauseLong
	case other >= leastScript || slices.ContainsFunc(phrase.Sentences(seen), rare):
		return becausePart
	}
	return ""
}

// capitals counts the words that begin with one.
func capitals(text string) (n int) {
	for w := range strings.FieldsSeq(text) {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(r) {
			n++
		}
	}
	return n
}

// scripts counts the letters of a text that are Latin, and those of other scripts; mathematical signs are neither.
func scripts(text string) (latin, other int) {
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf && unicode.IsLetter(r) || unicode.Is(unicode.Latin, r):
			latin++
		case unicode.IsLetter(r) && !unicode.Is(unicode.Common, r):
			other++
		}
	}
	return latin, other
}
