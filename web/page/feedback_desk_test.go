package page_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/feedback"
)

// A supervisor follows up: what can't be kept is said and stays typed; what can reaches learning.
func TestASupervisorFollowsUp(t *testing.T) {
	site := apptest.Open(t)
	ann, mia := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Manager)
	id := released(t, site, ann)
	path := "/feedback/" + id + "/outcome"
	for _, wrong := range []url.Values{
		{"satisfaction": {"11"}, "comprehension": {"5"}, "goal_alignment": {"5"}, "issues": {"kept words"}},
		{"satisfaction": {""}, "comprehension": {"5"}, "goal_alignment": {"5"}, "issues": {"kept words"}},
		{"satisfaction": {"0x1p3"}, "comprehension": {"5"}, "goal_alignment": {"5"}, "issues": {"kept words"}},
		{"satisfaction": {"1e1"}, "comprehension": {"5"}, "goal_alignment": {"5"}, "issues": {"kept words"}},
		{"satisfaction": {"4,5"}, "comprehension": {"5"}, "goal_alignment": {"5"}, "issues": {"kept words"}},
		{"satisfaction": {"NaN"}, "comprehension": {"5"}, "goal_alignment": {"5"}, "issues": {"kept words"}},
		{"satisfaction": {"5"}, "comprehension": {"5"}, "goal_alignment": {"5"}, "goals_met": {"maybe"},
			"issues": {"kept words"}},
	} {
		doc := page(t, ann.Post(t, path, wrong), http.StatusUnprocessableEntity)
		has(t, doc, "[aria-labelledby=follow] [role=alert]", "What you typed is still here")
		has(t, doc, "textarea[name=issues]", "kept words")
	}
	has(t, page(t,
		ann.Post(t, path, url.Values{"satisfaction": {"4,5"}, "comprehension": {"5"}, "goal_alignment": {"5"}}),
		http.StatusUnprocessableEntity), "#satisfaction-error", "with a point")
	good := url.Values{"satisfaction": {"4.5"}, "comprehension": {"3"}, "goal_alignment": {"6"}, "goals_met": {"no"},
		"understanding_checked": {"yes"}, "signposted": {""},
		"issues": {"The tax was not explained.\r\n\r\n" + payload}}
	if r := mia.Post(t, path, good); r.Status != http.StatusForbidden {
		t.Errorf("a manager follows up: %d", r.Status)
	}
	if r := ann.Post(t, path, good); r.Status != http.StatusSeeOther {
		t.Fatalf("follow up: %d %.300s", r.Status, r.Body)
	}
	doc := page(t, ann.Get(t, "/feedback/"+id), http.StatusOK)
	has(t, doc, "[aria-labelledby=outcomes]", "4.5 of 10")
	has(t, doc, "[aria-labelledby=outcomes]", ann.Account.Name)
	has(t, doc, "[aria-labelledby=outcomes]", "The tax was not explained.")
	has(t, doc, "[aria-labelledby=outcomes]", payload)
	hasNot(t, doc, "[aria-labelledby=outcomes] script, [aria-labelledby=outcomes] img")
	has(t, doc, "[aria-labelledby=texts]", "How much can I take without tax?")
	hasNot(t, doc, `[name=db_warning_given]`) // nobody here has a DB pension
	list, err := site.Feedback.Outcomes(t.Context(), id)
	if err != nil || len(list) != 1 || list[0].By != ann.Account.ID || *list[0].GoalsMet ||
		!*list[0].UnderstandingChecked || list[0].Signposted != nil || len(list[0].Issues) != 2 {
		t.Errorf("kept: %+v, %v", list, err)
	}

	waiting := bring(t, site, passing, dcCustomer())
	if r := ann.Post(t, "/feedback/"+waiting+"/outcome", good); r.Status != http.StatusConflict {
		t.Errorf("a draft that nobody released: %d", r.Status)
	}
	hasNot(t, page(t, ann.Get(t, "/feedback/"+waiting), http.StatusOK),
		"[aria-labelledby=follow], [aria-labelledby=maker]")
	page(t, ann.Get(t, "/feedback/01900000-0000-7000-8000-000000000000"), http.StatusNotFound)
}

func TestAManagerReadsComments(t *testing.T) {
	site := apptest.Open(t)
	mia := site.SignedIn(t, account.Manager)
	has(t, page(t, mia.Get(t, "/feedback"), http.StatusOK), ".empty", "No comments yet")
	var ids []string
	for i := range 30 {
		site.Clock.Advance(time.Minute)
		id := observe(t, site, "Question?", fmt.Sprintf("Answer %d.", i))
		ids = append(ids, id)
		v := feedback.Vote{SubjectID: id, UserID: "u", Kind: feedback.Thumbs, Value: 1,
			Text: fmt.Sprintf("Lovely, number %d.", i), Channel: feedback.ChannelAPI}
		if i%3 == 0 {
			v.Value, v.Text = -1, fmt.Sprintf("ÜBERLANG and dull, number %d.", i)
		}
		if _, err := site.Feedback.Vote(t.Context(), v); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := site.Feedback.Vote(t.Context(),
		feedback.Vote{SubjectID: ids[0], UserID: "silent", Kind: feedback.Thumbs, Value: 1,
			Channel: feedback.ChannelAPI}); err != nil {
		t.Fatal(err)
	}
	mia = site.Enter(t, mia.Account)
	doc := page(t, mia.Get(t, "/feedback"), http.StatusOK)
	if n := doc.Find("#said > li").Length(); n != 25 {
		t.Fatalf("%d on the first page", n)
	}
	has(t, doc, "#said > li:first-child", "number 29")
	for _, path := range []string{"/feedback/examples", "/feedback/nightly"} { // no page led there
		page(t, mia.Get(t, path), http.StatusOK)
		has(t, doc, `main a[href="`+path+`"]`, "s")
	}
	next, ok := doc.Find(`.pager a[href*="cursor="]`).Attr("href")
	if !ok {
		t.Fatal("no way to the next page")
	}
	if n := page(t, mia.Get(t, next), http.StatusOK).Find("#said > li").Length(); n != 5 {
		t.Errorf("%d on the second page", n)
	}
	for query, n := range map[string]int{
		"sign=negative": 10, "sign=positive": 20, "sign=neutral": 0, "q=überlang": 10, "q=DULL+number": 10,
		"q=dull+lovely": 0, "q=%25": 0, "q=number+29": 1,
		"agent=tutor&topic=Photosynthesis&sign=negative": 10, "agent=other": 0, "topic=Osmosis": 0,
		"from=2026-11-02&to=2026-11-02&sign=negative": 10, "from=2026-11-03": 0, "to=2026-11-01": 0,
	} {
		doc := page(t, mia.Get(t, "/feedback?"+query), http.StatusOK)
		if got := doc.Find("#said > li").Length(); got != n {
			t.Errorf("%s: %d, want %d", query, got, n)
		}
		if n == 0 {
			has(t, doc, ".empty", "No matches")
		}
	}
	has(t, page(t, mia.Get(t, "/feedback?from=yesterday"), http.StatusUnprocessableEntity), "[role=alert]",
		"Enter the date as")
	has(t, page(t, mia.Get(t, "/feedback?from=2026-11-03&to=2026-11-01"), http.StatusUnprocessableEntity),
		"[role=alert]", "To: the first day")
	has(t, page(t, mia.Get(t, "/feedback?sign=nonsense"), http.StatusUnprocessableEntity), "[role=alert]",
		"Opinion: choose")
	// What can't be read is said, what stands instead, and the rest stays as it was asked for.
	for _, wrong := range []string{"from=abc", "from=2026-11-03&to=2026-11-01", "sign=zzz", "cursor=nonsense",
		"cursor=" + strings.Repeat("A", 300)} {
		doc := page(t, mia.Get(t, "/feedback?q=dull&agent=tutor&"+wrong), http.StatusUnprocessableEntity)
		has(t, doc, "[role=alert]", "Part of this address isn't valid")
		if n := doc.Find("#said > li").Length(); n != 10 || value(doc, ".queue-filters input[name=q]") != "dull" ||
			doc.Find(`select[name=agent] option[value=tutor][selected]`).Length() != 1 {
			t.Errorf("%s: %d comments, and the filter %q", wrong, n, value(doc, ".queue-filters input[name=q]"))
		}
		if strings.HasPrefix(wrong, "from") && value(doc, "input[name=from]") == "" {
			t.Errorf("%s: the day is lost", wrong)
		}
	}
	has(t, page(t, mia.Get(t, "/feedback?sign=zzz"), http.StatusUnprocessableEntity), "[role=alert]",
		`"zzz" is none of them.`)
	has(t, page(t, mia.Get(t, "/feedback?cursor=nonsense"), http.StatusUnprocessableEntity), "[role=alert]",
		"This is the first page.")
	for _, path := range []string{"/feedback/examples?cursor=nonsense", "/feedback/examples?state=zzz",
		"/feedback/nightly?cursor=nonsense", "/preferences/pairs?cursor=nonsense"} {
		doc := page(t, mia.Get(t, path), http.StatusUnprocessableEntity)
		if doc.Find("[role=alert]").Length() != 1 || doc.Find("main nav, main form").Length() == 0 &&
			!strings.Contains(path, "nightly") {
			t.Errorf("%s is no page of its own: %s", path, words(doc, "main"))
		}
	}
	// nobody's secret: it was not reviewed
	has(t, page(t, mia.Get(t, "/feedback/"+ids[0]), http.StatusOK), "[aria-labelledby=texts]", "Answer 0.")
}

// People talk to an observed agent; what is under review is no place to talk.
func TestChatWithAnObservedAgent(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Expert)
	bring(t, site, passing, dcCustomer())
	reviewed := func(path string) {
		t.Helper()
		has(t, page(t, ann.Get(t, path), http.StatusOK), ".lead", "A person checks each answer")
		if r := ann.Post(t, path+"/x", url.Values{"vote": {"1"}}); r.Status != http.StatusForbidden {
			t.Errorf("vote on an answer of %s: %d", path, r.Status)
		}
	}
	reviewed("/chat/pension-advisor")
	page(t, ann.Get(t, "/chat/nobody"), http.StatusNotFound)
	for name, scopes := range map[string][]account.Scope{"drafter": {account.Submit, account.Feedback}, "asked": nil} {
		// it may hand in; the desk made it
		if _, err := site.Accounts.EnsureAgent(t.Context(), name, "pension"); err != nil {
			t.Fatal(err)
		}
		if scopes != nil {
			if _, _, err := site.Accounts.CreateToken(t.Context(), name, "pension", scopes, time.Time{},
				audit.System("test")); err != nil {
				t.Fatal(err)
			}
		}
		reviewed("/chat/" + name)
	}
	observe(t, site, "What is photosynthesis?", "Plants make sugar from light.")
	doc := page(t, ann.Get(t, "/chat"), http.StatusOK)
	has(t, doc, `.results a[href="/chat/tutor"]`, "tutor")
	has(t, doc, "[aria-labelledby=reviewed]", "pension-advisor")

	has(t, page(t, ann.Get(t, "/chat/tutor"), http.StatusOK), ".lead", "Nobody reviews them")
	doc = page(t, ann.Post(t, "/chat/tutor", url.Values{"question": {"  "}}), http.StatusUnprocessableEntity)
	has(t, doc, "#question-error", "Enter your question")
	r := ann.Post(t, "/chat/tutor", url.Values{"question": {"How is tax-free cash worked out? " + payload}})
	if r.Status != http.StatusSeeOther {
		t.Fatalf("ask: %d %.300s", r.Status, r.Body)
	}
	talk, err := url.Parse(r.Header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	doc = page(t, ann.Get(t, talk.RequestURI()), http.StatusOK)
	has(t, doc, ".talk .question", payload)
	hasNot(t, doc, ".talk script, .talk img")
	thumbs := doc.Find(".talk form").AttrOr("action", "")
	session := talk.Query().Get("s")
	if r := ann.Post(t, thumbs, url.Values{"vote": {"1"}, "session": {session}}); r.Status != http.StatusSeeOther {
		t.Fatalf("vote: %d", r.Status)
	}
	doc = page(t, ann.Get(t, talk.RequestURI()), http.StatusOK)
	if doc.Find(`.talk button[value="1"][aria-pressed=true]`).Length() != 1 {
		t.Error("the thumb is not shown")
	}
	answer := thumbs[len("/chat/tutor/"):]
	if list := votesOn(t, site, answer); len(list) != 1 || list[0].Channel != feedback.ChannelChat ||
		list[0].UserID != ann.Account.ID {
		t.Errorf("the votes are %+v", list)
	}
	for _, vote := range []string{"2", "", "NaN"} {
		if r := ann.Post(t, thumbs, url.Values{"vote": {vote}}); r.Status != http.StatusUnprocessableEntity {
			t.Errorf("vote %q: %d", vote, r.Status)
		}
	}

	hasNot(t, page(t, ben.Get(t, talk.RequestURI()), http.StatusOK), ".talk") // a talk is its person's alone
	if r := ben.Post(t, thumbs, url.Values{"vote": {"-1"}}); r.Status != http.StatusNotFound {
		t.Errorf("somebody else's answer: %d", r.Status)
	}
	r = ben.Post(t, "/chat/tutor", url.Values{"question": {"And mine?"}, "session": {session}})
	mine, err := url.Parse(r.Header.Get("Location"))
	if err != nil || r.Status != http.StatusSeeOther {
		t.Fatalf("ask: %d", r.Status)
	}
	if n := page(t, ben.Get(t, mine.RequestURI()), http.StatusOK).Find(".talk > li").Length(); n != 1 {
		t.Errorf("%d answers in a talk of somebody else's number", n)
	}
	for range 40 {
		if r = ben.Post(t, "/chat/tutor", url.Values{"question": {"Again?"}}); r.Status != http.StatusSeeOther {
			break
		}
	}
	doc = page(t, r, http.StatusTooManyRequests)
	has(t, doc, "textarea[name=question]", "Again?")
}
