package compliance

import (
	"testing"
	"time"

	"preceptor/internal/interaction"
)

// What a built-in check gives as not to be said is flagged with its words, in nearly the same ones too, whatever the
// judge reads; not what denies it, and not in texts of another domain.
func TestACheckFlagsItsOwnExamples(t *testing.T) {
	shop := interaction.Consultation{Pack: "general", Question: "The plug keeps cutting out. What can I do?"}
	v := New(NewChecker(time.Now), Panel{Judges: []Judge{agreeing{"one"}}})
	found := func(text string, c interaction.Consultation) (codes []string) {
		for _, i := range v.Validate(t.Context(), text, c).Issues {
			if i.Quote == "" || i.Severity != Major || i.Reference != "" {
				t.Errorf("%q: %+v", text, i)
			}
			codes = append(codes, i.Code)
		}
		return codes
	}
	n := 0
	for _, info := range Registry() {
		for _, text := range info.Finds {
			if info.Pack == "general" {
				n++
				if got := found("Thank you for writing to us. "+text, shop); len(got) != 1 || got[0] != info.Code {
					t.Errorf("%s: %q: %v", info.Code, text, got)
				}
			}
		}
		for _, text := range info.Leaves {
			if got := found(text, shop); info.Pack == "general" && len(got) > 0 {
				t.Errorf("%s: %q: %v", info.Code, text, got)
			}
		}
	}
	if n == 0 {
		t.Error("no check has an example")
	}
	for _, text := range []string{"Put in a thicker fuse, or bridge the old one with foil."} {
		if got := found(text, shop); len(got) != 1 {
			t.Errorf("%q: %v", text, got)
		}
		if got := found(text, interaction.Consultation{Question: "What is a pot?"}); len(got) > 0 {
			t.Errorf("of pensions, %q: %v", text, got)
		}
	}
	for _, text := range []string{"Don't put a thicker fuse in, or bridge the old one with foil.",
		"Never put a thicker fuse in, and never bridge the old one with foil.", "Put a new fuse in the plug."} {
		if got := found(text, shop); len(got) > 0 {
			t.Errorf("%q: %v", text, got)
		}
	}
}
