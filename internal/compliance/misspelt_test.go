package compliance

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/pack"
)

func TestSlipsOfTheFingersHideNoSteer(t *testing.T) {
	c := NewChecker(func() time.Time { return time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC) })
	for _, text := range []string{
		"Thanks for the £20,000 figure. You shoud transfer your pension now.",
		"You shuold move the pot into drawdown.",
		"You should/must transfer your pension now.",
		"You can/should take the lump sum.",
		"I recomend transfering the whole pot.",
		"I reccommend that you transfer the whole pot.",
	} {
		v := c.Check(text, pack.Situation{})
		if v.Label != NonCompliant {
			t.Errorf("%q: %+v", text, v)
			continue
		}
		runes := []rune(text)
		for _, i := range v.Issues {
			if string(runes[i.Span[0]:i.Span[1]]) != i.Quote {
				t.Errorf("%q: %q stands elsewhere", text, i.Quote)
			}
		}
	}
	for _, text := range []string{"Whether you can/should transfer is for an adviser to say.",
		"Your shoulder, pensions and/or guarantees."} {
		if v := c.Check(text, pack.Situation{}); v.Label == NonCompliant {
			t.Errorf("%q: %+v", text, v)
		}
	}
}

func TestMeantKeepsPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(
			rapid.SampledFrom([]string{"shoud", "£5", "–", "should/must", "Tranfer", "you", "recommendd", "a/b", "can/",
				"/may", "pensionn", "ünsure", "\n"})).Draw(t, "words")
		text := ""
		for _, w := range words {
			text += w + rapid.SampledFrom([]string{" ", "", ", "}).Draw(t, "gap")
		}
		places := make([]int, 0, len(text))
		for i := range []rune(text) {
			places = append(places, i)
		}
		places = append(places, len([]rune(text)))
		got, moved := meant(text, places)
		if len(moved) != len([]rune(got))+1 || moved[len(moved)-1] != len([]rune(text)) {
			t.Fatalf("%q to %q: %d places", text, got, len(moved))
		}
		for i := 1; i < len(moved); i++ {
			if moved[i] < moved[i-1] {
				t.Fatalf("%q to %q: %v", text, got, moved)
			}
		}
	})
}
