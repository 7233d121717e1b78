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

// A table is laid out as a browser does: what goes over several rows or columns is in each of them, several rows of
// headers are one, and no cell is dropped.
func TestTablesAreLaidOutInAGrid(t *testing.T) {
	for _, c := range []struct{ page, want string }{
		{"<table><thead><tr><th>Area<th>Order<th>Charge</thead><tbody><tr><td rowspan=2>Islands<td>under £500<td>£79" +
			"<tr><td>£500 and over<td>£45<tr><td>Jersey<td colspan=2>not delivered</table>",
			"- Area: Islands; Order: under £500; Charge: £79\n- Area: Islands; Order: £500 and over; Charge: £45\n" +
				"- Area: Jersey; Order: not delivered; Charge: not delivered"},
		{"<table><tr><th rowspan=2>Item<th colspan=2>Days to return<tr><th>Home<th>Trade<tr><td>Chairs<td>30<td>10</table>",
			"- Item: Chairs; Days to return, Home: 30; Days to return, Trade: 10"},
		{"<table><tr><th colspan=3>Prices<tr><td></td><th>Single<th>Double<tr><th rowspan=2>Oak<td>£300<td>£400<tr>" +
			"<td>£310<td>£410</table>",
			"Prices\n- Oak: Single: £300; Double: £400\n- Oak: Single: £310; Double: £410"},
		{"<table><tr><td></td><td>Two doors<td>Three doors<tr><td>Oak<td>£700<td>£800</table>",
			"- Oak: Two doors: £700; Three doors: £800"},
		{"<table><tr><th>Type<th>Price<tr><td colspan=2>Bar stools<tr><td>High<td>£80</table>",
			"Bar stools\n- Type: High; Price: £80"},
		{"<table><tr><td>Jersey<td colspan=2>not delivered<tr><td rowspan=2>Leeds<td>Monday<td>£5<tr><td>Sunday<td>£9</table>",
			"- Jersey: not delivered\n- Leeds: Monday; £5\n- Leeds: Sunday; £9"},
		{"<table><caption>In <b>thousands</b><p>of £</caption><tr><th>Band<th>Cost<tr><td>Low<td>10</table>",
			"In thousands of £\n- Band: Low; Cost: 10"},
		{"<table><tr><td><td>Charge<tr><td>Plan<td>Low<td>High<tr><td>A<td>1<td>9</table>",
			"Charge\n- Plan: Low; High\n- A: 1; 9"},
		{"<table><tr><th rowspan=99999999>A<th colspan=99999999>B<tr><td>1<td>2</table>", "- A: A; B: 1; B: 2"},
		{"| a | b |\n|---|---|\n| has \\| pipe | `x` |\n| short |\n| too | many | cells | here |",
			"- a: has | pipe; b: x\nshort\n- a: too; b: many; cells; here"},
		{"Fee | Amount\n-|-\nExit | none | ever", "- Fee: Exit; Amount: none; ever"},
	} {
		d, err := parseMarkdown("a.md", []byte("# A\n\n"+c.page+"\n"))
		if err != nil || len(d.sections) != 1 || !strings.HasPrefix(d.sections[0].text, c.want) {
			t.Errorf("%q: %v\n%q\nwant\n%q", c.page, err, d.sections[0].text, c.want)
		}
	}
}

// A raised figure is a power or the mark of a note, and never a part of the figure before it; what is struck out isn't
// guidance, and the report counts it.
func TestRaisedAndStruckOut(t *testing.T) {
	for _, c := range []struct {
		page, want string
		struck     string
	}{
		{"It costs £45<sup>1</sup> and takes 30<sup>2</sup> minutes.<br><sup>1</sup>Beds: £60", "It costs £45 ¹ and takes 30 ² " +
			"minutes. ¹ Beds: £60", ""},
		{"On 20 m<sup>2</sup>, 10<sup>3</sup> times, 10<sup>-3</sup>, the 1<sup>st</sup>, £10<sup>2</sup>, fee<sup>2</sup>",
			"On 20 m², 10³ times, 10⁻³, the 1st, £10 ², fee ²", ""},
		{"£<b>45</b><sup><a href='#n'>[1]</a></sup> £9<sup>a</sup>", "£45 (1) £9 (a)", ""},
		{"Oslo <s>£899</s> <ins>£599</ins>. <del>Free cushions.</del>", "Oslo £599.", "out: 2"},
		{"Oslo ~~£899~~ £599, ~10 to ~20 days, 9~5 or 8~4.", "Oslo £599, ~10 to ~20 days, 9~5 or 8~4.", "out: 1"},
		{"Oslo <strike>£899\nor</strike> £599", "Oslo £599", "out: 1"},
	} {
		d, err := parseMarkdown("a.md", []byte("# A\n\n"+c.page+"\n"))
		if err != nil || d.sections[0].text != c.want || (c.struck == "") != (len(d.notes) == 0) ||
			c.struck != "" && !strings.HasSuffix(d.notes[0].Why, c.struck) {
			t.Errorf("%q: %v\n%q\nwant\n%q, %v", c.page, err, d.sections[0].text, c.want, d.notes)
		}
	}
	d, err := parseDocument("a.html", "a.html", []byte("<h1>A</h1><p>It was <span style='text-decoration: line-through'>"+
		"£9</span> is £8<span style='vertical-align: super'>1</span> now."))
	if err != nil || d.sections[0].text != "It was is £8 ¹ now." || len(d.notes) != 1 {
		t.Errorf("%q %v %v", d.sections[0].text, d.notes, err)
	}
}

// Lists have the numbers and letters that a reader sees, and terms what is said of them.
func TestNumbersOfLists(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"a.md", "55. Access.\n\n75. Last.\n\n2026. New.\n1. Old.", "55. Access.\n75. Last.\n2026. New.\n1. Old."},
		{"a.md", "1. a\n1. b\n1. c", "1. a\n2. b\n3. c"},
		{"a.md", "3) a\n   - 7. b\n     9. c\n4) d", "3. a\n    7. b\n    9. c\n4. d"},
		{"a.html", "<ol start=12><li>a<li>b</ol>", "12. a\n13. b"},
		{"a.html", "<ol><li value=55>a<li>b<li value=75>c</ol>", "55. a\n56. b\n75. c"},
		{"a.html", "<ol type=a start=26><li>a<li>b<li type=I value=14>c</ol>", "z. a\naa. b\nXIV. c"},
		{"a.html", "<ol reversed><li>a<li>b</ol>", "2. a\n1. b"},
		{"a.html", "<ol type=i reversed start=4><li>a<li>b</ol>", "iv. a\niii. b"},
		{"a.html", "<dl><dt>Fee:<dd>none<dt>Age<dt>Term<dd>55<dd>60</dl>", "- Fee: none\n- Age, Term: 55; 60"},
	} {
		d, err := parseDocument(c.name, c.name, []byte("<h1>T</h1>\n\n"+c.page))
		if err != nil || len(d.sections) != 1 {
			t.Fatalf("%s: %v", c.page, err)
		}
		if got := d.sections[0].text; got != c.want {
			t.Errorf("%s: %q, want %q", c.page, got, c.want)
		}
	}
}

// A table's spans go over the rows and columns that there are, and one that they make too large is left out with a note.
func TestSpansAreBounded(t *testing.T) {
	d, err := parseDocument("a.html", "a.html", []byte("<h1>T</h1><table><tr><th rowspan=0>Band<th>Low<th>High<tr><td>£0<td>£9"+
		"</table><table><tr><th>Huge<td colspan=1000 rowspan=65534>z<tr><td>y</table>"))
	if want := "- Band: Band; Low: £0; High: £9\n\n- Huge: z\n- y: z"; err != nil || d.sections[0].text != want {
		t.Errorf("%v %+v", err, d)
	}
	for _, page := range []string{
		strings.Repeat("<tr><td rowspan=60000 colspan=90>1", 3000),
		"<tr><th>" + strings.Repeat("x", 20_000) + "<th>b" + strings.Repeat("<tr><td>1<td>2", 20_000),
	} {
		d, err := parseDocument("a.html", "a.html", []byte("<h1>T</h1><p>Before.</p><table>"+page+"</table>"))
		if err != nil || d.sections[0].text != "Before." || len(d.notes) != 1 || !strings.Contains(d.notes[0].Why, "left out") {
			t.Errorf("%.30s: %v %v", page, err, d.notes)
		}
	}
}

// Whatever is in a list of terms is kept, in its order; and lists, lines and headers of any length are read once.
func TestTermsKeepWhatIsBesideThem(t *testing.T) {
	many := strings.Repeat("<dd>x", 80_000)
	for page, want := range map[string]string{
		"<dl>Bare £3<dt>Fee:<dd>£4<dd>£5</dl>":                      "Bare £3\n\n- Fee: £4; £5",
		"<dl><dt>A<dt>B<dd>1</dd><ul><li>z £4</ul><dd>2<dt>C:</dl>": "- A, B: 1\n\n- z £4\n\n- 2\n- C:",
		"<dl><div><dt>A<dd>1</div><div><p>P £6</div></dl>":          "- A: 1\n\nP £6",
		"<dl><dt>A" + many + "</dl>":                                "- A: x" + strings.Repeat("; x", 79_999),
		"<p>A" + strings.Repeat("<br>x", 80_000):                    "A" + strings.Repeat(" x", 80_000),
		"<table>" + strings.Repeat("<tr><th>h<th>i", 80_000) + "<tr><td>1<td>2</table>": "- h" +
			strings.Repeat(", h", 79_999) + ": 1; i" + strings.Repeat(", i", 79_999) + ": 2",
	} {
		d, err := parseDocument("a.html", "a.html", []byte("<h1>T</h1>"+page))
		if err != nil || len(d.sections) != 1 || d.sections[0].text != want {
			t.Errorf("%.80s: %v %.200q", page, err, d.sections[0].text)
		}
	}
}

// Columns of Markdown have three blanks somewhere, and marks that aren't in pairs are kept; a heading begins a section.
func TestColumnsOfMarkdownAreSure(t *testing.T) {
	for text, want := range map[string]string{
		"Exit    £5 **\nSilver  £9 **\nAll     **£7**": "- Exit: £5 **\n- Silver: £9 **\n- All: £7",
		"Exit   £5**\nEarly  £9**":                     "- Exit: £5**\n- Early: £9**",
		"It is  one pot, and\nso is  the other.":       "It is one pot, and so is the other.",
		"Setup   £5\n## Exit\nEarly   £10":             "Setup £5",
		"Setup   £5\n> Exit £7\nEarly   £10":           "Setup £5\n\nExit £7 Early £10",
	} {
		d, err := parseMarkdown("a.md", []byte("# T\n\n"+text))
		if err != nil || d.sections[0].text != want || len(d.notes) > 0 || strings.Contains(text, "##") != (len(d.sections) > 1) {
			t.Errorf("%q: %v %+v %v", text, err, d.sections, d.notes)
		}
	}
}

// Columns that blanks make in Markdown are a table, or kept as they are with a note.
func TestColumnsOfBlanksInMarkdown(t *testing.T) {
	d, err := parseMarkdown("a.md", []byte("# T\n\n            2024    2025\nPaid in     1\n**Out**               2\n\n- a:   b\n- c:   d\n\n"+
		"Gold   £1\nTin          £2\n\nEnd."))
	const want = "- Paid in: 2024: 1\n- Out: 2025: 2\n\n- a: b\n- c: d\n\nGold   £1\nTin          £2\n\nEnd."
	if err != nil || d.sections[0].text != want || len(d.notes) != 1 || d.notes[0].Line != 10 {
		t.Errorf("%v %+v", err, d)
	}
}
