package page_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/feedback"
)

var statsPages = []string{"/stats", "/stats/satisfaction", "/stats/review", "/stats/compliance", "/stats/learning"}

func TestPagesWithoutFiguresSayNoDataAndNeverNought(t *testing.T) {
	site := apptest.Open(t)
	mo := site.SignedIn(t, account.Manager)
	for _, path := range statsPages {
		doc := page(t, mo.Get(t, path), http.StatusOK)
		has(t, doc, "main", "No data")
		hasNot(t, doc, "svg.plot:not(.swatch) .band") // counts of nothing are known, shares of nothing are not
		if s := words(doc, "main"); strings.Contains(s, "0%") || strings.Contains(s, "NaN") {
			t.Errorf("%s shows a share of nothing: %s", path, s)
		}
		if got := doc.Find(".tabs a[aria-current]").AttrOr("href", ""); got != path {
			t.Errorf("%s: the tab of %q is current", path, got)
		}
	}
	page(t, site.SignedIn(t, account.Supervisor).Get(t, "/stats/mine"), http.StatusOK)
}

func TestTheAddressHoldsThePeriodAndTheFilter(t *testing.T) {
	site := apptest.Open(t)
	mo := site.SignedIn(t, account.Manager)
	doc := page(t, mo.Get(t, "/stats/satisfaction?period=90&agent=advisor&topic=scams&compare=none"), http.StatusOK)
	has(t, doc, ".scope-words", "advisor")
	if words := doc.Find(".scope-words").Text(); strings.Contains(words, "compared") {
		t.Errorf("nothing is compared, and the page says %q", words)
	}
	for _, a := range []string{".tabs a[href^='/stats/review']", ".segments a[href*='period=7']"} {
		href, err := url.Parse(doc.Find(a).AttrOr("href", ""))
		if err != nil || href.Query().Get("agent") != "advisor" || href.Query().Get("topic") != "scams" ||
			href.Query().Get("compare") != "none" {
			t.Errorf("%s leads to %v", a, href)
		}
	}
	if v := doc.Find("select[name=agent] option[selected]").AttrOr("value", ""); v != "advisor" {
		t.Errorf("the form has the agent %q", v)
	}
	for _, path := range []string{"/stats", "/stats/review"} { // a team narrows what people did
		doc = page(t, mo.Get(t, path+"?team=night"), http.StatusOK)
		has(t, doc, ".scope-words", "unknown team")
		has(t, doc, "select[name=team]", "")
		all := page(t, mo.Get(t, path), http.StatusOK)
		hasNot(t, all, "[name=team]") // there is none to choose
		if of := "the whole desk's"; path == "/stats/review" &&
			(!strings.Contains(words(doc, ".figures"), of) || strings.Contains(words(all, ".figures"), of)) {
			t.Errorf("what waits: %q, of a team %q", words(all, ".figures"), words(doc, ".figures"))
		}
	}
	for _, path := range []string{"/stats/satisfaction", "/stats/compliance", "/stats/learning"} {
		doc = page(t, mo.Get(t, path+"?team=night"), http.StatusOK)
		has(t, doc, ".scope", "Figures for all teams")
		has(t, doc, "form input[type=hidden][name=team][value=night]", "") // and it is there again on the next page
		hasNot(t, doc, "select[name=team]")
		hasNot(t, doc, ".scope-words a")
	}
	doc = page(t, mo.Get(t, "/stats?period=custom&from=2026-11-20&to=2026-11-01"), http.StatusUnprocessableEntity)
	has(t, doc, ".field-error", "before the first")
	doc = page(t, mo.Get(t, "/stats?period=30&from=2026-01-01&to=2026-01-31"), http.StatusOK)
	has(t, doc, ".scope-words", "1 to 31 January 2026")
	page(t, mo.Get(t, "/stats/changes"), http.StatusUnprocessableEntity)
	page(t, mo.Get(t, "/stats/satisfaction?format=pdf"), http.StatusUnprocessableEntity)
	page(t, mo.Get(t, "/stats/satisfaction?format=csv&chart=nothing"), http.StatusNotFound)
	page(t, mo.Get(t, "/stats/rows?of=nothing"), http.StatusUnprocessableEntity)
}

// voted stores 30 days of votes; of tax_free_cash they fall from the 20th day on for six days.
func voted(t *testing.T, site *apptest.Site) {
	t.Helper()
	agent, err := site.Accounts.EnsureAgent(t.Context(), "advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	now := site.Clock.Now()
	for day := range 30 {
		at := now.AddDate(0, 0, day-29).Add(-time.Minute)
		for i := range 8 {
			topic, good := []string{"tax_free_cash", "drawdown"}[i%2], i > 1 || day%4 == 0
			if day >= 20 && day < 26 && topic == "tax_free_cash" {
				good = false
			}
			id, err := site.Feedback.Log(t.Context(),
				feedback.Observation{AgentID: agent.ID, AgentName: "advisor", AgentType: "advisor", SessionID: "s",
					UserID: fmt.Sprint("u", i), Query: fmt.Sprint("Question ", day, i), Response: "Answer",
					Topic: topic, At: at})
			if err != nil {
				t.Fatal(err)
			}
			v := feedback.Vote{SubjectID: id, UserID: fmt.Sprint("u", i), Kind: feedback.Thumbs, Value: 1,
				Channel: feedback.ChannelAPI, AgentID: agent.ID, At: at}
			if !good {
				v.Value, v.Text = -1, "It told me to take it all, "+payload
			}
			if _, err := site.Feedback.Vote(t.Context(), v); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestAManagerFindsTheDipFromTheChart(t *testing.T) {
	site := apptest.Open(t)
	voted(t, site)
	mo := site.SignedIn(t, account.Manager)
	doc := page(t, mo.Get(t, "/stats"), http.StatusOK) // the first click: Statistics
	has(t, doc, ".says", "points lower")
	has(t, doc, ".says", "mainly because of tax-free cash")
	mark := doc.Find(".chart-marks a")
	if mark.Length() != 1 || mark.Text() != "What changed around then" {
		t.Fatalf("%d marks", mark.Length())
	}
	hasNot(t, doc, "main script, main img, main [style]")

	for _, path := range []string{"/overview", "/stats", "/stats?period=last-week", "/stats/satisfaction?period=90"} {
		// the landing page has it at once
		card := page(t, mo.Get(t, path), http.StatusOK)
		has(t, card, "#fell", "Satisfaction fell")
		has(t, card, "#fell", "Tax-free cash accounts for most of it")
		if n := card.Find("#fell blockquote").Length(); n != 3 {
			t.Errorf("%s: %d comments, want 3", path, n)
		}
		page(t, mo.Get(t, card.Find("#fell a[href^='/stats/changes']").AttrOr("href", "")), http.StatusOK)
	}

	doc = page(t, mo.Get(t, mark.AttrOr("href", "")), http.StatusOK) // the second
	has(t, doc, ".lead", "points fewer than on the other days")
	has(t, doc, ".quotes blockquote", "It told me to take it all, <script>")
	hasNot(t, doc, "main script, main img")
	var comments *goquery.Selection
	doc.Find("a").Each(func(_ int, a *goquery.Selection) {
		if a.Text() == "All comments from those days" {
			comments = a
		}
	})
	if comments == nil {
		t.Fatal("no way to the comments")
	}
	list := page(t, mo.Get(t, comments.AttrOr("href", "")), http.StatusOK) // the third
	has(t, list, "main", "It told me to take it all")

	doc = page(t, mo.Get(t, "/stats/satisfaction"), http.StatusOK)
	if n := doc.Find("#rate ~ details tbody tr").Length(); n != 30 {
		t.Errorf("the table has %d days, want 30", n)
	}
	if n := doc.Find(".multiples svg.plot").Length(); n != 2 {
		t.Errorf("%d topics are drawn, want 2", n)
	}
	day := doc.Find("#rate ~ details tbody a").Last().AttrOr("href", "")
	rows := page(t, mo.Get(t, day), http.StatusOK)
	if n := rows.Find(".results > li").Length(); n != 8 {
		t.Errorf("the last day has %d rows, want 8", n)
	}
	hasNot(t, rows, "main script, main img")
	has(t, rows, "form[aria-label='Filter the rows'] select[name=topic]", "")
	has(t, rows, "form[aria-label='Filter the rows'] input[name=q]", "")
	file := mo.Get(t, rows.Find("a[download]").AttrOr("href", ""))
	_, body := headOf(file.Body)
	if lines := strings.Count(strings.TrimSpace(body), "\n"); file.Status != http.StatusOK || lines != 8 ||
		!strings.Contains(file.Header.Get("Content-Type"), "csv") {
		t.Errorf("the file: %d, %d rows", file.Status, lines)
	}
	few := page(t, mo.Get(t, day+"&topic=drawdown"), http.StatusOK)
	if n := few.Find(".results > li").Length(); n != 4 {
		t.Errorf("%d rows on one topic, want 4", n)
	}
	narrow := page(t, mo.Get(t, "/stats/satisfaction?topic=drawdown"), http.StatusOK)
	hasNot(t, narrow, ".chart-marks a")
}

// What has no topic can be chosen like a topic, and the empty choice is everything.
func TestNoTopicIsAChoiceOfItsOwn(t *testing.T) {
	site := apptest.Open(t)
	voted(t, site)
	agent, err := site.Accounts.EnsureAgent(t.Context(), "advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	at := site.Clock.Now()
	id, err := site.Feedback.Log(t.Context(),
		feedback.Observation{AgentID: agent.ID, AgentName: "advisor", AgentType: "advisor", SessionID: "s", UserID: "v",
			Query: "Q", Response: "A", At: at})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := site.Feedback.Vote(t.Context(),
		feedback.Vote{SubjectID: id, UserID: "v", Kind: feedback.Thumbs, Value: -1, Text: "No topic at all",
			Channel: feedback.ChannelAPI, AgentID: agent.ID, At: at}); err != nil {
		t.Fatal(err)
	}
	mo := site.SignedIn(t, account.Manager)
	doc := page(t, mo.Get(t, "/stats/satisfaction"), http.StatusOK)
	if n := doc.Find("select[name=topic] option[value='']").Length(); n != 1 {
		t.Errorf("%d choices of everything", n)
	}
	has(t, doc, "select[name=topic] option[value='-']", "No topic")
	hasNot(t, doc, "select[name=topic] option[selected][value='-']")
	doc = page(t, mo.Get(t, "/stats/rows?of=votes&topic=-"), http.StatusOK)
	if n := doc.Find(".results > li").Length(); n != 1 {
		t.Errorf("%d rows without a topic, want 1", n)
	}
	has(t, doc, ".lead", "topic No topic")
	has(t, page(t, mo.Get(t, "/feedback?topic=-"), http.StatusOK), "main", "No topic at all")
	if n := page(t, mo.Get(t, "/feedback?topic=-"), http.StatusOK).Find("#said > li").Length(); n != 1 {
		t.Errorf("%d comments without a topic, want 1", n)
	}
}

// Each list of rows says which figure it is of, and what it is narrowed to.
func TestRowsNameTheirFigureAndFilter(t *testing.T) {
	site := apptest.Open(t)
	voted(t, site)
	mo := site.SignedIn(t, account.Manager)
	doc := page(t, mo.Get(t, "/stats/rows?of=satisfaction&agent=advisor&topic=drawdown"), http.StatusOK)
	has(t, doc, "h1", "Satisfaction: votes for and against")
	has(t, doc, ".lead", "; agent advisor; topic Drawdown")
	doc = page(t, mo.Get(t, "/stats/rows?of=votes&from=2026-12-01&to=2026-11-01"), http.StatusUnprocessableEntity)
	has(t, doc, "main", "Last day: The last day is before the first.")
	page(t, mo.Get(t, "/stats/rows?of=decisions&person=nobody"), http.StatusNotFound)
	doc = page(t, mo.Get(t, "/stats/satisfaction"), http.StatusOK)
	href := doc.Find(".figures .figure").First().Find("a").AttrOr("href", "")
	if !strings.Contains(href, "of=satisfaction") {
		t.Errorf("satisfaction leads to %s", href)
	}
}

// A supervisor may see the rows of one's own figures, and nobody else's.
func TestMyFiguresLeadToMyRows(t *testing.T) {
	site := apptest.Open(t)
	sam := site.SignedIn(t, account.Supervisor)
	page(t, sam.Get(t, "/stats/rows?of=decisions"), http.StatusForbidden)
	doc := page(t, sam.Get(t, "/stats/mine/rows?of=decisions&person=somebody"), http.StatusOK)
	has(t, doc, "h1", "Decisions")
	has(t, doc, "main a[href^='/stats/mine']", "Back to my statistics")
	page(t, sam.Get(t, "/stats/mine/rows?of=votes"), http.StatusUnprocessableEntity)
	page(t, site.SignedIn(t, account.Manager).Get(t, "/stats/mine/rows?of=decisions"), http.StatusForbidden)
}

// The files of a page that is about some days are of those days.
func TestWhatChangedComesAsAFile(t *testing.T) {
	site := apptest.Open(t)
	voted(t, site)
	mo := site.SignedIn(t, account.Manager)
	day := site.Clock.Now().Format(time.DateOnly)
	doc := page(t, mo.Get(t, "/stats/changes?around="+day), http.StatusOK)
	files := doc.Find("a[download]")
	if files.Length() != 1 {
		t.Fatalf("%d files", files.Length())
	}
	files.Each(func(_ int, a *goquery.Selection) {
		if r := mo.Get(t, a.AttrOr("href", "")); r.Status != http.StatusOK {
			t.Errorf("%s: %d", a.AttrOr("href", ""), r.Status)
		}
	})
	rows := page(t, mo.Get(t, doc.Find("#topics ~ ul.bars a").First().AttrOr("href", "")), http.StatusOK)
	if n := rows.Find(".results > li").Length(); n != 4 {
		t.Errorf("the topic of the day has %d rows, want 4", n)
	}
}

func TestChartsComeAsFiles(t *testing.T) {
	site := apptest.Open(t)
	voted(t, site)
	mo := site.SignedIn(t, account.Manager)
	doc := page(t, mo.Get(t, "/stats/satisfaction?period=7"), http.StatusOK)
	files := doc.Find("a[download]")
	if files.Length() < 3 {
		t.Fatalf("%d files", files.Length())
	}
	files.Each(func(_ int, a *goquery.Selection) {
		href := a.AttrOr("href", "")
		r := mo.Get(t, href)
		const kind, begins = "text/csv; charset=utf-8", "\ufeff"
		if r.Status != http.StatusOK || r.Header.Get("Content-Type") != kind || !strings.HasPrefix(r.Body, begins) ||
			!strings.Contains(r.Header.Get("Content-Disposition"), "attachment") {
			t.Errorf("%s: %d %s %q", href, r.Status, r.Header.Get("Content-Type"), r.Header.Get("Content-Disposition"))
		}
	})
	day := site.Clock.Now().AddDate(0, 0, -6).Format(time.DateOnly)
	if r := mo.Get(t, "/stats/satisfaction?period=7&chart=rate&format=csv"); !fileOfRates(r.Body, day) {
		t.Errorf("the file: %s", r.Body)
	}
}

// fileOfRates reports whether a file says what it is, and has a line a day from a day on.
func fileOfRates(file, day string) bool {
	head, body := headOf(file)
	return strings.Contains(head, "Satisfaction") && strings.Contains(head, "Europe/London") &&
		strings.Count(body, "\n") == 8 &&
		strings.HasPrefix(body,
			"Day,This period,This period from,This period to,This period n,Previous period,Previous period n\n"+day+",")
}

// headOf cuts a file after the lines that say what it is.
func headOf(file string) (head, body string) {
	body = strings.TrimPrefix(file, "\ufeff")
	for strings.HasPrefix(body, "#") {
		line, rest, _ := strings.Cut(body, "\n")
		head, body = head+line+"\n", rest
	}
	return head, body
}
