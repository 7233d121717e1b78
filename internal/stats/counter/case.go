package counter

import (
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/platform/db"
)

// kase is a case as its raw rows have it: an interaction of the desk and all that was said and done about it.
type kase struct {
	id, agent, task string
	planted         bool
	ended           string // Expired or Withdrawn
	queued, decided int64  // ms; 0: it was not, or waits
	label           string
	labelAt         int64 // of the first verdict
	unsure          bool  // nothing is named against it, and one judge isn't sure
	flags           bool  // its page shows some, whatever the label
	decisions       []decision
	rulings         []ruling
	opened          []opened
	checks          []check
}

type decision struct {
	id, kind, state, by, code string
	author                    string // of the text that a revision sends: by, or whose words were approved
	seconds                   int64
	hasty                     bool
	at, settled               int64
	policy                    int
	needsSecond               bool
	second                    string
	secondAt, secondSeconds   int64
	secondHasty               bool
	changed, words            int64 // of a revision; words 0: not known
	rating, ratedAt           int64 // rating 0: none
}

// fallen are the states in which a decision counts nowhere: it was taken back before anything left, a second supervisor
// decided otherwise or has not signed yet, or the text was recalled. This is the one list of them here and in package
// stats; package review, which moves decisions from state to state, says the same by Settled.Stands; a test holds one
// against the other.
var fallen = []string{"undone", "overruled", "pending", "recalled"}

// Stands reports whether a decision in a state counts.
func Stands(state string) bool { return !slices.Contains(fallen, state) }

// StandsSQL asks the same of a column.
func StandsSQL(column string) string {
	return column + ` NOT IN ('` + strings.Join(fallen, `', '`) + `')`
}

// CaredSQL asks of a column whether the decision says how carefully it was worked: one that stands, or was recalled
// since.
func CaredSQL(column string) string {
	return `(` + StandsSQL(column) + ` OR ` + column + ` = 'recalled')`
}

// AuthorSQL is the account whose words a decision d sends: a text that was recalled and sent again unchanged is still
// the revision of whoever wrote it.
const AuthorSQL = `CASE d.words_by WHEN '' THEN d.by_id ELSE d.words_by END`

// counts reports whether the decision is a person's and stands.
func (d decision) counts() bool { return d.kind != "sampled" && Stands(d.state) }

// cared reports whether it is a person's and says how carefully it was worked.
func (d decision) cared() bool { return d.counts() || d.kind != "sampled" && d.state == "recalled" }

type ruling struct {
	label   string
	at      int64
	verdict panelVerdict
}

// panelVerdict is what is read of a stored verdict (compliance.Verdict).
type panelVerdict struct {
	Label  string     `json:"label"`
	Issues []struct{} `json:"issues"`
	Judges []struct {
		Judge     string `json:"judge"`
		Passed    bool   `json:"passed"`
		Abstained bool   `json:"abstained"`
	} `json:"judges"`
}

// unsure reports whether nothing is named against the text, and no more than one judge read it.
func (v panelVerdict) unsure() bool {
	read := 0
	for _, j := range v.Judges {
		if !j.Abstained {
			read++
		}
	}
	return len(v.Issues) == 0 && read < 2
}

type opened struct {
	cause string
	at    int64
}

// check is a closed planted check, and who signed it.
type check struct {
	caught bool
	at     int64
	people []checked
}

type checked struct {
	by     string
	caught bool
	at     int64
}

// reading is a batch of cases while it is read.
type reading struct {
	tx    *db.Tx
	in    string // placeholders
	args  []any
	cases map[string]*kase
}

// read reads cases by their ids, at most as many as one IN list takes. An interaction that was never queued has no
// kase.
func (k *Keeper) read(tx *db.Tx, ids []string) (map[string]*kase, error) {
	r := &reading{tx: tx, in: db.In(1, len(ids)), args: db.Anys(ids), cases: make(map[string]*kase, len(ids))}
	for _, step := range []func() error{r.reviews, r.verdicts, r.decisions, r.borderline, r.rulings, r.checks} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("stats: read cases: %w", err)
		}
	}
	return r.cases, nil
}

// ofCases reads rows that begin with the id of a case, each of which add adds to its case.
func ofCases[T any](r *reading, query string, fields func(one *T) []any, add func(c *kase, one T)) error {
	return db.Each(r.tx, "stats: read cases", func(row db.Row) error {
		var id string
		var one T
		if err := row.Scan(append([]any{&id}, fields(&one)...)...); err != nil {
			return fmt.Errorf("case %s: %w", id, err)
		}
		if c := r.cases[id]; c != nil {
			add(c, one)
		}
		return nil
	}, query, r.args...)
}

func (r *reading) reviews() error {
	return db.Each(r.tx, "stats: read cases", func(row db.Row) error {
		c := &kase{}
		err := row.Scan(&c.id, &c.agent, &c.task, &c.planted, &c.queued, &c.decided, &c.ended,
			&c.flags)
		r.cases[c.id] = c
		return err
	}, `SELECT id, agent_name, task, planted, created_at, CASE state WHEN 'decided' THEN decided_at ELSE 0 END, ended,
			EXISTS (SELECT 1 FROM review_flag f WHERE f.review_id = review.id)
		FROM review WHERE id IN (`+r.in+`)`, r.args...)
}

// verdicts: the newest label that says something, and when the first came. All verdicts of an interaction are on its
// draft.
func (r *reading) verdicts() error {
	type verdict struct {
		label string
		at    int64
		panel panelVerdict
	}
	return ofCases(r, `SELECT interaction_id, label, at, CASE label WHEN 'BORDERLINE' THEN verdict ELSE '' END
		FROM verdict
		WHERE interaction_id IN (`+r.in+`) ORDER BY interaction_id, at, id`,
		func(v *verdict) []any { return []any{&v.label, &v.at, db.JSON(&v.panel)} },
		func(c *kase, v verdict) {
			if v.label == NotJudged {
				return
			}
			if c.label = v.label; c.labelAt == 0 {
				c.labelAt = v.at
			}
			c.unsure = v.label == "BORDERLINE" && v.panel.unsure()
		})
}

// decisions come with how much a revision changed, where that was measured, and with the rating of what went out.
func (r *reading) decisions() error {
	if err := ofCases(r, `SELECT d.review_id, d.id, d.kind, d.state, d.by_id, d.reason_code, d.seconds, d.hasty,
		d.decided_at, d.settled_at, d.policy_version, d.needs_second,
			d.second_by, d.second_at, d.second_seconds, d.second_hasty, coalesce(e.changed, 0), coalesce(e.words, 0),
				coalesce(b.rating, 0), coalesce(b.rated_at, 0), `+AuthorSQL+`
		FROM decision d LEFT JOIN stat_edit e ON e.decision_id = d.id
			LEFT JOIN borderline_rating b ON b.decision_id = d.id AND b.state = 'rated'
		WHERE d.review_id IN (`+r.in+`) ORDER BY d.review_id, d.decided_at, d.id`,
		func(d *decision) []any {
			return []any{&d.id, &d.kind, &d.state, &d.by, &d.code, &d.seconds, &d.hasty, &d.at, &d.settled, &d.policy,
				&d.needsSecond,
				&d.second, &d.secondAt, &d.secondSeconds, &d.secondHasty, &d.changed, &d.words, &d.rating, &d.ratedAt,
				&d.author}
		},
		func(c *kase, d decision) { c.decisions = append(c.decisions, d) }); err != nil {
		return err
	}
	return r.measureEdits()
}

// measureEdits measures the revisions that count and were not measured yet.
func (r *reading) measureEdits() error {
	for _, c := range r.cases {
		for i := range c.decisions {
			d := &c.decisions[i]
			if d.kind != "revise" || d.words > 0 || !d.counts() || c.planted {
				continue
			}
			var draft, text string
			var erased bool
			err := db.One(r.tx, "counter: read an edit", `SELECT i.guidance, d.text, d.erased_at > 0 OR i.erased_at > 0
				FROM decision d JOIN interaction i ON i.id = d.review_id
				WHERE d.id = $1`, d.id).Scan(&draft, &text, &erased)
			if err != nil {
				return err
			}
			if erased {
				continue
			}
			changed, words := Distance(draft, text)
			if d.changed, d.words = int64(changed), int64(words); words == 0 {
				continue
			}
			if _, err := r.tx.Exec(`INSERT INTO stat_edit (decision_id, changed, words) VALUES ($1, $2, $3)`, d.id,
				changed, words); err != nil {
				return err
			}
		}
	}
	return nil
}

// AskedSQL is the condition of a borderline case c that experts were asked about: neither held back from them, nor
// settled by a supervisor before one had answered. That its text was erased meanwhile changes nothing.
const AskedSQL = `c.held = 0 AND (c.state <> 'overtaken' OR c.answered > 0 OR c.stood = 'erased')`

func (r *reading) borderline() error {
	return ofCases(r, `SELECT interaction_id, cause, created_at FROM borderline_case c
		WHERE interaction_id IN (`+r.in+`) AND `+AskedSQL+` ORDER BY created_at, id`,
		func(o *opened) []any { return []any{&o.cause, &o.at} },
		func(c *kase, o opened) { c.opened = append(c.opened, o) })
}

func (r *reading) rulings() error {
	return ofCases(r, `SELECT r.interaction_id, r.label, r.at, c.verdict
		FROM borderline_ruling r JOIN borderline_case c ON c.id = r.case_id
		WHERE r.interaction_id IN (`+r.in+`) AND r.undone_at = 0 ORDER BY r.at, r.id`,
		func(one *ruling) []any { return []any{&one.label, &one.at, db.JSON(&one.verdict)} },
		func(c *kase, one ruling) { c.rulings = append(c.rulings, one) })
}

// checks reads the closed planted checks of the batch. There are few, so each is looked up by itself.
func (r *reading) checks() error {
	for _, c := range r.cases {
		if !c.planted {
			continue
		}
		var id string
		var one check
		found, err := db.One(r.tx, "counter: read a planted check", `SELECT id, state = 'caught', closed_at
			FROM planted_check WHERE interaction_id = $1 AND closed_at > 0`, c.id).Find(&id, &one.caught, &one.at)
		if found {
			one.people, err = r.signed(id)
			c.checks = append(c.checks, one)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// signed is who signed a planted check, and what came of it for them.
func (r *reading) signed(checkID string) (out []checked, err error) {
	return db.Rows(r.tx, "counter: signed", func(p *checked) []any { return []any{&p.by, &p.caught, &p.at} },
		`SELECT person_id, outcome = 'caught', at FROM planted_result WHERE check_id = $1 ORDER BY person_id`, checkID)
}
