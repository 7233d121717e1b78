package stats

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/platform/db"
	"preceptor/internal/stats/counter"
)

// parts is what measures come to over the range of f in each set of a column.
type parts map[string]map[string]sums

func (p parts) add(name, measure string, v sums) {
	if v == (sums{}) {
		return
	}
	if p[name] == nil {
		p[name] = map[string]sums{}
	}
	p[name][measure] = p[name][measure].plus(v)
}

// of puts what an agent did under its several names together.
func (p parts) of(c called) parts {
	out := parts{}
	for set, measures := range p {
		for m, v := range measures {
			out.add(counter.One(c.of(counter.Name(set))), m, v)
		}
	}
	return out
}

// split reads parts for some names of a column: the blocks that lie in the range whole are summed up by the engine, of
// the two at its ends the days in it are taken.
func (s scope) split(tx *db.Tx, f Filter, by dimension, names []string, measures ...string) (parts, error) {
	out := parts{}
	first, last := f.first(), f.last()
	from, to, ends := blocks(first, last)
	for _, some := range db.Batches(names) {
		cols := map[dimension][]string{byWho: s.who, byAgent: s.agents, byTopic: {s.topic}}
		cols[by] = some
		a, n := args(measures, cols[byWho], cols[byAgent], cols[byTopic]),
			[4]int{len(measures), len(cols[byWho]), len(cols[byAgent]), len(cols[byTopic])}
		if from < to {
			if err := each(tx, splitSQL(by, n), append(slices.Clone(a), from, to-1), func(rows db.Row) error {
				var name, measure string
				var v sums
				err := rows.Scan(&name, &measure, &v.n, &v.sum, &v.sq)
				out.add(name, measure, v)
				return err
			}); err != nil {
				return nil, err
			}
		}
		if ends[0] == ends[1] && ends[0] >= from && ends[0] < to {
			continue // the range is whole blocks
		}
		if err := each(tx, endsSQL(by, n), append(slices.Clone(a), ends[0], ends[1]), func(rows db.Row) error {
			var name, measure string
			var block int
			var packed sql.RawBytes
			if err := rows.Scan(&name, &measure, &block, &packed); err != nil {
				return err
			}
			return inBlock(block, packed, first, last, func(_ int, v sums) { out.add(name, measure, v) })
		}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// blocks are those that lie between two days whole, from one to another that is not in it, and the two at the ends that
// do not, which may be the same. Where there is no such block at an end, the other end's stands for both; where there
// is none at all both are one of the whole ones.
func blocks(first, last int) (from, to int, ends [2]int) {
	from, to = counter.Block(first+counter.BlockDays-1), counter.Block(last+1)
	ends = [2]int{counter.Block(first), counter.Block(last)}
	whole := func(block int) bool { return block >= from && block < to }
	switch {
	case whole(ends[0]):
		ends[0] = ends[1]
	case whole(ends[1]):
		ends[1] = ends[0]
	}
	return from, to, ends
}

// splitSQL sums up whole blocks; n is how many measures, people, agents and topics.
func splitSQL(by dimension, n [4]int) string {
	where, at := splitWhere(n)
	return fmt.Sprintf(`SELECT %s, measure, sum(n), sum(sum), sum(sq) FROM stat_block
		WHERE %s AND block BETWEEN $%d AND $%d GROUP BY 1, 2`, by, where, at, at+1)
}

// endsSQL reads the blocks at the ends.
func endsSQL(by dimension, n [4]int) string {
	where, at := splitWhere(n)
	return fmt.Sprintf(`SELECT %s, measure, block, days FROM stat_block
		WHERE %s AND block IN ($%d, $%d)`, by, where, at, at+1)
}

// splitWhere names the sets; at is the next placeholder.
func splitWhere(n [4]int) (where string, at int) {
	at = 1
	var terms []string
	for i, column := range []string{"measure", "who", "agent", "topic"} {
		terms = append(terms, column+` IN (`+db.In(at, n[i])+`)`)
		at += n[i]
	}
	return strings.Join(terms, " AND "), at
}
