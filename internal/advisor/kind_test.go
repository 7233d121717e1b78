package advisor

import (
	"os"
	"strings"
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
)

// A complaint, a death, an illness and "do it for me" get what people in that place need, from the section that has it
// though the question is all story, and what is told is told once.
func TestAKindOfQuestionGetsItsKindOfAnswer(t *testing.T) {
	b := newBench(t, Embedded{})
	if _, err := b.kb.Import(ctx, os.DirFS("../demo/guidance"), knowledge.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	unknown := pack.Of(pack.Pension).Frames.Unknown
	for question, c := range map[string]struct {
		says, not string
		age       int
	}{
		"Your adviser was rude to my mother and gave her the wrong form twice. Who do I complain to?": {
			"The provider has eight weeks to answer.", "To complain, write to the firm", 45},
		"You took too much tax off my lump sum and I want to complain about how you dealt with it.": {
			"A complaint goes to the provider first", "tax-free cash", 57},
		"My husband died three weeks ago. He had a pension with his old firm. What happens to it?": {
			"Each provider of a pension has to be told", unknown, 63},
		"My wife has died and I keep getting letters about her drawdown pot. I can't face it. What do I need to do?": {
			"Tell Us Once, a free government service", unknown, 71},
		"I've been told my cancer is terminal. Can I take all of my pension at once?": {
			"expected to live less than a year", "", 49},
		"I've had a stroke and can't go back to work. I'm 51. Can I get my company pension now?": {
			"People who are too ill to work", unknown, 51},
		"Please transfer my two old pensions into my new workplace one for me.": {
			"ask your provider for its form", unknown, 41},
		"Fill in the form for my State Pension for me, I'm no good with computers.": {
			"ring the Pension Service", "only your provider", 66},
	} {
		d, err := b.service.Answer(ctx, "agent-1", pack.Situation{Pack: pack.Pension, Question: question, Age: c.age})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(d.Text, c.says) || c.not != "" && strings.Contains(d.Text, c.not) {
			t.Errorf("%s\n%s", question, d.Text)
		}
	}
}
