package comment

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

	"preceptor/internal/db"
	"preceptor/internal/fault"
)

const (
	defaultLimit = 25
	maxLimit     = 100
	// CaseLimit is how many comments the page of a case shows; List has the rest.
	CaseLimit = 50
	// batch is how many comments Each reads at a time.
	batch = 500
)

// Filter chooses comments, newest first. The zero value is all of them.
type Filter struct {
	CaseID    string
	ByID      string // account that wrote it
	MentionID string // account that is meant
	AgentID   string
	Cursor    string // Page.Next of the page before
	Limit     int    // 1 to 100; 25 when 0
}

// Page is a part of a list.
type Page struct {
	Items []Comment
	Next  string // cursor; empty on the last page
}

// List reads one page.
func (s *Store) List(ctx context.Context, f Filter) (page Page, err error) {
	if f.Limit < 0 || f.Limit > maxLimit {
		return page, fault.WithFields("The limit can't be used.", fault.Field{Name: "limit", Msg: fmt.Sprintf("Ask for 1 to %d.", maxLimit)})
	}
	if f.Limit == 0 {
		f.Limit = defaultLimit
	}
	b, err := listQuery(f)
	if err != nil {
		return page, err
	}
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		if page.Items, err = readTx(tx, b.sql.String(), b.args...); err != nil {
			return err
		}
		if len(page.Items) > f.Limit {
			page.Items = page.Items[:f.Limit]
			page.Next = place{db.Ms(page.Items[f.Limit-1].At), page.Items[f.Limit-1].ID}.cursor()
		}
		return mentionsOf(tx, page.Items)
	})
	return page, err
}

// Of reads the last CaseLimit comments on a case, oldest first, with their earlier versions; more tells whether there are
// others before them.
func (s *Store) Of(ctx context.Context, caseID string) (list []Comment, more bool, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		list, err = readTx(tx, columns+` WHERE c.review_id = $1 ORDER BY c.at DESC, c.id DESC LIMIT $2`, caseID, CaseLimit+1)
		if err != nil {
			return err
		}
		if more = len(list) > CaseLimit; more {
			list = list[:CaseLimit]
		}
		slices.Reverse(list)
		if err := mentionsOf(tx, list); err != nil {
			return err
		}
		return earlierOf(tx, list)
	})
	return list, more, err
}

// Get reads one comment with its earlier versions; NotFound when there is none.
func (s *Store) Get(ctx context.Context, commentID string) (c *Comment, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		if c, err = getTx(tx, ` WHERE c.id = $1`, commentID); err != nil {
			return err
		}
		one := []Comment{*c}
		err = earlierOf(tx, one)
		c = &one[0]
		return err
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Each hands all comments to f, oldest first, for an export: those made at or after from and before until, in
// milliseconds; until 0 has no end. They are read in batches, so that no slow reader holds a transaction. f may keep
// nothing of what it is given.
func (s *Store) Each(ctx context.Context, from, until int64, f func(*Comment) error) error {
	if until == 0 {
		until = 1 << 62
	}
	at := place{from, ""}
	for {
		var list []Comment
		err := s.db.Read(ctx, func(tx *db.Tx) (err error) {
			list, err = readTx(tx, columns+` WHERE (c.at, c.id) > ($1, $2) AND c.at < $3 ORDER BY c.at, c.id LIMIT $4`, at.ms, at.id, until, batch)
			if err != nil {
				return err
			}
			return mentionsOf(tx, list)
		})
		if err != nil {
			return err
		}
		for i := range list {
			if err := f(&list[i]); err != nil {
				return err
			}
		}
		if len(list) < batch {
			return nil
		}
		at = place{db.Ms(list[len(list)-1].At), list[len(list)-1].ID}
	}
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

func listQuery(f Filter) (*query, error) {
	at, err := parseCursor(f.Cursor)
	if err != nil {
		return nil, err
	}
	b, key := &query{}, `c.at, c.id`
	b.add(columns)
	if f.MentionID != "" {
		key = `m.at, m.comment_id` // the order of the index by person
		b.add(` JOIN comment_mention m ON m.comment_id = c.id WHERE m.account_id = ?`, f.MentionID)
	} else {
		b.add(` WHERE 1 = 1`)
	}
	for _, one := range []struct{ column, value string }{{`c.review_id`, f.CaseID}, {`c.by_id`, f.ByID}, {`c.agent_id`, f.AgentID}} {
		if one.value != "" {
			b.add(` AND `+one.column+` = ?`, one.value)
		}
	}
	if at.id != "" {
		b.add(` AND (`+key+`) < (?, ?)`, at.ms, at.id)
	}
	b.add(` ORDER BY `+strings.ReplaceAll(key, ",", " DESC,")+` DESC LIMIT ?`, f.Limit+1)
	return b, nil
}

const columns = `SELECT c.id, c.review_id, c.agent_id, c.agent_name, c.task, c.by_id, c.by_name, c.at, c.edited_at, c.withdrawn_at, c.erased_at, c.version, t.text
	FROM comment c JOIN comment_text t ON t.comment_id = c.id AND t.version = c.version`

func scan(row interface{ Scan(...any) error }) (c Comment, err error) {
	var at, edited, withdrawn, erased int64
	err = row.Scan(&c.ID, &c.Case.ID, &c.Case.AgentID, &c.Case.AgentName, &c.Case.Task, &c.By.ID, &c.By.Name, &at, &edited, &withdrawn, &erased, &c.Version, &c.Text)
	c.At, c.EditedAt, c.WithdrawnAt, c.Erased = db.Time(at), db.Time(edited), db.Time(withdrawn), erased != 0
	return c, err
}

func readTx(tx *db.Tx, query string, args ...any) (list []Comment, err error) {
	rows, err := tx.Query(query, args...)
	if err != nil {
		return nil, fmt.Errorf("comment: list: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		c, err := scan(rows)
		if err != nil {
			return nil, fmt.Errorf("comment: list: %w", err)
		}
		list = append(list, c)
	}
	return list, rows.Err()
}

// getTx reads one comment with its mentions.
func getTx(tx *db.Tx, where string, args ...any) (*Comment, error) {
	c, err := scan(tx.QueryRow(columns+where, args...))
	if err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			return nil, fault.Wrap(fault.NotFound, err, "There is no such comment.")
		}
		return nil, fmt.Errorf("comment: read: %w", err)
	}
	one := []Comment{c}
	return &one[0], mentionsOf(tx, one)
}

// mentionsOf fills in who is meant, for a whole list at once.
func mentionsOf(tx *db.Tx, list []Comment) error {
	return fill(tx, list, `SELECT comment_id, account_id, spans FROM comment_mention WHERE comment_id IN (`, `) ORDER BY comment_id, account_id`,
		func(rows *sql.Rows, of func(string) *Comment) error {
			var id, who, spans string
			if err := rows.Scan(&id, &who, &spans); err != nil || spans == "" {
				return err
			}
			var at [][2]int
			if err := json.Unmarshal([]byte(spans), &at); err != nil {
				return err
			}
			c := of(id)
			for _, s := range at {
				if s[0] >= 0 && s[0] < s[1] && s[1] <= len(c.Text) {
					c.Mentions = append(c.Mentions, Mention{s[0], s[1], Person{ID: who}})
				}
			}
			slices.SortFunc(c.Mentions, func(a, b Mention) int { return a.Start - b.Start })
			return nil
		})
}

// earlierOf fills in what each comment said before.
func earlierOf(tx *db.Tx, list []Comment) error {
	var changed []Comment
	for _, c := range list {
		if c.Version > 1 {
			changed = append(changed, c)
		}
	}
	err := fill(tx, changed, `SELECT comment_id, version, text, at FROM comment_text WHERE comment_id IN (`, `) ORDER BY comment_id, version`,
		func(rows *sql.Rows, of func(string) *Comment) error {
			var id string
			var v Version
			var at int64
			if err := rows.Scan(&id, &v.Number, &v.Text, &at); err != nil {
				return err
			}
			v.At = db.Time(at)
			if c := of(id); v.Number < c.Version {
				c.Earlier = append(c.Earlier, v)
			}
			return nil
		})
	for i := range list {
		for _, c := range changed {
			if list[i].ID == c.ID {
				list[i].Earlier = c.Earlier
			}
		}
	}
	return err
}

// fill asks once for all comments of a list, in batches.
func fill(tx *db.Tx, list []Comment, before, after string, each func(rows *sql.Rows, of func(string) *Comment) error) error {
	where := map[string]int{}
	ids := make([]any, len(list))
	for i, c := range list {
		where[c.ID], ids[i] = i, c.ID
	}
	of := func(id string) *Comment { return &list[where[id]] }
	for _, part := range db.Batches(ids) {
		rows, err := tx.Query(before+db.In(1, len(part))+after, part...)
		if err != nil {
			return fmt.Errorf("comment: list: %w", err)
		}
		for rows.Next() {
			if err := each(rows, of); err != nil {
				rows.Close()
				return fmt.Errorf("comment: list: %w", err)
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return fmt.Errorf("comment: list: %w", err)
		}
	}
	return nil
}

// place is where a row stands in a list by time.
type place struct {
	ms int64
	id string
}

func (p place) cursor() string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d.%s", p.ms, p.id))
}

func parseCursor(c string) (p place, err error) {
	if c == "" {
		return p, nil
	}
	b, decodeErr := base64.RawURLEncoding.DecodeString(c)
	ms, id, ok := strings.Cut(string(b), ".")
	p.id = id
	var numErr error
	if p.ms, numErr = strconv.ParseInt(ms, 10, 64); decodeErr != nil || numErr != nil || !ok || id == "" {
		return place{}, fault.WithFields("The cursor can't be read.", fault.Field{Name: "cursor", Msg: "Start again from the first page."})
	}
	return p, nil
}
