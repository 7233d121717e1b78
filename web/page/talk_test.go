package page_test

import (
	"bufio"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/config"
	"preceptor/internal/review"
)

// draftCanary and reasonCanary are words that no customer may read.
const (
	draftCanary  = "CANARY-DRAFT"
	reasonCanary = "CANARY-REASON"
)

// asked is the newest interaction of an agent.
func asked(t *testing.T, site *apptest.Site, agent string) *interaction.Interaction {
	t.Helper()
	a, err := site.Accounts.AgentByName(t.Context(), agent)
	if err != nil {
		t.Fatal(err)
	}
	list, err := site.Interactions.List(t.Context(), interaction.Filter{AgentID: a.ID, Limit: 1})
	if err != nil || len(list.Items) == 0 {
		t.Fatalf("nothing was asked: %v", err)
	}
	return &list.Items[0]
}

// drafted hands in the draft of an interaction in the advisor's place.
func drafted(t *testing.T, site *apptest.Site, id, text string) {
	t.Helper()
	if err := site.Interactions.DraftArrived(t.Context(), id,
		interaction.Draft{Text: text, Drafter: "test"}); err != nil {
		t.Fatal(err)
	}
}

// sentAs has a supervisor send text for an interaction, and waits until it is out.
func sentAs(t *testing.T, site *apptest.Site, id, text string, by account.Account) {
	t.Helper()
	decide(t, site, id, by, review.Input{Kind: review.Revise, Text: text, ReasonCode: "other", Reason: reasonCanary,
		Feedback: reasonCanary})
	site.Clock.Advance(time.Minute)
	site.Drain(t)
}

// secretOf is the secret in an address that one was sent on to.
func secretOf(t *testing.T, r apptest.Response, prefix string) string {
	t.Helper()
	to := r.Header.Get("Location")
	if r.Status != http.StatusSeeOther || !strings.HasPrefix(to, prefix) {
		t.Fatalf("%d to %q, want %s…: %.300s", r.Status, to, prefix, r.Body)
	}
	return strings.TrimPrefix(to, prefix)
}

// A supervisor asks a reviewed agent as a customer would: the page says that a person checks, for how long one waits
// where that is known, and shows what was released, and never the draft.
func TestChatWithAReviewedAgent(t *testing.T) {
	site := apptest.Open(t)
	ann, bob := site.SignedIn(t, account.Supervisor), site.Account(t, account.Supervisor)
	agent, err := site.Accounts.EnsureAgent(t.Context(), "helper", "general")
	if err != nil {
		t.Fatal(err)
	}
	path := "/chat/helper"
	doc := page(t, ann.Get(t, path), http.StatusOK)
	has(t, doc, ".lead", "A person checks each answer")
	hasNot(t, doc, "#turns")
	has(t, page(t, ann.Post(t, path, url.Values{"question": {" "}}), http.StatusUnprocessableEntity),
		"#question-error", "Enter your question")

	secret := secretOf(t, ann.Post(t, path, url.Values{"question": {"How do I reset it? " + payload}}), path+"?s=")
	here := path + "?s=" + secret
	in := asked(t, site, "helper")
	if in.Channel != "chat" || in.Consultation.Thread == "" || strings.Contains(secret, in.Consultation.Thread) {
		t.Errorf("asked in %q, thread %q", in.Channel, in.Consultation.Thread)
	}
	checking := func() {
		t.Helper()
		doc := page(t, ann.Get(t, here), http.StatusOK)
		has(t, doc, "#turns [data-state=checking]", "A person is checking this answer.")
		has(t, doc, "#turns .question", payload)
		hasNot(t, doc, "#turns script, #turns img")
		if html, _ := doc.Html(); strings.Contains(html, draftCanary) || strings.Contains(html, reasonCanary) {
			t.Error("what nobody released is shown")
		}
	}
	checking()
	drafted(t, site, in.ID, draftCanary+" Press the button.")
	checking()
	decide(t, site, in.ID, bob, review.Input{Kind: review.Revise, Text: "Hold the button for ten seconds.",
		ReasonCode: "other", Reason: reasonCanary, Feedback: reasonCanary})
	checking() // it can still be undone
	site.Clock.Advance(6 * time.Minute)
	site.Drain(t)
	doc = page(t, ann.Get(t, here), http.StatusOK)
	has(t, doc, "#turns li .as-sent [dir=auto]", "Hold the button for ten seconds.")
	has(t, doc, "#private-link", "/c/"+secret)
	has(t, page(t, ann.Get(t, "/ask"), http.StatusOK), "main", "How do I reset it?") // they find it without the link

	secretOf(t, ann.Post(t, path, url.Values{"question": {"And then?"}, "session": {secret}}), here)
	next := asked(t, site, "helper")
	var said []string
	for _, m := range next.Consultation.Messages {
		said = append(said, m.Role+": "+m.Text)
	}
	if got := strings.Join(said, "\n"); got != "customer: How do I reset it? "+payload+
		"\nagent: Hold the button for ten seconds.\ncustomer: And then?" ||
		next.Consultation.Thread != in.Consultation.Thread {
		t.Errorf("it goes on with %q in %s", got, next.Consultation.Thread)
	}
	secretOf(t, ann.Post(t, path, url.Values{"question": {"And then?"}, "session": {secret}}), here)
	if again := asked(t, site, "helper"); again.ID != next.ID {
		t.Error("a second press asked a second time")
	}
	drafted(t, site, next.ID, draftCanary)
	decide(t, site, next.ID, bob, review.Input{Kind: review.Reject, ReasonCode: "other", Reason: reasonCanary})
	site.Clock.Advance(time.Minute)
	site.Drain(t)
	doc = page(t, ann.Get(t, here), http.StatusOK)
	has(t, doc, "#turns [data-state=declined]", "decided not to answer it here")
	if html, _ := doc.Html(); strings.Contains(html, draftCanary) || strings.Contains(html, reasonCanary) {
		t.Error("what was rejected is shown")
	}
	page(t, ann.Get(t, path+"?s=nonsense"), http.StatusNotFound)
	bring(t, site, passing, dcCustomer())
	page(t, ann.Get(t, "/chat/pension-advisor?s="+secret), http.StatusNotFound)

	// What one waits for is said of ten answers and of no fewer: one took six minutes, nine take four.
	for range 9 {
		rec, err := site.Interactions.Submit(t.Context(), interaction.Submission{AgentID: agent.ID, AgentName: "helper",
			By: audit.System("test"), Guidance: "Press it.", Consultation: interaction.Consultation{Question: "How?"}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		ask := secretOf(t, ann.Post(t, path, url.Values{"question": {"Is it usual?"}}), path+"?s=")
		if words(page(t, ann.Get(t, path+"?s="+ask), http.StatusOK),
			"[data-state=checking]") != "A person is checking this answer." {
			t.Error("a wait is foretold of too few answers")
		}
		site.Clock.Advance(3 * time.Minute)
		sentAs(t, site, rec.ID, "Hold it.", bob)
	}
	ask := secretOf(t, ann.Post(t, path, url.Values{"question": {"And now?"}}), path+"?s=")
	has(t, page(t, ann.Get(t, path+"?s="+ask), http.StatusOK), "[data-state=checking]",
		"Usually this takes about 4 minutes.")
	site.Clock.Advance(20 * time.Minute)
	has(t, page(t, ann.Get(t, path+"?s="+ask), http.StatusOK), "[data-state=checking]", "longer than usual")
}

// opened switches the public chat of an agent on, as an administrator does.
func opened(t *testing.T, site *apptest.Site, agent string) (id string) {
	t.Helper()
	a, err := site.Accounts.EnsureAgent(t.Context(), agent, "general")
	if err != nil {
		t.Fatal(err)
	}
	admin := site.SignedIn(t, account.Admin)
	doc := page(t, admin.Follow(t, "/learning/agents/"+a.ID, url.Values{"chat": {"true"}}), http.StatusOK)
	if doc.Find("#settings ~ form #chat[checked]").Length() != 1 {
		t.Error("the setting doesn't show that it is on")
	}
	has(t, doc, `a[href="/talk/`+url.PathEscape(agent)+`"]`, "public page")
	has(t, page(t, admin.Get(t, "/admin/audit"), http.StatusOK), "main", "signal.set")
	return a.ID
}

// A customer without an account asks, comes back by the private link in another browser, and asks on.
func TestACustomerAsksWithoutAnAccount(t *testing.T) {
	site := apptest.Open(t)
	bob := site.Account(t, account.Supervisor)
	if _, err := site.Accounts.EnsureAgent(t.Context(), "helper", "general"); err != nil {
		t.Fatal(err)
	}
	observe(t, site, "What is it?", "It is that.") // its tutor is reviewed by nobody
	guest := site.Nobody(t)
	for _, agent := range []string{"helper", "tutor", "nobody"} {
		for _, r := range []apptest.Response{guest.Get(t, "/talk/"+agent),
			guest.Post(t, "/talk/"+agent, url.Values{"question": {"May I?"}}), guest.Get(t, "/widget/chat/"+agent)} {
			has(t, page(t, r, http.StatusNotFound), "main", "There is no public chat here.")
		}
	}
	agentID := opened(t, site, "helper")
	opened(t, site, "tutor")
	page(t, guest.Get(t, "/talk/tutor"), http.StatusNotFound) // still: nobody would read its answers first

	doc := page(t, guest.Get(t, "/talk/helper"), http.StatusOK)
	has(t, doc, "h1", "Ask a question")
	hasNot(t, doc, "nav, script:not([src])")
	has(t, page(t, guest.Post(t, "/talk/helper", url.Values{"question": {""}}), http.StatusUnprocessableEntity),
		"#question-error", "Enter your question")
	r := guest.Post(t, "/talk/helper", url.Values{"question": {"Where is my parcel?"}})
	secret := secretOf(t, r, "/c/")
	if cookie := r.Header.Get("Set-Cookie"); !strings.HasPrefix(cookie, "preceptor-chat="+secret) ||
		!strings.Contains(cookie, "Path=/; HttpOnly; SameSite=Lax") {
		t.Errorf("the cookie is %q", cookie)
	}
	secretOf(t, guest.Get(t, "/talk/helper"), "/c/"+secret) // the browser remembers
	page(t, guest.Get(t, "/talk/helper?new=1"), http.StatusOK)

	in := asked(t, site, "helper")
	other := site.Nobody(t)
	drafted(t, site, in.ID, draftCanary)
	doc = page(t, other.Get(t, "/c/"+secret), http.StatusOK)
	has(t, doc, "[data-state=checking]", "A person is checking this answer.")
	has(t, doc, "#turns[role=log][aria-live=polite] .question", "Where is my parcel?")
	sentAs(t, site, in.ID, "It comes on **Monday**.", bob)
	r = other.Get(t, "/c/"+secret)
	doc = page(t, r, http.StatusOK)
	has(t, doc, "#turns li .as-sent [dir=auto] strong", "Monday")
	has(t, doc, "title", "Your answer is here")
	for _, never := range []string{draftCanary, reasonCanary, bob.Name, bob.Email, agentID, in.Consultation.TaskType} {
		if strings.Contains(r.Body, never) {
			t.Errorf("a customer reads %q", never)
		}
	}
	secretOf(t, other.Post(t, "/c/"+secret, url.Values{"question": {"At what time?"}}), "/c/"+secret)
	if next := asked(t, site, "helper"); len(next.Consultation.Messages) != 3 {
		t.Errorf("it goes on with %+v", next.Consultation.Messages)
	}
	for i := range 2 {
		secretOf(t, other.Post(t, "/c/"+secret, url.Values{"question": {"Hello? " + strconv.Itoa(i)}}), "/c/"+secret)
	}
	doc = page(t, other.Post(t, "/c/"+secret, url.Values{"question": {"Hello there?"}}), http.StatusConflict)
	has(t, doc, "[role=status]", "Wait for an answer")

	// Once it is switched off an answer still comes, and no new question is taken.
	if r := site.SignedIn(t, account.Admin).Post(t, "/learning/agents/"+agentID, url.Values{}); r.Status >= 400 {
		t.Fatal(r.Status)
	}
	page(t, guest.Get(t, "/talk/helper"), http.StatusNotFound)
	has(t, page(t, other.Get(t, "/c/"+secret), http.StatusOK), "#turns", "It comes on Monday.")
	if r := other.Post(t, "/c/"+secret, url.Values{"question": {"Still there?"}}); r.Status != http.StatusConflict {
		t.Errorf("asked on: %d", r.Status)
	}

	// Nothing of it is left once it is erased by its reference.
	ref := strings.TrimSuffix(strings.Fields(strings.SplitAfter(words(doc, "details .hint"), "Its reference is ")[1])[0],
		".")
	admin := site.SignedIn(t, account.Admin)
	if r := admin.Post(t, "/admin/erasure", url.Values{"how": {interaction.ByReference}, "subject": {ref},
		"why": {"asked for it"}, "confirm": {"yes"}}); r.Status != http.StatusSeeOther {
		t.Fatalf("erase %s: %d %.600s", ref, r.Status, r.Body)
	}
	has(t, page(t, other.Get(t, "/c/"+secret), http.StatusNotFound), "main", "the conversation was erased")
	if in, err := site.Interactions.Get(t.Context(), in.ID); err != nil || in.ErasedAt.IsZero() {
		t.Errorf("it isn't erased: %v", err)
	}
}

// A link that is none, or has run out, opens nothing; who asks too often is held up.
func TestAPrivateLinkOpensItsConversationAlone(t *testing.T) {
	site := apptest.Open(t)
	opened(t, site, "helper")
	guest := site.Nobody(t)
	secret := secretOf(t, guest.Post(t, "/talk/helper", url.Values{"question": {"Where?"}}), "/c/")
	thread := asked(t, site, "helper").Consultation.Thread
	for _, wrong := range []string{thread, secret[1:], secret + "x", strings.ToUpper(secret), "%27%20OR%201", "events"} {
		page(t, guest.Get(t, "/c/"+wrong), http.StatusNotFound)
		if r := guest.Post(t, "/c/"+wrong, url.Values{"question": {"Hm?"}}); r.Status != http.StatusNotFound {
			t.Errorf("%s: %d", wrong, r.Status)
		}
		if r := guest.Get(t, "/c/"+wrong+"/events"); r.Status != http.StatusNotFound {
			t.Errorf("news of %s: %d", wrong, r.Status)
		}
	}
	for range 40 {
		if r := guest.Get(t, "/c/nonsense"); r.Status == http.StatusTooManyRequests {
			break
		} else if r.Status != http.StatusNotFound {
			t.Fatal(r.Status)
		}
	}
	page(t, guest.Get(t, "/c/nonsense"), http.StatusTooManyRequests)
	page(t, guest.Get(t, "/c/"+secret), http.StatusOK) // one that is right still opens
	last := 0
	for range 60 {
		if last = guest.Post(t, "/talk/helper", url.Values{"question": {"Where?"}}).Status; last != 303 {
			break
		}
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("a flood of questions ends with %d", last)
	}
	site.Clock.Advance(31 * 24 * time.Hour)
	page(t, guest.Get(t, "/c/"+secret), http.StatusNotFound)
}

// A customer's page hears that its own conversation changed, and of nothing else on the desk.
func TestNewsOfAConversationAreItsOwn(t *testing.T) {
	site := apptest.Open(t)
	opened(t, site, "helper")
	bob, guest := site.Account(t, account.Supervisor), site.Nobody(t)
	for range 35 { // no question, which counts as none
		r := guest.Post(t, "/talk/helper", url.Values{"question": {" "}})
		if r.Status != http.StatusUnprocessableEntity {
			t.Fatalf("a blank question: %d", r.Status)
		}
	}
	secret := secretOf(t, guest.Post(t, "/talk/helper", url.Values{"question": {"Where?"}}), "/c/")
	for range 10 {
		if r := guest.Post(t, "/c/"+secret, url.Values{"question": {""}}); r.Status != http.StatusUnprocessableEntity {
			t.Fatalf("a blank question: %d", r.Status)
		}
	}
	in := asked(t, site, "helper")
	r, err := http.Get(site.URL + "/c/" + secret + "/events")
	if err != nil || r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%+v, %v", r, err)
	}
	defer r.Body.Close()
	heard := make(chan string, 20)
	go func() {
		for lines := bufio.NewScanner(r.Body); lines.Scan(); {
			if lines.Text() != "" {
				heard <- lines.Text()
			}
		}
	}()
	next := func(within time.Duration) string {
		select {
		case line := <-heard:
			return line
		case <-time.After(within):
			return "nothing"
		}
	}
	for _, want := range []string{"retry: 5000", "event: changed", "data: "} {
		if got := next(10 * time.Second); got != want {
			t.Fatalf("heard %q, want %q", got, want)
		}
	}
	bring(t, site, passing, dcCustomer())                          // somebody else's
	guest.Post(t, "/talk/helper", url.Values{"question": {"Me?"}}) // another conversation
	drafted(t, site, in.ID, draftCanary)                           // its own, and nothing to see yet
	if got := next(2500 * time.Millisecond); got != "nothing" {
		t.Errorf("heard %q of what isn't its own", got)
	}
	sentAs(t, site, in.ID, "Here.", bob)
	if got := next(10*time.Second) + next(time.Second) + next(time.Second); got != "event: changeddata: nothing" {
		t.Errorf("heard %q of the answer", got)
	}
}

// The widget's pages may be framed by the sites that the operator named, and the others by nobody.
func TestTheChatInTheWidget(t *testing.T) {
	site := apptest.Open(t, func(c *config.Config) {
		c.WidgetOrigins, c.PublicURL = []string{"https://shop.example"}, "https://desk.example"
	})
	opened(t, site, "helper")
	guest := site.Nobody(t)
	r := guest.Get(t, "/widget/chat/helper?theme=dark")
	doc := page(t, r, http.StatusOK)
	if action := doc.Find("form").AttrOr("action", ""); action != "/widget/chat/helper?theme=dark" {
		t.Errorf("it asks at %s", action)
	}
	if csp := r.Header.Get("Content-Security-Policy"); !strings.Contains(csp,
		"frame-ancestors 'self' https://shop.example") || !strings.Contains(csp, "script-src 'self';") {
		t.Errorf("the policy is %s", csp)
	}
	r = guest.Post(t, "/widget/chat/helper?theme=dark", url.Values{"question": {"Where?"}})
	secret := secretOf(t, r, "/widget/c/")
	if cookie := r.Header.Get("Set-Cookie"); !strings.HasPrefix(cookie, "__Host-preceptor-chat=") ||
		!strings.HasSuffix(cookie, "; Path=/; HttpOnly; Secure; SameSite=None; Partitioned") {
		t.Errorf("the cookie is %q", cookie)
	}
	secret, theme, _ := strings.Cut(secret, "?")
	doc = page(t, guest.Get(t, "/widget/c/"+secret+"?"+theme), http.StatusOK)
	has(t, doc, "[data-theme=dark] .widget #turns", "A person is checking this answer.")
	has(t, doc, "#private-link", "https://desk.example/c/"+secret)
	secretOf(t, guest.Get(t, "/widget/chat/helper"), "/widget/c/"+secret)
	if csp := guest.Get(t, "/c/"+secret).Header.Get("Content-Security-Policy"); !strings.Contains(csp,
		"frame-ancestors 'none'") {
		t.Errorf("the page's own policy is %s", csp)
	}
	// an agent's name may hold anything
	opened(t, site, "post & parcels/uk")
	page(t, guest.Get(t, "/talk/"+url.PathEscape("post & parcels/uk")), http.StatusOK)
}

// A form that is sent twice begins one conversation, and asks one question.
func TestASecondClickBeginsNoSecondConversation(t *testing.T) {
	site := apptest.Open(t)
	if _, err := site.Accounts.EnsureAgent(t.Context(), "helper", "general"); err != nil {
		t.Fatal(err)
	}
	agentID := opened(t, site, "helper")
	count := func() int {
		list, err := site.Interactions.List(t.Context(), interaction.Filter{AgentID: agentID, Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		return len(list.Items)
	}
	for i, who := range []struct {
		*apptest.Client
		page, to string
	}{{site.Nobody(t), "/talk/helper?new=1", "/c/"}, {site.SignedIn(t, account.Supervisor), "/chat/helper", "/chat/helper?s="}} {
		before := count()
		form := filled(t, page(t, who.Get(t, who.page), http.StatusOK), "#ask-again")
		form.Set("question", "May I?")
		first := secretOf(t, who.Post(t, who.page, form), who.to)
		if again := secretOf(t, who.Post(t, who.page, form), who.to); again != first || count() != before+1 {
			t.Errorf("%d: twice %q and %q, %d questions", i, first, again, count()-before)
		}
		form.Set("question", "May she?") // back, and another question
		if other := secretOf(t, who.Post(t, who.page, form), who.to); other == first || count() != before+2 {
			t.Errorf("%d: another question is the same conversation", i)
		}
		form.Del("key")
		if other := secretOf(t, who.Post(t, who.page, form), who.to); other == first || count() != before+3 {
			t.Errorf("%d: without a key", i)
		}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if err := site.Room.Say(t.Context(), first, "And then?", audit.System("test")); err != nil {
					t.Error(err)
				}
			})
		}
		if all.Wait(); count() != before+4 {
			t.Errorf("%d: one question asked at once is %d", i, count()-before-3)
		}
	}
}
