package learning

import "testing"

// What was wrong is said once, and a quotation within one has its own marks.
func TestTheProblemIsSaidOnce(t *testing.T) {
	nudge := Flag{Code: "DISGUISED_RECOMMENDATION", Quote: "Most people would be worse off."}
	for _, c := range []struct {
		source Source
		want   string
	}{
		{Source{Reason: "“Most people would be worse off” reads as a nudge.", Flags: []Flag{nudge, nudge}},
			"“‘Most people would be worse off’ reads as a nudge”. Disguised recommendation: " +
				"“Most people would be worse off”."},
		{Source{Reason: "Too pushy.", Feedback: "Too pushy."}, "“Too pushy”."},
		{Source{Flags: []Flag{nudge, {Code: nudge.Code, Quote: "Others “do” it"}}},
			"Disguised recommendation: “Most people would be worse off”. " +
				"Disguised recommendation: “Others ‘do’ it”."},
	} {
		if got := c.source.problem(); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}
