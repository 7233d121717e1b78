package web

import (
	"bytes"
	"context"
	"crypto/subtle"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	prometheus "github.com/VictoriaMetrics/metrics"
	"github.com/labstack/echo/v4"

	"preceptor/internal/fault"
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

// busy answers all but what belongs to pages and to monitors with what keeps the program from working. The page asks again automatically.
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

// metrics are what this server counts, and what others of its process are asked when somebody reads them.
type metrics struct {
	Deps
	counted *prometheus.Set
}

var secondsBuckets = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// observe counts a request by its route's pattern, so that the number of series is that of the routes.
func (m metrics) observe(method, route string, status int, took time.Duration) {
	m.counted.GetOrCreateCounter(fmt.Sprintf("preceptor_http_requests_total{method=%q,route=%q,status=\"%d\"}", method, route, status)).Inc()
	m.counted.GetOrCreatePrometheusHistogramExt(fmt.Sprintf("preceptor_http_request_seconds{route=%q}", route), secondsBuckets).Update(took.Seconds())
}

// answer writes all metrics in Prometheus's text format.
func (m metrics) answer(c echo.Context) error {
	ctx, cancel := context.WithTimeout(c.Request().Context(), 2*time.Second)
	defer cancel()
	var b bytes.Buffer
	m.counted.WritePrometheus(&b)
	if m.Jobs != nil {
		jobs, err := m.Jobs.Counts(ctx)
		if err != nil {
			return err
		}
		writeGauges(&b, "preceptor_jobs", "state", jobs)
	}
	if m.Delivery != nil {
		for outcome, n := range m.Delivery.Outcomes() {
			prometheus.WriteCounterUint64(&b, fmt.Sprintf("preceptor_webhook_attempts_total{outcome=%q}", outcome), uint64(n))
		}
		sum, err := m.Delivery.Summary(ctx)
		if err != nil {
			return err
		}
		writeGauges(&b, "preceptor_webhook_events", "state", map[string]int{"waiting": sum.Waiting, "dead": sum.Dead})
		writeGauges(&b, "preceptor_webhook_endpoints", "state", map[string]int{"working": sum.Endpoints - sum.Disabled - sum.Failing, "failing": sum.Failing, "disabled": sum.Disabled})
	}
	prometheus.WriteProcessMetrics(&b)
	return c.Blob(http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", b.Bytes())
}

func writeGauges[K ~string, V ~int | ~int64](w io.Writer, name, label string, values map[K]V) {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		prometheus.WriteGaugeUint64(w, fmt.Sprintf("%s{%s=%q}", name, label, key), uint64(values[key]))
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
			if want != "" && strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare([]byte(got), []byte(want)) == 1 {
				return next(c)
			}
			return fault.New(fault.Denied, "Metrics are for this machine, or for a request with the metrics token.")
		}
	}
}
