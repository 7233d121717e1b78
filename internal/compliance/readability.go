package compliance

import (
	"preceptor/internal/pack"
	"preceptor/internal/phrase"
)

// Grade is the Flesch-Kincaid grade of a text: school years that a reader needs. 0 for no words.
func Grade(r *phrase.Reading) float64 {
	words, sentences, syllables := 0, 0, 0
	for _, s := range r.Sentences {
		if len(s.Tokens) < 3 {
			continue
		}
		sentences++
		for _, t := range s.Tokens {
			words++
			syllables += t.Word.Syllables
		}
	}
	if words == 0 {
		return 0
	}
	return 0.39*float64(words)/float64(sentences) + 11.8*float64(syllables)/float64(words) - 15.59
}

const (
	hardGrade    = 11.0 // above it a text is too hard for low literacy; plain letters to the public are grade 6 to 8
	jargonTooFew = 4    // so many unexplained terms are too many
	shortText    = 4    // a text of fewer sentences is not weighed
)

// jargon wants plain words for customers who read with difficulty: few technical terms that stand unexplained, and
// short sentences.
func (d draft) jargon(s pack.Situation) []finding {
	if s.Reads() != "low" || len(d.Sentences) < shortText {
		return nil
	}
	terms, at := 0, -1
	jargon, gloss := d.lexicon.Find("jargon"), d.lexicon.Find("jargon_gloss")
	for i := range d.Sentences {
		sentence, n := &d.Sentences[i], 0
		for _, m := range sentence.Matches {
			if m.Class == jargon {
				n++
			}
		}
		if n == 0 || sentence.Set.Has(gloss) && n < 3 {
			continue
		}
		if terms += n; at < 0 {
			at = i
		}
	}
	if terms < jargonTooFew && Grade(d.Reading) <= hardGrade {
		return nil
	}
	if at < 0 {
		at = d.longest()
	}
	sp := d.Sentences[at].Span
	return []finding{{code: JargonForLiteracy, severity: Major, reference: referenceOf(JargonForLiteracy),
		start: sp.Start, end: sp.End,
		why: "The customer reads with difficulty, and the text uses technical terms without explaining them, or long " +
			"and heavy sentences."}}
}

// longest is the number of the longest sentence.
func (d draft) longest() (at int) {
	for i, s := range d.Sentences {
		if s.End-s.Start > d.Sentences[at].End-d.Sentences[at].Start {
			at = i
		}
	}
	return at
}
