package feedback

import "time"

// Kinds of votes.
const (
	Thumbs = "thumbs" // -1, 0 or 1
	Rating = "rating" // 0 to 10
)

// Channels: how a vote or an outcome came in.
const (
	ChannelAPI    = "api"
	ChannelWidget = "widget"
	ChannelLink   = "link"
	ChannelChat   = "chat"
	ChannelDesk   = "desk" // a supervisor who followed up
)

// Kinds of subjects.
const (
	Observed = "observed"
	Guidance = "guidance"
)

// States of an exemplar. Only an active one is given.
const (
	Active   = "active"
	Demoted  = "demoted"  // votes turned, its guidance was recalled or its case withheld; comes back when that ends
	Replaced = "replaced" // another answer is liked better
	Retired  = "retired"  // by the nightly batch or a person; votes do not bring it back
	Erased   = "erased"
)

// SourceVotes is the source of an exemplar that votes made, in seed 001's words.
const SourceVotes = "user_feedback"

// Observation is one interaction of any agent, as the agent reports it.
type Observation struct {
	ID         string // given by Log
	AgentID    string // whose token reports it
	AgentName  string
	AgentType  string // as the agent calls it; required
	SessionID  string
	UserID     string
	Query      string // required
	Response   string // required
	Metadata   string // a JSON object, or ""
	Topic      string
	ResponseMs int64     // 0 when it was not told
	At         time.Time // now when zero; only our own demo sets it
	Variant    string    // arm of an experiment, or ""
	Examples   []string  // ids of the exemplars that the agent was shown
	Knowledge  []string  // ids of the rules and cases that recall gave it; for a hook, nothing of it is kept here
}

// Subject is what is judged.
type Subject struct {
	ID        string
	Kind      string // Observed or Guidance
	AgentID   string
	AgentName string
	AgentType string
	Topic     string
	SessionID string // observed only, as is the next
	UserID    string
	Query     string
	Response  string // what the user got; "" while a guidance was not released
	Variant   string
	At        time.Time
	// a guidance: a person, or a policy people approved, let it out, and it was not recalled. An observed one: true
	Released bool
	Erased   bool
	Known    []string // of a guidance: personal values of the customer, to be taken out wherever they stand
}

// Vote is one user's opinion of one subject.
type Vote struct {
	ID        string // given by Book.Vote
	SubjectID string
	UserID    string // the subject's user or session where it is ""
	Kind      string // Thumbs or Rating
	Value     float64
	Norm      float64 // 0 to 1; given by Book.Vote
	Text      string
	Channel   string
	AgentID   string    // whose token brings it; "" when the subject was settled otherwise (a signed link, the desk)
	At        time.Time // now when zero; only our own demo sets it
	Version   int       // given by Book.Vote: 1 for the first

	AgentType, Topic string // of the subject, where votes are read
}

// CastSQL is the condition by which rows of the table vote are votes, as Cast.
const CastSQL = `(version = 1 OR kind <> 'thumbs' OR value <> 0)`

// Cast reports whether it is a vote: thumbs 0 first is a neutral one, and in place of an earlier vote takes it back.
func (v *Vote) Cast() bool { return v.Version <= 1 || v.Kind != Thumbs || v.Value != 0 }

// Stored is what became of a vote.
type Stored struct {
	Vote     Vote
	Replaced bool      // it replaced an earlier vote of this user
	Same     bool      // it said the same as before; nothing was written
	Exemplar *Exemplar // the active exemplar of the subject's group, if there is one
	Promoted bool      // the exemplar became active with this vote
}

// Outcome is how it went for the customer (seed 000, OutcomeResult). Scores lie between 0 and 10; nil means nobody
// said.
type Outcome struct {
	ID                   string // given by AddOutcome
	SubjectID            string
	Satisfaction         float64
	Comprehension        float64
	GoalAlignment        float64
	Issues               []string
	GoalsMet             *bool
	UnderstandingChecked *bool
	Signposted           *bool
	DBWarningGiven       *bool
	By                   string // the user, or the account of a supervisor who followed up
	ByName               string // for the audit row; "" for customers
	Channel              string
	AgentID              string    // as Vote.AgentID
	At                   time.Time // as Vote.At
	Version              int       // given by AddOutcome: 1 for the first
}

// Exemplar is an answer fit for few-shot prompts (seed 001, LearningExample).
type Exemplar struct {
	ID          string
	GroupID     string
	AgentID     string
	AgentName   string
	AgentType   string
	Topic       string
	Query       string
	Good        string
	Bad         string // "" when no answer to a similar query was disliked
	GoodSubject string
	BadSubject  string
	Source      string
	Weight      float64 // 0 to 1: mean of Beta(1 + users for, 1 + users against)
	Score       float64 // users for less users against
	UseCount    int
	State       string
	Why         string // of a state other than active
	CreatedAt   time.Time
	ChangedAt   time.Time

	answer string // hash of Good as it was given
}

// Ask chooses examples.
type Ask struct {
	AgentID   string // "" asks over all agents; never for a token
	AgentType string
	AllTypes  bool   // of whatever type the agent reported; AgentType is its own name
	Topic     string // named by somebody, in any spelling; "" for any
	Query     string // nearest first when given; otherwise by weight
	Limit     int    // DefaultExamples when 0
}

// Experience is one entry of the replay (seed 001, ExperienceReplay).
type Experience struct {
	ID        string
	AgentID   string
	AgentType string
	Topic     string
	SubjectID string // whose texts it has; "" when it brought its own
	Query     string
	Response  string
	Metadata  string  // a JSON object, or ""
	Reward    float64 // -1 to 1; of votes: their mean
	Source    string  // "api" or "vote"
	At        time.Time
}
