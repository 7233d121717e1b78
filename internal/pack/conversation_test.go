package pack

import "testing"

func TestAQuestionInItsConversation(t *testing.T) {
	s := Situation{Question: "and the tax on that?", Before: []Message{
		{Role: FromCustomer, Text: "I'm married."}, {Role: FromAgent, Text: "Go on."},
		{Role: FromCustomer, Text: "What is an annuity?"}, {Role: FromTool, Tool: "lookup", Text: "annuity"}}}
	if got, want := s.InTalk(), "What is an annuity?\nand the tax on that?"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := s.Said(), "I'm married.\nWhat is an annuity?\nand the tax on that?"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	s.Before = nil
	if s.InTalk() != s.Question || s.Said() != s.Question || s.Previous() != "" {
		t.Error("a question without a conversation isn't read as it stands")
	}
}
