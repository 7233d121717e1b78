package browsertest

import (
	"testing"

	"github.com/chromedp/cdproto/page"

	"preceptor/internal/account"
)

// In the queue j and k move along the rows, Enter opens one, / goes to the search; what is ticked stays ticked when the
// list follows what others do, and the change is said once.
func TestTheQueueByKeyboard(t *testing.T) {
	site, ids := plainDesk(t, 4)
	b := open(t, true)
	b.size(1440, 900, "light")
	b.enter(site, "/reviews", account.Supervisor)
	b.until("four rows", `document.querySelectorAll(".queue-row").length === 4`)
	at := `[...document.querySelectorAll(".queue-row a")].indexOf(document.activeElement)`
	for _, step := range []struct {
		key  string
		want int
	}{{"j", 0}, {"j", 1}, {"j", 2}, {"k", 1}} {
		b.press(step.key)
		if got := eval[int](b, at); got != step.want {
			t.Fatalf("after %s the focus is on row %d, want %d", step.key, got, step.want)
		}
	}
	b.press("/")
	if got := eval[string](b, `document.activeElement.id`); got != "q" {
		t.Errorf("/ leads to %q, want the queue's own search", got)
	}
	// the browser is sent the character apart from the key
	eval[bool](b, `(() => { document.getElementById("q").value = ""; return true; })()`)
	b.press("jx")
	if got := eval[string](b, `document.getElementById("q").value`); got != "jx" {
		t.Errorf("while one types the keys are letters: %q", got)
	}
	eval[bool](b, `(() => { const q = document.getElementById("q"); q.value = ""; q.blur(); return true; })()`)

	if got := eval[string](b, `getComputedStyle(document.querySelector(".bulk")).display`); got != "none" {
		t.Errorf("with nothing ticked the bar is %s", got)
	}
	b.click(`.queue-row:nth-child(2) input[name=id]`)
	b.until("the bar", `getComputedStyle(document.querySelector(".bulk")).display === "flex"`)
	b.click(`.saved > summary`)
	b.shot("queue-ticked-live")
	bringPlain(t, site, 2)
	b.until("six rows", `document.querySelectorAll(".queue-row").length === 6`)
	if got := eval[string](b,
		`[...document.querySelectorAll("#ticked input:checked")].map(b => b.value.split(":")[0]).join()`); got !=
		ids[1] {
		t.Errorf("ticked after the list followed: %q, want %s", got, ids[1])
	}
	b.until("what changed is said",
		`[...document.querySelectorAll("body > [role=status].sr")].some(p => p.textContent.includes("6 reviews waiting"))`)
	b.fits("the queue with its menus open")
	b.quiet("the queue")
}

// The live line's first connection fails: the page says so, tries again, and then follows what others do.
func TestALiveLineThatNeverStoodIsTriedAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("no main flow; make check runs it")
	}
	site, _ := plainDesk(t, 1)
	b := open(t, true)
	call(b, page.Enable, page.EnableParams{})
	call(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
		const sent = fetch, later = setTimeout;
		window.asked = 0;
		window.fetch = (to, how) => String(to).startsWith("/events") && ++asked === 1 ? Promise.reject(new TypeError("the line is cut")) : sent(to, how);
		window.setTimeout = (f, ms, ...rest) => { // the page waits a while, this test does not
			if (ms === 15000) window.told = !document.getElementById("live-lost").hidden;
			return later(f, ms === 15000 ? 50 : ms, ...rest);
		};`})
	b.enter(site, "/reviews", account.Supervisor)
	b.until("it stands", `document.querySelector("#live")?._htmx?.sse?.status === 200`)
	b.until("it is no longer lost", `document.getElementById("live-lost").hidden`)
	if asked, told := eval[int](b, "asked"), eval[bool](b, "told === true"); asked != 2 || !told {
		t.Errorf("asked %d times, told that the line is lost: %v", asked, told)
	}
	bringPlain(t, site, 1)
	b.until("two rows", `document.querySelectorAll(".queue-row").length === 2`)
	b.quiet("the queue", "htmx:error", "the line is cut")
}
