package page_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/policy"
)

// proposal is the form as a browser sends it, with everything as it is by default.
func proposal(change ...string) url.Values {
	f := url.Values{"agent": {""}, "base": {"0"}, "share": {"100"}, "planted": {"0"}, "soon": {"4"}, "late": {"24"},
		"words": {"600"}, "why": {"The checks hold."},
		"always": {"rule_flag", "borderline", "db_pension", "vulnerable", "db_transfer", "low_confidence"},
		"second": {"db_transfer", "vulnerable"}}
	for i := 0; i+1 < len(change); i += 2 {
		f.Set(change[i], change[i+1])
	}
	return f
}

// waits is the change that waits last for a second person.
func waits(t *testing.T, site *apptest.Site) string {
	t.Helper()
	list, err := site.Approvals.Waiting(t.Context(), "")
	if err != nil || len(list) == 0 {
		t.Fatalf("%d wait, %v", len(list), err)
	}
	return list[len(list)-1].ID
}

func TestAPolicyIsProposedAndAgreedTo(t *testing.T) {
	site := apptest.Open(t)
	ann, bob, sue := site.SignedIn(t, account.Admin), site.SignedIn(t, account.Admin),
		site.SignedIn(t, account.Supervisor)
	want(t, "by default", sue.Get(t, "/admin/policies"), http.StatusOK, "People review every draft before it is sent.",
		"the built-in default", "No proposals yet")
	want(t, "the form", ann.Get(t, "/admin/policies/propose"), http.StatusOK, "Those with a lock",
		`name="share" value="100"`)
	want(t, "a look", ann.Post(t, "/admin/policies", proposal("share", "40", "act", "preview")), http.StatusOK,
		"For every agent, supervisors will review 40% of routine drafts instead of 100%.",
		"there is nothing to compare", `value="40"`)
	want(t, "nothing came of it", ann.Get(t, "/admin/policies"), http.StatusOK, "No proposals yet")
	r := ann.Post(t, "/admin/policies", proposal("share", "40", "act", "propose"))
	if r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/admin/policies/1" {
		t.Fatalf("propose: %d %s %s", r.Status, r.Header.Get("Location"), r.Body)
	}
	version1 := waits(t, site)
	want(t, "the proposer", ann.Get(t, "/admin/policies/1"), http.StatusOK, "someone else has to agree", "Withdraw",
		"must agree before anything changes")
	want(t, "a supervisor", sue.Get(t, "/admin/policies/1"), http.StatusOK, "Waiting for a second person",
		"The checks hold.")
	want(t, "the other", bob.Get(t, "/admin"), http.StatusOK, "1 proposed change is waiting for you")
	if strings.Contains(ann.Get(t, "/admin").Body, "change is waiting for you") {
		t.Error("the proposer is asked to agree")
	}
	want(t, "agree to one's own", ann.Post(t, "/approvals/"+version1+"/agree", nil), http.StatusForbidden,
		"someone else has to agree")
	want(t, "a supervisor agrees", sue.Post(t, "/approvals/"+version1+"/agree", nil), http.StatusForbidden)
	unread := func(id string, what string, n int) {
		t.Helper()
		if got, err := site.Comments.Unread(t.Context(), id); err != nil || got != n {
			t.Errorf("%s: %d unread notices, want %d, %v", what, got, n, err)
		}
	}
	told, err := site.Comments.Unread(t.Context(), bob.Account.ID)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "agree", bob.Post(t, "/approvals/"+version1+"/agree", nil), http.StatusSeeOther)
	unread(bob.Account.ID, "agreed", told-1)
	want(t, "the proposer is told", ann.Get(t, "/inbox"), http.StatusOK,
		"agreed to your change and it is in force: Review policy")
	want(t, "agree again", bob.Post(t, "/approvals/"+version1+"/agree", nil), http.StatusConflict,
		"has already agreed to this")
	want(t, "it holds", sue.Get(t, "/admin/policies"), http.StatusOK, "and 40% of the others", "in force")
	p, err := site.Policies.Current(t.Context(), "")
	if err != nil || p.Share != 0.4 || p.Version != 1 {
		t.Errorf("%+v, %v", p, err)
	}
	want(t, "roll back", ann.Post(t, "/admin/policies", proposal("base", "1", "why", "Too much went unread.")),
		http.StatusSeeOther)
	version2 := waits(t, site)
	want(t, "refuse without a reason", bob.Post(t, "/approvals/"+version2+"/refuse", url.Values{"refusal": {" "}}),
		http.StatusUnprocessableEntity, "Give a reason")
	want(t, "refuse", bob.Post(t, "/approvals/"+version2+"/refuse", url.Values{"refusal": {"Not yet."}}),
		http.StatusSeeOther)
	unread(bob.Account.ID, "refused", told-1)
	want(t, "the proposer is told", ann.Get(t, "/inbox"), http.StatusOK, "refused your change: Review policy")
	want(t, "refused", ann.Get(t, "/admin/policies/2"), http.StatusOK, "answered: Not yet.",
		"Propose this version again")
	want(t, "again", ann.Get(t, "/admin/policies/propose?from=2"), http.StatusOK, "shows version 2",
		`name="share" value="100"`)
	want(t, "no such version", ann.Get(t, "/admin/policies/99"), http.StatusNotFound)
	want(t, "no such agent", ann.Get(t, "/admin/policies/propose?agent=none"), http.StatusNotFound)
}

func TestWhatWasTypedIntoAProposalIsKept(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Admin)
	r := ann.Post(t, "/admin/policies", proposal("share", "many", "planted", "50", "why", "", "words", "seven"))
	want(t, "wrong", r, http.StatusUnprocessableEntity, `value="many"`, `value="50"`, `value="seven"`,
		"Enter a number.", "Give a reason", "you are the only one")
	want(t, "no look either", ann.Post(t, "/admin/policies", proposal("share", "many", "act", "preview")),
		http.StatusUnprocessableEntity, `value="many"`)
	want(t, "no look at what can't be", ann.Post(t, "/admin/policies", proposal("share", "140", "why", "", "act", "preview")),
		http.StatusUnprocessableEntity, `value="140"`)
	if list, err := site.Approvals.Waiting(t.Context(), ""); len(list) != 0 || err != nil {
		t.Fatalf("%v, %v", list, err)
	}
	f := proposal("share", "50", "why", "kept words")
	f["always"] = []string{"rule_flag"}
	want(t, "the fixed ones are missing", ann.Post(t, "/admin/policies", f), http.StatusUnprocessableEntity,
		"can&#39;t be switched off", "kept words")
	want(t, "an old page", ann.Post(t, "/admin/policies", proposal("share", "50", "base", "7", "why", "kept words")),
		http.StatusConflict, "came into force while you were writing", "kept words", `name="base" value="0"`)
	for typed, says := range map[string]string{"2,5": "Enter decimals with a point, for example 7.5.",
		"0x1p3": "Enter a number.", "1e1": "Enter a number."} {
		want(t, typed, ann.Post(t, "/admin/policies", proposal("planted", typed)), http.StatusUnprocessableEntity, says,
			`value="`+typed+`"`)
	}
	want(t, "a point", ann.Post(t, "/admin/policies", proposal("planted", "2.5")), http.StatusSeeOther)
	want(t, "once more", ann.Post(t, "/admin/policies", proposal("planted", "2.5", "why", "Another reason.")),
		http.StatusConflict, ann.Account.Name+" has already proposed exactly this", "Another reason.")
	v, err := site.Policies.ByNumber(t.Context(), 1)
	if err != nil || v.Planted != 0.025 {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestAProposalSaysWhatItWouldHaveMeant(t *testing.T) {
	site := content(t)
	ann := site.SignedIn(t, account.Admin)
	agent := site.Nobody(t)
	agent.Header.Set("Authorization", "Bearer "+site.Token(t, account.Submit))
	for i := range 12 {
		body := fmt.Sprintf(
			`{"agent": "pension-advisor", "consultation": {"question": "How much can I take tax free? %d", "customer": {"age": 58, "pensions": [{"kind": "dc", "value_gbp": 42000}]}},
			"guidance": "Usually a quarter of a pot can be taken free of tax. MoneyHelper and Pension Wise explain it for free."}`, i)
		if r := agent.JSON(t, http.MethodPost, "/api/guidance", body); r.Status != http.StatusAccepted {
			t.Fatal(r.Body)
		}
	}
	f := proposal("share", "0", "act", "preview")
	f["always"] = []string{"rule_flag", "borderline", "db_pension", "vulnerable"}
	want(t, "all agents", ann.Post(t, "/admin/policies", f), http.StatusOK, "of 12 drafts", `<dd class="value">12</dd>`,
		"0 under the current policy", "looser")
	a, err := site.Accounts.AgentByName(t.Context(), "pension-advisor")
	if err != nil {
		t.Fatal(err)
	}
	f.Set("agent", a.ID)
	want(t, "one agent", ann.Post(t, "/admin/policies", f), http.StatusOK,
		"For pension-advisor, supervisors will review 0%", "of 12 drafts")
}

// What a stricter policy asks of a draft that waits is shown in the queue, on the review and at the buttons.
func TestAStricterPolicyIsShownOnWhatWaits(t *testing.T) {
	site := apptest.Open(t)
	ann, boss, other := site.SignedIn(t, account.Supervisor), site.Account(t, account.Admin),
		site.Account(t, account.Admin)
	asks := dbCustomer()
	asks.Question, asks.TaskType = "How much is tax free?", "tax_free_cash"
	id := bring(t, site, "A quarter of a pot is usually tax free.", asks)
	shown := func(at string) bool {
		return strings.Contains(words(page(t, ann.Get(t, at), http.StatusOK), ".badge"), "Needs 2 approvals")
	}
	if shown("/reviews") || shown("/reviews/"+id) {
		t.Fatal("it needs two already")
	}
	p := policy.Default()
	p.SecondEyes = append(p.SecondEyes, policy.DBPension)
	v, err := site.Policies.Propose(t.Context(), p, 0, "why", boss.Actor())
	if err == nil {
		_, err = site.Approvals.Agree(t.Context(), v.ID, other.Actor())
	}
	if err != nil || !shown("/reviews") {
		t.Errorf("not in the queue: %v", err)
	}
	doc := page(t, ann.Get(t, "/reviews/"+id), http.StatusOK)
	has(t, doc, ".badge", "Needs 2 approvals")
	has(t, doc, "#bar", "Needs 2 approvals: yours is the first.")
	has(t, doc, "main", "DB pension (the profile)")
}

// Between the sign-in and the agreement a role may be taken away; the transaction asks again.
func TestARoleThatWasTakenAwayAgreesToNothing(t *testing.T) {
	site := apptest.Open(t)
	ann, bob := site.Account(t, account.Admin), site.Account(t, account.Admin)
	v, err := site.Policies.Propose(t.Context(), func() policy.Policy {
		p := policy.Default()
		p.Share = 0
		return p
	}(), 0, "why", ann.Actor())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := site.Accounts.SetRoles(t.Context(), bob.ID, []account.Role{account.Manager}, ann.Actor(),
		""); err != nil {
		t.Fatal(err)
	}
	if _, err := site.Approvals.Agree(t.Context(), v.ID, bob.Actor()); err == nil {
		t.Error("a manager agreed")
	}
	if err := site.DB.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE approval SET state = 'agreed', decided_by = $1, decided_at = 5
			WHERE id = $2`, bob.ID, v.ID)
		return err
	}); err == nil {
		t.Error("direct SQL agreed")
	}
	page, err := audit.List(t.Context(), site.DB, audit.Filter{Action: "policy."})
	if err != nil || len(page.Rows) != 1 {
		t.Errorf("%+v, %v", page.Rows, err)
	}
}
