package page_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app"
	"preceptor/internal/audit"
	"preceptor/internal/demo"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/job"
	"preceptor/internal/review"
)

// notSame are the pages that say where the data is or how the machine is, and so differ by right; jobs that are done
// aren't copied; and in the audit log jobs' rows come between those of people.
var notSame = regexp.MustCompile(`^/(admin/backup|admin/jobs|admin/audit|admin$|metrics|events|readyz)`)

// anID is what two desks with the same data have each their own of, of what was made since: ids, in short too, keys of
// forms and tokens.
var anID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|` +
	`value="[A-Za-z0-9_-]{43}"|content="\d{13}"|pcp_[A-Za-z0-9_-]{4}|…[0-9a-f]{4}\b`)

// aPace is how long a step took.
var aPace = regexp.MustCompile(`embedded( reasoner)?, (\d+ ms, )?`)

// alike is a body with each id as the number of its first appearance.
func alike(body string) string {
	met := map[string]string{}
	return anID.ReplaceAllStringFunc(aPace.ReplaceAllString(body, ""), func(id string) string {
		if met[id] == "" {
			met[id] = fmt.Sprint("ID", len(met)+1)
		}
		return met[id]
	})
}

// twin is one person at the same desk on both engines.
type twin struct {
	t    *testing.T
	http [2]*http.Client
	site [2]string
	head http.Header
}

// do sends the same to both and gives both answers, which must be the same but for what is each one's own.
func (w twin) do(method string, paths [2]string, kind string, bodies [2]string) (got [2]string, ok bool) {
	w.t.Helper()
	var heads [2]string
	text := true
	for i := range got {
		r, err := http.NewRequestWithContext(w.t.Context(), method, w.site[i]+paths[i], strings.NewReader(bodies[i]))
		if err != nil {
			w.t.Fatal(err)
		}
		r.Header = w.head.Clone()
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		if kind != "" {
			r.Header.Set("Content-Type", kind)
		}
		res, err := w.http[i].Do(r)
		if err != nil {
			w.t.Fatal(err)
		}
		b, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if err != nil {
			w.t.Fatal(err)
		}
		got[i] = string(b)
		media, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
		text = text && media != "application/zip"
		heads[i] = fmt.Sprint(res.StatusCode, " ", media, " ", res.Request.URL.RequestURI())
		if res.StatusCode >= http.StatusInternalServerError {
			w.t.Errorf("%s %s: %s: %.300s", method, paths[i], heads[i], b)
		}
	}
	if a, b := alike(heads[0]), alike(heads[1]); a != b {
		w.t.Errorf("%s %s: the server's %q, the file's %q", method, paths[0], a, b)
		return got, false
	}
	if text && !notSame.MatchString(paths[0]) {
		w.t.Helper()
		if d := firstDifference(alike(got[0]), alike(got[1])); d != "" {
			w.t.Errorf("%s %s: %s", method, paths[0], d)
			return got, false
		}
	}
	return got, true
}

func firstDifference(a, b string) string {
	if a == b {
		return ""
	}
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	from := max(0, n-80)
	return fmt.Sprintf("at %d: on the server %q, on the file %q", n, a[from:min(len(a), n+160)], b[from:min(len(b), n+160)])
}

func (w twin) get(paths [2]string) (docs [2]*goquery.Document) {
	w.t.Helper()
	got, _ := w.do(http.MethodGet, paths, "", [2]string{})
	for i := range got {
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(got[i]))
		if err != nil {
			w.t.Fatal(err)
		}
		docs[i] = doc
	}
	return docs
}

// crawl follows the links of both, some of each kind.
func (w twin) crawl(most int) (pages int) {
	seen, kinds := map[string]bool{}, map[string]int{}
	todo := [][2]string{{"/", "/"}, {"/nowhere", "/nowhere"}, {"/inbox", "/inbox"}, {"/progress", "/progress"}}
	for ; len(todo) > 0; todo = todo[1:] {
		paths := todo[0]
		kind := kindOfPage(anID.ReplaceAllString(paths[0], "one"))
		if seen[paths[0]] || kinds[kind] == most || strings.HasPrefix(paths[0], "/api/openapi") {
			continue
		}
		seen[paths[0]] = true
		kinds[kind]++
		pages++
		docs := w.get(paths)
		a, b := linksOf(docs[0]), linksOf(docs[1])
		for i := range min(len(a), len(b)) {
			if alike(a[i]) == alike(b[i]) {
				todo = append(todo, [2]string{a[i], b[i]})
			}
		}
	}
	return pages
}

// complaints is a log that fails the test with what it is told.
type complaints struct {
	mu sync.Mutex
	bytes.Buffer
}

func (c *complaints) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Buffer.Write(b)
}

// A demo that was filled on a PostgreSQL server and copied to a file: every page says the same on both, and what is done
// on both comes to the same.
func TestPagesAreTheSameOnBothEngines(t *testing.T) {
	if !dbtest.OnServer() {
		t.Skip("make test-postgres runs it")
	}
	ctx, address, file := t.Context(), dbtest.Empty(t), filepath.Join(t.TempDir(), "copy.db")
	var log complaints
	open := func(where string, clock db.Clock) *app.App {
		t.Helper()
		cfg, err := config.Default()
		if err != nil {
			t.Fatal(err)
		}
		cfg.DB, cfg.Demo, cfg.Hold = where, true, demo.Hold
		a, err := app.Open(context.Background(), cfg, app.WithClock(clock), app.WithTerminal(io.Discard),
			app.WithLog(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelError}))))
		if err != nil {
			t.Fatal(err)
		}
		a.Accounts.HashForTests()
		return a
	}
	began := time.Now()
	filling := demo.NewClock(began.Add(-demo.Days * 24 * time.Hour))
	a := open(address, filling.Now)
	f, err := demo.Begin(ctx, seeding(a), filling)
	if err == nil {
		err = f.Fill(ctx, func(int, int) {})
	}
	if err == nil { // each desk makes one when it first asks
		err = a.DB.Write(ctx, func(tx *db.Tx) error {
			return db.Exec(tx, "test: make a key", `INSERT INTO credit_key (id, key) VALUES (1, 'key')`)
		})
	}
	if err := errors.Join(err, a.Close()); err != nil {
		t.Fatal(err)
	}
	t.Logf("filled in %s", time.Since(began).Round(time.Second))
	copied, err := app.Copy(ctx, audit.System("test"), address, file)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("copied at %s: %d rows", time.Since(began).Round(time.Second), copied.Rows)
	var moved sync.Mutex
	now := time.Now().UTC().Truncate(time.Minute).Add(time.Minute)
	later := func(d time.Duration) { moved.Lock(); now = now.Add(d); moved.Unlock() }
	clock := func() time.Time { moved.Lock(); defer moved.Unlock(); return now }
	w := twin{t: t, head: http.Header{}}
	var apps [2]*app.App
	for i, where := range []string{address, file} {
		a := open(where, clock)
		t.Cleanup(func() { _ = a.Close() })
		h, err := a.Handler()
		if err != nil {
			t.Fatal(err)
		}
		srv := httptest.NewServer(h)
		t.Cleanup(func() { srv.CloseClientConnections(); srv.Close() })
		a.Planted.PlantNothingForTests()
		apps[i], w.site[i], w.http[i] = a, srv.URL, http.DefaultClient
	}
	was := now
	if now, err = db.Read(ctx, apps[1].DB, func(tx *db.Tx) (time.Time, error) {
		ms, err := db.Value[int64](tx, "test: when it was copied", `SELECT max(at) FROM audit`)
		return db.Time(ms), err
	}); err != nil {
		t.Fatal(err)
	}
	if err := apps[0].DB.Write(ctx, func(tx *db.Tx) error { // as the copy has it
		return audit.Note(tx, audit.System("test"), "copy.done", "database", "main",
			map[string]any{"rows": copied.Rows, "jobs": copied.Jobs, "head": copied.Audit.Hash})
	}); err != nil {
		t.Fatal(err)
	}
	copiedAt := now
	now = was
	as := func(account string) twin {
		v := w
		for i := range v.http {
			jar, _ := cookiejar.New(nil)
			v.http[i] = &http.Client{Jar: jar, Timeout: time.Minute}
		}
		v.do(http.MethodPost, [2]string{"/demo/sign-in", "/demo/sign-in"}, "application/x-www-form-urlencoded",
			[2]string{"account=" + url.QueryEscape(account), "account=" + url.QueryEscape(account)})
		return v
	}
	var people []string
	w.get([2]string{"/sign-in", "/sign-in"})[0].Find("input[name=account]").Each(func(_ int, in *goquery.Selection) {
		people = append(people, in.AttrOr("value", ""))
	})
	if len(people) != len(demo.People) {
		t.Fatalf("%d people can sign in", len(people))
	}
	everybody := func(most int) {
		for i, who := range people {
			later(time.Second)
			t.Logf("%s: %d pages, at %s", demo.People[i].Name, as(who).crawl(most), time.Since(began).Round(time.Second))
		}
	}
	both := func(what string, f func(a *app.App) error) {
		t.Helper()
		later(time.Second)
		for i, a := range apps {
			if err := f(a); err != nil {
				t.Errorf("%s, on the %s: %v", what, []string{"server", "file"}[i], err)
			}
		}
	}
	drain := func() {
		t.Helper()
		later(demo.Hold + time.Minute)
		both("jobs", func(a *app.App) error { return a.Jobs.Drain(ctx) })
	}
	everybody(3)

	// An agent's day, and people's.
	var tokens []string
	both("make a token", func(a *app.App) error {
		plain, _, err := a.Accounts.CreateToken(ctx, demo.Agent, "pension",
			[]account.Scope{account.Submit, account.Recall, account.Feedback}, time.Time{}, audit.System("test"))
		tokens = append(tokens, plain)
		return err
	})
	if t.Failed() && len(tokens) < 2 {
		t.Fatal("no tokens")
	}
	agent := w
	for i := range agent.http {
		agent.http[i] = &http.Client{Transport: bearer(tokens[i])}
	}
	ask := func(path, body string) [2]string {
		t.Helper()
		later(time.Second)
		got, _ := agent.do(http.MethodPost, [2]string{path, path}, "application/json", [2]string{body, body})
		return got
	}
	var ids [][2]string
	for _, q := range []string{"How much can I take tax free from my pension?", "Can I still pay into my pension at 60?",
		"What happens to my pot if I die before 75?"} {
		ids = append(ids, idsIn(ask("/api/guidance", fmt.Sprintf(`{"agent":%q,"consultation":{"question":%q,
			"customer":{"age":58,"pensions":[{"kind":"dc","value_gbp":60000}]}},
			"guidance":"You can usually take up to a quarter tax free. MoneyHelper gives free and impartial guidance."}`,
			demo.Agent, q))))
	}
	ask("/api/recall", `{"question":"Can I take my pension as cash?"}`)
	ask("/api/check", `{"text":"You should transfer your final salary pension; it is guaranteed to grow."}`)
	ask("/api/advise", fmt.Sprintf(`{"agent":%q,"consultation":{"question":"Could I join my two pensions together?",
		"customer":{"age":57}}}`, demo.Agent))
	drain()
	sam, edie := as(people[0]), as(people[2])
	at := func(id [2]string, rest string) [2]string {
		return [2]string{"/reviews/" + id[0] + rest, "/reviews/" + id[1] + rest}
	}
	for i, act := range []struct {
		name string
		more []string
	}{{"approve", nil}, {"reject", []string{"reason_code", "vulnerable_customer"}},
		{"revise", []string{"text", "Ask a guidance specialist at MoneyHelper first; it is free and impartial.",
			"reason", "It says where to ask.", "teach.0.kind", "point", "teach.0.on", "1", "teach.0.text",
			"MoneyHelper gives free guidance.", "when.90.kind", "scope", "when.90.value", "universal", "when.90.on", "1"}}} {
		later(time.Second)
		sam.do(http.MethodPost, at(ids[i], "/claim"), "application/x-www-form-urlencoded", [2]string{})
		later(time.Minute)
		form := "#decide"
		if act.name == review.Approve {
			form = `form[action$="/approve"]`
		}
		docs := sam.get(at(ids[i], "?mode="+act.name))
		var bodies [2]string
		for k := range docs {
			bodies[k] = with(seen(t, docs[k], form), act.more...).Encode()
		}
		sam.do(http.MethodPost, at(ids[i], "/"+act.name), "application/x-www-form-urlencoded", bodies)
		drain() // or what is learned of one would be tested on what another left, or not
	}
	both("leave no rating to the lot", func(a *app.App) error { // each draws by its own decisions' ids
		return a.DB.Write(ctx, func(tx *db.Tx) error {
			return db.Exec(tx, "test: undo a draw", `DELETE FROM borderline_rating
				WHERE created_at > $1`, db.Ms(copiedAt))
		})
	})
	both("import a document", func(a *app.App) error {
		_, err := a.Knowledge.Import(ctx, demo.Documents("general"), knowledge.ImportOptions{By: audit.System("test")})
		return err
	})
	for i, set := range edie.get([2]string{"/datasets", "/datasets"})[0].Find(`a[href$="/label"]`).EachIter() {
		if i == 2 {
			break
		}
		later(time.Second)
		edie.get([2]string{set.AttrOr("href", ""), set.AttrOr("href", "")})
	}
	// What runs at its times runs once.
	var loops []job.Loop
	both("list what runs at its times", func(a *app.App) (err error) { loops, err = a.Jobs.Loops(ctx); return err })
	for _, l := range loops {
		both(l.Name, func(a *app.App) error {
			err := a.DB.Write(ctx, func(tx *db.Tx) error { return a.Jobs.RunNowTx(tx, l.Name) })
			if err == nil {
				err = a.Jobs.Drain(ctx)
			}
			return err
		})
	}
	both("how they went", func(a *app.App) error {
		all, err := a.Jobs.Loops(ctx)
		for _, l := range all {
			if l.Outcome != job.LoopDone {
				t.Errorf("%s: %q %s", l.Name, l.Outcome, l.Error)
			}
		}
		return err
	})
	later(time.Hour)
	everybody(2)
	if log.Len() > 0 {
		t.Errorf("the log: %s", log.String())
	}
}

// seeding is what fills a demo.
func seeding(a *app.App) demo.Services {
	return demo.Services{Accounts: a.Accounts, Interactions: a.Interactions, Reviews: a.Reviews, Knowledge: a.Knowledge,
		Learning: a.Learning, Jobs: a.Jobs, Credit: a.Credit,
		Signals: a.Signals, Planted: a.Planted, Policies: a.Policies, Approvals: a.Approvals, Comments: a.Comments,
		Datasets: a.Datasets, Versions: a.Versions, Feedback: a.Feedback, Preferences: a.Preferences,
		Experiments: a.Experiments, Together: a.DB.Write, Night: a.Nightly.Run}
}

type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

var idIn = regexp.MustCompile(`"id":"([^"]+)"`)

func idsIn(answers [2]string) (ids [2]string) {
	for i, a := range answers {
		if m := idIn.FindStringSubmatch(a); m != nil {
			ids[i] = m[1]
		}
	}
	return ids
}
