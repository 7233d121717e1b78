package knowledge

import (
	"strings"
	"testing"
	"unicode/utf16"
)

// A section that is too long to be one case is cut into parts, whatever kind of file it came in; one that can't be is
// reported.
func TestLongSectionsAreCut(t *testing.T) {
	paragraph := strings.Repeat("A rare word such as quokka stands here. ", 10)
	for name, text := range map[string]string{
		"paragraphs.txt": strings.Repeat("Chapter 1. "+paragraph+"\n\n", 900),
		"one.txt":        strings.Repeat("You can take a quarter of it free of tax. ", 30_000),
		"one.md":         "# Tax\n\n" + strings.Repeat("You can take a quarter of it free of tax. ", 20_000),
		"lines.html":     "<h1>Tax</h1><ul>" + strings.Repeat("<li>quarter free of tax</li>", 2000) + "</ul>",
	} {
		var r ImportReport
		d := r.read(name, name, []byte(text))
		if d == nil || len(d.sections) < 4 || len(r.Skipped) > 0 {
			t.Fatalf("%s: %+v, %v", name, d, r.Skipped)
		}
		words := 0
		for i, s := range d.cited() {
			if len(s.text) > mostCase || len(s.text) < mostCase/8 {
				t.Errorf("%s: part %d has %d bytes", name, i, len(s.text))
			}
			words += len(strings.Fields(s.text))
		}
		if !strings.HasSuffix(d.sections[1].heading, " (part 2)") {
			t.Errorf("%s: %s", name, d.sections[1].heading)
		}
		if n := len(strings.Fields(text)); name == "one.txt" && words != n {
			t.Errorf("%d words of %d are left", words, n)
		}
	}
	var r ImportReport
	d := r.read("x.txt", "x.txt", []byte("Good\n\nShort words.\n\nBAD PART\n\n"+strings.Repeat("x", 9000)))
	if len(d.sections) == 0 || len(r.Skipped) != 1 || !strings.Contains(r.Skipped[0].Why, "can't be cut") {
		t.Errorf("%+v, %+v", d, r.Skipped)
	}
	long := Case{CaseText: CaseText{Guidance: strings.Repeat("£", 1<<20), Negative: "short"}}.Bounded()
	if len(long.Guidance) > 5*mostCase || long.Negative != "short" {
		t.Error(len(long.Guidance))
	}
}

// Markdown is read in the encodings that plain text is, and a file of another kind isn't taken for text.
func TestMarkdownInAnyEncoding(t *testing.T) {
	wide := "\xff\xfe"
	for _, u := range utf16.Encode([]rune("# Fees\n\nYou pay £5 – once.\n")) {
		wide += string([]byte{byte(u), byte(u >> 8)})
	}
	for _, text := range []string{"# Fees\n\nYou pay \xa35 \x96 once.\n", wide,
		"\xef\xbb\xbf# Fees\n\nYou pay £5 – once."} {
		d, err := parseDocument("a.md", "a.md", []byte(text))
		if err != nil || len(d.sections) != 1 || d.sections[0].text != "You pay £5 – once." {
			t.Errorf("%q: %+v, %v", text, d, err)
		}
	}
	if _, err := parseDocument("a.md", "a.md", []byte("\x89PNG\r\n\x1a\n\x00\x00")); err == nil ||
		!strings.Contains(err.Error(), "picture") {
		t.Error(err)
	}
}

// Markdown that would keep its reader busy for hours ends in a line, and fences that nothing closes are none.
func TestTangledMarkdownEndsInALine(t *testing.T) {
	var r ImportReport
	if d := r.read("a.md", "a.md", []byte(strings.Repeat("[a](", 50_000))); d != nil || len(r.Skipped) != 1 ||
		!r.Skipped[0].Bad || !strings.Contains(r.Skipped[0].Why, "takes too long") {
		t.Errorf("%v %+v", d, r.Skipped)
	}
	lines := strings.Split(strings.Repeat("```a\n", 100_000)+"~~~\nx\n~~~", "\n")
	code := fenced(lines)
	for i, c := range code {
		if c != (i >= 100_000) {
			t.Fatalf("line %d %q: %v", i, lines[i], c)
		}
	}
}
