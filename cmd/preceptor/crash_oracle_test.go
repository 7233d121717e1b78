package main

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"preceptor/internal/app"
	"preceptor/internal/audit"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
)

// look opens a copy of the file, as the crash left it, and holds it against what was acknowledged. The server's own
// recovery is left to the server. At the end every job must have run and every decision be settled.
func (c *crash) look(end bool) {
	c.t.Helper()
	if db.IsServer(c.file) {
		d, err := db.Open(c.t.Context(), c.file, db.Options{})
		if err != nil {
			c.t.Fatal(err)
		}
		defer d.Close()
		c.lookAt(d, end)
		return
	}
	copied := filepath.Join(c.t.TempDir(), "copy.db")
	for _, tail := range []string{"", "-wal"} {
		content, err := os.ReadFile(c.file + tail)
		if os.IsNotExist(err) && tail != "" {
			continue
		}
		if err == nil {
			err = os.WriteFile(copied+tail, content, 0o600)
		}
		if err != nil {
			c.t.Fatal(err)
		}
	}
	d, err := db.Open(c.t.Context(), copied, db.Options{Holder: "crash"})
	if err != nil {
		c.t.Fatal(err)
	}
	defer d.Close()
	c.lookAt(d, end)
}

func (c *crash) lookAt(d *db.DB, end bool) {
	c.t.Helper()
	c.lookAtFile(d)
	c.lookAtSubmissions(d)
	c.lookAtDecisions(d)
	c.lookAtJobs(d)
	if end {
		c.lookAtTheEnd(d)
	}
}

func (c *crash) lookAtFile(d *db.DB) {
	c.t.Helper()
	checks, err := d.Doctor(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	for _, check := range checks {
		if !check.OK {
			c.t.Errorf("%s: %s", check.Name, check.Detail)
		}
	}
	report, err := audit.Verify(c.t.Context(), d, c.anchor)
	if err != nil || report.Bad != nil {
		c.t.Fatalf("the audit log: %+v (%v)", report.Bad, err)
	}
	c.anchor = &report.Head
}

// strings2 reads rows of two texts.
func (c *crash) strings2(d *db.DB, query string, f func(a, b string)) {
	c.t.Helper()
	rows, err := d.Reader().QueryContext(c.t.Context(), query)
	if err != nil {
		c.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var a, b string
		if err := rows.Scan(&a, &b); err != nil {
			c.t.Fatal(err)
		}
		f(a, b)
	}
	if err := rows.Err(); err != nil {
		c.t.Fatal(err)
	}
}

// none fails with the rows that a query finds and should not.
func (c *crash) none(d *db.DB, what, query string) {
	c.t.Helper()
	c.strings2(d, query, func(a, b string) { c.t.Errorf("%s: %s %s", what, a, b) })
}

func (c *crash) lookAtSubmissions(d *db.DB) {
	c.t.Helper()
	sent, there := map[string]bool{}, map[string]string{}
	for _, key := range c.sent {
		sent[key] = true
	}
	c.strings2(d, "SELECT id, question FROM interaction", func(id, question string) {
		key, _, _ := strings.Cut(question, " ")
		if !sent[key] {
			c.t.Errorf("%s holds %q, which nobody sent", id, question)
		}
		if there[key] != "" {
			c.t.Errorf("%s is there twice: %s and %s", key, there[key], id)
		}
		there[key] = id
	})
	for key, id := range c.ids {
		if there[key] != id {
			c.t.Errorf("%s was acknowledged as %s and is there as %q", key, id, there[key])
		}
	}
	c.none(d, "a submission without exactly one audit row", `
		SELECT i.id, count(a.seq) FROM interaction i
		LEFT JOIN audit a ON a.object_kind = 'interaction' AND a.object_id = i.id AND a.action = 'guidance.submitted'
		GROUP BY i.id HAVING count(a.seq) <> 1`)
	c.none(d, "a submission without its review", `
		SELECT i.id, i.status FROM interaction i LEFT JOIN review r ON r.id = i.id WHERE r.id IS NULL`)
	c.none(d, "a submission without its key", `
		SELECT i.id, i.status FROM interaction i LEFT JOIN idempotency k ON k.interaction_id = i.id WHERE k.key IS NULL`)
	c.none(d, "an audit row without its submission", `
		SELECT a.object_id, a.action FROM audit a LEFT JOIN interaction i ON i.id = a.object_id
		WHERE a.object_kind = 'interaction' AND i.id IS NULL`)
}

func (c *crash) lookAtDecisions(d *db.DB) {
	c.t.Helper()
	there := map[string]string{}
	c.strings2(d, "SELECT review_id, kind FROM decision", func(id, kind string) {
		if there[id] != "" {
			c.t.Errorf("%s was decided twice: %s and %s", id, there[id], kind)
		}
		if c.tried[id] != kind {
			c.t.Errorf("%s holds a decision to %s, and %q was sent", id, kind, c.tried[id])
		}
		there[id] = kind
	})
	for id, kind := range c.decided {
		if there[id] != kind {
			c.t.Errorf("to %s %s was acknowledged, and %q is there", kind, id, there[id])
		}
	}
	c.none(d, "a decision without exactly one audit row", `
		SELECT d.review_id, count(a.seq) FROM decision d
		LEFT JOIN audit a ON a.object_id = d.review_id AND a.action = CASE d.kind
			WHEN 'approve' THEN 'review.approved' WHEN 'revise' THEN 'review.revised' ELSE 'review.rejected' END
		GROUP BY d.id HAVING count(a.seq) <> 1`)
	c.none(d, "an audit row of a decision without it", `
		SELECT a.object_id, a.action FROM audit a LEFT JOIN decision d ON d.review_id = a.object_id
		WHERE a.action IN ('review.approved', 'review.revised', 'review.rejected') AND d.id IS NULL`)
	c.none(d, "a decision and its review disagree", `
		SELECT r.id, r.state FROM review r LEFT JOIN decision d ON d.review_id = r.id
		WHERE (r.state = 'decided') <> (d.id IS NOT NULL AND d.state <> 'pending')`)
	c.none(d, "a decision without its lesson, or a lesson of one signature", `
		SELECT d.id, d.kind FROM decision d LEFT JOIN lesson l ON l.cause_kind = 'decision' AND l.cause_id = d.id
			WHERE (l.id IS NULL) <> (d.state = 'pending')`)
	c.lookAtSignatures(d)
	c.none(d, "a settled decision without exactly one audit row of it", `
		SELECT d.review_id, count(a.seq) FROM decision d
		LEFT JOIN audit a ON a.object_id = d.review_id AND a.action IN ('guidance.released', 'guidance.escalated')
		GROUP BY d.id HAVING count(a.seq) <> CASE WHEN d.state IN ('released', 'escalated') THEN 1 ELSE 0 END`)
	c.none(d, "a decision and its interaction disagree", `
		SELECT i.id, i.status FROM decision d JOIN interaction i ON i.id = d.review_id
			WHERE i.status <> CASE d.state WHEN 'pending' THEN 'waiting' ELSE d.state END`)
}

// lookAtSignatures holds the second signatures against what was acknowledged: none lost, none made up.
func (c *crash) lookAtSignatures(d *db.DB) {
	c.t.Helper()
	there := map[string]bool{}
	c.strings2(d, "SELECT review_id, second_by FROM decision WHERE second_by <> ''", func(id, _ string) {
		there[id] = true
		if _, sent := c.second[id]; !sent {
			c.t.Errorf("%s has a second signature that nobody sent", id)
		}
	})
	for id, acknowledged := range c.second {
		if acknowledged && !there[id] {
			c.t.Errorf("the second signature on %s was acknowledged and is not there", id)
		}
	}
	c.none(d, "a second signature without exactly one audit row", `
		SELECT d.review_id, count(a.seq) FROM decision d
		LEFT JOIN audit a ON a.object_id = d.review_id AND a.action = 'review.seconded'
		GROUP BY d.id HAVING count(a.seq) <> CASE d.second_by WHEN '' THEN 0 ELSE 1 END`)
	c.none(d, "a text that takes two left with one signature", `
		SELECT d.review_id, d.state FROM decision d JOIN review r ON r.id = d.review_id
		WHERE r.two_eyes = 1 AND d.kind IN ('approve', 'revise') AND (d.state = 'pending') <> (d.second_by = '')`)
}

// lookAtJobs holds the jobs against the decisions: one release each, and one reflection for what teaches something.
func (c *crash) lookAtJobs(d *db.DB) {
	c.t.Helper()
	jobs := map[string]int{}
	c.strings2(d, "SELECT kind, args FROM river_job", func(kind, args string) {
		var about struct {
			Decision string `json:"decision_id"`
			Lesson   string `json:"lesson_id"`
		}
		if err := json.Unmarshal([]byte(args), &about); err != nil {
			c.t.Errorf("%s: %v", kind, err)
		}
		jobs[kind+" "+about.Decision+about.Lesson]++
	})
	known := 0
	c.strings2(d, "SELECT id, kind FROM decision WHERE state <> 'pending'", func(id, _ string) {
		known++
		if n := jobs["review.release "+id]; n != 1 {
			c.t.Errorf("decision %s has %d release jobs", id, n)
		}
	})
	c.strings2(d, "SELECT id, origin FROM lesson", func(id, origin string) {
		n, decided := jobs["learning.reflect "+id], origin == "revise" || origin == "reject"
		// What checks, judges and reflections find may need a sentence from the first moment on, and then has no step
		// to take.
		if decided && n != 1 || origin == "approve" && n != 0 || n > 1 {
			c.t.Errorf("the lesson %s of a decision to %s has %d reflections", id, origin, n)
		}
	})
	releases := 0
	for name, n := range jobs {
		if strings.HasPrefix(name, "review.release ") {
			releases += n
		}
	}
	if releases != known {
		c.t.Errorf("%d release jobs for %d decisions", releases, known)
	}
}

// settle has a last server stop on SIGTERM, works what is left, and looks once more.
func (c *crash) settle() {
	c.t.Helper()
	cmd, said := c.start("127.0.0.1:0")
	c.await(cmd, said)
	c.terminate(cmd, said)
	c.drain()
	c.look(true)
}

// terminate stops a server, which ends well.
func (c *crash) terminate(cmd *exec.Cmd, said *buffer) {
	c.t.Helper()
	began := time.Now()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		c.t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		c.t.Errorf("SIGTERM: %v\n%s", err, said.String())
	}
	c.t.Logf("SIGTERM took %v", time.Since(began))
}

// drain works the jobs that are left.
func (c *crash) drain() {
	c.t.Helper()
	cfg, err := config.Default()
	if err != nil {
		c.t.Fatal(err)
	}
	cfg.DB = c.file
	a, err := app.Open(c.t.Context(), cfg, app.WithTerminal(io.Discard), app.WithLog(app.NewLog(cfg.Log, io.Discard)))
	if err != nil {
		c.t.Fatal(err)
	}
	if err := a.Jobs.Drain(c.t.Context()); err != nil {
		c.t.Error(err)
	}
	if err := a.Close(); err != nil {
		c.t.Error(err)
	}
}

func (c *crash) lookAtTheEnd(d *db.DB) {
	c.t.Helper()
	c.none(d, "a decision that was never settled", "SELECT id, state FROM decision WHERE state = 'held'")
	c.none(d, "a job that was never done", "SELECT kind, state FROM river_job WHERE state <> 'completed'")
	c.none(d, "a lesson that stands still", "SELECT id, stage FROM lesson WHERE state IN ('running', 'failed')")
	// A provisional rule is tried again when enough cases came since: that step stands there once for each trial.
	c.none(d, "a step that was done twice", `
		SELECT lesson_id, name FROM lesson_step WHERE state = 'done'
		GROUP BY lesson_id, name, CASE WHEN name = 'validate' THEN input || output ELSE '' END HAVING count(*) > 1`)
	c.none(d, "a release without a text, or a text without a release", `
		SELECT id, status FROM interaction WHERE (status = 'released') <> (final_text <> '')`)
}
