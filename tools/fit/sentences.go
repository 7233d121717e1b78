package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/embedded"
	"preceptor/internal/interaction"
)

// readItem is an item as the judges see it.
type readItem struct {
	item
	subject compliance.Subject
	e       *embedded.Evidence
	text    []string // its sentences
	class   []int    // of each sentence; unknown when it is not known, pointed and more when a person pointed at it
	label   int
	codes   [12]bool
	fold    int
	checked compliance.Verdict // of the checks alone
	held    bool               // a person looks, whatever the judges say
	aspect  map[string]int     // by aspect, its label: compliant where only the other has a fault
}

// Classes of sentences beside those of the model.
const (
	unknown = -1
	settled = -10 // less a class: what the model made of an unknown one
	pointed = 100 // added to the class of a sentence that a person pointed at
)

func classOf(code string) int { return max(slices.Index(embedded.Classes, code), 0) }

// prepare reads all items and gives each sentence its class: by the evidence that its author gave, or by comparing the twins
// of a pair.
func prepare(v *compliance.Validator, items []item) []*readItem {
	var out []*readItem
	for _, it := range items {
		r := &readItem{item: it, subject: v.Subject(it.Guidance, it.consult), fold: foldOf(it.author)}
		r.e = embedded.Gather(&r.subject)
		r.checked = v.Checks().Check(it.Guidance, it.consult.Situation())
		r.held = len(r.checked.Because) > 0 || slices.ContainsFunc(r.checked.Issues, func(i compliance.Issue) bool { return i.Severity != compliance.Minor })
		read := r.subject.Reading()
		for _, s := range read.Sentences {
			r.text = append(r.text, s.In(read.Text))
		}
		for i, l := range labels {
			if string(l) == it.Label {
				r.label = i
			}
		}
		for _, c := range it.Codes {
			if k := slices.Index(embedded.Codes, c); k >= 0 {
				r.codes[k] = true
			}
		}
		r.aspect = r.aspects()
		out = append(out, r)
	}
	clean := map[string]map[string]bool{} // by pair, the sentences of its compliant texts
	for _, r := range out {
		if r.label == 0 && r.Pair != "" {
			if clean[r.author+r.Pair] == nil {
				clean[r.author+r.Pair] = map[string]bool{}
			}
			for _, s := range r.text {
				clean[r.author+r.Pair][s] = true
			}
		}
	}
	for _, r := range out {
		r.class = make([]int, len(r.text))
		said := slices.ContainsFunc(r.Codes, func(c string) bool { return classOf(c) > 0 })
		if r.label == 0 || !said {
			continue // what is missing stands in no sentence
		}
		if r.pointed() {
			r.pointAt()
			continue
		}
		twin := clean[r.author+r.Pair]
		for i, s := range r.text {
			if twin == nil || !twin[s] {
				r.class[i] = unknown
			}
		}
	}
	return out
}

// aspects are its labels by aspect. A text without codes that is not compliant has its fault in what it says.
func (r *readItem) aspects() map[string]int {
	out := map[string]int{embedded.Boundary: 0, embedded.Completeness: 0}
	for k, has := range r.codes {
		if has {
			from, to := embedded.Of(embedded.Boundary)
			if k >= from && k < to {
				out[embedded.Boundary] = r.label
			} else {
				out[embedded.Completeness] = r.label
			}
		}
	}
	if out[embedded.Boundary]+out[embedded.Completeness] == 0 {
		out[embedded.Boundary] = r.label
	}
	return out
}

// pointAt marks the sentences that its evidence quotes.
func (r *readItem) pointAt() {
	for _, span := range r.Spans {
		quote, hit := span.Quote, false
		c := classOf(span.Code)
		if c == 0 {
			continue
		}
		for i, s := range r.text {
			if strings.Contains(quote, s) || strings.Contains(s, strings.TrimRight(quote, ". ")) || shares(s, quote) {
				r.class[i], hit = pointed+c, true
			}
		}
		if !hit {
			fmt.Fprintf(os.Stderr, "%s %s: no sentence is %q\n", r.author, r.ID, quote)
		}
	}
}

// pointed tells whether its author said which sentences carry its codes.
func (it item) pointed() bool { return len(it.Spans) > 0 }

// shares tells whether a quote runs over a good part of a sentence.
func shares(s, quote string) bool {
	return len(s) > 40 && (strings.Contains(quote, s[:40]) || strings.Contains(quote, s[len(s)-40:]))
}

// point marks the sentences that carry a code, as evidence.tsv says: the end of an item's id, words of the sentence and, where
// it is not the first that a sentence can carry, the code. What else of such an item was unknown carries none.
func point(items []*readItem, path string) error {
	lines, err := tsv(path)
	if err != nil {
		return err
	}
	found := map[*readItem]bool{}
	for _, parts := range lines {
		for _, r := range items {
			if len(parts) < 2 || r.author != "train" || !strings.HasSuffix(r.ID, "-"+parts[0]) {
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
			for i, text := range r.text {
				if strings.Contains(text, parts[1]) {
					r.class[i], found[r] = pointed+code, true
				}
			}
		}
	}
	for r := range found {
		for i := range r.class {
			if r.class[i] == unknown {
				r.class[i] = 0
			}
		}
	}
	return nil
}

// settle gives each unknown sentence a class: of those that may carry a code, the one that the model believes most.
func settle(items []*readItem, score func(*readItem) [][]float64) {
	for _, r := range items {
		if !slices.ContainsFunc(r.class, func(c int) bool { return c == unknown || c <= settled }) {
			continue
		}
		p := score(r)
		for _, code := range r.Codes {
			c := classOf(code)
			if c == 0 {
				continue
			}
			best, at := -1.0, -1
			for i, k := range r.class {
				if k != unknown && k > settled || k >= pointed {
					continue
				}
				if v := 1 - p[i][0] + p[i][c]; v > best {
					best, at = v, i
				}
			}
			if at >= 0 {
				r.class[at] = settled - c
			}
		}
	}
}

// sentenceExamples are the training vectors of some items. A sentence that stayed unknown is left out, since it may carry what
// the twin lacks.
func sentenceExamples(items []*readItem) []example {
	var out []example
	for _, r := range items {
		for i, c := range r.class {
			w := 1.0
			switch {
			case c >= pointed:
				c, w = c-pointed, pointWeight
			case c <= settled:
				c, w = settled-c, pointWeight
			case c == unknown:
				continue
			}
			out = append(out, example{r.e.Vectors[i], c, w})
		}
	}
	return out
}

// single is one sentence written by itself.
type single struct {
	author, text string
	example
}

// alone reads the sentences of a folder that were written by themselves: NAME.tsv by author, each line with its letter first and
// the sentence last.
func alone(v *compliance.Validator, dir, pattern, letters string, heavy, light float64) ([]single, error) {
	paths, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		return nil, err
	}
	var out []single
	for _, path := range paths {
		lines, err := tsv(path)
		if err != nil {
			return nil, err
		}
		author := strings.TrimSuffix(filepath.Base(path), ".tsv")
		for _, parts := range lines {
			class := strings.Index(letters, parts[0])
			if len(parts) < 2 || class < 0 || len(parts[0]) != 1 {
				return nil, fmt.Errorf("%s: can't read %q", path, parts)
			}
			x := vectors(v, parts[len(parts)-1])
			w := heavy
			if class == 0 {
				w = light
			}
			for _, one := range x {
				out = append(out, single{author, parts[len(parts)-1], example{one, class, w}})
			}
		}
	}
	return out, nil
}

// vectors are what the judges see of a sentence in the middle of a letter.
func vectors(v *compliance.Validator, text string) [][]embedded.Feature {
	s := v.Subject("Here is what you asked about.\n\n"+text+"\n\nMoneyHelper can explain more. Yours sincerely", interaction.Consultation{Question: "What are my options?"})
	x := embedded.Gather(&s).Vectors
	if len(x) < 4 {
		return nil
	}
	x = x[1 : len(x)-2]
	for i := range x {
		x[i] = embedded.WithoutPlace(x[i])
	}
	return x
}

func tsv(path string) ([][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out [][]string
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) != "" {
			out = append(out, strings.Split(lines.Text(), "\t"))
		}
	}
	return out, lines.Err()
}
