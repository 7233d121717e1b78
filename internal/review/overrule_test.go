package review_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook/hooktest"
	"preceptor/internal/platform/job"
	"preceptor/internal/policy"
	"preceptor/internal/review"
)

// stops is an assessment that these codes stop.
func stops(codes ...string) review.Assessment {
	a := review.Assessment{Label: "NON_COMPLIANT", Blocked: true, Confidence: 0.97, Source: "RULE_BASED",
		Rules: "book 3",
		Flags: []review.Flag{{Code: "JARGON_FOR_LITERACY", Severity: review.Minor, Why: "Hard."}}}
	for _, code := range codes {
		a.Flags = append(a.Flags, review.Flag{Code: code, Severity: review.Critical, Why: "It says so.",
			Quote: "tax free", Stops: true})
	}
	return a
}

// blocked has these codes stop whatever text.
func (k *desk) blocked(codes ...string) {
	k.assess = stops(codes...)
	k.Assess = func(string, *interaction.Interaction) review.Assessment { return k.assess }
}

func because(codes ...string) (list []review.Overruling) {
	for _, code := range codes {
		list = append(list, review.Overruling{Code: code, Reason: "It warns of " + code + "."})
	}
	return list
}

func (k *desk) overrule(t testing.TB, id string, by review.Person, codes ...string) (*review.Decision, error) {
	t.Helper()
	in := k.input(t, id, by, review.Approve)
	in.Overrule = because(codes...)
	return k.Decide(ctx, in)
}

func TestACheckIsOverruledByTwoPeople(t *testing.T) {
	k := open(t)
	k.blocked("PRESSURE", "SCAM_RISK_UNFLAGGED")
	id := k.submit(t)
	dec, err := k.overrule(t, id, ann, "PRESSURE", "SCAM_RISK_UNFLAGGED")
	if err != nil || dec.State != review.Pending || !dec.NeedsSecond || k.get(t, id).TwoEyes != review.OverrulesCheck {
		t.Fatalf("%+v, %v", dec, err)
	}
	_, err = k.Decide(ctx, k.input(t, id, ann, review.Approve))
	wantConflict(t, err, "You approved this")
	if got := k.get(t, id).Base.Overrulings; !slices.Equal(got, because("PRESSURE", "SCAM_RISK_UNFLAGGED")) {
		t.Errorf("the second reads %+v", got)
	}
	second := k.decide(t, id, bob, review.Approve)
	if second.ID != dec.ID || second.State != review.Held || second.Second != bob {
		t.Errorf("%+v", second)
	}
	k.clock.Advance(31 * time.Second)
	k.drain(t)
	if k.status(t, id) != interaction.Released {
		t.Error("it did not go out")
	}
	if n := k.count(t, `SELECT count(*) FROM overruling
		WHERE decision_id = $1 AND severity = 'critical' AND rules = 'book 3' AND text_hash = $2
			AND reason LIKE 'It warns%'`,
		dec.ID, interaction.TextHash(dec.Text)); n != 2 {
		t.Errorf("%d rows", n)
	}
	for _, action := range []string{"review.approved", "review.seconded"} {
		if n := k.count(t, `SELECT count(*) FROM audit a JOIN audit_content c ON c.seq = a.seq
			WHERE a.action = $1 AND c.content LIKE '%It warns of PRESSURE.%'`, action); n != 1 {
			t.Errorf("%d rows of %s have the reason", n, action)
		}
	}
}

func TestWhatAnOverrulingHasToSay(t *testing.T) {
	for name, c := range map[string]struct {
		stopping []string
		overrule []review.Overruling
		field    string
		says     string
	}{
		"nothing": {[]string{"PRESSURE"}, nil, "text", "overrule what blocks it"},
		"no reason": {[]string{"PRESSURE"}, []review.Overruling{{Code: "PRESSURE", Reason: " \n"}},
			"overrule_reason", "Nothing you typed is lost"},
		"no check": {[]string{"PRESSURE"}, []review.Overruling{{Reason: "Wrong."}}, "overrule",
			"Nothing you typed is lost"},
		"a reason too long": {[]string{"PRESSURE"},
			[]review.Overruling{{Code: "PRESSURE", Reason: strings.Repeat("x", 20_000)}}, "overrule_reason",
			"Nothing you typed is lost"},
		"one of two": {[]string{"PRESSURE", "PRODUCT_NAMED_RECOMMENDATION"}, because("PRESSURE"), "overrule",
			"Product recommended by name also blocks"},
		"one that isn't there": {[]string{"PRESSURE"}, because("PRESSURE", "MISSING_SIGNPOST"), "overrule",
			"Missing signpost doesn't block"},
		"one that doesn't stop": {[]string{"PRESSURE"}, because("PRESSURE", "JARGON_FOR_LITERACY"), "overrule",
			"Too hard to read doesn't block"},
		"one that the law asks for": {[]string{"PRESSURE", "MISSING_DB_WARNING"},
			because("PRESSURE", "MISSING_DB_WARNING"), "overrule", "Missing DB warning can't be overruled"},
		"nothing stops it": {nil, because("PRESSURE"), "overrule", "Nothing blocks this text"},
	} {
		t.Run(name, func(t *testing.T) {
			k := open(t)
			if k.assess = good; c.stopping != nil {
				k.assess = stops(c.stopping...)
			}
			id := k.submit(t)
			in := k.input(t, id, ann, review.Approve)
			in.Overrule = c.overrule
			_, err := k.Decide(ctx, in)
			if !fault.Is(err, fault.Invalid) || fault.Fields(err)[0].Name != c.field {
				t.Fatalf("%v: %+v", err, fault.Fields(err))
			}
			wantWords(t, err, c.says)
			if k.count(t, `SELECT count(*) FROM overruling`)+k.count(t, `SELECT count(*) FROM decision`) > 0 {
				t.Error("something was stored")
			}
		})
	}
}

// Another pack's law asks for no such warning.
func TestWhatMayNotBeOverruledIsThePacks(t *testing.T) {
	if got := review.Final([]string{"PRESSURE", "MISSING_DB_WARNING"}, "pension"); !slices.Equal(got,
		[]string{"MISSING_DB_WARNING"}) {
		t.Error(got)
	}
	if got := review.Final([]string{"PRESSURE", "MISSING_DB_WARNING"}, "general"); len(got) > 0 {
		t.Error(got)
	}
}

func TestAnOverrulingHoldsForOneText(t *testing.T) {
	k := open(t)
	k.assess = stops("PRESSURE")
	k.Assess = func(text string, _ *interaction.Interaction) review.Assessment { return stops("PRESSURE") }
	id := k.submit(t)
	first, err := k.overrule(t, id, ann, "PRESSURE")
	if err != nil {
		t.Fatal(err)
	}
	edit := k.input(t, id, bob, review.Revise) // the second edits it: what was overruled is overruled no more
	_, err = k.Decide(ctx, edit)
	wantFields(t, err, "text", "text")
	edit.Overrule = because("PRESSURE")
	second, err := k.Decide(ctx, edit)
	if err != nil || second.State != review.Pending || second.By != bob {
		t.Fatalf("%+v, %v", second, err)
	}
	k.wantState(t, first.ID, review.Overruled)
	if got := k.decide(t, id, ann, review.Approve); got.State != review.Held || got.ID != second.ID {
		t.Errorf("%+v", got)
	}
	k.policyOf(policy.Policy{Version: 9, Share: 0, WordsPerMin: 600})
	again := k.submit(t, agent("b")) // the agent sends the same words once more
	if _, err := k.Decide(ctx, k.input(t, again, cy, review.Approve)); !fault.Is(err, fault.Invalid) ||
		k.status(t, again) != interaction.Waiting {
		t.Errorf("the same words went out: %v", err)
	}
}

// policyOf is the policy of every agent.
func (k *desk) policyOf(p policy.Policy) {
	k.PolicyFor = func(*db.Tx, string) (policy.Policy, error) { return p, nil }
}

// A check that stops the text since the first signature wasn't overruled by anybody; the second overrules both, and the
// first confirms.
func TestWhatStopsSinceTheFirstSignatureIsNotOverruled(t *testing.T) {
	k := open(t)
	now := stops("PRESSURE")
	k.assess, k.Assess = now, func(string, *interaction.Interaction) review.Assessment { return now }
	id := k.submit(t)
	first, err := k.overrule(t, id, ann, "PRESSURE")
	if err != nil {
		t.Fatal(err)
	}
	now = stops("PRESSURE", "MISSING_SIGNPOST")
	_, err = k.Decide(ctx, k.input(t, id, bob, review.Approve))
	wantFields(t, err, "text", "text", "text")
	wantWords(t, err, "Since Ann overruled", "Missing signpost blocks")
	second, err := k.overrule(t, id, bob, "PRESSURE", "MISSING_SIGNPOST")
	if err != nil || second.State != review.Pending {
		t.Fatalf("%+v, %v", second, err)
	}
	k.wantState(t, first.ID, review.Overruled)
	if got := k.decide(t, id, ann, review.Approve); got.By != bob || got.Second != ann {
		t.Errorf("%+v", got)
	}
}

// Who overruled a check and lost the right to decide signs for nobody; the second's signature becomes the first.
func TestTheFirstSignerOfAnOverrulingIsGone(t *testing.T) {
	k := open(t)
	k.asRoles()
	k.blocked("PRESSURE")
	id := k.submit(t)
	if _, err := k.overrule(t, id, ann, "PRESSURE"); err != nil {
		t.Fatal(err)
	}
	k.exec(t, `DELETE FROM account_role WHERE account_id = 'ann'`)
	dec := k.decide(t, id, bob, review.Approve)
	if dec.State != review.Pending || dec.By != bob || !slices.Equal(dec.Overrulings, because("PRESSURE")) {
		t.Fatalf("%+v", dec)
	}
	if got := k.decide(t, id, cy, review.Approve); got.State != review.Held {
		t.Errorf("%+v", got)
	}
}

func TestUndoneDecisionsTakeTheirOverrulingBack(t *testing.T) {
	k := open(t)
	k.blocked("PRESSURE")
	id := k.submit(t)
	overruled := func() int {
		t.Helper()
		d, err := k.Disagreement(ctx, "PRESSURE", time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		return d.Overruled
	}
	k.mustOverrule(t, id)
	dec := k.decide(t, id, bob, review.Approve)
	if n := overruled(); n != 0 {
		t.Errorf("%d while it can be undone", n)
	}
	if _, err := k.Undo(ctx, dec.ID, ann, ""); err != nil {
		t.Fatal(err)
	}
	_, err := k.Decide(ctx, k.input(t, id, ann, review.Approve))
	wantFields(t, err, "text", "text")
	k.mustOverrule(t, id)
	k.decide(t, id, bob, review.Approve)
	k.clock.Advance(31 * time.Second)
	k.drain(t)
	if n := overruled(); n != 1 {
		t.Errorf("%d once it went out", n)
	}
	if _, err := k.Recall(ctx, k.get(t, id).DecisionID, cy, "It does press."); err != nil {
		t.Fatal(err)
	}
	if n := overruled(); n != 0 {
		t.Errorf("%d of what was recalled", n)
	}
	_, err = k.Decide(ctx, k.input(t, id, cy, review.Approve)) // what was recalled is overruled anew
	wantFields(t, err, "text", "text")
}

func (k *desk) mustOverrule(t testing.TB, id string) {
	t.Helper()
	if _, err := k.overrule(t, id, ann, "PRESSURE"); err != nil {
		t.Fatal(err)
	}
}

func TestACheckIsLookedAtFromThreeInTen(t *testing.T) {
	for _, c := range []struct {
		found, overruled int
		look             bool
	}{{0, 0, false}, {3, 3, false}, {9, 9, false}, {10, 2, false}, {10, 3, true}, {11, 3, false}, {100, 29, false},
		{100, 30, true}} {
		if got := (review.Disagreement{Found: c.found, Overruled: c.overruled}).Look(); got != c.look {
			t.Errorf("%d of %d: %v", c.overruled, c.found, got)
		}
	}
}

func TestHowOftenPeopleDisagree(t *testing.T) {
	k := open(t)
	k.assess = stops("PRESSURE")
	k.Assess = func(text string, _ *interaction.Interaction) review.Assessment {
		if strings.Contains(text, "limit") {
			return good
		}
		return stops("PRESSURE")
	}
	for i := range 3 { // overruled, revised, rejected
		id := k.submit(t)
		switch i {
		case 0:
			k.mustOverrule(t, id)
			k.decide(t, id, bob, review.Approve)
		case 1:
			if dec := k.decide(t, id, ann, review.Revise); dec.NeedsSecond {
				t.Errorf("%+v", dec)
			}
		case 2:
			k.decide(t, id, ann, review.Reject)
		}
	}
	k.submit(t) // waits
	k.clock.Advance(31 * time.Second)
	k.drain(t)
	got, err := k.Disagreement(ctx, "PRESSURE", time.Time{})
	if err != nil || got.Found != 3 || got.Overruled != 1 || got.List[0].By != ann || got.List[0].Second != bob ||
		got.List[0].Reason == "" || got.Look() {
		t.Errorf("%+v, %v", got, err)
	}
	if codes, err := k.OverruledCodes(ctx); err != nil || !slices.Equal(codes, []string{"PRESSURE"}) {
		t.Errorf("%v, %v", codes, err)
	}
	if later, err := k.Disagreement(ctx, "PRESSURE", k.clock.Now()); err != nil || later.Found != 0 {
		t.Errorf("%+v, %v", later, err)
	}
}

func TestErasureReachesOverrulings(t *testing.T) {
	k := open(t)
	k.assess = stops("PRESSURE")
	id := k.submit(t)
	k.mustOverrule(t, id)
	if _, err := k.SaveDraft(ctx, bob,
		review.Draft{CaseID: id, Version: 2, Mode: review.OverruleMode, Overrule: because("PRESSURE")}); err != nil {
		t.Fatal(err)
	}
	if list, err := k.Drafts(ctx, id, bob); err != nil || len(list) != 1 ||
		!slices.Equal(list[0].Overrule, because("PRESSURE")) {
		t.Fatalf("%+v, %v", list, err)
	}
	k.decide(t, id, bob, review.Approve)
	k.clock.Advance(31 * time.Second)
	k.drain(t)
	if err := k.db.Write(ctx, func(tx *db.Tx) error { _, err := k.EraseTx(tx, id); return err }); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"overruling WHERE reason LIKE '%It warns%' OR text_hash <> ''", "review_draft"} {
		if n := k.count(t, `SELECT count(*) FROM `+table); n != 0 {
			t.Errorf("%d rows of %s are left", n, table)
		}
	}
	if d, err := k.Disagreement(ctx, "PRESSURE", time.Time{}); err != nil || d.Overruled != 1 {
		t.Errorf("that it was overruled is gone: %+v, %v", d, err)
	}
}

// Reasons are about customers: no log has them.
func TestReasonsAreNotLogged(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	k := open(t)
	k.jobs = job.New(k.db, log)
	k.assess = stops("PRESSURE")
	k.in = interaction.New(k.db, k.jobs, k.arriving(), log)
	k.Queue = review.New(k.db, k.jobs, k.in, review.Policy{}, hooktest.Late(&k.Hooks), log)
	id := k.submit(t)
	_, err := k.overrule(t, id, ann, "PRESSURE", "MISSING_SIGNPOST")
	fmt.Fprintln(&out, err)
	k.mustOverrule(t, id)
	k.decide(t, id, bob, review.Approve)
	if strings.Contains(out.String(), "It warns") {
		t.Error(out.String())
	}
}
