package page_test

import (
	"net/http"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

// What is typed on the label page is there again after a way round: reason, notes, label and marks.
func TestWhatIsTypedOnTheLabelPageIsKept(t *testing.T) {
	s := apptest.Open(t)
	d := labelSet(t, s, 2, 2)
	eve := s.SignedIn(t, account.Expert)
	path := "/datasets/" + d.ID + "/label"
	doc := page(t, eve.Get(t, path), http.StatusOK)
	to, _ := doc.Find("#answer").Attr("data-draft")
	form := with(filled(t, doc, "#answer"), "label", "NON_COMPLIANT", "rationale", "It steers.", "notes", "Ask Mo.",
		"code", "PRESSURE", "span", "PRESSURE 0 4")
	if r := eve.Post(t, to, form); r.Status != http.StatusOK {
		t.Fatalf("%d %.300s", r.Status, r.Body)
	}
	doc = page(t, eve.Get(t, path), http.StatusOK)
	form = filled(t, doc, "#answer")
	for name, want := range map[string]string{"label": "NON_COMPLIANT", "rationale": "It steers.", "notes": "Ask Mo.",
		"code": "PRESSURE", "span": "PRESSURE 0 4"} {
		if form.Get(name) != want {
			t.Errorf("%s is %q", name, form.Get(name))
		}
	}
	if r := eve.Post(t, path, form); r.Status != http.StatusSeeOther {
		t.Fatalf("%d %.300s", r.Status, r.Body)
	}
	if form = filled(t, page(t, eve.Get(t, path), http.StatusOK), "#answer"); form.Get("rationale") != "" {
		t.Error("what was typed for one item is before another")
	}
}
