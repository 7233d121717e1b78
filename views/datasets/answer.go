package datasets

import (
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/dataset"
	"preceptor/internal/platform/decimal"
	"preceptor/views/ui"
)

// Answer is a form for an answer, as it is typed: a labeller's or a ruling.
type Answer struct {
	Label      string   `form:"label"`
	Boundary   string   `form:"boundary"`
	Confidence string   `form:"confidence"`
	Rationale  string   `form:"rationale"`
	Notes      string   `form:"notes"`
	Codes      []string `form:"code"` // of issues with the whole text
	Spans      []Span
	Quotes     string `form:"quotes"` // "CODE: words", one a line: spans for those who can't select
	SpentMs    string `form:"spent_ms"`
	Message    string
	Errors     map[string]string
}

// Span is an issue with words of the text.
type Span struct {
	Code       string
	Start, End int
	Words      string
}

// Value is a span as its field carries it.
func (s Span) Value() string { return s.Code + " " + strconv.Itoa(s.Start) + " " + strconv.Itoa(s.End) }

// AnswerOf is an answer as its form shows it.
func AnswerOf(a dataset.Answer, text string) Answer {
	v := Answer{Label: a.Label, Boundary: a.Boundary, Rationale: a.Rationale, Notes: a.Notes}
	if a.Confidence != nil {
		v.Confidence = strconv.FormatFloat(*a.Confidence, 'g', -1, 64)
	}
	for _, i := range a.Issues {
		if i.End == 0 {
			v.Codes = append(v.Codes, i.Code)
		} else {
			v.Spans = append(v.Spans,
				Span{Code: i.Code, Start: i.Start, End: i.End, Words: Words(text, i.Start, i.End)})
		}
	}
	return v
}

// Words are the code points start to end of a text; nothing where they don't lie in it.
func Words(text string, start, end int) string {
	r := []rune(text)
	if start < 0 || end > len(r) || start >= end {
		return ""
	}
	return string(r[start:end])
}

// The keys. Digits are labels, the row below them boundary classes, the rest issue codes; what else the screen does has
// f, s, u, n, and what every page does c, j, k, / and ?.
const (
	labelKeys    = "123456789"
	boundaryKeys = "qwert"
	codeKeys     = "adghlzxvbmyiop"
)

func keyAt(keys string, i int) string {
	if i >= len(keys) {
		return ""
	}
	return keys[i : i+1]
}

// confidences are what can be chosen, and whatever else an answer already says.
func confidences(chosen string) []ui.Option {
	list := []ui.Option{{Value: "", Label: "not stated"}, {Value: "1", Label: "certain (100%)"},
		{Value: "0.9", Label: "sure (90%)"}, {Value: "0.8", Label: "fairly sure (80%)"},
		{Value: "0.7", Label: "quite sure (70%)"}, {Value: "0.6", Label: "only just sure (60%)"},
		{Value: "0.5", Label: "a guess (50%)"}}
	for _, o := range list {
		if o.Value == chosen {
			return list
		}
	}
	return append(list, ui.Option{Value: chosen, Label: confidence(chosen)})
}

// confidence is a number between 0 and 1 as a percentage.
func confidence(s string) string {
	f, ok := decimal.Data(s)
	if !ok {
		return s
	}
	return ui.Percent(f)
}

// quoted cuts what a span says to a length that fits in a list.
func quoted(s string) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > 80 {
		return "“" + string(r[:38]) + " … " + string(r[len(r)-38:]) + "”"
	}
	return "“" + string(r) + "”"
}

// Label is the labelling screen.
type Label struct {
	Head
	Task     *dataset.Task // nil: nothing to do, Empty says why
	Then     *dataset.Task // what comes after, loaded ahead
	Empty    string
	Answer   Answer
	Progress dataset.Progress
	Mine     []dataset.MyLabel
	Others   []dataset.Label // after the viewer asked to see them
	Me       string
}

// revising reports whether the item was answered before.
func (v Label) revising() bool { return v.Task != nil && v.Task.Mine != nil }

// skipReasons are those that a key press is enough for.
var skipReasons = []string{"Not enough information", "It is not about guidance", "I know the customer or the case"}

func emptyWords(why string) (icon, title, text string) {
	switch why {
	case dataset.OnlySkipped:
		return "skip", "Only skipped items are left",
			"You have labelled everything else. Go back to the items you skipped, or leave them to others."
	case dataset.OthersHaveIt:
		return "person", "Nothing is available right now",
			"Others have the remaining items open. If they leave one, it comes to you. Check back later."
	case dataset.SetClosed:
		return "lock", "This dataset is closed", "It no longer accepts labels. Yours are kept."
	case dataset.SetEmpty:
		return "inbox", "No items yet", "Items appear here once they are imported or added."
	}
	return "check", "You have labelled everything",
		"Nothing in this dataset needs a label from you. New items appear here."
}

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

// plain is what the only answer says, as text.
func (l line) plain() string {
	switch l.Kind {
	case "name":
		return Name(l.Cells[0])
	case "codes":
		return names((dataset.Answer{Issues: l.Codes[0]}).Codes())
	}
	return l.Cells[0]
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
