package embedded

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"sync/atomic"

	"preceptor/internal/compliance"
	"preceptor/internal/interaction"
)

// Desk is what this desk's people said of its texts, as precedents beside those that ship. It is safe for concurrent use, and nil is
// a desk where nobody said anything.
type Desk struct{ learned atomic.Pointer[learned] }

type learned struct {
	*Precedents
	name string // the same for the same list
}

// Ruled is a text on which people said what it is.
type Ruled struct {
	Text  string
	Fine  bool   // it was labelled compliant
	Marks []Mark // what was marked in it
	By    string // who said so and when, in words
}

// Mark is an issue that people marked, over the code points from Start to End; of nothing where it is about what the text lacks.
type Mark struct {
	Code       string
	Start, End int
}

// Learn replaces what was learned: of a compliant text each sentence is fine, of any other those that were marked are what they were
// marked as, and of the rest nothing is known.
func (d *Desk) Learn(list []Ruled) {
	if len(list) == 0 {
		d.learned.Store(nil)
		return
	}
	name := fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%#v", list)))
	if d.name() == name {
		return
	}
	var more []Labelled
	for _, r := range list {
		more = append(more, r.sentences()...)
	}
	d.learned.Store(&learned{shipped().with(more), name})
}

// name tells one list that was learned from another; "" is none.
func (d *Desk) name() string {
	if d != nil {
		if l := d.learned.Load(); l != nil {
			return l.name
		}
	}
	return ""
}

func (r Ruled) sentences() (out []Labelled) {
	letters := []rune(r.Text)
	reading := compliance.Read(r.Text)
	for i := range reading.Sentences {
		s := &reading.Sentences[i]
		class, known := 0, r.Fine && len(r.Marks) == 0
		for _, m := range r.Marks {
			if m.Start < 0 || m.Start >= m.End || m.End > len(letters) {
				continue
			}
			start := len(string(letters[:m.Start]))
			end := start + len(string(letters[m.Start:m.End]))
			if at := slices.Index(Classes, m.Code); at > 0 && start < s.End && s.Start < end {
				class, known = at, true
				break
			}
		}
		if known {
			out = append(out, Labelled{Class: class, Text: s.In(reading.Text), Desk: r.By, Of: interaction.TextHash(r.Text)})
		}
	}
	return out
}

// others says which precedents may speak of a text: all but those from that very text, which would recite what it was ruled.
func (d *Desk) others(p *Precedents, text string) func(int) bool {
	if d.name() == "" {
		return nil
	}
	own := interaction.TextHash(text)
	return func(i int) bool { return p.list[i].Of != own }
}

// precedents are those that ship and the desk's.
func (d *Desk) precedents() *Precedents {
	if d != nil {
		if p := d.learned.Load(); p != nil {
			return p.Precedents
		}
	}
	return shipped()
}
