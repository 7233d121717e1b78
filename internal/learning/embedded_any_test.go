package learning

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/pack"
)

// fragments are what reviewers, customers and attackers write, to be put together in any order.
var fragments = []string{"You should transfer now. ", "Some people transfer", ", because ", " since ", "When the customer ", "when , ", "if", " unless ", "mention that ", "never say ",
	"“pot”", "'fund' ", "\"x", "’", "instead of ", " rather than ", "£30,000", "£", "25%", "5 April 2026", " 55", "[NAME-1] ", "[PHONE-2]", "\x00", "\xff\xfe", "\u202e", "😀", "\n\n- ", "|a|b|",
	"<script>", "guarantee", " defined benefit ", "DB", "the customer has ", "add ", "Missing ", "no mention of ", "forgot to ", ".", "?", "!", ";", ":", "  ", "a", "I", "warn about ", "risk ", "tax ", "jargon",
	"A defined benefit pension pays a guaranteed income for life. If you transfer it, you lose that guarantee. ", strings.Repeat("long ", 60), strings.Repeat("x", 300)}

func TestAnyTextIsBorne(t *testing.T) {
	e := testReasoner()
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.Custom(func(rt *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(fragments), rapid.String()), 0, 12).Draw(rt, "parts"), "")
		})
		s := Source{Kind: rapid.SampledFrom([]string{Revise, Reject}).Draw(rt, "kind"), DecisionID: "any", Task: rapid.SampledFrom([]string{"", "odd task", pack.TaxFreeCash, pack.DBTransfer}).Draw(rt, "task"),
			AgentText: text.Draw(rt, "agent"), Reason: text.Draw(rt, "reason"), Feedback: text.Draw(rt, "feedback"), ReasonCode: rapid.SampledFrom([]string{"", "other", "missing_warning"}).Draw(rt, "code"),
			Situation: pack.Situation{Question: text.Draw(rt, "question"), HasDB: rapid.Bool().Draw(rt, "db"), DBValue: 30_000, Age: 55, Literacy: rapid.SampledFrom([]string{"", "low", "high"}).Draw(rt, "literacy")}}
		if s.Kind == Revise {
			s.HumanText = text.Draw(rt, "human")
		}
		outcome, r, rule, j := walk(t, e, s, nil)
		if again, _, rule2, _ := walk(t, e, s, nil); again != outcome || rule2 != rule {
			rt.Fatalf("not steady: %s %q, then %s %q", outcome, rule, again, rule2)
		}
		if j.Accept && (hasToken(rule) || strings.Contains(rule, "\n")) {
			rt.Fatalf("a rule that should not be: %q", rule)
		}
		if !r.Nothing && t.Failed() {
			rt.Fatalf("failed on %+v", s)
		}
	})
}

// TestHugeTextsAreReadInReasonableTime compares two texts of 200 kB that have little in common.
func TestHugeTextsAreReadInReasonableTime(t *testing.T) {
	var a, b strings.Builder
	for i := range 12_000 {
		a.WriteString("word" + itoa(i*7919%10_007) + " of it. ")
		b.WriteString("term" + itoa(i*104_729%9_973) + " or so. ")
	}
	s := Source{Kind: Revise, DecisionID: "huge", Situation: cashTaker, AgentText: a.String(), HumanText: b.String(), Reason: a.String(), Feedback: b.String()}
	if outcome, _, _, _ := walk(t, testReasoner(), s, nil); outcome == "" {
		t.Error("no outcome")
	}
}
