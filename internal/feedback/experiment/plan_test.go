package experiment

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/platform/fault"
)

func near(t *testing.T, what string, got, want, by float64) {
	t.Helper()
	if !(math.Abs(got-want) <= by) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// Points that are tabled elsewhere: the two-sided boundary of O'Brien and Fleming without a break is 2.2414 at 5 % and
// 2.807 at 1 %.
func TestTheBoundary(t *testing.T) {
	near(t, "5 %", boundaryOf(0.05), 2.2414, 5e-4)
	near(t, "1 %", boundaryOf(0.01), 2.807, 1e-3)
	near(t, "97.5 % point", quantile(0.975), 1.959964, 1e-6)
	near(t, "80 % point", quantile(0.8), 0.841621, 1e-6)
	for _, c := range []float64{1.5, 2.2414, 3} {
		// the other side is nearly never reached too, so twice one side is an upper bound
		if both, one := leaves(c), crosses(c, 0); both > 2*one+1e-12 || both < 2*one-math.Pow(one, 1.2) {
			t.Errorf("%v: %v of both, %v of one", c, both, one)
		}
	}
	near(t, "drift", crosses(2.2414, driftFor(2.2414, 0.8)), 0.8, 1e-9)
}

func TestPlans(t *testing.T) {
	for _, tt := range []struct {
		baseline, effect float64
		fixed            int
		least, most      int // planned, per arm
	}{
		{0.75, 0.05, 1094, 1200, 1300}, // "~1,200 decisions per arm are needed for +5 points at 75 %"
		{0.75, 0.10, 250, 270, 310},
		{0.50, 0.10, 388, 420, 470},
		{0.90, 0.05, 435, 470, 530},
	} {
		a := DefaultAim
		a.Baseline, a.Effect = tt.baseline, tt.effect
		p, err := NewPlan(a)
		if err != nil {
			t.Fatal(err)
		}
		if p.Fixed != tt.fixed || p.SizeT < tt.least || p.SizeT > tt.most || p.SizeT != p.SizeC || p.Price() < 1.08 ||
			p.Price() > 1.22 {
			t.Errorf("%v + %v: %+v at %.3f", tt.baseline, tt.effect, p, p.Price())
		}
	}
	a := DefaultAim
	a.Split = 0.8
	even, _ := NewPlan(DefaultAim)
	p, err := NewPlan(a)
	if err != nil || p.Information != even.Information || p.Total() <= even.Total() ||
		math.Abs(float64(p.SizeT)/float64(p.Total())-0.8) > 0.01 {
		t.Errorf("an uneven split: %+v, %v", p, err)
	}
	near(t, "its information", Counts{N: [2]int{p.SizeT, p.SizeC}}.information(), p.Information, 1)
	for name, change := range map[string]func(*Aim){
		"baseline": func(a *Aim) { a.Baseline = 1.2 }, "effect": func(a *Aim) {
			a.Baseline, a.Effect = 0.9, 0.1
		}, "alpha": func(a *Aim) { a.Alpha = 0 },
		"power": func(a *Aim) { a.Power = math.NaN() }, "split": func(a *Aim) { a.Split = 1 },
	} {
		a := DefaultAim
		change(&a)
		_, err := NewPlan(a)
		if f := fault.Fields(err); !fault.Is(err, fault.Invalid) || len(f) != 1 || f[0].Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	a = DefaultAim
	a.Alpha, a.Power, a.Effect, a.Baseline, a.Split = 0.001, 0.98, 0.01, 0.5, 0.1
	if _, err := NewPlan(a); !fault.Is(err, fault.Invalid) {
		t.Errorf("too large: %v", err)
	}
}

// The interval holds the observed difference nearly always, is within -1 and 1, narrows, and is mirrored with the arms.
func TestLooks(t *testing.T) {
	plan, err := NewPlan(DefaultAim)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := [2]int{rapid.IntRange(0, 1200).Draw(t, "treatment"), rapid.IntRange(0, 1200).Draw(t, "control")}
		c := Counts{N: n, Good: [2]int{rapid.IntRange(0, n[0]).Draw(t, "good t"),
			rapid.IntRange(0, n[1]).Draw(t, "good c")}}
		l, m := plan.Look(c), plan.Look(Counts{N: [2]int{n[1], n[0]}, Good: [2]int{c.Good[1], c.Good[0]}})
		if !l.Known() {
			if min(n[0], n[1]) > 0 || l != (Look{Low: -1, High: 1}) {
				t.Fatalf("%+v of %+v", l, c)
			}
			return
		}
		if l.Low < -1 || l.High > 1 || l.Low >= l.High || math.Abs(l.Effect+m.Effect) > 1e-12 ||
			math.Abs(l.Low+m.High) > 1e-12 || l.Progress != m.Progress {
			t.Fatalf("%+v and %+v of %+v", l, m, c)
		}
		if min(n[0], n[1]) < leastEach && l.Ended != "" {
			t.Fatalf("ended after %+v", c)
		}
		more := plan.Look(Counts{N: [2]int{2 * n[0], 2 * n[1]}, Good: [2]int{2 * c.Good[0], 2 * c.Good[1]}})
		if l.Low > -1 && l.High < 1 && more.High-more.Low > l.High-l.Low+1e-9 {
			t.Fatalf("twice as many widen it: %+v, %+v", l, more)
		}
	})
}

func TestStopRules(t *testing.T) {
	plan, err := NewPlan(DefaultAim)
	if err != nil {
		t.Fatal(err)
	}
	n := plan.SizeT
	of := func(n, percent int) int { return n * percent / 100 }
	for want, c := range map[string]Counts{
		"":     {N: [2]int{9, 400}, Good: [2]int{0, 400}},
		Better: {N: [2]int{n, n}, Good: [2]int{of(n, 82), of(n, 75)}},
		Worse:  {N: [2]int{n / 2, n / 2}, Good: [2]int{of(n/2, 55), of(n/2, 75)}},
		Futile: {N: [2]int{n - 100, n - 100}, Good: [2]int{of(n-100, 75), of(n-100, 75)}},
		Full:   {N: [2]int{n, n}, Good: [2]int{of(n, 78), of(n, 75)}},
	} {
		if l := plan.Look(c); l.Ended != want {
			t.Errorf("%+v of %+v, want %q", l, c, want)
		}
	}
}
