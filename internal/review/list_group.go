package review

import (
	"fmt"
	"slices"

	"preceptor/internal/platform/db"
)

// Group is a part of what needs review. The groups come in the order in which they are worked through.
type Group int

// The groups. A review stands in the first that fits.
const (
	Ungrouped    Group = iota
	GroupMine          // assigned to the viewer or to a team of theirs
	GroupSecond        // approved once, by somebody else
	GroupFirst         // a customer waits for it, or its agent asks for haste, and the policy lets it come first
	GroupBlocked       // a check stops it, or it was recalled
	GroupCare          // a vulnerable customer or a DB pension
	GroupOverdue       // past its agent's target
	GroupRest
)

// grouped reports whether the list comes in groups: what somebody needs to review, unless the filter asks for what
// groups are about.
func (f Filter) grouped() bool {
	return f.State == Needs && f.Viewer != "" && f.Search == "" && f.Assigned == "" && f.Reviewer == "" &&
		f.Eyes == "" && f.Age == ""
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
	case r.Priority < priorityBlocked:
		return GroupFirst
	case r.Priority == priorityBlocked:
		return GroupBlocked
	case r.Priority <= priorityDB:
		return GroupCare
	case now-db.Ms(r.CreatedAt) >= f.Targets.Of(r.AgentID).Late.Milliseconds():
		return GroupOverdue
	}
	return GroupRest
}

// stretch is a part of a list that one index leads along: a group, or what of it has one priority, because an index
// goes on with the age only within one.
type stretch struct {
	group       Group
	first, last int // priorities
}

var (
	wholeList = []stretch{{Ungrouped, priorityFirst, priorityRest}}
	inGroups  = []stretch{
		{GroupMine, priorityFirst, priorityRest}, {GroupSecond, priorityFirst, priorityRest},
		{GroupFirst, priorityFirst, priorityBlocked - 1},
		{GroupBlocked, priorityBlocked, priorityBlocked}, {GroupCare, priorityVulnerable, priorityDB},
		{GroupOverdue, priorityUnsure, priorityUnsure}, {GroupOverdue, priorityRest, priorityRest},
		{GroupRest, priorityUnsure, priorityUnsure}, {GroupRest, priorityRest, priorityRest},
	}
)

// stretches are those in which rows stand behind a place, the next first, or, back, before it.
func (f Filter) stretches(from place, back bool) []stretch {
	if !f.grouped() {
		return wholeList
	}
	all := slices.Clone(inGroups)
	if back {
		slices.Reverse(all)
	}
	return slices.DeleteFunc(all, func(s stretch) bool {
		passed := s.group < from.group || s.group == from.group && s.last < from.priority
		ahead := s.group > from.group || s.group == from.group && s.first > from.priority
		return from.id != "" && (passed && !back || ahead && back)
	})
}

// within are the conditions of a stretch, as groupOf has them. Priorities are spelt out: see cond.
func (l *listing) within(s stretch) []cond {
	mine, signed := assigned(l.own()), cond{`review.first_by <> ''`, nil}
	switch s.group {
	case Ungrouped:
		return nil
	case GroupMine:
		return []cond{mine}
	case GroupSecond:
		return []cond{not(mine), signed}
	}
	list := []cond{not(mine), not(signed), {fmt.Sprintf(`review.priority BETWEEN %d AND %d`, s.first, s.last), nil}}
	if s.first == s.last {
		list[2].sql = fmt.Sprintf(`review.priority = %d`, s.first)
	}
	switch s.group {
	case GroupOverdue:
		list = append(list, l.late(l.now))
	case GroupRest:
		list = append(list, not(l.late(l.now)))
	}
	return list
}

// alikeFrom is from which share of their words two questions are alike.
const alikeFrom = .6

// MarkAlike marks each row of a page whose question is like that of the row above it in its group, from the same kind
// of customer. It moves none: the page has the order in which reviews are handed out.
func MarkAlike(rows []Row) {
	var last likeness
	for i := range rows {
		r := &rows[i]
		l := likenessOf(r.Opening, r.Who, nil)
		if i > 0 {
			o := rows[i-1]
			r.Alike = o.Group == r.Group && o.AgentID == r.AgentID && o.Task == r.Task &&
				slices.Equal(last.traits, l.traits) && alike(last.words, l.words)
		}
		last = l
	}
}

func alike(a, b []string) bool {
	n := len(shared(a, b))
	return n > 1 && 2*float64(n) >= alikeFrom*float64(len(a)+len(b))
}
