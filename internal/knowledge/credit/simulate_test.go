package credit

import (
	"context"
	"testing"

	"preceptor/internal/db/dbtest"
	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/search"
)

// One stream with good ticks; `go run ./tools/simulate credit` runs many.
func TestSimulateFindsTheHarm(t *testing.T) {
	d := dbtest.New(t)
	run, err := Simulate(context.Background(), d, knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{}), 5, GoodTicks)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(SimMarks); len(run.Found) != n || len(run.Raw) != n || run.Found[n-1] < 0.97 || run.Found[n-1] < run.Raw[n-1]-0.02 {
		t.Errorf("%+v", run)
	}
	if run.Quarantined < SimHarmful-1 || run.Wrongly > 1 || len(run.FoundAt) != run.Quarantined {
		t.Errorf("%+v", run)
	}
}
