package review_test

import (
	"testing"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/review"
)

// inTalk is a draft for the n-th message of a conversation.
func inTalk(thread string, n int) change {
	return func(s *interaction.Submission) {
		s.Consultation.Thread = thread
		for range n - 1 {
			s.Consultation.Messages = append(s.Consultation.Messages,
				interaction.Message{Role: pack.FromCustomer, Text: "Earlier"},
				interaction.Message{Role: pack.FromAgent, Text: "Answer"})
		}
		s.Consultation.Messages = append(s.Consultation.Messages,
			interaction.Message{Role: pack.FromCustomer, Text: s.Consultation.Question})
	}
}

func TestDraftsOfAConversationAreUnderOneClaim(t *testing.T) {
	k := open(t)
	first, other := k.submit(t, inTalk("talk-1", 1)), k.submit(t, inTalk("talk-2", 1))
	second := k.submit(t, inTalk("talk-1", 2))
	foreign := k.submit(t, agent("b"), inTalk("talk-1", 2))
	if err := k.Claim(ctx, first, ann); err != nil {
		t.Fatal(err)
	}
	third := k.submit(t, inTalk("talk-1", 3)) // the customer writes again while Ann reads
	for id, want := range map[string]review.Person{first: ann, second: ann, third: ann, other: {}, foreign: {}} {
		if got := k.get(t, id).Claim.By; got != want {
			t.Errorf("%s is %q's, want %q's", id, got.Name, want.Name)
		}
	}
	wantConflict(t, k.Claim(ctx, third, bob), "Ann is reviewing this")
	k.clock.Advance(9 * time.Minute)
	if err := k.Renew(ctx, first, ann); err != nil {
		t.Fatal(err)
	}
	k.clock.Advance(9 * time.Minute)
	wantConflict(t, k.Claim(ctx, second, bob), "Ann")
	k.decide(t, first, ann, review.Approve)
	wantConflict(t, k.Claim(ctx, second, bob), "Ann")
	if err := k.Unclaim(ctx, third, ann); err != nil {
		t.Fatal(err)
	}
	k.decide(t, other, bob, review.Approve)
	id, ok, err := k.ClaimNext(ctx, bob, review.Filter{})
	if err != nil || id != second {
		t.Fatalf("%q %v %v", id, ok, err)
	}
	wantConflict(t, k.Claim(ctx, second, ann), "Bob")
}

func TestAConversationOnTheDesk(t *testing.T) {
	k := open(t)
	first := k.submit(t, inTalk("talk-1", 1))
	k.decide(t, first, ann, review.Approve)
	k.clock.Advance(time.Hour)
	k.drain(t)
	second, third := k.submit(t, inTalk("talk-1", 2)), k.submit(t, inTalk("talk-1", 4))
	list, err := k.Thread(ctx, &k.get(t, second).Row)
	if err != nil || len(list) != 2 || list[0].ID != third || list[1].ID != first {
		t.Fatalf("%+v %v", list, err)
	}
	if told := list[1]; told.Sent == "" || told.Kind != review.Approve || told.By != "Ann" || told.Turn != 1 {
		t.Errorf("%+v", told)
	}
	if row := k.get(t, second).Row; row.LastTurn(list) != 4 {
		t.Error("the customer wrote again, and nobody is told")
	}
	in := k.input(t, second, ann, review.Approve)
	in.Turn = 2 // what the screen told of
	_, err = k.Decide(ctx, in)
	wantConflict(t, err, "The customer wrote again since you opened this")
	page, err := k.List(ctx, review.Filter{})
	if err != nil || len(page.Items) != 2 {
		t.Fatalf("%+v %v", page.Items, err)
	}
	for _, r := range page.Items {
		if want := map[string]int{second: 2, third: 4}[r.ID]; r.Turn != want || r.Overtaken != (r.ID == second) {
			t.Errorf("%s: turn %d, overtaken %v", r.ID, r.Turn, r.Overtaken)
		}
	}
}

func TestSkippingADraftKeepsTheOthersOfItsConversation(t *testing.T) {
	k := open(t)
	first, second, third := k.submit(t, inTalk("talk", 1)), k.submit(t, inTalk("talk", 2)), k.submit(t, inTalk("talk", 3))
	if err := k.Claim(ctx, first, ann); err != nil {
		t.Fatal(err)
	}
	if err := k.Skip(ctx, second, ann, k.get(t, second).Version, "Not mine."); err != nil {
		t.Fatal(err)
	}
	if err := k.Renew(ctx, first, ann); err != nil {
		t.Fatal(err)
	}
	if err := k.Claim(ctx, third, ann); err != nil { // a sibling, in another tab
		t.Fatal(err)
	}
	for id, want := range map[string]string{first: "ann", second: "", third: "ann"} {
		if got := k.get(t, id).Claim.By.ID; got != want {
			t.Errorf("%s is %q's, want %q's", id, got, want)
		}
	}
	if err := k.Claim(ctx, second, bob); err != nil {
		t.Errorf("what Ann skipped: %v", err)
	}
	k.assign(t, third, "bob") // handing over one of them keeps the others too
	if got := k.get(t, first).Claim.By.ID; got != "ann" {
		t.Errorf("the draft that is open is %q's", got)
	}
}

func TestAClaimTakesNothingThatIsReserved(t *testing.T) {
	k := open(t)
	k.TeamsOf = func(_ *db.Tx, who string) ([]string, error) {
		return map[string][]string{"ann": {review.TeamKey("db")}}[who], nil
	}
	free, bobs, teams := k.submit(t, inTalk("talk", 1)), k.submit(t, inTalk("talk", 2)), k.submit(t, inTalk("talk", 3))
	lapsed := k.submit(t, inTalk("talk", 4))
	k.assign(t, bobs, "bob")
	k.assign(t, teams, review.TeamKey("db"))
	if err := k.Claim(ctx, free, ann); err != nil {
		t.Fatal(err)
	}
	k.exec(t, `UPDATE review SET claimed_by = 'cy', claimed_name = 'Cy', claimed_until = 1 WHERE id = $1`, lapsed)
	if err := k.Renew(ctx, free, ann); err != nil { // takes nothing from whoever types
		t.Fatal(err)
	}
	k.submit(t, inTalk("talk", 5))
	for id, want := range map[string]string{free: "ann", bobs: "", teams: "ann", lapsed: "cy"} {
		if got := k.get(t, id).Claim.By.ID; got != want {
			t.Errorf("%s is %q's, want %q's", id, got, want)
		}
	}
	k.clock.Advance(49 * time.Hour) // the reservation is over
	if err := k.Claim(ctx, free, ann); err != nil {
		t.Fatal(err)
	}
	if got := k.get(t, bobs).Claim.By.ID; got != "ann" {
		t.Errorf("what is reserved no longer is %q's", got)
	}
}

// An erasure takes the agent's id of the conversation, which may name the customer; that two drafts were of one stays.
func TestAnErasureLeavesAConversationTogether(t *testing.T) {
	k := open(t)
	first, second := k.submit(t, inTalk("jo@example.com", 1)), k.submit(t, inTalk("jo@example.com", 2))
	alone, foreign := k.submit(t, inTalk("", 1)), k.submit(t, agent("b"), inTalk("jo@example.com", 1))
	tie := func(id string) (thread, talk string) {
		t.Helper()
		err := k.db.Read(ctx, func(tx *db.Tx) error {
			return db.One(tx, "test", `SELECT thread, talk FROM review WHERE id = $1`, id).Scan(&thread, &talk)
		})
		if err != nil {
			t.Fatal(err)
		}
		return thread, talk
	}
	for _, id := range []string{second, first} {
		if err := k.db.Write(ctx, func(tx *db.Tx) error { _, err := k.EraseTx(tx, id); return err }); err != nil {
			t.Fatal(err)
		}
		if id == second { // the first is still there, and so a third joins it
			third := k.submit(t, inTalk("jo@example.com", 3))
			if _, talk := tie(third); talk != first {
				t.Errorf("the third is of %q", talk)
			}
			if err := k.db.Write(ctx, func(tx *db.Tx) error { _, err := k.EraseTx(tx, third); return err }); err != nil {
				t.Fatal(err)
			}
		}
	}
	for id, want := range map[string]string{first: first, second: first, alone: "", foreign: foreign} {
		if thread, talk := tie(id); talk != want || id == first && thread != "" {
			t.Errorf("%s: thread %q, of conversation %q, want %q", id, thread, talk, want)
		}
	}
}
