package app_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"preceptor/internal/app"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
)

// screen is a terminal that may be read while it is written to.
type screen struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func settings(t *testing.T) config.Config {
	t.Helper()
	cfg, err := config.Default()
	if err != nil {
		t.Fatal(err)
	}
	cfg.DB = filepath.Join(t.TempDir(), "app.db")
	dbtest.Lay(t, cfg.DB)
	cfg.Addr = "127.0.0.1:0"
	return cfg
}

// start runs the program on a free port; stop ends it and says how that went.
func start(t *testing.T, cfg config.Config) (a *app.App, terminal *screen, stop func() error) {
	t.Helper()
	return startTLS(t, cfg, http.DefaultClient)
}

// startTLS is start with a client that knows the certificate.
func startTLS(t *testing.T, cfg config.Config, client *http.Client) (a *app.App, terminal *screen, stop func() error) {
	t.Helper()
	terminal = &screen{}
	ctx, cancel := context.WithCancel(t.Context())
	a, err := app.Open(ctx, cfg, app.WithLog(slog.New(slog.DiscardHandler)), app.WithTerminal(terminal))
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	if err := a.Listen(ctx); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	stop = sync.OnceValue(func() error {
		cancel()
		err := <-done
		if cerr := a.Close(); err == nil {
			err = cerr
		}
		return err
	})
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
	waitFor(t, func() bool {
		return strings.Contains(terminal.String(), "Preceptor is at") &&
			statusBy(t, client, a.URL()+"/readyz") == http.StatusOK
	})
	return a, terminal, stop
}

func waitFor(t *testing.T, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it did not come about")
		}
	}
}

func status(t *testing.T, url string) int {
	t.Helper()
	return statusBy(t, http.DefaultClient, url)
}

func statusBy(t *testing.T, client *http.Client, url string) int {
	t.Helper()
	res, err := client.Get(url)
	if err != nil {
		return 0
	}
	defer res.Body.Close()
	io.Copy(io.Discard, res.Body)
	return res.StatusCode
}

// The first start prints a link that works, and the next one does not.
func TestFirstStartShowsSetupLink(t *testing.T) {
	cfg := settings(t)
	if err := os.Remove(cfg.DB); err != nil { // the program makes its file
		t.Fatal(err)
	}
	a, terminal, stop := start(t, cfg)
	link := regexp.MustCompile(`http://127\.0\.0\.1:\d+/setup/\S+`).FindString(terminal.String())
	if link == "" || !strings.HasPrefix(link, a.URL()) {
		t.Fatalf("no link in %q", terminal)
	}
	if got := status(t, link); got != http.StatusOK {
		t.Errorf("the link answers %d", got)
	}
	if got := status(t, link[:len(link)-1]+"!"); got != http.StatusNotFound {
		t.Errorf("another link answers %d", got)
	}
	form := strings.NewReader("name=Ann&email=ann%40example.org&password=a+lamp+beside+the+window&roles=supervisor")
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, link, form)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusSeeOther || len(res.Cookies()) != 1 {
		t.Errorf("setting up answers %d with cookies %v", res.StatusCode, res.Cookies())
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if _, terminal, _ = start(t, cfg); strings.Contains(terminal.String(), "/setup/") {
		t.Errorf("the second start says %q", terminal)
	}
}

func TestStopsCleanly(t *testing.T) {
	cfg := settings(t)
	a, _, stop := start(t, cfg)
	url := a.URL()
	began := time.Now()
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
	if got := status(t, url+"/healthz"); got != 0 {
		t.Errorf("it still answers %d", got)
	}
	if a, err := app.Open(t.Context(), cfg); err != nil { // the file is free again
		t.Error(err)
	} else if err := a.Close(); err != nil {
		t.Error(err)
	}
}

// A server on a full disk says that it isn't ready, and is again once there is room. An answer counts for some seconds.
func TestAFullDiskIsNotReady(t *testing.T) {
	if testing.Short() {
		t.Skip("waits twice until an answer is old; make check runs it")
	}
	cfg := settings(t)
	a, _, _ := start(t, cfg)
	if err := os.Symlink("/dev/full", a.DB.Path()+".room"); err != nil {
		t.Skip(err)
	}
	for _, want := range []int{http.StatusServiceUnavailable, http.StatusOK} { // the link goes with the first
		for status(t, a.URL()+"/readyz") != want { // the test's own time limit ends it
			time.Sleep(100 * time.Millisecond)
		}
	}
}

// A command that needs the file while a server holds it is told so.
func TestSecondProcessIsRefused(t *testing.T) {
	cfg := settings(t)
	start(t, cfg)
	if _, err := app.Open(t.Context(), cfg); !fault.Is(err, fault.Conflict) {
		t.Errorf("got %v", err)
	}
}

func TestTakenPort(t *testing.T) {
	a, _, _ := start(t, settings(t))
	cfg := settings(t)
	cfg.Addr = a.Addr()
	b, err := app.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Run(t.Context()); !fault.Is(err, fault.Unavailable) {
		t.Errorf("got %v", err)
	}
}

// Plain http beyond this machine is refused unless told otherwise.
func TestPlainHTTPBeyondLoopback(t *testing.T) {
	cfg := settings(t)
	cfg.Addr = "0.0.0.0:0"
	if _, err := app.Open(t.Context(), cfg); !fault.Is(err, fault.Invalid) {
		t.Errorf("got %v", err)
	}
	cfg.InsecureHTTP = true
	a, err := app.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	a.Close()
}
