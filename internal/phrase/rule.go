package phrase

// Head is what a rule or a need says of itself.
type Head struct {
	Name, Code, Severity, Why, Source string
	Yes, No                           []string // examples in which it finds something, and in which it doesn't
	Text                              string   // as it was written
}

// Rule is what a sentence may not say, as a pack or an expert wrote it.
type Rule struct {
	Head
	find       [][]Class // alternatives; all conditions of one must stand in a sentence
	not, about Class     // -1 for none
	even       uint      // scopes that excuse nothing, as bits
	prose      bool      // it leaves the lines of lists alone: "take it all" is an option there
}

// Finding is where a rule found something, in bytes of the text.
type Finding struct {
	Of *Head
	Span
	Late bool // of a need: the text says it, but too late
}

// Rules are the heads of the lexicon's rules, then of its needs, in the order in which they were written.
func (l *Lexicon) Rules() (heads []Head) {
	for i := range l.rules {
		heads = append(heads, l.rules[i].Head)
	}
	for i := range l.needs {
		heads = append(heads, l.needs[i].Head)
	}
	return heads
}

// Findings is what the rules find in a text, by sentence and rule; each rule once in a sentence.
func (l *Lexicon) Findings(r *Reading) (found []Finding) {
	for i := range r.Sentences {
		for k := range l.rules {
			if sp, ok := l.rules[k].in(l, r, i); ok {
				found = append(found, Finding{Of: &l.rules[k].Head, Span: sp})
			}
		}
	}
	return found
}

// in tells where the rule finds something in sentence i.
func (r *Rule) in(l *Lexicon, read *Reading, i int) (Span, bool) {
	s := &read.Sentences[i]
	if r.prose && s.Item {
		return Span{}, false
	}
	for _, all := range r.find {
		if !holds(&s.Set, all) || s.Set.Has(r.not) || !r.speaksOf(l, read, i) {
			continue
		}
		last := 0 // the word with which all conditions are met
		for _, c := range all[1:] {
			at := len(s.Tokens)
			for _, m := range s.Matches {
				if m.Class == c {
					at = min(at, m.Last)
				}
			}
			last = max(last, at)
		}
		for _, m := range s.Matches {
			if m.Class != all[0] || l.excused(read, i, m, max(last, m.Last), r.even) {
				continue
			}
			return Span{s.Tokens[m.First].Start, s.Tokens[m.Last].End}, true
		}
	}
	return Span{}, false
}

func holds(set *Set, all []Class) bool {
	for _, c := range all {
		if !set.Has(c) {
			return false
		}
	}
	return true
}

// speaksOf reports whether sentence i speaks of the rule's topic, or goes on with one that does.
func (r *Rule) speaksOf(l *Lexicon, read *Reading, i int) bool {
	s := &read.Sentences[i]
	return r.about < 0 || s.Set.Has(r.about) || i > 0 && s.Set.Has(l.turn) && read.Sentences[i-1].Set.Has(r.about)
}
