package page_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/evidence"
	"preceptor/internal/interaction"
	"preceptor/internal/review"
)

// given sends a file to the check.
func given(t *testing.T, c *apptest.Client, file string) apptest.Response {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("file", "pack.html")
	if err == nil {
		_, err = part.Write([]byte(file))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return c.Do(t, http.MethodPost, "/stats/packs/check", w.FormDataContentType(), b.String(), "Sec-Fetch-Site",
		"same-origin")
}

func TestPacksOfPeriods(t *testing.T) {
	site := apptest.Open(t)
	site.Clock.Advance(60 * 24 * time.Hour) // January 2027
	mo := site.SignedIn(t, account.Manager)
	doc := page(t, mo.Get(t, "/stats/packs"), http.StatusOK)
	has(t, doc, "nav.tabs [aria-current=page]", "Reports")
	has(t, doc, "#periods", "December 2026")
	has(t, doc, "#periods", "Quarter 4 of 2026")
	has(t, doc, "#periods", "1 January 2026 to 31 December 2026")
	has(t, doc, ".empty", "No reports yet")
	if v := doc.Find("#from").AttrOr("value", ""); v != "2026-12-01" {
		t.Errorf("the first day is %q", v)
	}

	for _, c := range []struct{ from, to, words string }{
		{"2026-13-01", "2026-12-31", "Enter the date as"}, {"2026-12-31", "2026-12-01", "must not be before the first"},
		{"2028-01-01", "2028-01-31", "in the future"}, {"2001-01-01", "2026-12-31", "five years"},
		{"", "", "Enter the date as"},
	} {
		bad := page(t, mo.Post(t, "/stats/packs", url.Values{"from": {c.from}, "to": {c.to}}),
			http.StatusUnprocessableEntity)
		has(t, bad, "#make", c.words)
		if v := bad.Find("#from").AttrOr("value", ""); c.from != "" && v != c.from {
			t.Errorf("%s was typed, %q is left", c.from, v)
		}
	}

	r := mo.Post(t, "/stats/packs", url.Values{"from": {"2026-12-01"}, "to": {"2026-12-31"}})
	if r.Status != http.StatusOK || !strings.Contains(r.Header.Get("Content-Disposition"),
		"report-2026-12-01-2026-12-31.html") {
		t.Fatalf("%d %s", r.Status, r.Header)
	}
	rep, err := evidence.Verify([]byte(r.Body), nil)
	if err != nil || rep.Bad != nil || rep.Kind != evidence.Period || rep.Subject != "2026-12-01/2026-12-31" {
		t.Fatalf("%v, %+v", err, rep)
	}
	if !strings.Contains(r.Body, "no data") || strings.Contains(r.Body, "NaN") || strings.Contains(r.Body, ">0.0%<") {
		t.Error("a period without anything has figures")
	}
	doc = page(t, mo.Get(t, "/stats/packs"), http.StatusOK)
	has(t, doc, "#past", "2026-12-01 to 2026-12-31")
	has(t, doc, "#past", mo.Account.Name)
	hashIsOf(t, doc, "#past", r.Body)
	general := mo.Get(t, "/stats/packs").Body
	if _, err := site.Accounts.EnsureAgent(t.Context(), "advisor", "pension"); err != nil {
		t.Fatal(err)
	}
	has(t, page(t, mo.Get(t, "/stats/packs"), http.StatusOK), ".page-head", "Consumer Duty report")
	law := mo.Post(t, "/stats/packs", url.Values{"from": {"2026-12-01"}, "to": {"2026-12-31"}}).Body
	for _, words := range []string{"PRIN 2A.9", "PRIN 2A.8.3R", "DB warning given", "Signposted",
		"Preceptor, Consumer Duty report"} {
		if strings.Contains(r.Body+general, words) || !strings.Contains(law, words) {
			t.Errorf("%q is said where no agent works under that law, or not said where one does", words)
		}
	}

	has(t, page(t, given(t, mo, r.Body), http.StatusOK), "#checked",
		"unchanged since it was sealed, and this server’s log records it")
	has(t, page(t, given(t, mo, strings.Replace(r.Body, "no data", "99.9%", 1)), http.StatusOK), "#checked", "In short")
	has(t, page(t, given(t, mo, "<p>no pack</p>"), http.StatusUnprocessableEntity), ".notice", "not a report")
	has(t, page(t, mo.Post(t, "/stats/packs/check", nil), http.StatusUnprocessableEntity), ".notice",
		"No file was chosen")
	if got := site.SignedIn(t, account.Supervisor).Post(t, "/stats/packs",
		url.Values{"from": {"2026-12-01"}, "to": {"2026-12-31"}}).Status; got != http.StatusForbidden {
		t.Errorf("a supervisor makes one: %d", got)
	}
}

// hashIsOf computes the hash on record as its page says.
func hashIsOf(t *testing.T, doc *goquery.Document, table, file string) {
	t.Helper()
	cell := words(doc, table+" details")
	var bytes int
	_, after, _ := strings.Cut(cell, "head -c ")
	if _, err := fmt.Sscanf(after, "%d ", &bytes); err != nil || bytes >= len(file) {
		t.Fatalf("%q names no bytes of %d: %v", cell, len(file), err)
	}
	if hash := fmt.Sprintf("%x", sha256.Sum256([]byte(file[:bytes]))); !strings.Contains(cell, hash) {
		t.Errorf("%q, and the %d bytes have %s", cell, bytes, hash)
	}
}

// What was recalled had been sent: its evidence is there again, but while a correction is being decided.
func TestTheEvidenceOfRecalledGuidance(t *testing.T) {
	site := apptest.Open(t)
	mo, ann, ben := site.SignedIn(t, account.Manager), site.SignedIn(t, account.Supervisor),
		site.SignedIn(t, account.Supervisor)
	id := released(t, site, ann)
	at := "/interactions/" + id + "/evidence"
	item, err := site.Reviews.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := site.Reviews.Recall(t.Context(), item.DecisionID, person(ben.Account),
		"The figure is old."); err != nil {
		t.Fatal(err)
	}
	got := mo.Post(t, at, nil)
	if rep, err := evidence.Verify([]byte(got.Body), nil); got.Status != http.StatusOK || err != nil ||
		rep.Bad != nil || !strings.Contains(got.Body, "ecalled") {
		t.Fatalf("recalled: %d, %v, %+v", got.Status, err, rep)
	}
	told := page(t, mo.Get(t, "/interactions/"+id), http.StatusOK)
	has(t, told, ".result .row:first-child", "by "+ann.Account.Name)
	has(t, told, ".result .row:not(:first-child)", "by "+ben.Account.Name)
	has(t, told, ".result", "The figure is old.")
	decide(t, site, id, ben.Account, review.Input{Kind: review.Revise, Text: item.Text + " Its figure is of 2026.",
		Reason: "The figure was old.", Feedback: "Look the figure up."})
	has(t, page(t, mo.Get(t, at), http.StatusOK), ".notice", "A correction of this recalled guidance is being decided")
	if r := mo.Post(t, at, nil); r.Status != http.StatusForbidden || strings.Contains(r.Body, "Its figure is of 2026") {
		t.Errorf("while the correction is held: %d", r.Status)
	}
	site.Clock.Advance(time.Minute)
	site.Drain(t)
	if r := mo.Post(t, at, nil); r.Status != http.StatusOK || !strings.Contains(r.Body, "Its figure is of 2026") {
		t.Errorf("corrected: %d", r.Status)
	}
}

func TestTheEvidencePage(t *testing.T) {
	site := apptest.Open(t)
	agent := site.Nobody(t)
	agent.Header.Set("Authorization", "Bearer "+site.Token(t, account.Submit))
	r := agent.JSON(t, http.MethodPost, "/api/guidance",
		`{"agent":"pension-advisor","consultation":{"question":"May I? <script>alert(1)</script> </script>","customer":{"age":58,"goal":"<img src=https://example.org/x>"}},
		"guidance":"Usually a quarter can be taken free of tax. Pension Wise is a free and impartial service that can talk it over with you. <!--<script>"}`)
	if r.Status >= 300 {
		t.Fatalf("submit: %d %s", r.Status, r.Body)
	}
	id := idForm.FindString(r.Body)
	mo, ann, bob := site.SignedIn(t, account.Manager), site.SignedIn(t, account.Supervisor),
		site.SignedIn(t, account.Supervisor)
	at := "/interactions/" + id + "/evidence"
	has(t, page(t, mo.Get(t, at), http.StatusOK), "h1", "Evidence")
	doc := page(t, ann.Get(t, at), http.StatusOK)
	has(t, doc, ".notice", "once the decision is final")
	hasNot(t, doc, `form[action$="/evidence"]`)
	if got := ann.Post(t, at, nil).Status; got != http.StatusForbidden {
		t.Errorf("a supervisor before deciding: %d", got)
	}
	if r := mo.Post(t, at, nil); r.Status != http.StatusForbidden || strings.Contains(r.Body, "free of tax") {
		// a draft is for supervisors
		t.Errorf("a manager before anybody decided: %d", r.Status)
	}
	doc = page(t, mo.Get(t, at), http.StatusOK)
	has(t, doc, ".notice", "been decided yet")
	hasNot(t, doc, `form[action$="/evidence"]`)
	item, err := site.Reviews.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := site.Reviews.Decide(t.Context(),
		review.Input{ID: id, Kind: review.Approve, By: review.Person{ID: ann.Account.ID, Name: ann.Account.Name},
			Version: item.Version, TextHash: interaction.TextHash(item.Text)}); err != nil {
		t.Fatal(err)
	}
	site.Clock.Advance(time.Minute)
	site.Drain(t)
	if got := bob.Post(t, at, nil).Status; got != http.StatusForbidden {
		t.Errorf("a supervisor who did not decide: %d", got)
	}
	got := ann.Post(t, at, nil)
	rep, err := evidence.Verify([]byte(got.Body), nil)
	if got.Status != http.StatusOK || err != nil || rep.Bad != nil || rep.Subject != id {
		t.Fatalf("%d, %v, %+v", got.Status, err, rep)
	}
	for _, raw := range []string{"<script>alert", "<img", "<!--<script"} {
		if strings.Contains(got.Body, raw) {
			t.Errorf("the pack has %q as it came", raw)
		}
	}
	if n := strings.Count(got.Body, "<script"); n != 2 {
		t.Errorf("%d scripts, want the two blocks of JSON", n)
	}
	doc = page(t, mo.Get(t, at), http.StatusOK)
	has(t, doc, "#packs", ann.Account.Name)
	hashIsOf(t, doc, "#packs", got.Body)
	has(t, page(t, given(t, mo, got.Body), http.StatusOK), "#checked", "Evidence report")
	page(t, mo.Get(t, "/interactions/01900000-0000-7000-8000-000000000000/evidence"), http.StatusNotFound)
}
