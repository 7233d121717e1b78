package app

import (
	"context"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/comment"
	"preceptor/internal/knowledge"
	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/stats"
)

const (
	fallEvery = 6 * time.Hour
	fallDays  = 7
	// fallAgain is how long managers aren't told again of a fall on the same topic.
	fallAgain = 14 * 24 * time.Hour
	// askAgain is how long experts aren't asked again about the same rule.
	askAgain = 24 * time.Hour
)

// tellFall tells managers when satisfaction fell by more than chance in the last week.
func (a *App) tellFall(ctx context.Context) error {
	f, err := a.Stats.Fall(ctx, stats.Filter{Range: stats.Days(a.DB.Now(), fallDays, a.Zone)})
	if err != nil || f == nil {
		return err
	}
	return a.DB.Write(ctx, func(tx *db.Tx) error {
		return a.remind(tx, account.Manager, comment.Notice{Kind: comment.Fell, ObjectID: f.Topic, Task: f.Topic},
			fallAgain)
	})
}

// askExperts asks every expert to review a rule, and says how many there are.
func (a *App) askExperts(ctx context.Context, r *knowledge.Rule, by person.Person) (n int, err error) {
	err = a.DB.Write(ctx, func(tx *db.Tx) error {
		ids, err := a.everybody(tx, account.Expert)
		if n = len(ids); err != nil || n == 0 {
			return err
		}
		if err := audit.Note(tx, audit.Actor{Kind: audit.Person, ID: by.ID, Name: by.Name}, "rule.review_asked", "rule",
			r.ID, map[string]any{"number": r.Number, "version": r.Version, "experts": n}); err != nil {
			return err
		}
		return a.Comments.RemindTx(tx, ids,
			comment.Notice{Kind: comment.Asked, ObjectID: r.ID, Task: r.Label(),
				By: comment.Person{ID: by.ID, Name: by.Name}}, askAgain)
	})
	return n, err
}

// remind gives a notice to everybody with a role who had none of its kind about its object for a while.
func (a *App) remind(tx *db.Tx, role account.Role, n comment.Notice, again time.Duration) error {
	ids, err := a.everybody(tx, role)
	if err != nil {
		return err
	}
	return a.Comments.RemindTx(tx, ids, n, again)
}
