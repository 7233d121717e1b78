package embedded

import (
	_ "embed"
	"strings"
	"sync"

	"preceptor/internal/phrase"
)

// families.txt lists words that do the same work in a sentence, one family a line, by us. A model that knows a word's family knows
// something of a word that it never met.
//
//go:embed families.txt
var familiesText string

// family is a family's name, which no word has, and the beginning of the hashes of runs that begin with it.
type family struct {
	name string
	hash uint32
}

// known is what is known of a word beforehand.
type known struct {
	common   bool
	families []family
}

// knownWords are the words that are common or of a family.
var knownWords = sync.OnceValue(func() map[string]*known {
	out := map[string]*known{}
	of := func(w string) *known {
		if out[w] == nil {
			out[w] = &known{}
		}
		return out[w]
	}
	for line := range strings.Lines(familiesText) {
		name, words, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		f := family{"%" + name, hashFrom(hashSeed, "%"+name)}
		for w := range strings.FieldsSeq(words) {
			of(w).families = append(of(w).families, f)
		}
	}
	for w := range common {
		of(w).common = true
	}
	return out
})

var unknown = &known{}

func knownOf(word string) *known {
	if k := knownWords()[word]; k != nil {
		return k
	}
	return unknown
}

// wordNote is what a judge knows of a word wherever it stands.
type wordNote struct {
	*known
	stem       string
	hash       uint32 // of the stem
	imperative bool
}

// noteOf is kept beside the word that the lexicon keeps.
func noteOf(t *phrase.Token) *wordNote {
	if n := t.Word.Note.Load(); n != nil {
		return (*n).(*wordNote)
	}
	text := strings.Clone(t.Text) // what the text is part of must not be held
	n := &wordNote{known: knownOf(text), stem: stem(text), imperative: imperatives[text]}
	n.hash = hashFrom(hashSeed, n.stem)
	kept := any(n)
	t.Word.Note.Store(&kept)
	return n
}
