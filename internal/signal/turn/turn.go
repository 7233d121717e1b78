// Package turn is what any agent did and what came back: one exchange with a user, with the tools that were used on the
// way. The producers of signals (observe, evaluator, learned) are pure functions over turns; internal/signal stores
// both. It owns no table.
package turn

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Where a turn came from.
const (
	ByAPI   = "api"
	ByMCP   = "mcp"
	ByProxy = "proxy"
	ByFile  = "file"
)

// Turn is one exchange of an agent with a user.
type Turn struct {
	ID       string
	Ref      string // the caller's own id: sent again, it is no other turn
	AgentID  string
	Agent    string // its name
	Session  string // as the agent names it
	User     string // whose it is, as the agent names them
	Query    string
	Response string
	Model    string         // the model that answered, as the agent names it
	Task     string         // what kind of work it is, as spatial_qa
	Action   string         // what the agent did, in its own words: seed 002's action_taken
	Reaction string         // what the user said to it: seed 002's user_response
	Steps    []Step         // the tools that were used, in order
	Context  map[string]any // file, language, project, and any other key
	Source   string         // ByAPI, ByMCP, ByProxy or ByFile
	At       time.Time
	Noted    bool     // the agent was given notes before it
	Seen     []string // what tools answered earlier in the session
}

// Step is one use of a tool.
type Step struct {
	Tool   string          `json:"tool"`
	Input  json.RawMessage `json:"input,omitempty"` // any JSON: a text, or an object of arguments
	Output string          `json:"output,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// Argument is the first of a step's arguments of these names that is a text, or the whole input where that is a text
// alone; "" without one. OpenAI's tool calls have their arguments as an object within a text.
func (s Step) Argument(names ...string) string {
	var text string
	var args map[string]json.RawMessage
	object := s.Input
	if json.Unmarshal(s.Input, &text) == nil {
		object = json.RawMessage(text)
	}
	if json.Unmarshal(object, &args) != nil {
		return text
	}
	text = ""
	for _, name := range names {
		if json.Unmarshal(args[name], &text) == nil {
			return text
		}
	}
	return ""
}

// Did is what an agent did: its action, or how it told of it where it used tools.
func (t Turn) Did() string {
	if t.Action == "" && len(t.Steps) > 0 {
		return t.Response
	}
	return t.Action
}

// Text is a value of the context that is a text; "" for any other.
func (t Turn) Text(key string) string {
	s, _ := t.Context[key].(string)
	return strings.TrimSpace(s)
}

// Listed are names that are written with commas or blanks between them.
func Listed(names string) []string {
	return strings.FieldsFunc(names, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

// Named reports whether one of these is a tool's name.
func Named(names, tool string) bool {
	return slices.ContainsFunc(Listed(names), func(name string) bool { return strings.EqualFold(name, tool) })
}
