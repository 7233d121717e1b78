package browsertest

import (
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

// click presses the middle of what a selector finds, once it stands still and nothing lies over it: a live page may
// move it or put another in its place until then. If the press met something else all the same, it is pressed again.
func (b *tab) click(selector string) {
	b.t.Helper()
	for left := 20; ; left-- {
		b.until(selector+" can be pressed", fmt.Sprintf(`(() => {
			const e = document.querySelector(%q), size = r => r.width * r.height;
			if (!e) return false;
			e.scrollIntoView({ block: "center", behavior: "instant" });
			const r = [...e.getClientRects()].sort((a, b) => size(b) - size(a))[0]; // a link may stand on two lines
			if (!r) return false;
			const at = [r.x + r.width / 2, r.y + r.height / 2], before = window.pressAt, over = document.elementFromPoint(...at);
			window.pressAt = at;
			window.pressMissed = true;
			addEventListener("click", ev => { if (e.contains(ev.target)) delete window.pressMissed; }, { capture: true, once: true });
			return String(before) === String(at) && (e.contains(over));
		})()`, selector))
		at := eval[[]float64](b, "window.pressAt")
		b.run(chromedp.MouseClickXY(at[0], at[1]))
		// a page that is gone was left by it
		missed, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("window.pressMissed === true"))
		if b.scriptless || err != nil || !missed {
			return
		}
		if left == 0 {
			b.must(fmt.Errorf("%s was pressed and not met", selector))
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// follow is click without scripts: the next document is there when it returns.
func (b *tab) follow(selector string) {
	b.t.Helper()
	b.until(selector+" is there",
		fmt.Sprintf(`document.readyState === "complete" && document.querySelector(%q) !== null`, selector))
	eval[any](b, `(document.documentElement.dataset.was = "1", 0)`)
	b.click(selector)
	b.until("the next page is there",
		`document.readyState === "complete" && document.documentElement.dataset.was === undefined`)
}

// TestTheFlowWithoutScripts does a supervisor's work on a telephone whose browser runs no script: start, revise with
// the check, miss a field, approve, undo, reject, skip, and give back.
func TestTheFlowWithoutScripts(t *testing.T) {
	site := apptest.Open(t)
	stopped := bring(t, site, advising, "tax_free_cash", "Can I have it all at once?",
		interaction.Pension{Kind: "dc", ValueGBP: pounds(40_000)})
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
	b.until("no bar covers the text", `getComputedStyle(document.querySelector(".desk-foot")).position === "static"`)
	b.until("it doesn't say what takes a script", `!document.querySelector("#claim").innerText.includes("Starts in")`)
	b.follow("#revise")
	b.write("#text", passing)
	b.follow(`button[formaction$="/check"]`)
	b.untilChecked()
	// the reason is missing
	b.follow("#send")
	b.says(".field-error", "Say why you changed it")
	b.until("the text is kept", `document.querySelector("#text").value.includes("Pension Wise on 0800")`)
	b.fits("a revision with errors")
	b.shot("plain-errors")
	b.write("#reason", "It tells one person what to do.")
	b.follow("#send")
	here("/reviews/" + passed[0])
	b.says("#toast", "Revised")
	b.follow("#approve")
	here("/reviews/" + passed[1])
	b.follow(`#rail form[action$="/undo"] button`)
	here("/reviews/" + passed[0])
	b.says("#notice", "Undone. Nothing was sent.")
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

	n, err := site.Reviews.Counts(t.Context(), who.ID, false)
	if err != nil {
		t.Fatal(err)
	}
	if n.Done != 2 || n.Skipped != 1 {
		t.Errorf("%d decided and %d skipped, want the revised, the rejected and the skipped one", n.Done, n.Skipped)
	}
}
