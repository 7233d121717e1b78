package compliance

import (
	"slices"

	"preceptor/internal/pack"
)

// CheckInfo describes one deterministic check for people: what it is for, and an example of each kind.
type CheckInfo struct {
	Code        string
	Title       string
	Severity    string // the hardest that it reports
	Reference   string
	Description string
	Finds       []string // texts in which it finds something
	Leaves      []string // texts that look alike and are fine
	// For says to whom the examples are written, where what is found depends on that; "" where a text alone is enough.
	For string
}

// ExampleSituation is whom a check's examples are written to: what For says in words.
func (c CheckInfo) ExampleSituation() pack.Situation { return exampleSituations[c.Code] }

var exampleSituations = map[string]pack.Situation{
	MissingSignpost:         {Question: "Should I take an annuity, or leave my pot in drawdown?", HasDC: true},
	ScamRiskUnflagged:       {Question: "A man rang me and says he can unlock my pension this week. What do I send?", HasDC: true},
	UnderstandingNotChecked: {Question: "Can I have my money?", Literacy: "low", HasDC: true},
	JargonForLiteracy:       {Question: "Can I have my money?", Literacy: "low", HasDC: true},
	OffTopic:                {Question: "How do I complain about the service I had?", HasDC: true},
}

// Registry lists the deterministic checks, in the order in which they run.
func Registry() []CheckInfo { return slices.Clone(registry) }

// InfoOf is the description of a code; false for one that no check has.
func InfoOf(code string) (CheckInfo, bool) {
	i := slices.IndexFunc(registry, func(c CheckInfo) bool { return c.Code == code })
	if i < 0 {
		return CheckInfo{}, false
	}
	return registry[i], true
}

var registry = []CheckInfo{
	{MissingDBWarning, "Warning about guaranteed benefits", Critical, dbReference,
		"The text discusses giving up defined benefit or other safeguarded benefits, but doesn't say, before or with it, that the guaranteed income is lost for good.",
		[]string{"To move your final salary pension, ask the scheme for a transfer value and send the forms to the new provider."},
		[]string{"A transfer ends a guaranteed income for life, and it can't be undone. To move your final salary pension, ask the scheme for a transfer value."}, ""},
	{PersonalRecommendation, "Personal recommendation", Critical, adviceReference,
		"A choice is presented as right for this customer, or rests on their circumstances, whatever caveats surround it.",
		[]string{"You should transfer your pension.", "If I were you, I'd take the annuity."},
		[]string{"We can't tell you whether you should transfer.", "You asked: 'Should I transfer?'"}, ""},
	{DisguisedRecommendation, "Disguised recommendation", Major, adviceReference,
		"A softened or ambiguous steer towards one choice.",
		[]string{"Given your situation, you might want to consider consolidating those pensions."},
		[]string{"Some people consider consolidating; others keep their pots apart."}, ""},
	{ProductNamed, "Product or provider recommended", Critical, productReference,
		"A provider or product is held out by name as an example (major) or as the choice (critical). Naming one because the customer did is fine.",
		[]string{"Of the providers we see, Legal & General is the one to go with."},
		[]string{"You mentioned that your pot is with Legal & General. They can tell you its charges."}, ""},
	{MissingRiskDisclosure, "Missing risk", Major, riskReference,
		"An option is described without its material downside: falling markets and running out in drawdown, no way back from an annuity, tax and the lower allowance on cash.",
		[]string{"In drawdown you draw what you like. Drawdown is flexible, and the pot stays yours."},
		[]string{"In drawdown your money stays invested, so it can fall, and it may run out."}, ""},
	{MissingSignpost, "Missing signpost", Major, signpostReference,
		"A choice is asked for, the law requires advice, or the customer is in a crisis, and the text points to no regulated adviser, MoneyHelper or Pension Wise.",
		[]string{"An annuity pays an income for life. In drawdown the pot stays invested, so it can fall and may run out. Both are open to you."},
		[]string{"An annuity pays an income for life. In drawdown the pot stays invested, so it can fall and may run out. Pension Wise explains both for free, and a regulated adviser can recommend one."},
		"a customer who asks: “Should I take an annuity, or leave my pot in drawdown?”"},
	{GuaranteeOrPromise, "Guarantee", Critical, promiseReference,
		"A projection or a third party's decision is stated as an outcome.",
		[]string{"The fund grows by 6% a year, so your pot will be worth £320,000 at 65."},
		[]string{"If it grew by 6% a year, which nobody can promise, the pot might reach £320,000."}, ""},
	{ScamRiskUnflagged, "Signs of a scam without a warning", Critical, scamReference,
		"The customer or the text shows an unsolicited contact, early access, an overseas scheme or pressure, and the text does not warn.",
		[]string{"He will need your National Insurance number and a signed form."},
		[]string{"This has the marks of a scam. Don't send anything, and hang up if he rings again."},
		"a customer who says: “A man rang me and says he can unlock my pension this week. What do I send?”"},
	{Pressure, "Pressure", Critical, pressureReference,
		"The text hurries or frightens the customer.",
		[]string{"You have to act this week, before it is too late."},
		[]string{"There is no deadline. Treat anyone who says 'act this week' with suspicion."}, ""},
	{InaccurateFact, "Wrong fact", Critical, factReference,
		"A figure or rule is wrong for the tax year.",
		[]string{"The annual allowance is £40,000."},
		[]string{"The annual allowance was £40,000 until April 2023; it is £60,000 now."}, ""},
	{UnderstandingNotChecked, "Understanding not checked", Major, understandingReference,
		"The customer reads with difficulty or is vulnerable, the matter is complex or can't be undone, and the text neither checks nor offers to go through it.",
		[]string{"Thank you for your letter. You have a pot with us. You can take a quarter of it with no tax. If you take the cash, it can't be put back."},
		[]string{"Thank you for your letter. You have a pot with us. You can take a quarter of it with no tax. If you take the cash, it can't be put back. Does that make sense? Ring us and we can go through it."},
		"a customer who reads with difficulty and asks: “Can I have my money?”"},
	{JargonForLiteracy, "Too hard to read", Major, jargonReference,
		"Unexplained technical terms or long sentences for a customer with low literacy. Readability is the Flesch-Kincaid grade (Kincaid et al., 1975).",
		[]string{"Thank you for your letter. You have a pot with us. It is yours. Crystallisation triggers the MPAA, and the PCLS is paid before commutation under PAYE at your marginal rate."},
		[]string{"Thank you for your letter. You have a pot with us. It is yours. You can take a quarter with no tax. The rest is taxed like pay."},
		"a customer who reads with difficulty and asks: “Can I have my money?”"},
	{OffTopic, "Doesn't answer the question", Minor, answerReference,
		"The text is about something other than what was asked. It goes by meaning and words, so a text on the right subject that answers another question may pass.",
		[]string{"If you die before 75, whoever you named can normally take what is left without paying income tax. From 75 on they pay it at their own rate."},
		[]string{"I'm sorry that we let you down. You can complain by letter, phone or email to our customer relations team. If you are not happy with their answer, the Financial Ombudsman can look at it free of charge."},
		"a customer who asks: “How do I complain about the service I had?”"},
}

// References to what each check rests on.
const (
	dbReference            = "COBS 19.1.6G; PERG 8.30; Pension Schemes Act 2015 s48"
	adviceReference        = "PERG 8.28 to 8.30A (advice on the merits); COBS 9.2; COBS 19.1"
	signpostReference      = "PERG 12.6; COBS 19.4; Pension Schemes Act 2015 s48; Consumer Duty (PRIN 2A)"
	productReference       = "PERG 8.26 to 8.30 (particular investments); COBS 9.2"
	riskReference          = "COBS 4.2.1R (fair, clear and not misleading); COBS 4.5A; COBS 19.7; PRIN 2A.5"
	promiseReference       = "COBS 4.2.1R; COBS 4.5A.14 (future performance); COBS 13 Annex 2"
	scamReference          = "Privacy and Electronic Communications Regulations 2003 reg 21B; Finance Act 2004 s208; PRIN 2A.2 (foreseeable harm)"
	pressureReference      = "PRIN 2A.2; COBS 2.1.1R; Consumer Protection from Unfair Trading (DMCC Act 2024 Part 4)"
	factReference          = "COBS 4.2.1R"
	understandingReference = "PRIN 2A.5 (consumer understanding); FG21/1 (vulnerable customers)"
	answerReference        = "PRIN 2A.5 (consumer understanding); PRIN 2A.6 (consumer support)"
	jargonReference        = "PRIN 2A.5 (consumer understanding); FG22/5; Kincaid et al. 1975"
)
