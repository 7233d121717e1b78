package knowledge

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzParseDocument(f *testing.F) {
	for _, s := range []string{"", "# A\n\nb", "---\nlabel: x\n---\n# A\n\n^b^", "$E\n$E\n$C",
		"{::x path=\"y\"/}{: .b}", "<table><tr><td>a<td>b</table>", "- a\n  - b\n\n1. c",
		"a | b\n-|-\n1 | 2", strings.Repeat("<div>", 3000), strings.Repeat("> ", 500), "\xef\xbb\xbf# B",
		"---\n- a\n---\nx", "<h2></h2><h2>a<p>b</h2>", "---\r\na: b\r\n---\r\nx"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := parseMarkdown("a/b.md", raw)
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
	if _, err := parseMarkdown("a.md", []byte("---\n- a\n- b\n---\n# X\n\ny")); err == nil {
		t.Error("a list passed for front matter")
	}
}

func TestDeepNestingEnds(t *testing.T) {
	for _, s := range []string{strings.Repeat("<div>", 20_000) + "x", strings.Repeat("- ", 2_000) + "x",
		strings.Repeat("> ", 2_000) + "x", strings.Repeat("<ul><li>", 5_000) + "x"} {
		if _, err := parseMarkdown("a.md", []byte("# A\n\n"+s)); err != nil {
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
	want, err := parseMarkdown("a.md", []byte(page))
	if err != nil || len(want.sections) < 2 {
		t.Fatalf("%+v, %v", want, err)
	}
	for _, end := range []string{"\r", "\r\n"} {
		got, err := parseMarkdown("a.md", []byte(strings.ReplaceAll(page, "\n", end)))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v", end, got, err)
		}
	}
}

// Code keeps its lines, indents and marks, in lists and quotations too; a table keeps its header, however many columns
// it has.
func TestCodeAndHeadersOfTablesAreKept(t *testing.T) {
	for _, c := range []struct{ page, want string }{
		{"Run:\n\n```sh\n#!/bin/sh\nif true; then\n\n  echo {::a}\nfi\n```\n\nDone.",
			"Run:\n\n#!/bin/sh\nif true; then\n\n  echo {::a}\nfi\n\nDone."},
		{"~~~\n$E\n## no heading\n$E\n| - | - |\n~~~", "$E\n## no heading\n$E\n| - | - |"},
		{"- Set:\n\n  ```\n  a: 1\n    b: 2\n  ```\n- Save.", "- Set:\n  a: 1\n    b: 2\n- Save."},
		{"> ```\n> one\n> two\n> ```", "one\ntwo"}, {"<pre>\n x\n  y\n</pre>", " x\n  y"},
		{"Text\n\n    indented\n    code", "Text\n\nindented\ncode"},
		// a fence without an end is no reason to read marks as text
		{"```\nnever closed\n$E\n^Note^", "never closed\n\n\nNote"},
		{"````\n```\nin\n```\n````", "```\nin\n```"},
		{"Fee | Amount\n-|-\nAdvice | 1%\nExit | none", "- Fee: Advice; Amount: 1%\n- Fee: Exit; Amount: none"},
		{"| | Amount |\n|-|-|\n| Advice | 1% |", "- Advice: Amount: 1%"},
		{"| Age | Tax | Note |\n|-|-|-|\n| 55 | 20% | |\n| Later | | |", "- Age: 55; Tax: 20%\nLater"},
		{"| Bring |\n|-|\n| A passport |", "Bring\nA passport"}, {"| Fee | Amount |\n|-|-|", "- Fee: Amount"},
		{"<table><tr></tr><tr><th>Fee<th>Amount</tr><tr><td>Exit<td>5</tr></table>", "- Fee: Exit; Amount: 5"},
		{"<table><tr><td>Exit<td>5</tr></table>", "- Exit: 5"},
	} {
		d, err := parseMarkdown("a.md", []byte("# A\n\n"+c.page+"\n"))
		if err != nil || len(d.sections) != 1 || d.sections[0].text != c.want {
			t.Errorf("%q: %v\n%q\nwant\n%q", c.page, err, d.sections[0].text, c.want)
		}
	}
}
