package comment

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/fault"
)

// CaseLimit is how many comments the page of a case shows; List has the rest.
const CaseLimit = 50

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
	if f.Limit, err = keyset.Limit(f.Limit); err != nil {
		return page, err
	}
	query, args, err := listQuery(f)
	if err != nil {
		return page, err
	}
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		if page.Items, err = readTx(tx, query, args...); err != nil {
			return err
		}
		page.Items, page.Next = keyset.Cut(page.Items, f.Limit, func(c *Comment) string {
			return keyset.At(c.At, c.ID).Cursor()
		})
		return mentionsOf(tx, page.Items)
	})
	return page, err
}

// Of reads the last CaseLimit comments on a case, oldest first, with their earlier versions; more reports whether there
// are others before them.
func (s *Store) Of(ctx context.Context, caseID string) (list []Comment, more bool, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		list, err = readTx(tx, columns+` WHERE c.review_id = $1
			ORDER BY c.at DESC, c.id DESC LIMIT $2`, caseID, CaseLimit+1)
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
	return db.Read(ctx, s.db, func(tx *db.Tx) (*Comment, error) {
		c, err := getTx(tx, ` WHERE c.id = $1`, commentID)
		if err != nil {
			return nil, err
		}
		one := []Comment{*c}
		return &one[0], earlierOf(tx, one)
	})
}

var (
	newest    = keyset.Order{At: `c.at`, ID: `c.id`}
	newestFor = keyset.Order{At: `m.at`, ID: `m.comment_id`} // the order of the index by person
)

func listQuery(f Filter) (query string, args []any, err error) {
	from, err := keyset.Parse(f.Cursor)
	if err != nil {
		return "", nil, err
	}
	w, order := keyset.Where{SQL: columns + ` WHERE 1 = 1`}, newest
	if f.MentionID != "" {
		w.SQL, order = columns+` JOIN comment_mention m ON m.comment_id = c.id WHERE 1 = 1`, newestFor
		w.Is(`m.account_id`, f.MentionID)
	}
	w.Is(`c.review_id`, f.CaseID)
	w.Is(`c.by_id`, f.ByID)
	w.Is(`c.agent_id`, f.AgentID)
	query, args = order.Page(w.SQL, w.Args, from, f.Limit+1)
	return query, args, nil
}

const columns = `SELECT c.id, c.review_id, c.agent_id, c.agent_name, c.task, c.by_id, c.by_name, c.at, c.edited_at,
	c.withdrawn_at, c.erased_at, c.version, t.text
	FROM comment c JOIN comment_text t ON t.comment_id = c.id AND t.version = c.version`

func scan(row db.Row) (c Comment, err error) {
	var erased int64
	err = row.Scan(&c.ID, &c.Case.ID, &c.Case.AgentID, &c.Case.AgentName, &c.Case.Task, &c.By.ID, &c.By.Name,
		db.At(&c.At), db.At(&c.EditedAt), db.At(&c.WithdrawnAt), &erased, &c.Version, &c.Text)
	c.Erased = erased != 0
	return c, err
}

func readTx(tx *db.Tx, query string, args ...any) (list []Comment, err error) {
	return db.List(tx, "comment: list", scan, query, args...)
}

// getTx reads one comment with its mentions.
func getTx(tx *db.Tx, where string, args ...any) (*Comment, error) {
	c, err := scan(db.One(tx, "comment: read", columns+where,
		args...).Or(fault.Wrap(fault.NotFound, sql.ErrNoRows, "There is no such comment.")))
	if err != nil {
		return nil, err
	}
	one := []Comment{c}
	return &one[0], mentionsOf(tx, one)
}

// mentionsOf fills in who is meant, for a whole list at once.
func mentionsOf(tx *db.Tx, list []Comment) error {
	return fill(tx, list, `SELECT comment_id, account_id, spans FROM comment_mention
		WHERE comment_id IN (`, `) ORDER BY comment_id, account_id`,
		func(rows db.Row, of func(string) *Comment) error {
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
	err := fill(tx, changed, `SELECT comment_id, version, text, at FROM comment_text
		WHERE comment_id IN (`, `) ORDER BY comment_id, version`,
		func(rows db.Row, of func(string) *Comment) error {
			var id string
			var v Version
			if err := rows.Scan(&id, &v.Number, &v.Text, db.At(&v.At)); err != nil {
				return err
			}
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
func fill(tx *db.Tx, list []Comment, before, after string,
	each func(rows db.Row, of func(string) *Comment) error) error {
	where := map[string]int{}
	ids := make([]any, len(list))
	for i, c := range list {
		where[c.ID], ids[i] = i, c.ID
	}
	of := func(id string) *Comment { return &list[where[id]] }
	for _, part := range db.Batches(ids) {
		err := db.Each(tx, "comment: list", func(row db.Row) error {
			return each(row, of)
		}, before+db.In(1, len(part))+after, part...)
		if err != nil {
			return err
		}
	}
	return nil
}
