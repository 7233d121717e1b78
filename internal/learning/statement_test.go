package learning

import (
	"strings"
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
)

// A decision that states several things teaches each; what becomes of the decision becomes of all of them.
func TestEachStatementIsALessonOfItsOwn(t *testing.T) {
	b := open(t, nil, Policy{})
	s := dbRevision()
	s.Statements = append(s.Statements,
		rule.Statement{When: forDB(), Do: rule.Act{Kind: rule.Never, Phrases: []string{"take the cash"}}},
		rule.Statement{When: forDB(),
			Do: rule.Act{Kind: rule.Ask, Text: "Do you know what your scheme would pay you?"}})
	dec := b.decide(s)
	b.decide(Source{Kind: Revise, DecisionID: dec, Statements: s.Statements}) // the hook twice
	b.drain()
	list, err := b.OfCause(b.ctx, CauseDecision, dec)
	if err != nil || len(list) != 3 {
		t.Fatalf("%d lessons, %v", len(list), err)
	}
	for i, l := range list {
		if l.State != Waiting || l.DecisionID != dec || !sameStatement(l.Statement, s.Statements[i]) ||
			(l.CaseState == CaseWaiting) != (i == 0) {
			t.Errorf("lesson %d: %s %q %+v, case %q", i, l.State, l.Outcome, l.Statement, l.CaseState)
		}
	}
	if page, err := b.List(b.ctx, Filter{Settled: true, AgentID: "agent-1"}); err != nil || len(page.Items) != 0 {
		t.Errorf("settled before the release: %d, %v", len(page.Items), err)
	}
	b.release(dec)
	b.drain()
	if page, err := b.List(b.ctx, Filter{Settled: true, AgentID: "agent-1"}); err != nil || len(page.Items) != 3 ||
		len(b.cases()) != 1 {
		t.Errorf("%d settled, %d cases, %v", len(page.Items), len(b.cases()), err)
	}
	for _, r := range b.rules(knowledge.Candidate) {
		if len(r.Supporting) != 1 {
			t.Errorf("the case speaks for each of its rules: %s %v", r.Principle, r.Supporting)
		}
	}
	b.undo(dec)
	b.drain()
	list, _ = b.OfCause(b.ctx, CauseDecision, dec)
	for _, l := range list {
		if l.State != Withdrawn || b.rule(l).Status != knowledge.Withdrawn {
			t.Errorf("after the undo: %s, rule %s", l.State, b.rule(l).Status)
		}
	}
}

// A change for one customer leaves a case and no rule.
func TestOnlyThisCustomerTeachesNothing(t *testing.T) {
	b := open(t, nil, Policy{})
	dec := b.decide(corrected(1))
	b.release(dec)
	b.drain()
	l := b.lesson(dec)
	if l.State != Accepted || l.Stage != StageCase ||
		!strings.Contains(l.Outcome, "Sam changed this for one customer only") || len(b.rules("")) != 0 ||
		len(b.cases()) != 1 {
		t.Errorf("%s/%s %q, %d rules, %d cases", l.Stage, l.State, l.Outcome, len(b.rules("")), len(b.cases()))
	}
}

// What nobody stated is a guess where one thing changed, nothing where nothing did, and waits for a sentence otherwise.
func TestWhatNobodyStated(t *testing.T) {
	const draft = "You can usually take a quarter of the pot free of tax. The rest is taxed as income."
	const added = "Ask your provider whether it charges for each withdrawal."
	for name, c := range map[string]struct {
		kind, after, question string
		state                 string
	}{
		"one sentence added": {Revise, draft + " " + added, "How does drawdown work?", Waiting},
		"spaces": {Revise, strings.Replace(draft, ". The", ".  The", 1), "How does drawdown work?",
			Nothing},
		"a slip of the pen": {Revise, strings.Replace(draft, "usually", "ususally", 1),
			"How does drawdown work?", Nothing},
		"another text": {Revise, "Annuities last for life. Shop around. Some pay more when you are ill.",
			"How does drawdown work?", Unstated},
		"words of the customer's": {Revise, draft + " As you have £43,210 you could make it last.",
			"How long would £43,210 last?", Nothing},
		"a rejection without words": {Reject, "", "How does drawdown work?", Unstated},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, nil, Policy{})
			dec := b.decide(Source{Kind: c.kind, Task: "drawdown", AgentText: draft, HumanText: c.after,
				Question:  c.question,
				Situation: pack.Situation{Question: c.question, Task: "drawdown", Age: 61, HasDC: true},
				Reason:    "Not good enough."})
			b.drain()
			l := b.lesson(dec)
			if l.State != c.state || l.Guessed != (c.state == Waiting) || l.Outcome == "" {
				t.Fatalf("%s/%s guessed %v: %q %+v", l.Stage, l.State, l.Guessed, l.Outcome, l.Statement)
			}
			if c.state == Waiting && (l.Statement.Do.Kind != rule.Include || l.Statement.Do.Text != added ||
				len(l.Statement.When) == 0) {
				t.Errorf("guessed %+v", l.Statement)
			}
			if c.state == Unstated && (l.Summary() != "Needs a rule" || l.Problem == "" || len(b.rules("")) != 0) {
				t.Errorf("%q, %q, %d rules", l.Summary(), l.Problem, len(b.rules("")))
			}
		})
	}
}

func TestState(t *testing.T) {
	b := open(t, nil, Policy{})
	s := dbRevision()
	s.Kind, s.HumanText, s.Statements = Reject, "", nil
	dec := b.decide(s)
	b.drain()
	l := b.lesson(dec)
	if c, err := b.Counts(b.ctx); err != nil || l.State != Unstated || !l.MayBeStated() || c.Unstated != 1 ||
		c.Reflect != 1 {
		t.Fatalf("%s, counts %+v %v", l.State, c, err)
	}
	second := rule.Statement{When: forDB(), Do: rule.Act{Kind: rule.Never, Phrases: []string{"take the cash"}}}
	bad := rule.Statement{When: forDB(), Do: rule.Act{Kind: rule.Include, Text: "Then you should transfer it."}}
	for name, c := range map[string]struct {
		list    []rule.Statement
		version int
		by      knowledge.Person
		kind    fault.Kind
		field   string
	}{
		"a supervisor":              {[]rule.Statement{warned()}, l.Version, supervisor, fault.Denied, ""},
		"an older page":             {[]rule.Statement{warned()}, l.Version - 1, expert, fault.Conflict, ""},
		"nothing":                   {[]rule.Statement{{}}, l.Version, expert, fault.Invalid, "do"},
		"for nobody":                {[]rule.Statement{{Do: warned().Do}}, l.Version, expert, fault.Invalid, "when"},
		"a personal recommendation": {[]rule.Statement{warned(), bad}, l.Version, expert, fault.Invalid, "text"},
	} {
		err := b.State(b.ctx, l.ID, c.list, c.version, c.by)
		if !fault.Is(err, c.kind) || c.field != "" &&
			(len(fault.Fields(err)) == 0 || fault.Fields(err)[0].Name != c.field) {
			t.Errorf("%s: %v %v", name, err, fault.Fields(err))
		}
	}
	if err := b.State(b.ctx, l.ID, []rule.Statement{warned(), second}, l.Version, expert); err != nil {
		t.Fatal(err)
	}
	b.drain()
	list, err := b.OfCause(b.ctx, CauseDecision, dec)
	if err != nil || len(list) != 2 || !sameStatement(list[0].Statement, warned()) ||
		!sameStatement(list[1].Statement, second) {
		t.Fatalf("%+v %v", list, err)
	}
	for _, l := range list {
		if l.State != Waiting || l.Guessed {
			t.Errorf("%s %q", l.State, l.Outcome)
		}
	}
	if got := b.lesson(dec); got.Steps[1].Name != StageReflect || got.Steps[1].AnsweredBy != "Edie" ||
		b.audited("lesson.stated") != 1 {
		t.Errorf("%+v", got.Steps[1])
	}
	if err := b.State(b.ctx, l.ID, []rule.Statement{warned()}, b.lesson(dec).Version, expert); !fault.Is(err,
		fault.Conflict) {
		t.Errorf("what waits to be accepted: %v", err)
	}
}

// What needs a sentence can be dismissed with a reason.
func TestNothingToLearnSaysAPerson(t *testing.T) {
	b := open(t, nil, Policy{})
	s := dbRevision()
	s.Kind, s.HumanText, s.Statements = Reject, "", nil
	dec := b.decide(s)
	b.drain()
	l := b.lesson(dec)
	if err := b.Reject(b.ctx, l.ID, "The customer withdrew.", l.Version, expert); err != nil {
		t.Fatal(err)
	}
	if l = b.lesson(dec); l.State != Rejected || !strings.Contains(l.Outcome, "Edie: The customer withdrew.") {
		t.Errorf("%s %q", l.State, l.Outcome)
	}
}

// What the gate refuses goes back to a person, with the reason.
func TestWhatTheGateRefusesNeedsAnotherSentence(t *testing.T) {
	b := open(t, nil, Policy{})
	for name, text := range map[string]string{
		"advice":                   "Then you should transfer it.",
		"a figure of the customer": "With £310,000 there is much to lose.",
		"a name":                   "Jane Smith can tell you more.",
	} {
		s := dbRevision()
		s.Known = []string{"Jane Smith"}
		s.Statements = []rule.Statement{{When: forDB(), Do: rule.Act{Kind: rule.Include, Text: text}}}
		dec := b.decide(s)
		b.drain()
		l := b.lesson(dec)
		if l.State != Unstated || l.RuleID != "" ||
			!strings.HasPrefix(l.Outcome, "It can't become a rule as it is worded: ") ||
			strings.Contains(string(jsonOf(l.Source))+l.RuleText, "Jane") {
			t.Errorf("%s: %s/%s %q %q", name, l.Stage, l.State, l.Outcome, l.RuleText)
		}
	}
	if n := len(b.rules("")); n != 0 {
		t.Errorf("%d rules", n)
	}
}

func TestOnlyMatchingCustomersCount(t *testing.T) {
	b := open(t, nil, Policy{})
	other := corrected(9)
	// not met: says nothing, though its text has the warning
	other.Situation.HasDB, other.Situation.HasDC, other.Situation.Question = false, true,
		"Question 9: what is drawdown?"
	for _, s := range []Source{corrected(1), corrected(2), reverted(3), approval(4), other} {
		b.release(b.decide(s))
	}
	b.drain()
	dec := b.decide(dbRevision())
	b.drain()
	l := b.lesson(dec)
	if l.Tried != 3 || l.Helpful != 2 || l.Silent != 1 || !l.Provisional || l.State != Waiting {
		t.Fatalf("helped %d of %d, silent %d, provisional %v: %s", l.Helpful, l.Tried, l.Silent, l.Provisional,
			l.Outcome)
	}
	if !strings.HasPrefix(l.Summary(), "Reflect → Validate 2/3 → Refine") {
		t.Errorf("summary %q", l.Summary())
	}
	for _, c := range l.Steps[1].Cases {
		if c.Why == "" || c.Kind == TestExemplar && (c.CaseID == "" || c.Number == 0 || !c.Fired) {
			t.Errorf("case test %+v", c)
		}
	}
	r := b.rule(l)
	if len(r.Supporting) != 2 || len(r.Counter) != 1 {
		t.Errorf("the rule's evidence: %v against %v", r.Supporting, r.Counter)
	}
	for n := range 10 {
		b.release(b.decide(corrected(20 + n)))
	}
	b.drain()
	b.undo(dec)
	again := b.decide(dbRevision())
	b.drain()
	if l := b.lesson(again); l.Tried < 10 || l.Helpful < l.Tried-1 || l.State != Waiting {
		t.Errorf("with more cases: %d of %d, provisional %v, confidence %v: %s", l.Helpful, l.Tried, l.Provisional,
			l.Confidence, l.Outcome)
	}
}

// A few contrary cases weigh, and don't veto what a person stated.
func TestContraryCasesDontVeto(t *testing.T) {
	b := open(t, nil, Policy{})
	for n := range 4 {
		b.release(b.decide(approval(n)))
	}
	b.drain()
	s := dbRevision()
	s.Statements = []rule.Statement{
		{When: forDB(), Do: rule.Act{Kind: rule.Never, Phrases: []string{"most people would be worse off"}}}}
	dec := b.decide(s)
	b.drain()
	if l := b.lesson(dec); l.State != Waiting || l.Tried != 4 || l.Helpful != 0 || !l.Provisional {
		t.Errorf("%s, %d of %d: %q", l.State, l.Helpful, l.Tried, l.Outcome)
	}
}

// Whether a released text speaks for an act, beside the draft.
func TestWhatAReleasedTextSays(t *testing.T) {
	const warn = "You may pay more tax than you expect."
	pot := []rule.Swap{{Say: "pension fund", Avoid: "pot"}, {Say: "pension funds", Avoid: "pots"}}
	for name, c := range map[string]struct {
		act             rule.Act
		draft, released string
		want            string
	}{
		"included": {rule.Act{Kind: rule.Include, Text: warn}, "It is taxed.", "It is taxed. " + warn,
			Helped},
		"nearly its words": {rule.Act{Kind: rule.Include, Text: warn}, "It is taxed.",
			"You may pay a lot more tax than you expect.", Helped},
		"another figure": {rule.Act{Kind: rule.Include, Text: "Up to £60,000 can be paid in each year."}, "x",
			"Up to £40,000 can be paid in each year.", Hurt},
		"the opposite": {rule.Act{Kind: rule.Include, Text: "You have to report it."}, "x",
			"Thank you. You do not have to report it.", Hurt},
		"part of the opposite": {rule.Act{Kind: rule.Include, Text: "Have to report it."}, "x",
			"You do not have to report it.", Hurt},
		"at another time": {rule.Act{Kind: rule.Include,
			Text: "Report the gain within 30 days before the transfer completes."}, "x",
			"Report the gain within 30 days after the transfer completes.", Silent},
		"less strictly": {rule.Act{Kind: rule.Include, Text: "You must report the gain of the transfer."}, "x",
			"You may report the gain of the transfer.", Silent},
		"said anyway": {rule.Act{Kind: rule.Include, Text: warn}, warn, warn + " Bye.", Silent},
		"taken out": {rule.Act{Kind: rule.Ask, Text: "How old are you?"}, "How old are you?", "It depends.",
			Hurt},
		"not there": {rule.Act{Kind: rule.Point, Text: "MoneyHelper can tell you more."}, "x", "y", Silent},
		"removed": {rule.Act{Kind: rule.Never, Phrases: []string{"risk-free", "safe bet"}},
			"It is a safe bet.", "It can fall.", Helped},
		"released all the same": {rule.Act{Kind: rule.Never, Phrases: []string{"safe bet"}}, "x", "It is a safe bet.",
			Hurt},
		"never said": {rule.Act{Kind: rule.Never, Phrases: []string{"safe bet"}}, "x", "y", Silent},
		"replaced": {rule.Act{Kind: rule.Replace, Swaps: pot}, "Your pots can be moved.",
			"Your pension funds can be moved.", Helped},
		"kept": {rule.Act{Kind: rule.Replace, Swaps: pot}, "Your pot.", "Your pot.", Hurt},
		"within the good term": {rule.Act{Kind: rule.Replace, Swaps: []rule.Swap{{Say: "pension pot", Avoid: "pot"}}},
			"Your pot.", "Your pension pot.", Helped},
		"said well anyway": {rule.Act{Kind: rule.Replace, Swaps: pot}, "Your pension fund.", "Your pension fund.",
			Silent},
		"in words": {rule.Act{Kind: rule.Other, Text: "be kind"}, "x", "y", Silent},
	} {
		if got, why := spoken(nil, c.act, c.draft, c.released); got != c.want || why == "" {
			t.Errorf("%s: %s (%s), want %s", name, got, why, c.want)
		}
	}
}
