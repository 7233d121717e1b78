package review_test

import (
	"testing"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
	"preceptor/internal/rule"
)

// What the author of a decision states is kept with it and reaches the hooks; an erasure empties it.
func TestWhatADecisionStates(t *testing.T) {
	st := rule.Statement{When: []rule.Condition{{Kind: rule.Topic, Values: []string{"tax"}}},
		Do: rule.Act{Kind: rule.Include, Text: " A quarter is tax free. "}}
	for name, c := range map[string]struct {
		kind string
		list []rule.Statement
		only bool
		want int
	}{
		"revised":            {review.Revise, []rule.Statement{st, {}}, false, 1},
		"for one customer":   {review.Revise, []rule.Statement{st}, true, 0},
		"rejected":           {review.Reject, []rule.Statement{st, st}, false, 2},
		"approved, so none":  {review.Approve, []rule.Statement{st}, false, 0},
		"nothing was stated": {review.Revise, nil, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			k := open(t)
			id := k.submit(t)
			if err := k.Claim(ctx, id, ann); err != nil {
				t.Fatal(err)
			}
			in := k.input(t, id, ann, c.kind)
			in.Statements, in.OnlyCustomer = c.list, c.only
			dec, err := k.Decide(ctx, in)
			if err != nil {
				t.Fatal(err)
			}
			stored, err := k.Decision(ctx, dec.ID)
			if err != nil || len(stored.Statements) != c.want || stored.OnlyCustomer != c.only ||
				len(k.lastDecided.Statements) != c.want {
				t.Fatalf("%+v %v", stored, err)
			}
			if c.want > 0 && stored.Statements[0].Do.Text != "A quarter is tax free." {
				t.Errorf("%q", stored.Statements[0].Do.Text)
			}
			k.clock.Advance(1e12)
			k.drain(t)
			if err := k.db.Write(ctx, func(tx *db.Tx) error { _, err := k.EraseTx(tx, id); return err }); err != nil {
				t.Fatal(err)
			}
			if stored, err = k.Decision(ctx, dec.ID); err != nil || len(stored.Statements) != 0 {
				t.Errorf("after the erasure: %+v %v", stored.Statements, err)
			}
		})
	}
}

func TestAStatementHasToBeWhole(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	if err := k.Claim(ctx, id, ann); err != nil {
		t.Fatal(err)
	}
	in := k.input(t, id, ann, review.Revise)
	in.Statements = []rule.Statement{{Do: rule.Act{Kind: rule.Include, Text: "A quarter is tax free."}}}
	_, err := k.Decide(ctx, in)
	if f := fault.Fields(err); !fault.Is(err, fault.Invalid) || len(f) != 1 || f[0].Name != "statements" ||
		f[0].Msg != "Change 1: Choose who this is for. For every customer, choose Everybody." {
		t.Errorf("%v %v", err, f)
	}
}
