// Package backup makes copies of the database by a plan: every day at an hour into a folder of the server, of which the
// last of so many days, weeks and months are kept.
//
// A copy that failed is tried again every hour. A plan is late when its copy of the day isn't there two hours after its
// time, whatever the reason: the server was off, the job paused, the folder gone. Whoever looks at the plan sees why;
// Tell has administrators told, and no longer once there is a copy.
package backup

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

const (
	again = time.Hour     // after a copy failed
	grace = 2 * time.Hour // until a copy that isn't there is late
)

// By is who makes copies by the plan.
var By = audit.System("backup schedule")

// Plan says when copies are made, where, and which are kept; and how the last went.
type Plan struct {
	Folder              string // "" makes none
	Hour                int
	Days, Weeks, Months int

	SetAt, TriedAt, MadeAt time.Time
	File, Failed           string
	Elsewhere              string // why there are none, and how to make some; "" where there are
}

// Keeper keeps the plan.
type Keeper struct {
	d    *db.DB
	copy func(ctx context.Context, by audit.Actor, file string) (db.Copy, error)
	tell func(tx *db.Tx, wrong bool) error
}

// New keeps the plan of d. copy makes one; tell tells people of a plan that failed or is late,
// and that nothing is wrong with it any more.
func New(d *db.DB, copy func(ctx context.Context, by audit.Actor, file string) (db.Copy, error),
	tell func(tx *db.Tx, wrong bool) error) *Keeper {
	return &Keeper{d: d, copy: copy, tell: tell}
}

// Plan is the plan; one that is off where nobody set any.
func (k *Keeper) Plan(ctx context.Context) (Plan, error) { return db.Read(ctx, k.d, planTx) }

func planTx(tx *db.Tx) (p Plan, err error) {
	p = Plan{Hour: 2, Days: 7, Weeks: 4, Months: 12}
	_, err = db.One(tx, "backup: read the plan",
		`SELECT folder, hour, days, weeks, months, set_at, tried_at, made_at, file, failed FROM backup_plan`).
		Find(&p.Folder, &p.Hour, &p.Days, &p.Weeks, &p.Months, db.At(&p.SetAt), db.At(&p.TriedAt), db.At(&p.MadeAt),
			&p.File, &p.Failed)
	if may := tx.MayCopy(); may != nil { // a plan that came with a file's copy
		p.Folder, p.Elsewhere = "", fault.Message(may)
	}
	return p, err
}

// Words are what Set sets.
func (p Plan) Words() string {
	if p.Folder == "" {
		return "off"
	}
	return fmt.Sprintf("%s at %02d:00, the last of %d days, %d weeks and %d months", p.Folder, p.Hour, p.Days, p.Weeks,
		p.Months)
}

// Set changes when, where and what is kept. Invalid names the field. base is Plan.Words of what was on the screen, see
// fault.Stale.
func (k *Keeper) Set(ctx context.Context, p Plan, by audit.Actor, base string) error {
	if err := k.d.MayCopy(); err != nil {
		return err
	}
	var wrong []fault.Field
	add := func(bad bool, name, msg string) {
		if bad {
			wrong = append(wrong, fault.Field{Name: name, Msg: msg})
		}
	}
	if p.Folder != "" {
		add(!filepath.IsAbs(p.Folder), "folder", "Give the whole path, as /srv/backups.")
		f, err := os.CreateTemp(p.Folder, ".preceptor-*")
		add(err != nil && filepath.IsAbs(p.Folder), "folder",
			"There is no such folder on the server, or Preceptor can't write there.")
		if err == nil {
			_ = os.Remove(f.Name()) // it is empty
			_ = f.Close()
		}
	}
	add(p.Hour < 0 || p.Hour > 23, "hour", "Choose an hour.")
	add(p.Days < 1 || p.Days > 366, "days", "Keep 1 to 366.")
	add(p.Weeks < 0 || p.Weeks > 520, "weeks", "Keep 0 to 520.")
	add(p.Months < 0 || p.Months > 240, "months", "Keep 0 to 240.")
	if len(wrong) > 0 {
		return fault.WithFields("The schedule can't be saved yet.", wrong...)
	}
	return k.d.Write(ctx, func(tx *db.Tx) error {
		now, err := planTx(tx)
		if err == nil {
			err = fault.Stale(base, now.Words())
		}
		if err != nil {
			return err
		}
		if err := db.Exec(tx, "backup: set the plan",
			`INSERT INTO backup_plan (id, folder, hour, days, weeks, months, set_at)
				VALUES ('main', $1, $2, $3, $4, $5, $6)
			ON CONFLICT (id) DO UPDATE SET folder = excluded.folder, hour = excluded.hour, days = excluded.days,
				weeks = excluded.weeks, months = excluded.months,
			set_at = excluded.set_at, failed = ''`, p.Folder, p.Hour, p.Days, p.Weeks, p.Months,
			tx.NowMs()); err != nil {
			return err
		}
		return audit.Note(tx, by, "backup.schedule_changed", "database", "main",
			map[string]any{"folder": p.Folder, "hour": p.Hour, "days": p.Days, "weeks": p.Weeks, "months": p.Months})
	})
}

// due is when the last copy was to be made.
func (p Plan) due(now time.Time) time.Time {
	now = now.Local()
	at := time.Date(now.Year(), now.Month(), now.Day(), p.Hour, 0, 0, 0, time.Local)
	if at.After(now) {
		at = at.AddDate(0, 0, -1)
	}
	return at
}

// Late reports whether the copy of the day isn't there although its time is long past.
func (p Plan) Late(now time.Time) bool {
	due := p.due(now)
	if p.Folder == "" || !p.MadeAt.Before(due) {
		return false
	}
	if p.SetAt.After(due) {
		due = p.SetAt
	}
	return now.Sub(due) >= grace
}

// Next is when the next copy is made, now where one is missing; zero without a folder.
func (p Plan) Next(now time.Time) time.Time {
	switch {
	case p.Folder == "":
		return time.Time{}
	case p.MadeAt.Before(p.due(now)):
		return now
	}
	return p.due(now).AddDate(0, 0, 1)
}

func (p Plan) wants(now time.Time) bool {
	tried := p.TriedAt.After(p.SetAt) && !p.TriedAt.After(now) && now.Sub(p.TriedAt) < again
	return p.Folder != "" && p.MadeAt.Before(p.due(now)) && (!tried || p.Failed == "")
}

// Run makes a copy if the plan wants one now, and removes those that it keeps no longer. That it failed is kept with
// the plan.
func (k *Keeper) Run(ctx context.Context) error {
	p, err := k.Plan(ctx)
	now := k.d.Now()
	if err != nil || !p.wants(now) {
		return err
	}
	file, failed := filepath.Join(p.Folder, now.Local().Format(layout)), ""
	_, err = k.copy(ctx, By, file)
	if err == nil {
		err = p.prune()
		p.MadeAt, p.File = now, file
	}
	if err != nil {
		failed = fault.Message(err)
	}
	return k.d.Write(context.WithoutCancel(ctx), func(tx *db.Tx) error {
		if err := db.Exec(tx, "backup: note a copy",
			`UPDATE backup_plan SET tried_at = $1, made_at = $2, file = $3, failed = $4`, tx.NowMs(), db.Ms(p.MadeAt),
			p.File, failed); err != nil || failed != "" {
			return err
		}
		return k.tell(tx, false)
	})
}

// Tell has people told of a plan that failed or is late, and of one that was switched off since.
func (k *Keeper) Tell(ctx context.Context) error {
	return k.d.Write(ctx, func(tx *db.Tx) error {
		p, err := planTx(tx)
		if err != nil {
			return err
		}
		return k.tell(tx, p.Folder != "" && (p.Failed != "" || p.Late(tx.Now)))
	})
}
