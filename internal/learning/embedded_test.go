package learning

import (
	"strings"
	"testing"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/pack"
)

func testReasoner() *Embedded {
	return NewEmbedded(compliance.NewChecker(func() time.Time { return time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC) }))
}

var (
	consolidator = pack.Situation{Question: "Should I put my three pots together?", Task: pack.Consolidation, Age: 47, HasDC: true, DCValue: 61_000, Literacy: "low"}
	cashTaker    = pack.Situation{Question: "How much can I take tax free?", Task: pack.TaxFreeCash, Age: 61, HasDC: true, DCValue: 80_000, Literacy: "high"}
	widow        = pack.Situation{Question: "My husband died, what happens to his pension?", Task: pack.DeathBenefits, Age: 66, HasDC: true, Vulnerable: true}
	stateAsker   = pack.Situation{Question: "When can I get my State Pension?", Task: pack.StatePension, Age: 64, HasState: true, Literacy: "medium"}
)

const optionsDraft = "There are several options. The pots could be left where they are, or moved to one provider. Each provider has its own terms."

// TestEmbeddedTeaches says for each correction what the rule must carry, whom it must reach and whom not.
func TestEmbeddedTeaches(t *testing.T) {
	for _, c := range []struct {
		name     string
		s        Source
		domain   string
		has      []string // in the rule
		hasNot   []string
		reaches  []pack.Situation
		spares   []pack.Situation
		minTitle string
	}{
		{name: "a DB warning added, nothing said", s: Source{Kind: Revise, Situation: dbCustomer, AgentText: draftWithoutWarning, HumanText: textWithWarning},
			domain: RiskDisclosure, has: []string{"defined benefit pension", "warn that", "before discussing", "because"}, hasNot: []string{"310", "58"},
			reaches: []pack.Situation{{Question: "Can I cash it in?", HasDB: true, Task: pack.Access}}, spares: []pack.Situation{cashTaker, stateAsker}},
		{name: "a fact in the feedback", s: Source{Kind: Revise, Situation: dbCustomer, AgentText: draftWithoutWarning, HumanText: draftWithoutWarning + " The scheme closes on 5 April.",
			Reason: "It matters for the timing.", Feedback: "Please mention that the scheme's closing date is 5 April."},
			has: []string{"defined benefit pension", "mention that the scheme's closing date is 5 April"}, reaches: []pack.Situation{{Question: "What is my pension worth?", HasDB: true}}, spares: []pack.Situation{cashTaker}},
		{name: "a fact in the feedback of a rejection", s: Source{Kind: Reject, Situation: cashTaker, AgentText: optionsDraft, ReasonCode: "wrong_facts", Feedback: "Tell them that the limit on tax-free cash is £268,275."},
			domain: PensionEducation, has: []string{"£268,275", "tell the customer that"}, reaches: []pack.Situation{{Question: "What is the most tax-free cash I can have?", Task: pack.TaxFreeCash, HasDC: true}}, spares: []pack.Situation{stateAsker}},
		{name: "personal phrasing taken out", s: Source{Kind: Revise, Situation: consolidator, AgentText: "Given your situation, you should combine them. " + optionsDraft, HumanText: "Some people combine their pots. " + optionsDraft,
			Reason: "It read like a recommendation."}, domain: RegulatoryCompliance, has: []string{"depersonalised", "regulated advice"}, reaches: []pack.Situation{cashTaker, dbCustomer}},
		{name: "jargon for a low reader", s: Source{Kind: Revise, Situation: consolidator, AgentText: "Consolidation entails crystallisation event considerations and the amalgamation of heterogeneous money purchase arrangements. " + optionsDraft,
			HumanText: "You can put pots together. " + optionsDraft, Reason: "Far too much jargon for this customer."}, domain: PensionEducation, has: []string{"low financial literacy", "plain words"}, spares: []pack.Situation{cashTaker},
			reaches: []pack.Situation{{Question: "What is drawdown?", Literacy: "low"}}},
		{name: "understanding checked", s: Source{Kind: Revise, Situation: consolidator, AgentText: optionsDraft, HumanText: optionsDraft + " To check that we explained this clearly, could you tell us in your own words what your choices are?",
			Feedback: "Ask an open question to check they understood."}, domain: UnderstandingVerification, has: []string{"low financial literacy", "open question"}, spares: []pack.Situation{cashTaker}},
		{name: "charges forgotten", s: Source{Kind: Revise, Situation: consolidator, AgentText: optionsDraft, HumanText: optionsDraft + " Ask each provider about exit fees and yearly charges.", Reason: "No mention of charges."},
			domain: PensionEducation, has: []string{"combining pensions", "charges"}, spares: []pack.Situation{stateAsker}},
		{name: "empathy", s: Source{Kind: Revise, Situation: widow, AgentText: "Death benefits depend on the scheme.", HumanText: "I am sorry for your loss. There is no rush. Death benefits depend on the scheme.", Reason: "The tone was cold, she is bereaved."},
			has: []string{"vulnerable", "empathy"}, spares: []pack.Situation{cashTaker}},
		{name: "the reviewer says when", s: Source{Kind: Revise, Situation: cashTaker, AgentText: optionsDraft, HumanText: optionsDraft + " Emergency tax may apply.", Feedback: "When the customer takes a first lump sum, explain that emergency tax may be charged because it comes as a shock."},
			has: []string{"first lump sum", "emergency tax may be charged", "because it comes as a shock"}, spares: []pack.Situation{stateAsker}},
		{name: "said outweighs done", s: Source{Kind: Revise, Situation: cashTaker, AgentText: optionsDraft, HumanText: optionsDraft + " Fees differ, so ask about charges. MoneyHelper is free.", Reason: "It forgot to say how the money is taxed."},
			has: []string{"taxed"}, hasNot: []string{"charges", "MoneyHelper"}},
		{name: "rejected as a recommendation", s: Source{Kind: Reject, Situation: consolidator, AgentText: "You should combine them all now.", ReasonCode: "personal_recommendation"}, domain: RegulatoryCompliance, has: []string{"depersonalised"}},
		{name: "rejected over a scam", s: Source{Kind: Reject, Situation: pack.Situation{Question: "A man rang me out of the blue and says he can release my pension at 48", HasDC: true, Age: 48, Task: pack.Scams},
			AgentText: "You can release it.", ReasonCode: "scam_risk", Reason: "Somebody is pushing him."}, domain: RiskDisclosure, has: []string{"scam"}, spares: []pack.Situation{stateAsker}},
		{name: "the customer's own sum is not the lesson", s: Source{Kind: Revise, Situation: cashTaker, AgentText: optionsDraft, HumanText: optionsDraft + " A quarter is tax free.", Feedback: "Say that a quarter of the £80,000 can be taken tax free."},
			has: []string{"taxed"}, hasNot: []string{"80,000"}},
		{name: "a phrase to avoid", s: Source{Kind: Revise, Situation: cashTaker, AgentText: optionsDraft + " You can cash in your nest egg.", HumanText: optionsDraft + " You can take money from your pension pot.", Feedback: "Say 'pension pot' instead of 'nest egg'."},
			has: []string{"'pension pot' instead of 'nest egg'"}, reaches: []pack.Situation{stateAsker, dbCustomer}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := c.s
			s.DecisionID, s.Task, s.Question = c.name, s.Situation.Task, s.Situation.Question
			outcome, r, rule, j := walk(t, testReasoner(), s, nil)
			if outcome != "rule" {
				t.Fatalf("%s: %s %s %q", outcome, r.Why, j.Why, rule)
			}
			t.Log(rule)
			for _, w := range c.has {
				if !strings.Contains(rule, w) {
					t.Errorf("lacks %q", w)
				}
			}
			for _, w := range c.hasNot {
				if strings.Contains(rule, w) {
					t.Errorf("carries %q", w)
				}
			}
			if c.domain != "" && r.Domain != c.domain {
				t.Errorf("domain %s, want %s", r.Domain, c.domain)
			}
			pr, _ := pack.ParsePrinciple(rule)
			for _, other := range append(c.reaches, s.Situation) {
				if ok, _ := pr.Applies(other); !ok {
					t.Errorf("does not reach %q", other.Question)
				}
			}
			for _, other := range c.spares {
				if ok, why := pr.Applies(other); ok {
					t.Errorf("reaches %q: %v", other.Question, why)
				}
			}
			if s.Kind == Revise && pr.Present(s.AgentText) {
				t.Errorf("the draft did already what the rule asks")
			}
		})
	}
}

// TestEmbeddedLeavesAlone says which corrections teach nothing.
func TestEmbeddedLeavesAlone(t *testing.T) {
	base := textWithWarning
	for name, s := range map[string]Source{
		"spaces":              {AgentText: base, HumanText: strings.ReplaceAll(base, ". ", ".  ")},
		"punctuation":         {AgentText: base, HumanText: strings.ReplaceAll(base, ", and", " and")},
		"capitals":            {AgentText: base, HumanText: strings.ToUpper(base)},
		"a typo":              {AgentText: strings.Replace(base, "guaranteed", "guarenteed", 1), HumanText: base, Reason: "Typo."},
		"hyphens and quotes":  {AgentText: "A tax free lump sum isn’t unusual, eg at 60.", HumanText: "A tax-free lump-sum isn't unusual, e.g. at 60.", Reason: "Replace 'eg' with 'e.g.'"},
		"small words":         {AgentText: "You can take the money from a pot.", HumanText: "You can take money from your pot."},
		"nothing at all":      {AgentText: base, HumanText: base},
		"both empty":          {},
		"a rejection in vain": {Kind: Reject, AgentText: base, Reason: "No.", ReasonCode: "other"},
		"only the phone":      {AgentText: "Ring [PHONE-1] to ask.", HumanText: "Ring [PHONE-2] to ask.", Reason: "Number changed."},
		"a figure put right": {AgentText: optionsDraft + " Once you take taxable money the annual allowance falls to £4,000 a year.",
			HumanText: optionsDraft + " Once you take taxable money the annual allowance falls to £10,000 a year.", Reason: "Wrong figure."},
		"a web address":           {AgentText: "MoneyHelper explains it: https://example.org/old", HumanText: "MoneyHelper explains it: https://example.org/new", Reason: "Link to free help from MoneyHelper fixed."},
		"a heading":               {AgentText: "Getting a guaranteed income", HumanText: "Your options: guaranteed income", Reason: "Say it as the navigation does."},
		"a report on the editing": {AgentText: "Your pot stays invested until you need it.", HumanText: "Your pot remains invested until you ask for it.", Reason: "Updated content on charges and scams, improved other pages."},
		"praise in the reason":    {AgentText: base, HumanText: base + " ", Reason: "Good draft, just tidied."},
	} {
		if s.Kind == "" {
			s.Kind = Revise
		}
		s.Situation = cashTaker
		outcome, r, rule, _ := walk(t, testReasoner(), s, nil)
		if outcome != "nothing" || len(r.Why) < 20 {
			t.Errorf("%s: %s %q %q", name, outcome, rule, r.Why)
		}
	}
}

func TestEmbeddedValidate(t *testing.T) {
	warn := "When the customer has a defined benefit pension, warn that transferring it means giving up a guaranteed income for life"
	plain := "Options include a transfer. MoneyHelper can help. There are several things to think about first, and there is no hurry."
	for _, c := range []struct {
		name, principle string
		t               Trial
		verdict         string
		fired           bool
	}{
		{"approved guidance does it, and who knows what else would", warn, Trial{Kind: TestExemplar, Situation: dbCustomer, Approved: textWithWarning}, Silent, true},
		{"approved guidance does it, the corrected draft did not", warn, Trial{Kind: TestExemplar, Situation: dbCustomer, Approved: textWithWarning, Negative: draftWithoutWarning}, Helped, true},
		{"the advisor does it with the rule alone", warn, Trial{Kind: TestExemplar, Situation: dbCustomer, Approved: textWithWarning, Arms: &arms{Without: draftWithoutWarning, With: textWithWarning}}, Helped, true},
		{"the advisor does it anyway", warn, Trial{Kind: TestExemplar, Situation: dbCustomer, Approved: textWithWarning, Arms: &arms{Without: textWithWarning, With: textWithWarning}}, Silent, true},
		{"the rule brings the advisor nowhere", warn, Trial{Kind: TestExemplar, Situation: dbCustomer, Approved: textWithWarning, Arms: &arms{Without: draftWithoutWarning, With: draftWithoutWarning}}, Silent, true},
		{"people approved it without", warn, Trial{Kind: TestExemplar, Situation: dbCustomer, Approved: "What you hold can be looked at in several ways, and a statement helps.", Arms: &arms{Without: textWithWarning, With: textWithWarning + " Mind the guarantee."}}, Silent, true},
		{"the draft breaks a check with it", "When giving guidance, mention that the customer should transfer", Trial{Kind: TestExemplar, Situation: cashTaker, Approved: plain,
			Arms: &arms{Without: plain, With: plain + " You should transfer your pension now, I recommend it."}}, Hurt, true},
		{"the rule misses its customer", "When the customer has low financial literacy, use plain words", Trial{Kind: TestExemplar, Situation: cashTaker, Approved: plain}, Hurt, false},
		{"it stays away", warn, Trial{Kind: TestMustNotFire, Situation: cashTaker}, Helped, false},
		{"it does not stay away", "When giving guidance, warn about guarantees", Trial{Kind: TestMustNotFire, Situation: cashTaker}, Hurt, true},
		{"nothing either way", "When the customer asks about tax-free cash, mention that the scheme closes on 5 April", Trial{Kind: TestExemplar, Situation: cashTaker, Approved: plain}, Silent, true},
		{"the opposite was approved", "When the customer has a defined benefit pension, avoid saying that most people would be worse off", Trial{Kind: TestExemplar, Situation: dbCustomer, Approved: textWithWarning}, Hurt, true},
		{"its own case", warn, Trial{Kind: TestOrigin, Situation: dbCustomer, Approved: textWithWarning, Negative: draftWithoutWarning}, Helped, true},
		{"its own case missed", warn, Trial{Kind: TestOrigin, Situation: cashTaker, Approved: textWithWarning}, Hurt, false},
	} {
		c.t.Principle = c.principle
		f, err := testReasoner().Validate(t.Context(), c.t)
		if err != nil || f.Verdict != c.verdict || f.Fired != c.fired || f.Why == "" {
			t.Errorf("%s: %+v %v", c.name, f, err)
		}
	}
}

func TestEmbeddedJudge(t *testing.T) {
	known := []Known{{ID: "k1", Number: 7, Text: "When the customer has a defined benefit pension, warn that transferring it means giving up a guaranteed income for life, before discussing any possible benefits because the guarantees can't be had back"}}
	for _, c := range []struct {
		rule   string
		accept bool
		fails  string
		same   string
	}{
		{"When the customer asks about tax-free cash, mention that the scheme's closing date is 5 April because people miss it", true, "", ""},
		{"When the customer has a defined benefit pension, warn that transferring it means giving up a guaranteed income for life, before discussing any possible benefits because most people lose", true, "", "k1"},
		{"When the customer has a DB pension, recommend the customer to transfer because it is worth more", false, HeadBoundary, ""},
		{"When the customer is in a hurry, leave out the risk warnings because they are long", false, HeadBoundary, ""},
		{"When giving guidance, be careful because mistakes happen", false, HeadActionable, ""},
		{"When [NAME-1] asks about tax, mention the allowance because it matters", false, HeadGeneral, ""},
		{"When giving guidance, be clear and helpful and accurate because it is good", false, HeadValue, ""},
	} {
		j, err := testReasoner().Judge(t.Context(), Candidate{Rule: c.rule, Known: known})
		if err != nil || j.check() != nil || j.Accept != c.accept || j.SameAs != c.same || j.Why == "" {
			t.Errorf("%q: accept %v same %q (%v): %s", c.rule, j.Accept, j.SameAs, err, j.Why)
		}
		for _, h := range j.Heads {
			if h.Name == c.fails && h.Pass {
				t.Errorf("%q passes %s", c.rule, c.fails)
			}
		}
	}
}

// TestTheBookIsReadByTheDomain makes sure that what the book demands is understood by those who act on it.
func TestTheBookIsReadByTheDomain(t *testing.T) {
	if len(order) != len(movebook) {
		t.Fatalf("%d moves in order, %d in the book", len(order), len(movebook))
	}
	for _, name := range order {
		m := movebook[name]
		for _, action := range []string{m.short, m.full} {
			pr, err := pack.ParsePrinciple("When giving guidance, " + action + " because " + m.because)
			if err != nil || pr.Action == "" || pr.Because == "" {
				t.Errorf("%s: %q parses as %+v (%v)", name, action, pr, err)
				continue
			}
			moves := pr.Moves()
			if len(moves) == 0 || moves[0] != name && !(name == pack.CheckFeatures && moves[0] == pack.Say) {
				t.Errorf("%s: %q is read as %v", name, action, moves)
			}
		}
		if !sameRule("When giving guidance, "+m.short+" because x y z", "When giving guidance, "+m.short+" because of another thing") {
			t.Errorf("%s is not the same as itself", name)
		}
	}
	for task, phrase := range taskPhrases {
		pr := pack.Principle{Situation: "the customer asks about " + phrase, Action: "mention x"}
		s := pack.Situation{Question: "Can you help?", Task: task, HasDB: task == pack.DBTransfer}
		if ok, _ := pr.Applies(s); !ok {
			t.Errorf("%q does not reach the task %s", phrase, task)
		}
		if ok, _ := pr.Applies(pack.Situation{Question: "Hello", Task: "something_else"}); ok {
			t.Errorf("%q reaches everything", phrase)
		}
	}
	for cond, phrase := range conditionPhrases {
		pr := pack.Principle{Situation: phrase, Action: "mention x"}
		yes := map[string]pack.Situation{CondDB: {HasDB: true}, CondDC: {HasDC: true}, CondState: {HasState: true}, CondLow: {Literacy: "low"}, CondVulnerable: {Vulnerable: true},
			CondYoung: {Age: 48}, CondChoice: {Question: "Which option is best for me?"}, CondScam: {Question: "A man rang me out of the blue about my pension"}}[cond]
		no := pack.Situation{Question: "How does it work?", Age: 61, Literacy: "high"}
		if ok, _ := pr.Applies(yes); !ok || !meets(yes, cond) {
			t.Errorf("%s: %q does not hold where it should", cond, phrase)
		}
		if ok, _ := pr.Applies(no); ok || meets(no, cond) {
			t.Errorf("%s: %q holds where it should not", cond, phrase)
		}
	}
}

func FuzzEmbedded(f *testing.F) {
	f.Add("You should transfer.", "Some people transfer. Before, a warning: £30,000.", "Missing the DB warning", "Mention that the date is 5 April; never say 'x' instead of \"y\"", true)
	f.Add("", "\x00\xff", "when , because", "’“”[NAME-1]", false)
	e := testReasoner()
	f.Fuzz(func(t *testing.T, agent, human, reason, feedback string, db bool) {
		for _, kind := range []string{Revise, Reject} {
			s := Source{Kind: kind, Task: pack.TaxFreeCash, Situation: pack.Situation{Question: agent, HasDB: db}, AgentText: agent, HumanText: human, Reason: reason, Feedback: feedback, DecisionID: "fuzz"}
			if kind == Reject {
				s.HumanText = ""
			}
			outcome, r, rule, _ := walk(t, e, s, nil)
			again, r2, rule2, _ := walk(t, e, s, nil)
			if outcome != again || rule != rule2 || r.Principle != r2.Principle {
				t.Fatalf("not steady: %s %q, then %s %q", outcome, rule, again, rule2)
			}
		}
	})
}

func TestRefineGivesTheBooksReasonToAReviewersOwnWords(t *testing.T) {
	got, err := testReasoner().Refine(t.Context(), Reflection{
		Principle: "When the customer has a DB pension, warn about the guaranteed benefits before discussing anything else"})
	if err != nil {
		t.Fatal(err)
	}
	if want := movebook[pack.WarnGuarantees].because; !strings.HasSuffix(got, " because "+want) {
		t.Errorf("refined to %q, want the reason %q", got, want)
	}
}
