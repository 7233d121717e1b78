package policy_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/approval"
	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook/hooktest"
	"preceptor/internal/policy"
)

var (
	ctx = context.Background()
	ann = audit.Actor{Kind: audit.Person, ID: "ann", Name: "Ann Archer"}
	bob = audit.Actor{Kind: audit.Person, ID: "bob", Name: "Bob Barrow"}
	sue = audit.Actor{Kind: audit.Person, ID: "sue", Name: "Sue Sand"} // a supervisor
)

type bench struct {
	*policy.Store
	*policy.Hooks
	approvals *approval.Store
	d         *db.DB
	clock     *dbtest.Clock
}

func open(t *testing.T) bench {
	t.Helper()
	c := dbtest.NewClock()
	d := dbtest.NewAt(t, c)
	b := bench{Hooks: &policy.Hooks{}, d: d, clock: c}
	b.approvals = approval.New(d, hooktest.Late(&approval.Hooks{}))
	b.Store = policy.New(d, b.approvals, hooktest.Late(b.Hooks))
	b.MayAdmin = func(tx *db.Tx, id string) error {
		var n int
		if err := tx.QueryRow(`SELECT count(*) FROM account a JOIN account_role r ON r.account_id = a.id
			WHERE a.id = $1 AND r.role = 'admin' AND a.disabled_at = 0`, id).Scan(&n); err != nil {
			return err
		}
		if n == 0 {
			return fault.New(fault.Denied, "This takes an administrator.")
		}
		return nil
	}
	for id, role := range map[string]string{"ann": "admin", "bob": "admin", "sue": "supervisor"} {
		b.exec(t, `INSERT INTO account (id, email, email_key, name, password_hash, created_at)
			VALUES ($1, $2, $3, $4, '', 1)`, id, id+"@x", id+"@x", id)
		b.exec(t, `INSERT INTO account_role (account_id, role) VALUES ($1, $2)`, id, role)
	}
	return b
}

func (b bench) Agree(ctx context.Context, id string, by audit.Actor) (approval.Change, error) {
	return b.approvals.Agree(ctx, id, by)
}

func (b bench) try(query string, args ...any) error {
	return b.d.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(query, args...)
		return err
	})
}

func (b bench) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	if err := b.try(query, args...); err != nil {
		t.Fatal(err)
	}
}

func share(s float64) policy.Policy {
	p := policy.Default()
	p.Share = s
	return p
}

func forAgent(p policy.Policy, agent string) policy.Policy {
	p.AgentID = agent
	return p
}

func (b bench) propose(t *testing.T, p policy.Policy, by audit.Actor) policy.Version {
	t.Helper()
	now, err := b.Current(ctx, p.AgentID)
	if err != nil {
		t.Fatal(err)
	}
	v, err := b.Propose(ctx, p, now.Version, "It is time.", by)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (b bench) agree(t *testing.T, p policy.Policy) policy.Version {
	t.Helper()
	v := b.propose(t, p, ann)
	if _, err := b.Agree(ctx, v.ID, bob); err != nil {
		t.Fatal(err)
	}
	return v
}

func (b bench) holds(t *testing.T, agent string, version int, share float64) {
	t.Helper()
	p, err := b.Current(ctx, agent)
	if err != nil || p.Version != version || p.Share != share {
		t.Fatalf("for %q version %d holds with %v, want %d with %v (%v)", agent, p.Version, p.Share, version, share,
			err)
	}
}

func wants(t *testing.T, what string, err error, kind fault.Kind) {
	t.Helper()
	if !fault.Is(err, kind) {
		t.Errorf("%s: %v, want %v", what, err, kind)
	}
}

func TestAPolicyTakesTwoAdministrators(t *testing.T) {
	b := open(t)
	b.holds(t, "", 0, 1)
	b.holds(t, "a", 0, 1)
	v := b.propose(t, share(0.4), ann)
	b.holds(t, "", 0, 1)
	_, err := b.Agree(ctx, v.ID, ann)
	wants(t, "the proposer agrees", err, fault.Denied)
	_, err = b.Agree(ctx, v.ID, sue)
	wants(t, "a supervisor agrees", err, fault.Denied)
	_, err = b.Agree(ctx, v.ID, audit.Actor{})
	wants(t, "nobody agrees", err, fault.Denied)
	_, err = b.Propose(ctx, share(0.3), 0, "why", sue)
	wants(t, "a supervisor proposes", err, fault.Denied)
	_, err = b.Agree(ctx, "none", bob)
	wants(t, "no proposal", err, fault.NotFound)
	if n, err := b.approvals.ForMe(ctx, "ann"); n != 0 || err != nil {
		t.Errorf("%d wait for the proposer, %v", n, err)
	}
	if n, err := b.approvals.ForMe(ctx, "bob"); n != 1 || err != nil {
		t.Errorf("%d wait for the other, %v", n, err)
	}
	if _, err := b.Agree(ctx, v.ID, bob); err != nil {
		t.Fatal(err)
	}
	b.holds(t, "", 1, 0.4)
	b.holds(t, "a", 1, 0.4)
	_, err = b.Agree(ctx, v.ID, bob)
	wants(t, "agreed twice", err, fault.Conflict)
	_, err = b.approvals.Refuse(ctx, v.ID, "no", bob)
	wants(t, "refused afterwards", err, fault.Conflict)
	got, err := b.Get(ctx, v.ID)
	if err != nil || got.State != policy.Active || got.Agreed.Name != bob.Name || got.Proposed.Name != ann.Name ||
		got.Why != "It is time." {
		t.Errorf("%+v, %v", got, err)
	}
	page, err := audit.List(ctx, b.d, audit.Filter{Action: "policy."})
	if err != nil || len(page.Rows) != 2 || page.Rows[0].Action != "policy.agreed" || page.Rows[0].Actor.ID != "bob" ||
		!strings.Contains(string(page.Rows[0].Content), `"share_percent":40`) ||
		!strings.Contains(string(page.Rows[0].Content), `"before"`) {
		t.Errorf("audit: %+v, %v", page.Rows, err)
	}
}

func TestTheRolesCountWhenItIsAgreed(t *testing.T) {
	b := open(t)
	v := b.propose(t, share(0.4), ann)
	b.exec(t, `UPDATE account SET disabled_at = 5 WHERE id = 'ann'`)
	_, err := b.Agree(ctx, v.ID, bob)
	wants(t, "the proposer was disabled", err, fault.Conflict)
	b.exec(t, `UPDATE account SET disabled_at = 0 WHERE id = 'ann'`)
	b.exec(t, `DELETE FROM account_role WHERE account_id = 'ann'`)
	_, err = b.Agree(ctx, v.ID, bob)
	wants(t, "the proposer lost the role", err, fault.Conflict)
	b.holds(t, "", 0, 1)
	if _, err := b.approvals.Refuse(ctx, v.ID, "Ann left.", bob); err != nil {
		t.Error(err)
	}
}

func TestAProposalThatWasOvertakenCantBeAgreed(t *testing.T) {
	b := open(t)
	first, second := b.propose(t, share(0.4), ann), b.propose(t, share(0.5), bob)
	own := b.propose(t, forAgent(share(0.2), "a"), ann)
	if _, err := b.Agree(ctx, second.ID, ann); err != nil {
		t.Fatal(err)
	}
	third := b.propose(t, forAgent(share(0.3), "b"), ann)
	list, err := b.approvals.Waiting(ctx, "")
	if err != nil || len(list) != 3 || !list[0].Overtaken || !list[1].Overtaken || list[2].ID != third.ID ||
		list[2].Overtaken {
		t.Errorf("two were overtaken and one wasn't: %+v, %v", list, err)
	}
	for who, want := range map[string]int{bob.ID: 1, ann.ID: 0} {
		if n, err := b.approvals.ForMe(ctx, who); err != nil || n != want {
			t.Errorf("%d wait for %s, want %d, %v", n, who, want, err)
		}
	}
	_, err = b.Agree(ctx, first.ID, bob)
	wants(t, "another was agreed first", err, fault.Conflict)
	_, err = b.Agree(ctx, own.ID, bob)
	wants(t, "what the agent followed has changed", err, fault.Conflict)
	b.holds(t, "", 2, 0.5)
	b.holds(t, "a", 2, 0.5)
	_, err = b.Propose(ctx, share(0.4), 0, "why", ann)
	wants(t, "proposed on an old page", err, fault.Conflict)
	if _, err := b.approvals.Withdraw(ctx, first.ID, ann); err != nil {
		t.Error(err)
	}
}

func TestRefuseAndWithdraw(t *testing.T) {
	b := open(t)
	v := b.propose(t, share(0.4), ann)
	_, err := b.approvals.Refuse(ctx, v.ID, "no", ann)
	wants(t, "refuse one's own", err, fault.Denied)
	_, err = b.approvals.Withdraw(ctx, v.ID, bob)
	wants(t, "withdraw another's", err, fault.Denied)
	_, err = b.approvals.Refuse(ctx, v.ID, "  ", bob)
	wants(t, "refuse without a reason", err, fault.Invalid)
	if got, err := b.approvals.Refuse(ctx, v.ID, "Too early.", bob); err != nil || got.Answer != "Too early." ||
		got.State != approval.Refused {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = b.Agree(ctx, v.ID, bob)
	wants(t, "agree to what was refused", err, fault.Conflict)
	_, err = b.approvals.Withdraw(ctx, v.ID, ann)
	wants(t, "withdraw what was refused", err, fault.Conflict)
	if list, err := b.approvals.Waiting(ctx, ""); len(list) != 0 || err != nil {
		t.Errorf("%v, %v", list, err)
	}
}

func TestAnAgentsOwnPolicyAndTheWayBack(t *testing.T) {
	b := open(t)
	b.agree(t, share(0.5))
	b.agree(t, forAgent(share(0.2), "a"))
	b.holds(t, "a", 2, 0.2)
	b.holds(t, "b", 1, 0.5)
	b.agree(t, share(0.6))
	b.holds(t, "a", 2, 0.2)
	b.holds(t, "b", 3, 0.6)
	follow := policy.Policy{AgentID: "a", Follows: true}
	b.agree(t, follow)
	b.holds(t, "a", 3, 0.6)
	_, err := b.Propose(ctx, follow, 3, "again", ann)
	wants(t, "follows already", err, fault.Invalid)
	// Rolling back is proposing the older text again; it gets a number of its own.
	old, err := b.ByNumber(ctx, 2)
	if err != nil {
		t.Fatal(err)
	}
	b.agree(t, old.Policy)
	b.holds(t, "a", 5, 0.2)
	list, err := b.InForce(ctx)
	if err != nil || len(list) != 2 || list[0].Policy.Version != 3 || list[1].Policy.Version != 5 {
		t.Errorf("in force: %+v, %v", list, err)
	}
	var seen []int
	for before := 0; ; {
		page, next, err := b.List(ctx, before, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range page {
			seen = append(seen, v.Policy.Version)
		}
		if before = next; next == 0 {
			break
		}
	}
	if !slices.Equal(seen, []int{5, 4, 3, 2, 1}) {
		t.Errorf("history %v", seen)
	}
}

func TestAPolicyIsCheckedFieldByField(t *testing.T) {
	b := open(t)
	without := func(c policy.Condition) policy.Policy {
		p := share(0.5)
		p.Always = slices.DeleteFunc(p.Always, func(x policy.Condition) bool { return x == c })
		return p
	}
	change := func(f func(*policy.Policy)) policy.Policy {
		p := share(0.5)
		f(&p)
		return p
	}
	for _, c := range []struct {
		name, field string
		p           policy.Policy
	}{
		{"share above one", "share", share(1.01)}, {"share below zero", "share", share(-0.1)},
		{"share that is no number", "share", share(math.NaN())},
		{"too many planted", "planted", change(func(p *policy.Policy) { p.Planted = 0.3 })},
		{"flags switched off", "always", without(policy.RuleFlag)},
		{"borderline switched off", "always", without(policy.Borderline)},
		{"DB switched off", "always", without(policy.DBPension)},
		{"vulnerable switched off", "always", without(policy.Vulnerable)},
		{"a condition that can't be known yet", "always",
			change(func(p *policy.Policy) { p.Always = append(p.Always, policy.Revised) })},
		{"an unknown condition", "second_eyes", change(func(p *policy.Policy) {
			p.SecondEyes = []policy.Condition{"moon"}
		})},
		{"no time at all", "target_soon", change(func(p *policy.Policy) { p.TargetSoon = 0 })},
		{"late before soon", "target_late", change(func(p *policy.Policy) { p.TargetLate = p.TargetSoon })},
		{"a month", "target_late", change(func(p *policy.Policy) { p.TargetLate = 31 * 24 * time.Hour })},
		{"slow reading", "words_per_min", change(func(p *policy.Policy) { p.WordsPerMin = 20 })},
		{"everybody follows", "follows", policy.Policy{Follows: true}},
	} {
		_, err := b.Propose(ctx, c.p, 0, "why", ann)
		if f := fault.Fields(err); len(f) != 1 || f[0].Name != c.field {
			t.Errorf("%s: %v %v", c.name, err, f)
		}
	}
	_, err := b.Propose(ctx, share(0.5), 0, "", ann)
	if f := fault.Fields(err); len(f) != 1 || f[0].Name != "why" {
		t.Errorf("no reason: %v", err)
	}
	_, err = b.Propose(ctx, policy.Default(), 0, "why", ann)
	wants(t, "nothing changed", err, fault.Invalid)
	if _, err := b.Propose(ctx, without(policy.LowConfidence), 0, "why", ann); err != nil {
		t.Errorf("what may be switched off: %v", err)
	}
}

// A change is visible in the next transaction, also to somebody who asked before; what a rolled-back transaction saw is
// forgotten.
func TestAChangeHoldsFromTheNextTransaction(t *testing.T) {
	b := open(t)
	for i, s := range []float64{0.9, 0.5, 0.7} {
		b.agree(t, share(s))
		for range 3 {
			b.holds(t, "", i+1, s)
			b.holds(t, "a", i+1, s)
		}
	}
	p, _ := b.Current(ctx, "")
	p.Always[0], p.SecondEyes[0] = "scribble", "scribble"
	if again, _ := b.Current(ctx, ""); slices.Contains(again.Always, "scribble") ||
		slices.Contains(again.SecondEyes, "scribble") {
		t.Error("a caller changed what others read")
	}
	before := b.d.Statements()
	b.holds(t, "", 3, 0.7)
	if n := b.d.Statements() - before; n != 1 {
		t.Errorf("%d statements to read a policy that was read before", n)
	}
}

func TestDirectSQLCantGetAroundTheSecondAdministrator(t *testing.T) {
	b := open(t)
	one := b.agree(t, share(0.5))
	two := b.propose(t, share(0.1), ann)
	insert := `INSERT INTO approval (kind, payload, reason, proposed_name, id, subject, version, base, state,
			proposed_by, proposed_at, decided_by, decided_at)
		VALUES ('policy', '{}', 'w', '', `
	agreed := func(by string) string {
		return `approval SET state = 'agreed', decided_by = '` + by + `', decided_at = 5 WHERE id = '` + two.ID + `'`
	}
	for name, query := range map[string]string{
		"agreed at once":          insert + `'x', '', 9, 1, 'agreed', 'ann', 1, 'bob', 2)`,
		"agreed without a second": insert + `'x', 'a', 9, 1, 'agreed', 'ann', 1, '', 0)`,
		"made by one alone":       insert + `'x', '', 9, 1, 'made', 'ann', 1, '', 2)`,
		"with the program":        insert + `'x', '', 9, 1, 'made', '', 1, '', 2)`,
		"proposed by nobody":      insert + `'x', '', 9, 1, 'proposed', '', 1, '', 0)`,
		"over another": strings.Replace(insert, "INSERT", "INSERT OR REPLACE", 1) + `'` + one.ID +
			`', '', 9, 1, 'proposed', 'ann', 1, '', 0)`,
		"over another's number": strings.Replace(insert, "INSERT", "INSERT OR REPLACE", 1) +
			`'x', '', 1, 1, 'proposed', 'ann', 1, '', 0)`,
		"agreed by the proposer":     `UPDATE ` + agreed("ann"),
		"agreed by nobody":           `UPDATE ` + agreed(""),
		"agreed by a supervisor":     `UPDATE ` + agreed("sue"),
		"another text":               `UPDATE approval SET payload = '{"share_percent":0}' WHERE id = '` + one.ID + `'`,
		"another text of a proposal": `UPDATE approval SET payload = '{"share_percent":0}' WHERE id = '` + two.ID + `'`,
		"another proposer":           `UPDATE approval SET proposed_by = 'sue' WHERE id = '` + two.ID + `'`,
		"another agreer":             `UPDATE approval SET decided_by = 'sue' WHERE id = '` + one.ID + `'`,
		"refused afterwards": `UPDATE approval SET state = 'refused', decided_by = 'bob', decided_at = 5
			WHERE id = '` + one.ID + `'`,
		"back to a proposal": `UPDATE approval SET state = 'proposed', decided_by = '', decided_at = 0
			WHERE id = '` + one.ID + `'`,
		"gone":              `DELETE FROM approval WHERE id = '` + two.ID + `'`,
		"all gone":          `DELETE FROM approval`,
		"without its guard": `DROP TRIGGER approval_update`,
		"without its table": `DROP TABLE approval`,
		"by another name":   `ALTER TABLE approval RENAME TO old`,
	} {
		if err := b.try(query); err == nil {
			t.Errorf("%s: it went through", name)
		}
		b.holds(t, "", 1, 0.5)
	}
}

// What is stored without the fixed conditions is read as if it had them.
func TestWhatIsFixedCantBeSwitchedOffInTheFile(t *testing.T) {
	b := open(t)
	b.exec(t, `INSERT INTO approval (kind, id, subject, version, base, state, payload, reason, proposed_by,
			proposed_name, proposed_at)
		VALUES ('policy', 'x', '', 1, 0, 'proposed', '{"share_percent":0,"always":[],"second_eyes":["moon"]}', 'w',
			'ann', 'Ann', 1)`)
	if _, err := b.Agree(ctx, "x", bob); err != nil {
		t.Fatal(err)
	}
	p, err := b.Current(ctx, "")
	if err != nil || p.Version != 1 {
		t.Fatal(p, err)
	}
	for _, c := range policy.Fixed {
		if p.Unread("1", policy.Facts{c: true}) || !slices.Contains(p.Always, c) {
			t.Errorf("%s is switched off", c)
		}
	}
}

func TestARolledBackAgreementChangesNothing(t *testing.T) {
	b := open(t)
	boom := errors.New("boom")
	if err := b.d.Write(ctx, func(tx *db.Tx) error {
		if _, err := b.ForTx(tx, ""); err != nil {
			return err
		}
		return boom
	}); !errors.Is(err, boom) {
		t.Fatal(err)
	}
	b.holds(t, "", 0, 1)
}

// Only a policy that asks for a second supervisor where the one before didn't is told as stricter, with its agent.
func TestAPolicyIsStricterWhereItAsksForMore(t *testing.T) {
	b := open(t)
	var got []string
	b.OnAgreed = func(_ *db.Tx, agentID string, stricter bool) error {
		got = append(got, fmt.Sprint(agentID, stricter))
		return nil
	}
	two := func(agent string, list ...policy.Condition) policy.Policy {
		p := forAgent(policy.Default(), agent)
		p.SecondEyes = list
		return p
	}
	b.agree(t, two("", policy.DBTransfer))
	p := two("", policy.DBTransfer)
	p.TargetLate += time.Hour
	b.agree(t, p)
	b.agree(t, two("", policy.DBTransfer, policy.RuleFlag))
	b.agree(t, two("a"))
	b.agree(t, two("a", policy.Vulnerable))
	b.agree(t, policy.Policy{AgentID: "a", Follows: true})
	if want := []string{"false", "false", "true", "afalse", "atrue", "atrue"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The count on every page doesn't read what the changes say.
func TestWhatWaitsIsCountedUnread(t *testing.T) {
	b := open(t)
	boom, kind := errors.New("boom"), approval.ReviewPolicy
	b.approvals.Handle(kind.Kind, approval.Handler{MayPropose: b.MayAdmin, MayAgree: b.MayAdmin,
		Base:  func(*db.Tx, approval.Change) (int, error) { return 0, nil },
		Check: func(*db.Tx, approval.Change) error { return nil },
		Says:  func(*db.Tx, approval.Change) (approval.Says, error) { return approval.Says{}, boom }})
	if _, err := b.approvals.Propose(ctx, kind, approval.Change{Subject: "a", Reason: "It is time."}, ann); err != nil {
		t.Fatal(err)
	}
	if n, err := b.approvals.ForMe(ctx, "bob"); n != 1 || err != nil {
		t.Errorf("%d wait, %v", n, err)
	}
	if _, err := b.approvals.Waiting(ctx, "bob"); !errors.Is(err, boom) {
		t.Error(err)
	}
}

func BenchmarkForTx(bm *testing.B) {
	d := dbtest.New(bm)
	s := policy.New(d, approval.New(d, hooktest.Late(&approval.Hooks{})), hooktest.Late(&policy.Hooks{}))
	if err := d.Read(ctx, func(tx *db.Tx) error {
		for bm.Loop() {
			if _, err := s.ForTx(tx, "a"); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		bm.Fatal(err)
	}
}
