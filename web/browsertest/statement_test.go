package browsertest

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"preceptor/internal/account"
	"preceptor/internal/rule"
)

// TestWhatShouldChangeIsStatedByKeyboard: a fact is added to the text, its row appears, is made general, tried, and
// sent.
func TestWhatShouldChangeIsStatedByKeyboard(t *testing.T) {
	const fact = "You have 30 days from the first payment to change your mind."
	site, passed := plainDesk(t, 2)
	b := open(t, true)
	b.size(1440, 900, "light")
	b.enter(site, "/reviews/"+passed[0], account.Supervisor)
	b.says("#claim", "You're reviewing this")
	b.press("r")
	b.at("/reviews/" + passed[0] + "?mode=revise")
	b.until("the editor has the focus", "document.activeElement.id === 'text'")
	// Whoever goes on to the text at once, before the page has answered the click, stays there.
	eval[any](b,
		`((s => { s.focus(); s.click(); document.getElementById("text").focus(); })(document.querySelector(".teach-drawer > summary")), 0)`)
	b.until("the drawer is open", `document.querySelector(".teach-drawer").open`)
	time.Sleep(200 * time.Millisecond)
	b.until("the text keeps the focus", "document.activeElement.id === 'text'")
	b.says("#teach-rows", "appears here")
	b.write("#text", passing+"\n\n"+fact)
	b.says(".teach-row[data-kind=include]", "Say this last")
	b.until("the row has the words",
		`document.querySelector("#teach-0-text").value.includes("30 days from the first payment")`)
	b.says("#teach-preview", "30 days from the first payment")
	b.says("#teach-preview", "This draft")
	b.shot("statement-row")

	b.press(kb.Escape) // leaves the text; letters are none of the form's commands, and the drawer stays open
	b.press("p")
	b.until("the drawer is still open", `document.querySelector(".teach-drawer").open`)
	b.until("a pointer can be added",
		`[...document.querySelectorAll(".teach-add button")].some(e => e.innerText.startsWith("Point"))`)
	eval[any](b,
		`([...document.querySelectorAll(".teach-add button")].find(e => e.innerText.startsWith("Point")).focus(), 0)`)
	b.press(" ")
	b.until("the new row has the focus", "document.activeElement.id === 'teach-1-text'")
	b.write("#teach-1-text", "MoneyHelper has a page on changing your mind.")
	b.says("#teach-preview", "MoneyHelper has a page")
	eval[any](b, `(document.getElementById("teach-only").focus(), 0)`)
	b.press(" ") // only this customer: the rows are folded away
	b.until("nothing is learned", `getComputedStyle(document.querySelector(".teach-body")).display === "none"`)
	b.press(" ") // and back
	b.until("the rows are back", `getComputedStyle(document.querySelector(".teach-body")).display !== "none"`)
	b.accessible("stating a rule")
	b.shot("statement-full")

	b.write("#text", passing+"\n\n"+fact+" Nothing is lost by waiting.") // what was added by hand stays
	b.until("the row follows the text",
		`document.querySelector("#teach-0-text").value.includes("Nothing is lost") || document.querySelectorAll(".teach-row").length === 3`)
	b.until("the added row is there",
		`[...document.querySelectorAll(".teach-row textarea")].some(e => e.value.startsWith("MoneyHelper"))`)
	// the edit suggests several by now, which are the person's to choose from
	eval[any](b, `(document.querySelectorAll(".teach-row[data-kind=include] input[type=checkbox]:not(:checked)")
		.forEach(e => e.click()), 0)`)
	b.until("what was chosen is shown", `document.querySelector(".teach-row[data-kind=include] input:checked") &&
		!document.querySelector(".htmx-request")`)
	b.write("#reason", "It never mentions the 30 days.")
	b.ctrlEnter()
	b.at("/reviews/" + passed[1])
	b.says("#toast", "Revised")
	b.quiet("stating a rule")

	item, err := site.Reviews.Get(t.Context(), passed[0])
	if err != nil || item.Decision == nil {
		t.Fatalf("%+v, %v", item, err)
	}
	kinds := map[string]int{}
	for _, st := range item.Decision.Statements {
		kinds[st.Do.Kind]++
		if len(st.When) == 0 || st.When[0].Kind != rule.Topic {
			t.Errorf("stated for %+v", st.When)
		}
	}
	if kinds[rule.Include] == 0 || kinds[rule.Point] != 1 {
		t.Errorf("stated %+v", item.Decision.Statements)
	}
}
