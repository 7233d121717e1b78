package erase

import (
	"context"
	"maps"
	"slices"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

// Request asks for an erasure. The names of wrong fields are those of the form: subject, why.
type Request struct {
	How     string // interaction.ByReference, ByName or ByID
	Subject string // as it was typed
	Why     string
	By      audit.Actor
}

// begin puts the erasure on record, or finds the one that was cut short.
func (s *Service) begin(ctx context.Context, k keyring, m matches, sub interaction.Subject,
	req Request) (rec *Record, err error) {
	why, err := s.reason(req.Why, m, req.Subject)
	if err != nil {
		return nil, err
	}
	hash := k.hash(sub)
	err = s.d.Write(ctx, func(tx *db.Tx) error {
		holds, err := standing(tx, k, m.holdable(sub))
		if err != nil {
			return err
		}
		if len(holds) > 0 {
			return refused(holds[0])
		}
		rec, err = one(tx, ` WHERE subject_hash = $1 AND state = 'running'`, hash)
		if !fault.Is(err, fault.NotFound) {
			return err
		}
		if len(m.all) == 0 {
			return s.nothing(tx, hash)
		}
		rec = &Record{ID: id.New(), How: sub.How, Why: why, State: Running, By: req.By, StartedAt: tx.Now, hash: hash}
		if err := db.Exec(tx, "erase: begin", `INSERT INTO erasure (id, how, subject_hash, why, state, by_kind, by_id,
				by_name, started_at)
			VALUES ($1, $2, $3, $4, 'running', $5, $6, $7, $8)`,
			rec.ID, rec.How, hash, why, req.By.Kind, req.By.ID, req.By.Name, tx.NowMs()); err != nil {
			return err
		}
		return audit.Note(tx, req.By, "erasure.began", "erasure", rec.ID,
			map[string]any{"how": sub.How, "subject_hash": hash, "why": why})
	})
	return rec, err
}

// nothing says that there is nothing to erase, and when there was.
func (s *Service) nothing(tx *db.Tx, hash string) error {
	last, err := one(tx, ` WHERE subject_hash = $1 ORDER BY started_at DESC, id DESC LIMIT 1`, hash)
	if err == nil {
		return fault.New(fault.NotFound, "No data found for this customer. It was erased on %s.", day(last.StartedAt))
	}
	return fault.New(fault.NotFound,
		"No data found for this customer. Check the reference or name as the agent sent it, on the page of a review.")
}

// reason is why as it is kept: without the customer in it. A number that isn't theirs is the request's.
func (s *Service) reason(why string, m matches, typed string) (string, error) {
	why, err := text.Reason(why, "why", "Give a reason, such as the request number. It is kept permanently.")
	known := []string{strings.TrimSpace(typed)}
	for _, sub := range m.subjects() {
		if sub.How != interaction.ByID {
			known = append(known, sub.Value)
		}
	}
	safe, key := s.Privacy.Pseudonymise(why, known...)
	maps.DeleteFunc(key, func(token, words string) bool {
		return !strings.HasPrefix(token, "[NUMBER-") || slices.ContainsFunc(known, func(k string) bool {
			return strings.Contains(k, words) || strings.Contains(words, k)
		})
	})
	return key.Restore(safe), err
}
