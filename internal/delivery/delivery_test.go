package delivery_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/delivery"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
)

func TestAnEventArrivesSigned(t *testing.T) {
	b, r, secret := one(t, status(http.StatusNoContent))
	b.emit(t, "a1", "guidance.released", "g1")
	b.drain(t)
	all := r.requests()
	if len(all) != 1 || all[0].path != "/hook" || verify(secret, all[0]) != nil {
		t.Fatalf("%d requests, %v", len(all), verify(secret, all[0]))
	}
	if got := all[0].header.Get("webhook-timestamp"); got != strconv.FormatInt(dbtest.Start.Unix(), 10) {
		t.Errorf("timestamp %s", got)
	}
	var body struct {
		Type      string
		Timestamp time.Time
		Data      map[string]any
	}
	if err := json.Unmarshal(all[0].body, &body); err != nil || body.Type != "guidance.released" ||
		!body.Timestamp.Equal(dbtest.Start) || body.Data["id"] != "g1" || body.Data["by"] != "d-g1" {
		t.Errorf("%s (%v)", all[0].body, err)
	}
	if got := all[0].header.Get("Content-Type"); got != "application/json" {
		t.Errorf("content type %s", got)
	}
	d := b.only(t)
	if d.State != delivery.Done || d.ID != all[0].id() || !strings.HasPrefix(d.ID, "msg_") ||
		strings.Contains(d.ID, ".") || d.Last.Status != 204 || len(d.Last.BodyHash) != 64 {
		t.Errorf("%+v", d)
	}
	if e := b.endpoint(t, "a1"); !e.DeliveredAt.Equal(dbtest.Start) || e.Failures != 0 || e.Waiting+e.Dead != 0 {
		t.Errorf("%+v", e)
	}
	if n := b.Outcomes()[delivery.Delivered]; n != 1 {
		t.Errorf("counted %d", n)
	}
}

// What a receiver may answer, and what is made of it.
func TestAnswers(t *testing.T) {
	drop := func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		c.Close()
	}
	for name, c := range map[string]struct {
		answer  http.HandlerFunc
		outcome string
		state   string
		wait    time.Duration // at least, until the next attempt
		note    string
	}{
		"200": {status(200), delivery.Delivered, delivery.Done, 0, ""},
		"299": {status(299), delivery.Delivered, delivery.Done, 0, ""},
		"500": {status(500), delivery.Status, delivery.Waiting, 5 * time.Second, "answered 500"},
		"404": {status(404), delivery.Status, delivery.Waiting, 5 * time.Second, "answered 404"},
		"301": {status(301, "Location", "https://127.0.0.1:1/"), delivery.Redirect, delivery.Waiting,
			5 * time.Second, "don't follow"},
		"307": {status(307, "Location", "/other"), delivery.Redirect, delivery.Waiting,
			5 * time.Second, "don't follow"},
		"410": {status(410), delivery.Gone, delivery.Waiting, 5 * time.Second, "no more events"},
		"429, seconds": {status(429, "Retry-After", "90"), delivery.Status, delivery.Waiting,
			90 * time.Second, "answered 429"},
		"429, a date": {status(429, "Retry-After", dbtest.Start.Add(7*time.Minute).Format(http.TimeFormat)),
			delivery.Status, delivery.Waiting, 7 * time.Minute, ""},
		"503, too long": {status(503, "Retry-After", "999999999"), delivery.Status, delivery.Waiting,
			24 * time.Hour, ""},
		"503, sooner": {status(503, "Retry-After", "1"), delivery.Status, delivery.Waiting, 5 * time.Second,
			""},
		"429, nonsense": {status(429, "Retry-After", "soon"), delivery.Status, delivery.Waiting,
			5 * time.Second, ""},
		"500 has no say": {status(500, "Retry-After", "9000"), delivery.Status, delivery.Waiting,
			5 * time.Second, ""},
		"dropped after the body": {drop, delivery.Connection, delivery.Waiting, 5 * time.Second, "without an answer"},
		"200 and a body that ends": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "9")
			w.WriteHeader(200)
			drop(w, r)
		}, delivery.Delivered, delivery.Done, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b, r, secret := one(t, c.answer)
			b.emit(t, "a1", "guidance.released", "g1")
			b.drain(t)
			d := b.only(t)
			if d.Last.Outcome != c.outcome || d.State != c.state || d.Attempt != 1 ||
				!strings.Contains(d.Last.Note, c.note) {
				t.Errorf("%+v", d)
			}
			if n := len(r.requests()); n != 1 || verify(secret, r.requests()[0]) != nil {
				t.Errorf("%d requests", n)
			}
			if c.state == delivery.Waiting {
				if wait := d.NextAt.Sub(dbtest.Start); wait < c.wait || wait > c.wait+c.wait/20+time.Second {
					t.Errorf("tried again after %s, want %s", wait, c.wait)
				}
			}
		})
	}
}

func TestAStallEndsInTime(t *testing.T) {
	over := make(chan struct{})
	r := listen(t, func(_ http.ResponseWriter, req *http.Request) {
		select {
		case <-over:
		case <-req.Context().Done():
		}
		panic(http.ErrAbortHandler) // it never answers, also where it notices first that the caller has gone
	})
	defer close(over)
	b := open(t, delivery.Options{Allow: loopback, Timeout: 50 * time.Millisecond}, r)
	b.save(t, "a1", r.URL)
	b.emit(t, "a1", "guidance.released", "g1")
	b.drain(t)
	if d := b.only(t); d.Last.Outcome != delivery.TimedOut || d.State != delivery.Waiting {
		t.Errorf("%+v", d)
	}
}

// The specification's schedule, by the clock: nothing before its time, and the tenth failure is the last.
func TestTheScheduleIsTheSpecifications(t *testing.T) {
	want := []time.Duration{0, 5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
		10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour}
	if fmt.Sprint(want) != fmt.Sprint(delivery.Delays) {
		t.Fatalf("the delays are %v", delivery.Delays)
	}
	b, r, secret := one(t, status(500))
	b.emit(t, "a1", "guidance.released", "g1")
	b.drain(t)
	for n, wait := range want {
		if n > 0 {
			b.later(t, wait-time.Millisecond)
			if got := len(r.requests()); got != n {
				t.Fatalf("attempt %d came before its time", got)
			}
			b.later(t, wait/20+2*time.Millisecond)
		}
		if got := len(r.requests()); got != n+1 {
			t.Fatalf("%d attempts, want %d", got, n+1)
		}
	}
	d := b.only(t)
	if d.State != delivery.Dead || d.Attempt != delivery.Attempts || !d.NextAt.IsZero() {
		t.Errorf("%+v", d)
	}
	b.later(t, 100*time.Hour)
	all := r.requests()
	if len(all) != 10 {
		t.Errorf("a dead event was sent again: %d", len(all))
	}
	stamps := map[string]bool{}
	for _, g := range all {
		if g.id() != d.ID || verify(secret, g) != nil {
			t.Errorf("id %s, want %s; %v", g.id(), d.ID, verify(secret, g))
		}
		stamps[g.header.Get("webhook-timestamp")] = true
	}
	if len(stamps) != 10 {
		t.Errorf("%d timestamps of 10 attempts", len(stamps))
	}
	if e := b.endpoint(t, "a1"); e.Dead != 1 || e.Failures != 10 || !e.FailingSince.Equal(dbtest.Start) {
		t.Errorf("%+v", e)
	}
	// A person replays it: the same id, a schedule of its own.
	r.set(status(200))
	if n, err := b.ReplayDead(ctx, "a1", boss); err != nil || n != 1 {
		t.Fatalf("%d replayed, %v", n, err)
	}
	b.drain(t)
	if d = b.only(t); d.State != delivery.Done || d.Tried != 11 || d.Attempt != 1 || r.requests()[10].id() != d.ID {
		t.Errorf("%+v", d)
	}
	_, attempts, err := b.Get(ctx, d.ID)
	if err != nil || len(attempts) != 11 || attempts[0].N != 11 || attempts[10].Outcome != delivery.Status {
		t.Errorf("%d attempts kept (%v)", len(attempts), err)
	}
}

func TestGoneDisablesAndEnableSendsWhatWaits(t *testing.T) {
	b, r, _ := one(t, status(410))
	b.emit(t, "a1", "guidance.released", "g1")
	b.drain(t)
	e := b.endpoint(t, "a1")
	if e.Enabled || e.DisabledWhy != delivery.WhyGone {
		t.Fatalf("%+v", e)
	}
	rows, err := audit.List(ctx, b.d, audit.Filter{Action: "webhook.disabled"})
	if err != nil || len(rows.Rows) != 1 {
		t.Errorf("%d audit rows (%v)", len(rows.Rows), err)
	}
	b.emit(t, "a1", "guidance.released", "g2")
	b.later(t, 200*time.Hour)
	if n := len(r.requests()); n != 1 {
		t.Fatalf("a disabled endpoint was sent %d requests", n)
	}
	for what, err := range map[string]error{"a test": second(b.SendTest(ctx, "a1", boss)),
		"replay": second(b.ReplayDead(ctx, "a1", boss)), "hurry": b.Hurry(ctx, "a1", boss),
		"disable": b.Disable(ctx, "a1", boss)} {
		if !fault.Is(err, fault.Conflict) {
			t.Errorf("%s of a disabled endpoint: %v", what, err)
		}
	}
	r.set(status(200))
	if err := b.Enable(ctx, "a1", boss); err != nil {
		t.Fatal(err)
	}
	b.drain(t)
	if list := b.list(t, "a1", delivery.Done); len(list) != 2 {
		t.Errorf("%d delivered, want both", len(list))
	}
}

func second[T any](_ T, err error) error { return err }

// Disabling by hand in the middle of a schedule, and hurrying through one.
func TestPeopleStopAndHurry(t *testing.T) {
	b, r, _ := one(t, status(500))
	b.emit(t, "a1", "guidance.released", "g1")
	b.drain(t)
	if err := b.Disable(ctx, "a1", boss); err != nil {
		t.Fatal(err)
	}
	b.later(t, time.Hour)
	if err := b.Enable(ctx, "a1", boss); err != nil {
		t.Fatal(err)
	}
	b.drain(t)
	if n := len(r.requests()); n != 2 {
		t.Fatalf("%d attempts", n)
	}
	r.set(status(429, "Retry-After", "36000"))
	b.later(t, 10*time.Minute)
	r.set(status(200))
	b.later(t, time.Hour)
	if n := len(r.requests()); n != 3 {
		t.Fatalf("it was not left alone: %d attempts", n)
	}
	if err := b.Hurry(ctx, "a1", boss); err != nil {
		t.Fatal(err)
	}
	b.drain(t)
	if d := b.only(t); d.State != delivery.Done {
		t.Errorf("%+v", d)
	}
}

// A limit is about the receiver: other events of the endpoint wait too, and nobody else's.
func TestRetryAfterHoldsUpTheEndpointAlone(t *testing.T) {
	slow, fast := listen(t, status(429, "Retry-After", "600")), listen(t, status(200))
	b := open(t, delivery.Options{Allow: loopback}, slow, fast)
	b.save(t, "slow", slow.URL)
	b.save(t, "fast", fast.URL)
	b.emit(t, "slow", "guidance.released", "s1")
	b.drain(t)
	b.emit(t, "slow", "guidance.released", "s2", "s3")
	b.emit(t, "fast", "guidance.released", "f1", "f2")
	b.later(t, 599*time.Second)
	if s, f := len(slow.requests()), len(fast.requests()); s != 1 || f != 2 {
		t.Fatalf("%d and %d requests, want 1 and 2", s, f)
	}
	slow.set(status(200))
	b.later(t, 2*time.Second)
	if list := b.list(t, "slow", delivery.Done); len(list) != 3 {
		t.Errorf("%d of 3 delivered after the pause", len(list))
	}
}

func TestEventsOfOneObjectComeInOrder(t *testing.T) {
	b, r, _ := one(t, status(500))
	b.emit(t, "a1", "guidance.released", "g1")
	b.drain(t)
	b.emit(t, "a1", "guidance.recalled", "g1")
	b.emit(t, "a1", "guidance.released", "g2")
	b.drain(t)
	if got := types(r.requests()); got != "released g1, released g2" {
		t.Fatalf("sent %s", got)
	}
	r.set(status(200))
	b.later(t, 10*time.Minute)
	if got := types(r.requests()); !strings.HasPrefix(got, "released g1, released g2, ") ||
		strings.Index(got, "recalled g1") < strings.LastIndex(got, "released g1") ||
		len(b.list(t, "a1", delivery.Done)) != 3 {
		t.Errorf("sent %s", got)
	}
}

func types(all []got) string {
	var out []string
	for _, g := range all {
		var body struct {
			Type string
			Data struct{ ID string }
		}
		if err := json.Unmarshal(g.body, &body); err != nil {
			panic(err)
		}
		out = append(out, strings.TrimPrefix(body.Type, "guidance.")+" "+body.Data.ID)
	}
	return strings.Join(out, ", ")
}

// A later event goes out once the earlier one is dead.
func TestADeadEventHoldsUpNobody(t *testing.T) {
	b, r, _ := one(t, func(w http.ResponseWriter, req *http.Request) { w.WriteHeader(500) })
	b.emit(t, "a1", "guidance.released", "g1")
	b.emit(t, "a1", "guidance.recalled", "g1")
	for range delivery.Attempts {
		b.later(t, 26*time.Hour)
	}
	if got := b.list(t, "a1", delivery.Dead); len(got) != 1 || got[0].Type != "guidance.released" {
		t.Fatalf("%+v", got)
	}
	r.set(status(200))
	b.later(t, 26*time.Hour)
	if got := b.list(t, "a1", delivery.Done); len(got) != 1 || got[0].Type != "guidance.recalled" {
		t.Errorf("%+v", got)
	}
}

func TestWithoutAnEndpointThereIsNoEvent(t *testing.T) {
	b := open(t, delivery.Options{})
	b.emit(t, "a1", "guidance.released", "g1")
	if list := b.list(t, "a1", ""); len(list) != 0 {
		t.Errorf("%+v", list)
	}
	if st, err := b.Of(ctx, "a1", "g1"); err != nil || st.Endpoint {
		t.Errorf("%+v, %v", st, err)
	}
	if _, err := b.Endpoint(ctx, "a1"); !fault.Is(err, fault.NotFound) {
		t.Errorf("endpoint of nobody: %v", err)
	}
}

// The outbox: neither the event nor its job without the transaction.
func TestAnEventIsPartOfItsTransaction(t *testing.T) {
	b, r, _ := one(t, status(200))
	b.drain(t)
	no := errors.New("no")
	err := b.d.Write(ctx, func(tx *db.Tx) error {
		return errors.Join(b.EnqueueTx(tx, "a1", "guidance.released", "g1", "d1"), no)
	})
	if !errors.Is(err, no) {
		t.Fatal(err)
	}
	b.drain(t)
	jobs, err := b.jobs.List(ctx, job.Filter{State: job.Waiting})
	if err != nil || len(jobs) != 0 || len(b.list(t, "a1", "")) != 0 || len(r.requests()) != 0 {
		t.Errorf("%d jobs, %d events, %d requests (%v)", len(jobs), len(b.list(t, "a1", "")), len(r.requests()), err)
	}
}

// What no job looks after, as after a job was parked by hand, is found by the sweep.
func TestTheSweepFindsWhatIsForgotten(t *testing.T) {
	b, _, _ := one(t, status(200))
	b.emit(t, "a1", "guidance.released", "g1", "g2")
	if _, err := b.d.Writer().Exec("DELETE FROM river_job"); err != nil {
		t.Fatal(err)
	}
	b.drain(t)
	if n := len(b.list(t, "a1", delivery.Waiting)); n != 2 {
		t.Fatalf("%d wait", n)
	}
	if err := b.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	b.drain(t)
	if n := len(b.list(t, "a1", delivery.Done)); n != 2 {
		t.Errorf("%d delivered", n)
	}
}

func TestATestIsTriedOnce(t *testing.T) {
	b, r, secret := one(t, status(500))
	if _, err := b.SendTest(ctx, "a1", boss); err != nil {
		t.Fatal(err)
	}
	if _, err := b.SendTest(ctx, "a1", boss); !fault.Is(err, fault.Conflict) {
		t.Errorf("a second test at the same time: %v", err)
	}
	b.drain(t)
	d := b.only(t)
	if d.State != delivery.Failed || d.Type != delivery.TestType || b.endpoint(t, "a1").Dead != 0 {
		t.Errorf("%+v", d)
	}
	if err := b.Replay(ctx, d.ID, boss); !fault.Is(err, fault.Conflict) {
		t.Errorf("replay of a test: %v", err)
	}
	b.later(t, time.Hour)
	if all := r.requests(); len(all) != 1 || verify(secret, all[0]) != nil {
		t.Errorf("%d requests", len(all))
	}
}

func TestReplayOfOne(t *testing.T) {
	b, r, _ := one(t, status(200))
	b.emit(t, "a1", "guidance.released", "g1")
	b.drain(t)
	d := b.only(t)
	if err := b.Replay(ctx, d.ID, boss); err != nil {
		t.Fatal(err)
	}
	if err := b.Replay(ctx, d.ID, boss); !fault.Is(err, fault.Conflict) {
		t.Errorf("replay of what is under way: %v", err)
	}
	b.drain(t)
	if all := r.requests(); len(all) != 2 || all[0].id() != all[1].id() {
		t.Errorf("%d requests", len(all))
	}
	if err := b.Replay(ctx, "msg_none", boss); !fault.Is(err, fault.NotFound) {
		t.Errorf("replay of nothing: %v", err)
	}
	if _, _, err := b.Get(ctx, "msg_none"); !fault.Is(err, fault.NotFound) {
		t.Errorf("nothing: %v", err)
	}
}

func TestWhatIsGoneDies(t *testing.T) {
	b, r, _ := one(t, status(200))
	b.Data = func(context.Context, delivery.Event) (any, error) { return nil, fault.New(fault.NotFound, "Erased.") }
	b.emit(t, "a1", "guidance.released", "g1")
	b.drain(t)
	if d := b.only(t); d.State != delivery.Dead || d.Last.Outcome != delivery.Lost || len(r.requests()) != 0 ||
		b.endpoint(t, "a1").Failures != 0 {
		t.Errorf("%+v", d)
	}
}

func TestWhatCanNotBeBuiltIsTriedAgain(t *testing.T) {
	b, r, _ := one(t, status(200))
	build := b.Data
	b.Data = func(context.Context, delivery.Event) (any, error) { return nil, errors.New("the disk is full") }
	b.emit(t, "a1", "guidance.released", "g1")
	b.drain(t)
	if d := b.only(t); d.State != delivery.Waiting || d.Tried != 1 || d.Last.Outcome != delivery.Unmade ||
		b.endpoint(t, "a1").Failures != 0 {
		t.Fatalf("%+v", d)
	}
	b.Data = build
	b.later(t, time.Minute)
	if d := b.only(t); d.State != delivery.Done || len(r.requests()) != 1 {
		t.Errorf("%+v", d)
	}
}

// An event that can't be made keeps nothing else from going out.
func TestWhatCanNotBeBuiltHoldsUpNobody(t *testing.T) {
	b, r, _ := one(t, status(200))
	build := b.Data
	b.Data = func(ctx context.Context, e delivery.Event) (any, error) {
		if e.ObjectID == "g1" {
			return nil, errors.New("it can't be read")
		}
		return build(ctx, e)
	}
	b.emit(t, "a1", "guidance.released", "g1", "g2", "g3")
	b.drain(t)
	if n, waiting := len(r.requests()), b.list(t, "a1", delivery.Waiting); n != 2 || len(waiting) != 1 ||
		waiting[0].ObjectID != "g1" {
		t.Errorf("%d requests, waiting: %+v", n, waiting)
	}
}

// Another address is another receiver: what the old one did, 410 included, is forgotten. What a person disabled stays
// so.
func TestAnotherAddressBeginsAnew(t *testing.T) {
	b, _, _ := one(t, status(410))
	b.emit(t, "a1", "guidance.released", "g1")
	b.drain(t)
	other := listen(t, status(200))
	b.save(t, "a1", other.URL)
	b.drain(t)
	if e := b.endpoint(t, "a1"); !e.Enabled || e.Failures != 0 || e.Waiting != 0 || len(other.requests()) != 1 {
		t.Errorf("%+v, %d requests", e, len(other.requests()))
	}
	if err := b.Disable(ctx, "a1", boss); err != nil {
		t.Fatal(err)
	}
	b.save(t, "a1", other.URL+"/elsewhere")
	if e := b.endpoint(t, "a1"); e.Enabled || e.DisabledWhy != delivery.WhyPerson {
		t.Errorf("%+v", e)
	}
}
