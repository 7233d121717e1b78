package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

// What the program proposes and ticks never holds up an answer: a public body is nobody's name, and the question is
// offered without a real one.
func TestWhatIsProposedHoldsNothingUp(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	for question, want := range map[string]string{
		"What does the Pension Protection Fund pay if my old company goes bust?": "Pension Protection Fund",
		"Do I tell the Financial Ombudsman Service or Citizens Advice?": "Ombudsman Service or " +
			"Citizens Advice",
		"I left Zebedee Widgets and worry. Whom can I ask?": "I left … and worry",
	} {
		c := dcCustomer()
		c.TaskType, c.Question = "general", question
		id := bring(t, site, passing, c)
		form := filled(t, show(t, ann, id, "?mode=revise"), "#decide")
		form.Set("text", passing+"\n\nYou can ring us on any weekday for help with this.")
		form.Set("reason", "It gives no hours.")
		form = with(filled(t, page(t, ann.Post(t, "/reviews/"+id+"/teach", form), http.StatusOK), "#decide"),
			"text", form.Get("text"))
		if all := form.Encode(); form.Get("teach.0.on") == "" || !strings.Contains(all, url.QueryEscape(want)) {
			t.Fatalf("%q: nothing is proposed, or not with %q: %s", question, want, all)
		}
		if r := ann.Post(t, "/reviews/"+id+"/revise", form); r.Status != http.StatusSeeOther {
			t.Errorf("%q: %d %s", question, r.Status, words(page(t, r, r.Status), ".notices"))
		}
	}
}

// What holds up a revision is said where one looks, and the focus is in the field to be mended.
func TestWhatHoldsUpARevisionIsInSight(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	const own = "What does Zebedee pay?"
	for at, typed := range map[string]string{`textarea[name="when.90.values"]`: "like", "#teach-because": "because",
		".teach-row.wrong textarea": "row"} {
		c := dcCustomer()
		c.Question = "I was at Zebedee for years. What can I take?"
		id := bring(t, site, passing, c)
		form := with(filled(t, show(t, ann, id, "?mode=revise"), "#decide"), "text", passing+"\n\nRing us.", "reason",
			"It is short.",
			"teach.0.kind", "other", "teach.0.on", "1", "teach.0.text", "Say more.")
		switch typed {
		case "like":
			form = with(form, "when.90.kind", "like", "when.90.on", "1", "when.90.values", own, "when.90.typed", "1")
		case "because":
			form.Set("because", own)
		default:
			form.Set("teach.0.text", own)
		}
		doc := page(t, ann.Post(t, "/reviews/"+id+"/revise", form), http.StatusUnprocessableEntity)
		has(t, doc, ".panel > .notices", "Make general or remove: “Zebedee”.")
		if typed == "like" {
			at = `.teach-condition.like textarea[aria-invalid]`
		}
		if f := doc.Find("[autofocus]"); f.Length() != 1 || !f.Is(at) || doc.Find(".teach-drawer[open]").Length() != 1 {
			html, _ := goquery.OuterHtml(f)
			t.Errorf("%s: the focus is in %.300s", typed, html)
		}
	}
}
