package pack

import (
	"slices"
	"strings"
	"testing"
)

// A fact that takes two people comes from everything that was said, and where nothing rules it out it takes two.
func TestWhatTakesTwo(t *testing.T) {
	dc, mixed := Situation{HasDC: true}, Situation{HasDC: true, Unclear: true}
	for _, c := range []struct {
		name             string
		s                Situation
		question, thread string
		text             string
		want             string
	}{
		{"guidance alone", Situation{}, "Is this right for me?", "",
			"Giving up your final salary pension means that you leave the scheme for good.", "db_pension db_transfer"},
		{"question alone", Situation{}, "Should I give up my final salary pension?", "", "Here is the form.",
			"db_pension db_transfer"},
		{"an earlier turn", Situation{}, "OK, how do I do that?", "I want to transfer my NHS pension.",
			"Sign the form and post it.", "db_pension db_transfer"},
		{"profile and question", Situation{HasDB: true}, "Can I move it to a SIPP?", "", "Yes, here is how.",
			"db_pension db_transfer"},
		{"the agent's task", Situation{HasDC: true, Task: DBTransfer}, "How much is tax free?", "", "A quarter is.",
			"db_pension db_transfer"},
		{"a profile that the guidance belies", dc, "What should I do?", "",
			"Your final salary pension can be transferred to us.", "db_pension db_transfer"},
		{"nothing says anything", Situation{}, "What now?", "", "Sign here and send it back.", "maybe_db_transfer"},
		{"moving what nobody named", Situation{}, "Can I move my pension?", "", "Yes. Fill in the transfer form.",
			"maybe_db_transfer"},
		{"one pension of an unknown kind", mixed, "Can I combine my pots?", "", "Yes, into one plan.",
			"maybe_db_transfer"},
		{"a DB member, and no telling what of", Situation{HasDB: true}, "What now?", "", "Sign here.",
			"db_pension maybe_db_transfer"},
		{"the profile rules it out", dc, "Can I combine my pots?", "",
			"Yes, unless one of them is a defined benefit pension.", ""},
		{"one more than the profile lists", dc, "I also have a final salary pension. Can I move it into my SIPP?", "",
			"Yes. It takes six weeks.", "db_pension db_transfer"},
		{"one of them", dc, "One of them is from the council, a final salary one. How do I transfer it out?", "",
			"Fill in the form.", "db_pension db_transfer"},
		{"one of them, asked of before", dc, "Actually one of them is final salary.", "Which one do I move?",
			"The first one. Fill in the form.", "db_pension maybe_db_transfer"},
		{"named before", dc, "How do I transfer it out?", "There's a defined benefit one, too.", "Fill in the form.",
			"db_pension db_transfer"},
		{"named, and nobody asks to move", dc, "What is a final salary pension?", "", "Fill in the transfer form.",
			"maybe_db_transfer"},
		{"told of beside another question", dc, "I still have a final salary pension. When can I take tax-free cash?", "",
			"A quarter is tax free.", "db_pension"},
		{"told of before", dc, "When can I take tax-free cash?", "I also have a small final salary pension at work.",
			"A quarter is tax free.", "db_pension"},
		{"supposed", dc, "If I had a final salary pension, would cash be different?", "", "A quarter is tax free.",
			"maybe_db_transfer"},
		{"they have none", dc, "I don't have a final salary pension. Can I combine my pots?", "", "Yes.", ""},
		{"the question rules it out", Situation{}, "When do I get my State Pension?", "", "At 67.", ""},
		{"the guidance rules it out", Situation{}, "Could you help?", "",
			"Your State Pension begins at 67; ask for a State Pension forecast.", ""},
		{"a DB member asks for something else", Situation{HasDB: true}, "When do I get my State Pension?", "", "At 67.",
			"db_pension"},
		{"bereaved", dc, "My husband died last month. Can I have his pot?", "", "Yes.", "vulnerable"},
		{"the guidance knows of it", dc, "Can I have the pot?", "", "We are sorry for your loss. You can take it.",
			"vulnerable"},
		{"furniture", Situation{Pack: GeneralName}, "Can I transfer my final salary pension?", "", "We sell sofas.",
			""},
	} {
		s := c.s
		s.Question, s.Thread = c.question, c.thread
		if c.thread != "" {
			s.Before = []Message{{Role: FromCustomer, Text: c.thread}}
		}
		s = s.Known()
		if got := strings.Join(s.Facts(Of(s.Pack).Phrases().ReadText(c.text, nil)), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	for _, p := range All() {
		for _, two := range p.TakesTwo {
			for _, class := range slices.Concat(two.Own, two.Named, two.Acts) {
				p.Phrases().Find(class) // panics where there is none
			}
		}
	}
}

// Who is vulnerable is read from their own words in every domain. Outside pensions a word has to name a person: devices
// die as well, leather is distressed and accounts are disabled.
func TestVulnerableInAnyTrade(t *testing.T) {
	for words, want := range map[string]bool{
		"My husband died last week and I have debts. Can I send the sofa back?":                         true,
		"I ordered for my mother, who has dementia, and my wife passed away. Where is it?":              true,
		"I'm in hospital with cancer and in debt. Can I pay later?":                                     true,
		"I am blind, live alone since my husband died, and I have severe depression.":                   true,
		"My father-in-law has just died, so we no longer need the recliner.":                            true,
		"I've been diagnosed with MS. Does the armchair lift?":                                          true,
		"My daughter is autistic. Can the drivers be quiet?":                                            true,
		"My doctor says I have only got a year left to live.":                                           true,
		"I need £20,000 a year to live on.":                                                             false,
		"I can't cope any more.":                                                                        true,
		"I can't drive to you any more after my stroke.":                                                true,
		"He doesn't know where I am. My ex was violent. Please don't write to the flat.":                true,
		"My laptop has just died, and my phone is dying.":                                               false,
		"I love the distressed leather. Is the blind for the window included?":                          false,
		"There's a deep depression in the cushion of my son's chair.":                                   false,
		"My account is disabled and I'm desperate: the delivery is tomorrow!":                           false,
		"I lost my order number. Can you diagnose the fault?":                                           false,
		"Good grief, the colours! I'm colour-blind, which one is green?":                                false,
		"My dog was very ill on the rug and has cancer. How do I clean it?":                             false,
		"The man from the hospice shop won't take our settee. It is a funeral business.":                false,
		"My son said the frame died within a year, and I have a grievance about your two-stroke mower.": false,
	} {
		s := Situation{Pack: GeneralName, Question: words}.Known()
		facts := s.Facts(Of(s.Pack).Phrases().ReadText("Here is how.", nil))
		if slices.Contains(facts, Vulnerable) != want || s.Fragile() != want {
			t.Errorf("%q: %v, want %v", words, facts, want)
		}
	}
	told := Of(GeneralName).Phrases().ReadText("We are sorry for your loss. The sofa can be returned.", nil)
	if facts := (Situation{Pack: GeneralName}).Facts(told); !slices.Contains(facts, Vulnerable) {
		t.Errorf("an answer that knows of it: %v", facts)
	}
}
