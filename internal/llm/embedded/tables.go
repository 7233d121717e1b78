package embedded

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

//go:embed thesaurus.txt
var thesaurusText string

//go:embed terms.txt
var termsText string

//go:embed common.txt
var commonText string

// tables is what the embedder knows, read once.
type tables struct {
	names   []string // of the concepts, by place
	weights []float64
	related [][]share
	plain   []string            // by concept: its first phrases, in guidance's own words
	phrases map[string][]phrase // by the first stem
	terms   map[string]float64  // by stem
	right   map[string]bool     // words that are no typing errors
	typed   glossary            // how people type
	said    glossary            // what people say
	ours    map[string]bool     // stems that our concepts are made of

	byLength map[int][]string
}

type share struct {
	concept int
	part    float64
}

// phrase is a way to say a concept.
type phrase struct {
	concept  int
	steps    []step
	strength float64
}

type step struct {
	stem string
	gap  bool // up to maxGap words may stand before it
}

const maxGap = 3

var loadTables = sync.OnceValue(func() *tables {
	t := &tables{phrases: map[string][]phrase{}, terms: map[string]float64{}, right: map[string]bool{}, byLength: map[int][]string{}}
	if err := t.load(); err != nil {
		panic("embedded: " + err.Error()) // a defect of this build, found by any test
	}
	return t
})

func dataLines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	return out
}

func (t *tables) load() error {
	for _, line := range dataLines(commonText) {
		for w := range strings.FieldsSeq(line) {
			t.right[w] = true
		}
	}
	for _, line := range dataLines(termsText) {
		weight, words, _ := strings.Cut(line, " ")
		w, err := strconv.ParseFloat(weight, 64)
		if err != nil {
			return err
		}
		for word := range strings.FieldsSeq(words) {
			t.terms[stem(word)] = w
			t.learn(word)
		}
	}
	if err := t.loadThesaurus(); err != nil {
		return err
	}
	if err := t.loadEveryday(); err != nil {
		return err
	}
	t.learnOurs()
	return nil
}

func (t *tables) loadThesaurus() error {
	places := map[string]int{}
	type pending struct{ head, phrases, related string }
	var lines []pending
	for _, line := range dataLines(thesaurusText) {
		head, rest, ok := strings.Cut(line, ":")
		if !ok {
			return fmt.Errorf("thesaurus: %q has no phrases", line)
		}
		phrases, related, _ := strings.Cut(rest, "|")
		name, weight, _ := strings.Cut(strings.TrimSpace(head), " ")
		w, err := strconv.ParseFloat(weight, 64)
		if err != nil {
			return fmt.Errorf("thesaurus: %q: %w", name, err)
		}
		if _, twice := places[name]; twice {
			return fmt.Errorf("thesaurus: %q comes twice", name)
		}
		places[name] = len(t.names)
		t.names, t.weights = append(t.names, name), append(t.weights, w)
		lines = append(lines, pending{name, phrases, related})
	}
	if len(t.names) > conceptDims {
		return fmt.Errorf("thesaurus: %d concepts do not fit into %d places", len(t.names), conceptDims)
	}
	t.related = make([][]share, len(t.names))
	t.plain = make([]string, len(t.names))
	for i, l := range lines {
		for n, p := range strings.Split(l.phrases, ",") {
			p = strings.TrimSpace(p)
			t.addPhrase(i, p)
			if n < canonical {
				t.plain[i] += strings.NewReplacer("~", " ", "?", "").Replace(p) + " "
			}
		}
		for r := range strings.FieldsSeq(l.related) {
			name, part, _ := strings.Cut(r, "=")
			at, known := places[name]
			f, err := strconv.ParseFloat(part, 64)
			if err != nil || !known {
				return fmt.Errorf("thesaurus: %q: related %q", l.head, r)
			}
			t.related[i] = append(t.related[i], share{at, f})
		}
	}
	return nil
}

func (t *tables) addPhrase(concept int, text string) {
	p := phrase{concept: concept, strength: 1}
	if strings.HasPrefix(text, "?") {
		p.strength, text = 1.0/3, text[1:]
	}
	for i, part := range strings.Split(text, "~") {
		for j, w := range split(part) {
			t.learn(w)
			p.steps = append(p.steps, step{stem: stem(w), gap: i > 0 && j == 0})
		}
	}
	if len(p.steps) == 0 {
		return
	}
	p.strength *= min(1.75, 1+0.25*float64(len(p.steps)-1)) // a longer phrase is surer
	first := p.steps[0].stem
	t.phrases[first] = append(t.phrases[first], p)
}

// learn takes a word of the tables as one that a typing error may be meant to be.
func (t *tables) learn(w string) {
	if len(w) < 4 || w[0] >= '0' && w[0] <= '9' {
		t.right[w] = true
		return
	}
	if !t.right[w] {
		t.right[w] = true
	}
	for _, have := range t.byLength[len(w)] {
		if have == w {
			return
		}
	}
	t.byLength[len(w)] = append(t.byLength[len(w)], w)
}
