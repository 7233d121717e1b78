package policy

import (
	"context"

	"preceptor/internal/approval"
	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/hook"
)

// State is where a version stands.
type State string

// The states.
const (
	Proposed   State = approval.Proposed
	Active     State = "active"
	Refused    State = approval.Refused
	Withdrawn  State = approval.Withdrawn
	Superseded State = "superseded"
)

// Version is one policy with what became of it.
type Version struct {
	ID       string
	State    State
	Base     int // the version that held for the agent when this was proposed; 0: the built-in default
	Why      string
	Proposed approval.Signature
	Agreed   approval.Signature
	Ended    approval.Signature // who refused, withdrew or replaced it
	EndedWhy string
	Policy
}

// Store is the door to the policies.
type Store struct {
	db        *db.DB
	approvals *approval.Store
	hooks     Hooks
}

// Hooks are what the policies ask and tell others.
type Hooks struct {
	// MayAdmin passes an administrator who may sign in.
	MayAdmin person.Guard
	// OnAgreed runs in the transaction in which an agent's policy came into force ("": the one for every agent);
	// stricter is that it asks for a second supervisor where the one before didn't.
	OnAgreed func(tx *db.Tx, agentID string, stricter bool) error
}

// New makes the store on d, whose changes are agreed to in approvals.
func New(d *db.DB, approvals *approval.Store, h Hooks) *Store {
	hook.Complete(h)
	s := &Store{db: d, approvals: approvals, hooks: h}
	approvals.Handle(kind, s.handler())
	return s
}

var kind = approval.ReviewPolicy.Kind

// ForTx is what holds for an agent in this transaction; agentID "" asks what holds for agents without their own. It
// costs one statement that looks at the few versions of the two.
func (s *Store) ForTx(tx *db.Tx, agentID string) (Policy, error) {
	inForce, err := approval.InForceOf(tx, kind, "", agentID)
	if err != nil {
		return Policy{}, err
	}
	p := Default()
	for _, c := range inForce {
		v, err := read(c)
		if err != nil {
			return Policy{}, err
		}
		if !v.Follows && (c.Subject == agentID || p.AgentID == "") {
			p = v.Policy
		}
	}
	return p, nil
}

// Current is what holds for an agent now.
func (s *Store) Current(ctx context.Context, agentID string) (Policy, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (Policy, error) { return s.ForTx(tx, agentID) })
}

// read makes a version of a change.
func read(c approval.Change) (Version, error) {
	v := Version{ID: c.ID, State: State(c.State), Base: c.Base, Why: c.Reason, Proposed: c.Proposed, Ended: c.Decided,
		EndedWhy: c.Answer}
	if c.State == approval.Agreed {
		v.State, v.Agreed, v.Ended = Active, c.Decided, c.Replaced
		if c.Replaced.By != "" {
			v.State = Superseded
		}
	}
	p, err := decode(c.Payload)
	v.Policy = p
	v.AgentID, v.Policy.Version = c.Subject, c.Version
	return v, err
}

func readAll(list []approval.Change, err error) (all []Version, _ error) {
	for _, c := range list {
		v, rerr := read(c)
		if rerr != nil {
			return nil, rerr
		}
		all = append(all, v)
	}
	return all, err
}

func byNumber(tx *db.Tx, number int) (Version, error) {
	if number == 0 {
		return Version{State: Active, Policy: Default()}, nil
	}
	c, err := approval.ByVersion(tx, kind, number)
	if err != nil {
		return Version{}, err
	}
	return read(c)
}

// ByNumber reads the version of this number, as decisions name it; number 0 is the built-in default. NotFound when
// there is none.
func (s *Store) ByNumber(ctx context.Context, number int) (Version, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (Version, error) { return byNumber(tx, number) })
}

// Get reads one version by the id of its change; NotFound when there is none.
func (s *Store) Get(ctx context.Context, id string) (Version, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (Version, error) {
		c, err := approval.ByID(tx, id)
		if err == nil && c.Kind != kind {
			err = approval.ErrNone
		}
		if err != nil {
			return Version{}, err
		}
		return read(c)
	})
}

// InForce lists what is in force, the one for every agent first; the built-in default stands for it when none was
// agreed. Agents that follow it are left out.
func (s *Store) InForce(ctx context.Context) (list []Version, err error) {
	own, err := db.Read(ctx, s.db, func(tx *db.Tx) ([]Version, error) { return readAll(approval.InForce(tx, kind)) })
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

// List is a page of all versions, the newest first: those below before, which is 0 for the first page. Next is the
// before of the following page, 0 on the last.
func (s *Store) List(ctx context.Context, before, limit int) (list []Version, next int, err error) {
	if before <= 0 {
		before = 1 << 53
	}
	list, err = db.Read(ctx, s.db, func(tx *db.Tx) ([]Version, error) {
		return readAll(approval.List(tx, kind, before, limit+1))
	})
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].Policy.Version
	}
	return list, next, err
}
