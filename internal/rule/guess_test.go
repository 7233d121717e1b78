package rule

import (
	"strings"
	"testing"

	"preceptor/internal/pack"
)

var (
	pension0 = pack.Of("pension")
	general0 = pack.Of("general")
	asked0   = pack.Situation{Question: "Why does the VPN not connect?", Fields: map[string][]string{"os": {"Windows 11"}, "role": {"junior analyst"}, "name": {"Noreen"}, "member": {"yes"}, "floor": {"3"}}}
)

func words(list []Condition, p *pack.Pack) string {
	var out []string
	for _, c := range list {
		out = append(out, c.Words(p))
	}
	return strings.Join(out, "; ")
}

func TestWhom(t *testing.T) {
	for _, c := range []struct {
		name string
		p    *pack.Pack
		s    pack.Situation
		want string
	}{
		{"a topic", pension0, pack.Situation{Question: "What is an annuity?"}, "the topic is Annuity"},
		{"a topic that was given", pension0, pack.Situation{Question: "What is it?", Task: "drawdown", Age: 60, Literacy: "high", HasDC: true}, "the topic is Drawdown"},
		{"unlike most", pension0, pack.Situation{Question: "x", Task: "drawdown", Age: 46, Literacy: "low", HasDB: true, Vulnerable: true},
			"the topic is Drawdown; age is below 55"},
		{"unlike most, vulnerable alone", pension0, pack.Situation{Question: "x", Task: "drawdown", Age: 60, Vulnerable: true}, "the topic is Drawdown"},
		{"no topic", pension0, pack.Situation{Question: "Thanks for that"}, "the question is broadly like “Thanks for that”"},
		{"no topics in the pack", general0, asked0, "the question is broadly like “Why does the VPN not connect?”"},
		{"nothing is known", general0, pack.Situation{}, ""},
	} {
		if got := words(Whom(c.p, c.s), c.p); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestOneFactIsPreselected(t *testing.T) {
	me := pack.Situation{Question: "x", Task: "drawdown", Age: 46, Literacy: "low", HasDB: true, Vulnerable: true}
	db, young, low := pack.Situation{Age: 60, HasDB: true}, pack.Situation{Age: 40}, pack.Situation{Age: 60, Literacy: "low"}
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

func TestGuess(t *testing.T) {
	particulars := func(s string) bool { return strings.Contains(s, "Maureen") || strings.Contains(s, "23,400") }
	base := GuessInput{Before: draft, Pack: pension0, Situation: pack.Situation{Question: "What is an annuity?", Age: 46}, Particulars: particulars}
	for _, c := range []struct {
		name          string
		after         string
		reason, next  string
		want, nothing string // the acts; with their conditions where they begin with "When"
	}{
		{"a fact", draft + " Take your time.", "", "", "end with “Take your time.”", ""},
		{"for some", "You have to be 55. " + draft, "", "only under 55s", "When age is below 55 and the draft mentions “You can take the pot as cash.” or “A quarter is usually tax free.” or “Ask the provider what your plan allows.”, start with “You have to be 55.”", ""},
		{"removed", "You can take the pot as cash. Ask the provider what your plan allows.", "Not always.", "", "When the draft mentions “A quarter is usually tax free.”, never say “A quarter is usually tax free.” because Not always", ""},
		{"a term that a remark names", strings.ReplaceAll(draft, "pot", "pension"), "call it a pension", "", "say “pension” rather than “pot”", ""},
		{"a term that nobody names", strings.ReplaceAll(draft, "pot", "pension"), "reads better", "", "", NothingSmall},
		{"a clause", strings.Replace(draft, "as cash", "as cash once you are 55 or older", 1), "", "",
			"never say “You can take the pot as cash.”\nstart with “You can take the pot as cash once you are 55 or older.”", ""},
		{"polish", strings.NewReplacer("usually", "often", "your plan allows", "is allowed").Replace(draft), "reads better", "", "", NothingSmall},
		{"typing error", strings.Replace(draft, "usually", "usualy", 1), "typo", "", "", NothingSmall},
		{"this customer", draft + " Take your time.", "", "just this once please", "", NothingPrivate},
		{"a name at the end", draft + " I am so sorry to hear it, Maureen.", "", "", "end with “I am so sorry to hear it.”", ""},
		{"a name at the front", "Maureen, take your time. " + draft, "", "", "start with “Take your time.”", ""},
		{"a name within", draft + " We wrote to Maureen today.", "", "", "", NothingPrivate},
		{"one of two is private", draft + " Take your time. Yours is £23,400 a year.", "Maureen has time", "", "end with “Take your time.”", ""},
		{"another text", "One is red. Two are blue. Three are green. Four are grey. Five are black. Six.", "", "", "", NothingMuch},
	} {
		in := base
		in.After, in.Reason, in.Next = c.after, c.reason, c.next
		checkGuess(t, c.name, in, c.want, c.nothing)
	}
}

// A guess names the source of the sentences that a text was put beside, rather than them.
func TestGuessNamesTheSource(t *testing.T) {
	cited := "Hello Ann,\n\nYou can take the pot as cash. A quarter is usually tax free. [1]\n\nAsk the provider what your plan allows. [2]\n\nSources:\n[1] Cash\n[2] Providers"
	in := GuessInput{Before: cited, After: strings.Replace(cited, "Ask the", "You have to be 55. Ask the", 1), Pack: pension0}
	checkGuess(t, "within", in, "When the draft mentions “Source: Providers”, include “You have to be 55.”", "")
	in.After = strings.Replace(cited, "You can", "You have to be 55. You can", 1)
	checkGuess(t, "first", in, "When the draft mentions “Source: Cash”, start with “You have to be 55.”", "")
	in.After = strings.Replace(cited, " A quarter is usually tax free.", "", 1)
	checkGuess(t, "removed", in, "When the draft mentions “A quarter is usually tax free.”, never say “A quarter is usually tax free.”", "")
	on := Subject{Draft: &cited}
	for source, want := range map[string]State{"Source: Cash": Met, "Source: cash": Met, "Source: Providers": NotMet, "Source: Tax": NotMet} {
		if r := Match(Statement{When: []Condition{{Kind: Mentions, Values: []string{source}, Draft: true}}}, on); r.State != want {
			t.Errorf("%s: %v, want %v", source, r.State, want)
		}
	}
}

func checkGuess(t *testing.T, name string, in GuessInput, want, nothing string) {
	t.Helper()
	list, why := Guess(in)
	var got []string
	for _, s := range list {
		if strings.HasPrefix(want, "When") {
			got = append(got, Sentence(s, in.Pack))
		} else {
			got = append(got, s.Do.Words())
		}
		if err := s.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if g := strings.Join(got, "\n"); g != want || why != nothing {
		t.Errorf("%s:\ngot  %s (%s)\nwant %s (%s)", name, g, why, want, nothing)
	}
}

func TestGuessOfARejection(t *testing.T) {
	base := GuessInput{Before: draft, Rejected: true, Pack: general0, Situation: asked0}
	for _, c := range []struct{ name, reason, next, say, want, nothing string }{
		{"nothing said", "meh, I'll write to her myself", "", "", "", NothingSaid},
		{"addressed to the customer", "", "", "Your pension will not go up.", "include “Your pension will not go up.”", ""},
		{"a request", "", "", "Please report it within two days, and leave the bin out.", "include “Please report it within two days, and leave the bin out.”", ""},
		{"an imperative with your", "", "", "Ask your provider for a form.", "include “Ask your provider for a form.”", ""},
		{"a question", "", "", "Are you behind with your rent?", "ask “Are you behind with your rent?”", ""},
		{"about the customer", "", "", "You should tell them that it does not go up.", "You should tell them that it does not go up.", ""},
		{"to the advisor", "", "", "Mention that your rates change", "Mention that your rates change", ""},
		{"to the advisor, no you", "", "", "Explain the frozen pension", "Explain the frozen pension", ""},
		{"about the draft", "", "", "The draft does not answer your question", "The draft does not answer your question", ""},
		{"asked in quotation marks", "", "", `Ask them "Are you behind with your rent?"`, "ask “Are you behind with your rent?”", ""},
		{"pointed in quotation marks", "", "", "Point them to 'The tracing service is on GOV.UK.'", "point the customer on: “The tracing service is on GOV.UK.”", ""},
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
	checkGuess(t, "without a draft", empty, "When the question is broadly like “Why does the VPN not connect?”, include “Your pension will not go up.”", "")
}

// A correction that turns the meaning is never small: it states what it says, or asks.
func TestCorrectionsThatTurnTheMeaningAreNotSmall(t *testing.T) {
	const front, back = "Thank you for asking. ", " Ask the provider what your plan allows."
	for _, c := range []struct {
		before, after string
		asks          bool
	}{
		{"You have to take advice below the limit.", "You do not have to take advice below the limit.", false},
		{"You can take it as cash.", "You can never take it as cash.", false},
		{"It is not refundable once it has been paid.", "It is refundable once it has been paid.", false},
		{"You can take it before the transfer is done.", "You can take it after the transfer is done.", true},
		{"You must tell the provider about it.", "You may tell the provider about it.", true},
		{"The charge is 20 % of the pot.", "The charge is 25 % of the pot.", true},
		{"It ends on 5 April 2027.", "It ends on 5 April 2028.", true},
		{"You can take all or part of it.", "You can take all and part of it.", true},
		{"Tell them before you transfer.", "Transfer before you tell them.", false},
		{"You can take it only as cash.", "You can take it as cash.", true},
		{"You should take all of it this year.", "You should take some of it this year.", true},
		{"It is taxable when it is paid out.", "It is nontaxable when it is paid out.", true},
	} {
		list, nothing := Guess(GuessInput{Before: front + c.before + back, After: front + c.after + back, Pack: general0, Situation: pack.Situation{Question: "Why?"}})
		if asks := len(list) == 0 && nothing == NothingSure; asks != c.asks || len(list) == 0 && !asks {
			t.Errorf("%q to %q: %d statements, %q", c.before, c.after, len(list), nothing)
		}
	}
	for before, after := range map[string]string{
		"You can take the pot as cash.": "You can take a pot as cash.", // an article
		"The recieved cash is taxed.":   "The received cash is taxed.", // a typing error
		"It is a large amount.":         "It is a big amount.",
		"Your pot of £23,400 is small.": "Your pot of £23,500 is small.", // the customer's own
	} {
		list, nothing := Guess(GuessInput{Before: front + before + back, After: front + after + back, Pack: general0, Situation: pack.Situation{Question: "Why?"},
			Particulars: func(s string) bool { return strings.Contains(s, "£23,") }})
		if len(list) > 0 || nothing != NothingSmall {
			t.Errorf("%q to %q: %d statements, %q", before, after, len(list), nothing)
		}
	}
}
