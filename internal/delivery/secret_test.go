package delivery_test

import (
	"encoding/base64"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"preceptor/internal/delivery"
	"preceptor/internal/platform/fault"
)

// Whatever byte of a request is changed, the official library refuses it.
func TestEveryTamperedByteIsNoticed(t *testing.T) {
	b, r, secret := one(t, status(200))
	b.emit(t, "a1", "guidance.released", "g1")
	b.drain(t)
	g := r.requests()[0]
	if err := verify(secret, g); err != nil {
		t.Fatal(err)
	}
	for i := range g.body {
		for _, mask := range []byte{1, 0x20, 0x80} {
			bad := got{header: g.header, body: append([]byte(nil), g.body...)}
			bad.body[i] ^= mask
			if verify(secret, bad) == nil {
				t.Errorf("byte %d of the body may be changed", i)
			}
		}
	}
	for _, cut := range [][]byte{g.body[1:], g.body[:len(g.body)-1], append(append([]byte(nil), g.body...), ' '), {}} {
		if verify(secret, got{header: g.header, body: cut}) == nil {
			t.Errorf("a body of %d bytes goes through", len(cut))
		}
	}
	for _, name := range []string{"Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"} {
		value := g.header.Get(name)
		for i := range value {
			h := maps.Clone(g.header)
			other := byte('0')
			if value[i] == other {
				other = '1'
			}
			h[name] = []string{value[:i] + string(other) + value[i+1:]}
			if verify(secret, got{header: h, body: g.body}) == nil {
				t.Errorf("byte %d of %s may be changed", i, name)
			}
		}
		h := maps.Clone(g.header)
		h.Del(name)
		if verify(secret, got{header: h, body: g.body}) == nil {
			t.Errorf("%s may be missing", name)
		}
	}
	if verify(newSecret(t), g) == nil {
		t.Error("another secret verifies")
	}
}

// newSecret is one of another endpoint.
func newSecret(t *testing.T) string {
	t.Helper()
	_, _, secret := one(t, status(200))
	return secret
}

func TestSecretsAreLongAndOfTheSpecificationsForm(t *testing.T) {
	seen := map[string]bool{}
	for range 3 {
		s := newSecret(t)
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(s, "whsec_"))
		if err != nil || len(key) != 32 || !strings.HasPrefix(s, "whsec_") || seen[s] {
			t.Errorf("secret of %d bytes (%v), seen before: %v", len(key), err, seen[s])
		}
		seen[s] = true
	}
}

// After a rotation both secrets verify for a day, then the new one alone.
func TestRotation(t *testing.T) {
	b, r, first := one(t, status(200))
	if again, err := b.Save(ctx, "a1", r.URL, true, boss, ""); err != nil || again != "" {
		t.Fatalf("saving again gave a secret: %v", err)
	}
	next, err := b.Rotate(ctx, "a1", boss)
	if err != nil || next == first {
		t.Fatal(next == first, err)
	}
	if e := b.endpoint(t, "a1"); !e.OldUntil.Equal(b.clock.Now().Add(24 * time.Hour)) {
		t.Errorf("the old one signs until %s", e.OldUntil)
	}
	send := func() got {
		b.emit(t, "a1", "guidance.released", "g1")
		b.drain(t)
		all := r.requests()
		return all[len(all)-1]
	}
	b.clock.Advance(24*time.Hour - time.Second)
	g := send()
	if verify(first, g) != nil || verify(next, g) != nil ||
		len(strings.Fields(g.header.Get("webhook-signature"))) != 2 {
		t.Errorf("old: %v, new: %v", verify(first, g), verify(next, g))
	}
	b.clock.Advance(time.Second)
	g = send()
	if verify(first, g) == nil || verify(next, g) != nil {
		t.Errorf("after a day, old: %v, new: %v", verify(first, g), verify(next, g))
	}
	if err := b.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := b.d.Reader().QueryRow(`SELECT count(*) FROM webhook_secret`).Scan(&n); err != nil || n != 1 {
		t.Errorf("%d secrets are kept (%v)", n, err)
	}
}

func TestRotationHasALimit(t *testing.T) {
	b, r, first := one(t, status(200))
	secrets := []string{first}
	for range 3 {
		s, err := b.Rotate(ctx, "a1", boss)
		if err != nil {
			t.Fatal(err)
		}
		secrets = append(secrets, s)
		b.clock.Advance(time.Hour)
	}
	if _, err := b.Rotate(ctx, "a1", boss); !fault.Is(err, fault.Conflict) {
		t.Errorf("a fifth secret: %v", err)
	}
	b.emit(t, "a1", "guidance.released", "g1")
	b.drain(t)
	for i, s := range secrets {
		if err := verify(s, r.requests()[0]); err != nil {
			t.Errorf("secret %d: %v", i, err)
		}
	}
	if _, err := b.Rotate(ctx, "nobody", boss); !fault.Is(err, fault.NotFound) {
		t.Errorf("rotation of nothing: %v", err)
	}
}

func TestExcerpts(t *testing.T) {
	sent := `{"data":{"text":"You have a defined benefit pension.\nIt pays a guaranteed income for life."}}`
	for answer, want := range map[string]string{
		"":                             "",
		" no\r\n such\thook ":          "no such hook",
		"<b>bad</b>":                   "<b>bad</b>",
		"a\x00b\x1b[31mc":              "a b [31mc",
		"\xff\xfe":                     "�",
		"left\u202eright\u200b\ufeff":  "leftright",
		strings.Repeat("x", 300):       strings.Repeat("x", 200) + "…",
		"failed on: " + sent:           "(what it was sent)",
		"it PAYS a guaranteed\nincome": "it PAYS a guaranteed income", // too short to be a passage
		"we got: It pays a  guaranteed income for life": "(what it was sent)",
	} {
		if got := delivery.Excerpt(answer, sent); got != want {
			t.Errorf("%q gives %q, want %q", answer, got, want)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	for h, want := range map[string]time.Duration{
		"": 0, "0": 0, "-5": 0, "120": 2 * time.Minute, " 60 ": time.Minute, "86401": 24 * time.Hour,
		"9223372036854775807": 24 * time.Hour, "1e9": 0, "later": 0,
		now.Add(time.Hour).Format(http.TimeFormat): time.Hour, now.Add(-time.Hour).Format(http.TimeFormat): 0,
		now.Add(9999 * time.Hour).Format(http.TimeFormat): 24 * time.Hour,
		now.Add(time.Minute).Format(time.RFC850):          time.Minute,
	} {
		if got := delivery.RetryAfter(h, now); got != want {
			t.Errorf("%q is %s, want %s", h, got, want)
		}
	}
}
