package page

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/views/admin"
	"preceptor/web/render"
)

// BackupForm explains the backup and offers it.
func (p *Pages) BackupForm(c echo.Context) error {
	return render.Page(c, http.StatusOK, admin.Backup(p.frame(c, "Backup")))
}

// BackupMake writes a consistent copy beside the system's temporary files, hands it out and removes it.
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
	name := "preceptor-" + p.Now().Format("2006-01-02-1504") + ".db"
	file := filepath.Join(dir, name)
	if err := p.Backup(c.Request().Context(), actor(c), file); err != nil {
		return err
	}
	rc := http.NewResponseController(c.Response())
	if err := rc.SetWriteDeadline(time.Now().Add(time.Hour)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	c.Response().Header().Set("Content-Type", "application/vnd.sqlite3")
	return c.Attachment(file, name)
}
