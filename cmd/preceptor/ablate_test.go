package main

import (
	"encoding/json"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"preceptor/internal/platform/fault"
	"preceptor/internal/practice"
)

// The same seed gives the same result to the byte, on one core and on several; learning helps, wrong rules harm, and
// what belongs to another domain, or to other customers, doesn't help.
func TestAblate(t *testing.T) {
	if testing.Short() {
		t.Skip("holds some hundred consultations; make check runs it")
	}
	args := []string{"ablate", "--json", "--splits", "1", "--seeds", "1", "--customers", "120"}
	before := runtime.GOMAXPROCS(1)
	alone := must(t, "", args...).out
	runtime.GOMAXPROCS(max(2, before))
	beside := must(t, "", args...).out
	runtime.GOMAXPROCS(before)
	if alone != beside {
		t.Error("the result hangs on the number of cores")
	}
	var got practice.Ablated
	if err := json.Unmarshal([]byte(alone), &got); err != nil {
		t.Fatal(err)
	}
	arms := map[string]practice.Arm{}
	for _, a := range got.Arms {
		arms[a.Name] = a
	}
	full := arms[practice.Full].NeedsMet
	if len(got.Arms) != 7 || full.Low <= 0 {
		t.Errorf("%d arms; full against baseline %+v", len(got.Arms), full)
	}
	if wrong := arms[practice.WrongArm].NeedsMet; wrong.High >= 0 {
		t.Errorf("wrong rules against full: %+v", wrong)
	}
	if other := arms[practice.OtherArm].NeedsMet; other.Low > 0 {
		t.Errorf("another domain's memory helps: %+v", other)
	}
	if shuffled := arms[practice.Shuffled].NeedsMet; shuffled.Of > full.Of/2 {
		t.Errorf("with the needs of others the gain is %+v of %+v", shuffled, full)
	}
}

// A training leaves the base as it was; asked for, its rules wait for an expert.
func TestTrainAndEvaluate(t *testing.T) {
	if testing.Short() {
		t.Skip("holds some hundred consultations; make check runs it")
	}
	file := filepath.Join(t.TempDir(), "p.db")
	docs := "../../internal/demo/guidance"
	must(t, "", "import", "documents", "--db", file, "--agent", "advisor", "--pack", "pension", docs)
	measure := func() string { return must(t, "", "evaluate", "--db", file, "--agent", "advisor", "--json").out }
	before := measure()
	var m practice.Metrics
	if err := json.Unmarshal([]byte(before), &m); err != nil || m.NeedsMet.N < 20 || m.NeedsMet.Of <= 0 {
		t.Fatalf("%v: %s", err, before)
	}
	r := must(t, "", "train", "--db", file, "--agent", "advisor", "--customers", "60")
	if !strings.Contains(r.out, "SEED 000 EXPECTS") || !strings.Contains(r.err, "needs met") {
		t.Errorf("out %q, err %q", r.out, r.err)
	}
	if after := measure(); after != before {
		t.Errorf("a training changed the base: %s, then %s", before, after)
	}
	if r := must(t, "", "train", "--db", file, "--agent", "advisor", "--customers", "60",
		"--propose"); !strings.Contains(r.err, "wait for an expert") || strings.Contains(r.err, "\n0 lessons") {
		t.Errorf("proposed: %q", r.err)
	}
	if after := measure(); after != before {
		t.Error("what practice proposed is in use before an expert decided")
	}
}

func TestPracticeRefuses(t *testing.T) {
	file := base(t)
	must(t, "", "import", "documents", "--db", file, "--agent", "desk", "--pack", "general",
		"../../internal/demo/helpdesk")
	for says, args := range map[string][]string{
		"There is no agent":                {"evaluate", "--db", file, "--agent", "nobody"},
		"There is no pack":                 {"ablate", "--pack", "law"},
		"--customers is 1 to 50,000":       {"train", "--db", file, "--agent", "desk", "--customers", "0"},
		"--split is 1 to 3":                {"evaluate", "--db", file, "--agent", "desk", "--split", "4"},
		"--seeds 1 to 20":                  {"ablate", "--seeds", "21"},
		`There is no agent "nobody"`:       {"ablate", "--db", file, "--agent", "nobody"},
		"is not a folder that can be read": {"ablate", "--documents", file},
		"There is no file":                 {"train", "--db", file + "x", "--agent", "desk"},
	} {
		if r := preceptor(t, "", args...); r.code == 0 || r.code == fault.Internal.ExitCode() ||
			!strings.Contains(r.err, says) {
			t.Errorf("%v: code %d, says %q, want %q", args, r.code, r.err, says)
		}
	}
}
