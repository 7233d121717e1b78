package rule

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// spelled is a list of suggestions, a line each.
func spelled(list []Suggestion) string {
	var b strings.Builder
	for _, s := range list {
		b.WriteString(s.Words() + "\n")
	}
	return strings.TrimSpace(b.String())
}

const draft = "You can take the pot as cash. A quarter is usually tax free. Ask the provider what your plan allows."

func TestSuggest(t *testing.T) {
	for _, c := range []struct{ name, before, after, want string }{
		{"nothing", draft, draft, ""},
		{"added within", draft, "You can take the pot as cash. The rest is taxed. A quarter is usually tax free. Ask " +
			"the provider what your plan allows.", "include “The rest is taxed.”"},
		{"added first", draft, "You have to be 55. " + draft, "start with “You have to be 55.”"},
		{"a line above", "Hello Ann,\nYou can take the pot as cash.\n", "Hello Ann,\nIn plain words:\n" +
			"You can take the pot as cash.\n", "start with “In plain words:”"},
		{"a line below", "You can take the pot as cash.\nBe careful.", "You can take the pot as cash.\n- or not\nBe careful.",
			"include “or not”"},
		{"lines that wrap", "You can take\nthe pot as cash.", "You can\ntake the pot\nas cash.", ""},
		{"added first after a greeting", "Hello Ann,\n\n" + draft, "Hello Ann,\n\nYou have to be 55.\n\n" + draft,
			"start with “You have to be 55.”"},
		{"added last", draft, draft + " Take your time.", "end with “Take your time.”"},
		{"added last before a signature", draft + "\n\nKind regards,\nThe team",
			draft + "\n\nTake your time.\n\nKind regards,\nThe team", "end with “Take your time.”"},
		{"added between lines", "Hello Ann,\nOne is red.\nBest wishes,\nSam",
			"Hello Ann,\nOne is red.\nTwo are blue.\nBest wishes,\nSam", "end with “Two are blue.”"},
		{"added below the sources", draft + " [1]\n\nSources:\n\n[1] Cash\n[2] Time",
			draft + " [1]\n\nSources:\n\n[1] Cash\n[2] Time\n\nTake your time.\n", "end with “Take your time.”"},
		{"added last before the sources", draft + " [1]\n\nSources:\n[1] Cash",
			draft + " [1] Take your time.\n\nSources:\n[1] Cash\n[2] Time", "end with “Take your time.”"},
		{"a question", draft, draft + " Are you still working?", "ask “Are you still working?”"},
		{"removed", draft, "You can take the pot as cash. Ask the provider what your plan allows.",
			"never say “A quarter is usually tax free.”"},
		{"moved to the front", draft,
			"Ask the provider what your plan allows. You can take the pot as cash. A quarter is usually tax free.",
			"start with “Ask the provider what your plan allows.”"},
		{"moved within", "One is red. Two are blue. Three are green. Four are grey.",
			"One is red. Three are green. Two are blue. Four are grey.", ""},
		{"a term", "The pot is yours. Take the pot or leave it.", "The pension is yours. Take the pension or leave it.",
			"say “pension” rather than “pot”"},
		{"a term in two forms", "Every pot is yours. Other pots are small too.",
			"Every scheme is yours. Other schemes are small too.",
			"say “scheme” rather than “pot”, and “schemes” rather than “pots”"},
		{"a term of several words",
			"Ask for a pension commencement lump sum of a quarter. The pension commencement lump sum is tax free.",
			"Ask for a tax-free cash sum of a quarter. The tax-free cash sum is tax free.",
			"say “tax-free cash sum” rather than “pension commencement lump sum”"},
		{"a term at the front", "Annuities last for life. It is your choice.",
			"Incomes last for life. It is your choice.", "say “incomes” rather than “annuities”"},
		{"with another article", "Ask for a certificate early on. It is your choice.",
			"Ask for an attestation early on. It is your choice.", "say “attestation” rather than “certificate”"},
		{"a term that is still said", "The pot is yours. Take the pot or leave it.",
			"The pension is yours. Take the pot or leave it.",
			"never say “The pot is yours.”\nstart with “The pension is yours.”"},
		{"two words for one", "The pot is yours. Take the pot or leave it.",
			"The pension is yours. Take the money or leave it.",
			"never say “The pot is yours.”\nstart with “The pension is yours.”\nnever say “Take the pot or leave " +
				"it.”\nend with “Take the money or leave it.”"},
		{"a sentence made longer", draft, strings.Replace(draft, "as cash", "as cash once you are 55 or older", 1),
			"never say “You can take the pot as cash.”\nstart with “You can take the pot as cash once you are 55 or " +
				"older.”"},
		{"added and removed", draft,
			"You have to be 55. You can take the pot as cash. Ask the provider what your plan allows.",
			"start with “You have to be 55.”\nnever say “A quarter is usually tax free.”"},
		{"written anew", "It is red.", "Nobody knows.", "never say “It is red.”\ninclude “Nobody knows.”"},
		{"an empty draft", "", "Nobody knows.", "include “Nobody knows.”"},
		{"list items", "- One is red\n- Two are blue", "- One is red\n- Two are blue\n- Three are green",
			"end with “Three are green”"},
	} {
		if got := spelled(Suggest(c.before, c.after)); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestSlightChangesSuggestNothing(t *testing.T) {
	for name, after := range map[string]string{
		"typing error": "You can take the pto as cash. A quarter is usualy tax free. Ask the provider " +
			"what your plan allows.",
		"case and marks": "You can take the pot as cash! a quarter is usually tax-free. Ask the Provider, " +
			"what your plan allows.",
		"blanks": "You  can take the pot as cash.\n\nA quarter is usually tax free.\nAsk the " +
			"provider what your plan allows.",
		"article": "You can take a pot as cash. The quarter is usually tax free. Ask the provider " +
			"what your plan allows.",
		"plural": "You can take the pots as cash. A quarter is usually tax free. Ask the providers " +
			"what your plan allows.",
		"order of words": "You can take as cash the pot. A quarter is usually tax free. Ask the provider " +
			"what your plan allows.",
		"sentences joined": "You can take the pot as cash, and a quarter is usually tax free. Ask the " +
			"provider what your plan allows.",
		"marks of sources": "You can take the pot as cash. [1] A quarter is usually tax free. [2, 3] Ask the " +
			"provider what your plan allows.",
		"greeting":  "Dear Ann,\n\n" + draft,
		"signature": draft + "\n\nBest wishes,\nSam",
		"sources":   draft + "\n\nSources:\n[1] Taking money out",
		"figures": "You can take the pot as cash. A quarter is usually tax free. Ask the provider " +
			"what your plan allows.",
		"a sentence that was cut": "You can take the pot. As cash. A quarter is usually tax free. Ask the provider " +
			"what your plan allows.",
	} {
		if got := spelled(Suggest(draft, after)); got != "" {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := spelled(Suggest("You have three books and owe £4.20.", "You have two books and owe £2.80.")); got != "" {
		t.Errorf("figures: %s", got)
	}
}

func TestAnotherWordIsNoTypingError(t *testing.T) {
	for _, c := range [][2]string{{"That is lawful here.", "That is unlawful here."},
		{"You can do it now.", "You can't do it now."}, {"It may be less.", "It will be less."},
		{"It is now safe.", "It is not safe."}} {
		if len(Suggest(c[0], c[1])) == 0 {
			t.Errorf("%q became %q, and nothing is suggested", c[0], c[1])
		}
	}
}

func TestPlacesOfSuggestions(t *testing.T) {
	before, after := draft+" It is risky.", "Hello,\n\nYou have to be 55. "+draft
	for _, s := range Suggest(before, after) {
		text, want := after, s.Text
		if s.Removed {
			text, want = before, s.Phrases[0]
		}
		if got := text[s.Start:s.End]; got != want {
			t.Errorf("the words of %q are %q", want, got)
		}
	}
	if n := len(Suggest(before, after)); n != 2 {
		t.Errorf("%d suggestions, want 2", n)
	}
}

// Every suggested text stands in one of the two texts, as it was written.
func TestSuggestInventsNothing(t *testing.T) {
	sentence := rapid.SampledFrom([]string{"The pot is yours.", "The pension is yours.", "Ask us first.", "Is it safe?",
		"Rates go up and down.", "Rates may go down.", "Hello Ann,\n\n", "It is late.\n\n", "- An item\n", "[1]"})
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(sentence, 0, 6).Draw(t, "sentences"), " ")
	})
	rapid.Check(t, func(t *rapid.T) {
		before, after := text.Draw(t, "before"), text.Draw(t, "after")
		for _, s := range Suggest(before, after) {
			for _, w := range append(s.Texts(), s.Phrases...) {
				if plain := oneLine(citeRE.ReplaceAllString(before+"\n"+after, "")); !strings.Contains(
					strings.ToLower(plain), strings.ToLower(w)) {
					t.Fatalf("%q stands in neither text", w)
				}
			}
			if err := (Statement{When: []Condition{{Kind: Like, Values: []string{asked0.Question}}}, Do: s.Act}).
				Check(); err != nil {
				t.Fatalf("%+v can't be saved: %v", s.Act, err)
			}
		}
		if list := Suggest(after, after); len(list) > 0 {
			t.Fatalf("no difference, and %s", spelled(list))
		}
	})
}
