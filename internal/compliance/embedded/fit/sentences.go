package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/embedded"
	"preceptor/internal/interaction"
)

// read is an item as the judges see it.
type readItem struct {
	item
	subject compliance.Subject
	x       [][]embedded.Feature
	text    []string // its sentences
	class   []int    // of each sentence; -1 when it is not known
	label   int
	fold    int
}

// steered are the codes that a sentence carries, with their rows in the model.
func classOf(code string) int { return max(slices.Index(embedded.Classes, code), 0) }

// prepare reads all items, gives each sentence its class by comparing the twins of a pair, and puts families into folds.
func prepare(v *compliance.Validator, items []item, folds int) []*readItem {
	var out []*readItem
	family := map[string]int{}
	for _, it := range items {
		if _, ok := family[it.Family]; !ok {
			family[it.Family] = len(family)
		}
		r := &readItem{item: it, subject: v.Subject(it.Guidance, it.consult), fold: family[it.Family] % folds}
		r.x = embedded.Vectors(&r.subject)
		read := r.subject.Reading()
		for _, s := range read.Sentences {
			r.text = append(r.text, s.In(read.Text))
		}
		for i, l := range labels {
			if string(l) == it.Label {
				r.label = i
			}
		}
		out = append(out, r)
	}
	clean := map[string]map[string]bool{} // by pair, the sentences of its compliant texts
	for _, r := range out {
		if r.label == 0 && r.Pair != "" {
			if clean[r.Pair] == nil {
				clean[r.Pair] = map[string]bool{}
			}
			for _, s := range r.text {
				clean[r.Pair][s] = true
			}
		}
	}
	for _, r := range out {
		r.class = make([]int, len(r.text))
		if r.label == 0 {
			continue
		}
		var steers []int
		for _, c := range r.Codes {
			if k := classOf(c); k > 0 {
				steers = append(steers, k)
			}
		}
		if len(steers) == 0 {
			continue // what is missing stands in no sentence
		}
		twin := clean[r.Pair]
		for i, s := range r.text {
			if twin == nil || !twin[s] {
				r.class[i] = -1
			}
		}
	}
	return out
}

// point marks the sentences that carry a code, as evidence.tsv says: the end of an item's id, words of the sentence and, where
// it is not the first that a sentence can carry, the code. What else of such an item was unknown carries none.
func point(items []*readItem, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	found := map[*readItem]bool{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		parts := strings.Split(lines.Text(), "\t")
		for _, r := range items {
			if len(parts) < 2 || !strings.HasSuffix(r.ID, "-"+parts[0]) {
				continue
			}
			code := 0
			for _, c := range r.Codes {
				if code == 0 {
					code = classOf(c)
				}
			}
			if len(parts) > 2 {
				code = classOf(parts[2])
			}
			hit := false
			for i, text := range r.text {
				if strings.Contains(text, parts[1]) {
					r.class[i], hit = pointed+code, true
				}
			}
			if !hit {
				fmt.Fprintf(os.Stderr, "evidence.tsv: %s has no %q\n", r.ID, parts[1])
			}
			found[r] = found[r] || hit
		}
	}
	for r := range found {
		for i := range r.class {
			if r.class[i] == -1 {
				r.class[i] = 0
			}
		}
	}
	return nil
}

// pointed is added to the class of a sentence that a person pointed at.
const pointed = 100

// settle gives each unknown sentence a class: of those that may carry a code, the one that the model believes most, and others
// that it finds likely too. Without a model, length decides: the telling sentence is seldom the shortest.
func settle(items []*readItem, score func(*readItem) [][]float64) {
	for _, r := range items {
		unknown := 0
		for i := range r.class {
			if r.class[i] == -1 || r.class[i] <= -10 {
				unknown++
			}
		}
		if unknown == 0 {
			continue
		}
		p := score(r)
		for _, code := range r.Codes {
			c := classOf(code)
			if c == 0 {
				continue
			}
			best, at := -1.0, -1
			for i := range r.class {
				if r.class[i] != -1 && r.class[i] > -10 || r.class[i] >= pointed {
					continue
				}
				v := 1 - p[i][0] + p[i][c]
				if v > best {
					best, at = v, i
				}
			}
			if at >= 0 {
				r.class[at] = -10 - c
			}
		}
	}
}

// sentenceExamples are the training vectors of some items. A settled class is stored as -10-class; a sentence that stayed
// unknown is left out, since it may carry what the twin lacks.
func sentenceExamples(items []*readItem, use func(*readItem) bool) []example {
	var out []example
	for _, r := range items {
		if !use(r) {
			continue
		}
		for i := range r.class {
			c, w := r.class[i], 1.0
			switch {
			case c >= pointed:
				c, w = c-pointed, 6
			case c <= -10:
				c, w = -10-c, 6
			case c == -1:
				continue
			}
			out = append(out, example{r.x[i], c, w})
		}
	}
	return out
}

// own are the sentences that we wrote by themselves: a letter for the class, a tab, the sentence.
func own(v *compliance.Validator, path string) ([]example, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows := map[string]int{"C": 0, "P": 1, "D": 2, "N": 3, "G": 4, "U": 5, "F": 6}
	var out []example
	for lines := bufio.NewScanner(f); lines.Scan(); {
		letter, sentence, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			continue
		}
		s := v.Subject("Here is what you asked about. "+sentence+" MoneyHelper can explain more. Yours sincerely", interaction.Consultation{Question: "What are my options?"})
		x := embedded.Vectors(&s)
		if len(x) < 2 {
			continue
		}
		w := 3.0
		if letter == "C" {
			w = 1.5
		}
		out = append(out, example{x[1], rows[letter], w})
	}
	return out, nil
}
