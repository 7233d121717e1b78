package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// nobody runs PostgreSQL where the tests are root's, whom it refuses.
const nobody = 65534

// cluster is a PostgreSQL server on a socket in its folder, as an ordinary one is set: what it confirms is on the disk.
type cluster struct {
	t   *testing.T
	dir string
}

// faults is how often a fault test makes its fault; without its variable, which make fault-postgres sets, it is skipped.
func faults(t *testing.T, name string) int {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv("PRECEPTOR_FAULT_" + name))
	if err != nil || os.Getenv("PRECEPTOR_PG_BIN") == "" {
		t.Skip("make fault-postgres runs it")
	}
	return n
}

// newCluster makes the folder of a server that isn't there yet.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	dir, err := os.MkdirTemp("", "preceptor-fault-")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err == nil && os.Getuid() == 0 {
		err = os.Chown(dir, nobody, nobody)
	}
	if err != nil {
		t.Fatal(err)
	}
	p := &cluster{t: t, dir: dir}
	t.Cleanup(func() {
		if p.pid() > 0 {
			p.run("pg_ctl", "-D", p.data(), "-m", "immediate", "stop")
		}
		os.RemoveAll(dir)
	})
	return p
}

func (p *cluster) data() string { return filepath.Join(p.dir, "data") }

// run runs one of PostgreSQL's programs, as its user.
func (p *cluster) run(name string, args ...string) {
	p.t.Helper()
	cmd := exec.Command(filepath.Join(os.Getenv("PRECEPTOR_PG_BIN"), name), args...)
	cmd.Dir = p.dir
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	said, err := os.CreateTemp("", "preceptor-fault-*") // pg_ctl leaves a server behind, which would hold a pipe
	if err != nil {
		p.t.Fatal(err)
	}
	defer os.Remove(said.Name())
	defer said.Close()
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Run(); err != nil {
		b, _ := os.ReadFile(said.Name())
		p.t.Fatalf("%s: %v\n%s", name, err, b)
	}
}

func (p *cluster) create() {
	p.t.Helper()
	p.run("initdb", "-D", p.data(), "-U", "preceptor", "--auth=trust", "-E", "UTF8", "--locale=C")
	p.start()
	p.ask("CREATE DATABASE desk")
}

func (p *cluster) start() {
	p.t.Helper()
	p.run("pg_ctl", "-D", p.data(), "-w", "-l", filepath.Join(p.dir, "log"), "-o",
		"-k "+p.dir+" -h '' -c max_connections=200 -c wal_keep_size=256MB", "start")
}

// pid is the postmaster's; 0 where there is none.
func (p *cluster) pid() int {
	b, err := os.ReadFile(filepath.Join(p.data(), "postmaster.pid"))
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(b), "\n")
	n, _ := strconv.Atoi(line)
	return n
}

// address is of a database of any of some servers: that which takes writes.
func address(of ...*cluster) string {
	var dirs []string
	for _, p := range of {
		dirs = append(dirs, p.dir)
	}
	return "postgres://preceptor@/desk?host=" + strings.Join(dirs, ",") +
		"&target_session_attrs=read-write&connect_timeout=5"
}

// ask runs statements, each on its own, and gives the first column of the last one's first row.
func (p *cluster) ask(statements ...string) (answer string) {
	p.t.Helper()
	ctx := context.Background()
	c, err := pgconn.Connect(ctx, "postgres://preceptor@/postgres?host="+p.dir)
	if err != nil {
		p.t.Fatal(err)
	}
	defer c.Close(ctx)
	for _, s := range statements {
		results, err := c.Exec(ctx, s).ReadAll()
		if err != nil {
			p.t.Fatalf("%s: %v", s, err)
		}
		if answer = ""; len(results) > 0 && len(results[0].Rows) > 0 {
			answer = string(results[0].Rows[0][0])
		}
	}
	return answer
}

// follow has the server copy another one and stay its replica, for which that one waits at each commit from then on.
func (p *cluster) follow(primary *cluster) {
	p.t.Helper()
	for range 100 { // what a killed postmaster left ends by itself
		if os.RemoveAll(p.data()) == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	p.run("pg_basebackup", "-D", p.data(), "-h", primary.dir, "-U", "preceptor", "-X", "stream", "-c", "fast", "-R")
	p.start()
	primary.ask("ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if primary.ask("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'") == "1" {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatal("the replica doesn't follow")
		}
	}
}

// kill ends the postmaster without a word.
func (p *cluster) kill() {
	p.t.Helper()
	if err := syscall.Kill(p.pid(), syscall.SIGKILL); err != nil {
		p.t.Fatal(fmt.Errorf("kill the postmaster: %w", err))
	}
}

// promote makes the replica the primary, which waits for no other at first.
func (p *cluster) promote() {
	p.t.Helper()
	p.run("pg_ctl", "-D", p.data(), "-w", "promote")
	p.ask("ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")
}
