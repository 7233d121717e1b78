package learning

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/estimate"
)

// BoardFilter narrows the board; zero fields don't.
type BoardFilter struct {
	AgentID     string `form:"agent"`
	Domain      string `form:"domain"`
	Origin      string `form:"origin"`
	Provisional bool   `form:"provisional"`
	Settled     bool   // as Filter.Settled
	Each        int    // cards of a column; 30 when 0
}

// Narrow reports whether anything is left out by it that a person chose.
func (f BoardFilter) Narrow() bool {
	return f.AgentID != "" || f.Domain != "" || f.Origin != "" || f.Provisional
}

// BoardColumn is one stage: urgent lessons first, then those that wait longest. A failed lesson stands where it failed.
type BoardColumn struct {
	Stage   string
	Lessons []Lesson
	Total   int
	Oldest  time.Time // zero without a lesson
}

// Board is everything on the path.
type Board struct {
	Columns []BoardColumn
	Cases   []Lesson // whose case could not be made, oldest first; their rule's path may be elsewhere
	Trial   []Trying // provisional rules in use, those that fail first
}

// Needs are the lessons that stand still until a person does something: those that wait to be accepted, have no
// sentence or failed; urgent ones first, then oldest first.
func (b Board) Needs() (out []Lesson) {
	for _, col := range b.Columns {
		for _, l := range col.Lessons {
			if l.State == Failed || l.State == Unstated || l.State == Waiting && l.Stage == StageAccept {
				out = append(out, l)
			}
		}
	}
	for _, l := range b.Cases {
		if !slices.ContainsFunc(out, func(o Lesson) bool { return o.ID == l.ID }) {
			out = append(out, l)
		}
	}
	slices.SortStableFunc(out, func(a, b Lesson) int {
		if a.Urgent != b.Urgent && a.Urgent {
			return -1
		} else if a.Urgent != b.Urgent {
			return 1
		}
		return a.CreatedAt.Compare(b.CreatedAt)
	})
	return out
}

// Trying is a provisional rule in use.
type Trying struct {
	Lesson
	Failing bool // the cases that arrived since speak against it; too few yet to take it out of recall
	Needs   int  // more cases that would have to help until it is accepted for good
}

const onBoard = `state IN ('running', 'waiting', 'failed', 'unstated')`

// Board reads the board: an index walk for each column.
func (p *Pipeline) Board(ctx context.Context, f BoardFilter) (b Board, err error) {
	if f.Each <= 0 {
		f.Each = 30
	}
	err = p.d.Read(ctx, func(tx *db.Tx) error {
		for _, stage := range Stages {
			col, err := f.column(tx, stage)
			if err != nil {
				return err
			}
			b.Columns = append(b.Columns, col)
		}
		where, args := f.where()
		if b.Cases, err = lessonsTx(tx, `WHERE case_state = 'failed'`+where+
			` ORDER BY created_at, id LIMIT `+strconv.Itoa(f.Each), args...); err != nil {
			return err
		}
		b.Trial, err = p.trialTx(tx, f)
		return err
	})
	return b, err
}

// where are the conditions that a filter adds, with their arguments from $1 on.
func (f BoardFilter) where() (string, []any) {
	var w keyset.Where
	f.narrow(&w)
	return w.SQL, w.Args
}

func (f BoardFilter) narrow(w *keyset.Where) {
	w.Is("agent_id", f.AgentID)
	w.Is("domain", f.Domain)
	w.Is("origin", f.Origin)
	w.If(f.Provisional, `provisional = 1`)
	w.If(f.Settled, decisionSettled)
}

func (f BoardFilter) column(tx *db.Tx, stage string) (BoardColumn, error) {
	col := BoardColumn{Stage: stage}
	where, args := f.where()
	args = append(args, stage)
	from := ` WHERE ` + onBoard + where + ` AND stage = $` + strconv.Itoa(len(args))
	var oldest sql.NullInt64
	if err := db.One(tx, "learning: count a column", `SELECT count(*), min(created_at) FROM lesson`+from,
		args...).Scan(&col.Total, &oldest); err != nil {
		return col, err
	}
	if col.Total == 0 {
		return col, nil
	}
	col.Oldest = db.Time(oldest.Int64)
	var err error
	col.Lessons, err = lessonsTx(tx, from+`
		ORDER BY urgent DESC, created_at, id LIMIT `+strconv.Itoa(f.Each), args...)
	return col, err
}

// onTrial is how many provisional rules in use are looked at.
const onTrial = 50

// trialTx lists the provisional rules that recall gives out.
func (p *Pipeline) trialTx(tx *db.Tx, f BoardFilter) (list []Trying, err error) {
	where, args := f.where()
	found, err := lessonsTx(tx, `
		WHERE state = 'accepted' AND stage = 'accept' AND provisional = 1 AND same_as = 0`+where+
		` ORDER BY created_at, id LIMIT `+strconv.Itoa(onTrial), args...)
	if err != nil {
		return nil, err
	}
	for _, l := range found {
		rule, err := p.kb.RuleTx(tx, l.RuleID)
		if err != nil {
			return nil, err
		}
		if rule.Status == knowledge.Active {
			list = append(list, Trying{Lesson: l, Failing: l.failing(p.policy), Needs: needs(l.Helpful, l.Tried)})
		}
	}
	slices.SortStableFunc(list, func(a, b Trying) int {
		switch {
		case a.Failing == b.Failing:
			return 0
		case a.Failing:
			return -1
		}
		return 1
	})
	return list, nil
}

// failing reports whether the figures of a rule on trial would not get it past the gate today.
func (l Lesson) failing(policy Policy) bool {
	_, upper := estimate.Wilson(l.Helpful, l.Tried, estimate.Z95Sided)
	return l.Provisional && l.Tried > 0 && upper < policy.Threshold
}

// needs is how many more cases have to help, all of them, until the gate's bound is read and passed.
func needs(helpful, tried int) int {
	last := GateLooks[len(GateLooks)-1]
	for look := range 20 * last {
		if look > tried && isLook(look) && surely(helpful+look-tried, look) >= gateThreshold {
			return look - tried
		}
	}
	return 20 * last
}

// Needs is how many more cases have to help, all of them, until a provisional principle is accepted; 0 when it is not
// provisional.
func (g Gate) Needs() int {
	switch {
	case !g.Provisional:
		return 0
	case g.Kind == GateSeed:
		return max(0, seedExemplars-g.Tried)
	}
	return needs(g.Helpful, g.Tried)
}

// DefaultThreshold is the share of telling cases that the gate's bound has to reach when nobody set another.
const DefaultThreshold = gateThreshold

// Failing reports whether a rule on trial is failing the cases that arrived since it was accepted.
func (p *Pipeline) Failing(l Lesson) bool { return l.State == Accepted && l.failing(p.policy) }
