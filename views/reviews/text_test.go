package reviews

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/review"
)

// Whatever the flags point at, nothing of the text is lost, and each flag that points at words is noted once, with its words.
func TestThePartsOfATextAreTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab£\n\u202eש ")), 0, 60, -1).Draw(t, "text")
		n := len([]rune(text))
		var flags []review.Flag
		for range rapid.IntRange(0, 5).Draw(t, "flags") {
			flags = append(flags, review.Flag{Start: rapid.IntRange(-2, n+2).Draw(t, "start"), End: rapid.IntRange(-2, n+2).Draw(t, "end")})
		}
		var all strings.Builder
		noted, numbered := map[int]int{}, map[int]int{}
		for _, p := range parts(text, flags) {
			all.WriteString(p.Text)
			for _, n := range p.Notes {
				noted[n.No]++
			}
			for _, m := range p.Marks {
				if m.Start < 0 || m.End > len([]rune(p.Text)) || m.Start >= m.End {
					t.Fatalf("a mark from %d to %d in %q", m.Start, m.End, p.Text)
				}
				numbered[m.Number]++
			}
		}
		if all.String() != text {
			t.Fatalf("%q, want %q", all.String(), text)
		}
		for _, f := range unplaced(flags, n) {
			noted[f.No]++
			numbered[f.No]++
		}
		for i := range flags {
			if noted[i+1] != 1 || numbered[i+1] != 1 {
				t.Fatalf("flag %d of %v in %q is noted %d times and numbered %d times", i+1, flags, text, noted[i+1], numbered[i+1])
			}
		}
	})
}

func TestTheReasonStandsBesideItsParagraph(t *testing.T) {
	text := "One.\n\nTwo is wrong.\n\nThree.\n\nFour."
	at := strings.Index(text, "wrong")
	got := parts(text, []review.Flag{{Code: "A"}, {Code: "B", Start: at, End: at + 5}})
	if len(got) != 3 || got[0].Text != "One.\n\n" || got[1].Text != "Two is wrong.\n\n" || len(got[1].Notes) != 1 || got[1].Notes[0].No != 2 || len(got[0].Notes)+len(got[2].Notes) != 0 {
		t.Errorf("%+v", got)
	}
	if got := parts(text, nil); len(got) != 1 || got[0].Text != text {
		t.Errorf("a text without flags is in %d parts", len(got))
	}
	if got := parts("", nil); len(got) != 1 {
		t.Error("no text at all has no part")
	}
}
