package text

import (
	"strings"
	"testing"
)

func TestTooLongCountsCharacters(t *testing.T) {
	for _, letter := range []string{"a", "é", "£", "字", "👍"} {
		if why := TooLong(strings.Repeat(letter, 4000), 4000); why != "" {
			t.Errorf("4,000 of %q: %s", letter, why)
		}
		const want = "This is 1,204,012 characters long; the limit is 4,000. Shorten it."
		if why := TooLong(strings.Repeat(letter, 1_204_012), 4000); why != want {
			t.Errorf("more of %q: %s", letter, why)
		}
	}
	if why := TooLong("abc", 2); why != "This is 3 characters long; the limit is 2. Shorten it." {
		t.Error(why)
	}
}
