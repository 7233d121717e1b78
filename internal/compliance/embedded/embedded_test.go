package embedded

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/refit"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
)

func validator() *compliance.Validator {
	today := func() time.Time { return time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC) }
	return compliance.New(compliance.NewChecker(today), compliance.Panel{Judges: Judges(nil)})
}

const (
	options = "In drawdown your money stays invested, so it can fall and may run out. An annuity pays an income for " +
		"life, and you can't change your mind later. Which of them suits you we can't say. A free Pension Wise " +
		"appointment goes through both."
	steer = "In drawdown the money stays invested and may fall or run out. Given your other income, the cash would " +
		"do more good in drawdown than in the scheme, so that is the one for you. Pension Wise is free."
)

func TestPlainCases(t *testing.T) {
	v := validator()
	for text, want := range map[string]bool{options: true, steer: false} {
		got := v.Glance(text, interaction.Consultation{Pack: "pension",
			Question: "How do drawdown and an annuity differ?"})
		if got.Passed != want {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// What says that there is no guidance isn't flagged for not answering.
func TestNoGuidanceIsSaidWithoutAFlag(t *testing.T) {
	unknown := "Hello,\n\nThank you for your question.\n\n" + pack.Of(pack.GeneralName).Frames.Unknown
	for text, want := range map[string]bool{unknown: false, "Our sofas are made in Wales by hand.": true} {
		got := validator().Glance(text, interaction.Consultation{Pack: pack.GeneralName,
			Question: "What is your VAT number?"})
		if slices.ContainsFunc(got.Issues, func(i compliance.Issue) bool {
			return i.Code == compliance.OffTopic || i.Code == "NOT_ANSWERED" // one of the two says it
		}) != want {
			t.Errorf("%q: %+v", text, got.Issues)
		}
	}
}

// What the registry says that it finds and leaves is what people see on the checks' pages.
func TestExamplesOfWhatIsRead(t *testing.T) {
	v := validator()
	for _, info := range compliance.Registry() {
		if !info.Read {
			continue
		}
		for _, text := range info.Finds {
			named := func(i compliance.Issue) bool { return i.Code == info.Code }
			if got := v.Glance(text, info.ExampleFor()); !slices.ContainsFunc(got.Issues, named) {
				t.Errorf("%s isn't found in %q: %+v", info.Code, text, got)
			}
		}
		for _, text := range info.Leaves {
			if got := v.Glance(text, info.ExampleFor()); !got.Passed {
				t.Errorf("%s: %q is flagged: %+v", info.Code, text, got)
			}
		}
	}
}

func TestSteadyAndQuoted(t *testing.T) {
	c := interaction.Consultation{Pack: "pension", Question: "Which is better for me?"}
	first := validator().Validate(context.Background(), steer, c)
	again := validator().Validate(context.Background(), steer, c)
	a, _ := json.Marshal(first)
	b, _ := json.Marshal(again)
	if string(a) != string(b) {
		t.Fatalf("%s\n%s", a, b)
	}
	runes := []rune(steer)
	for _, j := range first.Judges {
		if j.Abstained || j.Reasoning == "" || len(j.Reads) == 0 {
			t.Errorf("%+v", j)
		}
		if w := j.Weighs; w == nil || w.Code != compliance.Other || string(runes[w.Span[0]:w.Span[1]]) != w.Quote {
			t.Errorf("what weighs most is %+v", w)
		}
		for _, i := range j.Issues {
			if string(runes[i.Span[0]:i.Span[1]]) != i.Quote || i.Why == "" || i.Severity == compliance.Critical {
				t.Errorf("%+v", i)
			}
		}
	}
}

// Of the longest text that may be handed in no more is read than somebody waits for; what isn't read goes to a person.
func TestNoTextIsReadForMinutes(t *testing.T) {
	for _, unit := range []string{"a b ", "is it? ", "you can. ", "1. a\n", "£1 and the ", "it isn't a-b/c, "} {
		text := strings.Repeat(unit, interaction.MaxGuidance/len(unit))
		if n := len(loaded().windows("How? []", text)); n <= mostWindows {
			t.Fatalf("%q is no long text: %d windows", unit, n)
		}
		v := validator().Glance(text, interaction.Consultation{Pack: "general", Question: "How?"})
		if v.Label != compliance.NotJudged || !strings.Contains(strings.Join(v.Because, " "), "too long") {
			t.Errorf("%q: %+v", unit, v)
		}
	}
}

// longTimes makes a text of 20,000 words, or of 2,000 where time is short.
func longTimes() int {
	if testing.Short() {
		return 130
	}
	return 1300
}

// A violation in the last line of a text of 20,000 words is read.
func TestALongTextIsReadToItsEnd(t *testing.T) {
	long := strings.Repeat("Your provider can tell you the value of your pot and what it is invested in. ", longTimes())
	c := interaction.Consultation{Pack: "pension", Question: "What are my options?"}
	v := validator()
	fine := v.Glance(long, c)
	bad := v.Glance(long+"You should transfer all of it to us today.", c)
	if !bad.Critical() && (bad.Violation < 0.5 || bad.Violation <= fine.Violation) {
		t.Errorf("%.3f without, %.3f with the violation", fine.Violation, bad.Violation)
	}
}

// The list of sources is no part of what is judged.
func TestSourcesAreNotJudged(t *testing.T) {
	c := interaction.Consultation{Pack: "pension", Question: "How do drawdown and an annuity differ?"}
	v := validator()
	with := v.Glance(options+"\n\nSources:\n1. Should I take all my cash? You must act now. (2024)\n", c)
	if without := v.Glance(options, c); with.Violation != without.Violation {
		t.Errorf("%.3f with sources, %.3f without", with.Violation, without.Violation)
	}
}

// What a firm taught moves the verdict on texts of that pack alone, and the vote says so; nothing taught moves nothing.
func TestWhatWasTaughtMovesItsPackAlone(t *testing.T) {
	about := func(packName string) interaction.Consultation {
		return interaction.Consultation{Pack: packName, Question: "Can I change the date?"}
	}
	v := validator()
	plain := Judges(nil)[0].(*judge)
	var list []refit.Example
	for i := range 24 {
		text := "Call us by noon the day before and we change it, " + strings.Repeat("please, ", i) + "thank you."
		if i%2 == 1 {
			text = "Dear guest, as per clause nine the date stands, " + strings.Repeat("indeed, ", i) + "thank you."
		}
		x, odds, err := plain.Features(t.Context(), v.Subject(text, about("general")))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, refit.Example{X: x, Odds: odds, Violation: i%2 == 1})
	}
	head := refit.Fit(list)
	taught := Judges(func(packName string) (*refit.Head, int) {
		if packName != "general" {
			return nil, 0
		}
		return &head, 4
	})[0].(*judge)
	said := func(j *judge, packName string) compliance.Vote {
		t.Helper()
		vote, err := j.Judge(t.Context(), v.Subject("Dear guest, as per clause nine the date stands.", about(packName)))
		if err != nil {
			t.Fatal(err)
		}
		return vote
	}
	before, after := said(plain, "general"), said(taught, "general")
	if after.Violation() <= before.Violation()+0.1 || after.AnsweredBy != before.AnsweredBy+", your version 4" {
		t.Errorf("%.3f by %s, then %.3f by %s", before.Violation(), before.AnsweredBy, after.Violation(),
			after.AnsweredBy)
	}
	before, after = said(plain, "pension"), said(taught, "pension")
	if after.Violation() != before.Violation() || after.AnsweredBy != before.AnsweredBy {
		t.Errorf("a desk of another trade moved pensions from %.3f to %.3f", before.Violation(), after.Violation())
	}
	if plain.Knows() != "" || plain.Model() != plain.Base() || taught.Knows() != "general version 4" ||
		taught.Base() != plain.Base() || taught.Model() == plain.Model() {
		t.Errorf("%q, %q, %q", plain.Knows(), taught.Knows(), taught.Model())
	}
}

func FuzzJudge(f *testing.F) {
	f.Add("You’d do better to stay.\u200b Why? - £5", "x")
	v := validator()
	f.Fuzz(func(t *testing.T, text, question string) {
		got := v.Glance(text, interaction.Consultation{Pack: "general", Question: question})
		for _, j := range got.Judges {
			if j.Abstained {
				t.Fatalf("%+v", j)
			}
		}
	})
}

// Bare sentences that stood beside the word lists before there was an encoder. Out of their texts most are doubted, the
// fine ones too; what steers is seen, and what is fine isn't stopped.
func TestShortSteers(t *testing.T) {
	b, err := os.ReadFile("testdata/steers.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	v, seen, steers, fine, stopped := validator(), 0, 0, 0, 0
	for line := range strings.Lines(string(b)) {
		var e struct {
			Code, Text string
			Found      bool
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		got := v.Glance(e.Text, interaction.Consultation{Pack: "pension", Question: "What are my options?"})
		switch {
		case e.Found:
			steers++
			if !got.Passed {
				seen++
			}
		default:
			fine++
			if got.Critical() {
				stopped++
			}
		}
	}
	if 20*seen < 19*steers || 50*stopped > fine {
		t.Errorf("%d of %d steers are seen, %d of %d fine texts stopped", seen, steers, stopped, fine)
	}
}

// What the table of facts confirms isn't called a wrong fact, whatever the encoder takes it for.
func TestTheTableOfFactsKnowsBetter(t *testing.T) {
	v := validator()
	for _, said := range []string{
		"The government adds tax relief to what people pay into a pension. £80 paid in becomes £100 for a basic-rate " +
			"taxpayer. People without earnings can still pay in £2,880 a year, which becomes £3,600. Relief stops at " +
			"age 75.",
		"The full new State Pension is £241.30 a week in 2026/27, with 35 qualifying years.",
	} {
		got := v.Glance(said, interaction.Consultation{Pack: "pension", Question: "How much is it?"})
		for _, i := range got.Issues {
			if i.Code == compliance.InaccurateFact {
				t.Errorf("%q is called wrong: %+v", said, i)
			}
		}
	}
}

// What isn't answered is said once, where the domain has a code of its own for it.
func TestWhatIsNotAnsweredIsSaidOnce(t *testing.T) {
	m := loaded()
	for name, want := range map[string]string{pack.GeneralName: "NOT_ANSWERED", pack.Pension: compliance.OffTopic} {
		s := &compliance.Subject{Text: "The sofa comes in green.",
			Situation: pack.Situation{Question: "How much is delivery?", Pack: name}}
		got := m.issues(s, &reading{codes: map[string]float64{"NOT_ANSWERED": 1}}, nil, 1)
		if len(got) != 1 || got[0].Code != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
