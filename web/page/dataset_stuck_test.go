package page_test

import (
	"maps"
	"net/http"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/dataset"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
)

// Two experts disagree, and there is no third: the set, the item and the list of what waits say so and who rules, who
// that is has one notice of it, and rules; a third expert ends it as well.
func TestADisputeWithoutAThirdExpertIsNoDeadEnd(t *testing.T) {
	s := apptest.Open(t)
	boss, root := s.SignedIn(t, account.Manager), s.SignedIn(t, account.Admin)
	d, ann, _ := disputedSet(t, s)
	path := "/datasets/" + d.ID
	doc := page(t, boss.Get(t, path), http.StatusOK)
	has(t, doc, "#set .notice", "1 item is waiting for a ruling by a manager or an administrator")
	for _, c := range []*apptest.Client{boss, root} {
		has(t, page(t, c.Get(t, path), http.StatusOK), `#set .notice a[href="`+path+`/adjudicate"]`,
			"Rule on it yourself")
		has(t, page(t, c.Get(t, path+"/adjudicate"), http.StatusOK), ".result a", "Item 1")
	}
	doc = page(t, ann.Get(t, path+"/adjudicate"), http.StatusOK)
	has(t, doc, ".notice", "every expert labelled these")
	has(t, doc, ".notice", "Managers and administrators get a notice in their inbox")
	has(t, doc, ".empty", "Nothing for you to rule on")
	item := page(t, boss.Get(t, path+"/items?state=disputed"), http.StatusOK).Find("tbody a").First().AttrOr("href", "")
	doc = page(t, boss.Get(t, item), http.StatusOK)
	has(t, doc, ".notice", "No expert can rule on this item")
	ruling := doc.Find(`.notice a[href*="/adjudicate/"]`).AttrOr("href", "")
	has(t, page(t, boss.Get(t, path+"/versions"), http.StatusOK), "#ready", "a ruling by a manager or an administrator")

	for range 3 { // one notice, however often it is looked for
		if _, err := s.Datasets.TellUnruled(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []*apptest.Client{boss, root} {
		doc = page(t, c.Get(t, "/inbox"), http.StatusOK)
		if n := doc.Find(".notice-list li").Length(); n != 1 {
			t.Errorf("%d notices", n)
		}
		has(t, doc, `.notice-list a[href="`+path+`/adjudicate"]`, "every expert has labelled them")
	}
	s.Clock.Advance(8 * 24 * time.Hour)
	if _, err := s.Datasets.TellUnruled(t.Context()); err != nil {
		t.Fatal(err)
	}
	root = s.SignIn(t, root.Account)
	if n := page(t, root.Get(t, "/inbox"), http.StatusOK).Find(".notice-list li").Length(); n != 2 {
		t.Errorf("%d notices after a week", n)
	}

	cy := s.SignedIn(t, account.Expert)
	boss = s.SignIn(t, boss.Account)
	hasNot(t, page(t, boss.Get(t, path), http.StatusOK), "#set .notice")
	has(t, page(t, boss.Get(t, item), http.StatusOK), ".facts", cy.Account.Name)
	has(t, page(t, cy.Get(t, path+"/adjudicate"), http.StatusOK), ".result a", "Item 1")
	if r := boss.Get(t, ruling); r.Status != http.StatusForbidden {
		t.Errorf("a manager rules although an expert is left: %d", r.Status)
	}
}

// What no expert can rule on, a manager rules on, and can withdraw; what one can, they can't.
func TestAManagerRulesWhereNoExpertIsLeft(t *testing.T) {
	s := apptest.Open(t)
	boss := s.SignedIn(t, account.Manager)
	d, ann, _ := disputedSet(t, s)
	doc := page(t, boss.Get(t, "/datasets/"+d.ID+"/adjudicate"), http.StatusOK)
	at := doc.Find(".result a").First().AttrOr("href", "")
	if r := ann.Get(t, at); r.Status != http.StatusForbidden {
		t.Errorf("an expert rules on what they labelled: %d", r.Status)
	}
	form := filled(t, page(t, boss.Get(t, at), http.StatusOK), "#answer")
	r := boss.Post(t, at, with(form, "label", "BORDERLINE", "rationale", "It leans, and steers nobody."))
	if r.Status != http.StatusSeeOther {
		t.Fatalf("rule: %d %.300s", r.Status, r.Body)
	}
	list := page(t, boss.Get(t, "/datasets/"+d.ID+"/adjudicate"), http.StatusOK)
	list = page(t, boss.Get(t, list.Find(`.segments a:contains("Ruled by you")`).AttrOr("href", "")), http.StatusOK)
	if href := list.Find(".result a").AttrOr("href", ""); href != at {
		t.Errorf("the item that was ruled on is reached by %q", href)
	}
	doc = page(t, boss.Get(t, at), http.StatusOK)
	has(t, doc, `section[aria-labelledby="ruled-title"]`, boss.Account.Name)
	hasNot(t, page(t, boss.Get(t, "/datasets/"+d.ID), http.StatusOK), "#set .notice")
	r = boss.Post(t, at+"/undo", with(filled(t, doc, `form[action$="/undo"]`), "why", "Wrong item."))
	if r.Status != http.StatusSeeOther {
		t.Fatalf("withdraw: %d %.300s", r.Status, r.Body)
	}
	has(t, page(t, boss.Get(t, "/datasets/"+d.ID+"/adjudicate"), http.StatusOK), ".result a", "Item 1")
	hasNot(t, page(t, boss.Get(t, "/datasets/"+d.ID+"/adjudicate?state=adjudicated"), http.StatusOK), ".result a")
	cy := s.SignedIn(t, account.Expert)
	doc = page(t, cy.Get(t, at), http.StatusOK)
	if r := cy.Post(t, at, with(filled(t, doc, "#answer"), "label", "BORDERLINE", "rationale",
		"It leans.")); r.Status !=
		http.StatusSeeOther {
		t.Fatalf("rule: %d %.300s", r.Status, r.Body)
	}
	ruled := "/datasets/" + d.ID + "/adjudicate?state=adjudicated"
	has(t, page(t, cy.Get(t, ruled), http.StatusOK), ".result a", "Item 1")
	hasNot(t, page(t, boss.Get(t, ruled), http.StatusOK), ".result a") // it is another's
}

// The form that makes a set says with how many labels no expert is left to rule, and who rules then.
func TestTheFormOfASetWarnsThatNoExpertIsLeftToRule(t *testing.T) {
	s := apptest.Open(t)
	boss := s.SignedIn(t, account.Manager)
	for range 3 {
		s.Account(t, account.Expert)
	}
	const line = "If up to 2 label an item, an expert is left to rule when they disagree. With more labels on an " +
		"item, a manager or an administrator"
	doc := page(t, boss.Get(t, "/datasets/new"), http.StatusOK)
	has(t, doc, ".hint", "Your firm has 3 experts. "+line)
	hasNot(t, doc, "main .notice")
	three := labelSet(t, s, 0, 3)
	has(t, page(t, boss.Get(t, "/datasets/"+three.ID+"/settings"), http.StatusOK), "main form .notice", line)
	two := labelSet(t, s, 0, 2, func(d *dataset.Settings) { d.Name = "Two" })
	hasNot(t, page(t, boss.Get(t, "/datasets/"+two.ID+"/settings"), http.StatusOK), "main form .notice")
}

func TestTooFewExpertsForTheLabelsIsSaidBeforeAnybodyLabels(t *testing.T) {
	s := apptest.Open(t)
	d := labelSet(t, s, 2, 2)
	boss, eve := s.SignedIn(t, account.Manager), s.SignedIn(t, account.Expert)
	for _, c := range []*apptest.Client{boss, eve} {
		doc := page(t, c.Get(t, "/datasets/"+d.ID), http.StatusOK)
		has(t, doc, "#set .notice", "Too few people can label")
		has(t, doc, "#set .notice", "labels from 2 different people, but only 1 person can label here")
	}
	s.Account(t, account.Expert)
	hasNot(t, page(t, boss.Get(t, "/datasets/"+d.ID), http.StatusOK), "#set .notice")
	has(t, page(t, boss.Get(t, "/datasets/"+d.ID+"/settings"), http.StatusOK), "main form .notice",
		"If up to 1 label an item")
}

// Before the button is pressed the page says what goes into a version, what doesn't, and why.
func TestWhatAVersionTakesInIsSaidBefore(t *testing.T) {
	s := apptest.Open(t)
	d := labelSet(t, s, 4, 2)
	boss, ann, ben := s.SignedIn(t, account.Manager), s.SignedIn(t, account.Expert), s.SignedIn(t, account.Expert)
	path := "/datasets/" + d.ID + "/versions"
	doc := page(t, boss.Get(t, path), http.StatusOK)
	has(t, doc, "#ready", "Nothing can be frozen yet")
	has(t, doc, "#ready", "4 need labels")
	hasNot(t, doc, `form[action$="/versions"]`)
	for i, labels := range [][2]string{{"BORDERLINE", "BORDERLINE"}, {"NON_COMPLIANT", "NON_COMPLIANT"},
		{"NON_COMPLIANT", "BORDERLINE"}} {
		for j, c := range []*apptest.Client{ann, ben} {
			if r := labelAs(t, c, d, labels[j]); r.Status != http.StatusSeeOther {
				t.Fatalf("%d: %d", i, r.Status)
			}
		}
	}
	doc = page(t, boss.Get(t, path), http.StatusOK)
	has(t, doc, "#ready", "Nothing can be frozen yet")
	has(t, doc, "#ready", "3 have their labels, but the last can still be undone")
	s.Clock.Advance(dataset.UndoFor + time.Minute)
	doc = page(t, boss.Get(t, path), http.StatusOK)
	for _, line := range []string{"2 items have a final label and will be included.", "1 needs labels",
		"1 is disputed and waiting for a ruling"} {
		has(t, doc, "#ready", line)
	}
	has(t, doc, `form[action$="/versions"] button`, "Freeze 2 items")
	doc = page(t, ann.Get(t, path), http.StatusOK)
	has(t, doc, `#ready a[href$="/label"]`, "Label")
	has(t, doc, `#ready a[href$="/adjudicate"]`, "Adjudicate")
	has(t, page(t, boss.Get(t, "/datasets/"+d.ID), http.StatusOK), "#set .figures",
		"of 4; 1 needs labels, 1 is waiting for a ruling")
	r := boss.Post(t, path, filled(t, page(t, boss.Get(t, path), http.StatusOK), `form[action$="/versions"]`))
	if r.Status != http.StatusSeeOther {
		t.Fatalf("freeze: %d %.300s", r.Status, r.Body)
	}
	has(t, page(t, boss.Get(t, r.Header.Get("Location")), http.StatusOK), ".facts", "2, in")
}

func TestTheFormOfANewSetSaysHowManyLabelsAtMost(t *testing.T) {
	s := apptest.Open(t)
	boss := s.SignedIn(t, account.Manager)
	if got := page(t, boss.Get(t, "/datasets/new"), http.StatusOK).Find("#max_labels").AttrOr("value", ""); got != "2" {
		t.Errorf("at most %q labels, with 2 an item", got)
	}
}

// What people decided and ruled on comes in without names, once, and a ruling can be the final label.
func TestItemsComeFromTheDeskAndFromRulings(t *testing.T) {
	s := split(t)
	boss, eva, sam := s.SignedIn(t, account.Manager), s.SignedIn(t, account.Expert), s.SignedIn(t, account.Supervisor)
	d := labelSet(t, s, 0, 2)
	path := "/datasets/" + d.ID + "/files"
	form := filled(t, page(t, boss.Get(t, path), http.StatusOK), `form[action$="/gather"]`)
	gather := func(c *apptest.Client, status int, says string, change ...string) {
		t.Helper()
		r := c.Post(t, "/datasets/"+d.ID+"/gather", with(maps.Clone(form), change...))
		if r.Status != status {
			t.Fatalf("%d: %.300s", r.Status, r.Body)
		}
		at := "main"
		if status == http.StatusSeeOther {
			r, at = c.Get(t, r.Header.Get("Location")), "#notice"
		}
		doc := dom(t, r)
		has(t, doc, at, says)
	}
	gather(boss, http.StatusSeeOther, "Nothing was found for these days")
	gather(boss, http.StatusUnprocessableEntity, "Write a number of days", "days", "soon")
	gather(boss, http.StatusUnprocessableEntity, "Write a number from 1 to 500", "most", "0")

	_, caseID := unsettled(t, s)
	doc := page(t, eva.Get(t, "/compliance/"+caseID), http.StatusOK)
	eva.Post(t, "/compliance/"+caseID+"/answer", with(hidden(doc, "#answer"), answered...))
	if r := eva.Post(t, "/compliance/"+caseID+"/keep", nil); r.Status != http.StatusSeeOther {
		t.Fatalf("keep: %d", r.Status)
	}
	// it can be undone yet
	gather(boss, http.StatusSeeOther, "Nothing was found for these days", "source", dataset.FromRuling)
	s.Clock.Advance(31 * time.Minute)
	boss, eva, sam = s.SignIn(t, boss.Account), s.SignIn(t, eva.Account), s.SignIn(t, sam.Account)
	gather(boss, http.StatusSeeOther, "1 item imported.", "source", dataset.FromRuling, "final", "yes")
	gather(boss, http.StatusSeeOther, "0 items imported. 1 was already here.", "source", dataset.FromRuling)
	list, err := s.Datasets.Items(t.Context(), dataset.ItemFilter{DatasetID: d.ID}, dataset.Operator)
	if err != nil || len(list.Items) != 1 {
		t.Fatal(list, err)
	}
	it := list.Items[0]
	if it.Guidance != steering || it.Final == nil || it.Final.Label != "NON_COMPLIANT" ||
		it.Final.Why != dataset.WhyRuling || it.Final.By != eva.Account.Name || it.Source != dataset.FromRuling {
		t.Errorf("%+v %+v", it, it.Final)
	}

	// A decided draft comes without its decision, to be labelled.
	other := bring(t, s, passing, dcCustomer())
	if r := approve(t, sam, other); r.Status != http.StatusSeeOther {
		t.Fatalf("approve: %d %.300s", r.Status, r.Body)
	}
	gather(eva, http.StatusSeeOther, "1 item imported.")
	list, err = s.Datasets.Items(t.Context(), dataset.ItemFilter{DatasetID: d.ID, State: dataset.ItemOpen},
		dataset.Operator)
	if err != nil || len(list.Items) != 1 || list.Items[0].Guidance != passing || list.Items[0].Final != nil ||
		list.Items[0].SourceID != other || len(list.Items[0].Customer) == 0 {
		t.Fatalf("%+v, %v", list.Items, err)
	}
	// A set of another pack takes neither, and says so.
	id := d.ID
	d = labelSet(t, s, 0, 2, func(set *dataset.Settings) { set.Name, set.Pack = "Desk", pack.GeneralName })
	gather(boss, http.StatusSeeOther, "nothing was imported. 1 text of another pack was left out.")
	gather(boss, http.StatusSeeOther, "nothing was imported. 1 text of another pack was left out.", "source",
		dataset.FromRuling)
	d.ID = id
	// An erasure of the case reaches the item.
	err = s.DB.Read(t.Context(), func(tx *db.Tx) error {
		ids, err := s.Datasets.OfSource(tx, dataset.FromReview, other)
		if len(ids) != 1 || ids[0] != list.Items[0].ID {
			t.Errorf("of the case come %v", ids)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := sam.Post(t, "/datasets/"+d.ID+"/gather", form); r.Status != http.StatusForbidden {
		t.Errorf("a supervisor brings items in: %d", r.Status)
	}
}
