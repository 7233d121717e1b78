package rule

import (
	"strings"
	"testing"

	"preceptor/internal/pack"
	"preceptor/internal/platform/text"
)

var (
	pension0 = pack.Of("pension")
	general0 = pack.Of("general")
	asked0   = pack.Situation{Question: "Why does the VPN not connect?",
		Fields: map[string][]string{"os": {"Windows 11"}, "role": {"junior analyst"}, "name": {"Noreen"},
			"member": {"yes"}, "floor": {"3"}}}
)

func words(list []Condition, p *pack.Pack) string {
	var out []string
	for _, c := range list {
		out = append(out, c.Words(p))
	}
	return strings.Join(out, "; ")
}

func TestOneFactIsPreselected(t *testing.T) {
	me := pack.Situation{Question: "x", Task: "drawdown", Age: 46, Literacy: "low", HasDB: true, Vulnerable: true}
	db, young, low := pack.Situation{Age: 60, HasDB: true}, pack.Situation{Age: 40},
		pack.Situation{Age: 60, Literacy: "low"}
	for _, c := range []struct {
		others []pack.Situation
		want   string
	}{
		{[]pack.Situation{young, young, db, low, low}, "pensions includes a defined benefit pension"},
		{[]pack.Situation{young, db, db, low, low}, "age is below 55"},
		{[]pack.Situation{young, young, db, db, {Age: 60}}, "financial literacy is low"},
		{[]pack.Situation{{Age: 40, Literacy: "low", HasDB: true}}, ""},
	} {
		var on []Condition
		for _, chip := range Chips(pension0, me, c.others...) {
			if chip.On && chip.Kind != Topic {
				on = append(on, chip.Condition)
			}
		}
		if got := words(on, pension0); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestChips(t *testing.T) {
	offered := map[string]bool{}
	for _, c := range Chips(general0, asked0) {
		offered[c.Label] = c.On
		if c.Kind == Scope && c.On {
			t.Error("everybody is preselected")
		}
	}
	for _, want := range []string{"OS is Windows 11", "role is junior analyst", "giving guidance to anybody"} {
		if on, there := offered[want]; !there || on {
			t.Errorf("%q: offered %v, preselected %v", want, there, on)
		}
	}
	for _, c := range Chips(pension0, pack.Situation{Question: "x", Age: 58, DCValue: 6500}) {
		offered[c.Label] = c.On
	}
	for _, want := range []string{"age is below 60", "value of defined contribution pensions (£) is below 7000"} {
		if on, there := offered[want]; !there || on {
			t.Errorf("%q: offered %v, preselected %v, of %v", want, there, on, offered)
		}
	}
	if _, there := offered["name is Noreen"]; there {
		t.Error("the customer's name is offered")
	}
}

func TestGuessWhen(t *testing.T) {
	young := pack.Situation{Question: "x", Age: 46, Literacy: "low", Vulnerable: true, HasDB: true}
	for _, c := range []struct {
		remark string
		p      *pack.Pack
		s      pack.Situation
		want   string
	}{
		{"only for under 55s tho, the older ones don't need it", pension0, young, "age is below 55"},
		{"for the under-55s", pension0, young, "age is below 55"},
		{"anybody younger than 50", pension0, young, "age is below 50"},
		{"75 or over", pension0, pack.Situation{Age: 75}, "age is above 74"},
		{"people over the age of 70", pension0, pack.Situation{Age: 75}, "age is above 70"},
		{"the over 75s know this", pension0, young, ""},
		{"under 30 days", pension0, young, ""},
		{"under £50", pension0, young, ""},
		{"below 75% of it", pension0, young, ""},
		{"less than 50,000", pension0, young, ""},
		{"when literacy is low", pension0, young, "financial literacy is low"},
		{"for low literacy", pension0, young, "financial literacy is low"},
		{"literacy. Low rates", pension0, young, ""},
		{"everyone vulnerable", pension0, young, "vulnerable is yes"},
		{"if they have a final salary scheme", pension0, young, "pensions includes a defined benefit pension"},
		{"any DB transfer question", pension0, young, "the topic is DB transfer"},
		{"annuities and drawdown", pension0, young, "the topic is Drawdown or Annuity"},
		{"Windows only, no such thing on macs", general0, asked0, "OS includes Windows"},
		{"on windows 11 only", general0, asked0, "OS is Windows 11"},
		{"for a Junior analyst", general0, asked0, "role is junior analyst"},
		{"members only", general0, asked0, "member is yes"},
		{"floor 3, for Noreen", general0, asked0, ""},
		{"under 18s", general0, pack.Situation{Fields: map[string][]string{"age": {"16"}}}, "age is below 18"},
		{"", pension0, young, ""},
	} {
		if got := words(GuessWhen(c.remark, c.p, c.s), c.p); got != c.want {
			t.Errorf("%q: %q, want %q", c.remark, got, c.want)
		}
	}
}

// shared is how near two texts are, by the words they share: enough to choose by in tests.
func shared(a, b string) float64 { return text.Jaccard(pack.ContentStems(a), pack.ContentStems(b)) }

func TestGuess(t *testing.T) {
	particulars := func(s string) bool { return strings.Contains(s, "Maureen") || strings.Contains(s, "23,400") }
	base := GuessInput{Before: draft, Pack: pension0,
		Situation:   pack.Situation{Question: "What is an annuity?", Age: 46},
		Particulars: particulars, Near: shared}
	for _, c := range []struct {
		name          string
		after         string
		reason, next  string
		want, nothing string // the act; with its conditions where it begins with "When"
	}{
		{"a fact", draft + " Take your time.", "", "",
			"When the question is like “What is an annuity?”, end with “Take your time.”", ""},
		{"the question and the remark", draft + " Take your time.", "they rush it, and then they regret it", "",
			"When the question is like “What is an annuity?” or “they rush it, and then they regret it”, end with " +
				"“Take your time.” because they rush it, and then they regret it", ""},
		{"for some", "You have to be 55. " + draft, "", "only under 55s",
			"When age is below 55 and the question is like “What is an annuity?”, start with " +
				"“You have to be 55.”", ""},
		{"removed", "You can take the pot as cash. Ask the provider what your plan allows.", "Not always.", "", "",
			NothingGone},
		{"removed, in the remark's words", "You can take the pot as cash. Ask the provider what your plan allows.",
			"never say a quarter is usually tax free", "",
			"When giving guidance to anybody, never say “A quarter is usually tax free” because never say a quarter " +
				"is usually tax free", ""},
		{"said twice", strings.Replace(draft, " A quarter is usually tax free.", "", 1) +
			" A quarter is usually tax free.", "never say that a quarter is usually tax free twice", "", "",
			NothingSmall},
		{"a term that a remark names", strings.ReplaceAll(draft, "pot", "pension"), "call it a pension", "",
			"When giving guidance to anybody, say “pension” rather than “pot” because call it a pension", ""},
		{"a term that nobody names", strings.ReplaceAll(draft, "pot", "pension"), "reads better", "", "", NothingSmall},
		{"a clause", strings.Replace(draft, "as cash", "as cash once you are 55 or older", 1), "", "",
			"start with “You can take the pot as cash once you are 55 or older.”", ""},
		{"four words", strings.Replace(draft, "as cash", "as cash from age 55", 1), "", "", "", NothingSure},
		{"polish", strings.NewReplacer("usually", "often", "your plan allows", "is allowed").Replace(draft),
			"reads better", "", "", NothingSmall},
		{"typing error", strings.Replace(draft, "usually", "usualy", 1), "typo", "", "", NothingSmall},
		{"said to be for one customer", draft + " Take your time.", "just this once please", "", "", NothingPrivate},
		{"a name at the end", draft + " I am so sorry to hear it, Maureen.", "", "",
			"end with “I am so sorry to hear it.”", ""},
		{"a name at the front", "Maureen, take your time. " + draft, "", "", "start with “Take your time.”", ""},
		{"a name within", draft + " We wrote to Maureen today.", "", "", "", NothingPrivate},
		{"one of two is private", draft + " Take your time. Yours is £23,400 a year.", "Maureen has time", "",
			"When the question is like “What is an annuity?”, end with “Take your time.”", ""},
		{"the remark chooses", "Take your time. " + draft + " Some providers charge a fee.", "nothing about the fee",
			"", "end with “Some providers charge a fee.”", ""},
		{"nobody chooses", "Take your time. " + draft + " Some providers charge a fee.", "", "", "", NothingMuch},
		{"it stands on nothing", draft + " It can take a month.", "how long it takes", "", "", NothingSmall},
		{"it follows what came", draft + " The form is on our site. It takes a minute.", "the form is missing", "",
			"end with “The form is on our site. It takes a minute.”", ""},
		{"yes", "Yes, you certainly can do that today. " + draft, "answer first", "", "", NothingSmall},
		{"another text", "One is red. Two are blue. Three are green. Four are grey. Five are black. Six is all of a " +
			"sudden.  Seven are mine. Eight", "all wrong", "", "", NothingMuch},
	} {
		in := base
		in.After, in.Reason, in.Next = c.after, c.reason, c.next
		checkGuess(t, c.name, in, c.want, c.nothing)
	}
	for _, c := range []struct {
		name          string
		wants         Wants
		after         string
		want, nothing string
	}{
		{"taste", Wants{Nothing: true}, draft + " Take your time.", "", NothingTaste},
		{"turned, whatever the remark", Wants{Nothing: true},
			strings.Replace(draft, "You can take", "You can never take", 1), "", NothingSure},
		{"a figure, whatever the remark", Wants{Private: true}, strings.Replace(draft, "A quarter", "25 %", 1), "",
			NothingSure},
		{"this customer", Wants{Private: true}, draft + " Take your time.", "", NothingPrivate},
		{"to point to", Wants{Point: true}, draft + " MoneyHelper explains it.",
			"point the customer on: “MoneyHelper explains it.”", ""},
		{"to avoid", Wants{Avoid: true}, strings.Replace(draft, " A quarter is usually tax free.", "", 1),
			"never say “A quarter is usually tax free.”", ""},
	} {
		in := base
		in.After, in.Wants = c.after, c.wants
		checkGuess(t, c.name, in, c.want, c.nothing)
	}
}

// A condition of an earlier guess names the source that a draft cites first.
func TestASourceIsFound(t *testing.T) {
	cited := "Hello Ann,\n\nYou can take the pot as cash. [1]\n\nAsk the provider what your plan allows. " +
		"[2]\n\nSources:\n[1] Cash\n[2] Providers"
	on := Subject{Draft: &cited}
	for source, want := range map[string]State{"Source: Cash": Met, "Source: cash": Met, "Source: Providers": NotMet,
		"Source: Tax": NotMet} {
		if r := Match(Statement{When: []Condition{{Kind: Mentions, Values: []string{source}, Draft: true}}},
			on); r.State != want {
			t.Errorf("%s: %v, want %v", source, r.State, want)
		}
	}
}

func checkGuess(t *testing.T, name string, in GuessInput, want, nothing string) {
	t.Helper()
	st, why := Guess(in)
	got := ""
	if !st.Empty() {
		got = st.Do.Words()
		if strings.HasPrefix(want, "When") {
			got = Sentence(st, in.Pack)
		}
		if err := st.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got != want || why != nothing {
		t.Errorf("%s:\ngot  %s (%s)\nwant %s (%s)", name, got, why, want, nothing)
	}
}

func TestGuessOfARejection(t *testing.T) {
	base := GuessInput{Before: draft, Rejected: true, Pack: general0, Situation: asked0}
	for _, c := range []struct{ name, reason, next, say, want, nothing string }{
		{"nothing said", "meh, I'll write to her myself", "", "", "", NothingSaid},
		{"addressed to the customer", "", "", "Your pension will not go up.", "include “Your pension will not go up.”",
			""},
		{"a request", "", "", "Please report it within two days, and leave the bin out.",
			"include “Please report it within two days, and leave the bin out.”", ""},
		{"an imperative with your", "", "", "Ask your provider for a form.", "include “Ask your provider for a form.”",
			""},
		{"a question", "", "", "Are you behind with your rent?", "ask “Are you behind with your rent?”", ""},
		{"about the customer", "", "", "You should tell them that it does not go up.",
			"You should tell them that it does not go up.", ""},
		{"to the advisor", "", "", "Mention that your rates change", "Mention that your rates change", ""},
		{"to the advisor, no you", "", "", "Explain the frozen pension", "Explain the frozen pension", ""},
		{"about the draft", "", "", "The draft does not answer your question",
			"The draft does not answer your question", ""},
		{"asked in quotation marks", "", "", `Ask them "Are you behind with your rent?"`,
			"ask “Are you behind with your rent?”", ""},
		{"pointed in quotation marks", "", "", "Point them to 'The tracing service is on GOV.UK.'",
			"point the customer on: “The tracing service is on GOV.UK.”", ""},
		{"pointed to a name", "", "", `Point them to "GOV.UK"`, `Point them to "GOV.UK"`, ""},
		{"never in quotation marks", `never say "tax free"`, "", "", "never say “tax free”", ""},
		{"quoted, and not forbidden", `"tax free" is right`, "", "", "", NothingSaid},
		{"forbidden, and not in the draft", `never say "risk free"`, "", "", "", NothingSaid},
		{"repeated", "NEVER say they can take the pot as cash!", "", "", "never say “can take the pot as cash”", ""},
	} {
		in := base
		in.Reason, in.Next, in.Say = c.reason, c.next, c.say
		checkGuess(t, c.name, in, c.want, c.nothing)
	}
	empty := base
	empty.Before, empty.Say = "", "Your pension will not go up."
	checkGuess(t, "without a draft", empty,
		"When the question is broadly like “Why does the VPN not connect?”, include “Your pension will not go up.”", "")
}

// A correction that turns the meaning is never small: a person is asked what it teaches.
func TestCorrectionsThatTurnTheMeaningAreNotSmall(t *testing.T) {
	const front, back = "Thank you for asking. ", " Ask the provider what your plan allows."
	guess := func(before, after string) string {
		_, nothing := Guess(GuessInput{Before: front + before + back, After: front + after + back, Pack: general0,
			Situation:   pack.Situation{Question: "Why?"},
			Particulars: func(s string) bool { return strings.Contains(s, "£23,") }})
		return nothing
	}
	for before, after := range map[string]string{
		"You have to take advice below the limit.":     "You do not have to take advice below the limit.",
		"You can take it as cash.":                     "You can never take it as cash.",
		"It is not refundable once it has been paid.":  "It is refundable once it has been paid.",
		"You can take it before the transfer is done.": "You can take it after the transfer is done.",
		"You must tell the provider about it.":         "You may tell the provider about it.",
		"The charge is 20 % of the pot.":               "The charge is 25 % of the pot.",
		"It ends on 5 April 2027.":                     "It ends on 5 April 2028.",
		"You can take all or part of it.":              "You can take all and part of it.",
		"You can take it only as cash.":                "You can take it as cash.",
		"You should take all of it this year.":         "You should take some of it this year.",
		"It is taxable when it is paid out.":           "It is nontaxable when it is paid out.",
	} {
		if nothing := guess(before, after); nothing != NothingSure {
			t.Errorf("%q to %q: %q", before, after, nothing)
		}
	}
	for before, after := range map[string]string{
		"You can take the pot as cash.": "You can take a pot as cash.", // an article
		"The recieved cash is taxed.":   "The received cash is taxed.", // a typing error
		"It is a large amount.":         "It is a big amount.",
		"Your pot of £23,400 is small.": "Your pot of £23,500 is small.", // the customer's own
	} {
		if nothing := guess(before, after); nothing != NothingSmall {
			t.Errorf("%q to %q: %q", before, after, nothing)
		}
	}
}
