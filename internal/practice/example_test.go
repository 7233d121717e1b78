package practice

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
)

// A long training shows its good ones about as fast as a small one: each person's best are compared,
// and not all of them. What each stands for is counted all the same.
func TestALongTrainingShowsItsGoodAnswersFast(t *testing.T) {
	s, run := runs(t)
	p, err := Of(pack.Pension)
	if err != nil {
		t.Fatal(err)
	}
	var who []*Person
	for _, l := range p.Lives {
		for _, author := range p.Authors {
			if one := p.of(l.ID + "/" + author); one != nil {
				who = append(who, one)
			}
		}
	}
	const all = 6000
	best, list := 0, make([]Session, all)
	for i := range list {
		one := who[i%len(who)]
		said := strings.Builder{}
		for w := range 120 {
			said.WriteString(strconv.Itoa((i%len(who)*131+w*w)%9973) + " ")
		}
		list[i] = Session{N: i, Person: one.Key(), Dialogue: []Turn{{ByCustomer, one.Question}, {ByAdvisor, said.String()}},
			Outcome: Outcome{Satisfaction: float64(i%97) / 10, FCACompliant: i%5 > 0, Successful: i%3 > 0}}
		if o := list[i]; o.Successful && o.FCACompliant && o.Satisfaction > list[best].Satisfaction {
			best = i
		}
	}
	if err := s.db.Write(t.Context(), func(tx *db.Tx) error {
		for _, one := range list {
			said, _ := json.Marshal(one)
			if err := db.Exec(tx, "test", `INSERT INTO practice_session (run_id, phase, n, person, successful, session)
				VALUES ($1, 'train', $2, $3, $4, $5)`, run.ID, one.N, one.Person, one.Successful, string(said)); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	out, err := s.Good(t.Context(), run, p)
	took := time.Since(began)
	if err != nil || len(out) == 0 || len(out) > goodMost || took > 2*time.Second {
		t.Fatalf("%d of %d people after %v: %v", len(out), len(who), took, err)
	}
	t.Logf("%d of %d people after %v", len(out), len(who), took)
	if out[0].Satisfaction != list[best].Satisfaction || out[0].N != best {
		t.Errorf("the first is %d of %.1f, the best %d", out[0].N, out[0].Satisfaction, best)
	}
	stands, seen := 0, map[string]bool{}
	for i, e := range out {
		if stands += e.Alike + 1; seen[e.Person] || !e.Successful || !e.FCACompliant || i > 0 && e.good() > out[i-1].good() {
			t.Errorf("%d: %s %v %v %.1f", i, e.Person, e.Successful, e.FCACompliant, e.good())
		}
		seen[e.Person] = true
	}
	if stands <= len(out) {
		t.Errorf("they stand for %d", stands)
	}
	curve, err := s.Curve(t.Context(), Run{ID: run.ID, Plan: Plan{Customers: all}})
	if err != nil || curve[len(curve)-1].Customers != all || len(curve) != (all+pointEvery-1)/pointEvery {
		t.Errorf("%d points: %v", len(curve), err)
	}
}
