package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
)

// crash is a server that is killed again and again under load, and what it acknowledged meanwhile.
type crash struct {
	t        *testing.T
	binary   string
	file     string // or the address of a database
	token    string
	browse   *http.Client // the supervisor's, with the cookie that must outlive every crash
	other    *http.Client // of the second supervisor, who signs what takes two
	api      *http.Client
	rand     *rand.Rand
	urls     []string    // of the servers
	away     int         // answers that the database is away; where it may be
	mayLeave bool        // it may be
	anchor   *audit.Head // the chain's head after the crash before

	mu      sync.Mutex
	sent    []string          // every idempotency key that was ever sent
	ids     map[string]string // key -> interaction id, of acknowledged submissions
	unsure  []string          // keys whose answer a crash swallowed
	queue   []string          // interactions to decide
	tried   map[string]string // interaction -> kind of the decision that was sent
	decided map[string]string // interaction -> kind, of acknowledged decisions
	signing []string          // keys of cases that wait for the second supervisor
	second  map[string]bool   // interaction -> whether its second signature was acknowledged; there: it was sent
	wrong   []string          // answers that no crash explains
}

// TestKilledAtRandomMoments kills the real program with SIGKILL at random moments while agents submit and a supervisor
// decides, and looks after every crash at what is in the file. PRECEPTOR_CRASH_CYCLES sets how often; `make crash` has
// 50.
func TestKilledAtRandomMoments(t *testing.T) {
	if testing.Short() {
		t.Skip("crashes are left out of short runs")
	}
	cycles := crashCycles(10)
	c := newCrash(t, "")
	var ready []time.Duration
	for range cycles {
		ready = append(ready, c.cycle())
		c.look(false)
		if t.Failed() {
			return
		}
	}
	c.settle()
	slices.Sort(ready)
	t.Logf("%d crashes: %d submissions and %d decisions acknowledged, %d and %d sent; ready again in %v (median), %v "+
		"(longest)",
		cycles, len(c.ids), len(c.decided), len(c.sent), len(c.tried), ready[len(ready)/2], ready[len(ready)-1])
	if len(c.ids) < cycles || len(c.decided) < cycles {
		t.Error("hardly anything was acknowledged; the test would not see a loss")
	}
	if median := ready[len(ready)/2]; median > 2*time.Second {
		t.Errorf("ready again after %v, promised are 2 s", median)
	}
}

// crashCycles is how often a test kills.
func crashCycles(usual int) int {
	if n, err := strconv.Atoi(os.Getenv("PRECEPTOR_CRASH_CYCLES")); err == nil {
		return n
	}
	return usual
}

// newCrash makes the people and the agent in a file, or in the database of an address.
func newCrash(t *testing.T, address string) *crash {
	t.Helper()
	dir := t.TempDir()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &crash{
		t: t, binary: filepath.Join(dir, "preceptor"), file: cmp.Or(address, filepath.Join(dir, "crash.db")),
		rand: rand.New(rand.NewPCG(seed, 1)), ids: map[string]string{}, tried: map[string]string{},
		decided: map[string]string{}, second: map[string]bool{},
		api: &http.Client{Timeout: 10 * time.Second},
		browse: &http.Client{Timeout: 10 * time.Second, Jar: jar,
			CheckRedirect: func(*http.Request, []*http.Request) error {
				return http.ErrUseLastResponse
			}},
	}
	otherJar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c.other = &http.Client{Timeout: c.browse.Timeout, Jar: otherJar, CheckRedirect: c.browse.CheckRedirect}
	if out, err := exec.Command("go", "build", "-o", c.binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	must(t, "a lamp beside the window\n", "account", "add", "--db", c.file, "--email", "sue@example.org", "--name",
		"Sue Supervisor", "--role", "supervisor", "--password-stdin")
	must(t, "a lamp beside the window\n", "account", "add", "--db", c.file, "--email", "sid@example.org", "--name",
		"Sid Second", "--role", "supervisor", "--password-stdin")
	c.token = strings.TrimSpace(must(t, "", "token", "create", "--db", c.file, "--agent", "crash", "--pack", "general", "--scope",
		"submit").out)
	return c
}

// counts is how many submissions and decisions were acknowledged so far.
func (c *crash) counts() (submissions, decisions int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.ids), len(c.decided)
}

// cycle starts the server, loads it, kills it, and returns how long it took to be ready.
func (c *crash) cycle() time.Duration {
	c.t.Helper()
	began := time.Now()
	cmd, said := c.start("127.0.0.1:0")
	c.urls = []string{c.await(cmd, said)}
	ready := time.Since(began)
	c.signIn()
	stop := make(chan struct{})
	ids, decided := c.counts()
	work := c.load(stop)
	// On a machine with other work a cycle would end before anything began: each has something to lose.
	for range 200 {
		if i, d := c.counts(); i > ids && d > decided {
			break
		}
		time.Sleep(25 * time.Millisecond)
	}
	time.Sleep(time.Duration(100+c.rand.IntN(800)) * time.Millisecond)
	if err := cmd.Process.Kill(); err != nil {
		c.t.Fatal(err)
	}
	close(stop)
	cmd.Wait() // "signal: killed"
	work.Wait()
	for _, w := range c.wrong {
		c.t.Error(w)
	}
	return ready
}

// load has three agents submit and two people decide until stop.
func (c *crash) load(stop <-chan struct{}) *sync.WaitGroup {
	var work sync.WaitGroup
	for i := range 3 {
		r := rand.New(rand.NewPCG(c.rand.Uint64(), uint64(i)))
		work.Go(func() { c.submitUntil(stop) })
		if i < 2 {
			work.Go(func() { c.decideUntil(stop, r) })
		}
	}
	return &work
}

func (c *crash) start(addr string) (*exec.Cmd, *buffer) {
	c.t.Helper()
	said := &buffer{}
	cmd := exec.Command(c.binary, "serve", "--db", c.file, "--addr", addr, "--hold", "300ms", "--token-rate", "1000")
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { cmd.Process.Kill() })
	return cmd, said
}

// await waits until the server says that it is ready.
func (c *crash) await(cmd *exec.Cmd, said *buffer) (url string) {
	c.t.Helper()
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if url = atURL.FindString(said.String()); url == "" {
			continue
		}
		if resp, err := c.api.Get(url + "/readyz"); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return url
			}
		}
	}
	cmd.Process.Kill()
	c.t.Fatalf("the server does not get ready: %s", said.String())
	return ""
}

// at is any of the servers.
func (c *crash) at() string { return c.urls[rand.IntN(len(c.urls))] }

// signIn makes sure that both supervisors are signed in. After the first time the cookie must do: sessions are rows.
func (c *crash) signIn() {
	c.t.Helper()
	for email, client := range map[string]*http.Client{"sue@example.org": c.browse, "sid@example.org": c.other} {
		if c.signedIn(client) {
			continue
		}
		if len(c.decided) > 0 {
			c.t.Errorf("the session of %s did not outlive the crash", email)
		}
		status, body, err := c.post(client, "/sign-in",
			url.Values{"email": {email}, "password": {"a lamp beside the window"}})
		if err != nil || status != http.StatusSeeOther {
			c.t.Fatalf("sign in: %d (%v) %s", status, err, body)
		}
	}
}

// signedIn reports whether a browser gets to the desk; somebody who is not signed in is sent to the form.
func (c *crash) signedIn(client *http.Client) bool {
	resp, err := client.Get(c.at() + "/reviews")
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

func (c *crash) post(client *http.Client, path string, form url.Values) (int, string, error) {
	return postTo(client, c.at()+path, form)
}

func postTo(client *http.Client, address string, form url.Values) (int, string, error) {
	req, err := http.NewRequest(http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	return do(client, req)
}

// unsaid is the error of a request whose outcome nobody said: also where the database is away, if it may be. The lock
// is held.
func (c *crash) unsaid(status int, err error) error {
	if err == nil && c.mayLeave && status == http.StatusServiceUnavailable {
		c.away++
		return errors.New("the database is away")
	}
	return err
}

func do(client *http.Client, req *http.Request) (int, string, error) {
	resp, err := client.Do(req)
	if err != nil {
		time.Sleep(10 * time.Millisecond) // whoever asks again does so at once
		return 0, "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusServiceUnavailable {
		time.Sleep(10 * time.Millisecond)
	}
	body, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(body), err
}

func (c *crash) submitUntil(stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
			c.submit(c.nextKey())
		}
	}
}

// nextKey is one whose answer was swallowed, which must give the same interaction again, or a new one.
func (c *crash) nextKey() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.unsure); n > 0 {
		key := c.unsure[n-1]
		c.unsure = c.unsure[:n-1]
		return key
	}
	key := fmt.Sprintf("key-%06d", len(c.sent))
	c.sent = append(c.sent, key)
	return key
}

// takesTwo reports whether the case of a key is of a vulnerable customer: every third.
func takesTwo(key string) bool { return (key[len(key)-1]-'0')%3 == 0 }

// crashGuidance passes every check, so that it may be approved.
func crashGuidance(key string) string {
	return "Usually a quarter of a pension pot can be taken free of tax and the rest is taxed as income when it " +
		"is paid. " +
		"Taking money out leaves less for later, and what stays invested can fall as well as rise. " +
		"Pension Wise offers free and impartial guidance, and an authorised financial adviser can recommend what " +
		"suits one person. " +
		"A defined benefit pension has valuable guarantees, such as an income for life, that are lost when it is " +
		"transferred; " +
		"most people are better off keeping it, and above £30,000 regulated advice is required by law. (" + key + ")"
}

func (c *crash) submit(key string) {
	body, err := json.Marshal(map[string]any{
		"agent": "crash",
		"consultation": map[string]any{"question": key + " How is my pension pot taxed?", "customer": map[string]any{
			"age": 61, "vulnerable": takesTwo(key), "pensions": []map[string]any{{"kind": "dc", "value_gbp": 60_000}}}},
		"guidance": crashGuidance(key),
	})
	if err != nil {
		panic(err)
	}
	req, err := http.NewRequest(http.MethodPost, c.at()+"/api/guidance", bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("Idempotency-Key", key)
	status, answer, err := do(c.api, req)
	c.mu.Lock()
	defer c.mu.Unlock()
	err = c.unsaid(status, err)
	var receipt struct{ ID string }
	switch {
	case err != nil:
		c.unsure = append(c.unsure, key)
	case status != http.StatusAccepted || json.Unmarshal([]byte(answer), &receipt) != nil || receipt.ID == "":
		c.wrong = append(c.wrong, fmt.Sprintf("submit %s: %d %s", key, status, answer))
	default:
		if before := c.ids[key]; before != "" && before != receipt.ID {
			c.wrong = append(c.wrong, fmt.Sprintf("%s was %s and is %s", key, before, receipt.ID))
		}
		c.ids[key] = receipt.ID
		c.queue = append(c.queue, key)
	}
}

func (c *crash) decideUntil(stop <-chan struct{}, r *rand.Rand) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		if key, ok := c.take(&c.signing); ok {
			c.sign(key)
		}
		key, ok := c.take(&c.queue)
		if !ok {
			time.Sleep(time.Millisecond)
			continue
		}
		c.decide(key, []string{"approve", "revise", "reject"}[r.IntN(3)])
	}
}

// take is the first key of a list.
func (c *crash) take(list *[]string) (key string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(*list) == 0 {
		return "", false
	}
	key, *list = (*list)[0], (*list)[1:]
	return key, true
}

// crashRevision is what the supervisor makes of a text.
func crashRevision(key string) string {
	return crashGuidance(key) + " Do tell us if anything is unclear."
}

// sign has the second supervisor agree to what the first made of a case.
func (c *crash) sign(key string) {
	c.mu.Lock()
	id := c.ids[key]
	text := map[string]string{"approve": crashGuidance(key), "revise": crashRevision(key)}[c.tried[id]]
	_, again := c.second[id]
	if !again {
		c.second[id] = false
	}
	c.mu.Unlock()
	// The filter chooses nothing, so that the answer does not hand the second supervisor a case that the first will
	// decide.
	status, answer, err := c.post(c.other, "/reviews/"+id+"/approve",
		url.Values{"version": {"2"}, "text_hash": {interaction.TextHash(text)}, "filter": {"agent=nobody"}})
	c.mu.Lock()
	defer c.mu.Unlock()
	err = c.unsaid(status, err)
	switch {
	case err != nil:
		c.signing = append(c.signing, key)
	case status == http.StatusSeeOther, status == http.StatusConflict && again:
		c.second[id] = true
	default:
		c.wrong = append(c.wrong, fmt.Sprintf("second signature on %s (%s): %d %s", key, id, status, answer))
	}
}

func (c *crash) decide(key, kind string) {
	c.mu.Lock()
	id := c.ids[key]
	before, again := c.tried[id]
	if again {
		kind = before
	}
	c.tried[id] = kind
	c.mu.Unlock()
	form := url.Values{"version": {"1"}, "text_hash": {interaction.TextHash(crashGuidance(key))}}
	switch kind {
	case "revise":
		form.Set("text", crashRevision(key))
		form.Set("reason", "It should end with an offer to explain.")
		form.Set("feedback", "Offer to explain at the end.")
	case "reject":
		form.Set("reason_code", "does_not_answer")
		form.Set("reason", "It does not say how much tax.")
	}
	status, answer, err := c.post(c.browse, "/reviews/"+id+"/"+kind, form)
	c.mu.Lock()
	defer c.mu.Unlock()
	err = c.unsaid(status, err)
	switch {
	case err != nil:
		c.queue = append(c.queue, key) // to be tried again: a conflict then says that it was taken
	case status == http.StatusSeeOther, status == http.StatusConflict && again:
		c.decided[id] = kind
		if takesTwo(key) && kind != "reject" {
			c.signing = append(c.signing, key)
		}
	default:
		c.wrong = append(c.wrong, fmt.Sprintf("%s %s (%s): %d %s", kind, key, id, status, answer))
	}
}
