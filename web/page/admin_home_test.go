package page_test

import (
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/platform/backup"
	"preceptor/internal/platform/db"
)

// What failed is nowhere a backup that was created: not in the history, and not as a step of setting up.
func TestAFailedBackupIsNoBackup(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin)
	dir := filepath.Join(t.TempDir(), "backups")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	err := site.Copies.Set(t.Context(), backup.Plan{Folder: dir, Days: 1}, boss.Account.Actor(), "")
	if err := errors.Join(err, os.Remove(dir), site.Copies.Run(t.Context())); err != nil {
		t.Fatal(err)
	}
	doc := page(t, boss.Get(t, "/admin/backup"), http.StatusOK)
	for _, says := range []string{"Backup failed", "backup schedule", dir + " does not exist"} {
		has(t, doc, "main table", says)
	}
	if has(t, doc, "main", "The last backup failed"); strings.Contains(doc.Find("main table").Text(), "created") {
		t.Errorf("the history: %s", doc.Find("main table").Text())
	}
	open := func() bool {
		return page(t, boss.Get(t, "/admin"), http.StatusOK).Find(`#steps li a[href="/admin/backup"]`).Length() == 1
	}
	if !open() {
		t.Error("the step is done by a backup that failed")
	}
	if _, err := site.Backup(t.Context(), boss.Account.Actor(), filepath.Join(t.TempDir(), "copy.db")); err != nil {
		t.Fatal(err)
	}
	if open() {
		t.Error("the step is open after a backup")
	}
}

func TestTheAdministrationSaysWhatNeedsAPerson(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin)
	steps := func() int { return page(t, boss.Get(t, "/admin"), http.StatusOK).Find("#steps li a").Length() }
	if n := steps(); n != 7 {
		t.Errorf("%d steps of setting up are left, want all 7", n)
	}
	site.Account(t, account.Admin, account.Expert, account.Supervisor)
	site.Token(t, account.Submit)
	if n := steps(); n != 3 {
		t.Errorf("%d steps of setting up are left, want 3", n)
	}
	doc := page(t, boss.Get(t, "/admin"), http.StatusOK)
	if has(t, doc, "#steps header", "4 of 7 done"); doc.Find("#steps li").Length() != 3 ||
		doc.Find("#steps ~ #needs").Length() != 1 {
		t.Error("what is done is listed still, or nothing to do stands first")
	}
	want(t, "a firm that polls", boss.Post(t, "/admin/steps/webhook", url.Values{"needed": {"false"}}),
		http.StatusSeeOther)
	want(t, "no step", boss.Post(t, "/admin/steps/none", url.Values{"needed": {"false"}}), http.StatusNotFound,
		"There is no such step")
	if n := steps(); n != 2 {
		t.Errorf("%d steps of setting up are left, want 2", n)
	}
	other := site.SignedIn(t, account.Admin)
	want(t, "another administrator", other.Get(t, "/admin"), http.StatusOK, "Mark as needed: Add a webhook")
	form := with(filled(t, page(t, other.Get(t, "/admin/policies/propose"), http.StatusOK),
		`form[action="/admin/policies"]`), "why", "Haste.", "late", "30", "act", "propose")
	r := other.Post(t, "/admin/policies", form)
	want(t, "propose", r, http.StatusSeeOther)
	if doc := page(t, boss.Get(t, "/admin"), http.StatusOK); doc.Find("#needs ~ #steps").Length() != 1 {
		t.Error("what waits for a person isn't first")
	}
	want(t, "withdraw", other.Post(t, "/approvals/"+waits(t, site)+"/withdraw", nil), http.StatusSeeOther)
	want(t, "on record", other.Get(t, "/admin/audit?action=setup."), http.StatusOK, "setup.step_dismissed",
		boss.Account.Name)
	want(t, "needed", other.Post(t, "/admin/steps/webhook", url.Values{"needed": {"true"}}), http.StatusSeeOther)
	if n := steps(); n != 3 {
		t.Errorf("%d steps of setting up are left, want 3", n)
	}
	for _, key := range []string{"documents", "webhook", "backup"} {
		want(t, "nothing of it", boss.Post(t, "/admin/steps/"+key, url.Values{"needed": {"false"}}),
			http.StatusSeeOther)
	}
	if doc := page(t, boss.Get(t, "/admin"), http.StatusOK); doc.Find("#steps").Length() != 0 {
		t.Error("the list is shown with nothing left in it")
	}
	want(t, "nothing", boss.Get(t, "/admin"), http.StatusOK, "All clear")
	if err := site.DB.Write(t.Context(), func(tx *db.Tx) error { return site.Jobs.InsertTx(tx, stray{}) }); err != nil {
		t.Fatal(err)
	}
	site.Drain(t)
	want(t, "a parked job", boss.Get(t, "/admin"), http.StatusOK, "1 job is parked", "See why and try again")
	want(t, "its kind", boss.Get(t, "/admin/jobs"), http.StatusOK, "test.stray", "Try all again")
	want(t, "all of it", boss.Post(t, "/admin/jobs/retry", url.Values{"kind": {"test.stray"}}), http.StatusSeeOther)
	want(t, "none of it", boss.Post(t, "/admin/jobs/retry", url.Values{"kind": {"test.stray"}}), http.StatusNotFound,
		"No job of this kind")
}
