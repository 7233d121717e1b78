package reviews

import (
	"testing"

	"preceptor/internal/review"
)

// What waits for a second approval was decided first: it is none of those that were approved second.
func TestWhatWaitsWasDecidedFirst(t *testing.T) {
	p := PersonProgress{Progress: review.Progress{Approved: 12, Seconded: 7, Pending: 4}}
	want := "12 approved, 7 approved second; of those you decided first, 4 wait for a second approval"
	if got := p.kinds(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
