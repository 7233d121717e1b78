// Package layout is the page around every page: skip link, header with the navigation that this person's roles allow,
// notices, the main region, the footer.
//
// How to use it, in a .templ file of a page:
//
//	templ People(f layout.Frame, v PeopleView) {
//		@layout.Page(f) {
//			<header class="page-head"><h1>People</h1></header>
//			…
//		}
//	}
//
// A handler makes the Frame with frame.Maker.Frame(c, title) and renders with render.Page. layout.Bare is the same
// page without navigation, for sign-in, setup and errors of people who aren't signed in. layout.Problem is the page of
// an error; render.Fault uses it.
//
// What htmx may do is said once, in the head: requests to our own origin only, no evaluation, no indicator styles of
// its own, no waiting without end. A form or link that wants to be swapped in place stands in an element with
// layout.Boost; everything works the same without it. Parts that follow a topic (layout.Live) fetch their own page
// again and take their own part of it, so that there is one way to draw each thing.
package layout

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/pack"
	"preceptor/static"
	"preceptor/views/ui"
)

// Frame is all that the page around a page needs to know.
type Frame struct {
	Title  string
	Path   string // of the request; marks where one is in the navigation
	Theme  string // "light", "dark", or empty to follow the machine
	NoKeys bool   // single-letter keys turned off
	Dense  bool   // less room between things
	Wide   bool   // false: the main region keeps a comfortable measure where the page says class narrow
	Person *Person
	Nav    []Item
	Own    []Item // what concerns this person, in the account menu
	Unread int    // notices
	Flash  []Flash
	Demo   bool
	Now    time.Time
	Topics string // topics that this page follows, comma separated; empty: none
	// OwnSearch: the page has a search of its own, which answers to the key in place of the one in the header.
	OwnSearch bool
	Waits     Waits
	Packs     []string // that the desk's agents work in; none while there is no agent, and then every pack counts
	Pack      string   // that the page is about; empty: the usual one
}

// Broad is the frame of a page that takes the whole width.
func (f Frame) Broad() Frame {
	f.Wide = true
	return f
}

// At is the frame of a page that belongs to another address than the request's.
func (f Frame) At(path string) Frame {
	f.Path = path
	return f
}

// Follow is the frame of a page that hears when one of the topics changes. The navigation's own come with every such
// page.
func (f Frame) Follow(topics ...string) Frame {
	list := append([]string{"reviews", "learning", "notices", "borderline"}, topics...)
	slices.Sort(list)
	f.Topics = strings.Join(slices.Compact(list), ",")
	return f
}

// Pension reports whether what concerns pensions alone is shown: an agent works in them, or nobody works yet.
func (f Frame) Pension() bool { return len(f.Packs) == 0 || slices.Contains(f.Packs, pack.Pension) }

// UsualPack is the pack that a page or a form begins with: pension where an agent has it or there is no agent, as the
// examples of help expect.
func (f Frame) UsualPack() string {
	if f.Pension() {
		return pack.Pension
	}
	return pack.GeneralName
}

// OfPack is the address of a page for a pack; as it is for the usual one.
func (f Frame) OfPack(href, name string) string {
	if name == "" || name == f.UsualPack() {
		return href
	}
	if strings.Contains(href, "?") {
		return href + "&pack=" + url.QueryEscape(name)
	}
	return href + "?pack=" + url.QueryEscape(name)
}

// DomainLabel is what a rule is filed under, in the words of the packs at work.
func (f Frame) DomainLabel(name string) string {
	return pack.DomainLabel(name, f.Packs...)
}

// Line has the words for the line of the page's pack, else of the usual one.
func (f Frame) Line() pack.Line { return pack.Of(cmp.Or(f.Pack, f.UsualPack())).Line }

// Domains are what rules are filed under in the packs at work.
func (f Frame) Domains() (list []ui.Option) {
	for _, d := range pack.RuleDomains(f.Packs...) {
		list = append(list, ui.Option{Value: d.Name, Label: d.Label})
	}
	return list
}

// Tasks are the topics to choose from: those of the packs at work, and those seen, which agents may have named
// themselves.
func (f Frame) Tasks(seen ...string) (list []ui.Option) {
	packs := f.Packs
	if len(packs) == 0 {
		packs = pack.Names()
	}
	for _, t := range pack.Topics(packs, seen) {
		list = append(list, ui.Option{Value: t, Label: pack.Label(t)})
	}
	return list
}

// Person is who is signed in.
type Person struct {
	Name, Email string
	Roles       []string
}

// Item is one entry of the navigation. Count below zero is not shown; CountLabel says what is counted.
type Item struct {
	Label, Href string
	Count       int
	CountLabel  string
	Also        string // other places that it stands for, with blanks between them
}

// Flash is a notice carried over from the request before.
type Flash struct {
	Tone ui.Tone
	Text string
}

// current reports whether one is in the part of the site that an item opens: of all items, the one that names the path
// most closely.
func (f Frame) current(item Item) bool {
	n := f.covers(item)
	return n > 0 && !slices.ContainsFunc(f.Nav, func(o Item) bool { return f.covers(o) > n })
}

// covers is how much of the path an item's places name.
func (f Frame) covers(item Item) (n int) {
	for _, href := range append(strings.Fields(item.Also), item.Href) {
		if f.Path == href || strings.HasPrefix(f.Path, strings.TrimSuffix(href, "/")+"/") {
			n = max(n, len(href))
		}
	}
	return n
}

func (f Frame) title() string {
	if f.Title == "" {
		return "Preceptor"
	}
	return f.Title + " · Preceptor"
}

func (f Frame) servedAt() string {
	if f.Now.IsZero() {
		return strconv.FormatInt(time.Now().UnixMilli(), 10)
	}
	return strconv.FormatInt(f.Now.UnixMilli(), 10)
}

// htmxConfig is read by htmx once per page.
//
// prefix and defaultSettleDelay are there for speed: we write no data-hx- attributes, and looking for them doubles what
// a page costs htmx at start; nothing of ours moves from an old style to a new one when it is swapped, and waiting for
// that costs each swap a second layout.
const htmxConfig = `{"prefix":"","defaultSettleDelay":0,"mode":"same-origin","includeIndicatorCSS":false,"extensions":"sse","defaultTimeout":20000,"history":true,"sse":{"reconnectMaxDelay":15000}}`

// Boost are the attributes that make the links and forms inside an element swap the main region in place instead of
// loading a whole page. The answer is a whole page; #main is taken from it. The script hands a link or form to htmx
// when it is used: htmx itself would go through all of them at each swap.
func Boost() templ.Attributes {
	return templ.Attributes{"data-boost": `target:"#main" select:"#main" swap:outerHTML`}
}

// Live are the attributes that make the element with this id fetch href again when one of the topics changes and put
// its new self in its place, keeping focus and whatever is open.
func Live(id, href string, topics ...string) templ.Attributes {
	triggers := make([]string, len(topics))
	for i, t := range topics {
		triggers[i] = t + " from:#live throttle:1s"
	}
	return templ.Attributes{
		"hx-get": href, "hx-trigger": strings.Join(triggers, ", "),
		"hx-target": "this", "hx-select": "#" + id, "hx-swap": "outerMorph ignoreTitle:true",
		"hx-sync": "this:queue last", // what changes while a part is under way is drawn as well
	}
}

// unread is how many notices, counted so far as anybody cares.
func unread(n int) string {
	if n > 99 {
		return "99+"
	}
	return strconv.Itoa(n)
}

func asset(name string) string { return static.Path(name) }

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
	ofPack(f.Line().Title, TabRubric)
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
