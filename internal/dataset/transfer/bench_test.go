package transfer_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"preceptor/internal/dataset"
	"preceptor/internal/dataset/transfer"
)

// rss is the resident memory of this process in bytes; 0 where the kernel does not tell.
func rss() int64 {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	pages, _ := strconv.ParseInt(strings.Fields(string(b))[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// made writes n rows of JSON Lines.
func made(n int) io.Reader {
	r, w := io.Pipe()
	go func() {
		b := bufio.NewWriter(w)
		for i := range n {
			fmt.Fprintf(b,
				`{"id":"r%d","customer":{"age":%d,"pensions":[{"kind":"dc","value_gbp":%d}],"literacy":"medium"},"question":"Can I take my pension at %d?","guidance":"%s Case %d.","label":"%s","group":"g%d"}`+"\n",
				i, 50+i%30, i*7, 55+i%10,
				strings.Repeat("Some people take a quarter of their pot free of tax and leave the rest where it is. ",
					6), i,
				[]string{"COMPLIANT_GUIDANCE", "BORDERLINE", "NON_COMPLIANT"}[i%3], i/4)
		}
		b.Flush()
		w.Close()
	}()
	return r
}

// BenchmarkImport reads rows at 100,000 in less than 30 s, with less than 100 MB more of memory.
func BenchmarkImport(b *testing.B) {
	f := open(b)
	runtime.GC()
	before, most := rss(), int64(0)
	b.ResetTimer()
	rep, err := f.Import(ctx, f.set.ID, made(b.N),
		transfer.ImportOptions{By: mo, Format: transfer.JSONL, Labels: transfer.AsFinal,
			Progress: func(int, int64) { most = max(most, rss()) }})
	if err != nil || rep.Added != b.N {
		b.Fatal(rep, err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(float64(most-before)/(1<<20), "MB-more")
}

// BenchmarkExport writes rows, each with two labels, at 20,000 per second.
func BenchmarkExport(b *testing.B) {
	const n = 20_000
	f := open(b)
	if _, err := f.Import(ctx, f.set.ID, made(n),
		transfer.ImportOptions{By: mo, Format: transfer.JSONL, Labels: transfer.AsFinal}); err != nil {
		b.Fatal(err)
	}
	for i, who := range []string{"a", "b"} {
		if _, err := f.db.Writer().Exec(`INSERT INTO labelling_answer (id, set_id, item_id, by_id, by_name, revision,
				first, standing, label, answer, seq, spent_ms, rubric, at)
			SELECT $1 || id, dataset_id, id, $1, 'Ann Archer', 1, 1, 1, final_label, final, n, 2000, 'guidance line 1',
				created_at FROM dataset_item`, who+strconv.Itoa(i)); err != nil {
			b.Fatal(err)
		}
	}
	for _, format := range transfer.ExportFormats {
		b.Run(string(format), func(b *testing.B) {
			runtime.GC()
			before, most := rss(), int64(0)
			for range b.N {
				out, err := f.Export(ctx, f.set.ID, io.Discard,
					transfer.ExportOptions{Format: format, By: dataset.Operator, Wrote: func() error {
						most = max(most, rss())
						return nil
					}})
				if err != nil || out.Rows != n {
					b.Fatal(out, err)
				}
			}
			b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "rows/s")
			b.ReportMetric(float64(most-before)/(1<<20), "MB-more")
		})
	}
}
