package delivery_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/delivery"
	"preceptor/internal/platform/db"
)

// stall answers nothing until it is let go, or the client is.
func stall() (answer http.HandlerFunc, let func()) {
	over := make(chan struct{})
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-over:
			w.WriteHeader(200)
		case <-r.Context().Done():
		}
	}, func() { close(over) }
}

func objects(n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprint("g", i))
	}
	return out
}

// Three receivers that stall, each with more events than there are workers, hold up nobody: not the fourth receiver,
// and not who writes to the database.
func TestAStalledReceiverHoldsUpNobody(t *testing.T) {
	answer, let := stall()
	stalled := []*receiver{listen(t, answer), listen(t, answer), listen(t, answer)}
	fast := listen(t, status(200))
	b := open(t, delivery.Options{Allow: loopback}, append(stalled, fast)...)
	for i, r := range stalled {
		b.save(t, fmt.Sprint("s", i), r.URL)
		b.emit(t, fmt.Sprint("s", i), "guidance.released", objects(30)...)
	}
	b.save(t, "fast", fast.URL)
	if err := b.jobs.Start(ctx); err != nil {
		t.Fatal(err)
	}
	defer b.jobs.Stop(ctx)
	waitFor(t, "all three stall", func() bool {
		return len(stalled[0].requests()) >= 4 && len(stalled[1].requests()) >= 4 && len(stalled[2].requests()) >= 4
	})
	b.emit(t, "fast", "guidance.released", objects(30)...)
	waitFor(t, "the fourth gets its events", func() bool { return len(b.list(t, "fast", delivery.Done)) == 30 })
	if err := b.d.Write(ctx, func(*db.Tx) error { return nil }); err != nil {
		t.Error(err)
	}
	for _, r := range stalled {
		if r.most > 4 {
			t.Errorf("%d requests at one receiver at the same time", r.most)
		}
	}
	let()
	waitFor(t, "the others get theirs", func() bool {
		return len(b.list(t, "s0", delivery.Done))+len(b.list(t, "s1", delivery.Done))+
			len(b.list(t, "s2", delivery.Done)) == 90
	})
}

// While the last attempt failed, there is one request at a time; once one went well, there are more.
func TestAFailingReceiverIsAskedOneAtATime(t *testing.T) {
	b, r, _ := one(t, status(500))
	b.emit(t, "a1", "guidance.released", "first")
	b.drain(t)
	r.mu.Lock()
	r.most = 0
	r.mu.Unlock()
	b.emit(t, "a1", "guidance.released", objects(20)...)
	b.drain(t)
	if n := len(r.requests()); r.most != 1 || n != 21 {
		t.Fatalf("%d at the same time, %d in all", r.most, n)
	}
	answer, let := stall()
	turn := make(chan struct{}, 1)
	turn <- struct{}{}
	r.set(func(w http.ResponseWriter, q *http.Request) {
		select {
		case <-turn: // the first goes well
		default:
			answer(w, q)
		}
	})
	b.clock.Advance(time.Hour)
	if err := b.jobs.Start(ctx); err != nil {
		t.Fatal(err)
	}
	defer b.jobs.Stop(ctx)
	waitFor(t, "four at a time", func() bool { r.mu.Lock(); defer r.mu.Unlock(); return r.now == 4 })
	let()
	waitFor(t, "all arrive", func() bool { return len(b.list(t, "a1", delivery.Done)) == 21 })
	if r.most != 4 {
		t.Errorf("%d at the same time", r.most)
	}
}

// An attempt that the program's own stop cut short counts for nothing.
func TestAStopIsNoFailure(t *testing.T) {
	answer, _ := stall()
	b, r, _ := one(t, answer)
	b.emit(t, "a1", "guidance.released", "g1")
	if err := b.jobs.Start(ctx); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "it stalls", func() bool { return len(r.requests()) == 1 })
	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if err := b.jobs.Stop(short); err != nil {
		t.Fatal(err)
	}
	if d := b.only(t); d.Tried != 0 || d.State != delivery.Waiting || b.endpoint(t, "a1").Failures != 0 {
		t.Fatalf("%+v", d)
	}
	r.set(status(200))
	b.later(t, time.Minute)
	if d := b.only(t); d.State != delivery.Done || d.Tried != 1 {
		t.Errorf("%+v", d)
	}
}

// Whatever receivers do and however time passes: every event is delivered or dead in the end, never after more than its
// attempts, always under its own id, and events of one object arrive in order.
func TestEveryEventEndsWell(t *testing.T) {
	r := listen(t, status(200))
	b := open(t, delivery.Options{Allow: loopback}, r)
	agents := 0
	rapid.Check(t, func(rt *rapid.T) {
		r.mu.Lock()
		r.all = nil
		r.mu.Unlock()
		if agents++; agents > 25 || testing.Short() && agents > 4 {
			return // each step starts and stops the queue, which takes its time
		}
		agent, events := fmt.Sprint("a", agents), 0
		b.save(t, agent, r.URL)
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			switch rapid.SampledFrom([]string{"emit", "emit", "time", "answer", "enable", "hurry"}).Draw(rt, "step") {
			case "emit":
				object := rapid.SampledFrom([]string{"g1", "g2", "g3"}).Draw(rt, "object")
				events++
				b.emit(t, agent, fmt.Sprintf("guidance.e%03d", events), object)
				b.drain(t)
			case "time":
				b.later(t, time.Duration(rapid.IntRange(1, 30*3600).Draw(rt, "seconds"))*time.Second)
			case "answer":
				code := rapid.SampledFrom([]int{200, 500, 302, 429, 503, 410, 200}).Draw(rt, "code")
				r.set(status(code, "Retry-After", fmt.Sprint(rapid.IntRange(0, 90000).Draw(rt, "after"))))
			case "enable":
				b.Enable(ctx, agent, boss) // refused when it is enabled
				b.drain(t)
			case "hurry":
				b.Hurry(ctx, agent, boss)
				b.drain(t)
			}
		}
		r.set(status(200))
		b.Enable(ctx, agent, boss)
		for range 3 {
			b.later(t, 26*time.Hour)
		}
		list := b.list(t, agent, "")
		if len(list) != events {
			rt.Fatalf("%d events, want %d", len(list), events)
		}
		ids := map[string]bool{}
		for _, d := range list {
			if d.State != delivery.Done && d.State != delivery.Dead || d.Attempt > delivery.Attempts ||
				d.State == delivery.Dead && d.Attempt != delivery.Attempts || ids[d.ID] {
				rt.Fatalf("%+v", d)
			}
			ids[d.ID] = true
		}
		inOrder(rt, r.requests(), ids)
	})
}

func inOrder(t *rapid.T, all []got, ids map[string]bool) {
	last := map[string]string{}
	for i, word := range strings.Split(types(all), ", ") {
		if word == "" {
			continue
		}
		event, object, _ := strings.Cut(word, " ")
		if event < last[object] {
			t.Fatalf("%s of %s after %s", event, object, last[object])
		}
		last[object] = event
		if !ids[all[i].id()] {
			t.Fatalf("%s has the id %s, which no event has", word, all[i].id())
		}
	}
}
