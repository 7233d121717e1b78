package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"preceptor/internal/demo"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// buffer is a bytes.Buffer that two goroutines may use.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// running is a server in this process.
type running struct {
	out, err buffer
	url      string
	stop     context.CancelFunc
	ended    chan int
}

var atURL = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// start runs a command that serves, and waits until it says where.
func start(t *testing.T, args ...string) *running {
	t.Helper()
	return startUntil(t, func(r *running) string { return r.err.String() }, args...)
}

// startUntil waits until there is an address in what the command says.
func startUntil(t *testing.T, said func(*running) string, args ...string) *running {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	r := &running{stop: stop, ended: make(chan int, 1)}
	go func() { r.ended <- program.Run(ctx, args, strings.NewReader(""), &r.out, &r.err) }()
	t.Cleanup(func() { r.end(t) })
	for deadline := time.Now().Add(15 * time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if r.url = atURL.FindString(said(r)); r.url != "" {
			return r
		}
		select {
		case code := <-r.ended:
			r.ended <- code
			t.Fatalf("%v ended with %d: %s", args, code, r.err.String())
		default:
		}
	}
	t.Fatalf("%v does not say where it serves: %s", args, r.err.String())
	return nil
}

// end stops the server and waits for it.
func (r *running) end(t *testing.T) int {
	t.Helper()
	r.stop()
	select {
	case code := <-r.ended:
		r.ended <- code
		return code
	case <-time.After(20 * time.Second):
		t.Error("the server does not stop")
		return -1
	}
}

func (r *running) get(t *testing.T, path string) (int, string) {
	t.Helper()
	resp, err := http.Get(r.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

func TestServeGreetsAndStops(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.db")
	r := start(t, "serve", "--db", file, "--addr", "127.0.0.1:0")
	if code, _ := r.get(t, "/readyz"); code != http.StatusOK {
		t.Errorf("/readyz answers %d", code)
	}
	link := regexp.MustCompile(`/setup/\S+`).FindString(r.err.String())
	if link == "" {
		t.Fatalf("no set-up link was shown: %s", r.err.String())
	}
	if code, _ := r.get(t, link); code != http.StatusOK {
		t.Errorf("the set-up link answers %d", code)
	}
	if second := preceptor(t, "", "serve", "--db", file, "--addr", "127.0.0.1:0"); second.code != 5 ||
		!strings.Contains(second.err, "in use by") {
		t.Errorf("a second server on the file: %+v", second)
	}
	if code := r.end(t); code != 0 {
		t.Errorf("a stopped server ends with %d: %s", code, r.err.String())
	}
	if r.out.String() != "" {
		t.Errorf("serve writes to standard output: %s", r.out.String())
	}
}

func TestServeRefusesPlainHTTPBeyondThisMachine(t *testing.T) {
	r := preceptor(t, "", "serve", "--db", filepath.Join(t.TempDir(), "p.db"), "--addr", "0.0.0.0:0")
	if r.code != 2 || !strings.Contains(r.err, "--tls-cert") {
		t.Errorf("%+v", r)
	}
}

// The demo fills its file, tells how to get in, serves, and makes its own file anew at the next start.
func TestDemoServes(t *testing.T) {
	if testing.Short() {
		t.Skip("fills a whole demo; run without -short")
	}
	file := filepath.Join(t.TempDir(), "demo.db")
	r := start(t, "demo", "--db", file, "--addr", "127.0.0.1:0", "--every", "0")
	out := r.out.String()
	for _, want := range []string{"Sam Okafor", "supervisor and admin", "Edie Lindqvist", "curl ", r.url,
		"/api/advise"} {
		if !strings.Contains(out, want) {
			t.Errorf("the terminal does not show %q:\n%s", want, out)
		}
	}
	code, page := r.get(t, "/sign-in")
	if code != http.StatusOK || !strings.Contains(page, "Sam Okafor") || !strings.Contains(page, "Ada Ferreira") {
		t.Errorf("the sign-in page answers %d without the demo's people", code)
	}
	token := regexp.MustCompile(`Bearer (\S+?)'`).FindStringSubmatch(out)
	body := regexp.MustCompile(`-d '(.*)'`).FindStringSubmatch(out)
	if token == nil || body == nil {
		t.Fatalf("no request to try was printed:\n%s", out)
	}
	if code := r.advise(t, token[1], body[1]); code != http.StatusAccepted {
		t.Errorf("the printed request answers %d", code)
	}
	r.pasted(t, out)
	if second := preceptor(t, "", "demo", "--db", file); second.code != fault.Conflict.ExitCode() {
		t.Errorf("a second demo on the file: %+v", second)
	}
	if code := r.end(t); code != 0 {
		t.Errorf("a stopped demo ends with %d: %s", code, r.err.String())
	}
	if err := db.RemoveMarked(t.Context(), file, demo.Mark); err != nil {
		t.Errorf("the next start would refuse the demo's own file: %v", err)
	}
}

// While the demo is filled every page says how far it is, and an interrupt leaves a file that the next start takes.
func TestDemoIsFilledBehindAPage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "demo.db")
	r := startUntil(t, func(r *running) string { return r.out.String() }, "demo", "--db", file, "--addr", "127.0.0.1:0")
	const said = "Filling the desk: "
	for path, want := range map[string]string{"/": said, "/reviews": said, "/sign-in": said, "/nowhere": said,
		"/api/guidance": said, "/readyz": said} {
		if code, body := r.get(t, path); code != http.StatusServiceUnavailable || !strings.Contains(body, want) {
			t.Errorf("%s answers %d, %s", path, code, body)
		}
	}
	_, page := r.get(t, "/")
	for _, path := range []string{"/healthz", regexp.MustCompile(`/static/[^"]*app[^"]*\.css[^"]*`).FindString(page)} {
		if code, _ := r.get(t, path); code != http.StatusOK {
			t.Errorf("%s answers %d", path, code)
		}
	}
	resp, err := http.Get(r.url + "/reviews")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.Header.Get("Refresh") == "" ||
		!strings.Contains(resp.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("the page's headers are %v", resp.Header)
	}
	if resp, err = http.Post(r.url+"/api/advise", "application/json", strings.NewReader("{}")); err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "" ||
		resp.Header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("the API answers %d, %v", resp.StatusCode, resp.Header)
	}
	if !strings.Contains(r.out.String(), "Sam Okafor") || strings.Contains(r.err.String(), "Preceptor is at") {
		t.Errorf("the terminal shows\n%s\n%s", r.out.String(), r.err.String())
	}
	if code := r.end(t); code != 130 {
		t.Errorf("an interrupted demo ends with %d: %s", code, r.err.String())
	}
	if err := db.RemoveMarked(t.Context(), file, demo.Mark); err != nil {
		t.Errorf("the next start would refuse the demo's own file: %v", err)
	}
}

// pasted has a shell run what the demo printed and what help says about feedback, as a newcomer would. The printed
// token had no scope for it once, and that of the observed agent was not printed.
func (r *running) pasted(t *testing.T, out string) {
	t.Helper()
	for _, tool := range []string{"sh", "curl", "sed"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Logf("nothing is pasted: %v", err)
			return
		}
	}
	printed := out[strings.Index(out, "ID=$(curl"):]
	printed, _, _ = strings.Cut(printed, "\n\n")
	page, err := os.ReadFile(filepath.Join("..", "..", "help", "57-examples.md"))
	if err != nil {
		t.Fatal(err)
	}
	var helped strings.Builder
	for line := range strings.Lines(string(page)) {
		if code, ok := strings.CutPrefix(line, "    "); ok {
			helped.WriteString(code)
		}
	}
	setting := regexp.MustCompile(`export PRECEPTOR=\S+ PRECEPTOR_TOKEN=\S+`).FindString(out)
	for i, script := range []string{printed, setting + "\n" + helped.String()} {
		answer, err := exec.CommandContext(t.Context(), "sh", "-ec", script).CombinedOutput()
		if err != nil || !strings.Contains(string(answer), `"feedback":{"positive":1,"negative":0,`) ||
			!strings.Contains(string(answer), `"total_interactions":1`) {
			t.Errorf("script %d: %v, %s\n%s", i+1, err, answer, script)
		}
	}
}

func (r *running) advise(t *testing.T, token, body string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.url+"/api/advise", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}
