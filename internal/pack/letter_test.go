package pack

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestFirstLettersKnowNamesAndAlphabets(t *testing.T) {
	for s, want := range map[string]string{
		"State Pension": "State Pension", "DB transfer": "DB transfer", "Tax-free cash": "tax-free cash",
		"MoneyHelper can help": "MoneyHelper can help", "Pension Wise is free": "Pension Wise is free",
		"Pension charges": "pension charges", "State what it costs": "state what it costs",
		"Citizens Advice": "Citizens Advice", "Élan vital": "élan vital", "A lump sum": "a lump sum", "": "", " x": " x",
	} {
		if got := Lower(s); got != want {
			t.Errorf("Lower(%q) = %q, want %q", s, got, want)
		}
	}
	for s, want := range map[string]string{"élan": "Élan", "日本": "日本", "tax": "Tax", "": ""} {
		if got := Upper(s); got != want {
			t.Errorf("Upper(%q) = %q, want %q", s, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		if !utf8.ValidString(Upper(s)) || !utf8.ValidString(Lower(s)) {
			t.Fatalf("%q, %q", Upper(s), Lower(s))
		}
	})
}
