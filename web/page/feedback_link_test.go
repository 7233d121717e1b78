package page_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/feedback"
	"preceptor/internal/feedback/link"
	"preceptor/internal/platform/config"
)

const payload = `<script>alert(1)</script><img src=x onerror=alert(2)>`

// observe has the agent "tutor" report an answer, and returns its id.
func observe(t *testing.T, site *apptest.Site, query, response string) string {
	t.Helper()
	_, token, err := site.Accounts.CreateToken(t.Context(), "tutor", "pension", []account.Scope{account.Feedback},
		time.Time{}, audit.System("test"))
	if err != nil {
		t.Fatal(err)
	}
	id, err := site.Feedback.Log(t.Context(),
		feedback.Observation{AgentID: token.AgentID, AgentName: token.AgentName, AgentType: "tutor", Query: query,
			Response: response, Topic: "Photosynthesis"})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// linkTo makes a link to a subject for a user.
func linkTo(t *testing.T, site *apptest.Site, subject, user string) string {
	t.Helper()
	token, _, err := site.Links.New(t.Context(), link.Request{SubjectID: subject, UserID: user}, audit.System("test"))
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func votesOn(t *testing.T, site *apptest.Site, subject string) []feedback.Vote {
	t.Helper()
	list, err := site.Feedback.VotesOf(t.Context(), subject, 100)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// say sends a form without an account, and wants it taken.
func say(t *testing.T, c *apptest.Client, path string, fields ...string) *goquery.Document {
	t.Helper()
	r := c.Post(t, path, with(url.Values{}, fields...))
	if r.Status != http.StatusSeeOther {
		t.Fatalf("say %v: %d %.400s", fields, r.Status, r.Body)
	}
	return page(t, c.Get(t, r.Header.Get("Location")), http.StatusOK)
}

// A supervisor makes a link for a customer, who opens it on a phone without an account, votes, changes their mind, and
// says how it went; managers read it.
func TestACustomerSaysWhatTheyThink(t *testing.T) {
	site := apptest.Open(t)
	ann, mia := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Manager)
	id := released(t, site, ann)
	has(t, page(t, ann.Get(t, "/reviews/"+id), http.StatusOK), `a[href="/feedback/`+id+`"]`, "View feedback")
	doc := page(t, ann.Follow(t, "/feedback/"+id+"/link",
		url.Values{"user_id": {"customer-17@example.org"}, "days": {"7"}}), http.StatusOK)
	link := doc.Find("#made").Text()
	if !strings.HasPrefix(link, "/f/") || strings.Contains(link, "customer") {
		t.Fatalf("the link is %q", link)
	}

	guest := site.Nobody(t)
	doc = page(t, guest.Get(t, link), http.StatusOK)
	has(t, doc, "h1", "How was this answer?")
	has(t, doc, "details", "How much can I take without tax?")
	has(t, doc, "details", "a quarter of a defined contribution pot")
	hasNot(t, doc, "script")
	hasNot(t, doc, "nav")
	doc = say(t, guest, link, "vote", "1")
	has(t, doc, "[role=status]", "Thank you")

	doc = page(t, guest.Get(t, link), http.StatusOK)
	if doc.Find(`input[name=vote][value="1"][checked]`).Length() != 1 {
		t.Error("what was said is not in the form again")
	}
	say(t, guest, link, "vote", "-1", "rating", "3", "comment", "I did not follow the second part. "+payload,
		"understood", "partly", "goals", "no")
	list := votesOn(t, site, id)
	if len(list) != 1 || list[0].Kind != feedback.Rating || list[0].Value != 3 || list[0].Version != 2 ||
		list[0].Channel != feedback.ChannelLink || list[0].UserID != "customer-17@example.org" {
		t.Fatalf("the votes are %+v", list)
	}
	hasNot(t, page(t, guest.Get(t, link), http.StatusOK), "input[name=understood]") // it was said
	say(t, guest, link, "vote", "-1", "understood", "no", "goals", "no")
	outcomes, err := site.Feedback.Outcomes(t.Context(), id)
	if err != nil || len(outcomes) != 1 || outcomes[0].Comprehension != 5 || outcomes[0].GoalAlignment != 0 ||
		outcomes[0].Satisfaction != 3 || *outcomes[0].GoalsMet {
		t.Fatalf("the outcomes are %+v, %v", outcomes, err)
	}
	say(t, guest, link, "rating", "3", "comment", "I did not follow the second part. "+payload)

	doc = page(t, mia.Get(t, "/feedback"), http.StatusOK)
	has(t, doc, "#said", "3 of 10")
	has(t, doc, "#said .text", payload) // as words
	hasNot(t, doc, "#said script, #said img")
	doc = page(t, mia.Get(t, "/feedback/"+id), http.StatusOK)
	has(t, doc, "[aria-labelledby=votes]", "changed 3 times")
	has(t, doc, "[aria-labelledby=outcomes]", "5 of 10")
	has(t, doc, "[aria-labelledby=texts] blockquote", "How much can I take") // settled, so managers read it
	hasNot(t, doc, "[aria-labelledby=follow]")

	doc = say(t, guest, link, "vote", "0")
	has(t, doc, "[role=status]", "withdrawn")
	if list := votesOn(t, site, id); len(list) != 0 { // it is no vote any more
		t.Errorf("taken back: %+v", list)
	}
	onRecord, err := audit.List(t.Context(), site.DB, audit.Filter{ObjectID: id, Action: "feedback."})
	if err != nil || len(onRecord.Rows) < 6 {
		t.Errorf("on record: %d rows, %v", len(onRecord.Rows), err)
	}
}

func TestWhatAGuestTypedWrongIsKept(t *testing.T) {
	site := apptest.Open(t)
	id := observe(t, site, "What is photosynthesis?", "Plants make sugar from light.")
	path := "/f/" + linkTo(t, site, id, "u1")
	long := strings.Repeat("é", feedback.MaxText)
	for name, tc := range map[string]struct {
		form []string
		at   string // the field that is wrong
	}{
		"nothing at all":          {[]string{"comment", "kept words"}, "vote"},
		"a vote out of range":     {[]string{"vote", "7", "comment", "kept words"}, "vote"},
		"a rating above ten":      {[]string{"rating", "11", "comment", "kept words"}, "rating"},
		"a rating below nought":   {[]string{"rating", "-1", "comment", "kept words"}, "rating"},
		"a rating in fractions":   {[]string{"rating", "7.5", "comment", "kept words"}, "rating"},
		"a rating that is no one": {[]string{"rating", "NaN", "comment", "kept words"}, "rating"},
		"thumb against number":    {[]string{"vote", "1", "rating", "2", "comment", "kept words"}, "rating"},
		"half of how it went":     {[]string{"vote", "1", "understood", "yes", "comment", "kept words"}, "goals"},
		"the other half":          {[]string{"vote", "1", "goals", "no", "comment", "kept words"}, "understood"},
		"an answer of their own": {[]string{"vote", "1", "goals", "perhaps", "understood", "yes", "comment",
			"kept words"}, "goals"},
		"a comment without end": {[]string{"vote", "1", "comment", "kept words" + long}, "comment"},
	} {
		t.Run(name, func(t *testing.T) {
			c := site.Nobody(t)
			site.Clock.Advance(time.Minute) // no flood
			doc := page(t, c.Post(t, path, with(url.Values{}, tc.form...)), http.StatusUnprocessableEntity)
			if doc.Find("#"+tc.at+"-error").Length() != 1 {
				t.Errorf("no message at %s: %s", tc.at, words(doc, ".field-error"))
			}
			has(t, doc, "[role=alert]", "What you typed is still here")
			if !strings.Contains(doc.Find("textarea").Text(), "kept words") {
				t.Error("the words are lost")
			}
		})
	}
	if list := votesOn(t, site, id); len(list) != 0 {
		t.Errorf("kept all the same: %+v", list)
	}
}

func TestLinksThatDoNotOpen(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	id := released(t, site, ann)
	token := linkTo(t, site, id, "u1")
	guest := site.Nobody(t)
	for _, kind := range []string{"/f/", "/widget/"} {
		page(t, guest.Get(t, kind+token), http.StatusOK)
		has(t, page(t, guest.Get(t, kind+token[:len(token)-2]+"AA"), http.StatusNotFound), "h1", "doesn't work")
		has(t, page(t, guest.Post(t, kind+"x"+token[1:], url.Values{"vote": {"1"}}), http.StatusNotFound), "h1",
			"doesn't work")
	}
	waiting := bring(t, site, passing, dcCustomer())
	r := ann.Post(t, "/feedback/"+waiting+"/link", url.Values{"user_id": {"u1"}, "days": {"7"}})
	if r.Status != http.StatusConflict {
		t.Errorf("a link to a draft that nobody released: %d", r.Status)
	}
	site.Clock.Advance(link.DefaultLife)
	doc := page(t, guest.Get(t, "/f/"+token), http.StatusGone)
	has(t, doc, "h1", "expired")
	hasNot(t, doc, "form")
	page(t, guest.Post(t, "/f/"+token, url.Values{"vote": {"1"}}), http.StatusGone)
	if list := votesOn(t, site, id); len(list) != 0 {
		t.Errorf("an expired link votes: %+v", list)
	}
	ended := linkTo(t, site, id, "u1")
	if r := site.SignedIn(t, account.Admin).Post(t, "/feedback/links/end", nil); r.Status != http.StatusSeeOther {
		t.Fatalf("end the links: %d", r.Status)
	}
	for _, kind := range []string{"/f/", "/widget/"} {
		// it was said to be cut short, and customers copied it again and again
		doc := page(t, guest.Get(t, kind+ended), http.StatusGone)
		has(t, doc, "h1", "This link has ended")
		has(t, doc, "main", "send you a new one")
		hasNot(t, doc, "form")
		has(t, page(t, guest.Get(t, kind+ended[:len(ended)-2]), http.StatusNotFound), "main", "copy all of it")
	}
	page(t, guest.Get(t, "/f/"+linkTo(t, site, id, "u1")), http.StatusOK)
}

// What was recalled is not judged any more, and not shown.
func TestALinkToARecalledAnswer(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	id := released(t, site, ann)
	token := linkTo(t, site, id, "u1")
	list, err := site.Reviews.DecisionsFor(t.Context(), id)
	if err != nil || len(list) == 0 {
		t.Fatal(err)
	}
	ann = site.Enter(t, ann.Account)
	if r := ann.Post(t, "/decisions/"+list[0].ID+"/recall",
		url.Values{"reason": {"The figure was wrong."}}); r.Status != http.StatusSeeOther {
		t.Fatalf("recall: %d %.300s", r.Status, r.Body)
	}
	r := site.Nobody(t).Get(t, "/f/"+token)
	has(t, page(t, r, http.StatusGone), "h1", "withdrawn")
	if strings.Contains(r.Body, "quarter of a defined") {
		t.Error("the recalled text is shown")
	}
}

func TestABareLinkShowsNoAnswer(t *testing.T) {
	site := apptest.Open(t)
	id := observe(t, site, "What is photosynthesis?", "Plants make sugar from light.")
	token, _, err := site.Links.New(t.Context(), link.Request{SubjectID: id, UserID: "u1", Bare: true},
		audit.System("test"))
	if err != nil {
		t.Fatal(err)
	}
	if r := site.Nobody(t).Get(t, "/f/"+token); strings.Contains(r.Body, "photosynthesis") ||
		strings.Contains(r.Body, "sugar") {
		t.Error("the answer stands on the page")
	}
}

// A flood by one link, and guesses from one address, are held up with a clear word; others go on.
func TestFloodsAreHeldUp(t *testing.T) {
	site := apptest.Open(t)
	id := observe(t, site, "What is photosynthesis?", "Plants make sugar from light.")
	token := linkTo(t, site, id, "u1")
	c := site.Nobody(t)
	var r apptest.Response
	sent := 0
	for ; sent < 100; sent++ {
		if r = c.Post(t, "/f/"+token,
			url.Values{"vote": {"1"}, "comment": {"number " + strconv.Itoa(sent)}}); r.Status != http.StatusSeeOther {
			break
		}
	}
	doc := page(t, r, http.StatusTooManyRequests)
	has(t, doc, "[role=alert]", "Too many requests. Wait")
	has(t, doc, "textarea", "number "+strconv.Itoa(sent))
	if sent > 20 || r.Header.Get("Retry-After") == "" {
		t.Errorf("%d went through, Retry-After %q", sent, r.Header.Get("Retry-After"))
	}
	if list := votesOn(t, site, id); len(list) != 1 || list[0].Version != sent {
		t.Errorf("the votes are %+v", list)
	}
	other := observe(t, site, "What is osmosis?", "Water moves.")
	if r := c.Post(t, "/f/"+linkTo(t, site, other, "u2"), url.Values{"vote": {"1"}}); r.Status != http.StatusSeeOther {
		t.Errorf("another link: %d", r.Status)
	}
	guesses := 0
	for ; guesses < 200; guesses++ {
		if r = c.Get(t, "/f/"+strings.Repeat("A", 60)+strconv.Itoa(1000+guesses)); r.Status != http.StatusNotFound {
			break
		}
	}
	has(t, page(t, r, http.StatusTooManyRequests), "h1", "One moment")
	if guesses > 40 {
		t.Errorf("%d guesses went through", guesses)
	}
	if r := c.Get(t, "/f/"+token); r.Status != http.StatusOK {
		t.Errorf("a link that is ours, from the same address: %d", r.Status)
	}
}

// The widget's page may be framed by ourselves and by the sites that the operator named; no other page may.
func TestWhoMayFrame(t *testing.T) {
	site := apptest.Open(t)
	id := observe(t, site, "What is photosynthesis?", "Plants make sugar from light.")
	token := linkTo(t, site, id, "u1")
	c := site.Nobody(t)
	r := c.Get(t, "/widget/"+token)
	if csp := r.Header.Get("Content-Security-Policy"); !strings.HasSuffix(csp, "; frame-ancestors 'self'") ||
		!strings.Contains(csp, "default-src 'none'") || r.Header.Get("X-Frame-Options") != "" {
		t.Errorf("the widget: %q, %q", csp, r.Header.Get("X-Frame-Options"))
	}
	for _, path := range []string{"/f/" + token, "/sign-in", "/static/widget.js"} {
		r := c.Get(t, path)
		if csp := r.Header.Get("Content-Security-Policy"); !strings.HasSuffix(csp, "frame-ancestors 'none'") ||
			r.Header.Get("X-Frame-Options") != "DENY" {
			t.Errorf("%s may be framed: %q", path, csp)
		}
	}
	named := apptest.Open(t, func(c *config.Config) {
		c.WidgetOrigins = []string{"https://www.example.org", "https://shop.example"}
	})
	id = observe(t, named, "What is photosynthesis?", "Plants make sugar from light.")
	r = named.Nobody(t).Get(t, "/widget/"+linkTo(t, named, id, "u1")+"?theme=dark")
	if csp := r.Header.Get("Content-Security-Policy"); !strings.HasSuffix(csp,
		"frame-ancestors 'self' https://www.example.org https://shop.example") {
		t.Errorf("named sites: %q", csp)
	}
	doc := page(t, r, http.StatusOK)
	if doc.Find("html").AttrOr("data-origins", "") != "https://www.example.org https://shop.example" ||
		doc.Find("html").AttrOr("data-theme", "") != "dark" {
		t.Errorf("the page knows %q, %q", doc.Find("html").AttrOr("data-origins", ""),
			doc.Find("html").AttrOr("data-theme", ""))
	}
	doc.Find("script").Each(func(_ int, s *goquery.Selection) {
		if s.Text() != "" || !strings.HasPrefix(s.AttrOr("src", ""), "/static/widget-frame.") {
			t.Errorf("a script: %q %q", s.AttrOr("src", ""), s.Text())
		}
	})
}

// In the widget a thumb is one click, and more can be said afterwards without losing it.
func TestTheWidgetTakesAThumbAndMore(t *testing.T) {
	site := apptest.Open(t)
	id := observe(t, site, "What is photosynthesis?", "Plants make sugar from light.")
	path := "/widget/" + linkTo(t, site, id, "u1")
	c := site.Nobody(t)
	doc := page(t, c.Get(t, path+"?theme=light"), http.StatusOK)
	hasNot(t, doc, "details")
	action := doc.Find("form").First().AttrOr("action", "")
	doc = say(t, c, action, "vote", "-1", "comment", "")
	has(t, doc, "[role=status]", "Thank you")
	if doc.Find("html").AttrOr("data-theme", "") != "light" ||
		doc.Find(`button[value="-1"][aria-pressed=true]`).Length() != 1 {
		t.Error("the theme or the thumb is lost")
	}
	say(t, c, path, "vote", "-1", "rating", "", "comment", "Too short.")
	if v := votesOn(t, site, id)[0]; v.Kind != feedback.Thumbs || v.Value != -1 || v.Text != "Too short." ||
		v.Channel != feedback.ChannelWidget {
		t.Errorf("the vote is %+v", v)
	}
	say(t, c, path, "vote", "-1", "rating", "8", "comment", "Too short.") // the number is the later word
	if v := votesOn(t, site, id)[0]; v.Kind != feedback.Rating || v.Value != 8 {
		t.Errorf("the vote is %+v", v)
	}
	doc = page(t, c.Post(t, path, url.Values{"vote": {"1"}, "rating": {"42"}, "comment": {"kept"}}),
		http.StatusUnprocessableEntity)
	has(t, doc, "details[open] textarea", "kept")
	doc = say(t, c, path, "vote", "0")
	has(t, doc, "[role=status]", "Withdrawn")
}

// An agent makes links to its own answers by the API, and to nobody else's.
func TestLinksByTheAPI(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	id := released(t, site, ann)
	agent := site.Nobody(t)
	agent.Header.Set("Authorization", "Bearer "+site.Token(t, account.Feedback))
	make := func(body string) apptest.Response { return agent.JSON(t, http.MethodPost, "/api/feedback/links", body) }
	r := make(`{"interaction_id":"` + id + `","user_id":"u1","expires_in_hours":48}`)
	var got struct {
		Token, URL string
		WidgetURL  string    `json:"widget_url"`
		ExpiresAt  time.Time `json:"expires_at"`
	}
	if err := json.Unmarshal([]byte(r.Body), &got); err != nil || r.Status != http.StatusCreated {
		t.Fatalf("%d %s %v", r.Status, r.Body, err)
	}
	if !got.ExpiresAt.Equal(site.Clock.Now().Add(48*time.Hour).Truncate(time.Second)) || got.URL != "/f/"+got.Token ||
		got.WidgetURL != "/widget/"+got.Token {
		t.Errorf("%+v", got)
	}
	page(t, site.Nobody(t).Get(t, got.URL), http.StatusOK)
	page(t, site.Nobody(t).Get(t, got.WidgetURL), http.StatusOK)

	foreign := observe(t, site, "What is photosynthesis?", "Plants make sugar from light.")
	waiting := bring(t, site, passing, dcCustomer())
	for body, status := range map[string]int{
		`{"interaction_id":"` + foreign + `","user_id":"u1"}`:                          http.StatusNotFound,
		`{"interaction_id":"01900000-0000-7000-8000-000000000000","user_id":"u1"}`:     http.StatusNotFound,
		`{"interaction_id":"` + waiting + `","user_id":"u1"}`:                          http.StatusConflict,
		`{"interaction_id":"` + id + `","user_id":" "}`:                                http.StatusUnprocessableEntity,
		`{"interaction_id":"` + id + `","user_id":"` + strings.Repeat("u", 201) + `"}`: http.StatusUnprocessableEntity,
		`{"interaction_id":"` + id + `","user_id":"u\u0007"}`:                          http.StatusUnprocessableEntity,
		`{"interaction_id":"` + id + `","user_id":"u1","expires_in_hours":5000}`:       http.StatusUnprocessableEntity,
		`{"interaction_id":"` + id + `","user_id":"u1","expires_in_hours":-1}`:         http.StatusUnprocessableEntity,
		`{"interaction_id":"` + id + `","user_id":"u1","agent":"x"}`:                   http.StatusUnprocessableEntity,
	} {
		if r := make(body); r.Status != status {
			t.Errorf("%s: %d, want %d: %.200s", body, r.Status, status, r.Body)
		}
	}
}
