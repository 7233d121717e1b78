package demo_test

import (
	"testing"
	"time"

	"preceptor/internal/app"
	"preceptor/internal/demo"
	"preceptor/internal/feedback"
	"preceptor/internal/knowledge"
	"preceptor/internal/search"
)

// A manager who reads what unhappy users of last week wrote about the topic that fell finds one rule behind the
// answers, which was accepted just before; and the weeks before, and the other topics, are well.
func dipHasACause(t *testing.T, a *app.App) {
	ctx := t.Context()
	now := a.DB.Now()
	before, err := a.Feedback.DaysOf(ctx, now.AddDate(0, 0, -29), now.AddDate(0, 0, -9))
	if err != nil {
		t.Fatal(err)
	}
	since, err := a.Feedback.DaysOf(ctx, now.AddDate(0, 0, -7), now)
	if err != nil {
		t.Fatal(err)
	}
	if was, is := rate(t, before), rate(t, since); was < 0.8 || is > was-0.08 {
		t.Errorf("satisfaction was %.2f and is %.2f", was, is)
	}
	page, err := a.Feedback.Comments(ctx,
		feedback.CommentFilter{AgentType: demo.ChatType, Topic: demo.DipTopic, Sign: feedback.Negative,
			From: now.AddDate(0, 0, -7)})
	if err != nil || len(page.Items) < 5 {
		t.Fatalf("%d unhappy comments, %v", len(page.Items), err)
	}
	rules := map[string]int{}
	for _, c := range page.Items {
		used, err := a.Knowledge.Usage(ctx, c.SubjectID)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range used {
			if u.Kind == search.KindRule {
				rules[u.ID]++
			}
		}
	}
	if len(rules) != 1 {
		t.Fatalf("%d rules stand behind %d comments", len(rules), len(page.Items))
	}
	for id := range rules {
		r, err := a.Knowledge.Rule(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if age := now.Sub(r.CreatedAt); r.Status != knowledge.Active || age < 7*24*time.Hour || age > 9*24*time.Hour {
			t.Errorf("%s is %s and of %s ago", r.Label(), r.Status, age)
		}
	}
	list, err := a.Feedback.Examples(ctx, feedback.Ask{AgentType: demo.ChatType, Limit: feedback.MaxExamples})
	if err != nil || len(list) < 5 {
		t.Errorf("%d examples, %v", len(list), err)
	}
	if nights, _, err := a.Nightly.Nights(ctx, ""); err != nil || len(nights) < 5 {
		t.Errorf("%d nights, %v", len(nights), err)
	}
}

func rate(t *testing.T, days []feedback.Day) float64 {
	t.Helper()
	for _, d := range days {
		if d.AgentType == demo.ChatType {
			return float64(d.Positive) / float64(d.Positive+d.Negative)
		}
	}
	t.Fatal("the chat was not judged")
	return 0
}
