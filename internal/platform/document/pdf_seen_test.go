package document_test

import (
	"fmt"
	"strings"
	"testing"

	"preceptor/internal/platform/document"
)

// pages makes a PDF of pages of content, with what else the catalog and the pages say.
func pages(catalog, each string, objects []string, contents ...string) []byte {
	kids, list := "", objects
	for i, c := range contents {
		kids += fmt.Sprintf("%d 0 R ", 100+2*i)
		list = append(list, fmt.Sprintf("%d 0 obj <</Type /Page /Contents %d 0 R /Resources <</Font <</F 5 0 R>> /ExtGState "+
			"<</G <</ca 0.4>>>> /ColorSpace <</Cal [/CalRGB <<>>] /Icc [/ICCBased 33 0 R] /Lab [/Lab <<>>] "+
			"/Inks [/DeviceN [/A /B /C] /DeviceCMYK <<>>]>> /Properties <</A 21 0 R /B 22 0 R /M 23 0 R>> /XObject <</X 31 0 R /I 32 0 R>>>> "+
			"%s>> endobj", 100+2*i, 101+2*i, each), fmt.Sprintf("%d 0 obj <<>> stream\n%s\nendstream endobj", 101+2*i, c))
	}
	return pdf(append(list, "1 0 obj <</Type /Catalog /Pages 2 0 R "+catalog+">> endobj\n2 0 obj <</Kids ["+kids+"]>> endobj\n"+
		"5 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj\n")...)
}

// set sets a text at a place.
func set(x, y int, text string) string {
	return fmt.Sprintf("BT /F 10 Tf 1 0 0 1 %d %d Tm (%s) Tj ET\n", x, y, text)
}

// bodyOf is what a document says, on one line, and notes what is said of it.
func bodyOf(p document.Page) string {
	s := strings.NewReplacer("<p>", "", "</p>", "", "\n", " ", "<table>", "", "</table>", "", "<tr>", "", "</tr>", ";",
		"<td>", "", "</td>", "|").Replace(p.HTML)
	return strings.TrimSpace(s)
}

func noted(p document.Page) string {
	var list []string
	for _, n := range p.Notes {
		list = append(list, n.Why)
	}
	return strings.Join(list, "\n")
}

// What nobody sees on a page isn't guidance, and the notes quote it; what may be seen stays.
func TestWhatNobodySeesOnAPage(t *testing.T) {
	kept := set(40, 700, "Retire at 65.")
	const layers = "/OCProperties <</OCGs [21 0 R 22 0 R] /D <</OFF [21 0 R]>>>>"
	const unseen, outside = "left out, transparent or white on white", "outside the visible part"
	for name, c := range map[string]struct{ catalog, page, content, note string }{
		"a layer that is off": {layers, "", "/OC /A BDC " + set(40, 680, "Old.") + "EMC", "“Old.” (page 1)"},
		"within one":          {layers, "", "/OC /A BDC /Span <</MCID 3>> BDC " + set(40, 680, "Old.") + "EMC EMC", "“Old.” (page 1)"},
		"the other way": {strings.Replace(layers, "/OFF", "/BaseState /OFF /ON [22 0 R] /Off", 1), "",
			"/OC /A BDC " + set(40, 680, "Old.") + "EMC", "switched off: “Old.”"},
		"by a rule":            {layers, "", "/OC /M BDC " + set(40, 680, "Old.") + "EMC", "switched off: “Old.”"},
		"a form in one":        {layers, "", "/X Do", "switched off: “Form.”"},
		"beside the page":      {"", "", set(-200, 680, "Old."), outside},
		"cropped":              {"", "/CropBox [30 400 400 720]", set(40, 300, "Old."), outside},
		"clipped":              {"", "", "q 0 0 10 10 re W n " + set(40, 680, "Old.") + "Q", outside},
		"white, calibrated":    {"", "", "/Cal cs 1 1 1 sc " + set(40, 680, "Old."), unseen},
		"white by a profile":   {"", "", "/Icc cs 1 1 1 scn " + set(40, 680, "Old."), unseen},
		"no ink":               {"", "", "3 Tr " + set(40, 680, "Old."), unseen},
		"white":                {"", "", "1 1 1 rg " + set(40, 680, "Old."), unseen},
		"white on a white box": {"", "", "1 g 30 670 200 30 re f " + set(40, 680, "Old."), unseen},
		"white as ink":         {"", "", "0 0 0 0 k " + set(40, 680, "Old."), unseen},
		"a box over it":        {"", "", set(40, 680, "Old.") + "0 g 30 670 200 25 re f", "under a filled box: “Old.”"},
	} {
		raw := pages(c.catalog, c.page, []string{"21 0 obj <</Type /OCG>> endobj\n22 0 obj <</Type /OCG>> endobj\n" +
			"23 0 obj <</Type /OCMD /OCGs [21 0 R 22 0 R] /P /AllOn>> endobj\n" +
			"33 0 obj <</N 3>> stream\n\nendstream endobj\n31 0 obj <</Subtype /Form /OC 21 0 R>> stream\n" + set(40, 680, "Form.") + "\nendstream endobj"}, kept+c.content)
		if p := read(t, "a.pdf", raw); bodyOf(p) != "Retire at 65." || !strings.Contains(noted(p), c.note) {
			t.Errorf("%s: %s\n%s", name, p.HTML, noted(p))
		}
	}
	for name, content := range map[string]string{
		"a layer that is on":    "/OC /B BDC " + set(40, 680, "New.") + "EMC",
		"white on a dark box":   "0 0 1 rg 30 670 200 30 re f 1 1 1 rg " + set(40, 680, "New."),
		"white on a thick line": "30 w 30 680 m 230 680 l S 1 g " + set(40, 680, "New."),
		"nearly black in Lab":   "/Lab cs 1 1 1 sc " + set(40, 680, "New."),
		"of three inks":         "1 1 1 rg /Inks cs 1 1 1 scn " + set(40, 680, "New."),
		"grey after white":      "1 1 1 rg 0 g " + set(40, 680, "New."),
		"recognised in a scan":  "q 400 0 0 400 20 500 cm /I Do Q 3 Tr " + set(40, 680, "New."),
		"marked with a pen":     set(40, 680, "New.") + "/G gs 1 1 0 rg 30 670 200 25 re f",
		"a box in front of it":  set(40, 680, "New.") + "45 670 200 25 re f",
		"a box behind it":       "30 670 200 25 re f " + set(40, 680, "New."),
		"a ring around it":      set(40, 680, "New.") + "30 680 m 100 720 l 200 680 l 100 650 l f",
		"clipped around it":     "q 30 670 200 25 re W n " + set(40, 680, "New.") + "Q",
		"set twice":             set(40, 680, "New.") + "BT /F 10 Tf 1 0 0 1 40.4 680 Tm (New.) Tj ET",
	} {
		p := read(t, "a.pdf", pages(layers, "", []string{"21 0 obj <</Type /OCG>> endobj\n22 0 obj <</Type /OCG>> endobj\n" +
			"32 0 obj <</Subtype /Image>> stream\n\nendstream endobj"}, kept+content))
		if got := strings.NewReplacer("<h1 id=\"page=1\">", "", "</h1>", "").Replace(bodyOf(p)); got != "Retire at 65. New." || noted(p) != "" {
			t.Errorf("%s: %s\n%s", name, p.HTML, noted(p))
		}
	}
}

// The values of a form are read where they are seen.
func TestFormsOfAPDF(t *testing.T) {
	const at = " /Subtype /Widget /Rect [%d %d %d %d]>>"
	fields := "/Annots [<</FT /Tx /V <EFBBBF3635C2BD>" + fmt.Sprintf(at, 150, 696, 200, 712) +
		"<</Parent <</FT /Ch /V (b) /Opt [[(a) (4%)] [(b) (8\\240)]]>>" + fmt.Sprintf(at, 150, 666, 200, 682) +
		"<</FT /Btn /AS /Yes" + fmt.Sprintf(at, 40, 637, 50, 647) + "<</FT /Btn /AS /Off" + fmt.Sprintf(at, 40, 617, 50, 627) +
		"<</FT /Tx /V <FEFF00A30035>" + fmt.Sprintf(at, 100, 597, 140, 607) + "<</FT /Tx /F 2 /V (hidden)" +
		fmt.Sprintf(at, 200, 597, 240, 607) + "<</FT /Btn /Ff 65536 /V /Go" + fmt.Sprintf(at, 200, 597, 240, 607) + "]"
	p := read(t, "a.pdf", pages("", fields, nil, set(40, 700, "Retirement age:")+set(40, 670, "Contribution:")+
		set(55, 640, "Transfers.")+set(55, 620, "Loans.")+set(40, 600, "The fee is")+set(145, 600, "each year.")))
	if got := bodyOf(p); got != "Retirement age:|65½|;Contribution:|8€|; ☑ Transfers. ☐ Loans. The fee is £5 each year." {
		t.Errorf("%q", got)
	}
}

// What reviewers struck out is left out, word by word, and the notes say what else they wrote.
func TestReviewersMarks(t *testing.T) {
	marks := "/Annots [<</Subtype /StrikeOut /QuadPoints [38 712 150 712 38 697 150 697] /Contents (gone)>> " +
		"<</Subtype /StrikeOut /QuadPoints [86 692 98 692 86 677 98 677]>> " +
		"<</Subtype /StrikeOut /QuadPoints [300 300 320 310 300 300 320 310]>> <</Subtype /StrikeOut /QuadPoints [40 672 52 672 40 657 52 657]>> " +
		"<</Subtype /FreeText /Contents (It is 95.)>> <</Subtype /Stamp /Name /Draft>> <</Subtype /Highlight>> <</Subtype /Link>>]"
	p := read(t, "a.pdf", pages("", marks, nil, set(40, 700, "The exit fee is 150.")+set(40, 680, "The fee is 45 95 a year.")+
		set(40, 660, "Members agree.")))
	const want = "reviewers' marks that weren't imported: “StrikeOut: gone” (page 1), “FreeText: It is 95.” (page 1), " +
		"“Stamp: Draft” (page 1), “StrikeOut over no text” (page 1)\nstruck out in part, and kept: “Members” (page 1)"
	if got := strings.Join(strings.Fields(bodyOf(p)), " "); got != "The fee is 95 a year. Members agree." || p.Struck != 2 ||
		noted(p) != want {
		t.Errorf("%q, %d struck\n%s", got, p.Struck, noted(p))
	}
}

// Lines that end in dots and a number are a table of contents where they name the lines of the pages.
func TestListsWithLeaders(t *testing.T) {
	list := set(40, 640, "Early exit ........ 2") + set(40, 620, "Valuation ........ 3") + set(40, 600, "Copies ........ 4")
	pagesOf := []string{list, set(40, 600, "Early exit") + set(40, 570, "It costs 5."), set(40, 600, "Valuation") + set(40, 570, "It costs 6."),
		set(40, 600, "Copies") + set(40, 570, "They are free.")}
	p := read(t, "a.pdf", pages("", "", nil, pagesOf...))
	if strings.Contains(p.HTML, "…") || !strings.Contains(noted(p), "table of contents: “Early exit ........ 2 Valuation") {
		t.Errorf("%s\n%s", p.HTML, noted(p))
	}
	for name, pages := range map[string][]byte{
		"prices": pages("", "", nil, strings.NewReplacer(".. 2", ".. 20", ".. 3", ".. 35", ".. 4", ".. 50").Replace(list)),
		"prices of one page's plans": pages("", "", nil, strings.NewReplacer(".. 3", ".. 2", ".. 4", ".. 2").Replace(list),
			pagesOf[1]+strings.ReplaceAll(pagesOf[2], "600", "500")+strings.ReplaceAll(pagesOf[3], "600", "400")),
		"falling": pages("", "", nil, strings.Replace(list, ".. 2", ".. 9", 1), pagesOf[1], pagesOf[2], pagesOf[3]),
		"two":     pages("", "", nil, list[:strings.Index(list, "BT /F 10 Tf 1 0 0 1 40 600")], pagesOf[1], pagesOf[2], pagesOf[3]),
	} {
		if p := read(t, "a.pdf", pages); strings.Count(p.HTML, "…") < 2 || strings.Contains(p.HTML, "...") || noted(p) != "" {
			t.Errorf("%s: %s\n%s", name, p.HTML, noted(p))
		}
	}
}

// Running headers are named, and a figure that a page ends with is no page number.
func TestRunningHeadersAreNamed(t *testing.T) {
	page := func(n int, last string) string {
		return set(40, 780, "Exit charge: 95") + set(40, 600, fmt.Sprintf("This is what page %d says of the charge of", n)) +
			set(40, 60, last) + set(300, 20, fmt.Sprint(n))
	}
	p := read(t, "a.pdf", pages("", "", nil, page(1, "10%."), page(2, "no plan.")))
	if !strings.Contains(p.HTML, "10%.") || noted(p) != "left out as running headers and footers: “Exit charge: 95” (page 1)" {
		t.Errorf("%s\n%s", p.HTML, noted(p))
	}
}

// A word that a line's end breaks is whole where the document has it whole, and a range of figures has no space.
func TestBrokenWords(t *testing.T) {
	p := read(t, "a.pdf", pages("", "", nil, set(40, 700, "A pension for the self-")+set(40, 688, "employed from 2026-")+
		set(40, 676, "27 on is a pen-")+set(40, 664, "sion.")))
	if got := bodyOf(p); got != "A pension for the self-employed from 2026-27 on is a pension." {
		t.Error(got)
	}
}

// Marks over no text are named in the order of the pages.
func TestMarksInTheOrderOfPages(t *testing.T) {
	var contents []string
	for i := range 30 {
		contents = append(contents, set(40, 600, fmt.Sprintf("The fee of plan %d is 5.", i)))
	}
	p := read(t, "a.pdf", pages("", "/Annots [<</Subtype /StrikeOut /QuadPoints [300 300 320 310 300 300 320 310]>>]", nil, contents...))
	if want := "marks that weren't imported: “StrikeOut over no text” (page 1)"; !strings.Contains(noted(p), want) {
		t.Error(noted(p))
	}
}

// What the tags of a PDF leave out is quoted: text without a mark, a mark that isn't in the structure, and a field's
// value above all text.
func TestWhatTagsLeaveOut(t *testing.T) {
	marked := func(id, y int, text string) string {
		return fmt.Sprintf("/P <</MCID %d>> BDC %sEMC\n", id, set(40, y, text))
	}
	const long = "Members who leave before they are 55 pay a charge, whatever plan they are in and whenever they joined it, "
	p := read(t, "a.pdf", pages("/StructTreeRoot 7 0 R", "/Annots [<</FT /Tx /V (GBP 250) /Subtype /Widget /Rect [40 700 100 712]>>]",
		[]string{"7 0 obj <</K [<</S /H1 /Pg 100 0 R /K 0>> <</S /P /Pg 100 0 R /K 1>> <</S /P /Pg 100 0 R /K 2>>]>> endobj"},
		marked(0, 600, "Charges")+marked(1, 580, long)+marked(2, 560, long)+set(40, 540, "Exit 95.")+marked(3, 520, "Loans 7.")+
			set(40, 20, "1")))
	if got := noted(p); !strings.HasPrefix(p.HTML, `<h1 id="page=1">Charges</h1>`) || strings.Contains(p.HTML, "95") ||
		!strings.HasSuffix(got, "to import it): “GBP 250” (page 1), “Exit 95.” (page 1), “Loans 7.” (page 1)") {
		t.Errorf("%s\n%s", p.HTML, got)
	}
}
