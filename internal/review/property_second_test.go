package review_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/policy"
	"preceptor/internal/review"
)

// signature is what somebody agreed to: this text and no other.
type signature struct{ by, text string }

// journal is what people did, written down beside the desk: who signed what. It is what releases are held against.
type journal struct {
	k         *desk
	t         testing.TB
	run       int
	policy    policy.Policy
	cases     []string
	decisions []string
	signed    map[string][]signature // by decision
	twoEyes   map[string]bool
	planted   map[string]bool
	final     map[string]string // what the customer has
	lost      map[string]bool   // people without the role now
}

func (j *journal) who(rt *rapid.T) review.Person {
	return rapid.SampledFrom(people).Draw(rt, "who")
}

func (j *journal) caseID(rt *rapid.T) string {
	if len(j.cases) == 0 {
		j.submit(rt)
	}
	return rapid.SampledFrom(j.cases).Draw(rt, "case")
}

func (j *journal) submit(rt *rapid.T) {
	if len(j.cases) > 2 {
		return // few cases, so that much happens to each
	}
	s := interaction.Submission{AgentID: fmt.Sprint("agent ", j.run), AgentName: "agent", By: robot, Guidance: "Text.",
		Consultation: interaction.Consultation{Question: "Is this a scam?", TaskType: "scams"}}
	if rapid.Bool().Draw(rt, "vulnerable") {
		vulnerable(&s)
	}
	var id string
	var err error
	switch rapid.SampledFrom([]string{"sent", "sent", "planted", "asked"}).Draw(rt, "comes") {
	case "planted":
		err = j.k.db.Write(ctx, func(tx *db.Tx) (err error) { id, err = j.k.in.PlantTx(tx, s, false); return err })
		j.planted[id] = true
	case "asked":
		if id, err = j.k.in.Advise(ctx, s.Consultation, s.AgentID, s.AgentName, interaction.OriginAsk,
			j.who(rt).Actor(), nil); err == nil {
			err = j.k.in.DraftArrived(ctx, id, interaction.Draft{Text: "Text.", Drafter: "d"})
		}
	default:
		for _, c := range j.cases {
			if in, _ := j.k.in.Get(ctx, c); in.Status == interaction.Returned && !in.Planted {
				if newer, _ := j.k.in.RevisedBy(ctx, c); newer == "" {
					s.Revises = c
				}
			}
		}
		var rec interaction.Receipt
		rec, err = j.k.in.Submit(ctx, s, nil)
		id = rec.ID
	}
	if err != nil {
		rt.Fatal(err)
	}
	j.cases = append(j.cases, id)
	if item, _ := j.k.Get(ctx, id); item.Decision != nil {
		if item.NeedsTwo || item.Planted || s.Revises != "" || j.policy.Share == 1 ||
			item.Decision.Kind != review.Sampled {
			rt.Fatalf("let go unread: %+v", item)
		}
		j.decisions = append(j.decisions, item.Decision.ID)
		j.signed[item.Decision.ID] = []signature{{"", "Text."}}
	}
}

func (j *journal) setPolicy(rt *rapid.T) {
	j.policy = policy.Default()
	j.policy.Version = agreedVersion
	j.policy.Share = rapid.SampledFrom([]float64{0, 1}).Draw(rt, "share")
	j.policy.SecondEyes = rapid.SliceOfDistinct(rapid.SampledFrom(policy.Deciding),
		func(c policy.Condition) policy.Condition { return c }).Draw(rt, "second eyes")
	if err := j.k.needTwo(""); err != nil {
		rt.Fatal(err)
	}
}

// role takes the role from somebody, or gives it back.
func (j *journal) role(rt *rapid.T) {
	who := j.who(rt)
	for id, lost := range j.lost { // one at a time, so that there are two left to sign
		if lost {
			who.ID = id
		}
	}
	if j.lost[who.ID] = !j.lost[who.ID]; j.lost[who.ID] {
		j.k.exec(j.t, `DELETE FROM account_role WHERE account_id = $1`, who.ID)
	} else {
		j.k.exec(j.t, `INSERT INTO account_role (account_id, role) VALUES ($1, 'supervisor')`, who.ID)
	}
}

func (j *journal) claim(rt *rapid.T) {
	id, who := j.caseID(rt), j.who(rt)
	item, _ := j.k.Get(ctx, id)
	ok := item.State == "waiting" && !item.Claim.HeldByOther(who.ID, j.k.clock.Now()) && item.First.ID != who.ID
	if err := j.k.Claim(ctx, id, who); (err == nil) != ok {
		rt.Fatalf("claim: %v, want success %v", err, ok)
	}
}

func (j *journal) decide(rt *rapid.T) {
	id, who := j.caseID(rt), j.who(rt)
	item, err := j.k.Get(ctx, id)
	if err != nil {
		rt.Fatal(err)
	}
	in := review.Input{ID: id, By: who, Version: item.Version, TextHash: item.TextHash, ReasonCode: "wrong_facts",
		Reason: "r", Feedback: "f",
		Text: rapid.SampledFrom([]string{"Text.", "Better.", "Best."}).Draw(rt, "text"),
		Kind: rapid.SampledFrom([]string{review.Approve, review.Approve, review.Revise, review.Reject, review.Return}).
			Draw(rt, "kind")}
	if in.Kind == review.Revise && in.Text == item.Text {
		in.Kind = review.Approve
	}
	ok := !j.lost[who.ID] && item.State == "waiting" && item.First.ID != who.ID &&
		!item.Claim.HeldByOther(who.ID, j.k.clock.Now())
	said := item.NeedsTwo || item.TwoFor(who.ID, item.Assessment, in.Kind == review.Revise && in.Text != "Text.") != ""
	dec, err := j.k.Decide(ctx, in)
	if err == nil && item.First.ID == "" && dec.Text != "" && dec.NeedsSecond != said {
		rt.Fatalf("needs two: %v, said before: %v; %+v", dec.NeedsSecond, said, item)
	}
	if (err == nil) != ok {
		rt.Fatalf("decide: %v, want success %v", err, ok)
	}
	if !ok {
		return
	}
	text := item.Text
	if in.Kind == review.Revise {
		text = in.Text
	}
	if in.Kind == review.Reject || in.Kind == review.Return {
		text = ""
	}
	if dec.ID != item.BaseID {
		j.decisions = append(j.decisions, dec.ID)
	}
	j.signed[dec.ID] = append(j.signed[dec.ID], signature{who.ID, text})
}

func (j *journal) undo(rt *rapid.T) {
	if len(j.decisions) == 0 {
		return
	}
	id, who := rapid.SampledFrom(j.decisions).Draw(rt, "decision"), j.who(rt)
	reason := rapid.SampledFrom([]string{"", "why"}).Draw(rt, "reason")
	d, _ := j.k.Decision(ctx, id)
	mine := who.ID == d.By.ID || who.ID == d.Second.ID
	ok := !j.lost[who.ID] && (d.State == review.Pending && mine ||
		d.State == review.Held && j.k.clock.Now().Before(d.HeldUntil) && (mine || reason != ""))
	if _, err := j.k.Undo(ctx, id, who, reason); (err == nil) != ok {
		rt.Fatalf("undo of %+v by %s: %v, want success %v", d, who.ID, err, ok)
	}
}

func (j *journal) recall(rt *rapid.T) {
	if len(j.decisions) == 0 {
		return
	}
	id, who := rapid.SampledFrom(j.decisions).Draw(rt, "decision"), j.who(rt)
	d, _ := j.k.Decision(ctx, id)
	ok := !j.lost[who.ID] && d.State == review.Released
	if _, err := j.k.Recall(ctx, id, who, "why"); (err == nil) != ok {
		rt.Fatalf("recall of %+v: %v, want success %v", d, err, ok)
	}
}

// release runs the job of every decision, and holds what it lets go against the journal.
func (j *journal) release(rt *rapid.T) {
	for _, id := range j.decisions {
		before, _ := j.k.Decision(ctx, id)
		err := j.k.ReleaseForTest(ctx, id)
		due := before.State != review.Held || !j.k.clock.Now().Before(before.HeldUntil)
		if fault.Is(err, fault.Unavailable) == due || err != nil && due {
			rt.Fatalf("release of %+v: %v", before, err)
		}
		after, _ := j.k.Decision(ctx, id)
		if after.State == before.State {
			continue
		}
		gone := j.lost[before.By.ID] || j.lost[before.Second.ID]
		if gone != (after.State == review.Undone) {
			rt.Fatalf("%+v became %s while signers had lost the role: %v", before, after.State, gone)
		}
		if after.State == review.Released {
			j.sent(rt, after)
		}
	}
}

// sent checks that a text went out with the signatures that it needs, each under that very text.
func (j *journal) sent(rt *rapid.T, d *review.Decision) {
	signers := map[string]bool{}
	for _, s := range j.signed[d.ID] {
		if s.text != d.Text {
			rt.Fatalf("%s signed %q, and %q went out", s.by, s.text, d.Text)
		}
		signers[s.by] = true
	}
	if (j.twoEyes[d.InteractionID] || d.NeedsSecond) && len(signers) < 2 {
		rt.Fatalf("%+v went out with the signatures of %v", d, signers)
	}
	if j.planted[d.InteractionID] {
		rt.Fatalf("a planted check went out: %+v", d)
	}
	j.final[d.InteractionID] = d.Text
}

// deliver lets the hold pass.
func (j *journal) deliver(rt *rapid.T) {
	j.k.clock.Advance(31 * time.Second)
	j.release(rt)
}

func (j *journal) pass(rt *rapid.T) {
	j.k.clock.Advance(
		rapid.SampledFrom([]time.Duration{time.Second, 29 * time.Second, 31 * time.Second, 11 * time.Minute}).Draw(rt,
			"time"))
}

// check holds every case against what must always be true.
func (j *journal) check(rt *rapid.T) {
	for _, id := range j.cases {
		item, err := j.k.Get(ctx, id)
		if err != nil {
			rt.Fatal(err)
		}
		in, _ := j.k.in.Get(ctx, id)
		if in.FinalText != j.final[id] || in.Status == interaction.Released && in.FinalText == "" ||
			in.Planted && in.Status == interaction.Released {
			rt.Fatalf("the customer has %q, and %q was released: %+v", in.FinalText, j.final[id], in)
		}
		if j.twoEyes[id] && !item.NeedsTwo {
			rt.Fatalf("the second pair of eyes was waived: %+v", item.Row)
		}
		if listed := j.k.count(j.t, `SELECT two_eyes FROM review WHERE id = $1`, id) == 1; listed != item.NeedsTwo {
			rt.Fatalf("needs two: %v in the queue, on its page %v", listed, item.NeedsTwo)
		}
		j.twoEyes[id] = item.NeedsTwo
		if item.TextHash != interaction.TextHash(item.Text) {
			rt.Fatalf("the form's hash is not that of the text: %+v", item)
		}
		j.checkDecisions(rt, item, in)
	}
	for _, state := range []string{"waiting", "decided"} {
		if d := j.k.count(j.t, `SELECT (SELECT n FROM review_count WHERE state = $1) - (SELECT COUNT(*) FROM review
				WHERE state = $1)`, state); d != 0 {
			rt.Fatalf("%s: %d too many counted", state, d)
		}
	}
}

func (j *journal) checkDecisions(rt *rapid.T, item *review.Item, in *interaction.Interaction) {
	list, err := j.k.DecisionsFor(ctx, item.ID)
	if err != nil {
		rt.Fatal(err)
	}
	var stands *review.Decision
	for i, d := range list {
		if d.State == review.Undone || d.State == review.Overruled || d.State == review.Recalled {
			continue
		}
		if stands != nil {
			rt.Fatalf("two decisions stand: %+v, %+v", stands, d)
		}
		stands = &list[i]
	}
	waits := stands == nil || stands.State == review.Pending
	if waits != (item.State == "waiting") || waits != (in.Status == interaction.Waiting) ||
		waits != (item.DecisionID == "") || !waits && item.DecidedBy != stands.By.ID {
		rt.Fatalf("case %+v, interaction %s, decision %+v", item.Row, in.Status, stands)
	}
	pending := stands != nil && stands.State == review.Pending
	if pending != (item.First.ID != "") || pending &&
		(item.BaseID != stands.ID || item.First != stands.By || !item.NeedsTwo) {
		rt.Fatalf("case %+v, first signature %+v", item.Row, stands)
	}
	if !waits && in.Status != stands.State {
		rt.Fatalf("interaction %s, decision %+v", in.Status, stands)
	}
}

// Whatever three people do under whatever policies, with roles that come and go: a text goes out only with the
// signatures that it needs, of different people who may decide at that moment, each under that very text; at most one
// decision stands; a demand for a second pair of eyes is never waived; and no planted check goes out.
func TestRandomSignatures(t *testing.T) {
	k := open(t)
	k.asRoles()
	k.agreed(t)
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		j := &journal{k: k, t: t, run: run, policy: policy.Default(), signed: map[string][]signature{},
			twoEyes: map[string]bool{}, planted: map[string]bool{},
			final: map[string]string{}, lost: map[string]bool{}}
		for _, p := range people {
			k.exec(t, `INSERT INTO account_role (account_id, role) VALUES ($1, 'supervisor')
				ON CONFLICT DO NOTHING`, p.ID)
		}
		k.PolicyFor = func(*db.Tx, string) (policy.Policy, error) { return j.policy, nil }
		rt.Repeat(map[string]func(*rapid.T){
			"submit": j.submit, "policy": j.setPolicy, "role": j.role, "claim": j.claim, "decide": j.decide,
			"decide more": j.decide, "decide again": j.decide, "and again": j.decide, "deliver": j.deliver,
			"undo": j.undo, "recall": j.recall, "release": j.release, "time": j.pass, "": j.check,
		})
	})
	for what, sql := range map[string]string{ // that the paths were walked at all
		"two signatures released": `SELECT COUNT(*) FROM decision
			WHERE second_by <> '' AND state IN ('released', 'recalled')`,
		"corrections": `SELECT COUNT(*)
			FROM decision d JOIN decision b ON b.id = d.base_id AND b.state = 'recalled'
			WHERE d.state = 'released'`,
		"reinstated": `SELECT COUNT(*) FROM decision p
			WHERE p.state IN ('held', 'released') AND EXISTS (SELECT 1 FROM decision d
				WHERE d.base_id = p.id AND d.state = 'undone')`,
		"planted and closed": `SELECT COUNT(*) FROM decision WHERE state = 'closed'`,
		"sampled":            `SELECT COUNT(*) FROM decision WHERE kind = 'sampled' AND state = 'released'`,
		"new versions":       `SELECT COUNT(*) FROM interaction WHERE revises <> ''`,
		"undone by the system": `SELECT COUNT(*) FROM audit
			WHERE action = 'review.undone' AND actor_kind = 'system'`,
	} {
		t.Logf("%s: %d", what, k.count(t, sql))
	}
	for what, sql := range map[string]string{
		"second signatures and their audit rows": `SELECT (SELECT COUNT(*) FROM audit
				WHERE action = 'review.seconded') - (SELECT COUNT(*) FROM decision WHERE second_by <> '')`,
		"hook calls and what was held": `SELECT (SELECT COUNT(*)
				FROM decision d JOIN review r ON r.id = d.review_id
				WHERE d.held_until > 0 AND d.kind <> 'sampled' AND r.planted = 0) - ` + fmt.Sprint(k.decided),
		"releases": `SELECT (SELECT COUNT(*) FROM audit
				WHERE action IN ('guidance.released', 'guidance.escalated', 'guidance.returned')) - ` +
			fmt.Sprint(k.released),
		"release jobs and what was held": `SELECT (SELECT COUNT(*) FROM river_job
				WHERE kind = 'review.release') - (SELECT COUNT(*) FROM decision WHERE held_until > 0)`,
		"planted checks with a text": `SELECT COUNT(*) FROM interaction
			WHERE planted = 1 AND (final_text <> '' OR status = 'released')`,
	} {
		if n := k.count(t, sql); n != 0 {
			t.Errorf("%s differ by %d", what, n)
		}
	}
}
