package compliance_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"preceptor/internal/compliance"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
)

func TestLatestVerdictIsTheNewest(t *testing.T) {
	ctx := context.Background()
	d := dbtest.New(t)
	st := compliance.NewStore(d)
	if _, err := st.Latest(ctx, "in-1"); fault.KindOf(err) != fault.NotFound {
		t.Fatalf("no verdict yet: %v", err)
	}
	val := compliance.NewChecker(d.Now)
	first := val.Check("You should transfer your pension.", pack.Situation{})
	second := val.Check("Some people transfer.", pack.Situation{})
	err := d.Write(ctx, func(tx *db.Tx) error {
		if err := st.RecordTx(tx, "in-1", "hash-1", first); err != nil {
			return err
		}
		if err := st.RecordTx(tx, "in-2", "hash-9", first); err != nil {
			return err
		}
		return st.RecordTx(tx, "in-1", "hash-2", second)
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := st.Latest(ctx, "in-1")
	if err != nil {
		t.Fatal(err)
	}
	want := &compliance.Recorded{Verdict: second, InteractionID: "in-1", TextHash: "hash-2", At: d.Now()}
	want.Facts = nil // they go with the review
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
