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
			syllables += syllablesOf(t.Text)
		}
	}
	if words == 0 {
		return 0
	}
	return 0.39*float64(words)/float64(sentences) + 11.8*float64(syllables)/float64(words) - 15.59
}

// syllablesOf counts groups of vowels; a silent e at the end is none, and every word has one. A figure counts as one.
func syllablesOf(w string) int {
	n, in := 0, false
	for i := 0; i < len(w); i++ {
		vowel := false
		switch w[i] {
		case 'a', 'e', 'i', 'o', 'u', 'y':
			vowel = true
		}
		if vowel && !in {
			n++
		}
		in = vowel
	}
	if len(w) > 3 && w[len(w)-1] == 'e' && w[len(w)-2] != 'l' && n > 1 {
		n--
	}
	if len(w) > 3 && w[len(w)-2:] == "ed" && w[len(w)-3] != 't' && w[len(w)-3] != 'd' && n > 1 {
		n--
	}
	return max(n, 1)
}
