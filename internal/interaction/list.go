package interaction

import (
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/db"
	"preceptor/internal/fault"
)

const (
	defaultLimit = 25
	maxLimit     = 100
)

// Filter chooses interactions; the zero value chooses all.
type Filter struct {
	AgentID string
	Status  Status
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
		return page, fault.WithFields("There is no such status.", fault.Field{Name: "status", Msg: "Ask for one of: " + strings.Join(Statuses, ", ") + "."})
	}
	if f.Limit < 0 || f.Limit > maxLimit {
		return page, fault.WithFields("The limit can't be used.", fault.Field{Name: "limit", Msg: fmt.Sprintf("Ask for 1 to %d.", maxLimit)})
	}
	if f.Limit == 0 {
		f.Limit = defaultLimit
	}
	at, after, err := parseCursor(f.Cursor)
	if err != nil {
		return page, err
	}
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		page, err = list(tx, f, at, after)
		return err
	})
	return page, err
}

func list(tx *db.Tx, f Filter, at int64, after string) (page Page, err error) {
	var where []string
	var args []any
	arg := func(v any) string { args = append(args, v); return "$" + strconv.Itoa(len(args)) }
	if f.AgentID != "" {
		where = append(where, "agent_id = "+arg(f.AgentID), "planted = 0") // an agent knows nothing of checks on the desk
	}
	if f.Status != "" {
		where = append(where, "status = "+arg(f.Status))
	}
	if after != "" {
		where = append(where, "(created_at, id) < ("+arg(at)+", "+arg(after)+")")
	}
	q := `SELECT ` + columns + ` FROM interaction`
	if len(where) > 0 {
		q += ` WHERE ` + strings.Join(where, " AND ")
	}
	rows, err := tx.Query(q+` ORDER BY created_at DESC, id DESC LIMIT `+arg(f.Limit+1), args...)
	if err != nil {
		return page, fmt.Errorf("interaction: list: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		in, err := scan(rows)
		if err != nil {
			return page, fmt.Errorf("interaction: list: %w", err)
		}
		page.Items = append(page.Items, *in)
	}
	if len(page.Items) > f.Limit {
		page.Items = page.Items[:f.Limit]
		last := page.Items[f.Limit-1]
		page.Next = cursor(last.CreatedAt, last.ID)
	}
	return page, rows.Err()
}

func cursor(at time.Time, id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(db.Ms(at), 10) + "." + id))
}

func parseCursor(c string) (at int64, after string, err error) {
	if c == "" {
		return 0, "", nil
	}
	b, err := base64.RawURLEncoding.DecodeString(c)
	ms, after, ok := strings.Cut(string(b), ".")
	at, numErr := strconv.ParseInt(ms, 10, 64)
	if err != nil || !ok || numErr != nil || after == "" {
		return 0, "", fault.WithFields("The cursor can't be read.", fault.Field{Name: "cursor", Msg: "Send the cursor of the page before as it came, or leave it out to start again."})
	}
	return at, after, nil
}

const columns = `id, agent_id, agent_name, origin, status, task, task_by, question, customer, guidance, guidance_hash, reasoning, model, drafter,
	knowledge_used, steps, metadata, final_text, failure, created_at, released_at, version, revises, planted, erased_at`

// GetTx reads one interaction; NotFound when there is none.
func (s *Store) GetTx(tx *db.Tx, id string) (*Interaction, error) {
	in, err := scan(tx.QueryRow(`SELECT `+columns+` FROM interaction WHERE id = $1`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, notFound()
	}
	if err != nil {
		return nil, fmt.Errorf("interaction: get %s: %w", id, err)
	}
	return in, nil
}

func scan(row interface{ Scan(...any) error }) (*Interaction, error) {
	var in Interaction
	var customer, used, steps, metadata string
	var created, released, erased int64
	if err := row.Scan(&in.ID, &in.AgentID, &in.AgentName, &in.Origin, &in.Status, &in.Consultation.TaskType, &in.TaskTypeBy, &in.Consultation.Question,
		&customer, &in.Guidance, &in.GuidanceHash, &in.Reasoning, &in.Model, &in.Drafter, &used, &steps, &metadata, &in.FinalText, &in.Failure,
		&created, &released, &in.Version, &in.Revises, &in.Planted, &erased); err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(customer), &in.Consultation.Customer); err != nil {
		return nil, fmt.Errorf("read the customer of %s: %w", in.ID, err)
	}
	if err := json.Unmarshal([]byte(used), &in.KnowledgeUsed); err != nil {
		return nil, fmt.Errorf("read the knowledge used of %s: %w", in.ID, err)
	}
	if steps != "" {
		in.Steps = json.RawMessage(steps)
	}
	if metadata != "" {
		in.Metadata = json.RawMessage(metadata)
	}
	in.CreatedAt, in.ReleasedAt, in.ErasedAt = db.Time(created), db.Time(released), db.Time(erased)
	return &in, nil
}

func marshalUsed(list []Used) (string, error) {
	b, err := json.Marshal(list)
	if err != nil {
		return "", fmt.Errorf("interaction: write the knowledge used as JSON: %w", err)
	}
	return string(b), nil
}
