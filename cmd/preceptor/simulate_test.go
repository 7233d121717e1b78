package main

import (
	"encoding/json"
	"strings"
	"testing"

	"preceptor/internal/fault"
)

func TestSimulateGate(t *testing.T) {
	var s struct {
		Seed map[string]float64 `json:"seed_gate"`
		Ours map[string]float64 `json:"our_gate"`
	}
	r := must(t, "", "simulate", "gate", "--json")
	if err := json.Unmarshal([]byte(r.out), &s); err != nil {
		t.Fatal(err)
	}
	if s.Seed["0.5"] < 0.12 || s.Ours["0.5"] > 0.01 || s.Ours["0.6"] > 0.05 || s.Ours["0.9"] < 0.8 || len(s.Ours) != 7 {
		t.Errorf("%+v", s)
	}
	if again := must(t, "", "simulate", "gate", "--json"); again.out != r.out {
		t.Error("the same seed gave other figures")
	}
	if table := must(t, "", "simulate", "gate", "--principles", "50"); strings.Count(table.out, "\n") != 8 {
		t.Errorf("the table: %q", table.out)
	}
	if r := preceptor(t, "", "simulate", "gate", "--principles", "0"); r.code != fault.Invalid.ExitCode() {
		t.Errorf("no principles: %+v", r)
	}
}

func TestSimulateExperiment(t *testing.T) {
	var s struct {
		Fixed     int `json:"fixed_per_arm"`
		Size      int `json:"size_per_arm"`
		Scenarios []struct {
			Shown  float64 `json:"difference_shown"`
			Better float64 `json:"better"`
		} `json:"scenarios"`
	}
	r := must(t, "", "simulate", "experiment", "--json")
	if err := json.Unmarshal([]byte(r.out), &s); err != nil {
		t.Fatal(err)
	}
	if len(s.Scenarios) != 4 || s.Scenarios[0].Shown > 0.05 || s.Scenarios[1].Better < 0.80 || s.Fixed != 250 || s.Size < s.Fixed {
		t.Errorf("%+v", s)
	}
	if table := must(t, "", "simulate", "experiment", "--runs", "20"); strings.Count(table.out, "\n") != 5 {
		t.Errorf("the table: %q", table.out)
	}
	for _, wrong := range [][]string{{"--runs", "0"}, {"--effect", "40"}} {
		if r := preceptor(t, "", append([]string{"simulate", "experiment"}, wrong...)...); r.code != fault.Invalid.ExitCode() {
			t.Errorf("%v: %+v", wrong, r)
		}
	}
}
