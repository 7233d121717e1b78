package stats

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/estimate"
	"preceptor/internal/stats/counter"
)

// The bounds of Changes.
const (
	// lead is how long before what stood out changes are looked for: a rule is shown, an answer waits for its review,
	// and a customer votes days later.
	lead = 4 * 24 * time.Hour
	// maxUses is how many of the newest answers made with a rule its votes are taken from.
	maxUses = 20_000
	// maxBlamed is how many rules, those that most disliked answers of the days were made with, are weighed whenever
	// they came into use.
	maxBlamed = 20
	// fewOthers is below how many votes on other answers since the change those of the days before it are taken in: a
	// rule that nearly every answer of its topic was made with has nothing beside it but what was before. Of one that
	// was reworded, what was before had it too.
	fewOthers = 20
)

// Changes reads what was put in use around a time, within the range of f.
func (r *Reader) Changes(ctx context.Context, f Filter, around Range) (ChangesPage, error) {
	f.Plain = true
	p := ChangesPage{Filter: f, Around: around}
	whole, err := r.Satisfaction(ctx, f)
	if err != nil {
		return p, err
	}
	in := f
	in.Range = around
	dip, err := r.Satisfaction(ctx, in)
	if err != nil {
		return p, err
	}
	within := !around.From.Before(f.From) && !around.To.After(f.To)
	p.Dip, p.Rest = dip.Rate, rest(whole.Rate, dip.Rate, within)
	p.Topics = restOf(whole.Topics, dip.Topics, within)
	quotes, err := r.Comments(ctx, in, RowQuery{Of: dip.Negative.Key, Limit: 5})
	if err != nil {
		return p, err
	}
	p.Quotes = quotes.Rows
	err = r.read(ctx, func(tx *db.Tx) error {
		if p.Changes, err = counter.Changes(tx, db.Ms(around.From.Add(-lead)), db.Ms(around.To)); err != nil {
			return err
		}
		then := len(p.Changes)
		if err := p.blame(tx, in); err != nil {
			return err
		}
		if err := weigh(tx, f, p.Changes); err != nil {
			return err
		}
		p.Changes = append(p.Changes[:then], slices.DeleteFunc(p.Changes[then:], func(c Change) bool {
			return !c.Suspect || slices.ContainsFunc(p.Changes[:then], func(o Change) bool {
				return o.Suspect && o.Kind == "rule" && o.ID == c.ID // since it was reworded
			})
		})...)
		return nil
	})
	slices.SortStableFunc(p.Changes, func(a, b Change) int {
		if s := a.Suspect; s != b.Suspect {
			if s {
				return -1
			}
			return 1
		} else if s {
			return cmp.Compare(b.Without.Value()-b.With.Value(), a.Without.Value()-a.With.Value())
		}
		return b.At.Compare(a.At)
	})
	return p, err
}

// blame adds when the rules came into use that most disliked answers of the days were made with, however long before.
func (p *ChangesPage) blame(tx *db.Tx, in Filter) error {
	s, err := scopeOf(tx, in, false)
	if err != nil {
		return err
	}
	topic, _ := in.subject()
	names := s.agentNames()
	ids, err := db.Column[string](tx, "stats: what disliked answers were made with", `SELECT u.item_id
		FROM (SELECT subject_id FROM vote WHERE at >= $1 AND at < $2 AND norm < 0.5 AND `+isTopic(`topic`, `$3`)+
		counter.IsAgent(`agent_type`, 4, len(names))+` ORDER BY at DESC, id DESC LIMIT `+strconv.Itoa(maxUses)+`) v
		CROSS JOIN knowledge_usage u ON u.interaction_id = v.subject_id AND u.kind = 'rule'
		GROUP BY u.item_id ORDER BY count(*) DESC, u.item_id LIMIT `+strconv.Itoa(maxBlamed),
		append([]any{db.Ms(in.From), db.Ms(in.To), topic}, args(names)...)...)
	ids = slices.DeleteFunc(ids, func(id string) bool { return has(p.Changes, id) })
	if err != nil || len(ids) == 0 {
		return err
	}
	came, err := lastIn(tx, db.Ms(in.To), ids)
	p.Changes = append(p.Changes, came...)
	return err
}

// lastIn is when rules last came into use before a time.
func lastIn(tx *db.Tx, before int64, ids []string) (last []Change, err error) {
	came, err := counter.RuleChanges(tx, 0, before, ids...)
	for _, c := range came { // the newest first
		if c.What == "in" && !has(last, c.ID) {
			last = append(last, c)
		}
	}
	return last, err
}

// has reports whether a rule's coming into use is among changes.
func has(list []Change, id string) bool {
	return slices.ContainsFunc(list, func(c Change) bool { return c.ID == id && c.What == "in" && c.Kind == "rule" })
}

// rest is the share of the whole without a part of it; the whole when the part does not lie in it.
func rest(whole, part Figure, within bool) Figure {
	if !within || !part.Known {
		return whole
	}
	return ShareOf(whole.Key, max(whole.Part-part.Part, 0), max(whole.N-part.N, 0))
}

// restOf sets each part within the days beside the rest of the range.
func restOf(whole, part []Slice, within bool) []Slice {
	at := map[string]Figure{}
	for _, s := range whole {
		at[s.Key] = s.Figure
	}
	out := slices.Clone(part)
	for i := range out {
		if w, ok := at[out[i].Key]; ok {
			out[i].Figure.Before = new(rest(w, out[i].Figure, within))
		}
	}
	return out
}

// weigh sets the votes beside each rule's change: all since it was put in use, whatever days a page is about, on the
// page's topic, so that on every page about all topics, and on every one about a topic, a rule's votes are the same.
func weigh(tx *db.Tx, f Filter, list []Change) error {
	s, err := scopeOf(tx, f, false)
	if err != nil {
		return err
	}
	ps := make([]float64, len(list))
	for i := range list {
		if ps[i] = math.NaN(); list[i].Kind != "rule" {
			continue
		}
		if err := list[i].Read(tx, list[i].ID); err != nil {
			return err
		}
		list[i].Topic, _ = f.subject()
		if !list[i].From.IsZero() {
			continue
		}
		since := f
		since.Range = Between(list[i].InUse().AddDate(0, 0, -leastBefore), tx.Now, f.zone())
		if err := s.votesOn(tx, since, &list[i]); err != nil {
			return err
		}
		if list[i].What == "out" {
			continue // there is nothing left to do about it
		}
		with, without := list[i].With, list[i].Without
		ps[i] = estimate.Differ(with.Part, with.Whole, without.Part, without.Whole)
	}
	for i, sure := range estimate.Holm(ps) {
		list[i].Suspect = sure && list[i].With.Value() < list[i].Without.Value()
	}
	return nil
}

// votesOn reads the votes from the day of the change on: on answers that were made with the rule since then, and on the
// others on the same topics; where there are few others (fewOthers), those of the days before as well.
func (s scope) votesOn(tx *db.Tx, f Filter, c *Change) error {
	since, end := f, f.To
	if from := midnight(c.InUse(), f.zone()); from.After(f.From) {
		since.From = from
	}
	if c.What == "out" {
		end = c.At
	}
	var topics []string
	var with estimate.Share
	topic, _ := f.subject()
	names := s.agentNames()
	if err := each(tx, `SELECT v.topic, sum(CASE WHEN v.norm > 0.5 THEN 1 ELSE 0 END), count(*),
		count(DISTINCT v.subject_id)
		FROM (SELECT interaction_id FROM knowledge_usage WHERE item_id = $1 AND created_at >= $2 AND created_at < $3
			ORDER BY created_at DESC, interaction_id DESC LIMIT $4) u
		CROSS JOIN vote v ON v.subject_id = u.interaction_id
		WHERE v.at >= $5 AND v.at < $6 AND v.norm <> 0.5 AND `+isTopic(`v.topic`, `$7`)+
		counter.IsAgent(`v.agent_type`, 8, len(names))+` GROUP BY v.topic`,
		append([]any{c.ID, db.Ms(c.InUse()), db.Ms(end), maxUses, db.Ms(since.From), db.Ms(f.To), topic},
			args(names)...),
		func(rows db.Row) error {
			var name string
			var part, whole, subjects int
			err := rows.Scan(&name, &part, &whole, &subjects)
			topics, c.Shown = append(topics, counter.One(name)), c.Shown+subjects
			with.Part, with.Whole = with.Part+part, with.Whole+whole
			return err
		}); err != nil {
		return err
	}
	all, err := s.voted(tx, since, topics)
	if err == nil && c.What == "in" && all.Whole-with.Whole < fewOthers {
		c.Earlier = true
		all, err = s.voted(tx, f, topics)
	}
	part := max(all.Part-with.Part, 0)
	c.With, c.Without = estimate.Of(with.Part, with.Whole), estimate.Of(part, max(all.Whole-with.Whole, part))
	return err
}

// voted is what was voted on topics over the range of f.
func (s scope) voted(tx *db.Tx, f Filter, topics []string) (all estimate.Share, err error) {
	found, err := s.split(tx, f, byTopic, topics, counter.Positive, counter.Negative)
	for _, m := range found {
		good, bad := int(m[counter.Positive].n), int(m[counter.Negative].n)
		all.Part, all.Whole = all.Part+good, all.Whole+good+bad
	}
	return all, err
}
