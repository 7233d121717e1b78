package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/platform/config"
	"preceptor/web/render"
)

func signedIn(t *testing.T, c *apptest.Client) bool {
	t.Helper()
	return c.Get(t, "/account").Status == http.StatusOK
}

// S5: an old cookie is dead at the next request, however the session came to its end.
func TestOldCookieIsDead(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, s *apptest.Site, c *apptest.Client){
		"after sign-out": func(t *testing.T, _ *apptest.Site, c *apptest.Client) { c.Post(t, "/sign-out", nil) },
		"after disabling": func(t *testing.T, s *apptest.Site, c *apptest.Client) {
			if r := s.SignedIn(t, account.Admin).Post(t, "/admin/people/"+c.Account.ID+"/disable",
				nil); r.Status != http.StatusSeeOther {
				t.Fatalf("disable: %d", r.Status)
			}
		},
		"after a new password": func(t *testing.T, s *apptest.Site, c *apptest.Client) {
			r := s.SignedIn(t, account.Admin).Follow(t, "/admin/people/"+c.Account.ID+"/link", nil)
			link := regexp.MustCompile(`/join/[\w-]{43}`).FindString(r.Body)
			if !signedIn(t, c) {
				t.Fatal("making a link signed the person out")
			}
			if r := s.Nobody(t).Post(t, link,
				url.Values{"password": {"seven boats in the harbour"}}); r.Status != http.StatusSeeOther {
				t.Fatalf("set the password: %d", r.Status)
			}
		},
		"ended from another browser": func(t *testing.T, s *apptest.Site, c *apptest.Client) {
			s.Enter(t, c.Account).Post(t, "/account/sessions/end", url.Values{"session": {"others"}})
		},
		"after idle time": func(_ *testing.T, s *apptest.Site, _ *apptest.Client) {
			s.Clock.Advance(s.Config().SessionIdle)
		},
	} {
		t.Run(name, func(t *testing.T) {
			site := apptest.Open(t)
			c := site.SignedIn(t, account.Supervisor)
			if !signedIn(t, c) {
				t.Fatal("not signed in to begin with")
			}
			old := c.Cookies()[0]
			end(t, site, c)
			thief := site.Nobody(t)
			thief.Header.Set("Cookie", old.Name+"="+old.Value)
			if signedIn(t, thief) {
				t.Error("the old cookie still works")
			}
		})
	}
}

// A page that fetches its parts by itself does not keep its session alive; a person who clicks does.
func TestOpenPageIsNobody(t *testing.T) {
	for name, tc := range map[string]struct {
		header []string
		alive  bool
	}{
		"a click":          {nil, true},
		"a boosted click":  {[]string{"HX-Request", "true", "HX-Boosted", "true"}, true},
		"a part by itself": {[]string{"HX-Request", "true"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			site := apptest.Open(t)
			c := site.SignedIn(t, account.Supervisor)
			for range 3 {
				site.Clock.Advance(site.Config().SessionIdle / 2)
				c.Do(t, http.MethodGet, "/account", "", "", tc.header...)
			}
			if signedIn(t, c) != tc.alive {
				t.Errorf("alive is %v, want %v", !tc.alive, tc.alive)
			}
		})
	}
}

func TestRoleChangeCountsAtTheNextRequest(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin)
	c := site.SignedIn(t, account.Supervisor)
	if got := c.Get(t, "/admin").Status; got != http.StatusForbidden {
		t.Fatalf("a supervisor in the administration: %d", got)
	}
	path := "/admin/people/" + c.Account.ID + "/roles"
	boss.Post(t, path, url.Values{"roles": {"admin", "expert"}})
	if got := c.Get(t, "/admin").Status; got != http.StatusOK {
		t.Errorf("with the new role: %d", got)
	}
	boss.Post(t, path, url.Values{"roles": {"expert"}})
	if got := c.Get(t, "/admin").Status; got != http.StatusForbidden {
		t.Errorf("without it again: %d", got)
	}
}

// A session id that somebody planted is not the one that signing in goes on with.
func TestNewIDAtSignIn(t *testing.T) {
	site := apptest.Open(t)
	a := site.Account(t, account.Supervisor)
	c := site.SignIn(t, a)
	before := c.Cookies()[0]
	c.Post(t, "/sign-in", url.Values{"email": {a.Email}, "password": {apptest.Password}})
	after := c.Cookies()[0]
	if before.Value == after.Value {
		t.Error("the id stayed the same")
	}
	old := site.Nobody(t)
	old.Header.Set("Cookie", before.Name+"="+before.Value)
	if signedIn(t, old) {
		t.Error("the id from before still works")
	}
	planted := site.Nobody(t)
	planted.Header.Set("Cookie", before.Name+"="+strings.Repeat("A", 43))
	r := planted.Post(t, "/sign-in", url.Values{"email": {a.Email}, "password": {apptest.Password}})
	if set := r.Header.Get("Set-Cookie"); set == "" || strings.Contains(set, strings.Repeat("A", 43)) {
		t.Errorf("a planted id was kept: %q", set)
	}
}

func TestPasswordChangeKeepsThisBrowser(t *testing.T) {
	site := apptest.Open(t)
	c := site.SignedIn(t, account.Supervisor)
	other := site.Enter(t, c.Account)
	old := c.Cookies()[0].Value
	form := url.Values{"current": {apptest.Password}, "password": {"seven boats in the harbour"}}
	if r := c.Post(t, "/account/password", form); r.Status != http.StatusSeeOther {
		t.Fatalf("change: %d", r.Status)
	}
	if !signedIn(t, c) || c.Cookies()[0].Value == old {
		t.Error("this browser was signed out, or kept its id")
	}
	if signedIn(t, other) {
		t.Error("the other browser is still signed in")
	}
	if r := c.Get(t, "/account"); strings.Contains(r.Body, "The password is changed") {
		t.Error("the line for the next page is shown twice")
	}
}

// S6: the cookie, over TLS and on this machine.
func TestCookies(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*config.Config)
		prefix string
		secure bool
	}{
		"over TLS": {func(c *config.Config) {
			c.PublicURL, c.TrustedProxy = "https://preceptor.example", []string{"127.0.0.1/32"}
		}, "__Host-", true},
		"on this machine": {func(*config.Config) {}, "preceptor", false},
	} {
		t.Run(name, func(t *testing.T) {
			site := apptest.Open(t, tc.change)
			a := site.Account(t, account.Supervisor)
			c := site.Nobody(t)
			in := c.Post(t, "/sign-in", url.Values{"email": {a.Email}, "password": {apptest.Password}})
			out := c.Post(t, "/sign-out", nil)
			for _, r := range []apptest.Response{in, out} {
				cookie, err := http.ParseSetCookie(r.Header.Get("Set-Cookie"))
				if err != nil {
					t.Fatalf("%v in %v", err, r.Header)
				}
				if !strings.HasPrefix(cookie.Name, tc.prefix) || cookie.Secure != tc.secure || !cookie.HttpOnly ||
					cookie.SameSite != http.SameSiteLaxMode || cookie.Domain != "" || cookie.Path != "/" ||
					len(r.Header.Get("Set-Cookie")) > 4000 {
					t.Errorf("cookie %q", r.Header.Get("Set-Cookie"))
				}
				if strings.Contains(r.Body, cookie.Value) && cookie.Value != "" {
					t.Error("the cookie's value stands in a body")
				}
			}
			if in.Header.Values("Set-Cookie")[0] == "" || out.Header.Get("Clear-Site-Data") == "" {
				t.Error("sign-out does not clear the browser")
			}
			if hsts := in.Header.Get("Strict-Transport-Security"); (hsts != "") != tc.secure {
				t.Errorf("HSTS %q", hsts)
			}
		})
	}
}

// S7: a request that changes something comes from our own pages.
func TestCrossOrigin(t *testing.T) {
	site := apptest.Open(t)
	person := site.Account(t, everybody...)
	for _, tc := range []struct {
		name    string
		header  []string
		refused bool
	}{
		{"our page", []string{"Sec-Fetch-Site", "same-origin"}, false},
		{"typed by the person", []string{"Sec-Fetch-Site", "none"}, false},
		{"another site", []string{"Sec-Fetch-Site", "cross-site"}, true},
		{"another name of our site", []string{"Sec-Fetch-Site", "same-site"}, true},
		{"an old browser, our page", []string{"Origin", site.URL}, false},
		{"an old browser, another site", []string{"Origin", "https://evil.example"}, true},
		{"an old browser, a file", []string{"Origin", "null"}, true},
		{"neither", nil, true},
		{"a method that is overridden", []string{"Sec-Fetch-Site", "cross-site", "X-HTTP-Method-Override", "GET"},
			true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, route := range routesOf(t, site) {
				if route.Method == http.MethodGet || route.Method == http.MethodHead || render.ForPrograms(route.Path) {
					// which take a token, and no cookie
					continue
				}
				if !tc.refused && route.Path != "/preferences" {
					continue // letting through is the same everywhere; one is enough
				}
				c := site.Enter(t, person)
				r := c.Do(t, route.Method, fill(route.Path), "application/x-www-form-urlencoded", "theme=dark",
					tc.header...)
				refused := r.Status == http.StatusForbidden && strings.Contains(r.Body, "come from a page on this site")
				if refused != tc.refused {
					t.Errorf("%s %s: %d, want refused=%v", route.Method, route.Path, r.Status, tc.refused)
				}
			}
		})
	}
	// Without a cookie there is nothing to abuse: a script may sign in.
	a := site.Account(t, account.Supervisor)
	r := site.Nobody(t).Do(t, http.MethodPost, "/sign-in", "application/x-www-form-urlencoded",
		url.Values{"email": {a.Email}, "password": {apptest.Password}}.Encode())
	if r.Status != http.StatusSeeOther {
		t.Errorf("a script signs in: %d", r.Status)
	}
}

func TestSignInGoesOnWhereItWasAsked(t *testing.T) {
	site := apptest.Open(t)
	a := site.Account(t, account.Admin)
	r := site.Nobody(t).Get(t, "/admin/audit?action=account.")
	if r.Status != http.StatusSeeOther ||
		r.Header.Get("Location") != "/sign-in?next=%2Fadmin%2Faudit%3Faction%3Daccount." {
		t.Fatalf("%d to %s", r.Status, r.Header.Get("Location"))
	}
	for next, want := range map[string]string{
		"/admin/audit?action=account.": "/admin/audit?action=account.", "https://evil.example/": "/",
		"//evil.example": "/",
		`/\evil.example`: "/", "javascript:alert(1)": "/", "": "/", "/a\r\nSet-Cookie: x=y": "/",
	} {
		r := site.Nobody(t).Post(t, "/sign-in",
			url.Values{"email": {a.Email}, "password": {apptest.Password}, "next": {next}})
		if got := r.Header.Get("Location"); got != want {
			t.Errorf("next %q leads to %q, want %q", next, got, want)
		}
	}
}

func TestWrongPasswordKeepsTheAddress(t *testing.T) {
	site := apptest.Open(t)
	r := site.Nobody(t).Post(t, "/sign-in", url.Values{"email": {`"><b>x`}, "password": {"secret-that-was-typed"}})
	if r.Status != http.StatusUnauthorized || !strings.Contains(r.Body, "&#34;&gt;&lt;b&gt;x") ||
		strings.Contains(r.Body, "secret-that-was-typed") {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	for range 6 {
		r = site.Nobody(t).Post(t, "/sign-in", url.Values{"email": {"a@example.org"}, "password": {"wrong"}})
	}
	if r.Status != http.StatusTooManyRequests || r.Header.Get("Retry-After") == "" {
		t.Errorf("after many tries: %d %v", r.Status, r.Header)
	}
}

func TestDemoSignIn(t *testing.T) {
	demo := apptest.Open(t, func(c *config.Config) { c.Demo = true })
	a := demo.Account(t, account.Expert)
	if r := demo.Nobody(t).Get(t, "/sign-in"); !strings.Contains(r.Body, a.Name) {
		t.Error("the demo offers nobody")
	}
	c := demo.Nobody(t)
	if r := c.Post(t, "/demo/sign-in", url.Values{"account": {a.ID}}); r.Status != http.StatusSeeOther ||
		!signedIn(t, c) {
		t.Errorf("one click: %d", r.Status)
	}
	for name, header := range map[string][]string{
		"through a proxy":          {"X-Forwarded-For", "203.0.113.9"},
		"by a name bound to us":    {"Host", "evil.example"},
		"by an address from afar":  {"Host", "203.0.113.9:8080"},
		"through an older forward": {"Forwarded", "for=203.0.113.9"},
	} {
		r := demo.Nobody(t).Do(t, http.MethodPost, "/demo/sign-in", "application/x-www-form-urlencoded",
			"account="+a.ID, header...)
		if r.Status != http.StatusNotFound {
			t.Errorf("%s: %d", name, r.Status)
		}
		if r := demo.Nobody(t).Do(t, http.MethodGet, "/sign-in", "", "", header...); strings.Contains(r.Body, a.Name) {
			t.Errorf("%s: the people are shown", name)
		}
	}
	real := apptest.Open(t)
	b := real.Account(t, account.Expert)
	if r := real.Nobody(t).Post(t, "/demo/sign-in", url.Values{"account": {b.ID}}); r.Status != http.StatusNotFound {
		t.Errorf("outside the demo: %d", r.Status)
	}
	if r := real.Nobody(t).Get(t, "/sign-in"); strings.Contains(r.Body, b.Name) {
		t.Error("the people are shown outside the demo")
	}
}
