package stats

import (
	"cmp"
	"database/sql"
	"fmt"
	"slices"
	"sort"

	"preceptor/internal/platform/db"
	"preceptor/internal/stats/counter"
)

// sheet is what measures come to day by day.
type sheet map[string]line

// line are the days on which there is something, in their order.
type line []upTo

// upTo is what a day and all those before it that were read come to.
type upTo struct {
	day int
	sums
}

// until is what the days up to one, and that one, come to.
func (l line) until(day int) sums {
	if i := sort.Search(len(l), func(i int) bool { return l[i].day > day }); i > 0 {
		return l[i-1].sums
	}
	return sums{}
}

// addUp makes a line of days in any order, each of which may be there more than once.
func (l line) addUp() line {
	slices.SortFunc(l, func(a, b upTo) int { return cmp.Compare(a.day, b.day) })
	for i := 1; i < len(l); i++ {
		l[i].sums = l[i].plus(l[i-1].sums)
	}
	return l
}

// over is what some measures come to together over a range.
func (s sheet) over(r Range, measures ...string) (out sums) {
	first, last := r.first(), r.last()
	for _, m := range measures {
		out = out.plus(s[m].until(last)).minus(s[m].until(first - 1))
	}
	return out
}

// count, part, mean and rate make the figure of a range: how many there were of some measures, the share of a measure's
// n that its sum counts, the mean of some measures where one is stored as unit, and satisfaction.
func (s sheet) count(key string, measures ...string) func(r Range) Figure {
	return func(r Range) Figure { return counting(key, int(s.over(r, measures...).n)) }
}

func (s sheet) part(key, measure string) func(r Range) Figure {
	return func(r Range) Figure { return s.over(r, measure).share(key) }
}

func (s sheet) mean(key string, u Unit, unit float64, measures ...string) func(r Range) Figure {
	return func(r Range) Figure { return s.over(r, measures...).mean(key, u, unit) }
}

func (s sheet) rate(r Range) Figure {
	c := s.votes(r)
	return ShareOf("satisfaction", c.Part, c.Whole)
}

// until is what some measures come to together on all days that were read up to one, and on that one.
func (s sheet) until(day int, measures ...string) (out sums) {
	for _, m := range measures {
		out = out.plus(s[m].until(day))
	}
	return out
}

// read reads measures day by day.
func (s scope) read(tx *db.Tx, measures ...string) (sheet, error) {
	out := make(sheet, len(measures))
	err := s.days(tx, measures, func(measure string, day int, v sums) {
		out[measure] = append(out[measure], upTo{day, v})
	})
	for _, l := range out {
		l.addUp()
	}
	return out, err
}

// days hands visit every day of measures on which there is something; those of several people each by themselves.
func (s scope) days(tx *db.Tx, measures []string, visit func(measure string, day int, v sums)) error {
	a := append(args(measures, s.who, s.agents), s.topic, counter.Block(s.first), counter.Block(s.last))
	return each(tx, daysSQL(len(measures), len(s.who), len(s.agents)), a, func(rows db.Row) error {
		var measure string
		var block int
		var packed sql.RawBytes
		if err := rows.Scan(&measure, &block, &packed); err != nil {
			return err
		}
		return inBlock(block, packed, s.first, s.last, func(day int, v sums) { visit(measure, day, v) })
	})
}

// inBlock hands visit the days of a stored block that lie between two days, both in it.
func inBlock(block int, packed []byte, first, last int, visit func(day int, v sums)) error {
	return counter.Unpack(packed, func(place int, n, sum, sq int64) {
		if day := block*counter.BlockDays + place; first <= day && day <= last {
			visit(day, sums{n, sum, sq})
		}
	})
}

func daysSQL(measures, who, agents int) string {
	at := measures + who + agents
	return fmt.Sprintf(`SELECT measure, block, days FROM stat_block
		WHERE measure IN (`+db.In(1, measures)+`) AND who IN (`+db.In(measures+1, who)+`)
		AND agent IN (`+db.In(measures+who+1, agents)+`) AND topic = $%d AND block BETWEEN $%d AND $%d`, at+1, at+2,
		at+3)
}
