package page_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/practice/drill"
	"preceptor/internal/review"
)

// tableRows counts the rows of every table but those of practice cases, of sessions and of the search index's own.
func tableRows(t *testing.T, s *apptest.Site) map[string]int {
	t.Helper()
	n := map[string]int{}
	err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
		names, err := db.Column[string](tx, "list tables", `SELECT name FROM sqlite_master
			WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`)
		for _, name := range names {
			if err == nil && !strings.HasPrefix(name, "labelling_") && name != "session" {
				n[name], err = db.Value[int](tx, "count "+name, `SELECT COUNT(*) FROM "`+name+`"`)
			}
		}
		return err
	})
	if err != nil || len(n) < 40 {
		t.Fatalf("%d tables: %v", len(n), err)
	}
	return n
}

// news is when open pages were last told of something.
func news(s *apptest.Site) (all string) {
	for _, topic := range []string{"reviews", "learning", "notices", "borderline", "comments", "practice"} {
		all += topic + " " + s.DB.Touched(topic).String() + "; "
	}
	return all
}

// startPractice begins a round and gives its address.
func startPractice(t *testing.T, c *apptest.Client) (home string) {
	t.Helper()
	res := c.Post(t, "/reviews/practice", url.Values{"pack": {pack.Pension}})
	home = res.Header.Get("Location")
	if res.Status != http.StatusSeeOther || !strings.HasPrefix(home, "/reviews/practice/") {
		t.Fatalf("begin: %d, to %q", res.Status, home)
	}
	return home
}

// answerOf is an answer to a case; over a round they are of every kind, so that every outcome is had.
func answerOf(a drill.Answer, i int) (kind string, form url.Values) {
	form = url.Values{}
	switch {
	case len(a.Case.Faults) == 0 && i%2 == 0:
		return review.Return, url.Values{"reason": {"It sounds too sure."}}
	case len(a.Case.Faults) == 0:
		return review.Approve, form
	}
	switch i % 4 {
	case 0:
		return review.Reject, url.Values{"reason_code": {"out_of_scope"}}
	case 1:
		return review.Return, url.Values{"reason": {"Look at the figures."}}
	case 2:
		return review.Revise, url.Values{"text": {a.Case.Draft + " Thank you."}, "reason": {"Politer."}}
	}
	return review.Approve, form
}

func TestPracticeTouchesNothing(t *testing.T) {
	s := apptest.Open(t)
	realCase(t, s, s.Token(t, account.Submit))
	s.Drain(t)
	sam := s.Account(t, account.Supervisor)
	c := s.Enter(t, sam)
	before := tableRows(t, s)
	touched := news(s)
	home := startPractice(t, c)
	id := strings.TrimPrefix(home, "/reviews/practice/")
	for i := range drill.Cases(pack.Pension) {
		at := c.Get(t, home).Header.Get("Location")
		page := c.Get(t, at)
		for _, want := range []string{"Practice", "nothing is sent", "Approve and next", "Not checked"} {
			if !strings.Contains(page.Body, want) {
				t.Fatalf("%s lacks %q", at, want)
			}
		}
		for _, wrong := range []string{"data-draft", "hx-get=\"/reviews/recent", "Ask a compliance expert", "/claim",
			"What should change next time", "By deciding, you confirm"} {
			if strings.Contains(page.Body, wrong) {
				t.Errorf("%s has %q of the desk", at, wrong)
			}
		}
		r, err := s.App.Drill.Round(t.Context(), sam.ID, id)
		if err != nil {
			t.Fatal(err)
		}
		a := r.Answers[slices.IndexFunc(r.Answers, func(a drill.Answer) bool {
			return fmt.Sprint(a.N) == at[strings.LastIndex(at, "/")+1:]
		})]
		kind, form := answerOf(a, i)
		form.Set("as", sam.ID)
		if res := c.Post(t, at+"/"+kind, form); res.Status != http.StatusSeeOther {
			t.Fatalf("%s %s: %d %s", at, kind, res.Status, res.Body)
		}
	}
	s.Drain(t)
	after := tableRows(t, s)
	for name, n := range before {
		if after[name] != n {
			t.Errorf("%s had %d rows and has %d", name, n, after[name])
		}
	}
	if now := news(s); now != touched {
		t.Errorf("open pages were told of news: %s, then %s", touched, now)
	}
	s.CountsHold(t)
	result := c.Get(t, home)
	for _, want := range []string{"Practice result", "Missed", "Over-corrected", "Caught", "Stopped for another reason",
		"still in your revision", "Missing DB warning", "Case 20"} {
		if !strings.Contains(result.Body, want) {
			t.Errorf("the result lacks %q", want)
		}
	}
	if look := c.Get(t, home+"/1"); !strings.Contains(look.Body, "Back to the result") ||
		strings.Contains(look.Body, "Approve and next") {
		t.Error("a case of a round that is done can't be read again, or be answered again")
	}
}

// Only the person sees a round: others are told that there is none, managers too.
func TestPracticeIsOnesOwn(t *testing.T) {
	s := apptest.Open(t)
	home := startPractice(t, s.SignedIn(t, account.Supervisor))
	other := s.SignedIn(t, account.Supervisor, account.Manager, account.Admin)
	for _, path := range []string{home, home + "/1"} {
		if res := other.Get(t, path); res.Status != http.StatusNotFound {
			t.Errorf("%s for somebody else: %d", path, res.Status)
		}
	}
	if body := other.Get(t, "/reviews/practice").Body; strings.Contains(body, home) ||
		!strings.Contains(body, "No practice yet") {
		t.Error("somebody else's practice is listed")
	}
	for _, tail := range []string{"/1/approve", "/1/undo"} {
		if res := other.Post(t, home+tail, url.Values{}); res.Status != http.StatusNotFound {
			t.Errorf("%s by somebody else: %d", tail, res.Status)
		}
	}
}

// What is wrong with an answer is said at its field, and what was typed stays; an answer can be taken back until the
// end.
func TestPracticeFormsAreTheDesks(t *testing.T) {
	s := apptest.Open(t)
	sam := s.Account(t, account.Supervisor)
	c := s.Enter(t, sam)
	home := startPractice(t, c)
	if body := c.Get(t, home+"/1?mode=reject").Body; !strings.Contains(body, "Wrong facts or figures") ||
		!strings.Contains(body, "Reject and next") {
		t.Error("the form of a rejection isn't the desk's")
	}
	res := c.Post(t, home+"/1/reject", url.Values{"as": {sam.ID}, "reason": {"Something with the figures"}})
	if res.Status != http.StatusUnprocessableEntity || !strings.Contains(res.Body, "Choose a reason.") ||
		!strings.Contains(res.Body, "Something with the figures") {
		t.Errorf("a rejection without a reason: %d", res.Status)
	}
	res = c.Post(t, home+"/1/check", url.Values{"as": {sam.ID}, "text": {"Quite another text about stars."}})
	if res.Status != http.StatusOK || !strings.Contains(res.Body, "What changes") ||
		!strings.Contains(res.Body, "stars") {
		t.Errorf("the difference without a script: %d", res.Status)
	}
	if res = c.Post(t, home+"/1/approve", url.Values{"as": {"somebody"}}); res.Status == http.StatusSeeOther {
		t.Error("what somebody else opened was answered")
	}
	if res = c.Post(t, home+"/1/approve", url.Values{"as": {sam.ID}}); res.Status != http.StatusSeeOther {
		t.Fatalf("approve: %d", res.Status)
	}
	if body := c.Get(t, home+"/1").Body; !strings.Contains(body, "what was right once you&#39;ve answered all 20") ||
		strings.Contains(body, "What the check found") {
		t.Error("an answered case tells too much, or too little")
	}
	if res = c.Post(t, home+"/1/undo", url.Values{"as": {sam.ID}}); res.Status != http.StatusSeeOther ||
		!strings.Contains(c.Get(t, home+"/1").Body, "Approve and next") {
		t.Errorf("an answer can't be taken back: %d", res.Status)
	}
	if res = c.Post(t, home+"/delete", url.Values{}); res.Status != http.StatusSeeOther ||
		c.Get(t, home).Status != http.StatusNotFound {
		t.Errorf("deleted: %d", res.Status)
	}
}
