package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"preceptor/internal/platform/estimate"
	"preceptor/internal/platform/fault"
)

// must runs the real program on arguments that have to work.
func must(t *testing.T, args ...string) string {
	t.Helper()
	var out, said bytes.Buffer
	if code := program.Run(t.Context(), args, strings.NewReader(""), &out, &said); code != 0 {
		t.Fatalf("%v ended with %d: %s", args, code, said.String())
	}
	return out.String()
}

// refused reports whether the program says that the arguments are wrong and prints nothing.
func refused(t *testing.T, args ...string) bool {
	t.Helper()
	var out, said bytes.Buffer
	code := program.Run(t.Context(), args, strings.NewReader(""), &out, &said)
	return code == fault.Invalid.ExitCode() && out.Len() == 0 && said.Len() > 0
}

func TestQuantile(t *testing.T) {
	hundred := make([]time.Duration, 100)
	for i := range hundred {
		hundred[i] = time.Duration(i+1) * time.Millisecond
	}
	for name, tc := range map[string]struct {
		sorted []time.Duration
		q      float64
		want   time.Duration
	}{
		"median of 100": {hundred, 0.5, 50500 * time.Microsecond},
		"p99 of 100":    {hundred, 0.99, 99500 * time.Microsecond},
		"p99 of one":    {hundred[:1], 0.99, time.Millisecond},
		"median of two": {hundred[:2], 0.5, 1500 * time.Microsecond},
		"the highest":   {hundred, 1, 100 * time.Millisecond},
		"of nothing":    {nil, 0.5, 0},
	} {
		if got := time.Duration(estimate.Quantile(tc.sorted, tc.q)); got != tc.want {
			t.Errorf("%s is %s, want %s", name, got, tc.want)
		}
	}
}

// Small runs of the real benches: each measure is there at both sizes, with its ratio.
func TestBench(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a server and jobs; run without -short")
	}
	for name, want := range map[string]struct{ measures, ratios int }{"jobs": {2, 1}, "recall": {3, 1}, "desk": {16, 8},
		"load": {5, 2}, "labels": {12, 6}, "stats": {32, 0}, "practice": {4, 2}} {
		t.Run(name, func(t *testing.T) {
			few, rows := "5", "12"
			if name == "practice" { // which learns from 20 customers at a time
				few, rows = "20", "40"
			}
			r := must(t, name, "--few", few, "--rows", rows, "--n", "4", "--votes", "12", "--decisions", "12", "--json")
			var report benchReport
			if err := json.Unmarshal([]byte(r), &report); err != nil {
				t.Fatalf("%v: %s", err, r)
			}
			if len(report.Measures) != want.measures || len(report.Ratios) != want.ratios || report.Peak <= 0 {
				t.Fatalf("the report is %+v", report)
			}
			for _, m := range report.Measures {
				if m.N == 0 || m.P50 <= 0 || m.P99 < m.P50 {
					t.Errorf("%+v", m)
				}
			}
		})
	}
}

// The form of a page is read as a browser would read it.
func TestForm(t *testing.T) {
	page := `<form method="post" action="/a"><input type="hidden" name="x" value="1"></form>` +
		`<form method="post" action="/b"><input value="a &amp; b" type="hidden" name="y"/><input name="z" value="shown"></form>`
	fields, ok := form(page, "/b")
	if want := "y=a+%26+b"; !ok || fields.Encode() != want {
		t.Errorf("%q, %v; want %q", fields.Encode(), ok, want)
	}
	if _, ok := form(page, "/c"); ok {
		t.Error("a form that is not there was found")
	}
}

func TestBenchRefusesNonsense(t *testing.T) {
	for _, args := range [][]string{{"weather"}, {"jobs", "--rows", "10"}, {"jobs", "--few", "0"}} {
		if !refused(t, args...) {
			t.Errorf("%v was not refused", args)
		}
	}
}
