package page_test

import (
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/review"
)

// realCase hands in a clean draft of the kind that the planted ones imitate.
func realCase(t *testing.T, s *apptest.Site, token string) string {
	t.Helper()
	c := s.Nobody(t)
	c.Header.Set("Authorization", "Bearer "+token)
	res := c.JSON(t, http.MethodPost, "/api/guidance",
		`{"agent":"pension-advisor","model":"m-1","reasoning":"Gave the usual share.","consultation":{"task_type":"tax_free_cash",
		"question":"How much of my pot of £80,000 is tax free?","customer":{"age":60,"literacy":"medium","goal":"a new roof","name":"Una Moss","pensions":[{"kind":"dc","value_gbp":80000}]}},
		"guidance":"When a pension pot is opened, usually a quarter of it is free of tax.\n\nThe rest is added to the income of the year.\n\nPension Wise offers a free appointment."}`)
	if res.Status != http.StatusAccepted {
		t.Fatalf("hand in: %d %s", res.Status, res.Body)
	}
	id := regexp.MustCompile(`"id":"([^"]+)"`).FindStringSubmatch(res.Body)[1]
	return id
}

// onlyDraft leaves one draft of the library in use.
func onlyDraft(t *testing.T, s *apptest.Site, id string) {
	t.Helper()
	drafts, err := s.Planted.Library(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range drafts {
		if err := s.Planted.Retire(t.Context(), d.ID, d.ID != id, audit.System("test")); err != nil {
			t.Fatal(err)
		}
	}
}

var (
	idForm  = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)
	hexForm = regexp.MustCompile(`\b[0-9a-f]{64}\b`)
)

// shape is a page without its texts: every element with every attribute and its value, ids and hashes aside.
func shape(t *testing.T, body string) []string {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	doc.Find("*").Each(func(_ int, e *goquery.Selection) {
		if e.Closest("#teach-whom").Length() > 0 {
			return // what this customer's profile offers
		}
		node := e.Get(0)
		line := node.Data
		for _, a := range node.Attr {
			value := hexForm.ReplaceAllString(idForm.ReplaceAllString(a.Val, "ID"), "HASH")
			if a.Key == "data-until" || a.Key == "content" || a.Key == "datetime" || a.Key == "title" {
				value = "TIME"
			}
			line += fmt.Sprintf(" %s=%q", a.Key, value)
		}
		out = append(out, line)
	})
	return out
}

func headers(r apptest.Response) []string {
	var out []string
	for name := range r.Header {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// A supervisor can't tell a planted draft by the page before it is closed: the same elements with the same attributes,
// the same headers, ids of the same form; and the queue shows them in the same way.
func TestAPlantedCaseLooksLikeAnyOther(t *testing.T) {
	s := content(t)
	onlyDraft(t, s, "b20")
	sam := s.SignedIn(t, account.Supervisor)
	token := s.Token(t, account.Submit)
	real := realCase(t, s, token)
	fake, err := s.Planted.Plant(t.Context(), real)
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"", "?mode=revise", "?mode=reject", "?mode=skip"} {
		a, b := sam.Get(t, "/reviews/"+real+mode), sam.Get(t, "/reviews/"+fake+mode)
		if a.Status != http.StatusOK || b.Status != http.StatusOK || !slices.Equal(headers(a), headers(b)) {
			t.Fatalf("%s: %d and %d, headers %v and %v", mode, a.Status, b.Status, headers(a), headers(b))
		}
		one, two := shape(t, a.Body), shape(t, b.Body)
		one, two = nav(one), nav(two)
		for i := range min(len(one), len(two)) {
			if one[i] != two[i] {
				t.Fatalf("%s: element %d is\n%s\nfor a real case and\n%s\nfor a planted one", mode, i, one[i], two[i])
			}
		}
		if len(one) != len(two) {
			t.Fatalf("%s: %d and %d elements", mode, len(one), len(two))
		}
		for _, word := range []string{"planted", "Planted"} {
			if strings.Contains(strings.ReplaceAll(b.Body, "/reviews/planted", ""), word) {
				t.Errorf("%s: the page says %q", mode, word)
			}
		}
	}
	if id := idForm.FindString(fake); id != fake {
		t.Errorf("its id is %q", fake)
	}
	queue := sam.Get(t, "/reviews").Body
	if !strings.Contains(queue, fake) || strings.Contains(queue, "lanted") {
		t.Errorf("the queue does not show it, or says what it is")
	}
}

// While a decision can be taken back, and after it was, the desk and the board show no lesson: a seeded check makes
// none.
func TestAPlantedCaseIsNotToldByItsLesson(t *testing.T) {
	s := apptest.Open(t)
	onlyDraft(t, s, "b23")
	sam := s.SignedIn(t, account.Supervisor)
	real := realCase(t, s, s.Token(t, account.Submit))
	fake, err := s.Planted.Plant(t.Context(), real)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{real, fake} {
		form := with(seen(t, page(t, sam.Get(t, "/reviews/"+id+"?mode=reject"), http.StatusOK), "#decide"),
			"reason_code", "wrong_facts",
			"reason", "The share is wrong.", "feedback",
			"When a share is given, give the usual share because it is asked for.")
		if r := sam.Post(t, "/reviews/"+id+"/reject", form); r.Status != http.StatusSeeOther {
			t.Fatalf("reject: %d %.600s", r.Status, r.Body)
		}
	}
	s.Drain(t)
	if lessons, err := s.Learning.ForInteraction(t.Context(), real); err != nil || len(lessons) == 0 {
		t.Fatalf("nothing is learned from the real one, so this shows nothing: %v", err)
	}
	look := func(id string) []string {
		doc := page(t, sam.Get(t, "/reviews/"+id), http.StatusOK)
		doc.Find(".bar > a").Remove() // only one of two cases is followed by another
		doc.Find("#because").Remove() // what the judge makes of two texts
		html, err := doc.Html()
		if err != nil {
			t.Fatal(err)
		}
		return nav(shape(t, html))
	}
	alike := func(when string) {
		t.Helper()
		a, b := look(real), look(fake)
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Fatalf("%s, element %d is\n%s\nfor a real case and\n%s\nfor a planted one", when, i, a[i], b[i])
			}
		}
		if len(a) != len(b) {
			t.Fatalf("%s: %d and %d elements", when, len(a), len(b))
		}
		rail := page(t, sam.Get(t, "/reviews/recent"), http.StatusOK)
		if n := rail.Find(".rail-item").Length(); n != 2 {
			t.Errorf("%s: %d in the rail", when, n)
		}
		hasNot(t, rail, ".rail-lesson")
		hasNot(t, page(t, sam.Get(t, "/learning"), http.StatusOK), `a[href^="/learning/"]`)
	}
	alike("during the hold")
	for range 2 {
		undo := page(t, sam.Get(t, "/reviews/recent"), http.StatusOK).Find("form").First()
		if r := sam.Post(t, undo.AttrOr("action", ""),
			url.Values{"as": {sam.Account.ID}}); r.Status != http.StatusSeeOther {
			t.Fatalf("undo: %d %.600s", r.Status, r.Body)
		}
	}
	s.Drain(t)
	for _, id := range []string{real, fake} {
		page(t, sam.Post(t, "/reviews/"+id+"/claim", nil), http.StatusSeeOther)
		hasNot(t, page(t, sam.Get(t, "/reviews/"+id), http.StatusOK), `#main a[href^="/learning/"]`)
	}
	hasNot(t, page(t, sam.Get(t, "/learning"), http.StatusOK), `a[href^="/learning/"]`)
}

// nav leaves out the way to the case before and after, which exists for one of two cases only.
func nav(lines []string) []string {
	return slices.DeleteFunc(lines, func(l string) bool {
		return strings.Contains(l, `"Next review"`) || strings.Contains(l, `"Previous review"`) ||
			strings.Contains(l, `"btn quiet small" aria-hidden`)
	})
}

// No agent sees one, at any time.
func TestAgentsNeverSeeAPlantedCase(t *testing.T) {
	s := apptest.Open(t)
	token := s.Token(t, account.Submit)
	real := realCase(t, s, token)
	fake, err := s.Planted.Plant(t.Context(), real)
	if err != nil {
		t.Fatal(err)
	}
	agent := s.Nobody(t)
	agent.Header.Set("Authorization", "Bearer "+token)
	if res := agent.Get(t, "/api/guidance/"+fake); res.Status != http.StatusNotFound {
		t.Errorf("GET: %d %s", res.Status, res.Body)
	}
	if res := agent.Get(t, "/api/guidance?limit=100"); strings.Contains(res.Body, fake) ||
		!strings.Contains(res.Body, real) {
		t.Errorf("the list: %s", res.Body)
	}
	if res := agent.Get(t, "/api/guidance?status=waiting"); strings.Contains(res.Body, fake) {
		t.Errorf("the list of what waits: %s", res.Body)
	}
}

// All the way: decided, closed, told in the inbox, on the case, on my page and to the manager; never delivered, never
// learned from, and in no figure about drafts.
func TestAPlantedCaseIsToldAtItsEnd(t *testing.T) {
	s := apptest.Open(t)
	onlyDraft(t, s, "b01")
	sam, morag := s.SignedIn(t, account.Supervisor), s.SignedIn(t, account.Manager)
	fake, err := s.Planted.Plant(t.Context(), realCase(t, s, s.Token(t, account.Submit)))
	if err != nil {
		t.Fatal(err)
	}
	item, err := s.Reviews.Get(t.Context(), fake)
	if err != nil {
		t.Fatal(err)
	}
	res := sam.Post(t, "/reviews/"+fake+"/approve",
		url.Values{"version": {fmt.Sprint(item.Version)}, "text_hash": {item.TextHash}, "seconds": {"4"}})
	if res.Status != http.StatusSeeOther {
		t.Fatalf("approve: %d %s", res.Status, res.Body)
	}
	if body := sam.Get(t, "/reviews/planted").Body; !strings.Contains(body, "None yet") {
		t.Error("it is told before the hold has ended")
	}
	s.Clock.Advance(time.Minute)
	s.Drain(t)
	in, err := s.Interactions.Get(t.Context(), fake)
	if err != nil || in.Status != interaction.Closed || in.FinalText != "" {
		t.Fatalf("it ends as %+v, %v", in.Status, err)
	}
	for path, words := range map[string]string{"/reviews/planted": "Usually a quarter of a pot",
		"/reviews/" + fake: "It was missed", "/inbox": "seeded check"} {
		if body := sam.Get(t, path).Body; !strings.Contains(body, words) {
			t.Errorf("%s does not say %q", path, words)
		}
	}
	for path, words := range map[string]string{"/overview/desk": "0 of 1 seeded check",
		"/overview/planted/results": "missed", "/overview/planted": "once, "} {
		if body := morag.Get(t, path).Body; !strings.Contains(body, words) {
			t.Errorf("%s does not say %q", path, words)
		}
	}
	for id, want := range map[string][]string{ // each file states the days it is of
		"weeks": {"preceptor-weeks-2026-08-17-2026-11-02-", "Period: 17 August to 2 November 2026; ", "\n2026-08-17,",
			"\n2026-11-02,"},
		"kinds":  {"preceptor-kinds-2026-08-17-2026-11-02-", "Period: 17 August to 2 November 2026; "},
		"people": {"preceptor-people-2026-10-06-2026-11-02-", "Period: 6 October to 2 November 2026; "},
	} {
		file := morag.Get(t, "/overview/desk?chart="+id+"&format=csv")
		if got := file.Header.Get("Content-Disposition"); file.Status != http.StatusOK ||
			!strings.Contains(got, want[0]) {
			t.Errorf("%s: %d, %s", id, file.Status, got)
		}
		for _, words := range want[1:] {
			if !strings.Contains(strings.ReplaceAll(file.Body, "\r", ""), words) {
				t.Errorf("%s doesn't say %q: %s", id, words, file.Body)
			}
		}
	}
	ever := morag.Get(t, "/stats/learning?days=7&chart=help&format=csv")
	if got := ever.Header.Get("Content-Disposition"); ever.Status != http.StatusOK ||
		!strings.Contains(got, "preceptor-help-until-2026-11-02") ||
		!strings.Contains(ever.Body, "Period: everything until 2 November 2026") {
		t.Errorf("what rules did ever: %d %s %s", ever.Status, got, ever.Body)
	}
	if o, err := s.Stats.Overview(t.Context(), 14); err != nil || o.Review.Decisions.N != 0 {
		t.Errorf("the figures about drafts count it: %+v, %v", o, err)
	}
	if p, err := s.Stats.Pace(t.Context(), 14); err != nil || len(p.People) != 0 {
		t.Errorf("the figures about people count it: %+v, %v", p, err)
	}
	if lessons, err := s.Learning.ForInteraction(t.Context(), fake); err != nil || len(lessons) != 0 {
		t.Errorf("it is learned from: %v, %v", lessons, err)
	}
	if used, err := s.Knowledge.Usage(t.Context(), fake); err != nil || len(used) != 0 {
		t.Errorf("the ledger of knowledge keeps it: %v, %v", used, err)
	}
	page, err := s.Interactions.List(t.Context(), interaction.Filter{AgentID: in.AgentID})
	if err != nil || len(page.Items) != 1 {
		t.Errorf("%d in the agent's list, %v", len(page.Items), err)
	}
}

// The library is for managers and administrators, who write their own drafts; what is typed survives a mistake.
func TestTheLibraryOfPlantedChecks(t *testing.T) {
	s := apptest.Open(t)
	morag, sam := s.SignedIn(t, account.Manager), s.SignedIn(t, account.Supervisor)
	for _, path := range []string{"/overview/planted", "/overview/planted/new", "/overview/planted/b01",
		"/overview/planted/results", "/overview/desk", "/overview/desk/hasty"} {
		if res := sam.Get(t, path); res.Status != http.StatusForbidden {
			t.Errorf("a supervisor gets %s: %d", path, res.Status)
		}
		if res := morag.Get(t, path); res.Status != http.StatusOK {
			t.Errorf("a manager gets %s: %d", path, res.Status)
		}
	}
	form := url.Values{"title": {"Half"}, "task": {"tax_free_cash"}, "problem": {"wrong_facts"}, "expected": {"revise"},
		"what": {"It is a quarter."}, "question": {"How much?"},
		"age": {"57–61"}, "dc": {"£60,000-90,000"}, "guidance": {"Half of {dc} is tax free."},
		"absent": {"three quarters"}, "extra": {"region: Wales"}}
	res := morag.Post(t, "/overview/planted", form)
	if res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Body, "has no problem") ||
		!strings.Contains(res.Body, "Half of {dc}") || !strings.Contains(res.Body, "region: Wales") {
		t.Fatalf("%d %s", res.Status, res.Body)
	}
	form.Set("absent", "half")
	if res = morag.Post(t, "/overview/planted", form); res.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", res.Status, res.Body)
	}
	list := morag.Get(t, "/overview/planted").Body
	id := regexp.MustCompile(`/overview/planted/(` + idForm.String() + `)`).FindStringSubmatch(list)
	if id == nil {
		t.Fatal("it is not in the library")
	}
	if body := morag.Get(t, "/overview/planted/"+id[1]).Body; !strings.Contains(body, `value="60000-90000"`) ||
		!strings.Contains(body, `value="57-61"`) {
		t.Error("its form does not hold what was saved")
	}
	form.Set("version", "9")
	if res = morag.Post(t, "/overview/planted/"+id[1], form); res.Status != http.StatusConflict ||
		!strings.Contains(res.Body, "Half of {dc}") {
		t.Errorf("an old form: %d", res.Status)
	}
	for _, act := range []string{"retire", "restore"} {
		if res = morag.Post(t, "/overview/planted/"+id[1]+"/"+act, nil); res.Status != http.StatusSeeOther {
			t.Errorf("%s: %d", act, res.Status)
		}
	}
}

// decide lets a real case go and settles it.
func decideReal(t *testing.T, s *apptest.Site, a account.Account, id string) {
	t.Helper()
	item, err := s.Reviews.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Reviews.Decide(t.Context(),
		review.Input{ID: id, By: review.Person{ID: a.ID, Name: a.Name}, Kind: review.Approve, Version: item.Version,
			TextHash: item.TextHash, SecondsOnCase: 40}); err != nil {
		t.Fatal(err)
	}
}

// Managers export all that is settled, supervisors what they decided themselves and that is settled; the name has its
// date; the answer is compressed for those who take it.
func TestExportsOnThePage(t *testing.T) {
	s := apptest.Open(t)
	sam, bea, morag := s.SignedIn(t, account.Supervisor), s.SignedIn(t, account.Supervisor),
		s.SignedIn(t, account.Manager)
	token := s.Token(t, account.Submit)
	decideReal(t, s, sam.Account, realCase(t, s, token))
	s.Clock.Advance(time.Minute)
	s.Drain(t)
	decideReal(t, s, bea.Account, realCase(t, s, token))
	rows := func(c *apptest.Client, form url.Values) int {
		t.Helper()
		res := c.Post(t, "/exports", form)
		if res.Status != http.StatusOK {
			t.Fatalf("%v: %d %s", form, res.Status, res.Body)
		}
		all, err := csv.NewReader(strings.NewReader(res.Body)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return len(all) - 1
	}
	form := url.Values{"set": {"decisions"}, "format": {"csv"}}
	if n := rows(morag, form); n != 1 { // as on pages: what may still be undone is for supervisors
		t.Errorf("a manager gets %d rows", n)
	}
	for name, c := range map[string]*apptest.Client{"who decided one that is released": sam,
		"who decided one that is held": bea} {
		want := 0
		if c == sam {
			want = 1
		}
		if n := rows(c, url.Values{"set": {"decisions"}, "format": {"csv"}, "person": {morag.Account.ID}}); n != want {
			t.Errorf("a supervisor %s gets %d rows", name, n)
		}
	}
	res := morag.Do(t, http.MethodPost, "/exports", "application/x-www-form-urlencoded", form.Encode(),
		"Sec-Fetch-Site", "same-origin", "Accept-Encoding", "gzip")
	if res.Header.Get("Content-Encoding") != "gzip" ||
		!strings.Contains(res.Header.Get("Content-Disposition"),
			"preceptor-decisions-"+s.Clock.Now().Format("2006-01-02")) {
		t.Errorf("headers: %v", res.Header)
	}
	z, err := gzip.NewReader(strings.NewReader(res.Body))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(z); err != nil || !strings.HasPrefix(string(text), "\ufeffcase_id,") {
		t.Errorf("%.40q, %v", text, err)
	}
	if res := morag.Post(t, "/exports",
		url.Values{"set": {"decisions"}, "format": {"csv"}, "from": {"2026-11-20"},
			"to": {"2026-11-01"}}); res.Status != http.StatusUnprocessableEntity ||
		!strings.Contains(res.Body, "before the first one") ||
		!strings.Contains(res.Body, `value="2026-11-20"`) {
		t.Errorf("a wrong period: %d", res.Status)
	}
	if res := s.SignedIn(t, account.Expert).Get(t, "/exports"); res.Status != http.StatusForbidden {
		t.Errorf("an expert gets the page: %d", res.Status)
	}
}

// Where our own advisor writes, a planted case comes by its way too: asked, drafted, with reasoning, sources and
// knowledge.
func TestAPlantedCaseOfOurOwnAdvisor(t *testing.T) {
	s := apptest.Open(t)
	onlyDraft(t, s, "b01")
	if _, err := s.Knowledge.Import(t.Context(), fstest.MapFS{"tax.md": {Data: []byte(`# Tax-free cash

## How much of a pension pot one can have without paying tax

Usually a quarter of the pension savings, a lump sum of 25 %, can be had without paying tax. The rest is taxed as income.
`)}}, knowledge.ImportOptions{Source: "tax", Pack: pack.Pension}); err != nil {
		t.Fatal(err)
	}
	agent, err := s.Accounts.EnsureAgent(t.Context(), "pension-advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	age := 58
	real, err := s.Interactions.Advise(t.Context(),
		interaction.Consultation{Question: "How much of my pot is tax free?",
			Customer: interaction.Customer{Age: &age}},
		agent.ID, agent.Name, interaction.OriginAdvise, audit.Actor{Kind: audit.Agent, ID: agent.ID, Name: agent.Name},
		nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Drain(t)
	fake, err := s.Planted.Plant(t.Context(), real)
	if err != nil {
		t.Fatal(err)
	}
	a, err1 := s.Interactions.Get(t.Context(), real)
	b, err2 := s.Interactions.Get(t.Context(), fake)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if b.Drafter != a.Drafter || b.Model != a.Model || b.Origin != a.Origin || b.Status != a.Status ||
		b.Reasoning == "" || b.Consultation.Customer.Name != "" || !strings.Contains(b.Guidance, "a third of it") {
		t.Errorf("planted %+v\nreal %+v", b, a)
	}
	one, _ := s.Interactions.History(t.Context(), real)
	two, _ := s.Interactions.History(t.Context(), fake)
	if len(one) != len(two) {
		t.Fatalf("histories of %d and %d", len(one), len(two))
	}
	for i := range one {
		if one[i].Kind != two[i].Kind || one[i].Actor != two[i].Actor || one[i].Note != two[i].Note {
			t.Errorf("%+v and %+v", one[i], two[i])
		}
	}
}

// What is of pensions isn't shown for an agent that has nothing to do with them, though another of the desk has; where
// nothing can be mixed in, the pages say so.
func TestSeededChecksAndPoliciesFollowTheAgentsDomain(t *testing.T) {
	s := apptest.Open(t)
	mo := s.SignedIn(t, account.Manager, account.Admin)
	agents := map[string]string{}
	for name, domain := range map[string]string{"shop": pack.GeneralName, "pensions": pack.Pension} {
		a, err := s.Accounts.EnsureAgent(t.Context(), name, domain)
		if err != nil {
			t.Fatal(err)
		}
		agents[name] = a.ID
	}
	lists := page(t, mo.Get(t, "/overview/planted"), http.StatusOK)
	has(t, lists, "main", "Nothing is mixed in for agents in the domain General")
	has(t, lists, "a[href='/overview/planted/new?pack=general']", "Write one")
	for address, pension := range map[string]bool{"/overview/planted/new": true,
		"/overview/planted/new?pack=general": false} {
		doc := page(t, mo.Get(t, address), http.StatusOK)
		has(t, doc, "nav[aria-label^='For agents'] a[aria-current]", map[bool]string{true: "UK pensions",
			false: "General"}[pension])
		if got := doc.Find("#dc, #db, #state").Length() == 3; got != pension {
			t.Errorf("%s asks for pensions: %v", address, got)
		}
	}
	form := filled(t, page(t, mo.Get(t, "/overview/planted/new?pack=general"), http.StatusOK), "main form.form")
	with(form, "title", "Glue", "task", "general", "problem", "wrong_facts", "what", "It was screws.", "question",
		"How?", "guidance", "Glue it.", "expected", "revise")
	if r := mo.Post(t, "/overview/planted", form); r.Status != http.StatusSeeOther {
		t.Fatalf("%d %.300s", r.Status, r.Body)
	}
	lists = page(t, mo.Get(t, "/overview/planted"), http.StatusOK)
	has(t, lists, "main table", "your own, for General")
	if strings.Contains(lists.Find("main").Text(), "Nothing is mixed in") {
		t.Error("a domain with a draft is said to have none")
	}
	for agent, pension := range map[string]bool{"": true, agents["pensions"]: true, agents["shop"]: false} {
		doc := page(t, mo.Get(t, "/admin/policies/propose?agent="+agent), http.StatusOK)
		if got := doc.Find("#always-db_pension, #second-db_transfer").Length() == 2; got != pension {
			t.Errorf("the policy of %q is about pensions: %v", agent, got)
		}
		if got := strings.Contains(words(doc, "main"), "only those that you write are mixed in"); got == pension {
			t.Errorf("the policy of %q says that nothing built in is for it: %v", agent, got)
		}
	}
	form = filled(t, page(t, mo.Get(t, "/admin/policies/propose?agent="+agents["shop"]), http.StatusOK),
		"form[action='/admin/policies']")
	form["always"] = []string{"rule_flag", "borderline", "vulnerable", "db_transfer", "low_confidence"}
	form["second"] = []string{"vulnerable"}
	with(form, "act", "propose", "why", "They sell sofas.", "share", "90")
	r := mo.Post(t, "/admin/policies", form)
	if r.Status != http.StatusSeeOther {
		t.Fatalf("%d %.300s", r.Status, r.Body)
	}
	proposed := words(page(t, mo.Get(t, r.Header.Get("Location")), http.StatusOK), "main")
	if strings.Contains(proposed, "DB ") || !strings.Contains(proposed, "90% of routine drafts instead of 100%") {
		t.Errorf("the shop's policy: %s", proposed)
	}
}
