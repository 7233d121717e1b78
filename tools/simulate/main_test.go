package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"preceptor/internal/platform/fault"
)

// must runs the real program on arguments that have to work.
func must(t *testing.T, args ...string) string {
	t.Helper()
	var out, said bytes.Buffer
	if code := program.Run(t.Context(), args, strings.NewReader(""), &out, &said); code != 0 {
		t.Fatalf("%v ended with %d: %s", args, code, said.String())
	}
	return out.String()
}

// refused reports whether the program says that the arguments are wrong and prints nothing.
func refused(t *testing.T, args ...string) bool {
	t.Helper()
	var out, said bytes.Buffer
	code := program.Run(t.Context(), args, strings.NewReader(""), &out, &said)
	return code == fault.Invalid.ExitCode() && out.Len() == 0 && said.Len() > 0
}

func TestSimulateGate(t *testing.T) {
	var s struct {
		Seed map[string]float64 `json:"seed_gate"`
		Ours map[string]float64 `json:"our_gate"`
	}
	r := must(t, "gate", "--json")
	if err := json.Unmarshal([]byte(r), &s); err != nil {
		t.Fatal(err)
	}
	if s.Seed["0.5"] < 0.12 || s.Ours["0.5"] > 0.01 || s.Ours["0.6"] > 0.05 || s.Ours["0.9"] < 0.8 || len(s.Ours) != 7 {
		t.Errorf("%+v", s)
	}
	if again := must(t, "gate", "--json"); again != r {
		t.Error("the same seed gave other figures")
	}
	if table := must(t, "gate", "--principles", "50"); strings.Count(table, "\n") != 8 {
		t.Errorf("the table: %q", table)
	}
	if !refused(t, "gate", "--principles", "0") {
		t.Error("no principles were not refused")
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
	r := must(t, "experiment", "--json")
	if err := json.Unmarshal([]byte(r), &s); err != nil {
		t.Fatal(err)
	}
	if len(s.Scenarios) != 4 || s.Scenarios[0].Shown > 0.05 || s.Scenarios[1].Better < 0.80 || s.Fixed != 250 ||
		s.Size < s.Fixed {
		t.Errorf("%+v", s)
	}
	if table := must(t, "experiment", "--runs", "20"); strings.Count(table, "\n") != 5 {
		t.Errorf("the table: %q", table)
	}
	for _, wrong := range [][]string{{"--runs", "0"}, {"--effect", "40"}} {
		if !refused(t, append([]string{"experiment"}, wrong...)...) {
			t.Errorf("%v was not refused", wrong)
		}
	}
}
