package credit

import (
	"context"
	"fmt"

	"preceptor/internal/platform/db"
)

// book holds what the estimates of one transaction need, read with a few statements however many items there are.
type book struct {
	tx      *db.Tx
	items   map[string]*item
	typical map[string]float64 // approval rate by agent
	all     tally
	people  map[string]tally
}

// item is what is known of one item in its present epoch.
type item struct {
	epoch int
	cells []cell
	ticks []asked
}

func (it *item) estimate() Estimate { return estimate(it.cells, it.ticks) }

// openBook reads the evidence about some items.
func openBook(tx *db.Tx, ids []string) (*book, error) {
	b := &book{tx: tx, items: make(map[string]*item, len(ids)), typical: map[string]float64{}}
	for _, itemID := range ids {
		b.items[itemID] = &item{}
	}
	if len(ids) == 0 {
		return b, nil
	}
	for _, read := range []func([]string) error{b.epochs, b.cells, b.ticks} {
		if err := read(ids); err != nil {
			return nil, fmt.Errorf("credit: read the evidence: %w", err)
		}
	}
	return b, nil
}

// each runs a query whose last arguments are ids.
func (b *book) each(query string, ids []string, scan func(rows db.Row) error, args ...any) error {
	args = append(args, db.Anys(ids)...)
	return db.Each(b.tx, "credit: each", scan, query, args...)
}

func (b *book) epochs(ids []string) error {
	return b.each(`SELECT item_id, max(epoch) FROM credit_epoch
		WHERE item_id IN (`+db.In(1, len(ids))+`) GROUP BY item_id`, ids, func(rows db.Row) error {
		var itemID string
		var epoch int
		err := rows.Scan(&itemID, &epoch)
		if err == nil {
			b.items[itemID].epoch = epoch
		}
		return err
	})
}

func (b *book) cells(ids []string) error {
	type found struct {
		it    *item
		agent string
		cell  cell
	}
	var list []found
	err := b.each(`SELECT i.item_id, i.epoch, i.agent_id, i.shown, i.approved, i.others, t.decided, t.approved
		FROM credit_item i JOIN credit_task t ON t.evidence = i.evidence AND t.agent_id = i.agent_id AND t.task = i.task
		WHERE i.evidence = $1 AND i.item_id IN (`+db.In(2, len(ids))+
		`) AND i.shown > 0 ORDER BY i.item_id, i.agent_id, i.task`, ids, func(rows db.Row) error {
		var f found
		var itemID string
		var epoch int
		if err := rows.Scan(&itemID, &epoch, &f.agent, &f.cell.shown, &f.cell.approved, &f.cell.others, &f.cell.decided,
			&f.cell.passed); err != nil {
			return err
		}
		if f.it = b.items[itemID]; f.it.epoch == epoch {
			list = append(list, f)
		}
		return nil
	}, evidence)
	if err != nil {
		return err
	}
	for _, f := range list {
		if f.cell.typical, err = b.rate(f.agent); err != nil {
			return err
		}
		f.it.cells = append(f.it.cells, f.cell)
	}
	return nil
}

// rate is how often an agent's drafts go out unchanged, over all tasks.
func (b *book) rate(agentID string) (float64, error) {
	if r, ok := b.typical[agentID]; ok {
		return r, nil
	}
	var decided, approved int
	if err := db.One(b.tx, "credit: what is typical", `SELECT coalesce(sum(decided), 0), coalesce(sum(approved), 0)
		FROM credit_task WHERE evidence = $1 AND agent_id = $2`,
		evidence, agentID).Scan(&decided, &approved); err != nil {
		return 0, err
	}
	r := float64(approved+1) / float64(decided+2)
	b.typical[agentID] = r
	return r, nil
}

// ticks are counted by who gave them.
func (b *book) ticks(ids []string) error {
	type found struct {
		it  *item
		by  string
		one asked
	}
	var list []found
	err := b.each(`SELECT item_id, epoch, by_id, asked, ticked FROM credit_asked
		WHERE item_id IN (`+db.In(1, len(ids))+`) AND asked > 0 ORDER BY item_id, epoch, by_id`, ids,
		func(rows db.Row) error {
			var f found
			var itemID string
			var epoch int
			if err := rows.Scan(&itemID, &epoch, &f.by, &f.one.times, &f.one.ticked); err != nil {
				return err
			}
			if f.it = b.items[itemID]; f.it.epoch == epoch {
				list = append(list, f)
			}
			return nil
		})
	if err != nil || len(list) == 0 {
		return err
	}
	if err := b.measure(); err != nil {
		return err
	}
	for _, f := range list {
		f.one.quality = qualityOf(b.people[f.by], b.all)
		f.it.ticks = append(f.it.ticks, f.one)
	}
	return nil
}

// measure reads what planted checks found of everybody.
func (b *book) measure() error {
	b.people = map[string]tally{}
	return db.Each(b.tx, "credit: measure", func(row db.Row) error {
		var by string
		var misleads bool
		var ticked, n int
		if err := row.Scan(&by, &misleads, &ticked, &n); err != nil {
			return err
		}
		t := b.people[by]
		if misleads {
			t.hits, t.misleading = ticked, n
			b.all.hits, b.all.misleading = b.all.hits+ticked, b.all.misleading+n
		} else {
			t.falses, t.harmless = ticked, n
			b.all.falses, b.all.harmless = b.all.falses+ticked, b.all.harmless+n
		}
		b.people[by] = t
		return nil
	}, `SELECT by_id, misleads, ticked, asked FROM credit_checked ORDER BY by_id, misleads`)
}

// Standing is what is known of an item.
func (l *Ledger) Standing(ctx context.Context, itemID string) (Estimate, error) {
	return db.Read(ctx, l.d, func(tx *db.Tx) (Estimate, error) { return l.StandingTx(tx, itemID) })
}

// StandingTx is Standing inside a transaction.
func (l *Ledger) StandingTx(tx *db.Tx, itemID string) (e Estimate, err error) {
	b, err := openBook(tx, []string{itemID})
	if err != nil {
		return e, err
	}
	return b.items[itemID].estimate(), nil
}
