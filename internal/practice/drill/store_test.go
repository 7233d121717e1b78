package drill

import (
	"context"
	"slices"
	"testing"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
)

var ctx = context.Background()

func quiet(string, interaction.Consultation) []string { return nil }

func begin(t *testing.T, s *Store, who string) *Round {
	t.Helper()
	id, err := s.Begin(ctx, who, pack.GeneralName)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Round(ctx, who, id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func approve(t *testing.T, s *Store, r *Round, n int) error {
	t.Helper()
	return s.Answer(ctx, "sam", r.ID, n, review.Input{By: review.Person{ID: "sam"}, Kind: review.Approve})
}

func TestRoundGoesOnAnotherDay(t *testing.T) {
	clock := dbtest.NewClock()
	s := New(dbtest.NewAt(t, clock), quiet)
	r := begin(t, s, "sam")
	if r.Done() || r.Next(0) != 1 || r.Last() != nil || len(r.Answers) != len(Cases(pack.GeneralName)) {
		t.Fatalf("a new round: %+v", r)
	}
	for _, n := range []int{1, 3} {
		clock.Advance(time.Second)
		if err := approve(t, s, r, n); err != nil {
			t.Fatal(err)
		}
	}
	clock.Advance(24 * time.Hour)
	again := begin(t, s, "sam")
	if again.ID != r.ID || again.Answered() != 2 || again.Next(0) != 2 || again.Next(2) != 4 ||
		again.Next(len(again.Answers)) != 2 || again.Last().N != 3 {
		t.Errorf("the next day: round %s, %d answered, last %d", again.ID, again.Answered(), again.Last().N)
	}
	if err := approve(t, s, r, 3); !fault.Is(err, fault.Conflict) {
		t.Errorf("answered twice: %v", err)
	}
	if err := s.Undo(ctx, "sam", r.ID, 3); err != nil {
		t.Fatal(err)
	}
	if r, _ = s.Round(ctx, "sam", r.ID); r.Answered() != 1 || r.Answers[2].Outcome != "" {
		t.Errorf("after undoing: %+v", r.Answers[2])
	}
}

func TestDoneAndAnotherOrder(t *testing.T) {
	s := New(dbtest.New(t), quiet)
	r := begin(t, s, "sam")
	for n := r.Next(0); n > 0; n = r.Next(n) {
		if err := approve(t, s, r, n); err != nil {
			t.Fatal(err)
		}
		r, _ = s.Round(ctx, "sam", r.ID)
	}
	if !r.Done() || r.Count(Missed)+r.Count(Passed) != len(r.Answers) || r.Count(Missed) == 0 || r.Count(Passed) == 0 {
		t.Errorf("all approved: %d missed, %d passed", r.Count(Missed), r.Count(Passed))
	}
	if err := s.Undo(ctx, "sam", r.ID, 1); !fault.Is(err, fault.Conflict) {
		t.Errorf("undone after the end: %v", err)
	}
	orders := map[string]bool{}
	for range 5 {
		next := begin(t, s, "sam")
		if next.ID == r.ID {
			t.Fatal("a round that is done went on")
		}
		order := ""
		for _, a := range next.Answers {
			order += a.Case.ID
		}
		orders[order] = true
		if err := s.Delete(ctx, "sam", next.ID); err != nil {
			t.Fatal(err)
		}
	}
	if len(orders) < 2 {
		t.Error("five rounds came in one order")
	}
	if list, err := s.Rounds(ctx, "sam"); err != nil || len(list) != 1 {
		t.Errorf("%d rounds are left: %v", len(list), err)
	}
}

func TestNobodyElseSees(t *testing.T) {
	s := New(dbtest.New(t), quiet)
	r := begin(t, s, "sam")
	if _, err := s.Round(ctx, "morag", r.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("somebody else reads it: %v", err)
	}
	if list, err := s.Rounds(ctx, "morag"); err != nil || len(list) > 0 {
		t.Errorf("somebody else lists it: %v %v", list, err)
	}
	for what, err := range map[string]error{
		"answers": s.Answer(ctx, "morag", r.ID, 1, review.Input{By: review.Person{ID: "morag"}, Kind: review.Approve}),
		"undoes":  s.Undo(ctx, "morag", r.ID, 1)} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("somebody else %s it: %v", what, err)
		}
	}
	if err := s.Delete(ctx, "morag", r.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Round(ctx, "sam", r.ID); err != nil {
		t.Errorf("somebody else deleted it: %v", err)
	}
}

func TestAnswersAreHeldToTheDeskRules(t *testing.T) {
	s := New(dbtest.New(t), quiet)
	r := begin(t, s, "sam")
	draft := r.Answers[0].Case.Draft
	for field, in := range map[string]review.Input{
		"reason_code": {Kind: review.Reject}, "reason": {Kind: review.Return},
		"text": {Kind: review.Revise, Text: draft, Reason: "Wrong."}, "kind": {Kind: "sampled"},
	} {
		in.By = review.Person{ID: "sam"}
		err := s.Answer(ctx, "sam", r.ID, 1, in)
		if !slices.ContainsFunc(fault.Fields(err), func(f fault.Field) bool { return f.Name == field }) {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func TestPrune(t *testing.T) {
	clock := dbtest.NewClock()
	s := New(dbtest.NewAt(t, clock), quiet)
	old := begin(t, s, "sam")
	clock.Advance(Keep - time.Hour)
	if err := approve(t, s, old, 1); err != nil {
		t.Fatal(err)
	}
	begin(t, s, "morag")
	clock.Advance(2 * time.Hour)
	if err := s.Prune(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Round(ctx, "sam", old.ID); err != nil {
		t.Errorf("answered lately, and gone: %v", err)
	}
	clock.Advance(Keep)
	if err := s.Prune(ctx); err != nil {
		t.Fatal(err)
	}
	for _, who := range []string{"sam", "morag"} {
		if list, _ := s.Rounds(ctx, who); len(list) > 0 {
			t.Errorf("%s's rounds are kept for good", who)
		}
	}
}
