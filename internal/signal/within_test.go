package signal

import "testing"

// What differs in a value isn't summed up.
func TestWhatIsSummedUp(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"I prefer short answers", "I prefer short and simple answers", true},
		{"Write short summaries for managers", "Write short summaries for all managers", true},
		{"Always answer in English", "Always answer in German", false},
		{"I like dark mode", "I like light mode", false},
		{"Use metric units", "Use imperial units", false},
	} {
		if got := within(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}
