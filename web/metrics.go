package web

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	prometheus "github.com/VictoriaMetrics/metrics"
	"github.com/labstack/echo/v4"
)

// metrics are what this server counts, and what others of its process are asked when somebody reads them.
type metrics struct {
	Deps
	counted *prometheus.Set
}

var secondsBuckets = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// observe counts a request by its route's pattern, so that the number of series is that of the routes.
func (m metrics) observe(method, route string, status int, took time.Duration) {
	m.counted.GetOrCreateCounter(fmt.Sprintf("preceptor_http_requests_total{method=%q,route=%q,status=\"%d\"}", method,
		route, status)).Inc()
	m.counted.GetOrCreatePrometheusHistogramExt(fmt.Sprintf("preceptor_http_request_seconds{route=%q}", route),
		secondsBuckets).Update(took.Seconds())
}

// answer writes all metrics in Prometheus's text format.
func (m metrics) answer(c echo.Context) error {
	ctx, cancel := context.WithTimeout(c.Request().Context(), 2*time.Second)
	defer cancel()
	var b bytes.Buffer
	m.counted.WritePrometheus(&b)
	for _, write := range []func(context.Context, io.Writer) error{m.queue, m.jobs, m.deliveries} {
		if err := write(ctx, &b); err != nil {
			return err
		}
	}
	prometheus.WriteGaugeFloat64(&b, "preceptor_replica_behind_seconds", m.Stats.Behind(ctx).Seconds())
	for name, n := range m.Model() {
		prometheus.WriteCounterUint64(&b, "preceptor_model_"+name+"_total", uint64(n))
	}
	prometheus.WriteProcessMetrics(&b)
	return c.Blob(http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", described(b.Bytes()))
}

// queue writes what waits for supervisors.
func (m metrics) queue(ctx context.Context, w io.Writer) error {
	n, err := m.Reviews.Counts(ctx, "", true)
	prometheus.WriteGaugeUint64(w, "preceptor_reviews_waiting", uint64(n.Needs+n.Others))
	m.since(w, "preceptor_reviews_oldest_wait_seconds", n.Oldest)
	return err
}

func (m metrics) jobs(ctx context.Context, w io.Writer) error {
	states, err := m.Jobs.Counts(ctx)
	if err != nil {
		return err
	}
	writeGauges(w, "preceptor_jobs", states)
	failing, due, err := m.Jobs.Behind(ctx)
	prometheus.WriteGaugeUint64(w, "preceptor_jobs_failing", uint64(failing))
	m.since(w, "preceptor_jobs_oldest_wait_seconds", due)
	return err
}

func (m metrics) deliveries(ctx context.Context, w io.Writer) error {
	for outcome, n := range m.Delivery.Outcomes() {
		prometheus.WriteCounterUint64(w, fmt.Sprintf("preceptor_webhook_attempts_total{outcome=%q}", outcome),
			uint64(n))
	}
	sum, err := m.Delivery.Summary(ctx)
	writeGauges(w, "preceptor_webhook_events", map[string]int{"waiting": sum.Waiting, "dead": sum.Dead})
	working := sum.Endpoints - sum.Disabled - sum.Failing
	writeGauges(w, "preceptor_webhook_endpoints",
		map[string]int{"working": working, "failing": sum.Failing, "disabled": sum.Disabled})
	return err
}

// since writes how long ago something began; 0 for nothing.
func (m metrics) since(w io.Writer, name string, at time.Time) {
	seconds := 0.0
	if !at.IsZero() {
		seconds = max(0, m.Now().Sub(at).Seconds())
	}
	prometheus.WriteGaugeFloat64(w, name, seconds)
}

// writeGauges writes how many there are in each state.
func writeGauges[K ~string, V ~int | ~int64](w io.Writer, name string, values map[K]V) {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		prometheus.WriteGaugeUint64(w, fmt.Sprintf("%s{state=%q}", name, key), uint64(values[key]))
	}
}

// families say of each metric what it is and what it counts.
var families = map[string][2]string{
	"preceptor_http_requests_total":         {"counter", "Requests by method, route and status."},
	"preceptor_http_request_seconds":        {"histogram", "How long requests took, by route."},
	"preceptor_replica_behind_seconds":      {"gauge", "How late the figures of statistics are, by a replica."},
	"preceptor_reviews_waiting":             {"gauge", "Reviews that wait for a supervisor."},
	"preceptor_reviews_oldest_wait_seconds": {"gauge", "How long the oldest of them has waited."},
	"preceptor_jobs": {"gauge",
		"Jobs by state: waiting, running, done in the last day, or parked."},
	"preceptor_jobs_failing":              {"gauge", "Jobs that failed and will be tried again, or are parked."},
	"preceptor_jobs_oldest_wait_seconds":  {"gauge", "How long the oldest job that is due has waited."},
	"preceptor_webhook_attempts_total":    {"counter", "Attempts to deliver events, by outcome."},
	"preceptor_webhook_events":            {"gauge", "Events that wait, or whose retries have all failed."},
	"preceptor_webhook_endpoints":         {"gauge", "Webhooks by state."},
	"preceptor_model_calls_total":         {"counter", "Calls of language models that were answered."},
	"preceptor_model_errors_total":        {"counter", "Calls of language models that failed, each try."},
	"preceptor_model_input_tokens_total":  {"counter", "Tokens sent to language models, as they counted them."},
	"preceptor_model_output_tokens_total": {"counter", "Tokens that language models wrote, as they counted them."},
	"go_gc_duration_seconds":              {"summary", "Pauses of the garbage collector."},
	"go_gc_pauses_seconds":                {"histogram", "Pauses of the garbage collector."},
	"go_sched_latencies_seconds":          {"histogram", "How long goroutines waited to run."},
}

// described is a text of metrics with the kind and help of each family before its lines. The library writes neither.
func described(text []byte) []byte {
	lines, order := map[string][]string{}, []string{}
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		name, _, _ := strings.Cut(s.Text(), " ")
		name, _, _ = strings.Cut(name, "{")
		for _, end := range []string{"_bucket", "_sum", "_count"} {
			if base := strings.TrimSuffix(name, end); families[base][0] == "histogram" ||
				families[base][0] == "summary" {
				name = base
			}
		}
		if lines[name] == nil {
			order = append(order, name)
		}
		lines[name] = append(lines[name], s.Text())
	}
	var b bytes.Buffer
	for _, name := range order {
		is, known := families[name]
		switch {
		case known:
		case strings.HasSuffix(name, "_count"):
			continue // the name of a part of a histogram, which this is not
		case strings.HasSuffix(name, "_total"):
			is = [2]string{"counter", "Of this process."}
		default:
			is = [2]string{"gauge", "Of this process."}
		}
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n%s\n", name, is[1], name, is[0], strings.Join(lines[name], "\n"))
	}
	return b.Bytes()
}
