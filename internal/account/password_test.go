package account

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"
	"pgregory.net/rapid"

	"preceptor/internal/platform/fault"
)

func TestCheckPassword(t *testing.T) {
	for _, tc := range []struct {
		password string
		ok       bool
	}{
		{"short", false},
		{"elevenchars", false},
		{"twelve chars", true},
		{"a lamp beside the window", true},
		{strings.Repeat("ab cd e ", 25), true},
		{strings.Repeat("ab cd e ", 25) + "x", false}, // 201
		{"åäöåäö ŝĉĝ ŵŷ", true},
		{"дом у синего моря", true},
		{"日本語の長い合言葉を使う", true},
		{"password1234", false},
		{"Password2026!", false},
		{"!!Welcome!!2026", false},
		{"qwertyuiop12", false},
		{"aaaaaaaaaaaaaaa", false},
		{"abcabcabcabcabc", false},
		{"日本日本日本日本日本日本", false},
		{"12345678901234", false},
		{"abcdefghijklmnop", false},
		{"nopqrstuvwxyz987654", true},
		{"ann.smith@example.org", false},
		{"annsmith12345", false},
		{"smith-ann-2026", false},
		{"preceptor-ann!", false},
		{"ann walked nineteen miles", true},
		{"\xff\xfe broken utf8 text", false},
	} {
		msg := checkPassword(tc.password, "ann.smith@example.org", "Ann Smith")
		if (msg == "") != tc.ok {
			t.Errorf("%q: %q, want ok=%v", tc.password, msg, tc.ok)
		}
	}
}

// No composition rules: whatever is long, varied and not leaning on anything is accepted, whatever it is made of.
func TestCheckPasswordAsksForNoComposition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		class := rapid.SampledFrom([]string{"a-z", "A-Z", "0-9", "а-я"}).Draw(t, "class")
		p := rapid.StringMatching("["+class+"]{20,200}").Draw(t, "password")
		r := []rune(p)
		slices.Sort(r)
		if len(slices.Compact(r)) < 6 {
			t.Skip("too few different characters")
		}
		if msg := checkPassword(p, "quux@example.org", "Quux"); msg != "" && !guessable(strings.ToLower(p)) {
			t.Fatalf("%q: %s", p, msg)
		}
	})
}

func TestCheckPasswordNeverPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.String().Draw(t, "password")
		if checkPassword(p, rapid.String().Draw(t, "email"), rapid.String().Draw(t, "name")) == "" {
			if n := utf8.RuneCountInString(p); n < MinPassword || n > MaxPassword {
				t.Fatalf("accepted %d characters", n)
			}
		}
	})
}

// The whole password counts: no truncation (bcrypt would cut at 72 bytes).
func TestWholePasswordCounts(t *testing.T) {
	dir := New(nil)
	long := strings.Repeat("abcdefghij", 9) + "tail-one-x"
	stored, err := dir.hash(t.Context(), long)
	if err != nil {
		t.Fatal(err)
	}
	if ok, _, err := dir.matches(t.Context(), long, stored); !ok || err != nil {
		t.Fatalf("the password itself: %v, %v", ok, err)
	}
	for _, other := range []string{long[:89] + "T" + long[90:], long[:99], long + " ", strings.ToUpper(long)} {
		if ok, _, err := dir.matches(t.Context(), other, stored); ok || err != nil {
			t.Errorf("%q matches: %v, %v", other, ok, err)
		}
	}
}

// An unknown address must cost what a known one does, so the decoy has today's parameters, and nobody's password.
func TestDecoyCostsTheSame(t *testing.T) {
	p, salt, key, err := argon2id.DecodeHash(decoy)
	if err != nil {
		t.Fatal(err)
	}
	if *p != *params || len(salt) != 16 || len(key) != 32 {
		t.Errorf("decoy has %+v", *p)
	}
	if params.Memory < 46*1024 || params.Iterations < 1 {
		t.Errorf("parameters %+v are below the minimum", *params)
	}
}

func TestOutdatedHashIsNoticed(t *testing.T) {
	weak, err := argon2id.CreateHash("a lamp beside the window",
		&argon2id.Params{Memory: 8, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32})
	if err != nil {
		t.Fatal(err)
	}
	ok, outdated, err := New(nil).matches(t.Context(), "a lamp beside the window", weak)
	if !ok || !outdated || err != nil {
		t.Errorf("ok %v, outdated %v, %v", ok, outdated, err)
	}
}

// Hashing has few places; who waits for one gives up with its request.
func TestHashingIsBounded(t *testing.T) {
	dir := New(nil)
	for range parallelHashes {
		if _, err := dir.place(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := dir.hash(ctx, "a lamp beside the window"); !fault.Is(err, fault.Unavailable) {
		t.Errorf("no place left: %v", err)
	}
}

func TestCommonListIsUsable(t *testing.T) {
	if n := len(common()); n < 100 {
		t.Errorf("only %d common passwords", n)
	}
	for p := range common() {
		if p != strings.ToLower(p) {
			t.Errorf("%q would never match", p)
		}
		if msg := checkPassword(p, "quux@example.org", "Quux"); msg == "" {
			t.Errorf("%q is accepted", p)
		}
	}
}

func TestWaitsGrowAndEnd(t *testing.T) {
	for _, l := range []limit{perPair, perAddress, perAccount} {
		last := time.Duration(0)
		for n := range 500 {
			w := l.wait(n)
			if w < last || w > l.most || (n < l.free && w != 0) {
				t.Fatalf("%s: wait(%d) = %s after %s", l.kind, n, w, last)
			}
			last = w
		}
		if last != l.most {
			t.Errorf("%s never reaches its longest wait", l.kind)
		}
	}
}

func TestNetwork(t *testing.T) {
	for in, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
		"::1": "::1", "fe80::1%eth0": "fe80::/64", "nonsense": "nonsense",
	} {
		if got := network(in); got != want {
			t.Errorf("network(%s) = %s, want %s", in, got, want)
		}
	}
}

func TestATimeToWaitIsSaidInWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Millisecond: "1 second", 2 * time.Second: "2 seconds", 90 * time.Second: "90 seconds",
		91 * time.Second: "2 minutes", 15 * time.Minute: "15 minutes", 14*time.Minute + time.Second: "15 minutes",
	} {
		if got := waiting(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
