package conflict

import (
	"slices"
	"strings"

	"preceptor/internal/pack"
)

// demand is one instruction with what can be compared of it.
type demand struct {
	pack.Demand
	not     bool
	words   map[string]bool // what it is about, figures and verbs of saying aside
	figures figures
	stances map[string]int // on the questions of stance.go: 1 or -1
}

// sayVerbs are how an action is put, not what it is about.
var sayVerbs = stemsOf(`warn caution alert explain mention state note add ensure clear clearly emphasise highlight stress point refer direct signpost name quote set out
 remind tell say include always never avoid begin start end close first last briefly simply gently plainly write put offer use do give keep make encourage
 discourage recommend suggest urge advise address describe compare check discuss speak raise it them customer someone usually also instead wording such as free be being would could`)

func stemsOf(list string) map[string]bool {
	return pack.ContentStems(list)
}

func readDemand(d pack.Demand) demand {
	out := demand{Demand: d, not: d.Not, words: map[string]bool{}, figures: readFigures(d.Text)}
	for w := range pack.ContentStems(d.Text) {
		if !sayVerbs[w] && strings.IndexFunc(w, isDigit) < 0 && !numberWords[w] {
			out.words[w] = true
		}
	}
	for _, same := range oneName {
		if same.re.MatchString(d.Text) {
			for _, w := range same.drop {
				delete(out.words, w)
			}
			out.words[same.name] = true
		}
	}
	out.stances = stancesOf(d.Text, d.Not)
	return out
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// oneName calls by one name what rules call by several.
var oneName = func() (list []struct {
	name string
	re   *pack.Pattern
	drop []string
}) {
	for _, l := range []struct{ name, pattern, drop string }{
		{"#guarantee", `guarante\w+|safeguarded`, "guarantee guaranteed guarantees safeguarded"},
		{"#loss", `giv(?:e|es|ing) (?:\w+ )?up|\blos(?:e|es|ing|t|s)\b|forfeit`, "lose lost losing loss giving gives up forfeit"},
		{"#sympathy", `sympath\w*|empath\w*|condolence|acknowledge`, "sympathy empathy condolence acknowledge words feel"},
		{"#understanding", `understanding`, "understanding"},
		{"#question", `question`, "question"},
		{"#adviser", `(?:financial|regulated|independent) (?:financial )?advi[cs]`, "advice adviser financial regulated independent"},
		{"#analogy", `analog\w+|everyday comparison|comparison`, "analogy analogies comparison everyday"},
		{"#jargon", `jargon|technical (?:terms?|words|language)|plain (?:words|english|language)|simple (?:words|language)`, "jargon technical plain simple words language"},
	} {
		list = append(list, struct {
			name string
			re   *pack.Pattern
			drop []string
		}{l.name, pack.NewPattern(l.pattern), slices.Collect(keys(pack.ContentStems(l.drop)))})
	}
	return list
}()

func keys(m map[string]bool) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// builtIn tells whether the move says by itself what is demanded.
func (d demand) builtIn() bool {
	switch d.Move {
	case "", pack.Say, pack.Ask, pack.Replace, pack.Avoid, pack.Figures:
		return false
	}
	return true
}

// clash says why no draft can follow both, and how sure that is from 0 to 1; "" when one can.
func clash(a, b []demand) (why string, sure float64) {
	best := func(w string, s float64) {
		if s > sure {
			why, sure = w, s
		}
	}
	for _, x := range a {
		for _, y := range b {
			if w, s := clashOf(x, y); s > 0 {
				best(w, s)
			}
		}
	}
	return why, sure
}

func clashOf(x, y demand) (string, float64) {
	if p := sharedQuote(x.Quotes, y.Quotes); p != "" && x.not != y.not {
		return sentence("One says %s and the other avoids it.", quote(p)), 0.95
	}
	if x.not != y.not && similar(x.words, y.words, 0.6) && len(x.Quotes)+len(y.Quotes) == 0 {
		return sentence("One asks for what the other forbids: %s and %s.", quote(say(x)), quote(say(y))), 0.9
	}
	for question, s := range x.stances {
		if y.stances[question] == -s && (stances[question].alone || similar(x.words, y.words, sameThing)) {
			return sentence("They differ on %s: %s and %s.", stances[question].name, quote(say(x)), quote(say(y))), 0.8
		}
	}
	if x.not == y.not && x.figures.differ(y.figures) && similar(x.words, y.words, sameThing) {
		return sentence("They give different figures for the same: %s and %s.", quote(say(x)), quote(say(y))), 0.85
	}
	return "", 0
}

// say is the demand in words.
func say(d demand) string {
	if d.not {
		return "do not " + d.Text
	}
	return d.Text
}

func sharedQuote(a, b []string) string {
	for _, x := range a {
		for _, y := range b {
			if strings.EqualFold(strings.Trim(x, " .,…"), strings.Trim(y, " .,…")) {
				return x
			}
		}
	}
	return ""
}
