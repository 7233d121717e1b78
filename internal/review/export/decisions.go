package export

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/text"
)

// decision is one row of the export, and the shape of a line of JSON.
type decision struct {
	CaseID         string          `json:"case_id"`
	DecisionID     string          `json:"decision_id"`
	AgentID        string          `json:"agent_id"`
	Agent          string          `json:"agent"`
	Task           string          `json:"task"`
	Question       string          `json:"question"`
	Customer       json.RawMessage `json:"customer"`
	Kind           string          `json:"kind"`
	State          string          `json:"state"`
	ReceivedAt     time.Time       `json:"received_at"`
	DecidedAt      time.Time       `json:"decided_at"`
	ByID           string          `json:"by_id"`
	By             string          `json:"by"`
	Seconds        int             `json:"seconds_on_case"`
	Characters     int             `json:"characters_to_read"`
	Hasty          bool            `json:"hasty"`
	Draft          string          `json:"draft"`
	Final          string          `json:"final_text"`
	Diff           [][2]any        `json:"diff,omitempty"`
	ReasonCode     string          `json:"reason_code,omitempty"`
	Reason         string          `json:"reason,omitempty"`
	Feedback       string          `json:"feedback,omitempty"`
	Flags          json.RawMessage `json:"flags"`
	Confirmation   string          `json:"confirmation,omitempty"`
	BaseID         string          `json:"base_decision_id,omitempty"`
	NeedsSecond    bool            `json:"needs_second"`
	SecondID       string          `json:"second_by_id,omitempty"`
	Second         string          `json:"second_by,omitempty"`
	SecondAt       time.Time       `json:"second_at,omitzero"`
	SecondSeconds  int             `json:"second_seconds,omitempty"`
	SecondHasty    bool            `json:"second_hasty"`
	SecondSentence string          `json:"second_confirmation,omitempty"`
	PolicyVersion  int             `json:"policy_version"`
	Overruled      []overruled     `json:"overruled,omitempty"`
	HeldUntil      time.Time       `json:"held_until,omitzero"`
	SettledAt      time.Time       `json:"settled_at,omitzero"`
	SettledID      string          `json:"settled_by_id,omitempty"`
	Settled        string          `json:"settled_by,omitempty"`
	SettledWhy     string          `json:"settled_why,omitempty"`
	Planted        bool            `json:"planted"`
	Actions        json.RawMessage `json:"actions,omitempty"`  // as they were approved
	Metadata       json.RawMessage `json:"metadata,omitempty"` // as the agent sent it
	Steps          json.RawMessage `json:"steps,omitempty"`    // likewise; not in CSV
	Again          bool            `json:"sent_again,omitempty"`
	WordsID        string          `json:"words_by_id,omitempty"`
	Words          string          `json:"words_by,omitempty"`
	Skips          []skipped       `json:"skips,omitempty"`
	Comments       []Comment       `json:"comments,omitempty"`
	Thread         string          `json:"thread,omitempty"`
	Messages       json.RawMessage `json:"messages,omitempty"`

	unified string // the difference as text, for CSV
}

// skipped is a skip within a decision's line.
type skipped struct {
	At     time.Time `json:"at"`
	By     string    `json:"by"`
	ByID   string    `json:"by_id"`
	Reason string    `json:"reason"`
}

// overruled is a check that a decision overruled, within its line.
type overruled struct {
	Code   string `json:"code"`
	Reason string `json:"reason"`
}

const decisionSQL = `SELECT d.review_id, d.id, r.agent_id, coalesce(a.name, r.agent_name), r.task, i.question,
	i.customer, d.kind, d.state, r.created_at, d.decided_at, d.by_id, d.by_name,
	d.seconds, d.characters, d.hasty, i.guidance, d.text, d.reason_code, d.reason, d.feedback, d.flags, d.confirmation,
		d.base_id, d.needs_second,
	d.second_by, d.second_name, d.second_at, d.second_seconds, d.second_hasty, d.second_confirmation, d.policy_version,
		d.held_until, d.settled_at, d.settled_by,
	d.settled_name, d.settled_why, CASE i.status WHEN 'closed' THEN i.planted ELSE 0 END, i.thread, i.messages,
	i.metadata, i.steps, d.actions, d.again, d.words_by, d.words_name
	FROM decision d JOIN review r ON r.id = d.review_id JOIN interaction i ON i.id = d.review_id
		LEFT JOIN agent a ON a.id = r.agent_id`

// place is where a batch ended.
type place struct {
	ms int64
	id string
}

// narrow is the WHERE of a batch; at is the column of the time, by those of the people, in tables with the aliases x
// and r.
func (f Filter) narrow(sql, at string, by []string, from place, until time.Time) (w keyset.Where) {
	idColumn := at[:strings.IndexByte(at, '.')] + ".id"
	if !f.To.IsZero() && f.To.Before(until) {
		w.Add(sql+` WHERE `+at+` < ?`, db.Ms(f.To))
	} else {
		w.Add(sql+` WHERE `+at+` <= ?`, db.Ms(until))
	}
	w.If(!f.From.IsZero(), at+` >= ?`, db.Ms(f.From))
	w.If(from.id != "", `(`+at+`, `+idColumn+`) > (?, ?)`, from.ms, from.id)
	w.Is(`r.agent_id`, f.AgentID)
	if f.PersonID != "" {
		w.Args = append(w.Args, f.PersonID)
		first := "$" + strconv.Itoa(len(w.Args))
		w.If(true, `(`+strings.Join(by, ` = `+first+` OR `)+` = `+first+`)`)
	}
	w.If(f.Planted == WithoutPlanted, `(i.status <> 'closed' OR i.planted = 0)`)
	w.If(f.Planted == OnlyPlanted, `i.status = 'closed' AND i.planted = 1`)
	return w
}

func (f Filter) decisionQuery(from place, until time.Time) (string, []any) {
	w := f.narrow(decisionSQL, "d.decided_at", []string{"d.by_id", "d.second_by"}, from, until)
	w.Is(`d.kind`, f.Kind)
	w.If(f.Settled, `d.state NOT IN ('pending', 'held')`)
	w.Add(` ORDER BY d.decided_at, d.id LIMIT ?`, batchRows)
	return w.SQL, w.Args
}

// decisions are read up to a moment.
func (s *Service) decisions(until time.Time) set[*decision] {
	return set[*decision]{columns: decisionHead, lines: decisionLines, cells: decisionCells,
		at: func(last *decision) place { return place{db.Ms(last.DecidedAt), last.DecisionID} },
		batch: func(ctx context.Context, f Filter, from place) ([]*decision, error) {
			rows, err := s.decisionBatch(ctx, f, from, until)
			if err == nil && len(rows) > 0 && s.Comments != nil {
				err = s.addComments(ctx, rows)
			}
			return rows, err
		}}
}

// decisionBatch reads one batch in a read transaction of its own.
func (s *Service) decisionBatch(ctx context.Context, f Filter, from place,
	until time.Time) (list []*decision, err error) {
	err = s.db.ReadWhole(ctx, func(tx *db.Tx) error {
		query, args := f.decisionQuery(from, until)
		size := 0
		err := db.Each(tx, "export: read decisions", func(row db.Row) error {
			d, err := scanDecision(row)
			if err != nil {
				return err
			}
			list = append(list, d)
			size += len(d.Draft) + len(d.Final) + len(d.Question) + len(d.Customer) + len(d.Reason) + len(d.Feedback) +
				len(d.Messages) + len(d.Metadata) + len(d.Steps) + len(d.Actions)
			return full(size)
		}, query, args...)
		if err != nil {
			return err
		}
		return addSkips(tx, list)
	})
	return list, err
}

// full ends a batch that has grown to its size.
func full(size int) error {
	if size < batchBytes {
		return nil
	}
	return db.ErrEnough
}

func scanDecision(row db.Row) (*decision, error) {
	d := &decision{}
	var customer, flags, messages, metadata, steps, actions string
	if err := row.Scan(&d.CaseID, &d.DecisionID, &d.AgentID, &d.Agent, &d.Task, &d.Question, &customer, &d.Kind,
		&d.State, db.At(&d.ReceivedAt), db.At(&d.DecidedAt), &d.ByID, &d.By,
		&d.Seconds, &d.Characters, &d.Hasty, &d.Draft, &d.Final, &d.ReasonCode, &d.Reason, &d.Feedback, &flags,
		&d.Confirmation, &d.BaseID, &d.NeedsSecond,
		&d.SecondID, &d.Second, db.At(&d.SecondAt), &d.SecondSeconds, &d.SecondHasty, &d.SecondSentence,
		&d.PolicyVersion, db.At(&d.HeldUntil), db.At(&d.SettledAt), &d.SettledID,
		&d.Settled, &d.SettledWhy, &d.Planted, &d.Thread, &messages, &metadata, &steps, &actions, &d.Again, &d.WordsID,
		&d.Words); err != nil {
		return nil, err
	}
	d.Customer, d.Flags, d.Messages = json.RawMessage(customer), json.RawMessage(flags), json.RawMessage(messages)
	d.Metadata, d.Steps, d.Actions = json.RawMessage(metadata), json.RawMessage(steps), json.RawMessage(actions)
	return d, nil
}

// addSkips reads the skips of the cases in list, and what its decisions overruled. list is a run of decisions in order:
// statements that name no ids don't grow with the batch.
func addSkips(tx *db.Tx, list []*decision) error {
	if len(list) == 0 {
		return nil
	}
	byID := make(map[string]*decision, len(list))
	for _, d := range list {
		byID[d.DecisionID] = d
	}
	first, last := list[0], list[len(list)-1]
	if err := db.Each(tx, "export: read what was overruled", func(row db.Row) error {
		var id string
		var o overruled
		err := row.Scan(&id, &o.Code, &o.Reason)
		if d := byID[id]; d != nil {
			d.Overruled = append(d.Overruled, o)
		}
		return err
	}, `SELECT d.id, o.code, o.reason FROM decision d JOIN overruling o ON o.decision_id = d.id
		WHERE (d.decided_at, d.id) >= ($1, $2) AND (d.decided_at, d.id) <= ($3, $4) ORDER BY o.code`,
		db.Ms(first.DecidedAt), first.DecisionID, db.Ms(last.DecidedAt), last.DecisionID); err != nil {
		return err
	}
	return db.Each(tx, "export: read skips", func(row db.Row) error {
		var id string
		var at int64
		var k skipped
		if err := row.Scan(&id, &at, &k.By, &k.ByID, &k.Reason); err != nil {
			return err
		}
		if d := byID[id]; d != nil {
			k.At = db.Time(at)
			d.Skips = append(d.Skips, k)
		}
		return nil
	}, `SELECT d.id, k.at, k.by_name, k.by_id, k.reason FROM decision d JOIN review_skip k ON k.review_id = d.review_id
		WHERE (d.decided_at, d.id) >= ($1, $2) AND (d.decided_at, d.id) <= ($3, $4) ORDER BY k.at, k.id`,
		db.Ms(first.DecidedAt), first.DecisionID, db.Ms(last.DecidedAt), last.DecisionID)
}

// addComments asks for the remarks about the cases of a batch.
func (s *Service) addComments(ctx context.Context, list []*decision) error {
	seen, ids := make(map[string]bool, len(list)), make([]string, 0, len(list))
	for _, d := range list {
		if !seen[d.CaseID] {
			seen[d.CaseID], ids = true, append(ids, d.CaseID)
		}
	}
	found, err := s.Comments(ctx, ids)
	if err != nil {
		return fmt.Errorf("export: read comments: %w", err)
	}
	for _, d := range list {
		d.Comments = found[d.CaseID]
	}
	return nil
}

// changes works out the difference, where there is one to show.
func (d *decision) changes() []text.Change {
	if d.Kind != "revise" || d.Draft == d.Final {
		return nil
	}
	return Changes(d.Draft, d.Final)
}

func decisionLines(b *bytes.Buffer, list []*decision) {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	for _, d := range list {
		if ops := d.changes(); ops != nil {
			d.Diff = jsonOps(ops)
		}
		if err := enc.Encode(d); err != nil { // a customer that is no JSON; the row is told all the same
			d.Customer, d.Flags, d.Messages, d.Metadata, d.Steps = nil, nil, nil, nil, nil
			_ = enc.Encode(d) // strings and numbers always encode
		}
	}
}
