package checklist

import (
	"fmt"
	"strconv"
	"strings"

	"preceptor/internal/compliance"
	"preceptor/internal/phrase"
	"preceptor/internal/platform/fault"
)

// usable is Invalid, by field, where this program can't run a wording.
func (w *Wording) usable() error {
	switch w.syntax {
	case phrases:
	case plainWords:
		return unreadable(
			"It is written in plain words with characters that can't be converted. Write it again as phrases.")
	default:
		return unreadable(
			"It is written as a regular expression, which Preceptor no longer runs. Write it again as phrases.")
	}
	all := 0
	for line := range strings.Lines(w.Source) {
		if line = strings.TrimSpace(line); line != "" &&
			strings.TrimSpace(strings.NewReplacer(";", "", "&", "").Replace(line)) == "" {
			return unreadable(fmt.Sprintf("“%s” has no words to look for.", line))
		}
		for part := range strings.SplitSeq(strings.ReplaceAll(line, " & ", ";"), ";") {
			if all += ways(part); all > mostWays {
				return unreadable(
					fmt.Sprintf("It can match in too many ways at “%s”. Use fewer of .. ... ? and | in one phrase, "+
						"or split the check.", strings.TrimSpace(part)))
			}
		}
	}
	var wrong []fault.Field
	check := w.check()
	for _, f := range fault.Fields(check.Check()) {
		if f.Name == "pattern" {
			// the parser's name of the rule
			f = fault.Field{Name: "source", Msg: strings.Replace(f.Msg, w.Title+": 0: ", "", 1)}
		}
		wrong = append(wrong, f)
	}
	if len(wrong) == 0 {
		return nil
	}
	return fault.WithFields(wrong[0].Msg, wrong...)
}

func unreadable(msg string) error {
	return fault.Wrong(msg, "source", msg)
}

// finder is what the wording finds in a text.
func (w *Wording) finder() (func(text string) []compliance.Issue, error) {
	if err := w.usable(); err != nil {
		return nil, err
	}
	return w.check().Finder()
}

// mostWays bounds in how many ways a check's phrases can be met from one word. On 20,000 letters made up to be the
// worst, that many took half a second; an ordinary check has a hundred.
const mostWays = 5000

// ways is at most how many a phrase has.
func ways(phrase string) int {
	n := 1
	for _, item := range strings.Fields(phrase) {
		switch item {
		case "..":
			n *= 5
		case "...":
			n *= 13
		}
		n *= (1 + strings.Count(item, "|")) * (1 + strings.Count(item, "?"))
		if strings.Contains(item, "{") {
			n *= 10
		}
		n = min(n, mostWays+1)
	}
	return n
}

// fromPlainWords translates what experts typed before there were phrases: a phrase a line or between |, where * stood
// for any letters
// at a word, and alone for up to three words. ok is false where it can't be said in phrases.
func fromPlainWords(source string) (translated string, ok bool) {
	var out []string
	for _, line := range strings.FieldsFunc(source, func(r rune) bool { return r == '\n' || r == '|' }) {
		var items []string
		for _, word := range strings.Fields(line) {
			body := strings.TrimRight(word, "*")
			switch tokens := phrase.Tokens(body, 0); {
			case body == "":
				items = append(items, "..")
			case strings.Contains(body, "*"):
				return "", false
			default:
				for _, t := range tokens {
					if kind := t.Text; strings.Contains(kind, "#") {
						number := strings.NewReplacer("£", "", ",", "", "%", "").Replace(body[t.Start:t.End])
						if _, err := strconv.ParseFloat(number, 64); err != nil || word != body {
							return "", false
						}
						items = append(items, kind+"="+number)
						continue
					}
					items = append(items, t.Text)
				}
				if word != body && len(tokens) > 0 {
					items[len(items)-1] += "*"
				}
			}
		}
		if len(items) > 0 {
			out = append(out, strings.Join(items, " "))
		}
	}
	if len(out) == 0 {
		return "", false
	}
	// Such checks knew no scopes but quotation and refusal.
	return strings.Join(out, "; ") + "\neven: denied asked supposed past duty warned", true
}
