package scan

import (
	"strings"
	"testing"
)

func TestStrip(t *testing.T) {
	for _, c := range []struct {
		python    bool
		src, want string
	}{
		{true, "a = 'x' # y\nb", "a = \nb"}, {true, `a = "\"#" + 1`, "a =  + 1"}, {true, "'''a\n# b'''c", "\nc"},
		{true, "a = 'open\nb = 1", "a = \nb = 1"}, {true, "`a`", "`a`"},
		{true, "'''open\nb", "\n"}, {true, "x = ''", "x = "}, {true, "a // b", "a // b"},
		{false, "a /* b\n*/ c // d\ne", "a \n c \ne"}, {false, "`a\n${'b'}`c", "\nc"}, {false, `"//"x`, "x"},
		{false, "a # b", "a # b"}, {false, "/*", ""}, {false, "'\\", ""}, {false, "'a\\'b'c", "c"},
		{false, "/*/ a */b", "b"},
	} {
		got := strip(c.src, c.python)
		if len(got) != len(c.src) || strings.Join(strings.Fields(got), "") != strings.Join(strings.Fields(c.want),
			"") || strings.Count(got, "\n") != strings.Count(c.src, "\n") {
			t.Errorf("%q is %q, want %q", c.src, got, c.want)
		}
	}
}

func FuzzStrip(f *testing.F) {
	f.Add("'a' # b\n\"\"\"c\"\"\"", true)
	f.Add("`${'a'}` // b /* c */", false)
	f.Fuzz(func(t *testing.T, src string, python bool) {
		if got := strip(src, python); len(got) != len(src) || strings.Count(got, "\n") != strings.Count(src, "\n") {
			t.Fatalf("%q is %q", src, got)
		}
	})
}
