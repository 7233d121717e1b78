package dataset_test

import (
	"strings"
	"testing"

	"preceptor/internal/dataset"
	"preceptor/internal/pack"
)

// A conversation is as long as its texts, however they are written down.
func TestAConversationIsMeasuredByItsTexts(t *testing.T) {
	s := dataset.DefaultSettings()
	talk := func(n int, text string) error {
		item := dataset.NewItem{Text: dataset.Text{Guidance: "You can."}}
		for range n {
			item.Messages = append(item.Messages, pack.Message{Role: pack.FromAgent, Text: text})
		}
		return item.Prepare(&s)
	}
	quotes := strings.Repeat("\"<\n", 200<<10/3)
	if err := talk(1, quotes); err != nil {
		t.Error(err)
	}
	if err := talk(2, quotes); err == nil || !strings.Contains(err.Error(), "the conversation is too long") {
		t.Errorf("twice that: %v", err)
	}
}
