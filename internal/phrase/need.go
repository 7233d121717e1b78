package phrase

import (
	"slices"
	"strings"
)

// Need is what a text has to say where a customer's words, their profile and what the text speaks of call for it.
type Need struct {
	Head
	flags  []string // of the customer; "no-" before one that must not hold
	asked  []Class  // all in the customer's words
	not    Class    // and this is not
	told   []Class  // all in a sentence of the text
	times  int      // in so many sentences
	unless Class
	says   [][]Class
	early  bool
	plain  bool // saying it under a denial doesn't count: "this is not advice"
}

// soon is within how many sentences after what was told a warning still stands with it, and early the share of a text
// in which it stands early in any case.
const (
	soon  = 6
	early = 0.55
)

// Missing is what the text leaves out: customer are the customer's words, has tells what holds of them. Of one code the
// first need is reported.
func (l *Lexicon) Missing(text, customer *Reading, has func(flag string) bool) (found []Finding) {
	reported := map[string]bool{}
	for k := range l.needs {
		n := &l.needs[k]
		if reported[n.Code] || !n.called(customer, has) || n.unless >= 0 &&
			(customer.Set.Has(n.unless) || text.Set.Has(n.unless)) {
			continue
		}
		at, ok := n.toldIn(l, text)
		if !ok {
			continue
		}
		met, late := n.met(l, text, at)
		if met {
			continue
		}
		reported[n.Code] = true
		end := len(text.Text)
		if c := len(text.Sentences); c > 0 {
			end = text.Sentences[c-1].End
		}
		sp := Span{end, end}
		if len(n.told) > 0 {
			sp = text.Sentences[at].Span
		}
		found = append(found, Finding{&n.Head, sp, late})
	}
	return found
}

// called reports whether the customer calls for it.
func (n *Need) called(customer *Reading, has func(string) bool) bool {
	for _, f := range n.flags {
		if name, not := strings.CutPrefix(f, "no-"); has(name) == not {
			return false
		}
	}
	return holds(&customer.Set, n.asked) && !customer.Set.Has(n.not)
}

// opening is how many of the first two sentences stand alone above the rest, as a greeting and its thanks do.
func (r *Reading) opening() (n int) {
	for n < 2 && n+1 < len(r.Sentences) &&
		strings.Contains(r.Text[r.Sentences[n].End:r.Sentences[n+1].Start], "\n\n") {
		n++
	}
	return n
}

// toldIn is the first sentence that speaks of it; ok is false where too few do.
func (n *Need) toldIn(l *Lexicon, text *Reading) (first int, ok bool) {
	if len(n.told) == 0 {
		return 0, true
	}
	if !holds(&text.Set, n.told) {
		return 0, false
	}
	count := 0
	for i := range text.Sentences {
		s := &text.Sentences[i]
		if !holds(&s.Set, n.told) {
			continue
		}
		if !l.unexcused(text, i, n.told[0], Denied, Reported, Asked) {
			continue
		}
		if count == 0 || first < text.opening() { // a greeting is no place, if there is another
			first = i
		}
		count++
	}
	return first, count > 0 && count >= n.times
}

// unexcused reports whether a class stands in sentence i outside these scopes.
func (l *Lexicon) unexcused(text *Reading, i int, class Class, scopes ...Scope) bool {
	even := ^uint(0)
	for _, s := range scopes {
		even &^= 1 << s
	}
	return slices.ContainsFunc(text.Sentences[i].Matches, func(m Match) bool {
		return m.Class == class && !l.excused(text, i, m, m.Last, even)
	})
}

// met reports whether the text says it, in time where that matters, and whether it says it too late.
func (n *Need) met(l *Lexicon, text *Reading, told int) (met, late bool) {
	for _, all := range n.says {
		if !holds(&text.Set, all) {
			continue
		}
		for i := range text.Sentences {
			s := &text.Sentences[i]
			if s.Asks || !holds(&s.Set, all) || n.plain && !l.unexcused(text, i, all[0], Denied) {
				continue
			}
			if !n.early || i <= told+soon || float64(s.Start) < early*float64(len(text.Text)) {
				return true, false
			}
			late = true
		}
	}
	return false, late
}

// Topic is the one that the words of a question speak for; "" where none does.
func (l *Lexicon) Topic(question *Reading) string {
	weights, best, most := map[string]float64{}, "", 0.0
	for _, t := range l.topics {
		if question.Set.Has(t.class) {
			weights[t.name] += t.weight
		}
	}
	for _, t := range l.topics { // in their order, so that the first wins
		if weights[t.name] > most {
			best, most = t.name, weights[t.name]
		}
	}
	if most < leastTopic {
		return ""
	}
	return best
}

// leastTopic is from which weight on a question has a topic.
const leastTopic = 1.5

// topic is a class of signs of a topic.
type topic struct {
	name   string
	weight float64
	class  Class
}

// Affirms reports whether a sentence of a reading has a class that it doesn't deny.
func (l *Lexicon) Affirms(r *Reading, class string) bool {
	return l.stands(r, class, "", Denied)
}

// Tells reports whether a sentence has a class that it doesn't deny, report or suppose. A question that lacks the class
// me tells nothing: it asks what something is.
func (l *Lexicon) Tells(r *Reading, class, me string) bool {
	return l.stands(r, class, me, Denied, Reported, Supposed)
}

func (l *Lexicon) stands(r *Reading, class, me string, outside ...Scope) bool {
	c, ok := l.names[class]
	own, asks := l.names[me]
	for i := range r.Sentences {
		s := &r.Sentences[i]
		if ok && (me == "" || !s.Asks || asks && s.Set.Has(own)) && l.unexcused(r, i, c, outside...) {
			return true
		}
	}
	return false
}

// Holds reports whether a class stands in a reading; false where the lexicon has no such class.
func (l *Lexicon) Holds(r *Reading, class string) bool {
	c, ok := l.names[class]
	return ok && r.Set.Has(c)
}
