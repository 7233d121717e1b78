package review_test

import (
	"fmt"
	"testing"
	"time"

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
			if _, err := k.Counts(ctx, "ann", false); err != nil {
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
		k.unsign(b)
		left := 900
		for b.Loop() {
			if left--; left == 0 {
				b.Fatal("the queue ran empty: run with -benchtime=500x")
			}
			id, ok, err := k.ClaimNext(ctx, ann, review.Filter{})
			if err != nil || !ok {
				b.Fatal(ok, err)
			}
			in := review.Input{ID: id, By: ann, Kind: review.Reject, ReasonCode: "wrong_facts", Version: 1,
				TextHash: textHash}
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

// The filters that cost most: several at once, rare matches, words.
var costly = map[string]review.Filter{
	"flag":       {Flag: "FLAG_1"},
	"agent-task": {AgentID: "agent-1", Task: "task-1"},
	"all-three":  {AgentID: "agent-1", Task: "task-1", Flag: "FLAG_1"},
	"late":       {Age: review.Late, Targets: review.Targets{"": {Soon: time.Second, Late: time.Minute}}},
	"late-flag": {Age: review.Late, Flag: "FLAG_1",
		Targets: review.Targets{"": {Soon: time.Second, Late: time.Minute}}},
	"assigned":      {Assigned: "bob"},
	"nobody":        {Assigned: review.ToNobody},
	"two-eyes":      {Eyes: review.TwoEyes},
	"two-eyes-flag": {Eyes: review.TwoEyes, Flag: "FLAG_1", AgentID: "agent-1"},
	"rare":          {Flag: "RARE", AgentID: "agent-1", Assigned: "bob"},
	"search-rare":   {Search: "mackerel"},
	"search-common": {Search: "pension"},
	"open-by-them":  {Reviewer: "cy"},
}

func BenchmarkFilteredPage(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		k := open(b)
		k.fill(b, n)
		for name, f := range costly {
			f.Viewer = "ann"
			b.Run(fmt.Sprint(name, "/", n), func(b *testing.B) {
				for b.Loop() {
					if _, err := k.List(ctx, f); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkFilteredNext(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		k := open(b)
		k.fill(b, n)
		for name, f := range costly {
			b.Run(fmt.Sprint(name, "/", n), func(b *testing.B) {
				for b.Loop() {
					id, ok, err := k.ClaimNext(ctx, ann, f)
					if err != nil {
						b.Fatal(err)
					}
					if ok {
						if err := k.Unclaim(ctx, id, ann); err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		}
	}
}

func BenchmarkFilteredNeighbours(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		k := open(b)
		k.fill(b, n)
		for name, f := range costly {
			page, err := k.List(ctx, f)
			if err != nil {
				b.Fatal(err)
			}
			if len(page.Items) == 0 {
				continue
			}
			b.Run(fmt.Sprint(name, "/", n), func(b *testing.B) {
				for b.Loop() {
					if _, err := k.Neighbours(ctx, page.Items[0].ID, f); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
