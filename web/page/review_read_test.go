package page_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

// A manager reads a review once its decision is settled: question, what became of the draft, who approved it and why;
// never before. Exports go by the same rule, and a supervisor is led to the desk.
func TestAManagerReadsASettledReview(t *testing.T) {
	s := apptest.Open(t)
	ann, mo, edie := s.SignedIn(t, account.Supervisor), s.SignedIn(t, account.Manager), s.SignedIn(t, account.Expert)
	id := bring(t, s, passing+" "+corrected, dcCustomer())
	path := "/interactions/" + id
	doc := page(t, mo.Get(t, path), http.StatusOK)
	has(t, doc, "[aria-labelledby=question]", "been decided yet")
	hasNot(t, doc, "blockquote, .diff, a[href='/feedback/"+id+"']")
	exported := func() bool {
		r := mo.Post(t, "/exports", map[string][]string{"set": {"decisions"}, "format": {"csv"}})
		if r.Status != http.StatusOK {
			t.Fatalf("export: %d %.300s", r.Status, r.Body)
		}
		return strings.Contains(r.Body, id)
	}
	has(t, page(t, mo.Get(t, "/reviews"), http.StatusOK), ".queue-row a[href='"+path+"']", "")

	form := seen(t, page(t, ann.Get(t, "/reviews/"+id), http.StatusOK), `form[action$="/approve"]`)
	if r := ann.Post(t, "/reviews/"+id+"/approve", form); r.Status != http.StatusSeeOther {
		t.Fatalf("approve: %d %.300s", r.Status, r.Body)
	}
	// the text speaks of giving up a final salary pension
	agree(t, s, id)
	hasNot(t, page(t, mo.Get(t, path), http.StatusOK), "blockquote") // it may still be undone
	if exported() {
		t.Error("a decision that may still be undone is in the manager's file")
	}
	s.Clock.Advance(10 * time.Minute)
	s.Drain(t)
	doc = page(t, mo.Get(t, path), http.StatusOK)
	has(t, doc, "blockquote.question", "")
	has(t, doc, "[aria-labelledby=text] h2", "Sent unchanged")
	has(t, doc, "[aria-labelledby=decisions]", "by "+ann.Account.Name)
	has(t, doc, "a[href='"+path+"/evidence']", "Evidence report")
	hasNot(t, doc, "main form")
	if !exported() {
		t.Error("a settled decision is not in the manager's file")
	}
	rows := page(t, mo.Get(t, "/stats/rows?of=decisions"), http.StatusOK)
	has(t, rows, ".results a[href='"+path+"']", "Open")
	// nobody has voted yet, and so they can be asked
	has(t, doc, "[aria-labelledby=votes] a[href='/feedback/"+id+"']", "View feedback")
	has(t, page(t, mo.Get(t, "/feedback/"+id), http.StatusOK), "form[action$='/link'] button", "Create a link")
	// a link that one person sends another leads each to their own page
	boss, both := s.SignedIn(t, account.Admin), s.SignedIn(t, account.Supervisor, account.Manager)
	for _, l := range []struct {
		c        *apptest.Client
		from, to string
	}{{ann, path, "/reviews/" + id}, {both, path, "/reviews/" + id}, {mo, "/reviews/" + id + "?mode=revise", path},
		{boss, "/reviews/" + id, path}} {
		if r := l.c.Get(t, l.from); r.Status != http.StatusSeeOther || r.Header.Get("Location") != l.to {
			t.Errorf("%v at %s: %d, to %q", l.c.Account.Roles, l.from, r.Status, r.Header.Get("Location"))
		}
	}
	for _, address := range []string{path, "/reviews/" + id} {
		if r := edie.Get(t, address); r.Status != http.StatusForbidden {
			t.Errorf("an expert at %s: %d", address, r.Status)
		}
	}
}
