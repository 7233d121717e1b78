package page_test

import (
	"net/http"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/comment"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/platform/db"
)

// What happens to a borderline case is told to those whom it concerns: who is meant in a comment, who took part, and
// whose answers were adjudicated.
func TestExpertsAreNotifiedOfWhatHappensToTheirCases(t *testing.T) {
	site := split(t)
	_, caseID := unsettled(t, site)
	eva, fay, gus, hal := site.SignedIn(t, account.Expert), site.SignedIn(t, account.Expert),
		site.SignedIn(t, account.Expert), site.SignedIn(t, account.Expert)
	if err := site.DB.Write(t.Context(), func(tx *db.Tx) error {
		return db.Exec(tx, "ask two", `UPDATE borderline_case SET wanted = 2, most = 2 WHERE id = $1`, caseID)
	}); err != nil {
		t.Fatal(err)
	}
	for c, label := range map[*apptest.Client]compliance.Label{eva: compliance.NonCompliant,
		fay: compliance.Borderline} {
		doc := page(t, c.Get(t, "/compliance/"+caseID), http.StatusOK)
		if r := c.Post(t, "/compliance/"+caseID+"/answer",
			with(hidden(doc, "#answer"),
				append(answered, "label", string(label))...)); r.Status != http.StatusSeeOther {
			t.Fatalf("answer: %d", r.Status)
		}
		if r := c.Post(t, "/compliance/"+caseID+"/keep", nil); r.Status != http.StatusSeeOther {
			t.Fatalf("keep: %d", r.Status)
		}
	}
	say := func(c *apptest.Client, text string, status int) apptest.Response {
		t.Helper()
		doc := page(t, c.Get(t, "/compliance/"+caseID), http.StatusOK)
		r := c.Post(t, "/compliance/"+caseID+"/comments", with(hidden(doc, "#comments form"), "remark", text))
		if r.Status != status {
			t.Fatalf("%s: %d %.800s", text, r.Status, r.Body)
		}
		return r
	}
	told := func(c *apptest.Client, want ...string) {
		t.Helper()
		p, err := site.Comments.Notices(t.Context(), comment.Inbox{Account: c.Account.ID, Unread: true})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range p.Items {
			got = append([]string{n.Kind}, got...)
			if !strings.HasPrefix(n.ObjectID, caseID) {
				t.Errorf("a notice of %s", n.ObjectID)
			}
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s was told %v, want %v", c.Account.Name, got, want)
		}
	}
	say(eva, "I read it as a steer.", http.StatusSeeOther)
	told(eva)
	told(fay, comment.CaseComment)
	told(hal)
	say(fay, "Not so sure. @"+hal.Account.Name+", and @"+eva.Account.Name+"?", http.StatusSeeOther)
	told(eva, comment.CaseMention)
	told(hal, comment.CaseMention)
	doc := page(t, say(fay, "What does @Nobodyatall say?", http.StatusUnprocessableEntity),
		http.StatusUnprocessableEntity)
	has(t, doc, "#remark-error", "No expert is called “Nobodyatall”")
	has(t, page(t, hal.Get(t, "/inbox"), http.StatusOK), `.notice-row a[href^="/compliance/`+caseID+`#remark-"]`,
		fay.Account.Name+" mentioned you in a comment on a borderline case")

	c, err := site.Borderline.Get(t.Context(), caseID,
		borderline.Viewer{Person: borderline.Person{ID: gus.Account.ID}, Expert: true})
	if err != nil || c.State != borderline.Adjudication {
		t.Fatalf("%+v, %v", c, err)
	}
	who := borderline.Person{ID: gus.Account.ID, Name: gus.Account.Name}
	if _, err := site.Borderline.Adjudicate(t.Context(),
		borderline.RuleInput{CaseID: caseID, By: who, TextHash: c.TextHash, Label: compliance.NonCompliant,
			Rationale: "It steers."}); err != nil {
		t.Fatal(err)
	}
	told(eva, comment.CaseMention, comment.CaseRuled)
	told(fay, comment.CaseComment, comment.CaseRuled)
	told(gus)
	has(t, page(t, eva.Get(t, "/inbox"), http.StatusOK), `.notice-row a[href="/compliance/`+caseID+`"]`,
		gus.Account.Name+" adjudicated a borderline case you answered")
	if err := site.Borderline.Undo(t.Context(), caseID, who); err != nil {
		t.Fatal(err)
	}
	told(eva, comment.CaseMention)
}

func TestAdjudicationOnThePage(t *testing.T) {
	site := split(t)
	_, caseID := unsettled(t, site)
	experts := []*apptest.Client{site.SignedIn(t, account.Expert), site.SignedIn(t, account.Expert),
		site.SignedIn(t, account.Expert), site.SignedIn(t, account.Expert)}
	// Three are asked, as for a case on which two disagreed.
	c, err := site.Borderline.Get(t.Context(), caseID,
		borderline.Viewer{Person: borderline.Person{ID: "x"}, Expert: true})
	if err != nil {
		t.Fatal(err)
	}
	if c.Wanted != 1 {
		t.Fatalf("%d are asked", c.Wanted)
	}
	for i, label := range []compliance.Label{compliance.NonCompliant} {
		doc := page(t, experts[i].Get(t, "/compliance/"+caseID), http.StatusOK)
		if r := experts[i].Post(t, "/compliance/"+caseID+"/answer",
			with(hidden(doc, "#answer"),
				append(answered, "label", string(label))...)); r.Status != http.StatusSeeOther {
			t.Fatalf("answer: %d", r.Status)
		}
	}
	doc := page(t, experts[1].Get(t, "/compliance/"+caseID), http.StatusOK)
	hasNot(t, doc, "#answer")
	has(t, doc, ".notices", "have answered it")
	hasNot(t, doc, "#panel")
}
