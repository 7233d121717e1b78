package experiments

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/feedback/experiment"
	"preceptor/views/chart"
)

// Whatever the looks are, the picture holds all of them, in the page and as a file.
func TestThePictureHoldsEveryLook(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := Show{Experiment: experiment.Experiment{ID: "e",
			Input: experiment.Input{Name: "N", Treatment: "with memory", Control: "without memory"},
			State: experiment.Running}}
		v.Effect, v.Alpha = rapid.Float64Range(0.01, 0.5).Draw(t, "sought"), 0.05
		for i := range rapid.IntRange(1, 30).Draw(t, "looks") {
			p := experiment.Point{Percent: rapid.IntRange(-5, 140).Draw(t, "percent"), N: i}
			p.Effect = rapid.Float64Range(-1, 1).Draw(t, "effect")
			p.Low, p.High = math.Max(-1, p.Effect-rapid.Float64Range(0, 2).Draw(t, "low")),
				math.Min(1, p.Effect+rapid.Float64Range(0, 2).Draw(t, "high"))
			v.Path = append(v.Path, p)
		}
		c := v.Picture()
		if n := len(v.Path) + 2; c.Empty() || len(c.Line.At) != n || len(c.Line.Series) != 3 ||
			len(c.Line.Series[0].Points) != n || len(c.Line.Series[2].Points) != n {
			t.Fatalf("%+v", c.Line)
		}
		if r := c.Line.Reach; !(r >= v.Effect && r <= 1) ||
			c.Line.Series[0].Span != "95% interval, for all looks at once" {
			t.Fatalf("%v, %q", r, c.Line.Series[0].Span)
		}
		var b bytes.Buffer
		if err := chart.Drawing(c).Render(context.Background(), &b); err != nil ||
			strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), `cx="-`) {
			t.Fatalf("%v: %s", err, b.String())
		}
		if got := shown(v.Path); len(got) > 20 || got[0] != v.Path[0] || got[len(got)-1] != v.Path[len(v.Path)-1] {
			t.Fatalf("%d rows of %d", len(got), len(v.Path))
		}
	})
}

func TestWords(t *testing.T) {
	for v, want := range map[float64]string{0: "0.0", 0.0004: "0.0", -0.0004: "0.0", 0.081: "+8.1", -0.2: "−20.0"} {
		if got := points(v); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
	plan, err := experiment.NewPlan(experiment.DefaultAim)
	if err != nil {
		t.Fatal(err)
	}
	e := experiment.Experiment{Input: experiment.Input{Treatment: "with memory", Control: "without memory"}, Plan: plan,
		State: experiment.Running}
	if got := says(e); got != "No outcomes in both arms yet." {
		t.Error(got)
	}
	e.Counts = experiment.Counts{N: [2]int{400, 400}, Good: [2]int{320, 300}}
	if got := says(e); !strings.HasPrefix(got,
		"So far: no significant difference between with memory and without memory (+5.0 points, interval −") {
		t.Error(got)
	}
	e.Counts = experiment.Counts{N: [2]int{900, 900}, Good: [2]int{600, 690}}
	if got := says(e); !strings.Contains(got, "already ruled out") {
		t.Error(got)
	}
	if lines := formula(plan); len(lines) != 2 || !strings.Contains(lines[0], "1,094") ||
		strings.Contains(strings.Join(lines, ""), "NaN") {
		t.Error(lines)
	}
}
