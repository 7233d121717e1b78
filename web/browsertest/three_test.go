package browsertest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/review"
)

// person is a supervisor with a browser of their own.
type person struct {
	*tab
	account.Account
	last string // the case that was on the screen
}

func people(t *testing.T, site *apptest.Site, n int, path string) []*person {
	t.Helper()
	list := make([]*person, n)
	for i := range list {
		list[i] = &person{tab: open(t, true)}
		list[i].size(1440, 900, "light")
		list[i].Account = list[i].enter(site, path, account.Supervisor)
	}
	return list
}

// where is the case on the screen once the page rests; "" on the queue.
func (p *person) where() string {
	p.t.Helper()
	p.until("the next page is there", fmt.Sprintf("location.pathname !== %q", "/reviews/"+p.last))
	p.at(eval[string](p.tab, "location.pathname + location.search"))
	p.last = strings.TrimPrefix(strings.TrimPrefix(eval[string](p.tab, "location.pathname"), "/reviews"), "/")
	return p.last
}

// counts holds the figures of the navigation against the queue's own.
func (p *person) counts(site *apptest.Site) {
	p.t.Helper()
	n, err := site.Reviews.Counts(p.t.Context(), p.ID, false)
	if err != nil {
		p.t.Fatal(err)
	}
	want := ""
	if n.Needs > 0 {
		want = fmt.Sprint(n.Needs)
	}
	p.until(fmt.Sprintf("%s is told that %q cases need review", p.Name, want),
		fmt.Sprintf(
			`((document.querySelector('#nav a[href="/reviews"] .count') || {}).firstChild?.data || "").trim() === %q`,
			want))
}

// TestThreeAtOneQueue has three people in three browsers approve thirty cases as fast as their browsers go.
func TestThreeAtOneQueue(t *testing.T) {
	const cases = 30
	site, ids := plainDesk(t, cases)
	three := people(t, site, 3, "/reviews")
	for _, p := range three {
		p.counts(site)
	}
	for _, p := range three {
		p.last = "none"
		p.press(kb.Enter)
	}
	done := map[string]string{}
	for round := 0; len(done) < cases; round++ {
		var held []string
		for _, p := range three {
			id := p.where()
			if id == "" {
				continue
			}
			if !slices.Contains(ids, id) || slices.Contains(held, id) || done[id] != "" {
				t.Fatalf("round %d: %s was given %s; held are %v, done by %q", round, p.Name, id, held, done[id])
			}
			held = append(held, id)
			t.Logf("round %d: %s has %s", round, p.Name, id)
		}
		if len(held) == 0 {
			t.Fatalf("the queue is empty for all three after %d of %d cases", len(done), cases)
		}
		if round == 4 {
			for i, p := range three {
				p.counts(site)
				worksOn(t, site, p, three[(i+1)%3])
			}
		}
		for _, p := range three {
			if p.last != "" {
				done[p.last] = p.Name
				p.press("a")
			}
		}
	}
	for _, p := range three {
		if id := p.where(); id != "" {
			t.Errorf("%s still has %s", p.Name, id)
		}
	}
	for _, id := range ids {
		if item, err := site.Reviews.Get(t.Context(), id); err != nil || item.State != "decided" {
			t.Errorf("%s is %s, worked on by %q (%v); on the screen it was decided by %q", id, item.State,
				item.Claim.By.Name, err, done[id])
		}
	}
	for _, p := range three {
		p.counts(site)
		p.says(".tabs", "30")
		p.quiet(p.Name)
	}
	per := map[string]int{}
	for _, id := range ids {
		item, err := site.Reviews.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if item.Decision == nil {
			t.Errorf("%s is not decided", id)
			continue
		}
		per[item.Decision.By.Name]++
		if item.Decision.By.Name != done[id] {
			t.Errorf("%s approved %s on the screen, and the record says %s", done[id], id, item.Decision.By.Name)
		}
	}
	if len(per) != 3 {
		t.Errorf("the cases were decided by %v", per)
	}
}

// worksOn has a person look at what another has on the screen, and told so, without taking it; then they go back.
func worksOn(t *testing.T, site *apptest.Site, looking, working *person) {
	t.Helper()
	b := open(t, true)
	for _, c := range site.Enter(t, looking.Account).Cookies() {
		call(b, network.SetCookie, network.SetCookieParams{Name: c.Name, Value: c.Value, URL: site.URL})
	}
	b.run(chromedp.Navigate(site.URL+"/reviews/"+working.last), chromedp.WaitReady(chromedp.CSS("#main")))
	b.says("#main", working.Name+" is reviewing this")
	if eval[bool](b, `document.querySelector("#approve, #revise, #reject") !== null`) {
		t.Errorf("%s may decide what %s works on", looking.Name, working.Name)
	}
	b.quiet("looking at another's case")
}

// later has the page believe that time went on; the server's clock is moved by the test itself.
func (b *tab) later(d time.Duration) {
	b.t.Helper()
	eval[any](b, fmt.Sprintf(`(() => { const was = Date.now; Date.now = () => was.call(Date) + %d; return 0; })()`,
		d.Milliseconds()))
}

// TestAHoldLivesWhileSomebodyTypes: a case is kept as long as its supervisor is at work on it, however long that takes;
// left alone it becomes free, and nothing that was typed is lost when somebody else takes it.
func TestAHoldLivesWhileSomebodyTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("no main flow; make check runs it")
	}
	site, ids := plainDesk(t, 1)
	two := people(t, site, 2, "/reviews")
	ann, ben := two[0], two[1]
	ann.run(chromedp.Navigate(site.URL + "/reviews/" + ids[0] + "?mode=revise"))
	ann.says("#claim", "You're reviewing this")
	for i := range 4 { // sixteen minutes of typing; a hold lasts ten
		site.Clock.Advance(4 * time.Minute)
		ann.later(4 * time.Minute)
		before := heldUntil(t, site, ids[0])
		ann.write("#reason", fmt.Sprintf("It says nothing about tax in year %d.", i))
		for k := range 200 { // a key that meets another request renews nothing, and the next one does
			if k%20 == 0 {
				ann.press(" ")
			}
			if heldUntil(t, site, ids[0]).After(before) {
				break
			}
			time.Sleep(25 * time.Millisecond)
		}
		if !heldUntil(t, site, ids[0]).After(before) {
			t.Fatalf("typing did not renew the hold, which ends at %s", before)
		}
	}
	ben.run(chromedp.Navigate(site.URL + "/reviews/" + ids[0]))
	ben.says(".notices", ann.Name+" is reviewing this")
	ben.run(chromedp.Navigate(site.URL + "/reviews"))
	ben.says(".empty", "others")

	site.Clock.Advance(11 * time.Minute)
	ben.run(chromedp.Navigate(site.URL+"/reviews"), chromedp.WaitReady(chromedp.CSS("#start")))
	ben.press(kb.Enter)
	ben.at("/reviews/" + ids[0])
	ben.says("#claim", "You're reviewing this")
	ann.says("#claim", ben.Name+" is reviewing this")
	ann.until("what was typed is still there", `document.querySelector("#reason").value.includes("in year 3")`)
	ann.quiet("Ann's editor", "answer 409")
	ben.quiet("Ben's case")
}

// heldUntil is when the hold on a case ends.
func heldUntil(t *testing.T, site *apptest.Site, id string) time.Time {
	t.Helper()
	item, err := site.Reviews.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return item.Claim.Until
}

// cut is Network.emulateNetworkConditions, the only way in browsers that don't know the two commands that replace it.
type cut struct {
	Offline            bool    `json:"offline"`
	Latency            float64 `json:"latency"`
	DownloadThroughput float64 `json:"downloadThroughput"`
	UploadThroughput   float64 `json:"uploadThroughput"`
}

// offline cuts the line, or joins it again.
func (b *tab) offline(on bool) {
	b.t.Helper()
	call(b, network.Enable, network.EnableParams{})
	_, err := chromedp.Call(b.ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{Offline: on, DownloadThroughput: -1, UploadThroughput: -1}}})
	if err == nil {
		_, err = chromedp.Call(b.ctx, network.OverrideNetworkState,
			network.OverrideNetworkStateParams{Offline: on, DownloadThroughput: -1, UploadThroughput: -1})
	}
	if err != nil {
		call(b, cdp.Command[cut, cdp.Empty]{Method: "Network.emulateNetworkConditions"},
			cut{Offline: on, DownloadThroughput: -1, UploadThroughput: -1})
	}
}

// TestTheLineIsCutWhileSomebodyTypes: twenty seconds of the page's time pass without a line; then what was typed is
// with the server, without a further key, and a page loaded anew has it.
func TestTheLineIsCutWhileSomebodyTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("no main flow; make check runs it")
	}
	site, ids := plainDesk(t, 2)
	b := open(t, true)
	b.size(1440, 900, "light")
	who := b.enter(site, "/reviews/"+ids[0]+"?mode=revise", account.Supervisor)
	b.says("#claim", "You're reviewing this")
	b.write("#reason", "Before the cut.")
	b.offline(true)
	b.write("#text", passing+" While the line was cut.")
	b.write("#reason", "Typed while the line was cut.")
	b.press("!")
	b.later(20 * time.Second)
	b.lesson()
	b.write("#teach-because", whyTransfer)
	b.press(" ")
	b.ctrlEnter() // it can't be sent; everything stays
	b.until("the text is kept",
		`document.querySelector("#text").value.endsWith("While the line was cut.") && document.querySelector("#reason").value.endsWith("cut.!")`)
	b.shot("line-cut")
	b.offline(false)
	kept := func() bool {
		list, err := site.Reviews.Drafts(t.Context(), ids[0], review.Person{ID: who.ID, Name: who.Name})
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(list, func(d review.Draft) bool {
			return strings.HasSuffix(d.Text, "While the line was cut.") && strings.HasSuffix(d.Reason, "cut.!") &&
				strings.Contains(d.Stated, "had back")
		})
	}
	for range 600 {
		if kept() {
			break
		}
		time.Sleep(25 * time.Millisecond)
	}
	if !kept() {
		t.Fatal("what was typed while the line was cut did not reach the server")
	}
	b.run(chromedp.Navigate("about:blank"), chromedp.Navigate(site.URL+"/reviews/"+ids[0]+"?mode=revise"),
		chromedp.WaitReady(chromedp.CSS("#text")))
	b.at("/reviews/" + ids[0] + "?mode=revise") // its keys are alive
	b.until("it is there again",
		`document.querySelector("#text").value.endsWith("While the line was cut.") && document.querySelector("#reason").value.includes("cut.!")`)
	b.ctrlEnter()
	b.at("/reviews/" + ids[1])
	b.says("#toast", "Revised")
	b.quiet("typing without a line", "answer none", "htmx:error", "sse")
}
