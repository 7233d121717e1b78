package checkbook

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Problem is what is wrong with a pattern, and where: Start and End count code points of the source as it was typed.
type Problem struct {
	Start, End int
	Msg        string
}

// Error is the message.
func (p *Problem) Error() string { return p.Msg }

// Parts of the expressions that plain words become.
const (
	betweenWords = `[\s,]+`             // blanks, line ends, a comma
	insideWord   = `[\p{L}\p{N}'’-]*`   // what * stands for at a word
	anyWords     = `(?:\S+\s+){0,3}`    // what * stands for alone
	leastLetters = 3                    // beside a * of a word
	maxPhrases   = 100                  // in one pattern
	plainLetters = `0123456789` + ascii // where RE2's \b sees a word
	ascii        = `abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_`
)

// Words turns plain words into a regular expression. Each line, and each part between |, is a phrase, found as whole words
// whatever the case and the blanks between. At a word, * stands for any letters; alone, for up to three words.
func Words(source string) (string, *Problem) {
	var phrases []string
	runes := []rune(strings.ReplaceAll(source, "\r\n", "\n"))
	start := 0
	for i := 0; i <= len(runes); i++ {
		if i < len(runes) && runes[i] != '\n' && runes[i] != '|' {
			continue
		}
		bar := i < len(runes) && runes[i] == '|' || start > 0 && runes[start-1] == '|'
		phrase, p := phrase(runes, start, i)
		switch {
		case p != nil:
			return "", p
		case phrase == "" && bar:
			at := min(max(start-1, 0), len(runes)-1)
			return "", &Problem{at, at + 1, "Nothing stands between this | and the next, or the end of the line. Take it out, or write a phrase."}
		case phrase != "":
			phrases = append(phrases, phrase)
		}
		start = i + 1
	}
	switch {
	case len(phrases) == 0:
		return "", &Problem{0, len(runes), "Write the words that it looks for."}
	case len(phrases) > maxPhrases:
		return "", &Problem{0, len(runes), fmt.Sprintf("These are %d phrases; at most %d fit in one check. Split it.", len(phrases), maxPhrases)}
	}
	return `(?:` + strings.Join(phrases, `|`) + `)`, nil
}

// phrase is the expression of runes from start to end; "" when only blanks stand there.
func phrase(runes []rune, start, end int) (string, *Problem) {
	type token struct {
		from, to int
		any      bool
	}
	var tokens []token
	for i := start; i < end; {
		if unicode.IsSpace(runes[i]) {
			i++
			continue
		}
		from := i
		for i < end && !unicode.IsSpace(runes[i]) {
			i++
		}
		tokens = append(tokens, token{from, i, strings.Trim(string(runes[from:i]), "*") == ""})
	}
	if len(tokens) == 0 {
		return "", nil
	}
	if first, last := tokens[0], tokens[len(tokens)-1]; first.any || last.any {
		t := first
		if !t.any {
			t = last
		}
		return "", &Problem{t.from, t.to, "A * alone stands for words between others, so a phrase can't begin or end with it. Leave it out."}
	}
	var b strings.Builder
	for i, t := range tokens {
		if t.any {
			b.WriteString(anyWords)
			continue
		}
		word, p := word(runes, t.from, t.to)
		if p != nil {
			return "", p
		}
		b.WriteString(word)
		switch {
		case i+1 < len(tokens) && tokens[i+1].any:
			b.WriteString(`\s+`)
		case i+1 < len(tokens):
			b.WriteString(betweenWords)
		}
	}
	return b.String(), nil
}

// word is the expression of one word.
func word(runes []rune, from, to int) (string, *Problem) {
	text := string(runes[from:to])
	letters := strings.IndexFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
	stars := strings.Count(text, "*")
	switch {
	case !letters:
		return "", &Problem{from, to, fmt.Sprintf("“%s” has no letter or digit, so it is no word to look for.", text)}
	case stars > 0 && utf8.RuneCountInString(text)-stars < leastLetters:
		return "", &Problem{from, to, fmt.Sprintf("“%s” would find something in almost every text. Write at least %d letters beside the *.", text, leastLetters)}
	}
	var b strings.Builder
	if strings.ContainsRune(plainLetters, runes[from]) {
		b.WriteString(`\b`)
	}
	for i, r := range runes[from:to] {
		switch {
		case r == '*' && i > 0 && runes[from+i-1] == '*':
		case r == '*':
			b.WriteString(insideWord)
		case r == '’' || r == '‘': // texts are read with straight marks
			b.WriteString(`'`)
		case r == '“' || r == '”':
			b.WriteString(`"`)
		default:
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	if strings.ContainsRune(plainLetters, runes[to-1]) {
		b.WriteString(`\b`)
	}
	return b.String(), nil
}
