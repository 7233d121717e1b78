package policy

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"preceptor/internal/audit"
	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/id"
)

// Propose puts a policy before the other administrators. base is the version that the person saw in force for the
// agent; if another holds by now, that is a Conflict. Nothing changes before somebody else agrees.
func (s *Store) Propose(ctx context.Context, p Policy, base int, why string, by audit.Actor) (v Version, err error) {
	why = strings.TrimSpace(why)
	if err := checkProposal(&p, why); err != nil {
		return Version{}, err
	}
	text, err := json.Marshal(p.content())
	if err != nil {
		return Version{}, fmt.Errorf("policy: write one: %w", err)
	}
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		if err := s.mayAdmin(tx, by.ID); err != nil {
			return err
		}
		now, own, err := s.holdsTx(tx, p.AgentID)
		switch {
		case err != nil:
			return err
		case now.Version != base:
			return fault.New(fault.Conflict,
				"Another policy came into force while you were writing. Look at it, then propose again. What you "+
					"typed is still here.")
		case p.Follows && !own:
			return fault.New(fault.Invalid, "This agent already follows the policy for every agent.")
		case !p.Follows && p.Same(now) && (own || p.AgentID == ""):
			return fault.New(fault.Invalid, "This is the same as the policy in force. Change something first.")
		}
		var last int
		if err := db.One(tx, "policy: number a proposal",
			`SELECT coalesce(max(version), 0) FROM policy`).Scan(&last); err != nil {
			return err
		}
		p.Version = last + 1
		v = Version{ID: id.New(), State: Proposed, Base: base, Why: why, Proposed: Signature{by.ID, by.Name, tx.Now},
			Policy: p}
		err = db.Exec(tx, "policy: propose", `INSERT INTO policy (id, agent_id, version, base_version, state, follows,
				content, why, proposed_by, proposed_name, proposed_at)
			VALUES ($1, $2, $3, $4, 'proposed', $5, $6, $7, $8, $9, $10)`,
			v.ID, v.AgentID, v.Version, v.Base, v.Follows, string(text), v.Why, by.ID, by.Name, tx.NowMs())
		if err != nil {
			return err
		}
		tx.Touch("policies")
		if err := record(tx, by, "policy.proposed", v, nil); err != nil {
			return err
		}
		return s.hooks.OnProposed(tx, v)
	})
	return v, err
}

// Check says what is wrong with a proposal, field by field, without making it.
func (p Policy) Check(why string) error { return checkProposal(&p, strings.TrimSpace(why)) }

func checkProposal(p *Policy, why string) error {
	err := p.check()
	wrong := fault.Fields(err)
	switch {
	case why == "":
		wrong = append(wrong,
			fault.Field{Name: "why", Msg: "Give a reason. The other administrators read it, and it stays on record."})
	case utf8.RuneCountInString(why) > maxWhy:
		wrong = append(wrong, fault.Field{Name: "why", Msg: "Use at most 2,000 characters."})
	}
	if len(wrong) > 0 {
		return fault.WithFields(wrong[0].Msg, wrong...)
	}
	return err
}

// holdsTx is what holds for an agent, and whether that is its own.
func (s *Store) holdsTx(tx *db.Tx, agentID string) (Policy, bool, error) {
	p, err := s.ForTx(tx, agentID)
	return p, p.AgentID == agentID && (agentID != "" || p.Version > 0), err
}

func (s *Store) mayAdmin(tx *db.Tx, personID string) error {
	if personID == "" {
		return fault.New(fault.Denied, "Only an administrator can change what people must review.")
	}
	return s.hooks.MayAdmin(tx, personID)
}

// Agree puts a proposal into force. It takes an administrator other than the proposer; both must be administrators now,
// and what held when it was proposed must still hold.
func (s *Store) Agree(ctx context.Context, versionID string, by audit.Actor) (v Version, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		if v, err = s.open(tx, versionID, by); err != nil {
			return err
		}
		if v.Proposed.By == by.ID {
			return fault.New(fault.Denied, "You proposed this, so another administrator has to agree.")
		}
		if err := s.mayAdmin(tx, v.Proposed.By); err != nil {
			if fault.Is(err, fault.Denied) {
				return fault.Wrap(fault.Conflict, err,
					"%s, who proposed this, can no longer do so. Refuse it, and propose it yourself if it is right.",
					v.Proposed.Name)
			}
			return err
		}
		now, _, err := s.holdsTx(tx, v.AgentID)
		if err != nil {
			return err
		}
		if now.Version != v.Base {
			return overtaken(now)
		}
		err = db.Exec(tx, "policy: supersede", `UPDATE policy SET state = 'superseded', ended_by = $1, ended_name = $2,
			ended_at = $3
			WHERE agent_id = $4 AND state = 'active'`,
			by.ID, by.Name, tx.NowMs(), v.AgentID)
		if err != nil {
			return err
		}
		if err := db.Exec(tx, "policy: agree", `UPDATE policy SET state = 'active', agreed_by = $1, agreed_name = $2,
			agreed_at = $3
			WHERE id = $4 AND state = 'proposed'`,
			by.ID, by.Name, tx.NowMs(), v.ID); err != nil {
			return err
		}
		v.State, v.Agreed = Active, Signature{by.ID, by.Name, tx.Now}
		tx.Touch("policies")
		if err := s.hooks.OnAnswered(tx, v); err != nil {
			return err
		}
		return record(tx, by, "policy.agreed", v,
			map[string]any{"before": now.content(), "before_version": now.Version})
	})
	return v, err
}

func overtaken(now Policy) error {
	what := fmt.Sprintf("version %d", now.Version)
	if now.Version == 0 {
		what = "the built-in default"
	}
	return fault.New(fault.Conflict, "This was based on a policy that is no longer in force; %s is now. Refuse or "+
		"withdraw it, and propose it again.", what)
}

// open reads a proposal that still waits, for an administrator.
func (s *Store) open(tx *db.Tx, versionID string, by audit.Actor) (Version, error) {
	if err := s.mayAdmin(tx, by.ID); err != nil {
		return Version{}, err
	}
	v, err := getTx(tx, versionID)
	if err != nil {
		return Version{}, err
	}
	switch v.State {
	case Proposed:
		return v, nil
	case Refused, Withdrawn:
		return v, fault.New(fault.Conflict, "%s has already %s this proposal.", v.Ended.Name,
			map[State]string{Refused: "refused", Withdrawn: "withdrawn"}[v.State])
	default:
		return v, fault.New(fault.Conflict, "%s has already agreed to this.", v.Agreed.Name)
	}
}

// Refuse ends a proposal of somebody else, with a reason.
func (s *Store) Refuse(ctx context.Context, versionID, why string, by audit.Actor) (Version, error) {
	why = strings.TrimSpace(why)
	if why == "" || utf8.RuneCountInString(why) > maxWhy {
		const msg = "Give a reason, in at most 2,000 characters. The proposer will read it."
		return Version{}, fault.Wrong(msg, "refusal", msg)
	}
	return s.end(ctx, versionID, Refused, why, by)
}

// Withdraw takes one's own proposal back.
func (s *Store) Withdraw(ctx context.Context, versionID string, by audit.Actor) (Version, error) {
	return s.end(ctx, versionID, Withdrawn, "", by)
}

func (s *Store) end(ctx context.Context, versionID string, to State, why string,
	by audit.Actor) (v Version, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		if v, err = s.open(tx, versionID, by); err != nil {
			return err
		}
		if mine := v.Proposed.By == by.ID; mine != (to == Withdrawn) {
			if mine {
				return fault.New(fault.Denied, "You proposed this yourself; withdraw it instead.")
			}
			return fault.New(fault.Denied, "%s proposed this; refuse it instead.", v.Proposed.Name)
		}
		if err := db.Exec(tx, "policy: end a proposal", `UPDATE policy SET state = $1, ended_by = $2, ended_name = $3,
			ended_at = $4, ended_why = $5
			WHERE id = $6 AND state = 'proposed'`,
			string(to), by.ID, by.Name, tx.NowMs(), why, v.ID); err != nil {
			return err
		}
		v.State, v.Ended, v.EndedWhy = to, Signature{by.ID, by.Name, tx.Now}, why
		tx.Touch("policies")
		if err := s.hooks.OnAnswered(tx, v); err != nil {
			return err
		}
		return record(tx, by, "policy."+string(to), v, map[string]any{"answer": why})
	})
	return v, err
}
