package datasets

import (
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/dataset"
	"preceptor/views/ui"
)

// Waiting is what waits for a ruling.
type Waiting struct {
	Head
	State  string // dataset.ItemDisputed or dataset.ItemLabelled
	Page   dataset.ItemPage
	Cursor string
	dataset.Stuck
}

// Ruling is the page on which somebody rules on an item.
type Ruling struct {
	Head
	dataset.Sides
	Answer Answer
	Me     string
	Next   string // id of the item that waits next; "" when none does
	UndoID string // of the ruling whose undoing went wrong
	Why    string // typed for it
}

func (v Waiting) href2(state, cursor string) string {
	h := v.href("/adjudicate?state=" + state)
	if cursor != "" {
		h += "&cursor=" + cursor
	}
	return h
}

func (v Waiting) pages() ui.Pages {
	p := ui.Pages{}
	if v.Cursor != "" {
		p.First = v.href2(v.State, "")
	}
	if v.Page.Next != "" {
		p.Next = v.href2(v.State, v.Page.Next)
	}
	return p
}

// standing is the ruling that counts; nil when none does.
func (v Ruling) standing() *dataset.Ruling {
	if n := len(v.Rulings); n > 0 && v.Rulings[n-1].UndoneAt.UnixMilli() <= 0 {
		return &v.Rulings[n-1]
	}
	return nil
}

// marks are the words that anybody marked, numbered by person.
func (v Ruling) marks() (list []ui.Mark) {
	for n, l := range v.Labels {
		for _, i := range l.Issues {
			if i.End > 0 {
				list = append(list, ui.Mark{Start: i.Start, End: i.End, Number: n + 1, Tone: ui.Amber,
					Label: Name(i.Code) + ", " + l.By.Name, Href: "#side-" + strconv.Itoa(n+1)})
			}
		}
	}
	return list
}

// line is one thing that answers say, a cell for each answer.
type line struct {
	Name  string
	Kind  string // "label", "codes", "text"
	Cells []string
	Codes [][]dataset.Issue
}

// Differs reports whether the answers do not say the same.
func (l line) Differs() bool {
	for _, c := range l.Cells {
		if c != l.Cells[0] {
			return true
		}
	}
	return false
}

// compared are the answers, thing by thing. What nobody said is left out; texts always differ, so they are not marked.
func compared(labels []dataset.Label) []line {
	all := []line{{Name: "Label", Kind: "label"}, {Name: "Boundary class", Kind: "name"},
		{Name: "Issues", Kind: "codes"}, {Name: "Confidence", Kind: "text"},
		{Name: "Why", Kind: "text"}, {Name: "Notes", Kind: "text"}, {Name: "Time", Kind: "text"}}
	for _, l := range labels {
		sure := ""
		if l.Confidence != nil {
			sure = confidence(strconv.FormatFloat(*l.Confidence, 'g', -1, 64))
		}
		spent := ""
		if l.SpentMs > 0 {
			spent = pace(l.SpentMs)
		}
		for i, cell := range []string{l.Label, l.Boundary, strings.Join(l.Codes(), ","), sure, l.Rationale, l.Notes,
			spent} {
			all[i].Cells = append(all[i].Cells, cell)
			all[i].Codes = append(all[i].Codes, l.Issues)
		}
	}
	return slices.DeleteFunc(all, func(l line) bool {
		return !slices.ContainsFunc(l.Cells, func(c string) bool { return c != "" })
	})
}

func raterWord(l dataset.Label) string {
	switch {
	case l.External:
		return "from a file"
	case l.Revision > 1:
		return "changed " + ui.Times(l.Revision-1)
	}
	return ""
}

// nothingDisputed is said of a list on which nothing stands for this person.
func nothingDisputed(unruled int) string {
	if unruled > 0 {
		return "Nothing for you to rule on"
	}
	return "No disputed items"
}
