package document_test

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"preceptor/internal/platform/document"
)

var (
	heading = regexp.MustCompile(`(?s)<h([1-6])(?: id="([^"]*)")?>(.*?)</h[1-6]>`)
	anyTag  = regexp.MustCompile(`<[^>]*>`)
)

// headings are those of a page, with their level, as "2 Fees".
func headings(p document.Page) (out []string) {
	for _, m := range heading.FindAllStringSubmatch(p.HTML, -1) {
		out = append(out, m[1]+" "+strings.TrimSpace(html.UnescapeString(anyTag.ReplaceAllString(m[3], ""))))
	}
	return out
}

func read(t *testing.T, name string, raw []byte) document.Page {
	t.Helper()
	p, err := document.Read(name, raw)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return p
}

// Documents that an office program and a browser made, tagged and not, have the headings that their authors gave them,
// with the page on which they stand, and tables row by row.
func TestFilesOfProgramsKeepTheirHeadings(t *testing.T) {
	for name, want := range map[string][]string{
		"office.pdf": {"1 What tax do you pay on your pension?", "2 How each pension option is taxed",
			"2 Other tax you could pay", "2 The 25% tax-free amount", "3 Take it all in one go", "3 Take it in chunks",
			"2 How your tax is paid", "3 If you continue to work", "3 If you have other income"},
		"office-plain.pdf": {"1 What happens to my pension when I move abroad?", "2 Taking your pension from abroad",
			"2 Moving your pension abroad", "2 Tax when taking your pension abroad", "2 Your State Pension",
			"2 Getting more help"},
		"browser.pdf": {"1 Debt", "2 Arrangements to pay your debts", "2 Bankruptcy", "2 Getting help with debt"},
		"browser-untagged.pdf": {"1 Running Preceptor", "2 Starting it", "2 The first accounts", "2 TLS", "2 Memory",
			"2 A language model", "2 Backup and restore", "2 Checks and monitoring", "2 The audit record", "2 Jobs",
			"2 Upgrading"},
		"office.docx": {"1 Datasets", "2 Creating a dataset", "2 Labelling", "2 Adjudication", "2 Agreement",
			"2 Versions", "2 Files"},
	} {
		raw, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		p := read(t, name, raw)
		if got := headings(p); !slices.Equal(got, want) {
			t.Errorf("%s:\n%q\nwant\n%q", name, got, want)
		}
		if strings.HasSuffix(name, ".pdf") && !strings.Contains(p.HTML, ` id="page=1">`) {
			t.Errorf("%s: no pages", name)
		}
		if name == "office.pdf" && !strings.Contains(p.HTML, "<tr><td>Take your whol e pot in one go</td>") {
			t.Errorf("the table is lost: %s", p.HTML)
		}
	}
}

const wordSpace = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="urn:mc"`

func word(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, body := range parts {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(body))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func para(style, inner string) string {
	return `<w:p><w:pPr><w:pStyle w:val="` + style + `"/></w:pPr>` + inner + `</w:p>`
}

func said(s string) string { return `<w:r><w:t xml:space="preserve">` + s + `</w:t></w:r>` }

// A Word document is read as a person sees it: headings by their style, whatever it is called, tables as such; without
// what was deleted or hidden, the table of contents and the copy of a text box for old programs.
func TestWord(t *testing.T) {
	body := para("Title", said("Transfers")) + para("TOC1", said("Fees 1")) + para("H", said("Fees")) +
		`<w:p>` + said("Until ") + `<w:del><w:r><w:delText>2024</w:delText></w:r></w:del><w:ins>` + said("2026") +
		`</w:ins><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>` +
		`<w:tbl><w:tblPr><w:tblLook w:val="04A0"/></w:tblPr><w:tr><w:tc><w:p>` + said("Fee") + `</w:p></w:tc><w:tc><w:p>` +
		said("Amount") + `</w:p></w:tc></w:tr><w:tr><w:tc><w:p>` + said("Exit") + `</w:p></w:tc><w:tc><w:p>` + said("1%") +
		`</w:p></w:tc></w:tr></w:tbl>` + para("Kid", said("Who decides")) + `<w:p><w:pPr><w:numPr><w:numId w:val="1"/>` +
		`</w:numPr></w:pPr>` + said("The trustees") + `</w:p><w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>` +
		`<w:p>` + said("Boxed") + `</w:p></w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent><w:p>` + said("Boxed") +
		`</w:p></w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>`
	style := func(id, name, more string) string {
		return `<w:style w:styleId="` + id + `"><w:name w:val="` + name + `"/>` + more + `</w:style>`
	}
	p := read(t, "a.docx", word(t, map[string]string{
		"word/document.xml": `<w:document ` + wordSpace + `><w:body>` + body + `</w:body></w:document>`,
		"word/styles.xml": `<w:styles ` + wordSpace + `>` + style("Title", "Title", "") + style("TOC1", "toc 1", "") +
			style("H", "heading 1", "") + style("Kid", "Ours", `<w:basedOn w:val="Over2"/>`) +
			style("Over2", "Überschrift", `<w:pPr><w:outlineLvl w:val="1"/></w:pPr>`) + `</w:styles>`,
		"word/footnotes.xml": `<w:footnotes ` + wordSpace + `><w:footnote w:id="2"><w:p>` + said("See the deed.") +
			`</w:p></w:footnote></w:footnotes>`,
		"word/header1.xml": `<w:hdr ` + wordSpace + `><w:p>` + said("CONFIDENTIAL") + `</w:p></w:hdr>`,
	}))
	const want = "<h1>Transfers</h1>\n<h1>Fees</h1>\n<p>Until 2026 (See the deed.)</p>\n<table><tr><th>Fee</th>" +
		"<th>Amount</th></tr><tr><td>Exit</td><td>1%</td></tr></table>\n<h2>Who decides</h2>\n<ul><li>The trustees</li>\n" +
		"</ul>\n<p>Boxed</p>\n"
	if p.HTML != want {
		t.Errorf("%s\nwant\n%s", p.HTML, want)
	}
}

// What is raised in Word is a power or a note's mark; what is struck out is left out and counted, by the passage.
func TestWordThatIsRaisedOrStruckOut(t *testing.T) {
	run := func(look, text string) string {
		return `<w:r><w:rPr>` + look + `</w:rPr><w:t xml:space="preserve">` + text + `</w:t></w:r>`
	}
	const up = `<w:vertAlign w:val="superscript"/>`
	p := read(t, "a.docx", word(t, map[string]string{
		"word/document.xml": `<w:document ` + wordSpace + `><w:body><w:p>` + said("Fitting costs £45") + run(up, "1") +
			said(" for 20 m") + `<w:ins>` + run(up, "2") + `</w:ins>` + said(", was ") + run("<w:strike/>", "£8") +
			run("<w:dstrike/>", "99") + said(" now £599") + run(`<w:rStyle w:val="Up"/>`, "2") + said(".") +
			run(`<w:rStyle w:val="Gone"/>`, " Free.") + run(`<w:strike w:val="0"/>`, " Ours.") + `</w:p></w:body></w:document>`,
		"word/styles.xml": `<w:styles ` + wordSpace + `><w:style w:styleId="Up"><w:rPr>` + up + `</w:rPr></w:style>` +
			`<w:style w:styleId="Gone"><w:rPr><w:strike/></w:rPr></w:style></w:styles>`,
	}))
	if p.HTML != "<p>Fitting costs £45 ¹ for 20 m², was  now £599 ². Ours.</p>\n" || p.Struck != 2 {
		t.Errorf("%d %s", p.Struck, p.HTML)
	}
}

// A table of Word has the spans of its cells; two rows of headings are told by Word, or by how their cells are merged.
func TestMergedCellsOfWord(t *testing.T) {
	cell := func(look, text string) string {
		return "<w:tc><w:tcPr>" + look + "</w:tcPr><w:p>" + said(text) + "</w:p></w:tc>"
	}
	const start, on, two = `<w:vMerge w:val="restart"/>`, `<w:vMerge/>`, `<w:gridSpan w:val="2"/>`
	for _, head := range []string{"", "<w:trPr><w:tblHeader/></w:trPr>"} {
		p := read(t, "a.docx", word(t, map[string]string{"word/document.xml": `<w:document ` + wordSpace + `><w:body><w:tbl><w:tr>` +
			head + cell(start, "Grade") + cell(two, "Charge") + `</w:tr><w:tr>` + head + cell(on, "") + cell("", "Online") +
			cell("", "Paper") + `</w:tr><w:tr>` + cell(start, "Junior") + cell("", "£11") + cell("", "£22") + `</w:tr><w:tr>` +
			cell(on, "") + cell(two, "Free") + `</w:tr></w:tbl></w:body></w:document>`}))
		const want = `<table><tr><th rowspan="2">Grade</th><th colspan="2">Charge</th></tr><tr><th>Online</th><th>Paper</th></tr>` +
			`<tr><td rowspan="2">Junior</td><td>£11</td><td>£22</td></tr><tr><td colspan="2">Free</td></tr></table>` + "\n"
		if p.HTML != want {
			t.Errorf("%q: %s", head, p.HTML)
		}
	}
}

// An equation is written on one line and no other number; a sign of a font is that sign, or said to be unknown.
func TestEquationsAndSigns(t *testing.T) {
	m := func(name string, parts ...string) string {
		out := "<m:" + name + "><m:" + name + "Pr><m:x/></m:" + name + "Pr>"
		for _, p := range parts {
			tag, inner, _ := strings.Cut(p, " ")
			if inner != "" && inner[0] != '<' {
				inner = "<m:r><m:t>" + inner + "</m:t></m:r>"
			}
			out += "<m:" + tag + ">" + inner + "</m:" + tag + ">"
		}
		return out + "</m:" + name + ">"
	}
	math := func(inner string) string { return "<m:oMathPara><m:oMath>" + inner + "</m:oMath></m:oMathPara>" }
	sym := func(font, char string) string {
		return `<w:r><w:sym w:font="` + font + `" w:char="` + char + `"/></w:r>`
	}
	for _, c := range []struct{ name, in, want, note string }{
		{"a.docx", said("Take ") + math(m("f", "num 1", "den 4")) + said(" of it."), "Take 1/4 of it.", "check them"},
		{"a.docx", said("Take 2") + math(m("f", "num 1", "den 4")), "Take 2 1/4", "check them"},
		{"a.docx", math(m("sSup", "e 2", "sup 5") + "<m:r><m:t>=</m:t></m:r>" + m("sSub", "e x", "sub 10")), "2^5=x_10", "check"},
		{"a.docx", math(m("f", "num "+m("sSup", "e "+m("d", "e a+b"), "sup 2"), "den 2c") + m("rad", "deg ", "e 90")),
			"((a+b)^2)/(2c)√90", "check them"},
		{"a.docx", math(m("nary", "sub 1", "sup 9", "e 7")), "[formula]", "check them"},
		{"a.docx", said("Age ") + sym("Symbol", "F0B3") + said("55, ") + sym("Symbol", "F0A3") + said("9 ") +
			sym("Wingdings", "F0FE") + sym("Wingdings", "F0A8") + sym("Arial", "20AC"), "Age ≥55, ≤9 ☑☐€", ""},
		{"a.docx", said("Age ") + sym("Webdings", "F0B3") + said("55"), "Age [symbol]55", "aren't known: 1"},
		{"a.html", "Take <math><mfrac><mn>1</mn> <mn>4</mn></mfrac></math> of it", "Take 1/4 of it", "check them"},
		{"a.html", "Take <b>2</b><math><semantics><mfrac><mn>1</mn><mrow><mn>4</mn><mi>n</mi></mrow></mfrac><annotation>14" +
			"</annotation></semantics></math>, <math><msup><mn>2</mn><mn>5</mn></msup></math>.", "</b> 1/(4n), 2^5.", "check"},
		{"a.html", "<math><msqrt><mn>9</mn><mi>x</mi></msqrt><munder><mo>∑</mo><mn>1</mn></munder></math>", "√(9x)[formula]", "check"},
	} {
		raw := []byte("<main><h1>A</h1><p>" + c.in + "</p></main>")
		if c.name == "a.docx" {
			raw = word(t, map[string]string{"word/document.xml": `<w:document ` + wordSpace + ` xmlns:m="urn:m"><w:body><w:p>` +
				c.in + `</w:p></w:body></w:document>`})
		}
		p := read(t, c.name, raw)
		if got := fmt.Sprint(p.Notes); !strings.Contains(p.HTML, c.want) || !strings.Contains(got, c.note) ||
			(c.note == "") != (got == "[]") {
			t.Errorf("%s: %s\n%s", c.want, p.HTML, got)
		}
	}
	p := read(t, "a.pdf", pdf(strings.Replace(pdfHead, "Helvetica", "AAAAAA+Symbol", 1),
		"4 0 obj <<>> stream\nBT /F 10 Tf 40 700 Td (55 \\263 9) Tj ET\nendstream endobj"))
	if !strings.Contains(p.HTML, "55 ≥ 9") {
		t.Error(p.HTML)
	}
}

// A page of a site is what it tells: not its menus, and with the anchors of its headings. What the page calls its
// content may have a header of its own.
func TestPagesWithoutTheirSite(t *testing.T) {
	const around = `<!doctype html><title>Fees | Firm</title><header class="site-header"><nav><h2>Menu</h2></nav></header>
		<div class="cookie-banner"><h2>Cookies</h2></div>%s<aside><h2>Related</h2></aside><footer><h2>About</h2></footer>
		<script>"<h2>x</h2>"</script>`
	const told = `<h1>Fees</h1><p>All.</p><section id="exit"><h2>Exit</h2><p>None.</p></section>
		<h2><a name="advice"></a>Advice</h2><p>1%%</p>`
	for _, body := range []string{"<main>" + told + "</main>", "<article><header><h1>Fees</h1></header>" +
		told[len("<h1>Fees</h1>"):] + "</article>", `<div class="content">` + told + "</div>", told} {
		p := read(t, "a.html", []byte(fmt.Sprintf(around, strings.ReplaceAll(body, "%%", "%"))))
		if got := headings(p); !slices.Equal(got, []string{"1 Fees", "2 Exit", "2 Advice"}) || p.Title != "Fees | Firm" ||
			!strings.Contains(p.HTML, `id="exit"`) || !strings.Contains(p.HTML, `id="advice"`) {
			t.Errorf("%s\n%q\n%s", body, got, p.HTML)
		}
	}
}

// A heading that a page draws by other means is one.
func TestAHeadingByItsRole(t *testing.T) {
	p := read(t, "a.html", []byte(`<main><div role="heading" aria-level="2">Fees</div><p>None.</p>`+
		`<div role="heading">Ours</div></main>`))
	if got := headings(p); !slices.Equal(got, []string{"2 Fees"}) {
		t.Errorf("%q", got)
	}
}

// Plain text is read in the encodings that can be told, and its headings are found.
func TestTextInAnyEncoding(t *testing.T) {
	const text = "FEES AND CHARGES\n\nIt’s £400 – or “more”.\n\nREFUNDS\n\nCafé René, 14 days.\n"
	const plain = "FEES AND CHARGES\n\nThe fee is £25. Café René.\n\nREFUNDS\n\nÜber-long form.\n"
	for name, c := range map[string]struct {
		enc  encoding.Encoding
		text string
	}{
		"utf-8": {encoding.Nop, text}, "windows-1252": {charmap.Windows1252, text}, "mac": {charmap.Macintosh, text},
		"dos": {charmap.CodePage850, plain}, "utf-16": {unicode.UTF16(unicode.BigEndian, unicode.UseBOM), text},
		"utf-16 unmarked": {unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), text},
		"utf-32":          {utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), text},
	} {
		raw, err := c.enc.NewEncoder().String(c.text)
		if err != nil {
			t.Fatal(err)
		}
		p := read(t, "a.txt", []byte(raw))
		parts := strings.Split(c.text, "\n\n")
		if got := headings(p); !slices.Equal(got, []string{"1 " + parts[0], "2 " + parts[2]}) ||
			!strings.Contains(html.UnescapeString(p.HTML), parts[1]) {
			t.Errorf("%s: %q\n%s", name, got, p.HTML)
		}
	}
	p := read(t, "a.txt", []byte("1. Scope\n\nStaff.\n\n2.1 Records\n\nKeep.\n\nName   Phone\nFCA    0800\n\nTwo\n---\n\n- a\n- b"))
	if got := headings(p); !slices.Equal(got, []string{"2 1. Scope", "3 2.1 Records", "2 Two"}) ||
		!strings.Contains(p.HTML, "<tr><td>FCA</td><td>0800</td></tr>") {
		t.Errorf("%q\n%s", got, p.HTML)
	}
}

// Plain text keeps the lines that a person ended and the columns that tabs make; what was wrapped is joined.
func TestTextKeepsItsLinesAndTabs(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Columns:\nItem\tHome\tTrade\nRug\t30\nLamp\t\t7\nAll with VAT, and for orders of 2026 alone.",
			"<p>Columns:</p>\n<table><tr><th>Item</th><th>Home</th><th>Trade</th></tr><tr><td>Rug</td><td>30</td></tr><tr>" +
				"<td>Lamp</td><td></td><td>7</td></tr></table>\n<p>All with VAT, and for orders of 2026 alone.</p>\n"},
		{"We deliver on all working days to every town of the mainland, in\nLeeds also on Saturdays, and carry it up.\n\n" +
			"Sofa Oslo ... £899\nChair Lund ... £120\nfrom 2026 on.",
			"<p>We deliver on all working days to every town of the mainland, in Leeds also on Saturdays, and carry it up.</p>\n" +
				"<p>Sofa Oslo ... £899<br>Chair Lund ... £120 from 2026 on.</p>\n"},
	} {
		if p := read(t, "a.txt", []byte(c.text)); p.HTML != c.want {
			t.Errorf("%q:\n%s\nwant\n%s", c.text, p.HTML, c.want)
		}
	}
}

// A page is read as it says that it is encoded; a text that doesn't say is read where that can be told, which the notes
// say, and else refused. One that is UTF-8 but for some bytes stays so, and each is named with its line.
func TestHowATextIsEncodedIsNeverGuessedSilently(t *testing.T) {
	gbk, err := simplifiedchinese.GBK.NewEncoder().String("<meta charset=gbk><h1>送货</h1><p>我们免费送货到北京。</p>")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, raw, text, note string }{
		{"a.html", gbk, "我们免费送货到北京。", ""},
		{"a.html", strings.Replace(gbk, "<meta charset=gbk>", "", 1), "", "save it as UTF-8"},
		{"a.html", "<meta charset=utf-8><h1>A</h1><p>caf\xe9 \x96 \xa345</p>", "café – £45", "0: read as Windows-1252"},
		{"a.txt", "Old flats\n\nWe charge \xa330.", "We charge £30.", "0: read as Windows-1252"},
		{"a.txt", "Old flats\n\nWe charge £30.", "We charge £30.", ""},
		{"a.txt", "Old\n\nUTF-8: £45.\nWindows: \xa360 \x96 caf\xe9.", "UTF-8: £45. Windows: \ufffd60 \ufffd caf\ufffd.",
			"4: it has a broken character"},
		{"a.txt", "Cut\n\nThis costs £45 and \xe2\x82", "This costs £45 and \ufffd", "3: it has a broken character"},
		{"a.txt", "\xc2\xee\xe7\xe2\xf0\xe0\xf2\n\n\xc2\xee\xe7\xe2\xf0\xe0\xf2 14 \xe4\xed\xe5\xe9.", "",
			"nothing tells how its characters are encoded; save it as UTF-8"},
	} {
		p, err := document.Read(c.name, []byte(c.raw))
		var notes []string
		for _, n := range p.Notes {
			notes = append(notes, fmt.Sprintf("%d: %s", n.Line, n.Why))
		}
		if err != nil {
			notes = append(notes, err.Error())
		}
		got := strings.Join(notes, "\n")
		if !strings.Contains(p.HTML, c.text) || (c.text == "") != (err != nil) || !strings.Contains(got, c.note) ||
			(c.note == "") != (got == "") {
			t.Errorf("%q: %q, %q", c.raw, p.HTML, got)
		}
	}
}

func pdf(objects ...string) []byte {
	return []byte("%PDF-1.7\n" + strings.Join(objects, "\n") + "\ntrailer <</Root 1 0 R>>\n%%EOF")
}

const pdfHead = "1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj\n2 0 obj <</Kids [3 0 R] /Count 1>> endobj\n" +
	"3 0 obj <</Type /Page /Contents 4 0 R /Resources <</Font <</F 5 0 R>> /XObject <</X 6 0 R>>>>>> endobj\n" +
	"5 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj\n"

// A page that is lying on its side, as wide tables are printed, is turned.
func TestAPageOnItsSide(t *testing.T) {
	for name, turn := range map[string]string{"up": "0 1 -1 0 300 100", "down": "0 -1 1 0 300 700"} {
		p := read(t, "a.pdf", pdf(pdfHead, "4 0 obj <<>> stream\nBT /F 20 Tf "+turn+" Tm (Fees) Tj /F 10 Tf 0 -20 Td "+
			"(There are none for those who stay, and none for those who leave.) Tj ET\nendstream endobj"))
		if got := headings(p); !slices.Equal(got, []string{"1 Fees"}) || !strings.Contains(p.HTML, "who leave.</p>") {
			t.Errorf("%s: %q\n%s", name, got, p.HTML)
		}
	}
}

// A table's columns are found by where its cells begin or end on the page, by the rows that show them and by the lines
// of a grid; a cell that goes over several rows is in each. A text through which a line is drawn is left out. Where lines
// with wide gaps fall into no columns, and where the file is cut, the notes say so.
func TestColumnsOfAPDF(t *testing.T) {
	at := func(x, y int, text string) string { return fmt.Sprintf("1 0 0 1 %d %d Tm (%s) Tj ", x, y, text) }
	rows := func(first int, cells ...string) (out string) {
		for i, row := range cells {
			for k, c := range strings.Split(row, "|") {
				if c != "" {
					out += at([]int{40, 132, 190}[k], first-14*i, c)
				}
			}
		}
		return out
	}
	const grid = "40 712 m 220 712 l S 40 698 m 220 698 l S 128 684 m 220 684 l S 40 670 m 220 670 l S 128 670 m 128 712 l S " +
		"187 670 m 187 712 l S "
	for name, c := range map[string]struct{ lines, content, want, note string }{
		"narrow after wide": {"", rows(700, "Kind|Cloth|Price", "Stool|Linen|\\24330", "Corner sofa in oak|Wool mix a|\\24399"),
			"<tr><td>Corner sofa in oak</td><td>Wool mix a</td><td>£99</td></tr>", ""},
		"all narrow": {"", rows(700, "Corner sofa in elm|Wool mix b|\\24389", "Corner sofa in oak|Wool mix a|\\24399",
			"Corner sofa in ash|Wool mix c|\\24379"), "<tr><td>Corner sofa in ash</td><td>Wool mix c</td><td>£79</td></tr>", ""},
		"a grid": {grid, rows(702, "Corner sofa in elm|Wool mix b|\\24389", "Islands and others|Wool mix a|\\24399",
			"|Wool|\\24319"), "<tr><td>Islands and others</td><td>Wool</td><td>£19</td></tr>", ""},
		"struck": {"40 703 m 64 703 l S 75 698 m 115 698 l S ", at(40, 700, "\\243899") + at(75, 700, "\\243599 now."),
			"<p>£599 now.</p>", "struck"},
		"one text": {"", "1 0 0 1 40 700 Tm [(Sofa) -2000 (Linen) -900 (99)] TJ 1 0 0 1 40 686 Tm [(Bed) -2445 (Linen) -900 (79)] TJ " +
			"1 0 0 1 40 672 Tm [(Bed) -2445 (Linen) -900 (19)] TJ ", "<td>Linen</td><td>79</td></tr>", ""},
		"no columns": {"", at(40, 700, "A sofa for two") + at(113, 700, "99") + at(40, 686, "A stool for one person") +
			at(149, 686, "19") + at(40, 672, "A big table of oak wood") + at(155, 672, "79"), "19", "page 1: lines with wide gaps"},
		"two rows of headings": {"", rows(700, "Plan||Charge", "Kind|Lowest|Highest", "Silver|\\24350|\\24390", "Gold|\\24310|\\24370"),
			"<td>Lowest</td><td>Highest</td></tr><tr><td>Silver</td>", "page 1: nothing tells"},
		"a column without": {"", rows(700, "Plan||Charge", "Silver|new|\\24350", "Gold|old|\\24310"), "<th>Charge</th>", ""},
		"cut":              {"", at(40, 700, "Sofas cost 99."), "99", "cut short"},
	} {
		raw := pdf(pdfHead, "4 0 obj <<>> stream\n"+c.lines+"BT /F 10 Tf "+c.content+"ET\nendstream endobj")
		if name == "cut" {
			raw = bytes.TrimSuffix(raw, []byte("%%EOF"))
		}
		p := read(t, "a.pdf", raw)
		got := fmt.Sprint(p.Notes)
		if p.Struck == 1 {
			got += "struck"
		}
		if !strings.Contains(p.HTML, c.want) || (c.note == "") != (got == "[]") || !strings.Contains(got, c.note) {
			t.Errorf("%s: %s\n%s", name, p.HTML, got)
		}
	}
}

// A table of a PDF that says what its cells are over is in that grid; where it says too little, no figure gets a heading.
func TestSpansOfATaggedPDF(t *testing.T) {
	for name, c := range map[string]struct{ wide, tall, want, note string }{
		"said": {"/A [<</O /Layout>> <</O /Table /ColSpan 2>>]", "/A <</O /Table /RowSpan 2 /ColSpan 1>>",
			"<table><tr><th rowspan=\"2\">Town</th><th colspan=\"2\">Price</th></tr><tr><th>Child</th><th>Adult</th></tr>" +
				"<tr><td>York</td><td>4</td><td>9</td></tr></table>", "[]"},
		"not said": {"", "", "<table><tr><td>Town</td><td>Price</td></tr><tr><td>Child</td><td>Adult</td></tr>" +
			"<tr><td>York</td><td>4</td><td>9</td></tr></table>", "page 1: nothing tells which columns"},
	} {
		content, id := "BT /F 10 Tf 40 700 Td ", 0
		tag := func(role, more, text string) string {
			content += fmt.Sprintf("/%s <</MCID %d>> BDC (%s) Tj EMC 0 -14 Td ", role, id, text)
			id++
			return fmt.Sprintf("<</S /%s %s /K %d>> ", role, more, id-1)
		}
		row := func(cells ...string) string { return "<</S /TR /K [" + strings.Join(cells, "") + "]>> " }
		tree := tag("H1", "", "Prices") + "<</S /Table /K [" + row(tag("TH", c.tall, "Town"), tag("TH", c.wide, "Price")) +
			row(tag("TH", "", "Child"), tag("TH", "", "Adult")) +
			row(tag("TD", "", "York"), tag("TD", "", "4"), tag("TD", "", "9")) + "]>>"
		p := read(t, "a.pdf", pdf(strings.Replace(pdfHead, "/Type /Catalog", "/Type /Catalog /StructTreeRoot 7 0 R", 1),
			"7 0 obj <</K <</S /Document /Pg 3 0 R /K ["+tree+"]>>>> endobj", "4 0 obj <<>> stream\n"+content+"ET\nendstream endobj"))
		if got := fmt.Sprint(p.Notes); !strings.Contains(strings.ReplaceAll(p.HTML, "\n", ""), c.want) || !strings.Contains(got, c.note) {
			t.Errorf("%s: %s\n%s", name, p.HTML, got)
		}
	}
}

// Right-to-left text of a PDF is drawn in the order in which it is seen: its lines are left out and the notes say so.
func TestRightToLeftInAPDF(t *testing.T) {
	font := strings.Replace(pdfHead, "/BaseFont /Helvetica", "/BaseFont /Helvetica /ToUnicode 7 0 R", 1)
	for alone, want := range map[bool]string{false: "<p>The fee is 9.</p>\n", true: ""} {
		content := "1 0 0 1 40 700 Tm (AA) Tj ( 40%) Tj "
		if !alone {
			content = "1 0 0 1 40 720 Tm (The fee is 9.) Tj " + content
		}
		p, err := document.Read("a.pdf", pdf(font, "7 0 obj <<>> stream\n1 beginbfchar <41> <05D0> endbfchar\nendstream endobj",
			"4 0 obj <<>> stream\nBT /F 10 Tf "+content+"ET\nendstream endobj"))
		got := fmt.Sprint(p.Notes, err)
		if p.HTML != want || (err != nil) != alone || !strings.Contains(got, "right-to-left text in a PDF isn't read") {
			t.Errorf("%q %s", p.HTML, got)
		}
	}
}

// Small text above the line is a power or a note's mark.
func TestRaisedInAPDF(t *testing.T) {
	p := read(t, "a.pdf", pdf(pdfHead, "4 0 obj <<>> stream\nBT /F 10 Tf 1 0 0 1 40 700 Tm (Fitting costs 45) Tj /F 6 Tf 4 Ts (1) Tj "+
		"/F 10 Tf 0 Ts ( per room of 20 m) Tj /F 6 Tf 4 Ts (2) Tj /F 10 Tf 0 Ts (.) Tj\n"+
		"1 0 0 1 40 600 Tm /F 6 Tf 4 Ts (1) Tj /F 10 Tf 0 Ts (Beds cost 60.) Tj ET\nendstream endobj"))
	if !strings.Contains(p.HTML, "45 ¹ per room of 20 m².") || !strings.Contains(p.HTML, "<p>¹ Beds cost 60.") {
		t.Error(p.HTML)
	}
}

// A heading that goes over two lines of a narrow column is one.
func TestAHeadingInAColumn(t *testing.T) {
	var b strings.Builder
	b.WriteString("BT /F 10 Tf 1 0 0 1 40 700 Tm (The column on the left of this page is wide.) Tj\n")
	b.WriteString("/F 14 Tf 1 0 0 1 40 670 Tm (Moving your pension) Tj 0 -16 Td (abroad) Tj /F 10 Tf\n")
	for range 3 {
		b.WriteString("0 -14 Td (You can move a pension from abroad here.) Tj\n")
	}
	b.WriteString("1 0 0 1 400 700 Tm (The column on the right of this page is far off.) Tj ET")
	p := read(t, "a.pdf", pdf(pdfHead, "4 0 obj <<>> stream\n"+b.String()+"\nendstream endobj"))
	if got := headings(p); !slices.Equal(got, []string{"1 Moving your pension abroad"}) {
		t.Errorf("%q\n%s", got, p.HTML)
	}
}

// What a font doesn't say the letters of has a mark where it is, once, and a remark; what isn't drawn has none.
func TestWordsWithoutLetters(t *testing.T) {
	p := read(t, "a.pdf", pdf(strings.Replace(pdfHead, "/F 5 0 R", "/F 5 0 R /W 7 0 R /S 8 0 R", 1),
		"7 0 obj <</Type /Font /Subtype /Type0 /DescendantFonts [<</DW 600>>]>> endobj\n"+
			"8 0 obj <</Type /Font /Subtype /TrueType /FirstChar 0 /Widths [600 600 600]>> endobj\n"+
			"4 0 obj <<>> stream\nBT 1 0 0 1 40 700 Tm /F 16 Tf (Charges) Tj 1 0 0 1 40 680 Tm /F 10 Tf (The fee\r is ) Tj /W 10 Tf "+
			"<00030004> Tj <0005> Tj /F 10 Tf ( a year, and at most ) Tj /S 10 Tf <000102> Tj /F 10 Tf ( in all.) Tj "+
			"/S 16 Tf 1 0 0 1 40 640 Tm <000120000120000120> Tj /F 10 Tf 1 0 0 1 40 620 Tm "+
			"(Exit fees are never charged to members who are 55 or over.) Tj ET\nendstream endobj"))
	const want = "The fee is [unreadable] a year, and at most [unreadable] in all.</p>\n<h1 id=\"page=1\">[unreadable]</h1>\n<p>Exit"
	if got := fmt.Sprint(p.Notes); !strings.Contains(p.HTML, want) || !strings.Contains(got, "page 1: words in a font") {
		t.Errorf("%s\n%s", p.HTML, got)
	}
}

// Columns of print that are in the file line by line are read one after the other; where they may be a table they stay
// one, with a remark.
func TestColumnsOfPrint(t *testing.T) {
	left := []string{"You may retire early from age 55, or", "from age 57 after 6 April 2028. The", "sum is cut by 4.5% for each year before",
		"that. A cut of more than 40% is not", "made. You must write to the trustees.", "A member who left before 1997 keeps a"}
	right := []string{"pension of \\2431,250 a year from then on.", "", "The lump sum is at most \\243268,275. It is",
		"paid within 30 days. If not, interest", "of 8% a year is added from day 31."}
	lines := func(left, right []string) string {
		b := strings.Builder{}
		for i, l := range left {
			fmt.Fprintf(&b, "1 0 0 1 40 %d Tm (%s) Tj ", 700-12*i, l)
			if i < len(right) && right[i] != "" {
				fmt.Fprintf(&b, "1 0 0 1 260 %d Tm (%s) Tj ", 700-12*i, right[i])
			}
		}
		return b.String()
	}
	cells := []string{"Transfers out of the scheme to one that", "is abroad", "Payments to a former wife or a husband", "after a court order",
		"Payments to those in serious ill health", "with a letter"}
	fees := []string{"a fee of 2% of the value is taken from it", "before the transfer", "a fee that is shared by both of them is", "taken once",
		"no fee is taken from it, and the money is", "paid in a week"}
	const rule = "ET 40 695 m 460 695 l S BT /F 10 Tf "
	for content, want := range map[string]string{
		lines(left, right): "<p>You may retire early from age 55, or from age 57 after 6 April 2028. The sum is cut by 4.5% for each year before " +
			"that. A cut of more than 40% is not made. You must write to the trustees.</p>\n<p>A member who left before 1997 keeps a pension " +
			"of £1,250 a year from then on.</p>\n<p>The lump sum is at most £268,275. It is paid within 30 days. If not, interest of 8% a year " +
			"is added from day 31.</p>\n[]",
		lines(left, right) + rule: "or</td><td>pension of £1,250 a year from then on.</td></tr>",
		lines(cells, fees):        "<td>is abroad</td><td>before the transfer</td></tr>",
		lines(cells[:5:5], []string{"a fee", "of 2%", "a fee", "of 3%", "none"}): "abroad</td><td>of 2%</td></tr>",
	} {
		p := read(t, "a.pdf", pdf(pdfHead, "4 0 obj <<>> stream\nBT /F 10 Tf "+content+"ET\nendstream endobj"))
		got := p.HTML + fmt.Sprint(p.Notes)
		if !strings.Contains(got, want) || !strings.HasSuffix(want, "[]") && !strings.Contains(content, "(none)") &&
			!strings.Contains(got, "page 1: what was read as a table") {
			t.Errorf("%s: %s", want, got)
		}
	}
}

func packed(data []byte) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(data)
	w.Close()
	return fmt.Sprintf("<</Filter /FlateDecode /Length %d>> stream\n%s\nendstream", b.Len(), b.String())
}

// hostile are files that end in one line, in good time.
func hostile(t testing.TB) map[string]struct {
	raw  []byte
	want string
} {
	body := func(s string) []byte {
		return word(t, map[string]string{"word/document.xml": s})
	}
	old := append([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), make([]byte, 600)...)
	var locked []byte
	for _, c := range "EncryptedPackage" {
		locked = append(locked, byte(c), 0)
	}
	zeros := make([]byte, 100<<20)
	var laughs strings.Builder
	laughs.WriteString(`<w:footnotes><w:footnote w:id="0"><w:p><w:r><w:t>Ha</w:t></w:r></w:p></w:footnote>`)
	for i := 1; i < 40; i++ {
		twice := strings.Repeat(fmt.Sprintf(`<w:r><w:footnoteReference w:id="%d"/></w:r>`, i-1), 2)
		fmt.Fprintf(&laughs, `<w:footnote w:id="%d"><w:p>%s</w:p></w:footnote>`, i, twice)
	}
	laughs.WriteString(`</w:footnotes>`)
	var chain strings.Builder
	for i := 4; i < 60_000; i++ {
		fmt.Fprintf(&chain, "%d 0 obj <</Length %d 0 R>> stream\n\nendstream endobj\n", i, i+1)
	}
	whole := word(t, map[string]string{"word/document.xml": "<a>" + strings.Repeat("x", 5000) + "</a>"})
	type file = struct {
		raw  []byte
		want string
	}
	return map[string]file{
		"bomb.docx":   {body("<a>" + string(zeros)), "unpacks to more than"},
		"deep.docx":   {body(strings.Repeat("<a>", 1_000_000)), "nested too deeply"},
		"laughs.docx": {body(`<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>`), "broken"},
		"cut.docx":    {whole[:len(whole)/2], "isn't"},
		"zip.docx":    {word(t, map[string]string{"a.txt": "a"}), "zip file"},
		"sheet.docx":  {word(t, map[string]string{"xl/workbook.xml": "<a/>"}), "Excel"},
		"locked.docx": {append(slices.Clone(old), locked...), "password"},
		"old.docx":    {old, ".doc"},
		"picture.pdf": {[]byte("\x89PNG\r\n\x1a\n0000"), "picture"},
		"word.pdf":    {whole, "it is a Word document"},
		"pdf.docx":    {pdf(pdfHead), "it is a PDF"},
		"text.pdf":    {[]byte("Dear all,"), "its name says a PDF"},
		"program.txt": {append([]byte("\x7fELF"), 0, 0, 0), "a program"},
		"noise.txt":   {[]byte("\x00\x01\x02\x00\x00\x03ab\x00"), "isn't text"},
		"empty.pdf":   {nil, "empty"},
		"bomb.pdf":    {pdf(pdfHead, "4 0 obj "+packed(zeros)+" endobj"), "unpacks to more than"},
		"cycle.pdf":   {pdf("1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj\n2 0 obj <</Kids [2 0 R 2 0 R]>> endobj"), "no pages"},
		"itself.pdf":  {pdf("1 0 obj 1 0 R endobj"), "broken"},
		"deep.pdf":    {pdf("1 0 obj " + strings.Repeat("[", 5_000_000)), "broken"},
		"chain.pdf":   {pdf(pdfHead, chain.String()), "no text"},
		"locked.pdf":  {[]byte(strings.Replace(string(pdf(pdfHead)), "/Root", "/Encrypt 9 0 R /Root", 1)), "password"},
		"scan.pdf":    {pdf(pdfHead, "4 0 obj <<>> stream\nq /Im0 Do Q\nendstream endobj"), "no text"},
		"number.pdf": {pdf(pdfHead, "4 0 obj <<>> stream\nBT /F 12 Tf 300 20 Td (2) Tj ET\nendstream endobj"),
			"no text"},
		"wide.pdf": {pdf(pdfHead, "4 0 obj "+strings.Replace(packed([]byte("BT")), "/Length", "/DecodeParms <</Predictor 12 "+
			"/Columns 2000000000 /Colors 1000 /BitsPerComponent 16>> /Length", 1)+" endobj"), ""},
		"open.pdf": {pdf(pdfHead, "4 0 obj <<>> stream\n"+strings.Repeat("(", 400_000)+"\nendstream endobj"), ""},
		"notes.docx": {word(t, map[string]string{"word/document.xml": "<w:document><w:body><w:p><w:r>" +
			`<w:footnoteReference w:id="39"/><w:t>Ha</w:t></w:r></w:p></w:body></w:document>`,
			"word/footnotes.xml": laughs.String()}), ""},
		"cut.pdf": {[]byte("%PDF-1.7\n1 0 obj <</Ty"), "broken"},
		"grinning.pdf": {pdf(pdfHead, "4 0 obj <<>> stream\n/X Do\nendstream endobj", "6 0 obj <</Subtype /Form /Resources "+
			"<</XObject <</X 6 0 R>>>>>> stream\n"+strings.Repeat("/X Do ", 50)+"\nendstream endobj"), "too long"},
	}
}

func TestHostileFilesEndInALine(t *testing.T) {
	for name, f := range hostile(t) {
		began := time.Now()
		p, err := document.Read(name, f.raw)
		var u *document.Unreadable
		if !errors.As(err, &u) || !strings.Contains(u.Why, f.want) || strings.Contains(u.Why, "\n") || p.HTML != "" {
			t.Errorf("%s: %v, want %q (%.100s)", name, err, f.want, p.HTML)
		}
		if took := time.Since(began); took > 25*time.Second {
			t.Errorf("%s took %s", name, took)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"office.docx", "browser.pdf", "office-plain.pdf"} {
		raw, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(filepath.Ext(name), raw)
	}
	f.Add(".pdf", pdf(pdfHead, "4 0 obj <<>> stream\nBT /F 12 Tf 10 700 Td [(Head) -200 (ing)] TJ T* (b) ' ET\nendstream endobj"))
	f.Add(".html", []byte("<main><h1 id=a>A</h1><table><tr><th>b<td>c</table></main>"))
	f.Add(".txt", []byte("A\n=\n\nb  c\nd  e\n\n1. F\n\n• g"))
	f.Add(".docx", word(f, map[string]string{"word/document.xml": "<w:p><w:r><w:t>a</w:t></w:r></w:p>"}))
	f.Fuzz(func(t *testing.T, ext string, raw []byte) {
		if !document.Reads("a" + ext) {
			return
		}
		_, err := document.Read("a"+ext, raw)
		var u *document.Unreadable
		if err != nil && (!errors.As(err, &u) || u.Why == "" || strings.Contains(u.Why, "\n")) {
			t.Fatalf("%v", err)
		}
	})
}

// A paragraph a line, as mails have it: read once, and not the rest again for each line.
func TestManyLines(t *testing.T) {
	p, err := document.Read("a.txt", []byte(strings.Repeat("This paragraph says that pots differ.\n\n", 100_000)))
	if err != nil || strings.Count(p.HTML, "<p>") != 100_000 {
		t.Errorf("%d paragraphs, %v", strings.Count(p.HTML, "<p>"), err)
	}
}

// What repeats is read once, and of many lines in doubt the first are named.
func TestWhatRepeats(t *testing.T) {
	p := read(t, "a.txt", []byte(strings.Repeat("a\tb\na\tb\tc\nx\n", 20_000)))
	if n := len(p.Notes); n != 21 || p.Notes[20].Line != 61 || !strings.Contains(p.Notes[20].Why, "of others") ||
		strings.Count(p.HTML, "<p>x</p>") != 20_000 {
		t.Errorf("%d notes: %+v", n, p.Notes)
	}
	p = read(t, "a.html", []byte("<h1>A</h1><math>"+strings.Repeat("<mn>2</mn>", 80_000)+"<mfrac><mn>1</mn><mn>4</mn></mfrac></math>"))
	if !strings.Contains(p.HTML, strings.Repeat("2", 80_000)+" 1/4") {
		t.Errorf("%.200s", p.HTML)
	}
}

// What is drawn struck out is left to who reads it, also where a row is drawn so; an image with such a style holds
// nothing, and brackets keep the commas between what they hold.
func TestStylesAndBracketsOfAPage(t *testing.T) {
	p, err := document.Read("x.html", []byte(`<h1>Prices</h1><p>Fee<img style="vertical-align: super" src="x"><br `+
		`style="text-decoration:line-through">£5</p><table><tr style="text-decoration: line-through"><td>Old</td><td>£9</td></tr>`+
		`<tr style="text-decoration: line-through"><td style="width:9px">Older</td></tr><tr><td>New</td><td>£7</td></tr></table><p><math><mfenced><mi>a</mi><mi>b</mi></mfenced><mspace/></math></p>`))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(p.HTML, "<s>") != 3 || !strings.Contains(p.HTML, "£5") || !strings.Contains(p.HTML, "(a, b)") ||
		strings.Contains(p.HTML, "[formula]") {
		t.Errorf("%s", p.HTML)
	}
}

// Columns that blanks make are a table where each cell is surely in one: cells may be empty, and empty lines between.
// Else the lines are kept as they are, and the notes name the first.
func TestColumnsOfBlanks(t *testing.T) {
	const want = "<table><tr><th>Plan</th><th>Entry</th><th>Exit</th></tr><tr><td>Gold</td><td>£1</td><td></td></tr>" +
		"<tr><td>Silver</td><td></td><td>£2</td></tr></table>\n"
	for _, c := range []struct{ text, want, note string }{
		{"Fees:\nPlan    Entry  Exit\nGold    £1\nSilver         £2\nAll with VAT.", want, ""},
		{"Plan    Entry  Exit\n-------------------\n\nGold    £1\n\nSilver         £2", want, ""},
		{"\tPlan\t\tEntry\tExit\n\tGold\t\t£1\n\tSilver\t\t\t£2", want, ""},
		{"│ Plan │ Entry │ Exit │\n├──────┼───┼───┤\n│ Gold │ £1 │  │\n│ Silver │  │ £2 │", want, ""},
		{"        2024   2025\nCost    (1)\nGain            2", "<th></th><th>2024</th><th>2025</th></tr><tr><td>Cost</td><td>(1)", ""},
		{"Gold    £1    £3\nSilver  £2    £4", "<tr><td>Gold</td><td>£1</td><td>£3</td></tr>", ""},
		{"A\n\nGold    £1\nSilver        £4", "<pre>\nGold    £1\nSilver        £4</pre>", "3: the columns from"},
		{"        Charge         Term\nPlan    Entry  Exit    Years\nGold    £1     £2      3", "<pre>\n        Charge", "1: the columns from"},
		{"Plan    Entry        Exit\n        charge\nGold    £1           £2", "<pre>\nPlan", "1: the columns from"},
		{"We sell pots.  They differ.\nAsk us.  We answer.", "<p>We sell pots. They differ. Ask us. We answer.</p>", ""},
		{"a  word and more words of it,\nthat is made as wide as  it's\ncolumn in a  program,  as old\nones do.",
			"<p>a word and more words of it, that is", ""},
		{"Exit fee    none\nEntry fee   £45\nPlan fee    £60", "<table><tr><td>Exit fee</td><td>none</td></tr><tr><td>Entry", ""},
		{"Contact   Jane Smith\nPhone     0800 123", "<tr><td>Contact</td><td>Jane Smith</td></tr><tr><td>Phone", ""},
		{"Founded   2019\nFee       £45", "<tr><td>Founded</td><td>2019</td></tr>", ""},
		{"Plan   Fee\n----------\nGold   £1", "<tr><th>Plan</th><th>Fee</th></tr>", ""},
		{"£m     2024   2025\nCost   none   none", "<tr><th>£m</th><th>2024</th>", ""},
		{"Plan   Entry   Exit\nGold   none    none\nTin    £1      £2", "<pre>\nPlan Entry", "1: the columns from"},
		{"Setup   £5\n## Exit\nEarly   £10", "<p>Setup £5</p> <h2>Exit</h2> <p>Early £10</p>", ""},
		{"Setup   £5\n- Exit\nEarly   £10", "<ul><li>Exit", ""},
	} {
		p := read(t, "a.txt", []byte(c.text))
		notes := ""
		for _, n := range p.Notes {
			notes += fmt.Sprintf("%d: %s", n.Line, n.Why)
		}
		got := strings.Join(strings.Fields(p.HTML), " ")
		if !strings.Contains(got, strings.Join(strings.Fields(c.want), " ")) || !strings.HasPrefix(notes, c.note) ||
			c.note == "" && notes != "" {
			t.Errorf("%q:\n%s\n%s", c.text, p.HTML, notes)
		}
	}
}

// What stands in the fields of a page is read where it stands; reviewers' comments of Word and Google Docs are left out.
// The notes say how many fields are empty, and how many comments there were.
func TestFieldsAndCommentsOfAPage(t *testing.T) {
	for _, c := range []struct{ page, want, note string }{
		{`<p>Take <input value="£1"> at <select><option>5%<option selected>6%</select>, <textarea>or £2</textarea>.`,
			"Take £1 at 6%, or £2.", "[]"},
		{`<p>Take <input> at <select><option>5%<option>6%</select><input type=hidden value=x><input type=checkbox checked>`,
			"Take [field] at [field]☑", "empty fields: 2"},
		{`<p>Take £1<textarea style="display: none">£9</textarea><input hidden value=x7><select aria-hidden=true><option>5` +
			`</select><input class=sr-only value=x8>.`, "Take £1.", "[]"},
		{`<p>It is <a style='mso-comment-reference:A_1'>£5</a><span class=MsoCommentReference><a>[A1]</a></span>.</p><div ` +
			`style='mso-element: comment-list'><div style='mso-element:comment'><div class=msocomtxt><p>Is it £7?</div></div></div>`,
			"It is £5.", "left out: 1"},
		{`<p>It is £5<sup><a href="#cmnt1" id="cmnt_ref1">[a]</a></sup>.</p><div><p><a href="#cmnt_ref1" id="cmnt1">[a]</a>` +
			`<span>£7?</span></p><p>Or £8?</div>`, "It is £5.", "left out: 1"},
	} {
		p := read(t, "a.html", []byte("<h1>A</h1>"+c.page))
		got := strings.TrimSpace(html.UnescapeString(anyTag.ReplaceAllString(p.HTML, "")))
		if got != "A"+c.want || !strings.Contains(fmt.Sprint(p.Notes), c.note) {
			t.Errorf("%s: %q %v", c.page, got, p.Notes)
		}
	}
}

// E-mails and web archives are told by their headers, whatever their name; a memo with such lines is none.
func TestMailIsRefused(t *testing.T) {
	const mime = "MIME-Version: 1.0\r\nContent-Type: "
	for raw, want := range map[string]string{
		"From: <Saved>\r\n" + mime + "multipart/related;\r\n\tboundary=x\r\n\r\n--x": "a web archive (MHTML)",
		"From a@b Mon Nov 30 10:00:00 2026\n" + mime + "text/plain\n\nFee =C2=A3":    "an e-mail",
		"From: a\nContent-Type: text/plain\n\nFee":                                   "an e-mail",
		"From: HR\nDate: 1 May 2026\nSubject: Fees\n\nThe fee is <b>£5</b>.":         "",
	} {
		for _, name := range []string{"a.txt", "a.html", "a.md"} {
			_, err := document.Read(name, []byte(raw))
			if name == "a.md" {
				_, _, err = document.Plain([]byte(raw))
			}
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s %q: %v", name, raw, err)
			}
		}
	}
}
