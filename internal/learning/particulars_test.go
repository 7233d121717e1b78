package learning

import (
	"strings"
	"testing"
	"time"

	"preceptor/internal/pack"
	"preceptor/internal/privacy"
	"preceptor/internal/rule"
)

func TestParticulars(t *testing.T) {
	nhs := pack.Situation{Question: "My NHS pension is worth £310,000 and Aviva holds the rest. I'm 58 and Tom says " +
		"I can take 25% tax free in April. What about my council pension?",
		Age: 58, HasDB: true, DBValue: 310_000,
		Fields: map[string][]string{"employer": {"Leeds City Council"}, "os": {"Windows 11"}}}
	for text, want := range map[string]string{
		"The NHS pension pays a guaranteed income.":                   "NHS",
		"The council pension is a defined benefit pension.":           "council",
		"With £310,000 there is much to lose.":                        "£310,000",
		"Ask Aviva, and tell Tom.":                                    "Aviva|Tom",
		"At age 58 you can take it.":                                  "58",
		"Jane Smith can help.":                                        "Jane Smith",
		"Ask Leeds City Council.":                                     "Leeds City Council",
		"A quarter, or 25%, is usually tax free from 55.":             "",
		"The State Pension is paid from April. MoneyHelper can help.": "",
		"On Windows 11, open the settings.":                           "",
		"You give up a guaranteed income.":                            "",
	} {
		var got []string
		last := 0
		for _, sp := range Particulars(text, nhs, []string{"Jane Smith"}) {
			if sp.Start < last {
				t.Errorf("%q: spans overlap", text)
			}
			last = sp.End
			got = append(got, sp.In(text))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %q", text, strings.Join(got, "|"), want)
		}
	}
	shop := pack.Situation{Pack: pack.GeneralName, Question: "When will my sofa come? Order 44121, ref SF-20931, due on " +
		"12/05/2026. It's the 1400 and 3 seats wide."}
	for text, want := range map[string]string{shop.Question: "44121|SF-20931|12/05/2026|1400",
		"Order 44121 is on its way. Others are 44122 and 3.": "44121", "Call 0800 138 7777.": ""} {
		var got []string
		for _, sp := range Particulars(text, shop, nil) {
			got = append(got, sp.In(text))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	allowance := pack.Situation{Question: "Is 60000 a year the most? My number is 60001.",
		At: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}
	if got := Particulars("60000 a year is the most, and 60001 is yours.", allowance, nil); len(got) != 1 {
		t.Errorf("an allowance that everybody has beside a number: %v", got)
	}
	if got := Particulars("Restart Outlook in safe mode.",
		pack.Situation{Pack: pack.GeneralName, Question: "Why does Outlook crash?"}, nil); len(got) != 0 {
		t.Errorf("a product in a domain without a vocabulary: %v", got)
	}
}

// What a customer said in an earlier turn is theirs too, and a lesson keeps what its question means nothing without.
func TestALessonIsAboutTheTurnsThatItAnswers(t *testing.T) {
	p := &Pipeline{priv: privacy.New()}
	before := []pack.Message{{Role: pack.FromCustomer, Text: strings.Repeat("An old story. ", 600)},
		{Role: pack.FromCustomer, Text: "I'm Jane Smith. Can I move my £84,300 from Aviva to a drawdown plan?"},
		{Role: pack.FromTool, Tool: "lookup", Text: `{"member_no":"QX-48213","spouse":"Aoife Brennan"}`},
		{Role: pack.FromAgent, Text: "You can. It is worth £187,432 today, and up to £10,000 may be a small pot."}}
	situation := pack.Situation{Pack: pack.Pension, Question: "Yes, do that", Before: before}
	for text, want := range map[string]string{"With £84,300 there is much to lose.": "£84,300", "Ask Aviva.": "Aviva",
		"A small pot is up to £10,000.": ""} {
		got := ""
		for _, sp := range Particulars(text, situation, nil) {
			got += sp.In(text)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	s := p.safe(Source{Kind: Approve, Question: "Yes, do that", Situation: situation, Known: []string{"Jane Smith"}})
	if len(s.Before) != 2 || strings.Contains(string(jsonOf(s)), "Jane") {
		t.Errorf("%d messages are kept: %s", len(s.Before), jsonOf(s))
	}
	got := caseOf(Lesson{}, s).Situation
	for word, want := range map[string]bool{"drawdown plan": true, "£10,000": true, "Jane": false, "84,300": false,
		"187,432": false, "Aviva": false, "QX-48213": false, "Aoife": false} {
		if strings.Contains(got, word) != want {
			t.Errorf("the case is about %q, with %s", got, word)
		}
	}
	long := newest([]pack.Message{{Role: pack.FromCustomer, Text: strings.Repeat("é", 9_000) + " and the end"}})
	if len(long) != 1 || !strings.HasSuffix(long[0].Text, "é and the end") || len(long[0].Text) > mostBefore {
		t.Errorf("%d messages are left of a long one", len(long))
	}
	if before[1].Text != "I'm Jane Smith. Can I move my £84,300 from Aviva to a drawdown plan?" {
		t.Error("what was handed in was changed")
	}
}

// What people stated, and every field of the profile, is pseudonymised before it is stored.
func TestStatementsAndProfilesArePseudonymised(t *testing.T) {
	p := &Pipeline{priv: privacy.New()}
	st := rule.Statement{When: []rule.Condition{{Kind: rule.Mentions, Values: []string{"Jane Smith"}}},
		Do: rule.Act{Kind: rule.Include, Text: "Ring Jane Smith.", Phrases: []string{"Jane Smith said"},
			Swaps: []rule.Swap{{Say: "Jane Smith", Avoid: "Jane Smith's"}}}, Because: "Jane Smith knows"}
	s := Source{Question: "I am Jane Smith.", Statements: []rule.Statement{st}, Known: []string{"Jane Smith"},
		Situation: pack.Situation{Fields: map[string][]string{"employer": {"Jane Smith Ltd"}, "os": {"Windows"}}},
		Voices:    []Voice{{Reasoning: "Jane Smith"}}}
	safe := p.safe(s)
	if text := string(jsonOf(safe)); strings.Contains(text, "Jane") || !strings.Contains(text, "Windows") {
		t.Errorf("%s", text)
	}
	if s.Statements[0].Do.Swaps[0].Say != "Jane Smith" || s.Situation.Fields["employer"][0] != "Jane Smith Ltd" ||
		s.Statements[0].When[0].Values[0] != "Jane Smith" {
		t.Error("what was handed in was changed")
	}
}

// What is guessed holds no name and no sum that only the text of one customer has.
func TestWhatIsGuessedIsSourced(t *testing.T) {
	pension, general := pack.Situation{Pack: pack.Pension, Question: "Can I take a slice?"},
		pack.Situation{Pack: pack.GeneralName, Question: "What is the charge? Ottilie was ill"}
	for _, test := range []struct {
		text string
		s    pack.Situation
		want bool
	}{
		{"Once you take money flexibly the most is £10,000 a year.", pension, false},
		{"That hits you because £1,150 a month goes in for you.", pension, true},
		{"The charge is £14.50 a month.", pension, false}, // a document says so
		{"Write to the people at Hartwell Freight.", pension, true},
		{"You can ask MoneyHelper, also in Scotland.", pension, false},
		{"There is nothing to find for Ottilie's four.", general, true},
		{"Restart the Print Spooler.", general, false},
		{"A late film costs £1 a week.", general, false},
	} {
		if got := Unsourced(test.text, test.s, "The charge is £14.50."); got != test.want {
			t.Errorf("%q: %v", test.text, got)
		}
	}
}
