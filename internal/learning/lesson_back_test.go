package learning

import (
	"strings"
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
	"preceptor/internal/rule"
)

// A lesson that is sent back needs a sentence again, and keeps its rule's number.
func TestSendBack(t *testing.T) {
	b := open(t, nil, Policy{})
	dec := b.decide(dbRevision())
	b.drain()
	l := b.lesson(dec)
	number := l.RuleNumber
	const note = "Say it for transfers only. Call 020 7946 0000."
	for name, c := range map[string]struct {
		to, note string
		version  int
		by       knowledge.Person
		kind     fault.Kind
	}{
		"a supervisor":      {StageReflect, note, l.Version, supervisor, fault.Denied},
		"without a note":    {StageReflect, "  ", l.Version, expert, fault.Invalid},
		"to the judge":      {StageJudge, note, l.Version, expert, fault.Invalid},
		"to its words":      {StageRefine, note, l.Version, expert, fault.Invalid},
		"an older page":     {StageReflect, note, l.Version - 1, expert, fault.Conflict},
		"an endless note":   {StageReflect, strings.Repeat("x", text.MaxReason+1), l.Version, expert, fault.Invalid},
		"a lesson too much": {StageReflect, note, 0, expert, fault.Conflict},
	} {
		if err := b.SendBack(b.ctx, l.ID, c.to, c.note, c.version, c.by); !fault.Is(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := b.SendBack(b.ctx, l.ID, StageReflect, note, l.Version, expert); err != nil {
		t.Fatal(err)
	}
	b.drain()
	got := b.lesson(dec)
	if got.Stage != StageReflect || got.State != Unstated || got.SentBack != 1 ||
		b.rule(got).Status != knowledge.Withdrawn || !strings.Contains(got.Outcome, "Say it for transfers only") {
		t.Fatalf("sent back: %s/%s %d, rule %s, %q", got.Stage, got.State, got.SentBack, b.rule(got).Status,
			got.Outcome)
	}
	if strings.Contains(string(jsonOf(got)), "7946 0000") || b.audited("lesson.sent_back") != 1 {
		t.Errorf("%s, %d audit rows", jsonOf(got.Source.Notes), b.audited("lesson.sent_back"))
	}
	narrower := warned()
	narrower.When = append(narrower.When, rule.Condition{Kind: rule.Topic, Values: []string{"transfer", "db_transfer"}})
	if err := b.State(b.ctx, l.ID, []rule.Statement{narrower}, got.Version, expert); err != nil {
		t.Fatal(err)
	}
	b.drain()
	got = b.lesson(dec)
	if got.State != Waiting || got.Stage != StageAccept || got.RuleNumber != number ||
		!sameStatement(got.Statement, narrower) {
		t.Fatalf("%s/%s R-%d %q %q", got.Stage, got.State, got.RuleNumber, got.RuleText, got.Outcome)
	}
	if r := b.rule(got); r.Status != knowledge.Candidate || !sameStatement(r.Statement, narrower) || r.Version != 3 ||
		len(b.rules(knowledge.Candidate)) != 1 {
		t.Errorf("the rule came back as %+v", r)
	}
	if _, err := b.Accept(b.ctx, l.ID, nil, got.Version, expert); err != nil {
		t.Fatal(err)
	}
	got = b.lesson(dec)
	if err := b.SendBack(b.ctx, l.ID, StageReflect, note, got.Version, expert); !fault.Is(err, fault.Conflict) {
		t.Errorf("what is in use: %v", err)
	}
}

// What was not kept, or taught nothing, can be stated after all; undoing the decision withdraws it all.
func TestStateWhatEnded(t *testing.T) {
	b := open(t, nil, Policy{})
	s := dbRevision()
	s.HumanText, s.Reason, s.Statements, s.Flags = s.AgentText+" ", "Typo.", nil, nil
	dec := b.decide(s)
	b.drain()
	l := b.lesson(dec)
	if l.State != Nothing || l.MayGoBack(StageRefine) || !l.MayBeStated() {
		t.Fatalf("%s/%s", l.Stage, l.State)
	}
	if err := b.State(b.ctx, l.ID, []rule.Statement{warned()}, l.Version, expert); err != nil {
		t.Fatal(err)
	}
	b.drain()
	if l = b.lesson(dec); l.State != Waiting {
		t.Fatalf("%s/%s %q", l.Stage, l.State, l.Outcome)
	}
	if err := b.Reject(b.ctx, l.ID, "Known.", l.Version, expert); err != nil {
		t.Fatal(err)
	}
	l = b.lesson(dec)
	if err := b.SendBack(b.ctx, l.ID, StageReflect, "Signpost to regulated advice.", l.Version, expert); err != nil {
		t.Fatal(err)
	}
	b.undo(dec)
	b.drain()
	if l = b.lesson(dec); l.State != Withdrawn || l.MayGoBack(StageReflect) || l.MayBeStated() ||
		len(b.rules(knowledge.Candidate)) != 0 {
		t.Errorf("%s/%s", l.Stage, l.State)
	}
}

// What a person edits goes through the gate before it enters, whatever the act.
func TestEditsAreVetted(t *testing.T) {
	b := open(t, nil, Policy{})
	dec := b.decide(dbRevision())
	b.drain()
	l := b.lesson(dec)
	for name, st := range map[string]rule.Statement{
		"include": {When: forDB(), Do: rule.Act{Kind: rule.Include, Text: "So you should transfer it."}},
		"ask":     {When: forDB(), Do: rule.Act{Kind: rule.Ask, Text: "Do you see that you should transfer it?"}},
		"point": {When: forDB(), Do: rule.Act{Kind: rule.Point,
			Text: "They will tell you that you should transfer it."}},
		"other": {When: forDB(), Do: rule.Act{Kind: rule.Other, Text: "tell them: you should transfer it"}},
		"replace": {When: forDB(), Do: rule.Act{Kind: rule.Replace,
			Swaps: []rule.Swap{{Say: "you should", Avoid: "you could"}}}},
		"because": {When: forDB(), Do: warned().Do, Because: "you should transfer it"},
		"nobody":  {Do: warned().Do},
		"nothing": {When: forDB(), Do: rule.Act{Kind: rule.Never}},
	} {
		if _, err := b.Accept(b.ctx, l.ID, &st, l.Version, expert); !fault.Is(err, fault.Invalid) ||
			len(fault.Fields(err)) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := b.lesson(dec); got.State != Waiting || got.Version != l.Version {
		t.Errorf("a refused edit changed the lesson: %s", got.Summary())
	}
}

func TestOutcomesNeedASentence(t *testing.T) {
	b := open(t, nil, Policy{})
	s := Source{Kind: Outcome, CauseID: "o-1", AgentID: "agent-1", AgentName: "pension-advisor", Task: dbCustomer.Task,
		Situation: dbCustomer, Question: dbCustomer.Question,
		AgentText: draftWithoutWarning, By: "the customer",
		Scores: &Scores{Satisfaction: 8, Comprehension: 9, GoalAlignment: 8},
		Flags:  []Flag{{Code: "OUTCOME_ISSUE", Why: "She did not know what she would give up."}}}
	add := func(s Source) error { return b.d.Write(b.ctx, func(tx *db.Tx) error { return b.FromOutcomeTx(tx, s) }) }
	for range 2 { // once
		if err := add(s); err != nil {
			t.Fatal(err)
		}
	}
	for name, bad := range map[string]Source{"no scores": {Kind: Outcome, CauseID: "o-3"},
		"no outcome": {Kind: Revise, CauseID: "o-4", Scores: s.Scores},
		"eleven":     {Kind: Outcome, CauseID: "o-5", Scores: &Scores{11, 1, 1}}} {
		if err := add(bad); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	practised := s // with a virtual customer: the same path, under its own name
	practised.CauseID, practised.Origin = "o-6", Practice
	if err := add(practised); err != nil {
		t.Fatal(err)
	}
	b.drain()
	if page, err := b.List(b.ctx, Filter{Origin: Practice}); err != nil || len(page.Items) != 1 ||
		page.Items[0].Cause != CauseOutcome {
		t.Errorf("practice: %+v, %v", page.Items, err)
	}
	page, err := b.List(b.ctx, Filter{Origin: Outcome})
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("%d lessons, %v", len(page.Items), err)
	}
	if l := page.Items[0]; l.State != Unstated || l.Cause != CauseOutcome ||
		!strings.Contains(l.Problem, "She did not know") || !strings.Contains(l.Problem, "satisfaction 8") {
		t.Errorf("%s/%s %q", l.Stage, l.State, l.Problem)
	}
}

// Checks and panels open one lesson per issue code and agent, each text of a gold set its own, once; a ruling teaches in
// the expert's words.
func TestFindingsNeedOneSentence(t *testing.T) {
	b, begun := open(t, nil, Policy{}), map[string]bool{}
	found := func(kind, origin, cause, code string, mod func(*Source)) {
		t.Helper()
		s := Source{Kind: kind, Origin: origin, CauseID: cause, InteractionID: cause, AgentID: "agent-1",
			Task: "drawdown", Situation: pack.Situation{Question: "How does it work?"},
			AgentText: "It is the best choice.", Label: "NON_COMPLIANT", By: "the panel"}
		if code != "" {
			s.Flags = []Flag{{Code: code, Why: "It recommends.", Quote: "the best choice"}}
		}
		if mod != nil {
			mod(&s)
		}
		b.write(func(tx *db.Tx) error {
			begins, err := b.FromVerdictTx(tx, s)
			begun[cause] = begins
			return err
		})
	}
	found(Judged, "", "v1", "PERSONAL_RECOMMENDATION", nil)
	found(Judged, "", "v2", "PERSONAL_RECOMMENDATION", nil) // said already
	found(Verdict, "", "v3", "PERSONAL_RECOMMENDATION", nil)
	found(Ruling, Dataset, "g1", "PERSONAL_RECOMMENDATION", nil)
	found(Ruling, Dataset, "g2", "PRESSURE", nil)
	found(Ruling, Dataset, "g4", "PRESSURE", nil)
	found(Ruling, Dataset, "g3", "", func(s *Source) { s.Label = compliant })
	found(Ruling, "", "r1", "PERSONAL_RECOMMENDATION", func(s *Source) { s.Reason = "It steers her." })
	found(Ruling, "", "r2", "", func(s *Source) { s.Label = compliant })
	found(Ruling, "", "r3", "", func(s *Source) { s.Statements = []rule.Statement{warned()} })
	found(Verdict, "", "v4", "MISSING_DB_WARNING", func(s *Source) {
		s.Task, s.Situation = dbCustomer.Task, dbCustomer
	})
	b.drain()
	for cause, want := range map[string]string{"v1": Unstated, "v2": "", "v3": "", "g1": Unstated,
		"g2": Unstated, "g4": Unstated, "g3": Nothing, "r1": Unstated, "r2": Nothing, "r3": Waiting, "v4": Waiting} {
		kind := CauseVerdict
		if cause[0] != 'v' {
			kind = CauseRuling
		}
		list, err := b.OfCause(b.ctx, kind, cause)
		if begun[cause] != (len(list) > 0) {
			t.Errorf("%s: said to begin %v, %d lessons", cause, begun[cause], len(list))
		}
		if err != nil || (len(list) == 0) != (want == "") || len(list) > 0 && list[0].State != want {
			t.Errorf("%s: %v %+v", cause, err, list)
			continue
		}
		if want == Unstated && (!strings.Contains(list[0].Problem, "“the best choice”") ||
			list[0].Domain != RegulatoryCompliance) {
			t.Errorf("%s: %s %q", cause, list[0].Domain, list[0].Problem)
		}
	}
	if found(Ruling, Dataset, "g4", "PRESSURE", nil); begun["g4"] {
		t.Error("a text began a second lesson")
	}
	urgent, _ := b.OfCause(b.ctx, CauseVerdict, "v4")
	if l := urgent[0]; !l.Urgent || l.Guessed || l.Statement.Do.Text != pack.Of("").Warnings[0].Text ||
		l.Domain != RegulatoryCompliance {
		t.Errorf("the mandatory warning: %+v", l)
	}
}

// MayGoBack reports whether a person can send the lesson back to a stage as it stands; only to be stated again.
func (l Lesson) MayGoBack(to string) bool { return to == StageReflect && l.sendable(l.Version) == nil }
