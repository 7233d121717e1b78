package delivery

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"preceptor/internal/platform/fault"
)

// Fetched is a page as it was read.
type Fetched struct {
	Type string // its media type
	Body []byte
}

// The bounds of reading a page.
const (
	fetchWait     = 30 * time.Second // for all of it
	fetchRedirect = 5
)

// Fetch reads a page at an address that somebody set, by the rules of deliveries: nothing is reached that is not public
// and that a does not allow, of redirects neither. The error is for a person, in one line.
func Fetch(ctx context.Context, a Allow, address string, most int) (f Fetched, err error) {
	ctx, cancel := context.WithTimeout(ctx, fetchWait)
	defer cancel()
	client := Client(a, fetchWait)
	for range fetchRedirect + 1 {
		page, _, _ := strings.Cut(address, "#")
		u, msg := parseURL(page)
		if msg != "" {
			return f, fault.Wrong(msg, "address", msg)
		}
		next := ""
		if f, next, err = get(ctx, client, u, most); err != nil || next == "" {
			return f, err
		}
		address = next
	}
	return f, fault.New(fault.Invalid, "It redirects more than %d times.", fetchRedirect)
}

// get asks once; next is where it is redirected to.
func get(ctx context.Context, client *http.Client, u *url.URL, most int) (f Fetched, next string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return f, "", fault.Wrap(fault.Invalid, err, "The address can't be read.")
	}
	req.Header.Set("User-Agent", "Preceptor")
	req.Header.Set("Accept", "text/html, application/pdf, text/markdown, text/plain, */*;q=0.1")
	res, err := client.Do(req)
	if err != nil {
		if why := Refusal(err); why != "" {
			return f, "", fault.Wrap(fault.Invalid, err, "%s", why)
		}
		return f, "", fault.Wrap(fault.Invalid, err, "It can't be reached.")
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode >= 300 && res.StatusCode < 400 && res.Header.Get("Location") != "":
		to, err := res.Location()
		if err != nil {
			return f, "", fault.Wrap(fault.Invalid, err, "It redirects to what is no address.")
		}
		return f, to.String(), nil
	case res.StatusCode != http.StatusOK:
		return f, "", fault.New(fault.Invalid, "The server answered %s.", res.Status)
	}
	f.Type = res.Header.Get("Content-Type")
	if f.Body, err = io.ReadAll(io.LimitReader(res.Body, int64(most)+1)); err != nil {
		return f, "", fault.Wrap(fault.Invalid, err, "It broke off while it was read.")
	}
	if len(f.Body) > most {
		return f, "", fault.New(fault.Invalid, "It is larger than %d MB.", most>>20)
	}
	return f, "", nil
}
