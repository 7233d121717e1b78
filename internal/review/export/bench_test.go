package export_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/review/export"
)

const paragraph = "Usually a quarter of a pension pot can be taken free of tax and the rest is taxed as income when " +
	"it is paid. " +
	"Pension Wise offers free and impartial guidance, and an authorised financial adviser can recommend what suits " +
	"one person. " +
	"Some old plans carry guarantees that are lost when the pot is moved, so it helps to ask the provider before " +
	"anything is signed.\n\n"

// fill writes n decided cases past the domain, which would take minutes: a third revised, the rest approved or
// rejected.
func fill(t testing.TB, d *db.DB, from, n int) {
	t.Helper()
	draft := strings.Repeat(paragraph, 3)
	for first := from; first < from+n; first += 1000 {
		err := d.Write(context.Background(), func(tx *db.Tx) error {
			for i := first; i < min(first+1000, from+n); i++ {
				if err := fillOne(tx, i, draft); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func fillOne(tx *db.Tx, i int, draft string) error {
	iid, at := fmt.Sprintf("case-%07d", i), tx.NowMs()-10_000_000+int64(i/3)
	kind, state, text := "approve", "released", draft
	switch i % 9 {
	case 0, 3, 6:
		kind, text = "revise", strings.Replace(draft, "a quarter of a pension pot", fmt.Sprintf("25 %% of pot %d", i),
			2)+"Ask again if anything is unclear."
	case 1:
		kind, state, text = "reject", "escalated", ""
	}
	if _, err := tx.Exec(`INSERT INTO interaction (id, agent_id, agent_name, origin, status, task, task_by, question,
			customer, guidance, guidance_hash, reasoning, model, drafter,
			knowledge_used, steps, metadata, created_at)
		VALUES ($1, 'a1', 'pension-advisor', 'api', 'waiting', 'tax_free_cash', 'agent',
			'How much of my pension can I have without paying tax on it?',
			'{"age":58,"pensions":[{"kind":"dc","value_gbp":64000}],"literacy":"medium"}', $2, 'h', '', '', '', '[]',
				'', '', $3)`, iid, draft, at-60_000); err != nil {
		return err
	}
	if _, err := tx.Exec(`INSERT INTO review (id, agent_id, agent_name, task, state, priority, why, who, opening, label,
			passed, blocked, borderline, confidence, flags, source,
			text_hash, decision_id, decided_at, created_at, decided_by)
		VALUES ($1, 'a1', 'pension-advisor', 'tax_free_cash', 'decided', 4, '', '58', 'How much', 'COMPLIANT_GUIDANCE',
			1, 0, 0, 0.9, '[]', 'RULE_BASED', 'h', $2, $3, $4, 'ann')`,
		iid, "dec-"+iid, at, at-60_000); err != nil {
		return err
	}
	_, err := tx.Exec(`INSERT INTO decision (id, review_id, kind, state, by_id, by_name, text, text_hash, version,
			reason, reason_code, feedback, confirmation, flags, seconds,
			characters, decided_at, held_until, settled_at)
		VALUES ($1, $2, $3, $4, 'ann', 'Ann', $5, 'h', 1, 'The sum was missing.', '', 'Give the sum.',
			'I have read the whole text.', '[]', 41, 1200, $6, $7, $8)`,
		"dec-"+iid, iid, kind, state, text, at, at+30_000, at+30_000)
	return err
}

// counter counts bytes and lines, and the highest heap that it saw.
type counter struct {
	bytes, lines int
	peak         uint64
}

func (c *counter) Write(p []byte) (int, error) {
	c.bytes += len(p)
	c.lines += strings.Count(string(p), "\n")
	return len(p), nil
}

func (c *counter) watch() error {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	c.peak = max(c.peak, m.HeapAlloc)
	return nil
}

// BenchmarkDecisions is the 100,000 rows of the issue: at least 20,000 a second, in flat memory.
func BenchmarkDecisions(b *testing.B) {
	d := dbtest.New(b)
	rows := 100_000
	if n, err := strconv.Atoi(os.Getenv("EXPORT_ROWS")); err == nil {
		rows = n // filling takes longer than measuring
	}
	fill(b, d, 0, rows)
	for _, format := range export.Formats {
		b.Run(string(format), func(b *testing.B) {
			before := cpu(b)
			for b.Loop() {
				var c counter
				rep, err := export.New(d).Write(b.Context(), &c,
					export.Options{Set: export.Decisions, Format: format, By: audit.System("bench"), Wrote: c.watch})
				if err != nil || rep.Rows != rows {
					b.Fatalf("%+v, %v", rep, err)
				}
				b.ReportMetric(float64(c.peak)/(1<<20), "peak-MB")
			}
			b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
			// says the same on a machine that others use
			b.ReportMetric(float64((cpu(b)-before).Microseconds())/float64(rows*b.N), "cpu-µs/row")
		})
	}
}

// cpu is the processor time that the process has used.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
