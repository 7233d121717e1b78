package link

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/feedback"
	"preceptor/internal/platform/id"
)

func keysOf(t testing.TB, secret string) keys {
	t.Helper()
	k, err := newKeys([]byte(secret))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

var sample = Link{SubjectID: "0190a3c8-7b1d-7f00-8000-0123456789ab", UserID: "customer-17@example.org",
	Until: time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)}

func TestALinkComesBackAsItWasMade(t *testing.T) {
	k := keysOf(t, "one")
	rapid.Check(t, func(r *rapid.T) {
		want := Link{
			SubjectID: rapid.OneOf(rapid.Just(id.New()), rapid.StringN(1, -1, feedback.MaxName),
				rapid.Just("0190A3C8-7B1D-7F00-8000-0123456789AB")).Draw(r, "subject"),
			UserID: rapid.StringN(1, -1, feedback.MaxName).Draw(r, "user"),
			Until:  time.Unix(rapid.Int64Range(0, 1<<40-1).Draw(r, "until"), 0).UTC(),
			Bare:   rapid.Bool().Draw(r, "bare"),
		}
		token := k.seal(want)
		got, ok := k.open(token)
		if !ok || got != want {
			r.Fatalf("%+v became %+v (%v)", want, got, ok)
		}
		if len(token) > maxToken {
			r.Fatalf("the token is %d long", len(token))
		}
	})
}

// Every single character counts, and none may be added, left out or spelled otherwise.
func TestAChangedLinkIsForged(t *testing.T) {
	k := keysOf(t, "one")
	token := k.seal(sample)
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/. \n"
	for i := range token {
		for _, r := range alphabet {
			changed := token[:i] + string(r) + token[i+1:]
			if _, ok := k.open(changed); ok && changed != token {
				t.Fatalf("opened with %q in place %d", r, i)
			}
		}
		if _, ok := k.open(token[:i]); ok {
			t.Fatalf("opened when cut off at %d", i)
		}
	}
	for _, changed := range []string{token + "A", token + "=", "A" + token, token + "\n", "\r\n" + token, token + token,
		strings.ToUpper(token), ""} {
		if _, ok := k.open(changed); ok {
			t.Errorf("%q opened", changed)
		}
	}
	if _, ok := keysOf(t, "two").open(token); ok {
		t.Error("opened under another key")
	}
}

// What a link is about can't be read from it.
func TestALinkTellsNothing(t *testing.T) {
	raw, err := base64.RawURLEncoding.DecodeString(keysOf(t, "one").seal(sample))
	if err != nil {
		t.Fatal(err)
	}
	subject, _ := uuidBytes(sample.SubjectID)
	for _, part := range []string{sample.UserID, sample.SubjectID, "customer", "example", string(subject)} {
		if strings.Contains(string(raw), part) {
			t.Errorf("%q can be read", part)
		}
	}
}

// The tag guards the parser; it stands by itself all the same.
func FuzzUnpack(f *testing.F) {
	f.Add(sample.pack())
	f.Add(Link{SubjectID: "x", UserID: "y", Bare: true}.pack())
	f.Add([]byte{2, 0, 0, 0, 0, 0, 16})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		l, ok := unpack(b)
		if !ok {
			return
		}
		if l.SubjectID == "" || l.UserID == "" || l.Until.IsZero() {
			t.Fatalf("%x became %+v", b, l)
		}
		if again, ok := unpack(l.pack()); !ok || again != l {
			t.Fatalf("%+v became %+v", l, again)
		}
	})
}

func FuzzOpen(f *testing.F) {
	k := keysOf(f, "one")
	token := k.seal(sample)
	f.Add(token)
	f.Add(token[:20])
	f.Add(strings.Repeat("A", 64))
	f.Add("../../etc/passwd")
	f.Add("\x00")
	f.Fuzz(func(t *testing.T, s string) {
		if l, ok := k.open(s); ok && (s != token || l != sample) {
			t.Fatalf("%q opened as %+v", s, l)
		}
	})
}
