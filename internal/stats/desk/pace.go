package desk

import (
	"context"
	"math"
	"slices"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/estimate"
)

// Pace is what the sums of the statistics don't say of people, by account.
type Pace struct {
	People map[string]PersonPace
	Cut    bool // there are more decisions than were looked at: the newest maxActs count
}

// PersonPace is one person's.
type PersonPace struct {
	WPM    int // median words a minute over approvals and second signatures; 0 when there were none
	Streak Streak
}

// Streak is the longest run of approvals, one after another, each within Quick.
type Streak struct {
	N     int
	Since time.Time
}

// Quick is under how long an approval counts towards a streak.
const Quick = 15 * time.Second

// MinStreak is from how many on a streak is worth a look.
const MinStreak = 5

// maxActs bounds how many signatures are looked at: the newest.
const maxActs = 50_000

// wordLength is how many characters, blanks included, a word is counted as.
const wordLength = 6

// act is one signature.
type act struct {
	at         int64
	id         string // of the person
	approves   bool   // let the text go as it was on the screen
	seconds    int
	characters int
}

// Pace reads the figures of the last days days, today included.
func (r *Reader) Pace(ctx context.Context, days int) (p Pace, err error) {
	var acts []act
	err = r.read(ctx, func(tx *db.Tx) error {
		from := r.since(tx.Now, days)
		acts, err = db.Rows(tx, "stats: signatures", func(a *act) []any {
			return []any{&a.at, &a.id, &a.approves, &a.seconds, &a.characters}
		},
			`SELECT d.decided_at, d.by_id, d.kind = 'approve', d.seconds, d.characters
				FROM decision d JOIN review r ON r.id = d.review_id
				WHERE d.decided_at >= $1 AND `+cared+`
			UNION ALL SELECT d.second_at, d.second_by, 1 = 1, d.second_seconds, d.characters
				FROM decision d JOIN review r ON r.id = d.review_id
				WHERE d.second_by <> '' AND d.decided_at >= $2 AND d.second_at >= $1 AND `+cared+`
			ORDER BY 1 DESC, 2, 3, 4, 5 LIMIT $3`, db.Ms(from), db.Ms(from.AddDate(0, 0, -30)), maxActs+1)
		return err
	})
	if p.Cut = len(acts) > maxActs; p.Cut {
		acts = acts[:maxActs]
	}
	p.People = paces(acts)
	return p, err
}

// paces works out everybody's figures. acts come newest first.
func paces(acts []act) map[string]PersonPace {
	out, speeds, runs := map[string]PersonPace{}, map[string][]int64{}, map[string]Streak{}
	for _, a := range slices.Backward(acts) {
		if a.approves && a.characters > 0 {
			speeds[a.id] = append(speeds[a.id], int64(a.characters)*60/int64(wordLength*max(a.seconds, 1)))
		}
		run := runs[a.id]
		if run.N++; run.N == 1 {
			run.Since = db.Time(a.at)
		}
		if !a.approves || time.Duration(a.seconds)*time.Second >= Quick {
			run = Streak{}
		}
		one := out[a.id]
		if runs[a.id] = run; run.N > one.Streak.N {
			one.Streak = run
		}
		out[a.id] = one
	}
	for id, one := range out {
		slices.Sort(speeds[id])
		one.WPM = int(math.Round(estimate.Quantile(speeds[id], 0.5)))
		out[id] = one
	}
	return out
}

// Hasty is one approval that was faster than its text can be read.
type Hasty struct {
	CaseID, DecisionID string
	Person             string
	Task               string
	At                 time.Time
	Second             bool
	Took               time.Duration
	Words              int
	WPM                int
}

// maxHasty bounds the list.
const maxHasty = 100

// HastyOnes lists the newest of the last days days, of one person or (personID "") of everybody.
func (r *Reader) HastyOnes(ctx context.Context, personID string, days int) (list []Hasty, err error) {
	err = r.read(ctx, func(tx *db.Tx) (err error) {
		from := r.since(tx.Now, days)
		list, err = db.List(tx, "stats: hasty decisions", func(row db.Row) (h Hasty, err error) {
			var seconds, characters int
			if err := row.Scan(&h.CaseID, &h.DecisionID, &h.Person, &h.Task, db.At(&h.At), &h.Second, &seconds,
				&characters); err != nil {
				return h, err
			}
			h.Took, h.Words = time.Duration(seconds)*time.Second, characters/wordLength
			h.WPM = h.Words * 60 / max(seconds, 1)
			return h, nil
		}, `SELECT d.review_id, d.id, d.by_name, r.task, d.decided_at, 0, d.seconds, d.characters
				FROM decision d JOIN review r ON r.id = d.review_id
				WHERE d.decided_at >= $1 AND d.hasty = 1 AND d.kind = 'approve' AND `+cared+
			` AND ($2 = '' OR d.by_id = $2)
			UNION ALL SELECT d.review_id, d.id, d.second_name, r.task, d.second_at, 1, d.second_seconds, d.characters
				FROM decision d JOIN review r ON r.id = d.review_id
				WHERE d.second_at >= $1 AND d.second_by <> '' AND d.second_hasty = 1 AND `+cared+
			` AND ($2 = '' OR d.second_by = $2)
			ORDER BY 5 DESC, 2 DESC, 6 LIMIT $3`, db.Ms(from), personID, maxHasty)
		return err
	})
	return list, err
}
