package knowledge_test

import (
	"os"
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
)

// A question that means little alone finds what it refers to; one on another subject isn't led back by what came
// before.
func TestAQuestionIsRecalledInItsConversation(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	if _, err := b.Import(ctx, os.DirFS("../demo/guidance"), knowledge.ImportOptions{Source: "guidance", Pack: pack.Pension}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ before, question, want string }{
		{"My husband died last month and he had a pension.", "No, how do I tell them?",
			"Telling a provider that someone has died"},
		{"I might go bankrupt.", "can they touch it?", "Bankruptcy and pensions"},
		{"We are getting divorced.", "does she get half of it?", "How pensions are shared on divorce"},
		{"How does drawdown work?", "Thanks. What age do I get the State Pension?", "State Pension age"},
	} {
		s := pack.Situation{Pack: pack.Pension, Question: c.question,
			Before: []pack.Message{{Role: pack.FromCustomer, Text: c.before}, {Role: pack.FromAgent, Text: "I see."}}}
		r, err := b.Recall(ctx, knowledge.Query{Text: c.question, Situation: s})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		var got []string
		for _, it := range r.Cases {
			got, found = append(got, it.Title), found || it.Title == c.want
		}
		if !found {
			t.Errorf("%q after %q: %q, want %q among them", c.question, c.before, got, c.want)
		}
	}
}
