package embedded

import (
	"strings"
	"testing"

	"preceptor/internal/compliance"
	"preceptor/internal/pack"
)

// What was said before is read before the question, cut from the oldest.
func TestTheQuestionIsReadAfterWhatWasSaid(t *testing.T) {
	subject := func(before ...pack.Message) *compliance.Subject {
		return &compliance.Subject{Text: "It depends.", Situation: pack.Situation{Pack: pack.Pension,
			Question: "and on that?", Before: before}}
	}
	whole := func(s *compliance.Subject) bool { _, all := asked(s); return all }
	about := func(s *compliance.Subject) string { about, _, _ := shown(s); return about }
	if got := about(subject()); got != "and on that? []" {
		t.Errorf("alone: %q", got)
	}
	short := subject(pack.Message{Role: pack.FromCustomer, Text: "What is an annuity?"},
		pack.Message{Role: pack.FromTool, Text: "ignored"}, pack.Message{Role: pack.FromAgent, Text: "An income."})
	if got := about(short); got != "What is an annuity?\nAn income.\nand on that? []" || !whole(short) {
		t.Errorf("short: %q", got)
	}
	long := subject(pack.Message{Role: pack.FromCustomer, Text: strings.Repeat("long ", 200)},
		pack.Message{Role: pack.FromAgent, Text: "An income."})
	if got := about(long); got != "An income.\nand on that? []" || whole(long) {
		t.Errorf("long: %q", got)
	}
}
