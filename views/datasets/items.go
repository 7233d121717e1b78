package datasets

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/dataset"
	"preceptor/views/layout"
	"preceptor/views/ui"
)

// Items is a part of a set.
type Items struct {
	Head
	Filter dataset.ItemFilter
	Page   dataset.ItemPage
	People []dataset.Member // on whose lists items can be put
}

// Item is one item, for whoever keeps the set.
type Item struct {
	Head
	dataset.Item
	Answer Answer // for a check
	Reason string `form:"reason"`
	Form   string // which form went wrong: "exclude", "check", "erase"
	Waits  bool   // for a ruling, by one of Rulers
	Rulers []dataset.Person
}

// NewItem is an item as it is written by hand.
type NewItem struct {
	Head
	Question string `form:"question"`
	Customer string `form:"customer"`
	Guidance string `form:"guidance"`
	Group    string `form:"group"`
}

var itemStates = []ui.Option{{Value: "", Label: "every state"}, {Value: dataset.ItemOpen, Label: "open"},
	{Value: dataset.ItemLabelled, Label: "labelled"},
	{Value: dataset.ItemDisputed, Label: "disputed"}, {Value: dataset.ItemAdjudicated, Label: "adjudicated"},
	{Value: dataset.ItemExcluded, Label: "left out"}, {Value: dataset.ItemErased, Label: "erased"}}

func (v Items) labelOptions() []ui.Option {
	list := []ui.Option{{Label: "every final label"}}
	for _, l := range v.Set.Labels {
		list = append(list, ui.Option{Value: l, Label: Name(l)})
	}
	return list
}

func (v Items) listHref(cursor string) string {
	v.Filter.Cursor = cursor
	return ui.Address(v.href("/items"), v.Filter)
}

func (v Items) filtered() bool {
	return v.Filter.State+v.Filter.Label != "" || v.Filter.Flagged || v.Filter.Checks
}

func (v Items) peopleOptions() []ui.Option {
	list := make([]ui.Option, len(v.People))
	for i, p := range v.People {
		list[i] = ui.Option{Value: p.ID, Label: p.Name}
	}
	return list
}

// assignable reports whether an item can be put on somebody's list.
func (v Items) assignable(it dataset.Item) bool {
	return len(v.People) > 0 && it.State == dataset.ItemOpen && !it.Settling && !it.Check
}

func (v Items) pages() ui.Pages {
	p := ui.Pages{}
	if v.Filter.Cursor != "" {
		p.First = v.listHref("")
	}
	if v.Page.Next != "" {
		p.Next = v.listHref(v.Page.Next)
	}
	return p
}

// peopleLine names people, a few of them where there are many.
func peopleLine(list []dataset.Person) string {
	const most = 5
	names := make([]string, 0, most)
	for _, p := range list[:min(most, len(list))] {
		names = append(names, p.Name)
	}
	line := strings.Join(names, ", ")
	if n := len(list) - most; n > 0 {
		line += " and " + ui.Count(n, "other expert")
	}
	return line
}

// shortWords say that items may need more labels than there are people here.
func shortWords(st dataset.Stuck) (title, text string) {
	title = "Too few people can label"
	text = "An item may need labels from " + ui.Count(st.Needed, "person", "different people") + ", but only " +
		ui.Count(st.Labeller, "person can label here", "people can label here") + "."
	if st.Labeller == 0 {
		text = "An item may need labels from " + ui.Count(st.Needed, "person", "different people") +
			", but nobody can label here."
	}
	return title, text + " Items that need more labels can't be completed."
}

// unruledTitle says how many items wait for who decides where no expert is left.
func unruledTitle(n int) string {
	return ui.Count(n, "item is waiting for a ruling by a manager or an administrator",
		"items are waiting for a ruling by a manager or an administrator")
}

// readyLine is one figure of what a version leaves behind, and why.
type readyLine struct {
	N    int
	What string
	Href string // where it can be seen to; "" where nobody can do anything
	Act  string
}

// left lists what a version would leave behind now.
func (v Versions) left() (list []readyLine) {
	add := func(n int, one, many, href, act string) { // a full stop stands where something can be done
		if href != "" {
			one, many = one+". ", many+". "
		}
		if n > 0 {
			list = append(list, readyLine{N: n, What: strings.TrimPrefix(ui.Count(n, one, many), ui.Thousands(n)+" "),
				Href: href, Act: act})
		}
	}
	r := v.Ready
	rule := ""
	if v.Expert || v.Unruled > 0 && v.Keeper {
		rule = v.href("/adjudicate")
	}
	label := ""
	if v.ToLabel {
		label = v.href("/label")
	}
	add(r.Open, "needs labels", "need labels", label, "Label")
	add(r.Settling, "has its labels, but the last can still be undone for a few minutes",
		"have their labels, but the last can still be undone for a few minutes", "", "")
	add(r.Disputed, "is disputed and waiting for a ruling", "are disputed and waiting for a ruling", rule, "Adjudicate")
	if v.Expert {
		rule = v.href("/adjudicate?state=" + dataset.ItemLabelled)
	}
	add(r.Agreed, agreedWhy(v.Set.Settings, "is waiting"), agreedWhy(v.Set.Settings, "are waiting"), rule, "Adjudicate")
	add(r.Excluded, "was left out", "were left out", "", "")
	return list
}

// agreedWhy says why labels that agree are not final.
func agreedWhy(s dataset.Settings, waits string) string {
	if s.Adjudicate {
		return waits + " for a ruling, which this dataset requires on every item"
	}
	return waits + " for a ruling, because one label alone isn't final"
}

// goesLine says what freezing would take in.
func (v Versions) goesLine() string {
	line := ui.Count(v.Ready.Goes, "item has a final label and will be included.",
		"items have a final label and will be included.")
	if v.Ready.Waits() == 0 {
		return line + " Nothing is missing."
	}
	return line + " You can freeze a version without the rest; the next one includes what is final by then."
}

// restLine says of a set what is not final yet, for who keeps it.
func restLine(c dataset.Counts) string {
	ordinary := c.Items - c.Checks - c.Excluded
	switch {
	case c.Final == 0 && c.Open == ordinary:
		return "none yet; a version includes what is final"
	case c.Final >= ordinary:
		return "all that can be; ready to freeze"
	}
	var parts []string
	if c.Open > 0 {
		parts = append(parts, ui.Count(c.Open, "needs labels", "need labels"))
	}
	if ruling := ordinary - c.Final - c.Open; ruling > 0 {
		parts = append(parts, ui.Count(ruling, "is waiting for a ruling", "are waiting for a ruling"))
	}
	return "of " + ui.Thousands(ordinary) + "; " + strings.Join(parts, ", ")
}

// warned reports whether the labels that are asked for, as typed, leave no expert to rule.
func (v Form) warned() bool {
	most, err := strconv.Atoi(v.MaxLabels)
	labels, err2 := strconv.Atoi(v.Overlap)
	return err == nil && err2 == nil && max(most, labels) >= v.Experts
}

// thirdLine says, before labels are given, with how many on an item an expert is left to rule, and who rules otherwise.
func thirdLine(experts int) string {
	switch experts {
	case 0:
		return "Nobody has the expert role yet. An administrator can give it; then they can label."
	case 1:
		return "Your firm has 1 expert, so no expert is left to rule on what they label. A manager or an " +
			"administrator does."
	}
	return fmt.Sprintf(
		"Your firm has %d experts. If up to %d label an item, an expert is left to rule when they disagree. "+
			"With more labels on an item, a manager or an administrator rules on it.", experts, experts-1)
}

// mayLearn reports whether this person may have a version teach; the page behind the button asks again.
func mayLearn(f layout.Frame) bool {
	return f.Person != nil && (slices.Contains(f.Person.Roles, "expert") || slices.Contains(f.Person.Roles, "admin"))
}
