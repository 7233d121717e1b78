// Package render turns views into answers: whole pages, htmx fragments, redirects and faults.
//
// What it promises. A view is rendered into a buffer first, so a view that fails sends an error page and never half a
// page. A fault has one translation (Fault): a page for a browser, a notice for htmx, application/problem+json for the
// API; the cause is logged once, with the request id, and never shown.
//
// What it decided against: a template cache or a registry of views (templ components are functions), and flash messages
// in cookies (they stand in the session's row; see web/session).
package render

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"preceptor/internal/platform/fault"
	"preceptor/web/session"
)

// Page answers with a whole page. The page says err, where there is one, and its kind is the status.
func Page(c echo.Context, err error, v templ.Component) error { return Fragment(c, err, v) }

// Fragment answers an htmx request with one or several fragments (out-of-band ones after the first).
func Fragment(c echo.Context, err error, vs ...templ.Component) error {
	status := http.StatusOK
	if err != nil {
		status = fault.KindOf(err).Status()
	}
	return Status(c, status, vs...)
}

// Status answers with a page whose status no error gives.
func Status(c echo.Context, status int, vs ...templ.Component) error {
	var b bytes.Buffer
	for _, v := range vs {
		if err := v.Render(c.Request().Context(), &b); err != nil {
			return fmt.Errorf("render %s: %w", c.Path(), err)
		}
	}
	c.Response().Header().Add("Vary", "HX-Request")
	if status >= http.StatusBadRequest {
		c.Response().Header().Set("HX-Push-Url", "false") // a form that came back is not an address to return to
	}
	return c.Blob(status, "text/html; charset=utf-8", pack(c, b.Bytes()))
}

// IsHTMX reports whether htmx asked, and so wants a fragment. A boosted link or form wants a page.
func IsHTMX(c echo.Context) bool {
	h := c.Request().Header
	return h.Get("HX-Request") == "true" && h.Get("HX-Boosted") != "true"
}

// Redirect sends the browser on after a form: 303 without JavaScript, HX-Location with htmx, which swaps the page in.
// to must be a path of ours; anything else goes home, so that no parameter can send people elsewhere.
func Redirect(c echo.Context, to string) error {
	to = Local(to)
	if IsHTMX(c) {
		c.Response().Header().Set("HX-Location", to)
		return c.NoContent(http.StatusOK)
	}
	return c.Redirect(http.StatusSeeOther, to)
}

// Done goes on after a form with one line for the next page.
func Done(c echo.Context, to, line string) error {
	if err := session.Flash(c, line); err != nil {
		return err
	}
	return Redirect(c, to)
}

// NotDone goes on with why nothing was done.
func NotDone(c echo.Context, to string, err error) error {
	if err := session.Flash(c, session.Warns+fault.Message(err)); err != nil {
		return err
	}
	return Redirect(c, to)
}

// Once goes on after a form that made a secret: the next page shows v, and no page after it.
func Once(c echo.Context, to string, v any) error {
	session.Once(c, to, v)
	return Redirect(c, to)
}

// RetryAfter says in the answer how long err asks to wait, where it does.
func RetryAfter(c echo.Context, err error) {
	if d := fault.RetryAfter(err); d > 0 {
		c.Response().Header().Set("Retry-After", strconv.Itoa(int((d+time.Second-1)/time.Second)))
	}
}

// Local returns to if it is a path on this server, with its query, and "/" otherwise. "//host", "/\host" and anything
// with a scheme or a control character are not paths of ours.
func Local(to string) string {
	if !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t\x00") {
		return "/"
	}
	u, err := url.Parse(to)
	if err != nil || u.Host != "" || u.Scheme != "" {
		return "/"
	}
	return to
}

// RequestID is the request's number, as the log and error pages show it.
func RequestID(c echo.Context) string { return c.Response().Header().Get(echo.HeaderXRequestID) }
