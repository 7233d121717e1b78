package compliance

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
)

// pointing is a judge in the program that names a code on the first of its sentences that a text has, and flags the
// text for it.
type pointing struct {
	code, severity string
	sentences      []string
	asked          *int
}

func (pointing) Name() string { return "pointing" }
func (pointing) Local() bool  { return true }
func (pointing) AnyTrade()    {}
func (j pointing) Judge(_ context.Context, s Subject) (v Vote, _ error) {
	*j.asked++
	v.Reads = map[string]float64{j.code: 0.01, Pressure: 0.01}
	for _, words := range j.sentences {
		if at := strings.Index(s.Reading().Text, words); at >= 0 {
			v.Reads[j.code] = 0.9
			v.Issues = append(v.Issues, s.Issue(j.code, j.severity, "It may be one.", at, at+len(words)))
			v.Decide(0.9, false)
			return v, nil
		}
	}
	v.Decide(0.02, false)
	return v, nil
}

const (
	softSentence = "Many people in your position choose to keep their guaranteed income."
	nearSentence = "Many people in your position decide to keep their guaranteed income."
	choosing     = "Which of the two should I choose? Just tell me what to do."
	farSentence  = "Many people in your position choose to give up their guaranteed income."
	explains     = "What is drawdown?"
)

// trade is a question in a domain of which the checks know nothing.
var trade = interaction.Consultation{Question: explains, Pack: pack.GeneralName}

func ruledOn(sentence string, right bool, people ...string) RuledSentence {
	return RuledSentence{ID: sentence + fmt.Sprint(right, people), CaseID: "case-1", Code: PersonalRecommendation,
		Severity: Major, Sentence: sentence, Right: right, People: people,
		At: time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC), Pack: pack.GeneralName, Kind: asks(explains)}
}

func asks(question string) func() string {
	return func() string { return interaction.Consultation{Question: question}.Situation().Asked().Kind }
}

func panelOf(severity string, sentences ...string) (*Validator, *int) {
	asked := new(int)
	return New(NewChecker(nil), Panel{Judges: []Judge{pointing{PersonalRecommendation, severity, sentences, asked}}}),
		asked
}

func TestWhatTwoExpertsRuledIsFollowed(t *testing.T) {
	at := func(r RuledSentence, days int) RuledSentence { r.At = r.At.AddDate(0, 0, days); return r }
	of := func(r RuledSentence, pack, question string) RuledSentence {
		r.Pack, r.Kind = pack, asks(question)
		return r
	}
	coded := func(r RuledSentence, code string) RuledSentence { r.Code = code; return r }
	for _, c := range []struct {
		name     string
		says     string // the sentence of the draft
		judge    []string
		ruled    []RuledSentence
		flagged  bool
		byRuling bool // left out, or told
	}{
		{"nobody ruled", softSentence, []string{softSentence}, nil, true, false},
		{"two say that it is fine", softSentence, []string{softSentence},
			[]RuledSentence{ruledOn(softSentence, false, "eva", "fay")}, false, true},
		{"of a near paraphrase", nearSentence, []string{nearSentence},
			[]RuledSentence{ruledOn(softSentence, false, "eva", "fay")}, false, true},
		{"of another sentence", farSentence, []string{farSentence},
			[]RuledSentence{ruledOn(softSentence, false, "eva", "fay")}, true, false},
		{"one says so", softSentence, []string{softSentence}, []RuledSentence{ruledOn(softSentence, false, "eva")},
			true, false},
		{"one says so twice", softSentence, []string{softSentence},
			[]RuledSentence{ruledOn(softSentence, false, "eva"), at(ruledOn(nearSentence, false, "eva"), 1)}, true,
			false},
		{"two say so in two cases", softSentence, []string{softSentence},
			[]RuledSentence{ruledOn(softSentence, false, "eva"), at(ruledOn(nearSentence, false, "fay"), 1)}, false,
			true},
		{"one says the opposite since", softSentence, []string{softSentence},
			[]RuledSentence{ruledOn(softSentence, false, "eva", "fay"), at(ruledOn(softSentence, true, "gus"), 1)},
			true, false},
		{"one said the opposite before", softSentence, []string{softSentence},
			[]RuledSentence{ruledOn(softSentence, true, "gus"), at(ruledOn(softSentence, false, "eva", "fay"), 1)},
			false, true},
		{"of another code", softSentence, []string{softSentence},
			[]RuledSentence{coded(ruledOn(softSentence, false, "eva", "fay"), GuaranteeOrPromise)}, true, false},
		{"of another pack", softSentence, []string{softSentence},
			[]RuledSentence{of(ruledOn(softSentence, false, "eva", "fay"), "", explains)}, true, false},
		{"of another kind of question", softSentence, []string{softSentence},
			[]RuledSentence{of(ruledOn(softSentence, false, "eva", "fay"), pack.GeneralName, choosing)}, true, false},
		{"the judge names another sentence then", softSentence + " " + farSentence, []string{softSentence, farSentence},
			[]RuledSentence{ruledOn(softSentence, false, "eva", "fay")}, true, true},
		{"two say that it is one", softSentence, nil, []RuledSentence{ruledOn(softSentence, true, "eva", "fay")}, true,
			true},
		{"of a near paraphrase, too", "It depends. " + nearSentence, nil,
			[]RuledSentence{ruledOn(softSentence, true, "eva", "fay")}, true, true},
		{"not of another", farSentence, nil, []RuledSentence{ruledOn(softSentence, true, "eva", "fay")}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, _ := panelOf(Major, c.judge...)
			v.AdoptRuled(c.ruled)
			text := "Drawdown lets you take money out while the rest stays invested. " + c.says +
				" It can go down in value as well as up."
			got := v.Glance(text, trade)
			if flagged := len(got.Issues) > 0; flagged != c.flagged || got.Passed == c.flagged {
				t.Errorf("flagged %v, passed %v: %+v", flagged, got.Passed, got.Issues)
			}
			said := slices.Concat(got.LeftOut, got.Issues)
			byRuling := slices.ContainsFunc(said, func(i Issue) bool {
				return i.Case == "case-1" && strings.Contains(i.Why, "Two experts ruled")
			})
			if byRuling != c.byRuling {
				t.Errorf("it says %+v", said)
			}
			runes := []rune(text)
			for _, i := range said {
				if string(runes[i.Span[0]:i.Span[1]]) != i.Quote {
					t.Errorf("the span %v isn't %q", i.Span, i.Quote)
				}
			}
			v.AdoptRuled(nil) // undone
			if got := v.Glance(text, trade); len(got.LeftOut) > 0 || (len(got.Issues) > 0) != (len(c.judge) > 0) {
				t.Errorf("undone, it is %+v, %+v", got.Issues, got.LeftOut)
			}
		})
	}
}

// The same holds of what the checks find, and of a judge that has other findings beside it: it isn't asked again.
func TestARulingCountsForChecks(t *testing.T) {
	v, asked := panelOf(Major, farSentence)
	if err := v.Checks().Adopt(
		Book{
			Patterns: []PatternCheck{{ID: "x", Version: 1, Code: "NEW_WORD", Title: "A word", Pattern: "income",
				Severity: Major, Why: "It is one.", Reference: "House style"}}}); err != nil {
		t.Fatal(err)
	}
	r := ruledOn(softSentence, false, "eva", "fay")
	r.Code = "NEW_WORD"
	v.AdoptRuled([]RuledSentence{r})
	got := v.Glance(softSentence+" "+farSentence, trade)
	if len(got.LeftOut) != 1 || got.LeftOut[0].Code != "NEW_WORD" || got.LeftOut[0].Quote != "income" ||
		len(got.Issues) != 2 || *asked != 1 {
		t.Errorf("asked %d times, it is %+v, left out %+v", *asked, got.Issues, got.LeftOut)
	}
}

// A judge that flags a text and names nothing is asked about the rest of it.
func TestAnUnnamedSuspicionEndsWithTheSentence(t *testing.T) {
	for _, c := range []struct {
		rest, code string
	}{{"It can go down in value.", "NEW_WORD"}, {farSentence, "NEW_WORD"}, {"It can go down in value.", Other},
		{farSentence, Other}} {
		rest := c.rest
		v, asked := panelOf(Major, softSentence, farSentence)
		p := v.panel.Judges[0].(pointing)
		v.panel.Judges[0] = silently{p}
		if err := v.Checks().Adopt(
			Book{
				Patterns: []PatternCheck{{ID: "x", Version: 1, Code: "NEW_WORD", Title: "A word", Pattern: "keep",
					Severity: Major, Why: "It is one.", Reference: "House style"}}}); err != nil {
			t.Fatal(err)
		}
		r := ruledOn(softSentence, false, "eva", "fay")
		r.Code = c.code
		v.AdoptRuled([]RuledSentence{r})
		got := v.Glance(softSentence+" "+rest, trade)
		if c.code == Other && len(got.Issues) > 0 { // the check's, on which nobody ruled
			got.Issues, got.Passed = got.Issues[1:], got.Judges[0].Passed
		}
		if got.Passed == (rest == farSentence) || *asked != 2 || len(got.LeftOut) != 1 ||
			got.LeftOut[0].Code != c.code || len(got.Issues) > 0 {
			t.Errorf("asked %d times, %q passed %v: %+v", *asked, rest, got.Passed, got.Issues)
		}
	}
}

// silently flags a text as another judge does, and names nothing.
type silently struct{ pointing }

func (j silently) Judge(ctx context.Context, s Subject) (Vote, error) {
	v, err := j.pointing.Judge(ctx, s)
	for _, i := range v.Issues {
		i.Code = Other
		v.Weighs = &i
	}
	v.Issues = nil
	return v, err
}

// Whatever experts ruled, what stops a text without them stops it with them.
func TestNoRulingHidesWhatStops(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sentences := rapid.SliceOfNDistinct(
			rapid.SampledFrom([]string{softSentence, nearSentence, farSentence, "Act now.", "It's your choice."}), 1, 4,
			rapid.ID[string]).Draw(t, "text")
		v, _ := panelOf(rapid.SampledFrom([]string{Major, Critical}).Draw(t, "severity"),
			rapid.SliceOfDistinct(rapid.SampledFrom(sentences), rapid.ID[string]).Draw(t, "flagged")...)
		if rapid.Bool().Draw(t, "own check") {
			own := PatternCheck{ID: "x", Version: 1, Code: GuaranteeOrPromise, Title: "A word", Pattern: "guaranteed",
				Severity: Critical, Why: "It is one.", Reference: "House style"}
			if err := v.Checks().Adopt(Book{Patterns: []PatternCheck{own}}); err != nil {
				t.Fatal(err)
			}
		}
		without := v.Glance(strings.Join(sentences, " "), trade)
		var list []RuledSentence
		for _, s := range rapid.SliceOf(rapid.SampledFrom(sentences)).Draw(t, "ruled") {
			r := ruledOn(s, rapid.Bool().Draw(t, "right"), "eva", "fay")
			r.Code, r.Severity = rapid.SampledFrom([]string{PersonalRecommendation, GuaranteeOrPromise, Pressure}).
				Draw(t, "code"), Critical
			list = append(list, r)
		}
		v.AdoptRuled(list)
		with := v.Glance(strings.Join(sentences, " "), trade)
		for _, i := range without.Issues {
			if i.Stops() && !slices.ContainsFunc(with.Issues, func(o Issue) bool { return o.Stops() && same(o, i) }) {
				t.Errorf("%q no longer stops it: %+v", i.Quote, with.Issues)
			}
		}
		if without.Critical() && !with.Critical() {
			t.Errorf("it is %s, and was %s", with.Label, without.Label)
		}
		if !without.Critical() && slices.ContainsFunc(with.Issues, func(i Issue) bool {
			return i.Case != "" && i.Stops()
		}) {
			t.Errorf("a ruling stops it: %+v", with.Issues)
		}
	})
}

// testdata/paraphrases.tsv: what is missed, and what is taken for the same that isn't.
func TestParaphrases(t *testing.T) {
	body, err := os.ReadFile("testdata/paraphrases.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var same, found, different, wrong int
	for line := range strings.Lines(string(body)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		is := paraphrases(t.Context(), f[1], f[2])
		switch {
		case f[0] == "S":
			same++
			if is {
				found++
			} else {
				t.Logf("missed: %s | %s", f[1], f[2])
			}
		default:
			different++
			if is {
				wrong++
				t.Errorf("not the same: %s | %s", f[1], f[2])
			}
		}
	}
	t.Logf("%d of %d found, %d of %d wrong", found, same, wrong, different)
	if found < 18 {
		t.Errorf("%d of %d found", found, same)
	}
}
