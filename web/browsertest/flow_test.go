package browsertest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/interaction"
)

const passing = "From age 55 you can usually take up to a quarter of a defined contribution pot free of tax, and the " +
	"rest is " +
	"taxed as income in the year you take it. You can take it all at once or in parts. Taking money out leaves less " +
	"for later, " +
	"and what stays invested can fall as well as rise. We can't say which suits you; Pension Wise on 0800 138 3944 " +
	"explains " +
	"the choices free of charge."

const failing = "You have a final salary pension. You should transfer it soon and take the cash."

const corrected = "You have a final salary pension. Warning: a transfer gives up a guaranteed income for life, and " +
	"most people are better off keeping it. " +
	"Because it is worth more than £30,000, the law asks you to take advice from an FCA-regulated financial adviser " +
	"before you transfer. Free, impartial guidance is available from MoneyHelper and Pension Wise."

const whyTransfer = "When somebody transfers, the guaranteed benefits can't be had back."

// desk is the program with one DB draft that fails the check, then n that pass it.
func desk(t testing.TB, n int) (site *apptest.Site, failed string, passed []string) {
	t.Helper()
	site = apptest.Open(t)
	failed = bring(t, site, failing, "db_transfer", "What could I do with the £310,000 they've offered me?",
		interaction.Pension{Kind: "db", ValueGBP: pounds(310_000)})
	return site, failed, bringPlain(t, site, n)
}

// plainDesk is the program with n drafts that pass the check and that one supervisor may approve.
func plainDesk(t testing.TB, n int) (*apptest.Site, []string) {
	t.Helper()
	site := apptest.Open(t)
	return site, bringPlain(t, site, n)
}

func bringPlain(t testing.TB, site *apptest.Site, n int) (ids []string) {
	t.Helper()
	for i := range n {
		ids = append(ids, bring(t, site, passing, "tax_free_cash",
			fmt.Sprintf("How much can I take without tax? (%d)", i+1),
			interaction.Pension{Kind: "dc", ValueGBP: pounds(80_000)}))
	}
	return ids
}

func pounds(f float64) *float64 { return &f }

// bring has an agent submit a draft for a customer with one pension.
func bring(t testing.TB, site *apptest.Site, text, task, question string, pension interaction.Pension) string {
	t.Helper()
	agent, err := site.Accounts.EnsureAgent(t.Context(), "pension-advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	age := 58
	rec, err := site.Interactions.Submit(t.Context(),
		interaction.Submission{AgentID: agent.ID, AgentName: agent.Name,
			By: audit.Actor{Kind: audit.Agent, ID: agent.ID, Name: agent.Name}, Guidance: text,
			Consultation: interaction.Consultation{Question: question, TaskType: task,
				Customer: interaction.Customer{Age: &age, Literacy: "medium",
					Pensions: []interaction.Pension{pension}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rec.ID
}

// enter gives the tab a person's session and opens a path.
func (b *tab) enter(site *apptest.Site, path string, roles ...account.Role) account.Account {
	b.t.Helper()
	client := site.SignedIn(b.t, roles...)
	for _, c := range client.Cookies() {
		call(b, network.SetCookie, network.SetCookieParams{Name: c.Name, Value: c.Value, URL: site.URL})
	}
	b.run(chromedp.Navigate(site.URL+path), chromedp.WaitReady(chromedp.CSS("#main")))
	return client.Account
}

// patience is how long a page may take on a machine that does other things as well.
const patience = time.Minute

// until waits for a script to be true.
func (b *tab) until(what, js string) {
	b.t.Helper()
	deadline := time.Now().Add(patience)
	for {
		// Between two pages there is nothing to ask; that is "not yet" and no error.
		if yes, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](js)); err == nil && yes {
			return
		}
		if time.Now().After(deadline) {
			b.shot("failed-" + strings.ReplaceAll(b.t.Name(), "/", "-"))
			b.t.Fatalf("waited in vain until %s; the page is %s, complains of %q, hears %s and says %.600s", what,
				eval[string](b, "location.pathname"), b.complaints(),
				eval[string](b, "JSON.stringify({hidden: document.hidden, live: "+
					"(document.querySelector('#live')?._htmx?.sse || {}).status, ready: document.readyState})"),
				eval[string](b, "document.querySelector('#main').innerText"))
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// at waits for a page to be there and at rest: the address comes first, and keys are dead until the page has followed.
func (b *tab) at(path string) {
	b.t.Helper()
	b.until("the page is "+path, fmt.Sprintf("location.pathname + location.search === %q && ", path)+atRest)
}

// atRest is true in a page that is loaded and waits for nothing that was asked of it.
const atRest = "document.readyState === 'complete' && document.documentElement.dataset.busy === undefined" +
	" && !document.querySelector(':is(form, a)[data-asked].htmx-request, .htmx-swapping, .htmx-settling')"

func (b *tab) says(selector, text string) {
	b.t.Helper()
	b.until(selector+" says "+text,
		fmt.Sprintf("[...document.querySelectorAll(%q)].some(e => e.innerText.includes(%q))", selector, text))
}

func (b *tab) press(keys string) {
	b.t.Helper()
	if keys == b.key {
		time.Sleep(time.Until(b.keyAt.Add(1050 * time.Millisecond)))
	}
	b.run(chromedp.KeyEvent(keys))
	b.key, b.keyAt = keys, time.Now()
}

// ctrlEnter sends the form that has the focus.
func (b *tab) ctrlEnter() {
	b.t.Helper()
	b.run(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
}

// write replaces what stands in a field, as typing would.
func (b *tab) write(selector, text string) {
	b.t.Helper()
	eval[any](b,
		fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.focus(); e.select && e.select(); return 0; })()`,
			selector))
	call(b, input.InsertText, input.InsertTextParams{Text: text})
}

// untilChecked waits for what is said of the text in the editor; what only judges doubt may go out.
func (b *tab) untilChecked() {
	b.t.Helper()
	b.until("the text is checked",
		`/No flags|\d flags?|judges|Borderline|names nothing/i.test(document.querySelector("#check").innerText)`)
}

func TestADayAtTheDeskByKeyboard(t *testing.T) {
	site, failed, passed := desk(t, 3)
	b := open(t, true)
	b.size(1440, 900, "light")
	b.enter(site, "/reviews", account.Supervisor)
	b.press(kb.Enter) // start reviewing: the draft that the check stopped comes first
	b.at("/reviews/" + failed)
	b.until("the heading has the focus", "document.activeElement.tagName === 'H1'")
	b.press("a") // can't be approved: nothing happens
	b.press("r")
	b.at("/reviews/" + failed + "?mode=revise")
	b.until("the editor has the focus", "document.activeElement.id === 'text'")
	b.write("#text", corrected)
	b.untilChecked()
	b.says("#check ins", "guaranteed income for life")
	b.press("x") // typed into the text, and no command
	b.until("x was typed", "document.querySelector('#text').value.endsWith('x')")
	b.ctrlEnter() // the reason is missing: everything stays
	b.says(".field-error", "Say why you changed it")
	b.until("the text is kept", "document.querySelector('#text').value.endsWith('Pension Wise.x')")
	b.write("#reason", "It tells her to transfer and never says what she gives up.")
	b.lesson()
	b.write("#teach-because", "guaranteed benefits can't be had back")
	b.ctrlEnter()
	b.at("/reviews/" + passed[0])
	b.says("#toast", "Revised")

	b.press("a")
	b.at("/reviews/" + passed[1])
	b.until("the heading has the focus", "document.activeElement.tagName === 'H1'")
	b.press("u") // undo the approval
	b.at("/reviews/" + passed[0])
	b.says("#notice", "Undone. Nothing was sent.")
	b.press("j")
	b.at("/reviews/" + passed[1])
	b.press("k")
	b.at("/reviews/" + passed[0])
	b.press("x")
	b.at("/reviews/" + passed[0] + "?mode=reject")
	b.press("2") // the digit picks a reason
	b.until("the second reason is chosen", "document.querySelector('#code-1').checked")
	b.write("#reason", "The age is not right.")
	b.ctrlEnter()
	b.at("/reviews/" + passed[1])
	b.press("s")
	b.at("/reviews/" + passed[1] + "?mode=skip")
	b.press(kb.Escape) // leaves the field
	b.press(kb.Escape) // leaves the form
	b.at("/reviews/" + passed[1])
	b.press("?")
	b.until("the keys are shown", "document.querySelector('#keys').matches(':popover-open')")
	b.press("a") // dead while the sheet is open
	b.press(kb.Escape)
	b.until("the keys are away", "!document.querySelector('#keys').matches(':popover-open')")
	b.at("/reviews/" + passed[1])
	b.accessible("the desk after a day")
	b.quiet("the desk by keyboard", "answer 422")

	n, err := site.Reviews.Counts(t.Context(), "nobody", false)
	if err != nil {
		t.Fatal(err)
	}
	if n.Done != 1 {
		t.Errorf("%d cases are decided, want the rejected one: the revised one waits for a second supervisor", n.Done)
	}
}

func TestALessonByMouse(t *testing.T) {
	site, failed, _ := desk(t, 1)
	b := open(t, true)
	b.size(1440, 900, "dark")
	b.enter(site, "/reviews", account.Supervisor)
	b.click(fmt.Sprintf(`a[href="/reviews/%s"]`, failed))
	b.at("/reviews/" + failed)
	b.says("#claim", "You're reviewing this") // reading it for a moment takes it
	b.click("#revise")
	b.at("/reviews/" + failed + "?mode=revise")
	b.write("#text", corrected)
	b.untilChecked()
	b.write("#reason", "It tells her to transfer and never says what she gives up.")
	b.lesson()
	b.write("#teach-because", "guaranteed benefits can't be had back")
	b.click("#send")
	b.says("#toast", "1 of 2 approved")
	secondSupervisor(t, site, failed)
	site.Clock.Advance(time.Minute) // no lesson is shown while the decision can be taken back
	site.Drain(t)
	b.until("the lesson's way is followed live", `document.querySelector("#toast .rail-lesson a") !== null`)
	b.quiet("the desk by mouse")

	edie := open(t, true)
	edie.size(360, 800, "light")
	edie.enter(site, "/learning", account.Expert)
	edie.click("[aria-labelledby=col-accept] .lesson-card a")
	edie.until("the lesson is open", "location.pathname.startsWith('/learning/')")
	edie.fits("a lesson")
	edie.accessible("a lesson")
	if eval[bool](edie, "document.querySelector('#accept-rule') !== null") {
		edie.click("#accept-rule")
		edie.says("#notice", "in use from the next draft")
		edie.says("#notice", "waits") // the next one, or that none does
	} else {
		t.Errorf("the lesson is not ready to be accepted: %s",
			eval[string](edie, "document.querySelector('#main').innerText"))
	}
	edie.quiet("learning")
}

// secondSupervisor confirms in another browser what a first one wrote.
func secondSupervisor(t *testing.T, site *apptest.Site, id string) {
	t.Helper()
	b := open(t, true)
	b.size(1440, 900, "light")
	b.enter(site, "/reviews/"+id, account.Supervisor)
	b.at("/reviews/" + id)
	b.says(".bar", "Yours is the second approval")
	b.says(".case-draft", "guaranteed income for life") // the text as it was revised
	b.accessible("the second signature")
	b.press("a")
	b.at("/reviews")
	b.quiet("the second signature")
}

func TestTheQueueFollows(t *testing.T) {
	if testing.Short() {
		t.Skip("no main flow; make check runs it")
	}
	site, failed, _ := desk(t, 1)
	ann, ben := open(t, true), open(t, true)
	ann.enter(site, "/reviews", account.Supervisor)
	who := ben.enter(site, "/reviews", account.Supervisor)
	ann.says("#nav", "2")
	ben.click("#start")
	ben.at("/reviews/" + failed)
	ann.says(".tabs", "1")
	ann.until("the row is gone", "document.querySelectorAll('.queue-row').length === 1")
	ann.run(chromedp.Navigate(site.URL + "/reviews/" + failed))
	ann.says(".notices", who.Name+" is reviewing this")
	ben.click("#claim form button")
	ben.at("/reviews")
	ann.says("#claim", "Unclaimed")
	ann.quiet("Ann's queue")
	ben.quiet("Ben's case")
}

func TestSignInByTheForm(t *testing.T) {
	site := apptest.Open(t)
	who := site.Account(t, account.Supervisor)
	b := open(t, true)
	b.size(360, 700, "dark")
	b.run(chromedp.Navigate(site.URL+"/reviews"), chromedp.WaitReady(chromedp.CSS("input[type=password]")))
	b.accessible("sign-in")
	b.fits("sign-in")
	b.shot("sign-in-dark-narrow")
	b.write("input[name=email]", who.Email)
	b.write("input[name=password]", apptest.Password)
	b.press(kb.Enter)
	b.at("/reviews")
	b.says(".empty", "Nothing is waiting")
	b.quiet("sign-in")
	b.click(".menu > summary")
	b.click(`button[value="dark"]`)
	b.until("the theme is kept", "document.documentElement.dataset.theme === 'dark'")
	b.quiet("preferences")
}
