package page_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

// Days in the audit log's search and in a legal hold are the desk's, and the pages say whose they are.
func TestDaysAreTheDesks(t *testing.T) {
	zone, err := time.LoadLocation("Pacific/Auckland")
	if err != nil {
		t.Fatal(err)
	}
	before := time.Local
	time.Local = zone
	t.Cleanup(func() { time.Local = before })
	site := apptest.Open(t)
	site.Clock.Advance(4 * time.Hour) // 2 November 13:00 UTC, and the 3rd in Auckland
	boss := site.SignedIn(t, account.Admin)
	site.Account(t, account.Expert)
	for day, want := range map[string]int{"2026-11-02": 0, "2026-11-03": 2, "2026-11-04": 0} {
		doc := page(t, boss.Get(t, "/admin/audit?action=account.added&from="+day+"&to="+day), http.StatusOK)
		if n := strings.Count(doc.Find("main table").Text(), "account.added"); n != want {
			t.Errorf("%s has %d rows, want %d", day, n, want)
		}
		has(t, doc, "main form", "Days and times are those of Pacific/Auckland")
	}
	has(t, page(t, boss.Get(t, "/admin/erasure"), http.StatusOK), "main", "the whole day counts, in Pacific/Auckland")
}
