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
