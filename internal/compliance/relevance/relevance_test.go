package relevance

import (
	"math"
	"testing"
)

const (
	complain  = "How do I complain about the service I had?"
	inherited = "If you die before 75, whoever you named can normally take what is left without paying income tax. From 75 on they pay it at their own rate."
	sorry     = "I'm sorry that we let you down. You can complain by letter, phone or email to our customer relations team. If you are not happy with their answer, the Financial Ombudsman can look at it free of charge."
)

func TestOffTopic(t *testing.T) {
	for _, c := range []struct {
		name, question, draft string
		want                  bool
	}{
		{"another topic", complain, inherited, true},
		{"an answer", complain, sorry, false},
		{"its own topic", "What happens to my pension when I die?", inherited, false},
		{"no question", "  ", inherited, false},
		{"a question that names nothing", "Which is better for me?", inherited, false},
		{"no draft", complain, "", false},
		{"a question back", complain, "Could you tell us a little more first?", false},
		{"another desk", "My laptop won't start since the update. What now?", "Garden waste is collected every other Thursday. Put the brown bin at the kerb by six in the morning with the lid shut.", true},
	} {
		if got := OffTopic(c.question, c.draft); got != c.want {
			t.Errorf("%s: off topic %v, want %v (%.2f)", c.name, got, c.want, shipped().Fit(Vector(c.question), Vector(c.draft)))
		}
	}
}

func TestVector(t *testing.T) {
	v := Vector(sorry)
	for from, want := range map[int]float64{0: 1, meanings: WordShare} {
		to := map[int]int{0: meanings, meanings: Dims}[from]
		square := 0.0
		for _, x := range v[from:to] {
			square += float64(x) * float64(x)
		}
		if math.Abs(math.Sqrt(square)-want) > 1e-5 {
			t.Errorf("from %d: length %.4f, want %.1f", from, math.Sqrt(square), want)
		}
	}
	for _, x := range Vector("") {
		if x != 0 {
			t.Fatal("no text has a meaning")
		}
	}
}

func FuzzOffTopic(f *testing.F) {
	f.Add(complain, inherited)
	f.Add("?", "a b c d e f g h i")
	f.Fuzz(func(t *testing.T, question, draft string) {
		if len(question) > 300 || len(draft) > 600 {
			t.Skip()
		}
		if first := OffTopic(question, draft); first != OffTopic(question, draft) {
			t.Error("two answers to one question")
		}
	})
}
