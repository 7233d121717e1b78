package checklist

import (
	"strings"
	"testing"

	"preceptor/internal/compliance"
	"preceptor/internal/platform/fault"
)

// What experts typed as plain words finds as phrases what it was meant to find.
func TestPlainWordsAreTranslated(t *testing.T) {
	for _, c := range []struct{ source, want, finds, leaves string }{
		{"Money  pot", "money pot", "MONEY, pot!", "moneypot, money pots"},
		{"guarantee*", "guarantee*", "It is guaranteed.", "a guarantor"},
		{"best * for you", "best .. for you", "It is the best possible thing for you.", "It is the best foryou."},
		{"act now | act today\r\n\nhurry", "act now; act today; hurry", "Please act today.", "React now."},
		{"don’t wait|can't|cannot|you'd", "do not wait; can not; can not; you would", "You can't.", "dont wait"},
		{"self-invested “pension” (SIPP)", "self invested pension sipp", "a self-invested pension (SIPP)",
			"self-invested"},
		{"25% (tax free)", "#%=25 tax free", "Take 25% tax-free now.", "Take 125% tax-free now."},
		{"£1,000 now", "£#=1000 now", "Pay £1,000 now.", "Pay £1,001 now."},
		{"Rürup*", "rürup*", "Die Rürup-Rente", "Rente"},
	} {
		got, ok := fromPlainWords(c.source)
		if c.want += "\neven: denied asked supposed past duty warned"; !ok || got != c.want {
			t.Errorf("%q became %q, %v; want %q", c.source, got, ok, c.want)
			continue
		}
		w := typed(got)
		find, err := w.finder()
		if err != nil {
			t.Errorf("%q: %v", got, err)
		} else if len(find(c.finds)) == 0 || len(find(c.leaves)) != 0 {
			t.Errorf("%q finds %v in %q and %v in %q", got, find(c.finds), c.finds, find(c.leaves), c.leaves)
		}
	}
	for _, source := range []string{"*worthy", "gu*ee", "10k", "fine\n2*", "| |"} {
		if got, ok := fromPlainWords(source); ok {
			t.Errorf("%q became %q", source, got)
		}
	}
}

// A check reads the name of a tool and its arguments as one sentence.
func TestPhrasesReadActions(t *testing.T) {
	const said = "issue_refund\namount: 900 (Amount in £: 900)\norder: A-12\nRefunds an order. It is late."
	for source, want := range map[string]bool{"refund* & £#>100": true, "refund & amount #>100": true,
		"issue refund ... amount £#>1000": false, "£#>1000": false} {
		w := typed(source)
		find, err := w.finder()
		if err != nil || len(find(said)) > 0 != want {
			t.Errorf("%s: %v %v", source, find(said), err)
		}
	}
}

func typed(source string) Wording {
	return Wording{syntax: phrases, Source: source, Code: "HOUSE_STYLE", Title: "t", Severity: compliance.Minor,
		Why: "w", Reference: "r", Reason: "r", Finds: []string{"a"}, Leaves: []string{"b"}}
}

// No phrase can be met in more ways than a desk has time for.
func TestPhrasesThatCostMuchAreRefused(t *testing.T) {
	for source, ok := range map[string]bool{
		"best|right|safest option|choice|move for you|someone": true,
		"guarantee*|promise* .. return*|growth & £#":           true,
		"act ... now .. or ... never\nhurry ... up ... now":    true,
		"a ... b ... c ... d ... e":                            false, strings.Repeat("(_)? ", 40) + "x": false,
		strings.Repeat("a*|ab*|abc* ", 20): false, "fine; a" + strings.Repeat(" .. b", 9): false,
		strings.Repeat("a ... b ... c .. d\n", 4): true, strings.Repeat("a ... b ... c .. d\n", 6): false,
	} {
		w := typed(source)
		if err := w.Prepare(); (err == nil) != ok || !ok &&
			!strings.Contains(fault.Fields(err)[0].Msg, "too many ways") {
			t.Errorf("%q: %v %v", source, err, fault.Fields(err))
		}
	}
}

// Whatever is typed, it is refused at its field, or runs and finds nothing in nothing.
func FuzzSource(f *testing.F) {
	for _, s := range []string{"money pot", "guarantee*|promise~", "best .. for you\nnot: if", "a|", "(?i", "\\", "* *",
		"x\r\neven: asked", "\xff\xfe", "£#>1000", "(a b|c)? d", "^ x $", "{", "; & ;"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		w := typed(source)
		if err := w.Prepare(); err != nil {
			if list := fault.Fields(err); len(list) != 1 || list[0].Name != "source" || list[0].Msg == "" {
				t.Fatalf("%q: %+v", source, list)
			}
			return
		}
		find, err := w.finder()
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
