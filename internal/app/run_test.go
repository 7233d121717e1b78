package app_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app"
	"preceptor/internal/audit"
	"preceptor/internal/platform/fault"
)

// certificate writes a key and a certificate for 127.0.0.1 and returns a client that trusts it.
func certificate(t *testing.T) (certFile, keyFile string, client *http.Client) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	tmpl := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"},
		NotBefore: time.Now().Add(-time.Hour),
		NotAfter:  time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true,
		BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certFile, keyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	for name, b := range map[string][]byte{certFile: cert,
		keyFile: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})} {
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(cert)
	tr := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}
	t.Cleanup(tr.CloseIdleConnections)
	return certFile, keyFile, &http.Client{Transport: tr, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

func TestTLS(t *testing.T) {
	cfg := settings(t)
	var client *http.Client
	cfg.TLSCert, cfg.TLSKey, client = certificate(t)
	a, terminal, _ := startTLS(t, cfg, client)
	if !strings.Contains(terminal.String(), "https://127.0.0.1:") {
		t.Errorf("the terminal says %q", terminal)
	}
	res, err := client.Get(a.URL() + "/sign-in")
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.ProtoMajor != 2 || res.TLS.Version < tls.VersionTLS12 || res.Header.Get("Strict-Transport-Security") == "" {
		t.Errorf("%s, TLS %x, HSTS %q", res.Proto, res.TLS.Version, res.Header.Get("Strict-Transport-Security"))
	}
	old := &http.Client{
		Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS11,
			MinVersion: tls.VersionTLS10}}}
	if res, err := old.Get(a.URL() + "/sign-in"); err == nil {
		res.Body.Close()
		t.Error("TLS 1.1 is accepted")
	}
	// Plain http on the same port is answered, not redirected: what was sent has been seen by then.
	res, err = http.Get("http://" + a.Addr() + "/api/guidance")
	if err == nil {
		res.Body.Close()
		if res.StatusCode != http.StatusBadRequest {
			t.Errorf("plain http: %d", res.StatusCode)
		}
	}
}

func TestBadCertificate(t *testing.T) {
	cfg := settings(t)
	cfg.TLSCert, cfg.TLSKey, _ = certificate(t)
	if err := os.WriteFile(cfg.TLSKey, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := app.Open(t.Context(), cfg, app.WithTerminal(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if err := a.Run(t.Context()); !fault.Is(err, fault.Invalid) {
		t.Errorf("got %v", err)
	}
}

// An event stream, which has no end of its own, ends when the server stops.
func TestStopEndsStreams(t *testing.T) {
	a, _, stop := start(t, settings(t))
	person, err := a.Accounts.Add(t.Context(),
		account.NewAccount{Email: "ann@example.org", Name: "Ann", Password: "a lamp beside the window",
			Roles: []account.Role{account.Supervisor}}, audit.System("test"))
	if err != nil {
		t.Fatal(err)
	}
	secret, err := a.Accounts.StartSession(t.Context(), person.ID, "test", "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, a.URL()+"/events?topics=reviews", nil)
	req.AddCookie(&http.Cookie{Name: "preceptor", Value: secret})
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		t.Fatalf("%d %v", res.StatusCode, res.Header)
	}
	began := time.Now()
	if err := stop(); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("the stream held the stop up for %s", took)
	}
	if _, err := io.ReadAll(res.Body); err != nil && err != io.ErrUnexpectedEOF {
		t.Logf("the stream ended with %v", err)
	}
}

// A request that is being answered when the server is told to stop gets its answer.
func TestStopLetsRequestsFinish(t *testing.T) {
	a, _, stop := start(t, settings(t))
	conn, err := net.Dial("tcp", a.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	body := "email=nobody%40example.org&password=x"
	io.WriteString(conn, "POST /sign-in HTTP/1.1\r\nHost: "+a.Addr()+
		"\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 37\r\n\r\n"+body[:10])
	time.Sleep(100 * time.Millisecond) // the head has arrived by now
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	time.Sleep(100 * time.Millisecond)
	io.WriteString(conn, body[10:])
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || res.StatusCode != http.StatusUnauthorized {
		t.Errorf("%v, %v", res, err)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// A head without end is cut off.
func TestLongHead(t *testing.T) {
	a, _, _ := start(t, settings(t))
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, a.URL()+"/healthz", nil)
	req.Header.Set("X-Long", strings.Repeat("a", 100<<10))
	res, err := http.DefaultTransport.RoundTrip(req)
	if err == nil {
		res.Body.Close()
		if res.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
			t.Errorf("got %d", res.StatusCode)
		}
	}
}

// Work that comes first ends the program when it fails, before any job runs.
func TestFillFirstFails(t *testing.T) {
	a, err := app.Open(t.Context(), settings(t), app.WithTerminal(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	full := errors.New("the disk is full")
	a.FillFirst(func() string { return "Filling" }, func(context.Context) error { return full })
	if err := a.Run(t.Context()); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

// Stopping twice, and stopping what never ran, is no error.
func TestCloseTwice(t *testing.T) {
	a, err := app.Open(context.Background(), settings(t), app.WithTerminal(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Listen(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
}
