package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

// An export's name says of which days it is, and in whose zone they are.
func TestAnExportsNameSaysItsDaysAndZone(t *testing.T) {
	site := apptest.Open(t)
	mia := site.SignedIn(t, account.Manager)
	zone := strings.ReplaceAll(site.Zone.String(), "/", "-")
	for days, want := range map[[2]string]string{
		{}: "preceptor-decisions-2026-11-02-0900-" + zone + ".csv",
		{"2026-10-25", "2026-10-25"}: "preceptor-decisions-2026-11-02-0900-from-2026-10-25-to-2026-10-25-" + zone +
			".csv",
		{"", "2026-11-01"}: "preceptor-decisions-2026-11-02-0900-to-2026-11-01-" + zone + ".csv",
	} {
		r := mia.Post(t, "/exports", url.Values{"set": {"decisions"}, "format": {"csv"}, "planted": {"no"},
			"from": {days[0]}, "to": {days[1]}})
		if got := r.Header.Get("Content-Disposition"); r.Status != http.StatusOK ||
			got != "attachment; filename="+want {
			t.Errorf("%v: %d %s, want %s", days, r.Status, got, want)
		}
	}
}
