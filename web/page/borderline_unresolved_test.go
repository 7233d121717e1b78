package page_test

import (
	"net/http"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/compliance"
	"preceptor/internal/platform/db"
)

// Where experts end without a ruling a supervisor decides, and is shown that they did, why, and what each of them said:
// of a text that was sent to them and looks clean, and of one that the judges could not settle.
func TestASupervisorSeesThatExpertsEndedWithoutARuling(t *testing.T) {
	for _, sent := range []bool{true, false} {
		site := split(t)
		if sent {
			site = content(t)
		}
		sam, mo := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Manager)
		eva, fay := site.SignedIn(t, account.Expert), site.SignedIn(t, account.Expert)
		id := ""
		if sent {
			id = bring(t, site, passing, dcCustomer())
			if r := sam.Post(t, "/reviews/"+id+"/refer", with(hidden(show(t, sam, id, ""), "#refer form"), "note",
				"Is the middle a steer?")); r.Status != http.StatusSeeOther {
				t.Fatalf("refer: %d %.500s", r.Status, r.Body)
			}
		} else {
			id, _ = unsettled(t, site)
		}
		cases, _, err := site.Borderline.ForInteraction(t.Context(), id)
		if err != nil || len(cases) != 1 {
			t.Fatal(cases, err)
		}
		at := "/compliance/" + cases[0].ID
		if err := site.DB.Write(t.Context(), func(tx *db.Tx) error {
			return db.Exec(tx, "ask two", `UPDATE borderline_case SET wanted = 2, most = 2 WHERE id = $1`, cases[0].ID)
		}); err != nil {
			t.Fatal(err)
		}
		for c, label := range map[*apptest.Client]compliance.Label{eva: compliance.NonCompliant,
			fay: compliance.Borderline} {
			form := with(hidden(page(t, c.Get(t, at), http.StatusOK), "#answer"),
				append(answered, "label", string(label))...)
			if r := c.Post(t, at+"/answer", form); r.Status != http.StatusSeeOther {
				t.Fatalf("answer: %d %.500s", r.Status, r.Body)
			}
			if r := c.Post(t, at+"/keep", nil); r.Status != http.StatusSeeOther {
				t.Fatalf("keep: %d", r.Status)
			}
		}
		if r := mo.Post(t, at+"/close", with(hidden(page(t, mo.Get(t, at), http.StatusOK), "#close"), "reason",
			"Two experts read it in two ways.")); r.Status != http.StatusSeeOther {
			t.Fatalf("close: %d %.500s", r.Status, r.Body)
		}
		doc := show(t, sam, id, "")
		for _, said := range []string{"ended without a ruling", "Two experts read it in two ways.",
			eva.Account.Name + ": non-compliant", fay.Account.Name + ": borderline"} {
			has(t, doc, "#case-notices", said)
		}
		has(t, doc, `#case-notices a[href="`+at+`"]`, "See the answers")
		has(t, doc, "#verdict", "ended without a ruling")
		has(t, doc, ".history", "Experts ended without a ruling by "+mo.Account.Name+": Two experts read it")
		has(t, page(t, sam.Get(t, "/reviews"), http.StatusOK), ".queue-row", "ended without a ruling")
		inbox := page(t, sam.Get(t, "/inbox"), http.StatusOK)
		if n := inbox.Find(`.notice-row a[href="/reviews/` + id + `"]`).Length(); (n == 1) != sent {
			t.Errorf("sent: %t, and %d notices", sent, n)
		}
		if r := approve(t, sam, id); sent && r.Status != http.StatusSeeOther {
			t.Errorf("approve: %d", r.Status)
		}
	}
}
