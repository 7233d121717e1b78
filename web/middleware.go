package web

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/signal/turn"
	"preceptor/web/api/inproc"
	"preceptor/web/render"
	"preceptor/web/session"
)

// recoverPanic turns a defect in one request into its error page; the others go on.
func (s *Server) recoverPanic(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			r := recover()
			if r == nil {
				return
			}
			if rerr, ok := r.(error); ok && errors.Is(rerr, http.ErrAbortHandler) {
				panic(r) // the server's own way to drop a connection
			}
			s.log.Error("a handler panicked", "route", c.Path(), "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
			err = errors.New("panic")
		}()
		return next(c)
	}
}

// requestID numbers the request. A number that the client brings is not used: it ends up in the log.
func requestID(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set(echo.HeaderXRequestID, id.New())
		return next(c)
	}
}

// accessLog writes one line per request and counts it: the route's pattern, never its path, query or body, which may
// carry a secret or a customer's words.
func (s *Server) accessLog(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start, finished := time.Now(), false
		defer func() {
			status := c.Response().Status
			if !finished {
				status = http.StatusInternalServerError
			} else if status >= http.StatusInternalServerError && render.Left(c) {
				status = clientGone
			}
			route := s.route(c)
			took := time.Since(start)
			s.metrics.observe(knownMethod(c.Request().Method), route, status, took)
			attrs := []any{"request", c.Response().Header().Get(echo.HeaderXRequestID), "method",
				clip(c.Request().Method, 16), "route", route,
				"status", status, "ms", took.Milliseconds(), "bytes", c.Response().Size, "from", c.RealIP()}
			if a, ok := session.Current(c); ok {
				attrs = append(attrs, "account", a.ID)
			}
			if t, ok := session.CurrentToken(c); ok {
				attrs = append(attrs, "token", t.ID)
			}
			s.log.Log(c.Request().Context(), levelOf(c.Request().URL.Path), "request", attrs...)
		}()
		if err := next(c); err != nil {
			c.Error(err)
		}
		finished = true
		return nil
	}
}

// clientGone is the status in the log, and in the metrics, of a request whose browser left before the answer: nobody
// gets it, and nothing failed here.
const clientGone = 499

// levelOf keeps what monitors and browsers ask for by themselves out of the ordinary log.
func levelOf(path string) slog.Level {
	if isPage(path) || render.ForPrograms(path) {
		return slog.LevelInfo
	}
	return slog.LevelDebug
}

func clip(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}

const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
	"connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'"

// securityHeaders go on everything, before anything can fail. What may be cached says so itself.
func securityHeaders(secure bool) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			h := c.Response().Header()
			h.Set("Content-Security-Policy", contentPolicy)
			h.Set("X-Content-Type-Options", "nosniff")
			h.Set("X-Frame-Options", "DENY")
			h.Set("Referrer-Policy", "same-origin")
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
			h.Set("Cross-Origin-Resource-Policy", "same-origin")
			h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
			h.Set("Cache-Control", "no-store")
			if secure {
				h.Set("Strict-Transport-Security", "max-age=63072000; includeSubDomains")
			}
			return next(c)
		}
	}
}

// The largest bodies, in bytes.
const (
	maxForm   = 1 << 20
	maxAPI    = 2 << 20
	maxChat   = 4 << 20   // a call of a model, which may carry pictures
	maxUpload = 64 << 20  // a zip of guidance documents
	maxSet    = 256 << 20 // a file of items for a dataset, or of a whole base of knowledge
	inMemory  = 1 << 20   // of a multipart form; the rest goes to a temporary file
)

// bodyLimit refuses bodies that are too large, and reads forms here: later on a form that was cut off would look like
// one with empty fields.
func bodyLimit(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		most := mostBody(r.URL.Path)
		if r.ContentLength > most {
			return echo.NewHTTPError(http.StatusRequestEntityTooLarge)
		}
		if r.Body != nil {
			r.Body = http.MaxBytesReader(c.Response().Writer, r.Body, most)
		}
		if isPage(r.URL.Path) && r.URL.Path != uploadPath && !largeFile(r.URL.Path) {
			if err := readForm(r); err != nil {
				return err
			}
		}
		return next(c)
	}
}

// linger reads what a client is still sending, so that it gets to read why it was refused. What it sends is kept
// nowhere.
func linger(r *http.Request) {
	if r.Body != nil && r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, r.Body, maxUpload) // who sends more finds the connection closed
	}
}

func mostBody(path string) int64 {
	switch {
	case path == uploadPath:
		return maxUpload
	case largeFile(path):
		return maxSet
	case strings.HasPrefix(path, "/v1/"):
		return maxChat
	case render.ForPrograms(path):
		return maxAPI
	}
	return maxForm
}

// The calls of one token that may be under way: most of those to a model wait for it.
const (
	mostCalls = 8
	mostChats = 64
)

// paced holds up a token that asks too often, sends too much, or has too many calls under way. What a call asks of the
// API on its way is part of it, except that each tool of an MCP batch counts.
func (s *Server) paced(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		t, _ := session.CurrentToken(c)
		r, door := c.Request(), inproc.DoorOf(c.Request().Context())
		if door != turn.ByProxy {
			if err := s.quota.Call(t.ID); err != nil {
				return err
			}
		}
		if door != turn.ByAPI {
			return next(c)
		}
		size, places, name := r.ContentLength, mostCalls, "api"
		if size < 0 { // in chunks, so it may be as long as any
			size = mostBody(r.URL.Path)
		}
		if strings.HasPrefix(r.URL.Path, "/v1/") {
			places, name = mostChats, "chat"
		}
		leave, err := s.quota.Enter(r.Context(), t.ID, name, places, size)
		if err != nil {
			return err
		}
		defer leave()
		return next(c)
	}
}

// largeFile tells where large files arrive; who reads them is the handler.
func largeFile(path string) bool {
	return path == baseFilePath || path == packCheckPath || strings.HasPrefix(path, "/datasets/") &&
		strings.HasSuffix(path, "/import/upload")
}

func readForm(r *http.Request) error {
	var err error
	switch kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind {
	case "application/x-www-form-urlencoded":
		err = r.ParseForm()
	case "multipart/form-data":
		err = r.ParseMultipartForm(inMemory)
	}
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return err
	}
	return fault.Wrap(fault.Invalid, err, "We couldn't read the form. Go back and send it again.")
}

// isPage tells pages, which have sessions, from everything that has none.
func isPage(path string) bool {
	switch path {
	case "/healthz", "/readyz", "/metrics":
		return false
	}
	return !strings.HasPrefix(path, "/static/") && !render.ForPrograms(path)
}

func onPages(m echo.MiddlewareFunc) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		with := m(next)
		return func(c echo.Context) error {
			if isPage(c.Request().URL.Path) {
				return with(c)
			}
			return next(c)
		}
	}
}

// crossOrigin refuses requests that change something and come from another site. The standard library's rule lets
// through what has neither Sec-Fetch-Site nor Origin, because it can't come from a browser of today; with a cookie it
// is refused here, because then something pretends to be one. The API is not concerned: cookies mean nothing there.
func crossOrigin(keeper *session.Keeper, publicURL string) (echo.MiddlewareFunc, error) {
	rule := http.NewCrossOriginProtection()
	if publicURL != "" {
		if err := rule.AddTrustedOrigin(strings.TrimSuffix(publicURL, "/")); err != nil {
			return nil, fault.Wrap(fault.Invalid, err,
				"--public-url must be an origin such as https://preceptor.example.org, without a path.")
		}
	}
	refused := fault.New(fault.Denied,
		"This request didn't come from a page on this site, so nothing was done. Reload the page and try again.")
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			if rule.Check(r) != nil {
				return refused
			}
			safe := r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions
			if !safe && r.Header.Get("Sec-Fetch-Site") == "" && r.Header.Get("Origin") == "" && keeper.HasCookie(r) {
				return refused
			}
			return next(c)
		}
	}, nil
}
