package sentence

import (
	"math"
	"strings"
)

const (
	// titleTimes is how often a word of the heading counts among the words, and titleShare what the heading is of the meaning.
	titleTimes = 3
	titleShare = 0.3
	// maxSection bounds the work for one section, in pieces.
	maxSection = 2048
	// leastSentence is how many bytes a sentence has at least, so that "e.g." ends none.
	leastSentence = 12
)

// section is the meaning of a heading and the sentences below: the network learned from sentences, and their mean finds more than the
// mean of the pieces of a whole page.
func (w *weights) section(head, rest string) []float32 {
	title, told := w.meaning(w.pieces.split(head))
	body := make([]float32, wide)
	left, any := maxSection, false
	for _, s := range sentences(rest) {
		ids := w.pieces.split(s)
		ids = ids[:min(len(ids), left)]
		left -= len(ids)
		v, weight := w.meaning(ids)
		by := float32(math.Sqrt(weight)) // a long sentence says more than a short one, but not twice as much for twice the length
		for i, x := range v {
			body[i] += by * x
		}
		any = any || weight > 0
	}
	switch {
	case !any:
		return title
	case told == 0:
		return unit(body)
	}
	unit(body)
	for i := range body {
		body[i] = titleShare*title[i] + (1-titleShare)*body[i]
	}
	return unit(body)
}

// meaning is the vector of pieces that belong together, and how much they tell: 0 for none.
func (w *weights) meaning(ids []int32) (v []float32, weight float64) {
	return lately.of(ids[:min(len(ids), maxSection)], func(ids []int32) ([]float32, float64) {
		var s sum
		for len(ids) > 0 {
			n := w.pieces.pass(ids)
			w.add(&s, ids[:n])
			ids = ids[n:]
		}
		return w.finish(&s), s.weight
	})
}

// sentences cuts text at the ends of lines and sentences.
func sentences(text string) (out []string) {
	from := 0
	for i, r := range text {
		if i-from < leastSentence || !ends(text, i, r) {
			continue
		}
		out = append(out, text[from:i+1])
		from = i + 1
	}
	if strings.TrimSpace(text[from:]) != "" {
		out = append(out, text[from:])
	}
	return out
}

func ends(text string, at int, r rune) bool {
	switch r {
	case '\n':
		return true
	case '.', '?', '!':
		return at+1 == len(text) || text[at+1] == ' ' || text[at+1] == '\n'
	}
	return false
}
