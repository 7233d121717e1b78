package tally

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/db"
)

// kase is a case as its raw rows have it: an interaction of the desk and all that was said and done about it.
type kase struct {
	id, agent, task string
	planted         bool
	queued, decided int64 // ms; 0: it was not, or waits
	label           string
	labelAt         int64 // of the first verdict
	decisions       []decision
	rulings         []ruling
	opened          []opened
	checks          []check
}

type decision struct {
	id, kind, state, by, code string
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

// fallen are the states in which a decision counts nowhere: it was taken back before anything left, a second supervisor decided
// otherwise or has not signed yet, or the text was recalled. This is the one list of them here and in package stats; package review,
// which moves decisions from state to state, says the same by Settled.Stands; a test holds one against the other.
var fallen = []string{"undone", "overruled", "pending", "recalled"}

// Stands tells whether a decision in a state counts.
func Stands(state string) bool { return !slices.Contains(fallen, state) }

// StandsSQL asks the same of a column.
func StandsSQL(column string) string {
	return column + ` NOT IN ('` + strings.Join(fallen, `', '`) + `')`
}

// counts tells whether the decision is a person's and stands.
func (d decision) counts() bool { return d.kind != "sampled" && Stands(d.state) }

type ruling struct {
	label   string
	at      int64
	verdict panelVerdict
}

// panelVerdict is what is read of a stored verdict (compliance.Verdict).
type panelVerdict struct {
	Label  string `json:"label"`
	Judges []struct {
		Judge     string `json:"judge"`
		Passed    bool   `json:"passed"`
		Abstained bool   `json:"abstained"`
	} `json:"judges"`
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

// read reads cases by their ids, at most as many as one IN list takes. An interaction that was never queued has no kase.
func (k *Keeper) read(tx *db.Tx, ids []string) (map[string]*kase, error) {
	r := reading{tx: tx, in: db.In(1, len(ids)), args: make([]any, len(ids)), cases: make(map[string]*kase, len(ids))}
	for i, id := range ids {
		r.args[i] = id
	}
	for _, step := range []func() error{r.reviews, r.verdicts, r.decisions, r.edits, r.ratings, r.borderline, r.rulings, r.checks} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("stats: read cases: %w", err)
		}
	}
	return r.cases, nil
}

func (r *reading) each(query string, scan func(rows db.Row) error) error {
	return db.Each(r.tx, "stats: read cases", scan, query, r.args...)
}

func (r *reading) reviews() error {
	return r.each(`SELECT id, agent_name, task, planted, created_at, CASE state WHEN 'decided' THEN decided_at ELSE 0 END FROM review WHERE id IN (`+r.in+`)`, func(rows db.Row) error {
		c := &kase{}
		if err := rows.Scan(&c.id, &c.agent, &c.task, &c.planted, &c.queued, &c.decided); err != nil {
			return err
		}
		r.cases[c.id] = c
		return nil
	})
}

// verdicts: the newest label, and when the first verdict came. All verdicts of an interaction are on its draft.
func (r *reading) verdicts() error {
	return r.each(`SELECT interaction_id, label, at FROM verdict WHERE interaction_id IN (`+r.in+`) ORDER BY interaction_id, at, id`, func(rows db.Row) error {
		var id, label string
		var at int64
		if err := rows.Scan(&id, &label, &at); err != nil {
			return err
		}
		if c := r.cases[id]; c != nil {
			if c.label = label; c.labelAt == 0 {
				c.labelAt = at
			}
		}
		return nil
	})
}

func (r *reading) decisions() error {
	return r.each(`SELECT id, review_id, kind, state, by_id, reason_code, seconds, hasty, decided_at, settled_at, policy_version, needs_second, second_by, second_at,
			second_seconds, second_hasty FROM decision WHERE review_id IN (`+r.in+`) ORDER BY review_id, decided_at, id`, func(rows db.Row) error {
		var caseID string
		var d decision
		if err := rows.Scan(&d.id, &caseID, &d.kind, &d.state, &d.by, &d.code, &d.seconds, &d.hasty, &d.at, &d.settled, &d.policy, &d.needsSecond, &d.second, &d.secondAt,
			&d.secondSeconds, &d.secondHasty); err != nil {
			return err
		}
		if c := r.cases[caseID]; c != nil {
			c.decisions = append(c.decisions, d)
		}
		return nil
	})
}

// decision finds a decision of the batch.
func (r *reading) decision(caseID, id string) *decision {
	c := r.cases[caseID]
	if c == nil {
		return nil
	}
	if i := slices.IndexFunc(c.decisions, func(d decision) bool { return d.id == id }); i >= 0 {
		return &c.decisions[i]
	}
	return nil
}

func (r *reading) edits() error {
	err := r.each(`SELECT d.review_id, d.id, e.changed, e.words FROM decision d JOIN stat_edit e ON e.decision_id = d.id WHERE d.review_id IN (`+r.in+`)`, func(rows db.Row) error {
		var caseID, id string
		var changed, words int64
		if err := rows.Scan(&caseID, &id, &changed, &words); err != nil {
			return err
		}
		if d := r.decision(caseID, id); d != nil {
			d.changed, d.words = changed, words
		}
		return nil
	})
	if err != nil {
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
			err := db.One(r.tx, "tally: read an edit", `SELECT i.guidance, d.text, d.erased_at > 0 OR i.erased_at > 0 FROM decision d JOIN interaction i ON i.id = d.review_id WHERE d.id = $1`, d.id).Scan(&draft, &text, &erased)
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
			if _, err := r.tx.Exec(`INSERT INTO stat_edit (decision_id, changed, words) VALUES ($1, $2, $3)`, d.id, changed, words); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *reading) ratings() error {
	return r.each(`SELECT d.review_id, d.id, b.rating, b.rated_at FROM decision d JOIN borderline_rating b ON b.decision_id = d.id
		WHERE d.review_id IN (`+r.in+`) AND b.state = 'rated'`, func(rows db.Row) error {
		var caseID, id string
		var rating, at int64
		if err := rows.Scan(&caseID, &id, &rating, &at); err != nil {
			return err
		}
		if d := r.decision(caseID, id); d != nil {
			d.rating, d.ratedAt = rating, at
		}
		return nil
	})
}

// AskedSQL is the condition of a borderline case c that experts were asked about: neither held back from them, nor settled by a
// supervisor before one had answered.
const AskedSQL = `c.held = 0 AND (c.state <> 'overtaken' OR c.answered > 0)`

func (r *reading) borderline() error {
	return r.each(`SELECT interaction_id, cause, created_at FROM borderline_case c WHERE interaction_id IN (`+r.in+`) AND `+AskedSQL+` ORDER BY created_at, id`, func(rows db.Row) error {
		var id string
		var o opened
		if err := rows.Scan(&id, &o.cause, &o.at); err != nil {
			return err
		}
		if c := r.cases[id]; c != nil {
			c.opened = append(c.opened, o)
		}
		return nil
	})
}

func (r *reading) rulings() error {
	return r.each(`SELECT r.interaction_id, r.label, r.at, c.verdict FROM borderline_ruling r JOIN borderline_case c ON c.id = r.case_id
		WHERE r.interaction_id IN (`+r.in+`) AND r.undone_at = 0 ORDER BY r.at, r.id`, func(rows db.Row) error {
		var id, verdict string
		var one ruling
		if err := rows.Scan(&id, &one.label, &one.at, &verdict); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(verdict), &one.verdict); err != nil {
			return fmt.Errorf("the verdict of a borderline case about %s: %w", id, err)
		}
		if c := r.cases[id]; c != nil {
			c.rulings = append(c.rulings, one)
		}
		return nil
	})
}

// checks reads the closed planted checks of the batch. There are few, so each is looked up by itself.
func (r *reading) checks() error {
	for _, c := range r.cases {
		if !c.planted {
			continue
		}
		var id string
		var one check
		found, err := db.One(r.tx, "tally: read a planted check", `SELECT id, state = 'caught', closed_at FROM planted_check WHERE interaction_id = $1 AND closed_at > 0`, c.id).Find(&id, &one.caught, &one.at)
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
	return db.Rows(r.tx, "tally: signed", func(p *checked) []any { return []any{&p.by, &p.caught, &p.at} },
		`SELECT person_id, outcome = 'caught', at FROM planted_result WHERE check_id = $1 ORDER BY person_id`, checkID)
}
