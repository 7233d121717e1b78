package page_test

import (
	"archive/zip"
	"bytes"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

// A document is imported for the agents that are named, shown with where it came from and who uses it, checked again,
// and its changes wait for an expert.
func TestADocumentIsSeenWithItsSource(t *testing.T) {
	site := apptest.Open(t)
	boss, edie, sam := site.SignedIn(t, account.Admin), site.SignedIn(t, account.Expert), site.SignedIn(t, account.Supervisor)
	dir := t.TempDir()
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "fees.html"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("<nav><h2>Menu</h2></nav><main><h1>Fees</h1><p>Advice costs £400.</p><h2>Exit</h2><p>Leaving is free.</p></main>")
	want(t, "import", boss.Post(t, "/admin/import", url.Values{"folder": {dir}, "agent": {"ada, bob"}, "pack": {"pension"}}),
		http.StatusSeeOther)
	site.Drain(t)
	sources, err := site.Knowledge.Sources(t.Context())
	if err != nil || len(sources) != 2 || sources[0].Folder != dir || sources[0].Sections != 2 {
		t.Fatalf("%+v, %v", sources, err)
	}
	list := page(t, sam.Get(t, "/knowledge/documents"), http.StatusOK)
	for _, name := range []string{"ada", "bob"} {
		has(t, list, "#source-list", name)
	}
	at := "/knowledge/documents/" + sources[0].ID
	write("<main><h1>Fees</h1><p>Advice costs £500.</p></main>")
	want(t, "check", edie.Post(t, at, url.Values{"do": {"check"}}), http.StatusSeeOther)
	shown := page(t, edie.Get(t, at), http.StatusOK)
	has(t, shown, "#changes", "£500")
	has(t, shown, "#changes", "gone")
	has(t, page(t, sam.Get(t, "/knowledge/documents"), http.StatusOK), "#source-list", "not yet reviewed")
	hasNot(t, page(t, sam.Get(t, at), http.StatusOK), `button[value="take"]`)
	want(t, "a supervisor", sam.Post(t, at, url.Values{"do": {"check"}}), http.StatusForbidden)
	want(t, "unseen", edie.Post(t, at, url.Values{"do": {"take"}, "seen": {"x"}}), http.StatusConflict)
	now, _, err := site.Knowledge.Source(t.Context(), sources[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "accept", edie.Post(t, at, url.Values{"do": {"take"}, "seen": {now.Seen}}), http.StatusSeeOther)
	want(t, "give", edie.Post(t, at, url.Values{"do": {"set"}, "owner": {"pack:general"}, "every": {"7"}}),
		http.StatusSeeOther)
	now, changes, err := site.Knowledge.Source(t.Context(), sources[0].ID)
	if err != nil || len(changes) > 0 || now.Sections != 1 || now.AgentID != "" || now.Pack != "general" || now.Every != 7 {
		t.Errorf("%+v, %+v, %v", now, changes, err)
	}
	want(t, "withdraw", edie.Post(t, at, url.Values{"do": {"withdraw"}, "reason": {"It is old."}}),
		http.StatusSeeOther)
	want(t, "gone", edie.Get(t, at), http.StatusNotFound)
}

// One document can be uploaded as it is; what can't be read is named with its reason, a private address too.
func TestUploadsAndPagesThatCantBeRead(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin)
	want(t, "text", upload(t, boss, "a.txt", []byte("FEES\n\nAdvice costs £400.\n\nEXIT\n\nLeaving is free.")),
		http.StatusSeeOther)
	site.Drain(t)
	if sources, err := site.Knowledge.Sources(t.Context()); err != nil || len(sources) != 1 || sources[0].Sections != 2 {
		t.Fatalf("%+v, %v", sources, err)
	}
	want(t, "picture", upload(t, boss, "scan.pdf", []byte("\x89PNG\r\n")), http.StatusSeeOther)
	site.Drain(t)
	has(t, page(t, boss.Get(t, "/admin/import"), http.StatusOK), "#run", "its name says a PDF, and it is a picture")
	has(t, page(t, boss.Get(t, "/admin/import"), http.StatusOK), "#run .notice[data-tone=amber]",
		"Nothing was imported from scan.pdf")
	var twice bytes.Buffer
	z := zip.NewWriter(&twice)
	for _, s := range []string{"# Exit\n\nLeaving is free.", "# Exit\n\nLeaving costs £5."} {
		w, err := z.Create("docs/exit.md")
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(s))
	}
	z.Close()
	want(t, "a name twice", upload(t, boss, "twice.zip", twice.Bytes()), http.StatusSeeOther)
	site.Drain(t)
	has(t, page(t, boss.Get(t, "/admin/import"), http.StatusOK), "#run", "has it more than once; the first was read")
	if sources, err := site.Knowledge.Sources(t.Context()); err != nil || len(sources) != 2 {
		t.Errorf("%+v, %v", sources, err)
	}
	want(t, "blank", upload(t, boss, "blank.md", []byte(" \n\n")), http.StatusSeeOther)
	site.Drain(t)
	has(t, page(t, boss.Get(t, "/admin/import"), http.StatusOK), `table[aria-label^="Imports"]`, "nothing imported")
	if sources, err := site.Knowledge.Sources(t.Context()); err != nil || len(sources) != 2 {
		t.Errorf("a file without text is listed: %+v, %v", sources, err)
	}
	want(t, "none", boss.Post(t, "/admin/import/pages", url.Values{"addresses": {" "}, "pack": {"pension"}}),
		http.StatusUnprocessableEntity)
	want(t, "pages", boss.Post(t, "/admin/import/pages", url.Values{"pack": {"pension"},
		"addresses": {"https://127.0.0.1/fees\nhttp://10.0.0.1/\nnot an address"}}), http.StatusSeeOther)
	site.Drain(t)
	run := page(t, boss.Get(t, "/admin/import"), http.StatusOK)
	has(t, run, "#run", "127.0.0.1 is this machine")
	has(t, run, "#run", "10.0.0.1 is a private address")
	if n := run.Find("#run tbody tr").Length(); n != 3 {
		t.Errorf("3 lines gave %d problems", n)
	}
}
