package browsertest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/dataset"
)

// goldTexts are guidance with signs that are more than one byte, and one that can't be seen: places are counted in code
// points.
var goldTexts = []string{
	"It’s worth £310,000 \u2013 you should transfer soon 😀, before it is too late.",
	"Some people keep the pension,\u200b and you might want to consider that first.",
	"A transfer gives up a guaranteed income. Ask an adviser.",
}

// seat is an expert with a browser of their own.
func seat(t *testing.T, site *apptest.Site, path string,
	roles ...account.Role) (*tab, account.Account, *apptest.Client) {
	t.Helper()
	client := site.SignedIn(t, roles...)
	b := open(t, true)
	b.size(1440, 900, "light")
	for _, c := range client.Cookies() {
		call(b, network.SetCookie, network.SetCookieParams{Name: c.Name, Value: c.Value, URL: site.URL})
	}
	b.run(chromedp.Navigate(site.URL+path), chromedp.WaitReady(chromedp.CSS("#main")))
	return b, client.Account, client
}

// reads waits until an item is on the screen and the page is at rest.
func (b *tab) reads(text string) {
	b.t.Helper()
	b.until("the item is "+text,
		fmt.Sprintf(
			`document.querySelector("#reading [data-text]")?.innerText.includes(%q) && !document.querySelector("#reading[aria-busy]")`, text)+
			` && document.documentElement.dataset.busy === undefined && !document.querySelector("form.htmx-request")`)
}

// choose selects words in the text, as a mouse would.
func (b *tab) choose(words string) {
	b.t.Helper()
	found := eval[bool](b, fmt.Sprintf(`(() => {
		const w = document.createTreeWalker(document.querySelector("[data-text]"), NodeFilter.SHOW_TEXT);
		while (w.nextNode()) {
			const at = w.currentNode.data.indexOf(%q);
			if (at < 0) continue;
			const r = document.createRange();
			r.setStart(w.currentNode, at);
			r.setEnd(w.currentNode, at + %q.length);
			getSelection().removeAllRanges();
			getSelection().addRange(r);
			return true;
		}
		return false;
	})()`, words, words))
	if !found {
		b.t.Fatalf("the text does not say %q", words)
	}
	b.says("#picked", "is selected")
}

// A long text stays in view while its issues, boundary and label are chosen by keys.
func TestLabellingByKeysKeepsTheTextInView(t *testing.T) {
	site := apptest.Open(t)
	set := dataset.DefaultSettings()
	set.Name, set.CheckShare = "Long", 0
	d, err := site.Datasets.Create(t.Context(), set, dataset.Operator)
	if err != nil {
		t.Fatal(err)
	}
	text := dataset.Text{Question: "What should I do?",
		Guidance: strings.Repeat("It is worth thinking about what you would give up before you move a pension. ", 60)}
	if _, err := site.Datasets.Add(t.Context(), d.ID, []dataset.NewItem{{Text: text}}, dataset.Operator); err != nil {
		t.Fatal(err)
	}
	b, _, _ := seat(t, site, "/datasets/"+d.ID+"/label", account.Expert)
	b.size(1440, 500, "light")
	b.reads("It is worth")
	for _, key := range []string{"a", "e", "n"} {
		b.press(key)
		b.until("the text is in view after "+key,
			`(() => { const r = document.querySelector("#reading").getBoundingClientRect(); return r.top >= 0 && r.top < innerHeight / 2 && r.bottom <= innerHeight + 1 })()`)
	}
	b.accessible("labelling a long text")
	b.size(900, 500, "light") // below each other: the keys leave the page where it is
	b.run(chromedp.Reload(), chromedp.WaitReady(chromedp.CSS("#main")))
	b.reads("It is worth")
	b.until("the page has loaded", `document.readyState === "complete"`)
	eval[bool](b, "(scrollTo(0, 0), true)")
	b.press("a")
	b.until("the code is ticked", `document.querySelector('input[name="code"][value="MISSING_DB_WARNING"]').checked`)
	if y := eval[float64](b, "scrollY"); y != 0 {
		t.Errorf("the page scrolled to %v", y)
	}
	b.quiet("labelling a long text")
}

// Acceptance 4: two experts and an adjudicator in three browsers: blind labels, disagreement, adjudication, frozen
// version, export, re-import equal.
func TestTwoExpertsAndAnAdjudicator(t *testing.T) {
	site := apptest.Open(t)
	set := dataset.DefaultSettings()
	set.Name, set.CheckShare, set.Guidelines = "Autumn", 0, "# The line\n\nGuide, never advise."
	d, err := site.Datasets.Create(t.Context(), set, dataset.Operator)
	if err != nil {
		t.Fatal(err)
	}
	items := make([]dataset.NewItem, len(goldTexts))
	for i, text := range goldTexts {
		items[i].Text = dataset.Text{Question: "What should I do?", Guidance: text}
	}
	if _, err := site.Datasets.Add(t.Context(), d.ID, items, dataset.Operator); err != nil {
		t.Fatal(err)
	}
	path := "/datasets/" + d.ID
	ann, annIs, _ := seat(t, site, path+"/label", account.Expert)
	ben, _, _ := seat(t, site, path+"/label", account.Expert)

	// Ann marks words by selecting them, a code for the whole by its key, and goes on by Enter.
	ann.reads("It’s worth")
	ann.shot("label")
	ann.accessible("labelling")
	ann.choose("you should transfer soon 😀")
	ann.press("b") // pressure
	ann.says("#spans li", "you should transfer soon 😀")
	ann.press("a") // nothing is selected any more: the text as a whole
	ann.until("the code is ticked", `document.querySelector('input[name="code"][value="MISSING_DB_WARNING"]').checked`)
	ann.press("e")
	ann.press("3")
	ann.shot("label-filled")
	ann.enterKey()
	ann.reads("Some people keep")
	ann.until("the heading has the focus", `document.activeElement.tagName === "H1"`)
	ann.says("#rail", "Non-compliant")
	mine := func() []dataset.MyLabel {
		list, err := site.Datasets.Mine(t.Context(), d.ID, dataset.Person{ID: annIs.ID}, 0)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	first := mine()[0]
	words := []rune(goldTexts[0])
	if len(first.Issues) != 2 || first.Issues[0].Code != "MISSING_DB_WARNING" || first.Issues[1].Code != "PRESSURE" ||
		string(words[first.Issues[1].Start:first.Issues[1].End]) != "you should transfer soon 😀" ||
		first.Boundary != "ADVICE" {
		t.Fatalf("kept is %+v", first.Answer)
	}
	if first.SpentMs < 1 || first.SpentMs > 10*60_000 {
		t.Errorf("the item took %d ms", first.SpentMs)
	}
	// u brings it back as it was given.
	ann.press("u")
	ann.reads("It’s worth")
	ann.says("#spans li", "you should transfer soon 😀")
	ann.until("the label is chosen", `document.querySelector('input[name="label"][value="NON_COMPLIANT"]').checked`)
	ann.enterKey()
	ann.reads("Some people keep")
	// Words behind a sign that can't be seen.
	ann.choose("might want to consider")
	ann.press("g")
	// An answer without a label comes back with everything.
	ann.enterKey()
	ann.says(".notices", "Choose a label")
	ann.says("#spans li", "might want to consider")
	// One key is enough where somebody wants that; while one types it is a digit.
	ann.click("[data-quick]")
	ann.press("n")
	ann.until("the field has the focus", `document.activeElement.id === "rationale"`)
	ann.press("2")
	// the driver types the n as well
	ann.until("a digit was typed", `document.getElementById("rationale").value.endsWith("2")`)
	ann.press(kb.Escape)
	ann.press("2")
	ann.reads("A transfer gives up")
	second := mine()[0]
	if words := []rune(goldTexts[1]); !strings.HasSuffix(second.Rationale, "2") ||
		string(words[second.Issues[0].Start:second.Issues[0].End]) != "might want to consider" {
		t.Errorf("kept is %+v", second.Answer)
	}
	ann.press("1")
	ann.says(".empty", "You have labelled everything")
	ann.shot("label-done")
	ann.quiet("Ann", "answer 422")

	// Ben knows nothing of it, and agrees in one of three.
	ben.reads("It’s worth")
	if eval[bool](ben, `document.body.innerText.includes("Person 1")`) {
		t.Error("Ben is told who labelled")
	}
	next := eval[float64](ben, `new Promise(done => {
		const from = performance.now();
		document.querySelector('input[name="label"][value="COMPLIANT_GUIDANCE"]').click();
		document.getElementById("send").click();
		const look = () => document.querySelector("#reading [data-text]")?.innerText.includes("Some people keep") ? done(performance.now() - from) : requestAnimationFrame(look);
		look();
	})`)
	t.Logf("the next item was on the screen after %.0f ms", next)
	ben.reads("Some people keep")
	ben.press("s")
	ben.until("the reasons are open", `document.getElementById("skip-sheet").matches(":popover-open")`)
	ben.accessible("skipping")
	ben.click(`#skip-sheet button[name="why"]`)
	ben.reads("A transfer gives up")
	ben.press("1")
	ben.ctrlEnter0()
	ben.says(".empty", "Only skipped items are left")
	ben.click(".empty button")
	ben.reads("Some people keep")
	ben.press("3")
	ben.enterKey()
	ben.says(".empty", "You have labelled everything")
	ben.quiet("Ben")

	site.Clock.Advance(dataset.UndoFor + time.Minute)
	adjudicates(t, site, d, path)
}

// ctrlEnter0 sends the answer form from within it.
func (b *tab) ctrlEnter0() {
	b.t.Helper()
	eval[any](b, `(document.querySelector('#answer input[name="label"]:checked').focus(), 0)`)
	b.ctrlEnter()
}

// adjudicates has a third person rule, freeze, export and read in again.
func adjudicates(t *testing.T, site *apptest.Site, d *dataset.Dataset, path string) {
	t.Helper()
	cy, _, client := seat(t, site, path+"/adjudicate", account.Expert)
	cy.says(".results", "It’s worth")
	cy.shot("waiting")
	cy.click(".result a")
	for _, why := range []string{"It tells her to transfer, and presses.", "A softened steer."} {
		cy.until("all answers are there",
			`document.querySelectorAll(".sides thead th").length === 2 && document.documentElement.dataset.busy === undefined`)
		cy.says(".differs", "differs")
		cy.accessible("adjudication")
		cy.shot("ruling")
		cy.press("3")
		cy.write("#rationale", why)
		cy.ctrlEnter()
		cy.says("#notice", "Ruling saved")
	}
	cy.says(".empty", "No disputed items")
	cy.run(chromedp.Navigate(site.URL+path), chromedp.WaitReady(chromedp.CSS("#headline")))
	cy.says("#headline", "33.3%") // they said the same of one in three
	cy.accessible("the overview")
	cy.shot("overview")
	cy.run(chromedp.Navigate(site.URL+path+"/versions"), chromedp.WaitReady(chromedp.CSS("#freeze-title")))
	cy.click(`form[action$="/versions"] button`)
	cy.says("h1", "Version 1")
	cy.shot("version")
	cy.click(`form[action$="/verify"] button`)
	cy.says(".notice", "Unchanged since it was frozen")

	file := client.Post(t, path+"/export", url.Values{"version": {"1"}, "format": {"jsonl"}})
	if file.Status != http.StatusOK {
		t.Fatalf("export: %d %.300s", file.Status, file.Body)
	}
	again, err := site.Datasets.Create(t.Context(), func() dataset.Settings {
		s := d.Settings
		s.Name = "Again"
		return s
	}(), dataset.Operator)
	if err != nil {
		t.Fatal(err)
	}
	cy.run(chromedp.Navigate(site.URL+"/datasets/"+again.ID+"/files"), chromedp.WaitReady(chromedp.CSS("#file")))
	cy.upload("#file", "autumn.jsonl", file.Body)
	cy.click(`form[action$="/upload"] button`)
	cy.says("h1", "Import preview")
	cy.accessible("the mapping")
	cy.shot("mapping")
	cy.click(`input[name="labels"][value="final"]`)
	cy.click(`form[action$="/import"] button[type=submit]`)
	cy.until("it is under way", `document.querySelector("#run") !== null`)
	site.Drain(t)
	cy.says("#run", "3 items imported")
	cy.shot("files")
	cy.quiet("Cy")
	one, two := golden(t, site, d.ID), golden(t, site, again.ID)
	if len(one) != 3 || fmt.Sprint(one) != fmt.Sprint(two) {
		t.Errorf("went out: %v\ncame in: %v", one, two)
	}
}

// upload puts a file into a field of a form.
func (b *tab) upload(selector, name, content string) {
	b.t.Helper()
	eval[any](b, fmt.Sprintf(`(() => {
		const d = new DataTransfer();
		d.items.add(new File([%q], %q, { type: "application/jsonl" }));
		document.querySelector(%q).files = d.files;
		return 0;
	})()`, content, name, selector))
}

// golden are the final labels of a set by content hash.
func golden(t *testing.T, site *apptest.Site, id string) map[string]string {
	t.Helper()
	page, err := site.Datasets.Items(t.Context(), dataset.ItemFilter{DatasetID: id, Limit: 100}, dataset.Operator)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, it := range page.Items {
		if it.Final != nil {
			out[it.Hash] = strings.Join([]string{it.Final.Label, it.Final.Boundary, fmt.Sprint(it.Final.Issues)}, " ")
		}
	}
	return out
}
