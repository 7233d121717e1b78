package learning

import (
	"strings"
	"testing"

	"preceptor/internal/llm/llmtest"
	"preceptor/internal/privacy"
)

// TestAFailureIsHeldAgainstABetterText: a rejection that says nothing teaches what approved guidance for a like customer does.
func TestAFailureIsHeldAgainstABetterText(t *testing.T) {
	b := open(t, nil, Policy{})
	rejection := Source{Kind: Reject, Task: dbCustomer.Task, Situation: dbCustomer, Question: dbCustomer.Question, AgentText: draftWithoutWarning, ReasonCode: "other", Reason: "No."}
	alone := b.decide(rejection)
	b.drain()
	if l := b.lesson(alone); l.State != Nothing || strings.Contains(string(l.Steps[0].Input), `"better"`) {
		t.Fatalf("without a like case: %s %q", l.State, l.Outcome)
	}
	like := approval(1)
	like.Situation.Question = dbCustomer.Question + " Is it safe?"
	b.release(b.decide(like))
	b.drain()
	dec := b.decide(rejection)
	b.drain()
	l := b.lesson(dec)
	if !strings.Contains(l.Principle, "guaranteed income for life") || !strings.Contains(string(l.Steps[0].Input), `"from":"case"`) || !strings.Contains(string(l.Steps[0].Output), "Approved guidance for such a customer") {
		t.Errorf("%q %s %s", l.Principle, l.Steps[0].Input, l.Steps[0].Output)
	}
	other := rejection
	other.Situation = cashTaker
	other.Task = cashTaker.Task
	dec = b.decide(other)
	b.drain()
	if l := b.lesson(dec); strings.Contains(string(l.Steps[0].Input), `"better"`) {
		t.Errorf("a customer unlike it was held against it: %s", l.Steps[0].Input)
	}
}

func TestPromptedIsGivenTheBetterText(t *testing.T) {
	script := llmtest.New().On("lesson_reflect", goodReflection())
	s := Source{Kind: Reject, Situation: dbCustomer, AgentText: draftWithoutWarning, Better: &Alternative{From: BetterCase, Number: 7, Text: textWithWarning}}
	if _, err := NewPrompted(script, privacy.New()).Reflect(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if p := script.Asked()[0].Prompt; !strings.Contains(p, "better_alternative") || !strings.Contains(p, "weaker evidence") {
		t.Error("the better text is not in the question")
	}
}
