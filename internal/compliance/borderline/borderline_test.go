package borderline_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"preceptor/internal/approval"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook/hooktest"
	"preceptor/internal/platform/id"
)

const target = 24 * time.Hour // of the policy here

var (
	ctx  = context.Background()
	eva  = borderline.Person{ID: "p-eva", Name: "Eva Expert"}
	fay  = borderline.Person{ID: "p-fay", Name: "Fay Expert"}
	gus  = borderline.Person{ID: "p-gus", Name: "Gus Expert"}
	hal  = borderline.Person{ID: "p-hal", Name: "Hal Expert"}
	sue  = borderline.Person{ID: "p-sue", Name: "Sue Supervisor"}
	boss = borderline.Person{ID: "m-boss", Name: "Bea Manager"}
)

const seedDraft = "Given your situation, you might want to consider consolidating those pensions."

// seedVotes are the three of seed 000.
func seedVotes() []compliance.Vote {
	return []compliance.Vote{
		{Judge: "one", Confidence: 0.75, Boundary: compliance.Advice,
			Reasoning: "'might want to' is a softened recommendation. Suggests personal direction."},
		{Judge: "two", Passed: true, Confidence: 0.70, Boundary: compliance.OnTheBoundary,
			Reasoning: "'consider' is option language, not directive."},
		{Judge: "three", Confidence: 0.82, Boundary: compliance.Advice,
			Reasoning: "'Given your situation' personalizes it, making it advice-like."},
	}
}

func seedVerdict() compliance.Verdict {
	return compliance.Consent(nil, seedVotes(), 2, compliance.Routing{})
}

type desk struct {
	*borderline.Store
	borderline.Hooks
	db        *db.DB
	approvals *approval.Store
	clock     *dbtest.Clock
	decided   map[string]bool // interactions that a supervisor decided
	ruled     []borderline.Ruling
	undone    int
}

func open(t testing.TB) *desk {
	t.Helper()
	clock := dbtest.NewClock()
	d := &desk{db: dbtest.NewAt(t, clock), clock: clock, decided: map[string]bool{}}
	d.approvals = approval.New(d.db, hooktest.Late(&approval.Hooks{}))
	d.Store = borderline.New(d.db, d.approvals, hooktest.Late(&d.Hooks), slog.New(slog.DiscardHandler))
	d.Undecided = func(_ *db.Tx, id, _ string) error {
		if d.decided[id] {
			return fault.New(fault.Conflict, "Sue decided this.")
		}
		return nil
	}
	d.MayRule = func(_ *db.Tx, who string) error {
		if !strings.HasPrefix(who, "p-") || who == sue.ID {
			return fault.New(fault.Denied, "This takes the role expert.")
		}
		return nil
	}
	d.MayDecide = func(_ *db.Tx, who string) error {
		if who != boss.ID {
			return fault.New(fault.Denied, "This takes the role manager.")
		}
		return nil
	}
	d.AskFor = func(*db.Tx, string) (borderline.Asked, error) {
		return borderline.Asked{Target: target, Share: 1, First: 1, Hard: 2, Most: 3}, nil
	}
	d.Experts = func(*db.Tx) ([]borderline.Person, error) {
		return []borderline.Person{{ID: "p-other", Name: "Another"}}, nil
	}
	d.OnRuled = func(_ *db.Tx, _ *borderline.Case, r *borderline.Ruling, _ compliance.Verdict,
		_ []borderline.Answer) error {
		d.ruled = append(d.ruled, *r)
		return nil
	}
	d.OnRulingUndone = func(*db.Tx, *borderline.Case, *borderline.Ruling, compliance.Verdict,
		[]borderline.Answer) error {
		d.undone++
		return nil
	}
	if err := d.Sync(ctx); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.wantCounted(t) })
	return d
}

func consultation(vulnerable bool) *interaction.Interaction {
	return &interaction.Interaction{ID: id.New(), AgentID: "a1", AgentName: "pension-advisor", Guidance: seedDraft,
		GuidanceHash: interaction.TextHash(seedDraft),
		Consultation: interaction.Consultation{Question: "Should I put my pots together?",
			TaskType: "pension_consolidation", Customer: interaction.Customer{Vulnerable: &vulnerable}}}
}

func (d *desk) enrol(t testing.TB, v compliance.Verdict, vulnerable bool) *borderline.Case {
	t.Helper()
	var c *borderline.Case
	err := d.db.Write(ctx, func(tx *db.Tx) (err error) {
		in := consultation(vulnerable)
		c, err = d.EnrolTx(tx, borderline.Subject{Interaction: in, Text: in.Guidance, Verdict: v})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func answer(c *borderline.Case, by borderline.Person, label compliance.Label) borderline.Input {
	in := borderline.Input{CaseID: c.ID, By: by, TextHash: c.TextHash, Label: label, Boundary: compliance.Advice,
		Confidence: 0.8, Rationale: by.Name + " finds that it steers.",
		Marks: []borderline.Mark{{Code: "DISGUISED_RECOMMENDATION", Quote: "you might  want to"}}}
	if label == compliance.Compliant {
		in.Boundary = compliance.Guidance
	}
	return in
}

func (d *desk) blind(t testing.TB, c *borderline.Case, by borderline.Person, label compliance.Label) {
	t.Helper()
	if _, err := d.AnswerBlind(ctx, answer(c, by, label)); err != nil {
		t.Fatalf("%s: %v", by.Name, err)
	}
}

func (d *desk) whole(t testing.TB, c *borderline.Case, by borderline.Person,
	label compliance.Label) *borderline.Ruling {
	t.Helper()
	d.blind(t, c, by, label)
	r, err := d.Keep(ctx, c.ID, by)
	if err != nil {
		t.Fatalf("%s: %v", by.Name, err)
	}
	return r
}

func (d *desk) view(t testing.TB, c *borderline.Case, by borderline.Person) *borderline.View {
	t.Helper()
	v, err := d.Get(ctx, c.ID, borderline.Viewer{Person: by, Expert: true})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func refused(t testing.TB, err error, k fault.Kind) {
	t.Helper()
	if !fault.Is(err, k) {
		t.Errorf("%v, want a fault of kind %v", err, k)
	}
}

// Acceptance 2: the three votes of seed 000 fail 2/3 with 0.76 and need a person.
func TestTheSeedsVotesAreEnrolled(t *testing.T) {
	d := open(t)
	v := seedVerdict()
	if v.Passed || v.Split != "2-1 failed" || int(v.Confidence*100+0.5) != 76 || int(v.Violation*100+0.5) != 62 ||
		!v.RequiresHumanReview {
		t.Fatalf("%+v", v)
	}
	if c := d.enrol(t, v, false); c == nil || c.Wanted != 1 || c.Most != 3 {
		t.Fatalf("%+v", c)
	}
	if c := d.enrol(t, v, true); c.Wanted != 2 {
		t.Errorf("%d experts for a vulnerable customer whose judges disagree", c.Wanted)
	}
}

func TestWhatIsEnrolled(t *testing.T) {
	d := open(t)
	same := func(passed bool, confidence float64) []compliance.Vote {
		return []compliance.Vote{{Judge: "one", Passed: passed, Confidence: confidence, Boundary: compliance.Guidance},
			{Judge: "two", Passed: passed, Confidence: confidence, Boundary: compliance.Advice},
			{Judge: "three", Passed: passed, Confidence: confidence, Boundary: compliance.Advice}}
	}
	critical := compliance.Verdict{Source: compliance.RuleBased, Label: compliance.NonCompliant, Confidence: 0.97}
	for name, c := range map[string]struct {
		v       compliance.Verdict
		enrols  bool
		teaches string
	}{
		"judges disagree":  {seedVerdict(), true, ""},
		"unsure":           {compliance.Consent(nil, same(true, 0.6), 2, compliance.Routing{}), true, ""},
		"a critical check": {critical, false, borderline.Urgent},
		"a clear failure": {compliance.Consent(nil, same(false, 0.95), 2, compliance.Routing{}), false,
			borderline.Judges},
		"a clear pass": {compliance.Consent(nil, same(true, 0.95), 2, compliance.Routing{}), false, ""},
		"checks without panel": {compliance.Verdict{Source: compliance.RuleBased, Label: compliance.Borderline,
			RequiresHumanReview: true}, false, ""},
		"too few answered": {
			compliance.Consent(nil, []compliance.Vote{{Judge: "one", Abstained: true},
				{Judge: "two", Passed: true, Confidence: .9, Boundary: compliance.Guidance}}, 2, compliance.Routing{}),
			true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := d.enrol(t, c.v, false); (got != nil) != c.enrols {
				t.Errorf("enrolled %v: %+v", got != nil, c.v)
			}
			if got := borderline.Learns(c.v); got != c.teaches {
				t.Errorf("teaches %q", got)
			}
		})
	}
}

// No method gives an expert a vote, the reason for the case, a note or another's answer before their own.
func TestBlindMeansBlind(t *testing.T) {
	d := open(t)
	c := d.enrol(t, seedVerdict(), true)
	d.blind(t, c, eva, compliance.NonCompliant)
	shut := func(stage string) {
		t.Helper()
		v := d.view(t, c, fay)
		if v.Panel != nil || len(v.Others) > 0 || v.Ruling != nil || v.Blind != nil {
			t.Errorf("%s: %+v", stage, v)
		}
		if list, err := d.Similar(ctx, c.ID, borderline.Viewer{Person: fay, Expert: true}, 5); len(list) > 0 ||
			err != nil {
			t.Errorf("%s: similar %v %v", stage, list, err)
		}
		for _, list := range []string{borderline.ListWaiting, borderline.ListMine, borderline.ListAdjudication,
			borderline.ListClosed} {
			p, err := d.List(ctx, borderline.Filter{List: list, Viewer: borderline.Viewer{Person: fay, Expert: true}})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range p.Items {
				if r.Mine != "" || r.Ruling != "" || r.RuledBy != "" {
					t.Errorf("%s: the list %s shows %+v", stage, list, r)
				}
			}
		}
	}
	shut("after another's blind answer")
	if v := d.view(t, c, eva); v.Panel == nil || len(v.Panel.Verdict.Judges) != 3 || len(v.Others) > 0 {
		t.Errorf("after their own answer: %+v", v)
	}
	if _, err := d.Keep(ctx, c.ID, eva); err != nil {
		t.Fatal(err)
	}
	shut("after another settled")
	if v := d.view(t, c, eva); len(v.Others) > 0 {
		t.Error("who has settled sees nobody else before all have")
	}
	if _, err := d.Get(ctx, c.ID, borderline.Viewer{Person: sue}); !fault.Is(err, fault.Denied) {
		t.Errorf("a supervisor: %v", err)
	}
	// A ruling that might be taken back stays shut for those who might then have to answer.
	if r := d.whole(t, c, fay, compliance.NonCompliant); r == nil {
		t.Fatal("no ruling")
	}
	if v := d.view(t, c, gus); v.Panel != nil || v.Ruling != nil || v.SealedUntil.IsZero() {
		t.Errorf("sealed: %+v", v)
	}
	d.clock.Advance(borderline.UndoFor + time.Second)
	if v := d.view(t, c, gus); v.Panel == nil || v.Ruling == nil || len(v.Others) != 4 {
		t.Errorf("after the window: %+v", v)
	}
	if v, err := d.Get(ctx, c.ID, borderline.Viewer{Person: sue}); err != nil || v.Ruling == nil {
		t.Errorf("a supervisor afterwards: %v", err)
	}
}

func TestOneExpertRulesAlone(t *testing.T) {
	d := open(t)
	c := d.enrol(t, seedVerdict(), false)
	d.blind(t, c, eva, compliance.Borderline)
	changed := answer(c, eva, compliance.NonCompliant)
	if _, err := d.Change(ctx, answer(c, eva, compliance.Borderline)); !fault.Is(err, fault.Invalid) {
		t.Errorf("a change that changes nothing: %v", err)
	}
	r, err := d.Change(ctx, changed)
	if err != nil || r == nil {
		t.Fatal(r, err)
	}
	if r.Label != compliance.NonCompliant || r.How != borderline.Agreed || r.By.Name != eva.Name ||
		r.RubricVersion != 1 || r.TaxonomyVersion != 1 {
		t.Errorf("%+v", r)
	}
	if got := strings.Join(r.Pattern.Against(), "|"); got != "Given your situation|might want to" {
		t.Errorf("the pattern names %s", got)
	}
	v := d.view(t, c, eva)
	if v.Blind.Label != compliance.Borderline || v.Last.Label != compliance.NonCompliant ||
		v.Last.Marks[0].Quote != "you might want to" {
		t.Errorf("both are kept: %+v %+v", v.Blind, v.Last)
	}
	st := d.standing(t, c)
	if !st.Blocks() || st.Releases() || st.By != eva.Name {
		t.Errorf("%+v", st)
	}
	refused(t, d.Undo(ctx, c.ID, fay), fault.Conflict)
	if err := d.Undo(ctx, c.ID, eva); err != nil {
		t.Fatal(err)
	}
	if st := d.standing(t, c); !st.Open || st.Ruled != "" || d.undone != 1 {
		t.Errorf("after undo: %+v, %d", st, d.undone)
	}
	if r, err := d.Keep(ctx, c.ID, eva); err != nil || r.Label != compliance.Borderline {
		t.Errorf("ruled again: %+v %v", r, err)
	}
	d.decided[c.InteractionID] = true
	refused(t, d.Undo(ctx, c.ID, eva), fault.Conflict)
	d.decided = map[string]bool{}
	d.clock.Advance(borderline.UndoFor + time.Minute)
	refused(t, d.Undo(ctx, c.ID, eva), fault.Conflict)
}

func (d *desk) standing(t testing.TB, c *borderline.Case) (st borderline.Standing) {
	t.Helper()
	err := d.db.Read(ctx, func(tx *db.Tx) (err error) {
		st, err = d.StandingTx(tx, c.InteractionID, c.TextHash)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func TestDisagreementAsksOneMoreThenAnAdjudicator(t *testing.T) {
	d := open(t)
	c := d.enrol(t, seedVerdict(), true)
	if r := d.whole(t, c, eva, compliance.Compliant); r != nil {
		t.Fatal("ruled by one of two")
	}
	if r := d.whole(t, c, fay, compliance.NonCompliant); r != nil {
		t.Fatal("ruled without agreement")
	}
	if v := d.view(t, c, gus); v.Wanted != 3 || v.State != borderline.Waiting || v.WhyNot != "" {
		t.Fatalf("%+v", v)
	}
	refused(t, d.Undo(ctx, c.ID, eva), fault.Conflict) // the next step was taken
	if r := d.whole(t, c, gus, compliance.NonCompliant); r != nil {
		t.Fatal("a majority is no agreement")
	}
	v := d.view(t, c, hal)
	if v.State != borderline.Adjudication || len(v.Others) != 6 || v.Panel == nil || v.WhyNot != "" {
		t.Fatalf("%+v", v)
	}
	in := borderline.RuleInput{CaseID: c.ID, By: eva, TextHash: c.TextHash, Label: compliance.NonCompliant,
		Rationale: "It rests on the person's circumstances."}
	_, err := d.Adjudicate(ctx, in)
	refused(t, err, fault.Denied)
	in.By = hal
	r, err := d.Adjudicate(ctx, in)
	if err != nil || r.How != borderline.Adjudicated {
		t.Fatal(r, err)
	}
	p, err := d.List(ctx, borderline.Filter{List: borderline.ListMine,
		Viewer: borderline.Viewer{Person: hal, Expert: true}})
	if err != nil || len(p.Items) != 1 {
		t.Errorf("what Hal adjudicated isn't among Hal's: %+v, %v", p, err)
	}
	refused(t, d.Undo(ctx, c.ID, eva), fault.Conflict)
	if err := d.Undo(ctx, c.ID, hal); err != nil {
		t.Fatal(err)
	}
	if v := d.view(t, c, hal); v.State != borderline.Adjudication {
		t.Error(v.State)
	}
}

func TestAForgottenAnswerIsKept(t *testing.T) {
	d := open(t)
	c := d.enrol(t, seedVerdict(), false)
	d.blind(t, c, eva, compliance.NonCompliant)
	for _, step := range []struct {
		wait time.Duration
		kept int
	}{{borderline.KeepAfter, 0}, {borderline.ClaimFor + time.Minute, 1}, {time.Minute, 0}} {
		d.clock.Advance(step.wait)
		if n, err := d.KeepForgotten(ctx); err != nil || n != step.kept {
			t.Fatalf("after %s: %d %v", step.wait, n, err)
		}
	}
	if v := d.view(t, c, eva); v.Ruling == nil || !v.Last.Kept {
		t.Errorf("%+v", v)
	}
}

func TestClaims(t *testing.T) {
	d := open(t)
	c := d.enrol(t, seedVerdict(), false)
	if got, err := d.ClaimNext(ctx, eva); err != nil || got != c.ID {
		t.Fatal(got, err)
	}
	if got, _ := d.ClaimNext(ctx, fay); got != "" {
		t.Error("a second expert got the only place")
	}
	err := d.Claim(ctx, c.ID, fay)
	refused(t, err, fault.Conflict)
	if !strings.Contains(fault.Message(err), eva.Name) {
		t.Error(err)
	}
	_, err = d.AnswerBlind(ctx, answer(c, fay, compliance.Compliant))
	refused(t, err, fault.Conflict)
	d.clock.Advance(borderline.ClaimFor + time.Second)
	if got, err := d.ClaimNext(ctx, fay); err != nil || got != c.ID {
		t.Error(got, err)
	}
	refused(t, d.Claim(ctx, c.ID, sue), fault.Denied)
	two := d.enrol(t, seedVerdict(), true)
	for _, p := range []borderline.Person{eva, fay} {
		if err := d.Claim(ctx, two.ID, p); err != nil {
			t.Errorf("two places: %v", err)
		}
	}
	refused(t, d.Claim(ctx, two.ID, gus), fault.Conflict)
}

func TestASupervisorSendsACase(t *testing.T) {
	d := open(t)
	in := consultation(false)
	send := func(by borderline.Person, note string) (*borderline.Case, error) {
		return d.Send(ctx, borderline.SendInput{Subject: borderline.Subject{Interaction: in, Text: in.Guidance}, By: by,
			Note: note})
	}
	_, err := send(sue, "  ")
	refused(t, err, fault.Invalid)
	c, err := send(eva, "Is the last sentence a steer?")
	if err != nil || c.Wanted != 1 {
		t.Fatal(c, err)
	}
	_, err = send(sue, "Mine too.")
	refused(t, err, fault.Conflict)
	_, err = d.AnswerBlind(ctx, answer(c, eva, compliance.Compliant))
	refused(t, err, fault.Denied) // nobody answers their own question
	if v := d.view(t, c, fay); v.Panel != nil {
		t.Error("the note is shown before the answer")
	}
	d.blind(t, c, fay, compliance.Compliant)
	if v := d.view(t, c, fay); v.Panel.Note != "Is the last sentence a steer?" || v.Panel.SentBy != eva.Name {
		t.Errorf("%+v", v.Panel)
	}
	if r, err := d.Keep(ctx, c.ID, fay); err != nil || !r.Releases() {
		t.Error(r, err)
	}
	_, err = send(sue, "Again?")
	refused(t, err, fault.Conflict)
}

func TestADecisionOvertakesAndItsUndoReinstates(t *testing.T) {
	d := open(t)
	c := d.enrol(t, seedVerdict(), true)
	d.whole(t, c, eva, compliance.Compliant)
	err := d.db.Write(ctx, func(tx *db.Tx) error { return d.OvertakeTx(tx, c.InteractionID, sue.Actor()) })
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.AnswerBlind(ctx, answer(c, fay, compliance.Compliant))
	refused(t, err, fault.Conflict)
	if v := d.view(t, c, fay); v.State != borderline.Overtaken || v.Panel != nil {
		t.Errorf("%+v", v)
	}
	if st := d.standing(t, c); st.CaseID+st.Sent != "" || st.Open || st.Line == "" {
		t.Errorf("%+v", st)
	}
	if err := d.db.Write(ctx, func(tx *db.Tx) error {
		return d.ReinstateTx(tx, c.InteractionID, sue.Actor())
	}); err != nil {
		t.Fatal(err)
	}
	if r := d.whole(t, c, fay, compliance.Compliant); r == nil || r.By.Name != "Eva Expert and Fay Expert" {
		t.Errorf("%+v", r)
	}
}

func TestAnswersAreChecked(t *testing.T) {
	d := open(t)
	c := d.enrol(t, seedVerdict(), false)
	for name, c2 := range map[string]struct {
		spoil func(*borderline.Input)
		field string
	}{
		"no label":         {func(in *borderline.Input) { in.Label = "" }, "label"},
		"no class":         {func(in *borderline.Input) { in.Boundary = "NEAR" }, "boundary"},
		"compliant advice": {func(in *borderline.Input) { in.Label = compliance.Compliant }, "boundary"},
		"no confidence":    {func(in *borderline.Input) { in.Confidence = 0 }, "confidence"},
		"no rationale":     {func(in *borderline.Input) { in.Rationale = " \n" }, "rationale"},
		"too long":         {func(in *borderline.Input) { in.Rationale = strings.Repeat("é", 4001) }, "rationale"},
		"words elsewhere":  {func(in *borderline.Input) { in.Marks[0].Quote = "buy gold" }, "mark_quote_0"},
		"an unknown code":  {func(in *borderline.Input) { in.Marks[0].Code = "NICE" }, "mark_code_0"},
	} {
		t.Run(name, func(t *testing.T) {
			in := answer(c, eva, compliance.NonCompliant)
			c2.spoil(&in)
			_, err := d.AnswerBlind(ctx, in)
			refused(t, err, fault.Invalid)
			for _, f := range fault.Fields(err) {
				if f.Name == c2.field {
					return
				}
			}
			t.Errorf("%s is not among %v", c2.field, fault.Fields(err))
		})
	}
	in := answer(c, eva, compliance.NonCompliant)
	in.TextHash = "other"
	_, err := d.AnswerBlind(ctx, in)
	refused(t, err, fault.Conflict)
	in = answer(c, eva, compliance.NonCompliant)
	in.Rationale = strings.Repeat("👍", 4000)
	if _, err := d.AnswerBlind(ctx, in); err != nil {
		t.Errorf("4,000 characters: %v", err)
	}
}
