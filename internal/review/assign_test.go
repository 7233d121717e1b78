package review_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/policy"
	"preceptor/internal/review"
)

var meg = review.Person{ID: "meg", Name: "Meg"} // a manager

func (k *desk) mustAssign(t testing.TB, a review.Assignment) review.BulkResult {
	t.Helper()
	res, err := k.Assign(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestPeerRequest3_ASingleItemIsAssignedAndTaken(t *testing.T) {
	k := open(t)
	var told []review.Assigned
	k.OnAssigned = func(_ *db.Tx, a review.Assigned) error { told = append(told, a); return nil }
	k.Assignee = func(_ *db.Tx, key string) (string, error) {
		if name := map[string]string{"ann": "Ann", "bob": "Bob"}[key]; name != "" {
			return name, nil
		}
		return "", fault.WithFields("Not here.", fault.Field{Name: "to", Msg: "Choose a supervisor."})
	}
	id := k.submit(t)
	if res := k.mustAssign(t, review.Assignment{IDs: []string{id, id}, To: "ann", By: ann}); len(res.Changed) != 1 ||
		len(res.LeftOut) != 0 {
		t.Errorf("Ann takes it: %+v", res)
	}
	if got := k.get(t, id).AssignedTo; got != ann {
		t.Errorf("assigned to %+v", got)
	}
	res := k.mustAssign(t, review.Assignment{IDs: []string{id}, To: "bob", By: bob})
	if len(res.Changed) != 0 || res.LeftOut[0].Why != "assigned to Ann" {
		t.Errorf("Bob takes what is Ann's: %+v", res)
	}
	if res = k.mustAssign(t, review.Assignment{IDs: []string{id}, To: "bob", By: ann}); len(res.Changed) != 1 {
		t.Errorf("Ann hands over what is hers: %+v", res)
	}
	if res = k.mustAssign(t, review.Assignment{IDs: []string{id}, By: bob}); len(res.Changed) != 1 ||
		k.get(t, id).AssignedTo.ID != "" {
		t.Errorf("Bob gives back what is his: %+v", res)
	}
	if res = k.mustAssign(t, review.Assignment{IDs: []string{id}, To: "bob", By: ann}); len(res.Changed) != 0 {
		t.Errorf("Ann gives away what is nobody's: %+v", res)
	}
	if res = k.mustAssign(t, review.Assignment{IDs: []string{id}, To: "bob", By: meg, Lead: true}); len(
		res.Changed) != 1 {
		t.Errorf("a manager assigns it: %+v", res)
	}
	_, err := k.Assign(ctx, review.Assignment{IDs: []string{id}, To: "gone", By: meg, Lead: true})
	wantFields(t, err, "to")
	if len(told) != 4 || told[3].To != bob || told[3].By != meg {
		t.Errorf("told %+v", told)
	}
	if n := k.count(t, `SELECT COUNT(*) FROM audit WHERE action IN ('review.assigned', 'review.unassigned')`); n != 4 {
		t.Errorf("%d audit rows, want 4", n)
	}
	k.decide(t, id, ann, review.Reject) // an assignment binds nobody
	if res = k.mustAssign(t, review.Assignment{IDs: []string{id, "nope"}, To: "bob", By: meg,
		Lead: true}); res.Sentence("assigned to Bob") != "Nothing assigned to Bob. 2 left out: 1 already decided, 1 "+
		"no longer there." {
		t.Error(res.Sentence("assigned to Bob"))
	}
}

func TestAssignmentReservesACaseUntilTheTargetPasses(t *testing.T) {
	k := open(t)
	k.PolicyFor = func(*db.Tx, string) (policy.Policy, error) { return policy.Default(), nil }
	k.TeamsOf = func(_ *db.Tx, who string) ([]string, error) {
		return map[string][]string{"ann": {review.TeamKey("db")}}[who], nil
	}
	first, second, third, frail := k.submit(t), k.submit(t), k.submit(t), k.submit(t, vulnerable)
	k.assign(t, second, "bob")
	k.assign(t, third, review.TeamKey("db"))
	k.assign(t, frail, "bob")
	ahead := func(who review.Person) string {
		t.Helper()
		id, _, err := k.Ahead(ctx, who, review.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	if got := ahead(ann); got != third {
		t.Errorf("Ann gets %s, want what is her team's before what is older and nobody's", got)
	}
	if got := ahead(bob); got != frail {
		t.Errorf("Bob gets %s, want what is his, by its priority", got)
	}
	if got := ahead(meg); got != first {
		t.Errorf("Meg gets %s, want what is reserved for nobody", got)
	}
	if c, err := k.Counts(ctx, "ann", false); err != nil || c.Assigned != 0 || c.Needs != 4 {
		t.Errorf("%+v, %v: what is assigned to others can still be opened", c, err)
	}
	k.clock.Advance(24*time.Hour - time.Minute)
	if got := ahead(meg); got != first {
		t.Errorf("a minute before the target Meg gets %s", got)
	}
	k.clock.Advance(2 * time.Minute)
	if got := ahead(meg); got != frail {
		t.Errorf("past the target Meg gets %s, want the first of all", got)
	}
}

func TestBulkActsAreBounded(t *testing.T) {
	k := open(t)
	many := make([]string, 101)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	for _, ids := range [][]string{nil, many} {
		_, err := k.Assign(ctx, review.Assignment{IDs: ids, By: ann})
		wantFields(t, err, "id")
		var seen []review.Seen
		for _, id := range ids {
			seen = append(seen, review.Seen{ID: id})
		}
		_, err = k.SkipAll(ctx, seen, ann, "why")
		wantFields(t, err, "id")
	}
	_, err := k.SkipAll(ctx, []review.Seen{{ID: "x"}}, ann, " ")
	wantFields(t, err, "reason")
}

func TestPeerRequest10_ASkipIsRememberedAndCanBeReset(t *testing.T) {
	k := open(t)
	var seen []review.Seen
	for range 6 {
		seen = append(seen, review.Seen{ID: k.submit(t), Version: 1})
	}
	k.decide(t, seen[0].ID, bob, review.Reject)
	if err := k.Claim(ctx, seen[1].ID, bob); err != nil {
		t.Fatal(err)
	}
	if err := k.Skip(ctx, seen[2].ID, ann, 1, "first"); err != nil {
		t.Fatal(err)
	}
	seen[3].Version = 7
	res, err := k.SkipAll(ctx, seen, ann, "Pensions day.")
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Sentence("skipped"); got != "2 reviews skipped. 4 left out: 1 already decided, 1 being reviewed by "+
		"Bob, 1 already skipped by you, 1 changed since you saw it." {
		t.Error(got)
	}
	c, err := k.Counts(ctx, "ann", false)
	if err != nil || c.Skipped != 3 || c.Needs != 4 {
		t.Errorf("%+v, %v", c, err)
	}
	if id, _, err := k.Ahead(ctx, ann, review.Filter{}); err != nil || id != seen[3].ID {
		t.Errorf("next is %s, %v", id, err)
	}
	if id, _, err := k.Ahead(ctx, bob, review.Filter{Behind: k.place(t, bob, seen[1].ID)}); err != nil ||
		id != seen[2].ID {
		t.Errorf("skips bind nobody else: next for Bob is %s, %v", id, err)
	}
	if n, err := k.ResetSkips(ctx, ann); err != nil || n != 3 {
		t.Errorf("%d reset, %v", n, err)
	}
	if id, _, err := k.Ahead(ctx, ann, review.Filter{}); err != nil || id != seen[2].ID {
		t.Errorf("after the reset next is %s, %v", id, err)
	}
	if item := k.get(t, seen[4].ID); len(item.Skips) != 1 || item.Skips[0].Reason != "Pensions day." {
		t.Errorf("the skip is not remembered: %+v", item.Skips)
	}
	if n, err := k.ResetSkips(ctx, ann); err != nil || n != 0 || k.count(t, `SELECT COUNT(*) FROM audit
		WHERE action = 'review.skips_reset'`) != 1 {
		t.Errorf("again: %d, %v", n, err)
	}
	if err := k.Skip(ctx, seen[4].ID, ann, 1, "again"); err != nil {
		t.Fatal(err)
	}
	k.decide(t, seen[4].ID, bob, review.Reject)
	of, err := k.Progress(ctx, []string{"ann"})
	if c, cerr := k.Counts(ctx, "ann", false); err != nil || cerr != nil || of["ann"].Skipped != 0 || c.Skipped != 0 {
		t.Errorf("skips of decided cases still count: %+v, %+v, %v, %v", of["ann"], c, err, cerr)
	}
}

func TestPeerRequest18_EmptyIsSaidTruthfully(t *testing.T) {
	k := open(t)
	mine, theirs, plain := k.submit(t, vulnerable), k.submit(t, vulnerable), k.submit(t)
	k.decide(t, mine, ann, review.Approve)
	k.decide(t, theirs, bob, review.Approve)
	if err := k.Claim(ctx, plain, bob); err != nil {
		t.Fatal(err)
	}
	if err := k.Claim(ctx, theirs, ann); err != nil {
		t.Fatal(err)
	}
	for who, want := range map[string]review.Counts{
		"ann": {Needs: 1, Mine: 1, Others: 1, Signed: 1}, "bob": {Needs: 2, Mine: 1, Others: 1, Signed: 1},
		"cy": {Needs: 1, Others: 2},
	} {
		got, err := k.Counts(ctx, who, false)
		if err != nil || got.Needs != want.Needs || got.Mine != want.Mine || got.Others != want.Others ||
			got.Signed != want.Signed {
			t.Errorf("%s: %+v, %v, want %+v", who, got, err, want)
		}
		for state, n := range map[string]int{review.Needs: want.Needs, review.Others: want.Others,
			review.Signed: want.Signed} {
			if rows := k.all(t, review.Filter{State: state, Viewer: who}); len(rows) != n {
				t.Errorf("%s of %s: %d rows, want %d", state, who, len(rows), n)
			}
		}
	}
	k.decide(t, theirs, ann, review.Approve)
	k.decide(t, plain, bob, review.Reject)
	if c, err := k.Counts(ctx, "ann", false); err != nil || c.Needs != 0 || c.Signed != 1 || c.Others != 0 {
		t.Errorf("one waits for a second, not Ann: %+v, %v", c, err)
	}
	if rows := k.all(t, review.Filter{State: review.Done}); len(rows) != 2 {
		t.Errorf("what is done stays to be browsed: %d", len(rows))
	}
}

func TestPeerDefect3AndRequest14_TheSameCaseCantBeQueuedTwice(t *testing.T) {
	k := open(t)
	k.assess = flagged("X")
	id := k.submit(t)
	in, err := k.in.Get(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	if err := k.db.Write(ctx, func(tx *db.Tx) error { return k.EnqueueTx(tx, in, flagged("X", "Y")) }); err != nil {
		t.Fatal(err)
	}
	if rows := k.all(t, review.Filter{}); len(rows) != 1 {
		t.Errorf("%d rows", len(rows))
	}
	err = k.db.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(`INSERT INTO review SELECT * FROM review`)
		return err
	})
	if err == nil || !db.IsUnique(err) && !strings.Contains(err.Error(), "queued once") {
		t.Errorf("the table takes it twice: %v", err)
	}
}
