package app_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/review"
)

const transfer = "Should I take the £310,000 they offer me for my final salary pension?"

// pair is a case about giving up a defined benefit, which takes two supervisors, and people around it.
type pair struct {
	spine
	second *apptest.Client
	id     string
	draft  *interaction.Interaction
}

// openPair has an agent send guidance that passes the check.
func openPair(t *testing.T) pair {
	t.Helper()
	s := openSpine(t)
	r := s.agent.JSON(t, http.MethodPost, "/api/guidance",
		`{"agent":"pension-advisor","consultation":{"question":"`+transfer+`","task_type":"state_pension",
		"customer":{"age":58,"pensions":[{"kind":"db","value_gbp":310000}]}},
		"guidance":"`+strings.TrimSpace(warning)+
			` A transfer can't be undone. A transfer worth more than £30,000 needs regulated financial advice first, and MoneyHelper and Pension Wise offer free and impartial guidance. Which of these points would help to go over again?"}`)
	if r.Status != http.StatusAccepted {
		t.Fatalf("submit: %d %s", r.Status, r.Body)
	}
	p := pair{spine: s, second: s.SignedIn(t, account.Supervisor), id: s.id(t, r)}
	var err error
	if p.draft, err = s.Interactions.Get(t.Context(), p.id); err != nil {
		t.Fatal(err)
	}
	if item, err := s.Reviews.Get(t.Context(), p.id); err != nil || !item.NeedsTwo || !item.Assessment.Passed {
		t.Fatalf("the case: %+v, %v", item, err)
	}
	return p
}

// form is what the page of the case would send now, whoever sends it.
func (p pair) form(t *testing.T, more ...string) url.Values {
	t.Helper()
	item, err := p.Reviews.Get(t.Context(), p.id)
	if err != nil {
		t.Fatal(err)
	}
	f := url.Values{"version": {strconv.Itoa(item.Version)}, "text_hash": {item.TextHash}}
	for i := 0; i+1 < len(more); i += 2 {
		f.Set(more[i], more[i+1])
	}
	return f
}

func (p pair) post(t *testing.T, c *apptest.Client, act string, want int, more ...string) apptest.Response {
	t.Helper()
	r := c.Post(t, "/reviews/"+p.id+"/"+act, p.form(t, more...))
	if r.Status != want {
		t.Fatalf("%s: %d, want %d: %s", act, r.Status, want, notices(r.Body))
	}
	return r
}

// wantSigned checks how far the case is: who signed the decision that stands.
func (p pair) wantSigned(t *testing.T, state, first, second string) review.Decision {
	t.Helper()
	list, err := p.Reviews.DecisionsFor(t.Context(), p.id)
	if err != nil || len(list) == 0 {
		t.Fatalf("decisions %v, %v", list, err)
	}
	d := list[len(list)-1]
	if d.State != state || d.By.ID != first || d.Second.ID != second {
		t.Fatalf("%s by %s and %s; want %s by %s and %s", d.State, d.By.Name, d.Second.Name, state, first, second)
	}
	return d
}

func (p pair) settle(t *testing.T) {
	t.Helper()
	p.Clock.Advance(time.Minute)
	p.Drain(t)
}

// The agent's label says state pension; the question is about a transfer, and two people sign, over HTTP.
func TestTwoSupervisorsOverHTTP(t *testing.T) {
	p := openPair(t)
	p.post(t, p.supervisor, "approve", http.StatusSeeOther)
	p.wantSigned(t, review.Pending, p.supervisor.Account.ID, "")
	p.settle(t)
	if status, text := p.status(t, p.id); status != interaction.Waiting || text != "" {
		t.Errorf("with one signature: %s, %q", status, text)
	}
	if r := p.second.Get(t, "/reviews/"+p.id); r.Status != http.StatusOK ||
		!strings.Contains(r.Body, p.supervisor.Account.Name) {
		t.Errorf("the second supervisor's page does not name the first: %d", r.Status)
	}
	p.post(t, p.second, "approve", http.StatusSeeOther)
	p.wantSigned(t, review.Held, p.supervisor.Account.ID, p.second.Account.ID)
	p.settle(t)
	if status, text := p.status(t, p.id); status != interaction.Released || text != p.draft.Guidance {
		t.Errorf("with two: %s, %q", status, text)
	}
	p.wantAudit(t, "review.seconded", 1)
}

// Every request that somebody could send to be both, or to be the second without being one.
func TestTheSecondSupervisorCannotBeGotAround(t *testing.T) {
	p := openPair(t)
	revised := []string{"text", p.draft.Guidance + " We can explain each step.", "reason", "It ends abruptly.",
		"feedback", "End with an offer to explain."}
	p.post(t, p.supervisor, "revise", http.StatusSeeOther, revised...)
	first := p.wantSigned(t, review.Pending, p.supervisor.Account.ID, "")

	for _, act := range []string{"approve", "claim"} { // one's own revision
		p.post(t, p.supervisor, act, http.StatusConflict)
	}
	again := p.Enter(t, p.supervisor.Account) // another browser of the same person
	p.post(t, again, "approve", http.StatusConflict)
	for _, role := range []account.Role{account.Expert, account.Manager, account.Admin} {
		p.post(t, p.SignedIn(t, role), "approve", http.StatusForbidden)
	}
	if r := p.agent.Post(t, "/reviews/"+p.id+"/approve", p.form(t)); r.Status == http.StatusOK ||
		r.Status == http.StatusSeeOther && !strings.Contains(r.Header.Get("Location"), "/sign-in") {
		t.Errorf("a token approves: %d to %s", r.Status, r.Header.Get("Location"))
	}
	if r := p.Nobody(t).Post(t, "/reviews/"+p.id+"/approve", p.form(t)); r.Status == http.StatusOK ||
		r.Status == http.StatusSeeOther && !strings.Contains(r.Header.Get("Location"), "/sign-in") {
		t.Errorf("nobody approves: %d to %s", r.Status, r.Header.Get("Location"))
	}
	old := url.Values{"version": {"1"}, "text_hash": {p.draft.GuidanceHash}} // the form from before the revision
	if r := p.second.Post(t, "/reviews/"+p.id+"/approve", old); r.Status != http.StatusConflict {
		t.Errorf("a text that was not read is approved: %d", r.Status)
	}
	if d := p.wantSigned(t, review.Pending, p.supervisor.Account.ID, ""); d.ID != first.ID {
		t.Errorf("another decision stands: %+v", d)
	}
	p.settle(t)
	if status, _ := p.status(t, p.id); status != interaction.Waiting {
		t.Errorf("it is %s", status)
	}
}

// The first loses the role between the signatures: theirs no longer counts, and the second is the first.
func TestARoleThatWasLostBetweenTheSignatures(t *testing.T) {
	for what, lose := range map[string]func(p pair, t *testing.T) error{
		"role": func(p pair, t *testing.T) error {
			_, err := p.Accounts.SetRoles(t.Context(), p.supervisor.Account.ID, []account.Role{account.Expert},
				audit.System("test"), "")
			return err
		},
		"disabled": func(p pair, t *testing.T) error {
			_, err := p.Accounts.Disable(t.Context(), p.supervisor.Account.ID, audit.System("test"))
			return err
		},
	} {
		t.Run(what, func(t *testing.T) {
			p := openPair(t)
			p.post(t, p.supervisor, "approve", http.StatusSeeOther)
			if err := lose(p, t); err != nil {
				t.Fatal(err)
			}
			p.post(t, p.second, "approve", http.StatusSeeOther)
			p.wantSigned(t, review.Pending, p.second.Account.ID, "")
			p.settle(t)
			if status, _ := p.status(t, p.id); status != interaction.Waiting {
				t.Errorf("it is %s", status)
			}
			third := p.SignedIn(t, account.Supervisor)
			p.post(t, third, "approve", http.StatusSeeOther)
			p.wantSigned(t, review.Held, p.second.Account.ID, third.Account.ID)
		})
	}
}

// The second loses the role with the page open: their request is refused, although their session began before.
func TestASecondWhoLostTheRoleIsRefused(t *testing.T) {
	p := openPair(t)
	p.post(t, p.supervisor, "approve", http.StatusSeeOther)
	if _, err := p.Accounts.SetRoles(t.Context(), p.second.Account.ID, []account.Role{account.Manager},
		audit.System("test"), ""); err != nil {
		t.Fatal(err)
	}
	p.post(t, p.second, "approve", http.StatusForbidden)
	p.wantSigned(t, review.Pending, p.supervisor.Account.ID, "")
	// Past the routes, in the transaction itself: the request's roles were read before it.
	in := review.Input{ID: p.id, By: review.Person{ID: p.second.Account.ID, Name: p.second.Account.Name},
		Kind: review.Approve, Version: 2, TextHash: p.draft.GuidanceHash}
	if _, err := p.Reviews.Decide(t.Context(), in); err == nil {
		t.Error("the domain takes a signature of somebody without the role")
	}
}

// A signer who is disabled during the hold takes the release with them.
func TestASignerWhoIsDisabledDuringTheHold(t *testing.T) {
	p := openPair(t)
	p.post(t, p.supervisor, "approve", http.StatusSeeOther)
	p.post(t, p.second, "approve", http.StatusSeeOther)
	if _, err := p.Accounts.Disable(t.Context(), p.second.Account.ID, audit.System("test")); err != nil {
		t.Fatal(err)
	}
	p.settle(t)
	p.wantSigned(t, review.Undone, p.supervisor.Account.ID, p.second.Account.ID)
	if status, text := p.status(t, p.id); status != interaction.Waiting || text != "" {
		t.Errorf("it is %s with %q", status, text)
	}
	p.wantAudit(t, "guidance.released", 0)
}

// A learned lesson names the author of a text, also when the second supervisor completed it.
func TestALessonOfTwoSignaturesIsItsAuthors(t *testing.T) {
	p := openPair(t)
	p.post(t, p.supervisor, "revise", http.StatusSeeOther, "text", p.draft.Guidance+" We can explain each step.",
		"reason", "It ends abruptly.", "feedback",
		"When options are explained, offer to go through each step, because people lose the thread.")
	if list, err := p.Learning.ForInteraction(t.Context(), p.id); err != nil || len(list) != 0 {
		t.Errorf("learned from one signature: %+v, %v", list, err)
	}
	p.post(t, p.second, "approve", http.StatusSeeOther)
	list, err := p.Learning.ForInteraction(t.Context(), p.id)
	if err != nil || len(list) != 1 || list[0].By != p.supervisor.Account.Name {
		t.Errorf("lessons %+v, %v", list, err)
	}
}
