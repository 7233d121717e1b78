package interaction

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/fault"
)

// Filter chooses interactions; the zero value chooses all.
type Filter struct {
	AgentID string
	Status  Status
	Thread  string // of the agent's
	Cursor  string // Page.Next of the page before
	Limit   int    // 1 to 100; 25 when 0
}

// Page is a part of a list, newest first.
type Page struct {
	Items []Interaction
	Next  string // cursor of the next page; empty on the last
}

// List reads one page.
func (s *Store) List(ctx context.Context, f Filter) (page Page, err error) {
	if f.Status != "" && !slices.Contains(Statuses, f.Status) {
		return page, fault.Wrong("There is no such status.", "status",
			"Ask for one of: "+strings.Join(Statuses, ", ")+".")
	}
	if f.Limit, err = keyset.Limit(f.Limit); err != nil {
		return page, err
	}
	from, err := keyset.Parse(f.Cursor)
	if err != nil {
		return page, err
	}
	return db.Read(ctx, s.db, func(tx *db.Tx) (Page, error) { return list(tx, f, from) })
}

// Standings are the newest n of a thread, newest first: of each its id, what it revises and how far it is. Its final
// text is a mark that there is one.
func (s *Store) Standings(ctx context.Context, agentID, thread string, n int) ([]Interaction, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]Interaction, error) {
		return db.Rows(tx, "interaction: read a thread", func(in *Interaction) []any {
			return []any{&in.ID, &in.Status, &in.Revises, &in.NoText, &in.FinalText, db.At(&in.ReleasedAt)}
		}, `SELECT id, status, revises, no_text, CASE final_text WHEN '' THEN '' ELSE 'text' END, released_at
			FROM interaction WHERE agent_id = $1 AND thread = $2 AND thread <> '' AND planted = 0
			ORDER BY created_at DESC, id DESC LIMIT $3`, agentID, thread, n)
	})
}

func list(tx *db.Tx, f Filter, from keyset.Place) (page Page, err error) {
	w := keyset.Where{SQL: `SELECT ` + columns + ` FROM interaction WHERE 1 = 1`}
	w.If(f.AgentID != "", `agent_id = ? AND planted = 0`, f.AgentID) // an agent knows nothing of checks on the desk
	w.Is(`thread`, f.Thread)
	w.If(f.Status != "", statusIs(f.Status), f.Status)
	query, args := keyset.Order{At: `created_at`, ID: `id`}.Page(w.SQL, w.Args, from, f.Limit+1)
	if page.Items, err = db.List(tx, "interaction: list", scan, query, args...); err != nil {
		return page, err
	}
	page.Items, page.Next = keyset.Cut(page.Items, f.Limit, func(in *Interaction) string {
		return keyset.At(in.CreatedAt, in.ID).Cursor()
	})
	return page, nil
}

// HandedInTx reports whether an agent ever handed in guidance, or had it drafted.
func HandedInTx(tx *db.Tx, agentID string) (bool, error) {
	found, err := db.Maybe[string](tx, "interaction: look for one of an agent", `SELECT id FROM interaction
		WHERE agent_id = $1 AND planted = 0 LIMIT 1`, agentID)
	return found != "", err
}

// HasTx reports whether an agent has guidance of one of these statuses.
func HasTx(tx *db.Tx, agentID string, statuses ...Status) (bool, error) {
	found, err := db.Maybe[string](tx, "interaction: look for a status", `SELECT id FROM interaction
		WHERE agent_id = $1 AND planted = 0 AND status IN (`+db.In(2, len(statuses))+`) LIMIT 1`,
		append([]any{agentID}, db.Anys(statuses)...)...)
	return found != "", err
}

const columns = `id, agent_id, agent_name, origin, ` + standsAs + `, task, task_by, question, customer,
	guidance, guidance_hash, reasoning, model, drafter,
	knowledge_used, steps, metadata, final_text, failure, created_at, released_at, version, revises, planted, erased_at,
		provenance, pack, thread, messages, urgency, channel, expires_at, actions, no_text`

// GetTx reads one interaction; NotFound when there is none.
func (s *Store) GetTx(tx *db.Tx, id string) (*Interaction, error) {
	in, err := scan(db.One(tx, fmt.Sprintf("interaction: get %s", id),
		`SELECT `+columns+` FROM interaction WHERE id = $1`, id).Or(NotFound()))
	if err != nil {
		return nil, err
	}
	return &in, nil
}

func scan(row db.Row) (in Interaction, err error) {
	var steps, metadata, provenance, talk, actions string
	if err := row.Scan(&in.ID, &in.AgentID, &in.AgentName, &in.Origin, &in.Status, &in.Consultation.TaskType,
		&in.TaskTypeBy, &in.Consultation.Question,
		db.JSON(&in.Consultation.Customer), &in.Guidance, &in.GuidanceHash, &in.Reasoning, &in.Model, &in.Drafter,
		db.JSON(&in.KnowledgeUsed), &steps, &metadata, &in.FinalText, &in.Failure,
		db.At(&in.CreatedAt), db.At(&in.ReleasedAt), &in.Version, &in.Revises, &in.Planted, db.At(&in.ErasedAt),
		&provenance, &in.Consultation.Pack, &in.Consultation.Thread, &talk, &in.Urgency, &in.Channel,
		db.At(&in.ExpiresAt), &actions, &in.NoText); err != nil {
		return in, err
	}
	if provenance != "" {
		if err := json.Unmarshal([]byte(provenance), &in.Provenance); err != nil {
			return in, fmt.Errorf("read how %s was drafted: %w", in.ID, err)
		}
	}
	if talk != "" {
		if err := json.Unmarshal([]byte(talk), &in.Consultation.Messages); err != nil {
			return in, fmt.Errorf("read the conversation of %s: %w", in.ID, err)
		}
	}
	if in.Actions, err = ReadActions(actions); err != nil {
		return in, fmt.Errorf("read the actions of %s: %w", in.ID, err)
	}
	if in.Consultation.NoText = in.NoText; !in.NoText {
		in.Consultation.Acts = in.Actions.Text()
	}
	if steps != "" {
		in.Steps = json.RawMessage(steps)
	}
	if metadata != "" {
		in.Metadata = json.RawMessage(metadata)
	}
	return in, nil
}

func marshalUsed(list []Used) (string, error) {
	b, err := json.Marshal(list)
	if err != nil {
		return "", fmt.Errorf("interaction: write the knowledge used as JSON: %w", err)
	}
	return string(b), nil
}
