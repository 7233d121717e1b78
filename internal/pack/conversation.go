package pack

import (
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
