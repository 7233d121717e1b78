package text

import (
	"fmt"
	"strings"
	"testing"
)

func TestTooBigCountsCharacters(t *testing.T) {
	for _, c := range []struct {
		s          string
		most, over int
	}{{strings.Repeat("a", 12), 10, 2}, {strings.Repeat("£", 12), 10, 7}, {"ab" + strings.Repeat("語", 4), 10, 2}} {
		r := []rune(c.s)
		want := fmt.Sprintf("This is %d characters long. Shorten it by at least %d.", len(r), c.over)
		if got := TooBig(c.s, c.most); got != want {
			t.Errorf("%q: %q, want %q", c.s, got, want)
		}
		if left := len(string(r[:len(r)-c.over])); left > c.most || left+len(string(r[len(r)-c.over])) <= c.most {
			t.Errorf("%q: %d bytes are left by what it says, of %d", c.s, left, c.most)
		}
	}
}
