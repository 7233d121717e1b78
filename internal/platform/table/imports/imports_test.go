package imports_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
	"preceptor/internal/platform/table/imports"
)

type report struct {
	Added int `json:"added"`
}

func setUp(t *testing.T) (*imports.Service, *job.Queue, *db.DB) {
	t.Helper()
	d := dbtest.New(t)
	if err := job.Migrate(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	q := job.New(d, slog.New(slog.DiscardHandler))
	return imports.New(d, q, slog.New(slog.DiscardHandler)), q, d
}

func TestAnImportIsFollowedAndRemembered(t *testing.T) {
	s, q, d := setUp(t)
	run := imports.Run{Kind: imports.Dataset, Subject: "d1", Source: "a.csv", ByID: "ann", By: "Ann", Total: 200}
	err := s.Start(t.Context(), run, func(ctx context.Context, progress func(done, total int)) (any, error) {
		progress(50, 200)
		if last, err := s.Last(ctx, imports.Dataset, "d1"); err != nil || !last.Running() || last.Percent() != 25 {
			t.Errorf("on its way: %+v, %v", last, err)
		}
		return report{3}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if last, err := s.Last(t.Context(), imports.Dataset, "d1"); err != nil || !last.Running() || last.By != "Ann" {
		t.Errorf("before it began: %+v, %v", last, err)
	}
	if err := s.Start(t.Context(), run, nil); !fault.Is(err, fault.Conflict) ||
		!strings.Contains(fault.Message(err), "by Ann") {
		t.Errorf("two into the same set: %v", err)
	}
	if err := q.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	var r report
	last, err := s.Last(t.Context(), imports.Dataset, "")
	if err != nil || last.Running() || last.Failure != "" || last.Read(&r) != nil || r.Added != 3 {
		t.Errorf("at its end: %+v %+v, %v", last, r, err)
	}
	if other, err := s.Last(t.Context(), imports.Dataset, "d2"); other != nil || err != nil {
		t.Errorf("another set: %+v, %v", other, err)
	}
	erase := func(want int) {
		t.Helper()
		if err := d.Write(t.Context(), func(tx *db.Tx) error {
			if n, err := s.EraseTx(tx); err != nil || n != want {
				t.Errorf("erased %d, %v, want %d", n, err, want)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	erase(0) // nothing of the file is in it
	err = s.Start(t.Context(), run, func(context.Context, func(done, total int)) (any, error) {
		return []imports.Problem{{Line: 3, Why: "“Ada Okoro” is no label."}}, nil
	})
	if err = errors.Join(err, q.Drain(t.Context())); err != nil {
		t.Fatal(err)
	}
	erase(1)
	if last, err = s.Last(t.Context(), imports.Dataset, ""); err != nil || len(last.Report) > 0 || !last.Emptied() {
		t.Errorf("after an erasure: %+v, %v", last, err)
	}
	erase(0)
}

func TestAnImportThatStopsSaysWhy(t *testing.T) {
	s, _, _ := setUp(t)
	for want, err := range map[string]error{"No header.": fault.New(fault.Invalid, "No header."),
		"Preceptor was stopped": context.Canceled} {
		if got := s.Do(t.Context(), imports.Run{Kind: imports.Documents},
			func(context.Context, func(int, int)) (any, error) { return report{1}, err }); !errors.Is(got, err) {
			t.Errorf("%v, want %v", got, err)
		}
		var r report
		last, lerr := s.Last(t.Context(), imports.Documents, "")
		if lerr != nil || last.Running() || !strings.HasPrefix(last.Failure, want) || last.Read(&r) != nil ||
			r.Added != 1 {
			t.Errorf("%+v, %v; want %s", last, lerr, want)
		}
	}
}

// A process that takes over has neither the file nor the work: the row says so, and the job does nothing.
func TestAnImportOfAnotherProcessWasStopped(t *testing.T) {
	d := dbtest.New(t)
	if err := job.Migrate(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	one := imports.New(d, job.New(d, log), log)
	if err := one.Start(t.Context(), imports.Run{Kind: imports.Base, Source: "base.jsonl"}, nil); err != nil {
		t.Fatal(err)
	}
	q := job.New(d, log)
	two := imports.New(d, q, log)
	if err := q.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	last, err := two.Last(t.Context(), imports.Base, "")
	if err != nil || last.Running() || !strings.HasPrefix(last.Failure, "Preceptor was stopped") {
		t.Errorf("%+v, %v", last, err)
	}
}
