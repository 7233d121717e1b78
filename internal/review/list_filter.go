package review

import (
	"maps"
	"slices"
	"strings"

	"preceptor/internal/db"
)

// plain keeps the planner from choosing an index for a condition that is only to be asked of rows.
func plain(col string) string { return `COALESCE(` + col + `, '')` }

// anyState as State is all that waits, whoever holds or signed it: where the neighbours of a case are looked for.
const anyState = "waiting"

// newWalk chooses the indexes for a filter that was prepared. What an index answers exactly: any of flag, agent and task,
// together too; the age with each of them; whom it is assigned to; who signed or decided; two supervisors; a search. The
// first that is there is walked along, the others are asked of each row.
func newWalk(f Filter, now int64) (w walk, err error) {
	w.desc = f.State == Done
	asks := f.asks(now)
	base := arm{}
	for _, c := range f.stateAsks(now) {
		base.rest, base.cheap = append(base.rest, c), base.cheap+1
	}
	walkable := true // the index goes on with priority and age
	switch {
	case f.State == Others:
		base.bounded, walkable = true, false
		base.index = []cond{{`review.claimed_until > 0 AND review.claimed_until > ?+0 AND review.claimed_by <> ?`, []any{now, f.Viewer}}}
		w.arms = []arm{base}
	case f.Search != "":
		base.bounded, walkable = true, false
		base.rest = append(base.rest, cond{plain(`review.state`) + ` = ?`, []any{f.stored()}})
		if f.State == Signed {
			base.rest = append(base.rest, cond{plain(`review.first_by`) + ` = ?`, []any{f.Viewer}})
		}
		w.arms = base.ofIDs(f.ids)
	case f.State == Signed:
		w.arms = []arm{base.with(`review.first_by <> '' AND review.first_by = ?`, f.Viewer)}
	case f.State == Done && f.Reviewer != "":
		delete(asks, "reviewer")
		base.rest = append(base.rest, cond{plain(`review.state`) + ` = 'decided'`, nil})
		base.cheap++
		w.arms = []arm{base.with(`review.decided_by <> '' AND review.decided_by = ?`, f.Reviewer)}
	case f.State != Done && len(f.assignees()) > 0:
		delete(asks, "assigned")
		for _, key := range f.assignees() {
			w.arms = append(w.arms, base.with(`review.assigned_to <> '' AND review.assigned_to = ? AND review.state = 'waiting'`, key))
		}
	case f.State != Done && f.Reviewer != "":
		delete(asks, "reviewer")
		signed := base.with(`review.first_by <> '' AND review.first_by = ?`, f.Reviewer)
		signed.rest = append([]cond{{plain(`review.assigned_to`) + ` <> ?`, []any{f.Reviewer}}}, signed.rest...)
		signed.cheap++
		w.arms = []arm{base.with(`review.assigned_to <> '' AND review.assigned_to = ? AND review.state = 'waiting'`, f.Reviewer), signed}
	case f.grouped():
		w.arms = f.byGroup(base, asks, now)
		return w, nil
	default:
		w.arms = []arm{f.plainArm(base, asks, w.desc)}
	}
	if walkable && !w.desc && f.Age != "" {
		w.arms, asks = f.byAge(w.arms, asks, now)
	}
	for i := range w.arms {
		w.arms[i].rest = append(slices.Clip(w.arms[i].rest), inOrderOf(asks)...)
	}
	return w, nil
}

func inOrderOf(asks map[string]cond) (list []cond) {
	for _, name := range slices.Sorted(maps.Keys(asks)) {
		list = append(list, asks[name])
	}
	return list
}

// signedOnce is answered by the index of few rows. Were the state spelt out, the queue's own index would serve as well, and it
// is the one that SQLite takes.
const signedOnce = `review.state = 'waiting' || '' AND review.first_by <> ''`

// plainArm walks by flag, by two supervisors, or by state, agent and task; it takes what it answers out of asks.
func (f Filter) plainArm(a arm, asks map[string]cond, desc bool) arm {
	col := "review."
	switch {
	case f.Flag != "":
		delete(asks, "flag")
		a.flag, col = true, "f."
		a = a.with(`f.code = ?`, f.Flag).with(`f.state = ?`, f.stored())
		if desc {
			a = a.with(`f.place = 0`)
		}
	case !desc && f.Eyes == Once:
		delete(asks, "eyes")
		return a.with(signedOnce)
	case !desc && f.Eyes == TwoEyes:
		delete(asks, "eyes")
		return a.with(`review.state = 'waiting' || '' AND review.two_eyes = 1`)
	default:
		a = a.with(`review.state = '` + f.stored() + `'`) // spelt out: see query
	}
	if f.AgentID != "" {
		delete(asks, "agent")
		a = a.with(col+`agent_id = ?`, f.AgentID)
	}
	if f.Task != "" {
		delete(asks, "task")
		a = a.with(col+`task = ?`, f.Task)
	}
	return a
}

// with is the arm with one more condition that its index answers.
func (a arm) with(sql string, args ...any) arm {
	a.index = append(slices.Clip(a.index), cond{sql, args})
	a.rest = slices.Clone(a.rest)
	return a
}

// and is the arm with conditions that its rows are asked; cheap: most pass them.
func (a arm) and(cheap bool, list ...cond) arm {
	if a.rest = append(slices.Clone(a.rest), list...); cheap {
		a.cheap += len(list)
	}
	return a
}

// ofIDs looks at these cases alone, some hundred at a time.
func (a arm) ofIDs(ids []string) (arms []arm) {
	for batch := range slices.Chunk(ids, 500) {
		args := db.Anys(batch)
		arms = append(arms, a.with(`review.id IN (?`+strings.Repeat(`, ?`, len(batch)-1)+`)`, args...))
	}
	return arms
}

// An id lies between these, and a time before that.
const (
	firstID, lastID = " ", "~"
	lastMs          = 1 << 53
)

// byAge has each arm walk every priority alone, within the ages asked for; where agents differ in what they mean, rows
// are asked, too.
func (f Filter) byAge(arms []arm, asks map[string]cond, now int64) ([]arm, map[string]cond) {
	after, until := f.ageBounds(now)
	var out []arm
	for _, a := range arms {
		for p := range priorityRest + 1 {
			a.lo, a.hi = place{priority: p, ms: after + 1, id: firstID}, place{priority: p, ms: until, id: lastID}
			out = append(out, a)
		}
	}
	if len(f.Targets) <= 1 {
		delete(asks, "age")
	}
	return out, asks
}

// stored is the state as the table has it.
func (f Filter) stored() string {
	if f.State == Done {
		return "decided"
	}
	return "waiting"
}

// stateAsks are the conditions of a state that most rows fulfil: no more fail than people work, than the viewer signed and
// nobody has seconded yet, and than checks were planted.
func (f Filter) stateAsks(now int64) (list []cond) {
	if f.State == Needs {
		list = append(list, cond{`(review.claimed_until <= ? OR review.claimed_by = ?)`, []any{now, f.Viewer}})
		if f.Viewer != "" {
			list = append(list, cond{plain(`review.first_by`) + ` <> ?`, []any{f.Viewer}})
		}
	}
	if f.State == Done && !f.AllPlanted {
		list = append(list, cond{`(review.planted = 0 OR NOT EXISTS (` + closedToOthers + `))`, []any{f.Viewer, f.Viewer}})
	}
	return list
}

// assignees are the keys of whom the filter asks for; none for nobody and anybody.
func (f Filter) assignees() []string {
	switch f.Assigned {
	case "", ToNobody:
		return nil
	case ToMe:
		return []string{f.Viewer}
	case ToMyTeam:
		if len(f.teams) == 0 {
			return []string{"team:"} // no team: none of its cases
		}
		return f.teams
	}
	return []string{f.Assigned}
}

// asks are the filters as conditions on rows, by name; a walk takes out what its index answers.
func (f Filter) asks(now int64) map[string]cond {
	m := map[string]cond{}
	if f.AgentID != "" {
		m["agent"] = cond{plain(`review.agent_id`) + ` = ?`, []any{f.AgentID}}
	}
	if f.Task != "" {
		m["task"] = cond{plain(`review.task`) + ` = ?`, []any{f.Task}}
	}
	if f.Flag != "" {
		m["flag"] = cond{`EXISTS (SELECT 1 FROM review_flag g WHERE g.review_id = review.id AND g.code = ?)`, []any{f.Flag}}
	}
	switch f.Eyes {
	case TwoEyes:
		m["eyes"] = cond{`review.two_eyes > 0`, nil}
	case Once:
		m["eyes"] = cond{plain(`review.first_by`) + ` <> ''`, nil}
	}
	if f.Assigned == ToNobody {
		m["assigned"] = cond{plain(`review.assigned_to`) + ` = ''`, nil}
	} else if keys := f.assignees(); len(keys) > 0 {
		b := cond{plain(`review.assigned_to`) + ` IN (?` + strings.Repeat(`, ?`, len(keys)-1) + `)`, nil}
		for _, k := range keys {
			b.args = append(b.args, k)
		}
		m["assigned"] = b
	}
	if f.Reviewer != "" {
		m["reviewer"] = f.byReviewer()
	}
	if f.Age != "" {
		m["age"] = f.byTarget(now)
	}
	return m
}

func (f Filter) byReviewer() cond {
	switch f.State {
	case Done:
		return cond{plain(`review.decided_by`) + ` = ?`, []any{f.Reviewer}}
	case Others:
		return cond{plain(`review.claimed_by`) + ` = ?`, []any{f.Reviewer}}
	}
	return cond{`(` + plain(`review.assigned_to`) + ` = ? OR ` + plain(`review.first_by`) + ` = ?)`, []any{f.Reviewer, f.Reviewer}}
}

// byTarget asks for the age by the target of each row's agent.
func (f Filter) byTarget(now int64) cond {
	b := cond{}
	limit := func(of func(Target) int64) string {
		sql := `CASE review.agent_id`
		for _, agentID := range slices.Sorted(maps.Keys(f.Targets)) {
			if agentID != "" {
				sql += ` WHEN ? THEN ?`
				b.args = append(b.args, agentID, of(f.Targets[agentID]))
			}
		}
		if sql == `CASE review.agent_id` {
			b.args = append(b.args, of(f.Targets.Of("")))
			return `?`
		}
		b.args = append(b.args, of(f.Targets.Of("")))
		return sql + ` ELSE ? END`
	}
	soon, late := func(t Target) int64 { return t.Soon.Milliseconds() }, func(t Target) int64 { return t.Late.Milliseconds() }
	age := `(review.decided_at - review.created_at)`
	if f.State != Done {
		age = `(? - review.created_at)`
	}
	ask := func(op string, of func(Target) int64) {
		if b.sql != "" {
			b.sql += ` AND `
		}
		if f.State != Done {
			b.args = append(b.args, now)
		}
		b.sql += age + ` ` + op + ` ` + limit(of)
	}
	switch f.Age {
	case Fresh:
		ask(`<`, soon)
	case Aging:
		ask(`>=`, soon)
		ask(`<`, late)
	case Late:
		ask(`>=`, late)
	}
	return b
}

// ageBounds are the times between which cases of that age arrived, by the widest of the targets.
func (f Filter) ageBounds(now int64) (after, until int64) {
	first := f.Targets.Of("")
	minSoon, maxSoon, minLate, maxLate := first.Soon, first.Soon, first.Late, first.Late
	for _, t := range f.Targets {
		minSoon, maxSoon = min(minSoon, t.Soon), max(maxSoon, t.Soon)
		minLate, maxLate = min(minLate, t.Late), max(maxLate, t.Late)
	}
	switch f.Age {
	case Fresh:
		return now - maxSoon.Milliseconds(), now + 1
	case Aging:
		return now - maxLate.Milliseconds(), now - minSoon.Milliseconds()
	}
	return -1, now - minLate.Milliseconds()
}
