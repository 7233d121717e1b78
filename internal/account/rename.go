package account

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Rename gives a person another name. What is on record keeps the name that it was written with. base is the name that
// was on the screen, see fault.Stale.
func (dir *Directory) Rename(ctx context.Context, accountID, name string, by audit.Actor,
	base string) (a Account, err error) {
	name = oneLine(name)
	if msg := checkName(name); msg != "" {
		return Account{}, fault.Wrong(msg, "name", msg)
	}
	err = dir.change(ctx, accountID, &a, func(tx *db.Tx) error {
		before := a.Name
		if err := fault.Stale(base, before); err != nil {
			return err
		}
		if a.Name = name; before == name {
			return nil
		}
		if _, err := tx.Exec(`UPDATE account SET name = $1 WHERE id = $2`, name, accountID); err != nil {
			return err
		}
		return dir.renamedTx(tx, "account", accountID, before, name, by)
	})
	return a, err
}

// SetEmail gives a person another address to sign in with; their sessions and password stay. base is the address that
// was on the screen, see fault.Stale.
func (dir *Directory) SetEmail(ctx context.Context, accountID, email string, by audit.Actor,
	base string) (a Account, err error) {
	email = strings.TrimSpace(email)
	if msg := checkEmail(email); msg != "" {
		return Account{}, fault.Wrong(msg, "email", msg)
	}
	err = dir.change(ctx, accountID, &a, func(tx *db.Tx) error {
		before := a.Email
		if err := fault.Stale(base, before); err != nil {
			return err
		}
		if a.Email = email; before == email {
			return nil
		}
		other, err := db.Maybe[string](tx, "account: who has an e-mail address", `SELECT name FROM account
			WHERE email_key = $1 AND id <> $2`, emailKey(email), accountID)
		if err != nil {
			return err
		} else if other != "" {
			return fault.Wrong("This address is taken.", "email", other+" signs in with it. Enter another address.")
		}
		_, err = tx.Exec(`UPDATE account SET email = $1, email_key = $2 WHERE id = $3`, email, emailKey(email), accountID)
		if db.IsUnique(err) {
			return fault.Wrong("This address is taken.", "email", "Enter another address.")
		} else if err != nil {
			return err
		}
		err = record(tx, by, "account.email_changed", "account", accountID,
			map[string]any{"before": before, "after": email})
		if err != nil || dir.hooks.OnReaddressed == nil {
			return err
		}
		return dir.hooks.OnReaddressed(tx, a, by)
	})
	return a, err
}

// RenameAgent gives an agent another name. It goes on answering to the old one, which no other agent can take. It can't
// take one under which others vote or report: what is theirs would count as its own, for good.
func (dir *Directory) RenameAgent(ctx context.Context, agentID, name string, by audit.Actor,
	base string) (a Agent, err error) {
	name = oneLine(name)
	if msg := checkAgentName(name); msg != "" {
		return Agent{}, fault.Wrong(msg, "name", msg)
	}
	return db.Write(ctx, dir.db, func(tx *db.Tx) (Agent, error) {
		a, err := agentByID(tx, agentID)
		if err != nil {
			return a, err
		}
		if err := fault.Stale(base, a.Name); err != nil || a.Name == name {
			return a, err
		}
		switch other, err := agentByName(tx, name); {
		case errors.Is(err, sql.ErrNoRows):
			if err := dir.freeTx(tx, name); err != nil {
				return a, err
			}
		case err == nil && other.ID != agentID:
			return a, fault.Wrong("This name is taken.", "name",
				name+" is or was the name of the agent "+other.Name+". Choose another.")
		case err != nil:
			return a, err
		}
		before := a.Name
		if _, err := tx.Exec(`INSERT INTO agent_former (name_key, name, agent_id, at) VALUES ($1, $2, $3, $4)
			ON CONFLICT (name_key) DO UPDATE SET name = excluded.name, at = excluded.at`, strings.ToLower(before),
			before, agentID, tx.NowMs()); err != nil {
			return a, err
		}
		if _, err := tx.Exec(`UPDATE agent SET name = $1, name_key = $2
			WHERE id = $3`, name, strings.ToLower(name), agentID); err != nil {
			return a, err
		}
		a.Name = name
		return a, dir.renamedTx(tx, "agent", agentID, before, name, by)
	})
}

// freeTx refuses a name under which votes or reports came in.
func (dir *Directory) freeTx(tx *db.Tx, name string) error {
	if dir.hooks.Spoken == nil {
		return nil
	}
	spoken, err := dir.hooks.Spoken(tx, name)
	if err == nil && spoken {
		err = fault.Wrong("This name is taken.", "name", "Votes or reports came in under "+name+
			". They would count as this agent's, and couldn't be told apart again. Choose another name.")
	}
	return err
}

func (dir *Directory) renamedTx(tx *db.Tx, kind, id, before, after string, by audit.Actor) error {
	if err := record(tx, by, kind+".renamed", kind, id, map[string]any{"before": before, "after": after}); err != nil ||
		dir.hooks.OnRenamed == nil {
		return err
	}
	return dir.hooks.OnRenamed(tx, id, after)
}

// NamesTx are the names that an agent has and had, where name is one of them.
func (dir *Directory) NamesTx(tx *db.Tx, agentID, name string) ([]string, error) {
	former, err := formerTx(tx, agentID)
	if err != nil {
		return nil, err
	}
	now, err := db.Maybe[string](tx, "account: read an agent's name", `SELECT name FROM agent WHERE id = $1`, agentID)
	if t := (Token{AgentName: now, Former: former}); err != nil || !t.Named(name) {
		return nil, err
	}
	return append(former, now), nil
}

// Named reports whether name is the agent's, now or once, whatever its capitals and blanks.
func (t Token) Named(name string) bool {
	same := func(one string) bool { return strings.EqualFold(one, oneLine(name)) }
	return same(t.AgentName) || slices.ContainsFunc(t.Former, same)
}

func formerTx(tx *db.Tx, agentID string) ([]string, error) {
	return db.Column[string](tx, "account: names that an agent had", `SELECT name FROM agent_former
		WHERE agent_id = $1 ORDER BY at DESC, name_key`, agentID)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
