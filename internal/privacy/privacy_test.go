package privacy

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPseudonymise(t *testing.T) {
	for _, c := range []struct {
		text, want string
		known      []string
	}{
		// Names.
		{"Mrs Jones has two pensions.", "Mrs [NAME-1] has two pensions.", nil},
		{"Mr. John Smith asked.", "Mr. [NAME-1] asked.", nil},
		{"Dr Patel-Shah said so, and Patel-Shah knows.", "Dr [NAME-1] said so, and [NAME-1] knows.", nil},
		{"My name is Margaret Hollis and I am 57.", "My name is [NAME-1] and I am 57.", nil},
		{"my name is john smith and i'm 60", "my name is [NAME-1] and i'm 60", nil},
		{"My name's Ada. Ada is 60.", "My name's [NAME-1]. [NAME-1] is 60.", nil},
		{"I'm Derek Owusu, can I retire?", "I'm [NAME-1], can I retire?", nil},
		{"Hello Margaret,\nThank you.", "Hello [NAME-1],\nThank you.", nil},
		{"Dear Sean O'Neill, yes.", "Dear [NAME-1], yes.", nil},
		{"My husband Brian died in May.", "My husband [NAME-1] died in May.", nil},
		{"my late wife, Joan had a pension", "my late wife, [NAME-1] had a pension", nil},
		{"my son called Peter gets it", "my son called [NAME-1] gets it", nil},
		{"Kind regards, Élodie Martin", "Kind regards, [NAME-1]", nil},
		{"Margaret rang. margaret hollis is fine.", "[NAME-1] rang. [NAME-2] is fine.", []string{"Margaret Hollis"}},
		{"HOLLIS, MARGARET HOLLIS.", "HOLLIS, [NAME-1].", []string{"Margaret Hollis"}},
		{"Tell Ng about it.", "Tell [NAME-1] about it.", []string{"Ng"}},
		{"Will you see Will Young?", "Will you see [NAME-1]?", []string{"Will Young"}},
		{"I spoke to Anna Kowalska at the bank.", "I spoke to [NAME-1] at the bank.", nil},
		{"Name: Tariq Ali", "Name: [NAME-1]", nil},
		{"I nominated Grace Adeyemi for it.", "I nominated [NAME-1] for it.", nil},
		{"Mrs\u00a0Jones and M\u200bargaret\u202fHollis rang.", "Mrs\u00a0[NAME-1] and [NAME-2] rang.",
			[]string{"Margaret Hollis"}},
		{"NI:\u00a0QQ\u00a012\u00a034\u00a056\u00a0C please, £1\u00a0000 a\u00adyear",
			"NI:\u00a0[NI-1] please, £1\u00a0000 a\u00adyear", nil},
		{"Miss Li's pension", "Miss [NAME-1]'s pension", nil},
		// Numbers.
		{"My NI number is QQ123456C.", "My NI number is [NI-1].", nil},
		{"NI: QQ 12 34 56 C please", "NI: [NI-1] please", nil},
		{"nino ab 12 34 56 d", "nino [NI-1]", nil},
		{"AB-12-34-56-D", "[NI-1]", nil},
		{"National Insurance number AB123456 without its letter", "National Insurance number [NI-1] without its letter",
			nil},
		{"qq123456c and again qq123456c", "[NI-1] and again [NI-1]", nil},
		{"Policy number 12345678.", "Policy number [NUMBER-1].", nil},
		{"policy no. AB/123456", "policy no. [NUMBER-1]", nil},
		{"my policy is L1234-5678-90", "my policy is [NUMBER-1]", nil},
		{"Plan ref: P987654X", "Plan ref: [NUMBER-1]", nil},
		{"Member number 004512", "Member number [NUMBER-1]", nil},
		{"reference XKCD-99812 thanks", "reference [NUMBER-1] thanks", nil},
		{"The scheme reference is 00738412RE.", "The scheme reference is [NUMBER-1].", nil},
		{"It says SW12345678 on the letter.", "It says [NUMBER-1] on the letter.", nil},
		{"Sort code 12-34-56, account 12345678", "Sort code [SORTCODE-1], account [ACCOUNT-1]", nil},
		{"sort code: 123456 account number 1234 5678", "sort code: [SORTCODE-1] account number [ACCOUNT-1]", nil},
		{"Pay it to 20-11-43.", "Pay it to [SORTCODE-1].", nil},
		// E-mail and phone.
		{"Write to john.smith+x@example.co.uk.", "Write to [EMAIL-1].", nil},
		{"JOAN@EXAMPLE.COM or joan@example.com", "[EMAIL-1] or [EMAIL-2]", nil},
		{"Ring 07700 900123 after six.", "Ring [PHONE-1] after six.", nil},
		{"07700900123", "[PHONE-1]", nil},
		{"+44 7700 900123", "[PHONE-1]", nil},
		{"0044 7700 900123 is mine", "[PHONE-1] is mine", nil},
		{"My number is 020 7946 0018.", "My number is [PHONE-1].", nil},
		{"(0161) 496 0012 in the day", "[PHONE-1] in the day", nil},
		{"0131-496-0555", "[PHONE-1]", nil},
		{"+353 1 679 5555 from Dublin", "[PHONE-1] from Dublin", nil},
		// Places.
		{"I live at 12 Acacia Avenue, Leeds", "I live at [ADDRESS-1]", nil},
		{"Send it to 4a High Street, Oxford OX1 4AA.", "Send it to [ADDRESS-1] [POSTCODE-1].", nil},
		{"Flat 3, 27 Station Road", "[ADDRESS-1]", nil},
		{"SW1A 1AA", "[POSTCODE-1]", nil},
		{"postcode m1 1ae thanks", "postcode [POSTCODE-1] thanks", nil},
		{"BS16 2QQ and EC1A1BB", "[POSTCODE-1] and [POSTCODE-2]", nil},
		{"from 19 church lane", "from [ADDRESS-1]", nil},
		{"I am in Rose Cottage, Little Wold.", "I am in [NAME-1].", []string{"Rose Cottage, Little Wold"}},
		// Dates of birth.
		{"I was born on 12/03/1961.", "I was born on [BORN-1].", nil},
		{"DOB 12.3.61", "DOB [BORN-1]", nil},
		{"date of birth: 3rd March 1958", "date of birth: [BORN-1]", nil},
		{"born 1961-03-12", "born [BORN-1]", nil},
		{"My birthday is March 3, 1960", "My birthday is [BORN-1]", nil},
		// What has to survive.
		{"You can take 25% of £80,000, up to £268,275.", "", nil},
		{"I'm 58 and retire in 2031.", "", nil},
		{"In 2026/27 the allowance is £12,570.", "", nil},
		{"Pension Schemes Act 2015 s48 and SI 2015/742.", "", nil},
		{"PERG 8.28 and COBS 19.1.6G apply; section 227ZA too.", "", nil},
		{"The age rises to 57 on 6 April 2028.", "", nil},
		{"People born on or after 6 April 1960 wait longer.", "", nil},
		{"It is worth £1073100 or 1,073,100 pounds.", "", nil},
		{"I was born in 1961.", "", nil},
		{"Call MoneyHelper on 0800 011 3797 or 0300 123 2040.", "", nil},
		{"Case #127 and Rule R-12 say so.", "", nil},
		{"After 10 minutes down the road.", "", nil},
		{"I have 3 pensions and 25 years of service.", "", nil},
		{"Dear Sir, Hello there,", "", nil},
		{"Hello,\n\nThank you for your question.", "", nil},
		{"My husband is 61.", "", nil},
		{"My pension plan 2026 review is due.", "", nil},
		{"Will my pension rise in May?", "", nil},
		{"I am DB and DC member.", "", nil},
		{"I'm Thinking about it.", "", nil},
		{"My partner NHS pension", "", nil},
		{"Between £10,000 and £60,000 at 20% or 40%.", "", nil},
		{"A 9-to-5 job for 30 years at 2.5% a year.", "", nil},
		{"The full State Pension is £241.30 a week.", "", nil},
		{"Article 5 of the scheme rules, page 12.", "", nil},
		{"[NAME-3] wrote this.", "", nil},
		{"", "", nil},
	} {
		want := c.want
		if want == "" {
			want = c.text
		}
		got, key := New().Pseudonymise(c.text, c.known...)
		if got != want {
			t.Errorf("%q\n became %q\n want   %q", c.text, got, want)
		}
		if back := key.Restore(got); back != c.text {
			t.Errorf("%q came back as %q", c.text, back)
		}
	}
}

func TestTokensOfAnotherTextStay(t *testing.T) {
	safe, key := New().Pseudonymise("[NAME-1] knows Mrs Jones.")
	if safe != "[NAME-1] knows Mrs [NAME-2]." {
		t.Fatalf("%q", safe)
	}
	if got := key.Restore("[NAME-2] and [NAME-1] and [NAME-9]"); got != "Jones and [NAME-1] and [NAME-9]" {
		t.Errorf("%q", got)
	}
}

func TestAnswerIsRestored(t *testing.T) {
	safe, key := New().Pseudonymise("My name is Ada Obi, NI QQ123456C, ada@example.com.")
	for _, secret := range []string{"Ada", "Obi", "123456", "example.com"} {
		if strings.Contains(safe, secret) {
			t.Errorf("%q still has %q", safe, secret)
		}
	}
	if got := key.Restore("Dear [NAME-1], about [NI-1]: we write to [EMAIL-1]."); got != "Dear Ada Obi, about "+
		"QQ123456C: we write to ada@example.com." {
		t.Errorf("%q", got)
	}
}

func TestRoundTrip(t *testing.T) {
	words := []string{"Mrs Jones", "07700 900123", "QQ123456C", "£30,000", "[NAME-1]", "a@b.co", "SW1A 1AA",
		"my name is", "Ada", "\n", "25%", "é", "policy number 123456", "born 1/2/1960", ","}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom(words)).Draw(t, "words"), " ")
		safe, key := New().Pseudonymise(text, "Ada Jones")
		if back := key.Restore(safe); back != text {
			t.Fatalf("%q became %q came back as %q", text, safe, back)
		}
		if strings.Contains(safe, "123456") || strings.Contains(safe, "900123") {
			t.Fatalf("%q has a number left", safe)
		}
	})
}

func FuzzPseudonymise(f *testing.F) {
	f.Add("My name is Ada, SW1A 1AA, [NAME-1] 07700 900123", "Ada")
	f.Add("\xff Mr \xfeX", "\xff")
	f.Fuzz(func(t *testing.T, text, known string) {
		safe, key := New().Pseudonymise(text, known)
		if back := key.Restore(safe); back != text {
			t.Fatalf("%q became %q came back as %q", text, safe, back)
		}
	})
}
