package page_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/comment"
	"preceptor/internal/compliance"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/version"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/phrase"
	"preceptor/internal/platform/db"
)

// checkTyped is the form of a check as a browser sends it.
func checkTyped(change ...string) url.Values {
	f := url.Values{"act": {"save"}, "base": {"0"}, "title": {"Money pot"}, "code": {"house_style"},
		"source": {"money pot*"}, "severity": {"major"},
		"why": {"Say pension pot."}, "reference": {"House style 4"},
		"finds": {"Your money pot is invested.\r\nTwo money pots."}, "leaves": {"Your pension pot is invested."},
		"reason": {"Customers mixed them up."}}
	for i := 0; i+1 < len(change); i += 2 {
		f.Set(change[i], change[i+1])
	}
	return f
}

func dom(t *testing.T, r apptest.Response) *goquery.Document {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(r.Body))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func submitDraft(t *testing.T, site *apptest.Site, n int, text string) string {
	t.Helper()
	agent := site.Nobody(t)
	agent.Header.Set("Authorization", "Bearer "+site.Token(t, account.Submit))
	r := agent.JSON(t, http.MethodPost, "/api/guidance",
		fmt.Sprintf(
			`{"agent": "pension-advisor", "consultation": {"question": "How much can I take tax free? %d", "customer": {"age": 58, "pensions": [{"kind": "dc", "value_gbp": 42000}]}}, "guidance": %q}`, n, text))
	if r.Status != http.StatusAccepted {
		t.Fatal(r.Body)
	}
	return r.Body
}

// checkGold freezes three items: compliant, not compliant, and one labelled with the code.
func checkGold(t *testing.T, site *apptest.Site) *version.Version {
	t.Helper()
	by := site.Account(t, account.Expert)
	who := dataset.Person{ID: by.ID, Name: by.Name}
	s := dataset.DefaultSettings()
	s.Name, s.Codes = "Line", append(s.Codes, "HOUSE_STYLE")
	set, err := site.Datasets.Create(t.Context(), s, who)
	if err != nil {
		t.Fatal(err)
	}
	var items []dataset.NewItem
	for i, text := range []string{"Drawdown leaves it invested. A money pot can fall.",
		"Your money pot should go to an annuity now, week 7.", "The jar of money is there, in office 9 of month 3."} {
		items = append(items, dataset.NewItem{Text: dataset.Text{Question: "What now?", Guidance: text},
			Source: dataset.FromImport,
			Final:  &dataset.Answer{Label: []string{"COMPLIANT_GUIDANCE", "NON_COMPLIANT", "BORDERLINE"}[i]}})
	}
	items[2].Final.Issues = []dataset.Issue{{Code: "HOUSE_STYLE"}}
	if _, err := site.Datasets.Add(t.Context(), set.ID, items, who); err != nil {
		t.Fatal(err)
	}
	v, err := site.Versions.Freeze(t.Context(), set.ID, version.Options{Note: "first", By: who})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestACheckFromTheFormToTheDesk(t *testing.T) {
	site := apptest.Open(t)
	eva, ann, mo, sue := site.SignedIn(t, account.Expert), site.SignedIn(t, account.Admin),
		site.SignedIn(t, account.Manager), site.SignedIn(t, account.Supervisor)
	gold := checkGold(t, site)
	list := dom(t, eva.Get(t, "/compliance/checks"))
	if n := list.Find(".check-row").Length(); n != len(compliance.Registry()) {
		t.Errorf("%d rows", n)
	}
	for _, info := range compliance.Registry() {
		own := list.Find("#check-" + info.Code + " .example-list")
		finds, leaves := strings.Contains(own.Text(), "finds"), strings.Contains(own.Text(), "leaves")
		if info.Read { // what needs a question at hand has no example
			finds, leaves = finds == (len(info.Finds) > 0), leaves == (len(info.Leaves) > 0)
		}
		if !finds || !leaves || own.Find(`li > .badge[data-tone="red"]`).Length() != 0 {
			t.Errorf("%s shows what it finds: %v, what it leaves: %v; %s", info.Code, finds, leaves, own.Text())
		}
	}
	has(t, list, "#check-MISSING_SIGNPOST", "Written to a customer who asks")
	has(t, dom(t, eva.Get(t, "/compliance/checks/SCAM_RISK_UNFLAGGED")), ".story", "Written to a customer who says")
	if n := list.Find(`#check-PRESSURE .example-list li`).Length(); n < 2 ||
		list.Find(`a[href="/compliance/checks/new"]`).Length() == 0 {
		t.Errorf("%d examples", n)
	}
	for _, reads := range []*apptest.Client{ann, mo, sue} {
		if dom(t, reads.Get(t, "/compliance/checks")).Find(`a[href="/compliance/checks/new"]`).Length() != 0 {
			t.Error("who may not write is offered to")
		}
		want(t, "may not", reads.Post(t, "/compliance/checks", checkTyped()), http.StatusForbidden)
		want(t, "nor see the form", reads.Get(t, "/compliance/checks/new"), http.StatusForbidden)
	}
	r := eva.Post(t, "/compliance/checks", checkTyped())
	to := r.Header.Get("Location")
	if r.Status != http.StatusSeeOther || !strings.HasPrefix(to, "/compliance/checks/") {
		t.Fatalf("%d %s %s", r.Status, to, r.Body)
	}
	doc := dom(t, eva.Get(t, to))
	if doc.Find(`.example-list [data-tone="red"]`).Length() != 0 || doc.Find(".example-list mark").Length() != 2 ||
		doc.Find(`form[action$="/switch"]`).Length() != 0 {
		t.Errorf("before a trial: %s", doc.Find(".story").Text())
	}
	want(t, "untried",
		eva.Post(t, to+"/switch", url.Values{"on": {"yes"}, "version": {"1"}, "book": {"0"}, "reason": {"why"}}),
		http.StatusConflict, "has not been tried yet")
	want(t, "tried on nothing", eva.Post(t, to+"/try", url.Values{"version": {"1"}, "source": {"x"}}),
		http.StatusUnprocessableEntity, "Choose what to try it on.")
	want(t, "try", eva.Post(t, to+"/try", url.Values{"version": {"1"}, "source": {"gold:" + gold.ID}}),
		http.StatusSeeOther)
	doc = dom(t, eva.Get(t, to))
	var figures []string
	doc.Find("#trial .figure .value").Each(func(_ int, s *goquery.Selection) { figures = append(figures, s.Text()) })
	if fmt.Sprint(figures[:3]) != "[1 1 1]" {
		t.Errorf("alarms, finds, misses: %v", figures)
	}
	if got := doc.Find("#trial mark").First().Text(); got != "money pot" {
		t.Errorf("marked %q", got)
	}
	if doc := dom(t, mo.Get(t, to)); doc.Find("#trial .text-list").Length() != 0 ||
		doc.Find("form[action$='/try']").Length() != 0 ||
		!strings.Contains(doc.Find("#trial").Text(), "experts and supervisors can see the texts") {
		t.Error("a manager reads the texts")
	}
	want(t, "no reason",
		eva.Post(t, to+"/switch", url.Values{"on": {"yes"}, "version": {"1"}, "book": {"0"}, "reason": {""}}),
		http.StatusUnprocessableEntity, "Say why")
	want(t, "on", eva.Post(t, to+"/switch?version=1",
		url.Values{"on": {"yes"}, "version": {"1"}, "book": {"0"}, "reason": {"It does what we mean."}}),
		http.StatusSeeOther)

	// The next draft is checked with it, and its verdict says under which book.
	submitDraft(t, site, 1,
		"Usually a quarter of a money pot can be taken free of tax. MoneyHelper explains it for free.")
	recent, err := site.Compliance.Recent(t.Context(), 5)
	if err != nil || len(recent) != 1 || recent[0].Checklist != 1 || recent[0].Issues[0].Code != "HOUSE_STYLE" {
		t.Fatalf("%+v, %v", recent, err)
	}
	id := strings.TrimPrefix(to, "/compliance/checks/")
	if got := dom(t, mo.Get(t, "/compliance/checks")).Find("#check-" + id + " .check-hits").
		Text(); !strings.Contains(got, "1 of 1") {
		t.Errorf("found in %q", got)
	}

	// Reworded: a new version, with the difference, that is not in force.
	want(t, "the form holds it", eva.Get(t, to+"/reword"), http.StatusOK, "money pot*", "Save as version 2",
		`name="base" value="1"`)
	want(t, "an old page", eva.Post(t, to, checkTyped("base", "9", "source", "money jar")), http.StatusConflict,
		"money jar", `name="base" value="1"`)
	want(t, "reword", eva.Post(t, to, checkTyped("base", "1", "source", "money jar", "finds", "A money jar.")),
		http.StatusSeeOther)
	doc = dom(t, eva.Get(t, to))
	if doc.Find(".check-history ins").Length() == 0 || doc.Find(".check-history > li").Length() != 3 ||
		!strings.Contains(doc.Find(".lesson-side").Text(), "once it has been tried") {
		t.Errorf("%s", doc.Find(".check-history").Text())
	}
	want(t, "off",
		eva.Post(t, to+"/switch", url.Values{"on": {"no"}, "version": {"1"}, "book": {"1"}, "reason": {"Not needed."}}),
		http.StatusSeeOther)
	want(t, "an old page",
		eva.Post(t, to+"/switch", url.Values{"on": {"no"}, "version": {"1"}, "book": {"1"}, "reason": {"kept words"}}),
		http.StatusConflict, "been switched on or off", "kept words")
	want(t, "no such check", eva.Get(t, "/compliance/checks/none"), http.StatusNotFound)
	want(t, "no such version", eva.Get(t, to+"?version=7"), http.StatusNotFound)
}

// A shipped check's page shows its rules as they are written, and what they find in a text that an expert types.
func TestARuleIsShownAndTried(t *testing.T) {
	site := apptest.Open(t)
	eva, mo := site.SignedIn(t, account.Expert), site.SignedIn(t, account.Manager)
	const at = "/compliance/checks/INACCURATE_FACT"
	i := slices.IndexFunc(pack.Of(pack.Pension).Phrases().Rules(), func(h phrase.Head) bool {
		return h.Code == compliance.InaccurateFact
	})
	rule := pack.Of(pack.Pension).Phrases().Rules()[i]
	doc := dom(t, mo.Get(t, at))
	if got := doc.Find("#rule-" + rule.Name + " pre").Text(); got != rule.Text || doc.Find("#text-try").Length() != 0 {
		t.Errorf("a manager reads %q", got)
	}
	typed := url.Values{"version": {"0"}, "text": {"Hello Mr Quillfeather. " + rule.Yes[0]},
		"question": {"What is true?"}}
	want(t, "a manager tries", mo.Post(t, at+"/text", typed), http.StatusForbidden)
	r := eva.Post(t, at+"/text", typed)
	want(t, "try", r, http.StatusOK, `value="What is true?"`)
	doc = dom(t, r)
	if doc.Find("#text-try mark").Length() == 0 || doc.Find(`#text-try a[href="#rule-`+rule.Name+`"]`).Length() != 1 ||
		!strings.Contains(words(doc, "#text-try"), rule.Why) {
		t.Errorf("%s", doc.Find("#text-try").Text())
	}
	has(t, dom(t, eva.Post(t, at+"/text", url.Values{"text": {"Your pension pot is invested."}})), "#text-try",
		"It finds nothing in this text.")
	if page, err := site.Interactions.List(t.Context(), interaction.Filter{}); err != nil || len(page.Items) != 0 {
		t.Errorf("a text was kept: %d, %v", len(page.Items), err)
	}
}

func TestWhatIsWrongWithACheckIsSaidAtItsField(t *testing.T) {
	site := apptest.Open(t)
	eva := site.SignedIn(t, account.Expert)
	r := eva.Post(t, "/compliance/checks", checkTyped("source", "Pot of gold", "title", "", "reason", ""))
	want(t, "wrong", r, http.StatusUnprocessableEntity, "words stand in lower case", "Give it a title.",
		"Say why. Your reason is kept on record.", "House style 4")
	if doc := dom(t, r); strings.TrimSpace(doc.Find("#pattern").Text()) != "Pot of gold" ||
		doc.Find(`#pattern[aria-invalid="true"]`).Length() != 1 {
		t.Errorf("the field says %q", doc.Find("#pattern").Text())
	}
	r = eva.Post(t, "/compliance/checks", checkTyped("act", "preview", "source", "", "title", ""))
	want(t, "nothing to look for", r, http.StatusUnprocessableEntity, "Write the words it should look for.")
	r = eva.Post(t, "/compliance/checks",
		checkTyped("act", "preview", "leaves", "A money pot again.", "reason", "", "title", ""))
	want(t, "a look", r, http.StatusOK, "false alarm")
	if doc := dom(t, r); doc.Find("#preview mark").Length() != 3 || doc.Find(".field-error").Length() != 0 {
		t.Errorf("%s", doc.Find("#preview").Text())
	}
	if list, err := site.Checklist.List(t.Context()); err != nil || len(list) != len(compliance.Registry()) {
		t.Errorf("a look was kept: %d, %v", len(list), err)
	}
}

func TestSwitchingOffACriticalShippedCheckTakesTwo(t *testing.T) {
	site := apptest.Open(t)
	eva, fay, ann, sue := site.SignedIn(t, account.Expert), site.SignedIn(t, account.Expert),
		site.SignedIn(t, account.Admin), site.SignedIn(t, account.Supervisor)
	const at = "/compliance/checks/INACCURATE_FACT"
	off := url.Values{"on": {"no"}, "version": {"0"}, "book": {"0"}, "reason": {"The Budget changed the figures."}}
	want(t, "asked", eva.Post(t, at+"/switch", off), http.StatusSeeOther)
	want(t, "the asker", eva.Get(t, at), http.StatusOK, "Withdraw", "on, switch-off requested")
	want(t, "a supervisor sees it", sue.Get(t, "/compliance/checks"), http.StatusOK, "on, switch-off requested")
	want(t, "the other", fay.Get(t, "/approvals"), http.StatusOK, "Switch off a critical check", "Wrong fact",
		"The Budget changed the figures.", "waiting for you")
	want(t, "to do", fay.Get(t, "/todo"), http.StatusOK, "needs your agreement", "/approvals#")
	want(t, "the administrator is told", ann.Get(t, "/inbox"), http.StatusOK, "Switch off a critical check",
		"/approvals")
	if strings.Contains(sue.Get(t, "/inbox").Body, "critical check") {
		t.Error("a supervisor is told")
	}
	change := "/approvals/" + waits(t, site)
	want(t, "agree to one's own", eva.Post(t, change+"/agree", nil), http.StatusForbidden, "someone else has to agree")
	want(t, "a supervisor agrees", sue.Post(t, change+"/agree", nil), http.StatusForbidden)
	want(t, "refuse without a reason", ann.Post(t, change+"/refuse", url.Values{"refusal": {""}}),
		http.StatusUnprocessableEntity, "Give a reason")
	want(t, "an administrator", ann.Get(t, at), http.StatusOK, change+"/agree", "The Budget changed the figures.")
	if n := unread(t, site, comment.Proposal); n < 2 {
		t.Errorf("%d are asked", n)
	}
	want(t, "agree", ann.Post(t, change+"/agree", nil), http.StatusSeeOther)
	if n := unread(t, site, comment.Proposal); n != 0 {
		t.Errorf("%d are still asked", n)
	}
	if off := site.Validator.Checks().Book().Off; len(off) != 1 || off[0] != compliance.InaccurateFact {
		t.Errorf("off: %v", off)
	}
	want(t, "it is off", fay.Get(t, at), http.StatusOK, "Switch it on again", "and Person 3")
	want(t, "on again",
		fay.Post(t, at+"/switch", url.Values{"on": {"yes"}, "version": {"0"}, "book": {"1"},
			"reason": {"The table is right."}}), http.StatusSeeOther)
	want(t, "reword a shipped one", fay.Get(t, at+"/reword"), http.StatusNotFound, "built in")
}

// unread is how many notices of a kind nobody has read or acted on.
func unread(t *testing.T, site *apptest.Site, kind string) (n int) {
	t.Helper()
	if err := site.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		n, err = db.Value[int](tx, "test: unread", `SELECT count(*) FROM notice WHERE kind = $1 AND read_at = 0`, kind)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return n
}
