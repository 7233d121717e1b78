// Package apptest opens the whole program on an empty file for tests of pages and of the API: real database, real
// services, real middleware and routes, a clock that the test moves. Jobs run when the test drains them.
package apptest

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app"
	"preceptor/internal/audit"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
)

// Password is everybody's.
const Password = "a lamp beside the window"

// Site is the program behind a real socket.
type Site struct {
	*app.App
	Clock  *dbtest.Clock
	URL    string
	people int
}

// Open starts an empty site; change may alter its settings.
func Open(t testing.TB, change ...func(*config.Config)) *Site {
	t.Helper()
	return OpenLogged(t, slog.New(slog.DiscardHandler), change...)
}

// OpenLogged is Open with a log that the test reads.
func OpenLogged(t testing.TB, log *slog.Logger, change ...func(*config.Config)) *Site {
	t.Helper()
	cfg, err := config.Default()
	if err != nil {
		t.Fatal(err)
	}
	cfg.DB = dbtest.At(t)
	for _, f := range change {
		f(&cfg)
	}
	if _, err := os.Stat(cfg.DB); errors.Is(err, fs.ErrNotExist) && !db.IsServer(cfg.DB) {
		dbtest.Lay(t, cfg.DB)
	}
	clock := dbtest.NewClock()
	a, err := app.Open(context.Background(), cfg, app.WithClock(clock.Now), app.WithLog(log),
		app.WithTerminal(io.Discard))
	if err != nil {
		t.Fatalf("open the program: %v", err)
	}
	a.Accounts.HashForTests()
	h, err := a.Handler()
	if err != nil {
		a.Close()
		t.Fatalf("make the server: %v", err)
	}
	srv := httptest.NewServer(h)
	site := &Site{App: a, Clock: clock, URL: srv.URL}
	t.Cleanup(func() {
		srv.CloseClientConnections() // event streams would keep Close waiting
		srv.Close()
		if HoldCounts && !t.Failed() {
			site.CountsHold(t)
		}
		if err := a.Close(); err != nil {
			t.Errorf("close the program: %v", err)
		}
	})
	return site
}

// Drain works all jobs that are due.
func (s *Site) Drain(t testing.TB) {
	t.Helper()
	if err := s.Jobs.Drain(t.Context()); err != nil {
		t.Fatalf("drain the jobs: %v", err)
	}
}

// Account adds a person with these roles.
func (s *Site) Account(t testing.TB, roles ...account.Role) account.Account {
	t.Helper()
	s.people++
	n := strconv.Itoa(s.people)
	a, err := s.Accounts.Add(t.Context(),
		account.NewAccount{Email: "person" + n + "@example.org", Name: "Person " + n, Password: Password, Roles: roles},
		audit.System("test"))
	if err != nil {
		t.Fatalf("add a person: %v", err)
	}
	return a
}

// Token makes a bearer token for agent "pension-advisor".
func (s *Site) Token(t testing.TB, scopes ...account.Scope) string {
	t.Helper()
	plain, _, err := s.Accounts.CreateToken(t.Context(), "pension-advisor", "pension", scopes, time.Time{},
		audit.System("test"))
	if err != nil {
		t.Fatalf("make a token: %v", err)
	}
	return plain
}

// Client is one browser, or one program with a token. It follows no redirect.
type Client struct {
	Account account.Account
	Header  http.Header // sent with every request
	site    *Site
	http    *http.Client
}

// Nobody is a browser that is not signed in.
func (s *Site) Nobody(t testing.TB) *Client {
	t.Helper()
	c := &Client{site: s, Header: http.Header{}}
	c.http = &http.Client{Jar: newJar(), Timeout: time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return c
}

// SignedIn is the browser of a new person with these roles, who is signed in.
func (s *Site) SignedIn(t testing.TB, roles ...account.Role) *Client {
	t.Helper()
	return s.Enter(t, s.Account(t, roles...))
}

// Enter is a new browser of a person with a session that was started past the form, which is quicker.
func (s *Site) Enter(t testing.TB, a account.Account) *Client {
	t.Helper()
	secret, err := s.Accounts.StartSession(t.Context(), a.ID, "test browser", "127.0.0.1")
	if err != nil {
		t.Fatalf("start a session of %s: %v", a.Email, err)
	}
	c := s.Nobody(t)
	c.Account = a
	name := "preceptor"
	if s.Config().Secure() {
		name = "__Host-preceptor"
	}
	c.http.Jar.SetCookies(nil, []*http.Cookie{{Name: name, Value: secret}})
	return c
}

// SignIn is a new browser of a person, signed in by the form.
func (s *Site) SignIn(t testing.TB, a account.Account) *Client {
	t.Helper()
	c := s.Nobody(t)
	c.Account = a
	r := c.Post(t, "/sign-in", url.Values{"email": {a.Email}, "password": {Password}})
	if r.Status != http.StatusSeeOther {
		t.Fatalf("sign in %s: %d %s", a.Email, r.Status, r.Body)
	}
	return c
}

// At is the same browser at another server of the same database.
func (c *Client) At(s *Site) *Client {
	there := *c
	there.site = s
	return &there
}

// Cookies are what the browser would send.
func (c *Client) Cookies() []*http.Cookie {
	u, _ := url.Parse(c.site.URL) // httptest made it
	return c.http.Jar.Cookies(u)
}

// Response is an answer, read.
type Response struct {
	Status int
	Header http.Header
	Body   string
}

// Get asks for a path.
func (c *Client) Get(t testing.TB, path string) Response {
	t.Helper()
	return c.Do(t, http.MethodGet, path, "", "")
}

// Post sends a form, as a page of the site would.
func (c *Client) Post(t testing.TB, path string, form url.Values) Response {
	t.Helper()
	return c.Do(t, http.MethodPost, path, "application/x-www-form-urlencoded", form.Encode(), "Sec-Fetch-Site",
		"same-origin")
}

// Follow sends a form, and loads the page that the answer leads to.
func (c *Client) Follow(t testing.TB, path string, form url.Values) Response {
	t.Helper()
	r := c.Post(t, path, form)
	if r.Status != http.StatusSeeOther {
		t.Fatalf("%s: %d: %.400s", path, r.Status, r.Body)
	}
	return c.Get(t, r.Header.Get("Location"))
}

// JSON sends JSON.
func (c *Client) JSON(t testing.TB, method, path, body string) Response {
	t.Helper()
	return c.Do(t, method, path, "application/json", body)
}

// Head sends an empty request as a page of the site would, and reads nothing but the answer's head: event streams have
// no end.
func (c *Client) Head(ctx context.Context, t testing.TB, method, path string) Response {
	t.Helper()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, c.site.URL+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range c.Header {
		req.Header[name] = values
	}
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	res, err := c.http.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close()
	return Response{Status: res.StatusCode, Header: res.Header}
}

// Do sends any request; header is names and values in turn.
func (c *Client) Do(t testing.TB, method, path, contentType, body string, header ...string) Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, c.site.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range c.Header {
		req.Header[name] = values
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
	res, err := c.http.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return Response{Status: res.StatusCode, Header: res.Header, Body: string(b)}
}
