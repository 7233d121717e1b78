package admin

import (
	"archive/zip"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/audit"
	"preceptor/internal/platform/backup"
	"preceptor/views/accounts"
	"preceptor/views/admin"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// BackupForm explains the backup, offers it, and lists what is on record.
func (p *Pages) BackupForm(c echo.Context) error {
	plan, err := p.Copies.Plan(c.Request().Context())
	if err != nil {
		return err
	}
	return p.backupPage(c, admin.BackupView{Folder: plan.Folder, Hour: strconv.Itoa(plan.Hour),
		Days:  strconv.Itoa(plan.Days),
		Weeks: strconv.Itoa(plan.Weeks), Months: strconv.Itoa(plan.Months)}, nil)
}

// BackupSchedule changes when copies are made without a person, where, and which are kept.
func (p *Pages) BackupSchedule(c echo.Context, v admin.BackupView) error {
	var r form.Reading
	plan := backup.Plan{Folder: v.Folder, Hour: r.Whole("hour", v.Hour, 0, 23, "Choose an hour."),
		Days:   r.Whole("days", v.Days, 1, 366, "Keep 1 to 366."),
		Weeks:  r.Whole("weeks", v.Weeks, 0, 520, "Keep 0 to 520."),
		Months: r.Whole("months", v.Months, 0, 240, "Keep 0 to 240.")}
	err := r.Err("The schedule can't be saved yet.")
	if err == nil {
		err = p.Copies.Set(c.Request().Context(), plan, session.Actor(c), v.Base)
	}
	if err != nil {
		return p.backupPage(c, v, err)
	}
	if plan, err = p.Copies.Plan(c.Request().Context()); err != nil {
		return err
	}
	said := "Scheduled backups are off."
	if plan.Folder != "" {
		said = "Schedule saved. " + admin.NextBackup(plan, p.Now())
	}
	return render.Done(c, "/admin/backup", said)
}

func (p *Pages) backupPage(c echo.Context, v admin.BackupView, wrong error) (err error) {
	v.Side, v.Errors = p.side(c), accounts.ErrorsOf(wrong)
	if v.Plan, err = p.Copies.Plan(c.Request().Context()); err != nil {
		return err
	}
	for _, act := range []string{"backup.made", "backup.failed", "restore.done"} {
		page, err := p.Audit.List(c.Request().Context(), audit.Filter{Action: act, Limit: 20})
		if err != nil {
			return err
		}
		v.Rows = append(v.Rows, page.Rows...)
	}
	slices.SortFunc(v.Rows, func(a, b audit.Row) int { return int(b.Seq - a.Seq) })
	return render.Page(c, wrong, admin.Backup(p.Frame(c, "Backup and restore"), v))
}

// BackupMake hands out a consistent copy with its checksum, which a restore asks for, in one zip file. The copy stands
// in a folder of the system's temporary files while it is sent.
func (p *Pages) BackupMake(c echo.Context) (err error) {
	dir, err := os.MkdirTemp("", "preceptor-backup-*") // readable by this user only
	if err != nil {
		return err
	}
	defer func() {
		if rerr := os.RemoveAll(dir); rerr != nil {
			p.Log.Error("a copy of the database was left behind", "folder", dir, "error", rerr.Error())
		}
	}()
	name := "preceptor-" + p.Now().Format("2006-01-02-1504")
	if err := p.Backup(c.Request().Context(), session.Actor(c), filepath.Join(dir, name+".db")); err != nil {
		return err
	}
	w, _, finish := render.Download(c, "application/zip", name+".zip", false)
	return render.Sent(c, sendZip(c.Request().Context(), w, dir), finish, 0)
}

// sendZip writes the files of a folder as a zip file. Cut short, it is a file that nothing unpacks.
func sendZip(ctx context.Context, w io.Writer, dir string) error {
	z := zip.NewWriter(w)
	if err := z.AddFS(os.DirFS(dir)); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return z.Close()
}
