package export

import (
	"strings"
	"testing"
	"unicode/utf8"

	"preceptor/internal/platform/text"

	"pgregory.net/rapid"
)

// apply turns the draft into the final text by the JSON form.
func apply(t interface{ Fatalf(string, ...any) }, draft string, ops [][2]any) string {
	runes, at := []rune(draft), 0
	var b strings.Builder
	for _, o := range ops {
		switch o[0] {
		case "=":
			n := o[1].(int)
			b.WriteString(string(runes[at : at+n]))
			at += n
		case "-":
			gone := o[1].(string)
			if got := string(runes[at : at+utf8.RuneCountInString(gone)]); got != gone {
				t.Fatalf("takes out %q where %q stands", gone, got)
			}
			at += utf8.RuneCountInString(gone)
		case "+":
			b.WriteString(o[1].(string))
		}
	}
	if at != len(runes) {
		t.Fatalf("ends at %d of %d", at, len(runes))
	}
	return b.String()
}

func TestDiffTurnsOneTextIntoTheOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.Custom(func(t *rapid.T) string {
			words := rapid.SliceOfN(
				rapid.SampledFrom([]string{"a ", "pot ", "pension\n\n", "£5 ", "…", "tax, ", "ünd ", "  ", "\u202eб "}),
				0, 30).Draw(t, "words")
			return strings.Join(words, "")
		})
		a, b := texts.Draw(t, "a"), texts.Draw(t, "b")
		ops := Changes(a, b)
		if got := apply(t, a, jsonOps(ops)); got != b {
			t.Fatalf("%q to %q gives %q by %v", a, b, got, ops)
		}
		for i := 1; i < len(ops); i++ {
			if ops[i].Op == ops[i-1].Op || ops[i-1].Op == text.Added && ops[i].Op == text.Removed {
				t.Fatalf("steps are not joined: %v", ops)
			}
		}
	})
}

func TestDiffIsShort(t *testing.T) {
	a := strings.Repeat("one two three four five. ", 100)
	b := strings.Replace(a, "one two three four five. one", "one two 3 four five. one", 1)
	ops := Changes(a, b)
	if len(ops) != 4 || ops[1].Text != "three " || ops[2].Text != "3 " {
		t.Errorf("got %d steps: %.200v", len(ops), ops)
	}
}

// A text that was written anew is not searched for likenesses for ever.
func TestDiffOfStrangersEnds(t *testing.T) {
	var a, b strings.Builder
	for i := range 20_000 {
		a.WriteString(strings.Repeat("a", i%7+1) + " ")
		b.WriteString(strings.Repeat("b", i%5+1) + " ")
	}
	if ops := Changes(a.String(), b.String()); len(ops) != 2 {
		t.Errorf("%d steps", len(ops))
	}
}

func TestUnified(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"A third is tax free.", "A quarter is tax free.", "A [-third-]{+quarter+} is tax free."},
		{"One.\n\nTwo.", "One.\n\nTwo. Three.", "One.\n\n[-Two.-]{+Two. Three.+}"},
		{"one two three four five six seven eight nine ten eleven x",
			"one two three four five six seven eight nine ten eleven y",
			"… six seven eight nine ten eleven [-x-]{+y+}"},
		{"keep this word", "keep word", "keep [-this-] word"},
		{"keep word", "keep this word", "keep {+this+} word"},
		{"", "all new", "{+all new+}"},
	} {
		if got := unified(Changes(c.a, c.b)); got != c.want {
			t.Errorf("%q to %q: %q, want %q", c.a, c.b, got, c.want)
		}
	}
}
