package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"preceptor/internal/account"
	"preceptor/internal/app"
	"preceptor/internal/audit"
	"preceptor/internal/delivery"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/config"
	"preceptor/internal/review"
)

// killer is a receiver that kills the sender after it has read an event and before it answers.
type killer struct {
	t        *testing.T
	verifier *standardwebhooks.Webhook

	mu     sync.Mutex
	victim *exec.Cmd
	every  int
	since  int // requests since the last kill
	kills  int
	ids    map[string]map[string]int // guidance -> webhook-id -> how often
	wrong  []string
}

func (k *killer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	k.mu.Lock()
	defer k.mu.Unlock()
	var e struct {
		Type string
		Data struct {
			ID, Text string
			SHA      string `json:"text_sha256"`
		}
	}
	switch {
	case err != nil:
		return // the sender was killed while it wrote
	case k.verifier.Verify(body, r.Header) != nil || json.Unmarshal(body, &e) != nil || e.Type != "guidance.released":
		k.wrong = append(k.wrong, fmt.Sprintf("%s: %v", body, k.verifier.Verify(body, r.Header)))
	case interaction.TextHash(e.Data.Text) != e.Data.SHA:
		k.wrong = append(k.wrong, e.Data.ID+" has another text than its hash")
	}
	if k.ids[e.Data.ID] == nil {
		k.ids[e.Data.ID] = map[string]int{}
	}
	k.ids[e.Data.ID][r.Header.Get("webhook-id")]++
	if k.since++; k.since >= k.every && k.victim != nil {
		k.since = 0
		k.kills++
		k.victim.Process.Kill()
		k.victim = nil
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (k *killer) aim(cmd *exec.Cmd) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.victim = cmd
}

func (k *killer) seen() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.ids)
}

// TestKilledBetweenReceiptAndMark kills the real program each time when a receiver has an event and the sender does not
// know it yet, some ten times. No event may be lost, a repeated one carries its id, and every signature verifies with
// the official library. PRECEPTOR_CRASH_EVENTS sets how many events; `make crash` has 1,000.
func TestKilledBetweenReceiptAndMark(t *testing.T) {
	if testing.Short() {
		t.Skip("crashes are left out of short runs")
	}
	events := 100
	if n, err := strconv.Atoi(os.Getenv("PRECEPTOR_CRASH_EVENTS")); err == nil {
		events = n
	}
	k := &killer{t: t, every: max(7, events/12), ids: map[string]map[string]int{}}
	srv := httptest.NewServer(k)
	defer srv.Close()
	dir := t.TempDir()
	binary, file := filepath.Join(dir, "preceptor"), filepath.Join(dir, "crash.db")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	k.prepare(file, srv.URL, events)
	deadline := time.Now().Add(4*time.Minute + time.Duration(events)*time.Second)
	for k.seen() < events {
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d events arrived, after %d kills", k.seen(), events, k.kills)
		}
		cmd := exec.Command(binary, "serve", "--db", file, "--addr", "127.0.0.1:0", "--hold", "0s", "--webhook-allow",
			"127.0.0.1", "--log-level", "error")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		k.aim(cmd)
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		k.await(cmd, ended, events, deadline)
	}
	k.look(file, events)
}

// await waits until the victim was killed; once everything has arrived it ends the victim itself.
func (k *killer) await(cmd *exec.Cmd, ended <-chan error, events int, deadline time.Time) {
	for time.Now().Before(deadline) && k.seen() < events {
		select {
		case <-ended:
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
	k.aim(nil)
	cmd.Process.Kill()
	<-ended
}

// open is the program on the file, in this process.
func (k *killer) open(file string) *app.App {
	k.t.Helper()
	cfg, err := config.Default()
	if err != nil {
		k.t.Fatal(err)
	}
	cfg.DB, cfg.Hold, cfg.WebhookAllow = file, 0, []string{"127.0.0.1"}
	a, err := app.Open(k.t.Context(), cfg, app.WithTerminal(io.Discard), app.WithLog(app.NewLog(cfg.Log, io.Discard)))
	if err != nil {
		k.t.Fatal(err)
	}
	return a
}

// prepare fills the file with decisions that are due to be released.
func (k *killer) prepare(file, url string, events int) {
	k.t.Helper()
	a, ctx := k.open(file), k.t.Context()
	defer a.Close()
	robot, err := a.Accounts.EnsureAgent(ctx, "crash", "general")
	if err != nil {
		k.t.Fatal(err)
	}
	sue, err := a.Accounts.Add(ctx, account.NewAccount{Email: "sue@example.org", Name: "Sue",
		Password: "a lamp beside the window", Roles: []account.Role{account.Supervisor}}, audit.System("test"))
	if err != nil {
		k.t.Fatal(err)
	}
	secret, err := a.Delivery.Save(ctx, robot.ID, url, true, audit.System("test"), "")
	if err != nil {
		k.t.Fatal(err)
	}
	if k.verifier, err = standardwebhooks.NewWebhook(secret); err != nil {
		k.t.Fatal(err)
	}
	for i := range events {
		text := crashGuidance(strconv.Itoa(i))
		in, err := a.Interactions.Submit(ctx,
			interaction.Submission{AgentID: robot.ID, AgentName: robot.Name,
				By:           audit.Actor{Kind: audit.Agent, ID: robot.ID, Name: robot.Name},
				Consultation: interaction.Consultation{Question: "How is my pension pot taxed?"}, Guidance: text}, nil)
		if err == nil {
			_, err = a.Reviews.Decide(ctx,
				review.Input{ID: in.ID, By: review.Person{ID: sue.ID, Name: sue.Name}, Kind: review.Approve, Version: 1,
					TextHash: interaction.TextHash(text)})
		}
		if err != nil {
			k.t.Fatal(err)
		}
	}
}

// look holds the file against what arrived, once what was not marked has been sent again.
func (k *killer) look(file string, events int) {
	k.t.Helper()
	a := k.open(file)
	defer a.Close()
	if err := a.Jobs.Drain(k.t.Context()); err != nil {
		k.t.Fatal(err)
	}
	list, err := a.Delivery.List(k.t.Context(), delivery.Filter{AgentID: k.robot(a), Limit: 2 * events})
	if err != nil || len(list) != events {
		k.t.Fatalf("%d events on file, want %d (%v)", len(list), events, err)
	}
	again := 0
	for _, d := range list {
		if d.State != delivery.Done {
			k.t.Errorf("%s is %s after %d attempts: %s", d.ID, d.State, d.Tried, d.Last.Note)
		}
		switch n := k.ids[d.ObjectID]; {
		case len(n) != 1 || n[d.ID] == 0:
			k.t.Errorf("%s arrived under %v, its event is %s", d.ObjectID, n, d.ID)
		case n[d.ID] > 1:
			again++
		}
	}
	for _, w := range k.wrong {
		k.t.Error(w)
	}
	if k.kills < 3 || again == 0 {
		k.t.Errorf("%d kills and %d repeated events: the test would not see a loss", k.kills, again)
	}
	k.t.Logf("%d events, %d kills between receipt and mark, %d events arrived more than once under the same id", events,
		k.kills, again)
}

func (k *killer) robot(a *app.App) string {
	robot, err := a.Accounts.AgentByName(k.t.Context(), "crash")
	if err != nil {
		k.t.Fatal(err)
	}
	return robot.ID
}
