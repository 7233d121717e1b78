package search_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/search"
	"preceptor/internal/search/searchtest"
)

// stock writes rows entries with vectors straight into the tables, as they stand in a file before a start.
func stock(b *testing.B, rows int) *db.DB {
	d := dbtest.New(b)
	r := rand.New(rand.NewPCG(1, 2))
	index := search.New(d)
	searchtest.Write(b, d, func(tx *db.Tx) error {
		return index.UpsertTx(tx, search.Entry{Kind: search.KindCase, ID: "first", Active: true, Title: "first",
			Model: searchtest.Model, Vector: drawn(r, 384)})
	})
	for from := 0; from < rows; from += 10_000 {
		searchtest.Write(b, d, func(tx *db.Tx) error {
			for i := from; i < min(rows, from+10_000); i++ {
				if _, err := tx.Exec(`INSERT INTO search_entry (id, kind, item_id, agent_id, task, active, title, body)
					VALUES ($1, 'case', $2, '', $3, 1, 'a title', 'a body')`,
					i+100, fmt.Sprint(i), fmt.Sprint(i%8)); err != nil {
					return err
				}
				if _, err := tx.Exec(`INSERT INTO embedding (entry_id, model, dims, vector)
					VALUES ($1, $2, 384, $3)`, i+100, searchtest.Model, search.Encode(drawn(r, 384))); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return d
}

func worked() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func benchmarkStart(b *testing.B, rows int) {
	d := stock(b, rows)
	before := worked()
	b.ResetTimer()
	for b.Loop() {
		if err := search.NewMemory(d).Warm(ctx); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64((worked()-before).Milliseconds())/float64(b.N), "cpu-ms/op")
}

func BenchmarkStart20k(b *testing.B)  { benchmarkStart(b, 20_000) }
func BenchmarkStart100k(b *testing.B) { benchmarkStart(b, 100_000) }

// BenchmarkSixteenCallers100k reports the processors' time for one question, which is what sixteen callers share.
func BenchmarkSixteenCallers100k(b *testing.B) {
	d := stock(b, 100_000)
	m := search.NewMemory(d)
	if err := m.Warm(ctx); err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	q := drawn(r, 384)
	before := worked()
	b.ResetTimer()
	n := 0
	for b.Loop() {
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				if _, err := m.Nearest(ctx, searchtest.Model, q, search.Filter{}, 10); err != nil {
					b.Error(err)
				}
			})
		}
		all.Wait()
		n += 16
	}
	b.ReportMetric(float64((worked()-before).Microseconds())/float64(n)/1000, "cpu-ms/question")
}
