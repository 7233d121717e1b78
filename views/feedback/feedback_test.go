package feedback

import (
	"slices"
	"testing"

	"preceptor/internal/feedback"
)

// Topics stand by their names: death_benefits and "tax free cash" were read as they are stored.
func TestTopicsHaveNames(t *testing.T) {
	list := topicOptions([]string{"death_benefits", "tax_free_cash", "Photosynthesis", "übung_macht"}, feedback.NoTopic)
	var labels, values []string
	for _, o := range list {
		labels, values = append(labels, o.Label), append(values, o.Value)
	}
	if want := []string{"All topics", "Death benefits", "No topic", "Photosynthesis", "Tax-free cash",
		"Übung macht"}; !slices.Equal(labels, want) {
		t.Errorf("the topics are called %q, want %q", labels, want)
	}
	if !slices.Contains(values, "death_benefits") || !slices.Contains(values, feedback.NoTopic) {
		t.Errorf("they are chosen by %q", values)
	}
	if got := about("pension-chat", "tax_free_cash"); got != "pension-chat, Tax-free cash" {
		t.Error(got)
	}
}

// Whoever has no name any more is not shown by the id of a row, nor as nothing before a comma.
func TestWhoIsErasedHasNoName(t *testing.T) {
	for _, got := range []string{voter(feedback.Vote{ID: "v1", UserID: "v1"}), voter(feedback.Vote{ID: "v1"}),
		One{}.by(feedback.Outcome{Channel: feedback.ChannelLink})} {
		if got != nobody {
			t.Errorf("an erased user is called %q", got)
		}
	}
	if got := voter(feedback.Vote{ID: "v1", UserID: "u1"}); got != "u1" {
		t.Error(got)
	}
}

// What is shown instead is said once, after all that is wrong.
func TestWhatCanNotBeReadIsSaid(t *testing.T) {
	got := saidOf(map[string]string{"from": "a", "to": "b", "cursor": "c"},
		append(unreadDays[:2:2], unreadSign, unreadCursor)...)
	if want := []string{"From: a", "To: b", "c", "Showing all dates.", "This is the first page."}; !slices.Equal(got,
		want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := saidOf(nil, unreadSign); len(got) != 0 {
		t.Errorf("nothing is wrong, and %q is said", got)
	}
}
