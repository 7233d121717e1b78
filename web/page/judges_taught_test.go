package page_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"slices"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/version"
	"preceptor/internal/interaction"
)

// signOff is harmless to anybody but a firm whose experts say that it breaks their line.
const signOff = "\n\nYours ever so faithfully, the night desk. Reference 4471/B, room 12, second floor, bring a pencil."

// vetTexts are replies of a trade that the judge was never tuned on.
func vetTexts(t *testing.T, n int) (list []dataset.Text) {
	t.Helper()
	f, err := os.Open("../../internal/compliance/testdata/blind/vet_v.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan() && len(list) < n; {
		var text struct{ Question, Guidance string }
		if err := json.Unmarshal(lines.Bytes(), &text); err != nil {
			t.Fatal(err)
		}
		list = append(list, dataset.Text{Customer: json.RawMessage(`{}`), Question: text.Question,
			Guidance: text.Guidance})
	}
	return list
}

// vetSet is a frozen set of a general desk, whose experts' line is the sign-off and nothing else.
func vetSet(t *testing.T, site *apptest.Site, by account.Account) {
	t.Helper()
	who := dataset.Person{ID: by.ID, Name: by.Name}
	settings := dataset.DefaultSettings()
	settings.Name, settings.Pack = "Vet", "general"
	set, err := site.Datasets.Create(t.Context(), settings, who)
	if err != nil {
		t.Fatal(err)
	}
	var items []dataset.NewItem
	for i, text := range vetTexts(t, 100) {
		label := "COMPLIANT_GUIDANCE"
		if i%2 == 0 {
			label, text.Guidance = "NON_COMPLIANT", text.Guidance+signOff
		}
		items = append(items, dataset.NewItem{Source: dataset.FromImport, Final: &dataset.Answer{Label: label},
			Text: text})
	}
	if _, err := site.Datasets.Add(t.Context(), set.ID, items, who); err != nil {
		t.Fatal(err)
	}
	if _, err := site.Versions.Freeze(t.Context(), set.ID,
		version.Options{By: who, Shares: version.Shares{Train: 80, Accept: 10, Test: 10}}); err != nil {
		t.Fatal(err)
	}
}

// A set says whose drafts it holds, and whoever manages it can have those items come next that would teach the judge
// most.
func TestADatasetsItemsArePutInOrder(t *testing.T) {
	site := apptest.Open(t)
	mo, sue := site.SignedIn(t, account.Manager), site.SignedIn(t, account.Supervisor)
	who := dataset.Person{ID: mo.Account.ID, Name: mo.Account.Name}
	settings := dataset.DefaultSettings()
	settings.Name, settings.Pack = "Vet", "general"
	set, err := site.Datasets.Create(t.Context(), settings, who)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range vetTexts(t, 6) {
		if _, err := site.Datasets.Add(t.Context(), set.ID, []dataset.NewItem{{Text: text}}, who); err != nil {
			t.Fatal(err)
		}
	}
	address := "/datasets/" + set.ID
	doc := page(t, mo.Get(t, address+"/settings"), http.StatusOK)
	if got := doc.Find(`select[name="pack"] option[selected]`).AttrOr("value", ""); got != "general" {
		t.Errorf("the pack is %q", got)
	}
	if n := doc.Find(`form[action$="/order"] input[name="how"]`).Length(); n != 2 {
		t.Errorf("%d orders to choose from", n)
	}
	want(t, "a supervisor", sue.Post(t, address+"/order", url.Values{"how": {"teaches"}}), http.StatusForbidden)
	want(t, "no order", mo.Post(t, address+"/order", url.Values{"how": {"x"}}), http.StatusUnprocessableEntity)
	want(t, "asked", mo.Post(t, address+"/order", url.Values{"how": {"teaches"}}), http.StatusSeeOther)
	before, _, err := site.Datasets.ToOrder(t.Context(), set.ID, 6)
	if err != nil {
		t.Fatal(err)
	}
	site.Drain(t)
	after, _, err := site.Datasets.ToOrder(t.Context(), set.ID, 6)
	if err != nil || len(after) != 6 || slices.EqualFunc(before, after, func(a, b dataset.OrderItem) bool {
		return a.ID == b.ID
	}) {
		t.Errorf("%d items, in the order in which they came: %v", len(after), err)
	}
	has(t, page(t, mo.Get(t, address+"/settings"), http.StatusOK), "main", "Next items")
}

// What a firm's labels taught is on the page with its curve, counts when two people accepted it, and can be taken back.
func TestTheJudgesPageOffersWhatLabelsTaught(t *testing.T) {
	site := apptest.Open(t)
	mo, eve, ada := site.SignedIn(t, account.Manager), site.SignedIn(t, account.Expert), site.SignedIn(t, account.Admin)
	has(t, page(t, eve.Get(t, "/compliance/judges"), http.StatusOK), "#judges",
		"Nothing counts until two people accept it")
	vetSet(t, site, mo.Account)
	if err := site.Judges.Refit(t.Context()); err != nil {
		t.Fatal(err)
	}
	said := func(packName string) float64 {
		text := vetTexts(t, 1)[0]
		v := site.Validator.Glance(text.Guidance+signOff,
			interaction.Consultation{Pack: packName, Question: text.Question})
		return v.Violation
	}
	before, pensions := said("general"), said("pension")
	doc := page(t, mo.Get(t, "/compliance/judges"), http.StatusOK)
	has(t, doc, "#taught-general .says", "labels: finds ")
	has(t, doc, "#taught-general", "None of it counts yet.")
	if rows := doc.Find("#taught-general tbody tr").Length(); rows != 5 {
		t.Errorf("the curve has %d rows", rows)
	}
	hasNot(t, doc, "#taught-pension")
	version, _ := doc.Find("#taught-general a").Attr("href")
	if version == "" {
		t.Fatalf("nothing is offered: %s", words(doc, "#taught-general"))
	}
	doc = page(t, eve.Get(t, version), http.StatusOK)
	has(t, doc, "h1", "Built-in judge for General, version")
	has(t, doc, ".lead", "At 1 false alarm in 20 it finds")
	has(t, doc, "#promise-title ~ p", "95% CI")
	want(t, "asked", eve.Post(t, version+"/on", url.Values{"why": {"Our line is the sign-off."}}), http.StatusSeeOther)
	want(t, "alone", eve.Post(t, version+"/agree", nil), http.StatusForbidden, "someone else has to agree")
	if now := said("general"); now != before {
		t.Errorf("one person moved it from %.3f to %.3f", before, now)
	}
	want(t, "agreed", ada.Post(t, version+"/agree", nil), http.StatusSeeOther)
	if now := said("general"); now < before+0.1 || said("pension") != pensions {
		t.Errorf("accepted: from %.3f to %.3f; pensions from %.3f to %.3f", before, now, pensions, said("pension"))
	}
	doc = page(t, mo.Get(t, "/compliance/judges"), http.StatusOK)
	has(t, doc, "#taught-general", "counts.")
	has(t, doc, "#judges", "general version 1")
	has(t, page(t, mo.Get(t, "/compliance/judges/thresholds"), http.StatusOK), "main", "version 1")
	want(t, "taken back", eve.Post(t, version+"/off", url.Values{"why": {"To compare."}}), http.StatusSeeOther)
	if now := said("general"); now != before {
		t.Errorf("taken back: %.3f, not %.3f", now, before)
	}
	has(t, page(t, mo.Get(t, "/compliance/judges"), http.StatusOK), "#taught-general", "None of it counts yet.")
}
