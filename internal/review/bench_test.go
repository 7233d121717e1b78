package review_test

import (
	"fmt"
	"testing"

	"preceptor/internal/review"
)

// Each benchmark runs on a short and on a long queue: the difference is what matters.
func sizes(b *testing.B, run func(b *testing.B, k *desk)) {
	for _, n := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			k := open(b)
			k.fill(b, n)
			b.ResetTimer()
			run(b, k)
		})
	}
}

func BenchmarkQueuePage(b *testing.B) {
	sizes(b, func(b *testing.B, k *desk) {
		for b.Loop() {
			if page, err := k.List(ctx, review.Filter{Viewer: "ann"}); err != nil || len(page.Items) != 25 {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkCounts(b *testing.B) {
	sizes(b, func(b *testing.B, k *desk) {
		for b.Loop() {
			if _, err := k.Counts(ctx, "ann"); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkNeighbours(b *testing.B) {
	sizes(b, func(b *testing.B, k *desk) {
		page, err := k.List(ctx, review.Filter{})
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if _, err := k.Neighbours(ctx, page.Items[10].ID, review.Filter{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// The queue grows short when it is decided away; a thousand holds long enough for b.Loop only if refilled.
func BenchmarkClaimAndDecide(b *testing.B) {
	sizes(b, func(b *testing.B, k *desk) {
		left := 1000
		for b.Loop() {
			if left--; left == 0 {
				b.Fatal("the queue ran empty: run with -benchtime=500x")
			}
			id, ok, err := k.ClaimNext(ctx, ann, review.Filter{})
			if err != nil || !ok {
				b.Fatal(ok, err)
			}
			in := review.Input{ID: id, By: ann, Kind: review.Reject, ReasonCode: "wrong_facts", Version: 1, TextHash: textHash}
			if _, err := k.Decide(ctx, in); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// Deep in the queue a page costs what the first one does.
func BenchmarkDeepPage(b *testing.B) {
	k := open(b)
	k.fill(b, 100_000)
	f := review.Filter{Viewer: "ann", Limit: 100}
	for range 500 {
		page, err := k.List(ctx, f)
		if err != nil {
			b.Fatal(err)
		}
		f.Cursor = page.Next
	}
	f.Limit = 25
	for b.Loop() {
		if _, err := k.List(ctx, f); err != nil {
			b.Fatal(err)
		}
	}
}
