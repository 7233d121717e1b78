package interaction

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// Message is one message of a consultation's conversation.
type Message = pack.Message

// The limits of a conversation: messages, and bytes of all their texts together.
const (
	MaxMessages = 200
	MaxTalk     = 200 << 10
	maxThread   = 200
	maxToolName = 200
)

// Converse is Messages and Question in their one form, and what is wrong with the messages, by pointers below at.
func (c *Consultation) Converse(at string) []fault.Field {
	c.fitMessages()
	return c.checkMessages(at)
}

// fitMessages gives the conversation its one form: roles by our names, the question as the last of the customer's.
// Either may be left out: of messages alone the customer's last is the question, and a question that isn't among them
// comes after them.
func (c *Consultation) fitMessages() {
	if len(c.Messages) == 0 {
		c.Messages = nil
		return
	}
	c.Messages = slices.Clone(c.Messages)
	for i := range c.Messages {
		m := &c.Messages[i]
		if role, ok := pack.RoleOf(m.Role); ok {
			m.Role = role
		}
		m.Text, m.Tool = strings.ToValidUTF8(m.Text, "\uFFFD"), strings.ToValidUTF8(m.Tool, "\uFFFD")
	}
	last := c.asked()
	switch {
	case c.Question == "" && last >= 0:
		c.Question = c.Messages[last].Text
	case strings.TrimSpace(c.Question) == "":
	case last < 0 || strings.TrimSpace(c.Messages[last].Text) != strings.TrimSpace(c.Question):
		c.Messages = append(c.Messages, Message{Role: pack.FromCustomer, Text: c.Question})
	default:
		c.Messages[last].Text = c.Question
	}
}

// asked is the place of the question: the customer's last message. -1 where they said nothing.
func (c Consultation) asked() int {
	for i, m := range slices.Backward(c.Messages) {
		if m.Role == pack.FromCustomer {
			return i
		}
	}
	return -1
}

// Before is what was said before the question; tools that were used for its answer come after it.
func (c Consultation) Before() []Message { return c.Messages[:max(c.asked(), 0)] }

// Turn is which of the customer's messages the question is: 1 where nothing came before.
func (c Consultation) Turn() int {
	n := 1
	for _, m := range c.Before() {
		if m.Role == pack.FromCustomer {
			n++
		}
	}
	return n
}

// After is which of the customer's messages the question is, where that of old, a request of the same conversation, is
// the turn-th. Either may hold only the latest messages, or the question alone, so that what came since counts on.
func (c Consultation) After(old Consultation, turn int) int {
	ours, theirs := c.said(), old.said()
	if n, ok := since(ours, theirs); ok {
		return max(c.Turn(), turn+n)
	}
	if ours[len(ours)-1] == theirs[len(theirs)-1] {
		return max(c.Turn(), turn)
	}
	if n, ok := since(theirs, ours); ok && len(c.Messages) > 0 { // it came late
		return max(1, turn-n)
	}
	return max(c.Turn(), turn+1)
}

// said is what customer and agent said up to the question.
func (c Consultation) said() (out []Message) {
	for _, m := range c.Before() {
		if m.Role != pack.FromTool {
			out = append(out, Message{Role: m.Role, Text: strings.TrimSpace(m.Text)})
		}
	}
	return append(out, Message{Role: pack.FromCustomer, Text: strings.TrimSpace(c.Question)})
}

// since is how many messages of the customer a conversation has after all that an earlier one ends with; false where
// it doesn't go on from that.
func since(later, earlier []Message) (n int, ok bool) {
	for end := len(later); end > 0; end-- {
		if later[end-1].Role != pack.FromCustomer {
			continue
		}
		if k := min(end, len(earlier)); slices.Equal(later[end-k:end], earlier[len(earlier)-k:]) {
			return n, true
		}
		n++
	}
	return 0, false
}

// earlier is the text of what was said before the question: where facts of the case may stand. Of what agent and tools
// said the end is kept.
func (c Consultation) earlier() string {
	var theirs, others strings.Builder
	for _, m := range c.Before() {
		if m.Role == pack.FromCustomer {
			theirs.WriteString(m.Text + "\n\n")
		} else if m.Text != "" {
			others.WriteString(m.Text + "\n\n")
		}
	}
	return theirs.String() + ending(others.String()) + c.Beside
}

// Talk is the conversation as it is stored and hashed: JSON, or "".
func (c Consultation) Talk() string {
	if len(c.Messages) == 0 {
		return ""
	}
	b, _ := json.Marshal(c.Messages) // texts and times that were read always can
	return string(b)
}

func (c *Consultation) checkMessages(below string) (wrong []fault.Field) {
	if len(c.Thread) > maxThread {
		wrong = append(wrong, fault.Field{Name: below + "/thread", Msg: text.TooBig(c.Thread, maxThread)})
	}
	below += "/messages"
	if len(c.Messages) > MaxMessages {
		return append(wrong, fault.Field{Name: below,
			Msg: fmt.Sprintf("Send at most the last %d messages, the question included.", MaxMessages)})
	}
	size := 0
	for i, m := range c.Messages {
		size += len(m.Text) + len(m.Tool)
		at := fmt.Sprintf("%s/%d", below, i)
		_, known := pack.RoleOf(m.Role)
		switch {
		case !known:
			wrong = append(wrong, fault.Field{Name: at + "/role", Msg: "Send one of: customer, agent, tool."})
		case m.Role == pack.FromTool && len(m.Tool) > maxToolName:
			wrong = append(wrong, fault.Field{Name: at + "/tool", Msg: text.TooBig(m.Tool, maxToolName)})
		case m.Role != pack.FromTool && strings.TrimSpace(m.Text) == "":
			wrong = append(wrong, fault.Field{Name: at + "/text", Msg: "Send what was said."})
		}
	}
	if size > MaxTalk {
		wrong = append(wrong, fault.Field{Name: below, Msg: fmt.Sprintf(
			"The messages are %d bytes long together; send at most the last %d bytes of them.", size, MaxTalk)})
	}
	return wrong
}

// LastOf are as many of the latest messages as a consultation takes, the customer's last in any case, and how many were
// left out.
func LastOf(list []Message) (kept []Message, left int) {
	asked := Consultation{Messages: list}.asked()
	room, size := MaxMessages, 0
	if asked >= 0 {
		room, size = room-1, len(list[asked].Text)
	}
	from := len(list)
	for from > 0 && room > 0 {
		if m := list[from-1]; from-1 != asked {
			if size += len(m.Text) + len(m.Tool); size > MaxTalk {
				break
			}
			room--
		}
		from--
	}
	if asked >= 0 && asked < from {
		return append([]Message{list[asked]}, list[from:]...), from - 1
	}
	return list[from:], from
}
