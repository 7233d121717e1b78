package browsertest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"preceptor/internal/account"
)

// asked are the pages and parts that the browser asked for since it opened this one, by path.
func (b *tab) asked() []string {
	b.t.Helper()
	return eval[[]string](b,
		`performance.getEntriesByType("resource").map(e => new URL(e.name).pathname).filter(p => p.startsWith("/reviews"))`)
}

// TestTheNextCaseIsThereAtOnce: it is loaded while one reads, and after the decision no second page is asked for; the
// claim moves with it, and back leads to the case before.
func TestTheNextCaseIsThereAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("no main flow; make check runs it")
	}
	site, passed := plainDesk(t, 3)
	b := open(t, true)
	b.size(1440, 900, "light")
	b.enter(site, "/reviews/"+passed[0], account.Supervisor)
	b.says("#claim", "You're reviewing this")
	loaded := func(n int) {
		t.Helper()
		b.until("the next case is loaded",
			fmt.Sprintf(
				`performance.getEntriesByType("resource").filter(e => e.name.includes("/reviews/ahead") && e.responseStatus === 200).length >= %d`, n))
	}
	for i := range 2 {
		loaded(i + 1)
		b.at("/reviews/" + passed[i])
		b.press("a")
		b.at("/reviews/" + passed[i+1])
		b.says("#claim", "You're reviewing this")
		b.says("#toast", "Approved")
		b.until("the way to undo it is in view",
			`(r => r.top > 0 && r.bottom <= innerHeight)(document.querySelector("#toast [data-key=u]").getBoundingClientRect())`)
		b.until("the heading has the focus", "document.activeElement.tagName === 'H1'")
		for _, path := range b.asked() {
			if path == "/reviews/"+passed[i+1] {
				t.Errorf("the page of case %d was asked for again: %v", i+1, b.asked())
			}
		}
		item, err := site.Reviews.Get(t.Context(), passed[i+1])
		if err != nil || item.Claim.By.ID == "" {
			t.Errorf("case %d is on the screen and nobody's: %v", i+1, err)
		}
	}
	b.says("#case-nav", "1 / 1")
	b.press("u") // the rail that came with it works
	b.at("/reviews/" + passed[1])
	b.says("#notice", "Undone. Nothing was sent.")
	b.press("u") // the one before is still held
	b.at("/reviews/" + passed[0])
	b.press("u") // nothing is held any more
	b.says("#toast [data-late]", "Nothing to undo")
	b.click("#rail-open")
	b.until("the drawer has both decisions",
		`document.querySelectorAll("#rail-list:popover-open .rail-item").length === 2`)
	b.accessible("the drawer of decisions")
	b.press(kb.Escape)
	b.press("x") // the form opens above the bar, in view, with the draft behind it
	b.at("/reviews/" + passed[0] + "?mode=reject")
	b.until("the first field has the focus", `document.activeElement.id === "code-0"`)
	for _, height := range []int64{900, 640} {
		b.size(map[int64]int64{900: 1440, 640: 360}[height], height, "light")
		b.until("the form is in view",
			`(r => r.top > 60 && r.bottom <= innerHeight && r.height > 100)(document.querySelector(".panel").getBoundingClientRect())`)
	}
	b.size(1440, 900, "light")
	b.press(kb.Escape)
	b.at("/reviews/" + passed[0])
	b.accessible("after a page loaded ahead")
	b.quiet("loading ahead")
}

// TestWhatIsTypedComesBack: after a reload, on the way to another form, and with the undo of what was sent.
func TestWhatIsTypedComesBack(t *testing.T) {
	if testing.Short() {
		t.Skip("no main flow; make check runs it")
	}
	site, passed := plainDesk(t, 2)
	b := open(t, true)
	b.size(1440, 900, "light")
	b.enter(site, "/reviews/"+passed[0]+"?mode=revise", account.Supervisor)
	b.says("#claim", "You're reviewing this")
	b.write("#text", passing+" One more sentence.")
	b.write("#reason", "A sentence is missing.")
	b.says("[data-saved]", "Saved")
	b.run(chromedp.Reload(), chromedp.WaitReady(chromedp.CSS("#text")))
	b.until("what was typed is there again",
		`document.querySelector("#text").value.endsWith("One more sentence.") && document.querySelector("#reason").value === "A sentence is missing."`)
	b.says("#check ins", "One more sentence.")

	b.lesson()
	b.write("#teach-because", whyTransfer)
	b.press(kb.Escape) // leaves the field
	b.press(kb.Escape) // shuts the drawer
	b.press(kb.Escape) // leaves the form, which is saved first
	b.at("/reviews/" + passed[0])
	b.says(".typed-line", "Unfinished revision")
	b.press("r")
	b.at("/reviews/" + passed[0] + "?mode=revise")
	b.until("all of it is there", fmt.Sprintf(`document.querySelector("#teach-because").value === %q`, whyTransfer))
	b.write("#reason", "A sentence is missing.")
	b.ctrlEnter()
	b.at("/reviews/" + passed[1])
	b.announces("Revised. Next:")
	b.press("u")
	b.at("/reviews/" + passed[0] + "?mode=revise")
	b.until("what was sent stands in its form",
		`document.querySelector("#text").value.endsWith("One more sentence.") && document.querySelector("#teach-because").value.startsWith("When")`)
	b.quiet("typing")
}

// TestAVeryLongTextIsRevised: 100,000 characters can be typed into, and what is typed is saved. No judge reads so much,
// and the page says so.
func TestAVeryLongTextIsRevised(t *testing.T) {
	if testing.Short() {
		t.Skip("no main flow; make check runs it")
	}
	site, ids := plainDesk(t, 1)
	b := open(t, true)
	b.size(1440, 900, "light")
	b.enter(site, "/reviews/"+ids[0]+"?mode=revise", account.Supervisor)
	b.says("#claim", "You're reviewing this")
	long := strings.Repeat(passing+"\n\n", 200)
	b.write("#text", long)
	b.says("[data-saved]", "Saved")
	b.says("#check", "The text is too long for it")
	b.fits("a long revision")
	b.quiet("a long revision")
}

// TestAnApprovalStruckTwice: what a key or a mouse strikes twice in a blink decides one review, and not the one that
// came meanwhile.
func TestAnApprovalStruckTwice(t *testing.T) {
	site, passed := plainDesk(t, 3)
	b := open(t, true)
	b.size(1440, 900, "light")
	b.enter(site, "/reviews/"+passed[0], account.Supervisor)
	b.at("/reviews/" + passed[0])
	b.says("#claim", "You're reviewing this")
	eval[any](b, fmt.Sprintf(`(() => { const strike = () => document.querySelector("#approve").click(); strike();
		const wait = setInterval(() => { if (!location.pathname.endsWith(%q)) { clearInterval(wait); strike(); } }, 5); return 0; })()`, passed[0]))
	b.at("/reviews/" + passed[1])
	time.Sleep(600 * time.Millisecond)
	b.at("/reviews/" + passed[1])
	if item, err := site.Reviews.Get(t.Context(), passed[1]); err != nil || item.State != "waiting" {
		t.Errorf("the next review is %+v, %v", item, err)
	}
}
