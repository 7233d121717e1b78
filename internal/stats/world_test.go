package stats

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/hook/hooktest"
	"preceptor/internal/stats/counter"
)

// quiet are hooks that know nothing.
func quiet() Hooks { return hooktest.Late(&Hooks{}) }

// world is a history that is written to the raw tables step by step, as the packages that own them do, and counted
// after each; and what the test remembers of it, from which it works every figure out again without looking at a table.
type world struct {
	*rapid.T
	d     *db.DB
	clock *dbtest.Clock
	k     *counter.Keeper
	r     *Reader
	zone  *time.Location
	now   time.Time
	next  int
	cases []*wCase
	votes []*wVote
	outs  []*wOutcome
	seen  []wSeen
}

type wCase struct {
	id, agent, task string
	thread          string
	turn            int
	planted, caught bool
	closed          time.Time
	signers         []string
	queued          time.Time
	labels          []string
	flags           bool
	unsure          bool
	labelled        time.Time // first
	decisions       []*wDecision
	opened          []wOpened
	rulings         []*wRuling
	standing        *wDecision
}

type wDecision struct {
	id, kind, state, by, code string
	seconds                   int
	hasty                     bool
	at, settled               time.Time
	policy                    int
	two                       bool
	second                    string
	secondAt                  time.Time
	secondHasty               bool
	text                      string
	stars                     int
	rated                     time.Time
}

type wOpened struct {
	id, cause, verdict string
	passed             map[string]bool // by judge
	at                 time.Time
}

type wRuling struct {
	id, label string
	of        wOpened
	at        time.Time
	undone    bool
}

type wVote struct {
	id, agent, topic, kind string
	value, norm            float64
	version                int
	at                     time.Time
}

type wOutcome struct {
	id           string
	agent, topic string
	scores       [3]float64
	said         [4]*bool
	at           time.Time
}

type wSeen struct {
	agent, topic string
	at           time.Time
}

var (
	wAgents = []string{"tutor", "pension-advisor"}
	wTopics = []string{"", "scams", "db_transfer"}
	wPeople = []string{"ann", "bob", "cy"}
	wLabels = counter.Labels
	wZones  = []struct {
		name  string
		about string // some hours before a change of the clocks
	}{
		{"Europe/London", "2026-03-27T20:00:00Z"}, {"Europe/London", "2026-10-23T12:00:00Z"},
		{"America/New_York", "2026-10-30T12:00:00Z"},
		{"Australia/Lord_Howe", "2026-10-02T12:00:00Z"}, {"America/Santiago", "2026-09-04T12:00:00Z"},
		{"America/Santiago", "2026-04-03T12:00:00Z"},
		{"America/Havana", "2026-10-30T12:00:00Z"}, {"America/Havana", "2026-03-06T12:00:00Z"},
		{"Asia/Kathmandu", "2026-05-01T00:00:00Z"},
		{"Pacific/Kiritimati", "2026-12-30T00:00:00Z"}, {"UTC", "2026-02-26T00:00:00Z"},
	}
)

const wTarget = 90 * time.Minute // of policy 1

func newWorld(t *testing.T, rt *rapid.T) *world {
	t.Helper()
	z := rapid.SampledFrom(wZones).Draw(rt, "zone")
	zone, err := time.LoadLocation(z.name)
	if err != nil {
		rt.Fatal(err)
	}
	start, err := time.Parse(time.RFC3339, z.about)
	if err != nil {
		rt.Fatal(err)
	}
	w := &world{T: rt, zone: zone, now: start, clock: dbtest.NewClock()}
	w.d = dbtest.NewAt(t, w.clock)
	w.k, w.r = counter.New(w.d, zone), New(w.d, zone, quiet())
	w.do(func(tx *db.Tx) {
		w.exec(tx, `INSERT INTO account (id, email, email_key, name, password_hash, created_at)
			VALUES ('x', 'x', 'x', 'X', '', 1), ('y', 'y', 'y', 'Y', '', 1)`)
		w.exec(tx, `INSERT INTO account_role (account_id, role) VALUES ('x', 'admin'), ('y', 'admin')`)
		w.exec(tx, `INSERT INTO approval (id, subject, version, base, state, payload, reason, proposed_by,
				proposed_name, proposed_at, kind)
			VALUES ('p', '', 1, 0, 'proposed', '{"target_late_minutes":90}', 'a test', 'x', 'X', 1, 'policy')`)
		w.exec(tx, `UPDATE approval SET state = 'agreed', decided_by = 'y', decided_name = 'Y', decided_at = 2
			WHERE id = 'p'`)
		w.exec(tx, `INSERT INTO team (id, name, name_key, created_at) VALUES ('team', 'Team', 'team', 1)`)
		for _, p := range wPeople {
			w.exec(tx, `INSERT INTO account (id, email, email_key, name, password_hash, created_at)
				VALUES ($1, $1, $1, $1, '', 1)`, p)
			w.exec(tx, `INSERT INTO account_role (account_id, role) VALUES ($1, 'supervisor')`, p)
		}
		w.exec(tx, `INSERT INTO team_member (team_id, account_id) VALUES ('team', 'ann'), ('team', 'cy')`)
		for _, a := range wAgents {
			w.exec(tx, `INSERT INTO agent (id, name, name_key, created_at) VALUES ($1, $1, $1, 1)`, a)
		}
	})
	if _, err := w.k.Ready(t.Context(), nil); err != nil {
		rt.Fatal(err)
	}
	return w
}

func (w *world) do(f func(tx *db.Tx)) {
	w.Helper()
	if err := w.d.Write(w.Context(), func(tx *db.Tx) error {
		f(tx)
		return nil
	}); err != nil {
		w.Fatal(err)
	}
}

func (w *world) exec(tx *db.Tx, query string, args ...any) {
	w.Helper()
	if _, err := tx.Exec(query, args...); err != nil {
		w.Fatalf("%s: %v", query, err)
	}
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) id() string {
	w.next++
	return fmt.Sprintf("%012d", w.next)
}

func (w *world) pick(list []string, label string) string {
	return rapid.SampledFrom(list).Draw(w.T, label)
}

func (w *world) chance(in int, label string) bool { return rapid.IntRange(1, in).Draw(w.T, label) == 1 }

// step lets some time pass and does one thing.
func (w *world) step() {
	w.now = w.now.Add(time.Duration(rapid.IntRange(0, 400).Draw(w.T, "minutes")) * time.Minute).
		Add(time.Duration(rapid.IntRange(0, 999).Draw(w.T, "ms")) * time.Millisecond)
	steps := []func() bool{w.submit, w.submit, w.decide, w.decide, w.decide, w.second, w.undo, w.settle, w.recall, w.judge, w.open, w.rule, w.unrule, w.rate, w.vote, w.vote, w.revote, w.outcome, w.reoutcome, w.log}
	for first := rapid.IntRange(0, len(steps)-1).Draw(w.T, "step"); !steps[first%len(steps)](); first++ {
	}
}

// talk is the conversation of a case.
func (c *wCase) talk() string {
	if c.thread == "" {
		return ""
	}
	return c.agent + " " + c.thread
}

func (w *world) submit() bool {
	c := &wCase{id: w.id(), agent: w.pick(wAgents, "agent"), task: w.pick(wTopics, "task"), queued: w.now,
		labelled: w.now, planted: w.chance(8, "planted"), labels: []string{w.pick(wLabels, "label")}}
	if c.turn = 1; !w.chance(4, "alone") {
		c.thread = w.pick([]string{"t1", "t1", "t1", "t2"}, "thread")
		for _, o := range w.cases {
			if o.agent == c.agent && o.thread == c.thread {
				c.turn = max(c.turn, o.turn+1)
			}
		}
		c.turn -= rapid.IntRange(0, 1).Draw(w.T, "again") * min(c.turn-1, 1) // the same message once more
	}
	w.cases = append(w.cases, c)
	w.do(func(tx *db.Tx) {
		at := db.Ms(w.now)
		w.exec(tx, `INSERT INTO interaction (id, agent_id, agent_name, origin, status, task, task_by, question,
				customer, guidance, guidance_hash, reasoning, model, drafter, knowledge_used, steps, metadata,
				created_at, planted)
			VALUES ($1, $2, $2, 'api', 'waiting', $3, 'agent', 'q', '{}', 'one two three four five six', 'h', '', '',
				'', '[]', '', '', $4, $5)`, c.id, c.agent, c.task, at, c.planted)
		w.exec(tx, `INSERT INTO review (id, agent_id, agent_name, task, state, priority, why, who, opening, label,
				passed, blocked, borderline, confidence, flags, source, text_hash, created_at, planted, thread, talk, turn)
			VALUES ($1, $2, $2, $3, 'waiting', 4, '', '', 'q', '', 1, 0, 0, 1, '[]', '', 'h', $4, $5, $6, $7, $8)`, c.id,
			c.agent, c.task, at, c.planted, c.thread, c.talk(), c.turn)
		if c.flags = rapid.Bool().Draw(w.T, "flags"); c.flags {
			w.exec(tx, `INSERT INTO review_flag (review_id, code, state, agent_id, task, place, at)
				VALUES ($1, 'OTHER', 'waiting', $2, $3, 4, $4)`, c.id, c.agent, c.task, at)
		}
		w.verdict(tx, c, c.labels[0])
		w.must(w.k.CaseTx(tx, c.id))
	})
	return true
}

func (w *world) verdict(tx *db.Tx, c *wCase, label string) {
	c.unsure = label == "BORDERLINE" && rapid.Bool().Draw(w.T, "unsure")
	body := `{"issues":[{"code":"OTHER"}]}`
	if c.unsure {
		body = `{"issues":[],"judges":[{"judge":"one"},{"judge":"two","abstained":true}]}`
	}
	w.exec(tx, `INSERT INTO verdict (id, interaction_id, text_hash, label, passed, confidence, verdict, at)
		VALUES ($1, $2, 'h', $3, 1, 1, $4, $5)`, w.id(), c.id, label, body, db.Ms(w.now))
}

// find picks a case that fits.
func (w *world) find(label string, fits func(c *wCase) bool) *wCase {
	var some []*wCase
	for _, c := range w.cases {
		if fits(c) {
			some = append(some, c)
		}
	}
	if len(some) == 0 {
		return nil
	}
	return rapid.SampledFrom(some).Draw(w.T, label)
}

func (w *world) decide() bool {
	c := w.find("decide", func(c *wCase) bool { return c.standing == nil && c.closed.IsZero() })
	if c == nil {
		return false
	}
	by := w.pick(wPeople, "by")
	w.do(func(tx *db.Tx) {
		w.decideTx(tx, c, by)
		if c.planted { // the hold ends at once
			w.closeTx(tx, c)
		}
		w.must(w.k.CaseTx(tx, c.id))
	})
	return true
}

func (w *world) decideTx(tx *db.Tx, c *wCase, by string) {
	d := &wDecision{id: w.id(), kind: w.pick([]string{"approve", "approve", "revise", "reject", "return", "sampled"},
		"kind"), state: "held", by: by, at: w.now,
		seconds: rapid.IntRange(0, 2000).Draw(w.T, "seconds"), hasty: w.chance(3, "hasty"),
		policy: rapid.IntRange(0, 1).Draw(w.T, "policy")}
	if d.kind == "sampled" && (c.planted || len(c.decisions) > 0) {
		d.kind = "approve"
	}
	switch d.kind {
	case "sampled":
		d.by, d.policy, d.hasty = "", 1, false
	case "reject":
		d.code = w.pick([]string{"personal_recommendation", "does_not_answer"}, "code")
	case "revise":
		d.text = strings.Join([]string{"one", w.pick([]string{"2", "two"}, "word"),
			w.pick([]string{"three", "3 and more words"}, "words"), "four five six"}, " ")
	}
	d.two = !c.planted && (d.kind == "approve" || d.kind == "revise") && w.chance(3, "two")
	if d.two {
		d.state = "pending"
	}
	w.exec(tx, `INSERT INTO decision (id, review_id, kind, state, by_id, by_name, text, text_hash, version, reason,
			reason_code, feedback, confirmation, flags, seconds, hasty, decided_at, held_until, policy_version,
			needs_second)
		VALUES ($1, $2, $3, $4, $5, $5, $6, 'h', 1, '', $7, '', '', '[]', $8, $9, $10, 0, $11, $12)`, d.id, c.id,
		d.kind, d.state, d.by, d.text, d.code, d.seconds, d.hasty, db.Ms(d.at), d.policy, d.two)
	c.decisions, c.standing = append(c.decisions, d), d
	w.reviewTx(tx, c)
}

// reviewTx brings the case on the desk in step with its decision.
func (w *world) reviewTx(tx *db.Tx, c *wCase) {
	state, at := "waiting", int64(0)
	if c.standing != nil && c.standing.state != "pending" {
		state, at = "decided", db.Ms(c.decidedAt())
	}
	w.exec(tx, `UPDATE review SET state = $1, decided_at = $2 WHERE id = $3`, state, at, c.id)
}

func (c *wCase) decidedAt() time.Time {
	if c.standing == nil || c.standing.state == "pending" {
		return time.Time{}
	}
	if c.standing.second != "" {
		return c.standing.secondAt
	}
	return c.standing.at
}

func (w *world) closeTx(tx *db.Tx, c *wCase) {
	c.caught, c.closed, c.signers = c.standing.kind != "approve", w.now, []string{c.standing.by}
	state := map[bool]string{true: "caught", false: "missed"}[c.caught]
	key := w.id()
	w.exec(tx, `UPDATE decision SET state = 'closed', settled_at = $1 WHERE id = $2`, db.Ms(w.now), c.standing.id)
	c.standing.state = "closed"
	w.exec(tx, `INSERT INTO planted_check (id, agent_id, trigger_id, state, interaction_id, due_at, closed_at)
		VALUES ($1, 'a', $1, $2, $3, 1, $4)`, key, state, c.id, db.Ms(w.now))
	w.exec(tx, `INSERT INTO planted_result (check_id, person_id, person_name, outcome, seconds, at)
		VALUES ($1, $2, $2, $3, 1, $4)`, key, c.standing.by, state, db.Ms(w.now))
}

// second has another person complete a first signature, or overrule it.
func (w *world) second() bool {
	c := w.find("second", func(c *wCase) bool { return c.standing != nil && c.standing.state == "pending" })
	if c == nil {
		return false
	}
	d := c.standing
	var others []string
	for _, p := range wPeople {
		if p != d.by {
			others = append(others, p)
		}
	}
	by := w.pick(others, "second")
	w.do(func(tx *db.Tx) {
		if w.chance(3, "overrule") {
			d.state, d.settled = "overruled", w.now
			w.exec(tx, `UPDATE decision SET state = 'overruled', settled_at = $1 WHERE id = $2`, db.Ms(w.now), d.id)
			c.standing = nil
			w.decideTx(tx, c, by)
		} else {
			d.state, d.second, d.secondAt, d.secondHasty = "held", by, w.now, w.chance(3, "hasty")
			for i, who := range []string{d.by, by} {
				w.must(audit.Record(tx,
					audit.Entry{Actor: audit.Actor{Kind: audit.Person, ID: who, Name: who},
						Action: []string{"review.approved", "review.seconded"}[i], ObjectKind: "interaction",
						ObjectID: c.id}))
			}
			w.exec(tx, `UPDATE decision SET state = 'held', second_by = $1, second_name = $1, second_at = $2,
				second_hasty = $3
				WHERE id = $4`, by, db.Ms(w.now), d.secondHasty, d.id)
			w.reviewTx(tx, c)
		}
		w.must(w.k.CaseTx(tx, c.id))
	})
	return true
}

func (w *world) end(label, state string, from ...string) bool {
	c := w.find(label, func(c *wCase) bool {
		if c.planted || c.standing == nil {
			return false
		}
		for _, s := range from {
			if c.standing.state == s {
				return true
			}
		}
		return false
	})
	if c == nil {
		return false
	}
	d := c.standing
	if state == "released" {
		state = map[string]string{"reject": "escalated", "return": "returned"}[d.kind]
		if state == "" {
			state = "released"
		}
	} else {
		c.standing = nil
	}
	w.do(func(tx *db.Tx) {
		d.state, d.settled = state, w.now
		w.exec(tx, `UPDATE decision SET state = $1, settled_at = $2 WHERE id = $3`, state, db.Ms(w.now), d.id)
		w.reviewTx(tx, c)
		w.must(w.k.CaseTx(tx, c.id))
	})
	return true
}

func (w *world) undo() bool   { return w.end("undo", "undone", "held", "pending") }
func (w *world) settle() bool { return w.end("settle", "released", "held") }
func (w *world) recall() bool { return w.end("recall", "recalled", "released") }

// judge has the panel say something else about a draft.
func (w *world) judge() bool {
	c := w.find("judge", func(c *wCase) bool { return true })
	if c == nil {
		return false
	}
	c.labels = append(c.labels, w.pick(wLabels, "label"))
	w.do(func(tx *db.Tx) {
		w.verdict(tx, c, c.labels[len(c.labels)-1])
		w.must(w.k.CaseTx(tx, c.id))
	})
	return true
}

func (w *world) open() bool {
	c := w.find("open", func(c *wCase) bool { return len(c.opened) == 0 })
	if c == nil {
		return false
	}
	o := wOpened{id: w.id(), cause: w.pick(counter.Causes, "cause"), verdict: w.pick(wLabels, "verdict"),
		passed: map[string]bool{"pattern": w.chance(2, "passed"), "tone": w.chance(2, "passed")}, at: w.now}
	c.opened = append(c.opened, o)
	type vote struct {
		Judge     string `json:"judge"`
		Passed    bool   `json:"passed"`
		Abstained bool   `json:"abstained,omitempty"`
	}
	verdict, err := json.Marshal(map[string]any{"label": o.verdict,
		"judges": []vote{{Judge: "pattern", Passed: o.passed["pattern"]}, {Judge: "tone", Passed: o.passed["tone"]},
			{Judge: "shy", Abstained: true}}})
	w.must(err)
	w.do(func(tx *db.Tx) {
		w.exec(tx, `INSERT INTO borderline_case (id, interaction_id, agent_id, agent_name, task, who, opening, text,
				text_hash, cause, verdict, state, wanted, most, target_at, created_at)
			VALUES ($1, $2, $3, $3, $4, '', '', '', 'h', $5, $6, 'waiting', 1, 1, 0, $7)`, o.id, c.id, c.agent, c.task,
			o.cause, string(verdict), db.Ms(w.now))
		w.must(w.k.CaseTx(tx, c.id))
	})
	return true
}

func (w *world) rule() bool {
	c := w.find("rule", func(c *wCase) bool {
		return len(c.opened) > 0 && (len(c.rulings) == 0 || c.rulings[len(c.rulings)-1].undone)
	})
	if c == nil {
		return false
	}
	r := &wRuling{id: w.id(), label: w.pick(wLabels, "ruling"), of: c.opened[0], at: w.now}
	c.rulings = append(c.rulings, r)
	w.do(func(tx *db.Tx) {
		w.exec(tx, `INSERT INTO borderline_ruling (id, case_id, interaction_id, text_hash, label, rationale, how, by_id,
				by_name, pattern, rubric_version, taxonomy_version, at)
			VALUES ($1, $2, $3, 'h', $4, '', 'agreed', 'x', 'x', '{}', 1, 1, $5)`, r.id, r.of.id, c.id, r.label,
			db.Ms(w.now))
		w.must(w.k.CaseTx(tx, c.id))
	})
	return true
}

func (w *world) unrule() bool {
	c := w.find("unrule", func(c *wCase) bool { return len(c.rulings) > 0 && !c.rulings[len(c.rulings)-1].undone })
	if c == nil {
		return false
	}
	r := c.rulings[len(c.rulings)-1]
	r.undone = true
	w.do(func(tx *db.Tx) {
		w.exec(tx, `UPDATE borderline_ruling SET undone_at = $1 WHERE id = $2`, db.Ms(w.now), r.id)
		w.must(w.k.CaseTx(tx, c.id))
	})
	return true
}

func (w *world) rate() bool {
	c := w.find("rate", func(c *wCase) bool {
		return c.standing != nil && c.standing.state == "released" && c.standing.kind != "sampled" &&
			c.standing.stars == 0
	})
	if c == nil {
		return false
	}
	d := c.standing
	d.stars, d.rated = rapid.IntRange(1, 5).Draw(w.T, "stars"), w.now
	w.do(func(tx *db.Tx) {
		w.exec(tx, `INSERT INTO borderline_rating (id, decision_id, decided_by, second_by, interaction_id, agent_name,
				task, who, opening, text, state, rating, created_at, rated_at)
			VALUES ($1, $2, $3, '', $4, $5, $6, '', '', '', 'rated', $7, $8, $8)`, w.id(), d.id, d.by, c.id, c.agent,
			c.task, d.stars, db.Ms(w.now))
		w.must(w.k.CaseTx(tx, c.id))
	})
	return true
}
