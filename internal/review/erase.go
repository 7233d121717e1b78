package review

import (
	"encoding/json"
	"errors"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/search"
)

// Erased says what an erasure found of a case.
type Erased struct {
	Decisions int      // texts, reasons and feedback of decisions, undone ones included
	Drafts    int      // what people typed and had not sent
	Skips     int      // reasons of skips
	Words     int      // 1 when the case could be found by its words
	IDs       []string // of the decisions, for whoever made something of them
}

// EraseTx takes every text of a case away, which the law may demand: decisions' texts, reasons and feedback, what
// people typed and had not sent, who was asking, and the words that the case was found by. Who decided what and when
// stays, and so do the codes of flags. A case that waits leaves the queue without a decision; a first signature on it
// is undone. Conflict while a decision is held. It comes before interaction's EraseTx, which closes what was waiting.
func (q *Queue) EraseTx(tx *db.Tx, id string) (n Erased, err error) {
	r, err := getRow(tx, id)
	if fault.Is(err, fault.NotFound) {
		return n, nil // it never came to the desk
	}
	if err != nil {
		return n, err
	}
	if r.State == "waiting" {
		if err := q.leaveTx(tx, r, "", "", "the texts of the case were erased"); err != nil {
			return n, err
		}
	}
	if n, err = eraseDecisions(tx, id); err != nil {
		return n, err
	}
	flags, err := bareFlags(r.Assessment.Flags)
	if err != nil {
		return n, err
	}
	if err := db.Exec(tx, "review: erase "+id, `UPDATE review SET why = '', who = '', thread = '', refers = '', opening = $1,
		flags = $2, text_hash = '', facts = '[]', because = '[]', left_out = '[]', ended_why = ''
		WHERE id = $3`, audit.ErasedText(tx.Now), flags, id); err != nil {
		return n, err
	}
	if n.Drafts, err = changed(tx, `DELETE FROM review_draft WHERE review_id = $1`, id); err != nil {
		return n, err
	}
	if err := db.Exec(tx, "review: erase "+id, `DELETE FROM review_field WHERE review_id = $1`, id); err != nil {
		return n, err
	}
	if n.Skips, err = changed(tx, `UPDATE review_skip SET reason = $1
		WHERE review_id = $2 AND reason <> '' AND reason <> $1`, audit.ErasedText(tx.Now), id); err != nil {
		return n, err
	}
	if err := forgetTx(tx, id, &n); err != nil {
		return n, err
	}
	tx.Touch("reviews")
	found, err := search.HasCaseTx(tx, id)
	if found {
		n.Words = 1
	}
	if err != nil {
		return n, err
	}
	return n, search.DropCaseTx(tx, id)
}

// leaveTx takes a waiting case out of the queue: nothing is left to decide on. A first signature is undone for the
// reason undone.
func (q *Queue) leaveTx(tx *db.Tx, r Row, ended, why, undone string) error {
	if err := changeOne(tx, "review: take "+r.ID+" out of the queue",
		`UPDATE review SET state = 'decided', version = version + 1, decision_id = '', decided_at = $1, decided_by = '',
			claimed_by = '', claimed_name = '',
			claimed_until = 0, base_id = '', first_by = '', first_name = '', assigned_to = '', assigned_name = '',
				reserved_until = 0, ended = $2, ended_why = $3 WHERE id = $4 AND state = 'waiting'`, tx.NowMs(), ended,
		why, r.ID); err != nil {
		return err
	}
	if r.First.ID != "" {
		base, err := getDecision(tx, r.BaseID)
		if err != nil {
			return err
		}
		if base.State == Pending {
			if err := q.settle(tx, base, Undone, system, undone); err != nil {
				return err
			}
		}
	}
	return count(tx, -1, 0) // it is no decided one
}

// eraseDecisions empties what people wrote with each decision on a case.
func eraseDecisions(tx *db.Tx, id string) (n Erased, err error) {
	list, err := db.List(tx, "review: erase the decisions of "+id, func(row db.Row) (d Decision, err error) {
		var flags string
		if err := row.Scan(&d.ID, &d.State, &d.Text, &d.Reason, &d.Feedback, &d.SettledWhy, &flags); err != nil {
			return d, err
		}
		return d, json.Unmarshal([]byte(flags), &d.Flags)
	}, `SELECT id, state, text, reason, feedback, settled_why, flags FROM decision
		WHERE review_id = $1 AND erased_at = 0 ORDER BY id`, id)
	if err != nil {
		return n, err
	}
	for _, d := range list {
		if d.State == Held {
			return n, fault.New(fault.Conflict,
				"A decision on guidance %s is held and will be sent in a moment. Try again in a minute, or undo the "+
					"decision first.", id)
		}
		flags, err := bareFlags(d.Flags)
		if err != nil {
			return n, err
		}
		mark := func(text string) string {
			if text != "" {
				n.Decisions++
			}
			return audit.ErasedIn(text, tx.Now)
		}
		if err := db.Exec(tx, "review: erase decision "+d.ID, `UPDATE decision SET text = $1, reason = $2,
			feedback = $3, settled_why = $4, flags = $5, final_hash = '', text_hash = '', taught = '', actions = '',
			erased_at = $6
			WHERE id = $7`,
			mark(d.Text), mark(d.Reason), mark(d.Feedback), mark(d.SettledWhy), flags, tx.NowMs(), d.ID); err != nil {
			return n, err
		}
		overruled, err := changed(tx, `UPDATE overruling SET reason = $1, text_hash = ''
			WHERE decision_id = $2`, audit.ErasedText(tx.Now), d.ID)
		if err != nil {
			return n, err
		}
		n.Decisions += overruled
		n.IDs = append(n.IDs, d.ID)
	}
	return n, nil
}

// forgetTx takes the question of a case out of what others' decisions state, where it was picked as an example, and
// forgets what drafts state with it.
func forgetTx(tx *db.Tx, id string, n *Erased) error {
	about := db.Containing(`"of":"` + id)
	drafts, err := changed(tx, `UPDATE review_draft SET stated = '' WHERE lower(stated) LIKE $1 ESCAPE '\'`,
		about)
	if err != nil {
		return err
	}
	n.Drafts += drafts
	list, err := db.List(tx, "review: find examples", scanDecision, `SELECT `+decisionColumns+`
		WHERE d.taught <> '' AND lower(d.taught) LIKE $1 ESCAPE '\'`, about)
	for _, d := range list {
		for i := range d.Statements {
			d.Statements[i] = d.Statements[i].Without(id)
		}
		n.Decisions++
		err = errors.Join(err, db.Exec(tx, "review: erase an example", `UPDATE decision SET taught = $1 WHERE id = $2`,
			d.taught(), d.ID))
	}
	return err
}

// bareFlags are flags without the words that they quote, or that a judge said about them.
func bareFlags(flags []Flag) (string, error) {
	out := lists.Map(flags, func(f Flag) Flag {
		return Flag{Code: f.Code, Severity: f.Severity, Reference: f.Reference, Stops: f.Stops}
	})
	b, err := json.Marshal(out)
	return string(b), err
}

// changed runs a statement and counts its rows.
func changed(tx *db.Tx, query string, args ...any) (int, error) {
	return db.Change(tx, "review: erase", query, args...)
}
