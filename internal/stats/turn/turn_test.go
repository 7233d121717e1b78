package turn

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// days draws n days of about votes votes each with the share of share(day).
func days(r *rand.Rand, n, votes int, share func(day int) float64) []Count {
	out := make([]Count, n)
	for i := range out {
		out[i].Whole = votes/2 + r.IntN(votes+1)
		for range out[i].Whole {
			if r.Float64() < share(i) {
				out[i].Part++
			}
		}
	}
	return out
}

func TestChanceIsSeldomCalledATurn(t *testing.T) {
	const runs = 1200
	for _, c := range []struct {
		n, votes int
		share    float64
	}{{7, 40, 0.9}, {30, 6, 0.8}, {30, 40, 0.9}, {30, 400, 0.95}, {62, 20, 0.85}} {
		r := rand.New(rand.NewPCG(1, uint64(c.n*c.votes)))
		wrong := 0
		for range runs {
			if _, ok := Find(days(r, c.n, c.votes, func(int) float64 { return c.share }), 1); ok {
				wrong++
			}
		}
		if wrong > runs*1/100 {
			t.Errorf("%d days of %d votes at %v: %d of %d without a turn have one", c.n, c.votes, c.share, wrong, runs)
		}
	}
}

func TestADipIsFoundWhereItIs(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 50 {
		got, ok := Find(days(r, 30, 60, func(day int) float64 {
			if day >= 20 && day < 27 {
				return 0.72
			}
			return 0.92
		}), 1)
		if !ok || got.Change() >= 0 || math.Abs(float64(got.From-20)) > 2 || math.Abs(float64(got.To-27)) > 2 {
			t.Fatalf("%+v, %v; want the days from 20 to 27", got, ok)
		}
	}
}

func TestAStepLastsToTheEnd(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	got, ok := Find(days(r, 30, 60, func(day int) float64 {
		if day >= 8 {
			return 0.75
		}
		return 0.93
	}), 1)
	if !ok || got.To != 30 || got.From < 7 || got.From > 9 || got.Change() >= 0 {
		t.Errorf("%+v, %v", got, ok)
	}
}

func TestAFewVotesSayNothing(t *testing.T) {
	for _, list := range [][]Count{nil, {{}}, {{3, 3}, {0, 3}}, {{100, 100}, {0, 9}}, make([]Count, 40)} {
		if got, ok := Find(list, 1); ok {
			t.Errorf("%v has a turn: %+v", list, got)
		}
	}
}

func TestWhateverTheCountsATurnIsWithinThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Count {
			n := rapid.IntRange(0, 1000).Draw(t, "n")
			return Count{rapid.IntRange(0, n).Draw(t, "k"), n}
		}), 0, 40).Draw(t, "days")
		got, ok := Find(list, 1)
		if !ok {
			return
		}
		var in, out Count
		for i, c := range list {
			if i >= got.From && i < got.To {
				in = in.plus(c)
			} else {
				out = out.plus(c)
			}
		}
		if got.From < 1 || got.To > len(list) || got.From >= got.To || in != got.In || out != got.Out ||
			in.Whole < Few || out.Whole < Few || math.IsNaN(got.Ratio) {
			t.Fatalf("%+v of %v", got, list)
		}
	})
}

func TestThePartsOfATurnAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, k := rapid.IntRange(3, 12).Draw(t, "days"), rapid.IntRange(1, 5).Draw(t, "parts")
		parts, all := make([]Part, k), make([]Count, n)
		for i := range parts {
			for day := range n {
				w := rapid.IntRange(0, 60).Draw(t, "w")
				c := Count{rapid.IntRange(0, w).Draw(t, "p"), w}
				parts[i].Days = append(parts[i].Days, c)
				all[day] = all[day].plus(c)
			}
		}
		turn, ok := Find(all, 1)
		if !ok {
			return
		}
		sum := 0.0
		for i := range parts {
			b, _ := Cause(turn, parts[i:i+1])
			sum += b.Of
		}
		if math.Abs(sum-1) > 1e-6 {
			t.Fatalf("the parts make %v of the turn", sum)
		}
	})
}

func TestTheCauseIsTheTopicThatFell(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	steady := days(r, 30, 60, func(int) float64 { return 0.9 })
	fell := days(r, 30, 30, func(day int) float64 {
		if day >= 21 {
			return 0.4
		}
		return 0.9
	})
	all := make([]Count, 30)
	for i := range all {
		all[i] = steady[i].plus(fell[i])
	}
	turn, ok := Find(all, 1)
	if !ok {
		t.Fatal("no turn")
	}
	b, ok := Cause(turn, []Part{{steady}, {fell}})
	if !ok || b.Part != 1 || !b.Holds {
		t.Errorf("%+v, %v", b, ok)
	}
}
