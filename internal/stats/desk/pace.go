package desk

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"preceptor/internal/db"
	"preceptor/internal/estimate"
	"preceptor/internal/stats/tally"
)

// Pace is how long people take over cases, and the signs of approving without reading.
type Pace struct {
	From, To time.Time
	People   []PersonPace // by name
	Cut      bool         // there are more decisions than were looked at: the newest maxActs count
}

// PersonPace is one person's.
type PersonPace struct {
	ID, Name  string
	Decisions int // first signatures
	Seconds   int // second signatures
	Median    time.Duration
	WPM       int            // median words a minute over approvals and second signatures; 0 when there were none
	Hasty     estimate.Share // of approvals and second signatures: faster than the text can be read
	Approved  estimate.Share // unchanged, of first signatures
	Others    Others
	Streak    Streak
}

// Others is the same of everybody else.
type Others struct{ Hasty, Approved estimate.Share }

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
	name, kind string
	second     bool
	seconds    int
	characters int
	hasty      bool
}

// approves tells whether the signer let the text go as it was on the screen.
func (a act) approves() bool { return a.second || a.kind == "approve" }

// Pace reads the figures of the last days days, today included.
func (r *Reader) Pace(ctx context.Context, days int) (p Pace, err error) {
	var acts []act
	err = r.read(ctx, func(tx *db.Tx) error {
		p.From, p.To = r.since(tx.Now, days), tx.Now
		if acts, err = signatures(tx, p.From); err != nil {
			return fmt.Errorf("stats: pace: %w", err)
		}
		return nil
	})
	if err != nil {
		return p, err
	}
	if p.Cut = len(acts) > maxActs; p.Cut {
		acts = acts[:maxActs]
	}
	p.People = paces(acts)
	return p, nil
}

// signatures are all first and second signatures since from, newest first.
func signatures(tx *db.Tx, from time.Time) (acts []act, err error) {
	return db.Rows(tx, "stats: signatures", func(a *act) []any {
		return []any{&a.at, &a.id, &a.name, &a.kind, &a.second, &a.seconds, &a.characters, &a.hasty}
	}, `SELECT d.decided_at, d.by_id, d.by_name, d.kind, 0, d.seconds, d.characters, d.hasty
			FROM decision d JOIN review r ON r.id = d.review_id
			WHERE d.decided_at >= $1 AND `+counted+`
		UNION ALL SELECT d.second_at, d.second_by, d.second_name, d.kind, 1, d.second_seconds, d.characters, d.second_hasty
			FROM decision d JOIN review r ON r.id = d.review_id
			WHERE d.second_by <> '' AND d.decided_at >= $2 AND d.second_at >= $1 AND `+counted+`
		ORDER BY 1 DESC LIMIT $3`, db.Ms(from), db.Ms(from.AddDate(0, 0, -30)), maxActs+1)
}

// signer collects one person's signatures.
type signer struct {
	id, name                 string
	first, seconds, approved int
	approvals, hasty         int
	times                    tally.Hist // of first signatures, as on the page of review
	speeds                   []int64
	run                      int
	runSince                 int64
	longest                  Streak
}

func (t *signer) add(a act) {
	t.name = a.name // the newest comes last
	if a.second {
		t.seconds++
	} else {
		t.first++
		t.times[tally.Bucket(int64(a.seconds))]++
		if a.kind == "approve" {
			t.approved++
		}
	}
	if a.approves() {
		t.approvals++
		if a.hasty {
			t.hasty++
		}
		if a.characters > 0 {
			t.speeds = append(t.speeds, int64(a.characters)*60/int64(wordLength*max(a.seconds, 1)))
		}
	}
	t.streak(a)
}

func (t *signer) streak(a act) {
	if !a.approves() || time.Duration(a.seconds)*time.Second >= Quick {
		t.run = 0
		return
	}
	if t.run++; t.run == 1 {
		t.runSince = a.at
	}
	if t.run > t.longest.N {
		t.longest = Streak{t.run, db.Time(t.runSince)}
	}
}

// paces works out everybody's figures. acts come newest first.
func paces(acts []act) []PersonPace {
	people := map[string]*signer{}
	all := signer{times: tally.Hist{}}
	for _, a := range slices.Backward(acts) {
		t := people[a.id]
		if t == nil {
			t = &signer{id: a.id, times: tally.Hist{}}
			people[a.id] = t
		}
		t.add(a)
		all.add(a)
	}
	out := make([]PersonPace, 0, len(people))
	for _, t := range people {
		slices.Sort(t.speeds)
		out = append(out, PersonPace{
			ID: t.id, Name: t.name, Decisions: t.first, Seconds: t.seconds, Median: t.times.Length(0.5), WPM: int(estimate.Rank(t.speeds, 0.5)),
			Hasty: estimate.Of(t.hasty, t.approvals), Approved: estimate.Of(t.approved, t.first), Streak: t.longest,
			Others: Others{Hasty: estimate.Of(all.hasty-t.hasty, all.approvals-t.approvals), Approved: estimate.Of(all.approved-t.approved, all.first-t.first)},
		})
	}
	slices.SortFunc(out, func(a, b PersonPace) int {
		if c := strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
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
			if err := row.Scan(&h.CaseID, &h.DecisionID, &h.Person, &h.Task, db.At(&h.At), &h.Second, &seconds, &characters); err != nil {
				return h, err
			}
			h.Took, h.Words = time.Duration(seconds)*time.Second, characters/wordLength
			h.WPM = h.Words * 60 / max(seconds, 1)
			return h, nil
		}, `SELECT d.review_id, d.id, d.by_name, r.task, d.decided_at, 0, d.seconds, d.characters
				FROM decision d JOIN review r ON r.id = d.review_id
				WHERE d.decided_at >= $1 AND d.hasty = 1 AND d.kind = 'approve' AND `+counted+` AND ($2 = '' OR d.by_id = $2)
			UNION ALL SELECT d.review_id, d.id, d.second_name, r.task, d.second_at, 1, d.second_seconds, d.characters
				FROM decision d JOIN review r ON r.id = d.review_id
				WHERE d.decided_at >= $1 AND d.second_hasty = 1 AND `+counted+` AND ($2 = '' OR d.second_by = $2)
			ORDER BY 5 DESC LIMIT $3`, db.Ms(from), personID, maxHasty)
		return err
	})
	return list, err
}
