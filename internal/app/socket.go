package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
)

// socketOf is where a server that holds a file answers commands of its own user. What the folder lets in, the file's
// owner does.
func socketOf(file string) string { return file + ".sock" }

const (
	sumHeader, reasonHeader = "X-Sha256", "X-Reason"
	copying                 = ".copying-*" // ends the name of a folder with a copy that is being sent
)

// answerCommands serves the socket beside the file until the returned function is called. A server works without it.
func (a *App) answerCommands() (stop func()) {
	if a.DB.OnServer() {
		return func() {}
	}
	name := socketOf(a.DB.Path())
	_ = os.Remove(name) // of a killed server: the file's lock says that there is no other
	left, _ := filepath.Glob(a.DB.Path() + copying)
	for _, dir := range left {
		_ = os.RemoveAll(dir)
	}
	ln, err := net.Listen("unix", name)
	if err == nil {
		err = os.Chmod(name, 0o600)
	}
	if err != nil {
		a.Log.Warn("commands can't reach this server", "socket", name, "error", err.Error())
		return func() {}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /backup", a.sendBackup)
	s := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = s.Serve(ln) }() // until it is closed
	return func() { _ = s.Close() }
}

// sendBackup makes a copy beside the file, where there is room for one, and sends it: the command may write where the
// server may not.
func (a *App) sendBackup(w http.ResponseWriter, r *http.Request) {
	err := func() error {
		dir, err := os.MkdirTemp(filepath.Dir(a.DB.Path()), filepath.Base(a.DB.Path())+copying)
		if err != nil {
			return fault.Wrap(fault.Unavailable, err, "The folder of the database can't be written.")
		}
		defer os.RemoveAll(dir)
		c, err := a.Backup(r.Context(), terminal.Operator, filepath.Join(dir, "copy.db"))
		if err != nil {
			return err
		}
		f, err := os.Open(c.Path)
		if err != nil {
			return err
		}
		defer f.Close()
		w.Header().Set(sumHeader, c.Sum)
		_, err = io.Copy(w, f)
		return err
	}()
	if err != nil {
		a.Log.Error("send a backup to a command", "error", err.Error())
		w.Header().Set(reasonHeader, url.QueryEscape(fault.Message(err)))
		w.WriteHeader(fault.KindOf(err).Status())
	}
}

// BackupFromServer has the server that holds a file copy it, and writes the copy to out. There is none when running is
// false.
func BackupFromServer(ctx context.Context, file, out string) (c db.Copy, running bool, err error) {
	if file, err = filepath.Abs(file); err != nil {
		return c, false, nil
	}
	t := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socketOf(file))
	}}
	defer t.CloseIdleConnections()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://preceptor/backup", http.NoBody)
	if err != nil {
		return c, false, err
	}
	res, err := t.RoundTrip(r)
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return c, false, nil
	}
	if err != nil {
		return c, true, fault.Wrap(fault.Unavailable, err,
			"The running server stopped before the copy was made. Try again.")
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		why, _ := url.QueryUnescape(res.Header.Get(reasonHeader))
		return c, true, fault.Wrap(fault.Unavailable, fmt.Errorf("status %d", res.StatusCode),
			"The running server couldn't make a copy. %s", why)
	}
	c, err = db.Receive(ctx, res.Body, res.Header.Get(sumHeader), out)
	return c, true, err
}
