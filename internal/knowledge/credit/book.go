package credit

import (
	"context"
	"maps"

	"preceptor/internal/platform/db"
)

// openBook is what is known of some items, with one statement however many there are.
func openBook(tx *db.Tx, ids []string) (map[string]Estimate, error) {
	b := make(map[string]Estimate, len(ids))
	for _, itemID := range ids {
		b[itemID] = estimate(nil, nil)
	}
	if len(ids) == 0 {
		return b, nil
	}
	cells, ticks := map[string][]cell{}, map[string][]asked{}
	by := map[string][]string{} // who gave the ticks
	args := db.Anys(ids)
	if err := db.Each(tx, "credit: read the evidence", func(row db.Row) error {
		var itemID, what, who string
		var c cell
		var decided, passed int // of the agent
		if err := row.Scan(&itemID, &what, &who, &c.shown, &c.approved, &c.others, &c.decided, &c.passed, &decided,
			&passed); err != nil {
			return err
		}
		if what == askedOf {
			ticks[itemID], by[itemID] = append(ticks[itemID], asked{times: c.shown, ticked: c.approved}),
				append(by[itemID], who)
			return nil
		}
		c.typical = float64(passed+1) / float64(decided+2)
		cells[itemID] = append(cells[itemID], c)
		return nil
	}, `SELECT i.item_id, i.what, i.agent_id, i.n, i.hits, i.others, coalesce(t.n, 0), coalesce(t.hits, 0),
			(SELECT coalesce(sum(a.n), 0) FROM credit_sum a
				WHERE a.item_id = '' AND a.what = i.what AND a.agent_id = i.agent_id),
			(SELECT coalesce(sum(a.hits), 0) FROM credit_sum a
				WHERE a.item_id = '' AND a.what = i.what AND a.agent_id = i.agent_id)
		FROM credit_sum i LEFT JOIN credit_sum t
			ON t.item_id = '' AND t.what = i.what AND t.agent_id = i.agent_id AND t.task = i.task
		WHERE i.item_id IN (`+db.In(1, len(ids))+`) AND i.n > 0
		ORDER BY i.item_id, i.what, i.agent_id, i.task`, args...); err != nil {
		return nil, err
	}
	if len(ticks) > 0 {
		people, all, err := measure(tx)
		if err != nil {
			return nil, err
		}
		for itemID, list := range ticks {
			for i := range list {
				list[i].quality = qualityOf(people[by[itemID][i]], all)
			}
		}
	}
	for itemID := range b {
		b[itemID] = estimate(cells[itemID], ticks[itemID])
	}
	return b, nil
}

// measure reads what planted checks found of everybody.
func measure(tx *db.Tx) (people map[string]counter, all counter, err error) {
	people = map[string]counter{}
	err = db.Each(tx, "credit: measure", func(row db.Row) error {
		var by, check string
		var ticked, n int
		if err := row.Scan(&by, &check, &ticked, &n); err != nil {
			return err
		}
		t := people[by]
		if check == checkName(true) {
			t.hits, t.misleading = ticked, n
			all.hits, all.misleading = all.hits+ticked, all.misleading+n
		} else {
			t.falses, t.harmless = ticked, n
			all.falses, all.harmless = all.falses+ticked, all.harmless+n
		}
		people[by] = t
		return nil
	}, `SELECT agent_id, item_id, hits, n FROM credit_sum WHERE item_id IN ($1, $2) AND what = 'asked'`,
		checkName(true), checkName(false))
	return people, all, err
}

// Standing is what is known of an item.
func (l *Ledger) Standing(ctx context.Context, itemID string) (Estimate, error) {
	return db.Read(ctx, l.d, func(tx *db.Tx) (Estimate, error) { return l.StandingTx(tx, itemID) })
}

// StandingTx is Standing inside a transaction.
func (l *Ledger) StandingTx(tx *db.Tx, itemID string) (Estimate, error) {
	b, err := openBook(tx, []string{itemID})
	return b[itemID], err
}

// Effects is what is known from real decisions of some items, for lists. An item that no decided draft was shown has
// Shown 0.
func (l *Ledger) Effects(ctx context.Context, ids []string) (map[string]Estimate, error) {
	out := make(map[string]Estimate, len(ids))
	err := l.d.Read(ctx, func(tx *db.Tx) error {
		for _, batch := range db.Batches(ids) {
			b, err := openBook(tx, batch)
			if err != nil {
				return err
			}
			maps.Copy(out, b)
		}
		return nil
	})
	return out, err
}
