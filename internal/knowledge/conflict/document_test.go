package conflict_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/conflict"
)

// Two sections that say the opposite in nearly the same words are for a person, and neither hides the other.
func TestDocumentsThatContradictEachOther(t *testing.T) {
	const can = "If your pot is worth ten thousand pounds or less you can usually take all of it in one payment, and " +
		"the first quarter is free of income tax while the rest is taxed as income in the year you take it. The " +
		"limit for this is £10,000."
	for name, c := range map[string]struct {
		other string
		want  string // the conflict
	}{
		"denied": {strings.NewReplacer("usually take", "usually not take", "is free", "is not free").Replace(can),
			conflict.Contradiction},
		"never":  {strings.Replace(can, "can usually take", "can never usually take", 1), conflict.Contradiction},
		"figure": {strings.Replace(can, "10,000", "30,000", 1), conflict.Contradiction},
		"same":   {can + " Ask your provider.", conflict.Duplicate},
	} {
		f := open(t, nil)
		root := fstest.MapFS{"a.md": {Data: []byte("# Small pots rule\n\n## Taking a small pot in cash\n\n" + can)},
			"b.md": {Data: []byte("# Small pots of today\n\n## Taking a small pot in cash\n\n" + c.other)}}
		if _, err := f.kb.Import(ctx, root,
			knowledge.ImportOptions{Source: "x", By: audit.System("test")}); err != nil {
			t.Fatal(err)
		}
		f.drain(t)
		kind := ""
		if list := f.open(t); len(list) > 0 {
			kind = list[0].Kind
			if kind == conflict.Contradiction && !strings.Contains(list[0].Why, "One says “") ||
				list[0].ItemKind != conflict.OfCases {
				t.Errorf("%s: %+v", name, list[0])
			}
		}
		r, err := f.kb.Recall(ctx, knowledge.Query{Text: "Can I take a small pot in cash in one payment?"})
		if err != nil {
			t.Fatal(err)
		}
		if kind != c.want || (len(r.Cases) == 2) != (c.want == conflict.Contradiction) {
			t.Errorf("%s: conflict %q, %d sections are given", name, kind, len(r.Cases))
		}
	}
}
