// Command bench measures this machine on a fresh file in a temporary folder. Each measure is taken in the same run with
// few rows and with many, because a ratio means the same on every machine and a millisecond does not.
//
//	go run ./tools/bench [desk|load|recall|jobs|export|labels|check|practice|stats|servers] [--json]
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/pprof"
	"slices"
	"strconv"
	"syscall"
	"text/tabwriter"
	"time"

	"preceptor/internal/platform/estimate"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
)

var program = terminal.Program{
	Name:     "bench",
	About:    "Measures this machine on a fresh file in a temporary folder: each thing with few rows and with many.",
	Commands: func() any { return new(benchCmd) },
}

func main() { program.Main() }

type benchCmd struct {
	What      string `arg:"" optional:"" placeholder:"desk|load|recall|jobs|export|labels|check|stats|practice|servers" help:"desk, load, recall, jobs, export, labels, check, practice, stats or servers; all but the last two when left out."`
	DB        string `name:"db" placeholder:"ADDRESS" help:"An empty PostgreSQL database, for desk, stats and servers."`
	Few       int    `default:"1000" placeholder:"N" help:"How many rows the baseline has."`
	Rows      int    `placeholder:"N" help:"How many rows it is compared at; 100,000 for desk, 1,000,000 interactions for stats, 2,000 customers for practice and 10,000 for the others when left out."`
	Votes     int    `default:"1000000" placeholder:"N" help:"Of stats: how many of the interactions have a vote."`
	Decisions int    `default:"200000" placeholder:"N" help:"Of stats: how many decisions there are."`
	N         int    `name:"n" default:"200" placeholder:"N" help:"How often each thing is timed; a chain of jobs a tenth as often."`
	JSON      bool   `name:"json" help:"As JSON."`
	CPU       string `name:"cpu" placeholder:"FILE" help:"Write a CPU profile of the whole run to a new file, for go tool pprof."`
}

// measure is one thing that was timed at one size.
type measure struct {
	Bench string  `json:"bench"`
	Name  string  `json:"name"`
	Rows  int     `json:"rows"`
	N     int     `json:"n"` // how often
	P50   float64 `json:"p50_ms"`
	P95   float64 `json:"p95_ms"`
	P99   float64 `json:"p99_ms"`
	// the processors' time for one, the browser's part included; it says more than the clock where others work too
	CPU float64 `json:"cpu_ms"`
	RSS float64 `json:"rss_mb"` // afterwards
}

// rate is how much was moved in one go.
type rate struct {
	Bench   string  `json:"bench"`
	Name    string  `json:"name"`
	Rows    int     `json:"rows"`
	Seconds float64 `json:"seconds"`
	Bytes   int64   `json:"bytes"`
	Before  float64 `json:"rss_before_mb"`
	RSS     float64 `json:"rss_mb"` // highest while it ran
}

// ratio compares many rows with few, or under load with idle.
type ratio struct {
	Bench string  `json:"bench"`
	Name  string  `json:"name"`
	From  int     `json:"from_rows"`
	To    int     `json:"to_rows"`
	P50   float64 `json:"p50"`
	P99   float64 `json:"p99"`
	CPU   float64 `json:"cpu"` // 0 when it is not known
}

// benchReport is what bench prints.
type benchReport struct {
	Measures []measure `json:"measures"`
	Ratios   []ratio   `json:"ratios"`
	Rates    []rate    `json:"rates"`
	RSS      float64   `json:"rss_mb"` // at the end; the highest under peak
	Peak     float64   `json:"peak_rss_mb"`
}

// bencher carries what a bench needs.
type bencher struct {
	t                *terminal.Terminal
	dir              string
	few              int // rows of the baseline
	many             int
	n                int // how often each thing is timed
	votes, decisions int // of the statistics
	db               string
	out              []measure
	flow             []rate
}

var benches = []struct {
	name string
	rows int // by default
	run  func(*bencher) error
}{
	{"stats", 1_000_000, (*bencher).stats},
	{"desk", 100_000, (*bencher).desk},
	{"load", 10_000, (*bencher).load},
	{"recall", 10_000, (*bencher).recall},
	{"jobs", 10_000, (*bencher).jobs},
	{"export", 100_000, (*bencher).exports},
	{"check", 6_000, (*bencher).check},
	{"labels", 20_000, (*bencher).labels},
	{"practice", 2_000, (*bencher).practice},
	{"servers", 3_000, (*bencher).servers},
}

// Run measures and prints.
func (c *benchCmd) Run(t *terminal.Terminal) error {
	names := []string{}
	for _, b := range benches {
		names = append(names, b.name)
	}
	if c.What != "" && !slices.Contains(names, c.What) {
		return fault.New(fault.Invalid, "There is no bench %q; there are %v.", c.What, names)
	}
	if c.Votes < 1 || c.Decisions < 1 {
		return fault.New(fault.Invalid, "--votes and --decisions have to be more than 0.")
	}
	if c.Few < 1 || c.Rows != 0 && c.Rows <= c.Few || c.N < 1 {
		return fault.New(fault.Invalid, "--rows has to be more than --few, and that and --n more than 0.")
	}
	dir, err := os.MkdirTemp("", "preceptor-bench-")
	if err != nil {
		return fault.Wrap(fault.Unavailable, err,
			"No temporary folder can be made; set TMPDIR to one that is writable.")
	}
	defer os.RemoveAll(dir)
	stop, err := profileTo(c.CPU)
	if err != nil {
		return err
	}
	defer stop()
	b := &bencher{t: t, dir: dir, few: c.Few, n: c.N, votes: c.Votes, decisions: c.Decisions, db: c.DB}
	for _, bench := range benches {
		if c.What == "" && bench.name != "stats" && bench.name != "servers" || c.What == bench.name {
			t.Say("%s ...", bench.name)
			if b.many = c.Rows; b.many == 0 {
				b.many = max(bench.rows, 2*c.Few)
			}
			if err := bench.run(b); err != nil {
				return fmt.Errorf("bench %s: %w", bench.name, err)
			}
		}
	}
	return printBench(t, b.report(), c.JSON)
}

// profileTo begins a profile of the processor's time in a new file; "" is none.
func profileTo(name string) (stop func(), err error) {
	if name == "" {
		return func() {}, nil
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err,
			"%s can't be made for the profile; give a new file in a folder that is there.", name)
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() {
		pprof.StopCPUProfile()
		f.Close()
	}, nil
}

// time runs f n times and keeps how long it took.
func (b *bencher) time(bench, name string, rows, n int, f func(i int) error) error {
	took := make([]time.Duration, n)
	worked := cpu()
	for i := range n {
		if err := b.t.Ctx.Err(); err != nil {
			return err
		}
		began := time.Now()
		if err := f(i); err != nil {
			return err
		}
		took[i] = time.Since(began)
	}
	b.keep(bench, name, rows, took, cpu()-worked)
	return nil
}

// keep notes how long each of some things took, and how long the processors worked for all of them; 0 when that is not
// known.
func (b *bencher) keep(bench, name string, rows int, took []time.Duration, worked time.Duration) {
	slices.Sort(took)
	at := func(q float64) float64 { return ms(time.Duration(estimate.Quantile(took, q))) }
	b.out = append(b.out, measure{Bench: bench, Name: name, Rows: rows, N: len(took), P50: at(0.5), P95: at(0.95),
		P99: at(0.99),
		CPU: ms(worked / time.Duration(max(1, len(took)))), RSS: memory("VmRSS:")})
}

// cpu is how long the processors worked for this process so far.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func (b *bencher) report() benchReport {
	r := benchReport{Measures: b.out, Rates: b.flow}
	for _, many := range b.out {
		for _, few := range b.out {
			if few.Bench == many.Bench && few.Name == many.Name && few.Rows < many.Rows && few.P50 > 0 && few.P99 > 0 {
				x := ratio{Bench: many.Bench, Name: many.Name, From: few.Rows, To: many.Rows, P50: many.P50 / few.P50,
					P99: many.P99 / few.P99}
				if few.CPU > 0 {
					x.CPU = many.CPU / few.CPU
				}
				r.Ratios = append(r.Ratios, x)
			}
		}
	}
	r.RSS, r.Peak = memory("VmRSS:"), memory("VmHWM:")
	return r
}

// memory reads a line of /proc/self/status in MB; 0 where there is no such file.
func memory(line string) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for l := range bytes.Lines(status) {
		if rest, ok := bytes.CutPrefix(l, []byte(line)); ok {
			if f := bytes.Fields(rest); len(f) > 0 {
				kb, err := strconv.ParseFloat(string(f[0]), 64)
				if err == nil {
					return kb / 1024
				}
			}
		}
	}
	return 0
}

func printBench(t *terminal.Terminal, r benchReport, asJSON bool) error {
	if asJSON {
		return t.JSON(r)
	}
	w := t.Columns(tabwriter.AlignRight)
	fmt.Fprintf(w, "bench\tmeasure\trows\tn\tp50 ms\tp95 ms\tp99 ms\tCPU ms\tRSS MB\t\n")
	for _, m := range r.Measures {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%.2f\t%.2f\t%.2f\t%.2f\t%.0f\t\n", m.Bench, m.Name, m.Rows, m.N, m.P50, m.P95,
			m.P99, m.CPU, m.RSS)
	}
	fmt.Fprintf(w, "\nbench\tmeasure\tfrom\tto\tp50 ×\tp99 ×\tCPU ×\t\n")
	for _, x := range r.Ratios {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%.2f\t%.2f\t%.2f\t\n", x.Bench, x.Name, x.From, x.To, x.P50, x.P99, x.CPU)
	}
	if len(r.Rates) > 0 {
		fmt.Fprintf(w, "\nbench\tstream\trows\trows/s\tMB/s\tRSS before\thighest\t\n")
	}
	for _, x := range r.Rates {
		fmt.Fprintf(w, "%s\t%s\t%d\t%.0f\t%.1f\t%.0f\t%.0f\t\n", x.Bench, x.Name, x.Rows, float64(x.Rows)/x.Seconds,
			float64(x.Bytes)/1e6/x.Seconds, x.Before, x.RSS)
	}
	fmt.Fprintf(w, "\nmemory\t%.0f MB\tpeak\t%.0f MB\t\t\t\n", r.RSS, r.Peak)
	return w.Flush()
}

// inBatches runs f for the numbers from first up to n, some at a time, with a bar.
func (b *bencher) inBatches(what string, first, n int, f func(ctx context.Context, from, to int) error) error {
	const batch = 10 // a draft is checked while its transaction is open, and jobs wait to write
	bar := b.t.Progress(what)
	for from := first; from < n; from += batch {
		to := min(from+batch, n)
		if err := f(b.t.Ctx, from, to); err != nil {
			return err
		}
		bar(to-first, n-first)
	}
	return nil
}
