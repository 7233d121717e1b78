package nightly_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/approval"
	"preceptor/internal/feedback"
	"preceptor/internal/feedback/nightly"
	"preceptor/internal/interaction"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/hook/hooktest"
	"preceptor/internal/platform/job"
)

var ctx = context.Background()

type night struct {
	*nightly.Batch
	book  *feedback.Book
	db    *db.DB
	clock *dbtest.Clock
}

func open(t testing.TB) *night {
	t.Helper()
	k := &night{clock: dbtest.NewClock()}
	k.db = dbtest.NewAt(t, k.clock)
	log := slog.New(slog.DiscardHandler)
	k.book = feedback.New(k.db, interaction.New(k.db, job.New(k.db, log), hooktest.Late(&interaction.Hooks{}), log),
		embedded.New(), feedback.Settings{},
		hooktest.Late(&feedback.Hooks{Clean: func(_ feedback.Subject, text string) string { return text }}), log)
	london, err := time.LoadLocation("Europe/London")
	if err != nil {
		t.Fatal(err)
	}
	k.Batch = nightly.New(k.db, k.book, approval.New(k.db, hooktest.Late(&approval.Hooks{})), london,
		hooktest.Late(&nightly.Hooks{AgentName: func(_ context.Context, agentID string) (string, error) {
			return agentID, nil
		}, Agents: func(context.Context) (map[string]string, error) { return nil, nil }}), log)
	return k
}

// answers logs n answers of a kind and has each voted on once.
func (k *night) answers(t testing.TB, n int, response string, value float64) {
	t.Helper()
	for i := range n {
		id, err := k.book.Log(ctx, feedback.Observation{AgentID: "a", AgentName: "Tutor", AgentType: "tutor",
			Query: fmt.Sprintf("Question %d on cell %d?", i, i*7), Response: response + fmt.Sprint(" ", i),
			Topic: "Cells"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := k.book.Vote(ctx,
			feedback.Vote{SubjectID: id, UserID: "u", Kind: feedback.Thumbs, Value: value,
				Channel: feedback.ChannelAPI}); err != nil {
			t.Fatal(err)
		}
	}
}

const (
	withExample = "A cell is like a small room. For example, a leaf is built of thousands of them."
	without     = "The cell constitutes the fundamental structural and functional unit of organisms in general."
)

func TestANightIsSummedUpOnce(t *testing.T) {
	k := open(t)
	k.answers(t, 25, withExample, 1)
	k.answers(t, 25, without, -1)
	if err := k.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if list, _, err := k.Nights(ctx, ""); err != nil || len(list) != 0 {
		t.Fatalf("the day is not over: %+v %v", list, err)
	}
	k.clock.Advance(24 * time.Hour)
	for range 2 {
		if err := k.Run(ctx); err != nil {
			t.Fatal(err)
		}
	}
	list, next, err := k.Nights(ctx, "")
	if err != nil || len(list) != 1 || next != "" {
		t.Fatalf("%+v %v", list, err)
	}
	n := list[0]
	rate, ok := n.Share()
	if n.Day != "2026-11-02" || n.Interactions != 50 || n.Positive != 25 || n.Negative != 25 || !ok || rate != 0.5 ||
		len(n.Patterns) == 0 || !n.Patterns[0].Sure() {
		t.Errorf("%+v", n)
	}
}

// A day is a day of the desk: half past midnight in London in summer is half past eleven the evening before in UTC.
func TestADayIsOfTheDesksZone(t *testing.T) {
	k := open(t)
	london, _ := time.LoadLocation("Europe/London")
	at := time.Date(2026, 10, 31, 23, 30, 0, 0, london) // winter: the same in UTC
	id, err := k.book.Log(ctx, feedback.Observation{AgentID: "a", AgentType: "tutor", Query: "q", Response: "r",
		At: at})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.book.Vote(ctx, feedback.Vote{SubjectID: id, UserID: "u", Kind: feedback.Rating, Value: 8,
		Channel: feedback.ChannelAPI, At: at.Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	if err := k.Run(ctx); err != nil {
		t.Fatal(err)
	}
	list, _, err := k.Nights(ctx, "")
	if err != nil || len(list) != 2 || list[0].Day != "2026-11-01" || list[0].Positive != 1 ||
		list[0].Interactions != 0 || list[1].Day != "2026-10-31" || list[1].Interactions != 1 {
		t.Errorf("%+v %v", list, err)
	}
}

func TestPatternsNeedEnoughAnswersAndAClearDifference(t *testing.T) {
	sample := func(n int, text string, liked bool) (list []feedback.Sample) {
		for range n {
			list = append(list, feedback.Sample{Query: "What is a cell?", Response: text, Liked: liked})
		}
		return list
	}
	if got := nightly.Find(append(sample(19, withExample, true), sample(30, without, false)...), 1); got != nil {
		t.Errorf("of too few: %+v", got)
	}
	alike := nightly.Find(append(sample(30, withExample, true), sample(30, withExample, false)...), 1)
	if len(alike) == 0 {
		t.Error("nothing was counted")
	}
	for _, p := range alike {
		if p.Low > 0 || p.High < 0 || p.Liked != p.Disliked || p.OfLiked != p.OfDis {
			t.Errorf("%+v", p)
		}
	}
	turned := nightly.Find(append(sample(30, without, true), sample(30, withExample, false)...), 28)
	if i := slices.IndexFunc(turned, func(p nightly.Pattern) bool { return p.Feature == "example" }); i < 0 ||
		turned[i].High >= 0 || turned[i].Disliked != 30 {
		t.Errorf("%+v", turned)
	}
}

func TestFeatures(t *testing.T) {
	has := map[string][2]string{ // an answer with it, one without it
		"question": {"It is so. Does that help?", "Does that help? It is so."},
		"example":  {"Fruit such as apples.", "Fruit."},
		"list":     {"Do this:\n1. Sit\n2. Stand", "Do this:\n1. Sit"},
		"short":    {"Short.", strings.Repeat("long ", 121)},
		"plain":    {"It is so. It was so.", strings.Repeat("word ", 17) + "."},
		"first":    {"Pension cash is a quarter. More follows.", "Good day. Pension cash is a quarter."},
		"figure":   {"It is £ 30,000.", "It is much."},
		"help":     {"Ask MoneyHelper.", "Ask somebody."},
		"feeling":  {"I'm sorry to hear that.", "Here are facts."},
		"hedge":    {"As an AI I cannot say.", "It is so."},
	}
	for _, f := range nightly.Features {
		c, ok := has[f.Name]
		if !ok {
			t.Errorf("%s has no case here", f.Name)
			continue
		}
		if !f.Has("How much pension cash may I take?", c[0]) || f.Has("How much pension cash may I take?", c[1]) {
			t.Errorf("%s: %v for %q, %v for %q", f.Name, f.Has("How much pension cash may I take?", c[0]), c[0],
				f.Has("How much pension cash may I take?", c[1]), c[1])
		}
	}
}
