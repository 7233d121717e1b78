package review

import (
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/db"
)

// query builds a statement whose placeholders come in ascending order.
//
// What an index is limited to (state = 'waiting', claimed_until > 0) is never compared with a bare placeholder: SQLite then
// looks at the value to learn whether the index serves, and plans the statement anew for each, prepared or not. States are
// spelt out, and a time is written as ?+0, which is no placeholder to it. A test counts.
type query struct {
	sql  strings.Builder
	args []any
}

func (b *query) add(sql string, args ...any) {
	for _, a := range args {
		b.args = append(b.args, a)
		sql = strings.Replace(sql, "?", "$"+strconv.Itoa(len(b.args)), 1)
	}
	b.sql.WriteString(sql)
}

// in adds "col IN (...)"; callers keep the list short.
func (b *query) in(col string, values []string) {
	b.add(col + ` IN (`)
	for i, v := range values {
		if i > 0 {
			b.add(`, `)
		}
		b.add(`?`, v)
	}
	b.add(`)`)
}

// cond is a part of a WHERE clause.
type cond struct {
	sql  string
	args []any
}

// arm is one walk along one index: the conditions that the index answers, and the rest, which is asked of each row.
type arm struct {
	group   Group
	flag    bool  // along review_flag instead of review
	lo, hi  place // only what lies between them; without ids: all
	index   []cond
	rest    []cond
	bounded bool // few rows, whatever the rest says: all are looked at
	cheap   int  // that many of rest let most rows pass: no look needs to be bounded for them
}

// walk is a list as places in order: the arms' rows, merged.
type walk struct {
	desc bool // decided: newest first
	arms []arm
}

func (w walk) compare(a, b place) int {
	if w.desc {
		return b.compare(a)
	}
	return a.compare(b)
}

// keys are the columns of an arm's order.
func (w walk) keys(a arm) []string {
	switch {
	case a.flag && w.desc:
		return []string{"f.at", "f.review_id"}
	case a.flag:
		return []string{"f.place", "f.at", "f.review_id"}
	case w.desc:
		return []string{"review.decided_at", "review.id"}
	}
	return []string{"review.priority", "review.created_at", "review.id"}
}

// part is what is asked of an arm: the rows behind from (all when its id is empty) and not behind until, in the list's
// order or, back, against it.
type part struct {
	from, until place
	back        bool
	all         bool // the rest of the conditions is not asked
	limit       int
	offset      int
}

// of is the part as an arm of one group sees it; ok is false when the whole group lies beside it.
func (p part) of(g Group) (_ part, ok bool) {
	way := 1
	if p.back {
		way = -1
	}
	begun, over := way*int(g-p.from.group), way*int(p.until.group-g)
	if p.from.id != "" && begun < 0 || p.until.id != "" && over < 0 {
		return p, false
	}
	if begun > 0 {
		p.from = place{}
	}
	if over > 0 {
		p.until = place{}
	}
	return p, true
}

// within narrows a part to where the arm lies; ok is false when they don't meet.
func (w walk) within(a arm, p part) (_ part, ok bool) {
	if p, ok = p.of(a.group); !ok {
		return p, false
	}
	first, last := &p.from, &p.until
	if p.back {
		first, last = last, first
	}
	if a.lo.id != "" && (first.id == "" || w.compare(*first, a.lo) < 0) {
		*first = a.lo
	}
	if a.hi.id != "" && (last.id == "" || w.compare(*last, a.hi) > 0) {
		*last = a.hi
	}
	return p, first.id == "" || last.id == "" || w.compare(*first, *last) <= 0
}

// sql is the statement for a part of an arm, selecting what ("" for places), or ok false when nothing of the arm lies there.
func (w walk) sql(a arm, what string, p part) (b *query, ok bool) {
	if p, ok = w.within(a, p); !ok {
		return nil, false
	}
	b = &query{}
	keys := w.keys(a)
	if what == "" {
		what = strings.Join(keys, ", ")
		if w.desc {
			what = `0, ` + what
		}
	}
	b.add(`SELECT ` + what + ` FROM `)
	if a.flag {
		b.add(`review_flag f CROSS JOIN review WHERE review.id = f.review_id AND `)
	} else {
		b.add(`review WHERE `)
	}
	for i, c := range a.index {
		if i > 0 {
			b.add(` AND `)
		}
		b.add(c.sql, c.args...)
	}
	down := w.desc != p.back // along descending keys
	beyond, upTo, way := ` > `, ` <= `, ``
	if down {
		beyond, upTo, way = ` < `, ` >= `, ` DESC`
	}
	b.beside(keys, beyond, p.from)
	b.beside(keys, upTo, p.until)
	if !p.all {
		for _, c := range a.rest {
			b.add(` AND `+c.sql, c.args...)
		}
	}
	b.add(` ORDER BY ` + strings.Join(keys, way+", ") + way)
	b.add(` LIMIT ?`, p.limit)
	if p.offset > 0 {
		b.add(` OFFSET ?`, p.offset)
	}
	return b, true
}

// beside adds that the keys stand on one side of a place, if there is one.
func (b *query) beside(keys []string, op string, at place) {
	if at.id == "" {
		return
	}
	args := []any{at.priority, at.ms, at.id}[3-len(keys):]
	b.add(` AND (`+strings.Join(keys, ", ")+`)`+op+`(?`+strings.Repeat(`, ?`, len(args)-1)+`)`, args...)
}

func (w walk) places(tx *db.Tx, a arm, p part) (list []place, err error) {
	b, ok := w.sql(a, "", p)
	if !ok {
		return nil, nil
	}
	return db.Rows(tx, "review: walk a list", func(at *place) []any {
		at.group = a.group
		return []any{&at.priority, &at.ms, &at.id}
	}, b.sql.String(), b.args...)
}

// take reads the first n places behind from. end is set when there may be more that were not looked at: how far was
// looked, beyond which nothing is returned.
func (w walk) take(tx *db.Tx, from place, n int) (found []place, end place, err error) {
	return w.read(tx, part{from: from, limit: n})
}

func (w walk) read(tx *db.Tx, p part) (found []place, end place, err error) {
	order := w.compare
	if p.back {
		order = func(a, b place) int { return w.compare(b, a) }
	}
	for _, a := range w.arms {
		if end.id == "" && ahead(found, a.nearest(p.back), order) >= p.limit {
			continue // the page is full before this arm begins
		}
		list, stop, err := w.look(tx, a, p)
		if err != nil {
			return nil, end, err
		}
		found = append(found, list...)
		if stop.id != "" && (end.id == "" || order(stop, end) < 0) {
			end = stop
		}
	}
	slices.SortFunc(found, order)
	found = slices.Compact(found)
	if end.id != "" {
		if i := slices.IndexFunc(found, func(at place) bool { return order(at, end) > 0 }); i >= 0 {
			found = found[:i]
		}
	}
	if len(found) >= p.limit {
		found, end = found[:p.limit], place{}
	}
	return found, end, nil
}

// nearest is a place that none of the arm's comes before.
func (a arm) nearest(back bool) place {
	switch {
	case back && a.hi.id != "":
		return a.hi
	case back:
		return place{group: a.group, priority: priorityRest + 1}
	case a.lo.id != "":
		return a.lo
	}
	return place{group: a.group, priority: -1}
}

// ahead is how many places come before at.
func ahead(found []place, at place, order func(a, b place) int) (n int) {
	for _, f := range found {
		if order(f, at) < 0 {
			n++
		}
	}
	return n
}

// look reads up to p.limit places of an arm. Where the index answers only part of the filter it looks at about as many entries
// as it takes when most of them match, then at firstLook and at secondLook more; stop is where that ended short of both the
// limit and the end of the list.
func (w walk) look(tx *db.Tx, a arm, p part) (found []place, stop place, err error) {
	if a.bounded || len(a.rest) <= a.cheap {
		found, err = w.places(tx, a, p)
		return found, stop, err
	}
	limit := p.limit
	for _, entries := range []int{2*limit + 6, firstLook, secondLook} {
		ends, err := w.places(tx, a, part{from: p.from, back: p.back, all: true, limit: 1, offset: entries - 1})
		if err != nil {
			return nil, stop, err
		}
		if p.until = (place{}); len(ends) > 0 {
			p.until = ends[0]
		}
		p.limit = limit - len(found)
		list, err := w.places(tx, a, p)
		if err != nil {
			return nil, stop, err
		}
		if found = append(found, list...); len(found) >= limit || len(ends) == 0 {
			return found, place{}, nil
		}
		p.from = ends[0]
	}
	return found, p.from, nil
}

// count counts the places behind from (back: before it), up to MaxPosition; ok is false when that would take too long.
func (w walk) count(tx *db.Tx, from place, back bool) (n int, ok bool, err error) {
	ok = true
	for _, a := range w.arms {
		p := part{from: from, back: back, limit: MaxPosition}
		if !a.bounded && len(a.rest) > a.cheap {
			list, stop, err := w.look(tx, a, p)
			if err != nil {
				return 0, false, err
			}
			n, ok = n+len(list), ok && stop.id == ""
		} else if inner, possible := w.sql(a, "1", p); possible {
			of, err := db.Value[int](tx, "review: count", `SELECT COUNT(*) FROM (`+inner.sql.String()+`) AS part`, inner.args...)
			if err != nil {
				return 0, false, err
			}
			n += of
		}
	}
	return min(n, MaxPosition), ok || n >= MaxPosition, nil
}
