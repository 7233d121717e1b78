package app

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/web"
)

// Listen takes the port, so that Addr is known before Run.
func (a *App) Listen(ctx context.Context) error {
	if a.listener != nil {
		return nil
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", a.cfg.Addr)
	if err != nil {
		return fault.Wrap(fault.Unavailable, err,
			"%s can't be listened on; is another program there? Choose another with --addr HOST:PORT.", a.cfg.Addr)
	}
	a.listener = ln
	return nil
}

// Addr is where the server listens, as "127.0.0.1:8080"; empty before Listen.
func (a *App) Addr() string {
	if a.listener == nil {
		return ""
	}
	return a.listener.Addr().String()
}

// URL is the address to type into a browser.
func (a *App) URL() string {
	addr := cmp.Or(a.Addr(), a.cfg.Addr)
	switch {
	case a.cfg.PublicURL != "":
		return strings.TrimSuffix(a.cfg.PublicURL, "/")
	case a.cfg.TLSCert != "":
		return "https://" + addr
	default:
		return "http://" + addr
	}
}

// FillFirst has Run do work before any job runs. Meanwhile said tells how far it is, and that is all that anybody is
// answered.
func (a *App) FillFirst(said func() string, work func(ctx context.Context) error) {
	a.filling.Store(true)
	a.said, a.fill = said, work
}

// Run works jobs and answers requests until ctx ends; then both may finish for at most ten seconds.
func (a *App) Run(ctx context.Context) (err error) {
	server, err := web.New(a.webDeps())
	if err != nil {
		return err
	}
	var certs *tls.Config
	if a.cfg.TLSCert != "" {
		if certs, err = web.LoadTLS(a.cfg.TLSCert, a.cfg.TLSKey); err != nil {
			return fault.Wrap(fault.Invalid, err,
				"The certificate or its key can't be read; look at --tls-cert and --tls-key.")
		}
	}
	if err := a.Listen(ctx); err != nil {
		return err
	}
	a.DB.Hear()
	defer a.answerCommands()()
	ctx, end := context.WithCancel(ctx)
	defer end()
	began := make(chan error, 1)
	go func() {
		err := a.fillAndStart(ctx)
		if err != nil {
			end()
		}
		began <- err
	}()
	stopped := make(chan error, 1)
	go func() { // beside the requests, so that both together take ten seconds at most
		<-ctx.Done()
		a.running.Store(false)
		stopped <- errors.Join(<-began, a.stopJobs(ctx))
	}()
	serving := server.Serve(ctx, a.listener, certs)
	end()
	return errors.Join(serving, <-stopped)
}

// fillAndStart is what Run does beside answering: the work that comes first, then the jobs.
func (a *App) fillAndStart(ctx context.Context) error {
	if a.fill != nil {
		if err := a.fill(ctx); err != nil {
			return err
		}
	}
	if err := a.Jobs.Start(ctx); err != nil {
		return err
	}
	a.running.Store(true)
	a.filling.Store(false)
	if err := a.greet(ctx); err != nil {
		return err
	}
	if err := a.Search.Refold(ctx); err != nil && ctx.Err() == nil {
		a.Log.Warn("what an older version indexed was not cut anew", "error", err)
	}
	if err := a.Search.Warm(ctx); err != nil && ctx.Err() == nil {
		a.Log.Warn("the vectors were not read at the start; the first question will", "error", err)
	}
	return nil
}

// busy is what everybody is told while the work that comes first is done; else "".
func (a *App) busy() string {
	if !a.filling.Load() {
		return ""
	}
	return a.said()
}

// Handler is the whole server without a socket and without running jobs, for tests.
func (a *App) Handler() (http.Handler, error) {
	s, err := web.New(a.webDeps())
	if err != nil {
		return nil, err
	}
	return s.Handler(), nil
}

func (a *App) stopJobs(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return a.Jobs.Stop(ctx)
}

// greet tells the terminal where the server is and, while nobody has an account, how to make the first one.
func (a *App) greet(ctx context.Context) error {
	secret, needed, err := a.Accounts.SetupLink(ctx)
	if err != nil {
		return err
	}
	setup := ""
	if needed {
		setup = fmt.Sprintf("\nNobody has an account yet. Make the first one within a day at\n  %s/setup/%s", a.URL(),
			secret)
	}
	a.say("Preceptor is at %s%s", a.URL(), setup)
	return nil
}

func (a *App) retryJob(ctx context.Context, by audit.Actor, id int64) error {
	return a.DB.Write(ctx, func(tx *db.Tx) error {
		kind, err := a.Jobs.RetryTx(tx, id)
		if err != nil {
			return err
		}
		return audit.Note(tx, by, "job.retried", "job", strconv.FormatInt(id, 10),
			map[string]any{"kind": kind})
	})
}

// ready says what keeps requests from being served.
func (a *App) ready(ctx context.Context) error {
	if !a.running.Load() {
		return errors.New("jobs are not running")
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if err := a.DB.Reader().PingContext(ctx); err != nil {
		return fmt.Errorf("the database does not answer: %w", err)
	}
	return a.DB.HasRoom()
}

// Backup copies the database to the new file, and its checksum beside it. That there is a copy of everything is an
// audit row, written before anybody is given it; so is that none could be made.
func (a *App) Backup(ctx context.Context, by audit.Actor, file string) (db.Copy, error) {
	if err := a.DB.MayCopy(); err != nil {
		return db.Copy{}, err
	}
	c, failed := a.DB.Backup(ctx, file)
	err := a.noteBackup(ctx, by, c.Sum, failed)
	if failed == nil && err != nil { // nobody would know of it
		return db.Copy{}, errors.Join(err, c.Remove())
	}
	if err != nil {
		a.Log.Error("note that a backup failed", "error", err.Error())
	}
	return c, failed
}

func (a *App) noteBackup(ctx context.Context, by audit.Actor, sum string, failed error) error {
	return a.DB.Write(context.WithoutCancel(ctx), func(tx *db.Tx) error {
		if failed != nil {
			return audit.Note(tx, by, "backup.failed", "database", "main",
				map[string]any{"reason": fault.Message(failed)})
		}
		return audit.Note(tx, by, "backup.made", "database", "main", map[string]any{"sha256": sum})
	})
}
