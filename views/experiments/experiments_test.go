package experiments

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/feedback/experiment"
)

var figures = regexp.MustCompile(`[-0-9.]+`)

// Whatever the looks are, every place in the drawing is a number within its box.
func TestTheDrawingStaysInItsBox(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var path []experiment.Point
		for i := range rapid.IntRange(1, 30).Draw(t, "looks") {
			p := experiment.Point{Percent: rapid.IntRange(-5, 140).Draw(t, "percent"), N: i}
			p.Effect = rapid.Float64Range(-1, 1).Draw(t, "effect")
			p.Low, p.High = math.Max(-1, p.Effect-rapid.Float64Range(0, 2).Draw(t, "low")), math.Min(1, p.Effect+rapid.Float64Range(0, 2).Draw(t, "high"))
			path = append(path, p)
		}
		d := draw(path, rapid.Float64Range(0.01, 0.5).Draw(t, "sought"))
		for _, s := range []string{d.Band, d.Line} {
			for _, n := range figures.FindAllString(s, -1) {
				if v, err := strconv.ParseFloat(n, 64); err != nil || v < 0 || v > 1000 {
					t.Fatalf("%s in %s", n, s)
				}
			}
		}
		if strings.Count(d.Band, " ") != 2*len(path)-1 || d.Zero != "50.00%" || strings.Contains(d.Goal, "-") || len(d.Ticks) != 5 {
			t.Fatalf("%+v", d)
		}
		if got := shown(path); len(got) > 20 || got[0] != path[0] || got[len(got)-1] != path[len(path)-1] {
			t.Fatalf("%d rows of %d", len(got), len(path))
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
	e := experiment.Experiment{Input: experiment.Input{Treatment: "with memory", Control: "without memory"}, Plan: plan, State: experiment.Running}
	if got := says(e); got != "No outcomes in both arms yet." {
		t.Error(got)
	}
	e.Counts = experiment.Counts{N: [2]int{400, 400}, Good: [2]int{320, 300}}
	if got := says(e); !strings.HasPrefix(got, "So far: with memory did 5.0 points better than without memory, and the interval is −") {
		t.Error(got)
	}
	e.Counts = experiment.Counts{N: [2]int{900, 900}, Good: [2]int{600, 690}}
	if got := says(e); !strings.Contains(got, "ruled out already") {
		t.Error(got)
	}
	if lines := formula(plan); len(lines) != 2 || !strings.Contains(lines[0], "1,094") || strings.Contains(strings.Join(lines, ""), "NaN") {
		t.Error(lines)
	}
}
