package past_test

import (
	"testing"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook/hooktest"
	"preceptor/internal/stats"
	"preceptor/internal/stats/counter"
	"preceptor/tools/bench/past"
)

func TestAMadeUpPastIsCounted(t *testing.T) {
	d := dbtest.New(t)
	agent := past.Agent{ID: "a", Name: "guide"}
	last, of := 0, 0
	size := past.Size{Interactions: 500, Votes: 400, Decisions: 300}
	if err := past.Fill(t.Context(), d, agent, size, func(done, all int) { last, of = done, all }); err != nil {
		t.Fatal(err)
	}
	if last != 1200 || of != 1200 {
		t.Errorf("%d of %d rows were told", last, of)
	}
	if err := counter.New(d, time.UTC).Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	f := stats.Filter{Range: stats.Days(d.Now(), 366, time.UTC)}
	r := stats.New(d, time.UTC, hooktest.Late(&stats.Hooks{}))
	s, err := r.Satisfaction(t.Context(), f)
	if err != nil || int(s.Votes.Value) != size.Votes || int(s.Logged.Value) != size.Interactions ||
		len(s.Topics) == 0 || len(s.Agents) != 4 || s.OutcomeN.Value != 20 {
		t.Errorf("votes %v, logged %v, %d topics, %d agents, outcomes %v (%v)", s.Votes.Value, s.Logged.Value,
			len(s.Topics), len(s.Agents), s.OutcomeN.Value, err)
	}
	v, err := r.Review(t.Context(), f)
	if err != nil || v.Decisions.Value != 295 || len(v.People) != past.People || !v.Edit.Known { // one in 53 was undone
		t.Errorf("decisions %v, %d people, edit %+v (%v)", v.Decisions.Value, len(v.People), v.Edit, err)
	}
	c, err := r.Compliance(t.Context(), f)
	if err != nil || c.Rulings.Value != 30 || len(c.Judges) != 3 || !c.Missed.Known || !c.FalseAlarms.Known {
		t.Errorf("rulings %v, %d judges (%v)", c.Rulings.Value, len(c.Judges), err)
	}
	if err := past.Fill(t.Context(), d, agent, size, func(int, int) {}); !fault.Is(err, fault.Conflict) {
		t.Errorf("filled twice: %v", err)
	}
	var n int
	if err := d.Read(t.Context(), func(tx *db.Tx) error {
		return tx.QueryRow(`SELECT count(*) FROM observed WHERE id = $1`, past.Subject(500)).Scan(&n)
	}); err != nil || n != 1 {
		t.Errorf("%d of the last subject (%v)", n, err)
	}
}
