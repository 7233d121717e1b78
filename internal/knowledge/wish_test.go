package knowledge_test

import (
	"slices"
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/rule"
)

// anyWishes can be followed by any answer.
var anyWishes = []string{"Keep answers short", "Always answer in German", "Please don't use emojis",
	"I prefer bullet points", "Use plain words, no jargon", "Be more formal", "Always cite your sources",
	"Explain it step by step", "Start with the answer, then explain", "Never use more than three sentences",
	"Use British spelling", "Don't apologise all the time", "I prefer the metric system", "Write dates as 14 Nov 2025",
	"Address me as Doctor"}

// workWishes are each for one kind of work, with a question that is of it.
var workWishes = [][2]string{
	{"I like dark mode", "Which theme should the settings page start with?"},
	{"Please don't add comments to the code", "Write a function that sorts a list of names."},
	{"Use the staging database for tests", "Run the integration tests against the database."},
	{"Never use force push", "Push my branch to the remote."},
	{"Use pnpm instead of npm", "Install the packages of this project."},
	{"Split files over 200 lines", "This file has grown to 400 lines."},
	{"Don't touch the config file", "Change the port in the configuration."},
	{"Always use tabs", "Indent this block of code."},
	{"Write tests before the code", "Add a feature to the parser, with tests."},
	{"Always use ST_Transform before measuring distances", "Which sites are within 100 metres of this point in PostGIS?"},
	{"Use snake_case for column names", "Create a table for customers."},
	{"Deploy on Tuesdays only", "Deploy the new version to production."},
	{"Use the calculator for sums", "What is 1,284 times 37?"},
	{"Don't send reminders after six in the evening", "When will the reminder be sent?"},
	{"Open pull requests as drafts", "Open a pull request for this branch."},
}

// otherQuestions have nothing to do with any such work.
var otherQuestions = []string{"When was Napoleon born?", "What is photosynthesis?", "Why is the sky blue?",
	"Who wrote Hamlet?", "What is the capital of Peru?", "How do vaccines work?", "Can I eat mushrooms raw?",
	"How do I ask my boss for a rise?"}

// everydayRequests are for a text or an answer, in words that rules for work have too.
var everydayRequests = []string{"Write a haiku", "Write a birthday poem", "Write a letter to my teacher",
	"Split the bill between three people", "Write a speech for a wedding", "Summarise this article",
	"Explain how tides work", "Give me a recipe for soup"}

func wished(t *testing.T, wishes ...string) *knowledge.Base {
	b := setUp(t, knowledge.Options{})
	made := knowledge.New(b.d, b.index, embedded.New(), knowledge.Options{
		PackOf: func(*db.Tx, string) (string, error) { return pack.GeneralName, nil }})
	for _, w := range wishes {
		text := knowledge.RuleOf(rule.Statement{When: everybody, Do: rule.Act{Kind: rule.Other, Text: w},
			Because: "a user asked for it"}, pack.Of(pack.GeneralName))
		text.Confidence, text.FCACompliant, text.Noticed = 0.9, true, true
		b.addRule(knowledge.Rule{Status: knowledge.Active, AgentID: "a", RuleText: text})
	}
	if err := made.Reembed(ctx); err != nil {
		t.Fatal(err)
	}
	return made
}

// A wish about any answer is given with each question, and one about a kind of work with questions of it.
func TestWishesAreGivenWhereTheyAreMeant(t *testing.T) {
	given := func(b *knowledge.Base, question string) []string {
		got, err := b.Recall(ctx, knowledge.Query{AgentID: "a", Text: question, TopRules: 20,
			Situation: pack.Situation{Pack: pack.GeneralName, Question: question}})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, it := range got.Rules {
			out = append(out, it.Rule.Action)
		}
		return out
	}
	followed, right, wrong := 0, 0, 0
	for _, w := range anyWishes {
		b := wished(t, w)
		n := 0
		for _, q := range otherQuestions {
			n += len(given(b, q))
		}
		if followed += n; n < len(otherQuestions) {
			t.Logf("%q is given with %d of %d", w, n, len(otherQuestions))
		}
	}
	for _, w := range workWishes {
		b := wished(t, w[0])
		for _, q := range otherQuestions {
			if slices.Contains(given(b, q), w[0]) {
				wrong++
				t.Logf("%q is given with %q", w[0], q)
			}
		}
		if slices.Contains(given(b, w[1]), w[0]) {
			right++
		} else {
			t.Logf("%q isn't given with %q", w[0], w[1])
		}
	}
	t.Logf("about any answer: %d of %d; about work: %d of %d where it is, %d of %d elsewhere", followed,
		len(anyWishes)*len(otherQuestions), right, len(workWishes), wrong, len(workWishes)*len(otherQuestions))
	if followed < 108 || right < len(workWishes) || wrong > 6 {
		t.Error("fewer wishes are given where they are meant")
	}
}

// A rule for work is no harm to a haiku, and what any answer follows stays.
func TestARuleForWorkStaysWithItsWork(t *testing.T) {
	b := wished(t, "Write test first", "Always use tabs for indentation", "Use pnpm instead of npm",
		"Split files", "Create plan doc before coding", "Never squash commits", "Keep answers short")
	given := func(question string) (out []string) {
		got, err := b.Recall(ctx, knowledge.Query{AgentID: "a", Text: question, TopRules: 20,
			Situation: pack.Situation{Pack: pack.GeneralName, Question: question}})
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range got.Rules {
			out = append(out, it.Rule.Action)
		}
		return out
	}
	for _, q := range everydayRequests {
		if got := given(q); !slices.Equal(got, []string{"Keep answers short"}) {
			t.Errorf("%q is given %q", q, got)
		}
	}
	for q, want := range map[string]string{"Install react": "Use pnpm instead of npm",
		"This file has grown to 400 lines": "Split files", "Add a feature to the parser": "Write test first"} {
		if got := given(q); !slices.Contains(got, want) {
			t.Errorf("%q is given %q", q, got)
		}
	}
}
