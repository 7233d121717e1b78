package app_test

import (
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/erase"
	"preceptor/internal/evidence"
	"preceptor/internal/feedback"
	"preceptor/internal/interaction"
	"preceptor/internal/review"
)

// The pack of guidance that people worked on holds the whole story, and verifies; once its texts are erased, a new one
// says so and has none of them.
func TestTheEvidenceOfOnePieceOfGuidance(t *testing.T) {
	s := openSpine(t)
	id := s.plant(t, planted["name"], customerRef, "k1")
	s.worked(t, id)
	boss := s.SignedIn(t, account.Manager, account.Supervisor)

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
	for _, part := range []string{"question", "goal", "free", "guidance", "reasoning", "steps", "metadata", "revised",
		"reason", "comment", "skip"} {
		if !strings.Contains(page, planted[part]) {
			t.Errorf("the %s is missing", part)
		}
	}
	if strings.Contains(r.Body, planted["draft"]) {
		t.Error("what somebody typed and did not send is in the pack")
	}
	for _, words := range []string{"What happened, in order", "a transfer gives that up for good", "<ins>", "Confirmed",
		"What the customer got", s.supervisor.Account.ID} {
		if !strings.Contains(page, words) {
			t.Errorf("the page does not say %q", words)
		}
	}

	if rec, err := s.Erase.Erase(t.Context(),
		erase.Request{How: interaction.ByReference, Subject: customerRef, Why: "Request 12",
			By: audit.System("test")}); err != nil || rec.State != erase.Done {
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

// The Consumer Duty pack sets vulnerable customers beside the others, says what was stopped and who looked, and draws
// from what was decided; its figures are those of what was put in.
func TestTheConsumerDutyPackOfAPeriod(t *testing.T) {
	s := openSpine(t)
	submit := func(key, vulnerable, guidance string) string {
		r := s.agent.Do(t, http.MethodPost, "/api/guidance", "application/json",
			`{"agent":"pension-advisor","consultation":{"question":"May I take a quarter of it?",
			"customer":{"age":58,"goal":"A holiday"`+vulnerable+`}},"guidance":"`+guidance+`"}`, "Idempotency-Key", key)
		if r.Status >= 300 {
			t.Fatalf("submit: %d %s", r.Status, r.Body)
		}
		return s.id(t, r)
	}
	const fine = "Usually a quarter can be taken free of tax. Pension Wise is a free and impartial service that can " +
		"talk it over with you."
	ids := []string{submit("a", `,"vulnerable":true`, fine), submit("b", ``, fine),
		submit("c", `,"spouse":{"vulnerable":true}`, fine)}
	other := s.SignedIn(t, account.Supervisor)
	for _, id := range ids {
		for n, by := range []account.Account{s.supervisor.Account, other.Account} {
			item, err := s.Reviews.Get(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			if n == 1 && item.Base == nil {
				continue // one signature suffices
			}
			if _, err := s.Reviews.Decide(t.Context(),
				review.Input{ID: id, Kind: review.Approve, By: review.Person{ID: by.ID, Name: by.Name},
					Version:  item.Version,
					TextHash: interaction.TextHash(item.Text)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.Clock.Advance(time.Minute)
	s.Drain(t)
	for i, id := range ids {
		yes := i > 0
		if _, err := s.Feedback.AddOutcome(t.Context(),
			feedback.Outcome{SubjectID: id, Satisfaction: float64(4 + 3*i), Comprehension: 8, GoalAlignment: 7,
				GoalsMet: &yes,
				Issues:   []string{"too long"}, By: "u", Channel: feedback.ChannelDesk}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Feedback.Vote(t.Context(),
			feedback.Vote{SubjectID: id, UserID: "u" + id, Kind: feedback.Thumbs, Value: float64(min(i, 1)*2 - 1),
				Channel: feedback.ChannelLink}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Feedback.Log(t.Context(), feedback.Observation{AgentID: "shop", AgentName: "shop",
		AgentType: "shop-chat", UserID: "u", Query: "May I?", Response: "You may."}); err != nil {
		t.Fatal(err)
	}
	submit("waits", ``, fine)
	s.Clock.Advance(25 * time.Hour)
	submit("waits, too", ``, fine)
	boss := s.SignedIn(t, account.Manager)
	agents, err := s.Accounts.Agents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range agents {
		if g.Name == "pension-advisor" {
			if _, err := s.Accounts.RenameAgent(t.Context(), g.ID, "annuity-desk", boss.Account.Actor(), ""); err != nil {
				t.Fatal(err)
			}
		}
	}
	r := boss.Post(t, "/stats/packs", url.Values{"from": {"2026-11-01"}, "to": {"2026-11-30"}})
	rep, err := evidence.Verify([]byte(r.Body), nil)
	if r.Status != http.StatusOK || err != nil || rep.Bad != nil {
		t.Fatalf("%d %v %+v %s", r.Status, err, rep.Bad, r.Body[:min(300, len(r.Body))])
	}
	for _, words := range []string{
		"1 piece of guidance for customers of whom the agent said that they are vulnerable, and 2 for others",
		`<tr><td>Satisfaction, of 10</td><td class="n">4.0</td><td class="n"></td><td class="n">1</td><td class="n">8.5</td>`,
		`<tr><td>Goals met</td><td class="n">0.0%</td>`, `<td class="n">2 of 2</td></tr>`,
		`<td dir="auto">Satisfied, of all votes</td><td class="n">66.7%</td>`,
		`<td dir="auto">Drafts for review that a person decided before release</td><td class="n">100.0%</td>`,
		`<td dir="auto">Waiting when this was made</td><td class="n">2</td>`,
		`<td dir="auto">Of those, past the target</td><td class="n">1</td>`, "Seeded checks that were caught",
		"All agents of this server are counted: annuity-desk, shop-chat.", "The oldest draft that waited when this was made arrived on 2 November 2026.",
		`<td dir="auto">Recalled after delivery</td><td class="n">0.0%</td>`,
		"Outcomes that name an issue: 100.0%, 3 of 3", "3 of 3 pieces of guidance", ids[0], ids[1], ids[2],
	} {
		if !strings.Contains(r.Body, words) {
			t.Errorf("it does not say %q", words)
		}
	}
	if strings.Contains(r.Body, "could not be read") {
		t.Error("figures are missing")
	}
	for _, hidden := range []string{s.supervisor.Account.Name, s.supervisor.Account.ID, "Usually a quarter",
		"oo long", "pension-advisor"} {
		if strings.Contains(r.Body[:strings.Index(r.Body, `id="preceptor-proof"`)], hidden) {
			t.Errorf("it names %q", hidden)
		}
	}
	if dir := os.Getenv("PACKS_OUT"); dir != "" {
		e := boss.Post(t, "/interactions/"+ids[0]+"/evidence", nil)
		os.WriteFile(dir+"/duty.html", []byte(r.Body), 0o600)
		os.WriteFile(dir+"/evidence.html", []byte(e.Body), 0o600)
	}
}

// What our own advisor was shown stands in the pack, at its versions and as it was, and is made again byte for byte.
func TestTheEvidenceOfADraftOfOurOwn(t *testing.T) {
	s := openSpine(t)
	in := s.advise(t, "Could I take a quarter of it?", 90_000)
	used, err := s.Knowledge.Prompt(t.Context(), in.ID)
	if err != nil || len(used.Items) == 0 {
		t.Fatalf("it was shown nothing: %+v, %v", used, err)
	}
	boss := s.SignedIn(t, account.Manager, account.Supervisor) // a draft that nobody decided is for supervisors to read
	r := boss.Post(t, "/interactions/"+in.ID+"/evidence", nil)
	rep, err := evidence.Verify([]byte(r.Body), nil)
	if err != nil || rep.Bad != nil || rep.Texts != 2 {
		t.Fatalf("%v, %+v, %d texts", err, rep.Bad, rep.Texts)
	}
	for _, words := range []string{"made again byte for byte", used.BlockHash, used.Items[0].ID, in.Drafter,
		"Nobody has decided"} {
		if !strings.Contains(r.Body, words) {
			t.Errorf("it does not say %q", words)
		}
	}
	if strings.Contains(r.Body, "NOT what was sent") {
		t.Error("something is not what was sent")
	}
}
