package review

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"preceptor/internal/db"
	"preceptor/internal/fault"
)

const (
	defaultLimit = 25
	maxLimit     = 100
	// maxPosition is where counting how deep a case stands ends: nobody pages further by hand.
	maxPosition = 10_000
)

// Filter chooses cases. The zero value is what needs review, by anybody.
type Filter struct {
	State   string // Needs, Others or Done; Needs when empty
	AgentID string
	Task    string
	Viewer  string // account; whose claims and skips count as theirs
	Cursor  string // Page.Next of the page before
	Limit   int    // 1 to 100; 25 when 0
	// WithSkipped has ClaimNext hand out what the person skipped, too.
	WithSkipped bool
	// Except is a case that ClaimNext passes over: the one on the screen.
	Except string
}

// Page is a part of the queue.
type Page struct {
	Items []Row
	Next  string // cursor of the next page; empty on the last
}

// query builds a statement whose placeholders come in ascending order.
type query struct {
	sql  strings.Builder
	args []any
}

func (b *query) add(sql string, args ...any) {
	for _, a := range args {
		b.args = append(b.args, a)
		sql = strings.Replace(sql, "?", "$"+strconv.Itoa(len(b.args)), 1)
	}
	b.sql.WriteString(sql)
}

// narrow adds the filters by agent and task.
func (b *query) narrow(f Filter) {
	if f.AgentID != "" {
		b.add(` AND agent_id = ?`, f.AgentID)
	}
	if f.Task != "" {
		b.add(` AND task = ?`, f.Task)
	}
}

// List reads one page: what waits in the order of the queue, what is decided newest first.
func (q *Queue) List(ctx context.Context, f Filter) (page Page, err error) {
	if f.Limit < 0 || f.Limit > maxLimit {
		return page, fault.WithFields("The limit can't be used.", fault.Field{Name: "limit", Msg: fmt.Sprintf("Ask for 1 to %d.", maxLimit)})
	}
	if f.Limit == 0 {
		f.Limit = defaultLimit
	}
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		b, err := listQuery(f, tx.NowMs())
		if err != nil {
			return err
		}
		if page.Items, err = rows(tx, b); err != nil {
			return err
		}
		if len(page.Items) > f.Limit {
			page.Items = page.Items[:f.Limit]
			page.Next = page.Items[f.Limit-1].cursor()
		}
		return nil
	})
	return page, err
}

func listQuery(f Filter, now int64) (*query, error) {
	at, err := parseCursor(f.Cursor)
	if err != nil {
		return nil, err
	}
	b := &query{}
	b.add(`SELECT `+rowColumns+`, EXISTS (SELECT 1 FROM review_skip s WHERE s.review_id = review.id AND s.by_id = ? AND s.version = review.version)
		FROM review`, f.Viewer)
	switch f.State {
	case "", Needs:
		b.add(` WHERE state = 'waiting' AND (claimed_until <= ? OR claimed_by = ?)`, now, f.Viewer)
	case Others:
		// Only waiting cases are claimed (a CHECK says so); asking for the state too would tempt the planner away from the claims.
		b.add(` WHERE claimed_until > 0 AND claimed_until > ? AND claimed_by <> ?`, now, f.Viewer)
	case Done:
		b.add(` WHERE state = 'decided'`)
	default:
		return nil, fault.WithFields("There is no such list.", fault.Field{Name: "state", Msg: "Ask for needs, others or done."})
	}
	b.narrow(f)
	if f.State == Done {
		if at.id != "" {
			b.add(` AND (decided_at, id) < (?, ?)`, at.ms, at.id)
		}
		b.add(` ORDER BY decided_at DESC, id DESC LIMIT ?`, f.Limit+1)
		return b, nil
	}
	if at.id != "" {
		b.add(` AND (priority, created_at, id) > (?, ?, ?)`, at.priority, at.ms, at.id)
	}
	b.add(` ORDER BY priority, created_at, id LIMIT ?`, f.Limit+1)
	return b, nil
}

// place is where a row stands in its list.
type place struct {
	priority int
	ms       int64
	id       string
}

func (r *Row) place() place {
	if r.State == "decided" {
		return place{0, db.Ms(r.DecidedAt), r.ID}
	}
	return place{r.Priority, db.Ms(r.CreatedAt), r.ID}
}

func (r *Row) cursor() string {
	p := r.place()
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d.%d.%s", p.priority, p.ms, p.id))
}

func parseCursor(c string) (p place, err error) {
	if c == "" {
		return p, nil
	}
	b, decodeErr := base64.RawURLEncoding.DecodeString(c)
	parts := strings.SplitN(string(b), ".", 3)
	if decodeErr == nil && len(parts) == 3 && parts[2] != "" {
		var err1, err2 error
		p.priority, err1 = strconv.Atoi(parts[0])
		p.ms, err2 = strconv.ParseInt(parts[1], 10, 64)
		p.id = parts[2]
		if err1 == nil && err2 == nil {
			return p, nil
		}
	}
	return place{}, fault.WithFields("The cursor can't be read.", fault.Field{Name: "cursor", Msg: "Start again from the first page."})
}

const rowColumns = `review.id, review.agent_id, review.agent_name, review.task, review.state, review.priority, review.why, review.who, review.opening,
	review.label, review.passed, review.blocked, review.borderline, review.confidence, review.flags, review.source, review.text_hash,
	review.claimed_by, review.claimed_name, review.claimed_at, review.claimed_until, review.decision_id, review.decided_at, review.created_at, review.version,
	review.two_eyes, review.two_eyes_why, review.base_id, review.first_by, review.first_name, review.asked_by, review.correcting, review.planted,
	review.assigned_to, review.assigned_name, review.decided_by`

func rows(tx *db.Tx, b *query) ([]Row, error) {
	rs, err := tx.Query(b.sql.String(), b.args...)
	if err != nil {
		return nil, fmt.Errorf("review: list: %w", err)
	}
	defer rs.Close()
	var list []Row
	for rs.Next() {
		var skipped bool
		r, err := scanRow(rs, &skipped)
		if err != nil {
			return nil, fmt.Errorf("review: list: %w", err)
		}
		r.Skipped = skipped
		list = append(list, r)
	}
	return list, rs.Err()
}

func scanRow(row interface{ Scan(...any) error }, more ...any) (r Row, err error) {
	var flags, eyes string
	var since, until, decided, created int64
	var two bool
	a := &r.Assessment
	into := append([]any{&r.ID, &r.AgentID, &r.AgentName, &r.Task, &r.State, &r.Priority, &r.Why, &r.Who, &r.Opening,
		&a.Label, &a.Passed, &a.Blocked, &a.Borderline, &a.Confidence, &flags, &a.Source, &r.TextHash,
		&r.Claim.By.ID, &r.Claim.By.Name, &since, &until, &r.DecisionID, &decided, &created, &r.Version,
		&two, &eyes, &r.BaseID, &r.First.ID, &r.First.Name, &r.AskedBy, &r.Correcting, &r.Planted,
		&r.AssignedTo.ID, &r.AssignedTo.Name, &r.DecidedBy}, more...)
	if err := row.Scan(into...); err != nil {
		return r, err
	}
	if err := json.Unmarshal([]byte(flags), &a.Flags); err != nil {
		return r, fmt.Errorf("read the flags of %s: %w", r.ID, err)
	}
	if two {
		r.TwoEyes = eyes
	}
	r.Claim.Since, r.Claim.Until = db.Time(since), db.Time(until)
	r.DecidedAt, r.CreatedAt = db.Time(decided), db.Time(created)
	return r, nil
}
