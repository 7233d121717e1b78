package embedded

import (
	_ "embed"
	"strings"
	"sync"
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
