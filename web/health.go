package web

import (
	"context"
	"crypto/subtle"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"preceptor/internal/delivery"
	"preceptor/internal/fault"
	"preceptor/internal/job"
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

type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
}

// newMetrics counts requests by route pattern, so that the number of series is that of the routes.
func newMetrics(d Deps) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "preceptor_http_requests_total", Help: "Requests answered."}, []string{"method", "route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "preceptor_http_request_seconds", Help: "How long an answer took.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}}, []string{"route"}),
	}
	m.registry.MustRegister(m.requests, m.seconds, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if d.Jobs != nil {
		m.registry.MustRegister(jobCollector{d.Jobs, prometheus.NewDesc("preceptor_jobs", "Jobs by state.", []string{"state"}, nil)})
	}
	if d.Delivery != nil {
		m.registry.MustRegister(deliveryCollector{d.Delivery, prometheus.NewDesc("preceptor_webhook_attempts_total", "Attempts to deliver an event since the start.", []string{"outcome"}, nil),
			prometheus.NewDesc("preceptor_webhook_events", "Events that are not delivered.", []string{"state"}, nil),
			prometheus.NewDesc("preceptor_webhook_endpoints", "Webhooks by state.", []string{"state"}, nil)})
	}
	return m
}

func (m *metrics) observe(method, route string, status int, took time.Duration) {
	m.requests.WithLabelValues(method, route, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}

func (m *metrics) handler() echo.HandlerFunc {
	return echo.WrapHandler(promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
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

// jobCollector asks the queue for its counts when somebody reads the metrics.
type jobCollector struct {
	jobs *job.Queue
	desc *prometheus.Desc
}

// Describe implements prometheus.Collector.
func (j jobCollector) Describe(ch chan<- *prometheus.Desc) { ch <- j.desc }

// Collect implements prometheus.Collector.
func (j jobCollector) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	counts, err := j.jobs.Counts(ctx)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(j.desc, err)
		return
	}
	for state, n := range counts {
		ch <- prometheus.MustNewConstMetric(j.desc, prometheus.GaugeValue, float64(n), string(state))
	}
}

// deliveryCollector asks the webhooks for their counts when somebody reads the metrics.
type deliveryCollector struct {
	hooks                       *delivery.Service
	attempts, events, endpoints *prometheus.Desc
}

// Describe implements prometheus.Collector.
func (d deliveryCollector) Describe(ch chan<- *prometheus.Desc) {
	ch <- d.attempts
	ch <- d.events
	ch <- d.endpoints
}

// Collect implements prometheus.Collector.
func (d deliveryCollector) Collect(ch chan<- prometheus.Metric) {
	for outcome, n := range d.hooks.Outcomes() {
		ch <- prometheus.MustNewConstMetric(d.attempts, prometheus.CounterValue, float64(n), outcome)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	sum, err := d.hooks.Summary(ctx)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(d.events, err)
		return
	}
	gauge := func(desc *prometheus.Desc, n int, state string) {
		ch <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, float64(n), state)
	}
	gauge(d.events, sum.Waiting, "waiting")
	gauge(d.events, sum.Dead, "dead")
	gauge(d.endpoints, sum.Endpoints-sum.Disabled-sum.Failing, "working")
	gauge(d.endpoints, sum.Failing, "failing")
	gauge(d.endpoints, sum.Disabled, "disabled")
}
