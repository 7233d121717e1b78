package review

import (
	"maps"
	"slices"
	"strings"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
)

// query builds a statement whose placeholders come in ascending order.
type query struct{ keyset.Where }

// where adds conditions that all have to hold.
func (b *query) where(list ...cond) {
	for i, c := range list {
		if i > 0 {
			b.Add(` AND `)
		}
		b.Add(c.sql, c.args...)
	}
}

// cond is a part of a WHERE clause.
//
// What an index is limited to (state = 'waiting', claimed_until > 0, first_by <> ”) is never compared in the same way
// with a bare placeholder: SQLite then looks at the value to learn whether the index serves, and plans the statement
// anew for each. A time is written as ?+0, which is no placeholder to it. A test counts.
type cond struct {
	sql  string
	args []any
}

// in asks for one of some values; callers keep the list short.
func in(col string, values []string) cond {
	return cond{col + ` IN (?` + strings.Repeat(`, ?`, len(values)-1) + `)`, db.Anys(values)}
}

func not(c cond) cond { return cond{`NOT (` + c.sql + `)`, c.args} }

// All as State is all that waits, whoever holds or signed it.
const All = "waiting"

// stateAsks are the conditions of a state beside what the table calls one.
func (f Filter) stateAsks(now int64) (list []cond) {
	switch {
	case f.State == Others:
		list = append(list, cond{`review.claimed_until > 0 AND review.claimed_until > ?+0 AND review.claimed_by <> ?`,
			[]any{now, f.Viewer}})
	case f.State == Signed:
		list = append(list, cond{`review.first_by <> '' AND review.first_by = ?`, []any{f.Viewer}})
	case f.State == Needs:
		list = append(list, cond{`(review.claimed_until <= ? OR review.claimed_by = ?)`, []any{now, f.Viewer}})
		if f.Viewer != "" {
			list = append(list, not(cond{`review.first_by = ?`, []any{f.Viewer}}))
		}
	case f.State == Ended:
		list = append(list, cond{sql: `review.ended <> ''`})
	case f.State == Done && f.AllPlanted:
		list = append(list, withDecision)
	case f.State == Done:
		list = append(list, withDecision,
			cond{`(review.planted = 0 OR NOT EXISTS (` + closedToOthers + `))`, []any{f.Viewer, f.Viewer}})
	}
	return list
}

// withDecision leaves out what was erased before anybody decided.
var withDecision = cond{sql: `review.decision_id <> ''`}

// narrowing are the filters as conditions on rows.
func (f Filter) narrowing(now int64) (list []cond) {
	ask := func(is bool, sql string, args ...any) {
		if is {
			list = append(list, cond{sql, args})
		}
	}
	ask(f.AgentID != "", `review.agent_id = ?`, f.AgentID)
	ask(f.Task != "", `review.task = ?`, f.Task)
	ask(f.Flag != "", `EXISTS (SELECT 1 FROM review_flag g WHERE g.review_id = review.id AND g.code = ?)`, f.Flag)
	ask(f.Urgency != "", `review.urgency = ?`, f.Urgency)
	ask(f.Channel != "", `review.channel = ?`, f.Channel)
	ask(f.Eyes == TwoEyes, `review.two_eyes = 1`)
	ask(f.Eyes == Once, `review.first_by <> ''`)
	ask(f.Skips != "", `EXISTS (SELECT 1 FROM review_skip s WHERE s.review_id = review.id AND s.by_id = ?
		AND s.version = review.version AND s.over_at = 0)`, f.Viewer)
	ask(f.Assigned == ToNobody, `review.assigned_to = ''`)
	if keys := f.assignees(); len(keys) > 0 {
		list = append(list, assigned(keys))
	}
	if f.Reviewer != "" {
		ask(f.over(), `(review.decided_by <> '' AND review.decided_by = ? OR review.id IN (
			SELECT d.review_id FROM decision d WHERE d.second_by <> '' AND d.second_by = ?
				AND d.state NOT IN ('undone', 'overruled', 'recalled')))`, f.Reviewer, f.Reviewer)
		ask(!f.over(), `review.claimed_until > 0 AND review.claimed_until > ?+0 AND review.claimed_by = ?`, now,
			f.Reviewer)
	}
	switch soon := f.older(now, func(t Target) time.Duration { return t.Soon }); f.Age {
	case Fresh:
		list = append(list, not(soon))
	case Aging:
		list = append(list, soon, not(f.late(now)))
	case Late:
		list = append(list, f.late(now))
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
		return append([]string{teamPrefix}, f.teams...) // of no team: none of its cases
	}
	return []string{f.Assigned}
}

func assigned(keys []string) cond {
	c := in(`review.assigned_to`, keys)
	return cond{`review.assigned_to <> '' AND ` + c.sql, c.args}
}

func (f Filter) late(now int64) cond {
	return f.older(now, func(t Target) time.Duration { return t.Late })
}

// older asks whether a review is at least as old as the target of its agent says or, decided, was. What waits is first
// asked for the shortest of the targets, by which an index can tell.
func (f Filter) older(now int64, of func(Target) time.Duration) cond {
	sql, args := ` ELSE ?`, []any{of(f.Targets.Of("")).Milliseconds()}
	shortest := of(f.Targets.Of(""))
	for _, agentID := range slices.Sorted(maps.Keys(f.Targets)) {
		target := of(f.Targets[agentID])
		sql, args = ` WHEN ? THEN ?`+sql, append([]any{agentID, target.Milliseconds()}, args...)
		shortest = min(shortest, target)
	}
	sql = ` >= CASE review.agent_id` + sql + ` END`
	if f.over() {
		return cond{`review.decided_at - review.created_at` + sql, args}
	}
	return cond{`review.created_at <= ?+0 AND ? - review.created_at` + sql,
		append([]any{now - shortest.Milliseconds(), now}, args...)}
}
