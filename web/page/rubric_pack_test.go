package page_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/dataset"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
)

// sofa has a furniture shop's draft sent to experts; the case's address.
func sofa(t *testing.T, site *apptest.Site) (at string) {
	t.Helper()
	agent, err := site.Accounts.EnsureAgent(t.Context(), "furniture-shop", pack.GeneralName)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := site.Interactions.Submit(t.Context(), interaction.Submission{AgentID: agent.ID, AgentName: agent.Name,
		By:           audit.Actor{Kind: audit.Agent, ID: agent.ID, Name: agent.Name},
		Consultation: interaction.Consultation{Question: "When does the sofa come?", Customer: interaction.Customer{}},
		Guidance:     "Your sofa comes on Friday, I promise."}, nil)
	if err != nil {
		t.Fatal(err)
	}
	in, err := site.Interactions.Get(t.Context(), rec.ID)
	if err != nil {
		t.Fatal(err)
	}
	sam := site.Account(t, account.Supervisor)
	c, err := site.Borderline.Send(t.Context(), borderline.SendInput{Subject: borderline.Subject{Interaction: in,
		Text: in.Guidance, Verdict: site.Validator.Glance(in.Guidance, in.Consultation)},
		By: borderline.Person{ID: sam.ID, Name: sam.Name}, Note: "Can we promise that?"})
	if err != nil {
		t.Fatal(err)
	}
	return "/compliance/" + c.ID
}

// own fails where what a page says itself has a word of pensions; what leads to another pack's page may name it.
func own(t *testing.T, where string, doc *goquery.Document) {
	t.Helper()
	main := doc.Find("main").Clone()
	main.Find(`nav[aria-label="Pack"], select[name="pack"]`).Remove()
	html, err := main.Html()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range append(foreign.FindAllString(html, 5), foreign.FindAllString(strings.ReplaceAll(html, "_", " "),
		5)...) {
		t.Errorf("%s says %q", where, m)
	}
}

// An expert who works on a furniture shop's texts reads its rubric and its issues, beside pensions or alone.
func TestAFurnitureShopsExpertReadsNoPensionWords(t *testing.T) {
	for _, beside := range []bool{false, true} {
		site := apptest.Open(t)
		if beside {
			bring(t, site, steering, dcCustomer())
		}
		at := sofa(t, site)
		eva := site.SignedIn(t, account.Expert, account.Manager)
		line := func(href string) string {
			if !beside {
				return href
			}
			if strings.Contains(href, "?") {
				return href + "&pack=general"
			}
			return href + "?pack=general"
		}
		read := func(path string) *goquery.Document {
			t.Helper()
			doc := page(t, eva.Get(t, path), http.StatusOK)
			own(t, fmt.Sprint(beside, " ", path), doc)
			return doc
		}
		doc := read(at)
		has(t, doc, ".rubric .prose", "A promise")
		has(t, doc, `.rubric a[href="`+line("/compliance/rubric")+`"]`, "Versions and changes")
		has(t, doc, `select[name="mark_code"] option[value="PROMISE"]`, "Promise")
		hasNot(t, doc, `option[value="MISSING_DB_WARNING"]`)
		form := with(hidden(doc, "#answer"), append(answered, "mark_code", "MISSING_DB_WARNING", "mark_quote",
			"I promise")...)
		if r := eva.Post(t, at+"/answer", form); r.Status != http.StatusUnprocessableEntity {
			t.Errorf("marked with another pack's issue: %d", r.Status)
		}
		r := eva.Post(t, at+"/answer", with(form, "mark_code", "PROMISE"))
		if r.Status != http.StatusSeeOther {
			t.Fatalf("marked: %d %.300s", r.Status, r.Body)
		}
		v := site.Borderline.Rubric(pack.GeneralName).Version
		has(t, read(at), "#mine", fmt.Sprintf("rubric v%d, issues v%d", v,
			site.Borderline.Taxonomy(pack.GeneralName).Version))
		has(t, read(line("/compliance/rubric")), "main .prose", "A promise")
		has(t, read(line("/compliance/rubric?kind=taxonomy")), "table", "WRONG_FACT")
		has(t, read(line("/compliance/rubric?edit=yes&kind=rubric")), "#text", "A promise")

		set := read(line("/datasets/new"))
		has(t, set, "#codes", "PROMISE")
		if got := set.Find(`#pack option[selected]`).AttrOr("value", ""); got != pack.GeneralName {
			t.Errorf("a new set is of %q", got)
		}
		label(t, site, eva, read, set)
	}
}

// label makes a set from its form, and reads what its labellers read.
func label(t *testing.T, site *apptest.Site, eva *apptest.Client, read func(string) *goquery.Document,
	form *goquery.Document) {
	t.Helper()
	typed := url.Values{"name": {"Sofas"}, "pack": {pack.GeneralName},
		"rubric": {form.Find("#rubric").AttrOr("value", "")}}
	for _, name := range []string{"labels", "boundaries", "codes"} {
		typed.Set(name, form.Find("#"+name).Text())
	}
	for _, name := range []string{"overlap", "max_labels", "check_share", "agree_on"} {
		typed.Set(name, form.Find(`[name="`+name+`"]`).First().AttrOr("value", ""))
	}
	typed.Set("agree_on", dataset.AgreeLabel)
	r := eva.Post(t, "/datasets", typed)
	if r.Status != http.StatusSeeOther {
		t.Fatalf("a set: %d %.900s", r.Status, r.Body)
	}
	at := r.Header.Get("Location")
	who := dataset.Person{ID: eva.Account.ID, Name: eva.Account.Name}
	if _, err := site.Datasets.Add(t.Context(), strings.TrimPrefix(at, "/datasets/"), []dataset.NewItem{{
		Source: dataset.FromImport, Text: dataset.Text{Question: "When does the table come?",
			Guidance: "It usually takes a week."}}}, who); err != nil {
		t.Fatal(err)
	}
	has(t, read(at), ".facts", "General, version")
	has(t, read(at+"/label"), "main", "Promise")
}

// A change for one pack is proposed, agreed to and shown beside that of another, and To do leads to the right one.
func TestAPacksRubricIsChangedOnThePage(t *testing.T) {
	site := apptest.Open(t)
	bring(t, site, steering, dcCustomer())
	sofa(t, site)
	eva, fay := site.SignedIn(t, account.Expert), site.SignedIn(t, account.Expert)
	for name, text := range map[string]string{pack.Pension: "Nobody is steered.",
		pack.GeneralName: "Promise no days."} {
		doc := page(t, eva.Get(t, "/compliance/rubric?edit=yes&pack="+name), http.StatusOK)
		if got := strings.TrimSpace(doc.Find("#text").Text()); got != strings.TrimSpace(
			site.Borderline.Rubric(name).Text) {
			t.Errorf("%s: the form begins with %q", name, got)
		}
		if r := eva.Post(t, "/compliance/rubric?kind=rubric", with(hidden(doc, "#line"), "text", text, "reason",
			"For "+name)); r.Status != http.StatusSeeOther {
			t.Fatalf("propose for %s: %d %.300s", name, r.Status, r.Body)
		}
	}
	todo := page(t, fay.Get(t, "/todo"), http.StatusOK)
	has(t, todo, "main", "UK pensions, version")
	has(t, todo, "main", "General, version")
	doc := page(t, fay.Get(t, "/compliance/rubric?pack=general"), http.StatusOK)
	has(t, doc, "#proposal", "Promise no days.")
	has(t, doc, `nav[aria-label="Pack"] a[aria-current]`, "General")
	has(t, doc, `nav[aria-label="Standards"] a[href="/compliance/rubric?kind=taxonomy&pack=general"]`, "Issues")
	r := fay.Post(t, doc.Find(`#proposal form[action$="/agree"]`).AttrOr("action", ""), nil)
	if to := r.Header.Get("Location"); r.Status != http.StatusSeeOther || !strings.Contains(to, "pack=general") {
		t.Fatalf("agree: %d to %q", r.Status, to)
	}
	has(t, page(t, fay.Get(t, "/compliance/rubric?pack=general"), http.StatusOK), "main .prose", "Promise no days.")
	doc = page(t, fay.Get(t, "/compliance/rubric"), http.StatusOK)
	has(t, doc, "main .prose", "guidance only")
	has(t, doc, "#proposal", "Nobody is steered.")
	if strings.Contains(page(t, fay.Get(t, "/todo"), http.StatusOK).Find("main").Text(), "General, version") {
		t.Error("what was agreed to waits on To do")
	}
	if r := fay.Get(t, "/compliance/rubric?pack=shoes"); r.Status != http.StatusNotFound {
		t.Errorf("no such pack: %d", r.Status)
	}
}
