package app_test

import (
	"net/http"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/erase"
	"preceptor/internal/evidence"
	"preceptor/internal/interaction"
)

// The pack of guidance that people worked on holds the whole story, and verifies; once its texts are erased, a new one says so and
// has none of them.
func TestTheEvidenceOfOnePieceOfGuidance(t *testing.T) {
	s := openSpine(t)
	id := s.plant(t, planted["name"], customerRef, "k1")
	s.worked(t, id)
	boss := s.SignedIn(t, account.Manager)

	r := boss.Post(t, "/interactions/"+id+"/evidence", nil)
	if r.Status != http.StatusOK || !strings.Contains(r.Header.Get("Content-Disposition"), `evidence-`+id+`.html`) {
		t.Fatalf("%d %s", r.Status, r.Header)
	}
	rep, err := evidence.Verify([]byte(r.Body), nil)
	if err != nil || rep.Bad != nil {
		t.Fatalf("%v, %+v", err, rep.Bad)
	}
	if err := rep.Against(t.Context(), s.DB, nil); err != nil || rep.Bad != nil {
		t.Fatalf("against the log: %v, %+v", err, rep.Bad)
	}
	if rep.Subject != id || rep.Texts < 3 || rep.Rows < 4 || rep.Gaps != 0 {
		t.Errorf("%+v", rep)
	}
	page := r.Body[:strings.Index(r.Body, `id="preceptor-manifest"`)]
	for _, part := range []string{"question", "goal", "free", "guidance", "reasoning", "steps", "metadata", "revised", "reason", "feedback", "comment", "skip"} {
		if !strings.Contains(page, planted[part]) {
			t.Errorf("the %s is missing", part)
		}
	}
	if strings.Contains(r.Body, planted["draft"]) {
		t.Error("what somebody typed and did not send is in the pack")
	}
	for _, words := range []string{"What happened, in order", "<ins>", "Confirmed", "What the customer got", s.supervisor.Account.ID} {
		if !strings.Contains(page, words) {
			t.Errorf("the page does not say %q", words)
		}
	}

	if rec, err := s.Erase.Erase(t.Context(), erase.Request{How: interaction.ByReference, Subject: customerRef, Why: "Request 12", By: audit.System("test")}); err != nil || rec.State != erase.Done {
		t.Fatalf("%+v, %v", rec, err)
	}
	r = boss.Post(t, "/interactions/"+id+"/evidence", nil)
	again, err := evidence.Verify([]byte(r.Body), nil)
	if err != nil || again.Bad != nil || again.Erased == 0 || again.Texts != 0 {
		t.Fatalf("after the erasure: %v, %+v", err, again)
	}
	for part, words := range planted {
		if words != "" && strings.Contains(r.Body, words) {
			t.Errorf("the %s is still in a pack after the erasure", part)
		}
	}
	if !strings.Contains(r.Body, "texts were erased on") {
		t.Error("it does not say that texts were erased")
	}
	if err := rep.Against(t.Context(), s.DB, nil); err != nil || rep.Bad != nil || rep.Log.ErasedSince == 0 {
		t.Errorf("the first pack against the log after the erasure: %v, %+v, %+v", err, rep.Bad, rep.Log)
	}
	log, err := audit.List(t.Context(), s.DB, audit.Filter{Action: evidence.ActionPacked})
	if err != nil || len(log.Rows) != 2 {
		t.Errorf("%d packs on record, %v", len(log.Rows), err)
	}
}
