package privacy

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// sample draws a string that an expression may match; what it says about its surroundings is left to chance.
func sample(t *rapid.T, re *syntax.Regexp) string {
	var b strings.Builder
	again := func(least, most int) {
		for range rapid.IntRange(least, most).Draw(t, "times") {
			b.WriteString(sample(t, re.Sub[0]))
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			if re.Flags&syntax.FoldCase != 0 {
				for range rapid.IntRange(0, 3).Draw(t, "fold") {
					r = unicode.SimpleFold(r)
				}
			}
			b.WriteRune(r)
		}
	case syntax.OpCharClass:
		i := 2 * rapid.IntRange(0, len(re.Rune)/2-1).Draw(t, "range")
		b.WriteRune(rapid.Int32Range(re.Rune[i], re.Rune[i+1]).Draw(t, "rune"))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteRune(rapid.SampledFrom([]rune("ab 1")).Draw(t, "any"))
	case syntax.OpCapture:
		return sample(t, re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			b.WriteString(sample(t, sub))
		}
	case syntax.OpAlternate:
		return sample(t, re.Sub[rapid.IntRange(0, len(re.Sub)-1).Draw(t, "way")])
	case syntax.OpQuest:
		again(0, 1)
	case syntax.OpStar:
		again(0, 3)
	case syntax.OpPlus:
		again(1, 4)
	case syntax.OpRepeat:
		most := re.Max
		if most < 0 {
			most = re.Min + 3
		}
		again(re.Min, most)
	}
	return b.String()
}

// No gate stays shut on a text that its expression matches.
func TestGatesOpenForEveryMatch(t *testing.T) {
	type gated struct {
		may gate
		re  *regexp.Regexp
	}
	list := []gated{{mayLower, lowerIntroRE}}
	for _, d := range detectors {
		list = append(list, gated{d.may, d.re})
	}
	for _, in := range introductions {
		list = append(list, gated{in.may, in.re})
	}
	for _, g := range list {
		parsed, err := syntax.Parse(g.re.String(), syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		met := 0
		rapid.Check(t, func(t *rapid.T) {
			text := rapid.SampledFrom([]string{"", "Well, ", "see\n"}).Draw(t, "before") + sample(t, parsed) +
				rapid.SampledFrom([]string{"", ".", " then"}).Draw(t, "after")
			if !g.re.MatchString(text) {
				return
			}
			met++
			if !g.may(lookAt(text)) {
				t.Errorf("%q matches %s, and the gate is shut", text, g.re)
			}
		})
		if met < 20 && !testing.Short() { // which tries too few
			t.Errorf("only %d texts matched %s", met, g.re)
		}
	}
}

// A number that belongs to somebody is never overlooked.
func TestPhonesAreFoundBehindTheirGate(t *testing.T) {
	parsed, err := syntax.Parse(phoneRE.String(), syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := "Ring " + sample(t, parsed) + " now"
		open := lookAt(text)
		open.loose = leastPhone
		if got, want := len(phones(lookAt(text))), len(phones(open)); got != want {
			t.Errorf("%q has %d numbers, and %d were found", text, want, got)
		}
	})
}

const page = "Usually a quarter of a pension pot can be taken free of tax and the rest is taxed as income when it " +
	"is paid. " +
	"Taking money out leaves less for later. Pension Wise offers free and impartial guidance, and an authorised " +
	"adviser can recommend what suits one person. " +
	"Most people are better off keeping a defined benefit pension, and above £30,000 regulated advice is required by " +
	"law. (Copy 12.)"

func BenchmarkPseudonymise(b *testing.B) {
	p := New()
	for b.Loop() {
		p.Pseudonymise(page, "Margaret Hollis")
	}
}

// What stands around the words that an introduction can't do without is enough: in the whole text no more names are
// found.
func TestWindowsLoseNoName(t *testing.T) {
	words := []string{"Mrs Jones", "my husband Brian", "person", "reason", "text", "my late son Peter Hall",
		"Ex-wife Joan", "I'm Ada Obi", "this is Tom Nowak again", "Dear Ann,", "\n", "regards, Élodie Martin",
		"spoke to Anna Kowalska", "Member: Keith Sturgess", "pensions are worth less than they were", "£30,000",
		"Messrs Hall and Lyle", "ß", "Caller Ian Bell", "her boss Sue"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 40).Draw(t, "words"), " ")
		l := lookAt(text)
		for _, in := range introductions {
			whole := in
			whole.line = true
			found := map[int]bool{}
			for _, w := range in.windows(l) {
				for _, m := range in.re.FindAllStringSubmatchIndex(text[w[0]:w[1]], -1) {
					found[w[0]+m[2]] = true
				}
			}
			for _, w := range whole.windows(l) {
				for _, m := range in.re.FindAllStringSubmatchIndex(text[w[0]:w[1]], -1) {
					if in.may(l) && !found[m[2]] {
						t.Errorf("%q: %q is only found in the whole", text, text[m[2]:m[3]])
					}
				}
			}
		}
	})
}
