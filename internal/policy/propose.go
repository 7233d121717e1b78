package policy

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/approval"
	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// Propose puts a policy before the other administrators. base is the version that the person saw in force for the
// agent; if another holds by now, that is a Conflict. Nothing changes before somebody else agrees.
func (s *Store) Propose(ctx context.Context, p Policy, base int, why string, by audit.Actor) (Version, error) {
	if err := checkProposal(&p, why); err != nil {
		return Version{}, err
	}
	text, err := encode(p)
	if err != nil {
		return Version{}, err
	}
	c, err := s.approvals.Propose(ctx, approval.ReviewPolicy,
		approval.Change{Subject: p.AgentID, Base: base, Payload: text, Reason: strings.TrimSpace(why)}, by)
	if err != nil {
		return Version{}, err
	}
	return read(c)
}

func encode(p Policy) (string, error) {
	if p.Follows {
		return follows, nil
	}
	text, err := json.Marshal(p.content())
	if err != nil {
		return "", fmt.Errorf("policy: write one: %w", err)
	}
	return string(text), nil
}

// Check says what is wrong with a proposal, field by field, without making it.
func (p Policy) Check(why string) error { return checkProposal(&p, why) }

func checkProposal(p *Policy, why string) error {
	err := p.check()
	_, ferr := text.Reason(why, "why", "Give a reason. The other administrators read it, and it stays on record.")
	if wrong := append(fault.Fields(err), fault.Fields(ferr)...); len(wrong) > 0 {
		return fault.WithFields(wrong[0].Msg, wrong...)
	}
	return err
}

// holdsTx is what holds for an agent, and whether that is its own.
func (s *Store) holdsTx(tx *db.Tx, agentID string) (Policy, bool, error) {
	p, err := s.ForTx(tx, agentID)
	return p, p.AgentID == agentID && (agentID != "" || p.Version > 0), err
}

// handler is how changes of a policy are checked and applied: what is in force is the newest that was agreed to.
func (s *Store) handler() approval.Handler {
	return approval.Handler{
		MayPropose: s.hooks.MayAdmin, MayAgree: s.hooks.MayAdmin, Topic: "policies", Follow: s.follow,
		Base: func(tx *db.Tx, c approval.Change) (int, error) {
			now, err := s.ForTx(tx, c.Subject)
			return now.Version, err
		},
		Check: func(tx *db.Tx, c approval.Change) error {
			v, err := read(c)
			if err != nil {
				return approval.Unreadable(err)
			}
			now, own, err := s.holdsTx(tx, c.Subject)
			switch {
			case err != nil:
				return err
			case v.Follows && !own:
				return fault.New(fault.Invalid, "This agent already follows the policy for every agent.")
			case !v.Follows && v.Same(now) && (own || c.Subject == ""):
				return fault.New(fault.Invalid, "This is the same as the policy in force. Change something first.")
			}
			return nil
		},
		Says: func(tx *db.Tx, c approval.Change) (says approval.Says, err error) {
			v, err := read(c)
			if err != nil {
				return says, approval.Unreadable(err)
			}
			now, err := s.ForTx(tx, c.Subject)
			if err != nil {
				return says, err
			}
			says = approval.Says{Title: fmt.Sprintf("Version %d", c.Version),
				Href: fmt.Sprintf("/admin/policies/%d", c.Version)}
			if v.Follows {
				says.Lines = []string{"The agent drops its own policy and follows the one for every agent."}
				return says, nil
			}
			for _, d := range now.Differences(v.Policy) {
				says.Lines = append(says.Lines, d.What+": "+d.After+" instead of "+d.Before)
			}
			return says, nil
		},
	}
}

// follow is what the record has of what happened to a policy.
func (s *Store) follow(tx *db.Tx, c approval.Change, _ audit.Actor) (e audit.Entry, err error) {
	v, err := read(c)
	if err != nil && c.State == approval.Agreed {
		return e, err
	}
	content := map[string]any{"agent": v.AgentID, "version": v.Policy.Version, "base_version": v.Base, "why": v.Why,
		"proposed_by": v.Proposed.Name}
	if v.Follows {
		content["follows"] = true
	} else {
		content["policy"] = v.content()
	}
	switch c.State {
	case approval.Agreed:
		before, err := byNumber(tx, c.Base)
		if err != nil {
			return e, err
		}
		content["before"], content["before_version"] = before.content(), c.Base
		now, err := s.ForTx(tx, c.Subject)
		if err != nil {
			return e, err
		}
		if err := s.hooks.OnAgreed(tx, c.Subject, slices.ContainsFunc(now.SecondEyes, func(c Condition) bool {
			return !slices.Contains(before.SecondEyes, c)
		})); err != nil {
			return e, err
		}
	case approval.Refused, approval.Withdrawn:
		content["answer"] = c.Answer
	}
	return audit.Entry{Action: "policy." + c.State, ObjectKind: "policy", ObjectID: c.ID, Content: content}, nil
}
