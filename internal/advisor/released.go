package advisor

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/phrase"
)

// A released text was written for one customer. Its sentences go to others only where nothing in them belongs to that
// customer: no token of a name, no figure but a dated fact, no name that is in no document, and none of the words that
// the customer used and that neither a document, nor the pack, nor the present customer does. A scheme or employer is
// named to those alone who do.

func released(it knowledge.Item) bool {
	return it.Case == nil || it.Case.Source != knowledge.FromDocument
}

// source reports whether sentences of an item may be chosen: a document's, those of a text that people released, or of
// one that met a virtual customer's needs and that an expert adopted. Knowledge retires the case of one that was
// recalled, and makes none before undo has ended.
func source(it knowledge.Item) bool {
	return it.Case != nil && (it.Case.Source == knowledge.FromPractice && it.Case.Approved ||
		slices.Contains([]string{knowledge.FromDocument, knowledge.FromReview, knowledge.FromFeedback}, it.Case.Source))
}

// copied reports whether a released paragraph is what the agent had written: that is its sources', which stand for
// themselves. What a person changed in it is theirs.
func copied(list []passage, it knowledge.Item) bool {
	if it.Case.Source == knowledge.FromPractice {
		return false // it says which sentences together served somebody; leaveToDocuments takes out those at hand
	}
	was := it.Case.Negative
	if was == "" && citationRE.MatchString(it.Text) {
		was = it.Text // released unchanged
	}
	return !slices.ContainsFunc(list, func(p passage) bool { return !saysAll(was, p.text) })
}

// vocabulary are words that belong to nobody: stems in lower case, and names as they are written.
type vocabulary map[string]bool

// vocabularyOf reads what was recalled of documents and rules, the pack, and what the present customer says.
func vocabularyOf(r Request, p *pack.Pack) vocabulary {
	v := vocabulary{}
	if !slices.ContainsFunc(r.Recall.Cases, released) {
		return v
	}
	for _, it := range r.Recall.Cases {
		if !released(it) {
			v.add(it.Text, it.Title, it.Case.Page, it.Case.Heading)
		}
	}
	for _, it := range r.Recall.Rules {
		if it.Rule != nil {
			v.add(it.Rule.Statement.Do.Texts()...)
		}
	}
	s := r.Situation
	v.add(s.Question, s.Goal, s.Text, strings.Join(s.Features, ". "))
	v.add(p.Vocabulary()...)
	return v
}

func (v vocabulary) add(texts ...string) {
	for _, text := range texts {
		for _, sp := range phrase.Sentences(text) {
			for i, w := range nameWords(sp.In(text)) {
				if i > 0 {
					v[w] = true
				}
				v[pack.Inflect(strings.ToLower(w))] = true
				for telling := range pack.ContentStems(w) {
					v[telling] = true
				}
			}
		}
	}
}

// nameWords are the words of a sentence as they are written.
func nameWords(sentence string) []string {
	return strings.FieldsFunc(strings.ReplaceAll(sentence, "’", "'"), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '-' && r != '£' && r != '%'
	})
}

// particulars tell what of a released text belongs to its customer.
type particulars struct {
	said  vocabulary // what that customer said
	known vocabulary
	at    pack.Situation
	pack  *pack.Pack

	virtual bool // of a customer who doesn't exist
}

func particularsOf(it knowledge.Item, s pack.Situation, p *pack.Pack, known vocabulary) particulars {
	own := particulars{said: vocabulary{}, known: known, at: s, pack: p,
		virtual: it.Case != nil && it.Case.Source == knowledge.FromPractice}
	if released(it) && it.Case != nil {
		own.said.add(it.Case.Situation, it.Case.Title)
	}
	return own
}

// in reports whether a sentence has a particular of the customer's.
func (own particulars) in(sentence string) bool {
	if tokenRE.MatchString(sentence) || own.figureIn(sentence) || own.schemeIn(sentence) {
		return true
	}
	if own.virtual {
		return false // nobody's words
	}
	for i, w := range nameWords(sentence) {
		stem, telling := pack.Inflect(strings.ToLower(w)), slices.Collect(maps.Keys(pack.ContentStems(w)))
		plain := len(telling) == 0 // a word that every text has
		known := plain || own.known[stem] || slices.ContainsFunc(telling, func(s string) bool { return own.known[s] })
		switch {
		case plain:
		case isName(w) && !own.known[w] && (i > 0 || !known):
			return true
		case own.said[stem] && !known:
			return true
		}
	}
	return false
}

func isName(w string) bool { return strings.ContainsFunc(w, unicode.IsUpper) }

// schemeIn reports whether a sentence names a scheme or employer of which the present customer says nothing.
func (own particulars) schemeIn(sentence string) bool {
	told := strings.Join(append([]string{own.at.Question, own.at.Goal, own.at.Text}, own.at.Features...), "\n")
	return slices.ContainsFunc(own.pack.Particulars, func(w string) bool {
		return pack.HasPhrase(sentence, w) && !pack.HasPhrase(told, w)
	})
}

// figureIn reports whether a sentence has a figure that is no dated fact.
func (own particulars) figureIn(sentence string) bool {
	rest := []byte(sentence)
	if own.pack.Checks {
		for _, f := range pack.FindFigures(sentence) {
			if isFact(f, own.at) {
				for i := f.Start; i < f.End; i++ {
					rest[i] = ' '
				}
			}
		}
	}
	return slices.ContainsFunc(rest, func(b byte) bool { return b >= '0' && b <= '9' })
}

// tellUnusable tells the supervisor of what people wrote to the same question and of which nothing is in the draft,
// since it may be its customer's alone.
func (c *composition) tellUnusable() bool {
	asked := pack.Words(c.r.Situation.Question)
	list := c.r.Recall.Cases
	if c.r.Nearest != nil {
		list = append(list[:len(list):len(list)], *c.r.Nearest)
	}
	for _, it := range list {
		if released(it) && source(it) && !c.cited[it.ID] &&
			(it.Case.Negative != "" || !citationRE.MatchString(it.Text)) &&
			slices.Equal(pack.Words(it.Case.Asked()), asked) {
			c.tell("%s answers the same question, but it has figures or names that may be its customer's alone, so "+
				"nothing of it is in this draft. If it holds for everybody, an expert can write it as a section.",
				it.Label)
			return true
		}
	}
	return false
}

// saidByRule reports whether a sentence is one of the pack's frames, or what a rule says: that is for the rule to say,
// where its conditions hold.
func (r Request) saidByRule(t string, p *pack.Pack) bool {
	if toOneCustomer(t, p) || saysAnyOf(t, p.Frames.Unknown, p.Frames.Signpost) {
		return true
	}
	return saysAnyOf(t, r.Ruled...)
}

func saysAnyOf(t string, texts ...string) bool {
	return slices.ContainsFunc(texts, func(text string) bool {
		return slices.ContainsFunc(phrase.Sentences(text), func(sp phrase.Span) bool {
			return says(t, sp.In(text)) || says(sp.In(text), t)
		})
	})
}

// toOneCustomer reports whether a sentence has a phrase by which the domain's people speak to one customer alone.
func toOneCustomer(t string, p *pack.Pack) bool {
	return slices.ContainsFunc(p.Frames.Personal, func(phrase string) bool { return pack.HasPhrase(t, phrase) })
}

// leaveToDocuments takes out of released texts what a document at hand says, as the document says it.
func leaveToDocuments(list []passage, r Request) []passage {
	var documents []passage
	for _, p := range list {
		if !released(r.Recall.Cases[p.item]) {
			documents = append(documents, p)
		}
	}
	return slices.DeleteFunc(list, func(p passage) bool {
		return released(r.Recall.Cases[p.item]) && repeats(p, documents)
	})
}
