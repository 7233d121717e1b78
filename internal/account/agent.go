package account

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"preceptor/internal/audit"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

// Agent is an AI system whose guidance is reviewed.
type Agent struct {
	ID        string
	Name      string
	Pack      string // whose domain it works in
	CreatedAt time.Time
	Away      bool // put away, see PutAway
}

// EnsureAgent is EnsureAgentBy of the program.
func (dir *Directory) EnsureAgent(ctx context.Context, name, packName string) (Agent, error) {
	return dir.EnsureAgentBy(ctx, name, packName, audit.System("account"))
}

// EnsureAgentBy returns the agent of this name; if it is missing, by makes it. Names differ by more than capitals. A
// new agent works in the pack of this name, general for none; one that there is keeps its own, see CheckPack.
func (dir *Directory) EnsureAgentBy(ctx context.Context, name, packName string, by audit.Actor) (Agent, error) {
	return db.Write(ctx, dir.db, func(tx *db.Tx) (Agent, error) { return ensureAgentTx(tx, name, packName, by) })
}

func ensureAgentTx(tx *db.Tx, name, packName string, by audit.Actor) (Agent, error) {
	name = oneLine(name)
	if msg := checkAgentName(name); msg != "" {
		return Agent{}, fault.Wrong(msg, "agent", msg)
	}
	if packName != "" {
		if err := pack.CheckName(packName); err != nil {
			return Agent{}, err
		}
	}
	a, err := agentByName(tx, name)
	if a.Away {
		msg := a.Name + " is put away. An administrator can take it back under Administration, Agents and tokens."
		return a, fault.Wrong(msg, "agent", msg)
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return a, err
	}
	a = Agent{ID: id.New(), Name: name, Pack: cmp.Or(packName, pack.GeneralName), CreatedAt: tx.Now}
	if _, err := tx.Exec(`INSERT INTO agent (id, name, name_key, pack, created_at)
		VALUES ($1, $2, $3, $4, $5)`, a.ID, a.Name, strings.ToLower(name), a.Pack, tx.NowMs()); err != nil {
		return Agent{}, err
	}
	return a, record(tx, by, "agent.added", "agent", a.ID, map[string]any{"name": name, "pack": a.Pack})
}

// CheckPack refuses a pack that was asked for and is not the agent's own; "" asks for none.
func (a Agent) CheckPack(packName string) error {
	if packName == "" || packName == a.Pack {
		return nil
	}
	msg := fmt.Sprintf("%s exists and has the pack %s. Leave the pack out, or give a new agent another name.",
		a.Name, a.Pack)
	return fault.Wrong(msg, "pack", msg)
}

// PackFor is the pack of what is made for an agent, or for all of a domain under no name: the one that was chosen, else
// the agent's own, else the one that every agent works in. Where there is none of these, it has to be chosen.
func (dir *Directory) PackFor(ctx context.Context, agentName, chosen string) (string, error) {
	if chosen != "" {
		return chosen, pack.CheckName(chosen)
	}
	agent, err := dir.AgentByName(ctx, agentName)
	if !fault.Is(err, fault.NotFound) {
		return agent.Pack, err
	}
	agents, err := dir.Agents(ctx)
	if err != nil {
		return "", err
	}
	if len(agents) == 0 || slices.ContainsFunc(agents, func(a Agent) bool { return a.Pack != agents[0].Pack }) {
		msg := "Which domain? Choose one of: " + strings.Join(pack.Names(), ", ") + "."
		return "", fault.Wrong(msg, "pack", msg)
	}
	return agents[0].Pack, nil
}

func checkAgentName(s string) string {
	switch {
	case s == "":
		return "Give the agent a name, such as it-helpdesk."
	case utf8.RuneCountInString(s) > 80:
		return "Use at most 80 characters for the agent's name."
	case strings.ContainsFunc(s, unprintable):
		return "Use only visible characters in the agent's name."
	}
	return ""
}

// agentByName finds an agent by the name that it has or had.
func agentByName(tx *db.Tx, name string) (a Agent, err error) {
	return scanAgent(db.One(tx, "account: read an agent", agentSQL+`
		WHERE name_key = $1 OR id = (SELECT agent_id FROM agent_former WHERE name_key = $1)`, strings.ToLower(name)))
}

func agentByID(tx *db.Tx, agentID string) (Agent, error) {
	return scanAgent(db.One(tx, "account: read an agent", agentSQL+` WHERE id = $1`, agentID))
}

// agentSQL reads agents; whether one is put away stands with its other settings.
const agentSQL = `SELECT id, name, pack, created_at, coalesce(settings, '{}') FROM agent
	LEFT JOIN agent_signal ON agent_signal.agent_id = agent.id`

func scanAgent(row db.Row) (a Agent, err error) {
	var set struct {
		Away bool `json:"away"`
	}
	err = row.Scan(&a.ID, &a.Name, &a.Pack, db.At(&a.CreatedAt), db.JSON(&set))
	a.Away = set.Away
	return a, err
}

// AgentNamedTx gives the id of the agent that has or had this name, whatever its capitals and blanks; "" when there is
// none.
func (dir *Directory) AgentNamedTx(tx *db.Tx, name string) (agentID string, err error) {
	a, err := agentByName(tx, oneLine(name))
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return a.ID, err
}

// PackTx is the pack of an agent; pension for one that nobody made, as its interactions were stored before there were
// packs.
func (dir *Directory) PackTx(tx *db.Tx, agentID string) (name string, err error) {
	return db.Value[string](tx, "account: read the pack of an agent", `SELECT COALESCE((SELECT pack FROM agent
			WHERE id = $1), $2)`, agentID, pack.Pension)
}

// AgentByName returns the agent of this name; NotFound when there is none.
func (dir *Directory) AgentByName(ctx context.Context, name string) (Agent, error) {
	return db.Read(ctx, dir.db, func(tx *db.Tx) (Agent, error) { return agentByName(tx, oneLine(name)) })
}

// Agent returns one agent.
func (dir *Directory) Agent(ctx context.Context, agentID string) (Agent, error) {
	return db.Read(ctx, dir.db, func(tx *db.Tx) (Agent, error) { return agentByID(tx, agentID) })
}

// Label is the agent's name in lists of what was done, where one that is put away stays.
func (a Agent) Label() string {
	if a.Away {
		return a.Name + " (put away)"
	}
	return a.Name
}

// Agents lists the agents by name, but for those that are put away.
func (dir *Directory) Agents(ctx context.Context) ([]Agent, error) {
	list, err := dir.AllAgents(ctx)
	return slices.DeleteFunc(list, func(a Agent) bool { return a.Away }), err
}

// AllAgents lists all agents by name.
func (dir *Directory) AllAgents(ctx context.Context) ([]Agent, error) {
	return db.Read(ctx, dir.db, func(tx *db.Tx) ([]Agent, error) {
		return db.List(tx, "account: agents", scanAgent, agentSQL+` ORDER BY name_key`)
	})
}
