package stats

import (
	"database/sql"
	"fmt"
	"slices"

	"preceptor/internal/platform/db"
	"preceptor/internal/stats/counter"
)

// sums is what a measure comes to.
type sums struct{ n, sum, sq int64 }

func (s sums) plus(o sums) sums  { return sums{s.n + o.n, s.sum + o.sum, s.sq + o.sq} }
func (s sums) minus(o sums) sums { return sums{s.n - o.n, s.sum - o.sum, s.sq - o.sq} }

// share is the figure of sum, of n.
func (s sums) share(key string) Figure { return ShareOf(key, int(s.sum), int(s.n)) }

// mean is the figure of sum / n, where one is stored as unit.
func (s sums) mean(key string, u Unit, unit float64) Figure {
	return MeanOf(key, u, int(s.n), float64(s.sum)/unit, float64(s.sq)/(unit*unit))
}

// scope is the set of rows that a filter reads.
type scope struct {
	who, agents []string
	topic       string
	first, last int
	called      called
}

// nothing names no set.
const nothing = "!"

// scopeOf is the scope of a filter, from the first day of the period before where that is wanted.
func scopeOf(tx *db.Tx, f Filter, team bool) (scope, error) {
	s, err := everything(tx)
	s.first, s.last = f.first(), f.last()
	if !f.Plain {
		s.first = f.Before().first()
	}
	if f.Agent != "" && err == nil {
		err = s.only(tx, f.Agent)
	}
	if err != nil {
		return s, err
	}
	topic, ok := f.subject()
	switch {
	case !ok:
		s.topic = nothing
	case topic != "":
		s.topic = counter.One(topicOf(topic))
	}
	if f.Team == "" || !team {
		return s, nil
	}
	s.who, err = members(tx, f.Team)
	return s, err
}

// everything is the scope that leaves nothing out but days.
func everything(tx *db.Tx) (scope, error) {
	c, err := readCalled(tx)
	return scope{who: []string{counter.All}, agents: []string{counter.All}, topic: counter.All, called: c}, err
}

// members are the people of a team today; of an empty one nobody.
func members(tx *db.Tx, team string) (ids []string, err error) {
	ids, err = db.Column[string](tx, "stats: list a team", `SELECT account_id FROM team_member
		WHERE team_id = $1 ORDER BY account_id`, team)
	if len(ids) == 0 {
		ids = []string{nothing}
	}
	return ids, err
}

// each runs a query and hands on its rows.
func each(tx *db.Tx, query string, args []any, scan func(rows db.Row) error) error {
	return db.Each(tx, "stats", scan, query, args...)
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

// spread reads a measure's histograms of the range and of the period before, which is nil where nothing is compared.
func (s scope) spread(tx *db.Tx, measure string, f Filter) (now, before counter.Hist, err error) {
	if now, err = s.hist(tx, measure, f.first(), s.last); err != nil || s.first >= f.first() {
		return now, nil, err
	}
	before, err = s.hist(tx, measure, s.first, f.first()-1)
	return now, before, err
}

// hist reads a measure's histogram from one day to another, both in it.
func (s scope) hist(tx *db.Tx, measure string, first, last int) (counter.Hist, error) {
	out := counter.Hist{}
	for _, run := range runs(measure, first, last) {
		if err := each(tx, histSQL(len(s.who), len(s.agents)), s.histArgs(run, s.who), func(rows db.Row) error {
			var who string
			var buckets sql.RawBytes
			if err := rows.Scan(&who, &buckets); err != nil {
				return err
			}
			return out.Add(buckets)
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
	const d = counter.BlockDays
	from, to := counter.Block(first+d-1), counter.Block(last+1) // blocks that are in it whole; to is not in it
	if from >= to {
		return []run{{measure, first, last}}
	}
	if first < from*d {
		out = append(out, run{measure, first, from*d - 1})
	}
	out = append(out, run{counter.Blocks(measure), from, to - 1})
	if to*d <= last {
		out = append(out, run{measure, to * d, last})
	}
	return out
}

func histSQL(who, agents int) string {
	at := 1 + who + agents
	return fmt.Sprintf(`SELECT who, buckets FROM stat_hist WHERE measure = $1 AND who IN (`+db.In(2, who)+`)
		AND agent IN (`+db.In(2+who, agents)+`) AND topic = $%d AND day BETWEEN $%d AND $%d`, at+1, at+2, at+3)
}

func (s scope) histArgs(r run, who []string) []any {
	return append(append([]any{r.measure}, args(who, s.agents)...), s.topic, r.first, r.last)
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
		return fmt.Sprintf(`SELECT min(`+string(by)+`) FROM stat_block WHERE `+where, after)
	}
	return `WITH RECURSIVE s (x) AS (` + next(`''`) + ` UNION ALL SELECT (` + next(`s.x`) +
		`) FROM s WHERE s.x IS NOT NULL) SELECT x FROM s WHERE x IS NOT NULL`
}

// names are the sets of a column that any of some measures has; of agents and topics without those of all.
func (s scope) names(tx *db.Tx, by dimension, measures ...string) ([]string, error) {
	var out []string
	for _, m := range measures {
		lists := map[dimension][][]any{byWho: {{m}}}
		for _, who := range s.who {
			lists[byAgent] = append(lists[byAgent], []any{m, who})
			for _, agent := range s.agents {
				lists[byTopic] = append(lists[byTopic], []any{m, who, agent})
			}
		}
		for _, a := range lists[by] {
			some, err := db.Column[string](tx, "stats: list sets", namesSQL(by), a...)
			if err != nil {
				return nil, err
			}
			out = append(out, some...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
