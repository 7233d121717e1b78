package version

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"preceptor/internal/dataset"
)

// enoughToClaim is how many violations, none of them missed, it takes to claim a missed-violation rate of at most 5 %
// with 95 % confidence (0.95^59 < 0.05).
const enoughToClaim = 59

// fewExamples is below what a figure for one label says little.
const fewExamples = 30

// card is the data card: what is in the version, how the labels came about, and what it is not good for.
func card(f *frozen, agreement string) string {
	b := &strings.Builder{}
	v, set := &f.version, f.set
	p := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	p("# %s, version %d\n", plain(set.Name), v.Number)
	p("Frozen on %s by %s. %d items.\n", f.now.Format("2 January 2006"), plain(v.By.Name), v.Items)
	if v.Note != "" {
		p("%s\n", v.Note)
	}
	section := func(title, text string) {
		if text != "" {
			p("## %s\n\n%s\n", title, text)
		}
	}
	section("What it is", set.Description)
	section("What it is for", set.Purpose)
	p("## What is in it\n")
	composition(p, v)
	p("Items come from: %s.\n",
		counted(v.Head.Sources, map[string]string{dataset.FromReview: "reviewed guidance",
			dataset.FromRuling: "borderline rulings",
			dataset.FromImport: "imports", dataset.ByHand: "written by hand"}))
	p("Each item is a customer's facts, a question, and the guidance that was to be sent. Hidden check items, " +
		"excluded items and items without a final label are left out.\n")
	p("## How it was labelled\n")
	p("Rubric: %s. Each item gets %s, given without seeing each other's. %s", orNone(set.Rubric),
		number(set.Overlap, "independent label", "independent labels"),
		map[string]string{
			dataset.AgreeLabel: "Labels that are the same make a final label;",
			dataset.AgreeCodes: "Labels that are the same in label, boundary class and issue codes make a final " +
				"label;",
		}[set.AgreeOn])
	p("what differs is ruled on by a person who did not label it.\n")
	p("How labels became final: %s.\n",
		counted(v.Head.Why, map[string]string{dataset.WhyAgreement: "full agreement", dataset.WhyAdjudication: "ruling",
			dataset.WhyImport: "came with an import", dataset.WhyRuling: "ruling on a borderline case"}))
	section("Agreement", agreement)
	p("## Splits\n")
	p("By the seed `%s`, %d/%d/%d per cent, balanced by label. Items of one group and items whose guidance is nearly "+
		"the same stay together: %s, the largest of %s. Items of an earlier version keep their split.\n",
		plain(v.Head.Seed), v.Head.Shares.Train, v.Head.Shares.Accept, v.Head.Shares.Test,
		number(v.Head.Clusters, "cluster", "clusters"), number(v.Head.Largest, "item", "items"))
	p("## Licence\n\n%s\n", orNone(set.Licence))
	p("## Limits\n")
	for _, l := range limits(f) {
		p("- %s", l)
	}
	return b.String()
}

func composition(p func(string, ...any), v *Version) {
	p("| label | train | accept | test | all |\n|---|---|---|---|---|")
	for _, l := range v.Head.Labels {
		n := [3]int{v.Head.Splits[Train][l], v.Head.Splits[Accept][l], v.Head.Splits[Test][l]}
		p("| %s | %d | %d | %d | %d |", plain(l), n[0], n[1], n[2], n[0]+n[1]+n[2])
	}
	p("")
}

// limits are what a reader of figures on this version has to know.
func limits(f *frozen) (list []string) {
	v := &f.version
	last := v.Head.Labels[len(v.Head.Labels)-1]
	if n := v.Head.Splits[Test][last]; n < enoughToClaim {
		list = append(list,
			fmt.Sprintf("The test split has %d items labelled %s. It takes %d, none of them missed, to claim that at "+
				"most 5 per cent are missed (95 %% confidence).", n, plain(last), enoughToClaim))
	}
	for _, l := range v.Head.Labels {
		if n := v.Head.Splits[Test][l]; n < fewExamples && l != last {
			list = append(list,
				fmt.Sprintf("The test split has only %d items labelled %s; a figure for that label says little.", n,
					plain(l)))
		}
	}
	if n := v.Head.Why[dataset.WhyImport]; n > 0 {
		list = append(list, fmt.Sprintf("%s came with an import; how they were labelled is not known here.",
			number(n, "label", "labels")))
	}
	if v.Items > 0 && v.Head.Largest*10 > v.Items {
		list = append(list, fmt.Sprintf("One cluster holds %d of %d items, so the splits can't be balanced well.",
			v.Head.Largest, v.Items))
	}
	return append(list, "Guidance follows the law and figures of its tax year; labels made under an earlier rubric "+
		"may not hold under a later one.",
		"Texts may hold personal data. What is erased later is left out of exports, and its hash stays.")
}

// counted is "12 full agreement, 3 ruling".
func counted(n map[string]int, names map[string]string) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(n)) {
		name := names[k]
		if name == "" {
			name = k
		}
		parts = append(parts, fmt.Sprintf("%d %s", n[k], name))
	}
	return strings.Join(parts, ", ")
}

func number(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func orNone(s string) string {
	if s == "" {
		return "Not stated"
	}
	return plain(s)
}

// plain keeps a name from being read as Markdown or a table's border.
func plain(s string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "`", "'", "<", "&lt;", "\n", " ", "#", `\#`, "[", `\[`).Replace(s)
}
