package interaction_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// conversation is a talk of three turns, with a tool used for the last.
func conversation() []interaction.Message {
	return []interaction.Message{
		{Role: "user", Text: "My works pension is final salary.", At: time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)},
		{Role: "assistant", Text: "Thank you. What would you like to know?"},
		{Role: "user", Text: "And the tax on that?"},
		{Role: "tool", Tool: "lookup", Text: "40%"},
	}
}

func talking(question string, messages []interaction.Message) interaction.Submission {
	sub := submission()
	sub.Consultation.Question, sub.Consultation.Messages, sub.Consultation.Thread = question, messages, "talk-7"
	return sub
}

// The question is the last of the customer's messages, whichever of the two was sent.
func TestAConversationIsKeptWithItsQuestion(t *testing.T) {
	d := open(t)
	for name, c := range map[string]struct {
		question string
		turn     int
		last     string // of the customer
		asked    string
	}{
		"messages alone":        {"", 2, "And the tax on that?", "And the tax on that?"},
		"both, the same":        {"And the tax on that? ", 2, "And the tax on that? ", "And the tax on that? "},
		"a question of its own": {"Yes, do that", 3, "Yes, do that", "Yes, do that"},
	} {
		rec, err := d.Submit(ctx, talking(c.question, conversation()), nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := d.get(t, rec.ID).Consultation
		if got.Question != c.asked || got.Turn() != c.turn || got.Thread != "talk-7" {
			t.Errorf("%s: %q, turn %d, thread %q", name, got.Question, got.Turn(), got.Thread)
		}
		if m := got.Messages[0]; m.Role != pack.FromCustomer || m.At.Hour() != 9 {
			t.Errorf("%s: the first message is %+v", name, m)
		}
		if before := got.Before(); before[len(before)-1].Text == c.last {
			t.Errorf("%s: the question stands before itself", name)
		}
		if !strings.Contains(got.Situation().Thread, "final salary") {
			t.Errorf("%s: the facts don't know what was said before: %q", name, got.Situation().Thread)
		}
	}
}

func TestTheHashOfAConversationIsInTheLog(t *testing.T) {
	d := open(t)
	rec, err := d.Submit(ctx, talking("", conversation()), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := interaction.TextHash(d.get(t, rec.ID).Consultation.Talk())
	if n := d.count(t, `SELECT COUNT(*) FROM audit_content
		WHERE content LIKE '%"messages_hash":"'||$1||'"%'`, want); n != 1 {
		t.Errorf("%d rows have the hash of the conversation, want 1", n)
	}
}

func TestAConversationThatIsTooLongIsRefused(t *testing.T) {
	d := open(t)
	many := make([]interaction.Message, interaction.MaxMessages+1)
	for i := range many {
		many[i] = interaction.Message{Role: "customer", Text: fmt.Sprint("message ", i)}
	}
	asked := talking("And the tax on that?", many[1:])
	_, err := d.Submit(ctx, asked, nil)
	if f := fault.Fields(err); len(f) != 1 || f[0].Msg != "Send at most the last 200 messages, the question included." {
		t.Errorf("200 messages and a question: %v", f)
	}
	for name, c := range map[string]struct {
		list        []interaction.Message
		field, word string
	}{
		"too many":     {many, "/consultation/messages", "at most the last 200"},
		"too long":     {[]interaction.Message{{Role: "customer", Text: strings.Repeat("é", 103<<10)}, {Role: "customer", Text: "q"}}, "/consultation/messages", "204800 bytes"},
		"nobody":       {[]interaction.Message{{Role: "system", Text: "x"}, {Role: "user", Text: "q"}}, "/consultation/messages/0/role", "customer, agent, tool"},
		"nothing said": {[]interaction.Message{{Role: "agent", Text: " "}, {Role: "user", Text: "q"}}, "/consultation/messages/0/text", "what was said"},
	} {
		_, err := d.Submit(ctx, talking("", c.list), nil)
		if f := fault.Fields(err); len(f) != 1 || f[0].Name != c.field || !strings.Contains(f[0].Msg, c.word) {
			t.Errorf("%s: %v", name, f)
		}
	}
	kept, left := interaction.LastOf(many)
	if len(kept) != interaction.MaxMessages || left != 1 || kept[0].Text != "message 1" {
		t.Errorf("kept %d, left %d", len(kept), left)
	}
	if _, err := d.Submit(ctx, talking("", kept), nil); err != nil {
		t.Errorf("what LastOf keeps is refused: %v", err)
	}
}

func TestAConversationIsErased(t *testing.T) {
	d := open(t)
	rec, err := d.Submit(ctx, talking("", conversation()), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.db.Write(ctx, func(tx *db.Tx) error { _, err := d.EraseTx(tx, rec.ID, robot); return err }); err != nil {
		t.Fatal(err)
	}
	if n := d.count(t, `SELECT COUNT(*) FROM interaction WHERE messages <> '' OR thread <> ''`); n != 0 {
		t.Errorf("%d conversations are left", n)
	}
}

func TestAConversationInAnyShapeIsRead(t *testing.T) {
	got := pack.MessagesLoosely([]byte(`[{"role":"system","content":"Be kind."},{"from":"human","text":"Hi"},
		{"role":"assistant","content":[{"type":"text","text":"Hello."},{"type":"text","text":"How can I help?"}]},
		{"role":"function","name":"rates","content":"4%"}]`))
	want := "[{customer Hi} {agent Hello.\nHow can I help?} {tool 4% rates}]"
	var said []string
	for _, m := range got {
		said = append(said, "{"+strings.TrimSpace(m.Role+" "+m.Text+" "+m.Tool)+"}")
	}
	if fmt.Sprint(said) != want {
		t.Errorf("read %v, want %s", said, want)
	}
	if got := pack.MessagesLoosely([]byte(`"hello"`)); got != nil {
		t.Errorf("read %v of a text", got)
	}
}

// However much followed it, the question is among what is kept, and what is kept is taken.
func TestTheQuestionIsAlwaysKept(t *testing.T) {
	tool := interaction.Message{Role: pack.FromTool, Tool: "look", Text: strings.Repeat("x", 3000)}
	for name, list := range map[string][]interaction.Message{
		"many tools after it": append([]interaction.Message{{Role: pack.FromAgent, Text: "Hello."},
			{Role: pack.FromCustomer, Text: "What now?"}}, slices.Repeat([]interaction.Message{tool}, 300)...),
		"short ones": append([]interaction.Message{{Role: pack.FromCustomer, Text: "What now?"}},
			slices.Repeat([]interaction.Message{{Role: pack.FromTool, Tool: "look"}}, 300)...),
		"many before it": append(slices.Repeat([]interaction.Message{{Role: pack.FromAgent, Text: "Hm."}}, 300),
			interaction.Message{Role: pack.FromCustomer, Text: "What now?"}),
	} {
		kept, left := interaction.LastOf(list)
		c := interaction.Consultation{Question: "What now?", Messages: kept}
		if wrong := c.Converse(""); len(wrong) > 0 || len(kept)+left != len(list) || c.Turn() != 1 {
			t.Errorf("%s: %d kept, %d left of %d, turn %d: %v", name, len(kept), left, len(list), c.Turn(), wrong)
		}
	}
}

// A question that names no topic has the one of what it refers to: the message before it, or the answer to that. One
// that names its own keeps it.
func TestTheTopicOfAConversation(t *testing.T) {
	d := open(t)
	for _, c := range []struct {
		said []string // by customer and agent in turn, the question last
		want pack.Task
	}{
		{[]string{"Should I transfer out of my final salary pension?", "Shall I explain?", "Yes, do that"},
			pack.DBTransfer},
		{[]string{"Hello", "Do you want to know about lump sum death benefits?", "Yes please"}, pack.DeathBenefits},
		{[]string{"Should I transfer out of my final salary pension?", "It depends.", "How do I complain about you?"},
			pack.Complaints},
		{[]string{"Hello", "Hi.", "And if I'm married?"}, pack.General},
	} {
		sub := submission()
		sub.Consultation.TaskType, sub.Consultation.Question, sub.Consultation.Messages = "", "", nil
		for i, text := range c.said {
			sub.Consultation.Messages = append(sub.Consultation.Messages,
				interaction.Message{Role: []string{"user", "assistant"}[i%2], Text: text})
		}
		rec, err := d.Submit(ctx, sub, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.get(t, rec.ID).Consultation.TaskType; got != c.want {
			t.Errorf("%q is about %s, want %s", c.said, got, c.want)
		}
	}
}

// Which message a draft answers goes on where agents send only the latest messages, or the last alone. A request that is
// sent again answers the same.
func TestTheTurnGoesOnInAWindow(t *testing.T) {
	said := func(texts ...string) (list []interaction.Message) {
		for i, text := range texts {
			role := pack.FromCustomer
			if (len(texts)-i)%2 == 0 {
				role = pack.FromAgent
			}
			list = append(list, interaction.Message{Role: role, Text: text})
		}
		return list
	}
	of := func(texts ...string) interaction.Consultation {
		return interaction.Consultation{Question: texts[len(texts)-1], Messages: said(texts...)}
	}
	alone := func(text string) interaction.Consultation { return interaction.Consultation{Question: text} }
	for name, c := range map[string]struct {
		old, now   interaction.Consultation
		turn, want int
	}{
		"a window":                 {of("C", "A", "C2"), of("C2", "A2", "C3"), 2, 3},
		"a window of the same":     {of("C", "A", "yes"), of("yes", "A2", "yes"), 7, 8},
		"a window, nothing shared": {of("C", "A", "C2"), of("C4", "A4", "C5"), 2, 3},
		"the last replaced":        {of("C", "A", "C2"), of("C", "A", "C3"), 2, 3},
		"the question alone":       {alone("C"), alone("C2"), 4, 5},
		"the whole of it":          {of("C"), of("C", "A", "C2", "A2", "C3"), 1, 3},
		"said twice":               {of("C"), of("C", "A", "C"), 1, 2},
		"again":                    {of("C", "A", "C2"), of("C", "A", "C2"), 5, 5},
		"again, the answer edited": {of("C", "A", "C2"), of("C", "B", "C2"), 2, 2},
		"again, alone":             {alone("C"), alone(" C "), 3, 3},
		"late":                     {of("C", "A", "C2", "A2", "C3"), of("C", "A", "C2"), 3, 2},
		"late, in a window":        {of("C2", "A2", "C3"), of("C", "A", "C2"), 9, 8},
	} {
		if got := c.now.After(c.old, c.turn); got != c.want {
			t.Errorf("%s: turn %d, want %d", name, got, c.want)
		}
	}
}
