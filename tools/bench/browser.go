package main

import (
	"context"
	"errors"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"time"

	"preceptor/internal/platform/fault"
)

// benchBrowser is a person's browser as far as the server can tell: it keeps cookies, sends the forms of pages as they
// came, and follows no redirect by itself.
type benchBrowser struct {
	url  string
	http *http.Client
}

func newBenchBrowser(url string) (*benchBrowser, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	return &benchBrowser{url: url, http: &http.Client{Jar: jar, Timeout: 60 * time.Second,
		Transport:     &http.Transport{MaxIdleConnsPerHost: 4},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}, nil
}

// page fetches one.
func (b *benchBrowser) page(ctx context.Context, path string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.url+path, nil)
	if err != nil {
		return "", err
	}
	body, _, err := b.do(req, http.StatusOK)
	return body, err
}

// send posts a form and tells where the answer leads.
func (b *benchBrowser) send(ctx context.Context, path string, form url.Values) (to string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	_, to, err = b.do(req, http.StatusSeeOther)
	return to, err
}

// do sends a request and reads the whole answer.
func (b *benchBrowser) do(req *http.Request, want int) (body, location string, err error) {
	resp, err := b.http.Do(req)
	if err != nil {
		return "", "", err
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", "", err
	}
	if resp.StatusCode != want {
		return "", "",
			&unexpected{fault.New(fault.Unavailable, "%s %s answered %s, not %d.", req.Method, req.URL.Path,
				resp.Status, want), resp.StatusCode}
	}
	return string(all), resp.Header.Get("Location"), nil
}

// download reads a long answer to its end, as it comes, and tells its size.
func (b *benchBrowser) download(ctx context.Context, method, path string) (int64, error) {
	req, err := http.NewRequestWithContext(ctx, method, b.url+path, nil)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	resp, err := b.http.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	n, err := io.Copy(io.Discard, resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fault.New(fault.Unavailable, "%s %s answered %s.", method, path, resp.Status)
	}
	return n, err
}

// unexpected is an answer of another status than the one that was wanted.
type unexpected struct {
	error
	status int
}

// Unwrap gives the fault.
func (u *unexpected) Unwrap() error { return u.error }

// lost reports whether somebody else was quicker, which is no failure of the desk.
func lost(err error) bool {
	u, ok := errors.AsType[*unexpected](err)
	return ok && u.status == http.StatusConflict
}

var (
	hiddenField = regexp.MustCompile(`<input[^>]*type="hidden"[^>]*>`)
	attribute   = regexp.MustCompile(`(name|value)="([^"]*)"`)
)

// form takes the hidden fields of the form of a page that is sent to action; ok is false when the page has none.
func form(page, action string) (fields url.Values, ok bool) {
	_, rest, found := strings.Cut(page, `action="`+action+`"`)
	if !found {
		return nil, false
	}
	inner, _, _ := strings.Cut(rest, "</form>")
	fields = url.Values{}
	for _, input := range hiddenField.FindAllString(inner, -1) {
		var name, value string
		for _, a := range attribute.FindAllStringSubmatch(input, -1) {
			if a[1] == "name" {
				name = html.UnescapeString(a[2])
			} else {
				value = html.UnescapeString(a[2])
			}
		}
		fields.Add(name, value)
	}
	return fields, true
}
