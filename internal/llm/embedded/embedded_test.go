package embedded

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
)

func embed(t testing.TB, text string) []float32 {
	t.Helper()
	v, err := New().Embed(t.Context(), []string{text})
	if err != nil || len(v) != 1 || len(v[0]) != Dims {
		t.Fatalf("%v", err)
	}
	return v[0]
}

func cosine(a, b []float32) float64 {
	var s float64
	for i := range a {
		s += float64(a[i]) * float64(b[i])
	}
	return s
}

// frozen is the hash of the tables and of a sample of vectors. If this test fails you have changed what vectors mean:
// raise Version, so that stored ones are made anew, and put the new hash here.
const frozen = "d1d1552dcf343796bd21399e6cf3f809"

func TestTablesAreFrozenWithTheVersion(t *testing.T) {
	h := sha256.New()
	for _, s := range []string{Version, thesaurusText, everydayText, termsText, commonText} {
		h.Write([]byte(s))
	}
	for _, text := range []string{"", "can i cash in the lot", "Tax\nYou pay tax on 75% of your £30,000 pot.", "wat hapens to my penshun wen i die", "Straße 日本 \xff"} {
		var rounded []int
		for _, x := range embed(t, text) {
			rounded = append(rounded, int(math.Round(float64(x)*1e4)))
		}
		b, _ := json.Marshal(rounded)
		h.Write(b)
	}
	if got := hex.EncodeToString(h.Sum(nil))[:32]; got != frozen {
		t.Errorf("the tables or the arithmetic changed (%s): raise Version and set frozen to this", got)
	}
}

func TestVectorsHaveLengthOne(t *testing.T) {
	for _, text := range []string{"", " ", "\n\n", "the of and", "x", "pension", "💷", strings.Repeat("pension ", 100_000), strings.Repeat("a", 100_000), "\x00\xff"} {
		v := embed(t, text)
		if n := math.Sqrt(cosine(v, v)); math.Abs(n-1) > 1e-5 || math.IsNaN(n) {
			t.Errorf("%.20q has length %v", text, n)
		}
	}
}

func TestTheSameTextGivesTheSameVectorEverywhere(t *testing.T) {
	text := "Take your whole pot\nYou can cash in your entire pot: 25% is tax free, the rest is taxable."
	want := fmt.Sprint(embed(t, text))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if v, _ := New().Embed(t.Context(), []string{"other", text}); fmt.Sprint(v[1]) != want {
					t.Error("another vector for the same text")
				}
			}
		})
	}
	wg.Wait()
}

// Each question must lie nearer to its answer than to the other answers, with no telling word in common.
func TestParaphrasesLieNearEachOther(t *testing.T) {
	answers := map[string]string{
		"whole":   "Take your whole pot in one go\nYou can take everything as cash at once. 25% is tax free.",
		"annuity": "Guaranteed income (annuity)\nYou use your pot to buy an insurance policy that pays you an income for the rest of your life.",
		"death":   "What happens to your pension when you die?\nYour beneficiary may inherit what is left.",
		"db":      "Defined benefit (final salary or career average)\nIt pays an income based on your salary and years of service.",
		"state":   "State Pension\nThe pension you get from the government when you reach State Pension age.",
		"scam":    "How to tell if it’s a scam\nSomeone contacts you unexpectedly about your pension.",
		"debt":    "Debt\nYou should think carefully before taking money to pay off debts.",
		"divorce": "Pensions and divorce\nYour pension is included in the financial settlement if you divorce.",
		"combine": "Combining pension pots\nCombining your pots could make your pensions easier to manage.",
	}
	for question, want := range map[string]string{
		"can i cash in the lot": "whole", "i want a wage till i croak": "annuity", "who gets it if i kick the bucket": "death", "my old nhs one": "db",
		"old age pension": "state", "some bloke rang me out of the blue": "scam", "ill use it to clear my credit cards": "debt", "my ex wants half": "divorce",
		"shove all my pots together": "combine", "who gets my penson wen i dye": "death", "what do i get off the goverment at 66": "state", "anuity": "annuity",
	} {
		q := embed(t, question)
		best, name := -2.0, ""
		for n, a := range answers {
			if c := cosine(q, embed(t, a)); c > best {
				best, name = c, n
			}
		}
		if name != want {
			t.Errorf("%q lies nearest to %q (%.2f), want %q", question, name, best, want)
		}
	}
}

func TestQuestionsFromElsewhereLieFarFromEverything(t *testing.T) {
	e := New()
	for _, question := range []string{"best way to descale a kettle", "train times to leeds", "how do i bake bread", "my neighbours dog barks"} {
		v, _, floor := e.Ask(question)
		for _, a := range []string{"Tax\nYou pay tax on your pension.", "Debt\nTaking money to pay off debts.", "Care costs\nMoving into a care home."} {
			if c := cosine(v, embed(t, a)); c >= floor {
				t.Errorf("%q is %.2f from %q", question, c, a)
			}
		}
	}
}

func TestMend(t *testing.T) {
	tab := loadTables()
	for w, want := range map[string]string{"anuity": "annuity", "goverment": "government", "divorse": "divorce", "inheritence": "inheritance", "bankrupcy": "bankruptcy",
		"wife": "wife", "sack": "sack", "tax": "tax", "swimming": "swimming", "2028": "2028", "xyzzyq": "xyzzyq", "": ""} {
		if got := tab.mend(w); got != want {
			t.Errorf("mend(%q) = %q, want %q", w, got, want)
		}
	}
}

func TestSplit(t *testing.T) {
	for text, want := range map[string]string{
		"£30k, 30,000 and £30,000.50": "30000 30000 and 30000", "25% or 25 per cent or 25 percent": "25pct or 25pct or 25pct", "Can’t I? can't!": "cant i cant",
		"tax-free lump-sum": "tax free lump sum", "...": "", "1.5": "1",
	} {
		if got := strings.Join(split(text), " "); got != want {
			t.Errorf("split(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestExpandAddsPlainWords(t *testing.T) {
	got := " " + New().Expand("wot if i kick the buckit") + " "
	if !strings.Contains(got, " die ") {
		t.Errorf("Expand gives %q", got)
	}
}

func TestEverydayWordsAreReadAsPlainOnes(t *testing.T) {
	tab := loadTables()
	for said, want := range map[string]string{
		"wot if i kick the bucket": "die", "the taxman": "tax office", "bung it in": "put", "kicked the bucket": "die",
		"what tax do i pay": "",
	} {
		var got []string
		for _, k := range tab.question(said).plain {
			got = append(got, k.word)
		}
		if strings.Join(got, " ") != want && want != "" {
			t.Errorf("%q is read as %q, want %q", said, got, want)
		}
	}
	if q := tab.question("guvvy pension"); q.tokens[0].word != "government" {
		t.Errorf("guvvy is read as %q", q.tokens[0].word)
	}
}

func TestAskIsEmbedAndExpandInOne(t *testing.T) {
	e := New()
	for _, text := range []string{"", "wot if i kick the buckit", "can i cash in the lot at 55?", "💷"} {
		v, words, floor := e.Ask(text)
		if fmt.Sprint(v) != fmt.Sprint(embed(t, text)) || words != e.Expand(text) {
			t.Errorf("%q is read in two ways", text)
		}
		if floor <= 0 || floor >= 1 {
			t.Errorf("%q has the floor %v", text, floor)
		}
	}
}

func TestAQuestionFromElsewhereAsksForMore(t *testing.T) {
	e := New()
	floor := func(text string) float64 { _, _, f := e.Ask(text); return f }
	ours, plain, theirs := floor("can i take my pension early"), floor("qwzxy vbnmq"), floor("how do i change a tyre")
	if !(ours <= plain && plain < theirs) {
		t.Errorf("floors %v, %v, %v", ours, plain, theirs)
	}
}

func FuzzEmbed(f *testing.F) {
	f.Add("can i get 25% of £30,000\nat 55?")
	f.Fuzz(func(t *testing.T, text string) {
		v, err := New().Embed(t.Context(), []string{text})
		if err != nil {
			t.Fatal(err)
		}
		if n := cosine(v[0], v[0]); math.Abs(n-1) > 1e-4 {
			t.Fatalf("length %v", n)
		}
		New().Ask(text)
	})
}

func BenchmarkEmbedQuestion(b *testing.B) {
	e := New()
	for b.Loop() {
		e.Embed(b.Context(), []string{"can i get all my money out at once and what tax do i pay"})
	}
}

func BenchmarkEmbedSection(b *testing.B) {
	e := New()
	text := "How your tax is paid\n" + strings.Repeat("Money you take from your pot comes from your provider with the tax already taken off. ", 15)
	for b.Loop() {
		e.Embed(b.Context(), []string{text})
	}
}
