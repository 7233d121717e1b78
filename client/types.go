package client

import "time"

// Submission is guidance for review.
type Submission struct {
	Agent          string         `json:"agent,omitempty"` // its name; may be left out, as the token says whose it is
	Consultation   Consultation   `json:"consultation"`
	Guidance       string         `json:"guidance,omitempty"` // the text that would go to the customer
	Actions        []Action       `json:"actions,omitempty"`  // what the agent wants to do, beside it or without
	Reasoning      string         `json:"reasoning,omitempty"`
	Model          string         `json:"model,omitempty"`
	KnowledgeUsed  []string       `json:"knowledge_used,omitempty"` // ids of what Recall gave
	Steps          []any          `json:"steps,omitempty"`
	Metadata       map[string]any `json:"metadata,omitempty"`
	Urgency        string         `json:"urgency,omitempty"` // normal or high
	Channel        string         `json:"channel,omitempty"` // chat, phone, email, sms, letter, web or other
	ExpiresAt      *time.Time     `json:"expires_at,omitempty"`
	Revises        string         `json:"revises,omitempty"` // what was sent back and is answered anew
	IdempotencyKey string         `json:"-"`
}

// Action is a call of one of the agent's tools.
type Action struct {
	Name        string         `json:"name"`
	Arguments   map[string]any `json:"arguments,omitempty"`
	Schema      map[string]any `json:"schema,omitempty"` // JSON Schema of the arguments
	Description string         `json:"description,omitempty"`
}

// Approved is a call that people approved, with the arguments that they approved.
type Approved struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
	Edited    bool           `json:"edited"`
	Index     int            `json:"index"` // among the actions that were sent, from 0
}

// Refused is a call that people refused, though they approved the rest.
type Refused struct {
	Name   string `json:"name"`
	Index  int    `json:"index"` // among the actions that were sent, from 0
	Reason string `json:"reason"`
}

// AdviceQuery asks Preceptor's own advisor.
type AdviceQuery struct {
	Consultation   Consultation `json:"consultation"`
	IdempotencyKey string       `json:"-"`
}

// Consultation is what a customer asked.
type Consultation struct {
	Customer any       `json:"customer,omitempty"` // an object: the fields of the agent's domain, and any others
	Question string    `json:"question,omitempty"` // may be left out where Messages end with it
	Messages []Message `json:"messages,omitempty"` // the conversation so far, oldest first
	Thread   string    `json:"thread,omitempty"`   // your id for the conversation
	TaskType string    `json:"task_type,omitempty"`
}

// Message is one thing that was said, or one use of a tool.
type Message struct {
	Role string `json:"role"` // customer, agent or tool
	Text string `json:"text,omitempty"`
	At   string `json:"at,omitempty"` // RFC 3339
	Tool string `json:"tool,omitempty"`
}

// Receipt says under which id something arrived.
type Receipt struct {
	ID string `json:"id"`
}

// Guidance is what became of guidance.
type Guidance struct {
	ID string `json:"id"`
	// drafting, waiting, held, released, escalated, returned, withdrawn, expired, closed or failed
	Status    string     `json:"status"`
	FinalText *string    `json:"final_text,omitempty"` // the only text for the customer; while it is released
	Actions   []Approved `json:"actions,omitempty"`    // what the agent may do; while it is released
	Refused   []Refused  `json:"refused_actions,omitempty"`
	Recalled  bool       `json:"recalled,omitempty"` // use the text that you collected no longer
	ErasedAt  *time.Time `json:"erased_at,omitempty"`
	Decision  *Decision  `json:"decision,omitempty"`
	Failure   string     `json:"failure,omitempty"`
	RevisedBy string     `json:"revised_by,omitempty"`
}

// Decision is what people decided. Until HeldUntil it may be taken back.
type Decision struct {
	Kind      string    `json:"kind"` // approve, revise, reject, return or sampled
	Reason    string    `json:"reason,omitempty"`
	Feedback  string    `json:"feedback,omitempty"` // to the agent: what to do next time
	DecidedAt time.Time `json:"decided_at"`
	HeldUntil time.Time `json:"held_until"`
}

// RecallQuery asks what was learned.
type RecallQuery struct {
	Query    string    `json:"query,omitempty"` // may be left out where Messages end with it
	Messages []Message `json:"messages,omitempty"`
	Customer any       `json:"customer,omitempty"`
	TaskType string    `json:"task_type,omitempty"`
	UserID   string    `json:"user_id,omitempty"`
	Model    string    `json:"model,omitempty"`
	// file, language, project: rules of a scope come only where it holds
	Context     map[string]any `json:"context,omitempty"`
	TokenBudget int            `json:"token_budget,omitempty"`
	TopK        int            `json:"top_k,omitempty"` // at most as many cases, and as many rules
}

// Recall is what was learned, as a text for a prompt and as data.
type Recall struct {
	Prompt string `json:"prompt"`
	Tokens int    `json:"tokens"`
	Items  []Item `json:"items"`
	Notes  string `json:"notes,omitempty"` // stands at the end of Prompt, too
}

// Item is a case or a rule that Prompt is made of.
type Item struct {
	Kind    string   `json:"kind"`
	ID      string   `json:"id"`
	Label   string   `json:"label"`
	Version int      `json:"version"`
	Score   float64  `json:"score"`
	Why     []string `json:"why"`
	Text    string   `json:"text"`
}

// Turn is what an agent did and what came back.
type Turn struct {
	ID        string         `json:"id,omitempty"` // the agent's own; sent again, it is not recorded twice
	SessionID string         `json:"session_id,omitempty"`
	UserID    string         `json:"user_id,omitempty"`
	Query     string         `json:"query,omitempty"`
	Response  string         `json:"response,omitempty"`
	Model     string         `json:"model,omitempty"`
	Task      string         `json:"task,omitempty"`
	Action    string         `json:"action,omitempty"`
	Reaction  string         `json:"reaction,omitempty"`
	Steps     []any          `json:"steps,omitempty"`   // objects with tool, input, output and error
	Context   map[string]any `json:"context,omitempty"` // file, language, project, and any other keys
}

// SessionEnd ends a session.
type SessionEnd struct {
	SessionID string         `json:"session_id,omitempty"`
	UserID    string         `json:"user_id,omitempty"`
	Codebase  map[string]any `json:"codebase,omitempty"` // what preceptor scan --json wrote
}

// Session is what was noticed in a session. Its proposals change nothing until a person approves them.
type Session struct {
	ID        string     `json:"id"`
	State     string     `json:"state"` // open; ended: being looked through; told: the summary stands
	Text      string     `json:"text"`
	Proposals []Proposal `json:"proposals"`
}

// Proposal is what was noticed and waits for a person.
type Proposal struct {
	ID       string   `json:"id"`
	Category string   `json:"category"`
	Scope    string   `json:"scope"`
	Content  string   `json:"content"`
	Evidence []string `json:"evidence"`
	State    string   `json:"state"`
}

// Vote is one user's opinion of one answer.
type Vote struct {
	InteractionID string  `json:"interaction_id"`
	UserID        string  `json:"user_id,omitempty"`
	Type          string  `json:"feedback_type,omitempty"` // thumbs, or rating
	Value         float64 `json:"feedback_value"`          // -1, 0 or 1 of thumbs, 0 to 10 of a rating
	Text          string  `json:"feedback_text,omitempty"`
}

// Outcome is how it went for a customer, each score 0 to 10.
type Outcome struct {
	InteractionID string   `json:"interaction_id"`
	UserID        string   `json:"user_id,omitempty"`
	Satisfaction  float64  `json:"satisfaction"`
	Comprehension float64  `json:"comprehension"`
	GoalAlignment float64  `json:"goal_alignment"`
	Issues        []string `json:"issues,omitempty"`
	GoalsMet      *bool    `json:"goals_met,omitempty"`
}
