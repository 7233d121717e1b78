package labelling_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

// lease is for how long a claim lasts in this test.
const lease = 10 * time.Minute

// model is what one person's place must be.
type model struct {
	state string
	draft string
	live  []string // labels of what was not taken back; the last stands
	ever  int      // answers ever stored
	at    time.Time
}

func (m *model) come(to string, now time.Time) {
	if m.state != labelling.Done {
		m.state, m.at = to, now
	}
}

// Whatever people do in whatever order: everybody has one turn and one answer that stands; nobody's act changes or
// shows what another has; what is taken back is kept as a row, and leaves what was there before; a claim runs out;
// counts are those of the rows.
func TestAnyOrderOfActs(t *testing.T) {
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	people := []labelling.Person{{ID: "ann", Name: "Ann"}, {ID: "ben", Name: "Ben"}}
	round := 0
	rapid.Check(t, func(rt *rapid.T) {
		round++
		sets := []string{fmt.Sprint("one ", round), fmt.Sprint("two ", round)}
		places := map[labelling.Place]*model{}
		for _, set := range sets { // the same items in both: a set is apart from another
			for _, item := range []string{"i1", "i2"} {
				for _, who := range people {
					places[labelling.At(set, item, who)] = &model{}
				}
			}
		}
		check := func(tx *db.Tx) error {
			for p, m := range places {
				turn, err := p.Turn(tx)
				if err != nil {
					return err
				}
				if turn.State != m.state || turn.Draft != m.draft {
					rt.Fatalf("%v is %+v, want %+v", p, turn, *m)
				}
				said, err := p.Answers(tx)
				if err != nil {
					return err
				}
				var labels []string
				for i, a := range said {
					labels = append(labels, a.Label)
					if a.By != p.By || a.Set != p.Set || a.Item != p.Item || a.First != (i == 0) ||
						a.Standing != (i == len(said)-1) {
						rt.Fatalf("%v: answer %d is %+v", p, i, a)
					}
				}
				if !slices.Equal(labels, m.live) {
					rt.Fatalf("%v answered %q, want %q", p, labels, m.live)
				}
			}
			for _, set := range sets {
				for _, item := range []string{"i1", "i2"} {
					rows, ever, holders := 0, 0, 0
					for p, m := range places {
						if p.Set != set || p.Item != item {
							continue
						}
						if ever += m.ever; m.state == labelling.Open && m.at.After(tx.Now.Add(-lease)) {
							holders++
						}
					}
					all, err := labelling.OfItem(tx, set, item)
					if rows = len(all); err != nil || rows != ever {
						rt.Fatalf("%d rows of %d answers, %v", rows, ever, err)
					}
					at, err := labelling.Holders(tx, set, item, tx.Now.Add(-lease))
					if err != nil || len(at) != holders {
						rt.Fatalf("%v work on it, want %d, %v", at, holders, err)
					}
				}
				for _, who := range people {
					want := 0
					for p, m := range places {
						if p.Set != set || p.By != who {
							continue
						}
						if len(m.live) > 0 {
							want++
						}
						if m.state == labelling.Skipped {
							want++
						}
					}
					mine, err := labelling.Mine(tx, set, who.ID, 100)
					if err != nil || len(mine) != want {
						rt.Fatalf("%d of %s's own, want %d, %v", len(mine), who.Name, want, err)
					}
					for i, a := range mine {
						if a.By.ID != who.ID || i > 0 && a.At.After(mine[i-1].At) || (a.ID == "") != (a.Label == "") {
							rt.Fatalf("among %s's own is %+v", who.Name, a)
						}
					}
				}
			}
			return nil
		}
		for range rapid.IntRange(1, 60).Draw(rt, "acts") {
			clock.Advance(rapid.SampledFrom([]time.Duration{time.Second, time.Minute, lease}).Draw(rt, "time"))
			p := labelling.At(rapid.SampledFrom(sets).Draw(rt, "set"),
				rapid.SampledFrom([]string{"i1", "i2"}).Draw(rt, "item"),
				rapid.SampledFrom(people).Draw(rt, "who"))
			m, act := places[p], rapid.IntRange(0, 8).Draw(rt, "act")
			err := d.Write(context.Background(), func(tx *db.Tx) (err error) {
				switch act {
				case 0, 1:
					a := labelling.Answer{Label: rapid.SampledFrom([]string{"A", "B"}).Draw(rt, "label"), Body: "{}"}
					err = p.Answer(tx, &a)
					m.live, m.ever, m.state, m.draft = append(m.live, a.Label), m.ever+1, labelling.Done, ""
				case 2:
					var back []labelling.Answer
					if back, err = p.TakeBack(tx); len(back) != len(m.live) {
						rt.Fatalf("%d taken back of %d", len(back), len(m.live))
					}
					if len(m.live) > 0 {
						m.live, m.state, m.at = nil, labelling.Open, tx.Now
					}
				case 3:
					if len(m.live) > 1 {
						err = p.Unrevise(tx)
						m.live, m.state, m.at = m.live[:1], labelling.Open, tx.Now
					}
				case 4:
					err = p.Skip(tx)
					m.come(labelling.Skipped, tx.Now)
				case 5:
					err = p.Claim(tx)
					m.come(labelling.Open, tx.Now)
				case 6:
					err = labelling.Unskip(tx, p.Set, p.By.ID)
					for o, n := range places {
						if o.Set == p.Set && o.By == p.By && n.state == labelling.Skipped {
							n.state, n.at = labelling.Open, tx.Now
						}
					}
				case 7:
					err = p.SaveDraft(tx, "typed")
					if m.state != labelling.Done && m.state != "" {
						m.draft = "typed"
					}
				case 8:
					err = labelling.Off(tx, p.Set, p.Item)
					for o, n := range places {
						if o.Set == p.Set && o.Item == p.Item && n.state == labelling.Open {
							n.state = labelling.Dropped
						}
					}
				}
				if err != nil {
					return err
				}
				return check(tx)
			})
			if err != nil {
				rt.Fatal(err)
			}
		}
	})
}

// An answer and its taking back leave everything that anybody can read as it was, but for the turn, which is the
// person's own again.
func TestUndoRestoresExactly(t *testing.T) {
	d := dbtest.New(t)
	ann, ben := labelling.At("set", "item", labelling.Person{ID: "ann"}),
		labelling.At("set", "item", labelling.Person{ID: "ben"})
	err := d.Write(context.Background(), func(tx *db.Tx) error {
		for _, p := range []labelling.Place{ann, ben} {
			if err := p.Put(tx, labelling.Turn{Seq: 7, State: labelling.Open, Origin: "walk"}); err != nil {
				return err
			}
		}
		if err := ben.Answer(tx, &labelling.Answer{Label: "A", Body: "b"}); err != nil {
			return err
		}
		seen := func() string {
			turn, err1 := ann.Turn(tx)
			hers, err2 := ann.Answers(tx)
			his, err3 := ben.Answers(tx)
			mine, err4 := labelling.Mine(tx, "set", "ann", 9)
			return fmt.Sprintf("%+v %+v %+v %+v %v %v %v %v", turn, hers, his, mine, err1, err2, err3, err4)
		}
		before := seen()
		if err := ann.Answer(tx, &labelling.Answer{Label: "B", Body: "a"}); err != nil {
			return err
		}
		if seen() == before {
			t.Error("an answer can't be seen by who gave it")
		}
		if _, err := ann.TakeBack(tx); err != nil {
			return err
		}
		if after := seen(); after != before {
			t.Errorf("after: %s\nbefore: %s", after, before)
		}
		all, err := labelling.OfItem(tx, "set", "item")
		if err != nil || len(all) != 2 || all[1].UndoneAt.IsZero() || all[1].Body != "a" {
			t.Errorf("what was taken back is %+v, %v", all, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
