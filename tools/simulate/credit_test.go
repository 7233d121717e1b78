package main

import (
	"context"
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/search"
)

// One stream with good ticks; `go run ./tools/simulate credit` runs many.
func TestSimulateFindsTheHarm(t *testing.T) {
	d := dbtest.New(t)
	run, err := replay(context.Background(), d, knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{}), 5,
		goodTicks)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(simMarks); len(run.Found) != n || len(run.Raw) != n || run.Found[n-1] < 0.97 ||
		run.Found[n-1] < run.Raw[n-1]-0.02 {
		t.Errorf("%+v", run)
	}
	if run.Quarantined < simHarmful-1 || run.Wrongly > 1 || len(run.FoundAt) != run.Quarantined {
		t.Errorf("%+v", run)
	}
}

func TestAUROC(t *testing.T) {
	for _, c := range []struct {
		scores []float64
		want   float64
	}{{[]float64{3, 2, 1, 0}, 1}, {[]float64{0, 1, 2, 3}, 0}, {[]float64{1, 1, 1, 1}, 0.5}} {
		if got := auroc(c.scores, 2); got != c.want {
			t.Errorf("%v: %v", c.scores, got)
		}
	}
}
