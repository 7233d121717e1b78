package page_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/interaction"
)

// talk is a conversation of five turns, a tool used for the last.
func talk() []interaction.Message {
	at := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	return []interaction.Message{
		{Role: "customer", Text: "First of all, hello", At: at}, {Role: "agent", Text: "Hello, what can I do?", At: at},
		{Role: "customer", Text: "I have a pot"}, {Role: "agent", Text: "How large is it?"},
		{Role: "customer", Text: "£40,000"}, {Role: "agent", Text: "Thank you."},
		{Role: "customer", Text: "I am 58"}, {Role: "agent", Text: "Noted."},
		{Role: "customer", Text: "And the tax on that?"}, {Role: "tool", Tool: "rates", Text: "20%"},
	}
}

func TestTheConversationStandsAboveTheDraft(t *testing.T) {
	s := apptest.Open(t)
	ann, bob := s.SignedIn(t, account.Supervisor), s.SignedIn(t, account.Supervisor)
	submit := func(messages []interaction.Message) string {
		return bring(t, s, passing, interaction.Consultation{Messages: messages, Thread: "talk-7"})
	}
	first, fifth := submit(talk()[:1]), submit(talk())
	doc := page(t, ann.Get(t, "/reviews/"+fifth), http.StatusOK)
	has(t, doc, "#case-draft > #conversation .count", "5th turn")
	has(t, doc, "#conversation details summary[data-key=h]", "2 earlier messages")
	has(t, doc, "#conversation details .said", "First of all, hello")
	hasNot(t, doc, "#conversation > .said li:nth-child(8)")
	has(t, doc, "#conversation > .said li:first-child [dir=auto]", "I have a pot")
	has(t, doc, "#conversation > .said [data-role=tool]", "Used rates: 20%")
	has(t, doc, "#conversation a[href='/reviews/"+first+"']", "1st turn")
	hasNot(t, doc, "#case-notices a[href='/reviews/"+fifth+"']")
	// while one revises it, too
	has(t, page(t, ann.Get(t, "/reviews/"+fifth+"?mode=revise"), http.StatusOK), "#conversation .count", "5th turn")

	doc = page(t, ann.Get(t, "/reviews/"+first), http.StatusOK)
	has(t, doc, "#case-notices", "Customer wrote again")
	has(t, doc, "#case-notices a[href='/reviews/"+fifth+"']", "Open the latest draft")
	doc = page(t, ann.Get(t, "/reviews"), http.StatusOK)
	has(t, doc, ".queue-row", "Customer wrote again")
	has(t, doc, ".queue-row", "5th turn")

	if r := ann.Post(t, "/reviews/"+first+"/claim", nil); r.Status >= http.StatusBadRequest {
		t.Fatalf("claim: %d %.300s", r.Status, r.Body)
	}
	has(t, page(t, bob.Get(t, "/reviews/"+fifth), http.StatusOK), "#case-notices", "is reviewing this")
}

// An open page is told that the customer wrote again, and a decision made on a page that wasn't is refused once.
func TestAnOpenReviewIsToldThatTheCustomerWroteAgain(t *testing.T) {
	s := apptest.Open(t)
	ann := s.SignedIn(t, account.Supervisor)
	submit := func(messages []interaction.Message) string {
		return bring(t, s, passing, interaction.Consultation{Messages: messages, Thread: "talk-8"})
	}
	first := submit(talk()[:1])
	ann.Post(t, "/reviews/"+first+"/claim", nil)
	open, form := show(t, ann, first, ""), show(t, ann, first, "?mode=revise")
	hasNot(t, open, `#case-notices:contains("wrote again")`)
	submit(talk()[:3])
	news := told(t, ann, first, open)
	same(t, news, show(t, ann, first, ""))
	has(t, news, "#case-notices", "Customer wrote again")
	if tell := news.Find("#claim").AttrOr("data-tell", ""); tell != "The customer wrote again." {
		t.Errorf("it is announced as %q", tell)
	}
	in := url.Values{"standing": {open.Find("#claim > input[name=standing]").AttrOr("value", "")}}
	r := ann.Do(t, http.MethodPost, "/reviews/"+first+"/renew", "application/x-www-form-urlencoded", in.Encode(),
		"Sec-Fetch-Site", "same-origin", "HX-Request", "true")
	has(t, page(t, r, http.StatusOK), "#case-notices", "Customer wrote again") // whichever answer comes first

	typed := with(seen(t, form, "#decide"), "text", corrected, "reason", "It is shorter.", "only_customer", "1", "turn",
		form.Find("input[name=turn][form=decide]").AttrOr("value", ""))
	doc := page(t, ann.Post(t, "/reviews/"+first+"/revise", typed), http.StatusConflict)
	has(t, doc, ".notices", "The customer wrote again since you opened this. Nothing was decided.")
	has(t, doc, ".notices", "What you typed is kept below")
	has(t, doc, "#case-notices", "Customer wrote again")
	has(t, doc, "#text", corrected)

	// what the page was told since it was opened may be out of sight: it says so at the buttons, and refuses once
	has(t, news, "#bar a[href='#case-notices']", "The customer wrote again")
	hasNot(t, open, "#bar a[href='#case-notices']")
	refused := page(t, ann.Post(t, "/reviews/"+first+"/approve", seen(t, news, `form[action$="/approve"]`)),
		http.StatusConflict)
	has(t, refused, "#case-notices", "Customer wrote again")
	if turn := refused.Find(".claim-host > input[name=turn]").AttrOr("value", ""); turn != "2" {
		t.Errorf("the refusal's page was opened with turn %q", turn)
	}
	hasNot(t, refused, `.notices:contains("What you typed")`)
	if r := ann.Post(t, "/reviews/"+first+"/approve",
		seen(t, refused, `form[action$="/approve"]`)); r.Status != http.StatusSeeOther {
		t.Errorf("pressed again: %d %.300s", r.Status, r.Body)
	}

	rail := func() *goquery.Document { return page(t, ann.Get(t, "/reviews/recent"), http.StatusOK) }
	hasNot(t, rail(), `#toast:contains("wrote again")`) // it was decided with that in view
	s.Clock.Advance(time.Second)
	submit(talk()[:5])
	has(t, rail(), "#toast", "Customer wrote again")
}

// The customer wrote again whatever part of the conversation the agent sends with the new draft; the same request sent
// again is no news.
func TestACustomerWroteAgainInAWindowOfTheConversation(t *testing.T) {
	s := apptest.Open(t)
	ann := s.SignedIn(t, account.Supervisor)
	const news = "Stop, I have decided otherwise"
	for thread, c := range map[string][3]interaction.Consultation{
		"window":   {{Messages: talk()[:3]}, {Messages: talk()[:3]}, {Messages: append(talk()[2:4], asks(news))}},
		"replaced": {{Messages: talk()[:3]}, {Messages: talk()[:3]}, {Messages: append(talk()[:2], asks(news))}},
		"question": {{Question: "I have a pot"}, {Question: "I have a pot"}, {Question: news}},
	} {
		for i := range c {
			c[i].Thread = thread
		}
		first := bring(t, s, passing, c[0])
		ann.Post(t, "/reviews/"+first+"/claim", nil)
		open := show(t, ann, first, "")
		bring(t, s, passing, c[1])
		hasNot(t, told(t, ann, first, open), `#case-notices:contains("wrote again")`)
		last := bring(t, s, passing, c[2])
		mended := told(t, ann, first, open)
		has(t, mended, "#case-notices", "“"+news+"”")
		has(t, mended, "#case-notices a[href='/reviews/"+last+"']", "Open the latest draft")
		refused := page(t, ann.Post(t, "/reviews/"+first+"/approve", seen(t, open, `form[action$="/approve"]`)),
			http.StatusConflict)
		has(t, refused, ".notices", "The customer wrote again since you opened this. Nothing was decided.")
	}
}

func asks(text string) interaction.Message { return interaction.Message{Role: "customer", Text: text} }
