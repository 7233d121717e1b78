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
	"preceptor/internal/comment"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/rule"
)

const runsOut = "There is a risk that the pot runs out."

var aboutDrawdown = rule.Condition{Kind: rule.Topic, Values: []string{pack.Drawdown}}

var (
	saysRisk  = rule.Statement{When: []rule.Condition{aboutDrawdown}, Do: rule.Act{Kind: rule.Include, Text: runsOut}}
	leavesOut = rule.Statement{When: []rule.Condition{aboutDrawdown,
		{Kind: rule.Field, Name: "literacy", Op: rule.Is, Values: []string{"low"}}},
		Do: rule.Act{Kind: rule.Never, Phrases: []string{runsOut}}}
)

// addRule puts a rule into the base as if a person had accepted it, and has it compared.
func addRule(t *testing.T, site *apptest.Site, s rule.Statement, status string) (r knowledge.Rule) {
	t.Helper()
	text := knowledge.RuleOf(s, pack.Of(pack.Pension))
	text.Confidence = 0.8
	err := site.DB.Write(t.Context(), func(tx *db.Tx) (err error) {
		r, err = site.Knowledge.AddRuleTx(tx,
			knowledge.Rule{Status: status, Domain: knowledge.RiskDisclosure, RuleText: text})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	site.Drain(t)
	return r
}

func TestAContradictionIsSettledByAPerson(t *testing.T) {
	site := apptest.Open(t)
	ann, edie := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Expert)
	has(t, page(t, edie.Get(t, "/knowledge/conflicts"), http.StatusOK), ".empty", "No open conflicts")
	left, right := addRule(t, site, saysRisk, knowledge.Active), addRule(t, site, leavesOut, knowledge.Active)

	doc := page(t, edie.Get(t, "/knowledge/conflicts"), http.StatusOK)
	has(t, doc, ".result", "Contradiction")
	has(t, doc, "#nav", "To do 1")
	has(t, doc, ".tabs [aria-current]", "Needs attention 1")
	link := doc.Find(".result a").First().AttrOr("href", "")
	has(t, page(t, edie.Get(t, "/inbox"), http.StatusOK), "main", "Rules or texts contradict each other")
	has(t, page(t, ann.Get(t, "/knowledge/rules/"+left.ID), http.StatusOK), "[aria-labelledby=conflicts]",
		"Contradiction")
	mo := site.SignedIn(t, account.Manager)
	doc = page(t, mo.Get(t, "/overview"), http.StatusOK)
	has(t, doc, `.figures a[href="/knowledge/conflicts"]`, "1 conflict")
	has(t, doc, `.figures a[href="/knowledge/quarantine"]`, "0 in quarantine")
	// a sum over several lists
	hasNot(t, doc, `.figures .value a[href^="/knowledge"], .figures .value a[href^="/learning"]`)

	forAnn := page(t, ann.Get(t, link), http.StatusOK)
	hasNot(t, forAnn, `form[action^="/knowledge/conflicts/"]`)
	has(t, forAnn, ".two-up", "never say")
	if r := ann.Post(t, link, url.Values{"choice": {"keep_left"}, "note": {"So."}}); r.Status != http.StatusForbidden {
		t.Errorf("a supervisor settles: %d", r.Status)
	}

	doc = page(t, edie.Get(t, link), http.StatusOK)
	has(t, doc, `button[name=choice][value=keep_left]`, "Keep "+left.Label()+" and retire "+right.Label())
	has(t, doc, `button[name=choice][value=keep_right]`, "Keep "+right.Label()+" and retire "+left.Label())
	hasNot(t, doc, `button[name=choice][value=merge]`) // what speaks for one of two opposites speaks against the other
	form := hiddenOf(t, doc, `form[action^="/knowledge/conflicts/"]`)
	bad := page(t, edie.Post(t, link, with(form, "choice", "narrow", "note", "It depends.", "side", "right")),
		http.StatusUnprocessableEntity)
	has(t, bad, "#teach-whom-error", "Choose a topic, or add a condition.")
	has(t, bad, "#note", "It depends.")
	bad = page(t,
		edie.Post(t, link, with(form, "choice", "narrow", "note", "", "side", "right", "when.40.kind", "field",
			"when.40.on", "1", "when.40.typed", "1", "when.40.name", "age", "when.40.how", "below", "when.40.values",
			"50")), http.StatusUnprocessableEntity)
	has(t, bad, "#note-error", "why")
	if got := bad.Find(".if-narrow .field input[name$=values]").First().AttrOr("value", ""); got != "50" {
		t.Errorf("the condition that was typed is %q", got)
	}
	stale := page(t, edie.Post(t, link, with(form, "choice", "keep_left", "note", "It depends.", "left_version", "9")),
		http.StatusConflict)
	has(t, stale, "#note", "It depends.")
	told, err := site.Comments.Unread(t.Context(), edie.Account.ID)
	if err != nil {
		t.Fatal(err)
	}
	r := edie.Post(t, link, with(form, "choice", "keep_left", "note", "People must know the risk.", "left_version",
		"1"))
	if r.Status != http.StatusSeeOther {
		t.Fatalf("settle: %d %.600s", r.Status, r.Body)
	}
	if n, err := site.Comments.Unread(t.Context(), edie.Account.ID); n != told-1 || err != nil {
		t.Errorf("%d of %d notices are unread once it is settled, %v", n, told, err)
	}
	has(t, page(t, edie.Get(t, link), http.StatusOK), ".notice", "Keep "+left.Label())
	has(t, page(t, edie.Get(t, "/knowledge/conflicts?closed=1"), http.StatusOK), ".result", "by ")
	has(t, page(t, edie.Get(t, "/knowledge/rules/"+right.ID), http.StatusOK), ".page-head .badge", "retired")
	hasNot(t, page(t, edie.Get(t, "/knowledge/conflicts"), http.StatusOK), ".result")
}

func TestWhoAcceptsSeesTheConflictFirst(t *testing.T) {
	site := apptest.Open(t)
	ann, edie := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Expert)
	old := rule.Statement{When: []rule.Condition{{Kind: rule.Topic, Values: []string{pack.DBTransfer}}},
		Do: rule.Act{Kind: rule.Never, Phrases: []string{"gives up a guaranteed income for life"}}}
	addRule(t, site, old, knowledge.Active)
	correct(t, site, ann)
	site.Drain(t)
	link := waitsForAcceptance(t, page(t, edie.Get(t, "/learning"), http.StatusOK), stated)
	has(t, page(t, edie.Get(t, link), http.StatusOK), ".lesson-side [aria-labelledby=conflicts]", "Contradiction")
	conflictLink := page(t, edie.Get(t, "/knowledge/conflicts"), http.StatusOK).Find(".result a").First().AttrOr("href",
		"")
	form := hiddenOf(t, page(t, edie.Get(t, conflictLink), http.StatusOK), `form[action^="/knowledge/conflicts/"]`)
	if r := edie.Post(t, conflictLink,
		with(form, "choice", "keep_left", "note", "The old rule stands.")); r.Status != http.StatusSeeOther {
		t.Fatalf("settle: %d %.600s", r.Status, r.Body)
	}
	has(t, page(t, edie.Get(t, link), http.StatusOK), "main", "Not accepted by")
}

func TestQuarantineIsSettledFromItsList(t *testing.T) {
	site := apptest.Open(t)
	ann, edie, tom := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Expert),
		site.SignedIn(t, account.Expert)
	has(t, page(t, edie.Get(t, "/knowledge/quarantine"), http.StatusOK), ".empty", "Nothing to review")
	r := addRule(t, site, saysRisk, knowledge.Active)
	at := "/knowledge/rules/" + r.ID
	hasNot(t, page(t, ann.Get(t, at), http.StatusOK), `form[action$="/quarantine"]`)
	form := hiddenOf(t, page(t, edie.Get(t, at), http.StatusOK), `form[action$="/quarantine"]`)
	page(t, edie.Post(t, at+"/quarantine", with(form, "doubt", " ")), http.StatusUnprocessableEntity)
	if res := edie.Post(t, at+"/quarantine",
		with(form, "doubt", "It frightens people.")); res.Status != http.StatusSeeOther {
		t.Fatalf("doubt: %d %.600s", res.Status, res.Body)
	}
	has(t, page(t, tom.Get(t, "/inbox"), http.StatusOK), "main", "was quarantined")
	doc := page(t, ann.Get(t, "/knowledge/quarantine"), http.StatusOK)
	has(t, doc, ".card", "It frightens people.")
	hasNot(t, doc, `form[action$="/settle"]`)
	form = hiddenOf(t, page(t, edie.Get(t, "/knowledge/quarantine"), http.StatusOK), `form[action$="/settle"]`)
	has(t, page(t, edie.Post(t, at+"/settle", with(form, "reason", "", "keep", "1")), http.StatusUnprocessableEntity),
		".field-error", "Say why")
	res := edie.Post(t, at+"/settle", with(form, "reason", "It is needed.", "keep", "1"))
	if res.Status != http.StatusSeeOther || res.Header.Get("Location") != "/knowledge/quarantine" {
		t.Fatalf("settle: %d %s", res.Status, res.Header.Get("Location"))
	}
	has(t, page(t, edie.Get(t, at), http.StatusOK), ".page-head .badge", "in use")
	if left := notices(t, site, tom.Account); len(left) != 0 { // it is settled, and not by him
		t.Errorf("unread: %+v", left)
	}
	has(t, page(t, tom.Get(t, "/inbox?all=1"), http.StatusOK), ".notice-row", "No action needed any more")
}

func TestAReviewThatIsDueIsDone(t *testing.T) {
	site := apptest.Open(t)
	r := addRule(t, site, saysRisk, knowledge.Active)
	if d := r.ReviewBy.Sub(site.Clock.Now()); d < 364*24*time.Hour || d > 366*24*time.Hour {
		t.Errorf("looked at again in %v", d)
	}
	site.Clock.Advance(350 * 24 * time.Hour)
	edie := site.SignedIn(t, account.Expert)
	doc := page(t, edie.Get(t, "/knowledge/quarantine"), http.StatusOK)
	has(t, doc, "[aria-labelledby=due]", "due on")
	at := "/knowledge/rules/" + r.ID + "/still-right"
	form := hiddenOf(t, doc, `form[action$="/still-right"]`)
	if res := site.SignedIn(t, account.Manager).Post(t, "/knowledge/rules/"+r.ID+"/ask",
		nil); res.Status != http.StatusSeeOther {
		t.Fatalf("ask: %d %.300s", res.Status, res.Body)
	}
	if n := len(notices(t, site, edie.Account)); n != 1 {
		t.Errorf("%d notices that ask to review the rule", n)
	}
	if log := page(t, site.SignedIn(t, account.Admin).Get(t, "/admin/audit?action=rule.review_asked"),
		http.StatusOK); !strings.Contains(log.Find("main").Text(), r.Label()) {
		t.Error("who asked is not on record")
	}
	has(t, page(t, edie.Post(t, at, with(form, "reason", "")), http.StatusUnprocessableEntity), ".field-error",
		"you checked")
	has(t, page(t, edie.Post(t, at, with(form, "reason", "Read COBS 19.", "review_by", "2001-01-01")),
		http.StatusUnprocessableEntity), ".field-error", "later")
	if res := edie.Post(t, at, with(form, "reason", "Read COBS 19.", "review_by",
		"")); res.Status != http.StatusSeeOther {
		t.Fatalf("still right: %d %.600s", res.Status, res.Body)
	}
	hasNot(t, page(t, edie.Get(t, "/knowledge/quarantine"), http.StatusOK), "[aria-labelledby=due]")
	if left := notices(t, site, edie.Account); len(left) != 0 {
		t.Errorf("the rule is reviewed, and unread is %+v", left)
	}
	now, err := site.Knowledge.Rule(t.Context(), r.ID)
	if err != nil || now.Version != r.Version+1 || !strings.Contains(now.Reason, "COBS 19") {
		t.Errorf("%+v %v", now, err)
	}
}

// hiddenOf are the values that a form carries without anybody typing.
func hiddenOf(t *testing.T, doc *goquery.Document, form string) url.Values {
	t.Helper()
	v := url.Values{}
	doc.Find(form).First().Find("input[type=hidden]").Each(func(_ int, in *goquery.Selection) {
		v.Set(in.AttrOr("name", ""), in.AttrOr("value", ""))
	})
	if v.Get("version") == "" {
		t.Fatalf("%s carries %v, want a version", form, v)
	}
	return v
}

// A contradiction with a wording that is scheduled is on the list at once, and says from which day.
func TestAContradictionToComeSaysFromWhen(t *testing.T) {
	site := apptest.Open(t)
	edie := site.SignedIn(t, account.Expert)
	addRule(t, site, saysRisk, knowledge.Active)
	r := addRule(t, site, rule.Statement{When: saysRisk.When,
		Do: rule.Act{Kind: rule.Include, Text: "The forecast is free."}}, knowledge.Active)
	r.RuleText, r.ValidFrom = knowledge.RuleOf(leavesOut, pack.Of(pack.Pension)), site.Clock.Now().AddDate(0, 2, 0)
	if err := site.DB.Write(t.Context(), func(tx *db.Tx) error {
		_, err := site.Knowledge.EditRuleTx(tx, r)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	site.Drain(t)
	from := "from " + r.ValidFrom.In(knowledge.UK).Format("2 Jan")
	doc := page(t, edie.Get(t, "/knowledge/conflicts"), http.StatusOK)
	has(t, doc, ".result .badge", from)
	doc = page(t, edie.Get(t, doc.Find(".result a").First().AttrOr("href", "")), http.StatusOK)
	has(t, doc, ".page-head .badge", from)
	has(t, doc, "[aria-labelledby=side-right] .badge", from)
	has(t, doc, "[aria-labelledby=side-right]", "never say")
	hasNot(t, doc, "[name=choice][value=merge]")
}

// Once a rule is out of use, the card of a fall and the page of changes say so and offer nothing to ask; who had asked
// hears of each decision.
func TestWhoAskedAboutARuleHearsWhatBecameOfIt(t *testing.T) {
	site := apptest.Open(t)
	r := addRule(t, site, saysRisk, knowledge.Active)
	site.Clock.Advance(20 * 24 * time.Hour)
	voted(t, site)
	if err := site.DB.Write(t.Context(), func(tx *db.Tx) error {
		return db.Exec(tx, "use", `INSERT INTO knowledge_usage (interaction_id, kind, item_id, version, rank, score, cited,
			why, created_at) SELECT subject_id, 'rule', $1, 1, 1, 1, 0, '', at FROM vote WHERE norm < 0.5`, r.ID)
	}); err != nil {
		t.Fatal(err)
	}
	mo, edie := site.SignedIn(t, account.Manager), site.SignedIn(t, account.Expert)
	at := "/knowledge/rules/" + r.ID
	card := page(t, mo.Get(t, "/overview"), http.StatusOK)
	has(t, card, "#fell form", "Ask an expert to review "+r.Label())
	want(t, "asked", mo.Post(t, at+"/ask", nil), http.StatusSeeOther)
	has(t, page(t, mo.Get(t, "/overview"), http.StatusOK), "#fell", "Experts were asked to review")
	if err := site.Nightly.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	has(t, page(t, edie.Get(t, "/approvals"), http.StatusOK), "main",
		"Users like answers made with "+r.Label()+" significantly less.")

	form := hiddenOf(t, page(t, edie.Get(t, at), http.StatusOK), `form[action$="/quarantine"]`)
	want(t, "doubted", edie.Post(t, at+"/quarantine", with(form, "doubt", "It frightens people.")), http.StatusSeeOther)
	says := "In quarantine since"
	for where, path := range map[string]string{"/overview": "#fell", "/stats": "#fell",
		card.Find("#fell a[href^='/stats/changes']").AttrOr("href", ""): "main"} {
		doc := page(t, mo.Get(t, where), http.StatusOK)
		has(t, doc, path, says)
		has(t, doc, path, ", by "+edie.Account.Name)
		hasNot(t, doc, "main form[action$='/ask']")
		if s := words(doc, "main"); strings.Contains(s, "Experts were asked") {
			t.Errorf("%s: %s", where, s)
		}
	}
	want(t, "asked again", mo.Post(t, at+"/ask", nil), http.StatusConflict)
	told := func(says string, n int) {
		t.Helper()
		if got := notices(t, site, mo.Account); len(got) != n || got[0].Kind != comment.Answered {
			t.Errorf("told %+v", got)
		}
		has(t, page(t, mo.Get(t, "/inbox"), http.StatusOK), "main",
			edie.Account.Name+" decided on a rule you asked experts to review: "+r.Label()+" is "+says)
	}
	told("in quarantine", 1)

	form = hiddenOf(t, page(t, edie.Get(t, "/knowledge/quarantine"), http.StatusOK), `form[action$="/settle"]`)
	want(t, "kept", edie.Post(t, at+"/settle", with(form, "reason", "It is needed.", "keep", "1")), http.StatusSeeOther)
	told("in use", 2)
	if s := words(page(t, mo.Get(t, "/overview"), http.StatusOK), "#fell"); strings.Contains(s, says) {
		t.Errorf("it is in use again: %s", s)
	}
}
