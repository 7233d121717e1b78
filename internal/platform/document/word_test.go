package document_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// body is a Word document with these paragraphs, and with other parts.
func body(t *testing.T, inner string, parts map[string]string) []byte {
	t.Helper()
	all := map[string]string{"word/document.xml": `<w:document ` + wordSpace + `><w:body>` + inner + `</w:body></w:document>`}
	maps.Copy(all, parts)
	return word(t, all)
}

func fieldChar(kind, inner string) string {
	return `<w:r><w:fldChar w:fldCharType="` + kind + `">` + inner + `</w:fldChar></w:r>`
}

func instruction(s string) string { return `<w:r><w:instrText>` + s + `</w:instrText></w:r>` }

// field has a result, unless that is "-".
func field(code, result string) string {
	if result == "-" {
		return fieldChar("begin", "") + code + fieldChar("end", "")
	}
	return fieldChar("begin", "") + code + fieldChar("separate", "") + result + fieldChar("end", "")
}

// Of a field only what the outermost one shows is text; what one shows that isn't in the file gets a mark and a remark.
func TestFieldsOfWord(t *testing.T) {
	ref := field(instruction(" REF Base "), said("250"))
	form := func(kind, data string) string {
		return fieldChar("begin", "<w:ffData>"+data+"</w:ffData>") + instruction(" FORM"+kind+" ") + fieldChar("separate", "") + fieldChar("end", "")
	}
	const ages = `<w:listEntry w:val="at 55"/><w:listEntry w:val="at 65"/>`
	for in, want := range map[string]string{
		form("CHECKBOX", `<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>`) + said("Paid"):    "☑Paid",
		form("CHECKBOX", `<w:checkBox><w:default w:val="1"/></w:checkBox>`):                               "☑",
		form("CHECKBOX", `<w:checkBox><w:default w:val="1"/><w:checked w:val="0"/></w:checkBox>`):         "☐",
		said("Due ") + form("DROPDOWN", `<w:ddList><w:result w:val="1"/>`+ages+`</w:ddList>`):             "Due at 65",
		said("Due ") + form("DROPDOWN", `<w:ddList>`+ages+`</w:ddList>`):                                  "Due at 55",
		said("Due ") + form("DROPDOWN", `<w:ddList><w:result w:val="2"/>`+ages+`</w:ddList>`) + said("."): "Due [field].|fill them in or update",
		form("TEXT", `<w:textInput/>`): "[field]|fill them in or update",
		said("£") + field(instruction(" = ")+ref+instruction(" * 4 "), said("1,000")) + said("."):        "£1,000.",
		field(instruction(" IF ")+ref+instruction(` > 1 "`)+said("a")+instruction(`" "b" `), said("2%")): "2%",
		field(instruction(" TOC "), field(instruction(" HYPERLINK "), said("Fees ")+ref)):                "Fees 250",
		field(instruction(" IF ")+said("one")+"</w:p><w:p>"+instruction(" two "), said("2")):             "2",
		fieldChar("begin", "") + instruction(" IF ") + said("kept £5") + ref:                             "kept £5250",
		said("Take ") + field(instruction(` EQ \f(1,4) `), "-") + said(" of it"):                         "Take [formula] of it|[formula]",
		said("Pay ") + field(instruction(` SYMBOL 163 `), "") + said("60"):                               "Pay [symbol]60|aren't known: 1",
		field(instruction(" SEQ Table "), "-") + `<w:fldSimple w:instr=" DATE "/>`:                       "[field][field]|in the file: 2",
		`<w:fldSimple w:instr=" DATE ">` + said("May") + `</w:fldSimple>`:                                "May",
		said("a") + field(instruction(` IF x `), "") + field(instruction(" SET b 5 "), "-") + said("b"):  "ab",
		said("a") + field(instruction(" IF ")+field(instruction(" SEQ "), "-"), said("5")):               "a5",
		`<w:r><w:object><w:OLEObject ProgID="Equation.3"/></w:object></w:r>` + said(" a"):                "[formula] a|[formula]",
	} {
		want, note, _ := strings.Cut(want, "|")
		p := read(t, "a.docx", body(t, "<w:p>"+in+"</w:p>", nil))
		if got := fmt.Sprint(p.Notes); p.HTML != "<p>"+want+"</p>\n" || !strings.Contains(got, note) || note == "" && got != "[]" {
			t.Errorf("%s\n%s\n%s", want, p.HTML, got)
		}
	}
}

// An item of a list of Word has the label that is printed, counted on over headings, paragraphs and tables.
func TestNumbersOfWord(t *testing.T) {
	level := func(n, format, text, more string) string {
		return `<w:lvl w:ilvl="` + n + `"><w:numFmt w:val="` + format + `"/><w:lvlText w:val="` + text + `"/>` + more + `</w:lvl>`
	}
	list := func(n, levels string) string {
		return `<w:abstractNum w:abstractNumId="` + n + `">` + levels + `</w:abstractNum>`
	}
	num := func(n, of, more string) string {
		return `<w:num w:numId="` + n + `"><w:abstractNumId w:val="` + of + `"/>` + more + `</w:num>`
	}
	numbering := list("1", level("0", "decimal", "%1.", "")+level("1", "decimal", "%1.%2", "")+level("2", "lowerLetter", "(%3)", "")) +
		list("2", level("0", "decimal", "Age %1:", `<w:start w:val="55"/>`)+level("1", "bullet", "·", "")) +
		list("3", level("0", "upperRoman", "Part %1", `<w:pStyle w:val="H"/>`)+level("1", "decimal", "%1.%2", "<w:isLgl/>")+
			level("2", "upperLetter", "%3)", `<w:lvlRestart w:val="0"/>`)) +
		list("4", `<w:numStyleLink w:val="Ours"/>`) + list("5", `<w:styleLink w:val="Ours"/>`+level("0", "decimalZero", "%1.", "")) +
		list("6", level("0", "cardinalText", "%1.", "")) +
		num("1", "1", "") + num("2", "2", "") + num("3", "3", "") + num("4", "4", "") + num("6", "6", "") +
		num("7", "1", `<w:lvlOverride w:ilvl="0"><w:startOverride w:val="9"/></w:lvlOverride>`)
	item := func(n, level, text string) string {
		if text != "" {
			text = said(text)
		}
		return `<w:p><w:pPr><w:numPr><w:ilvl w:val="` + level + `"/><w:numId w:val="` + n + `"/></w:numPr></w:pPr>` + text + `</w:p>`
	}
	head := para("H", said("Scope"))
	cells := func(a, b string) string { return "<w:tr><w:tc>" + a + "</w:tc><w:tc>" + b + "</w:tc></w:tr>" }
	for in, want := range map[string]string{
		item("1", "0", "Value") + item("1", "1", "A") + item("1", "1", "B") + item("1", "2", "c") + "<w:p>" + said("Between") +
			"</w:p>" + item("1", "2", "d") + item("1", "0", "") + item("1", "0", "E") + item("1", "1", "F"): `<ol><li value="1">Value</li>` +
			"\n</ol>\n<ul><li>1.1 A</li>\n<li>1.2 B</li>\n<li>(a) c</li>\n</ul>\n<p>Between</p>\n<ul><li>(b) d</li>\n</ul>\n" +
			`<ol><li value="3">E</li>` + "\n</ol>\n<ul><li>3.1 F</li>\n</ul>\n",
		item("2", "0", "none") + item("2", "0", "half") + item("2", "1", "dot"): "<ul><li>Age 55: none</li>\n<li>Age 56: half</li>\n" +
			"<li>dot</li>\n</ul>\n",
		head + item("3", "1", "A") + item("3", "2", "b") + head + item("3", "1", "C") + item("3", "2", "d"): "<h2>Part I Scope</h2>\n" +
			"<ul><li>1.1 A</li>\n<li>A) b</li>\n</ul>\n<h2>Part II Scope</h2>\n<ul><li>2.1 C</li>\n<li>B) d</li>\n</ul>\n",
		para("Step", said("a")) + "<w:p>" + said("So") + "</w:p>" + para("Kid", said("b")) + item("0", "0", "c"): `<ol><li value="1">a</li>` +
			"\n</ol>\n<p>So</p>\n" + `<ol><li value="2">b</li>` + "\n</ol>\n<p>c</p>\n",
		item("1", "0", "a") + item("7", "0", "b") + item("1", "0", "c"): `<ol><li value="1">a</li>` + "\n" +
			`<li value="9">b</li>` + "\n" + `<li value="10">c</li>` + "\n</ol>\n",
		para("Nowhere", said("a")):                "<p>a</p>\n",
		item("4", "0", "a") + item("6", "0", "b"): `<ol><li value="1">a</li>` + "\n" + `<li value="1">b</li>` + "\n</ol>\n",
		"<w:tbl>" + cells("<w:p>"+said("No")+"</w:p>", "<w:p>"+said("Fee")+"</w:p>") +
			cells(item("1", "0", ""), item("1", "1", "£5")) + "</w:tbl>": "<table><tr><td>No</td><td>Fee</td></tr><tr><td>1.</td>" +
			"<td>1.1 £5</td></tr></table>\n",
	} {
		p := read(t, "a.docx", body(t, in, map[string]string{"word/numbering.xml": "<w:numbering>" + numbering + "</w:numbering>",
			"word/styles.xml": `<w:styles><w:style w:styleId="H"><w:name w:val="heading 2"/><w:pPr><w:numPr><w:numId w:val="3"/>` +
				`</w:numPr></w:pPr></w:style><w:style w:styleId="Step"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>` +
				`<w:style w:styleId="Kid"><w:basedOn w:val="Step"/></w:style></w:styles>`}))
		if p.HTML != want || len(p.Notes) > 0 {
			t.Errorf("%s %v\nwant\n%s", p.HTML, p.Notes, want)
		}
	}
}

// A part that isn't read is named; a page or a document in the document is read.
func TestPartsOfWord(t *testing.T) {
	const picture = `<w:drawing><w:docPr/><a:blip r:embed="I"><a:svgBlip r:embed="I"/></a:blip></w:drawing>`
	parts := map[string]string{"word/a.htm": "<p>A fee of £71.</p>", "word/b.docx": "", "word/c.rtf": `{\rtf1 5}`,
		"word/_rels/document.xml.rels": `<Relationships>`}
	parts["word/b.docx"] = string(body(t, "<w:p>"+said("A fee of £72.")+"</w:p>", nil))
	for id, part := range map[string]string{"A": "aFChunk a.htm", "B": "aFChunk b.docx", "C": "aFChunk c.rtf", "D": "aFChunk /word/a.htm",
		"E": "aFChunk e.htm", "F": "aFChunk f.docx",
		"I": "image i.png", "G": "diagramData g.xml", "L": "diagramLayout l.xml", "P": "package p.xlsx", "H": "hyperlink h", "X": "ink x"} {
		kind, target, _ := strings.Cut(part, " ")
		parts["word/_rels/document.xml.rels"] += `<Relationship Id="` + id + `" Type="http://x/` + kind + `" Target="` + target + `"/>`
	}
	parts["word/_rels/document.xml.rels"] += `</Relationships>`
	chunk := func(id string) string { return `<w:altChunk r:id="` + id + `"/>` }
	parts["word/e.htm"], parts["word/f.docx"] = "<p>At <input>", string(body(t, "<w:p>"+field(instruction(" SEQ "), "-")+"</w:p>", nil))
	for in, want := range map[string]string{
		chunk("E") + "<w:p>" + said("b") + "</w:p>": "At [field]|[{0 empty fields: 1, shown as [field]; check them}]",
		chunk("F"): "[field]|[{0 fields whose result isn't in the file: 1, shown as [field]; fill them in or update them in Word, and save it again}]",
		chunk("A"): "A fee of £71.", chunk("B"): "A fee of £72.", chunk("D"): "A fee of £71.", chunk("C"): "|(embedded documents: 1)",
		"<w:p>" + said("a") + picture + picture + `<w:hyperlink r:id="H">` + said("b") + `</w:hyperlink></w:p>`:      "ab|(pictures: 2)",
		"<w:p>" + strings.Replace(picture, "<w:docPr/>", `<w:docPr><a:decorative val="1"/></w:docPr>`, 1) + "</w:p>": "",
		"<w:p>" + said("a") + `<w:r><w:commentReference w:id="0"/></w:r></w:p>`:                                      "a|(comments: 1)",
		`<w:p><w:drawing><d:relIds r:dm="G" r:lo="L"/></w:drawing><w:object><v:imagedata r:id="I"/><o:OLEObject r:id="P"/>` +
			`</w:object><w:contentPart r:id="X"/></w:p>`: "|(diagrams: 1, embedded objects: 1, other parts: 1)",
	} {
		want, note, _ := strings.Cut(want, "|")
		p := read(t, "a.docx", body(t, in, parts))
		if got := fmt.Sprint(p.Notes); !strings.Contains(p.HTML, want) || !strings.Contains(got, note) || note == "" && got != "[]" {
			t.Errorf("%s: %s %s", want+note, p.HTML, got)
		}
	}
}

// What a person sees of a Word document: figures that are raised by their position, paragraphs whose border was
// deleted, no hints of empty forms, and the text that only old programs or a cell's box have.
func TestWhatWordShows(t *testing.T) {
	at := func(position, text string) string {
		return `<w:r><w:rPr><w:position w:val="` + position + `"/></w:rPr><w:t>` + text + `</w:t></w:r>`
	}
	control := func(inner string) string {
		return `<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>` + inner + `</w:sdtContent></w:sdt>`
	}
	const gone = `<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>`
	cell := func(inner string) string { return "<w:tc><w:p>" + inner + "</w:p></w:tc>" }
	for in, want := range map[string]string{
		"<w:p>" + said("10") + at("10", "2") + said(" H") + at("-6", "2") + said("O") + "</w:p>": "<p>10² H2O</p>\n",
		"<w:p>" + at("8", "Raised whole.") + "</w:p>":                                            "<p>Raised whole.</p>\n",
		"<w:p>" + said("Plan: ") + control(said("Choose an item.")) + "</w:p>":                   "<p>Plan:</p>\n",
		"<w:p>" + gone + said("No fee ") + "</w:p><w:p>" + gone + said("is ") + "</w:p><w:p>" + said("due.") + "</w:p><w:p>" + said("So.") +
			"</w:p>": "<p>No fee is due.</p>\n<p>So.</p>\n",
		"<w:p>" + gone + said("a") + "</w:p><w:sdt><w:p>" + said("b") + "</w:p></w:sdt><w:p>" + said("c") + "</w:p>": "<p>a</p>\n<p>b</p>\n<p>c</p>\n",
		"<w:tbl><w:tr><w:trPr><w:del/></w:trPr>" + cell(said("old")) + cell(said("£1")) + "</w:tr><w:tr>" + cell(said("new")) +
			cell(said("£2")+"<w:r><w:txbxContent><w:p>"+said("Boxed")+"</w:p></w:txbxContent></w:r>") + "</w:tr></w:tbl>": "<table><tr><td>new</td>" +
			"<td>£2</td></tr></table>\n<p>Boxed</p>\n",
		"<w:tbl><w:tr>" + cell(said("Plan")) + cell(said("Entry")) + cell(said("Exit")) + "</w:tr><w:tr><w:trPr><w:gridBefore w:val=\"2\"/></w:trPr>" +
			cell(said("£9")) + "</w:tr></w:tbl>": "<table><tr><td>Plan</td><td>Entry</td><td>Exit</td></tr><tr><td colspan=\"2\"></td>" +
			"<td>£9</td></tr></table>\n",
		"<w:p><w:r><mc:AlternateContent><mc:Fallback>" + said("old") + "</mc:Fallback></mc:AlternateContent></w:r></w:p>": "<p>old</p>\n",
		"<w:p><w:ruby><w:rt>" + said("new") + "</w:rt><w:rubyBase>" + said("£50") + "</w:rubyBase></w:ruby></w:p>":        "<p>£50 (new)</p>\n",
		`<w:p><w:pict><v:textpath string="Drawn £5"/></w:pict></w:p>`:                                                     "<p>Drawn £5</p>\n",
	} {
		if p := read(t, "a.docx", body(t, in, nil)); p.HTML != want {
			t.Errorf("%s\nwant\n%s", p.HTML, want)
		}
	}
}
