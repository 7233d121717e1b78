// Package crossing is what both builds of the database do with one file, so that each can judge the other's work: fill
// it with audit records, jobs and a searchable corpus, and look at what is in it. Whatever one build finds in a file,
// the other must find too. The command beside it does this in the default build for the tests of the sqlite_cgo build.
package crossing

import (
	"context"
	"fmt"
	"log/slog"
	"math"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/job"
	"preceptor/internal/search"
)

const (
	model   = "crossing"
	dims    = 384
	entries = 1200 // more than one of vec0's chunks of 1,024
)

// Note is the job that Fill queues.
type Note struct {
	ID string `json:"id"`
}

// Kind is the job's.
func (Note) Kind() string { return "crossing.note" }

var sentences = []string{
	"You can usually take a quarter of your pension pot as a tax-free lump sum.",
	"A defined benefit pension pays a secure income for life; think twice before a transfer.",
	"Scammers offer free pension reviews and promise to unlock savings before fifty-five.",
	"The state pension depends on your National Insurance record.",
	"Drawdown leaves the money invested, and its value can fall as well as rise.",
}

// Vector is a unit vector that only i determines.
func Vector(i int) []float32 {
	v := make([]float32, dims)
	sum := 0.0
	for j := range v {
		x := math.Sin(float64((i*7919+13)%10007) * float64(j+1) * 0.01)
		v[j] = float32(x)
		sum += x * x
	}
	for j := range v {
		v[j] /= float32(math.Sqrt(sum))
	}
	return v
}

// Fill writes 20 audit records, of which an erasure empties some, 3 jobs, and a corpus from which some was deleted.
func Fill(ctx context.Context, d *db.DB) error {
	index, q := search.New(d), job.New(d, slog.New(slog.DiscardHandler))
	return d.Write(ctx, func(tx *db.Tx) error {
		for i := range 19 {
			if err := Record(tx, i); err != nil {
				return err
			}
		}
		if _, err := audit.EraseTx(tx, "interaction", "4", "asked for", audit.System("crossing")); err != nil {
			return err
		}
		for i := range 3 {
			if err := q.InsertTx(tx, Note{fmt.Sprint(i)}); err != nil {
				return err
			}
		}
		for i := range entries {
			if err := Put(tx, index, i); err != nil {
				return err
			}
		}
		for i := 0; i < entries; i += 7 {
			if err := index.DeleteTx(tx, search.KindCase, fmt.Sprint("case-", i)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Record writes the i-th audit record.
func Record(tx *db.Tx, i int) error {
	return audit.Record(tx, audit.Entry{
		Actor: audit.System("crossing"), Action: "crossing.act", ObjectKind: "interaction", ObjectID: fmt.Sprint(i % 5),
		Content: i,
	})
}

// Put writes the i-th entry of the corpus.
func Put(tx *db.Tx, index search.Index, i int) error {
	return index.UpsertTx(tx, search.Entry{
		Kind: search.KindCase, ID: fmt.Sprint("case-", i), Active: true, Title: fmt.Sprintf("Case %d", i),
		Body: sentences[i%len(sentences)], Model: model, Vector: Vector(i),
	})
}

// Found is what a build sees in a file. Two builds that see the same give equal values.
type Found struct {
	Sick    []string     // checks of the file and the indexes that are not fine
	Audit   audit.Report // of the whole chain
	Jobs    []string     // kind and state
	Words   []string     // the ids that a search for words finds, best first
	Nearest []string     // the ids nearest to a vector, with the cosine to three places
}

// Look reads everything that Fill writes.
func Look(ctx context.Context, d *db.DB) (f Found, err error) {
	checks, err := d.Doctor(ctx)
	if err != nil {
		return f, err
	}
	for _, c := range checks {
		if !c.OK {
			f.Sick = append(f.Sick, c.Name+": "+c.Detail)
		}
	}
	if f.Audit, err = audit.Verify(ctx, d, nil); err != nil {
		return f, err
	}
	jobs, err := job.New(d, slog.New(slog.DiscardHandler)).List(ctx, job.Filter{})
	if err != nil {
		return f, err
	}
	for _, j := range jobs {
		f.Jobs = append(f.Jobs, fmt.Sprintf("%s %s %s", j.Kind, j.State,
			j.ScheduledAt.Format("2006-01-02 15:04:05.000")))
	}
	return f, f.search(ctx, search.New(d))
}

func (f *Found) search(ctx context.Context, index search.Index) error {
	report, err := index.Check(ctx)
	if err != nil {
		return err
	}
	f.Sick = append(f.Sick, report.Problems...)
	words, err := index.Lexical(ctx, "transferring defined benefits", search.Filter{}, 5)
	if err != nil {
		return err
	}
	for _, h := range words {
		f.Words = append(f.Words, h.ID)
	}
	near, err := index.Nearest(ctx, model, Vector(3), search.Filter{}, 5)
	if err != nil {
		return err
	}
	for _, h := range near {
		f.Nearest = append(f.Nearest, fmt.Sprintf("%s %.3f", h.ID, h.Score))
	}
	return nil
}
