package datasets

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/dataset"
	"preceptor/internal/dataset/transfer"
	"preceptor/internal/dataset/version"
	run "preceptor/internal/platform/table/imports"
	"preceptor/views/imports"
	"preceptor/views/ui"
)

// Files is import and export of a set.
type Files struct {
	Head
	Versions []version.Version
	Live     bool     // the viewer may have the live set
	Version  string   `form:"version"` // as chosen for the export; "live" or a number
	Format   string   `form:"format"`
	Run      *run.Run // the import that runs, or ran last; nil when there was none
	Report   transfer.Report
	Gather   Gather
}

// Gather is the form to bring in from the desk or from rulings, as it was typed.
type Gather struct {
	Source string `form:"source"`
	Days   string `form:"days"`
	Most   string `form:"most"`
	Final  bool   `form:"final"`
}

var gatherSources = []ui.Option{
	{Value: dataset.FromReview, Label: "drafts that supervisors decided on",
		Hint: "Their decisions are left out, so labelling is blind."},
	{Value: dataset.FromRuling, Label: "texts that experts ruled on as borderline cases",
		Hint: "Available half an hour after the ruling, when it can no longer be undone."},
}

// outcome is what the import came to.
func (v Files) outcome() imports.Outcome {
	r := v.Report
	o := imports.Outcome{Label: "Why", Problems: r.Problems, All: r.Broken + r.Noted, Refused: r.Broken,
		Title: ui.Count(r.Added, "item imported", "items imported"),
		Line: ui.Count(r.Rows, "row") + ": " + ui.Count(r.Duplicates, "was", "were") + " already here, " +
			labelledLine(r.Labelled) + ui.Thousands(r.Broken) + " could not be imported."}
	if used := r.Used(); len(used) > 0 { // a run of before has none
		o.Facts = append(o.Facts, ui.Fact{Label: "Fields used", Value: strings.Join(used, ", ")})
	}
	if len(r.Unused) > 0 {
		o.Facts = append(o.Facts, ui.Fact{Label: "Not used", Value: strings.Join(r.Unused, ", ")})
	}
	if here := r.AlreadyHere(); here != "" {
		o.Facts = append(o.Facts, ui.Fact{Label: "Already here", Value: here})
	}
	if r.Added == 0 && r.Labelled > 0 {
		o.Title = ui.Count(r.Labelled, "item got its final label", "items got their final label")
	}
	if v.Run.Failure != "" {
		o.Line = "Already imported and kept: " + ui.Count(r.Added, "item") + "."
	}
	return o
}

// labelledLine says how many of those that were here got the label they lacked.
func labelledLine(n int) string {
	if n == 0 {
		return ""
	}
	return ui.Thousands(n) + " of them got the final label that was missing, "
}

// Mapping is the second step of an import: which field is what.
type Mapping struct {
	Head
	Upload  string // its number
	Name    string
	Size    int64
	Preview transfer.Preview
	Chosen  transfer.Mapping
	Labels  string // one of transfer.LabelUses
	Rater   string
	Format  string
	Again   bool     // it was read again, in another format
	Checks  bool     // the viewer may plant check items
	Like    *run.Run // as whose file this one is to be read
}

var formatWords = map[transfer.Format]string{transfer.JSONL: "JSON Lines", transfer.CSV: "CSV",
	transfer.Parquet: "Parquet", transfer.HuggingFace: "Hugging Face layout (zip)",
	transfer.LabelStudio: "Label Studio export", transfer.Records: "Argilla or Hugging Face records"}

var exportFormats = []ui.Option{
	{Value: string(transfer.JSONL), Label: "JSON Lines", Hint: "Everything; can be imported again"},
	{Value: string(transfer.CSV), Label: "CSV", Hint: "For spreadsheets; can be imported again"},
	{Value: string(transfer.Parquet), Label: "Parquet"},
	{Value: string(transfer.HuggingFace), Label: "Hugging Face layout",
		Hint: "A zip with the data card and one file for each split"},
}

func (v Files) versionOptions() (list []ui.Option) {
	if v.Live {
		list = append(list, ui.Option{Value: "live", Label: "the set as it is now"})
	}
	for _, o := range v.Versions {
		list = append(list, ui.Option{Value: strconv.Itoa(o.Number),
			Label: fmt.Sprintf("version %d, %s", o.Number, ui.Count(o.Items, "item"))})
	}
	return list
}

func (v Mapping) formatOptions() (list []ui.Option) {
	for _, f := range transfer.ImportFormats {
		list = append(list, ui.Option{Value: string(f), Label: formatWords[f]})
	}
	return list
}

func (v Mapping) useOptions() []ui.Option {
	list := []ui.Option{
		{Value: transfer.Ignored, Label: "ignored", Hint: "Only the texts are imported, to be labelled here."},
		{Value: transfer.AsFinal, Label: "the final labels",
			Hint: "The items need no labelling. The import is recorded under your name."},
		{Value: transfer.AsRater, Label: "labels from other raters",
			Hint: "They count towards the labels an item needs and towards agreement."},
	}
	if v.Checks {
		list = append(list, ui.Option{Value: transfer.AsKnown, Label: "the known answers of hidden check items"})
	}
	return append(list, ui.Option{Value: transfer.AsBoth, Label: "both final labels and raters' labels",
		Hint: "As in a Preceptor export."})
}

// field is one part of an item and the field of the file that it comes from.
type field struct{ Name, Label, Value string }

func (v Mapping) fields() []field {
	c := v.Chosen
	return []field{{"guidance", "Guidance", c.Guidance}, {"question", "Question", c.Question},
		{"messages", "Conversation", c.Messages},
		{"customer", "Customer", c.Customer}, {"map_label", "Label", c.Label},
		{"map_boundary", "Boundary class", c.Boundary}, {"codes", "Issue codes", c.Codes},
		{"map_rationale", "Why", c.Rationale}, {"map_notes", "Notes", c.Notes},
		{"map_rater", "Rater", c.Rater}, {"external", "Id", c.ID}, {"group", "Group (template or customer)", c.Group}}
}

func (v Mapping) fieldOptions(x field) []ui.Option {
	value, list := x.Value, []ui.Option{{Label: "not in the file"}}
	if x.Name == "map_label" && len(v.Preview.Annotated) > 0 {
		list[0].Label = "from the annotations"
	}
	found := value == ""
	for _, f := range v.Preview.Fields {
		list = append(list, ui.Option{Value: f, Label: f})
		found = found || f == value
	}
	if !found {
		label := value
		if strings.HasSuffix(value, ".") {
			label += "…"
		}
		list = append(list, ui.Option{Value: value, Label: label})
	}
	return list
}

func (v Mapping) setLabelOptions() []ui.Option {
	list := []ui.Option{{Label: "as written"}}
	for _, l := range v.Set.Labels {
		list = append(list, ui.Option{Value: l, Label: Name(l)})
	}
	return list
}

// shown are the fields that the preview has room for: first those that are mapped.
func (v Mapping) shown() (list []string) {
	for _, f := range v.fields() {
		for _, have := range v.Preview.Fields {
			if f.Value == have {
				list = append(list, have)
			}
		}
	}
	for _, have := range v.Preview.Fields {
		if !slices.Contains(list, have) {
			list = append(list, have)
		}
	}
	return list[:min(5, len(list))]
}

func size(n int64) string {
	switch {
	case n < 1<<10:
		return strconv.Itoa(int(n)) + " bytes"
	case n < 1<<20:
		return strconv.Itoa(int(n>>10)) + " kB"
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}
