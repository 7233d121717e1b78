package browsertest

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/config"
	"preceptor/internal/review"
	"preceptor/internal/signal"
)

// openChat makes an agent that customers without an account may ask.
func openChat(t *testing.T, site *apptest.Site) account.Agent {
	t.Helper()
	agent, err := site.Accounts.EnsureAgent(t.Context(), "helper", "general")
	if err != nil {
		t.Fatal(err)
	}
	root := site.Account(t, account.Admin)
	if err := site.Signals.Set(t.Context(), agent.ID, signal.Settings{Chat: true},
		knowledge.Person{ID: root.ID, Name: root.Name, Roles: []string{"admin"}}); err != nil {
		t.Fatal(err)
	}
	return agent
}

// TestACustomerClosesTheTabAndComesBack has a customer without an account ask by keyboard, close the tab, and come back
// by the private link once a supervisor sent an answer; they ask on, and the next answer appears while they look.
func TestACustomerClosesTheTabAndComesBack(t *testing.T) {
	site := apptest.Open(t)
	agent := openChat(t, site)
	bob := site.Account(t, account.Supervisor)
	answer := func(text string) {
		t.Helper()
		site.Drain(t) // the advisor drafts
		list, err := site.Interactions.List(t.Context(), interaction.Filter{AgentID: agent.ID, Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		r, err := site.Reviews.Get(t.Context(), list.Items[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := site.Reviews.Decide(t.Context(), review.Input{ID: r.ID, Version: r.Version, TextHash: r.TextHash,
			Kind: review.Revise, Text: text, ReasonCode: "other", Reason: "It was not what they asked.",
			By: review.Person{ID: bob.ID, Name: bob.Name}}); err != nil {
			t.Fatal(err)
		}
		site.Clock.Advance(time.Minute)
		site.Drain(t)
	}

	first := open(t, true)
	first.size(390, 844, "light")
	first.run(chromedp.Navigate(site.URL+"/talk/helper"), chromedp.WaitReady(chromedp.CSS("#question")))
	first.accessible("before the first question")
	for range 6 {
		first.press(kb.Tab)
		if eval[string](first, "document.activeElement.id") == "question" {
			break
		}
	}
	first.press("Where is my parcel?")
	first.press(kb.Tab)
	first.enterKey()
	first.until("it is being checked", `!!document.querySelector("[data-state=checking]") && `+atRest)
	first.says("#turns", "A person is checking this answer.")
	link := eval[string](first, `document.querySelector("#private-link").textContent`)
	for _, look := range looks {
		first.size(look.width, 800, look.scheme)
		first.accessible("while it waits, " + look.name)
		first.fits("while it waits, " + look.name)
		first.shot("talk-waiting-" + look.name)
	}
	first.quiet("the first question")
	first.run(chromedp.Navigate("about:blank"))
	answer("It comes on Monday.")

	b := open(t, true)
	b.size(1440, 900, "light")
	b.run(chromedp.Navigate(site.URL+link), chromedp.WaitReady(chromedp.CSS("#turns")))
	b.says("#turns", "It comes on Monday.")
	b.run(chromedp.SendKeys(chromedp.CSS("#question"), "At what time?"),
		chromedp.Click(chromedp.CSS("#ask-again button")))
	b.until("the second question waits", `document.querySelectorAll("#turns li").length === 2 && `+atRest)
	b.run(chromedp.SendKeys(chromedp.CSS("#question"), "I am still ty"))
	answer("Before noon.\n\n- by van\n- by post")
	b.until("the answer comes by itself", `document.querySelector("#turns").innerText.includes("Before noon.")`)
	if got := eval[string](b, `document.title + " / " + document.querySelector("#question").value`); got !=
		"Your answer is here / I am still ty" {
		t.Errorf("the page says %q", got)
	}
	if n := eval[int](b, `document.querySelectorAll("#turns > ol > li").length`); n != 2 {
		t.Errorf("a list in the answer became turns: %d", n)
	}
	b.accessible("answered")
	b.shot("talk-answered")
	b.quiet("the second question")

	// the same in the firm's own pages
	bs := open(t, true)
	bs.size(390, 844, "dark")
	bs.enter(site, "/chat/helper", account.Supervisor)
	bs.run(chromedp.SendKeys(chromedp.CSS("#question"), "And abroad?"), chromedp.Click(chromedp.CSS("#ask-again button")))
	bs.until("it is being checked", `!!document.querySelector("[data-state=checking]") && `+atRest)
	for _, look := range looks {
		bs.size(look.width, 800, look.scheme)
		bs.accessible("signed in, " + look.name)
		bs.fits("signed in, " + look.name)
		bs.shot("talk-signed-in-" + look.name)
	}
	answer("In two weeks.")
	bs.until("the answer comes by itself", `document.querySelector("#turns").innerText.includes("In two weeks.")`)
	bs.quiet("signed in")
}

// TestTheChatOnAnotherSite has a customer ask in the widget on a site that the operator named, and find the conversation
// again when the page is loaded anew.
func TestTheChatOnAnotherSite(t *testing.T) {
	shop, named := port(t)
	site := apptest.Open(t, func(c *config.Config) { c.WidgetOrigins = []string{named} })
	openChat(t, site)
	anotherSite(t, shop, site.URL, `data-preceptor-chat="helper"`)
	b := open(t, true)
	b.size(390, 844, "light")
	f := b.frameOf(site.URL)
	b.run(chromedp.Navigate(named+"/"), chromedp.WaitReady(chromedp.CSS("iframe")))
	f.inside("the form is there", `document.readyState === "complete" && !!document.querySelector("#question")`)
	f.tabTo("#question")
	b.press("Where is my parcel?")
	f.tabTo("#ask-again button")
	b.enterKey()
	f.inside("it is being checked", `document.body.innerText.includes("A person is checking this answer")`)
	f.accessible("the chat in the widget")
	b.until("the frame grew", `document.querySelector("iframe").offsetHeight > 200`)
	b.fits("the named site")
	b.shot("talk-widget")
	b.run(chromedp.Navigate(named + "/"))
	f.inside("it is found again", `document.readyState === "complete" && document.body.innerText.includes("Where is my parcel?")`)
	b.quiet("the named site")
}
