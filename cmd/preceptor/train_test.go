package main

import (
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"preceptor/internal/practice"
)

// A training that is killed again and again goes on where it was, and comes out as one that nobody stopped. No
// consultation is lost or had twice. PRECEPTOR_CRASH_CYCLES sets how often; make crash has 50.
func TestTrainingIsKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("kills a training several times; make check runs it")
	}
	dir := t.TempDir()
	binary, plain, killed := filepath.Join(dir, "preceptor"), filepath.Join(dir, "plain.db"),
		filepath.Join(dir, "killed.db")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	must(t, "", "import", "documents", "--db", plain, "--agent", "advisor", "--pack", "pension", "../../internal/demo/guidance")
	must(t, "", "backup", "--db", plain, killed+".backup")
	must(t, "", "restore", killed+".backup", "--db", killed)
	args := []string{"train", "--agent", "advisor", "--customers", "160", "--seed", "3", "--json"}
	want := trained(t, must(t, "", append(args, "--db", plain)...).out)

	r := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	args = append(args, "--db", killed)
	kills, early, resume := 0, 0, false
	for {
		run := args
		if resume {
			run = append(args[:len(args):len(args)], "--resume")
		}
		cmd := exec.Command(binary, run...)
		var said, wrong strings.Builder
		cmd.Stdout, cmd.Stderr = &said, &wrong
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		var patience <-chan time.Time // nil, so never, once it was killed often enough
		if kills < crashCycles(4) {
			patience = time.After(time.Duration(300+300*early+r.IntN(900)) * time.Millisecond)
		}
		var err error
		select {
		case err = <-ended:
		case <-patience:
			_ = cmd.Process.Kill()
			<-ended
			kills, resume = kills+1, true
			continue
		}
		if err != nil && resume && strings.Contains(wrong.String(), "no unfinished training") {
			kills, early, resume = kills-1, early+1, false // it was killed before it had begun
			continue
		}
		if err != nil {
			t.Fatalf("after %d kills: %v\n%s", kills, err, wrong.String())
		}
		t.Logf("%d kills", kills)
		if got := trained(t, said.String()); got != want {
			t.Errorf("killed %d times it came out otherwise:\n%s\nand undisturbed:\n%s", kills, got, want)
		}
		break
	}
	if left, _ := filepath.Glob(killed + ".practice-*"); len(left) > 0 {
		t.Errorf("the copies %v are still there", left)
	}
	if kills < 3 {
		t.Errorf("killed only %d times", kills)
	}
}

// trained is a training without what tells two runs of it apart.
func trained(t *testing.T, out string) string {
	t.Helper()
	var got practice.Trained
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got.Customers != 160 || len(got.Rules) == 0 {
		t.Fatalf("%d customers and %d rules", got.Customers, len(got.Rules))
	}
	b, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
