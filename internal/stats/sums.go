package stats

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/db"
	"preceptor/internal/stats/tally"
)

// sums is what a measure comes to.
type sums struct{ n, sum, sq int64 }

func (s sums) plus(o sums) sums { return sums{s.n + o.n, s.sum + o.sum, s.sq + o.sq} }

// share is the figure of sum, of n.
func (s sums) share(key string) Figure { return share(key, int(s.sum), int(s.n)) }

// mean is the figure of sum / n, where one is stored as unit.
func (s sums) mean(key string, u Unit, unit float64) Figure {
	return mean(key, u, int(s.n), float64(s.sum)/unit, float64(s.sq)/(unit*unit))
}

// sheet is what measures come to on each day of a range and of the one before it.
type sheet map[string]map[int]sums

// over is what some measures come to together over a range.
func (s sheet) over(r Range, measures ...string) (out sums) {
	first, last := r.first(), r.last()
	for _, m := range measures {
		if len(s[m]) < last-first {
			for day, v := range s[m] {
				if day >= first && day <= last {
					out = out.plus(v)
				}
			}
			continue
		}
		for day := first; day <= last; day++ {
			out = out.plus(s[m][day])
		}
	}
	return out
}

// scope is the set of rows that a filter reads.
type scope struct {
	who          []string
	agent, topic string
	first, last  int
}

// nothing names no set.
const nothing = "!"

// scopeOf is the scope of a filter, from the first day of the period before where that is wanted.
func scopeOf(tx *db.Tx, f Filter, team bool) (scope, error) {
	s := scope{who: []string{tally.All}, agent: tally.All, topic: tally.All, first: f.first(), last: f.last()}
	if !f.Plain {
		s.first = f.Before().first()
	}
	if f.Agent != "" {
		s.agent = tally.One(f.Agent)
	}
	topic, ok := f.subject()
	switch {
	case !ok:
		s.topic = nothing
	case topic != "":
		s.topic = tally.One(topicOf(topic))
	}
	if f.Team == "" || !team {
		return s, nil
	}
	var err error
	s.who, err = members(tx, f.Team)
	return s, err
}

// members are the people of a team today; of an empty one nobody.
func members(tx *db.Tx, team string) (ids []string, err error) {
	err = each(tx, `SELECT account_id FROM team_member WHERE team_id = $1 ORDER BY account_id`, []any{team}, func(rows *sql.Rows) error {
		var id string
		if err := rows.Scan(&id); err != nil {
			return err
		}
		ids = append(ids, id)
		return nil
	})
	if len(ids) == 0 {
		ids = []string{nothing}
	}
	return ids, err
}

// each runs a query and hands on its rows.
func each(tx *db.Tx, query string, args []any, scan func(rows *sql.Rows) error) error {
	rows, err := tx.Query(query, args...)
	if err != nil {
		return fmt.Errorf("stats: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return fmt.Errorf("stats: %w", err)
		}
	}
	return rows.Err()
}

// args lists lists of names as the arguments of a statement.
func args(lists ...[]string) (out []any) {
	for _, list := range lists {
		for _, v := range list {
			out = append(out, v)
		}
	}
	return out
}

// read reads measures day by day.
func (s scope) read(tx *db.Tx, measures ...string) (sheet, error) {
	out := make(sheet, len(measures))
	for _, m := range measures {
		out[m] = map[int]sums{}
	}
	return out, each(tx, daysSQL(len(measures), len(s.who)), append(args(measures, s.who), s.agent, s.topic, s.first, s.last), func(rows *sql.Rows) error {
		var measure string
		var day int
		var v sums
		if err := rows.Scan(&measure, &day, &v.n, &v.sum, &v.sq); err != nil {
			return err
		}
		out[measure][day] = out[measure][day].plus(v)
		return nil
	})
}

func daysSQL(measures, who int) string {
	at := measures + who
	return fmt.Sprintf(`SELECT measure, day, n, sum, sq FROM stat_day WHERE measure IN (`+db.In(1, measures)+`) AND who IN (`+db.In(measures+1, who)+`)
		AND agent = $%d AND topic = $%d AND day BETWEEN $%d AND $%d`, at+1, at+2, at+3, at+4)
}

// hist is a histogram: of each bucket how many.
type hist map[int]int64

// spread reads a measure's histograms of the range and of the period before, which is nil where nothing is compared.
func (s scope) spread(tx *db.Tx, measure string, f Filter) (now, before hist, err error) {
	if now, err = s.hist(tx, measure, f.first(), s.last); err != nil || s.first >= f.first() {
		return now, nil, err
	}
	before, err = s.hist(tx, measure, s.first, f.first()-1)
	return now, before, err
}

// hist reads a measure's histogram from one day to another, both in it.
func (s scope) hist(tx *db.Tx, measure string, first, last int) (hist, error) {
	out := hist{}
	for _, run := range runs(measure, first, last) {
		if err := each(tx, histSQL(len(s.who)), append(append([]any{run.measure}, args(s.who)...), s.agent, s.topic, run.first, run.last), func(rows *sql.Rows) error {
			var bucket int
			var n int64
			if err := rows.Scan(&bucket, &n); err != nil {
				return err
			}
			out[bucket] += n
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// run is a stretch of rows of histograms.
type run struct {
	measure     string
	first, last int
}

// runs covers days, from first to last, with whole blocks and what is over at both ends.
func runs(measure string, first, last int) (out []run) {
	const d = tally.BlockDays
	from, to := (first+d-1)/d, (last+1)/d // blocks that are in it whole; to is not in it
	if from >= to {
		return []run{{measure, first, last}}
	}
	if first < from*d {
		out = append(out, run{measure, first, from*d - 1})
	}
	out = append(out, run{tally.Blocks(measure), from, to - 1})
	if to*d <= last {
		out = append(out, run{measure, to * d, last})
	}
	return out
}

// histSQL sums in the engine: there are more rows than days.
func histSQL(who int) string {
	at := 1 + who
	return fmt.Sprintf(`SELECT bucket, sum(n) FROM stat_hist WHERE measure = $1 AND who IN (`+db.In(2, who)+`)
		AND agent = $%d AND topic = $%d AND day BETWEEN $%d AND $%d GROUP BY 1`, at+1, at+2, at+3, at+4)
}

// quantile is the middle of the bucket of seconds with the smallest value that at least a share q does not exceed.
func (h hist) quantile(key string, q float64) Figure {
	var n int64
	buckets := make([]int, 0, len(h))
	for b, k := range h {
		buckets = append(buckets, b)
		n += k
	}
	slices.Sort(buckets)
	seen := int64(0)
	for _, b := range buckets {
		if seen += h[b]; float64(seen) >= q*float64(n) {
			return measured(key, Seconds, tally.Middle(b), int(n))
		}
	}
	return measured(key, Seconds, 0, 0)
}

// dimension is a column whose sets can be walked.
type dimension string

const (
	byAgent dimension = "agent"
	byTopic dimension = "topic"
	byWho   dimension = "who"
)

// namesSQL walks the sets of one column that a measure has, a step along the index for each: it looks at no other row.
func namesSQL(by dimension) string {
	where := map[dimension]string{
		byWho:   `measure = $1 AND who > %s`,
		byAgent: `measure = $1 AND who = $2 AND agent > %s`,
		byTopic: `measure = $1 AND who = $2 AND agent = $3 AND topic > %s`,
	}[by]
	next := func(after string) string {
		return fmt.Sprintf(`SELECT min(`+string(by)+`) FROM stat_day WHERE `+where, after)
	}
	return `WITH RECURSIVE s (x) AS (` + next(`''`) + ` UNION ALL SELECT (` + next(`s.x`) + `) FROM s WHERE s.x IS NOT NULL) SELECT x FROM s WHERE x IS NOT NULL`
}

// names are the sets of a column that any of some measures has; of agents and topics without those of all.
func (s scope) names(tx *db.Tx, by dimension, measures ...string) ([]string, error) {
	var out []string
	for _, m := range measures {
		for _, who := range s.who {
			a := map[dimension][]any{byWho: {m}, byAgent: {m, who}, byTopic: {m, who, s.agent}}[by]
			if err := each(tx, namesSQL(by), a, func(rows *sql.Rows) error {
				var name string
				if err := rows.Scan(&name); err != nil {
					return err
				}
				out = append(out, name)
				return nil
			}); err != nil {
				return nil, err
			}
			if by == byWho {
				break
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// parts is what measures come to over the range of f in each set of a column.
type parts map[string]map[string]sums

// split reads parts for some names of a column.
func (s scope) split(tx *db.Tx, f Filter, by dimension, names []string, measures ...string) (parts, error) {
	out := parts{}
	for _, some := range db.Batches(names) {
		cols := map[dimension][]string{byWho: s.who, byAgent: {s.agent}, byTopic: {s.topic}}
		cols[by] = some
		query := splitSQL(by, len(measures), len(cols[byWho]), len(cols[byAgent]), len(cols[byTopic]))
		if err := each(tx, query, append(args(measures, cols[byWho], cols[byAgent], cols[byTopic]), f.first(), f.last()), func(rows *sql.Rows) error {
			var name, measure string
			var v sums
			if err := rows.Scan(&name, &measure, &v.n, &v.sum, &v.sq); err != nil {
				return err
			}
			if out[name] == nil {
				out[name] = map[string]sums{}
			}
			out[name][measure] = v
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func splitSQL(by dimension, measures, who, agents, topics int) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, `SELECT %s, measure, sum(n), sum(sum), sum(sq) FROM stat_day WHERE`, by)
	at := 1
	for i, c := range []struct {
		column string
		n      int
	}{{"measure", measures}, {"who", who}, {"agent", agents}, {"topic", topics}} {
		if i > 0 {
			b.WriteString(" AND")
		}
		fmt.Fprintf(b, ` %s IN (%s)`, c.column, db.In(at, c.n))
		at += c.n
	}
	fmt.Fprintf(b, ` AND day BETWEEN $%d AND $%d GROUP BY 1, 2`, at, at+1)
	return b.String()
}
