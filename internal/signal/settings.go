package signal

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/signal/turn"
)

// What becomes of learnings.
const (
	LearnOff     = "off"
	LearnPropose = "propose" // each waits for a person; where nobody said anything else, too
	LearnKeep    = "keep"    // its author gets it back at once, and nobody else; a person may make a rule of it
)

// Settings are what people set about an agent's signals. The zero value observes, evaluates, gives notes, and proposes
// what users ask for.
type Settings struct {
	// its turns are kept, and nothing is noticed in them
	Silent bool `json:"silent,omitempty" form:"silent"`
	// evaluators go on, and what they find is given to nobody
	NoNotes  bool     `json:"no_notes,omitempty" form:"no_notes"`
	Off      []string `json:"off,omitempty" form:"off"`             // evaluators that are not asked
	MaxItems int      `json:"max_items,omitempty" form:"max_items"` // notes of one evaluator; 0: the seed's 5
	Learn    string   `json:"learn,omitempty" form:"learn"`         // LearnOff, LearnPropose or LearnKeep; "": LearnPropose
	// characters of a message from which it may teach, and how much a turn does; 0: the seed's 10 and 3
	LeastMessage  int  `json:"least_message,omitempty" form:"least_message"`
	MostLearnings int  `json:"most_learnings,omitempty" form:"most_learnings"`
	Hold          bool `json:"hold,omitempty" form:"hold"` // what the proxy fetched waits at the desk
	// ToolsWait or ToolsPass: whether calls of tools wait as well, but for those of the tools that are named
	ToolRule  string `json:"tool_rule,omitempty" form:"tool_rule"`
	ToolNames string `json:"tool_names,omitempty" form:"tool_names"` // with commas
	// customers without an account may ask it; it says nothing of turns, and stands here with an agent's other settings
	Chat bool `json:"chat,omitempty" form:"chat"`
	Away bool `json:"away,omitempty" form:"-"` // put away, likewise; see account.PutAway, and account reads it
	// seconds for which a caller of the proxy waits for the desk
	Wait int `json:"wait,omitempty" form:"wait"`
	// of Shipped, those that the model is asked for as well
	Asked []string `json:"asked,omitempty" form:"asked"`
	// names of the tools that run SQL, with commas; "": evaluator.SQLTools
	SQLTools string `json:"sql_tools,omitempty" form:"sql_tools"`
	// days after which turns, and what was noticed in them, go; 0: they stay
	KeepDays int        `json:"keep_days,omitempty" form:"keep_days"`
	Prompts  []Prompted `json:"prompts,omitempty" form:"-"`
	Servers  []Server   `json:"servers,omitempty" form:"-"`
}

// What becomes of calls of tools while answers wait at the desk.
const (
	ToolsWait = "" // all wait, but those named
	ToolsPass = "pass"
)

// Waits reports whether a call of a tool waits at the desk.
func (s Settings) Waits(tool string) bool {
	named := turn.Named(s.ToolNames, tool)
	return tool == "" || named == (s.ToolRule == ToolsPass)
}

// Prompted is an evaluator that a person wrote as an instruction to the model.
type Prompted struct {
	Name       string `json:"name"`
	Prompt     string `json:"prompt"`
	Trajectory bool   `json:"trajectory,omitempty"` // it is asked about whole sessions, and not about steps
}

// Server is an evaluator of an agent's makers: a step, or a session, is posted to it, and it answers with issues.
type Server struct {
	Name       string `json:"name"`
	URL        string `json:"url"`
	Secret     string `json:"secret"` // as webhooks are signed
	Trajectory bool   `json:"trajectory,omitempty"`
}

const (
	mostWait     = 120 // seconds
	mostItems    = 50
	longestLeast = 1000 // characters
	mostLearned  = 20   // learnings of a turn
	mostPrompts  = 10
	mostTools    = 1000 // characters of the names of tools
	longestAgent = 200  // bytes of a name
	mostKeepDays = 3650
)

// check tidies settings, or says what is wrong with them.
func (s *Settings) check() error {
	var wrong []fault.Field
	add := func(name, msg string) { wrong = append(wrong, fault.Field{Name: name, Msg: msg}) }
	if s.Learn = cmp.Or(s.Learn, LearnPropose); !slices.Contains([]string{LearnOff, LearnPropose, LearnKeep}, s.Learn) {
		add("learn", "Choose what happens to learnings.")
	}
	if s.LeastMessage < 0 || s.LeastMessage > longestLeast {
		add("least_message", "Enter a number of characters from 1 to 1,000; 0 means 10.")
	}
	if s.MostLearnings < 0 || s.MostLearnings > mostLearned {
		add("most_learnings", "Enter a number from 1 to 20; 0 means 3.")
	}
	if s.MaxItems < 0 || s.MaxItems > mostItems {
		add("max_items", "Enter a number from 1 to 50; 0 means 5.")
	}
	if s.Wait < 0 || s.Wait > mostWait {
		add("wait", "Enter a number of seconds from 0 to 120.")
	}
	if s.KeepDays < 0 || s.KeepDays > mostKeepDays {
		add("keep_days", "Enter a number of days from 1 to 3,650; 0 keeps everything.")
	}
	for name, value := range map[string]string{"sql_tools": s.SQLTools, "tool_names": s.ToolNames} {
		if utf8.RuneCountInString(value) > mostTools {
			add(name, "Enter at most 1,000 characters.")
		}
	}
	if s.ToolRule != ToolsWait && s.ToolRule != ToolsPass {
		add("tool_rule", "Choose which tool calls wait.")
	}
	if len(s.Prompts)+len(s.Servers) > mostPrompts {
		add("prompts", "Keep at most ten evaluators of your own.")
	}
	for _, p := range s.Prompts {
		if strings.TrimSpace(p.Name) == "" || strings.TrimSpace(p.Prompt) == "" || len(p.Name) > longestAgent ||
			utf8.RuneCountInString(p.Prompt) > 8000 {
			add("prompts", "Give the evaluator a name and an instruction of at most 8,000 characters.")
		}
	}
	for _, v := range s.Servers {
		if u, err := url.Parse(v.URL); err != nil || u.Host == "" || v.Name == "" {
			add("servers", "Give the evaluator a name and a full address, such as https://evaluators.example.com/sql.")
		}
	}
	if len(wrong) > 0 {
		return fault.WithFields("These settings can't be saved yet.", wrong...)
	}
	return nil
}

// SettingsOf are the settings of an agent.
func (s *Store) SettingsOf(ctx context.Context, agentID string) (Settings, error) {
	return db.Read(ctx, s.d, func(tx *db.Tx) (Settings, error) { return settingsTx(tx, agentID) })
}

func settingsTx(tx *db.Tx, agentID string) (set Settings, err error) {
	_, err = db.One(tx, "signal: read settings", `SELECT settings FROM agent_signal
		WHERE agent_id = $1`, agentID).Find(db.JSON(&set))
	return set, err
}

// Set changes the settings of an agent; Invalid names the fields. Administrators and experts may.
func (s *Store) Set(ctx context.Context, agentID string, set Settings, by knowledge.Person) error {
	if err := by.May("change what is noticed in an agent's turns"); err != nil {
		return err
	}
	if err := set.check(); err != nil {
		return err
	}
	return s.d.Write(ctx, func(tx *db.Tx) error {
		old, err := settingsTx(tx, agentID)
		if err != nil {
			return err
		}
		set.Away = old.Away
		if err := writeTx(tx, agentID, set); err != nil {
			return err
		}
		return audit.Note(tx, by.Actor(), "signal.set", "agent", agentID,
			map[string]any{"silent": set.Silent, "no_notes": set.NoNotes, "off": set.Off, "max_items": set.MaxItems,
				"learn": set.Learn, "least_message": set.LeastMessage, "most_learnings": set.MostLearnings,
				"keep_days": set.KeepDays, "hold": set.Hold, "tool_rule": set.ToolRule, "tool_names": set.ToolNames,
				"chat": set.Chat, "wait": set.Wait, "asked": set.Asked, "sql_tools": set.SQLTools,
				"prompts": len(set.Prompts), "servers": len(set.Servers)})
	})
}

// PutAwayTx keeps with an agent's settings whether it is put away.
func PutAwayTx(tx *db.Tx, agentID string, away bool) error {
	set, err := settingsTx(tx, agentID)
	if err != nil {
		return err
	}
	set.Away = away
	return writeTx(tx, agentID, set)
}

func writeTx(tx *db.Tx, agentID string, set Settings) error {
	text, err := json.Marshal(set)
	if err != nil {
		return err
	}
	return db.Exec(tx, "signal: write settings", `INSERT INTO agent_signal (agent_id, settings, updated_at)
		VALUES ($1, $2, $3)
		ON CONFLICT (agent_id) DO UPDATE SET settings = excluded.settings,
			updated_at = excluded.updated_at`, agentID, string(text), tx.NowMs())
}
