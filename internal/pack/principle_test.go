package pack

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/fault"
)

func TestParsePrinciple(t *testing.T) {
	for _, c := range []struct{ text, situation, action, because string }{
		{"When the customer has a DB pension, warn about the guarantees because they can't be had back.", "the customer has a DB pension", "warn about the guarantees", "they can't be had back"},
		{"When customer has DB pension and is considering consolidation, always emphasize valuable guarantees and that most people would lose out by transferring, before discussing any potential benefits, because DB pensions have special protections that must be preserved",
			"customer has DB pension and is considering consolidation", "always emphasize valuable guarantees and that most people would lose out by transferring, before discussing any potential benefits", "DB pensions have special protections that must be preserved"},
		{"If the customer is vulnerable, bereaved or ill, signpost MoneyHelper", "the customer is vulnerable, bereaved or ill", "signpost MoneyHelper", ""},
		{"Mention that the scheme's closing date is 5 April", "", "Mention that the scheme's closing date is 5 April", ""},
		{"Ask whether the customer has checked for exit fees when the customer asks about consolidation, because fees can be high.", "the customer asks about consolidation", "Ask whether the customer has checked for exit fees", "fees can be high"},
		{"When a customer under 55 asks to take money, explain that the minimum age is 55, since earlier access is taxed heavily", "a customer under 55 asks to take money", "explain that the minimum age is 55", "earlier access is taxed heavily"},
		{"When presenting consolidation as an option, use depersonalized language like 'some people consider' or 'options include' rather than 'you might want to' or 'given your situation', because personalized phrasing crosses into advice",
			"presenting consolidation as an option", "use depersonalized language like 'some people consider' or 'options include' rather than 'you might want to' or 'given your situation'", "personalized phrasing crosses into advice"},
		{"PRINCIPLE: “When the customer’s pot is above £30,000, the advisor should mention regulated advice.”", "the customer's pot is above £30,000", "the advisor should mention regulated advice", ""},
		{"For customers with low literacy, use short sentences", "customers with low literacy", "use short sentences", ""},
		{"When the customer has a DB pension always warn first", "the customer has a DB pension", "always warn first", ""},
		{"When the customer asks about tax then explain the 25% rule", "the customer asks about tax", "explain the 25% rule", ""},
		{"When the customer asks to transfer, suggest regulated advice unless the customer has already had advice", "the customer asks to transfer unless the customer has already had advice", "suggest regulated advice", ""},
	} {
		p, err := ParsePrinciple(c.text)
		if err != nil || p.Situation != c.situation || p.Action != c.action || p.Because != c.because {
			t.Errorf("ParsePrinciple(%q)\n = %q | %q | %q (%v)\nwant %q | %q | %q", c.text, p.Situation, p.Action, p.Because, err, c.situation, c.action, c.because)
		}
	}
	for _, bad := range []string{"", "  ", "\n", "When , because it is so"} {
		if _, err := ParsePrinciple(bad); fault.KindOf(err) != fault.Invalid {
			t.Errorf("ParsePrinciple(%q): %v, want invalid", bad, err)
		}
	}
}

func TestParseOfStringIsStable(t *testing.T) {
	for _, text := range []string{
		"When the customer has a DB pension, warn about the guarantees because they can't be had back.",
		"Mention that the scheme's closing date is 5 April",
		"When the customer is vulnerable, bereaved or ill, signpost MoneyHelper.",
	} {
		p, _ := ParsePrinciple(text)
		q, err := ParsePrinciple(p.String())
		if err != nil || !strings.EqualFold(p.String(), q.String()) {
			t.Errorf("%q became %q", p.String(), q.String())
		}
	}
}

func FuzzPrinciple(f *testing.F) {
	f.Add("When the customer has DB, warn because x", "You should \"transfer\" now.")
	f.Add("avoid saying 'a'; say 'b' instead", "a ’ “ £12")
	f.Fuzz(func(t *testing.T, rule, text string) {
		p, err := ParsePrinciple(rule)
		if err != nil {
			return
		}
		s := Situation{Question: text, HasDB: true}
		p.Applies(s)
		p.Sentences(s)
		p.Present(text)
		p.Rewrite(text)
		for _, m := range DetectMoves(text) {
			if m.Start < 0 || m.End > len(text) || m.Start > m.End {
				t.Fatalf("%+v is outside %q", m, text)
			}
		}
		for _, i := range Check(text, s.At) {
			if text[i.Start:i.End] != i.Quote {
				t.Fatalf("%+v does not quote %q", i, text)
			}
		}
	})
}

func TestApplies(t *testing.T) {
	db := Situation{Question: "Should I combine my pensions?", HasDB: true, HasDC: true, DBValue: 120000, DCValue: 40000, Age: 54, Literacy: "medium"}
	dc := Situation{Question: "Should I combine my pensions?", HasDC: true, DCValue: 40000, Age: 61, Literacy: "low"}
	state := Situation{Question: "When can I get my State Pension?", HasState: true, Age: 64, Literacy: "high"}
	widow := Situation{Question: "My husband died last month, what happens to his pension?", HasDC: true, Age: 77, Vulnerable: true, Literacy: "low"}
	scam := Situation{Question: "A man rang me out of the blue and says he can release my pension at 48", HasDC: true, Age: 48}
	words := Situation{Question: "I've got a final salary pension with the council, can I cash it in?"}
	for _, c := range []struct {
		when string
		s    Situation
		want bool
	}{
		{"the customer has a DB pension", db, true},
		{"the customer has a DB pension", dc, false},
		{"the customer has a final salary pension", words, true},
		{"the customer has a DB pension and is considering consolidation", db, true},
		{"the customer has a DB pension and is considering consolidation", state, false},
		{"the customer has a defined benefit pension and asks about transferring or combining pensions", words, true},
		{"the customer has no DB pension", db, false},
		{"the customer has no DB pension", dc, true},
		{"the customer does not have a defined benefit pension", dc, true},
		{"the customer has a DB or DC pension", dc, true},
		{"the customer has a DB or DC pension", state, false},
		{"explaining DB pensions to customers with low financial literacy", db, false},
		{"explaining DB pensions to customers with low financial literacy", Situation{Question: "x", HasDB: true, Literacy: "low"}, true},
		{"the customer has low or medium literacy", db, true},
		{"the customer has low or medium literacy", state, false},
		{"customers with limited financial knowledge", dc, true},
		{"the customer struggles with financial terms", dc, true},
		{"the customer is vulnerable", widow, true},
		{"the customer is vulnerable", dc, false},
		{"the customer is not vulnerable", dc, true},
		{"the customer is vulnerable, bereaved or ill", widow, true},
		{"the customer is bereaved", widow, true},
		{"the customer is bereaved", scam, false},
		{"the customer is ill or in debt", Situation{Question: "I've got cancer and want my pension"}, true},
		{"a customer under 55 asks to take money", scam, true},
		{"a customer under 55", dc, false},
		{"the customer is over 75", widow, true},
		{"the customer is over 75", dc, false},
		{"the customer is 55 or over", dc, true},
		{"the customer is 55 or over", db, false},
		{"the customer is between 60 and 65", state, true},
		{"the customer is aged between 50 and 60", db, true},
		{"the customer is approaching 55", db, true},
		{"the customer is in their 60s", dc, true},
		{"the customer is over 75", Situation{Question: "I'm 78, can I still pay in?"}, true},
		{"the customer's DB pension is worth more than £30,000", db, true},
		{"the customer's DB pension is worth more than £200,000", db, false},
		{"the customer has a DB pension worth less than £30,000", db, false},
		{"the customer asks about the State Pension", state, true},
		{"the customer asks about the State Pension", db, false},
		{"the customer asks for a recommendation", db, true},
		{"the customer asks which option is best", dc, true},
		{"the customer asks for a recommendation", state, false},
		{"customer asks for help choosing between specific products or wants a personal recommendation on consolidation", db, true},
		{"the customer asks about consolidation", dc, true},
		{"the customer wants to transfer", state, false},
		{"presenting consolidation as an option", dc, true},
		{"there are signs of a scam", scam, true},
		{"there are signs of a scam", dc, false},
		{"the customer mentions a cold call", scam, true},
		{"the task is state_pension", state, true},
		{"the task is db_transfer", state, false},
		{"the customer asks about death benefits", widow, true},
		{"the customer asks about drawdown", db, false},
		{"any customer", state, true},
		{"any customer asks about consolidation", state, false},
		{"", dc, true},
		{"always", dc, true},
		{"giving guidance", dc, true},
		{"the customer has a DB pension unless they are over 75", db, true},
		{"the customer mentions being a teacher", Situation{Question: "I was a teacher for years, what do I get?"}, true},
		{"the customer mentions being a teacher", dc, false},
		{"the customer runs a bakery business", Situation{Question: "I sold my bakery, where does the cash go?"}, true},
		{"the customer runs a bakery business", dc, false},
		{"the customer is worried about market falls", Situation{Question: "will a stock market crash wipe me out?"}, true},
		{"the customer has been made redundant", Situation{Question: "what now", Text: "Took redundancy in May"}, true},
		{"the customer wants to transfer to Canada", Situation{Question: "How do I transfer my pension?"}, false},
		{"the customer wants to transfer to Canada", Situation{Question: "How do I transfer my pension to Canada?"}, true},
		{"the customer is thinking of buying a second home with their lump sum", Situation{Question: "how big a lump sum can I take?"}, false},
		{"the customer is thinking of buying a second home with their lump sum", Situation{Question: "can I use the lump sum for a holiday home?"}, true},
		{"the customer has protected tax-free cash", Situation{Question: "shall i move it", Features: []string{"protected tax-free cash 32%"}}, true},
		{"the customer has several pensions", Situation{Question: "I've got five old pensions"}, true},
		{"the customer has a DB pension, or is over 75", widow, true},
		{"the customer is divorced or separated", Situation{Question: "my ex wants half"}, true},
		{"the customer has a DB pension", Situation{Question: "what is a final salary pension?", HasDC: true}, false},
		{"the customer has a DB pension", Situation{Question: "I don't have a final salary pension, only pots"}, false},
	} {
		p := Principle{Situation: c.when, Action: "mention x"}
		got, why := p.Applies(c.s)
		if got != c.want {
			t.Errorf("%q applies to %+v = %v (%v)", c.when, c.s, got, why)
		}
		if got && len(why) == 0 {
			t.Errorf("%q applies to %q without a reason", c.when, c.s.Question)
		}
	}
}

func TestAppliesIsSteady(t *testing.T) {
	whens := []string{"the customer has a DB pension", "the customer is over 55 and asks about tax", "low literacy or vulnerable"}
	rapid.Check(t, func(t *rapid.T) {
		s := Situation{Question: rapid.StringMatching(`[a-z ]{0,60}`).Draw(t, "q"), Age: rapid.IntRange(0, 100).Draw(t, "age"), HasDB: rapid.Bool().Draw(t, "db")}
		p := Principle{Situation: rapid.SampledFrom(whens).Draw(t, "when"), Action: "say x"}
		a, why := p.Applies(s)
		b, again := p.Applies(s)
		if a != b || strings.Join(why, "|") != strings.Join(again, "|") {
			t.Fatalf("%v then %v", why, again)
		}
	})
}
