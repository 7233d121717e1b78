package measure

import (
	"fmt"
	"slices"
)

// Confusion counts truth against what was said, over a fixed list of labels.
type Confusion struct {
	Labels []string `json:"labels"`
	Counts [][]int  `json:"counts"` // of each truth, each label said
}

// NewConfusion is empty.
func NewConfusion(labels ...string) *Confusion {
	c := &Confusion{Labels: slices.Clone(labels), Counts: make([][]int, len(labels))}
	for i := range c.Counts {
		c.Counts[i] = make([]int, len(labels))
	}
	return c
}

// Add counts one item. A label that is not on the list is a defect of the caller.
func (c *Confusion) Add(truth, said string) error {
	t, s := slices.Index(c.Labels, truth), slices.Index(c.Labels, said)
	if t < 0 || s < 0 {
		return fmt.Errorf("measure: labels %q and %q: not both are among %q", truth, said, c.Labels)
	}
	c.Counts[t][s]++
	return nil
}

// Score is how well one label, or one issue code, was found. F1 is 2TP/(2TP+FP+FN), so that a label that occurs and is
// never found has 0; it is undefined only for one that neither occurs nor was said.
type Score struct {
	Label     string `json:"label"`
	Found     int    `json:"found"`  // true positives
	False     int    `json:"false"`  // said where it is not
	Missed    int    `json:"missed"` // not said where it is
	Precision Rate   `json:"precision"`
	Recall    Rate   `json:"recall"`
	F1        Figure `json:"f1"`
}

func score(label string, found, wrong, missed int) Score {
	return Score{
		Label: label, Found: found, False: wrong, Missed: missed,
		Precision: NewRate(found, found+wrong), Recall: NewRate(found, found+missed),
		F1: share(2*float64(found), float64(2*found+wrong+missed), "it never occurs and was never predicted"),
	}
}

// Scores are those of each label.
func (c *Confusion) Scores() []Score {
	out := make([]Score, len(c.Labels))
	for k, label := range c.Labels {
		said, truly := 0, 0
		for i := range c.Labels {
			said += c.Counts[i][k]
			truly += c.Counts[k][i]
		}
		hit := c.Counts[k][k]
		out[k] = score(label, hit, said-hit, truly-hit)
	}
	return out
}

// Items is how many were counted.
func (c *Confusion) Items() (n int) {
	for _, row := range c.Counts {
		for _, x := range row {
			n += x
		}
	}
	return n
}

// Micro is the share that was right. For one label an item it equals micro precision, micro recall and micro F1.
func (c *Confusion) Micro() Rate {
	right := 0
	for i := range c.Labels {
		right += c.Counts[i][i]
	}
	return NewRate(right, c.Items())
}

// Macro is the mean F1 of the labels that occur or were said.
func (c *Confusion) Macro() Figure { return Macro(c.Scores()) }

// Macro is the mean of the F1 that are defined.
func Macro(scores []Score) Figure {
	sum, n := 0.0, 0.0
	for _, s := range scores {
		if s.F1.Defined() {
			sum += s.F1.Value
			n++
		}
	}
	return share(sum, n, "there are no items")
}

// CodeScores judge sets of issue codes: Micro over all codes together, and each code, in the order of their names.
type CodeScores struct {
	Micro Score   `json:"micro"`
	Codes []Score `json:"codes"`
}

// Codes counts issue codes. The zero value is empty.
type Codes struct {
	counts map[string]*[3]int // found, wrong, missed
}

// Add counts one item: each code once, however often it was found.
func (c *Codes) Add(truth, said []string) {
	if c.counts == nil {
		c.counts = map[string]*[3]int{}
	}
	for code := range union(truth, said) {
		n := c.counts[code]
		if n == nil {
			n = new([3]int)
			c.counts[code] = n
		}
		switch {
		case !slices.Contains(truth, code):
			n[1]++
		case !slices.Contains(said, code):
			n[2]++
		default:
			n[0]++
		}
	}
}

func union(lists ...[]string) map[string]bool {
	all := map[string]bool{}
	for _, list := range lists {
		for _, s := range list {
			all[s] = true
		}
	}
	return all
}

// Scores are what was counted.
func (c *Codes) Scores() CodeScores {
	var names []string
	for code := range c.counts {
		names = append(names, code)
	}
	slices.Sort(names)
	var out CodeScores
	var all [3]int
	for _, code := range names {
		n := c.counts[code]
		out.Codes = append(out.Codes, score(code, n[0], n[1], n[2]))
		for i := range all {
			all[i] += n[i]
		}
	}
	out.Micro = score("", all[0], all[1], all[2])
	return out
}
