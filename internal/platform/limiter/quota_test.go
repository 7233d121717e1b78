package limiter

import (
	"context"
	"testing"
	"time"

	"preceptor/internal/platform/fault"
)

func TestAKeyHasSoManyPlaces(t *testing.T) {
	q := NewQuota(50, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	enter := func(key, door string, bytes int64) (func(), error) { return q.Enter(ctx, key, door, 8, bytes) }
	large := int64(largeCall + 1)
	for range 2 {
		if _, err := enter("a", "api", large); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := enter("a", "api", large); !fault.Is(err, fault.Limited) || fault.RetryAfter(err) == 0 {
		t.Errorf("the third large one: %v", err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	var leave func()
	for i := range 6 {
		l, err := enter("a", "api", 10)
		if err != nil {
			t.Fatalf("small one %d beside two large ones: %v", i, err)
		}
		leave = l
	}
	if _, err := enter("a", "api", 10); !fault.Is(err, fault.Limited) {
		t.Errorf("the ninth: %v", err)
	}
	for key, door := range map[string]string{"a": "chat", "b": "api"} {
		if _, err := q.Enter(t.Context(), key, door, 8, large); err != nil {
			t.Errorf("%s at %s: %v", key, door, err)
		}
	}
	leave()
	if _, err := q.Enter(t.Context(), "a", "api", 8, 10); err != nil {
		t.Errorf("a place that was left: %v", err)
	}
	if r := q.Refused("a"); r.Times != 2 || r.Why != "too many at a time" || q.Refused("b").Times != 0 {
		t.Errorf("%+v", r)
	}
}

func TestAKeySendsSoMuch(t *testing.T) {
	q, n := NewQuota(50, nil), 0
	for ; n < 1000; n++ {
		leave, err := q.Enter(t.Context(), "a", "api", 8, 2<<20)
		if err != nil {
			if !fault.Is(err, fault.Limited) || fault.RetryAfter(err) > time.Second {
				t.Errorf("%v, wait %s", err, fault.RetryAfter(err))
			}
			break
		}
		leave()
	}
	if n < 32 || n > 40 {
		t.Errorf("%d times 2 MB went at once, want about 64 MB of them", n)
	}
}
