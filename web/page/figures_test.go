package page_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app"
	"preceptor/internal/app/apptest"
	"preceptor/internal/demo"
	"preceptor/internal/platform/config"
	"preceptor/internal/policy"
	"preceptor/internal/review"
)

// listed is how the rows of a list are found on its page.
var listed = map[string]string{"/reviews": ".queue-row", "/stats/rows": ".results > .result",
	"/stats/mine/rows": ".results > .result"}

// counts finds the number that a link is about: "12", "2 assigned to you", "Reviews past their target: 13", "Done 56".
var counted = regexp.MustCompile(
	`^(?:[^\d%]*[^\d%.,])?(\d[\d,]*)(?: (?:assigned to you|past the target|review|reviews|outcomes?)\b.*|; .*)?$`)

// countLink is the number that a link says and the list that it leads to; ok is false for a link that is no count of a
// list.
func countLink(a *goquery.Selection) (n int, to string, ok bool) {
	to = a.AttrOr("href", "")
	u, err := url.Parse(to)
	if err != nil || listed[u.Path] == "" || a.Closest(".pager, .segments").Length() > 0 || u.Query().Has("tick") ||
		u.Query().Get("format") != "" {
		return 0, "", false
	}
	m := counted.FindStringSubmatch(strings.Join(strings.Fields(a.Text()), " "))
	if m == nil {
		return 0, "", false
	}
	n, err = strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
	return n, to, err == nil
}

func TestCountLinksAreRecognised(t *testing.T) {
	for text, want := range map[string]int{"12": 12, "1,234": 1234, "2 assigned to you": 2,
		"Reviews past their target: 13": 13, "Done 56": 56, "15 past the target": 15,
		"Reviews that need your second approval: 2; most recently approved by Ann": 2,
		"56%": -1, "43 min": -1, "Friday 20 November 2026 This period 60%": -1, "Clear": -1, "7 days": -1, "4.3": -1} {
		doc, _ := goquery.NewDocumentFromReader(strings.NewReader(`<a href="/reviews">` + text + `</a>`))
		if n, _, ok := countLink(doc.Find("a")); ok != (want >= 0) || ok && n != want {
			t.Errorf("%q: %d, %v", text, n, ok)
		}
	}
}

// visitor is a person of the demo at its pages.
type visitor struct {
	t    *testing.T
	http *http.Client
	site string
}

func (v visitor) page(path string) *goquery.Document {
	v.t.Helper()
	res, err := v.http.Get(v.site + path)
	if err != nil {
		v.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") || res.StatusCode != http.StatusOK {
		return nil
	}
	doc, err := goquery.NewDocumentFromReader(res.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return doc
}

// rows counts what a list has, page by page.
func (v visitor) rows(path string) (n int) {
	u, _ := url.Parse(path)
	for range 60 {
		doc := v.page(path)
		if doc == nil {
			return -1
		}
		n += doc.Find(listed[u.Path]).Length()
		next := doc.Find(`.pager a[rel=next], a[rel=next]`).First().AttrOr("href", "")
		if next == "" {
			return n
		}
		path = next
	}
	return n
}

// crawl reads every page that a person of the demo comes to and follows each number that leads to a list.
func (v visitor) crawl(mostOfAKind int) (checked int) {
	seen, kinds, asked := map[string]bool{}, map[string]int{}, map[string]bool{}
	todo := []string{"/", "/inbox", "/progress", "/stats", "/overview", "/todo"}
	for len(todo) > 0 {
		path := todo[0]
		todo = todo[1:]
		u, err := url.Parse(path)
		if err != nil || seen[path] || u.Host != "" || strings.HasPrefix(path, "/static") ||
			strings.HasPrefix(path, "/api") {
			continue
		}
		q := u.Query()
		kind := oneID.ReplaceAllString(u.Path, "ID") + "?" +
			strings.Join([]string{q.Get("state"), q.Get("of"), q.Get("kind"), q.Get("view"), q.Get("list"),
				q.Get("format")}, " ")
		if kinds[kind]++; kinds[kind] > mostOfAKind {
			continue
		}
		seen[path] = true
		doc := v.page(path)
		if doc == nil {
			continue
		}
		doc.Find("a[href]").Each(func(_ int, a *goquery.Selection) {
			to := a.AttrOr("href", "")
			todo = append(todo, strings.SplitN(to, "#", 2)[0])
			n, list, ok := countLink(a)
			l, _ := url.Parse(list)
			key := fmt.Sprint(n, " ", list)
			if !ok || asked[key] || kinds["count "+path+l.Path+l.Query().Get("of")] >= 4 {
				return
			}
			asked[key] = true
			kinds["count "+path+l.Path+l.Query().Get("of")]++
			checked++
			if got := v.rows(list); got != n {
				v.t.Errorf("%s says %q and %s has %d", path, strings.Join(strings.Fields(a.Text()), " "), list, got)
			}
		})
	}
	return checked
}

// Of the filled demo, as each of its people: each number that leads to a list of reviews or of a figure's rows is how
// many it has.
func TestEveryCountOfTheDemoIsItsRows(t *testing.T) {
	if testing.Short() {
		t.Skip("fills a demo and reads every page; make check runs it")
	}
	cfg, err := config.Default()
	if err != nil {
		t.Fatal(err)
	}
	cfg.DB, cfg.Demo = filepath.Join(t.TempDir(), "demo.db"), true
	clock := demo.NewClock(time.Now().Add(-demo.Days * 24 * time.Hour))
	a, err := app.Open(context.Background(), cfg, app.WithClock(clock.Now), app.WithLog(slog.New(slog.DiscardHandler)),
		app.WithTerminal(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	f, err := demo.Begin(t.Context(),
		demo.Services{Accounts: a.Accounts, Interactions: a.Interactions, Reviews: a.Reviews, Knowledge: a.Knowledge,
			Learning: a.Learning, Jobs: a.Jobs, Credit: a.Credit,
			Signals: a.Signals, Planted: a.Planted, Policies: a.Policies, Approvals: a.Approvals, Comments: a.Comments,
			Datasets: a.Datasets, Versions: a.Versions, Feedback: a.Feedback, Preferences: a.Preferences,
			Experiments: a.Experiments, Together: a.DB.Write, Night: a.Nightly.Run}, clock)
	if err == nil {
		err = f.Fill(t.Context(), func(int, int) {})
	}
	if err != nil {
		t.Fatal(err)
	}
	h, err := a.Handler()
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(h)
	t.Cleanup(func() { srv.CloseClientConnections(); srv.Close() })
	door := visitor{t, http.DefaultClient, srv.URL}.page("/sign-in")
	waiting := map[string]bool{}
	door.Find("input[name=account]").Each(func(_ int, in *goquery.Selection) {
		jar, _ := cookiejar.New(nil)
		v := visitor{t, &http.Client{Jar: jar}, srv.URL}
		res, err := v.http.PostForm(srv.URL+"/demo/sign-in", url.Values{"account": {in.AttrOr("value", "")}})
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatal(res, err)
		}
		_ = res.Body.Close()
		n := v.crawl(4)
		t.Logf("%s: %d counts", in.Closest("form").Find("button").Text(), n)
		for _, path := range []string{"/overview", "/stats/review"} { // the same figure on two pages
			if doc := v.page(path); doc != nil {
				waiting[strings.TrimSpace(doc.Find(`.figure a[href="/reviews?state=waiting"]`).First().Text())] = true
			}
		}
	})
	if len(waiting) != 1 {
		t.Errorf("how many wait is %v", waiting)
	}
}

// A policy's target, a claim and a second signature show in the same number wherever it stands.
func TestANumberIsTheSameWhereverItStands(t *testing.T) {
	site := apptest.Open(t)
	for range 4 {
		bring(t, site, passing, dcCustomer())
	}
	site.Clock.Advance(3 * time.Hour)
	young := bring(t, site, passing, dcCustomer())
	ann, mo := site.Account(t, account.Supervisor), site.SignedIn(t, account.Manager)
	desk := site.Enter(t, ann)
	page(t, desk.Get(t, "/reviews/"+young), http.StatusOK)
	if err := site.Reviews.Claim(t.Context(), young, person(ann)); err != nil {
		t.Fatal(err)
	}
	check := func(late int) {
		t.Helper()
		for _, path := range []string{"/overview", "/stats/review", "/stats/review?period=7"} {
			doc := page(t, mo.Get(t, path), http.StatusOK)
			for to, want := range map[string]int{"/reviews?state=waiting": 5, "/reviews?state=waiting&age=late": late} {
				n, _, _ := countLink(doc.Find(`.figure a[href^="/reviews?"]`).
					FilterFunction(func(_ int, a *goquery.Selection) bool {
						return strings.Contains(a.AttrOr("href", ""), "age=late") == strings.Contains(to, "age=late")
					}))
				rows := page(t, mo.Get(t, to), http.StatusOK).Find(".queue-row").Length()
				if n != want || rows != want {
					t.Errorf("%s says %d of %s, which has %d; want %d", path, n, to, rows, want)
				}
			}
		}
	}
	check(0)
	boss, other := site.Account(t, account.Admin), site.Account(t, account.Admin)
	p := policy.Default()
	p.TargetSoon, p.TargetLate = time.Hour, 2*time.Hour
	v, err := site.Policies.Propose(t.Context(), p, 0, "Sooner.", boss.Actor())
	if err == nil {
		_, err = site.Approvals.Agree(t.Context(), v.ID, other.Actor())
	}
	if err != nil {
		t.Fatal(err)
	}
	check(4) // at once, and without a reminder
}

// What was done leads to what it was done to.
func TestEscalatedLeadsToWhatWasEscalated(t *testing.T) {
	site := apptest.Open(t)
	ann := person(site.Account(t, account.Supervisor))
	for i := range 5 {
		item, err := site.Reviews.Get(t.Context(), bring(t, site, passing, dcCustomer()))
		if err != nil {
			t.Fatal(err)
		}
		in := review.Input{ID: item.ID, By: ann, Kind: review.Approve, Version: item.Version, TextHash: item.TextHash}
		if i < 2 {
			in.Kind, in.ReasonCode = review.Reject, "out_of_scope"
		}
		if _, err := site.Reviews.Decide(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	mo := site.SignedIn(t, account.Manager)
	doc := page(t, mo.Get(t, "/stats/review"), http.StatusOK)
	rows := page(t, mo.Get(t, doc.Find(`.figure a[href*="decision.reject"]`).AttrOr("href", "")), http.StatusOK)
	if n := rows.Find(".results > .result").Length(); n != 2 {
		t.Errorf("%d rows, want the 2 that were escalated", n)
	}
	file := mo.Get(t, "/stats/review?chart=people&format=csv&topic=general")
	name, head := file.Header.Get("Content-Disposition"), strings.SplitN(file.Body, "\n", 5)
	if !strings.Contains(name, "topic") || !strings.Contains(name, "Europe-London") ||
		!strings.HasPrefix(head[0], "\ufeff# Preceptor: By person") ||
		!strings.Contains(head[1], "days of Europe/London") || !strings.Contains(head[2], "topic") ||
		!strings.HasPrefix(head[3], "Person,Decisions,") {
		t.Errorf("%s begins with %q", name, head)
	}
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.Body, "\ufeff")))
	r.Comment = '#'
	if all, err := r.ReadAll(); err != nil || len(all) < 1 {
		t.Errorf("%v, %v", all, err)
	}
}
