package review

import (
	"slices"
	"strings"

	"preceptor/internal/db"
)

// Group is a part of what needs review. The groups come in the order in which they are worked through.
type Group int

// The groups. A review stands in the first that fits.
const (
	Ungrouped    Group = iota
	GroupMine          // assigned to the viewer or to a team of theirs
	GroupSecond        // approved once, by somebody else
	GroupBlocked       // a check stops it, or it was recalled
	GroupCare          // a vulnerable customer or a DB pension
	GroupOverdue       // past its agent's target
	GroupRest
)

// grouped tells whether the list comes in groups: what somebody needs to review, unless the filter asks for what groups are about.
func (f Filter) grouped() bool {
	return !f.flat && f.State == Needs && f.Viewer != "" && f.Search == "" && f.Assigned == "" && f.Reviewer == "" && f.Eyes == "" && f.Age == ""
}

// own are the keys under which reviews are assigned to the viewer.
func (f Filter) own() []string { return append([]string{f.Viewer}, f.teams...) }

// groupOf is where a review stands in a list that comes in groups.
func (f Filter) groupOf(r *Row, now int64) Group {
	switch {
	case !f.grouped():
		return Ungrouped
	case slices.Contains(f.own(), r.AssignedTo.ID):
		return GroupMine
	case r.First.ID != "":
		return GroupSecond
	case r.Priority == priorityBlocked:
		return GroupBlocked
	case r.Priority <= priorityDB:
		return GroupCare
	case now-db.Ms(r.CreatedAt) >= f.Targets.Of(r.AgentID).Late.Milliseconds():
		return GroupOverdue
	}
	return GroupRest
}

// byGroup walks each group along an index of its own: the assigned, the signed once, and stretches of the queue. Few rows are the
// viewer's own or signed once, so that those stretches need no bounded look for them; where they are many (crowded) they do.
func (f Filter) byGroup(base arm, asks map[string]cond, now int64) (arms []arm) {
	add := func(g Group, a arm, lo, hi place, more ...cond) {
		a.group, a.rest = g, append(slices.Clip(a.rest), more...)
		if lo.group, hi.group = g, g; hi.id != "" {
			a.lo, a.hi = lo, hi
		}
		arms = append(arms, a)
	}
	all := inOrderOf(asks)
	var marks []any
	for _, key := range f.own() {
		marks = append(marks, key)
		add(GroupMine, base.with(`review.assigned_to <> '' AND review.assigned_to = ? AND review.state = 'waiting'`, key), place{}, place{}, all...)
	}
	others := cond{plain(`review.assigned_to`) + ` NOT IN (?` + strings.Repeat(`, ?`, len(marks)-1) + `)`, marks}
	add(GroupSecond, base.and(!f.crowded, others).with(signedOnce), place{}, place{}, all...)

	queue := f.plainArm(base.and(!f.crowded, others, cond{plain(`review.first_by`) + ` = ''`, nil}), asks, false)
	left := inOrderOf(asks)
	add(GroupBlocked, queue, place{priority: priorityBlocked, ms: -1, id: firstID}, place{priority: priorityBlocked, ms: lastMs, id: lastID}, left...)
	add(GroupCare, queue, place{priority: priorityVulnerable, ms: -1, id: firstID}, place{priority: priorityDB, ms: lastMs, id: lastID}, left...)
	late := f
	late.Age = Late
	first, last := late.lateBetween(now)
	overdue, rest := slices.Clip(left), slices.Clip(left)
	if first != last {
		is := late.byTarget(now)
		overdue, rest = append(overdue, is), append(rest, cond{`NOT (` + is.sql + `)`, is.args})
	}
	for p := priorityUnsure; p <= priorityRest; p++ {
		add(GroupOverdue, queue, place{priority: p, ms: -1, id: firstID}, place{priority: p, ms: last, id: lastID}, overdue...)
	}
	for p := priorityUnsure; p <= priorityRest; p++ {
		add(GroupRest, queue, place{priority: p, ms: first + 1, id: firstID}, place{priority: p, ms: lastMs, id: lastID}, rest...)
	}
	return arms
}

// lateBetween is when what is now overdue came at the latest: by the longest target and by the shortest.
func (f Filter) lateBetween(now int64) (first, last int64) {
	_, last = f.ageBounds(now)
	first = last
	for _, t := range f.Targets {
		first = min(first, now-t.Late.Milliseconds())
	}
	return first, last
}

// count counts what the filter chooses, up to MaxPosition; ok is false when that would take too long. Groups don't matter here.
func (f Filter) count(tx *db.Tx) (n int, ok bool, err error) {
	f.flat = true
	w, err := newWalk(f, tx.NowMs())
	if err != nil {
		return 0, false, err
	}
	return w.count(tx, place{}, false)
}

// isCrowded tells whether more is the viewer's own, or signed once, than a walk along the queue may step over unasked.
func (f Filter) isCrowded(tx *db.Tx) (bool, error) {
	n, err := db.Value[int](tx, "review: count", `SELECT COUNT(*) FROM (SELECT 1 FROM review WHERE first_by <> '' AND first_by > '' LIMIT $1) AS part`, MaxPosition)
	for _, key := range f.own() {
		if err != nil || n >= MaxPosition {
			break
		}
		var own int
		own, err = countAssigned(tx, key)
		n += own
	}
	return n >= MaxPosition, err
}

// alikeFrom is from which share of their words two questions are alike.
const alikeFrom = .6

// Together moves a row of a page behind an earlier one of its group whose question is alike and whose customer is of the same kind.
func Together(rows []Row) []Row {
	var out []Row
	likes := map[string]likeness{}
	for _, r := range rows {
		l := likenessOf(r.Opening, r.Who, nil)
		likes[r.ID] = l
		at := len(out)
		for i := len(out) - 1; i >= 0 && out[i].Group == r.Group; i-- {
			if o := out[i]; o.AgentID == r.AgentID && o.Task == r.Task && slices.Equal(likes[o.ID].traits, l.traits) && alike(likes[o.ID].words, l.words) {
				at, r.Alike = i+1, true
				break
			}
		}
		out = slices.Insert(out, at, r)
	}
	return out
}

func alike(a, b []string) bool {
	n := len(shared(a, b))
	return n > 1 && 2*float64(n) >= alikeFrom*float64(len(a)+len(b))
}
