package account

import (
	"context"
	"time"

	"preceptor/internal/platform/db"
)

// onceFor is how long something that is shown once waits for its page.
const onceFor = 5 * time.Minute

// KeepOnce keeps for the next page at path what a session alone can open, in place of what was kept for it before.
func (dir *Directory) KeepOnce(ctx context.Context, sessionID, path string, sealed []byte) error {
	return dir.db.Write(ctx, func(tx *db.Tx) error {
		if err := db.Exec(tx, "account: drop what waited too long", `DELETE FROM session_once WHERE created_at <= $1
			OR session_id = $2 AND path = $3`, db.Ms(tx.Now.Add(-onceFor)), sessionID, path); err != nil {
			return err
		}
		return db.Exec(tx, "account: keep for a page", `INSERT INTO session_once (session_id, path, sealed, created_at)
			VALUES ($1, $2, $3, $4)`, sessionID, path, sealed, tx.NowMs())
	})
}

// TakeOnce gives what was kept for the page, to one of those who ask; nil when there is nothing.
func (dir *Directory) TakeOnce(ctx context.Context, sessionID, path string) (sealed []byte, err error) {
	there, err := db.Read(ctx, dir.db, func(tx *db.Tx) (bool, error) {
		return db.Value[bool](tx, "account: look for what a page shows", `SELECT EXISTS (SELECT 1 FROM session_once
			WHERE session_id = $1 AND path = $2 AND created_at > $3)`, sessionID, path, db.Ms(tx.Now.Add(-onceFor)))
	})
	if err != nil || !there {
		return nil, err
	}
	err = dir.db.Write(ctx, func(tx *db.Tx) error {
		sealed = nil
		_, err := db.One(tx, "account: take what a page shows", `DELETE FROM session_once
			WHERE session_id = $1 AND path = $2 RETURNING sealed`, sessionID, path).Find(&sealed)
		return err
	})
	return sealed, err
}
