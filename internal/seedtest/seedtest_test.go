// Package seedtest runs the examples and exit criteria of the five seed documents against the running program, over
// HTTP and the command line: a file and a table test per document, each row named after the document's section. What
// is here is what a reader of the document would try; finer cases stand with the packages.
package seedtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
)

// agent is an agent of a general domain with a token for everything, and its makers' people.
type agent struct {
	*testing.T
	site   *apptest.Site
	api    *apptest.Client
	expert *apptest.Client
}

func newAgent(t *testing.T, name string) agent {
	t.Helper()
	return joined(t, apptest.Open(t), name)
}

func joined(t *testing.T, s *apptest.Site, name string, scopes ...account.Scope) agent {
	t.Helper()
	if scopes == nil {
		scopes = []account.Scope{account.Feedback, account.Recall, account.Submit}
	}
	key, _, err := s.Accounts.CreateToken(t.Context(), name, "general", scopes, time.Time{}, audit.System("test"))
	if err != nil {
		t.Fatal(err)
	}
	a := agent{t, s, s.Nobody(t), s.SignedIn(t, account.Expert, account.Admin)}
	a.api.Header.Set("Authorization", "Bearer "+key)
	return a
}

// object is a body of the API, or an answer.
type object = map[string]any

func (a agent) post(path string, body object) object {
	a.Helper()
	r := a.send(path, body)
	if r.Status >= 300 {
		a.Fatalf("POST %s: %d %s", path, r.Status, r.Body)
	}
	return a.decode(r)
}

func (a agent) send(path string, body object) apptest.Response {
	a.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		a.Fatal(err)
	}
	return a.api.JSON(a.T, http.MethodPost, path, string(b))
}

func (a agent) get(path string) object {
	a.Helper()
	return a.decode(a.api.Get(a.T, path))
}

func (a agent) decode(r apptest.Response) (out object) {
	a.Helper()
	if err := json.Unmarshal([]byte(r.Body), &out); err != nil || r.Status >= 300 {
		a.Fatalf("%d %s", r.Status, r.Body)
	}
	return out
}

// list is a list of objects within an answer.
func list(o object, key string) (out []object) {
	all, _ := o[key].([]any)
	for _, v := range all {
		m, _ := v.(object)
		out = append(out, m)
	}
	return out
}

// text is a text within an answer.
func text(o object, key string) string { s, _ := o[key].(string); return s }

var built string // the folder of binary, where a test asked for it

var binary = sync.OnceValues(func() (path string, err error) {
	if built, err = os.MkdirTemp("", "seedtest"); err != nil {
		return "", err
	}
	path = filepath.Join(built, "preceptor")
	if out, err := exec.Command("go", "build", "-ldflags", "-s -w", "-o", path,
		"preceptor/cmd/preceptor").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

// command runs the program's command line as its users do.
func command(t *testing.T, in string, args ...string) string {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	var out, bad bytes.Buffer
	c := exec.CommandContext(t.Context(), path, args...)
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(in), &out, &bad
	if err := c.Run(); err != nil {
		t.Fatalf("preceptor %v: %v: %s", args, err, &bad)
	}
	return out.String()
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(built)
	}
	os.Exit(code)
}
