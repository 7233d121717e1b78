package page_test

import (
	"archive/zip"
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/pack"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/job"
)

func want(t *testing.T, what string, r apptest.Response, status int, texts ...string) {
	t.Helper()
	if r.Status != status {
		t.Errorf("%s: %d, want %d: %s", what, r.Status, status, r.Body)
		return
	}
	for _, text := range texts {
		if !strings.Contains(r.Body, text) {
			t.Errorf("%s: %q is missing in %s", what, text, r.Body)
		}
	}
}

func TestPeople(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin)
	form := url.Values{"name": {`Eve <script>alert(1)</script>`}, "email": {"eve@example.org"},
		"roles": {"expert", "manager"}}
	made := boss.Follow(t, "/admin/people", form)
	link := regexp.MustCompile(`/join/[\w-]{43}`).FindString(made.Body)
	want(t, "invite", made, http.StatusOK, "Eve &lt;script&gt;", " invited", "shown again", `data-copy="fresh-link"`)
	r := boss.Get(t, "/admin/people")
	want(t, "list", r, http.StatusOK, "Eve &lt;script&gt;", "eve@example.org", "invited")
	if strings.Contains(made.Body+r.Body, "<script>alert") || link == "" || strings.Contains(r.Body, "/join/") {
		t.Error("a name is executed, or the link is not shown once")
	}
	want(t, "the same address", boss.Post(t, "/admin/people", form), http.StatusConflict,
		"already an account with this e-mail address", `value="eve@example.org"`)
	form.Set("email", "eve")
	want(t, "no address", boss.Post(t, "/admin/people", form), http.StatusUnprocessableEntity,
		"Enter an e-mail address in the format")
	want(t, "her page", site.Nobody(t).Get(t, link), http.StatusOK, "Choose your password", "eve@example.org")
	want(t, "a short password", site.Nobody(t).Post(t, link, url.Values{"password": {"short"}}),
		http.StatusUnprocessableEntity, "Use at least 12 characters")
	want(t, "a good one", site.Nobody(t).Post(t, link, url.Values{"password": {apptest.Password}}), http.StatusSeeOther)
	for _, gone := range []string{link, "/join/" + strings.Repeat("x", 43), "/join/x"} {
		want(t, "a link that is none", site.Nobody(t).Get(t, gone), http.StatusNotFound, "no longer works")
		want(t, "a link that is none", site.Nobody(t).Post(t, gone, url.Values{"password": {apptest.Password}}),
			http.StatusNotFound, "no longer works")
	}
	want(t, "one's own", boss.Post(t, "/admin/people/"+boss.Account.ID+"/link", nil), http.StatusConflict,
		"Change your own password")
	want(t, "the last admin", boss.Post(t, "/admin/people/"+boss.Account.ID+"/roles", url.Values{"roles": {"expert"}}),
		http.StatusConflict, "only administrator")
	want(t, "no roles", boss.Post(t, "/admin/people/"+boss.Account.ID+"/roles", nil), http.StatusUnprocessableEntity,
		"at least one role")
	want(t, "nobody's roles", boss.Post(t, "/admin/people/none/roles", url.Values{"roles": {"expert"}}),
		http.StatusNotFound)
	all, err := site.Accounts.List(t.Context())
	at := slices.IndexFunc(all, func(a account.Account) bool { return a.Email == "eve@example.org" })
	if err != nil || at < 0 {
		t.Fatal(all, err)
	}
	eve := all[at]
	want(t, "disable", boss.Post(t, "/admin/people/"+eve.ID+"/disable", nil), http.StatusSeeOther)
	want(t, "disabled", boss.Get(t, "/admin/people/"+eve.ID), http.StatusOK, "can no longer sign in", "Let Eve")
	want(t, "enable", boss.Post(t, "/admin/people/"+eve.ID+"/enable", nil), http.StatusSeeOther)
	site.SignIn(t, eve)
	want(t, "reset", boss.Follow(t, "/admin/people/"+eve.ID+"/link", nil), http.StatusOK, "/join/", "Reset link for")
	site.Enter(t, eve)
	want(t, "where", boss.Get(t, "/admin/people/"+eve.ID), http.StatusOK, "test browser", "out everywhere")
	want(t, "sign out", boss.Post(t, "/admin/people/"+eve.ID+"/sign-out", nil), http.StatusSeeOther)
	want(t, "nowhere", boss.Get(t, "/admin/people/"+eve.ID), http.StatusOK, "Nowhere.")
	want(t, "nobody", boss.Get(t, "/admin/people/none"), http.StatusNotFound)
	want(t, "found", boss.Get(t, "/admin/people?q=eve&role=expert&access=no"), http.StatusOK, "eve@example.org")
	want(t, "not found", boss.Get(t, "/admin/people?q=eve&role=admin"), http.StatusOK, "No matches")
	// Fields that the form does not have change nothing.
	boss.Post(t, "/admin/people/"+eve.ID+"/enable",
		url.Values{"roles": {"admin"}, "version": {"99"}, "name": {"Mallory"}})
	if got, _ := site.Accounts.Get(t.Context(), eve.ID); got.Has(account.Admin) || got.Name != eve.Name {
		t.Errorf("extra fields counted: %+v", got)
	}
}

func TestTokenIsShownOnce(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin)
	want(t, "empty", boss.Get(t, "/admin/agents"), http.StatusOK, "No tokens yet")
	made := url.Values{"agent": {"pension-advisor"}, "pack": {"pension"}, "scopes": {"submit"}, "days": {"30"}}
	want(t, "make one that isn't looked at", boss.Post(t, "/admin/agents/tokens", made), http.StatusSeeOther)
	if kept, err := db.Read(t.Context(), site.DB, func(tx *db.Tx) (string, error) {
		b, err := db.Value[[]byte](tx, "what the next page shows", `SELECT sealed FROM session_once`)
		return string(b), err
	}); err != nil || len(kept) < 40 || strings.Contains(kept, "pcp_") {
		t.Errorf("the next page's token is kept as %q, %v", kept, err)
	}
	if r := site.SignedIn(t, account.Admin).Get(t, "/admin/agents"); strings.Contains(r.Body, "isn't stored") {
		t.Error("another browser is shown it")
	}
	r := boss.Follow(t, "/admin/agents/tokens", made)
	want(t, "make", r, http.StatusOK, "pension-advisor", "isn't stored")
	plain := regexp.MustCompile(`pcp_[0-9A-Za-z]{36}`).FindString(r.Body)
	if plain == "" {
		t.Fatal("the token is not shown")
	}
	if r := boss.Get(t, "/admin/agents"); strings.Contains(r.Body, plain) || !strings.Contains(r.Body, plain[:8]) {
		t.Error("the token is shown again, or its hint is not")
	}
	token, err := site.Accounts.Authenticate(t.Context(), plain)
	if err != nil || !token.ExpiresAt.Equal(site.Clock.Now().Add(30*24*time.Hour)) || token.Has(account.Recall) {
		t.Errorf("%+v, %v", token, err)
	}
	want(t, "revoke", boss.Post(t, "/admin/agents/tokens/"+token.ID+"/revoke", nil), http.StatusSeeOther)
	if _, err := site.Accounts.Authenticate(t.Context(), plain); err == nil {
		t.Error("the revoked token works")
	}
	for what, form := range map[string]url.Values{
		"no scope":      {"agent": {"a"}, "days": {"30"}},
		"no agent":      {"scopes": {"submit"}, "days": {"30"}},
		"no days":       {"agent": {"a"}, "scopes": {"submit"}},
		"negative days": {"agent": {"a"}, "scopes": {"submit"}, "days": {"-1"}},
		"another scope": {"agent": {"a"}, "scopes": {"decide"}, "days": {"30"}},
	} {
		want(t, what, boss.Post(t, "/admin/agents/tokens", form), http.StatusUnprocessableEntity)
	}
}

// The request beside a new token works as it stands, whatever the token is for.
func TestANewTokensRequestWorks(t *testing.T) {
	const home = "http://preceptor.example:8080"
	site := apptest.Open(t, func(c *config.Config) { c.PublicURL = home })
	boss, parts := site.SignedIn(t, account.Admin),
		regexp.MustCompile(`(?s)^curl -sS '`+home+`(/[^']+)' -H 'Authorization: Bearer (\w+)'(?:.* -d '(.*)')?$`)
	for _, scope := range account.Scopes {
		r := boss.Follow(t, "/admin/agents/tokens",
			url.Values{"agent": {"a"}, "pack": {"general"}, "scopes": {string(scope)}, "days": {"30"}})
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(r.Body))
		if err != nil {
			t.Fatal(err)
		}
		shown := doc.Find("#fresh-request").Text()
		call := parts.FindStringSubmatch(shown)
		if call == nil || call[2] != doc.Find("#fresh-token").Text() {
			t.Fatalf("%s: %s", scope, shown)
		}
		method, agent := http.MethodGet, site.Nobody(t)
		if call[3] != "" {
			method = http.MethodPost
		}
		agent.Header.Set("Authorization", "Bearer "+call[2])
		want(t, shown, agent.JSON(t, method, call[1], call[3]), http.StatusOK)
	}
}

// A new token says whose it is, and that the name it was asked for is an earlier one.
func TestANewTokenSaysWhoseItIs(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin)
	made := func(name string) string {
		return boss.Follow(t, "/admin/agents/tokens", url.Values{"agent": {name}, "pack": {"general"},
			"scopes": {"recall"}, "days": {"30"}}).Body
	}
	if s := made("desk-one"); !strings.Contains(s, "The new token of desk-one") || strings.Contains(s, "asked for") {
		t.Errorf("%.3000s", s)
	}
	a, err := site.Accounts.AgentByName(t.Context(), "desk-one")
	if err == nil {
		_, err = site.Accounts.RenameAgent(t.Context(), a.ID, "help-desk", boss.Account.Actor(), "")
	}
	if err != nil {
		t.Fatal(err)
	}
	if s := made("desk-one"); !strings.Contains(s, "The new token of help-desk") ||
		!strings.Contains(s, "You asked for “desk-one”. That agent is called help-desk now.") {
		t.Errorf("%.3000s", s)
	}
}

// S19: a token is refused within the next request after it is revoked, and counts in its header only.
func TestTokensOverTheAPI(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin)
	plain := site.Token(t, account.Submit)
	token, err := site.Accounts.Authenticate(t.Context(), plain)
	if err != nil {
		t.Fatal(err)
	}
	agent := site.Nobody(t)
	ask := func(header ...string) int {
		return agent.Do(t, http.MethodGet, "/api/guidance", "", "", header...).Status
	}
	if got := ask("Authorization", "Bearer "+plain); got != http.StatusOK {
		t.Errorf("a good token: %d", got)
	}
	for what, header := range map[string][]string{
		"none":                  nil,
		"another scheme":        {"Authorization", "Basic " + plain},
		"without the scheme":    {"Authorization", plain},
		"one letter off":        {"Authorization", "Bearer " + plain[:39] + "~"},
		"in a cookie":           {"Cookie", "token=" + plain},
		"in a header of no use": {"X-Api-Key", plain},
	} {
		if got := ask(header...); got != http.StatusUnauthorized {
			t.Errorf("%s: %d", what, got)
		}
	}
	if got := agent.Get(t, "/api/guidance?token="+plain+"&access_token="+plain).Status; got != http.StatusUnauthorized {
		t.Errorf("in the address: %d", got)
	}
	if got := boss.Get(t, "/api/guidance").Status; got != http.StatusUnauthorized {
		t.Errorf("a person's cookie: %d", got)
	}
	agent.Header.Set("Authorization", "Bearer "+plain)
	if got := agent.Get(t, "/admin").Status; got != http.StatusSeeOther {
		t.Errorf("a page with a token: %d", got)
	}
	boss.Post(t, "/admin/agents/tokens/"+token.ID+"/revoke", nil)
	r := agent.Get(t, "/api/guidance")
	if r.Status != http.StatusUnauthorized || r.Header.Get("WWW-Authenticate") == "" ||
		!strings.HasPrefix(r.Header.Get("Content-Type"), "application/problem+json") {
		t.Errorf("revoked: %d %v", r.Status, r.Header)
	}
}

func TestAuditLog(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin)
	for range 60 {
		site.Enter(t, boss.Account)
	}
	r := boss.Get(t, "/admin/audit")
	want(t, "newest", r, http.StatusOK, "account.signed_in", boss.Account.Name, "Next page")
	next := regexp.MustCompile(`/admin/audit\?before=\d+`).FindString(r.Body)
	want(t, "older", boss.Get(t, next), http.StatusOK, "account.added")
	want(t, "one act", boss.Get(t, "/admin/audit?action=account.added"), http.StatusOK, "account.added")
	on := page(t, r, http.StatusOK).Find(`td a[title="` + boss.Account.ID + `"]`).First()
	if strings.TrimSpace(on.Text()) != boss.Account.Name {
		t.Errorf("a row is about %q, want the person's name", on.Text())
	}
	want(t, "nothing", boss.Get(t, "/admin/audit?action=none"), http.StatusOK, "No matches")
	want(t, "a bad page", boss.Get(t, "/admin/audit?before=x"), http.StatusNotFound)
	want(t, "words", boss.Get(t, "/admin/audit?words=person1%40example&who=test&from=2026-11-02&to=2026-11-02"),
		http.StatusOK, "account.added")
	want(t, "another day", boss.Get(t, "/admin/audit?to=2026-11-01"), http.StatusOK, "No matches")
	want(t, "no day", boss.Get(t, "/admin/audit?from=soon"), http.StatusUnprocessableEntity, "Enter the date as",
		`value="soon"`)
	want(t, "days the wrong way round", boss.Get(t, "/admin/audit?from=2026-11-02&to=2026-11-01"),
		http.StatusUnprocessableEntity, "isn&#39;t before the first", `value="2026-11-02"`)
	want(t, "check", boss.Post(t, "/admin/audit/verify", nil), http.StatusOK, "The chain is intact", "&#34;seq&#34;:")
}

func TestTheAuditLogIsExported(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin)
	for range 60 {
		site.Enter(t, boss.Account)
	}
	r := boss.Post(t, "/admin/audit/export", url.Values{"format": {"jsonl"}})
	want(t, "all", r, http.StatusOK)
	if cd := r.Header.Get("Content-Disposition"); cd != "attachment; filename=preceptor-audit-2026-11-02-0900.jsonl" {
		t.Errorf("Content-Disposition %q", cd)
	}
	rep, err := audit.VerifyExport(strings.NewReader(r.Body))
	if err != nil || rep.Bad != nil || rep.First != 1 || rep.Gaps != 0 || rep.Rows < 62 {
		t.Errorf("%+v, %v", rep, err)
	}
	r = boss.Post(t, "/admin/audit/export", url.Values{"format": {"csv"}, "action": {"account.added"}})
	want(t, "one act", r, http.StatusOK, "row,at,actor_kind", "account.added")
	if strings.Contains(r.Body, "signed_in") {
		t.Error("the filter is left out")
	}
	want(t, "nothing", boss.Post(t, "/admin/audit/export",
		url.Values{"format": {"jsonl"}, "words": {"no such words at all"}}), http.StatusOK)
	want(t, "no format", boss.Post(t, "/admin/audit/export", nil), http.StatusUnprocessableEntity)
	want(t, "on record", boss.Get(t, "/admin/audit?action=audit.exported"), http.StatusOK, "format: csv")
}

func TestRefusalsAreOnRecord(t *testing.T) {
	site := apptest.Open(t)
	boss, sue := site.SignedIn(t, account.Admin), site.SignedIn(t, account.Supervisor)
	for range 3 {
		want(t, "refused", sue.Get(t, "/admin/people"), http.StatusForbidden)
	}
	agent := site.Nobody(t)
	agent.Header.Set("Authorization", "Bearer pcp_nonsense")
	agent.Get(t, "/api/guidance")
	agent.Get(t, "/api/guidance")
	page, err := audit.List(t.Context(), site.DB, audit.Filter{Action: "access.refused"})
	if err != nil || len(page.Rows) != 1 || page.Rows[0].Actor.ID != sue.Account.ID ||
		page.Rows[0].ObjectID != "GET /admin/people" {
		t.Errorf("%+v, %v", page.Rows, err)
	}
	want(t, "the token", boss.Get(t, "/admin/audit?action=token.refused"), http.StatusOK, "address: 127.0.0.1")
}

// Every page of the administration says who may change what, in the words of one place.
func TestEveryPageSaysWhoMayChangeIt(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin)
	for _, path := range []string{"people", "people/" + boss.Account.ID, "teams", "agents", "webhooks", "policies",
		"policies/propose", "jobs", "import", "erasure", "backup", "audit"} {
		r := boss.Get(t, "/admin/"+path)
		if r.Status != http.StatusOK || !strings.Contains(r.Body, `class="who-may"`) ||
			!strings.Contains(r.Body, `aria-label="Administration"`) {
			t.Errorf("/admin/%s: %d, and nobody knows who may change it", path, r.Status)
		}
	}
}

func TestBackup(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin)
	want(t, "page", boss.Get(t, "/admin/backup"), http.StatusOK, "Create and download a backup")
	want(t, "a schedule", boss.Post(t, "/admin/backup/schedule", url.Values{"folder": {t.TempDir()}, "hour": {"2"},
		"days": {"7"}, "weeks": {"4"}, "months": {"12"}, "base": {value(page(t, boss.Get(t, "/admin/backup"),
			http.StatusOK), "input[name=base]")}}), http.StatusSeeOther)
	want(t, "the next", boss.Get(t, "/admin/backup"), http.StatusOK,
		"The next backup is made within ten minutes, then every day at 02:00.")
	r := boss.Post(t, "/admin/backup", nil)
	if cd := r.Header.Get("Content-Disposition"); cd != "attachment; filename=preceptor-2026-11-02-0900.zip" {
		t.Errorf("Content-Disposition %q", cd)
	}
	restores(t, []byte(r.Body), "preceptor-2026-11-02-0900.db")
	want(t, "on record", boss.Get(t, "/admin/backup"), http.StatusOK, "Backup created", boss.Account.Name)
	page, err := audit.List(t.Context(), site.DB, audit.Filter{Action: "backup.made"})
	if err != nil || len(page.Rows) != 1 || page.Rows[0].Actor.ID != boss.Account.ID {
		t.Errorf("audit %+v, %v", page.Rows, err)
	}
}

func TestJobsPage(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin)
	want(t, "parked", boss.Get(t, "/admin/jobs"), http.StatusOK, "No parked jobs")
	want(t, "done", boss.Get(t, "/admin/jobs?state=done"), http.StatusOK)
	want(t, "no such state", boss.Get(t, "/admin/jobs?state=lost"), http.StatusUnprocessableEntity)
	want(t, "no such job", boss.Post(t, "/admin/jobs/none/retry", nil), http.StatusNotFound)
	want(t, "no such number", boss.Post(t, "/admin/jobs/987654/retry", nil), http.StatusNotFound)
}

// stray is a job that nobody works, so it parks.
type stray struct{}

func (stray) Kind() string { return "test.stray" }

func TestWhoTriedAJobAgain(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin)
	if err := site.DB.Write(t.Context(), func(tx *db.Tx) error { return site.Jobs.InsertTx(tx, stray{}) }); err != nil {
		t.Fatal(err)
	}
	if err := site.Jobs.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	parked, err := site.Jobs.List(t.Context(), job.Filter{State: job.Parked})
	if err != nil || len(parked) != 1 {
		t.Fatalf("%+v, %v", parked, err)
	}
	number := strconv.FormatInt(parked[0].ID, 10)
	want(t, "retry", boss.Post(t, "/admin/jobs/"+number+"/retry", nil), http.StatusSeeOther)
	page, err := audit.List(t.Context(), site.DB, audit.Filter{Action: "job.retried"})
	if err != nil || len(page.Rows) != 1 || page.Rows[0].Actor.ID != boss.Account.ID ||
		page.Rows[0].ObjectID != number {
		t.Errorf("audit %+v, %v", page.Rows, err)
	}
}

const document = "# Taking your pension\n\n## Tax-free cash\n\nYou can usually take a quarter of your pension pot " +
	"tax free from age 55.\n"

func zipped(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(text))
	}
	z.Close()
	return b.Bytes()
}

func upload(t *testing.T, c *apptest.Client, name string, file []byte) apptest.Response {
	t.Helper()
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	m.WriteField("agent", "pension-advisor")
	m.WriteField("pack", "pension")
	if w, err := m.CreateFormFile("file", name); err != nil {
		t.Fatal(err)
	} else {
		w.Write(file)
	}
	m.Close()
	return c.Do(t, http.MethodPost, "/admin/import/upload", m.FormDataContentType(), b.String(), "Sec-Fetch-Site",
		"same-origin")
}

// imported is the page with the report.
func imported(t *testing.T, s *apptest.Site, c *apptest.Client) apptest.Response {
	t.Helper()
	s.Drain(t)
	return c.Get(t, "/admin/import")
}

func TestImportUpload(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin)
	want(t, "not a zip", upload(t, boss, "a.zip", []byte("hello")), http.StatusUnprocessableEntity, "not a zip file")
	r := upload(t, boss, `guidance".zip`,
		zipped(t, map[string]string{"cash.md": document, "../../escape.md": document}))
	want(t, "upload", r, http.StatusSeeOther)
	want(t, "report", imported(t, site, boss), http.StatusOK, "Imported guidance", boss.Account.Name)
	// Another start of the program knows it, too.
	again, err := site.Handler()
	if err != nil {
		t.Fatal(err)
	}
	req := httptest.NewRequest(http.MethodGet, "/admin/import", http.NoBody)
	for _, cookie := range boss.Cookies() {
		req.AddCookie(cookie)
	}
	res := httptest.NewRecorder()
	again.ServeHTTP(res, req)
	if !strings.Contains(res.Body.String(), "Imported guidance") {
		t.Errorf("a restart forgets the report: %s", res.Body)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "preceptor-file-*")); len(left) > 0 {
		t.Errorf("temporary files are left: %v", left)
	}
	if _, err := site.Accounts.AgentByName(t.Context(), "pension-advisor"); err != nil {
		t.Errorf("the agent was not made: %v", err)
	}
	// The first agent is made; a further name may be a mistyped one, so it is asked.
	folder := t.TempDir()
	asked := url.Values{"folder": {folder}, "agent": {"pension-adviser"}, "pack": {pack.Pension}}
	r = boss.Post(t, "/admin/import", asked)
	want(t, "a name that nobody has", r, http.StatusUnprocessableEntity, "No agent is called pension-adviser")
	if dom(t, r).Find("input[name=create]").Length() == 0 {
		t.Error("nothing offers to create it")
	}
	if _, err := site.Accounts.AgentByName(t.Context(), "pension-adviser"); err == nil {
		t.Error("an agent was made unasked")
	}
	asked.Set("create", "yes")
	want(t, "created", boss.Post(t, "/admin/import", asked), http.StatusSeeOther)
}

func TestImportFolder(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin)
	for what, folder := range map[string]string{"relative": "guidance", "absent": "/no/such/folder", "empty": "",
		"a file": "/etc/hostname"} {
		want(t, what, boss.Post(t, "/admin/import", url.Values{"folder": {folder}}), http.StatusUnprocessableEntity)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cash.md"), []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	want(t, "import", boss.Post(t, "/admin/import", url.Values{"folder": {dir}, "pack": {"general"}}), http.StatusSeeOther)
	want(t, "report", imported(t, site, boss), http.StatusOK, "Imported "+dir)
}

func TestAccountPage(t *testing.T) {
	site := apptest.Open(t)
	c := site.SignedIn(t, account.Supervisor)
	other := site.Enter(t, c.Account)
	want(t, "page", c.Get(t, "/account"), http.StatusOK, c.Account.Email, "This browser", "Sign out everywhere else",
		"test browser")
	form := url.Values{"theme": {"dark"}, "density": {"compact"}}
	want(t, "preferences", c.Post(t, "/account/preferences", form), http.StatusSeeOther)
	want(t, "dark", c.Get(t, "/account"), http.StatusOK, `data-theme="dark"`, `class="nokeys"`)
	want(t, "from the menu",
		c.Post(t, "/preferences", url.Values{"theme": {"auto"}, "keys": {"on"}, "back": {"/account"}}),
		http.StatusSeeOther)
	if r := c.Get(t, "/account"); strings.Contains(r.Body, "data-theme=") ||
		strings.Contains(r.Body, `class="nokeys"`) {
		t.Error("the menu changed nothing")
	}
	want(t, "another theme", c.Post(t, "/account/preferences", url.Values{"theme": {"pink"}, "density": {"compact"}}),
		http.StatusUnprocessableEntity)
	want(t, "a wrong password", c.Post(t, "/account/password",
		url.Values{"current": {"x"}, "password": {"seven boats in the harbour"}}), http.StatusUnprocessableEntity,
		"your current password.")
	want(t, "end the others", c.Post(t, "/account/sessions/end", url.Values{"session": {"others"}}),
		http.StatusSeeOther)
	want(t, "the other", other.Get(t, "/account"), http.StatusSeeOther)
	want(t, "end nothing", c.Post(t, "/account/sessions/end", nil), http.StatusUnprocessableEntity)
	// Somebody else's session is not mine to end.
	stranger := site.SignedIn(t, account.Supervisor)
	list, err := site.Accounts.ListSessions(t.Context(), stranger.Account.ID)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	c.Post(t, "/account/sessions/end", url.Values{"session": {list[0].ID}})
	want(t, "the stranger", stranger.Get(t, "/account"), http.StatusOK)
}

// restores unpacks a downloaded backup and makes a database of it.
func restores(t *testing.T, zipped []byte, name string) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(zipped), int64(len(zipped)))
	if err != nil {
		t.Fatalf("the download is no zip file: %v", err)
	}
	dir := t.TempDir()
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(f.Name)), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Restore(t.Context(), filepath.Join(dir, name), filepath.Join(dir, "restored.db")); err != nil {
		t.Errorf("the downloaded backup does not restore: %v", err)
	}
}

// Whom the details of a row mean is named, where the log keeps ids.
func TestTheAuditLogNamesWhomItMeans(t *testing.T) {
	site := apptest.Open(t)
	boss, ben := site.SignedIn(t, account.Admin), site.SignedIn(t, account.Supervisor).Account
	team, err := site.Accounts.AddTeam(t.Context(), "Transfers", boss.Account.Actor())
	if err == nil {
		_, err = site.Accounts.ChangeTeam(t.Context(), team.ID, team.Version, "Transfers", []string{ben.ID},
			boss.Account.Actor())
	}
	if err != nil {
		t.Fatal(err)
	}
	r := boss.Get(t, "/admin/audit?action=team.changed")
	want(t, "members", r, http.StatusOK, "members: "+ben.Name)
	if strings.Contains(r.Body, ben.ID) {
		t.Error("a raw id is shown")
	}
}
