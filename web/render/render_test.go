package render_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"preceptor/internal/platform/fault"
	"preceptor/web/render"
)

func text(s string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	})
}

// ask runs a handler as the server would.
func ask(t *testing.T, req *http.Request, h echo.HandlerFunc, views bool) *httptest.ResponseRecorder {
	t.Helper()
	e := echo.New()
	rec := httptest.NewRecorder()
	c := e.NewContext(req, rec)
	c.Response().Header().Set(echo.HeaderXRequestID, "req-1")
	var v render.Views
	if views {
		v = render.Views{
			Page: func(_ echo.Context, p render.Problem) templ.Component {
				return text("<page>" + p.Title + "|" + p.Message)
			},
			Notice: func(p render.Problem) templ.Component { return text("<notice>" + p.Message) },
		}
	}
	err := render.Use(v, slog.New(slog.DiscardHandler))(h)(c)
	if err != nil {
		if err := render.Fault(c, err); err != nil {
			t.Fatal(err)
		}
	}
	return rec
}

func failing(err error) echo.HandlerFunc { return func(echo.Context) error { return err } }

func limited() error {
	f := fault.New(fault.Limited, "Wait.")
	f.RetryAfter = 1500 * time.Millisecond
	return f
}

func TestFaultByKind(t *testing.T) {
	for _, tc := range []struct {
		name   string
		err    error
		status int
		shown  string
	}{
		{"invalid", fault.New(fault.Invalid, "Fill it in."), 422, "Fill it in."},
		{"denied", fault.New(fault.Denied, "Not yours."), 403, "Not yours."},
		{"not found", fault.New(fault.NotFound, "Gone."), 404, "Gone."},
		{"conflict", fmt.Errorf("review: %w", fault.New(fault.Conflict, "Ann was first.")), 409, "Ann was first."},
		{"limited", limited(), 429, "Wait."},
		{"unavailable", fault.New(fault.Unavailable, "Later."), 503, "Later."},
		{"a defect", errors.New("secret cause"), 500, fault.InternalMessage},
		{"a cause", fault.Wrap(fault.Unavailable, errors.New("secret cause"), "Later."), 503, "Later."},
		{"no route", echo.ErrNotFound, 404, "There is nothing at this address"},
		{"wrong method", echo.ErrMethodNotAllowed, 405, "doesn't accept that method"},
		{"too large", &http.MaxBytesError{Limit: 1}, 413, "too large"},
		{"too large, under a fault", fault.Wrap(fault.Invalid, &http.MaxBytesError{Limit: 1},
			"We couldn't read the form."), 413, "too large"},
		{"an odd status", echo.NewHTTPError(418, "secret cause"), 418, fault.InternalMessage},
	} {
		t.Run(tc.name, func(t *testing.T) {
			req := httptest.NewRequest(http.MethodPost, "/reviews/x", nil)
			page := ask(t, req, failing(tc.err), true)
			if page.Code != tc.status || !strings.HasPrefix(page.Body.String(), "<page>") ||
				!strings.Contains(page.Body.String(), tc.shown) {
				t.Errorf("page: %d %s", page.Code, page.Body)
			}
			req.Header.Set("HX-Request", "true")
			part := ask(t, req, failing(tc.err), true)
			if part.Code != tc.status || part.Header().Get("HX-Retarget") != "#notice" ||
				!strings.HasPrefix(part.Body.String(), "<notice>") {
				t.Errorf("htmx: %d %v %s", part.Code, part.Header(), part.Body)
			}
			req.Header.Set("HX-Boosted", "true")
			if boosted := ask(t, req, failing(tc.err), true); !strings.HasPrefix(boosted.Body.String(), "<notice>") {
				// what was typed stays
				t.Errorf("boosted form: %s", boosted.Body)
			}
			req.Method = http.MethodGet
			if boosted := ask(t, req, failing(tc.err), true); !strings.HasPrefix(boosted.Body.String(), "<page>") {
				t.Errorf("boosted link: %s", boosted.Body)
			}
			api := ask(t, httptest.NewRequest(http.MethodPost, "/api/guidance", nil), failing(tc.err), true)
			var problem map[string]any
			if err := json.Unmarshal(api.Body.Bytes(), &problem); err != nil ||
				api.Header().Get("Content-Type") != "application/problem+json" {
				t.Fatalf("API: %v %s", err, api.Body)
			}
			if problem["status"] != float64(tc.status) || !strings.Contains(fmt.Sprint(problem["detail"]), tc.shown) {
				t.Errorf("API: %v", problem)
			}
			plain := ask(t, httptest.NewRequest(http.MethodPost, "/x", nil), failing(tc.err), false)
			if plain.Code != tc.status || plain.Header().Get("Content-Type") != "text/plain; charset=UTF-8" {
				t.Errorf("without views: %d %v", plain.Code, plain.Header())
			}
			for _, r := range []*httptest.ResponseRecorder{page, part, api, plain} {
				if strings.Contains(r.Body.String(), "secret cause") || r.Header().Get("Cache-Control") != "no-store" {
					t.Errorf("%v %s", r.Header(), r.Body)
				}
			}
			if wait := page.Header().Get("Retry-After"); (wait == "2") != (tc.status == 429) {
				t.Errorf("Retry-After %q", wait)
			}
		})
	}
}

func TestUnsigned(t *testing.T) {
	err := fault.New(fault.Unsigned, "Sign in.")
	get := ask(t, httptest.NewRequest(http.MethodGet, "/reviews?task=x&a=b", nil), failing(err), true)
	if get.Code != http.StatusSeeOther || get.Header().Get("Location") != "/sign-in?next="+
		url.QueryEscape("/reviews?task=x&a=b") {
		t.Errorf("GET: %d %v", get.Code, get.Header())
	}
	// A form is not sent away: what was typed would be lost.
	if post := ask(t, httptest.NewRequest(http.MethodPost, "/reviews/x/revise", nil), failing(err),
		true); post.Code != http.StatusUnauthorized {
		t.Errorf("POST: %d", post.Code)
	}
	req := httptest.NewRequest(http.MethodGet, "/reviews", nil)
	req.Header.Set("HX-Request", "true")
	if part := ask(t, req, failing(err), true); part.Code != http.StatusUnauthorized ||
		part.Header().Get("HX-Retarget") != "#notice" {
		t.Errorf("htmx: %d", part.Code)
	}
	if api := ask(t, httptest.NewRequest(http.MethodGet, "/api/guidance", nil), failing(err),
		true); api.Code != http.StatusUnauthorized {
		t.Errorf("API: %d", api.Code)
	}
}

func TestHeadHasNoBody(t *testing.T) {
	r := ask(t, httptest.NewRequest(http.MethodHead, "/x", nil), failing(echo.ErrNotFound), true)
	if r.Code != http.StatusNotFound || r.Body.Len() != 0 {
		t.Errorf("%d %q", r.Code, r.Body)
	}
}

// A view that fails halfway sends an error and not half a page.
func TestNoHalfPages(t *testing.T) {
	half := templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		io.WriteString(w, "half a page")
		return errors.New("broken view")
	})
	r := ask(t, httptest.NewRequest(http.MethodGet, "/x", nil), func(c echo.Context) error {
		return render.Page(c, nil, half)
	}, true)
	if r.Code != http.StatusInternalServerError || strings.Contains(r.Body.String(), "half a page") {
		t.Errorf("%d %s", r.Code, r.Body)
	}
	r = ask(t, httptest.NewRequest(http.MethodGet, "/x", nil), func(c echo.Context) error {
		return render.Fragment(c, nil, text("one"), text("two"), half)
	}, true)
	if r.Code != http.StatusInternalServerError || strings.Contains(r.Body.String(), "one") {
		t.Errorf("%d %s", r.Code, r.Body)
	}
}

func TestRedirect(t *testing.T) {
	to := func(c echo.Context) error { return render.Redirect(c, "/reviews?x=1") }
	r := ask(t, httptest.NewRequest(http.MethodPost, "/x", nil), to, true)
	if r.Code != http.StatusSeeOther || r.Header().Get("Location") != "/reviews?x=1" {
		t.Errorf("form: %d %v", r.Code, r.Header())
	}
	req := httptest.NewRequest(http.MethodPost, "/x", nil)
	req.Header.Set("HX-Request", "true")
	r = ask(t, req, to, true)
	if r.Code != http.StatusOK || r.Header().Get("HX-Location") != "/reviews?x=1" {
		t.Errorf("htmx: %d %v", r.Code, r.Header())
	}
}

func TestLocal(t *testing.T) {
	for in, want := range map[string]string{
		"/": "/", "/reviews": "/reviews", "/a?b=c#d": "/a?b=c#d", "/ä ö": "/ä ö",
		"": "/", "reviews": "/", "//evil.example": "/", "/\\evil.example": "/", "https://evil.example": "/",
		"javascript:alert(1)": "/",
		"/\r\nX: y":           "/", "/\tx": "/", "/%": "/", "/\x00": "/",
	} {
		if got := render.Local(in); got != want {
			t.Errorf("Local(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzLocal(f *testing.F) {
	for _, s := range []string{"/", "//x", "/\\x", "/a?b", "http://x", "/\n", "/%2f%2fx", "/.//x"} {
		f.Add(s)
	}
	base, _ := url.Parse("https://preceptor.example/sign-in")
	f.Fuzz(func(t *testing.T, s string) {
		got := render.Local(s)
		u, err := url.Parse(got)
		if err != nil {
			t.Fatalf("%q gives %q: %v", s, got, err)
		}
		if to := base.ResolveReference(u); to.Host != base.Host || to.Scheme != base.Scheme ||
			strings.ContainsAny(got, "\r\n\\") {
			t.Fatalf("%q leads to %s", s, to)
		}
	})
}

// What is broken off because its reader left is no failure that somebody should be woken for.
func TestWhoLeftIsNoFailure(t *testing.T) {
	for _, left := range []bool{false, true} {
		ctx, leave := context.WithCancel(t.Context())
		req := httptest.NewRequest(http.MethodGet, "/stats", nil).WithContext(ctx)
		var out bytes.Buffer
		c := echo.New().NewContext(req, httptest.NewRecorder())
		err := render.Use(render.Views{}, slog.New(slog.NewTextHandler(&out, nil)))(failing(errors.New("broken off")))(
			c)
		if left {
			leave()
		}
		if err := render.Fault(c, err); err != nil {
			t.Fatal(err)
		}
		leave()
		if logged := strings.Contains(out.String(), "request failed"); logged == left {
			t.Errorf("left %v: the log has %q", left, out.String())
		}
	}
}
