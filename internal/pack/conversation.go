package pack

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// Message is one thing that was said in a conversation, or one use of a tool.
type Message struct {
	Role string    `json:"role"` // FromCustomer, FromAgent or FromTool
	Text string    `json:"text,omitempty"`
	At   time.Time `json:"at,omitzero"`
	Tool string    `json:"tool,omitempty"` // the name of the tool that was used
}

// Who speaks in a conversation.
const (
	FromCustomer = "customer"
	FromAgent    = "agent"
	FromTool     = "tool"
)

// Previous is what the customer said before the question: what a question that means little alone refers to. "" where
// they said nothing.
func (s Situation) Previous() string {
	for _, m := range slices.Backward(s.Before) {
		if m.Role == FromCustomer {
			return m.Text
		}
	}
	return ""
}

// InTalk is the question after what it may refer to.
func (s Situation) InTalk() string { return strings.TrimPrefix(s.Previous()+"\n", "\n") + s.Question }

// Exchange is the customer's last message before the question and what was answered, each on a line; "" where they said
// nothing.
func (s Situation) Exchange() string {
	for i, m := range slices.Backward(s.Before) {
		if m.Role == FromCustomer {
			return lines(s.Before[i:])
		}
	}
	return ""
}

// Talk is what people said before the question, each on a line, the last of it: whole messages of at most so many bytes
// together.
func (s Situation) Talk(most int) string {
	from := len(s.Before)
	for size := 0; from > 0; from-- {
		if size += len(s.Before[from-1].Text); size > most {
			break
		}
	}
	return lines(s.Before[from:])
}

func lines(list []Message) string {
	var b strings.Builder
	for _, m := range list {
		if m.Role != FromTool && m.Text != "" {
			b.WriteString(m.Text + "\n")
		}
	}
	return b.String()
}

// Said is all that the customer said, the question last.
func (s Situation) Said() string { return s.saidBefore() + s.Question }

func (s Situation) saidBefore() string {
	var b strings.Builder
	for _, m := range s.Before {
		if m.Role == FromCustomer {
			b.WriteString(m.Text + "\n")
		}
	}
	return b.String()
}

// RoleOf is a role under the names that agents' frameworks have for it; ok is false for those who take no part in a
// conversation, as "system".
func RoleOf(name string) (role string, ok bool) {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case FromCustomer, "user", "human", "client":
		return FromCustomer, true
	case FromAgent, "assistant", "ai", "model":
		return FromAgent, true
	case FromTool, "function":
		return FromTool, true
	}
	return "", false
}

// MessagesLoosely reads a conversation in the shapes in which frameworks keep one: roles by their names for them, a
// text as "text" or "content", which may be in parts. What takes no part in a conversation is passed over.
func MessagesLoosely(raw json.RawMessage) (out []Message) {
	var list []struct {
		Role, From string
		Text       string
		Content    json.RawMessage
		Tool, Name string
		At         json.RawMessage
	}
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	for _, m := range list {
		role, ok := RoleOf(cmp.Or(m.Role, m.From))
		one := Message{Role: role, Text: cmp.Or(m.Text, flatText(m.Content))}
		if role == FromTool {
			one.Tool = cmp.Or(m.Tool, m.Name)
		}
		_ = json.Unmarshal(m.At, &one.At) // a time that can't be read isn't known
		if ok && (role == FromTool || strings.TrimSpace(one.Text) != "") {
			out = append(out, one)
		}
	}
	return out
}

// flatText is a text, or the texts of its parts.
func flatText(raw json.RawMessage) string {
	var whole string
	var parts []struct{ Text string }
	if json.Unmarshal(raw, &whole) != nil && json.Unmarshal(raw, &parts) == nil {
		for _, p := range parts {
			whole = strings.TrimSpace(whole + "\n" + p.Text)
		}
	}
	return whole
}
