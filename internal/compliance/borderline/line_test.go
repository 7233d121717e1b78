package borderline_test

import (
	"strings"
	"testing"
	"time"

	"preceptor/internal/approval"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/rubric"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

func TestSimilarRulings(t *testing.T) {
	d := open(t)
	old := d.enrol(t, seedVerdict(), false)
	d.whole(t, old, eva, compliance.NonCompliant)
	d.clock.Advance(borderline.UndoFor + time.Minute)
	c := d.enrol(t, seedVerdict(), false)
	d.blind(t, c, fay, compliance.NonCompliant)
	list, err := d.Similar(ctx, c.ID, borderline.Viewer{Person: fay, Expert: true}, 3)
	if err != nil || len(list) != 1 || list[0].Case.ID != old.ID || list[0].Ruling.Label != compliance.NonCompliant {
		t.Fatalf("%+v %v", list, err)
	}
	if _, err := d.db.Writer().Exec(`UPDATE borderline_case SET pack = 'general' WHERE id = $1`, c.ID); err != nil {
		t.Fatal(err)
	}
	list, err = d.Similar(ctx, c.ID, borderline.Viewer{Person: fay, Expert: true}, 3)
	if err != nil || len(list) != 0 {
		t.Errorf("of another pack: %+v %v", list, err)
	}
}

func TestRatings(t *testing.T) {
	d := open(t)
	in := consultation(false)
	n := 0
	err := d.db.Write(ctx, func(tx *db.Tx) error {
		for range 2000 {
			if err := d.SampleTx(tx, id.New(), in, in.Guidance, sue.ID, eva.ID); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	list, err := d.Ratings(ctx, fay, false, 500)
	if n = len(list); err != nil || n < 50 || n > 160 {
		t.Fatalf("%d of 2,000 were drawn for 5 %%: %v", n, err)
	}
	if own, _ := d.Ratings(ctx, eva, false, 500); len(own) != 0 {
		t.Error("who signed is asked to rate it")
	}
	_, err = d.Rating(ctx, list[0].ID, eva)
	refused(t, err, fault.Denied)
	refused(t, d.Rate(ctx, borderline.RateInput{ID: list[0].ID, By: fay, Stars: 6}), fault.Invalid)
	refused(t, d.Rate(ctx, borderline.RateInput{ID: list[0].ID, By: fay, Stars: 2}), fault.Invalid)
	for i, stars := range []int{4, 5} {
		if err := d.Rate(ctx, borderline.RateInput{ID: list[i].ID, By: fay, Stars: stars}); err != nil {
			t.Fatal(err)
		}
	}
	refused(t, d.Rate(ctx, borderline.RateInput{ID: list[0].ID, By: gus, Stars: 3}), fault.Conflict)
	q, err := d.Quality(ctx, dbtest.Start)
	if err != nil || q.Rated != 2 || q.Mean != 4.5 || q.By != [5]int{0, 0, 0, 1, 1} {
		t.Errorf("%+v %v", q, err)
	}
}

func TestTheLineIsVersioned(t *testing.T) {
	d := open(t)
	if r := d.Rubric(""); r.Version != 1 || !strings.Contains(r.Text, "guidance only") {
		t.Fatalf("%+v", r)
	}
	if len(d.Taxonomy("").Issues) < 12 {
		t.Fatal("the taxonomy is short")
	}
	propose := func() error {
		return d.Propose(ctx, rubric.RubricKind, pack.Pension, "Nobody is steered.", "Shorter.", 1, eva.Actor())
	}
	if err := propose(); err != nil {
		t.Fatal(err)
	}
	refused(t, propose(), fault.Conflict)
	list, err := d.Editions(ctx, rubric.RubricKind, pack.Pension)
	if err != nil || list[0].State != approval.Proposed {
		t.Fatalf("%+v %v", list, err)
	}
	_, err = d.approvals.Agree(ctx, list[0].ID, eva.Actor())
	refused(t, err, fault.Denied)
	if err := d.db.Write(ctx, func(tx *db.Tx) error {
		if err := db.Exec(tx, "test", `INSERT INTO account (id, email, email_key, name, password_hash, created_at)
			VALUES ($1, 'e', 'e', 'E', '', 1), ($2, 'f', 'f', 'F', '', 1)`, eva.ID, fay.ID); err != nil {
			return err
		}
		return db.Exec(tx, "test", `INSERT INTO account_role (account_id, role)
			VALUES ($1, 'expert'), ($2, 'expert')`, eva.ID, fay.ID)
	}); err != nil {
		t.Fatal(err)
	}
	if d.Rubric("").Version != 1 {
		t.Error("a proposal is in force")
	}
	c := d.enrol(t, seedVerdict(), true)
	d.blind(t, c, eva, compliance.NonCompliant)
	if _, err := d.approvals.Agree(ctx, list[0].ID, fay.Actor()); err != nil {
		t.Fatal(err)
	}
	if r := d.Rubric(""); r.Version != 3 || r.Text != "Nobody is steered." {
		t.Errorf("%+v", r)
	}
	d.blind(t, c, fay, compliance.NonCompliant)
	if a, b := d.view(t, c, eva).Blind, d.view(t, c, fay).Blind; a.RubricVersion != 1 || b.RubricVersion != 3 {
		t.Errorf("answers under %d and %d", a.RubricVersion, b.RubricVersion)
	}
	if err := d.Sync(ctx); err != nil || d.Rubric("").Version != 3 {
		t.Errorf("a start takes the people's version back: %v", err)
	}
	for _, bad := range []string{"{}", "[]", `[{"code":"a b","label":"x","what":"y"}]`,
		`[{"code":"A","label":"x","what":"y"},{"code":"A","label":"x","what":"y"}]`, `[{"code":"A"}]`} {
		refused(t, d.Propose(ctx, rubric.TaxonomyKind, pack.Pension, bad, "Why not.", 1, eva.Actor()), fault.Invalid)
	}
	list, err = d.Editions(ctx, rubric.RubricKind, pack.Pension)
	if err != nil || len(list) != 2 || list[0].Word() != "in force" || list[1].Word() != "replaced" ||
		list[0].Decided.Name != fay.Name {
		t.Errorf("%+v %v", list, err)
	}
}

func TestLateCasesAreToldOnce(t *testing.T) {
	d := open(t)
	d.enrol(t, seedVerdict(), false)
	told := 0
	d.OnLate = func(_ *db.Tx, late []borderline.Case) error { told += len(late); return nil }
	for _, step := range []time.Duration{0, target + time.Minute, time.Hour} {
		d.clock.Advance(step)
		if _, err := d.Remind(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
	late := func() int {
		n, err := d.Counts(ctx, borderline.Viewer{Person: eva, Expert: true})
		if err != nil {
			t.Fatal(err)
		}
		return n.Late
	}
	// Another policy holds for open cases at once, and who has time again is reminded again.
	for _, to := range []struct {
		target     time.Duration
		late, told int
	}{{48 * time.Hour, 0, 1}, {26 * time.Hour, 0, 1}, {25 * time.Hour, 1, 2}, {5 * time.Minute, 1, 2}, {target, 1, 2}} {
		d.AskFor = func(*db.Tx, string) (borderline.Asked, error) {
			return borderline.Asked{Target: to.target, Share: 1, First: 1}, nil
		}
		if err := d.db.Write(ctx, func(tx *db.Tx) error { _, err := d.RetargetTx(tx); return err }); err != nil {
			t.Fatal(err)
		}
		if n := late(); n != to.late {
			t.Errorf("target %v: %d late", to.target, n)
		}
		if _, err := d.Remind(ctx); err != nil || told != to.told {
			t.Errorf("target %v: reminded %d times, %v", to.target, told, err)
		}
	}
	n, err := d.Counts(ctx, borderline.Viewer{Person: eva, Expert: true})
	if err != nil || n.Waiting != 1 || n.Late != 1 || n.Oldest != dbtest.Start {
		t.Errorf("%+v %v", n, err)
	}
}
