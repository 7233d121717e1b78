package review

import (
	"context"
	"encoding/json"
	"time"

	"preceptor/internal/platform/db"
)

// Settled is a decision as reports count it: without texts and reasons.
type Settled struct {
	ID, CaseID  string
	Agent, Task string
	Kind, State string
	By, Second  string // accounts; By is "" for what sampling let go
	NeedsSecond bool
	Codes       []string // of the flags on the draft that may not go out, once each
	At          time.Time
	SettledAt   time.Time
	SettledBy   string // account; "" where nobody took it back, or the desk did
}

// Lapsed reports whether the decision ended without anybody taking it back: its author could no longer decide, or the
// texts were erased.
func (s Settled) Lapsed() bool { return s.State == Undone && s.SettledBy == "" }

// Stands reports whether the decision counts: it has all its signatures and was not taken back, overruled or recalled.
func (s Settled) Stands() bool {
	return s.State != Pending && s.State != Undone && s.State != Overruled && s.State != Recalled
}

// walkStep is how many rows one transaction of a walk reads.
const walkStep = 1_000

// WalkDecided gives every decision of a period about guidance for customers, from and until before to, oldest first,
// whatever became of it. Planted checks are none. It reads in small transactions: for reports.
func (q *Queue) WalkDecided(ctx context.Context, from, to time.Time, give func(Settled)) error {
	at, after := db.Ms(from), ""
	for n := walkStep; n == walkStep; {
		err := q.db.Read(ctx, func(tx *db.Tx) error {
			n = 0
			return db.Each(tx, "review: walk decisions", func(row db.Row) error {
				var s Settled
				var flags string
				var planted bool
				if err := row.Scan(&s.ID, &s.CaseID, &s.Agent, &s.Task, &s.Kind, &s.State, &s.By, &s.Second,
					&s.NeedsSecond, &flags, &at, db.At(&s.SettledAt),
					&s.SettledBy, &planted); err != nil {
					return err
				}
				after, n = s.ID, n+1
				if planted {
					return nil
				}
				s.At, s.Codes = db.Time(at), stopping(flags)
				give(s)
				return nil
			}, `SELECT d.id, d.review_id,
				coalesce((SELECT name FROM agent WHERE id = r.agent_id), r.agent_name), r.task, d.kind, d.state, d.by_id, d.second_by, d.needs_second,
				d.flags, d.decided_at, d.settled_at, d.settled_by, r.planted
				FROM decision d JOIN review r ON r.id = d.review_id
				WHERE (d.decided_at, d.id) > ($1, $2) AND d.decided_at < $3 ORDER BY d.decided_at, d.id
					LIMIT $4`, at, after, db.Ms(to), walkStep)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// stopping are the codes of the flags that keep a text from going out, once each.
func stopping(flags string) (codes []string) {
	if flags == "[]" {
		return nil
	}
	var list []Flag
	if json.Unmarshal([]byte(flags), &list) != nil {
		return nil
	}
	seen := map[string]bool{}
	for _, f := range list {
		if (f.Stops || f.Severity == Critical) && !seen[f.Code] {
			seen[f.Code], codes = true, append(codes, f.Code)
		}
	}
	return codes
}
