package history

import (
	"encoding/json"
	"fmt"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/text"
)

// view is the story as the page and the manifest show it. Times in the manifest are RFC 3339; zero is
// "0001-01-01T00:00:00Z".
type view struct {
	Lead      string     `json:"-"`
	Basics    basics     `json:"interaction"`
	Lines     []line     `json:"history"`
	Customer  []fact     `json:"customer"`
	Question  string     `json:"question"`
	Said      []said     `json:"conversation,omitempty"` // before the question and for its answer
	Draft     draft      `json:"draft"`
	Knowledge *known     `json:"knowledge"` // null: nothing is on record
	Prompt    *prompt    `json:"prompt"`    // null: no model was asked, or nothing is on record
	Verdicts  []verdict  `json:"verdicts"`
	Experts   []expert   `json:"experts"`
	Decisions []decision `json:"decisions"`
	Skips     []remark   `json:"skips"`
	Comments  []remark   `json:"comments"`
	Delivery  sent       `json:"delivery"`
	After     after      `json:"afterwards"`
	Rows      []row      `json:"-"` // the manifest has them whole
}

type basics struct {
	ID         string    `json:"id"`
	Agent      string    `json:"agent"`
	Task       string    `json:"task"`
	TaskBy     string    `json:"task_by"`
	Origin     string    `json:"origin"`
	Status     string    `json:"status"`
	ReceivedAt time.Time `json:"received_at"`
	ReleasedAt time.Time `json:"released_at"`
	ErasedAt   time.Time `json:"erased_at"`
	Revises    string    `json:"revises,omitempty"`
	RevisedBy  string    `json:"revised_by,omitempty"`
	Planted    bool      `json:"planted"`
	Signed     string    `json:"-"`
	TaskLabel  string    `json:"-"`
}

// line is one step of the history.
type line struct {
	At   time.Time `json:"at"`
	Kind string    `json:"kind"`
	Who  string    `json:"who"`
	Note string    `json:"note,omitempty"`
}

// said is one message of the conversation.
type said struct {
	interaction.Message
}

// Who spoke, or which tool was used.
func (s said) Who() string {
	switch s.Role {
	case pack.FromCustomer:
		return "Customer"
	case pack.FromAgent:
		return "Agent"
	}
	return "Tool " + s.Tool
}

type fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type draft struct {
	Text      string          `json:"text"`
	SHA256    string          `json:"sha256"`
	Model     string          `json:"model"`
	Drafter   string          `json:"drafter"`
	Reasoning string          `json:"reasoning"`
	Steps     json.RawMessage `json:"steps,omitempty"`
	Metadata  json.RawMessage `json:"metadata,omitempty"`
	Claimed   []string        `json:"knowledge_named,omitempty"` // what the agent said it used
	Failure   string          `json:"failure,omitempty"`
}

type known struct {
	At     time.Time `json:"at"`
	Mode   string    `json:"mode"`
	Finder string    `json:"embedder"`
	Tokens int       `json:"tokens"`
	Hash   string    `json:"sha256"`
	Match  string    `json:"match"`
	Items  []item    `json:"items"`
}

type item struct {
	Kind     string    `json:"kind"`
	ID       string    `json:"id"`
	Label    string    `json:"label"`
	Version  int       `json:"version"`
	Current  int       `json:"current_version"`
	Status   string    `json:"status_now"`
	Source   string    `json:"source"`
	Score    float64   `json:"score"`
	Cited    bool      `json:"cited"`
	Changed  bool      `json:"changed_since"`
	ErasedAt time.Time `json:"erased_at"`
	Why      []string  `json:"why"`
	Block    string    `json:"as_shown"`
}

type prompt struct {
	Hash     string    `json:"sha256"`
	Match    string    `json:"match"`
	Messages []message `json:"messages"`
}

type message struct {
	Name     string `json:"name"`
	Template string `json:"template_sha256"`
	Text     string `json:"text"`
}

type verdict struct {
	At         time.Time `json:"at"`
	Of         string    `json:"of"` // which text
	TextHash   string    `json:"text_sha256"`
	Label      string    `json:"label"`
	Passed     bool      `json:"passed"`
	Source     string    `json:"source"`
	Confidence float64   `json:"confidence"`
	Checklist  int       `json:"checkbook_version"`
	Routing    int       `json:"routing_version"`
	Split      string    `json:"split,omitempty"`
	Because    []string  `json:"because,omitempty"`
	Issues     []issue   `json:"issues"`
	Votes      []vote    `json:"judges"`
}

type issue struct {
	Code      string `json:"code"`
	Severity  string `json:"severity"`
	Why       string `json:"why"`
	Quote     string `json:"quote,omitempty"`
	Reference string `json:"reference,omitempty"`
	By        string `json:"by,omitempty"`
}

type vote struct {
	Judge      string  `json:"judge"`
	Version    string  `json:"answered_by"`
	Vote       string  `json:"vote"`
	Boundary   string  `json:"boundary_classification"`
	Confidence float64 `json:"confidence"`
	Reasoning  string  `json:"reasoning"`
}

// expert is a borderline case and its ruling.
type expert struct {
	ID        string    `json:"id"`
	OpenedAt  time.Time `json:"opened_at"`
	State     string    `json:"state"`
	TextHash  string    `json:"text_sha256"`
	Of        string    `json:"of"`
	Label     string    `json:"ruling,omitempty"`
	By        string    `json:"by,omitempty"`
	How       string    `json:"how,omitempty"`
	Rationale string    `json:"rationale,omitempty"`
	Rubric    int       `json:"rubric_version,omitempty"`
	Taxonomy  int       `json:"taxonomy_version,omitempty"`
	RuledAt   time.Time `json:"ruled_at"`
	UndoneAt  time.Time `json:"undone_at"`
}

type decision struct {
	N            int           `json:"n"`
	ID           string        `json:"id"`
	Verb         string        `json:"decided"`
	Kind         string        `json:"kind"`
	State        string        `json:"state"`
	By           string        `json:"by"`
	ByID         string        `json:"by_id"`
	At           time.Time     `json:"at"`
	Seconds      int           `json:"seconds_on_case"`
	Characters   int           `json:"characters_to_read"`
	Reason       string        `json:"reason,omitempty"`
	Words        string        `json:"words_by,omitempty"` // who wrote the text and gave the reason, if somebody else
	ReasonCode   string        `json:"reason_code,omitempty"`
	Feedback     string        `json:"feedback,omitempty"`
	Stated       []string      `json:"stated,omitempty"` // what should change next time, as sentences
	OnlyCustomer bool          `json:"only_this_customer,omitempty"`
	Overruled    []overruled   `json:"overruled,omitempty"` // checks that blocked the text that was signed
	Confirmation string        `json:"confirmation,omitempty"`
	Second       string        `json:"second,omitempty"`
	SecondID     string        `json:"second_id,omitempty"`
	SecondAt     time.Time     `json:"second_at"`
	SecondSecs   int           `json:"second_seconds,omitempty"`
	SecondWords  string        `json:"second_confirmation,omitempty"`
	NeedsSecond  bool          `json:"needs_second"`
	Policy       int           `json:"policy_version"`
	HeldUntil    time.Time     `json:"held_until"`
	SettledAt    time.Time     `json:"settled_at"`
	SettledBy    string        `json:"settled_by,omitempty"`
	SettledWhy   string        `json:"settled_why,omitempty"`
	Flags        []issue       `json:"flags"`
	Base         string        `json:"on_the_screen"` // whose text it was about
	Text         string        `json:"text,omitempty"`
	Actions      string        `json:"actions,omitempty"` // that were approved, in words
	SHA256       string        `json:"sha256,omitempty"`
	Changes      []text.Change `json:"-"` // nil: the text stayed as it was
}

// overruled is a check that people overruled for the text that they signed.
type overruled struct {
	Code   string `json:"code"`
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

type remark struct {
	At   time.Time `json:"at"`
	By   string    `json:"by"`
	Text string    `json:"text"`
}

type sent struct {
	Text     string    `json:"text,omitempty"` // what the customer got
	SHA256   string    `json:"sha256,omitempty"`
	Recalled bool      `json:"recalled"`
	Endpoint bool      `json:"webhook"`
	Receipts []receipt `json:"receipts"`
}

type receipt struct {
	ID       string    `json:"id"`
	Type     string    `json:"type"`
	State    string    `json:"state"`
	At       time.Time `json:"at"`
	Attempts []attempt `json:"attempts"`
}

type attempt struct {
	N       int       `json:"n"`
	At      time.Time `json:"at"`
	Outcome string    `json:"outcome"`
	Status  int       `json:"http_status,omitempty"`
	TookMs  int64     `json:"took_ms"`
	Hash    string    `json:"body_sha256,omitempty"`
	Note    string    `json:"note,omitempty"`
}

type after struct {
	Lessons  []lesson    `json:"lessons"`
	Votes    []opinion   `json:"votes"`
	Outcomes []outcome   `json:"outcomes"`
	Erasures []tombstone `json:"erasures"`
}

type lesson struct {
	ID     string    `json:"id"`
	Origin string    `json:"origin"`
	Stage  string    `json:"stage"`
	State  string    `json:"state"`
	At     time.Time `json:"at"`
	Rule   int       `json:"rule,omitempty"`
	Case   int       `json:"case,omitempty"`
}

type opinion struct {
	At      time.Time `json:"at"`
	Kind    string    `json:"kind"`
	Value   float64   `json:"value"`
	Channel string    `json:"channel"`
	Version int       `json:"version"`
	Text    string    `json:"text,omitempty"`
}

type outcome struct {
	At            time.Time `json:"at"`
	Satisfaction  float64   `json:"satisfaction"`
	Comprehension float64   `json:"comprehension"`
	GoalAlignment float64   `json:"goal_alignment"`
	GoalsMet      *bool     `json:"goals_met"`
	Checked       *bool     `json:"understanding_checked"`
	Signposted    *bool     `json:"signposted"`
	Warned        *bool     `json:"db_warning_given"`
	Issues        []string  `json:"issues"`
	Channel       string    `json:"channel"`
}

type tombstone struct {
	At  time.Time `json:"at"`
	By  string    `json:"by"`
	Row int64     `json:"row"`
}

// row is an audit row as the page lists it.
type row struct {
	Seq      int64
	At       time.Time
	Who      string
	Action   string
	Hash     string
	ErasedAt time.Time
}

func lead(b basics) string {
	return fmt.Sprintf("%s on %s, received on %s. Status: %s.", b.Agent, b.TaskLabel,
		b.ReceivedAt.Local().Format("2 January 2006"), b.Status)
}

// textName tells which text a hash is of.
func (s *told) textName(hash string) string {
	if hash == "" {
		return "a text that was erased"
	}
	if hash == s.in.GuidanceHash {
		return "the draft"
	}
	for i, d := range s.decisions {
		if d.Text != "" && (d.FinalHash == hash || interaction.TextHash(d.Text) == hash) {
			return fmt.Sprintf("the text of decision %d", i+1)
		}
	}
	return "a text that was not kept"
}
