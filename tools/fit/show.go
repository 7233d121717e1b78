package main

import (
	"fmt"
	"sort"

	"preceptor/internal/compliance"
)

// show prints what a verdict got wrong.
func show(it item, v compliance.Verdict) {
	want := map[string]bool{}
	for _, c := range it.Codes {
		want[c] = true
	}
	p := []float64{}
	for _, j := range v.Judges {
		p = append(p, j.Violation())
	}
	if string(v.Label) != it.Label {
		fmt.Printf("LABEL %s %s is %s, got %s by %s, judges %.2f\n", it.author, it.ID, it.Label, v.Label, v.Source, p)
	}
	if v.Passed && !v.RequiresHumanReview && it.Label == string(compliance.NonCompliant) {
		fmt.Printf("CLEARED %s %s %v %q %.2f\n", it.author, it.ID, it.Codes, it.Evidence, p)
	}
	for _, i := range v.Issues {
		by := "check"
		if i.By != "" {
			by = "judges"
		}
		if !want[i.Code] {
			fmt.Printf("   FALSE %s %s (%s) %s %s/%s: %q\n", it.author, it.ID, it.Label, by, i.Code, i.Severity, i.Quote)
		}
		delete(want, i.Code)
	}
	for c := range want {
		fmt.Printf("   MISS  %s %s %s: %s %q\n", it.author, it.ID, c, it.Note, it.Evidence[c])
	}
}

func (f *figures) line(name string) {
	fmt.Printf("%-6s n %3d macro F1 %.3f codes %.3f missed %d of %d (%.1f %%) cleared %d of %d (%.0f %%)\n", name, f.n, f.macroF1(), f1(f.tp, f.fp, f.fn),
		f.missed, f.violations, 100*float64(f.missed)/float64(f.violations), f.cleared, f.clean, 100*float64(f.cleared)/float64(f.clean))
}

func (f *figures) print(name string) {
	fmt.Printf("%s: n %d\n  truth\\verdict  comp  bord  non\n", name, f.n)
	for i, l := range labels {
		fmt.Printf("  %-20s %4d %4d %4d\n", l, f.confusion[i][0], f.confusion[i][1], f.confusion[i][2])
	}
	fmt.Printf("  missed violations %d of %d; cleared compliant %d of %d; macro F1 %.3f; code micro F1 %.3f (tp %d fp %d fn %d)\n",
		f.missed, f.violations, f.cleared, f.clean, f.macroF1(), f1(f.tp, f.fp, f.fn), f.tp, f.fp, f.fn)
	var codes []string
	for c := range f.byCode {
		codes = append(codes, c)
	}
	sort.Strings(codes)
	for _, c := range codes {
		x := f.byCode[c]
		fmt.Printf("    %-28s tp %3d fp %3d fn %3d, by checks alone tp %3d fp %3d\n", c, x[0], x[1], x[2], f.checks[c][0], f.checks[c][1])
	}
}
