package rule

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"preceptor/internal/platform/fault"
)

// The limits of a statement.
const (
	MaxText       = 1200 // characters of an act's text
	MaxPhrase     = 200  // characters of a phrase, term or value
	MaxConditions = 20
	MaxValues     = 20
	MaxExamples   = 5 // of a Like
)

// Tidy trims every text, drops empty values and doubles, and leaves out conditions without a value. Call it on what
// came from a form.
func (s Statement) Tidy() Statement {
	out := Statement{Do: s.Do, Because: oneLine(s.Because), Except: s.Except}
	out.Do.Text = strings.TrimSpace(strings.ToValidUTF8(s.Do.Text, "\uFFFD"))
	out.Do.Phrases = tidyList(s.Do.Phrases)
	out.Do.Swaps = nil
	for _, w := range s.Do.Swaps {
		w = Swap{Say: oneLine(w.Say), Avoid: oneLine(w.Avoid)}
		if (w.Say != "" || w.Avoid != "") && !slices.Contains(out.Do.Swaps, w) {
			out.Do.Swaps = append(out.Do.Swaps, w)
		}
	}
	for _, c := range s.When {
		c.Name, c.Values = oneLine(c.Name), tidyList(c.Values)
		if len(c.Values) > 0 || c.Kind == Field && c.Op == Known {
			out.When = append(out.When, c)
		}
	}
	return out
}

func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
}

func tidyList(list []string) (out []string) {
	for _, v := range list {
		if v = oneLine(v); v != "" && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// Check names what is wrong with a tidied statement: an Invalid fault whose fields are do, text, phrases, swaps, when
// and because. Nil when it can be carried out.
func (s Statement) Check() error {
	var wrong []fault.Field
	add := func(name, format string, args ...any) {
		wrong = append(wrong, fault.Field{Name: name, Msg: fmt.Sprintf(format, args...)})
	}
	s.Do.check(add)
	if len(s.When) == 0 {
		add("when", "Choose who this is for. For every customer, choose Everybody.")
	}
	if len(s.When) > MaxConditions {
		add("when", "At most %d conditions.", MaxConditions)
	}
	for _, c := range s.When {
		c.check(add)
	}
	if utf8.RuneCountInString(s.Because) > MaxText {
		add("because", "At most %d characters.", MaxText)
	}
	if len(wrong) > 0 {
		return fault.WithFields("This rule can't be saved yet.", wrong...)
	}
	return nil
}

type adder = func(name, format string, args ...any)

func (a Act) check(add adder) {
	switch a.Kind {
	case Include, Ask, Point, Other:
		if a.Text == "" {
			add("text", "%s", map[string]string{Include: "Write the text to include.",
				Ask: "Write the question to ask.", Point: "Write where to point the customer.",
				Other: "Write what should be done."}[a.Kind])
		}
		if utf8.RuneCountInString(a.Text) > MaxText {
			add("text", "At most %d characters.", MaxText)
		}
	case Never:
		if len(a.Phrases) == 0 {
			add("phrases", "Write the words that must never be said.")
		}
		checkPhrases(add, "phrases", a.Phrases, MaxText)
	case Replace:
		a.checkSwaps(add)
	default:
		add("do", "Choose what to do.")
	}
	if !slices.Contains([]string{AtTopic, AtStart, AtEnd}, a.Place) {
		add("do", "Choose where the text goes.")
	}
}

func (a Act) checkSwaps(add adder) {
	if len(a.Swaps) == 0 {
		add("swaps", "Write the term to use and the term it replaces.")
	}
	for _, w := range a.Swaps {
		switch {
		case w.Say == "" || w.Avoid == "":
			add("swaps", "Write both the term to use and the term it replaces.")
		case strings.EqualFold(w.Say, w.Avoid):
			add("swaps", "The two terms are the same.")
		}
		checkPhrases(add, "swaps", []string{w.Say, w.Avoid}, MaxPhrase)
	}
}

func checkPhrases(add adder, name string, list []string, limit int) {
	if len(list) > MaxValues {
		add(name, "At most %d of them.", MaxValues)
	}
	for _, v := range list {
		if utf8.RuneCountInString(v) > limit {
			add(name, "At most %d characters each.", limit)
			return
		}
	}
}

func (c Condition) check(add adder) {
	checkPhrases(add, "when", c.Values, MaxText)
	switch c.Kind {
	case Topic, Mentions:
	case Like:
		if c.Also && c.Not {
			add("when", "An example is either for the rule or not.")
		}
		if len(c.Values) > MaxExamples {
			add("when", "At most %d example questions.", MaxExamples)
		}
	case Scope:
		for _, v := range c.Values {
			if kind, name, ok := strings.Cut(v, ":"); v != Universal && (!ok || kind == "" || name == "") {
				add("when", "%q is not a scope. Write universal, agent:NAME, language:NAME, project:NAME or task:NAME.",
					v)
			}
		}
	case Field:
		c.checkField(add)
	default:
		add("when", "There is no condition of kind %q.", c.Kind)
	}
}

func (c Condition) checkField(add adder) {
	if c.Name == "" {
		add("when", "Choose the field of the profile.")
	}
	switch c.Op {
	case Is, Has, Known:
	case Below, Above:
		for _, v := range c.Values {
			if _, err := strconv.ParseFloat(v, 64); err != nil {
				add("when", "%q is not a number.", v)
			}
		}
	default:
		add("when", "Choose how to compare %s.", c.Name)
	}
}
