package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

// An administrator schedules backups, sees the last one, and is told of one that failed.
func TestScheduledBackups(t *testing.T) {
	site := apptest.Open(t)
	c, dir := site.SignedIn(t, account.Admin), t.TempDir()
	plan := url.Values{"folder": {"/none/such"}, "hour": {"2"}, "days": {"7"}, "weeks": {"4"}, "months": {"x"}}
	if r := c.Post(t, "/admin/backup/schedule", plan); r.Status != http.StatusUnprocessableEntity ||
		!strings.Contains(r.Body, "/none/such") || !strings.Contains(r.Body, "Keep 0 to 240.") {
		t.Errorf("months of x: %d", r.Status)
	}
	plan.Set("months", "12")
	if r := c.Post(t, "/admin/backup/schedule", plan); r.Status != http.StatusUnprocessableEntity ||
		!strings.Contains(r.Body, "There is no such folder") {
		t.Errorf("a folder that there is not: %d", r.Status)
	}
	plan.Set("folder", dir)
	if r := c.Post(t, "/admin/backup/schedule", plan); r.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	if r := site.SignedIn(t, account.Manager).Post(t, "/admin/backup/schedule",
		plan); r.Status != http.StatusForbidden {
		t.Errorf("a manager: %d", r.Status)
	}
	if err := site.Copies.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if page := c.Get(t, "/admin/backup"); !strings.Contains(page.Body, "Last backup:") ||
		!strings.Contains(page.Body, dir+"/preceptor-") {
		t.Error("the page doesn't show the last backup")
	}
	site.Clock.Advance(30 * 3600 * 1e9)
	if err := site.Copies.Tell(t.Context()); err != nil {
		t.Fatal(err)
	}
	c = site.Enter(t, c.Account) // the session of yesterday has ended
	for path, says := range map[string]string{"/admin": "A scheduled backup failed or is late",
		"/admin/backup": "The daily backup is late", "/inbox": "A scheduled backup failed or is late"} {
		if page := c.Get(t, path); !strings.Contains(page.Body, says) {
			t.Errorf("%s doesn't say that the backup is late", path)
		}
	}
}
