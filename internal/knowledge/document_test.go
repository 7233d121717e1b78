package knowledge

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzParseDocument(f *testing.F) {
	for _, s := range []string{"", "# A\n\nb", "---\nlabel: x\n---\n# A\n\n^b^", "$E\n$E\n$C", "{::x path=\"y\"/}{: .b}", "<table><tr><td>a<td>b</table>", "- a\n  - b\n\n1. c",
		"a | b\n-|-\n1 | 2", strings.Repeat("<div>", 3000), strings.Repeat("> ", 500), "\xef\xbb\xbf# B", "---\n- a\n---\nx", "<h2></h2><h2>a<p>b</h2>", "---\r\na: b\r\n---\r\nx"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := parseDocument("a/b.md", raw)
		if err != nil {
			var bad *brokenDocument
			if !errors.As(err, &bad) || bad.line < 1 || bad.why == "" {
				t.Fatalf("a broken file without a line or reason: %v", err)
			}
			return
		}
		seen := map[string]bool{}
		for _, s := range d.cited() {
			if seen[s.citation] {
				t.Fatalf("%q is cited twice", s.citation)
			}
			seen[s.citation] = true
			if !utf8.ValidString(s.text) || s.heading == "" && d.title != "" {
				t.Fatalf("section %+v", s)
			}
		}
	})
}

func TestFrontMatterThatIsAList(t *testing.T) {
	if _, err := parseDocument("a.md", []byte("---\n- a\n- b\n---\n# X\n\ny")); err == nil {
		t.Error("a list passed for front matter")
	}
}

func TestDeepNestingEnds(t *testing.T) {
	for _, s := range []string{strings.Repeat("<div>", 20_000) + "x", strings.Repeat("- ", 2_000) + "x", strings.Repeat("> ", 2_000) + "x", strings.Repeat("<ul><li>", 5_000) + "x"} {
		if _, err := parseDocument("a.md", []byte("# A\n\n"+s)); err != nil {
			var bad *brokenDocument
			if !errors.As(err, &bad) {
				t.Error(err)
			}
		}
	}
}

// However a document's lines end, it has the same sections.
func TestLineEndsOfDocuments(t *testing.T) {
	const page = "---\nlabel: Page\n---\n# A 5\" title\n\nWords.\n\n## Second\n\nMore words.\n"
	want, err := parseDocument("a.md", []byte(page))
	if err != nil || len(want.sections) < 2 {
		t.Fatalf("%+v, %v", want, err)
	}
	for _, end := range []string{"\r", "\r\n"} {
		got, err := parseDocument("a.md", []byte(strings.ReplaceAll(page, "\n", end)))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v", end, got, err)
		}
	}
}
