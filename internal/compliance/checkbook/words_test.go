package checkbook

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"preceptor/internal/compliance"
)

func TestPlainWords(t *testing.T) {
	for _, c := range []struct {
		source string
		finds  []string
		leaves []string
	}{
		{"money pot", []string{"Your money pot is here.", "MONEY POT", "your money\n pot", "your money, pot"}, []string{"moneypot", "money pots", "a money for the pot"}},
		{"guarantee*", []string{"It is guaranteed.", "a guarantee", "Guarantees!"}, []string{"a guarantor"}},
		{"*worthy", []string{"It is noteworthy.", "trustworthy"}, []string{"worth it"}},
		{"best * for you", []string{"the best for you", "the best thing for you", "the best possible thing for you"}, []string{"the best that anybody could ever do for you", "best foryou"}},
		{"act now|act today", []string{"Act now!", "please act today"}, []string{"act later", "react now"}},
		{"act now\n\nact today", []string{"act today"}, []string{"act"}},
		{"don’t wait", []string{"Don't wait."}, []string{"dont wait"}},
		{"25% (tax free)", []string{"take 25% (tax free) now"}, []string{"25 % tax free", "take 125% (tax free)"}},
		{"a.b", []string{"see a.b there"}, []string{"see axb"}},
		{"Rürup*", []string{"die Rürup-Rente", "rürup"}, nil},
		{"self-invested", []string{"a self-invested pension"}, []string{"self invested"}},
	} {
		pattern, p := Words(c.source)
		if p != nil {
			t.Errorf("%q: %s", c.source, p.Msg)
			continue
		}
		re := regexp.MustCompile(`(?i)` + pattern)
		for _, text := range c.finds {
			if !re.MatchString(text) {
				t.Errorf("%q (%s) finds nothing in %q", c.source, pattern, text)
			}
		}
		for _, text := range c.leaves {
			if re.MatchString(text) {
				t.Errorf("%q (%s) finds something in %q", c.source, pattern, text)
			}
		}
	}
}

// What is wrong is said at its place.
func TestPlainWordsThatCanNotBeRead(t *testing.T) {
	for source, want := range map[string]string{
		"a*": "a*", "best * ": "*", "* for you": "*", "act now||act today": "|", "act now|": "|", "|act now": "|",
		"good ... thing": "...", "x | it": "", "one | a* | two": "a*", "fine\n***": "***", "ünd | ü*": "ü*",
	} {
		_, p := Words(source)
		switch {
		case want == "" && p != nil:
			t.Errorf("%q: %s", source, p.Msg)
		case want != "" && p == nil:
			t.Errorf("%q goes through", source)
		case want != "" && string([]rune(source)[p.Start:p.End]) != want:
			t.Errorf("%q is marked at %q, want %q", source, string([]rune(source)[p.Start:p.End]), want)
		}
	}
	for _, empty := range []string{"", "  \n "} {
		if _, p := Words(empty); p == nil {
			t.Errorf("%q goes through", empty)
		}
	}
}

func TestExpressionsAreExplainedAtTheirPlace(t *testing.T) {
	for source, want := range map[string][2]string{
		`a(?!b)c`: {`(?!`, "Looking ahead"}, `x(?<=b)`: {`(?<=b)`, "Looking ahead"}, `(a)\1`: {`\1`, "Going back"}, `you [a-`: {`[a-`, "never closed"},
		`a**`: {`**`, "repetition"}, `*a`: {`*`, "nothing before"}, `a)`: {`a)`, ""}, `(a`: {`(a`, "bracket"}, `[z-a]`: {`z-a`, "backwards"}, `é\q`: {`\q`, "backslash"},
		`x{2000}`: {`{2000}`, "count"}, `ab\`: {`ab\`, "end"},
	} {
		_, p := compile(source)
		if p == nil {
			t.Errorf("%s goes through", source)
			continue
		}
		if got := string([]rune(source)[p.Start:p.End]); !strings.HasPrefix(got, want[0]) || !strings.Contains(p.Msg, want[1]) {
			t.Errorf("%s is marked at %q with %q", source, got, p.Msg)
		}
	}
}

// RE2 has no backtracking, and an expression that becomes a large program is refused: (.{0,90}){9} alone would be 800 steps that
// run side by side at every letter.
func TestLargeExpressionsAreRefused(t *testing.T) {
	for _, source := range []string{`(.{0,100}){10}x`, `.{0,250}x`, strings.Repeat(`.{0,900}x`, 3), `((a{1,30}){1,30}){1,1}(b{1,900})`, strings.Repeat("a?", 700) + strings.Repeat("a", 500), strings.Repeat("é", compliance.MaxPattern+1)} {
		if c, p := compile(source); p == nil {
			t.Errorf("%.40s goes through: %+v", source, c)
		}
	}
	if _, p := compile(`\b(?:best|right|safest) (?:option|choice|move) for (?:you|someone like you)\b`); p != nil {
		t.Errorf("an ordinary one: %s", p.Msg)
	}
}

// Each of these was taken, and six of the first held a submission of 192 KB for most of a minute.
func TestExpressionsThatCostMuchAreRefused(t *testing.T) {
	for _, source := range []string{`(\w+\s?){0,90}zzz`, `([a-z]+\s?){0,80}zzz`, `(x+y?){0,120}z`, `((a|b)+,?){0,90}q`} {
		if c, p := compile(source); p == nil {
			t.Errorf("%s goes through: %+v", source, c)
		} else if !strings.Contains(p.Msg, "smaller") {
			t.Errorf("%s: %q says nothing that could be done", source, p.Msg)
		}
	}
	if heavy := (&Wording{Pattern: `(.{0,6}){8}q`}); !heavy.Heavy() || (&Wording{Pattern: `best`}).Heavy() {
		t.Error("a trial does not tell what costs much")
	}
	for _, source := range []string{`\bguarantee(d|s)?\b.{0,40}\b(return|growth)s?\b`, `a.*b.*c.*d.*qq`, `(very )*best`, strings.Repeat("alpha|beta|", 10) + "gamma"} {
		if c, p := compile(source); p != nil || c.walk == 0 {
			t.Errorf("%s: %+v, %s", source, c, p.Msg)
		}
	}
}

// Six checks, each nearly as costly as one may be, on a text of 20 KB and on a submission of 192 KB without a full stop: what is looked at
// at each letter stays what was counted on the short text, so a whole book of them is bounded by mostOfAll. It is counted, not timed.
func TestAWholeBookStaysBoundedOnLongTexts(t *testing.T) {
	six := []string{`(.{0,6}){8}q`, `(.{0,5}){9}zz`, `(\w+\s?){0,9}zzz`, `([a-z]+\s?){0,8}zzz`, `(a|b|ab){0,20}x{3}`, `a.*b.*c.*d.*qq`}
	var all cost
	for _, source := range six {
		c, p := compile(source)
		if p != nil {
			t.Fatalf("%s: %s", source, p.Msg)
		}
		all = all.plus(c)
		tree, err := syntax.Parse(`(?i)`+source, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		prog, err := syntax.Compile(tree.Simplify())
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range nasty(prog) {
			for _, letters := range []int{20_000, 192_000} {
				if letters > 20_000 && c.walk < 100 {
					continue // the costly ones are enough
				}
				if n := newWalker(prog).over(text, letters, 1<<40); n > (c.walk+1)*letters {
					t.Errorf("%s looks at %d places a letter of a text of %d, and %d were counted", source, n/letters, letters, c.walk)
				}
			}
		}
	}
	if t.Logf("%+v", all); all.walk > mostOfAll.walk {
		t.Errorf("six such checks are %+v; a book takes %+v", all, mostOfAll)
	}
	if again := all.plus(all).plus(all); again.within(mostOfAll) {
		t.Errorf("a book takes three times as much: %+v", again)
	}
}

// A phrase of any words finds itself, between any others, in any case.
func TestAPhraseFindsItself(t *testing.T) {
	word := rapid.StringMatching(`[a-zA-Z0-9.(+?'£%é-]{0,6}[a-zA-Z0-9]`)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(word, 1, 8).Draw(t, "words")
		pattern, p := Words(strings.Join(words, " "))
		if p != nil {
			t.Fatalf("%q: %s", words, p.Msg)
		}
		re, err := regexp.Compile(`(?i)` + pattern)
		if err != nil {
			t.Fatal(err)
		}
		text := "Before it " + strings.ToUpper(strings.Join(words, "  ")) + " and after it."
		if !re.MatchString(text) {
			t.Fatalf("%q (%s) is not found in %q", words, pattern, text)
		}
	})
}

// Whatever is typed, it is refused at a place within it, or becomes an expression that runs, is bounded, and finds nothing in
// nothing.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"money pot", "guarantee*|promise*", "best * for you", "a|", "(?i", "\\", "[", "* *", "é*", "a\r\nb", "x||", "\xff\xfe", "| | |", "'*'", "25%*"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		w := Wording{Syntax: PlainWords, Source: source, Code: "HOUSE_STYLE", Title: "t", Severity: compliance.Minor, Why: "w", Reference: "r", Reason: "r", Finds: []string{"a"}, Leaves: []string{"b"}}
		place, err := w.Prepare()
		if place != nil {
			if n := utf8.RuneCountInString(strings.ReplaceAll(w.Source, "\r\n", "\n")); err == nil || place.Msg == "" || place.Start < 0 || place.End < place.Start || place.End > n {
				t.Fatalf("%q: %+v, %v (%d)", source, place, err, n)
			}
			return
		}
		if err != nil {
			t.Fatalf("%q is refused at no place: %v", source, err)
		}
		tree, err := syntax.Parse(`(?i)`+w.Pattern, syntax.Perl)
		if err != nil {
			t.Fatalf("%q became %q: %v", source, w.Pattern, err)
		}
		prog, err := syntax.Compile(tree.Simplify())
		if err != nil || !costOf(prog).within(mostOfOne) {
			t.Fatalf("%q became %d steps: %v", source, len(prog.Inst), err)
		}
		check := w.check()
		find, err := check.Finder()
		if err != nil {
			t.Fatalf("%q: %v", source, err)
		}
		for _, text := range []string{"", " ", source} {
			for _, i := range find(text) {
				if i.Span[0] >= i.Span[1] {
					t.Fatalf("%q finds nothing at %v", source, i.Span)
				}
			}
		}
	})
}

// FuzzExpression: what is taken is bounded, what is not is explained within it.
func FuzzExpression(f *testing.F) {
	for _, s := range []string{`a(?!b)`, `(.{0,90}){9}`, `[`, `\pN\p{Foo}`, `(?P<x>a)`, `a{1000}`, "\xff", `x*+`, `(?i`, `\Qabc`, `(?s).*`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		c, p := compile(source)
		if p == nil && (!c.within(mostOfOne) || c.steps == 0) || p != nil && (p.Start < 0 || p.End < p.Start || p.End > utf8.RuneCountInString(source) || p.Msg == "") {
			t.Fatalf("%q: %+v, %+v", source, c, p)
		}
	})
}

// BenchmarkWorst shows what the hardest expressions that are taken cost on a long draft of one sentence.
func BenchmarkWorst(b *testing.B) {
	for name, source := range map[string]string{"counts": `(.{0,6}){10}q{3}`, "open": `a.*b.*c.*d.*qq`, "words": strings.Repeat("alpha|", 60) + "beta"} {
		text := strings.Repeat("abcd efgh ", 500)
		if _, p := compile(source); p != nil {
			b.Fatalf("%s: %s", name, p.Msg)
		}
		find, err := compliance.PatternCheck{Code: "X_Y_Z", Title: "t", Pattern: source, Severity: compliance.Minor, Why: "w"}.Finder()
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				find(text)
			}
		})
	}
}
