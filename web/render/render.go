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
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"preceptor/internal/platform/fault"
	"preceptor/web/form"
	"preceptor/web/session"
)

// Page answers with a whole page. The page says err, where there is one, and its kind is the status; an err that no
// form says (see form.Again) is returned instead.
func Page(c echo.Context, err error, v templ.Component, also ...fault.Kind) error {
	if !form.Again(err, also...) {
		return err
	}
	return Fragment(c, err, v)
}

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
	if err := session.Once(c, to, v); err != nil {
		return err
	}
	return Redirect(c, to)
}

// RetryAfter says in the answer how long err asks to wait, where it does.
func RetryAfter(c echo.Context, err error) {
	if d := fault.RetryAfter(err); d > 0 {
		c.Response().Header().Set("Retry-After", strconv.Itoa(int((d+time.Second-1)/time.Second)))
	}
}

// Again is the status with which a form is shown again to a guest or a customer, after it said how long they are asked
// to wait; ok is false for a fault that they can't do anything about.
func Again(c echo.Context, cause error) (status int, ok bool) {
	switch kind := fault.KindOf(cause); kind {
	case fault.Invalid, fault.Limited, fault.Conflict:
		RetryAfter(c, cause)
		return kind.Status(), true
	}
	return 0, false
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

// Part sends a part of a stream of news, which the reader has limit to take. Then there is no limit until the next: an
// HTTP/2 stream would be reset once one passes, although nothing is to be written.
func Part(w http.ResponseWriter, limit time.Duration, text string) error {
	out := http.NewResponseController(w)
	if err := out.SetWriteDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return out.SetWriteDeadline(time.Time{})
}

// packFrom is how long a page has to be for gzip to be worth it, in bytes: shorter ones fit into one packet.
const packFrom = 1400

// packers are kept, because one takes most of a megabyte to make. The queue's page goes from 65 kB to 11 in about half
// a millisecond at this level; the usual one takes twice as long for a tenth less.
var packers = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is a valid constant
	return w
}}

// pack compresses an answer for a browser that takes that, and says so in its headers. What another site may have asked
// for is left as it is, and so is what repeats the words of a search: the length of a compressed page would tell
// whether words that somebody else put into a link stand in it (BREACH). Browsers say who asked in Sec-Fetch-Site.
func pack(c echo.Context, plain []byte) []byte {
	h := c.Response().Header()
	h.Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
	h.Add(echo.HeaderVary, "Sec-Fetch-Site")
	req := c.Request()
	site := req.Header.Get("Sec-Fetch-Site")
	if len(plain) < packFrom || site != "same-origin" && site != "none" || req.URL.Query().Get("q") != "" ||
		!strings.Contains(req.Header.Get(echo.HeaderAcceptEncoding), "gzip") {
		return plain
	}
	w := packers.Get().(*gzip.Writer)
	defer packers.Put(w)
	var b bytes.Buffer
	w.Reset(&b)
	if _, err := w.Write(plain); err != nil {
		return plain
	}
	if err := w.Close(); err != nil {
		return plain
	}
	h.Set(echo.HeaderContentEncoding, "gzip")
	return b.Bytes()
}

// patience is how long a client may take no bytes before it is let go.
const patience = 30 * time.Second

// Sent ends a download. What failed cuts the connection, so that nobody takes half a file for the whole.
func Sent(c echo.Context, err error, finish func() error, rows int) error {
	if err == nil {
		err = finish()
	}
	if err == nil {
		return nil
	}
	if log, ok := c.Get(logKey).(*slog.Logger); ok && !errors.Is(err, context.Canceled) {
		log.Warn("an export was not sent to its end", "rows", rows, "error", err.Error())
	}
	panic(http.ErrAbortHandler)
}

// Download begins an answer that is a file, made while it is sent. It sets the head and gives what the file is written
// to, what sends the piece that was written, and what to call at the end. A file that is text is compressed as fast as
// can be, if the client takes it: it shrinks to a fifth.
func Download(c echo.Context, kind, name string, text bool) (w io.Writer, wrote, finish func() error) {
	h := c.Response().Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	h.Set("Vary", "Accept-Encoding")
	rc := http.NewResponseController(c.Response())
	w, wrote, finish = patient{c.Response(), rc}, rc.Flush, func() error { return nil }
	if text && strings.Contains(c.Request().Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // fails for an unknown level only
		w, finish = z, z.Close
		wrote = func() error { return errors.Join(z.Flush(), rc.Flush()) }
	}
	c.Response().WriteHeader(http.StatusOK)
	return w, wrote, finish
}

// patient gives each piece of an answer its own time.
type patient struct {
	io.Writer
	rc *http.ResponseController
}

func (w patient) Write(b []byte) (int, error) {
	if err := w.rc.SetWriteDeadline(time.Now().Add(patience)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return 0, err
	}
	return w.Writer.Write(b)
}
