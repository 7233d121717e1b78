// Command peers sets Preceptor's vector index beside others: sqlite-vec's vec0 built with cgo, and chromem-go. It is a module of its
// own, built with cgo, so that the product depends on neither.
//
//	make peers            # or: go run . -bench ../../bin/bench
//
// It runs `bench recall --json` first, and then the peers on the same vectors: the generator below is the one of
// tools/bench/nearest.go, with the same seeds, and draws in the same order.
package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	vec "github.com/asg017/sqlite-vec-go-bindings/cgo"
	_ "github.com/mattn/go-sqlite3"
	"github.com/philippgille/chromem-go"
)

const (
	dims    = 384
	top     = 10
	asks    = 50
	callers = 16
)

// row is one index at one size, in the words of `bench recall --json`.
type row struct {
	Index  string  `json:"index"`
	Cases  int     `json:"cases"`
	P50    float64 `json:"p50_ms"`
	P99    float64 `json:"p99_ms"`
	Many   float64 `json:"p99_16_callers_ms"`
	Recall float64 `json:"recall_at_10"`
	RSS    float64 `json:"rss_mb"`
}

// query answers with the cosines of the nearest.
type query func(ctx context.Context, q []float32) ([]float64, error)

func main() {
	product := flag.String("bench", "../../bin/bench", "the binary to compare with; empty runs the peers alone")
	n := flag.Int("n", 100, "how often each is asked")
	most := flag.Int("rows", 100_000, "the largest size; 1,000 and 10,000 come before")
	flag.Parse()
	var rows []row
	if *product != "" {
		ours, err := run(*product, *n)
		if err != nil {
			log.Fatal(err)
		}
		rows = ours
	}
	for _, size := range []int{1000, 10_000, 100_000} {
		if size <= *most {
			more, err := measure(size, *n)
			if err != nil {
				log.Fatal(err)
			}
			rows = append(rows, more...)
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return a.Cases - b.Cases })
	fmt.Printf("%-10s %8s %10s %10s %12s %10s %8s\n", "index", "cases", "p50 ms", "p99 ms", "p99 of 16", "recall@10", "RSS MB")
	for _, r := range rows {
		fmt.Printf("%-10s %8d %10.2f %10.2f %12.2f %10.4f %8.0f\n", r.Index, r.Cases, r.P50, r.P99, r.Many, r.Recall, r.RSS)
	}
}

func run(product string, n int) ([]row, error) {
	cmd := exec.Command(product, "recall", "--json", "--n", strconv.Itoa(n))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", product, err)
	}
	var report struct {
		Nearest []row `json:"nearest"`
	}
	return report.Nearest, json.Unmarshal(out, &report)
}

func measure(size, n int) ([]row, error) {
	draw := drawer(size)
	cases := make([][]float32, size)
	for i := range cases {
		cases[i] = draw()
	}
	for range size / 10 { // the rules of the bench, which stand on shelves of their own
		draw()
	}
	questions, limits := make([][]float32, asks), make([]float64, asks)
	for i := range questions {
		questions[i] = draw()
		limits[i] = tenth(cases, questions[i])
	}
	var out []row
	for _, peer := range []struct {
		name string
		open func([][]float32) (query, func(), error)
	}{{"vec0 cgo", openVec0}, {"chromem-go", openChromem}} {
		before := rss()
		ask, end, err := peer.open(cases)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", peer.name, err)
		}
		r, err := timed(peer.name, size, n, ask, questions, limits)
		end()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", peer.name, err)
		}
		r.RSS = rss() - before
		out = append(out, r)
	}
	return out, nil
}

func timed(name string, size, n int, ask query, questions [][]float32, limits []float64) (row, error) {
	took := make([]time.Duration, n)
	found := 0
	for i := range n {
		began := time.Now()
		got, err := ask(context.Background(), questions[i%asks])
		if err != nil {
			return row{}, err
		}
		took[i] = time.Since(began)
		for _, cosine := range got {
			if cosine >= limits[i%asks]-1e-5 {
				found++
			}
		}
	}
	slices.Sort(took)
	var every []time.Duration
	var mu sync.Mutex
	var all sync.WaitGroup
	for w := range callers {
		all.Go(func() {
			for i := range max(3, n/20) {
				began := time.Now()
				_, _ = ask(context.Background(), questions[(w*7+i)%asks])
				mu.Lock()
				every = append(every, time.Since(began))
				mu.Unlock()
			}
		})
	}
	all.Wait()
	slices.Sort(every)
	return row{Index: name, Cases: size, P50: ms(took[n/2]), P99: ms(took[n*99/100]), Many: ms(every[len(every)*99/100]), Recall: float64(found) / float64(n*top)}, nil
}

func openVec0(cases [][]float32) (query, func(), error) {
	vec.Auto()
	dir, err := os.MkdirTemp("", "peers-")
	if err != nil {
		return nil, nil, err
	}
	d, err := sql.Open("sqlite3", filepath.Join(dir, "vec0.db"))
	if err != nil {
		return nil, nil, err
	}
	end := func() { d.Close(); os.RemoveAll(dir) }
	if _, err := d.Exec(`CREATE VIRTUAL TABLE v USING vec0 (vector FLOAT[384] distance_metric=cosine)`); err != nil {
		return nil, end, err
	}
	tx, err := d.Begin()
	if err != nil {
		return nil, end, err
	}
	for i, c := range cases {
		if _, err := tx.Exec(`INSERT INTO v (rowid, vector) VALUES (?, ?)`, i+1, raw(c)); err != nil {
			return nil, end, err
		}
	}
	return func(ctx context.Context, q []float32) (out []float64, err error) {
		rows, err := d.QueryContext(ctx, `SELECT distance FROM v WHERE vector MATCH ? AND k = 10 ORDER BY distance`, raw(q))
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		for rows.Next() {
			var x float64
			if err := rows.Scan(&x); err != nil {
				return nil, err
			}
			out = append(out, 1-x)
		}
		return out, rows.Err()
	}, end, tx.Commit()
}

func openChromem(cases [][]float32) (query, func(), error) {
	c, err := chromem.NewDB().CreateCollection("cases", nil, func(context.Context, string) ([]float32, error) { return nil, nil })
	if err != nil {
		return nil, nil, err
	}
	docs := make([]chromem.Document, len(cases))
	for i, v := range cases {
		docs[i] = chromem.Document{ID: strconv.Itoa(i), Content: "n", Embedding: v}
	}
	if err := c.AddDocuments(context.Background(), docs, 2); err != nil {
		return nil, nil, err
	}
	return func(ctx context.Context, q []float32) (out []float64, err error) {
		got, err := c.QueryEmbedding(ctx, q, top, nil, nil)
		for _, r := range got {
			out = append(out, float64(r.Similarity))
		}
		return out, err
	}, func() {}, nil
}

func drawer(seed int) func() []float32 {
	r := rand.New(rand.NewPCG(uint64(seed), dims))
	some := func(around []float32, spread float64) []float32 {
		v := make([]float32, dims)
		var n float64
		for i := range v {
			v[i] = float32(r.NormFloat64() * spread / math.Sqrt(dims))
			if around != nil {
				v[i] += around[i]
			}
			n += float64(v[i]) * float64(v[i])
		}
		for i := range v {
			v[i] /= float32(math.Sqrt(n))
		}
		return v
	}
	subjects := make([][]float32, 400)
	for i := range subjects {
		subjects[i] = some(nil, 1)
	}
	return func() []float32 { return some(subjects[r.IntN(len(subjects))], 0.9) }
}

// tenth is the exact cosine of the tenth nearest.
func tenth(cases [][]float32, q []float32) float64 {
	all := make([]float64, len(cases))
	for i, v := range cases {
		for j, x := range v {
			all[i] += float64(x) * float64(q[j])
		}
	}
	slices.Sort(all)
	return all[len(all)-top]
}

func raw(v []float32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func rss() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	for l := range bytes.Lines(status) {
		if rest, ok := bytes.CutPrefix(l, []byte("VmRSS:")); ok {
			kb, _ := strconv.ParseFloat(string(bytes.Fields(rest)[0]), 64)
			return kb / 1024
		}
	}
	return 0
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
