package web_test

import (
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

// What Prometheus reads: each family once, with its help and kind before its lines, by promtool too where there is one.
func TestMetricsAreDescribed(t *testing.T) {
	site := apptest.Open(t)
	token := site.Token(t, account.Submit)
	r := site.Nobody(t).Do(t, http.MethodPost, "/api/guidance", "application/json",
		`{"consultation":{"question":"Can I?"},"guidance":"You can usually take a quarter."}`, "Authorization",
		"Bearer "+token)
	if r.Status != http.StatusAccepted {
		t.Fatal(r.Body)
	}
	site.Clock.Advance(90 * 1e9)
	body := site.Nobody(t).Get(t, "/metrics").Body
	kinds, last := map[string]string{}, ""
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		if help, ok := strings.CutPrefix(line, "# HELP "); ok {
			name, text, _ := strings.Cut(help, " ")
			if kinds[name] != "" || text == "" {
				t.Errorf("%s: described twice, or by nothing", name)
			}
			last = name
			continue
		}
		if kind, ok := strings.CutPrefix(line, "# TYPE "+last+" "); ok {
			kinds[last] = kind
			continue
		}
		name := regexp.MustCompile(`^[a-z_:][a-z0-9_:]*`).FindString(line)
		if end := strings.TrimPrefix(name, last); !strings.HasPrefix(name, last) ||
			end != "" && (kinds[last] == "gauge" || kinds[last] == "counter") {
			t.Errorf("after %s (%s): %s", last, kinds[last], line)
		}
		if (kinds[last] == "counter") != strings.HasSuffix(last, "_total") {
			t.Errorf("%s is a %s", last, kinds[last])
		}
	}
	for _, want := range []string{"preceptor_reviews_waiting 1\n", "preceptor_reviews_oldest_wait_seconds 90\n",
		"preceptor_jobs_failing 0\n", "preceptor_jobs_oldest_wait_seconds ",
		"preceptor_model_errors_total 0\n", "preceptor_model_input_tokens_total 0\n",
		"# TYPE preceptor_http_request_seconds histogram\n", "go_goroutines ", "process_resident_memory_bytes "} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q", want)
		}
	}
	if tool, err := exec.LookPath("promtool"); err == nil {
		c := exec.Command(tool, "check", "metrics")
		c.Stdin = strings.NewReader(body)
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("promtool: %v\n%s", err, out)
		}
	}
	if t.Failed() {
		t.Log(body)
	}
}
