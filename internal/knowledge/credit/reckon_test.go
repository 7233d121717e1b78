package credit

import (
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/id"
)

// What an item did looks otherwise once more is known of its task, although no draft was shown it since.
func TestReckoningUpFollowsWhatIsKnownOfTheTask(t *testing.T) {
	b := setUp(t)
	b.Policy.Looks = 1
	r, fine := b.rule(1), b.rule(2)
	var c knowledge.Case
	b.write(func(tx *db.Tx) (err error) {
		made, err := b.kb.AddCaseTx(tx,
			knowledge.Case{Source: knowledge.FromReview, Origin: "d", Task: "drawdown", By: me,
				CaseText: knowledge.CaseText{Title: "Drawdown", Guidance: "Some people take an income."}})
		c = made
		return err
	})
	for i := range 12 {
		b.decide("drawdown", i%3 == 0, r, knowledge.Rule{ID: c.ID})
		b.decide("tax", true, fine)
	}
	if err := b.Reckon(t.Context()); err != nil || b.status(r).Status != knowledge.Active {
		t.Fatalf("%v, the rule is %s before anything is known of its task: %+v", err, b.status(r).Status, b.standing(r))
	}
	worth := func() (w float64) {
		if err := b.d.Reader().QueryRow(`SELECT worth FROM knowledge_case WHERE id = $1`, c.ID).Scan(&w); err != nil {
			t.Fatal(err)
		}
		return w
	}
	before := worth()
	for range 60 {
		b.decide("drawdown", true)
	}
	if worth() != before || b.status(r).Status != knowledge.Active {
		t.Fatal("it is reckoned up already, so this proves nothing")
	}
	for range 2 {
		if err := b.Reckon(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := b.status(r); got.Status != knowledge.Quarantined || got.Reason == "" || got.Version != 2 {
			t.Errorf("the rule is %s, version %d: %+v", got.Status, got.Version, b.standing(r))
		}
		if b.status(fine).Status != knowledge.Active {
			t.Error("a rule that does no harm is out")
		}
		if w := worth(); w >= before-0.02 {
			t.Errorf("the case is worth %.3f, was %.3f", w, before)
		}
	}
	if err := b.Settle(t.Context(), r.ID, true, "It is right.", b.status(r).Version, expert); err != nil {
		t.Fatal(err)
	}
	if err := b.Reckon(t.Context()); err != nil || b.status(r).Status != knowledge.Active {
		t.Errorf("what a person took back is %s, %v", b.status(r).Status, err)
	}
}

// Every item is reached, however many there are.
func TestReckoningUpReachesAll(t *testing.T) {
	b := setUp(t)
	b.write(func(tx *db.Tx) error {
		for range 2*reckonBatch + 3 {
			if _, err := tx.Exec(`INSERT INTO credit_sum (item_id, what, agent_id, task, n, hits, others)
				VALUES ($1, 'shown', 'a', 't', 1, 1, 0)`, id.New()); err != nil {
				return err
			}
		}
		return nil
	})
	n := 0
	for after, more := "", true; more; n++ {
		b.write(func(tx *db.Tx) (err error) { after, more, err = b.reckonTx(tx, after); return err })
	}
	if n != 3 {
		t.Errorf("%d batches", n)
	}
}
