package datasets

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"preceptor/internal/dataset"
	"preceptor/internal/dataset/version"
	"preceptor/views/ui"
)

// Versions lists the frozen versions of a set, and freezes one.
type Versions struct {
	Head
	List   []version.Version
	Note   string `form:"note"`
	Train  string `form:"train"`
	Accept string `form:"accept"`
	Test   string `form:"test"`
	Secret string `form:"seed"` // of the splits
	Ready  dataset.Ready
	dataset.Stuck
}

// Version is one frozen version.
type Version struct {
	Head
	Version *version.Version
	Rows    []*version.Row
	More    int // N of the last row shown, when there are more
	Split   string
	Others  []version.Version
	Diff    *version.Diff
	With    int
	Checked *Checked
}

// Checked is what hashing a version anew found.
type Checked struct {
	Findings []version.Finding
	Erased   int
}

func (v Version) base(more ...string) string {
	return v.href("/versions/"+strconv.Itoa(v.Version.Number)) + strings.Join(more, "")
}

// splitName is what a split is called; validation is its name in the Hugging Face layout.
func splitName(s string) string {
	switch s {
	case version.Train:
		return "Train"
	case version.Accept:
		return "Accept"
	case version.Test:
		return "Test"
	}
	return s
}

// total counts a split.
func total(v *version.Version, split string) (n int) {
	for _, k := range v.Head.Splits[split] {
		n += k
	}
	return n
}

func splitsLine(v *version.Version) string {
	parts := make([]string, 0, 3)
	for _, s := range version.Splits {
		parts = append(parts, ui.Thousands(total(v, s))+" "+s)
	}
	return strings.Join(parts, ", ")
}

// howMany are the reasons of final labels behind a number.
var howMany = map[string]string{dataset.WhyAgreement: "agreed on", dataset.WhyAdjudication: "adjudicated",
	dataset.WhyImport: "imported", dataset.WhyRuling: "ruled on as borderline cases"}

func whyLine(v *version.Version) string {
	var parts []string
	for k, n := range v.Head.Why {
		parts = append(parts, ui.Thousands(n)+" "+word(howMany, k))
	}
	sort.Strings(parts)
	return strings.Join(parts, ", ")
}

func (v Version) otherOptions() []ui.Option {
	list := []ui.Option{{Label: "no other"}}
	for _, o := range v.Others {
		if o.Number != v.Version.Number {
			list = append(list, ui.Option{Value: strconv.Itoa(o.Number), Label: "version " + strconv.Itoa(o.Number)})
		}
	}
	return list
}

func (v Version) with() string {
	if v.With == 0 {
		return ""
	}
	return strconv.Itoa(v.With)
}

func (v Version) splitTabs() []ui.Tab {
	list := []ui.Tab{{Label: "All", Href: v.base(), Count: v.Version.Items, Current: v.Split == ""}}
	for _, s := range version.Splits {
		list = append(list, ui.Tab{Label: splitName(s), Href: v.base("?split=" + s), Count: total(v.Version, s),
			Current: v.Split == s})
	}
	return list
}

func (v Version) pages() ui.Pages {
	p := ui.Pages{}
	q := ""
	if v.Split != "" {
		q = "&split=" + v.Split
	}
	if len(v.Rows) > 0 {
		p.Note = fmt.Sprintf("Items %s to %s of the version", ui.Thousands(v.Rows[0].N),
			ui.Thousands(v.Rows[len(v.Rows)-1].N))
		if v.Rows[0].N > 1 && v.Split == "" {
			p.First = v.base()
		}
	}
	if v.More > 0 {
		p.Next = v.base("?after="+strconv.Itoa(v.More), q)
	}
	return p
}

func changeKinds(d *version.Diff) []struct {
	Name  string
	N     int
	Moves bool
	List  []version.Change
} {
	type kind = struct {
		Name  string
		N     int
		Moves bool
		List  []version.Change
	}
	return []kind{{"Added", d.Counts.Added, false, d.Added}, {"Removed", d.Counts.Removed, false, d.Removed},
		{"Other label", d.Counts.Relabelled, true, d.Relabelled},
		{"Same label, other codes", d.Counts.Recoded, true, d.Recoded}, {"Other split", d.Counts.Moved, true, d.Moved}}
}
