package review

import (
	"cmp"
	"context"
	"slices"
	"time"

	"preceptor/internal/platform/db"
)

// From when on people disagree with a check often enough to look at it: lookOverruled of every lookOf decided drafts in
// which it found something, and lookOf of them at least. The newest lookBack count.
const (
	lookOverruled = 3
	lookOf        = 10
	lookBack      = 100
)

// Disagreement is how often people overruled a check.
type Disagreement struct {
	Found     int        // of the newest decided drafts, those in which it found something
	Overruled int        // of these, those that went out against it
	List      []Overrule // the newest first
}

// Overrule is one case in which a check was overruled.
type Overrule struct {
	CaseID, Opening, Reason string
	By, Second              Person
	At                      time.Time
}

// Look reports whether the check should be looked at.
func (d Disagreement) Look() bool {
	return d.Found >= lookOf && d.Overruled*lookOf >= lookOverruled*d.Found
}

// OverruledCodes are those that were ever overruled.
func (q *Queue) OverruledCodes(ctx context.Context) ([]string, error) {
	return db.Read(ctx, q.db, func(tx *db.Tx) ([]string, error) {
		return db.Column[string](tx, "review: list overruled checks", `SELECT DISTINCT code FROM overruling
			ORDER BY code`)
	})
}

// Disagreement is that with one code, over what was decided since. A decision counts once its text or its case has
// left: until then it can be taken back. What was undone or recalled doesn't count, nor do planted checks and what
// nobody read.
func (q *Queue) Disagreement(ctx context.Context, code string, since time.Time) (Disagreement, error) {
	return db.Read(ctx, q.db, func(tx *db.Tx) (Disagreement, error) { return disagreement(tx, code, db.Ms(since)) })
}

func disagreement(tx *db.Tx, code string, since int64) (d Disagreement, err error) {
	at := map[string]int64{} // when a case was decided
	if err := db.Each(tx, "review: what "+code+" was found in", db.Pairs(at), `SELECT r.id, r.decided_at
		FROM review r JOIN decision d ON d.id = r.decision_id
		WHERE r.state = 'decided' AND r.decided_at >= $1 AND r.planted = 0 AND d.kind <> 'sampled'
			AND d.state IN ('released', 'escalated', 'returned')
		AND EXISTS (SELECT 1 FROM review_flag f WHERE f.review_id = r.id AND f.code = $2 AND f.stops = 1)
		ORDER BY r.decided_at DESC, r.id DESC LIMIT $3`, since, code, lookBack); err != nil {
		return d, err
	}
	list, err := db.List(tx, "review: where "+code+" was overruled", func(row db.Row) (o Overrule, err error) {
		var ms int64
		err = row.Scan(&o.CaseID, &o.Opening, &o.Reason, &o.By.ID, &o.By.Name, &o.Second.ID, &o.Second.Name, &ms)
		o.At = db.Time(ms)
		at[o.CaseID] = ms // a revised text can have a finding that the draft had not
		return o, err
	}, `SELECT d.review_id, r.opening, o.reason, d.by_id, d.by_name, d.second_by, d.second_name, r.decided_at
		FROM overruling o JOIN decision d ON d.id = o.decision_id JOIN review r ON r.decision_id = d.id
		WHERE o.code = $1 AND d.state = 'released' AND r.planted = 0 AND r.decided_at >= $2
			ORDER BY r.decided_at DESC, d.id DESC LIMIT $3`, code, since, lookBack)
	if err != nil {
		return d, err
	}
	newest := make([]string, 0, len(at))
	for id := range at {
		newest = append(newest, id)
	}
	slices.SortFunc(newest, func(a, b string) int { return cmp.Or(cmp.Compare(at[b], at[a]), cmp.Compare(b, a)) })
	newest = newest[:min(len(newest), lookBack)]
	d.Found = len(newest)
	for _, o := range list {
		if slices.Contains(newest, o.CaseID) {
			d.List = append(d.List, o)
		}
	}
	d.Overruled = len(d.List)
	return d, nil
}
