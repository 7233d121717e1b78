package browsertest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"preceptor/internal/account"
)

// How fast the desk feels, in a real browser against the whole program on this machine. Benchmarks and no tests: a
// machine with other work on it may be slow without anything being wrong.
//
//	go test -run '^$' -bench . ./web/browsertest

// slowest tells the value that all but the given share of a list do not exceed.
func slowest(list []float64, share float64) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[max(0, len(list)-1-int(share*float64(len(list))))]
}

// BenchmarkApproveToNext is the time from the key to the frame that shows the next case: for somebody who approves as
// soon as the case is there, and for one who reads for a moment, while the next one is made ready. What the page's own
// thread works for one case, from key to key, is reported beside it: that is the same on a machine with other work.
func BenchmarkApproveToNext(b *testing.B) {
	for _, v := range []struct {
		cpu  float64
		read time.Duration
	}{{1, 0}, {1, 2 * time.Second}, {4, 0}, {4, 2 * time.Second}} {
		b.Run(fmt.Sprintf("cpu=%gx/read=%s", v.cpu, v.read), func(b *testing.B) {
			const cases = 20 // for each turn of the benchmark, of which a second has one
			site, ids := plainDesk(b, 3*cases+1)
			t := open(b, true)
			t.size(1440, 900, "light")
			t.enter(site, "/reviews/"+ids[0], account.Supervisor)
			t.slow(v.cpu)
			var took []float64
			was := t.worked()
			for b.Loop() {
				for range min(cases, len(ids)-1-len(took)) {
					t.at(eval[string](t, "location.pathname"))
					t.until("it may be decided", `document.querySelector("#approve") !== null`)
					time.Sleep(v.read)
					eval[any](t, approving)
					t.press("a")
					took = append(took, eval[float64](t, "window.approved"))
				}
			}
			is := t.worked()
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(slowest(took, 0.5), "p50-ms")
			b.ReportMetric(slowest(took, 0.01), "p99-ms")
			for _, name := range []string{"Script", "RecalcStyle", "Layout", "Task"} {
				b.ReportMetric((is[name+"Duration"]-was[name+"Duration"])*1000/float64(len(took)),
					strings.ToLower(name)+"-ms/case")
			}
			t.quiet("approving")
		})
	}
}

// worked is what the browser says of the page's own thread so far, in seconds of its time and not of the clock's.
func (b *tab) worked() map[string]float64 {
	b.t.Helper()
	call(b, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
	list, err := chromedp.Call(b.ctx, performance.GetMetrics, cdp.Empty{})
	b.must(err)
	out := map[string]float64{}
	for _, m := range list.Metrics {
		out[m.Name] = m.Value
	}
	return out
}

// approving makes window.approved, which tells after how many milliseconds another case was painted, or fails: a key
// that the page did not hear would be waited for without end.
const approving = `window.approved = new Promise((done, fail) => {
	setTimeout(() => fail(new Error("no other case came; the page is " + (document.documentElement.dataset.busy ? "busy" : "at rest"))), 30000);
	const shown = () => document.querySelector("[data-case]")?.dataset.case, was = shown();
	let began = 0;
	addEventListener("keydown", ev => { began = ev.timeStamp; }, { once: true, capture: true });
	const look = () => {
		if (!began || !shown() || shown() === was) { requestAnimationFrame(look); return; }
		const c = new MessageChannel(); // its message comes after the frame
		c.port1.onmessage = () => done(performance.now() - began);
		requestAnimationFrame(() => c.port2.postMessage(0));
	};
	look();
}); 0`

// slow lets the page have a processor that is so many times slower.
func (b *tab) slow(rate float64) {
	b.t.Helper()
	call(b, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: rate})
}

// felt is what the browser says of one key or click: from the input to the next frame.
type felt struct {
	ID   int     `json:"id"`
	Name string  `json:"name"`
	What string  `json:"what"`
	Ms   float64 `json:"ms"`
}

// watch has the browser report every interaction that took longer than a frame.
func (b *tab) watch() func() map[int]felt {
	b.t.Helper()
	var mu sync.Mutex
	seen := map[int]felt{}
	b.must(chromedp.Listen(b.ctx, func(ev any) {
		e, ok := ev.(*runtime.EventBindingCalled)
		if !ok || e.Name != "reportInteraction" {
			return
		}
		var i felt
		if json.Unmarshal([]byte(e.Payload), &i) != nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if i.Ms > seen[i.ID].Ms {
			seen[i.ID] = i
		}
	}))
	call(b, runtime.AddBinding, runtime.AddBindingParams{Name: "reportInteraction"})
	call(b, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: `new PerformanceObserver(list => {
		for (const e of list.getEntries()) if (e.interactionId) reportInteraction(JSON.stringify({ id: e.interactionId, name: e.name, ms: e.duration,
			what: (e.target && (e.target.id || e.target.className || e.target.tagName) || "") + " at " + location.pathname.slice(0, 10) + location.search }));
	}).observe({ type: "event", durationThreshold: 16, buffered: true });`})
	return func() map[int]felt {
		mu.Lock()
		defer mu.Unlock()
		return seen
	}
}

// between is how long a quick hand takes from key to key: a person who types 120 words a minute.
const between = 100 * time.Millisecond

// BenchmarkInteractionToNextPaint does a supervisor's work on a processor four times slower: a hundred keys and clicks
// and more, as fast as a quick hand. INP is, as browsers reckon it, the slowest but one in fifty.
func BenchmarkInteractionToNextPaint(b *testing.B) {
	site, _, _ := desk(b, 60)
	t := open(b, true)
	seen := t.watch()
	t.size(1440, 900, "light")
	t.enter(site, "/reviews?task=tax_free_cash", account.Supervisor)
	t.slow(4)
	n := 0
	key := func(k string) {
		n++
		t.press(k)
		time.Sleep(between)
	}
	rest := func() { t.until("the page is at rest", atRest) }
	moved := func(k string) { // the next or another case, wherever it is
		was := eval[string](t, "location.pathname")
		key(k)
		t.until("another case is there", fmt.Sprintf("location.pathname !== %q", was))
		rest()
	}
	in := func(mode string) {
		t.until("the form "+mode+" is open", fmt.Sprintf("location.search.includes('mode=%s')", mode))
		rest()
	}
	out := func() { t.until("the form is closed", "!location.search.includes('mode=')"); rest() }
	for b.Loop() {
		t.run(chromedp.Navigate(site.URL + "/reviews?task=tax_free_cash"))
		t.until("one can start", `document.querySelector("#start") !== null`)
		key(kb.Enter)
		t.until("a case is open", `document.querySelector("[data-case]") !== null`)
		for range 6 {
			rest()
			key("r")
			in("revise")
			t.until("the editor has the focus", "document.activeElement.id === 'text'")
			for _, k := range "Typed " {
				key(string(k))
			}
			key(kb.Escape)
			key(kb.Escape)
			t.leave()
			out()
			key("x")
			in("reject")
			key("2")
			key("3")
			t.leave()
			key(kb.Escape)
			t.leave()
			key(kb.Escape)
			out()
			key("?")
			key(kb.Escape)
			n++
			t.click(".menu > summary")
			key(kb.Escape)
			moved("j")
			moved("k")
			moved("a")
		}
	}
	t.run(chromedp.Sleep(3e8))
	var list []float64
	var worst []string
	for _, i := range seen() {
		list = append(list, i.Ms)
		if i.Ms > 100 {
			worst = append(worst, fmt.Sprintf("%s %.0f ms on %s", i.Name, i.Ms, i.What))
		}
	}
	if len(list) == 0 {
		b.Fatal("the browser reported no interaction")
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(n), "interactions")
	slices.Sort(list)
	b.ReportMetric(list[max(0, len(list)-1-n/50)], "INP-ms")
	b.ReportMetric(list[len(list)-1], "worst-ms")
	if len(worst) > 0 {
		b.Logf("slower than 100 ms:\n%s", strings.Join(worst, "\n"))
	}
}

// leave forgets that something was typed, so that the page asks nothing when it is left.
func (b *tab) leave() {
	b.t.Helper()
	eval[any](b, `(document.querySelectorAll("[data-dirty]").forEach(f => { delete f.dataset.dirty; }), 0)`)
}
