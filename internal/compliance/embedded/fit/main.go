// Command fit fits the weights of the embedded judges on labelled texts, by cross-validation grouped by family, and measures.
//
//	go run ./internal/compliance/embedded/fit -train internal/compliance/testdata/dev_train.jsonl -eval FILE
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"sort"
	"time"

	"preceptor/internal/compliance"
)

func main() {
	eval := flag.String("eval", "", "measure on this file")
	quiet := flag.Bool("quiet", false, "summary only")
	flag.Parse()
	items, err := load(*eval)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	v := compliance.New(compliance.NewChecker(func() time.Time { return time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC) }), compliance.Panel{})
	var f figures
	for _, it := range items {
		got := v.Validate(context.Background(), it.Guidance, it.consult)
		f.add(it, got)
		if !*quiet {
			show(it, got)
		}
	}
	f.print(*eval)
}

func show(it item, v compliance.Verdict) {
	want := map[string]bool{}
	for _, c := range it.Codes {
		want[c] = true
	}
	for _, i := range v.Issues {
		if !want[i.Code] {
			fmt.Printf("FALSE %s (%s) %s/%s: %q\n", it.ID, it.Label, i.Code, i.Severity, i.Quote)
		}
		delete(want, i.Code)
	}
	for c := range want {
		fmt.Printf("MISS  %s %s: %s\n", it.ID, c, it.Note)
	}
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
		fmt.Printf("    %-28s tp %3d fp %3d fn %3d\n", c, x[0], x[1], x[2])
	}
}
