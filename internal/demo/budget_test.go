package demo_test

import (
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/demo"
	"preceptor/internal/platform/db"
	"preceptor/internal/stats/counter"
)

// mostBorderline is the share of the demo's drafts that may be borderline.
const mostBorderline = 0.15

// expertsAreAskedLittle: of all drafts, and of those that wait, few are borderline; every other unsettled draft waits
// for a supervisor, or was decided by one. It has a line unless the only judge passed it and isn't sure: then nothing
// is flagged.
func expertsAreAskedLittle(t *testing.T, a *app.App, when string) {
	t.Helper()
	count := func(sql string) (n int) {
		t.Helper()
		if err := a.DB.Read(t.Context(), func(tx *db.Tx) error { return tx.QueryRow(sql).Scan(&n) }); err != nil {
			t.Fatal(err)
		}
		return n
	}
	drafts, asked, ruled := count(`SELECT count(*) FROM review`), count(`SELECT count(*) FROM borderline_case c
		WHERE `+counter.AskedSQL), count(`SELECT count(*) FROM borderline_ruling`)
	waiting, open := count(`SELECT count(*) FROM review
		WHERE state = 'waiting'`), count(`SELECT count(*) FROM borderline_case
			WHERE state IN ('waiting', 'adjudication')`)
	c, err := a.Borderline.Counts(t.Context(), borderline.Viewer{})
	badge := c.Open()
	t.Logf("%s: experts were asked about %d of %d drafts, ruled on %d, and have %d of the %d that wait", when, asked,
		drafts, ruled, open, waiting)
	if float64(asked) > mostBorderline*float64(drafts) || float64(open) > mostBorderline*float64(waiting) ||
		badge != open || err != nil {
		t.Errorf("%s: %d of %d drafts are borderline, %d of the %d that wait; the badge shows %d, %v", when, asked,
			drafts, open, waiting, badge, err)
	}
	if ruled < 2 || open < 1 {
		t.Errorf("%d rulings, %d cases for the newcomer", ruled, open)
	}
	if n := count(`SELECT count(*) FROM borderline_case c JOIN review r ON r.id = c.interaction_id
		WHERE c.held = 1 AND (r.state <> 'waiting' OR c.line = '' AND c.verdict NOT LIKE '%"passed":true%')`); n > 0 {
		t.Errorf("%d drafts that experts are not asked about are not in the supervisors' queue with a line", n)
	}
	if n := count(`SELECT count(*) FROM decision d JOIN borderline_case c ON c.interaction_id = d.review_id
		WHERE d.kind = 'sampled'`); n > 0 {
		t.Errorf("%d unsettled drafts left unread", n)
	}
}

// arrivalsStayInBudget: all new drafts bring experts no more than their share, and none comes twice.
func arrivalsStayInBudget(t *testing.T, a *app.App) {
	arrivals, err := demo.NewArrivals(t.Context(), demo.Services{Accounts: a.Accounts, Interactions: a.Interactions})
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; ; n++ {
		id, err := arrivals.Next(t.Context())
		if err != nil || n > 50 {
			t.Fatalf("after %d: %v", n, err)
		}
		if id == "" {
			break
		}
		if err := a.Jobs.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	expertsAreAskedLittle(t, a, "when all came")
	if list, err := a.Accounts.With(t.Context(), account.Expert); err != nil || len(list) < 3 {
		t.Errorf("%d experts, %v", len(list), err)
	}
}
