package review_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/review"
)

func asks(question string) change {
	return func(s *interaction.Submission) { s.Consultation.Question = question }
}

func (k *desk) similar(t testing.TB, id string, n int) []review.Similar {
	t.Helper()
	list, err := k.Similar(ctx, id, n)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestSimilarDecisionsAreTheNearestOfTheSameTask(t *testing.T) {
	k := open(t)
	mortgage := k.submit(t, asks("Can I use the tax free part to pay off my mortgage?"))
	divorce := k.submit(t, asks("My divorce is under way; does my husband get part of the pot?"))
	elsewhere := k.submit(t, asks("Can I pay off my mortgage?"), task("drawdown"))
	waiting := k.submit(t, asks("Could the mortgage be paid with it?"))
	for _, id := range []string{mortgage, elsewhere} {
		k.decide(t, id, ann, review.Approve)
	}
	dec := k.decide(t, divorce, bob, review.Reject)
	id := k.submit(t, asks("I want to clear my mortgage with the tax free cash."))
	list := k.similar(t, id, 3)
	if len(list) != 1 || list[0].Decision.InteractionID != mortgage || list[0].Decision.Kind != review.Approve {
		t.Fatalf("%+v, want the one about a mortgage, and neither %s, which waits, nor %s, of another task", list,
			waiting, elsewhere)
	}
	if why := strings.Join(list[0].Why, "; "); !strings.Contains(why, "mortgage") {
		t.Errorf("why = %s", why)
	}
	other := k.submit(t, asks("What becomes of the pot at a divorce?"), vulnerable)
	if list := k.similar(t, other, 3); len(list) != 1 || list[0].Decision.ID != dec.ID ||
		list[0].Decision.ReasonCode != "wrong_facts" {
		t.Errorf("%+v", list)
	}
	if list := k.similar(t, mortgage, 3); slices.ContainsFunc(list, func(s review.Similar) bool {
		return s.Decision.InteractionID == mortgage
	}) {
		t.Error("a case is similar to itself")
	}
}

// The page shows the drafts of a conversation above; they take no place among similar decisions.
func TestDraftsOfOneConversationAreNotSimilarDecisions(t *testing.T) {
	k := open(t)
	mortgage := asks("Can I use the tax free part to pay off my mortgage?")
	before, foreign := k.submit(t, mortgage, inTalk("talk-1", 1)), k.submit(t, mortgage, agent("b"), inTalk("talk-1", 1))
	k.decide(t, before, ann, review.Approve)
	k.decide(t, foreign, ann, review.Approve)
	list := k.similar(t, k.submit(t, mortgage, inTalk("talk-1", 2)), 3)
	if len(list) != 1 || list[0].Decision.InteractionID != foreign {
		t.Errorf("%+v", list)
	}
}

// What closed without a decision of a person is no precedent, and hides none.
func TestWhatNobodyDecidedIsNoPrecedent(t *testing.T) {
	k := open(t)
	k.ending()
	end := handled(interaction.Handling{ExpiresAt: k.clock.Now().Add(time.Minute)})
	decided, withdrawn, _, erased := k.submit(t), k.submit(t), k.submit(t, end), k.submit(t)
	k.decide(t, decided, ann, review.Approve)
	if err := k.Withdraw(ctx, withdrawn, robot.ID, "Solved.", robot); err != nil {
		t.Fatal(err)
	}
	k.clock.Advance(time.Minute)
	if err := k.Expire(ctx); err != nil {
		t.Fatal(err)
	}
	if err := k.db.Write(ctx, func(tx *db.Tx) error { _, err := k.EraseTx(tx, erased); return err }); err != nil {
		t.Fatal(err)
	}
	if list := k.similar(t, k.submit(t), 3); len(list) != 1 || list[0].Decision.InteractionID != decided {
		t.Errorf("%+v, want the one that was decided", list)
	}
}

// What was erased has nothing to compare but its flags and the words that stand in place of its texts.
func TestErasedReviewsAreNotCompared(t *testing.T) {
	k := open(t)
	decided, gone, too := k.submit(t), k.submit(t), k.submit(t)
	for _, id := range []string{decided, gone, too} {
		k.decide(t, id, ann, review.Return)
	}
	k.clock.Advance(time.Hour)
	k.drain(t)
	if err := k.db.Write(ctx, func(tx *db.Tx) error {
		for _, id := range []string{gone, too} {
			if _, err := k.EraseTx(tx, id); err != nil {
				return err
			}
			if _, err := k.in.EraseTx(tx, id, robot); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if list := k.similar(t, gone, 3); len(list) != 0 {
		t.Errorf("an erased review is compared with %+v", list)
	}
	if list := k.similar(t, k.submit(t), 3); len(list) != 1 || list[0].Decision.InteractionID != decided {
		t.Errorf("%+v, want the one that still has its texts", list)
	}
}

// A question that says little alone is compared with what it refers to, on both sides.
func TestSimilarDecisionsOfAConversation(t *testing.T) {
	k := open(t)
	after := func(before, question string) change {
		return func(s *interaction.Submission) {
			s.Consultation.Question = question
			s.Consultation.Messages = []interaction.Message{{Role: "user", Text: before},
				{Role: "assistant", Text: "Shall I explain?"}, {Role: "user", Text: question}}
		}
	}
	mortgage := k.submit(t, after("Can I pay off my mortgage with it?", "Yes, please do."))
	divorce := k.submit(t, after("Does my husband get part of it at a divorce?", "Yes, please do."))
	plain := k.submit(t, asks("Is my house counted at a divorce from my husband?"))
	for _, id := range []string{mortgage, divorce, plain} {
		k.decide(t, id, ann, review.Approve)
	}
	first := func(id string) string {
		if list := k.similar(t, id, 1); len(list) == 1 {
			return list[0].Decision.InteractionID
		}
		return ""
	}
	if got := first(k.submit(t, after("What about the mortgage then?", "Do that."))); got != mortgage {
		t.Errorf("of the mortgage: %s", got)
	}
	if got := first(k.submit(t, after("And my husband, after the divorce?", "Go on."))); got != divorce && got != plain {
		t.Errorf("of the divorce: %s", got)
	}
	// A question of many words stands alone, whatever was said before.
	if got := first(k.submit(t, after("Can I pay off my mortgage?",
		"Does my former husband keep half of my house counted at our divorce?"))); got != plain {
		t.Errorf("another subject: %s", got)
	}
}

func TestWhatACaseSharesCountsBesideItsWords(t *testing.T) {
	k := open(t)
	plain := k.submit(t, asks("How much is tax free?"))
	db := k.submit(t, asks("How much is tax free?"), hasDB, vulnerable)
	k.decide(t, plain, ann, review.Approve)
	k.decideTwice(t, db, ann, bob, review.Approve)
	k.drain(t)
	list := k.similar(t, k.submit(t, asks("How much is tax free?"), hasDB, vulnerable), 1)
	if len(list) != 1 || list[0].Decision.InteractionID != db || !slices.Contains(list[0].Why, "DB pension too") ||
		!slices.Contains(list[0].Why, "vulnerable too") {
		t.Errorf("%+v", list)
	}
}

func TestSimilarReadsAFixedNumberOfRows(t *testing.T) {
	dbtest.FilesOnly(t, "it looks at SQLite's plan")
	k := open(t)
	for i := range 5 {
		k.decide(t, k.submit(t, asks(fmt.Sprintf("Question %d about mortgages", i))), ann, review.Approve)
	}
	id := k.submit(t, asks("mortgages"))
	if list := k.similar(t, id, 3); len(list) != 3 {
		t.Errorf("%d, want 3", len(list))
	}
	plan := k.plan(t, `SELECT decision_id, who, refers, opening, flags FROM review
		WHERE state = 'decided' AND task = $1 AND id <> $2 AND planted = 0 AND decision_id <> ''
			AND (thread = '' OR thread <> $3 OR agent_id <> $4)
			ORDER BY decided_at DESC, id DESC
			LIMIT $5`, []any{"t", "i", "c", "a", 200})
	if !strings.Contains(plan, "review_decided_task") || strings.Contains(plan, "TEMP B-TREE") {
		t.Error(plan)
	}
	if _, err := k.Similar(ctx, "nope", 3); err == nil {
		t.Error("a case that is not there has similar ones")
	}
}
