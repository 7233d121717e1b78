package stats

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/estimate"
	"preceptor/internal/stats/counter"
)

var personal = slices.Concat(standing, []string{counter.Hasty, counter.Second, counter.MyChecks})

// Mine reads one person's own row of the page of the desk. Every account may see its own. What others do is in its
// signals alone.
func (r *Reader) Mine(ctx context.Context, f Filter, personID string) (row PersonRow, err error) {
	f = r.zoned(f)
	f.Team = ""
	err = r.read(ctx, func(tx *db.Tx) error {
		s, err := scopeOf(tx, f, true)
		if err != nil {
			return err
		}
		var p ReviewPage
		onCase, err := p.times(tx, s, f)
		if err != nil {
			return err
		}
		all, err := people(tx, s, f, onCase)
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(all, func(p PersonRow) bool { return p.ID == personID }); i >= 0 {
			row = all[i]
			return nil
		}
		row = personRow(personID, nil, nil, nil)
		return db.One(tx, "stats: name a person", `SELECT coalesce((SELECT name FROM account
				WHERE id = $1), '')`, personID).Scan(&row.Name)
	})
	return row, err
}

// people are everybody's rows, by name.
func people(tx *db.Tx, s scope, f Filter, onCase map[string][]float64) (out []PersonRow, err error) {
	names := s.who
	if f.Team == "" {
		if names, err = s.names(tx, byWho, counter.OnCase, counter.Second, counter.MyChecks); err != nil {
			return nil, err
		}
	}
	found, err := s.split(tx, f, byWho, names, personal...)
	if err != nil {
		return nil, err
	}
	times, err := s.personTimes(tx, f, names)
	if err != nil {
		return nil, err
	}
	called := map[string]string{}
	for _, some := range db.Batches(names) {
		if err := db.Each(tx, "stats: name people", db.Pairs(called),
			`SELECT id, name FROM account WHERE id IN (`+db.In(1, len(some))+`)`, db.Anys(some)...); err != nil {
			return nil, err
		}
	}
	total := map[string]sums{}
	for _, m := range found {
		for measure, v := range m {
			total[measure] = total[measure].plus(v)
		}
	}
	for id, m := range found {
		row := personRow(id, m, onCase[id], times[id])
		row.Name = called[id]
		out = append(out, row)
	}
	out = signalled(out, found, total)
	slices.SortFunc(out, func(a, b PersonRow) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.ID, b.ID))
	})
	return out, nil
}

func personRow(id string, m map[string]sums, onCase []float64, times counter.Hist) PersonRow {
	a, n := approved(m)
	return PersonRow{ID: id, Decisions: counting("decisions", n),
		Seconds: counting(counter.Second, int(m[counter.Second].n)), Approved: a,
		OnCase: quantile(counter.OnCase, onCase, times, 0.5), Hasty: m[counter.Hasty].share(counter.Hasty),
		Caught: m[counter.MyChecks].share("planted")}
}

// signalled sets each person against everybody else.
func signalled(list []PersonRow, found map[string]map[string]sums, all map[string]sums) []PersonRow {
	var signs []Signal
	var ps []float64
	for _, p := range list {
		mine, others := found[p.ID], map[string]sums{}
		for _, m := range personal {
			others[m] = all[m].minus(mine[m])
		}
		unchanged, _ := approved(mine)
		unchangedOthers, _ := approved(others)
		for _, s := range []struct {
			Signal
			low bool // it is a sign when it is lower
		}{
			{Signal{"hasty", mine[counter.Hasty].share(counter.Hasty), others[counter.Hasty].share(counter.Hasty)},
				false},
			{Signal{"unchanged", unchanged, unchangedOthers}, false},
			{Signal{"misses", mine[counter.MyChecks].share("planted"), others[counter.MyChecks].share("planted")},
				true},
		} {
			differ := estimate.Differ(s.Mine.Part, s.Mine.N, s.Others.Part, s.Others.N)
			if s.low == (s.Mine.Value > s.Others.Value) {
				differ = 1
			}
			signs, ps = append(signs, s.Signal), append(ps, differ)
		}
	}
	for i, sure := range estimate.Holm(ps) {
		if one := &list[i/3]; sure {
			one.Signals = append(one.Signals, signs[i])
		}
	}
	return list
}

// personTimes are the histograms of the time on a case, by person.
func (s scope) personTimes(tx *db.Tx, f Filter, names []string) (map[string]counter.Hist, error) {
	out := map[string]counter.Hist{}
	for _, some := range db.Batches(names) {
		for _, run := range runs(counter.OnCase, f.first(), f.last()) {
			if err := each(tx, histSQL(len(some), len(s.agents)), s.histArgs(run, some), func(rows db.Row) error {
				var who string
				var buckets sql.RawBytes
				if err := rows.Scan(&who, &buckets); err != nil {
					return err
				}
				if out[who] == nil {
					out[who] = counter.Hist{}
				}
				return out[who].Add(buckets)
			}); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
