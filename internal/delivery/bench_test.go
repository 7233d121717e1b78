package delivery_test

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"go.uber.org/goleak"

	"preceptor/internal/audit"
	"preceptor/internal/delivery"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/job"
)

var (
	ctx  = context.Background()
	boss = audit.Actor{Kind: audit.Person, ID: "p1", Name: "Ada Admin"}
	// loopback is where the tests' receivers are.
	loopback = delivery.Allow{Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// got is one request that a receiver was sent.
type got struct {
	header http.Header
	body   []byte
	path   string
}

func (g got) id() string { return g.header.Get("webhook-id") }

// receiver is somebody's server; answer may be changed while it runs.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	answer http.HandlerFunc
	all    []got
	now    int // requests being answered
	most   int // at the same time
}

func listen(t *testing.T, answer http.HandlerFunc) *receiver {
	t.Helper()
	r := &receiver{answer: answer}
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(r.serve))
	r.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	r.StartTLS()
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) serve(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	r.mu.Lock()
	r.all = append(r.all, got{req.Header, body, req.URL.Path})
	r.now++
	r.most = max(r.most, r.now)
	answer := r.answer
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		r.now--
		r.mu.Unlock()
	}()
	answer(w, req)
}

func (r *receiver) set(answer http.HandlerFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

func (r *receiver) requests() []got {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]got(nil), r.all...)
}

func status(code int, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
	}
}

type bench struct {
	*delivery.Service
	d     *db.DB
	jobs  *job.Queue
	clock *dbtest.Clock
	log   *bytes.Buffer
}

// open makes a service that trusts the receivers' certificates and may reach this machine.
func open(t *testing.T, o delivery.Options, trusted ...*receiver) *bench {
	t.Helper()
	b := &bench{clock: dbtest.NewClock(), log: &bytes.Buffer{}}
	b.d = dbtest.NewAt(t, b.clock)
	log := slog.New(slog.NewTextHandler(b.log, nil))
	b.jobs = job.New(b.d, log)
	o.Roots = x509.NewCertPool()
	for _, r := range trusted {
		o.Roots.AddCert(r.Certificate())
	}
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	b.Service = delivery.New(b.d, b.jobs, o, log)
	b.Data = func(_ context.Context, e delivery.Event) (any, error) {
		return map[string]any{"id": e.ObjectID, "by": e.SourceID, "with_text": e.WithText}, nil
	}
	return b
}

// one is a bench with one agent, "a1", whose events go to a receiver.
func one(t *testing.T, answer http.HandlerFunc) (*bench, *receiver, string) {
	t.Helper()
	r := listen(t, answer)
	b := open(t, delivery.Options{Allow: loopback}, r)
	return b, r, b.save(t, "a1", r.URL+"/hook")
}

func (b *bench) save(t *testing.T, agent, url string) (secret string) {
	t.Helper()
	secret, err := b.Save(ctx, agent, url, true, boss, "")
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

// emit writes events of an object, as a release would.
func (b *bench) emit(t *testing.T, agent, eventType string, objects ...string) {
	t.Helper()
	err := b.d.Write(ctx, func(tx *db.Tx) error {
		var errs []error
		for _, o := range objects {
			errs = append(errs, b.EnqueueTx(tx, agent, eventType, o, "d-"+o))
		}
		return errors.Join(errs...)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (b *bench) drain(t *testing.T) {
	t.Helper()
	c, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	if err := b.jobs.Drain(c); err != nil {
		t.Fatal(err)
	}
}

// later moves the clock and works what is due then.
func (b *bench) later(t *testing.T, d time.Duration) {
	t.Helper()
	b.clock.Advance(d)
	b.drain(t)
}

func (b *bench) list(t *testing.T, agent, state string) []delivery.Delivery {
	t.Helper()
	list, err := b.List(ctx, delivery.Filter{AgentID: agent, State: state})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// only is the one event there is.
func (b *bench) only(t *testing.T) delivery.Delivery {
	t.Helper()
	list := b.list(t, "a1", "")
	if len(list) != 1 {
		t.Fatalf("%d events, want one: %+v", len(list), list)
	}
	return list[0]
}

func (b *bench) endpoint(t *testing.T, agent string) delivery.Endpoint {
	t.Helper()
	e, err := b.Endpoint(ctx, agent)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// verify holds a request against the official library. The tests' clock is not the machine's, so its age is not looked
// at.
func verify(secret string, g got) error {
	wh, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		return err
	}
	return wh.VerifyIgnoringTimestamp(g.body, g.header)
}

// waitFor asks until ok says so; only a test that would otherwise fail waits to the end.
func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 4000 {
		if ok() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("waited in vain: %s", what)
}
