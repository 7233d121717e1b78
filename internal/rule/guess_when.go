package rule

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/pack"
)

// GuessWhen finds conditions in remarks by matching them with the labels and values of the pack's fields and topics,
// and with what this customer's profile says. It reads nothing else: a condition that this customer does not meet was
// not meant, and is left out.
func GuessWhen(remarks string, p *pack.Pack, s pack.Situation) (out []Condition) {
	text := strings.NewReplacer("-", " ", "’", "'").Replace(remarks)
	topics, rest := mentionedTopics(text, p)
	add := func(c Condition) {
		if Match(Statement{When: []Condition{c}}, Subject{Pack: p, Situation: s}).State != NotMet {
			out = append(out, c)
		}
	}
	if len(topics) > 0 {
		out = append(out, Condition{Kind: Topic, Values: topics})
	}
	for _, f := range p.Fields {
		for _, c := range mentionedField(rest, f) {
			add(c)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Fields)) {
		if _, known := p.Field(name); known || private(name) {
			continue
		}
		for _, value := range s.Fields[name] {
			if c, ok := mentionedValue(rest, name, value); ok {
				add(c)
			}
		}
	}
	return out
}

// mentionedTopics are the topics whose labels stand in a text, and the text without them; the longest label first.
func mentionedTopics(text string, p *pack.Pack) (names []string, rest string) {
	list := slices.SortedStableFunc(slices.Values(p.Topics), func(a, b pack.Topic) int {
		return cmp.Compare(len(b.Label), len(a.Label))
	})
	for _, t := range list {
		spans := pack.PhraseSpans(text, t.Label)
		if len(spans) == 0 || t.Name == general {
			continue
		}
		names = append(names, t.Name)
		for _, sp := range spans {
			text = text[:sp.Start] + strings.Repeat(".", sp.End-sp.Start) + text[sp.End:]
		}
	}
	return names, text
}

func mentionedField(text string, f pack.Field) (out []Condition) {
	cond := func(op, value string) Condition {
		return Condition{Kind: Field, Name: f.Name, Op: op, Values: []string{value}}
	}
	switch f.Kind {
	case "number":
		if f.Bare || pack.HasPhrase(text, f.Label) {
			return Bounds(text, f.Name, nil)
		}
	case "flag":
		if pack.HasPhrase(text, f.Label) {
			out = append(out, cond(Is, "yes"))
		}
	case "choice":
		for _, v := range f.Values {
			if near(text, f, v.Label) {
				out = append(out, cond(Is, v.Value))
			}
		}
	case "list":
		for _, v := range f.Values {
			if slices.ContainsFunc(append([]string{v.Value, v.Label}, v.Said...), func(w string) bool {
				return pack.HasPhrase(text, w)
			}) && !pack.IsStop(v.Value) {
				out = append(out, cond(Has, v.Value))
			}
		}
	}
	return out
}

// near reports whether a value's label stands within two words of its field's name or label: "low literacy", "literacy
// is low".
func near(text string, f pack.Field, value string) bool {
	for _, label := range []string{f.Label, f.Name} {
		for _, l := range pack.PhraseSpans(text, label) {
			for _, v := range pack.PhraseSpans(text, value) {
				between := text[min(l.End, v.End):max(l.Start, v.Start)]
				if len(pack.Words(between)) <= 2 && !strings.ContainsAny(between, ".;!?") {
					return true
				}
			}
		}
	}
	return false
}

var boundRE = regexp.MustCompile(
	`(?i)\b(?:(under|below|younger than|less than|before)|(over|above|older than|more than|past))(?: the| an)?(?: age)?(?: of)? (\d{1,3})(?:'?s)?\b|\b(\d{1,3})(?:s)?(?:(?: years?)?(?: and| or) (?:(under|younger|below)|(over|older|above|up))|(\+))`)

// unitRE follows a number that is no bare one.
var unitRE = regexp.MustCompile(
	`(?i)^(?:[.,]\d|\s?(?:%|k\b|per\s?cent|pc\b|p\b|pounds?|quid|grand|gbp|days?|weeks?|months?|hours?|minutes?|mins?|seconds?|miles?|times|people|pages?|words?|characters?|years?\b(?:\s+(?:in|from|after|before|ago|away|of\s+(?:service|work|contributions)))))`)

// Bounds are the numbers that a text names as a limit: "under 55", "75 or over"; with words, those alone that one of
// them stands right before.
func Bounds(text, name string, words []string) (out []Condition) {
	for _, m := range boundRE.FindAllStringSubmatchIndex(text, 4) {
		at := func(n int) string {
			if m[2*n] < 0 {
				return ""
			}
			return text[m[2*n]:m[2*n+1]]
		}
		before := strings.ToLower(strings.TrimSpace(text[:m[0]]))
		if unitRE.MatchString(text[m[1]:]) || strings.HasSuffix(before, "£") ||
			len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool {
				return strings.HasSuffix(" "+before, " "+w)
			}) {
			continue
		}
		n, _ := strconv.Atoi(at(3) + at(4)) // digits only
		c := Condition{Kind: Field, Name: name}
		switch {
		case at(1) != "":
			c.Op = Below
		case at(2) != "":
			c.Op = Above
		case at(5) != "":
			c.Op, n = Below, n+1
		default:
			c.Op, n = Above, n-1
		}
		c.Values = []string{strconv.Itoa(n)}
		out = append(out, c)
	}
	return out
}

// mentionedValue finds a profile's value in a text, or its first words: "Windows" of "Windows 11". A flag is found by
// its name.
func mentionedValue(text, name, value string) (Condition, bool) {
	c := Condition{Kind: Field, Name: name, Op: Is, Values: []string{value}}
	if strings.EqualFold(value, "yes") {
		return c, pack.HasPhrase(text, strings.ReplaceAll(name, "_", " "))
	}
	if _, err := strconv.ParseFloat(value, 64); err == nil {
		if name == "age" {
			if list := Bounds(text, name, nil); len(list) > 0 {
				return list[0], true
			}
		}
		return c, false
	}
	spans := pack.WordSpans(value)
	for n := len(spans); n > 0; n-- {
		first := value[:spans[n-1].End]
		if n == 1 && (len(first) < 3 || pack.IsStop(strings.ToLower(first)) || figure(first)) {
			break
		}
		if pack.HasPhrase(text, first) {
			if n < len(spans) {
				c.Op, c.Values = Has, []string{first}
			}
			return c, true
		}
	}
	return c, false
}
