package id_test

import (
	"testing"

	"preceptor/internal/platform/id"
)

func TestNewIsValidUniqueAndSorted(t *testing.T) {
	seen := map[string]bool{}
	last := ""
	for range 10_000 {
		s := id.New()
		if !id.Valid(s) {
			t.Fatalf("id.New() = %q, which id.Valid refuses", s)
		}
		if seen[s] {
			t.Fatalf("id.New() gave %q twice", s)
		}
		if s <= last {
			t.Fatalf("id %q sorts before its elder %q", s, last)
		}
		seen[s], last = true, s
	}
}

func TestValidRefusesOtherForms(t *testing.T) {
	for _, s := range []string{"", "x", "../../etc/passwd", "{018f1e2c-0000-7000-8000-000000000000}",
		"018f1e2c000070008000000000000000"} {
		if id.Valid(s) {
			t.Errorf("Valid(%q) = true", s)
		}
	}
}

func TestSecretHasTheLengthAskedFor(t *testing.T) {
	if got := len(id.Secret(32)); got != 43 {
		t.Fatalf("len(Secret(32)) = %d, want 43", got)
	}
	if a, b := id.Secret(16), id.Secret(16); a == b {
		t.Fatal("two secrets are the same")
	}
}
