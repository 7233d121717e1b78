package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"preceptor/internal/account"
	"preceptor/internal/interaction"
)

// scrolls are the elements that have a scroll bar of their own, and the page if it has one.
const scrolls = `[...document.querySelectorAll("body *")].filter(e => /auto|scroll/.test(getComputedStyle(e).overflowY) && e.clientHeight > 0 &&
	e.scrollHeight > e.clientHeight + 1 && e.checkVisibility()).map(e => e.tagName + "." + e.className).concat(document.documentElement.scrollHeight > innerHeight ? ["page"] : [])`

// lines is how many lines of the text being revised one sees between what lies above and what lies below it.
const lines = `(e => (Math.min(e.getBoundingClientRect().bottom, document.querySelector(".desk-foot").getBoundingClientRect().top) -
	Math.max(e.getBoundingClientRect().top, 52)) / parseFloat(getComputedStyle(e).lineHeight))(document.getElementById("text"))`

// lesson opens the drawer in which one says what should change next time.
func (b *tab) lesson() {
	b.t.Helper()
	b.click(".teach-drawer:not([open]) > summary")
}

// TestReviseIsAnEditor: the text has most of the window and the page the only scroll bar; the tab key goes from the
// text through its form to the button; on a phone the form follows the text; what changes in a long text is in view.
func TestReviseIsAnEditor(t *testing.T) {
	site, ids := plainDesk(t, 1)
	text := "Hello,\n\n" +
		strings.Repeat(
			"One of several paragraphs that fill the screen, as the drafts of many an agent do; it says nothing.\n\n",
			40) + passing
	long := bring(t, site, text, "tax_free_cash", "And how is it taxed?",
		interaction.Pension{Kind: "dc", ValueGBP: pounds(80_000)})
	b := open(t, true)
	b.size(1440, 900, "light")
	b.enter(site, "/reviews/"+ids[0]+"?mode=revise", account.Supervisor)
	b.says("#claim", "You're reviewing this")
	visit := func(id string) {
		t.Helper()
		b.run(chromedp.Navigate(site.URL+"/reviews/"+id+"?mode=revise"), chromedp.WaitReady(chromedp.CSS("#text")))
	}
	for _, path := range []string{ids[0], long} {
		visit(path)
		b.says("#claim", "You're reviewing this")
		if got := eval[float64](b, lines); got < 20 {
			t.Errorf("%s: %.1f lines of the text can be seen", path, got)
		}
		if got := eval[[]string](b, scrolls); len(got) > 1 {
			t.Errorf("%s has the scroll bars %v", path, got)
		}
		b.until("the text has the focus", `document.activeElement.id === "text"`)
		for _, next := range []string{"reason", "summary", "send"} {
			b.press(kb.Tab)
			if got := eval[string](b, `document.activeElement.id || document.activeElement.localName`); got != next {
				t.Errorf("%s: the tab key goes to %s, want %s", path, got, next)
			}
		}
	}
	// A change far down is beside the words, and in a text with many changes the one being typed is.
	put := func(at, words string) {
		t.Helper()
		eval[any](b,
			fmt.Sprintf(
				`(e => { e.focus(); const at = %s; e.setSelectionRange(at, at); document.execCommand("insertText", false, %q); return 0; })(document.getElementById("text"))`, at, words))
	}
	seen := func(words string) {
		t.Helper()
		b.until(words+" is in view",
			fmt.Sprintf(`[...document.querySelectorAll("#check ins")].some(e => { const r = e.getBoundingClientRect();
			return e.innerText.includes(%q) && r.top > 52 && r.bottom < document.querySelector(".desk-foot").getBoundingClientRect().top; })`, words))
	}
	put("e.value.length", " Zebra.")
	seen("Zebra")
	if got := eval[[]string](b, scrolls); len(got) > 1 {
		t.Errorf("with one change there are the scroll bars %v", got)
	}
	for i := range 12 {
		put(fmt.Sprintf(`e.value.split("\n\n").slice(0, %d).join("\n\n").length`, 3*i+2), fmt.Sprintf(" Yak %d.", i))
	}
	seen("Yak 11")
	put(`e.value.indexOf("Yak 1.")`, "Early ")
	seen("Early")

	// The lesson is a drawer that covers neither text nor button, and says what it holds while it is shut.
	b.write("#text", text+"\n\nYou have 30 days from the first payment to change your mind.")
	b.says("#teach-told", "30 days")
	b.press(kb.Escape)
	b.click(".teach-drawer summary")
	b.until("the drawer is beside the text",
		`(d => d.left >= document.getElementById("text").getBoundingClientRect().right &&
		d.top >= document.querySelector("header").getBoundingClientRect().bottom &&
		d.bottom <= document.getElementById("send").getBoundingClientRect().top)(document.querySelector(".drawer-body").getBoundingClientRect())`)
	b.accessible("the lesson's drawer")
	b.press(kb.Escape)
	b.until("the drawer is shut, and the form is not",
		`!document.querySelector(".teach-drawer[open]") && location.search === "?mode=revise"`)
	b.shot("revise-drawer")

	b.size(390, 844, "light")
	visit(long)
	gap := eval[float64](b,
		`document.getElementById("reason").getBoundingClientRect().top - document.getElementById("text").getBoundingClientRect().bottom`)
	if gap < 0 || gap > 120 {
		t.Errorf("on a phone the reason is %.0f px below the text", gap)
	}
	b.fits("revise on a phone")
	b.shot("revise-phone")
	b.accessible("revise on a phone")
	b.quiet("revising")
}

// TestWordsArePutIn: an approved wording goes before the sources with a click, and can be undone; a text is seen as the
// customer sees it with one key.
func TestWordsArePutIn(t *testing.T) {
	if testing.Short() {
		t.Skip("no main flow; make check runs it")
	}
	site, _, _ := desk(t, 0)
	const draft = "You can ask the scheme for a transfer value and move it to a personal plan.\n\n| Fee | Of " +
		"|\n|---|---|\n| £5 | a move |\n\nSources:\n[1] Transfers"
	id := bring(t, site, draft, "db_transfer", "Can I transfer my pension?",
		interaction.Pension{Kind: "db", ValueGBP: pounds(310_000)})
	b := open(t, true)
	b.size(1440, 900, "light")
	b.enter(site, "/reviews/"+id, account.Supervisor)
	b.says("#claim", "You're reviewing this")
	b.press("v")
	b.until("the text is seen as the customer sees it",
		`document.querySelector(".as-sent table").checkVisibility() && !document.querySelector(".text > .draft").checkVisibility()`)
	b.accessible("as the customer sees it")
	b.shot("as-customer")
	b.press("v")
	b.until("the text is seen as written",
		`!document.querySelector(".as-sent table").checkVisibility() && document.querySelector(".text > .draft").checkVisibility()`)
	b.press("r")
	b.says(".wording", "gives up that guarantee for good")
	b.click(`button[value=MISSING_DB_WARNING]`)
	b.until("the words are before the sources",
		`(s => s.indexOf("for good") > 0 && s.indexOf("for good") < s.indexOf("\n\nSources:\n"))(document.getElementById("text").value)`)
	b.says("#check ins", "for good")
	b.until("nothing is offered any more", `!document.querySelector("button[value=MISSING_DB_WARNING]")`)
	eval[any](b, `(document.execCommand("undo"), 0)`)
	b.until("it is undone", fmt.Sprintf(`document.getElementById("text").value === %q`, draft))

	b.run(chromedp.Navigate(site.URL+"/reviews/replies"), chromedp.WaitReady(chromedp.CSS("#name")))
	b.write("#name", "Cost")
	b.write("#text", "{{My name}}: it costs {{amount}}.")
	b.click(".replies-page .btn.primary")
	b.says(".replies-page li", "Cost")
	b.accessible("saved replies")
	b.run(chromedp.Navigate(site.URL+"/reviews/"+id+"?mode=revise"), chromedp.WaitReady(chromedp.CSS("#text")))
	b.says("#claim", "You're reviewing this")
	b.click(".replies > summary")
	b.click(".replies button")
	b.until("what is to be filled in is selected",
		`(e => e.value.slice(e.selectionStart, e.selectionEnd) === "{{amount}}" && !e.value.includes("{{My name}}"))(document.getElementById("text"))`)
	b.write("#reason", "No cost.")
	b.ctrlEnter()
	b.says("#text-error", "Fill in {{amount}}")
	b.quiet("putting words in", "422")
}
