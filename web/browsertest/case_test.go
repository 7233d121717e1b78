package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"preceptor/internal/account"
)

// asked are the pages and parts that the browser asked for since it opened this one, by path.
func (b *tab) asked() []string {
	b.t.Helper()
	return eval[[]string](b, `performance.getEntriesByType("resource").map(e => new URL(e.name).pathname).filter(p => p.startsWith("/reviews"))`)
}

// TestTheNextCaseIsThereAtOnce: it is loaded while one reads, and after the decision no second page is asked for; the
// claim moves with it, and back leads to the case before.
func TestTheNextCaseIsThereAtOnce(t *testing.T) {
	site, passed := plainDesk(t, 3)
	b := open(t, true)
	b.size(1440, 900, "light")
	b.enter(site, "/reviews/"+passed[0], account.Supervisor)
	b.says("#claim", "held by you")
	loaded := func(n int) {
		t.Helper()
		b.until("the next case is loaded", fmt.Sprintf(`performance.getEntriesByType("resource").filter(e => e.name.includes("/reviews/ahead") && e.responseStatus === 200).length >= %d`, n))
	}
	for i := range 2 {
		loaded(i + 1)
		b.at("/reviews/" + passed[i])
		b.press("a")
		b.at("/reviews/" + passed[i+1])
		b.says("#claim", "held by you")
		b.says("#rail", "approved")
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
	b.says("#notice", "Taken back")
	b.accessible("after a page loaded ahead")
	b.quiet("loading ahead")
}

// TestWhatIsTypedComesBack: after a reload, on the way to another form, and with the undo of what was sent.
func TestWhatIsTypedComesBack(t *testing.T) {
	site, passed := plainDesk(t, 2)
	b := open(t, true)
	b.size(1440, 900, "light")
	b.enter(site, "/reviews/"+passed[0]+"?mode=revise", account.Supervisor)
	b.says("#claim", "held by you")
	b.write("#text", passing+" One more sentence.")
	b.write("#reason", "A sentence is missing.")
	b.says("[data-saved]", "Saved")
	b.run(chromedp.Reload(), chromedp.WaitReady(chromedp.CSS("#text")))
	b.until("what was typed is there again", `document.querySelector("#text").value.endsWith("One more sentence.") && document.querySelector("#reason").value === "A sentence is missing."`)
	b.says("#check ins", "One more sentence.")

	b.write("#teach-because", whyTransfer)
	b.press(kb.Escape) // leaves the field
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
	b.until("what was sent stands in its form", `document.querySelector("#text").value.endsWith("One more sentence.") && document.querySelector("#teach-because").value.startsWith("When")`)
	b.quiet("typing")
}

// TestAVeryLongTextIsRevised: 100,000 characters can be typed into, and what is typed is saved.
func TestAVeryLongTextIsRevised(t *testing.T) {
	site, ids := plainDesk(t, 1)
	b := open(t, true)
	b.size(1440, 900, "light")
	b.enter(site, "/reviews/"+ids[0]+"?mode=revise", account.Supervisor)
	b.says("#claim", "held by you")
	long := strings.Repeat(passing+"\n\n", 200)
	b.write("#text", long)
	b.says("[data-saved]", "Saved")
	b.until("the long text is checked", `/No flags|flag|judges|Blocked|Borderline|Non-compliant/.test(document.querySelector("#check").innerText)`)
	b.fits("a long revision")
	b.quiet("a long revision")
}
