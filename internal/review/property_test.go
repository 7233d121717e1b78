package review_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/interaction"
	"preceptor/internal/review"
)

// modelCase is what a case should be, kept by hand beside the real one.
type modelCase struct {
	id, hash   string
	version    int
	decided    bool
	claimedBy  string
	until      time.Time
	decision   string // standing
	by         string // who made it
	kind       string
	heldUntil  time.Time
	settled    bool
	skippedBy  map[string]int // person to version
	decisions  int
	lastUndone string
}

// model is a desk under random use by three people.
type model struct {
	k     *desk
	agent string
	step  int
	cases []*modelCase
}

var people = []review.Person{ann, bob, cy}

func (c *modelCase) free(now time.Time, who string) bool {
	return c.claimedBy == "" || c.claimedBy == who || !now.Before(c.until)
}

func (m *model) pick(rt *rapid.T) (*modelCase, review.Person) {
	if len(m.cases) == 0 {
		m.submit(rt)
	}
	return rapid.SampledFrom(m.cases).Draw(rt, "case"), rapid.SampledFrom(people).Draw(rt, "who")
}

func (m *model) now() time.Time { return m.k.clock.Now() }

func (m *model) expect(rt *rapid.T, what string, err error, ok bool) {
	if (err == nil) != ok {
		rt.Fatalf("%s: err = %v, want success %v", what, err, ok)
	}
}

func (m *model) submit(rt *rapid.T) {
	s := interaction.Submission{AgentID: m.agent, AgentName: m.agent, By: robot, Guidance: "Text.",
		Consultation: interaction.Consultation{Question: "Is this a scam?", TaskType: "scams"}}
	rec, err := m.k.in.Submit(ctx, s, nil)
	if err != nil {
		rt.Fatal(err)
	}
	m.cases = append(m.cases, &modelCase{id: rec.ID, hash: interaction.TextHash("Text."), version: 1,
		skippedBy: map[string]int{}})
}

func (m *model) claim(rt *rapid.T) {
	c, who := m.pick(rt)
	ok := !c.decided && c.free(m.now(), who.ID)
	m.expect(rt, "claim", m.k.Claim(ctx, c.id, who), ok)
	if ok {
		c.claimedBy, c.until = who.ID, m.now().Add(10*time.Minute)
	}
}

func (m *model) claimNext(rt *rapid.T) {
	_, who := m.pick(rt)
	i := slices.IndexFunc(m.cases, func(c *modelCase) bool {
		return !c.decided && c.free(m.now(), who.ID) && c.skippedBy[who.ID] != c.version
	})
	id, ok, err := m.k.ClaimNext(ctx, who, review.Filter{AgentID: m.agent})
	if err != nil || ok != (i >= 0) || ok && id != m.cases[i].id {
		rt.Fatalf("next for %s = %q, %v, %v; want case %d", who.ID, id, ok, err, i)
	}
	if ok {
		m.cases[i].claimedBy, m.cases[i].until = who.ID, m.now().Add(10*time.Minute)
	}
}

func (m *model) renew(rt *rapid.T) {
	c, who := m.pick(rt)
	ok := !c.decided && c.claimedBy == who.ID
	m.expect(rt, "renew", m.k.Renew(ctx, c.id, who), ok || c.decided && c.by == who.ID)
	if ok {
		c.until = m.now().Add(10 * time.Minute)
	}
}

func (m *model) unclaim(rt *rapid.T) {
	c, who := m.pick(rt)
	m.expect(rt, "unclaim", m.k.Unclaim(ctx, c.id, who), true)
	if !c.decided && c.claimedBy == who.ID {
		c.claimedBy, c.until = "", time.Time{}
	}
}

func (m *model) skip(rt *rapid.T) {
	c, who := m.pick(rt)
	version := c.version - rapid.IntRange(0, 1).Draw(rt, "stale")
	ok := !c.decided && version == c.version
	m.expect(rt, "skip", m.k.Skip(ctx, c.id, who, version, "why"), ok)
	if ok {
		c.skippedBy[who.ID] = version
		if c.claimedBy == who.ID {
			c.claimedBy, c.until = "", time.Time{}
		}
	}
}

func (m *model) decide(rt *rapid.T) {
	c, who := m.pick(rt)
	in := review.Input{ID: c.id, By: who, Version: c.version, TextHash: c.hash, ReasonCode: "wrong_facts",
		Text: "Better text.", Reason: "r", Feedback: "f"}
	in.Kind = rapid.SampledFrom([]string{review.Approve, review.Revise, review.Reject}).Draw(rt, "kind")
	switch rapid.IntRange(0, 9).Draw(rt, "stale") {
	case 0:
		in.Version--
	case 1:
		in.TextHash = interaction.TextHash("unseen")
	}
	ok := !c.decided && c.free(m.now(), who.ID) && in.Version == c.version && in.TextHash == c.hash
	dec, err := m.k.Decide(ctx, in)
	m.expect(rt, "decide", err, ok)
	if !ok {
		return
	}
	c.decided, c.version, c.decision, c.by, c.kind = true, c.version+1, dec.ID, who.ID, in.Kind
	c.heldUntil, c.settled, c.decisions = dec.HeldUntil, false, c.decisions+1
	c.claimedBy, c.until = "", time.Time{}
}

func (m *model) undo(rt *rapid.T) {
	c, who := m.pick(rt)
	target := c.decision
	if target == "" {
		target = c.lastUndone
	}
	ok := c.decision != "" && c.by == who.ID && !c.settled && m.now().Before(c.heldUntil)
	_, err := m.k.Undo(ctx, target, who, "")
	m.expect(rt, "undo", err, ok)
	if ok {
		c.decided, c.decision, c.lastUndone, c.version = false, "", target, c.version+1
		c.claimedBy, c.until = who.ID, m.now().Add(10*time.Minute)
	}
}

// release runs the job of every decision ever made, as a queue that repeats itself would.
func (m *model) release(rt *rapid.T) {
	for _, c := range m.cases {
		for _, id := range []string{c.decision, c.lastUndone} {
			if id == "" {
				continue
			}
			due := id != c.decision || c.settled || !m.now().Before(c.heldUntil)
			m.expect(rt, "release", m.k.ReleaseForTest(ctx, id), due)
			if id == c.decision && due {
				c.settled = true
			}
		}
	}
}

func (m *model) pass(rt *rapid.T) {
	m.k.clock.Advance(
		rapid.SampledFrom([]time.Duration{time.Millisecond, 29 * time.Second, 30 * time.Second, 9 * time.Minute,
			10 * time.Minute}).Draw(rt, "time"))
}

// check compares every case with the model, and the counts with the rows.
func (m *model) check(rt *rapid.T) {
	for _, c := range m.cases {
		item, err := m.k.Get(ctx, c.id)
		if err != nil {
			rt.Fatal(err)
		}
		in, err := m.k.in.Get(ctx, c.id)
		if err != nil {
			rt.Fatal(err)
		}
		if (item.State == "decided") != c.decided || item.Version != c.version || item.DecisionID != c.decision {
			rt.Fatalf("case is %+v, want %+v", item.Row, c)
		}
		if !c.decided && (item.Claim.By.ID != c.claimedBy || c.claimedBy != "" && !item.Claim.Until.Equal(c.until)) {
			rt.Fatalf("claim is %+v, want %s until %v", item.Claim, c.claimedBy, c.until)
		}
		want := interaction.Waiting
		if c.decided {
			want = interaction.Held
			if c.settled && c.kind == review.Reject {
				want = interaction.Escalated
			} else if c.settled {
				want = interaction.Released
			}
		}
		if in.Status != want || (in.FinalText != "") != (want == interaction.Released) {
			rt.Fatalf("interaction is %s with final text %q, want %s", in.Status, in.FinalText, want)
		}
		list, err := m.k.DecisionsFor(ctx, c.id)
		if err != nil {
			rt.Fatal(err)
		}
		standing := 0
		for _, d := range list {
			if d.State != review.Undone {
				standing++
			}
		}
		if len(list) != c.decisions || standing > 1 || (standing == 1) != c.decided {
			rt.Fatalf("%d decisions, %d standing; want %d", len(list), standing, c.decisions)
		}
	}
	m.counts(rt, people[m.step%len(people)])
	m.step++
}

func (m *model) counts(rt *rapid.T, who review.Person) {
	got, err := m.k.Counts(ctx, who.ID, false)
	if err != nil {
		rt.Fatal(err)
	}
	for what, c := range map[string]struct {
		got int
		sql string
	}{
		"needs": {got.Needs, `SELECT COUNT(*) FROM review
			WHERE state = 'waiting' AND (claimed_until <= $1 OR claimed_by = $2)`},
		"others": {got.Others, `SELECT COUNT(*) FROM review
			WHERE state = 'waiting' AND NOT (claimed_until <= $1 OR claimed_by = $2)`},
		"mine": {got.Mine, `SELECT COUNT(*) FROM review
			WHERE state = 'waiting' AND claimed_until > $1 AND claimed_by = $2`},
		"done": {got.Done, `SELECT COUNT(*) FROM review WHERE state = 'decided' AND $1 >= 0 AND $2 <> ''`},
	} {
		var n int
		if err := m.k.db.Reader().QueryRow(c.sql, m.now().UnixMilli(), who.ID).Scan(&n); err != nil || n != c.got {
			rt.Fatalf("%s: counted %d, there are %d (%v)", what, c.got, n, err)
		}
	}
}

// Whatever people do and however time passes: what each call answers is what the rules say, nothing is released without
// a standing decision whose hold has passed, at most one decision stands, undo works only within the hold, and the
// counts are those of the rows. At the end decisions and audit rows agree one to one.
func TestRandomUse(t *testing.T) {
	k := open(t)
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		m := &model{k: k, agent: fmt.Sprint("agent ", run)}
		rt.Repeat(map[string]func(*rapid.T){
			"submit": m.submit, "claim": m.claim, "next": m.claimNext, "renew": m.renew, "unclaim": m.unclaim,
			"skip":   m.skip,
			"decide": m.decide, "decide more": m.decide, "undo": m.undo, "release": m.release, "time": m.pass,
			"": m.check,
		})
	})
	for what, sql := range map[string]string{
		"audit rows without a decision": `SELECT (SELECT COUNT(*) FROM audit
				WHERE action IN ('review.approved', 'review.revised', 'review.rejected')) - (SELECT COUNT(*)
				FROM decision)`,
		"release jobs too many": `SELECT (SELECT COUNT(*) FROM river_job
				WHERE kind = 'review.release') - (SELECT COUNT(*) FROM decision)`,
		"hook calls too many": `SELECT (SELECT COUNT(*) FROM decision) - ` + fmt.Sprint(k.decided),
		"undone too many": `SELECT (SELECT COUNT(*) FROM decision WHERE state = 'undone') - ` +
			fmt.Sprint(k.undone),
		"releases too many": `SELECT (SELECT COUNT(*) FROM decision
				WHERE state IN ('released', 'escalated')) - ` + fmt.Sprint(k.released),
	} {
		if n := k.count(t, sql); n != 0 {
			t.Errorf("%s: %d", what, n)
		}
	}
}
