package text_test

import (
	"strings"
	"testing"

	"preceptor/internal/platform/text"
)

func TestOpening(t *testing.T) {
	for _, c := range []struct {
		in   string
		most int
		want string
	}{
		{"", 10, ""},
		{"short", 10, "short"},
		{" on\none\x00line\t", 20, "on one line"},
		{"cut at a word", 10, "cut at a…"},
		{"a longwordwithoutblanks", 10, "a longword…"},
		{strings.Repeat("é", 12), 10, strings.Repeat("é", 10) + "…"},
	} {
		if got := text.Opening(c.in, c.most); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}

func TestTyped(t *testing.T) {
	for in, want := range map[string]string{"": "", " a \r\n b \n": "a \n b", "a\xffb": "a\uFFFDb", "\r\n": "",
		"a\rb": "a\rb"} {
		if got := text.Typed(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}
