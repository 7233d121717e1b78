package knowledge

import (
	"context"
	"fmt"
	"strings"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/search"
)

// reviewAfter is by when a rule that comes into use is to be looked at again, if nobody said otherwise. Compliance
// rules too: what the FCA asks for changes on dates.
func reviewAfter(now time.Time) time.Time { return now.UTC().Truncate(24*time.Hour).AddDate(1, 0, 0) }

// rolledTx tells of the rules that a rollback of the whole base changed: of each when they are few.
func (b *Base) rolledTx(tx *db.Tx, r *Rollback) error {
	if r.Changed > atOnce {
		return b.opts.OnMany(tx)
	}
	for _, it := range r.Items {
		if it.LeftOut() || it.Kind != search.KindRule {
			continue
		}
		now, err := b.RuleTx(tx, it.ID)
		if err != nil {
			return err
		}
		now.By.Name = r.By.Name // who follows up says it
		if err := b.opts.OnRule(tx, *now); err != nil {
			return err
		}
	}
	return nil
}

// LivingTx lists the rules in use and those that wait for a person, by number.
func (b *Base) LivingTx(tx *db.Tx) ([]Rule, error) {
	return queryRules(tx, ` AND c.status IN ('active', 'candidate') ORDER BY c.number`)
}

// CandidateIDsTx lists the ids of up to n rules that wait for a person, by number.
func (b *Base) CandidateIDsTx(tx *db.Tx, n int) ([]string, error) {
	return db.Column[string](tx, "knowledge: list candidates", `SELECT id FROM knowledge_rule
		WHERE status = 'candidate' ORDER BY number LIMIT $1`, n)
}

// Due lists up to n rules in use whose review-by date lies before until, most overdue first.
func (b *Base) Due(ctx context.Context, until time.Time, n int) ([]Rule, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) ([]Rule, error) {
		return queryRules(tx, ` AND c.status = 'active' AND c.review_by > 0 AND c.review_by <= $1
			ORDER BY c.review_by, c.number LIMIT $2`, db.Ms(until), n)
	})
}

// CountDue counts the rules in use whose review-by date has come.
func (b *Base) CountDue(ctx context.Context) (n int, err error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) (int, error) {
		return db.Value[int](tx, "knowledge: count what is due",
			`SELECT count(*) FROM knowledge_rule
				WHERE review_by > 0 AND review_by <= $1 AND status = 'active'`, tx.NowMs())
	})
}

// CountQuarantined counts the rules that wait for a person to look at them.
func (b *Base) CountQuarantined(ctx context.Context) (n int, err error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) (int, error) {
		return db.Value[int](tx, "knowledge: count what is quarantined", `SELECT count(*) FROM knowledge_rule
			WHERE status = 'quarantined'`)
	})
}

// StillRight gives a rule in use its next review-by date, with a reason; day is as 2027-04-06, and a year from now when
// empty. version is the one that was on the screen. Only experts and administrators may.
func (b *Base) StillRight(ctx context.Context, ruleID, day, reason string, version int,
	by Person) (made Rule, err error) {
	if err := by.May("say that a rule is still right"); err != nil {
		return made, err
	}
	if reason = strings.TrimSpace(reason); reason == "" {
		return made, fault.Wrong("Say why it is still right.", "reason", "Say what you checked.")
	}
	next, err := ParseDay(day)
	if err != nil {
		return made, fault.Wrong("This is not a day.", "review_by", fault.Message(err))
	}
	err = b.db.Write(ctx, func(tx *db.Tx) error {
		r, err := b.RuleTx(tx, ruleID)
		if err != nil {
			return err
		}
		if err := r.seen(version); err != nil {
			return err
		}
		if r.Status != Active {
			return fault.New(fault.Conflict, "%s is not in use, so there is nothing to review.", r.Label())
		}
		if next.IsZero() {
			next = reviewAfter(tx.Now)
		}
		if !next.After(tx.Now) {
			return fault.Wrong("The next review has to be later than today.", "review_by", "Choose a later day.")
		}
		r.ReviewBy, r.By, r.Reason = next, by.Actor(), "Still right: "+reason
		made, err = b.EditRuleTx(tx, *r)
		return err
	})
	return made, err
}

// SetWorthTx keeps what credit makes of a case, from -1 to 1; recall reads it with the case. Unknown cases are passed
// over.
func (b *Base) SetWorthTx(tx *db.Tx, caseID string, worth float64) error {
	return db.Exec(tx, "knowledge: keep a case's worth", `UPDATE knowledge_case SET worth = $1
		WHERE id = $2`, min(1, max(-1, worth)), caseID)
}

// worths reads what credit makes of the candidates; those of which nothing is known are left out.
func (b *Base) worths(ctx context.Context, list []*candidate) (map[string]float64, error) {
	out := map[string]float64{}
	err := b.db.Read(ctx, func(tx *db.Tx) error {
		for _, batch := range db.Batches(list) {
			args := lists.Map(batch, func(c *candidate) any { return c.id })
			if err := db.Each(tx, "knowledge: read what cases are worth", func(row db.Row) error {
				var caseID string
				var worth float64
				err := row.Scan(&caseID, &worth)
				out[caseID] = worth
				return err
			}, `SELECT id, worth FROM knowledge_case
				WHERE worth <> 0 AND id IN (`+db.In(1, len(args))+`)`, args...); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// decay weighs a case by its value and its age, and says so when that takes much.
func (it *Item) decay(worth float64, age time.Duration) {
	w := caseWeight(worth, age)
	it.Score *= w
	switch {
	case w > 0.98:
	case worth < -0.05:
		it.Why = append(it.Why, fmt.Sprintf("counts × %.2f: drafts that used it are approved unedited less often", w))
	default:
		it.Why = append(it.Why, fmt.Sprintf("counts × %.2f: it is %d months old", w, int(age.Hours()/24/30)))
	}
}

// Doubtful lists up to n cases in use that are worth less than below, worst first.
func (b *Base) Doubtful(ctx context.Context, below float64, n int) ([]Case, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) ([]Case, error) {
		return casesTx(tx, `WHERE c.worth < 0 AND c.worth < $1 AND c.status = 'active'
			ORDER BY c.worth, c.number LIMIT $2`, below, n)
	})
}

// Twins are two cases in use in nearly the same words.
type Twins struct {
	Left, Right Case // Left has the lower number
	Similarity  float64
	Contradict  bool
}

// TwinsTx lists up to n pairs of near-duplicate cases in use, likest first.
func (b *Base) TwinsTx(tx *db.Tx, n int) (list []Twins, err error) {
	type link struct {
		a, b    string
		sim     float64
		against bool
	}
	links, err := db.Rows(tx, "knowledge: list twins",
		func(l *link) []any { return []any{&l.a, &l.b, &l.sim, &l.against} },
		`SELECT d.case_id, d.other_id, d.similarity, d.contradicts
			FROM knowledge_duplicate d JOIN knowledge_case a ON a.id = d.case_id
			JOIN knowledge_case b ON b.id = d.other_id
		WHERE a.status = 'active' AND b.status = 'active'
			ORDER BY d.contradicts DESC, d.similarity DESC, d.case_id, d.other_id LIMIT $1`, n)
	if err != nil {
		return nil, err
	}
	for _, l := range links {
		x, err := b.CaseTx(tx, l.a)
		if err != nil {
			return nil, err
		}
		y, err := b.CaseTx(tx, l.b)
		if err != nil {
			return nil, err
		}
		if y.Number < x.Number {
			x, y = y, x
		}
		list = append(list, Twins{*x, *y, l.sim, l.against})
	}
	return list, nil
}

// UnusedItem is a rule or case that no draft was shown for long.
type UnusedItem struct {
	Kind   string // search.KindRule or search.KindCase
	ID     string
	Last   time.Time // when it was shown last; zero: never
	Others int       // how many showings others of its domain or task had since
}

// UnusedTx lists up to n rules and n cases in use that are older than since and were shown to no draft since, while
// others of the same domain (rules) or task (cases) had at least others showings. Documents are left out: their source
// decides on them. It reads an index over what drafts were shown since, whole, so it is for a reader's transaction and
// for now and then.
func (b *Base) UnusedTx(tx *db.Tx, since time.Time, others, n int) (list []UnusedItem, err error) {
	for _, q := range []struct{ kind, query string }{
		{search.KindRule, `WITH shown AS (SELECT r.domain AS of, sum(i.times) AS times
				FROM (SELECT item_id, count(*) AS times FROM knowledge_usage WHERE kind = 'rule' AND created_at >= $1
					GROUP BY item_id) i
					JOIN knowledge_rule r ON r.id = i.item_id GROUP BY r.domain)
			SELECT c.id, shown.times, coalesce((SELECT max(u.created_at) FROM knowledge_usage u
				WHERE u.item_id = c.id), 0)
			FROM knowledge_rule c JOIN shown ON shown.of = c.domain
			WHERE c.status = 'active' AND c.updated_at < $2 AND shown.times >= $3
				AND NOT EXISTS (SELECT 1 FROM knowledge_usage u WHERE u.item_id = c.id AND u.created_at >= $4)
			ORDER BY c.number LIMIT $5`},
		{search.KindCase, `WITH shown AS (SELECT r.task AS of, sum(i.times) AS times
				FROM (SELECT item_id, count(*) AS times FROM knowledge_usage WHERE kind = 'case' AND created_at >= $1
					GROUP BY item_id) i
					JOIN knowledge_case r ON r.id = i.item_id GROUP BY r.task)
			SELECT c.id, shown.times, coalesce((SELECT max(u.created_at) FROM knowledge_usage u
				WHERE u.item_id = c.id), 0)
			FROM knowledge_case c JOIN shown ON shown.of = c.task
			WHERE c.status = 'active' AND c.source <> 'document' AND c.updated_at < $2 AND shown.times >= $3
				AND NOT EXISTS (SELECT 1 FROM knowledge_usage u WHERE u.item_id = c.id AND u.created_at >= $4)
			ORDER BY c.number LIMIT $5`},
	} {
		err := db.Each(tx, "knowledge: list what is unused", func(row db.Row) error {
			u := UnusedItem{Kind: q.kind}
			err := row.Scan(&u.ID, &u.Others, db.At(&u.Last))
			list = append(list, u)
			return err
		}, q.query, db.Ms(since), db.Ms(since), others, db.Ms(since), n)
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// LastShownTx is when a draft was last shown an item, zero for never, and whether the item is in use.
func (b *Base) LastShownTx(tx *db.Tx, kind, itemID string) (last time.Time, inUse bool, err error) {
	table := map[string]string{search.KindRule: "knowledge_rule", search.KindCase: "knowledge_case"}[kind]
	if table == "" {
		return last, false, fmt.Errorf("knowledge: no such kind of item %q", kind)
	}
	_, err = db.One(tx, "knowledge: read the last use", `SELECT CASE
		WHEN c.status = 'active' THEN 1 ELSE 0 END,
		coalesce((SELECT max(u.created_at) FROM knowledge_usage u WHERE u.item_id = c.id), 0)
		FROM `+table+` c WHERE c.id = $1`, itemID).Find(&inUse, db.At(&last))
	return last, inUse, err
}
