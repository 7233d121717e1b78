package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/review"
)

// show opens a case, in a form when the query says so.
func show(t *testing.T, c *apptest.Client, id, query string) *goquery.Document {
	t.Helper()
	return page(t, c.Get(t, "/reviews/"+id+query), http.StatusOK)
}

// revise has somebody send their own text for a case.
func revise(t *testing.T, c *apptest.Client, id string) {
	t.Helper()
	form := with(seen(t, show(t, c, id, "?mode=revise"), "#decide"), "text", corrected, "reason",
		"It never says what she gives up.", "only_customer", "1")
	if r := c.Post(t, "/reviews/"+id+"/revise", form); r.Status != http.StatusSeeOther {
		t.Fatalf("revise: %d %.500s", r.Status, r.Body)
	}
}

func approve(t *testing.T, c *apptest.Client, id string) apptest.Response {
	t.Helper()
	return c.Post(t, "/reviews/"+id+"/approve", seen(t, show(t, c, id, ""), `form[action$="/approve"]`))
}

// released brings a case, has it approved and delivered.
func released(t *testing.T, site *apptest.Site, c *apptest.Client) string {
	t.Helper()
	id := bring(t, site, passing, dcCustomer())
	if r := approve(t, c, id); r.Status != http.StatusSeeOther {
		t.Fatalf("approve: %d", r.Status)
	}
	site.Clock.Advance(time.Minute)
	site.Drain(t)
	return id
}

// "Annotated" and "reviewed and final" are two states: a first signature is not the last word, and whose is missing is
// said.
func TestPeerRequest9_SignedIsNotFinal(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	id := bring(t, site, failing, dbCustomer())
	has(t, show(t, ann, id, "?mode=revise"), ".bar", "Needs 2 approvals: yours is the first")
	revise(t, ann, id)

	doc := show(t, ann, id, "")
	has(t, doc, ".notices", "Needs 2 approvals · 1 of 2 approved")
	has(t, doc, ".notices", "You approved it first")
	hasNot(t, doc, `form[action$="/approve"]`)
	has(t, doc, ".bar", "Withdraw your approval")
	has(t, doc, "#rail .rail-state", "1 of 2 approved")
	has(t, doc, "#rail .rail-state", "Withdraw")

	doc = show(t, ben, id, "")
	has(t, doc, ".signed", ann.Account.Name+" revised it")
	has(t, doc, ".signed", "It never says what she gives up.")
	has(t, doc, ".draft", "guaranteed income for life")
	has(t, doc, ".changed ins", "guaranteed income for life")
	has(t, doc, ".bar", "Confirm and next")
	has(t, doc, ".bar", "Yours is the second approval")
	if r := approve(t, ben, id); r.Status != http.StatusSeeOther {
		t.Fatalf("confirm: %d %.300s", r.Status, r.Body)
	}
	doc = show(t, ann, id, "")
	has(t, doc, ".outcome", ben.Account.Name+" confirmed it")
	has(t, doc, ".claim-host", "revised by "+ann.Account.Name+" and "+ben.Account.Name)
	has(t, doc, ".outcome", "sends in 30 s")
}

func TestTheFirstSignerWithdrawsAndTheSecondDecidesOtherwise(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	id := bring(t, site, failing, dbCustomer())
	revise(t, ann, id)
	doc := show(t, ann, id, "")
	r := ann.Post(t, doc.Find(`.bar form[action^="/decisions/"]`).AttrOr("action", ""), nil)
	if r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/reviews/"+id+"?mode=revise" {
		t.Fatalf("withdraw: %d to %q", r.Status, r.Header.Get("Location"))
	}
	doc = show(t, ann, id, "?mode=revise") // what she typed is in the form again
	has(t, doc, "textarea[name=text]", "guaranteed income for life")
	if got := doc.Find("#reason").AttrOr("value", ""); !strings.Contains(got, "what she gives up") {
		t.Errorf("the reason came back as %q", got)
	}
	revise(t, ann, id)

	form := with(seen(t, show(t, ben, id, "?mode=reject"), "#decide"), "reason_code", "vulnerable_customer")
	if r := ben.Post(t, "/reviews/"+id+"/reject", form); r.Status != http.StatusSeeOther {
		t.Fatalf("reject: %d %.300s", r.Status, r.Body)
	}
	has(t, show(t, ann, id, ""), "#rail", ben.Account.Name+" decided differently")
}

// Undo takes back each kind of decision, and what was typed for it is not typed again.
func TestPeerRequest5_EveryDecisionCanBeUndone(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	for kind, form := range map[string]url.Values{
		review.Approve: {},
		review.Reject:  {"reason_code": {"wrong_facts"}, "reason": {"The age is wrong."}},
		review.Return:  {"reason": {"Say where the figures come from."}},
		review.Revise: {"text": {passing + " And more."}, "reason": {"It is short."}, "teach.0.kind": {"other"},
			"teach.0.on": {"1"}, "teach.0.text": {"Say more."}, "when.0.kind": {"scope"}, "when.0.value": {"universal"},
			"when.0.on": {"1"}},
	} {
		id := bring(t, site, passing, dcCustomer())
		query, where := "?mode="+kind, "#decide"
		if kind == review.Approve {
			query, where = "", `form[action$="/approve"]`
		}
		send := seen(t, show(t, ann, id, query), where)
		for k, v := range form {
			send[k] = v
		}
		if r := ann.Post(t, "/reviews/"+id+"/"+kind, send); r.Status != http.StatusSeeOther {
			t.Fatalf("%s: %d %.500s", kind, r.Status, r.Body)
		}
		doc := show(t, ann, id, "")
		r := ann.Post(t, doc.Find(`.bar form[action^="/decisions/"]`).AttrOr("action", ""), nil)
		if r.Status != http.StatusSeeOther {
			t.Fatalf("undo of %s: %d %.300s", kind, r.Status, r.Body)
		}
		doc = page(t, ann.Get(t, r.Header.Get("Location")), http.StatusOK)
		has(t, doc, "#notice", "Undone. Nothing was sent.")
		has(t, doc, ".claim-host", "You're reviewing this")
		for name, v := range form {
			if name == "reason_code" {
				if doc.Find(`input[value="`+v[0]+`"][checked]`).Length() != 1 {
					t.Errorf("%s: the reason is not chosen any more", kind)
				}
				continue
			}
			if strings.HasPrefix(name, "when.") || strings.HasSuffix(name, ".kind") || strings.HasSuffix(name, ".on") {
				continue
			}
			if field := doc.Find(`#decide [name="` + name + `"], [form=decide][name="` + name +
				`"]`); !strings.Contains(field.Text()+field.AttrOr("value", "")+doc.Find("#teach-rows").Text(), v[0]) {
				t.Errorf("%s: %s is %q", kind, name, field.Text()+field.AttrOr("value", ""))
			}
		}
	}
}

func TestStoppingWhatSomebodyElseDecidedTakesAReason(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passing, dcCustomer())
	approve(t, ann, id)
	has(t, show(t, ben, id, ""), ".bar", "Stop it")
	doc := show(t, ben, id, "?mode=stop")
	action := doc.Find("#decide").AttrOr("action", "")
	form := seen(t, doc, "#decide")
	doc = page(t, ben.Post(t, action, form), http.StatusUnprocessableEntity)
	has(t, doc, "#reason-error", "Say why you're stopping it")
	if r := ben.Post(t, action, with(form, "reason", "The figure is last year's.")); r.Status != http.StatusSeeOther ||
		r.Header.Get("Location") != "/reviews/"+id {
		t.Fatalf("stop: %d to %q", r.Status, r.Header.Get("Location"))
	}
	doc = show(t, ben, id, "")
	has(t, doc, "#notice", "Stopped")
	has(t, doc, ".history", "The figure is last year's.")
	hasNot(t, doc, ".typed-line")
	doc = show(t, ann, id, "")
	has(t, doc, "#rail", "stopped by "+ben.Account.Name)
	has(t, doc, "#case-notices", ben.Account.Name+" stopped the decision")
	has(t, doc, "#case-notices", "The figure is last year's.")
}

// An approval that is withdrawn while a colleague has the review leaves it theirs, and says who did what to them.
func TestAnApprovalIsWithdrawnUnderAColleague(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passingDB, dbCustomer())
	if r := approve(t, ann, id); r.Status != http.StatusSeeOther {
		t.Fatalf("approve: %d %.300s", r.Status, r.Body)
	}
	ben.Post(t, "/reviews/"+id+"/claim", nil)
	open := show(t, ben, id, "")
	r := ann.Post(t, show(t, ann, id, "").Find(`.bar form[action^="/decisions/"]`).AttrOr("action", ""), nil)
	if r.Status != http.StatusSeeOther {
		t.Fatalf("withdraw: %d %.300s", r.Status, r.Body)
	}
	has(t, show(t, ann, id, ""), "#notice", ben.Account.Name+" is reviewing it")
	doc := page(t, ben.Post(t, "/reviews/"+id+"/approve", seen(t, open, `form[action$="/approve"]`)),
		http.StatusConflict)
	has(t, doc, ".notices", ann.Account.Name+" withdrew the approval at ")
	hasNot(t, doc, `.notices:contains("What you typed")`)
}

// Who starts a review that a colleague just took is told who has it, and of no failure.
func TestStartingWhatAColleagueHas(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passing, dcCustomer())
	open := show(t, ann, id, "")
	ben.Post(t, "/reviews/"+id+"/claim", nil)
	in := url.Values{"standing": {open.Find("#claim > input[name=standing]").AttrOr("value", "")}}
	doc := page(t, ann.Do(t, http.MethodPost, "/reviews/"+id+"/claim", "application/x-www-form-urlencoded", in.Encode(),
		"Sec-Fetch-Site", "same-origin", "HX-Request", "true"), http.StatusOK)
	same(t, doc, show(t, ann, id, ""))
	has(t, doc, "#case-notices", ben.Account.Name+" is reviewing this")
}

// A recalled text that somebody else sends again unchanged is their decision and its author's text.
func TestARecalledTextIsSentAgainUnchanged(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passing, dcCustomer())
	d := decide(t, site, id, ann.Account, review.Input{Kind: review.Revise,
		Text: "A quarter is usually tax free, up to a limit, from age 57.", Reason: "Dealing costs were left out."})
	site.Clock.Advance(time.Minute)
	site.Drain(t)
	if _, err := site.Reviews.Recall(t.Context(), d.ID, person(ben.Account), "Is it right?"); err != nil {
		t.Fatal(err)
	}
	ann, ben = site.Enter(t, ann.Account), site.Enter(t, ben.Account)
	has(t, show(t, ben, id, ""), "#approve", "Send again unchanged")
	if r := approve(t, ben, id); r.Status != http.StatusSeeOther {
		t.Fatalf("send again: %d %.300s", r.Status, r.Body)
	}
	site.Clock.Advance(time.Minute)
	site.Drain(t)
	ben = site.Enter(t, ben.Account)
	doc := show(t, ben, id, "")
	has(t, doc, "#outcome", ben.Account.Name+" sent it again unchanged")
	has(t, doc, "#outcome", "Reason of the revision, by "+ann.Account.Name)
	hasNot(t, doc, `#outcome:contains("What changed")`)
	has(t, doc, ".history", "Sent again unchanged by "+ben.Account.Name)
	has(t, page(t, ben.Get(t, "/reviews?state=done"), http.StatusOK), ".queue-row", "sent again unchanged by you")
	lessons, err := site.Learning.ForInteraction(t.Context(), id)
	if err != nil || len(lessons) == 0 {
		t.Errorf("nothing is learned: %v", err)
	}
	for _, l := range lessons {
		if l.By != ann.Account.Name {
			t.Errorf("%s is learned from %s", l.Title, l.By)
		}
	}
	revised := func(who string) int {
		n, err := db.Read(t.Context(), site.DB, func(tx *db.Tx) (int, error) {
			return db.Value[int](tx, "revisions of one", `SELECT COALESCE(sum(n), 0) FROM stat_block
				WHERE measure = 'decision.revise' AND who = $1`, who)
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	site.CountsHold(t)
	if a, b := revised(ann.Account.ID), revised(ben.Account.ID); a == 0 || b != 0 {
		t.Errorf("%d revisions of the author and %d of who sent it again", a, b)
	}
}

func TestWhatWasDeliveredIsRecalledToBeCorrected(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	ann = site.Enter(t, ann.Account)
	id := released(t, site, ann)
	ann, ben = site.Enter(t, ann.Account), site.Enter(t, ben.Account)
	doc := show(t, ann, id, "")
	has(t, doc, "#rail .rail-state", "Correct")
	doc = show(t, ben, id, "?mode=recall")
	action, form := doc.Find("#decide").AttrOr("action", ""), seen(t, doc, "#decide")
	doc = page(t, ben.Post(t, action, form), http.StatusUnprocessableEntity)
	has(t, doc, "#reason-error", "what is wrong")
	if r := ben.Post(t, action, with(form, "reason", "The age is 57 from 2028.")); r.Status != http.StatusSeeOther {
		t.Fatalf("recall: %d %.300s", r.Status, r.Body)
	}
	doc = show(t, ben, id, "")
	has(t, doc, "#notice", "Recalled")
	has(t, doc, ".notices", "This was sent and is being corrected")
	has(t, doc, ".notices", "The age is 57 from 2028.")
	has(t, doc, "#draft-title", "The text that was sent")
	has(t, doc, ".case-head", "correction")
	has(t, doc, ".bar", "Sent as a correction")
	has(t, doc, ".notices", "already have the text below")
	has(t, doc, "#recall-told", "The agent doesn't know of the recall yet: it has no webhook, and hasn't asked for it since.")
	agent := site.Nobody(t)
	agent.Header.Set("Authorization", "Bearer "+site.Token(t, account.Submit))
	for range 2 {
		agent.JSON(t, http.MethodGet, "/api/guidance/"+id, "")
	}
	doc = show(t, ben, id, "")
	has(t, doc, "#recall-told", "The agent asked for it and was told of the recall")
	if n := doc.Find(`.history li:contains("Recall read")`).Length(); n != 1 {
		t.Errorf("that the agent read it is noted %d times", n)
	}
	for _, mode := range []string{"reject", "return"} {
		doc = show(t, ben, id, "?mode="+mode)
		has(t, doc, "#decide", "No correction is sent. The customer may already have the text that was sent")
		hasNot(t, doc, `#decide:contains("won't see")`)
	}
	doc = page(t, ann.Post(t, action, with(form, "reason", "too", "as", ann.Account.ID)), http.StatusConflict)
	has(t, doc, ".notices", "already recalled this")

	const better = "A quarter is usually tax free, up to a limit, from age 57."
	if err := site.Reviews.Claim(t.Context(), id, person(ben.Account)); err != nil {
		t.Fatal(err)
	}
	decide(t, site, id, ben.Account, review.Input{Kind: review.Revise, Text: better, Reason: "The age is 57."})
	for range 2 { // held, then sent
		doc = show(t, ann, id, "")
		has(t, doc, "#draft-title", "The text that was recalled")
		if at := words(doc, "#case-draft"); !strings.Contains(at, better) ||
			strings.Index(at, better) > strings.Index(at, "The text that was recalled") {
			t.Errorf("the correction doesn't come first: %s", at)
		}
		site.Clock.Advance(time.Hour)
		ann, ben = site.Enter(t, ann.Account), site.Enter(t, ben.Account)
	}
}

// While a correction waits for its second approval, what the customer may have is the text that was sent, not that.
func TestACorrectionToConfirmIsNotWhatWasSent(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passing, frailCustomer())
	decide(t, site, id, ann.Account, review.Input{Kind: review.Approve})
	d := decide(t, site, id, ben.Account, review.Input{Kind: review.Approve})
	site.Clock.Advance(time.Hour)
	site.Drain(t)
	if _, err := site.Reviews.Recall(t.Context(), d.ID, person(ben.Account),
		"Too short."); err != nil {
		t.Fatal(err)
	}
	if err := site.Reviews.Unclaim(t.Context(), id, person(ben.Account)); err != nil {
		t.Fatal(err)
	}
	decide(t, site, id, ann.Account, review.Input{Kind: review.Revise, Text: passing + " More.", Reason: "Too short."})
	ann, ben = site.Enter(t, ann.Account), site.Enter(t, ben.Account)
	for _, c := range []*apptest.Client{ann, ben} {
		doc := show(t, c, id, "")
		has(t, doc, "#draft-title", "The text to confirm")
		hasNot(t, doc, `.notices:contains("the text below")`)
		has(t, doc, ".notices details .user-text", passing)
		if doc.Find(`.notices:contains("What you decide now")`).Length() != map[bool]int{true: 1}[c == ben] {
			t.Error("who can't decide is told that they do")
		}
	}
}

// Who undoes a moment too late is led to where it can be recalled; nobody else is blamed.
func TestUndoneTooLateLeadsToTheRecall(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	for what, take := range map[string]func(d *review.Decision){
		"sent": func(*review.Decision) { site.Clock.Advance(time.Hour); site.Drain(t) },
		"due":  func(*review.Decision) { site.Clock.Advance(time.Hour) },
		"undone": func(d *review.Decision) {
			if _, err := site.Reviews.Undo(t.Context(), d.ID, d.By, ""); err != nil {
				t.Fatal(err)
			}
		},
	} {
		id := bring(t, site, passing, dcCustomer())
		d := decide(t, site, id, ann.Account, review.Input{Kind: review.Approve})
		take(d)
		ann = site.Enter(t, ann.Account)
		r := ann.Post(t, "/decisions/"+d.ID+"/undo", url.Values{"as": {ann.Account.ID}})
		if r.Status != http.StatusSeeOther || !strings.HasPrefix(r.Header.Get("Location"), "/reviews/"+id) {
			t.Fatalf("%s: %d to %q", what, r.Status, r.Header.Get("Location"))
		}
		doc := show(t, ann, id, "")
		has(t, doc, "#notice", map[string]string{"sent": "This has already been sent and can't be undone.",
			"due": "It's too late to undo this.", "undone": "This has already been undone."}[what])
		if doc.Find("#recall").Length() != map[string]int{"sent": 1}[what] {
			t.Errorf("%s: it can't be recalled there", what)
		}
	}
}

func TestWhatIsTypedIsThereAgain(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passing, dcCustomer())
	typedForm := with(seen(t, show(t, ann, id, "?mode=revise"), "#decide"), "mode", "revise", "text", "Half a sen",
		"reason", "It <b>is</b>", "tab", "a", "seen", "0")
	r := ann.Do(t, http.MethodPost, "/reviews/"+id+"/draft", "application/x-www-form-urlencoded", typedForm.Encode(),
		"Sec-Fetch-Site", "same-origin", "Accept", "text/plain")
	if r.Status != http.StatusOK || !strings.HasPrefix(r.Body, "Saved ") {
		t.Fatalf("save: %d %q", r.Status, r.Body)
	}
	r = ann.Do(t, http.MethodPost, "/reviews/"+id+"/draft", "application/x-www-form-urlencoded",
		with(typedForm, "tab", "b", "text", "Another").Encode(), "Sec-Fetch-Site", "same-origin", "Accept", "text/plain")
	if r.Status != http.StatusPreconditionFailed || !strings.Contains(r.Body, "another window") {
		t.Errorf("a second window that doesn't show it: %d %q", r.Status, r.Body)
	}
	elsewhere := site.SignIn(t, ann.Account) // another browser, after signing in again
	doc := show(t, elsewhere, id, "?mode=revise")
	has(t, doc, "textarea[name=text]", "Half a sen")
	if got := doc.Find("#reason").AttrOr("value", ""); got != "It <b>is</b>" {
		t.Errorf("the reason came back as %q", got)
	}
	has(t, doc, "[data-saved]", "Saved")
	has(t, show(t, elsewhere, id, ""), ".typed-line", "Unfinished revision")
	if got := show(t, site.SignedIn(t, account.Supervisor), id, "?mode=revise").Find("#reason").AttrOr("value",
		""); got != "" {
		t.Errorf("somebody else reads %q", got)
	}

	r = elsewhere.Post(t, "/reviews/"+id+"/draft/discard",
		url.Values{"version": {typedForm.Get("version")}, "mode": {"revise"}, "open": {"revise"}})
	if r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/reviews/"+id+"?mode=revise" {
		t.Fatalf("discard: %d to %q", r.Status, r.Header.Get("Location"))
	}
	hasNot(t, show(t, ann, id, ""), ".typed-line")

	r = ann.Post(t, "/reviews/"+id+"/draft", typedForm) // without a script it is a button
	if r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/reviews/"+id+"?mode=revise" {
		t.Fatalf("save for later: %d to %q", r.Status, r.Header.Get("Location"))
	}
	has(t, show(t, ann, id, "?mode=revise"), "#notice", "Saved")
	if r := ann.Post(t, "/reviews/"+id+"/approve",
		seen(t, show(t, ann, id, ""), `form[action$="/approve"]`)); r.Status != http.StatusSeeOther {
		t.Fatal(r.Status)
	}
	hasNot(t, show(t, ann, id, ""), "#kept-text, .typed-line, [id^=before-]")
}

func TestWhatWasTypedForAnOlderTextIsOffered(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	id := bring(t, site, failing, dbCustomer())
	late := with(seen(t, show(t, ben, id, "?mode=revise"), "#decide"), "text", corrected+" Ben's words.", "reason",
		"Ben's reason", "teach.0.kind", "other", "teach.0.on", "1", "teach.0.text", "Ben's feedback", "when.90.kind",
		"scope", "when.90.value", "universal", "when.90.on", "1")
	revise(t, ann, id)
	doc := page(t, ben.Post(t, "/reviews/"+id+"/revise", late), http.StatusConflict)
	has(t, doc, "textarea[name=text], #kept-text", "Ben's words.")
	doc = show(t, ben, id, "") // a day later: the refused form was saved
	has(t, doc, ".notices", "The text has changed since you typed")
	has(t, doc, ".notices textarea", "Ben's words.")
	use := doc.Find(`.notices a:contains("Use it here")`).AttrOr("href", "")
	doc = page(t, ben.Get(t, use), http.StatusOK)
	has(t, doc, "textarea[name=text]", "Ben's words.")
	has(t, doc, "#teach-rows", "Ben's feedback")
	if v := doc.Find("#decide input[name=version]").AttrOr("value", ""); v != "2" {
		t.Errorf("the form is about version %s, want the one under review", v)
	}
}

// The page that was loaded ahead takes the place only when it shows the very text that was handed out.
func TestTheNextCaseIsLoadedAheadAndTakesNothing(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	first, second, third := bring(t, site, passing, dcCustomer()), bring(t, site, passing, dcCustomer()),
		bring(t, site, passing, dcCustomer())
	if r := ann.Post(t, "/reviews/next", nil); r.Header.Get("Location") != "/reviews/"+first {
		t.Fatal(r.Header.Get("Location"))
	}
	doc := show(t, ann, first, "")
	where := doc.Find("[data-ahead]").AttrOr("data-ahead", "")
	look := func(have string) apptest.Response {
		t.Helper()
		return ann.Do(t, http.MethodGet, where, "", "", "HX-Request", "true", "X-Case-Ahead", have)
	}
	next := look("")
	key := next.Header.Get("X-Case-Ahead")
	has(t, page(t, next, http.StatusOK), "#main .case-page .draft", "Free, impartial guidance")
	if !strings.HasPrefix(key, second+".1.") {
		t.Fatalf("ahead is %q, want %s", key, second)
	}
	if r := look(key); r.Status != http.StatusNoContent || r.Header.Get("X-Case-Ahead") != key {
		t.Errorf("what the browser has is sent again: %d", r.Status)
	}
	if item, err := site.Reviews.Get(t.Context(), second); err != nil || item.Claim.By.ID != "" {
		t.Fatalf("looking took it: %+v %v", item.Claim, err)
	}

	decide := func(id, ahead string) apptest.Response {
		t.Helper()
		form := seen(t, show(t, ann, id, ""), `form[action$="/approve"]`)
		return ann.Do(t, http.MethodPost, "/reviews/"+id+"/approve", "application/x-www-form-urlencoded", form.Encode(),
			"Sec-Fetch-Site", "same-origin", "HX-Request", "true", "HX-Boosted", "true", "X-Case-Ahead", ahead)
	}
	r := decide(first, key)
	part := page(t, r, http.StatusOK)
	if r.Header.Get("X-Case-Ahead") != key || r.Header.Get("HX-Push-Url") != "/reviews/"+second {
		t.Errorf("%v", r.Header)
	}
	hasNot(t, part, ".draft")
	has(t, part, "#claim", "You're reviewing this")
	has(t, part, "#rail", "approved")
	has(t, part, "#case-nav", "1 / 2")

	if err := site.Reviews.Claim(t.Context(), third, person(ben.Account)); err != nil { // somebody is faster
		t.Fatal(err)
	}
	fourth := bring(t, site, passing, dcCustomer())
	r = decide(second, third+key[len(second):])
	has(t, page(t, r, http.StatusOK), "#main .case-page .draft", "Free, impartial guidance")
	if r.Header.Get("HX-Push-Url") != "/reviews/"+fourth || r.Header.Get("X-Case-Ahead") != "" {
		t.Errorf("%v, want the page of what was handed out", r.Header)
	}
	r = decide(fourth, third+".1."+interaction.TextHash("another text"))
	if r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/reviews" {
		t.Errorf("with nothing left it goes on to %q: %d", r.Header.Get("Location"), r.Status)
	}
}

func TestSimilarDecisionsStandBesideTheCase(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	before := bring(t, site, passing, dcCustomer())
	form := with(seen(t, show(t, ann, before, "?mode=reject"), "#decide"), "reason_code", "wrong_facts", "reason",
		"The age is 57 soon.")
	ann.Post(t, "/reviews/"+before+"/reject", form)
	id := bring(t, site, passing, dcCustomer())
	doc := show(t, ann, id, "")
	link := doc.Find("#similar a").AttrOr("href", "")
	has(t, page(t, ann.Get(t, link), http.StatusOK), "#main #similar", "The age is 57 soon.")
	part := page(t, ann.Do(t, http.MethodGet, doc.Find("#similar").AttrOr("hx-get", ""), "", "", "HX-Request", "true"),
		http.StatusOK)
	hasNot(t, part, "#main")
	has(t, part, `#similar a[href="/reviews/`+before+`"]`, "Rejected")
	has(t, part, "#similar", "Wrong facts")
	has(t, part, "#similar", "says “")
}

// Whoever holds a case may go on with it in a second tab, after an undo, and after their hold ran out.
func TestPeerDefect5_TheHolderIsNeverShutOut(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passing, dcCustomer())
	tab := site.Enter(t, ann.Account)
	for _, c := range []*apptest.Client{ann, tab, ann} {
		if r := c.Post(t, "/reviews/"+id+"/claim", nil); r.Status != http.StatusSeeOther {
			t.Fatalf("claim: %d", r.Status)
		}
	}
	approve(t, ann, id)
	doc := show(t, tab, id, "")
	tab.Post(t, doc.Find(`.bar form[action^="/decisions/"]`).AttrOr("action", ""), nil)
	site.Clock.Advance(11 * time.Minute)
	doc = show(t, ann, id, "")
	has(t, doc, ".claim-host", "Your 10 minutes are up")
	if doc.Find(`.claim-host form[action$="/claim"] button`).Length() != 1 {
		t.Error("taking it again is not one click")
	}
	if r := ann.Post(t, "/reviews/"+id+"/approve", seen(t, doc, `form[action$="/approve"]`)); r.Status !=
		http.StatusSeeOther {
		t.Errorf("a claim that ran out and nobody took: %d, want the decision", r.Status)
	}
}

// A page carries one case and the names of its neighbours, and a click that comes late decides nothing else.
func TestPeerDefect6_OneCaseAndNoOther(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	var ids []string
	for range 12 {
		ids = append(ids, bring(t, site, passing, dcCustomer()))
	}
	r := ann.Get(t, "/reviews/"+ids[5])
	for i, id := range ids {
		if got := strings.Contains(r.Body, id); got != (i >= 4 && i <= 6) {
			t.Errorf("case %d is named on the page of case 5: %v", i, got)
		}
	}
	form := seen(t, page(t, r, http.StatusOK), `form[action$="/approve"]`)
	approve(t, ann, ids[6])
	other := with(form, "version", "2")
	page(t, ann.Post(t, "/reviews/"+ids[6]+"/approve", form), http.StatusConflict)
	page(t, ann.Post(t, "/reviews/"+ids[7]+"/approve", other), http.StatusConflict)
	if n, err := site.Reviews.Counts(t.Context(), ann.Account.ID, false); err != nil || n.Done != 1 {
		t.Errorf("%d cases are decided, %v, want the one that was meant", n.Done, err)
	}
}

// Nothing destructive has a key that one hits by accident, and what is typed is thrown away only after a question.
func TestPeerDefect7_NoKeyDestroysWork(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passing, dcCustomer())
	for _, mode := range []string{"", "?mode=revise", "?mode=reject", "?mode=return", "?mode=skip"} {
		doc := show(t, ann, id, mode)
		doc.Find("[data-key]").Each(func(_ int, e *goquery.Selection) {
			if k := e.AttrOr("data-key", ""); k == "Backspace" || k == "Delete" || k == " " {
				t.Errorf("%s: %q does something", mode, k)
			}
		})
		doc.Find(`form[action$="/discard"]`).Each(func(_ int, e *goquery.Selection) {
			if e.AttrOr("hx-confirm", "") == "" || e.Find("[data-key]").Length() > 0 {
				t.Errorf("%s: what was typed is discarded at once", mode)
			}
		})
		if mode != "" && doc.Find(`form#discard[hx-confirm]`).Length() != 1 {
			t.Errorf("%s: what was typed can't be discarded", mode)
		}
	}
}

// One key decides, saves and goes on.
func TestPeerRequest15_OneKeyDecidesAndGoesOn(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	first, second := bring(t, site, passing, dcCustomer()), bring(t, site, passing, dcCustomer())
	doc := show(t, ann, first, "")
	for key, control := range map[string]string{"a": "button#approve", "r": "a#revise", "x": "a#reject", "s": "a#skip",
		"j": ".case-nav a"} {
		e := doc.Find(control + `[data-key="` + key + `"]`)
		if e.Length() != 1 || e.AttrOr("aria-keyshortcuts", "") != key {
			t.Errorf("%s is not on %s", key, control)
		}
		if key != "j" && words(doc, control+" kbd") != key {
			t.Errorf("%s is not printed on %s", key, control)
		}
	}
	if r := approve(t, ann, first); r.Header.Get("Location") != "/reviews/"+second {
		t.Errorf("after the decision: %q, want the next case", r.Header.Get("Location"))
	}
	if mine := show(t, ann, second, ""); !strings.Contains(words(mine, ".claim-host"), "You're reviewing this") {
		t.Error("the next case is not mine")
	}
	doc = show(t, ann, second, "?mode=reject")
	if n := doc.Find("input[type=radio][data-key]").Length(); n != len(pack.Of(pack.Pension).Reasons) {
		t.Errorf("%d of %d reasons have a digit", n, len(pack.Of(pack.Pension).Reasons))
	}
	has(t, doc, "#send", "Ctrl+Enter")
}

// A claim is renewed while somebody is active, and shows who holds it.
func TestPeerRequest2_AClaimIsRenewedAndSaysWhose(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passing, dcCustomer())
	ann.Post(t, "/reviews/"+id+"/claim", nil)
	for range 5 {
		site.Clock.Advance(9 * time.Minute)
		ann = site.Enter(t, ann.Account)
		if r := ann.Do(t, http.MethodPost, "/reviews/"+id+"/renew", "", "", "Sec-Fetch-Site", "same-origin",
			"HX-Request", "true"); r.Status != http.StatusOK || !strings.Contains(r.Body, "re reviewing this") {
			t.Fatalf("renew: %d %s", r.Status, r.Body)
		}
	}
	doc := show(t, site.Enter(t, ben.Account), id, "")
	has(t, doc, ".claim-host", ann.Account.Name+" is reviewing this")
	has(t, doc, ".notices", ann.Account.Name+" is reviewing this")
}
