package compliance

import (
	"testing"

	"preceptor/internal/pack"
)

// Every kind of rule has sentences that tell it wrong, and sentences, much alike, that don't.
func TestFactsByExample(t *testing.T) {
	for _, c := range []struct {
		wrong bool
		text  string
	}{
		// Figures, in digits and in words; the topic may stand in the sentence before.
		{true, "The money purchase annual allowance is twenty thousand pounds."},
		{true, "Once you draw flexibly there is a lower annual allowance. It is a money purchase annual allowance of £4k."},
		{true, "Unused annual allowance can be carried forward for seven years."},
		{true, "The transfer value is guaranteed for twelve months."},
		{true, "Deferring the State Pension adds 10.4 per cent for each year."},
		{true, "The lump sum allowance is £375,000."},
		{true, "The overseas transfer charge is forty per cent."},
		{true, "The Pension Protection Fund pays 75% to those who haven't retired."},
		{true, "A small pot for this rule is anything up to £30,000."},
		{true, "Anyone aged 40 or over can use Pension Wise."},
		{false, "The money purchase annual allowance is ten thousand pounds."},
		{false, "Unused annual allowance can be carried forward for three years."},
		{false, "The transfer value is guaranteed for three months."},
		{false, "Deferring the State Pension adds about 5.8 per cent for each year."},
		{false, "The lump sum allowance is £268,275."},
		{false, "The overseas transfer charge is twenty-five per cent."},
		// What the law denies.
		{true, "You must buy an annuity by 75."},
		{true, "An employer has to match whatever you pay in."},
		{true, "Teachers can transfer their pension to a SIPP once they have left teaching."},
		{true, "Taking only your tax-free cash triggers the money purchase annual allowance."},
		{true, "If the annuity doesn't suit, you can hand it back within a year."},
		{true, "You can take your pension from 50 if you have been made redundant."},
		{true, "A nomination form is legally binding on the trustees."},
		{false, "Nobody must buy an annuity by 75."},
		{false, "An employer does not have to match whatever you pay in."},
		{false, "Teachers can't transfer their pension to a SIPP."},
		{false, "Taking only your tax-free cash does not trigger the money purchase annual allowance."},
		{false, "An annuity can't be handed back once the 30 days have passed."},
		{false, "You can't take your pension from 50 merely because you were made redundant."},
		{false, "A nomination form is not legally binding on the trustees."},
		// What denies what the law says.
		{true, "The State Pension is exempt from income tax."},
		{true, "Employer contributions don't count towards the £10,000 limit."},
		{true, "Pension Credit is paid automatically, without a claim."},
		{true, "When you die after 75, your family get the pot free of income tax."},
		{false, "The State Pension is taxable, though tax is not taken off before it is paid."},
		{false, "Employer contributions count towards the £10,000 limit."},
		{false, "When you die before 75, your family usually get the pot free of income tax."},
		// What a sentence concludes denies nothing of its claim, what stands between semicolons claims by itself, and words of fraud
		// excuse nothing in a rule on fraud.
		{true, "Your nomination form binds the trustees, so nobody can argue."},
		{true, "A red flag only means that the transfer takes a little longer."},
		{true, "Since the scam rules came in, every transfer needs a MoneyHelper safeguarding appointment."},
		{false, "With a red flag there is no right to transfer, so nobody has to pay it."},
		{false, "A transfer with a red flag needs no safeguarding appointment, since it may be refused."},
		{false, "You can leave it where it is; buy a guaranteed income for life; or move it into drawdown and take money as you need it."},
		// What was, what others say and what is asked.
		{false, "Until April 2023 the money purchase annual allowance was £4,000."},
		{false, "It is a common myth that you must buy an annuity by 75."},
		{false, "A caller who says that you can take your pension at 50 to clear debts is likely to be a scammer."},
		{false, "You asked whether an employer has to match whatever you pay in."},
		{false, "The old leaflet has this line: \"You must buy an annuity by 75, whatever you wish\"."},
		{false, "Must you buy an annuity by 75?"},
	} {
		if got := factSaid(c.text); (len(got) > 0) != c.wrong {
			t.Errorf("%q: %+v, want %v", c.text, got, c.wrong)
		}
	}
}

func TestPlainly(t *testing.T) {
	for low, want := range map[string]string{
		"ten thousand pounds a year":         "£10000 a year",
		"£10,000, or £10k; £1.5m or £1":      "£10000, or £10000; £1500000 or £1",
		"forty-five per cent of £1 million.": "45% of £1000000.",
		"you can't and won't, it's 25 %":     "you can not and will not, it is 25%",
		"twelve months and one year":         "12 months and 1 year",
		"no one gets two hundred and fifty":  "no one gets 250",
		"on 6 april 2027, in 2026/27":        "on 6 april 2027, in 2026/27",
		"tax-free\ncash":                     "tax free cash",
		"the lower limit (£10,000)":          "the lower limit (£10000)",
		"five thirty":                        "5 30",
		"":                                   "",
	} {
		if got := plainly(low); got != want {
			t.Errorf("plainly(%q) = %q, want %q", low, got, want)
		}
	}
}

// Each rule says why, and has something to look for.
func TestRulesOnFactsAreWhole(t *testing.T) {
	for _, topic := range factTopics().topics {
		for _, r := range topic.rules {
			if r.why == "" || r.factRule.all == "" && r.factRule.slot == "" || r.kind == figures != (r.factRule.slot != "") {
				t.Errorf("rule %+v", r.factRule)
			}
			for _, v := range r.right {
				if len(v) > 2 && v[0] == '{' {
					if _, ok := pack.Facts(at()).Get(v[1 : len(v)-1]); !ok {
						t.Errorf("%s is no fact (%s)", v, r.why)
					}
				}
			}
		}
	}
}

// A word's beginning decides where a phrase is looked for, so taking apart must agree with the expression itself.
func TestPhrasesAgreeWithTheirExpression(t *testing.T) {
	const s = "an annuity can not be handed back, £10000 at 75"
	for p, want := range map[string]bool{
		"annuit": true, "nnuity": false, `can\b`: true, `ca\b`: false, "hand(?:ed|s) back": true, "(?:a|the) (?:annu|pot)": false, "(?:an|the) (?:annu|pot)": true,
		"£10000": true, `7[5-9]\b`: true, "x?annuity": true, "(?:very )?annuity": true, `\w+ be handed`: true, "e handed": false, "annuity & pot": false, "pot|be": true,
	} {
		if got := atWord(p).MatchString(s); got != want {
			t.Errorf("%q in the sentence: %v", p, got)
		}
	}
}
