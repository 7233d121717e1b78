package main

import (
	"strings"
	"testing"

	"preceptor/internal/platform/fault"
)

func TestLearnExtract(t *testing.T) {
	r := must(t, `{"id":"a","message":"Don't use npm here, use pnpm"}`+"\n\n"+
		`{"id":2,"message":"How do I install it?","other":1}`+"\n", "learn", "extract")
	want := `{"id":"a","learnings":[{"category":"tool-usage","content":"Don't use npm here, use pnpm","confidence":"medium","span":[0,28]}]}` + "\n" + `{"id":2,"learnings":[]}` + "\n"
	if r.out != want {
		t.Errorf("got %s", r.out)
	}
	for _, line := range []string{`{"id":"b"}`, `{`, `"text"`} {
		r := preceptor(t, `{"id":"a","message":"Nothing to see"}`+"\n"+line, "learn", "extract")
		if r.code != fault.Invalid.ExitCode() || !strings.Contains(r.err, "Line 2") {
			t.Errorf("%s: %d %s", line, r.code, r.err)
		}
	}
}
