package phrase

import (
	"slices"
	"strings"
	"testing"
)

// lexicon reads a text of classes and rules; it fails the test where that can't be read.
func lexicon(t testing.TB, text string) *Lexicon {
	t.Helper()
	l, err := Parse(Source{"test", text})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestTokensUndoContractions(t *testing.T) {
	var got []string
	for _, tok := range Tokens("You'd have £1,250.50 (25%), can’t you? It's Mum's 2nd.", 0) {
		got = append(got, tok.Text)
	}
	if s := strings.Join(got, " "); s != "you would have £# #% can not you it is mum #" {
		t.Error(s)
	}
}

// One amount is one figure, however it is written.
func TestAnAmountInEveryForm(t *testing.T) {
	l := lexicon(t, "class over: £#>100\nclass million: £#=2000000\nclass bare: #>100")
	for text, want := range map[string]string{
		"250 pounds": "over", "250 GBP": "over", "gbp 250": "over", "250gbp": "over", "£250": "over", "£ 250": "over",
		"Amount in £: 900": "over", "Amount (GBP): 900": "over", "amount_gbp: 900": "over", "1,000.50 Pounds": "over",
		"2 million pounds": "over million", "£2 million": "over million", "£2m": "over million",
		"90 pounds": "", "GBP 90": "", "Amount in £: 90": "", "250 people": "bare", "2000 million": "bare", "£ a": "",
	} {
		var got []string
		read := l.ReadText(text, nil)
		for _, class := range []string{"over", "million", "bare"} {
			if l.Holds(read, class) {
				got = append(got, class)
			}
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%s: %q, want %q", text, g, want)
		}
	}
}

func TestPhrases(t *testing.T) {
	l := lexicon(t, `
class far: not .. far
class a: move|transfer* (it|them)? now; {far}
class b: _ best; £#
class c: transfer~ (the lot|everything|{d})
class d: my pots
  tax-free cash
class e: ^ so; end $; long ... way; stop .. $
class g: (big red|small)|huge house; (very|so (very)?)? tiny (house|flat)
class f: £#>1000; #%!=25|30; #={years} years; £#was={limit}
`)
	figures := func(key string) (float64, []float64, bool) {
		return map[string]float64{"years": 35, "limit": 60000}[key], map[string][]float64{"limit": {40000, 50000}}[key],
			key != "none"
	}
	for text, want := range map[string]string{
		"Move now":                            "a",
		"transferring it now":                 "a",
		"move the lot now":                    "",
		"It's not so very far":                "far a",
		"not one two three four five far":     "",
		"the best":                            "b",
		"best":                                "",
		"costs £5":                            "b",
		"They transferred the lot":            "c",
		"transfers my pots":                   "d c",
		"transfer tax-free cash":              "d c",
		"So it is":                            "e",
		"and so":                              "",
		"it is the end":                       "e",
		"the end of it":                       "",
		"a long and winding road all the way": "e",
		"and stop right there":                "e",
		"a huge house":                        "g",
		"a big red house":                     "g",
		"a red house":                         "",
		"so very tiny flat":                   "e g",
		"tiny house":                          "g",
		"some £1,500":                         "b f",
		"some £1.5k":                          "b f",
		"of 30%":                              "",
		"of 20%":                              "f",
		"35 years":                            "f",
		"30 years":                            "",
		"is £40,000":                          "b f",
		"is £400":                             "b",
	} {
		var got []string
		read := l.ReadText(text, figures)
		for _, name := range []string{"far", "a", "b", "d", "c", "e", "f", "g"} {
			if l.Holds(read, name) {
				got = append(got, name)
			}
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%q: %q, want %q", text, g, want)
		}
	}
}

const scoped = `
class denied: not; nobody; never
class reported: you asked; says
class supposed: if; whether
class past: until #
class duty: by law
class warned: scam*
class pointer: ^ it
code STEER critical
source Somewhere
rule told
  find you should transfer~
  not first
  why It tells what to do.
  yes You should transfer it.
  no We can't say whether you should transfer.
rule never
  find never transfer
  even denied warned
  why It tells what not to do.
rule limit
  about allowance
  find is £#was={limit} & now
  why The figure is old.
need fall
  code RISK major
  for dc no-db
  asked drawdown
  told stays invested
  unless annuity
  says fall|falls
  early
  why It does not say that it can fall.
topic cash 3: lump sum
topic cash 1: money
topic tax 3.5: tax
`

func TestRulesAndTheirScopes(t *testing.T) {
	l := lexicon(t, scoped)
	for text, want := range map[string]string{
		"You should transfer it.":                                   "told: You should transfer",
		"We think you should be transferring.":                      "",
		"You should transfer the lot first.":                        "",
		"Nobody says that you should transfer.":                     "",
		"Nobody knows, but you should transfer.":                    "told: you should transfer",
		"You asked if you should transfer.":                         "",
		"He says you should transfer.":                              "",
		"If it suits you, you should transfer.":                     "",
		"Should you? You should transfer?":                          "",
		`They wrote "you should transfer".`:                         "",
		"By law you should transfer it.":                            "",
		"Until 2015 you should transfer it.":                        "",
		"It is a scam. You should transfer, they write.":            "",
		"It is a scam.\n\nYou should transfer.":                     "told: You should transfer",
		"A scam says:\n- pay now\n- ring us\n- you should transfer": "",
		"Never transfer.":                                           "never: Never transfer",
		"The allowance is £40,000 now.":                             "limit: is £40,000",
		"There is an allowance. It is £40,000 now.":                 "limit: is £40,000",
		"There is an allowance. Mine is £40,000 now.":               "",
		"The allowance is £60,000 now.":                             "",
	} {
		var got []string
		for _, f := range l.Findings(l.ReadText(text, func(string) (float64, []float64, bool) {
			return 60000, []float64{40000}, true
		})) {
			got = append(got, f.Of.Name+": "+f.In(text))
		}
		if g := strings.Join(got, "; "); g != want {
			t.Errorf("%q: %q, want %q", text, g, want)
		}
	}
	if r := l.Rules(); len(r) != 4 || r[0].Code != "STEER" || r[0].Severity != "critical" ||
		r[0].Source != "Somewhere" || len(r[0].Yes) != 1 || !strings.Contains(r[0].Text, "find you should") ||
		r[3].Code != "RISK" {
		t.Errorf("%+v", r)
	}
}

func TestNeeds(t *testing.T) {
	l := lexicon(t, scoped)
	long := strings.Repeat("It is a pot. ", 20)
	for _, c := range []struct {
		question, text string
		flags          []string
		missing        bool
	}{
		{"What is drawdown?", "It stays invested.", []string{"dc"}, true},
		{"What is drawdown?", "It stays invested.", []string{"dc", "db"}, false},
		{"What is drawdown?", "It stays invested.", nil, false},
		{"What is it?", "It stays invested.", []string{"dc"}, false},
		{"What is drawdown?", "It never stays invested.", []string{"dc"}, false},
		{"What is drawdown?", "It stays invested, so it can fall.", []string{"dc"}, false},
		{"What is drawdown?", "It stays invested. Can it fall?", []string{"dc"}, true},
		{"What is drawdown?", "It stays invested. " + long + "It can fall.", []string{"dc"}, true},
		{"Drawdown or annuity?", "It stays invested.", []string{"dc"}, false},
	} {
		found := l.Missing(l.ReadText(c.text, nil), l.ReadText(c.question, nil), func(f string) bool {
			return slices.Contains(c.flags, f)
		})
		if (len(found) == 1) != c.missing {
			t.Errorf("%+v: %v", c, found)
		}
	}
}

func TestTopics(t *testing.T) {
	l := lexicon(t, scoped)
	for question, want := range map[string]string{"How is the lump sum taxed?": "cash",
		"How much tax on a lump sum?": "tax", "My money?": "", "Money from a lump sum, and tax": "cash"} {
		if got := l.Topic(l.ReadText(question, nil)); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}

func TestWhatCanNotBeReadIsSaid(t *testing.T) {
	for text, want := range map[string]string{
		"class a: b?":                      "can't be read",
		"class a: (b)?":                    "match nothing",
		"class a: 25%":                     "can't be read",
		"class a: a*b":                     "can't be read",
		"class a: b|":                      "nothing stands",
		"rule x\n  find ;":                 "no find",
		"class a: (b":                      "other half",
		"class a: b ()":                    "nothing stands",
		"class a: .. b":                    "can't begin",
		"class a: {b}":                     "no class",
		"class a: {a}":                     "too deep",
		"class a: Big":                     "lower case",
		"class a: £#>x":                    "no number",
		"class a: b .. c .. d .. e .. f":   "gaps",
		"class a: b ^":                     "stands first",
		"class : b":                        "a name",
		"rule x\n  find a\n  even nothing": "no scope",
		"rule x\n  why b":                  "no find",
		"need x\n  told b":                 "no says",
		"rule x\n  seek b":                 "none of find",
		"  find b":                         "no rule or class",
		"topic x y: b":                     "no number",
	} {
		if _, err := Parse(Source{"test", text}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// A text without a full stop takes time in proportion to its length: gaps are bounded.
func FuzzRead(f *testing.F) {
	f.Add("class a: b .. c; _ .. d\nclass denied: not\nrule x\n\tfind {a} & e ... f", "You'd £5% — can't '' ü b c e f")
	f.Fuzz(func(t *testing.T, rules, s string) {
		l, err := Parse(Source{"fuzz", rules})
		if err != nil {
			return
		}
		read := l.ReadText(s, func(string) (float64, []float64, bool) { return 1, nil, true })
		for _, sentence := range read.Sentences {
			for _, k := range sentence.Tokens {
				if k.Start < 0 || k.End > len(s) || k.Start >= k.End {
					t.Fatalf("%+v of %q", k, s)
				}
			}
			for _, m := range sentence.Matches {
				if m.First > m.Last || m.Last >= len(sentence.Tokens) {
					t.Fatalf("%+v", m)
				}
			}
		}
		for _, found := range l.Findings(read) {
			if found.Start < 0 || found.End > len(s) || found.Start > found.End {
				t.Fatalf("%+v", found)
			}
		}
	})
}
