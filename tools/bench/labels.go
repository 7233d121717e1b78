package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"preceptor/internal/dataset"
	"preceptor/internal/dataset/transfer"
	datasetversion "preceptor/internal/dataset/version"
	"preceptor/internal/person"
	"preceptor/internal/platform/db"
)

// labels measures gold sets of few items and of many: the import, for 1,000 rows; the labelling screen's next item and
// the answer to it, with three people at work of whom one is ahead; and the export, for 1,000 rows.
func (b *bencher) labels() error {
	d, err := db.Open(b.t.Ctx, filepath.Join(b.dir, "labels.db"), db.Options{Holder: "bench"})
	if err != nil {
		return err
	}
	defer d.Close()
	sets := dataset.New(d, dataset.Guards{MayLabel: person.Anybody, MayAdjudicate: person.Anybody,
		MayManage: person.Anybody}, dataset.Hooks{
		Experts:   func(*db.Tx) ([]dataset.Person, error) { return nil, nil },
		Elsewhere: func(context.Context, dataset.Gathering) ([]dataset.NewItem, int, error) { return nil, 0, nil },
		OnUnruled: func(*db.Tx, *dataset.Dataset, int) error { return nil },
	})
	files := transfer.New(d, sets, datasetversion.New(d, sets))
	for _, rows := range []int{b.few, b.many} {
		s := dataset.DefaultSettings()
		s.Name, s.Overlap, s.MaxLabels = fmt.Sprintf("Bench %d", rows), 2, 3
		set, err := sets.Create(b.t.Ctx, s, dataset.Operator)
		if err != nil {
			return err
		}
		if err := b.importItems(files, set.ID, rows); err != nil {
			return err
		}
		if err := b.labelItems(sets, set.ID, rows); err != nil {
			return err
		}
		for _, format := range []transfer.Format{transfer.JSONL, transfer.CSV, transfer.Parquet} {
			if err := b.exportItems(files, set.ID, rows, format); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *bencher) importItems(files *transfer.Service, setID string, rows int) error {
	bar := b.t.Progress("Items")
	began, worked := time.Now(), cpu()
	rep, err := files.Import(b.t.Ctx, setID, benchItems(rows),
		transfer.ImportOptions{Format: transfer.JSONL, Name: "bench.jsonl", By: dataset.Operator,
			Progress: func(done int, _ int64) { bar(done, rows) }})
	if err != nil {
		return err
	}
	if rep.Added != rows {
		return fmt.Errorf("%d rows went in of %d", rep.Added, rows)
	}
	b.keep("labels", "import, 1,000 rows", rows, []time.Duration{time.Since(began) * 1000 / time.Duration(rows)},
		(cpu()-worked)*1000/time.Duration(rows))
	return nil
}

func benchItems(n int) io.Reader {
	r, w := io.Pipe()
	go func() {
		out := bufio.NewWriter(w)
		for i := range n {
			fmt.Fprintf(out,
				`{"id":"%d","customer":{"age":%d,"literacy":"medium"},"question":"How much of my pension is tax free?","guidance":"%s Case %d.","group":"g%d"}`+"\n",
				i, 50+i%30,
				strings.Repeat("Usually a quarter of a pot can be taken free of tax; the rest is taxed as income "+
					"when it is taken. ", 6), i, i/4)
		}
		w.CloseWithError(out.Flush())
	}()
	return r
}

func (b *bencher) labelItems(sets *dataset.Store, setID string, rows int) error {
	people := []dataset.Person{{ID: "p1", Name: "Ann"}, {ID: "p2", Name: "Ben"}, {ID: "p3", Name: "Cy"}}
	answer := func(who dataset.Person, itemID string, i int) error {
		_, err := sets.Label(b.t.Ctx, dataset.LabelInput{ItemID: itemID, By: who, SpentMs: 4000,
			Answer: dataset.Answer{Label: []string{"COMPLIANT_GUIDANCE", "NON_COMPLIANT"}[i%2],
				Issues: []dataset.Issue{{Code: "PRESSURE", Start: 0, End: 7}}}})
		return err
	}
	next := func(who dataset.Person) (string, error) {
		w, err := sets.Next(b.t.Ctx, setID, who)
		if err == nil && w.Now == nil {
			err = fmt.Errorf("nothing is left to label: %s", w.Empty)
		}
		if err != nil {
			return "", err
		}
		return w.Now.ItemID, nil
	}
	for i := range rows / 4 {
		itemID, err := next(people[0])
		if err != nil {
			return err
		}
		if err := answer(people[0], itemID, i); err != nil {
			return err
		}
	}
	n := min(b.n, rows/4)
	took, said := make([]time.Duration, 0, n), make([]time.Duration, 0, n)
	for i := range n {
		who := people[i%3]
		began := time.Now()
		itemID, err := next(who)
		if err != nil {
			return err
		}
		took = append(took, time.Since(began))
		began = time.Now()
		if err := answer(who, itemID, i); err != nil {
			return err
		}
		said = append(said, time.Since(began))
	}
	b.keep("labels", "next item", rows, took, 0)
	b.keep("labels", "answer", rows, said, 0)
	return nil
}

func (b *bencher) exportItems(files *transfer.Service, setID string, rows int, format transfer.Format) error {
	began, worked := time.Now(), cpu()
	out, err := files.Export(b.t.Ctx, setID, io.Discard, transfer.ExportOptions{Format: format, By: dataset.Operator})
	if err != nil {
		return err
	}
	if out.Rows != rows {
		return fmt.Errorf("%d rows came out of %d", out.Rows, rows)
	}
	b.keep("labels", "export as "+string(format)+", 1,000 rows", rows,
		[]time.Duration{time.Since(began) * 1000 / time.Duration(rows)}, (cpu()-worked)*1000/time.Duration(rows))
	return nil
}
