// Package datasets draws gold sets: the list, a set with its tabs, the labelling screen, adjudication, agreement,
// frozen versions, files in and out.
//
// Whoever labels must not learn what others said, nor which items are checks. What is drawn for a labeller is made of
// dataset.Task, dataset.Progress and one's own labels alone; the counters by state, single items and figures of people
// are drawn only where Head.Keeper says so. The labelling screen answers to a key per label; every mark that can be
// made by selecting words can be made by quoting them in a field as well.
package datasets

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/dataset"
	"preceptor/internal/pack"
	"preceptor/internal/platform/decimal"
	"preceptor/internal/platform/text"
	"preceptor/views/reviews"
	"preceptor/views/ui"
)

// Head is what all pages of one set begin with.
type Head struct {
	Set     *dataset.Dataset
	Tab     string // "", items, adjudicate, agreement, versions, files, settings
	Keeper  bool   // manager or administrator: sees items, checks and figures of people
	Expert  bool   // may label and rule
	Admin   bool   // may erase
	ToLabel bool   // the viewer can give labels that are needed
	Error   string // of the form on the page
	Errors  map[string]string
	Now     time.Time
}

// List is all sets.
type List struct {
	Rows []Row
	// Keeper sees how the labels turned out.
	Keeper bool
	Expert bool
}

// Row is one set and where the viewer stands in it.
type Row struct {
	dataset.Dataset
	dataset.Progress
}

// Show is the overview of one set.
type Show struct {
	Head
	dataset.Progress
	Own     dataset.Figure
	Figures []dataset.Figure // for a keeper
	Invited bool             // the viewer may label here
	dataset.Stuck
	Fetch bool // the figures of agreement come by themselves, after the page: they take a while in a large set
}

// Form is a set's settings as they are typed.
type Form struct {
	Head
	New          bool
	Name         string `form:"name"`
	Description  string `form:"description"`
	Purpose      string `form:"purpose"`
	Guidelines   string `form:"guidelines"`
	Rubric       string `form:"rubric"`
	Licence      string `form:"licence"`
	Pack         string `form:"pack"`
	Labels       string `form:"labels"`
	Boundaries   string `form:"boundaries"`
	Codes        string `form:"codes"`
	Overlap      string `form:"overlap"`
	MaxLabels    string `form:"max_labels"`
	CheckShare   string `form:"check_share"`
	AgreeOn      string `form:"agree_on"`
	VersionTyped int    `form:"version"`
	InvitedOnly  bool   `form:"invited"`
	Reveal       bool   `form:"reveal"`
	Adjudicate   bool   `form:"adjudicate"`
	People       []dataset.Member
	Experts      int // who may label and rule now
	dataset.Stuck
}

func (h Head) href(parts ...string) string {
	return "/datasets/" + h.Set.ID + strings.Join(parts, "")
}

// tabs of one set; what a role may not open is not there.
func (h Head) tabs() []ui.Tab {
	list := []ui.Tab{h.tab("Overview", "")}
	if h.Keeper {
		list = append(list, h.tab("Items", "items"))
	}
	if h.Expert || h.Tab == "adjudicate" {
		list = append(list, h.tab("Adjudicate", "adjudicate"))
	}
	return append(list, h.tab("Agreement", "agreement"), h.tab("Versions", "versions"),
		h.tab("Import and export", "files"), h.tab("Settings", "settings"))
}

func (h Head) tab(label, name string) ui.Tab {
	t := ui.Tab{Label: label, Href: h.href(), Count: -1, Current: h.Tab == name}
	if name != "" {
		t.Href = h.href("/" + name)
	}
	return t
}

// Name is a label, class or code in words: MISSING_DB_WARNING → "Missing DB warning".
func Name(code string) string { return reviews.FlagName(code) }

func names(codes []string) string {
	out := make([]string, len(codes))
	for i, c := range codes {
		out[i] = Name(c)
	}
	return strings.Join(out, ", ")
}

// labelTone gives the labels that the product ships with their meaning; any other has none.
func labelTone(label string) (ui.Tone, string) {
	switch label {
	case "COMPLIANT_GUIDANCE":
		return ui.Green, "check"
	case "BORDERLINE":
		return ui.Amber, "warn"
	case "NON_COMPLIANT":
		return ui.Red, "stop"
	}
	return ui.Neutral, ""
}

// stateMark is how an item's state is drawn.
func stateMark(it dataset.Item) (ui.Tone, string, string) {
	switch {
	case it.Settling:
		return ui.Neutral, "clock", "settling"
	case it.State == dataset.ItemLabelled && it.Final == nil:
		return ui.Amber, "person", "labelled, not final"
	}
	switch it.State {
	case dataset.ItemLabelled:
		return ui.Green, "check", "labelled"
	case dataset.ItemDisputed:
		return ui.Amber, "warn", "disputed"
	case dataset.ItemAdjudicated:
		return ui.Green, "check", "adjudicated"
	case dataset.ItemExcluded:
		return ui.Neutral, "cross", "left out"
	case dataset.ItemErased:
		return ui.Neutral, "lock", "erased"
	}
	return ui.Neutral, "clock", "open"
}

var whyWords = map[string]string{dataset.WhyAgreement: "all labels agree", dataset.WhyAdjudication: "adjudicated",
	dataset.WhyImport: "imported", dataset.WhyRuling: "ruled on as a borderline case"}

var sourceWords = map[string]string{dataset.FromReview: "from a review", dataset.FromRuling: "from a ruling",
	dataset.FromImport: "imported", dataset.ByHand: "written by hand"}

// word is m[k], or k itself where nobody gave it words.
func word(m map[string]string, k string) string {
	if w := m[k]; w != "" {
		return w
	}
	return k
}

// pace is how long something took, short: "18 s", "2 min 5 s".
func pace(ms int64) string {
	s := (ms + 500) / 1000
	switch {
	case ms == 0:
		return "not measured"
	case s < 60:
		return fmt.Sprintf("%d s", max(s, 1))
	}
	return fmt.Sprintf("%d min %d s", s/60, s%60)
}

// opening is the beginning of a text for a list.
func opening(s string) string { return text.Opening(s, 140) }

// customerFacts are what is known of a customer, a line for each thing.
func customerFacts(raw json.RawMessage) []ui.Fact {
	var m map[string]any
	if len(raw) == 0 || json.Unmarshal(raw, &m) != nil {
		return nil
	}
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	var out []ui.Fact
	for _, name := range names {
		if v := plain(m[name], ", "); v != "" {
			out = append(out, ui.Fact{Label: pack.Plain(name), Value: v})
		}
	}
	return out
}

// plain writes a JSON value for people.
func plain(v any, between string) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case float64:
		if v == float64(int64(v)) {
			return ui.Thousands(int(v))
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	case []any:
		parts := make([]string, 0, len(v))
		for _, x := range v {
			parts = append(parts, plain(x, " "))
		}
		if len(v) > 0 {
			if _, nested := v[0].(map[string]any); nested {
				return strings.Join(parts, "\n")
			}
		}
		return strings.Join(parts, between)
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		parts := make([]string, 0, len(v))
		for _, name := range names {
			if x := plain(v[name], ", "); x != "" {
				parts = append(parts, pack.Plain(name)+" "+x)
			}
		}
		return strings.Join(parts, ", ")
	}
	return fmt.Sprint(v)
}

// percent of a part; "n/a" of nothing.
func percent(part, whole int) string {
	if whole == 0 {
		return "n/a"
	}
	return strconv.Itoa(decimal.PercentOf(part, whole)) + "%"
}

// FormOf is a set as its form shows it.
func FormOf(s dataset.Settings) Form {
	lines := func(l []string) string { return strings.Join(l, "\n") }
	most := max(s.MaxLabels, s.Overlap) // 0 stands for the overlap
	return Form{Name: s.Name, Description: s.Description, Purpose: s.Purpose, Guidelines: s.Guidelines,
		Rubric: s.Rubric, Licence: s.Licence, Pack: pack.Of(s.Pack).Name,
		Labels: lines(s.Labels), Boundaries: lines(s.Boundaries), Codes: lines(s.Codes),
		Overlap:    strconv.Itoa(s.Overlap),
		MaxLabels:  strconv.Itoa(most),
		CheckShare: strconv.Itoa(s.CheckShare), AgreeOn: s.AgreeOn, InvitedOnly: s.Invited, Reveal: s.Reveal,
		Adjudicate: s.Adjudicate}
}

// packOptions are the domains whose drafts a set's texts can be.
func packOptions() (out []ui.Option) {
	for _, p := range pack.All() {
		out = append(out, ui.Option{Value: p.Name, Label: p.Title})
	}
	return out
}

var orderOptions = []ui.Option{
	{Value: evaluate.TeachesMost, Label: "Those that would teach the judge most",
		Hint: "The judge is unsure of them, and they are unlike what is labelled."},
	{Value: evaluate.AsTheyCame, Label: "In the order they came"},
}

var agreeOptions = []ui.Option{
	{Value: dataset.AgreeLabel, Label: "label", Hint: "Codes that everyone gave become final too."},
	{Value: dataset.AgreeCodes, Label: "label, boundary class and issue codes"},
}

func (v Form) action() string {
	if v.New {
		return "/datasets"
	}
	return v.href("/settings")
}

// completeLine says how many items are complete, and what made them so: people's labels, or the file they came with.
func completeLine(all dataset.Overall, overlap int) string {
	line := ui.Thousands(all.Complete) + " of " + ui.Thousands(all.Items)
	if all.Imported > 0 {
		line += ", " + ui.Thousands(all.Imported) + " imported with a final label"
	}
	if all.Imported == 0 || all.Imported < all.Items {
		line += ", " + ui.Count(overlap, "independent label") + " each"
	}
	return line
}
