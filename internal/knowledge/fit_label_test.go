package knowledge_test

import (
	"testing"

	"preceptor/internal/knowledge"
)

// Two customers may ask in the same words: the label that was given last is taken back, and the other stays.
func TestALabelIsTakenBackOfOneQuestion(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	for _, l := range []knowledge.FitLabel{{About: "reviews/1", InteractionID: "a", Question: "How much?", By: "ann"},
		{About: "reviews/1", InteractionID: "b", Question: "How much?", By: "bob"},
		{About: "reviews/2", InteractionID: "a", Question: "How much?", By: "eve"}} {
		b.clock.Advance(1e9)
		if err := b.Label(t.Context(), l); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"ann eve ", "eve ", "eve "} {
		if err := b.Unlabel(t.Context(), "reviews/1", "How much?"); err != nil {
			t.Fatal(err)
		}
		left := ""
		if err := b.EachLabel(t.Context(), func(l knowledge.FitLabel) error {
			left += l.By + " "
			return nil
		}); err != nil || left != want {
			t.Errorf("%q are left, want %q: %v", left, want, err)
		}
	}
}
