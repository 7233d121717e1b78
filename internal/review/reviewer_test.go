package review_test

import (
	"slices"
	"testing"

	"preceptor/internal/review"
)

// Done under a person is what they decided, alone or as one of two, and no approval that was taken back; what waits is
// with whoever has it open, and not with whom it is assigned to or who approved it first.
func TestAPersonsReviewsAreThoseThatTheyDecidedOrHaveOpen(t *testing.T) {
	k := open(t)
	alone, both, back := k.submit(t), k.submit(t, vulnerable), k.submit(t, vulnerable)
	k.decide(t, alone, ann, review.Approve)
	k.decide(t, both, ann, review.Approve)
	k.decide(t, both, bob, review.Approve)
	k.decide(t, back, ann, review.Approve)
	d := k.decide(t, back, bob, review.Approve)
	if _, err := k.Undo(ctx, d.ID, bob, ""); err != nil {
		t.Fatal(err)
	}
	if err := k.Unclaim(ctx, back, bob); err != nil {
		t.Fatal(err)
	}
	cy := review.Person{ID: "cy", Name: "Cy"}
	k.decide(t, back, cy, review.Approve)
	for who, want := range map[string][]string{"ann": {alone, both, back}, "bob": {both}, "cy": {back}} {
		f := review.Filter{State: review.Done, Reviewer: who, Viewer: "ann"}
		got := ids(k.all(t, f))
		slices.Sort(got)
		slices.Sort(want)
		if n, err := k.Count(ctx, f); !slices.Equal(got, want) || n != len(want) || err != nil {
			t.Errorf("done by %s: %v and %d, %v, want %v", who, got, n, err, want)
		}
	}
	signed, held := k.submit(t, vulnerable), k.submit(t)
	k.decide(t, signed, ann, review.Approve)
	if err := k.Claim(ctx, held, ann); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		state, viewer string
		want          []string
	}{{review.Needs, "ann", []string{held}}, {review.Needs, "bob", nil}, {review.Others, "bob", []string{held}},
		{review.Signed, "ann", nil}} {
		f := review.Filter{State: c.state, Reviewer: "ann", Viewer: c.viewer}
		if got := ids2(k.all(t, f)); !slices.Equal(got, c.want) {
			t.Errorf("%s of %s, with ann: %v, want %v", c.state, c.viewer, got, c.want)
		}
	}
}
