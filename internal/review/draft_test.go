package review_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
)

func (k *desk) drafts(t testing.TB, id string, by review.Person) []review.Draft {
	t.Helper()
	list, err := k.Drafts(ctx, id, by)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func (k *desk) save(t testing.TB, by review.Person, d review.Draft) {
	t.Helper()
	if _, err := k.SaveDraft(ctx, by, d); err != nil {
		t.Fatalf("save: %v", err)
	}
}

func TestWhatIsTypedIsKeptPerPersonCaseVersionAndForm(t *testing.T) {
	k := open(t)
	id, other := k.submit(t), k.submit(t)
	k.save(t, ann, review.Draft{CaseID: id, Version: 1, Mode: review.Revise, Text: "One.\r\nTwo.", Reason: "why",
		Feedback: "next time"})
	k.clock.Advance(time.Second)
	k.save(t, ann, review.Draft{CaseID: id, Version: 1, Mode: review.Reject, ReasonCode: "wrong_facts"})
	k.save(t, bob, review.Draft{CaseID: id, Version: 1, Mode: "skip", Reason: "I know her."})
	k.save(t, ann, review.Draft{CaseID: other, Version: 1, Mode: "skip", Reason: "another"})
	list := k.drafts(t, id, ann)
	if len(list) != 2 || list[0].Mode != review.Reject || list[0].ReasonCode != "wrong_facts" ||
		list[1].Text != "One.\nTwo." || list[1].Reason != "why" || list[1].Feedback != "next time" {
		t.Fatalf("%+v", list)
	}
	if list[1].SavedAt.IsZero() || !list[0].SavedAt.After(list[1].SavedAt) {
		t.Errorf("saved at %v and %v", list[0].SavedAt, list[1].SavedAt)
	}

	k.save(t, ann, review.Draft{CaseID: id, Version: 1, Mode: review.Revise, Text: "Three."})
	if list = k.drafts(t, id, ann); len(list) != 2 || list[0].Text != "Three." && list[1].Text != "Three." {
		t.Errorf("saving again gives %+v", list)
	}
	if err := k.DropDraft(ctx, id, ann, 1, review.Revise); err != nil || len(k.drafts(t, id, ann)) != 1 {
		t.Errorf("dropped: %v, %+v", err, k.drafts(t, id, ann))
	}
}

func TestNothingTypedIsNothingKept(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	in, err := k.in.Get(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	k.save(t, ann, review.Draft{CaseID: id, Version: 1, Mode: review.Revise, Text: "typed"})
	// back to the draft
	k.save(t, ann, review.Draft{CaseID: id, Version: 1, Mode: review.Revise, Text: in.Guidance, Reason: "  "})
	if list := k.drafts(t, id, ann); len(list) != 0 {
		t.Errorf("%+v", list)
	}
}

func TestADecisionTakesWhatItsAuthorTypedAndNobodyElses(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	k.save(t, ann, review.Draft{CaseID: id, Version: 1, Mode: review.Revise, Text: "typed by Ann"})
	k.save(t, bob, review.Draft{CaseID: id, Version: 1, Mode: review.Revise, Text: "typed by Bob"})
	dec := k.decide(t, id, ann, review.Approve)
	if list := k.drafts(t, id, ann); len(list) != 0 {
		t.Errorf("Ann's are still there: %+v", list)
	}
	if list := k.drafts(t, id, bob); len(list) != 1 {
		t.Errorf("Bob lost what he typed: %+v", list)
	}
	// What was typed in a form of another kind is in no decision.
	k.save(t, ann, review.Draft{CaseID: id, Version: dec.Version, Mode: review.Revise, Text: "typed in another tab"})
	if _, err := undo(k, dec.ID, ann); err != nil {
		t.Fatal(err)
	}
	if list := k.drafts(t, id, ann); len(list) != 1 || list[0].Text != "typed in another tab" {
		t.Errorf("undone, and what Ann typed is gone: %+v", list)
	}
	k.clock.Advance(time.Second)
	dec = k.decide(t, id, ann, review.Reject)
	_, err := k.SaveDraft(ctx, ann, review.Draft{CaseID: id, Version: dec.Version, Mode: review.Reject,
		Reason: "a request that came late"})
	wantConflict(t, err, "already decided this")
	k.save(t, bob, review.Draft{CaseID: id, Version: 1, Mode: review.Revise, Text: "typed by Bob, and on"})
	// The same from a second tab, and for a colleague.
	wantConflict(t, k.Claim(ctx, id, ann), "You, in another tab, already decided this")
	wantConflict(t, k.Claim(ctx, id, bob), ann.Name+" already decided this")
}

func TestADraftOfAnOlderTextStaysBesideTheNewOne(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	k.save(t, bob, review.Draft{CaseID: id, Version: 1, Mode: review.Revise, Text: "for the first text"})
	dec := k.decide(t, id, ann, review.Approve)
	if _, err := undo(k, dec.ID, ann); err != nil {
		t.Fatal(err)
	}
	k.clock.Advance(time.Second)
	now := k.get(t, id).Version
	k.save(t, bob, review.Draft{CaseID: id, Version: now, Mode: review.Revise, Text: "for the text as it is now"})
	list := k.drafts(t, id, bob)
	if len(list) != 2 || list[0].Version != now || list[1].Version != 1 || list[1].Text != "for the first text" {
		t.Errorf("%+v", list)
	}
}

func TestDraftsThatCantBeKept(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	for name, c := range map[string]struct {
		by   review.Person
		d    review.Draft
		kind fault.Kind
	}{
		"no such form": {ann, review.Draft{CaseID: id, Version: 1, Mode: "approve", Text: "x"}, fault.Invalid},
		"too long": {ann, review.Draft{CaseID: id, Version: 1, Mode: review.Revise,
			Text: strings.Repeat("x", 2*interaction.MaxGuidance+1)}, fault.Invalid},
		"no such case": {ann, review.Draft{CaseID: "nope", Version: 1, Mode: review.Revise, Text: "x"},
			fault.NotFound},
		"nobody's": {review.Person{}, review.Draft{CaseID: id, Version: 1, Mode: review.Revise, Text: "x"},
			fault.Unsigned},
		"invalid UTF-8": {ann, review.Draft{CaseID: id, Version: 1, Mode: review.Revise, Text: "x\xff"}, 0},
	} {
		if _, err := k.SaveDraft(ctx, c.by, c.d); err != nil != (c.kind != 0) ||
			(err != nil && !fault.Is(err, c.kind)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOldDraftsAreForgotten(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	k.save(t, ann, review.Draft{CaseID: id, Version: 1, Mode: "skip", Reason: "old"})
	k.clock.Advance(30*24*time.Hour - time.Second)
	k.save(t, bob, review.Draft{CaseID: id, Version: 1, Mode: "skip", Reason: "young"})
	k.clock.Advance(2 * time.Second)
	if err := k.PruneDraftsForTest(ctx); err != nil {
		t.Fatal(err)
	}
	if a, b := len(k.drafts(t, id, ann)), len(k.drafts(t, id, bob)); a != 0 || b != 1 {
		t.Errorf("Ann has %d, Bob %d, want 0 and 1", a, b)
	}
}

// undo takes back a decision of one's own.
func undo(k *desk, id string, by review.Person) (*review.Decision, error) {
	return k.Undo(ctx, id, by, "")
}

// Two windows of one person: what one saved isn't overwritten by another that doesn't show it; the same window goes on,
// and so does one that was opened since.
func TestAnotherWindowOverwritesNothing(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	in := func(tab, text string, seen time.Time) error {
		k.clock.Advance(time.Second)
		_, err := k.SaveDraft(ctx, ann, review.Draft{CaseID: id, Version: 1, Mode: review.Revise, Text: text, Tab: tab,
			Seen: seen})
		return err
	}
	opened := k.clock.Now()
	for _, text := range []string{"one", "one and more"} {
		if err := in("a", text, opened); err != nil {
			t.Fatal(err)
		}
	}
	if err := in("b", "two", opened); !errors.Is(err, review.ErrElsewhere) {
		t.Errorf("another window overwrites it: %v", err)
	}
	list, err := k.Drafts(ctx, id, ann)
	if err != nil || len(list) != 1 || list[0].Text != "one and more" {
		t.Fatalf("%+v, %v", list, err)
	}
	if err := in("c", "three", list[0].SavedAt); err != nil {
		t.Errorf("a window that shows it: %v", err)
	}
	if err := in("a", "one again", opened); !errors.Is(err, review.ErrElsewhere) {
		t.Errorf("the first window overwrites the newer one: %v", err)
	}
}
