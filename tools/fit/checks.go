package main

import (
	"fmt"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"preceptor/internal/compliance"
)

// checksAlone prints what the deterministic checks find by themselves, by author and code. only names authors, by commas; empty
// for all. With code, it also prints what is found wrongly and missed of it.
func checksAlone(dir, only, code string) error {
	checker := compliance.NewChecker(func() time.Time { return time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC) })
	paths, err := filepath.Glob(filepath.Join(dir, "texts", "*.jsonl"))
	if err != nil {
		return err
	}
	var items []item
	for _, p := range paths {
		some, err := load(strings.TrimSuffix(filepath.Base(p), ".jsonl"), p)
		if err != nil {
			return err
		}
		items = append(items, some...)
	}
	type key struct{ author, code string }
	n := map[key]*[3]int{}
	at := func(author, code string) []*[3]int {
		var out []*[3]int
		for _, k := range []key{{author, code}, {"all", code}} {
			if n[k] == nil {
				n[k] = &[3]int{}
			}
			out = append(out, n[k])
		}
		return out
	}
	for _, it := range items {
		if only != "" && !strings.Contains(","+only+",", ","+it.author+",") {
			continue
		}
		v := checker.Check(it.Guidance, it.consult.Situation())
		found := map[string]compliance.Issue{}
		for _, i := range v.Issues {
			found[i.Code] = i
		}
		want := map[string]bool{}
		for _, c := range it.Codes {
			want[c] = true
			_, ok := found[c]
			k := 2
			if ok {
				k = 0
			} else if c == code {
				printMiss(it, c)
			}
			for _, x := range at(it.author, c) {
				x[k]++
			}
		}
		for c, i := range found {
			if !want[c] {
				for _, x := range at(it.author, c) {
					x[1]++
				}
				if c == code {
					fmt.Printf("FALSE %s %s %s %v %s: %q %s\n", it.author, it.ID, it.Label, it.Codes, i.Severity, i.Quote, i.Why)
				}
			}
		}
	}
	var keys []key
	for k := range n {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		if keys[i].code != keys[j].code {
			return keys[i].code < keys[j].code
		}
		return keys[i].author < keys[j].author
	})
	for _, k := range keys {
		x := n[k]
		fmt.Printf("%-28s %-6s tp %3d fp %3d fn %3d\n", k.code, k.author, x[0], x[1], x[2])
	}
	return nil
}

func printMiss(it item, c string) {
	fmt.Printf("MISS  %s %s %s: %s %q\n", it.author, it.ID, c, it.Note, it.Evidence[c])
}
