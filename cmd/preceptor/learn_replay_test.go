package main

import (
	"encoding/json"
	"strings"
	"testing"

	"preceptor/internal/fault"
)

func TestLearnReplay(t *testing.T) {
	in := `{"id":"typo","before":"A tax free sum.","after":"A tax-free sum.","reason":"Hyphen."}
{"id":"figure","kind":"fact_change","before":"The Personal Allowance is £12,500 this year.","after":"The Personal Allowance is £12,570 this year.","reason":"New tax year."}

{"id":"lesson","question":"How does drawdown work?","before":"You can draw an income from your pot and leave the rest of it where it is.","after":"You can draw an income from your pot and leave the rest of it where it is. The money stays invested, so it could fall in value or run out.","reason":"It did not say what could go wrong.","feedback":"Mention the risk that the pot falls in value or runs out."}
`
	var r replayReport
	got := must(t, in, "learn", "replay", "-", "--json")
	if err := json.Unmarshal([]byte(got.out), &r); err != nil {
		t.Fatal(err)
	}
	if r.Edits != 3 || r.Outcomes["nothing"] != 2 || r.Outcomes["rule"] != 1 || len(r.Rules) != 1 {
		t.Fatalf("%s", got.out)
	}
	if table := must(t, in, "learn", "replay", "-"); !strings.Contains(table.out, "R-1, taught by lesson") || !strings.Contains(table.out, "nothing") {
		t.Errorf("the table: %s", table.out)
	}
	for name, bad := range map[string]string{"no line": "\n", "no JSON": "x\n", "no correction": `{"x":1}` + "\n",
		"an id twice": `{"id":"a","before":"x","after":"y"}` + "\n" + `{"id":"a","before":"x","after":"y"}` + "\n"} {
		if r := preceptor(t, bad, "learn", "replay", "-"); r.code != fault.Invalid.ExitCode() || r.out != "" {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
