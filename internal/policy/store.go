package policy

import (
	"context"
	"errors"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/db"
	"preceptor/internal/hook"
	"preceptor/internal/person"
)

// State is where a version stands.
type State string

// The states. Only a proposal can change: into one of the next three; and what is active, into superseded.
const (
	Proposed   State = "proposed"
	Active     State = "active"
	Refused    State = "refused"
	Withdrawn  State = "withdrawn"
	Superseded State = "superseded"
)

// Signature is who did something and when; the zero value: nobody yet.
type Signature struct {
	By, Name string // account
	At       time.Time
}

// Version is one policy with what became of it.
type Version struct {
	ID       string
	State    State
	Base     int // the version that held for the agent when this was proposed; 0: the built-in default
	Why      string
	Proposed Signature
	Agreed   Signature
	Ended    Signature // who refused, withdrew or replaced it
	EndedWhy string
	// Overtaken: of a proposal in a list, that something else came into force since, so that it can't be agreed to.
	Overtaken bool
	Policy
}

// Store is the door to the policies.
type Store struct {
	db    *db.DB
	hooks Hooks
}

// Hooks are what the policies ask and tell others.
type Hooks struct {
	// MayAdmin passes an administrator who may sign in.
	MayAdmin person.Guard
	// OnProposed runs in the transaction of a proposal, which waits for another administrator.
	OnProposed func(tx *db.Tx, v Version) error
	// OnAnswered runs in the transaction in which a proposal was agreed, refused or withdrawn.
	OnAnswered func(tx *db.Tx, v Version) error
}

// New makes the store on d.
func New(d *db.DB, h Hooks) *Store {
	hook.Complete(h)
	return &Store{db: d, hooks: h}
}

// ForTx is what holds for an agent in this transaction; agentID "" asks what holds for agents without their own. It
// costs one look-up in an index of the few versions that are in force.
func (s *Store) ForTx(tx *db.Tx, agentID string) (Policy, error) {
	inForce, err := db.List(tx, "policy: read what is in force", scan, `SELECT `+columns+` FROM policy
		WHERE state = 'active' AND agent_id IN ('', $1)
		ORDER BY agent_id DESC`, agentID) // the agent's own first
	if err != nil {
		return Policy{}, err
	}
	own := len(inForce) > 0 && inForce[0].AgentID == agentID
	if !own {
		had, err := db.Value[bool](tx, "policy: look for an earlier policy", `SELECT
			EXISTS (SELECT 1 FROM policy WHERE agent_id = $1 AND state = 'superseded')`, agentID)
		if err != nil || had { // somebody worked on the file: no act of this program leads here
			return Default(), err
		}
	}
	for _, v := range inForce {
		if !v.Follows {
			return v.Policy, nil
		}
	}
	return Default(), nil
}

// Current is what holds for an agent now.
func (s *Store) Current(ctx context.Context, agentID string) (Policy, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (Policy, error) { return s.ForTx(tx, agentID) })
}

const columns = `id, agent_id, version, base_version, state, follows, content, why, proposed_by, proposed_name,
	proposed_at,
	agreed_by, agreed_name, agreed_at, ended_by, ended_name, ended_at, ended_why`

func scan(row db.Row) (v Version, err error) {
	var text, agent string
	var version int
	var follows bool
	err = row.Scan(&v.ID, &agent, &version, &v.Base, &v.State, &follows, &text, &v.Why, &v.Proposed.By,
		&v.Proposed.Name, db.At(&v.Proposed.At),
		&v.Agreed.By, &v.Agreed.Name, db.At(&v.Agreed.At), &v.Ended.By, &v.Ended.Name, db.At(&v.Ended.At), &v.EndedWhy)
	if err != nil {
		return Version{}, err
	}
	v.Policy, err = decode(text)
	v.AgentID, v.Version, v.Follows = agent, version, follows
	return v, err
}

func getTx(tx *db.Tx, id string) (Version, error) {
	return scan(db.One(tx, "policy: read a version", `SELECT `+columns+` FROM policy WHERE id = $1`, id))
}

// Get reads one version; NotFound when there is none.
func (s *Store) Get(ctx context.Context, id string) (Version, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (Version, error) { return getTx(tx, id) })
}

// ByNumber reads the version of this number, as decisions name it; number 0 is the built-in default.
func (s *Store) ByNumber(ctx context.Context, number int) (Version, error) {
	if number == 0 {
		return Version{State: Active, Policy: Default()}, nil
	}
	return db.Read(ctx, s.db, func(tx *db.Tx) (Version, error) {
		return scan(db.One(tx, "policy: read a version", `SELECT `+columns+` FROM policy WHERE version = $1`, number))
	})
}

// InForce lists what is in force, the one for every agent first; the built-in default stands for it when none was
// agreed. Agents that follow it are left out.
func (s *Store) InForce(ctx context.Context) (list []Version, err error) {
	own, err := s.list(ctx, `SELECT `+columns+` FROM policy WHERE state = 'active' ORDER BY version DESC`)
	list = []Version{{State: Active, Policy: Default()}}
	for _, v := range own {
		switch {
		case v.AgentID == "":
			list[0] = v
		case !v.Follows:
			list = append(list, v)
		}
	}
	return list, err
}

// Proposals lists what waits for a second administrator, the oldest first.
func (s *Store) Proposals(ctx context.Context) (list []Version, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		list, err = db.List(tx, "policy: list", scan, `SELECT `+columns+` FROM policy
			WHERE state = 'proposed' ORDER BY version`)
		for i := range list {
			now, ferr := s.ForTx(tx, list[i].AgentID)
			list[i].Overtaken, err = now.Version != list[i].Base, errors.Join(err, ferr)
		}
		return err
	})
	return list, err
}

// Waiting counts the proposals that this person could agree to.
func (s *Store) Waiting(ctx context.Context, personID string) (n int, err error) {
	list, err := s.Proposals(ctx)
	for _, v := range list {
		if !v.Overtaken && v.Proposed.By != personID {
			n++
		}
	}
	return n, err
}

// List is a page of all versions, the newest first: those below before, which is 0 for the first page. Next is the
// before of the following page, 0 on the last.
func (s *Store) List(ctx context.Context, before, limit int) (list []Version, next int, err error) {
	if before <= 0 {
		before = 1 << 53
	}
	list, err = s.list(ctx, `SELECT `+columns+` FROM policy
		WHERE version < $1 ORDER BY version DESC LIMIT $2`, before, limit+1)
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].Version
	}
	return list, next, err
}

func (s *Store) list(ctx context.Context, query string, args ...any) ([]Version, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]Version, error) {
		return db.List(tx, "policy: list", scan, query, args...)
	})
}

// forRecord is what an audit row says of a version.
func (v Version) forRecord(more map[string]any) map[string]any {
	m := map[string]any{"agent": v.AgentID, "version": v.Version, "base_version": v.Base, "why": v.Why,
		"proposed_by": v.Proposed.Name}
	if v.Follows {
		m["follows"] = true
	} else {
		m["policy"] = v.content()
	}
	for k, x := range more {
		m[k] = x
	}
	return m
}

func record(tx *db.Tx, by audit.Actor, act string, v Version, more map[string]any) error {
	return audit.Note(tx, by, act, "policy", v.ID, v.forRecord(more))
}
