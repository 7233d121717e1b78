package layout

import (
	"cmp"
	"slices"

	"preceptor/internal/pack"
	"preceptor/views/ui"
)

// Waits counts what waits for the person who looks at the page; all zero for those who settle nothing.
type Waits struct {
	// borderline cases for them, those past their target among them, and texts to rate
	Cases, Late, Ratings                   int
	Rules, Unstated, Failed                int // lessons to accept, without a sentence, and with a step that failed
	Conflicts, Quarantined, Due, Documents int
	Changes                                int // that wait for this person's agreement
}

// Attention is how much of the knowledge needs attention.
func (w Waits) Attention() int { return w.Conflicts + w.Quarantined + w.Due + w.Documents }

// All is everything but labels, of which there may be thousands.
func (w Waits) All() int {
	return w.Cases + w.Ratings + w.Rules + w.Unstated + w.Failed + w.Attention() + w.Changes
}

// The tabs of Rules and cases, by the address that each leads to.
const (
	TabRules      = "/knowledge"
	TabCases      = "/knowledge?kind=cases"
	TabLearning   = "/learning"
	TabConflicts  = "/knowledge/conflicts"
	TabQuarantine = "/knowledge/quarantine"
	TabDocuments  = "/knowledge/documents"
	TabUnanswered = "/knowledge/unanswered"
	TabMore       = "/knowledge/more"
)

func (f Frame) knowledgeTabs(current string) []ui.Tab {
	attention := ui.Tab{Label: "Needs attention", Href: TabConflicts, Count: shown(f.Waits.Attention()),
		Current: slices.Contains(attentionTabs, current)}
	for _, t := range f.attentionTabs("") { // leads to the first that has something
		if t.Count > 0 {
			attention.Href = t.Href
			break
		}
	}
	tab := func(label, href string) ui.Tab {
		return ui.Tab{Label: label, Href: href, Count: -1, Current: href == current}
	}
	list := []ui.Tab{tab("Rules", TabRules), tab("Cases", TabCases), tab("Learning", TabLearning), attention}
	if f.Has("supervisor", "expert", "manager", "admin") {
		list = append(list, tab("Unanswered", TabUnanswered))
	}
	return append(list, tab("More", TabMore))
}

var attentionTabs = []string{TabConflicts, TabQuarantine, TabDocuments}

func (f Frame) attentionTabs(current string) []ui.Tab {
	list := []ui.Tab{{Label: "Conflicts", Href: TabConflicts, Count: f.Waits.Conflicts},
		{Label: "Quarantine and reviews due", Href: TabQuarantine, Count: f.Waits.Quarantined + f.Waits.Due},
		{Label: "Documents", Href: TabDocuments, Count: f.Waits.Documents}}
	for i := range list {
		list[i].Count, list[i].Current = shown(list[i].Count), list[i].Href == current
	}
	return list
}

// shown is a count that is shown where there is something.
func shown(n int) int {
	if n == 0 {
		return -1
	}
	return n
}

// The tabs of Standards.
const (
	TabRubric = "/compliance/rubric"
	TabIssues = "/compliance/rubric?kind=taxonomy"
	TabChecks = "/compliance/checks"
	TabJudges = "/compliance/judges"
)

func (f Frame) standardsTabs(current string) (list []ui.Tab) {
	add := func(label, href string, when bool) {
		if when {
			list = append(list, ui.Tab{Label: label, Href: href, Count: -1, Current: href == current})
		}
	}
	ofPack := func(label, href string) {
		list = append(list, ui.Tab{Label: label, Href: f.OfPack(href, f.Pack), Count: -1, Current: href == current})
	}
	add("Ruled cases", "/compliance", !f.Has("expert"))
	ofPack("Guidance boundary", TabRubric)
	ofPack("Issues", TabIssues)
	add("Checks", TabChecks, true)
	add("Judges", TabJudges, f.Has("expert", "manager", "admin"))
	return list
}

// PackTabs lead to a page for each pack at work.
func (f Frame) PackTabs(href string) (list []ui.Tab) {
	for _, p := range pack.All() {
		if slices.Contains(f.Packs, p.Name) {
			list = append(list, ui.Tab{Label: p.Title, Href: f.OfPack(href, p.Name), Count: -1,
				Current: p.Name == cmp.Or(f.Pack, f.UsualPack())})
		}
	}
	return list
}

// Has reports whether the person has one of some roles.
func (f Frame) Has(roles ...string) bool {
	return f.Person != nil && slices.ContainsFunc(f.Person.Roles, func(r string) bool {
		return slices.Contains(roles, r)
	})
}
