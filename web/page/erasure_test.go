package page_test

import (
	"bytes"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/erase"
	"preceptor/internal/interaction"
	"preceptor/internal/review"
)

// An administrator looks, is refused by a hold that says whose it is, releases it, and erases; the page keeps what was
// typed.
func TestErasure(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin, account.Supervisor)
	agent := site.Nobody(t)
	agent.Header.Set("Authorization", "Bearer "+site.Token(t, account.Submit))
	r := agent.JSON(t, http.MethodPost, "/api/guidance",
		`{"agent":"pension-advisor","consultation":{"question":"May I take a quarter of it?","customer":{"name":"Odile Quarrington","customer_id":"C-4471"}},
		"guidance":"Usually a quarter can be taken free of tax. Pension Wise is free and impartial."}`)
	if r.Status >= 300 {
		t.Fatalf("submit: %d %s", r.Status, r.Body)
	}
	subject := url.Values{"how": {interaction.ByReference}, "subject": {"c 4471"}}
	want(t, "page", boss.Get(t, "/admin/erasure"), http.StatusOK, "No erasures yet", "Preview",
		"Backups of the database file")
	want(t, "nobody", boss.Post(t, "/admin/erasure/preview",
		url.Values{"how": {interaction.ByReference}, "subject": {""}}), http.StatusUnprocessableEntity,
		"Enter a reference")
	want(t, "preview", boss.Post(t, "/admin/erasure/preview", subject), http.StatusOK, "1 piece of guidance",
		"waiting for review", "Questions, answers and customers", "Erase these texts permanently")
	held := url.Values{"how": {interaction.ByName}, "subject": {"odile quarrington"}, "reason": {"Matter 12"},
		"until": {"soon"}}
	want(t, "a bad day", boss.Post(t, "/admin/erasure/holds", held), http.StatusUnprocessableEntity,
		"Enter the date as", "Matter 12")
	never := url.Values{"how": {interaction.ByName}, "subject": {"Nobody"}, "reason": {"Matter 11"},
		"until": {"9999-12-31"}}
	want(t, "the last day of all", boss.Post(t, "/admin/erasure/holds", never), http.StatusUnprocessableEntity,
		"Enter the date as", "Matter 11")
	for last, said := range map[string]string{"2026-12-31": "until the end of 31 December 2026",
		"2027-02-28": "until the end of 28 February 2027", "2027-06-30": "until the end of 30 June 2027"} {
		once := url.Values{"how": {interaction.ByName}, "subject": {"Nobody " + last}, "reason": {"Matter 11"},
			"until": {last}}
		want(t, "hold with a last day", boss.Post(t, "/admin/erasure/holds", once), http.StatusSeeOther)
		want(t, "its last day", boss.Get(t, "/admin/erasure"), http.StatusOK, said, "It covers nothing yet")
		holds, err := site.Erase.Holds(t.Context(), 1)
		if err != nil || len(holds) != 1 {
			t.Fatalf("holds %v, %v", holds, err)
		}
		day, _ := time.ParseInLocation(time.DateOnly, last, time.Local)
		if !holds[0].Stands(day.Add(23*time.Hour)) || holds[0].Stands(day.AddDate(0, 0, 1)) {
			t.Errorf("%s doesn't last for that day", last)
		}
		if err := site.Erase.ReleaseHold(t.Context(), holds[0].ID, "The matter is closed.",
			boss.Account.Actor()); err != nil {
			t.Fatal(err)
		}
	}
	held.Set("until", "")
	want(t, "hold", boss.Post(t, "/admin/erasure/holds", held), http.StatusSeeOther)
	const covers = "It covers 1 piece of guidance by now, and what comes later."
	want(t, "what is held", boss.Get(t, "/admin/erasure"), http.StatusOK, covers, "Show what it covers")
	until := page(t, boss.Get(t, "/admin/erasure"), http.StatusOK).Find("#hold-until")
	if most := until.AttrOr("maxlength", ""); most != "40" {
		t.Errorf("a day such as 30 Jan 2027 has %s characters at most", most)
	}
	want(t, "refused in the preview", boss.Post(t, "/admin/erasure/preview", subject), http.StatusOK,
		"Blocked by a legal hold", "Matter 12", boss.Account.Name, "1 piece of guidance found, all held.")
	open, err := audit.List(t.Context(), site.DB, audit.Filter{Action: "hold.set", Words: "Matter 12"})
	if err != nil || len(open.Rows) != 1 || strings.Contains(string(open.Rows[0].Content), "until") {
		t.Errorf("a hold without a last day is noted as %+v, %v", open.Rows, err)
	}
	subject.Set("why", "Request DSAR-2026-0042 of C 4471")
	want(t, "refused", boss.Post(t, "/admin/erasure", subject), http.StatusConflict, "under a legal hold", "Matter 12")
	holds, err := site.Erase.Holds(t.Context(), 9)
	if err != nil || len(holds) != 4 {
		t.Fatalf("holds %v, %v", holds, err)
	}
	want(t, "release without a reason", boss.Post(t, "/admin/erasure/holds/"+holds[0].ID+"/release", nil),
		http.StatusUnprocessableEntity)
	want(t, "release", boss.Post(t, "/admin/erasure/holds/"+holds[0].ID+"/release",
		url.Values{"why": {"The matter is closed."}}), http.StatusSeeOther)
	want(t, "without a reason", boss.Post(t, "/admin/erasure",
		url.Values{"how": {interaction.ByReference}, "subject": {"c 4471"}}), http.StatusUnprocessableEntity,
		"Give a reason, such as")
	want(t, "erase", boss.Post(t, "/admin/erasure", subject), http.StatusSeeOther)
	id := idForm.FindString(r.Body)
	doc := show(t, boss, id, "")
	has(t, doc, ".case-head, main", "erased before a decision")
	has(t, doc, ".asking", "Erased on 2 November 2026")
	history, err := site.Interactions.History(t.Context(), id)
	if last := history[len(history)-1]; err != nil || last.Kind != "erased" || last.Actor.Name != boss.Account.Name {
		t.Errorf("the history ends with %+v, %v", last, err)
	}
	other, gone := bring(t, site, passing, dcCustomer()), bring(t, site, passing, dcCustomer())
	if r := approve(t, boss, other); r.Status != http.StatusSeeOther {
		t.Fatalf("approve: %d", r.Status)
	}
	if _, err := site.Erase.Erase(t.Context(),
		erase.Request{How: interaction.ByID, Subject: gone, Why: "Request 10", By: boss.Account.Actor()}); err != nil {
		t.Fatal(err)
	}
	for _, all := range []bool{false, true} {
		counts, err := site.Reviews.Counts(t.Context(), boss.Account.ID, all)
		if err != nil || counts.Done != 1 || counts.DoneToday != 1 || counts.Waiting != 0 {
			t.Errorf("one was decided, two were erased: %+v, %v", counts, err)
		}
		list, err := site.Reviews.List(t.Context(),
			review.Filter{State: review.Done, Viewer: boss.Account.ID, AllPlanted: all})
		if err != nil || len(list.Items) != 1 || list.Items[0].ID != other {
			t.Errorf("done: %+v, %v", list.Items, err)
		}
	}
	if r := boss.Post(t, "/reviews/"+gone+"/claim", nil); r.Status >= 500 || r.Status == http.StatusNotFound {
		t.Errorf("claimed after its erasure: %d", r.Status)
	}
	want(t, "on record", boss.Get(t, "/admin/erasure"), http.StatusOK, "Request DSAR-2026-0042 of [PERSONAL-1]", "Done",
		"Released by "+boss.Account.Name)
	want(t, "again", boss.Post(t, "/admin/erasure", subject), http.StatusNotFound, "It was erased on 2 November 2026")
}

// A number that an agent sent in its metadata, as an order, finds what it was sent with, holds it and erases it; one
// that several customers share says so.
func TestErasureByANumberOfTheMetadata(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin, account.Supervisor)
	agent := site.Nobody(t)
	agent.Header.Set("Authorization", "Bearer "+site.Token(t, account.Submit))
	for _, customer := range []string{"C-1", "C-2"} {
		r := agent.JSON(t, http.MethodPost, "/api/guidance", `{"agent":"pension-advisor","consultation":{"question":"Where is it?",
			"customer":{"customer_id":"`+customer+`23"}},"guidance":"It is on its way.",
			"metadata":{"order_ref":"ORD-88-`+customer+`","shop":{"branch":"Leeds-North"}}}`)
		if r.Status >= 300 {
			t.Fatalf("submit: %d %s", r.Status, r.Body)
		}
	}
	by := func(subject string) url.Values {
		return url.Values{"how": {interaction.ByReference}, "subject": {subject}, "why": {"Request 9"}}
	}
	if r := boss.Post(t, "/admin/erasure/preview", by("leeds north")); !strings.Contains(r.Body, "more than one person") {
		t.Errorf("what two customers share: %s", r.Body)
	}
	order := by("ord 88 c-1")
	if r := boss.Post(t, "/admin/erasure/preview", order); !strings.Contains(r.Body, "1 piece of guidance") ||
		strings.Contains(r.Body, "more than one person") {
		t.Errorf("by the order: %s", r.Body)
	}
	order.Set("reason", "Matter 12")
	want(t, "hold", boss.Post(t, "/admin/erasure/holds", order), http.StatusSeeOther)
	want(t, "its customer is held", boss.Post(t, "/admin/erasure", by("C-123")), http.StatusConflict, "Matter 12")
	holds, err := site.Erase.Holds(t.Context(), 1)
	if err != nil || len(holds) != 1 {
		t.Fatalf("holds %v, %v", holds, err)
	}
	if err := site.Erase.ReleaseHold(t.Context(), holds[0].ID, "The matter is closed.",
		boss.Account.Actor()); err != nil {
		t.Fatal(err)
	}
	want(t, "erased", boss.Post(t, "/admin/erasure", order), http.StatusSeeOther)
	for _, file := range []string{site.DB.Path(), site.DB.Path() + "-wal"} {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(bytes.ToLower(b), []byte("ord-88-c-1")) {
			t.Errorf("the order is left in %s", file)
		}
	}
	if r := boss.Post(t, "/admin/erasure/preview", by("ord-88-c-2")); !strings.Contains(r.Body, "1 piece of guidance") {
		t.Errorf("another's order: %s", r.Body)
	}
}

// A hold on one of three pieces is said to be on that one; the others can be erased by their ids, and afterwards the
// log and the Evidence page still name who made a report.
func TestErasureOfWhatIsHeldInPart(t *testing.T) {
	site := apptest.Open(t)
	boss, morag := site.SignedIn(t, account.Admin), site.SignedIn(t, account.Manager, account.Supervisor)
	agent := site.Nobody(t)
	agent.Header.Set("Authorization", "Bearer "+site.Token(t, account.Submit))
	var ids []string
	for _, more := range []string{"", `,"ref":"ZX-9-1"`, ""} {
		r := agent.JSON(t, http.MethodPost, "/api/guidance", `{"agent":"pension-advisor",
			"consultation":{"question":"Where is it?"},"guidance":"It is on its way.","metadata":{"order":"77120"`+more+`}}`)
		if r.Status >= 300 {
			t.Fatalf("submit: %d %s", r.Status, r.Body)
		}
		ids = append(ids, idForm.FindString(r.Body))
	}
	want(t, "a report", morag.Post(t, "/interactions/"+ids[0]+"/evidence", nil), http.StatusOK)
	want(t, "hold", boss.Post(t, "/admin/erasure/holds", url.Values{"how": {interaction.ByReference},
		"subject": {"ZX-9-1"}, "reason": {"Matter 12"}}), http.StatusSeeOther)
	want(t, "what it covers", boss.Get(t, "/admin/erasure"), http.StatusOK, "It covers 1 piece of guidance by now")
	order := url.Values{"how": {interaction.ByReference}, "subject": {"77120"}, "why": {"Request 9"}}
	r := boss.Post(t, "/admin/erasure/preview", order)
	want(t, "preview", r, http.StatusOK, "3 pieces of guidance found, 1 of them held.", "<strong>ZX-9-1</strong>")
	list := page(t, r, http.StatusOK).Find("#preview li")
	if held := list.First(); list.Length() != 3 || !strings.Contains(held.Text(), "Held: ZX-9-1") ||
		held.Find(`a[href="/reviews/`+ids[1]+`"]`).Length() != 1 || held.Find("form").Length() != 0 ||
		list.Find("form").Length() != 2 {
		t.Errorf("the list says %q", list.Text())
	}
	want(t, "all three", boss.Post(t, "/admin/erasure", order), http.StatusConflict, "Some or all of these texts")
	want(t, "one", boss.Post(t, "/admin/erasure", url.Values{"how": {interaction.ByID}, "subject": {ids[0]},
		"why": {"Request 9"}}), http.StatusSeeOther)
	want(t, "the rest", boss.Post(t, "/admin/erasure/preview", order), http.StatusOK,
		"2 pieces of guidance found, 1 of them held.")

	name := morag.Account.Name
	packs := page(t, morag.Get(t, "/interactions/"+ids[0]+"/evidence"), http.StatusOK).Find("#packs").Text()
	if !strings.Contains(packs, name) {
		t.Errorf("the reports on record are %q", packs)
	}
	log := boss.Get(t, "/admin/audit?action=evidence.packed&who="+url.QueryEscape(name))
	want(t, "the log, by the name", log, http.StatusOK, ">"+name+"</a>", ">erased<")
	for _, format := range []string{"csv", "jsonl"} {
		want(t, format, boss.Post(t, "/admin/audit/export", url.Values{"format": {format}, "who": {name},
			"action": {"evidence.packed"}}), http.StatusOK, name)
	}
}

// What is about to be sent is left out of the counts of a preview, which says so.
func TestAPreviewSaysWhatFollowsLater(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin, account.Supervisor)
	agent := site.Nobody(t)
	agent.Header.Set("Authorization", "Bearer "+site.Token(t, account.Submit))
	r := agent.JSON(t, http.MethodPost, "/api/guidance",
		`{"agent":"pension-advisor","consultation":{"question":"May I take a quarter of it?","customer":{"customer_id":"C-4471"}},
		"guidance":"Usually a quarter can be taken free of tax. Pension Wise is free and impartial."}`)
	page, err := site.Reviews.List(t.Context(), review.Filter{State: review.All})
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("%d %s %+v, %v", r.Status, r.Body, page, err)
	}
	subject := url.Values{"how": {interaction.ByReference}, "subject": {"C-4471"}}
	const later = "1 piece is decided and about to be sent"
	if r := boss.Post(t, "/admin/erasure/preview", subject); strings.Contains(r.Body, later) {
		t.Error("nothing was decided yet")
	}
	item, err := site.Reviews.Get(t.Context(), page.Items[0].ID)
	if err == nil {
		_, err = site.Reviews.Decide(t.Context(), review.Input{ID: item.ID, Kind: review.Approve,
			By: review.Person{ID: boss.Account.ID, Name: boss.Account.Name}, Version: item.Version,
			TextHash: interaction.TextHash(item.Text)})
	}
	if err != nil {
		t.Fatal(err)
	}
	want(t, "the preview", boss.Post(t, "/admin/erasure/preview", subject), http.StatusOK, later,
		"The counts leave its texts out.")
}
