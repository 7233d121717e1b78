package page_test

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/demo"
	"preceptor/internal/erase"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db/keyset"
)

// asksOf is an agent of a site that has some guidance, which people ask.
type asksOf struct {
	*apptest.Site
	agent account.Agent
	n     int
}

func (s *asksOf) ask(t *testing.T, question, reference string) (id string) {
	t.Helper()
	s.n++
	s.Clock.Advance(time.Minute)
	c := interaction.Consultation{Question: question,
		Customer: interaction.Customer{Extra: map[string]any{"customer_id": reference}}}
	id, err := s.Interactions.Advise(t.Context(), c, s.agent.ID, s.agent.Name, interaction.OriginAsk,
		audit.System("test"), nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Drain(t)
	return id
}

func pensionDesk(t *testing.T) *asksOf {
	t.Helper()
	site := apptest.Open(t)
	agent, err := site.Accounts.EnsureAgent(t.Context(), "pension-advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := site.Knowledge.Import(t.Context(), demo.Guidance(),
		knowledge.ImportOptions{Pack: "pension"}); err != nil {
		t.Fatal(err)
	}
	return &asksOf{Site: site, agent: agent}
}

// furnitureShop is a desk of another trade, with the pack for any work.
func furnitureShop(t *testing.T) *asksOf {
	t.Helper()
	site := apptest.Open(t)
	agent, err := site.Accounts.EnsureAgent(t.Context(), "shop", "general")
	if err != nil {
		t.Fatal(err)
	}
	guidance := fstest.MapFS{"delivery.md": {
		Data: []byte("# Delivery\n\nSofas are delivered within three weeks. Two people carry a sofa into the room " +
			"that you choose.\n")},
		"returns.md": {
			Data: []byte(
				"# Returns\n\nA mattress can be returned within 100 nights. We collect the mattress free of charge.\n")}}
	if _, err := site.Knowledge.Import(t.Context(), guidance, knowledge.ImportOptions{Pack: "general"}); err != nil {
		t.Fatal(err)
	}
	return &asksOf{Site: site, agent: agent}
}

// What no section answers is counted by meaning, leads to its questions, and leaves the list when somebody has written
// what answers it.
func TestUnansweredQuestionsAreCountedAndWrittenFor(t *testing.T) {
	for name, c := range map[string]struct {
		open               func(*testing.T) *asksOf
		alike              []string
		other, answered    string
		title, text, later string
		when               string
	}{
		"pension": {pensionDesk, []string{"How do I get a mortgage for my first flat?",
			"Can I get a mortgage for a first flat?", "How can I get a mortgage for my first house?"},
			"Do you like jazz music?", "How does drawdown work?",
			"Mortgages", "We do not arrange a mortgage for a flat or house. A mortgage broker or a bank can say " +
				"which mortgage you can get.", "How do I get a mortgage for our first flat?",
			"How do people get a mortgage for a first flat or house?"},
		"furniture": {furnitureShop, []string{"Do you repair scratched oak tables?",
			"Can you repair a scratched oak table?", "Would you repair the scratches on an oak table?"},
			"Is there a car park near your shop?", "When is my sofa delivered?",
			"Repairs", "Our workshop repairs scratched oak tables. A repair takes about ten days.",
			"Who can repair my scratched oak table?", "Do you repair scratched oak tables?"},
	} {
		t.Run(name, func(t *testing.T) {
			s := c.open(t)
			expert := s.SignedIn(t, account.Expert)
			for _, q := range append(c.alike, c.other, c.answered) {
				s.ask(t, q, "")
			}
			doc := page(t, expert.Get(t, "/knowledge/unanswered"), http.StatusOK)
			rows := doc.Find("#unanswered .result")
			if rows.Length() != 2 || !strings.Contains(rows.First().Text(), "Asked 3 times") ||
				!strings.Contains(rows.Last().Text(), "Asked once,") {
				t.Fatalf("groups: %s", rows.Text())
			}
			if got := rows.First().Find("h2").Text(); got != c.alike[0] && got != c.alike[1] && got != c.alike[2] {
				t.Errorf("the group is called %q", got)
			}
			has(t, page(t, expert.Get(t, "/todo"), http.StatusOK), `a[href="/knowledge/unanswered"]`,
				"Unanswered questions")
			group := rows.First().Find("h2 a").AttrOr("href", "")
			doc = page(t, expert.Get(t, group), http.StatusOK)
			if n := doc.Find("#main .result").Length(); n != 3 {
				t.Errorf("%d questions stand behind a count of 3", n)
			}
			write := doc.Find(`a[href^="/knowledge/section"]`).AttrOr("href", "")
			doc = page(t, expert.Get(t, write), http.StatusOK)
			for _, q := range c.alike {
				has(t, doc, `section:has(#asked)`, q)
			}
			if text := doc.Find("#when, #text").Text(); text != "" {
				t.Errorf("the form has words that nobody wrote: %q", text)
			}
			form := filled(t, doc, `form[action="/knowledge/section"]`)
			form.Set("title", c.title)
			form.Set("when", c.when)
			doc = page(t, expert.Post(t, "/knowledge/section", form), http.StatusUnprocessableEntity)
			has(t, doc, "#text-error", "Write the guidance.")
			has(t, doc, `section:has(#asked)`, c.alike[0])
			form.Set("text", c.text)
			r := expert.Post(t, "/knowledge/section", form)
			if r.Status != http.StatusSeeOther {
				t.Fatalf("save: %d %s", r.Status, r.Body)
			}
			s.Drain(t)
			doc = page(t, expert.Get(t, "/knowledge/unanswered"), http.StatusOK)
			if rows := doc.Find("#unanswered .result"); rows.Length() != 1 || !strings.Contains(rows.Text(), c.other) {
				t.Errorf("after the section: %s", rows.Text())
			}
			page(t, expert.Get(t, group), http.StatusNotFound)
			in, err := s.Interactions.Get(t.Context(), s.ask(t, c.later, ""))
			if err != nil || !strings.Contains(in.Guidance, c.text) || in.Provenance.Unanswered {
				t.Errorf("the next draft: %v %s", err, in.Guidance)
			}
			doc = page(t, expert.Get(t, r.Header.Get("Location")), http.StatusOK)
			edit := doc.Find(`a[href^="/knowledge/section?case="]`).AttrOr("href", "")
			form = filled(t, page(t, expert.Get(t, edit), http.StatusOK), `form[action="/knowledge/section"]`)
			if form.Get("text") != c.text {
				t.Errorf("to edit: %q", form.Get("text"))
			}
			form.Set("text", c.text+" Ask at the till.")
			if r := expert.Post(t, "/knowledge/section", form); r.Status != http.StatusSeeOther ||
				!strings.HasPrefix(r.Header.Get("Location"), "/knowledge/cases/") {
				t.Errorf("edit: %d %s", r.Status, r.Body)
			}
			if r := expert.Post(t, "/knowledge/section", form); r.Status != http.StatusConflict {
				t.Errorf("an old form overwrote a newer section: %d", r.Status)
			}
		})
	}
}

// What is not ours to answer is put aside with a reason, and its like with it; any import that answers questions takes
// them off the list; an erased question is gone; a seeded check, a draft that was answered and one drafted anew count
// nothing.
func TestUnansweredGroupsEnd(t *testing.T) {
	s := furnitureShop(t)
	expert, supervisor := s.SignedIn(t, account.Expert), s.SignedIn(t, account.Supervisor)
	rows := func(path string) (list []string) {
		t.Helper()
		page(t, expert.Get(t, path), http.StatusOK).Find("#unanswered .result h2").
			Each(func(_ int, h *goquery.Selection) { list = append(list, h.Text()) })
		return list
	}
	football := s.ask(t, "Who won the football last night?", "")
	s.ask(t, "Which dentist would you recommend?", "crm-7781-xq")
	s.ask(t, "What are your opening hours on Sunday?", "")
	if list := rows("/knowledge/unanswered"); len(list) != 3 {
		t.Fatalf("%q", list)
	}
	if next := keyset.Cursor(1, int64(0), "a"); len(rows("/knowledge/unanswered?cursor="+next)) != 0 {
		t.Error("the page behind the last group has groups")
	}
	group := page(t, supervisor.Get(t, "/knowledge/unanswered"),
		http.StatusOK).Find(`a:contains("football")`).AttrOr("href", "")
	has(t, show(t, supervisor, football, ""), `#draft-notes a[href="`+group+`"]`, "Unanswered questions")
	if r := supervisor.Post(t, group,
		url.Values{"do": {"aside"}, "reason": {"No."}}); r.Status != http.StatusForbidden {
		t.Errorf("a supervisor put it aside: %d", r.Status)
	}
	has(t, page(t, expert.Post(t, group, url.Values{"do": {"aside"}, "reason": {" "}}), http.StatusUnprocessableEntity),
		"#reason-error", "Say why")
	if r := expert.Post(t, group,
		url.Values{"do": {"aside"}, "reason": {"We sell furniture."}}); r.Status != http.StatusSeeOther {
		t.Fatalf("put aside: %d", r.Status)
	}
	hasNot(t, show(t, supervisor, football, ""), "#draft-notes")
	s.ask(t, "Who won the football yesterday night?", "")
	if list := rows("/knowledge/unanswered"); len(list) != 2 {
		t.Errorf("the like of what was put aside came back: %q", list)
	}
	doc := page(t, expert.Get(t, "/knowledge/unanswered?aside=1"), http.StatusOK)
	has(t, doc, "#unanswered .result", "We sell furniture.")
	has(t, doc, "#unanswered .result", "Asked 2 times")
	if r := expert.Post(t, group, url.Values{"do": {"back"}}); r.Status != http.StatusSeeOther ||
		len(rows("/knowledge/unanswered")) != 3 {
		t.Errorf("put back: %d", r.Status)
	}
	by := audit.System("test")
	if _, err := s.Erase.Erase(t.Context(),
		erase.Request{How: interaction.ByReference, Subject: "crm-7781-xq", Why: "They asked.", By: by}); err != nil {
		t.Fatal(err)
	}
	if list := rows("/knowledge/unanswered"); len(list) != 2 || strings.Contains(strings.Join(list, " "), "gift") {
		t.Errorf("after the erasure: %q", list)
	}
	guidance := fstest.MapFS{
		"hours.md": {Data: []byte("# Opening hours\n\nThe shop is open on Sunday from 10:00 to 16:00.\n")}}
	if _, err := s.Knowledge.Import(t.Context(), guidance, knowledge.ImportOptions{Pack: "general"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Unanswered.Reread(t.Context()); err != nil {
		t.Fatal(err)
	}
	if list := rows("/knowledge/unanswered"); len(list) != 1 || !strings.Contains(list[0], "football") {
		t.Errorf("after the import: %q", list)
	}
	if n, err := s.Unanswered.Totals(t.Context()); err != nil || n.Questions != 2 || n.Groups != 1 {
		t.Errorf("%+v %v", n, err)
	}
}

// A section that names a customer, has a figure that is out of date, or says nothing isn't saved, and what was typed
// stays.
func TestASectionIsCheckedBeforeItIsSaved(t *testing.T) {
	s := pensionDesk(t)
	admin := s.SignedIn(t, account.Admin)
	form := filled(t, page(t, admin.Get(t, "/knowledge/section"), http.StatusOK), `form[action="/knowledge/section"]`)
	before, err := s.Knowledge.Sizes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for field, typed := range map[string][2]string{
		"text":  {"The money purchase annual allowance is £4,000 a year.", "£4,000"},
		"when":  {"Ask me at margaret.hollis@example.org, can I pay in more?", "margaret.hollis@example.org"},
		"title": {strings.Repeat("a", 201), "200"},
	} {
		f := with(maps.Clone(form), "when", "Can I pay in more?", "title", "Paying in", "text",
			"People can pay in each year.", field, typed[0])
		doc := page(t, admin.Post(t, "/knowledge/section", f), http.StatusUnprocessableEntity)
		has(t, doc, "#"+field+"-error", typed[1])
		if got := filled(t, doc, `form[action="/knowledge/section"]`).Get(field); got != typed[0] {
			t.Errorf("%s: what was typed is gone", field)
		}
	}
	after, err := s.Knowledge.Sizes(t.Context())
	if err != nil || after != before {
		t.Errorf("%+v, before %+v: %v", after, before, err)
	}
	if r := admin.Post(t, "/knowledge/section",
		with(maps.Clone(form), "when", "Can I pay in more?", "title", "Paying in", "text",
			"People can pay in each year.", "for", "pack:none")); r.Status != http.StatusUnprocessableEntity {
		t.Errorf("a pack that there isn't: %d", r.Status)
	}
}

// What was left out of a cited section is shown at the review with why, and one click puts it back into a revision,
// with or without a script.
func TestWhatWasLeftOutOfASourceIsPutBack(t *testing.T) {
	s := pensionDesk(t)
	text := "# Charges of pots\n\nThe charges of a pension pot are taken each year. Do you know yours? They can add " +
		"up over many years. " +
		"A defined benefit pension has no charges of its own. Charges of a pension pot differ from one provider to " +
		"the next. The yearly statement says them.\n"
	docs := fstest.MapFS{"charges.md": {Data: []byte(text)}}
	if _, err := s.Knowledge.Import(t.Context(), docs, knowledge.ImportOptions{Pack: "pension"}); err != nil {
		t.Fatal(err)
	}
	ann := s.SignedIn(t, account.Supervisor)
	c := dcCustomer()
	c.Question, c.TaskType = "What are the charges of a pension pot?", ""
	id, err := s.Interactions.Advise(t.Context(), c, s.agent.ID, s.agent.Name, interaction.OriginAsk,
		ann.Account.Actor(), nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Drain(t)
	in, err := s.Interactions.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	const orphan, foreign = "They can add up over many years.", "A defined benefit pension has no charges of its own."
	if !strings.Contains(in.Guidance, "Charges of a pension pot differ") || strings.Contains(in.Guidance, orphan) ||
		strings.Contains(in.Guidance, foreign) {
		t.Fatal(in.Guidance)
	}
	doc := show(t, ann, id, "")
	has(t, doc, "#cuts summary", "2 sentences left out of the sources")
	has(t, doc, "#cuts", orphan+" Case #")
	has(t, doc, "#cuts", "It points back to a sentence that was left out.")
	has(t, doc, "#cuts", "Not in the profile: a defined benefit pension.")
	if strings.Contains(words(doc, "#cuts"), "Do you know yours") {
		t.Error("what no draft has is offered")
	}
	back := doc.Find(`#cuts li:contains("defined benefit") a`).AttrOr("href", "")
	doc = page(t, ann.Get(t, back), http.StatusOK)
	revised := doc.Find("#text").Text()
	if at := strings.Index(revised, foreign); at < 0 || at > strings.Index(revised, "Sources:") {
		t.Errorf("the revision: %s", revised)
	}
	hasNot(t, doc, `#cuts li:contains("defined benefit") button`)
	form := with(seen(t, doc, "#decide"), "text", strings.TrimPrefix(revised, "\n"), "put",
		doc.Find(`#cuts li:contains("add up") button`).AttrOr("value", ""))
	doc = page(t, ann.Post(t, "/reviews/"+id+"/check", form), http.StatusOK)
	if revised = doc.Find("#text").Text(); strings.Count(revised, orphan) != 1 || strings.Count(revised, foreign) != 1 {
		t.Errorf("after the second: %s", revised)
	}
	other := bring(t, s.Site, passing, dcCustomer())
	hasNot(t, show(t, ann, other, ""), "#cuts")
}
