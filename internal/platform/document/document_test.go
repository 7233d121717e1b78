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

// Plain text is read in any encoding, whether it says which or not, and its headings are found.
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
		"cyrillic":        {charmap.Windows1251, "НАЛОГИ\n\nВы платите налог с суммы.\n\nСРОКИ\n\nКаждый месяц.\n"},
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
