package web

import (
	"crypto/subtle"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/platform/fault"
	"preceptor/web/home"
	"preceptor/web/render"
	"preceptor/web/session"
)

// healthz says that the process answers; a monitor restarts it when it does not.
func (s *Server) healthz(c echo.Context) error { return c.String(http.StatusOK, "ok\n") }

// readyz says whether requests can be served: the database answers and jobs run. What is wrong goes to the log.
func (s *Server) readyz(d Deps) echo.HandlerFunc {
	return func(c echo.Context) error {
		select {
		case <-s.stopping:
			return c.String(http.StatusServiceUnavailable, "stopping\n")
		default:
		}
		if err := d.Ready(c.Request().Context()); err != nil {
			d.Log.Warn("not ready", "error", err.Error())
			return c.String(http.StatusServiceUnavailable, "not ready\n")
		}
		return c.String(http.StatusOK, "ready\n")
	}
}

// busy answers all but what belongs to pages and to monitors with what keeps the program from working. The page asks
// again automatically.
func busy(p *home.Pages, d Deps) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			path, said := c.Request().URL.Path, ""
			if d.Busy != nil {
				said = d.Busy()
			}
			switch {
			case said == "" || path == "/healthz" || path == "/metrics" || strings.HasPrefix(path, "/static/"):
				return next(c)
			case path == "/readyz":
				return c.String(http.StatusServiceUnavailable, said+"\n")
			case c.Request().Method == http.MethodGet && isPage(path) && !render.IsHTMX(c):
				c.Response().Header().Set("Refresh", "2")
				return p.Busy(c, said)
			}
			e := fault.New(fault.Unavailable, "%s. Try again in a few seconds.", said)
			e.RetryAfter = 5 * time.Second
			return e
		}
	}
}

// requireOperator lets in peers on this machine that no proxy speaks for, and whoever has the token.
func requireOperator(want string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if session.Local(c.Request()) {
				return next(c)
			}
			scheme, got, _ := strings.Cut(c.Request().Header.Get(echo.HeaderAuthorization), " ")
			if want != "" && strings.EqualFold(scheme, "Bearer") &&
				subtle.ConstantTimeCompare([]byte(got), []byte(want)) == 1 {
				return next(c)
			}
			return fault.New(fault.Denied, "Metrics are for this machine, or for a request with the metrics token.")
		}
	}
}
