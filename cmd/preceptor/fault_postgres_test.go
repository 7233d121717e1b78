package main

import (
	"math/rand/v2"
	"net/http"
	"net/url"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
)

// pair is two servers on one database, under the load of crash.
type pair struct {
	*crash
	cmds [2]*exec.Cmd
	said [2]*buffer
}

func newPair(t *testing.T, address string) *pair {
	t.Helper()
	p := &pair{crash: newCrash(t, address)}
	p.mayLeave = true
	p.urls = make([]string, len(p.cmds))
	for _, client := range []*http.Client{p.api, p.browse, p.other} {
		client.Timeout = time.Minute // other work on the machine loses nothing
	}
	for i := range p.cmds {
		p.up(i)
	}
	p.signIn()
	return p
}

// up starts a server, at its address if it had one.
func (p *pair) up(i int) {
	p.t.Helper()
	at := "127.0.0.1:0"
	if p.urls[i] != "" {
		at = strings.TrimPrefix(p.urls[i], "http://")
	}
	p.cmds[i], p.said[i] = p.start(at)
	if url := p.await(p.cmds[i], p.said[i]); p.urls[i] == "" {
		p.urls[i] = url
	}
}

// work runs f beside the load, then looks whether all that was acknowledged is there.
func (p *pair) work(f func()) {
	p.t.Helper()
	stop := make(chan struct{})
	load := p.load(stop)
	f()
	p.grows()
	close(stop)
	load.Wait()
	for _, w := range p.wrong {
		p.t.Error(w)
	}
	if p.look(false); p.t.Failed() {
		p.t.FailNow()
	}
}

// grows waits for another submission and another decision, and says how long that took.
func (p *pair) grows() time.Duration {
	p.t.Helper()
	began := time.Now()
	for ids, decided := p.counts(); time.Since(began) < 5*time.Minute; time.Sleep(2 * time.Millisecond) {
		if i, d := p.counts(); i > ids && d > decided {
			return time.Since(began)
		}
	}
	p.t.Fatalf("the desk doesn't go on:\n%s", tail(p.said[0].String()))
	return 0
}

func tail(s string) string { return s[max(0, len(s)-4000):] }

// end waits until every job is done by the servers, stops them, and looks once more.
func (p *pair) end() {
	p.t.Helper()
	d := p.open()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		var n int
		if err := d.Reader().QueryRow(`SELECT count(*) FROM river_job WHERE state <> 'completed'`).Scan(&n); err != nil {
			p.t.Fatal(err)
		}
		if n == 0 {
			break
		}
		if time.Now().After(deadline) {
			p.t.Errorf("%d jobs are left", n)
			break
		}
	}
	d.Close()
	for i := range p.cmds {
		p.terminate(p.cmds[i], p.said[i])
	}
	p.drain()
	p.look(true)
	p.t.Logf("%d submissions and %d decisions acknowledged, %d and %d sent, %d answers that the database is away",
		len(p.ids), len(p.decided), len(p.sent), len(p.tried), p.away)
}

func (p *pair) open() *db.DB {
	p.t.Helper()
	d, err := db.Open(p.t.Context(), p.file, db.Options{})
	if err != nil {
		p.t.Fatal(err)
	}
	return d
}

// Kill -9 of one of two servers at random moments loses nothing that either acknowledged.
func TestServersAreKilledOnPostgres(t *testing.T) {
	kills := faults(t, "KILLS")
	pg := newCluster(t)
	pg.create()
	p := newPair(t, address(pg))
	for done := 0; done < kills; {
		p.work(func() {
			for range min(5, kills-done) {
				p.grows()
				time.Sleep(time.Duration(p.rand.IntN(600)) * time.Millisecond)
				i := p.rand.IntN(len(p.cmds))
				if err := p.cmds[i].Process.Kill(); err != nil {
					t.Fatal(err)
				}
				p.cmds[i].Wait()
				p.up(i)
				done++
			}
		})
	}
	p.end()
	t.Logf("%d kills of servers", kills)
}

// A primary that is killed and its replica, which is promoted, lose nothing that was acknowledged; meanwhile pages say
// that they reconnect, and afterwards the desk goes on.
func TestThePrimaryIsKilled(t *testing.T) {
	kills := faults(t, "FAILOVERS")
	primary, replica := newCluster(t), newCluster(t)
	primary.create()
	replica.follow(primary)
	p := newPair(t, address(primary, replica))
	var again []time.Duration
	for range kills {
		p.work(func() {
			p.grows()
			time.Sleep(time.Duration(200+p.rand.IntN(1500)) * time.Millisecond)
			primary.kill()
			p.reconnects()
			replica.promote()
			again = append(again, p.grows())
		})
		primary.follow(replica)
		primary, replica = replica, primary
	}
	p.end()
	slices.Sort(again)
	t.Logf("%d kills of the primary; the desk went on %v (median) and %v (longest) after the promotion", kills,
		again[len(again)/2], again[len(again)-1])
	if p.away == 0 {
		t.Error("nobody met the database away")
	}
}

// reconnects looks at a page while the database is away.
func (p *pair) reconnects() {
	p.t.Helper()
	for _, at := range p.urls {
		resp, err := p.browse.Get(at + "/reviews")
		if err != nil {
			p.t.Fatal(err)
		}
		page := make([]byte, 100_000)
		n, _ := resp.Body.Read(page)
		resp.Body.Close()
		if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "" ||
			resp.Header.Get("Refresh") == "" || !strings.Contains(string(page[:n]), "Reconnecting…") {
			p.t.Errorf("the page while the database is away: %d %v %.300s", resp.StatusCode, resp.Header, page[:n])
		}
	}
}

// Two people decide the same review at once, each on a server of their own: one does, and the other is told who.
func TestTwoDecideAtOnceOnTwoServers(t *testing.T) {
	pairs := faults(t, "PAIRS")
	pg := newCluster(t)
	pg.create()
	p := newPair(t, address(pg))
	for len(p.ids) < pairs {
		if key := p.nextKey(); !takesTwo(key) {
			p.submit(key)
		}
	}
	var next sync.WaitGroup
	var mu sync.Mutex
	count := map[string]int{}
	for n := range 4 {
		next.Go(func() {
			for i := n; i < len(p.queue); i += 4 {
				id := p.ids[p.queue[i]]
				var got [2]int
				start := make(chan struct{})
				var people sync.WaitGroup
				for s, client := range []*http.Client{p.browse, p.other} {
					form := url.Values{"version": {"1"}, "text_hash": {interaction.TextHash(crashGuidance(p.queue[i]))},
						"filter": {"agent=nobody"}, "reason_code": {"does_not_answer"}}
					kind := []string{"approve", "reject"}[rand.IntN(2)]
					people.Go(func() {
						<-start
						for got[s] = http.StatusServiceUnavailable; got[s] == http.StatusServiceUnavailable; {
							status, _, err := postTo(client, p.urls[s]+"/reviews/"+id+"/"+kind, form)
							if err != nil {
								t.Error(err)
							}
							got[s] = status
						}
						mu.Lock()
						if got[s] == http.StatusSeeOther {
							p.tried[id], p.decided[id] = kind, kind
						}
						mu.Unlock()
					})
				}
				close(start)
				people.Wait()
				slices.Sort(got[:])
				mu.Lock()
				count[strconv.Itoa(got[0])+" "+strconv.Itoa(got[1])]++
				mu.Unlock()
			}
		})
	}
	next.Wait()
	if len(count) != 1 || count["303 409"] != pairs {
		t.Errorf("of %d pairs: %v", pairs, count)
	}
	p.end()
}
