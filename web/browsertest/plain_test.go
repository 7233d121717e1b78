package browsertest

import (
	"cmp"
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/interaction"
)

// advising is a draft that the check stops: it tells one person what to do.
const advising = "You should take the whole pot out now, it is the best option for you. The rest is taxed as income. " +
	"Free, impartial guidance is available from MoneyHelper and Pension Wise on 0800 138 3944."

// plain turns scripts off for the pages that this tab loads from now on.
func (b *tab) plain() {
	b.t.Helper()
	b.scriptless = true
	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
}

// click presses what a selector finds, wherever it stands. A live page may put the element away or move it between being found and being
// pressed: then the press met something else, and what is in its place is pressed instead.
func (b *tab) click(selector string) {
	b.t.Helper()
	for left := 20; ; left-- {
		b.aim(selector)
		err := chromedp.Do(b.ctx, chromedp.Click(chromedp.CSS(selector)))
		if err == nil && b.hit() {
			return
		}
		if left == 0 {
			b.must(cmp.Or(err, fmt.Errorf("%s was pressed and not met", selector)))
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// aim has the page note whether the next press meets what the selector finds, once it stands still. In a page without scripts nothing
// is noted and nothing moves.
func (b *tab) aim(selector string) {
	b.t.Helper()
	if b.scriptless {
		return
	}
	b.until(selector+" stands still", fmt.Sprintf(`(() => {
		const e = document.querySelector(%[1]q), at = e && JSON.stringify(e.getBoundingClientRect());
		const still = at !== null && window.aimedAt === at;
		window.aimedAt = at;
		if (still) {
			window.aimed = true;
			addEventListener("click", ev => { if (ev.target.closest(%[1]q)) delete window.aimed; }, { capture: true, once: true });
		}
		return still;
	})()`, selector))
}

// hit tells whether the press met what was aimed at; a page that is gone was left by it.
func (b *tab) hit() bool {
	missed, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("window.aimed === true"))
	return b.scriptless || err != nil || !missed
}

// follow is click without scripts: the next document is there when it returns.
func (b *tab) follow(selector string) {
	b.t.Helper()
	b.until(selector+" is there", fmt.Sprintf(`document.readyState === "complete" && document.querySelector(%q) !== null`, selector))
	eval[any](b, `(document.documentElement.dataset.was = "1", 0)`)
	b.click(selector)
	b.until("the next page is there", `document.readyState === "complete" && document.documentElement.dataset.was === undefined`)
}

// TestTheFlowWithoutScripts does a supervisor's work on a telephone whose browser runs no script: start, revise with the
// check, miss a field, approve, undo, reject, skip, and give back.
func TestTheFlowWithoutScripts(t *testing.T) {
	site := apptest.Open(t)
	stopped := bring(t, site, advising, "tax_free_cash", "Can I have it all at once?", interaction.Pension{Kind: "dc", ValueGBP: pounds(40_000)})
	passed := bringPlain(t, site, 3)
	b := open(t, true)
	b.size(360, 740, "light")
	b.plain()
	who := b.enter(site, "/reviews", account.Supervisor)
	here := func(path string) {
		t.Helper()
		b.until("the page is "+path, fmt.Sprintf("location.pathname === %q", path))
		b.fits(path)
	}
	if eval[bool](b, `document.querySelector("noscript button, .filters button") === null`) {
		t.Error("the filters can't be sent without a script")
	}
	b.follow("#start")
	here("/reviews/" + stopped)
	b.follow("#revise")
	b.write("#text", passing)
	b.follow(`button[formaction$="/check"]`)
	b.until("the text is checked", `/No flags|\d flags?|judges|Borderline/.test(document.querySelector("#check").innerText)`) // what only judges doubt may go out
	b.follow("#send")                                                                                                         // the reason is missing
	b.says(".field-error", "Say why you changed it")
	b.until("the text is kept", `document.querySelector("#text").value.includes("Pension Wise on 0800")`)
	b.fits("a revision with errors")
	b.shot("plain-errors")
	b.write("#reason", "It tells one person what to do.")
	b.follow("#send")
	here("/reviews/" + passed[0])
	b.says("#rail", "revised")
	b.follow("#approve")
	here("/reviews/" + passed[1])
	b.follow(`#rail form[action$="/undo"] button`)
	here("/reviews/" + passed[0])
	b.says("#notice", "Taken back")
	b.follow("#reject")
	b.click("#code-1")
	b.write("#reason", "The age is not right.")
	b.follow("#send")
	here("/reviews/" + passed[1])
	b.follow("#skip")
	b.write("#reason", "I know this customer.")
	b.follow("#send")
	here("/reviews/" + passed[2])
	b.shot("plain-case")
	b.quiet("the desk without scripts", "answer 422", "answer 404")

	n, err := site.Reviews.Counts(t.Context(), who.ID)
	if err != nil {
		t.Fatal(err)
	}
	if n.Done != 2 || n.Skipped != 1 {
		t.Errorf("%d decided and %d skipped, want the revised, the rejected and the skipped one", n.Done, n.Skipped)
	}
}
