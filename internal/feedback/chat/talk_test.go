package chat

import (
	"testing"

	"preceptor/internal/interaction"
)

// Of all that an interaction holds, a customer reads what is released now, and nothing else.
func TestOnlyWhatIsReleasedIsShown(t *testing.T) {
	with := func(status interaction.Status, final string) interaction.Interaction {
		return interaction.Interaction{ID: string(status), Status: status, Guidance: "DRAFT", Reasoning: "WHY",
			Failure: "CAUSE", FinalText: final, Consultation: interaction.Consultation{Question: "Q"}}
	}
	for _, tc := range []struct {
		in   interaction.Interaction
		want Reply
	}{
		{with(interaction.Drafting, ""), Reply{State: Checking}},
		{with(interaction.Waiting, ""), Reply{State: Checking}},
		{with(interaction.Held, ""), Reply{State: Checking}},
		{with(interaction.Returned, ""), Reply{State: Checking}},
		{with(interaction.Released, "SENT"), Reply{State: Answered, Text: "SENT"}},
		{with(interaction.Waiting, "OLD"), Reply{State: TakenBack}},
		{with(interaction.Held, "OLD"), Reply{State: TakenBack}},
		{with(interaction.Escalated, "OLD"), Reply{State: Declined}},
		{with(interaction.Escalated, ""), Reply{State: Declined}},
		{with(interaction.Failed, ""), Reply{State: Failed}},
		{with(interaction.Expired, ""), Reply{State: Late}},
		{with(interaction.Withdrawn, ""), Reply{State: Ended}},
		{with(interaction.Closed, ""), Reply{State: Ended}},
	} {
		tc.want.ID, tc.want.Question = tc.in.ID, "Q"
		if got := replyOf(&tc.in); got != tc.want {
			t.Errorf("%s: %+v, want %+v", tc.in.Status, got, tc.want)
		}
	}
}

// What was sent back and written anew is one turn, in its place; what an agent only did is none.
func TestAVersionWrittenAnewTakesThePlaceOfTheOneBefore(t *testing.T) {
	list := []interaction.Interaction{ // newest first
		{ID: "c", Status: interaction.Released, FinalText: "third", Revises: "b"},
		{ID: "b", Status: interaction.Returned, Revises: "a"},
		{ID: "d", Status: interaction.Released, FinalText: "acted", NoText: true},
		{ID: "x", Status: interaction.Waiting},
		{ID: "a", Status: interaction.Returned},
	}
	got := replies(list)
	if len(got) != 2 || got[0].ID != "c" || got[0].Text != "third" || got[1].ID != "x" {
		t.Errorf("%+v", got)
	}
}
