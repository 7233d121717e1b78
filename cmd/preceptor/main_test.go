package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
)

// result is what a command left behind.
type result struct {
	code     int
	out, err string
}

// preceptor runs the real program on the given arguments and standard input.
func preceptor(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var out, err bytes.Buffer
	code := program.Run(t.Context(), args, strings.NewReader(stdin), &out, &err)
	return result{code: code, out: out.String(), err: err.String()}
}

// must is preceptor for a command that has to work.
func must(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	r := preceptor(t, stdin, args...)
	if r.code != 0 {
		t.Fatalf("preceptor %s ended with %d: %s", strings.Join(args, " "), r.code, r.err)
	}
	return r
}

func TestHelpNamesEveryCommand(t *testing.T) {
	for _, args := range [][]string{{}, {"help"}, {"--help"}} {
		r := must(t, "", args...)
		for _, name := range commandNames() {
			if !strings.Contains(r.out, name) {
				t.Errorf("%v does not name %s:\n%s", args, name, r.out)
			}
		}
	}
	if r := must(t, "", "help", "config"); !strings.Contains(r.out, "--hold") {
		t.Errorf("help config explains no settings:\n%s", r.out)
	}
}

// commandNames are the commands of the contract.
func commandNames() []string {
	return []string{"serve", "demo", "account", "token", "import", "recall", "agreement", "audit", "backup", "restore",
		"doctor", "config", "version", "help"}
}

func TestWrongCommandLine(t *testing.T) {
	for _, args := range [][]string{{"fly"}, {"help", "fly"}, {"config", "--nonsense"}, {"config", "--hold", "soon"}} {
		r := preceptor(t, "", args...)
		if r.code != fault.Invalid.ExitCode() || r.out != "" || !strings.Contains(r.err, "preceptor --help") {
			t.Errorf("%v gave %+v", args, r)
		}
	}
}

func TestConfigHidesSecretsAndSaysWhatIsWrong(t *testing.T) {
	t.Setenv("PRECEPTOR_METRICS_TOKEN", "a-token-nobody-sees")
	r := must(t, "", "config", "--hold", "5s", "--json")
	if strings.Contains(r.out+r.err, "nobody-sees") {
		t.Errorf("config shows a secret:\n%s", r.out)
	}
	var list []struct{ Name, Value string }
	if err := json.Unmarshal([]byte(r.out), &list); err != nil {
		t.Fatalf("config --json is not JSON: %v", err)
	}
	got := map[string]string{}
	for _, s := range list {
		got[s.Name] = s.Value
	}
	if got["hold"] != "5s" || got["metrics-token"] != "(hidden)" {
		t.Errorf("settings are %v", got)
	}
	bad := preceptor(t, "", "config", "--recall", "magic")
	if bad.code != fault.Invalid.ExitCode() || !strings.Contains(bad.err, "--recall") ||
		!strings.Contains(bad.out, "magic") {
		t.Errorf("a wrong setting gave %+v", bad)
	}
}

func TestVersion(t *testing.T) {
	if r := must(t, "", "version"); !strings.HasPrefix(r.out, "preceptor ") {
		t.Errorf("version says %q", r.out)
	}
	var b terminal.Build
	if err := json.Unmarshal([]byte(must(t, "", "version", "--json").out), &b); err != nil || b.Version == "" {
		t.Errorf("version --json: %+v, %v", b, err)
	}
}

func TestStoppedIsNoDefect(t *testing.T) {
	var err bytes.Buffer
	term := &terminal.Terminal{Ctx: context.Background(), Err: &err}
	if code := term.Fail("preceptor", context.Canceled); code != 130 {
		t.Errorf("an interrupt ends with %d", code)
	}
}
