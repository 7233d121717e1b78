package text

import (
	"strings"
	"testing"
)

func TestBlanks(t *testing.T) {
	for s, want := range map[string]string{
		"Hello {{name}}, {{ provider’s name }} and {{name}}.":  "name|provider’s name",
		"No {name}, {{}}, {{ }} or {{.Values.x}} or {{a|b}}.":  "",
		"Write `{{name}}` as it is:\n```\n{{age}}\n```\n{{x}}": "x",
		"שלום {{שם}}": "שם",
	} {
		if got := strings.Join(Blanks(s), "|"); got != want {
			t.Errorf("%q has %q, want %q", s, got, want)
		}
	}
	for s, want := range map[string]string{"Dear {{ }}, hello.": "{{ }}", "About {{scheme\nand more}}": "{{scheme",
		"{{name}}, {{}}": "{{}}", "Use {{.Values.x}} or {{a|b}}.": "", "Write `{{` there, {{name}}.": ""} {
		if got := Unfinished(s); got != want {
			t.Errorf("%q has %q unfinished, want %q", s, got, want)
		}
	}
	if got := Fill("Hello {{ Name }}, {{age}}, {{scheme}}.",
		map[string]string{"name": "Ann {{age}}", "age": "61"}); got != "Hello Ann {{age}}, 61, {{scheme}}." {
		t.Error(got)
	}
}
