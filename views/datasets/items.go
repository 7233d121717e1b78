package datasets

import (
	"strings"

	"preceptor/internal/dataset"
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
		line += " and " + ui.Count(n, "other expert", "other experts")
	}
	return line
}
