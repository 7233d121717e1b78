package nightly

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/db"
	"preceptor/internal/db/keyset"
	"preceptor/internal/fault"
	"preceptor/internal/id"
)

// States of a proposal.
const (
	Open       = "open"
	Accepted   = "accepted"
	Declined   = "declined"
	Superseded = "superseded"
)

// Proposal is a change of an agent's prompt template.
type Proposal struct {
	ID          string
	AgentID     string
	AgentName   string
	AgentType   string
	NightID     string
	Section     string // lines to add under Instructions, each beginning with "- "
	Patterns    []Pattern
	State       string
	SettledBy   string
	SettledName string
	SettledAt   time.Time
	CreatedAt   time.Time
}

// writeTx stores a summary, once, and its proposal; tells whether it was new.
func (b *Batch) writeTx(tx *db.Tx, n *Night) (bool, error) {
	n.At = tx.Now
	patterns, err := json.Marshal(n.Patterns)
	if err != nil {
		return false, err
	}
	res, err := tx.Exec(`INSERT INTO night (id, day, agent_id, agent_name, agent_type, interactions, positive, negative, neutral, promoted, demoted, retired, patterns, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT (agent_id, agent_type, day) DO NOTHING`,
		n.ID, n.Day, n.AgentID, n.AgentName, n.AgentType, n.Interactions, n.Positive, n.Negative, n.Neutral, n.Promoted, n.Demoted, n.Retired, string(patterns), tx.NowMs())
	if err != nil {
		return false, fmt.Errorf("nightly: write a night: %w", err)
	}
	if count, err := res.RowsAffected(); err != nil || count == 0 {
		return false, err
	}
	if n.ProposalID, err = proposeTx(tx, n); err != nil || n.ProposalID == "" {
		return true, err
	}
	_, err = tx.Exec(`UPDATE night SET proposal_id = $1 WHERE id = $2`, n.ProposalID, n.ID)
	return true, err
}

// Section is what patterns would add to a template; "" when none is sure.
func Section(patterns []Pattern) string {
	var lines []string
	for _, p := range patterns {
		if l := p.Line(); l != "" {
			lines = append(lines, "- "+l)
		}
	}
	return strings.Join(lines, "\n")
}

// proposeTx proposes the lines of a night's patterns, unless the same are accepted, open or were declined last.
func proposeTx(tx *db.Tx, n *Night) (string, error) {
	section := Section(n.Patterns)
	if section == "" {
		return "", nil
	}
	var last string
	err := tx.QueryRow(`SELECT section FROM prompt_proposal WHERE agent_id = $1 AND agent_type = $2 AND state <> 'superseded' ORDER BY created_at DESC, id DESC LIMIT 1`,
		n.AgentID, n.AgentType).Scan(&last)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("nightly: look for a proposal: %w", err)
	}
	if last == section {
		return "", nil
	}
	patterns, err := json.Marshal(n.Patterns)
	if err != nil {
		return "", err
	}
	if _, err := tx.Exec(`UPDATE prompt_proposal SET state = 'superseded', settled_at = $1 WHERE agent_id = $2 AND agent_type = $3 AND state = 'open'`, tx.NowMs(), n.AgentID, n.AgentType); err != nil {
		return "", fmt.Errorf("nightly: supersede a proposal: %w", err)
	}
	proposalID := id.New()
	if _, err := tx.Exec(`INSERT INTO prompt_proposal (id, agent_id, agent_name, agent_type, night_id, section, patterns, state, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 'open', $8)`, proposalID, n.AgentID, n.AgentName, n.AgentType, n.ID, section, string(patterns), tx.NowMs()); err != nil {
		return "", fmt.Errorf("nightly: propose: %w", err)
	}
	return proposalID, audit.Record(tx, audit.Entry{Actor: me, Action: "prompt.proposed", ObjectKind: "prompt_proposal", ObjectID: proposalID,
		Content: map[string]any{"agent_type": n.AgentType, "section": section}})
}

// Settle has a person accept or decline an open proposal. Denied for anybody else, Conflict when it was settled before.
func (b *Batch) Settle(ctx context.Context, proposalID string, accept bool, by audit.Actor) error {
	if by.Kind != audit.Person {
		return fault.New(fault.Denied, "Only a person may do that.")
	}
	return b.db.Write(ctx, func(tx *db.Tx) error {
		p, err := proposalTx(tx, ` WHERE id = $1`, proposalID)
		if err != nil {
			return err
		}
		if p.State != Open {
			return fault.New(fault.Conflict, "This proposal is %s already. Reload to see who settled it.", p.State)
		}
		state := Declined
		if accept {
			state = Accepted
			if _, err := tx.Exec(`UPDATE prompt_proposal SET state = 'superseded' WHERE agent_id = $1 AND agent_type = $2 AND state = 'accepted'`, p.AgentID, p.AgentType); err != nil {
				return fmt.Errorf("nightly: end what was accepted before: %w", err)
			}
		}
		if _, err := tx.Exec(`UPDATE prompt_proposal SET state = $1, settled_by = $2, settled_name = $3, settled_at = $4 WHERE id = $5`, state, by.ID, by.Name, tx.NowMs(), p.ID); err != nil {
			return fmt.Errorf("nightly: settle a proposal: %w", err)
		}
		tx.Touch("feedback")
		return audit.Record(tx, audit.Entry{Actor: by, Action: "prompt." + state, ObjectKind: "prompt_proposal", ObjectID: p.ID, Content: map[string]any{"section": p.Section}})
	})
}

// Instructions are the accepted lines for an agent's template; "" when there are none.
func (b *Batch) Instructions(ctx context.Context, agentID, agentType string) (section string, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		p, err := proposalTx(tx, ` WHERE agent_id = $1 AND agent_type = $2 AND state = 'accepted'`, agentID, agentType)
		if fault.Is(err, fault.NotFound) {
			return nil
		}
		section = p.Section
		return err
	})
	return section, err
}

// Proposal finds one; NotFound when there is none.
func (b *Batch) Proposal(ctx context.Context, proposalID string) (Proposal, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) (Proposal, error) { return proposalTx(tx, ` WHERE id = $1`, proposalID) })
}

// Proposals lists the newest n, open ones first.
func (b *Batch) Proposals(ctx context.Context, n int) ([]Proposal, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) ([]Proposal, error) {
		return db.List(tx, "nightly: list proposals", scanProposal, proposalColumns+` ORDER BY CASE state WHEN 'open' THEN 0 ELSE 1 END, created_at DESC, id DESC LIMIT $1`, n)
	})
}

const proposalColumns = `SELECT id, agent_id, agent_name, agent_type, night_id, section, patterns, state, settled_by, settled_name, settled_at, created_at FROM prompt_proposal`

func proposalTx(tx *db.Tx, where string, args ...any) (Proposal, error) {
	p, err := scanProposal(tx.QueryRow(proposalColumns+where, args...))
	if errors.Is(err, sql.ErrNoRows) {
		return Proposal{}, fault.New(fault.NotFound, "There is no such proposal.")
	}
	return p, err
}

func scanProposal(row db.Row) (p Proposal, err error) {
	var patterns string
	var settled, created int64
	if err := row.Scan(&p.ID, &p.AgentID, &p.AgentName, &p.AgentType, &p.NightID, &p.Section, &patterns, &p.State, &p.SettledBy, &p.SettledName, &settled, &created); err != nil {
		return p, fmt.Errorf("nightly: read a proposal: %w", err)
	}
	p.SettledAt, p.CreatedAt = db.Time(settled), db.Time(created)
	return p, json.Unmarshal([]byte(patterns), &p.Patterns)
}

// Nights lists summaries, the latest day first, 25 at a time. agentType "" is all. next is "" on the last page.
func (b *Batch) Nights(ctx context.Context, agentType, cursor string) (list []Night, next string, err error) {
	const limit = keyset.Standard
	where, args := ` WHERE 1 = 1`, []any{}
	if agentType != "" {
		args = append(args, agentType)
		where += fmt.Sprintf(` AND agent_type = $%d`, len(args))
	}
	if cursor != "" {
		var day, nightID string
		if err := keyset.Read(cursor, &day, &nightID); err != nil {
			return nil, "", err
		}
		args = append(args, day, day, nightID)
		where += fmt.Sprintf(` AND (day < $%d OR day = $%d AND id > $%d)`, len(args)-2, len(args)-1, len(args))
	}
	args = append(args, limit+1)
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		list, err = nights(tx, where+fmt.Sprintf(` ORDER BY day DESC, id LIMIT $%d`, len(args)), args...)
		return err
	})
	list, next = keyset.Cut(list, limit, func(n *Night) string { return keyset.Cursor(n.Day, n.ID) })
	return list, next, err
}

// Night finds one; NotFound when there is none.
func (b *Batch) Night(ctx context.Context, nightID string) (n Night, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		list, err := nights(tx, ` WHERE id = $1`, nightID)
		if err == nil && len(list) == 0 {
			err = fault.New(fault.NotFound, "There is no such night.")
		}
		if err == nil {
			n = list[0]
		}
		return err
	})
	return n, err
}

func nights(tx *db.Tx, where string, args ...any) (list []Night, err error) {
	return db.List(tx, "nightly: read nights", func(row db.Row) (n Night, err error) {
		var patterns string
		var at int64
		if err := row.Scan(&n.ID, &n.Day, &n.AgentID, &n.AgentName, &n.AgentType, &n.Interactions, &n.Positive, &n.Negative, &n.Neutral, &n.Promoted, &n.Demoted, &n.Retired,
			&patterns, &n.ProposalID, &at); err != nil {
			return n, err
		}
		if err := json.Unmarshal([]byte(patterns), &n.Patterns); err != nil {
			return n, fmt.Errorf("nightly: read the patterns of %s: %w", n.ID, err)
		}
		n.At = db.Time(at)
		return n, nil
	}, `SELECT id, day, agent_id, agent_name, agent_type, interactions, positive, negative, neutral, promoted, demoted, retired, patterns, proposal_id, at FROM night`+where, args...)
}
