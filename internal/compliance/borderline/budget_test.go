package borderline_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// sharing sets the share of drafts that experts can take.
func (d *desk) sharing(share float64) {
	d.AskFor = func(*db.Tx, string) (borderline.Asked, error) {
		return borderline.Asked{Target: target, Share: share, First: 1, Hard: 1, Most: 2}, nil
	}
}

// unsure is a verdict of three judges who agree and are sure by so much.
func unsure(sure float64) compliance.Verdict {
	var votes []compliance.Vote
	for _, n := range []string{"one", "two", "three"} {
		votes = append(votes, compliance.Vote{Judge: n, Passed: true, Confidence: sure, Boundary: compliance.Guidance})
	}
	return compliance.Consent(nil, votes, 2, compliance.Routing{})
}

func (d *desk) enrolOne(sub borderline.Subject) (c *borderline.Case, err error) {
	return db.Write(ctx, d.db, func(tx *db.Tx) (*borderline.Case, error) { return d.EnrolTx(tx, sub) })
}

// draft weighs a draft and returns the id of its interaction; the case is nil where experts are not asked.
func (d *desk) draft(t testing.TB, v compliance.Verdict) (*interaction.Interaction, *borderline.Case) {
	t.Helper()
	in := consultation(false)
	c, err := d.enrolOne(borderline.Subject{Interaction: in, Text: in.Guidance, Verdict: v})
	if err != nil {
		t.Fatal(err)
	}
	return in, c
}

func (d *desk) overtake(t testing.TB, interactionID string) {
	t.Helper()
	if err := d.db.Write(ctx, func(tx *db.Tx) error {
		return d.OvertakeTx(tx, interactionID, sue.Actor())
	}); err != nil {
		t.Fatal(err)
	}
}

func (d *desk) open(t testing.TB, interactionID string) bool {
	t.Helper()
	return d.number(t, `SELECT count(*) FROM borderline_case
		WHERE interaction_id = $1 AND state IN ('waiting', 'adjudication')`, interactionID) > 0
}

func (d *desk) where(t testing.TB, in *interaction.Interaction) (st borderline.Standing) {
	t.Helper()
	err := d.db.Read(ctx, func(tx *db.Tx) (err error) {
		st, err = d.StandingTx(tx, in.ID, in.GuidanceHash)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func TestTheAllowance(t *testing.T) {
	for _, c := range []struct {
		share  float64
		drafts int
		want   int
	}{{0, 50, 0}, {0.1, 0, 0}, {0.1, 1, 1}, {0.1, 19, 1}, {0.1, 20, 2}, {0.1, 100, 10}, {0.1, 5000, 10},
		{0.29, 100, 29}, {0.001, 1000, 1}} {
		if got := borderline.Allowance(c.share, c.drafts); got != c.want {
			t.Errorf("%v of %d drafts: %d, want %d", c.share, c.drafts, got, c.want)
		}
	}
	if borderline.Allowance(1, 3) < 1e6 {
		t.Error("all drafts have a limit")
	}
}

func TestTheMostUncertainGo(t *testing.T) {
	d := open(t)
	d.sharing(0.1)
	first, c := d.draft(t, unsure(0.65))
	if c == nil {
		t.Fatal("the first unsettled draft does not go")
	}
	less, c2 := d.draft(t, unsure(0.69))
	if c2 != nil || d.where(t, less).Line != "3 of 3 judges passed it, 69% sure" {
		t.Errorf("a surer one goes: %+v, %+v", c2, d.where(t, less))
	}
	split, c3 := d.draft(t, seedVerdict())
	if c3 == nil || d.open(t, first.ID) {
		t.Fatal("dissent does not go first")
	}
	if st := d.where(t, first); st.CaseID != "" || st.Open || st.Line == "" {
		t.Errorf("what was displaced: %+v", st)
	}
	if st := d.where(t, split); !st.Open || !strings.HasPrefix(st.Line, "Judges split 2–1") {
		t.Errorf("what goes: %+v", st)
	}
	_, err := d.Get(ctx, c.ID, borderline.Viewer{Person: eva, Expert: true})
	refused(t, err, fault.NotFound)
	_, err = d.AnswerBlind(ctx, answer(c, eva, compliance.Compliant))
	refused(t, err, fault.Conflict)
	for _, list := range []string{borderline.ListWaiting, borderline.ListMine, borderline.ListClosed} {
		p, err := d.List(ctx, borderline.Filter{List: list, Viewer: borderline.Viewer{Person: eva, Expert: true}})
		if err != nil || list == borderline.ListWaiting && len(p.Items) != 1 ||
			list != borderline.ListWaiting && len(p.Items) != 0 {
			t.Errorf("%s: %+v %v", list, p.Items, err)
		}
	}
	d.overtake(t, split.ID)
	if !d.open(t, first.ID) || d.open(t, less.ID) {
		t.Error("the next most uncertain does not take the place of what a supervisor settled")
	}
}

func TestWhatAnExpertBeganStays(t *testing.T) {
	for name, begin := range map[string]func(d *desk, c *borderline.Case) error{
		"claimed": func(d *desk, c *borderline.Case) error { return d.Claim(ctx, c.ID, eva) },
		"typed": func(d *desk, c *borderline.Case) error {
			_, err := d.SaveDraft(ctx, c.ID, eva, "{}")
			d.clock.Advance(2 * borderline.ClaimFor)
			return err
		},
		"answered": func(d *desk, c *borderline.Case) error {
			_, err := d.AnswerBlind(ctx, answer(c, eva, compliance.Compliant))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t)
			d.sharing(0.1)
			in, c := d.draft(t, unsure(0.65))
			if err := begin(d, c); err != nil {
				t.Fatal(err)
			}
			if _, c := d.draft(t, seedVerdict()); c != nil || !d.open(t, in.ID) {
				t.Error("it was displaced")
			}
		})
	}
}

func TestAClaimThatRanOutIsNoBeginning(t *testing.T) {
	d := open(t)
	d.sharing(0.1)
	in, c := d.draft(t, unsure(0.65))
	if err := d.Claim(ctx, c.ID, eva); err != nil {
		t.Fatal(err)
	}
	d.clock.Advance(2 * borderline.ClaimFor)
	if _, c := d.draft(t, seedVerdict()); c == nil || d.open(t, in.ID) {
		t.Error("a look at it keeps the place")
	}
}

func TestSettledFirstLeavesListAndCounts(t *testing.T) {
	d := open(t)
	d.sharing(0.1)
	who := borderline.Viewer{Person: eva, Expert: true}
	in, _ := d.draft(t, seedVerdict())
	d.overtake(t, in.ID)
	if c, err := d.Counts(ctx, who); c.Open() != 0 || err != nil {
		t.Errorf("%d on the badge, %v", c.Open(), err)
	}
	for _, list := range []string{borderline.ListWaiting, borderline.ListClosed} {
		if p, err := d.List(ctx, borderline.Filter{List: list, Viewer: who}); len(p.Items) != 0 || err != nil {
			t.Errorf("%s: %+v %v", list, p.Items, err)
		}
	}
	if b, err := d.Budgets(ctx); err != nil || len(b) != 1 ||
		b[0] != (borderline.Budget{AgentID: "a1", Share: 0.1, Drafts: 1, Target: target}) {
		t.Errorf("%+v %v", b, err)
	}
	if n := d.number(t, `SELECT count(*) FROM borderline_case
		WHERE interaction_id = $1 AND state = 'overtaken'`, in.ID); n != 1 {
		t.Errorf("%d records of it", n)
	}
	if err := d.db.Write(ctx, func(tx *db.Tx) error { return d.ReinstateTx(tx, in.ID, sue.Actor()) }); err != nil ||
		!d.open(t, in.ID) {
		t.Errorf("the decision was undone: %v", err)
	}
}

// What was held back goes nowhere once a supervisor decided it, and may go again when the decision is undone.
func TestHeldBackAndDecided(t *testing.T) {
	d := open(t)
	d.sharing(0.1)
	split, _ := d.draft(t, seedVerdict())
	held, _ := d.draft(t, unsure(0.6))
	d.overtake(t, held.ID)
	d.overtake(t, split.ID)
	if d.open(t, held.ID) {
		t.Fatal("experts are asked about what is decided")
	}
	if err := d.db.Write(ctx, func(tx *db.Tx) error { return d.ReinstateTx(tx, held.ID, sue.Actor()) }); err != nil {
		t.Fatal(err)
	}
	d.draft(t, unsure(0.95))
	if !d.open(t, held.ID) {
		t.Error("it waits again and does not go")
	}
}

func TestASupervisorsAskIsNeverHeldBack(t *testing.T) {
	d := open(t)
	d.sharing(0)
	in, c := d.draft(t, seedVerdict())
	if c != nil {
		t.Fatal("a share of 0 asks nobody")
	}
	sent, err := d.Send(ctx,
		borderline.SendInput{Subject: borderline.Subject{Interaction: in, Text: in.Guidance, Verdict: seedVerdict()},
			By: sue, Note: "Is it a steer?"})
	if err != nil || !d.open(t, in.ID) {
		t.Fatal(err)
	}
	d.draft(t, seedVerdict())
	if !d.open(t, in.ID) || d.where(t, in).CaseID != sent.ID {
		t.Errorf("%+v", d.where(t, in))
	}
}

// A judge that gave no answer is no question for an expert.
func TestAMissingVoteAloneAsksNoExpert(t *testing.T) {
	d := open(t)
	v := unsure(0.95)
	v.Judges = append(v.Judges, compliance.Vote{Judge: "model", Abstained: true, Missing: true,
		Why: "It did not answer in time."})
	v = compliance.Consent(nil, v.Judges, 2, compliance.Routing{})
	in, c := d.draft(t, v)
	if st := d.where(t, in); c != nil || st.Line != "3 of 3 judges passed it, 95% sure; model gave no answer" {
		t.Errorf("%+v %+v", c, st)
	}
}

// Whatever happens in whatever order: what nobody has begun fits into the budget, and nothing that is held back is more
// uncertain than what experts are asked.
func TestTheBudgetHolds(t *testing.T) {
	d := open(t)
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		agent := fmt.Sprintf("agent-%d", run)
		share := rapid.SampledFrom([]float64{0, 0.05, 0.1, 0.3, 1}).Draw(rt, "share")
		d.sharing(share)
		var ids []string
		began := map[string]bool{}
		decided := map[string]bool{}
		pick := func() string { return rapid.SampledFrom(ids).Draw(rt, "which") }
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			act := rapid.SampledFrom([]string{"draft", "draft", "draft", "begin", "decide", "undo"}).Draw(rt, "act")
			if len(ids) == 0 {
				act = "draft"
			}
			switch act {
			case "draft":
				in := consultation(false)
				in.AgentID = agent
				if _, err := d.enrolOne(borderline.Subject{Interaction: in, Text: in.Guidance,
					Verdict: unsure(float64(rapid.IntRange(50, 99).Draw(rt, "sure")) / 100)}); err != nil {
					rt.Fatal(err)
				}
				ids = append(ids, in.ID)
			case "begin":
				id := pick()
				cases, _, err := d.ForInteraction(ctx, id)
				if err != nil || len(cases) == 0 || !cases[0].Open() || began[id] {
					continue
				}
				if _, err := d.AnswerBlind(ctx, answer(&cases[0], eva, compliance.Compliant)); err != nil {
					rt.Fatal(err)
				}
				began[id] = true
			case "decide":
				id := pick()
				d.overtake(t, id)
				decided[id] = true
			case "undo":
				if id := pick(); decided[id] {
					if err := d.db.Write(ctx, func(tx *db.Tx) error {
						return d.ReinstateTx(tx, id, sue.Actor())
					}); err != nil {
						rt.Fatal(err)
					}
					delete(decided, id)
				}
			}
			fresh, taken, held, least := 0, 0, 0, 1001
			for id, c := range d.now(t, agent) {
				switch {
				case began[id]:
					taken++
				case c.open:
					fresh, least = fresh+1, min(least, c.uncertainty)
				case !decided[id]:
					held = max(held, c.uncertainty)
				}
			}
			allowed := borderline.Allowance(share, len(ids))
			if fresh > 0 && fresh+taken > allowed {
				rt.Fatalf("%d untouched and %d begun of %d drafts; %d allowed", fresh, taken, len(ids), allowed)
			}
			if fresh > 0 && held > least {
				rt.Fatalf("%d is held back, and experts are asked about %d", held, least)
			}
			if held > 0 && act == "draft" && fresh+taken < allowed {
				rt.Fatalf("experts have room for %d, and a draft of %d is held back", allowed-fresh-taken, held)
			}
		}
	})
}

// uncertain is a draft that the panel did not settle.
type uncertain struct {
	open        bool
	uncertainty int
}

// now are those of an agent, by interaction.
func (d *desk) now(t testing.TB, agentID string) map[string]uncertain {
	t.Helper()
	out := map[string]uncertain{}
	err := d.db.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "test", func(row db.Row) error {
			var id string
			var c uncertain
			err := row.Scan(&id, &c.open, &c.uncertainty)
			out[id] = c
			return err
		}, `SELECT interaction_id, state IN ('waiting', 'adjudication'), uncertainty FROM borderline_case
			WHERE agent_id = $1`, agentID)
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTheNextCaseIsTheOldest(t *testing.T) {
	d := open(t)
	d.sharing(1)
	_, a := d.draft(t, unsure(0.65))
	_, b := d.draft(t, seedVerdict())
	var got []string
	for _, who := range []borderline.Person{eva, fay} {
		id, err := d.ClaimNext(ctx, who)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, id)
	}
	if !slices.Equal(got, []string{a.ID, b.ID}) {
		t.Errorf("%v, want %s before %s", got, a.ID, b.ID)
	}
}
