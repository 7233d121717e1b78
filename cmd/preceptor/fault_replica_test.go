package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"preceptor/internal/app"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Figures and exports come from a replica: exports once it has everything, figures unless it's late or somebody has
// just changed what they depend on. Where it can't serve, and when it's killed, the primary does.
func TestAReplicaServesFiguresOnPostgres(t *testing.T) {
	faults(t, "FAILOVERS")
	primary, replica := newCluster(t), newCluster(t)
	primary.create()
	replica.follow(primary)
	primary.ask("ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")
	cfg, err := config.Default()
	if err != nil {
		t.Fatal(err)
	}
	cfg.DB, cfg.Read = address(primary), "postgres://preceptor@/desk?host="+replica.dir
	var later atomic.Int64
	ctx, began := t.Context(), time.Now()
	clock := func() time.Time { return began.Add(time.Duration(later.Load())) }
	a, err := app.Open(ctx, cfg, app.WithClock(clock), app.WithTerminal(io.Discard),
		app.WithLog(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	later.Add(int64(time.Hour))
	n := 0
	write := func(topics ...string) {
		t.Helper()
		n++
		if err := a.DB.Write(ctx, func(tx *db.Tx) error {
			for _, topic := range topics {
				tx.Touch(topic)
			}
			return db.Exec(tx, "test: write", `INSERT INTO topic (name, n) VALUES ($1, 0)`, fmt.Sprint(n))
		}); err != nil {
			t.Fatal(err)
		}
	}
	where := func(what string, d *db.DB, whole, want bool) {
		t.Helper()
		read := d.ReadBehind
		if whole {
			read = d.ReadWhole
		}
		var onReplica bool
		var rows int
		if err := read(ctx, func(tx *db.Tx) error {
			return db.One(tx, "test: look", `SELECT pg_is_in_recovery(), count(*)
				FROM topic WHERE n = 0`).Scan(&onReplica, &rows)
		}); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if onReplica != want || whole && rows != n {
			t.Errorf("%s: on the replica %t, %d rows of %d", what, onReplica, rows, n)
		}
		if _, err := a.Stats.Overview(ctx, 14); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	write()
	where("an export", a.DB, true, true)
	where("figures", a.DB, false, true)
	write("approvals")
	where("figures after a change of the policy", a.DB, false, false)
	later.Add(int64(time.Hour))
	where("figures later", a.DB, false, true)

	replica.ask("SELECT pg_wal_replay_pause()")
	write()
	where("an export while the replica lags", a.DB, true, false)
	where("figures while it lags a little", a.DB, false, true)
	if late := a.DB.Behind(ctx); late <= 0 {
		t.Errorf("a replica that lags is %s behind", late)
	}
	strict, err := db.Open(ctx, cfg.DB, db.Options{Replica: cfg.Read, MostBehind: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer strict.Close()
	where("figures while it lags too much", strict, false, false)
	doctor := func(want bool) {
		t.Helper()
		checks, err := a.DB.Doctor(ctx)
		if err != nil || len(checks) != 2 || checks[1].OK != want {
			t.Errorf("doctor: %+v, %v", checks, err)
		}
	}
	doctor(true)
	replica.ask("SELECT pg_wal_replay_resume()")
	replica.kill()
	if err := os.Remove(filepath.Join(replica.data(), "postmaster.pid")); err != nil {
		t.Error(err)
	}
	for there := true; there; { // what a killed postmaster leaves ends by itself, within a read if need be
		if err := a.DB.ReadBehind(ctx, func(tx *db.Tx) (err error) {
			there, err = db.Value[bool](tx, "test: look", `SELECT pg_is_in_recovery()`)
			return err
		}); err != nil && !fault.Is(err, fault.Unavailable) {
			t.Fatal(err)
		}
	}
	where("figures without the replica", a.DB, false, false)
	where("an export without it", a.DB, true, false)
	if late := a.DB.Behind(ctx); late != 0 {
		t.Errorf("without a replica figures are %s behind", late)
	}
	doctor(false)
}
