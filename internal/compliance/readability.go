package compliance

import "preceptor/internal/compliance/lexicon"

// Grade is the Flesch-Kincaid grade of a text: school years that a reader needs. 0 for no words.
func Grade(r *lexicon.Reading) float64 {
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
