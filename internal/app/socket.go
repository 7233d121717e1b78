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
	"strconv"
	"strings"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
)

// socketOf is where a server that holds a file answers commands of its own user. What the folder lets in, the file's
// owner does.
func socketOf(file string) string { return file + ".sock" }

const (
	sumHeader, bytesHeader, copyHeader, reasonHeader = "X-Sha256", "X-Bytes", "X-Copy", "X-Reason"

	copying = ".copying-*" // ends the name of a folder with a copy that is being sent
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
	mux.HandleFunc("POST /backup/ended", a.backupEnded)
	s := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = s.Serve(ln) }() // until it is closed
	return func() { _ = s.Close() }
}

// sendBackup makes a copy beside the file, where there is room for one, and sends it: the command may write where the
// server may not. It waits until the command goes, which says before what came of it: else that is put on record here.
func (a *App) sendBackup(w http.ResponseWriter, r *http.Request) {
	err := func() error {
		dir, err := os.MkdirTemp(filepath.Dir(a.DB.Path()), filepath.Base(a.DB.Path())+copying)
		if err != nil {
			return fault.Wrap(fault.Unavailable, err, "The folder of the database can't be written.")
		}
		defer os.RemoveAll(dir)
		c, err := a.DB.Backup(r.Context(), filepath.Join(dir, "copy.db"))
		if err != nil {
			return err
		}
		f, err := os.Open(c.Path)
		if err != nil {
			return err
		}
		defer f.Close()
		w.Header().Set(sumHeader, c.Sum)
		w.Header().Set(bytesHeader, strconv.FormatInt(c.Bytes, 10))
		w.Header().Set(copyHeader, dir)
		a.sending.Store(dir, true)
		_, _ = io.Copy(w, f) // to a command that has gone, or tells what it missed
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		if _, untold := a.sending.LoadAndDelete(dir); untold {
			err = a.noteBackup(r.Context(), terminal.Operator, "",
				fault.New(fault.Unavailable, "The command stopped before the copy was written."))
		}
		return err
	}()
	if err != nil {
		a.Log.Error("send a backup to a command", "error", err.Error())
		w.Header().Set(reasonHeader, url.QueryEscape(fault.Message(err)))
		w.WriteHeader(fault.KindOf(err).Status())
	}
}

// backupEnded puts on record what a command says came of the copy that it asked for, or why it asked for none.
func (a *App) backupEnded(w http.ResponseWriter, r *http.Request) {
	dir, why := r.FormValue("copy"), r.FormValue("failed")
	_, sent := a.sending.LoadAndDelete(dir)
	if sent {
		_ = os.RemoveAll(dir)
	}
	var failed error
	if why != "" {
		failed = fault.New(fault.Invalid, "%s", why)
	} else if !sent {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if err := a.noteBackup(r.Context(), terminal.Operator, r.FormValue("sha256"), failed); err != nil {
		a.Log.Error("note what came of a backup", "error", err.Error())
		w.WriteHeader(fault.KindOf(err).Status())
	}
}

var errNoServer = errors.New("app: no server answers")

// BackupFromServer has the server that holds a file copy it, writes the copy to out, and tells the server that it is
// there, or why not. There is no server when running is false.
func BackupFromServer(ctx context.Context, file, out string) (c db.Copy, running bool, err error) {
	if file, err = filepath.Abs(file); err != nil {
		return c, false, nil
	}
	t := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socketOf(file))
	}}
	defer t.CloseIdleConnections()
	says, leave := url.Values{}, func() {}
	defer func() { leave() }() // after it is told what came of it
	c, err = db.Receive(ctx, out, func() (io.Reader, string, error) {
		sent, err := post(ctx, t, "backup", nil)
		if err != nil {
			return nil, "", err
		}
		says.Set("copy", sent.Header.Get(copyHeader))
		leave = func() { sent.Body.Close() }
		n, err := strconv.ParseInt(sent.Header.Get(bytesHeader), 10, 64)
		return io.LimitReader(sent.Body, n), sent.Header.Get(sumHeader), err
	})
	if says.Set("sha256", c.Sum); err != nil {
		says.Set("failed", fault.Message(err))
	}
	res, told := post(context.WithoutCancel(ctx), t, "backup/ended", says)
	switch {
	case told == nil:
		res.Body.Close()
	case errors.Is(told, errNoServer) && !says.Has("copy"):
		return db.Copy{}, false, nil
	case err == nil: // nobody would know of it
		err = errors.Join(told, c.Remove())
	}
	return c, true, err
}

// post asks a server on its socket. The answer's body is open.
func post(ctx context.Context, t *http.Transport, path string, says url.Values) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://preceptor/"+path,
		strings.NewReader(says.Encode()))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := t.RoundTrip(r)
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		err = fmt.Errorf("%w: %w", errNoServer, err)
	}
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err,
			"The running server stopped before the copy was made. Try again.")
	}
	if res.StatusCode != http.StatusOK {
		res.Body.Close()
		why, _ := url.QueryUnescape(res.Header.Get(reasonHeader))
		return nil, fault.Wrap(fault.Unavailable, fmt.Errorf("status %d", res.StatusCode),
			"The running server couldn't make a copy. %s", why)
	}
	return res, nil
}
