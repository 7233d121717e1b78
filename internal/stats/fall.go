package stats

import (
	"context"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/estimate"
	"preceptor/internal/stats/counter"
	"preceptor/internal/stats/turn"
)

// The days that a fall is looked for in: those of the period and as many before it, but at least a month before.
const (
	leastBefore = 30
	mostSearch  = 400 // days; of a longer period the newest
)

// Fall is a stretch of days in which satisfaction was lower by more than chance, and what was changed around then.
type Fall struct {
	ChangesPage        // about Topic alone, where there is one
	All, Before Figure // satisfaction on all topics in those days, and on the other days
	Topic       string // makes at least half of it, as a filter takes it; "" when none does
}

// Suspect is the rule whose votes are worse by more than chance, the worst of them. Nothing shows whether other
// changes matter, so none of them is named.
func (f *Fall) Suspect() (c Change, ok bool) {
	if len(f.Changes) > 0 && f.Changes[0].Suspect { // Changes has them in that order
		return f.Changes[0], true
	}
	return c, false
}

// Fall finds the days of the period in which satisfaction fell by more than chance; nil without any. The days before
// the period are what it is measured by, so that a week which is low as a whole is found as well.
func (r *Reader) Fall(ctx context.Context, f Filter) (*Fall, error) {
	f = r.zoned(f)
	wide := f
	wide.Plain = true
	wide.From = counter.Midnight(max(f.first()-max(f.Len(), leastBefore), f.last()+1-mostSearch), f.zone())
	var around Range
	var parts []Slice
	var inside, all turn.Count
	err := r.read(ctx, func(tx *db.Tx) error {
		s, err := scopeOf(tx, wide, false)
		if err != nil {
			return err
		}
		s.first -= leastBefore
		days, err := s.read(tx, counter.Positive, counter.Negative)
		if err != nil {
			return err
		}
		if around = fell(wide.Range, f.Range, days); around.To.IsZero() {
			return nil
		}
		// The days are set against the others from a month before them on, wherever the period of the page begins: a
		// fall is as deep on every page.
		if month := (Range{From: counter.Midnight(around.first()-leastBefore, f.zone()), To: around.To,
			Zone: f.Zone}); days.votes(month).Whole-days.votes(around).Whole >= turn.Few {
			wide.Range = month
		}
		inside, all = days.votes(around), days.votes(wide.Range)
		in := wide
		in.Range = around
		whole, err := s.slices(tx, wide, byTopic, satisfied, counter.Positive, counter.Negative)
		if err != nil {
			return err
		}
		low, err := s.slices(tx, in, byTopic, satisfied, counter.Positive, counter.Negative)
		parts = restOf(whole, low, true)
		return err
	})
	if err != nil || around.To.IsZero() {
		return nil, err
	}
	out := &Fall{All: ShareOf("satisfaction", inside.Part, inside.Whole),
		Before: ShareOf("satisfaction", all.Part-inside.Part, all.Whole-inside.Whole), Topic: cause(parts)}
	narrow := wide
	if out.Topic != "" {
		narrow.Task, narrow.Topic = "", out.Topic
	}
	out.ChangesPage, err = r.Changes(ctx, narrow, around)
	return out, err
}

// fell is the stretch within the days searched that touches the period and is lower by more than chance; zero without
// one.
func fell(all, period Range, days sheet) (out Range) {
	var counts []turn.Count
	first := all.first()
	of := days.votes
	at := func(from, to int) Range {
		return Range{From: counter.Midnight(first+from, all.zone()), To: counter.Midnight(first+to, all.zone()),
			Zone: all.Zone}
	}
	for day := first; day <= all.last(); day++ {
		if c := of(at(day-first, day-first+1)); c.Whole > 0 || len(counts) > 0 {
			counts = append(counts, c)
		} else {
			first = day + 1 // nobody has voted yet
		}
	}
	t, ok := turn.Find(counts, 1)
	if ok && t.Change() < 0 && first+t.To > period.first() {
		return at(t.From, t.To)
	}
	before := Range{From: all.From, To: period.From, Zone: all.Zone}
	now, was := of(period), of(before)
	if now.Share() < was.Share() && estimate.Differ(now.Part, now.Whole, was.Part, was.Whole) <= estimate.Claim {
		return period
	}
	return out
}

// votes are the positive ones of a stretch, of those and the negative ones.
func (days sheet) votes(r Range) turn.Count {
	yes, no := int(days.over(r, counter.Positive).n), int(days.over(r, counter.Negative).n)
	return turn.Count{Part: yes, Whole: yes + no}
}

// added is all parts together, in the days and on the others. A part that has no votes in the days is in neither.
func added(parts []Slice) (in, out Figure) {
	var a, b turn.Count
	for _, p := range parts {
		a.Part, a.Whole = a.Part+p.Figure.Part, a.Whole+p.Figure.N
		if p.Figure.Before != nil {
			b.Part, b.Whole = b.Part+p.Figure.Before.Part, b.Whole+p.Figure.Before.N
		}
	}
	return ShareOf("satisfaction", a.Part, a.Whole), ShareOf("satisfaction", b.Part, b.Whole)
}

// cause is the part that makes at least half of the fall; "" when none does.
func cause(parts []Slice) string {
	in, out := added(parts)
	t := turn.Turn{From: 1, To: 2, In: turn.Count{Part: in.Part, Whole: in.N},
		Out: turn.Count{Part: out.Part, Whole: out.N}}
	var list []turn.Part
	for _, p := range parts {
		days := make([]turn.Count, 2)
		if days[1] = (turn.Count{Part: p.Figure.Part, Whole: p.Figure.N}); p.Figure.Before != nil {
			days[0] = turn.Count{Part: p.Figure.Before.Part, Whole: p.Figure.Before.N}
		}
		list = append(list, turn.Part{Days: days})
	}
	if b, ok := turn.Cause(t, list); ok && b.Holds {
		return parts[b.Part].Key
	}
	return ""
}

// RuleVotes is what users thought of answers made with rules since each last came into use, beside the others on the
// same topics; nothing of one that never did. Where there are few others, those of the month before are taken in. Rules
// that are asked for together are tested together.
func (r *Reader) RuleVotes(ctx context.Context, ids ...string) (list []Change, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	err = r.read(ctx, func(tx *db.Tx) error {
		if list, err = lastIn(tx, db.Ms(tx.Now)+1, ids); err != nil {
			return err
		}
		return weigh(tx, r.zoned(Filter{Range: Between(tx.Now, tx.Now, r.Zone), Plain: true}), list)
	})
	return list, err
}
