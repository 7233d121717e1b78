package apptest

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"sync"
)

// jar keeps cookies by name for one site. Unlike net/http/cookiejar it also sends Secure cookies over the test's plain
// socket, so that what is served behind a TLS proxy can be tried without one.
type jar struct {
	mu      sync.Mutex
	cookies map[string]*http.Cookie
}

func newJar() *jar { return &jar{cookies: map[string]*http.Cookie{}} }

// SetCookies implements http.CookieJar.
func (j *jar) SetCookies(_ *url.URL, cookies []*http.Cookie) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, c := range cookies {
		if c.MaxAge < 0 {
			delete(j.cookies, c.Name)
			continue
		}
		j.cookies[c.Name] = c
	}
}

// Cookies implements http.CookieJar.
func (j *jar) Cookies(*url.URL) []*http.Cookie {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []*http.Cookie
	for _, name := range slices.Sorted(maps.Keys(j.cookies)) {
		out = append(out, &http.Cookie{Name: name, Value: j.cookies[name].Value})
	}
	return out
}
