package ui

import (
	"strings"
	"testing"
)

func TestWhatCantBeSeenIsShown(t *testing.T) {
	for text, want := range map[string]string{
		"plain £310,000 <b>":   "plain £310,000 &lt;b&gt;",
		"a\nb\tc":              "a\nb\tc",
		"a\u202eb":             `a<span class="unseen" title="changes the text direction">U+202E</span>b`,
		"\x00":                 `<span class="unseen" title="control character">U+0000</span>`,
		"x\u200by":             `x<span class="unseen" title="zero-width character">U+200B</span>y`,
		"\U000E0041":           `<span class="unseen" title="invisible tag">U+E0041</span>`,
		"نص\u200cعربي \u200f1": "نص\u200cعربي \u200f1",
		"a\xffb\uFFFDc":        `a<span class="unseen" title="not a character">U+FFFD</span>b<span class="unseen" title="not a character">U+FFFD</span>c`,
	} {
		var b strings.Builder
		writeSeen(&b, text)
		if b.String() != want {
			t.Errorf("%q: %s, want %s", text, b.String(), want)
		}
	}
}
