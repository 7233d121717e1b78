package admin

import (
	"archive/zip"
	"context"
	"errors"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/audit"
	"preceptor/views/admin"
	"preceptor/web/render"
	"preceptor/web/session"
)

// BackupForm explains the backup, offers it, and lists what is on record.
func (p *Pages) BackupForm(c echo.Context) error {
	v := admin.BackupView{Side: p.side(c)}
	for _, act := range []string{"backup.made", "restore.done"} {
		page, err := p.Audit.List(c.Request().Context(), audit.Filter{Action: act, Limit: 20})
		if err != nil {
			return err
		}
		v.Rows = append(v.Rows, page.Rows...)
	}
	slices.SortFunc(v.Rows, func(a, b audit.Row) int { return int(b.Seq - a.Seq) })
	return render.Page(c, http.StatusOK, admin.Backup(p.Frame(c, "Backup and restore"), v))
}

// BackupMake hands out a consistent copy with its checksum, which a restore asks for, in one zip file. The copy stands in a
// folder of the system's temporary files while it is sent.
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
	rc := http.NewResponseController(c.Response())
	if err := rc.SetWriteDeadline(time.Now().Add(time.Hour)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	h := c.Response().Header()
	h.Set("Content-Type", "application/zip")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name + ".zip"}))
	c.Response().WriteHeader(http.StatusOK)
	if err := sendZip(c.Request().Context(), c.Response(), dir); err != nil {
		p.Log.Warn("a backup was not sent to its end", "error", err) // too late for another answer
	}
	return nil
}

// sendZip writes the files of a folder as a zip file. Cut short, it is a file that nothing unpacks.
func sendZip(ctx context.Context, w http.ResponseWriter, dir string) error {
	z := zip.NewWriter(w)
	if err := z.AddFS(os.DirFS(dir)); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return z.Close()
}
