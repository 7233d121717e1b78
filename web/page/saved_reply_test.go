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
	"preceptor/internal/rule"
)

const savedReplies = "/reviews/replies"

// A saved reply is written once, put in with what is known of the customer, and not sent while something is left to
// fill in.
func TestSavedRepliesArePutInAndFilled(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	has(t, page(t, ann.Get(t, savedReplies), http.StatusOK), ".empty", "No saved replies yet")
	doc := page(t, ann.Post(t, savedReplies, url.Values{"name": {"Charges"}, "text": {" "}}),
		http.StatusUnprocessableEntity)
	has(t, doc, "#text-error", "Enter the text")
	if doc.Find(`#name[value=Charges]`).Length() != 1 {
		t.Error("the name is to be typed again")
	}
	for name, form := range map[string]url.Values{
		"Charges": {"text": {"You are {{age}}; {{scheme}} charges {{ fee }}. {{My name}}"}, "shared": {"yes"}},
		"Own":     {"text": {"For me alone."}},
	} {
		form.Set("name", name)
		if r := ann.Post(t, savedReplies, form); r.Status != http.StatusSeeOther {
			t.Fatalf("%d %.300s", r.Status, r.Body)
		}
	}
	has(t, page(t, ben.Get(t, savedReplies), http.StatusOK), ".card", "Shared by "+ann.Account.Name)

	id := bring(t, site, passing, dcCustomer())
	doc = show(t, ben, id, "?mode=revise")
	offers := doc.Find(".replies button")
	if offers.Length() != 1 || !strings.Contains(offers.Text(), "Charges") {
		t.Fatalf("Ben is offered %q", offers.Text())
	}
	filled := "You are 61; {{scheme}} charges {{ fee }}. " + ben.Account.Name
	if got := offers.AttrOr("data-put", ""); got != filled {
		t.Errorf("it puts in %q", got)
	}
	form := with(seen(t, doc, "#decide"), "text", passing, "reason", "No charges.", "reply", offers.AttrOr("value", ""))
	doc = page(t, ben.Post(t, offers.AttrOr("formaction", ""), form), http.StatusOK) // without a script
	has(t, doc, "textarea[name=text]", passing+" "+filled)
	has(t, doc, "#check ins", "{{scheme}}")
	doc = page(t, ben.Post(t, "/reviews/"+id+"/revise", with(form, "text", passing+" "+filled)),
		http.StatusUnprocessableEntity)
	has(t, doc, "#text-error", "Fill in {{scheme}}, {{fee}}.")
	has(t, doc, "textarea[name=text]", filled)
	if r := ben.Post(t, "/reviews/"+id+"/revise",
		with(form, "text", passing+" Nest charges 0.3%. Write `{{name}}` so.", "only_customer", "1")); r.Status !=
		http.StatusSeeOther {
		t.Errorf("filled: %d %.300s", r.Status, r.Body)
	}

	edit := url.Values{} // as it is drawn
	page(t, ann.Get(t, savedReplies), http.StatusOK).Find("li.card:contains(Charges) form.form").
		Find("input, textarea").Each(func(_ int, in *goquery.Selection) {
		edit.Set(in.AttrOr("name", ""), in.AttrOr("value", in.Text()))
	})
	if edit.Get("name") != "Charges" || edit.Get("shared") != "yes" {
		t.Errorf("the form of a saved reply sends %v", edit)
	}
	if r := ann.Post(t, savedReplies, with(edit, "text", "Nest charges 0.3%.")); r.Status != http.StatusSeeOther {
		t.Errorf("edited: %d %.300s", r.Status, r.Body)
	}
	has(t, page(t, ben.Get(t, savedReplies), http.StatusOK), ".card", "Nest charges 0.3%.")

	card := page(t, ann.Get(t, savedReplies), http.StatusOK).Find("li.card").First()
	if ann.Post(t, card.Find(`form[action$="/delete"]`).AttrOr("action", ""), nil).Status != http.StatusSeeOther {
		t.Error("Ann can't delete hers")
	}
	hasNot(t, page(t, ben.Get(t, savedReplies), http.StatusOK), "li.card")
	if r := site.SignedIn(t, account.Expert).Get(t, savedReplies); r.Status != http.StatusForbidden {
		t.Errorf("an expert: %d", r.Status)
	}
}

// What is offered as the lesson of a revision is ticked only where it may be one: not what a saved reply says, however
// it was filled in, what is about this customer, or what is too long for a rule.
func TestOnlyWhatMayBeALessonIsTicked(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	if r := ann.Post(t, savedReplies,
		url.Values{"name": {"Greeting"},
			"text": {
				"Dear {{name}}, thank you for asking about {{scheme}}.\nWe answer within {{days}} days."}}); r.Status !=
		http.StatusSeeOther {
		t.Fatalf("save: %d", r.Status)
	}
	c := dcCustomer()
	c.Customer.Name = "Patricia Lowe"
	id := bring(t, site, passing, c)
	form := seen(t, show(t, ann, id, "?mode=revise"), "#decide")
	ticked := func(text string) (on []string) {
		t.Helper()
		r := ann.Do(t, http.MethodPost, "/reviews/"+id+"/teach", "application/x-www-form-urlencoded",
			with(form, "mode", "revise", "text", text).Encode(),
			"Sec-Fetch-Site", "same-origin", "HX-Request", "true")
		page(t, r, http.StatusOK).Find(`input[name$=".on"][checked]`).Each(func(_ int, s *goquery.Selection) {
			on = append(on, s.AttrOr("name", ""))
		})
		return on
	}
	const lesson = "Free guidance from Pension Wise helps people who are over fifty."
	if on := ticked(passing + "\n\n" + lesson); len(on) != 1 {
		t.Errorf("a sentence that was added: %d are ticked, want one", len(on))
	}
	for what, text := range map[string]string{
		"a saved reply": "Dear Patricia Lowe, thank you for asking about the Nest pension scheme.\nWe " +
			"answer within 10 days.\n\n" + passing,
		"one line of it":      passing + "\n\nWe answer within three working days.",
		"about this customer": passing + "\n\nPatricia Lowe can ring us about this on any day.",
		"too long for a lesson": passing + "\n\n" +
			strings.Repeat("Pots that are small can be joined with others, which is often easier to follow ", 20) +
			"at last.",
		"the name of who reviews": passing + "\n\nYours, " + ann.Account.Name + ", who is here to help you on.",
	} {
		if on := ticked(text); len(on) != 0 {
			t.Errorf("%s: %v are ticked, want none", what, on)
		}
	}
}

// What a saved reply says is listed neither beside the text nor learned from it on sending, and what filled its places is
// in no lesson, whichever way it was put in.
func TestASavedReplyTeachesNothing(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	for name, text := range map[string]string{
		"Personal": "You are {{age}} and have a {{DC pension}} pot. Your reference is {{reference}}. Ring {{provider}}.",
		"Noted":    "We have noted your call. Your reference number is {{reference}}.",
	} {
		if r := ann.Post(t, savedReplies, url.Values{"name": {name}, "text": {text}}); r.Status != http.StatusSeeOther {
			t.Fatalf("save: %d", r.Status)
		}
	}
	for text, secret := range map[string]string{
		passing + " You are 61 and have a £80,000 pot. Your reference is AB-77. Ring St. James's Place.": "AB-77",
		"We have noted your call. Your reference number is QX-4471. " + passing:                          "QX-4471",
		passing + "\n\nYour reference is AB-78.\nPlease always quote AB-78 when you write to any of us.": "AB-78",
	} {
		ann = site.Enter(t, ann.Account)
		id := bring(t, site, passing, dcCustomer())
		form := with(seen(t, show(t, ann, id, "?mode=revise"), "#decide"), "mode", "revise", "text", text, "reason",
			"More personal")
		rows := page(t, ann.Do(t, http.MethodPost, "/reviews/"+id+"/teach", "application/x-www-form-urlencoded",
			form.Encode(), "Sec-Fetch-Site", "same-origin", "HX-Request", "true"), http.StatusOK)
		if listed, _ := rows.Html(); strings.Contains(listed, "Your reference") || strings.Contains(listed, "noted") {
			t.Errorf("%s: the panel lists what the reply says: %s", secret, rows.Text())
		}
		hasNot(t, rows, `input[name$=".on"][checked]`)
		lent := secret != "AB-78" // which has a sentence of one's own
		if told := words(rows, "#teach-told"); lent != strings.Contains(told, "saved replies make no rule") {
			t.Errorf("%s: %q", secret, told)
		}
		if r := ann.Post(t, "/reviews/"+id+"/revise", form); r.Status != http.StatusSeeOther {
			t.Fatalf("%d %.300s", r.Status, r.Body)
		}
		site.Clock.Advance(time.Minute)
		site.Drain(t)
		list, err := site.Learning.ForInteraction(t.Context(), id)
		if err != nil || len(list) == 0 {
			t.Fatalf("%v %v", list, err)
		}
		for _, l := range list {
			if lent != strings.Contains(l.Outcome, rule.NothingLent) {
				t.Errorf("%s: %q", secret, l.Outcome)
			}
			if !l.Statement.Empty() || l.Source != nil && strings.Contains(l.Source.HumanText+l.Source.Written(), secret) {
				t.Errorf("%s: it is learned that %s (%+v)", secret, rule.Sentence(l.Statement, nil), l.Source)
			}
		}
	}
}

// A flag for something missing offers the approved wording, on the draft and in the editor, if the check then finds
// nothing.
func TestAFlagForSomethingMissingOffersTheApprovedWording(t *testing.T) {
	site := content(t)
	ann := site.SignedIn(t, account.Supervisor)
	const warning, signpost = "A transfer gives up that guarantee for good",
		"MoneyHelper offers free guidance on weighing it up"
	choice := dcCustomer()
	choice.Question = "Should I take drawdown or an annuity?"
	for code, c := range map[string]struct {
		text, words, not string
		id               string
	}{
		"MISSING_DB_WARNING": {text: "You can ask the scheme for a transfer value and move it to a personal plan.",
			words: warning,
			id: bring(t, site, "You can ask the scheme for a transfer value and move it to a personal plan.",
				dbCustomer())},
		"MISSING_SIGNPOST": {text: "That is for you to decide.\n\nSources:\n[1] Choices", words: signpost,
			id: bring(t, site, "That is for you to decide.\n\nSources:\n[1] Choices", choice)},
	} {
		doc := show(t, ann, c.id, "")
		link := doc.Find(`.flag a[href$="put=` + code + `"]`)
		if link.Length() != 1 {
			t.Errorf("%s: the draft offers nothing: %s", code,
				strings.Join(doc.Find(".flag").Map(func(_ int, s *goquery.Selection) string { return s.Text() }),
					" / "))
			continue
		}
		doc = page(t, ann.Get(t, link.AttrOr("href", "")), http.StatusOK)
		has(t, doc, "textarea[name=text]", c.words)
		has(t, doc, "#check ins", c.words)
		hasNot(t, doc, `#check [value=`+code+`]`)
		if text := doc.Find("textarea[name=text]").Text(); strings.Contains(text, "Sources:") &&
			strings.Index(text, c.words) > strings.Index(text, "Sources:") {
			t.Errorf("%s: it is put below the sources: %s", code, text)
		}
		doc = show(t, ann, c.id, "?mode=revise")
		button := doc.Find(`#check button[name=put][value=` + code + `]`)
		has(t, doc, "#check .wording q", c.words)
		form := with(seen(t, doc, "#decide"), "text", c.text+" More.", "put", code)
		has(t, page(t, ann.Post(t, button.AttrOr("formaction", ""), form), http.StatusOK), "textarea[name=text]",
			c.words)
	}
	id := bring(t, site, "You should take all of it today.", dcCustomer()) // nothing is missing that words would mend
	hasNot(t, show(t, ann, id, ""), `.flag a[href*="put="]`)
	hasNot(t, show(t, ann, id, "?mode=revise"), "#check [data-put]")
}

// The draft, the revision and what was delivered are there as written and as the customer sees them.
func TestATextIsShownAsTheCustomerSeesIt(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	const table = "\n\n# Ways\n\n| Way | Tax |\n|---|---|\n| Cash | <b>75%</b> |\n\n- " +
		"[Help](https://www.moneyhelper.org.uk)\n\nשלום"
	id := bring(t, site, passing+table, dcCustomer())
	look := func(doc *goquery.Document, at string) {
		t.Helper()
		has(t, doc, at+" h3[dir=auto]", "Ways")
		has(t, doc, at+" td b", "75%")
		has(t, doc, at+` li a[target=_blank][rel*=noopener]`, "Help")
		has(t, doc, at+` p[dir=auto]:last-child`, "שלום")
	}
	doc := show(t, ann, id, "")
	look(doc, ".text > .as-sent")
	has(t, doc, ".text > .draft", "| Way | Tax |")
	if doc.Find(`input#as-customer[data-key=v]`).Length() != 1 {
		t.Error("no key leads from the one to the other")
	}
	doc = show(t, ann, id, "?mode=revise")
	look(doc, "#check > .as-sent")
	form := with(seen(t, doc, "#decide"), "text", passing+" More."+table, "reason", "It is short.", "only_customer",
		"1")
	if r := ann.Post(t, "/reviews/"+id+"/revise", form); r.Status != http.StatusSeeOther {
		t.Fatalf("%d %.300s", r.Status, r.Body)
	}
	look(show(t, ann, id, ""), "#outcome .as-sent")
}
