package counter

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
)

// entry is one thing that is counted once: in the sets of its agent and topic, and in those of all.
type entry struct {
	Measure string `json:"m"`
	Who     string `json:"w,omitempty"`
	Only    bool   `json:"o,omitempty"` // counted for Who alone
	Day     int    `json:"d"`
	Sum     int64  `json:"s,omitempty"`
	Squares bool   `json:"q,omitempty"` // the squares are kept
	Bucket  int    `json:"b,omitempty"` // of the histogram, raised by one; 0: none
}

// part is an entry of a measure whose sum counts those of n that are so.
func part(measure string, day int, is bool) entry {
	e := entry{Measure: measure, Day: day}
	if is {
		e.Sum = 1
	}
	return e
}

// by is the entry counted for a person, too.
func (e entry) by(who string) entry {
	e.Who = who
	return e
}

// spread is the entry counted in a histogram, too.
func (e entry) spread(bucket int) entry {
	e.Bucket = bucket + 1
	return e
}

// rowKey names a row: of stat_block with its block, of stat_hist with its day.
type rowKey struct {
	measure, who, agent, topic string
	at                         int
}

func (k rowKey) compare(o rowKey) int {
	return cmp.Or(strings.Compare(k.measure, o.measure), strings.Compare(k.who, o.who),
		strings.Compare(k.agent, o.agent),
		strings.Compare(k.topic, o.topic), cmp.Compare(k.at, o.at))
}

// pile is what is to be added to the rows of a table.
type pile map[rowKey]parts

func (p pile) add(k rowKey, part int, v sums) {
	row := p[k]
	if row == nil {
		row = parts{}
		p[k] = row
	}
	row.add(part, v)
}

// sheet collects what is to be added to the tables, so that a rebuild writes each row once for many raw ones.
type sheet struct{ blocks, hist pile }

func newSheet() *sheet { return &sheet{blocks: pile{}, hist: pile{}} }

// addAll counts entries of one agent and topic times times each.
func (s *sheet) addAll(agent, topic string, list []entry, times int64) {
	for _, e := range list {
		s.add(agent, topic, e, times)
	}
}

// add counts an entry times times: 1, or -1 to take it out.
func (s *sheet) add(agent, topic string, e entry, times int64) {
	v := sums{n: times, sum: times * e.Sum}
	if e.Squares {
		v.sq = times * e.Sum * e.Sum
	}
	block := Block(e.Day)
	for _, who := range []string{All, e.Who} {
		if who == All && e.Only {
			continue
		}
		for _, a := range []string{All, One(agent)} {
			for _, t := range []string{All, One(topic)} {
				s.blocks.add(rowKey{e.Measure, who, a, t, block}, e.Day-block*BlockDays, v)
				if e.Bucket > 0 {
					s.hist.add(rowKey{e.Measure, who, a, t, e.Day}, e.Bucket-1, sums{n: times})
					s.hist.add(rowKey{Blocks(e.Measure), who, a, t, block}, e.Bucket-1, sums{n: times})
				}
			}
		}
		if e.Who == All {
			break
		}
	}
}

// write adds the sheet to the tables.
func (s *sheet) write(tx *db.Tx) error {
	if err := blockTable.add(tx, s.blocks); err != nil {
		return fmt.Errorf("stats: keep the sums: %w", err)
	}
	if err := histTable.add(tx, s.hist); err != nil {
		return fmt.Errorf("stats: keep the histograms: %w", err)
	}
	return nil
}

// table is one of the two tables of packed rows.
type table struct {
	read   string // up to the keys
	insert string // up to the values
	update string // after them
	remove string
	row    func(p parts) []any // what a row says beside its key
}

var (
	blockTable = table{
		read: `SELECT measure, who, agent, topic, block, days FROM stat_block
			WHERE (measure, who, agent, topic, block) IN (VALUES `,
		insert: `INSERT INTO stat_block (measure, who, agent, topic, block, n, sum, sq, days) VALUES `,
		update: `
			ON CONFLICT (measure, who, agent, topic, block)
				DO UPDATE SET n = excluded.n, sum = excluded.sum, sq = excluded.sq, days = excluded.days`,
		remove: `DELETE FROM stat_block WHERE measure = $1 AND who = $2 AND agent = $3 AND topic = $4 AND block = $5`,
		row: func(p parts) []any {
			t := p.total()
			return []any{t.n, t.sum, t.sq, p.pack()}
		},
	}
	histTable = table{
		read: `SELECT measure, who, agent, topic, day, buckets FROM stat_hist
			WHERE (measure, who, agent, topic, day) IN (VALUES `,
		insert: `INSERT INTO stat_hist (measure, who, agent, topic, day, n, buckets) VALUES `,
		update: `
			ON CONFLICT (measure, who, agent, topic, day) DO UPDATE SET n = excluded.n, buckets = excluded.buckets`,
		remove: `DELETE FROM stat_hist WHERE measure = $1 AND who = $2 AND agent = $3 AND topic = $4 AND day = $5`,
		row:    func(p parts) []any { return []any{p.total().n, p.pack()} },
	}
)

// add adds a pile to the rows of the table: what is stored is read, and both together written. Rows that come to
// nothing go.
func (t table) add(tx *db.Tx, p pile) error {
	maps.DeleteFunc(p, func(_ rowKey, row parts) bool {
		row.tidy()
		return len(row) == 0
	})
	keys := slices.SortedFunc(maps.Keys(p), rowKey.compare) // neighbours are read and written together
	if err := inRows(keys, func(some []rowKey) error { return t.join(tx, p, some) }); err != nil {
		return err
	}
	keys = slices.DeleteFunc(keys, func(k rowKey) bool { return len(p[k]) == 0 })
	if err := writeRows(tx, t.insert, lists.Map(keys, func(k rowKey) []any {
		return append(k.args(), t.row(p[k])...)
	}), t.update); err != nil {
		return err
	}
	for k, row := range p {
		if len(row) == 0 {
			if _, err := tx.Exec(t.remove, k.args()...); err != nil {
				return err
			}
		}
	}
	return nil
}

// join adds what is stored of some rows to the pile.
func (t table) join(tx *db.Tx, p pile, some []rowKey) error {
	var args []any
	for _, k := range some {
		args = append(args, k.args()...)
	}
	return db.Each(tx, "stats: read sheets", func(from db.Row) error {
		var k rowKey
		var packed []byte
		if err := from.Scan(&k.measure, &k.who, &k.agent, &k.topic, &k.at, &packed); err != nil {
			return err
		}
		row := p[k]
		if err := Unpack(packed, func(part int, n, sum, sq int64) { row.add(part, sums{n, sum, sq}) }); err != nil {
			return err
		}
		row.tidy()
		return nil
	}, t.read+values(len(some), 5)+`)`, args...)
}

func (k rowKey) args() []any { return []any{k.measure, k.who, k.agent, k.topic, k.at} }

// perStatement is how many rows one statement reads or writes; what is left is done with fewer. Each is half the one
// before, so that up to 127 rows no text comes twice: a second one in a transaction is planned anew (db.Tx).
var perStatement = []int{64, 32, 16, 8, 4, 2, 1}

// inRows hands f the list in pieces of a few lengths, so that there are a few texts of statements.
func inRows[T any](list []T, f func(some []T) error) error {
	for _, n := range perStatement {
		for len(list) >= n {
			if err := f(list[:n]); err != nil {
				return err
			}
			list = list[n:]
		}
	}
	return nil
}

// writeRows runs a statement, of which some rows of values are the middle.
func writeRows(tx *db.Tx, before string, rows [][]any, after string) error {
	return inRows(rows, func(some [][]any) error {
		return db.Exec(tx, "stats: write rows", before+values(len(some), len(some[0]))+after, slices.Concat(some...)...)
	})
}

// values spells rows of placeholders: values(2, 2) is "($1,$2),($3,$4)".
func values(rows, columns int) string {
	var b strings.Builder
	for i := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("(" + db.In(i*columns+1, columns) + ")")
	}
	return b.String()
}

// QueueSQL sums two measures of whole blocks, from the first on.
func QueueSQL(agents int) string {
	return `SELECT coalesce(sum(CASE measure WHEN $1 THEN n ELSE 0 END), 0),
		coalesce(sum(CASE measure WHEN $2 THEN n ELSE 0 END), 0) FROM stat_block
	WHERE measure IN ($1, $2) AND who = '' AND topic = $3 AND block < $4 AND agent IN (` + db.In(5, agents) + `)`
}
