package web_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/platform/config"
	"preceptor/static"
)

var wantHeaders = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src " +
		"'self'; connect-src 'self'; " +
		"form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Strict-Transport-Security":    "max-age=63072000; includeSubDomains",
}

// framedHeaders are those of the widget's page, which differ in who may frame it.
var framedHeaders = map[string]string{
	"Content-Security-Policy": strings.Replace(wantHeaders["Content-Security-Policy"], "frame-ancestors 'none'",
		"frame-ancestors 'self'", 1),
	"X-Frame-Options":              "",
	"Cross-Origin-Resource-Policy": "cross-origin",
}

// S10: the headers are on every answer of every route: pages, errors of each kind, static files, the API.
func TestHeadersEverywhere(t *testing.T) {
	site := apptest.Open(t, func(c *config.Config) {
		c.PublicURL, c.TrustedProxy = "https://preceptor.example", []string{"127.0.0.1/32"}
	})
	person := site.Account(t, everybody...)
	check := func(what string, r apptest.Response, cached bool) {
		t.Helper()
		for name, want := range wantHeaders {
			if framed, ok := framedHeaders[name]; ok && strings.Contains(what, " /widget/") {
				want = framed
			}
			if got := r.Header.Values(name); strings.Join(got, "\n") != want {
				t.Errorf("%s (%d): %s is %q", what, r.Status, name, got)
			}
		}
		if p := r.Header.Get("Referrer-Policy"); p != "same-origin" && p != "no-referrer" {
			t.Errorf("%s: Referrer-Policy %q", what, p)
		}
		if r.Header.Get("Permissions-Policy") == "" || r.Header.Get("X-Request-Id") == "" {
			t.Errorf("%s: no permissions policy or request id", what)
		}
		if cc := r.Header.Get("Cache-Control"); (cc == "no-store") == cached {
			t.Errorf("%s: Cache-Control %q", what, cc)
		}
		if r.Header.Get("Access-Control-Allow-Origin") != "" || r.Header.Get("Server") != "" {
			t.Errorf("%s: %v", what, r.Header)
		}
	}
	for _, route := range routesOf(t, site) {
		what := route.Method + " " + route.Path
		check(what+" as nobody", site.Nobody(t).Head(t.Context(), t, route.Method, fill(route.Path)), false)
		check(what+" signed in", site.Enter(t, person).Head(t.Context(), t, route.Method, fill(route.Path)), false)
	}
	c := site.Enter(t, person)
	check("404", c.Get(t, "/no/such/page"), false)
	check("404 of a static file", c.Get(t, "/static/none.css"), false)
	check("404 of the API", c.Get(t, "/api/none"), false)
	check("405", c.Do(t, http.MethodDelete, "/account", "", "", "Sec-Fetch-Site", "same-origin"), false)
	check("413", c.Post(t, "/preferences", url.Values{"theme": {strings.Repeat("x", 2<<20)}}), false)
	check("a static file", c.Get(t, static.Path("app.css")), true)
	if err := site.DB.Close(); err != nil { // now everything that asks the database fails
		t.Fatal(err)
	}
	if r := c.Get(t, "/account"); r.Status != http.StatusInternalServerError &&
		r.Status != http.StatusServiceUnavailable {
		t.Errorf("without a database: %d", r.Status)
	} else {
		check("500", r, false)
		if strings.Contains(r.Body, "sql") || strings.Contains(r.Body, "database is closed") {
			t.Errorf("the cause is shown: %s", r.Body)
		}
	}
	if r := c.Get(t, "/readyz"); r.Status != http.StatusServiceUnavailable {
		t.Errorf("readyz without a database: %d", r.Status)
	}
	if r := c.Get(t, "/healthz"); r.Status != http.StatusOK {
		t.Errorf("healthz: %d", r.Status)
	}
}

// S27: odd methods and paths find nothing and tell nothing.
func TestOddRequests(t *testing.T) {
	site := apptest.Open(t)
	c := site.SignedIn(t, everybody...)
	for _, tc := range []struct{ method, path string }{
		{"TRACE", "/account"}, {"PUT", "/account"}, {"DELETE", "/admin/people"}, {"PATCH", "/sign-in"},
		{"PROPFIND", "/"}, {"FOO", "/account"},
		{"CONNECT", "/account"}, {"POST", "/account"}, {"POST", "/healthz"}, {"PUT", "/static/app.css"},
		{"GET", "//account"}, {"GET", "/account/"}, {"GET", "/./account"}, {"GET", "/static/../account"},
		{"GET", "/static/%2e%2e/%2e%2e/etc/passwd"},
		{"GET", "/%2faccount"}, {"GET", "/account%2f"}, {"GET", "/.git/config"}, {"GET", "/debug/pprof/"},
		{"GET", "/static/"}, {"GET", "/static"},
		{"GET", "/admin%00"}, {"GET", "/sign-out"}, {"GET", "/favicon.ico"},
	} {
		r := c.Do(t, tc.method, tc.path, "", "", "Sec-Fetch-Site", "same-origin")
		if r.Status != http.StatusMethodNotAllowed && r.Status != http.StatusNotFound &&
			r.Status != http.StatusBadRequest && r.Status != http.StatusForbidden {
			t.Errorf("%s %s: %d", tc.method, tc.path, r.Status)
		}
		if strings.Contains(r.Body, "goroutine") || strings.Contains(r.Body, "echo") {
			t.Errorf("%s %s tells %s", tc.method, tc.path, r.Body)
		}
	}
	if !signedIn(t, c) {
		t.Error("GET /sign-out signed the person out")
	}
}

// Requests that two servers could read differently are refused by the first.
func TestAmbiguousRequests(t *testing.T) {
	site := apptest.Open(t)
	addr := strings.TrimPrefix(site.URL, "http://")
	for name, raw := range map[string]string{
		"length and chunks": "POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: " +
			"chunked\r\n\r\n0\r\n\r\nGET /admin HTTP/1.1\r\nHost: x\r\n\r\n",
		"two lengths": "POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: " +
			"5\r\n\r\nabcde",
		"two hosts":           "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
		"no host":             "GET /healthz HTTP/1.1\r\n\r\n",
		"a name with a blank": "GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length : 3\r\n\r\nabc",
	} {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(conn, raw)
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err == nil {
			res.Body.Close()
			second := name == "length and chunks" && res.StatusCode < 500 // Go takes the chunks and closes
			if res.StatusCode/100 != 4 && !second || second && !res.Close && res.StatusCode/100 == 2 {
				t.Errorf("%s: %d", name, res.StatusCode)
			}
		}
		conn.Close()
	}
}

func TestBodiesThatAreTooLarge(t *testing.T) {
	site := apptest.Open(t)
	c := site.SignedIn(t, account.Supervisor)
	big := "theme=" + strings.Repeat("x", 1<<20)
	for name, body := range map[string]io.Reader{"with a length": strings.NewReader(big),
		"in chunks": io.MultiReader(strings.NewReader(big))} {
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, site.URL+"/preferences", body)
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Sec-Fetch-Site", "same-origin")
		req.AddCookie(c.Cookies()[0])
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		b, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(string(b), "too large") {
			t.Errorf("%s: %d %s", name, res.StatusCode, b)
		}
	}
	if r := c.Do(t, http.MethodPost, "/preferences", "application/x-www-form-urlencoded", "theme=%zz", "Sec-Fetch-Site",
		"same-origin"); r.Status != http.StatusUnprocessableEntity {
		t.Errorf("a broken form: %d", r.Status)
	}
	// htmx gets the same as a notice.
	r := c.Do(t, http.MethodPost, "/preferences", "application/x-www-form-urlencoded", big, "Sec-Fetch-Site",
		"same-origin", "HX-Request", "true")
	if r.Status != http.StatusRequestEntityTooLarge || r.Header.Get("HX-Retarget") != "#notice" ||
		strings.Contains(r.Body, "<html") {
		t.Errorf("htmx: %d %v", r.Status, r.Header)
	}
}

func TestMetrics(t *testing.T) {
	site := apptest.Open(t, func(c *config.Config) {
		c.TrustedProxy, c.MetricsToken = []string{"127.0.0.1/32"}, "a-token-for-metrics"
	})
	c := site.Nobody(t)
	c.Get(t, "/healthz")
	r := c.Get(t, "/metrics")
	if r.Status != http.StatusOK || !strings.Contains(r.Body, "preceptor_http_requests_total") ||
		!strings.Contains(r.Body, `preceptor_jobs{state="parked"} 0`) ||
		!strings.Contains(r.Body, `preceptor_webhook_attempts_total{outcome="delivered"} 0`) ||
		!strings.Contains(r.Body, `preceptor_webhook_events{state="dead"} 0`) {
		t.Errorf("from this machine: %d %s", r.Status, r.Body)
	}
	for i := range 50 {
		c.Get(t, fmt.Sprintf("/no/such/page/%d", i))
	}
	if r := c.Get(t, "/metrics"); strings.Contains(r.Body, "/no/such/page") ||
		!strings.Contains(r.Body, `route="none"`) {
		t.Error("unknown paths make series of their own")
	}
	through := func(token string) int {
		header := []string{"X-Forwarded-For", "203.0.113.9"}
		if token != "" {
			header = append(header, "Authorization", "Bearer "+token)
		}
		return c.Do(t, http.MethodGet, "/metrics", "", "", header...).Status
	}
	if through("") != http.StatusForbidden || through("another-token-xxxx") != http.StatusForbidden ||
		through("a-token-for-metrics") != http.StatusOK {
		t.Errorf("through a proxy: %d, %d, %d", through(""), through("another-token-xxxx"),
			through("a-token-for-metrics"))
	}
}

// Who leaves before the answer is there is no error of the server's, in the log and in the metrics.
func TestABrowserThatLeftIsNoError(t *testing.T) {
	log := &lines{}
	site := apptest.OpenLogged(t, slog.New(slog.NewTextHandler(log, nil)))
	h, err := site.Handler()
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	leave()
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/guidance/x", nil)
	r.Header.Set("Authorization", "Bearer "+site.Token(t, account.Submit))
	h.ServeHTTP(httptest.NewRecorder(), r)
	if s := log.String(); !strings.Contains(s, "status=499") || strings.Contains(s, "status=5") {
		t.Errorf("the log says %s", s)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if s := w.Body.String(); strings.Contains(s, `status="5`) {
		t.Errorf("counted as an error: %s", s)
	}
}

// lines is a log that may be read while it is written to.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// S22: the log has one line per request and no secret, no query, no form, no line break of a stranger's.
func TestLogKeepsQuiet(t *testing.T) {
	log := &lines{}
	site := apptest.OpenLogged(t, slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	a := site.Account(t, account.Admin)
	c := site.SignIn(t, a)
	token := site.Token(t, account.Submit)
	const canary = "canary-QQ123456C"
	c.Post(t, "/sign-in", url.Values{"email": {canary + "@example.org"}, "password": {canary}})
	c.Post(t, "/admin/people", url.Values{"name": {canary}, "email": {canary}, "password": {canary}})
	c.Get(t, "/admin/audit?object="+canary)
	c.Get(t, "/setup/"+canary)
	c.Get(t, "/join/"+canary)
	c.Post(t, "/join/"+canary, url.Values{"password": {canary}})
	c.Get(t, "/"+canary+"%0aforged=line%1b[31m")
	c.Do(t, http.MethodGet, "/healthz", "", "", "User-Agent", canary, "X-Request-Id", canary, "Referer", canary)
	c.Do(t, http.MethodGet, "/api/guidance", "", "", "Authorization", "Bearer "+token)
	got := log.String()
	for _, secret := range []string{canary, token, apptest.Password, c.Cookies()[0].Value, a.Email} {
		if strings.Contains(got, secret) {
			t.Errorf("%q stands in the log", secret)
		}
	}
	if strings.Contains(got, "\nforged") || strings.Contains(got, "\x1b") {
		t.Error("a path can write log lines")
	}
	if !strings.Contains(got, "route=/admin/audit") || !strings.Contains(got, "account="+a.ID) ||
		strings.Count(got, "route=/setup/:secret") != 1 || strings.Count(got, "route=/join/:secret") != 2 {
		t.Errorf("the log misses requests:\n%s", got)
	}
}

// The client's address is the peer's unless a named proxy speaks for it.
func TestForwardedForIsBelievedFromProxiesOnly(t *testing.T) {
	for name, tc := range map[string]struct {
		proxies []string
		want    string
	}{
		"no proxy":      {nil, "from=127.0.0.1"},
		"another proxy": {[]string{"10.0.0.0/8"}, "from=127.0.0.1"},
		"our proxy":     {[]string{"127.0.0.0/8"}, "from=203.0.113.9"},
	} {
		t.Run(name, func(t *testing.T) {
			log := &lines{}
			site := apptest.OpenLogged(t, slog.New(slog.NewTextHandler(log, nil)), func(c *config.Config) {
				c.TrustedProxy = tc.proxies
			})
			site.Nobody(t).Do(t, http.MethodGet, "/sign-in", "", "", "X-Forwarded-For", "198.51.100.1, 203.0.113.9")
			if !strings.Contains(log.String(), tc.want) {
				t.Errorf("log %q, want %s", log, tc.want)
			}
		})
	}
}

// Wrong passwords are slowed down whatever address a client claims to have (S9).
func TestThrottleIgnoresClaimedAddresses(t *testing.T) {
	site := apptest.Open(t)
	a := site.Account(t, account.Supervisor)
	c := site.Nobody(t)
	last := 0
	for i := range 8 {
		last = c.Do(t, http.MethodPost, "/sign-in", "application/x-www-form-urlencoded",
			url.Values{"email": {a.Email}, "password": {"wrong"}}.Encode(),
			"X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i), "X-Real-IP", fmt.Sprintf("203.0.113.%d", i)).Status
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("after eight tries: %d", last)
	}
}
