package admin

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"preceptor/internal/approval"
	"preceptor/internal/policy"
	"preceptor/internal/review"
	"preceptor/views/accounts"
	"preceptor/views/layout"
	"preceptor/views/ui"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func draw(t *testing.T, c templ.Component) *goquery.Document {
	t.Helper()
	var b bytes.Buffer
	if err := c.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func at(path string) layout.Frame { return layout.Frame{Path: path, Now: now} }

func count(t *testing.T, doc *goquery.Document, selector string, want int) {
	t.Helper()
	if n := doc.Find(selector).Length(); n != want {
		t.Errorf("%d of %s, want %d", n, selector, want)
	}
}

func TestTheNavigationSaysWhereOneIsAndWhatWaits(t *testing.T) {
	side := Side{Shown: true, Parked: 3, Webhooks: 2}
	for path, label := range map[string]string{"/admin": "Overview", "/admin/people": "People",
		"/admin/people/7/roles": "People", "/admin/events/9": "Webhooks", "/admin/audit": "Audit log"} {
		doc := draw(t, Backup(at(path), BackupView{Side: side}))
		current := doc.Find(`nav[aria-label="Administration"] a[aria-current="page"]`)
		if got := strings.TrimSpace(strings.Split(strings.TrimSpace(current.Text()), "\n")[0]); current.Length() != 1 ||
			!strings.HasPrefix(got, label) {
			t.Errorf("%s: %d marked, %q", path, current.Length(), got)
		}
	}
	doc := draw(t, Jobs(at("/admin/jobs"), JobsView{Side: side}))
	if got := strings.Join(strings.Fields(doc.Find(`a[href="/admin/jobs"] .count`).First().Text()), " "); got !=
		"3 parked" {
		t.Errorf("the count says %q", got)
	}
	count(t, doc, `a[href="/admin/policies"] .count`, 0)
}

func TestWhoMayStandsInOnePlace(t *testing.T) {
	for _, p := range parts[1:] {
		if p.who == "" || WhoMay(p.href) != p.who || WhoMay(p.href+"/anything") != p.who {
			t.Errorf("%s does not say who may change it", p.href)
		}
	}
	if WhoMay("/reviews") != "" || WhoMay("/admin") != "" {
		t.Error("another page says who may change the administration")
	}
}

func proposalOf(change ...func(*PolicyView)) PolicyView {
	p := policy.Default()
	p.Version, p.Share = 7, 0.4
	v := PolicyView{PolicyRow: PolicyRow{Whom: "every agent",
		Version: policy.Version{State: policy.Proposed, Why: "why", Policy: p,
			Proposed: approval.Signature{By: "a", Name: "Ann", At: now}}},
		Waiting: approval.Waiting{Change: approval.Change{ID: "c"}, May: true}, MayChange: true, Admins: 2,
		Differences: policy.Default().Differences(p), Effect: &policy.Effect{Cases: 10, UnreadAfter: 4}}
	for _, f := range change {
		f(&v)
	}
	return v
}

func TestWhoMayAnswerAProposal(t *testing.T) {
	const agree, refuse, withdraw = `form[action="/approvals/c/agree"]`, `form[action="/approvals/c/refuse"]`,
		`form[action="/approvals/c/withdraw"]`
	for name, c := range map[string]struct {
		change                  func(*PolicyView)
		agree, refuse, withdraw int
	}{
		"another administrator": {func(*PolicyView) {}, 1, 1, 0},
		"the proposer":          {func(v *PolicyView) { v.Waiting.Mine = true }, 0, 0, 1},
		"somebody who reads":    {func(v *PolicyView) { v.Waiting.May = false }, 0, 0, 0},
		"overtaken":             {func(v *PolicyView) { v.Waiting.Overtaken = true }, 0, 1, 0},
		"in force":              {func(v *PolicyView) { v.State = policy.Active }, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			doc := draw(t, Policy(at("/admin/policies/7"), proposalOf(c.change)))
			count(t, doc, agree, c.agree)
			count(t, doc, refuse, c.refuse)
			count(t, doc, withdraw, c.withdraw)
		})
	}
	alone := draw(t, Policy(at("/admin/policies/7"), proposalOf(func(v *PolicyView) {
		v.Waiting.Mine, v.Admins = true, 1
	})))
	if !strings.Contains(alone.Text(), "you are the only one") ||
		alone.Find(`a[href="/admin/people#add"]`).Length() != 1 {
		t.Error("the only administrator is not told how to get another")
	}
	doc := draw(t, Policy(at("/admin/policies/7"), proposalOf()))
	if !strings.Contains(doc.Text(),
		"For every agent, supervisors will review 40% of routine drafts instead of 100%.") {
		t.Error("the change is not told in plain words")
	}
	count(t, doc, `[data-tone="amber"].badge:contains("looser")`, 1)
}

func TestTheFixedConditionsAreLocked(t *testing.T) {
	doc := draw(t, Propose(at("/admin/policies/propose"), ProposeView{Whom: "every agent", Share: "100"}))
	for _, c := range policy.Fixed {
		count(t, doc, `input#always-`+string(c)+`[disabled][checked]`, 1)
		count(t, doc, `input[type="hidden"][name="always"][value="`+string(c)+`"]`, 1)
	}
	count(t, doc, `input[name="always"][type="checkbox"]`, len(policy.Arriving)-len(policy.Fixed))
	count(t, doc, `input#always-low_confidence[checked]`, 0)
	count(t, doc, `input[name="follows"]`, 0)
}

func TestWhatNeedsAPersonIsListedOrNothing(t *testing.T) {
	doc := draw(t, Home(at("/admin"), HomeView{Side: Side{Shown: true}}))
	if !strings.Contains(doc.Find("#needs").Text(), "All clear") {
		t.Error("a quiet day looks like an error")
	}
	doc = draw(t,
		Home(at("/admin"), HomeView{Side: Side{Shown: true},
			Needs: []Need{{Tone: ui.Red, Title: "3 jobs are parked", Act: "See why", Href: "/admin/jobs"}}}))
	count(t, doc, `#needs .notice[data-tone="red"] a[href="/admin/jobs"]`, 1)
	count(t, doc, `#needs .notice`, 1)
}

func TestAnExportCarriesTheSearch(t *testing.T) {
	doc := draw(t, Audit(at("/admin/audit"), AuditView{Words: `a "b"`, From: "2026-11-02"}))
	const form = `form[action="/admin/audit/export"] `
	count(t, doc, form+`input[name="words"][value='a "b"']`, 1)
	count(t, doc, form+`input[name="from"][value="2026-11-02"]`, 1)
	count(t, doc, form+`input[name="who"]`, 0)
	count(t, doc, form+`button[name="format"]`, 2)
}

func TestABrowserIsNamedInAWord(t *testing.T) {
	for agent, want := range map[string]string{
		"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0":                                        "Firefox",
		"Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0": "Edge",
		"Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15":                 "Safari",
		"curl/8.0": "curl/8.0", "": "", strings.Repeat("x", 60): strings.Repeat("x", 40) + "…",
	} {
		if got := accounts.Browser(agent); got != want {
			t.Errorf("%q: %q, want %q", agent, got, want)
		}
	}
}

// Once somebody is blocked, the page says what went back.
func TestWhatABlockTookBackIsSaid(t *testing.T) {
	if got := TookBack(review.Loss{Approvals: 3, Held: 1, Reviews: 1}); got !=
		" Taken back: 3 first approvals. Back in the queue: 2 reviews." || TookBack(review.Loss{}) != "" {
		t.Error(got)
	}
}
