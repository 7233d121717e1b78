package comment

import (
	"context"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

const (
	// keepRead is how long a notice stays after it was read.
	keepRead = 90 * 24 * time.Hour
	// keepUnread is how long one stays that nobody reads: its account may be unused.
	keepUnread = 365 * 24 * time.Hour
	// objectFor is how long one can object to a role or a link at most: a link runs out after a day, and a role counts
	// a day after its use.
	objectFor = 48 * time.Hour
	// countMost is where counting unread notices ends.
	countMost = 100
)

// Inbox chooses among a person's notices, newest first.
type Inbox struct {
	Account string
	Unread  bool // only these
	Cursor  string
	Limit   int // 1 to 100; 25 when 0
}

// NoticePage is a part of an inbox.
type NoticePage struct {
	Items []Notice
	Next  string
}

// Notices reads one page of an inbox.
func (s *Store) Notices(ctx context.Context, f Inbox) (page NoticePage, err error) {
	if f.Limit, err = keyset.Limit(f.Limit); err != nil {
		return page, err
	}
	from, err := keyset.Parse(f.Cursor)
	if err != nil {
		return page, err
	}
	query, args := noticeQuery(f, from)
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "comment: inbox", func(row db.Row) error {
			var n Notice
			var read int64
			if err := row.Scan(&n.ID, &n.Kind, &n.N, &n.CaseID, &n.ObjectID, &n.Task, &n.By.ID, &n.By.Name,
				db.At(&n.At), &read, &n.Over, &n.Excerpt); err != nil {
				return err
			}
			n.Read, n.Excerpt = read != 0, text.Opening(n.Excerpt, 140)
			page.Items = append(page.Items, n)
			return nil
		}, query, args...)
	})
	page.Items, page.Next = keyset.Cut(page.Items, f.Limit, func(n *Notice) string {
		return keyset.At(n.At, n.ID).Cursor()
	})
	return page, err
}

func noticeQuery(f Inbox, from keyset.Place) (query string, args []any) {
	query = `SELECT n.id, n.kind, n.n, n.case_id, n.object_id, n.task, n.by_id, n.by_name, n.at, n.read_at, n.done,
		COALESCE(t.text, '')
		FROM notice n
		LEFT JOIN comment c ON n.kind = 'mention' AND c.id = n.object_id AND c.withdrawn_at = 0
		LEFT JOIN comment_text t ON t.comment_id = c.id AND t.version = c.version
		WHERE n.account_id = $1`
	if f.Unread {
		query += ` AND n.read_at = 0`
	}
	return keyset.Order{At: `n.at`, ID: `n.id`}.Page(query, []any{f.Account}, from, f.Limit+1)
}

// Unread counts a person's unread notices, up to countMost.
func (s *Store) Unread(ctx context.Context, account string) (int, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (int, error) {
		return db.Value[int](tx, "comment: count notices",
			`SELECT COUNT(*) FROM (SELECT 1 FROM notice WHERE account_id = $1 AND read_at = 0
					LIMIT $2) AS part`, account, countMost)
	})
}

// MarkRead marks one notice of a person as read and returns it. Twice is as once.
func (s *Store) MarkRead(ctx context.Context, noticeID, account string) (n Notice, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		var read int64
		err := db.One(tx, "comment: read a notice", `SELECT id, kind, n, case_id, object_id, task, by_id, by_name, at,
			read_at
			FROM notice WHERE id = $1 AND account_id = $2`, noticeID,
			account).Or(fault.New(fault.NotFound, "There is no such notice in your inbox.")).
			Scan(&n.ID, &n.Kind, &n.N, &n.CaseID, &n.ObjectID, &n.Task, &n.By.ID, &n.By.Name, db.At(&n.At), &read)
		if err != nil {
			return err
		}
		n.Read = true
		if read != 0 {
			return nil
		}
		if err := db.Exec(tx, "comment: mark a notice read", `UPDATE notice SET read_at = $1
			WHERE id = $2 AND read_at = 0`, tx.NowMs(), noticeID); err != nil {
			return err
		}
		tx.Touch("notices")
		return nil
	})
	return n, err
}

// MarkAllRead marks as read what a person had in the inbox at until, and returns how many that were: what came after
// the page was shown stays unread.
func (s *Store) MarkAllRead(ctx context.Context, account string, until time.Time) (n int, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		count, err := db.Change(tx, "comment: mark notices read", `UPDATE notice SET read_at = $1
			WHERE account_id = $2 AND read_at = 0 AND at <= $3`, tx.NowMs(), account, db.Ms(until))
		n = int(count)
		if n > 0 {
			tx.Touch("notices")
		}
		return err
	})
	return n, err
}

// Sweep removes notices that were read long ago, and those that nobody reads.
func (s *Store) Sweep(ctx context.Context) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if n, err := db.Change(tx, "comment: what can't be objected to any more", `UPDATE notice SET read_at = $1,
			done = 1
			WHERE read_at = 0 AND at < $2 AND kind IN ($3, $4)`,
			tx.NowMs(), db.Ms(tx.Now.Add(-objectFor)), Granted, LinkMade); err != nil {
			return err
		} else if n > 0 {
			tx.Touch("notices")
		}
		if err := db.Exec(tx, "comment: sweep", `DELETE FROM notice
			WHERE read_at > 0 AND read_at < $1`, db.Ms(tx.Now.Add(-keepRead))); err != nil {
			return err
		}
		return db.Exec(tx, "comment: sweep", `DELETE FROM notice
			WHERE id IN (SELECT id FROM notice WHERE read_at = 0 AND at < $1 ORDER BY at LIMIT 1000)`,
			db.Ms(tx.Now.Add(-keepUnread)))
	})
}
