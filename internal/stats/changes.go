package stats

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"preceptor/internal/db"
	"preceptor/internal/estimate"
	"preceptor/internal/stats/tally"
)

// The bounds of Changes.
const (
	// lead is how long before what stood out changes are looked for: a rule is shown, an answer waits for its review, and a customer
	// votes days later.
	lead = 4 * 24 * time.Hour
	// maxChanges is how many changes of each kind are shown, the newest first.
	maxChanges = 40
	// maxUses is how many of the newest answers made with a rule its votes are taken from.
	maxUses = 20_000
	// fewOthers is below how many votes on other answers since the change those of the days before it are taken in: a rule that
	// nearly every answer of its topic was made with has nothing beside it but what was before. Of one that was reworded, what was
	// before had it too.
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
		from, to := db.Ms(around.From.Add(-lead)), db.Ms(around.To)
		for _, read := range []func(*db.Tx, int64, int64) ([]Change, error){ruleChanges, checkChanges, policyChanges, lineChanges, thresholdChanges} {
			list, err := read(tx, from, to)
			if err != nil {
				return fmt.Errorf("stats: what changed: %w", err)
			}
			p.Changes = append(p.Changes, list...)
		}
		return newVoices(tx, f).weigh(p.Changes)
	})
	slices.SortStableFunc(p.Changes, func(a, b Change) int {
		if s, t := a.Suspect(), b.Suspect(); s != t {
			return cmp.Compare(fall(t), fall(s))
		} else if s {
			return cmp.Compare(b.Without.Value()-b.With.Value(), a.Without.Value()-a.With.Value())
		}
		return b.At.Compare(a.At)
	})
	return p, err
}

func fall(b bool) int {
	if b {
		return 1
	}
	return 0
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
			before := rest(w, out[i].Figure, within)
			out[i].Figure.Before = &before
		}
	}
	return out
}

// wording is what a version of a rule tells an advisor, read from its content; of an erased one nothing. Its evidence, its confidence
// and what it was made from are no part of it.
type wording struct {
	Title     string `json:"title"`
	Principle string `json:"principle"`
	Lead      bool   `json:"lead"`
}

func (w *wording) read(content string) error {
	if content == "" {
		return nil
	}
	return json.Unmarshal([]byte(content), w)
}

// ruleChanges are the versions of rules that put a rule in use, gave it new words or other days, or took it out. A version may be
// written for a case that was added to the evidence, which changes nothing for anybody, so they are read until there are enough.
func ruleChanges(tx *db.Tx, from, to int64) (out []Change, err error) {
	err = each(tx, `SELECT v.rule_id, r.number, v.status, coalesce(p.status, ''), v.content, coalesce(p.content, ''), v.valid_from <> coalesce(p.valid_from, 0) OR v.valid_to <> coalesce(p.valid_to, 0),
			coalesce(a.name, ''), v.reason, v.created_at
		FROM knowledge_rule_version v JOIN knowledge_rule r ON r.id = v.rule_id
		LEFT JOIN knowledge_rule_version p ON p.rule_id = v.rule_id AND p.version = v.version - 1 LEFT JOIN account a ON a.id = v.by_id
		WHERE v.created_at >= $1 AND v.created_at < $2 AND (v.status = 'active' OR p.status = 'active') ORDER BY v.created_at DESC`,
		[]any{from, to}, func(rows db.Row) error {
			c := Change{Kind: "rule", Href: true}
			var number int
			var status, before, content, old string
			var otherDays bool
			if err := rows.Scan(&c.ID, &number, &status, &before, &content, &old, &otherDays, &c.By, &c.Why, db.At(&c.At)); err != nil {
				return err
			}
			var now, was wording
			if err := errors.Join(now.read(content), was.read(old)); err != nil {
				return err
			}
			c.Name, c.Title = "R-"+strconv.Itoa(number), now.Principle
			switch {
			case status != "active":
				c.What = "out"
			case before != "active":
				c.What = "in"
			case now != was:
				c.What = "new"
			case otherDays:
				c.What = "days"
			default:
				return nil
			}
			if out = append(out, c); len(out) == maxChanges {
				return errEnough
			}
			return nil
		})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return out, err
}

// errEnough ends a reading of rows.
var errEnough = errors.New("enough")

func checkChanges(tx *db.Tx, from, to int64) (out []Change, err error) {
	err = each(tx, `SELECT s.check_id, coalesce(v.code, s.check_id), coalesce(v.title, ''), s.is_on, s.by_name, s.reason, CASE WHEN s.answered_at > 0 THEN s.answered_at ELSE s.at END AS moment
		FROM check_switch s LEFT JOIN check_version v ON v.check_id = s.check_id AND v.version = s.version
		WHERE s.state = 'done' AND (s.answered_at >= $1 AND s.answered_at < $2 OR s.answered_at = 0 AND s.at >= $1 AND s.at < $2) ORDER BY moment DESC LIMIT $3`,
		[]any{from, to, maxChanges}, func(rows db.Row) error {
			c := Change{Kind: "check", Href: true, What: "out"}
			var on bool
			var at int64
			if err := rows.Scan(&c.ID, &c.Name, &c.Title, &on, &c.By, &c.Why, &at); err != nil {
				return err
			}
			if c.At = db.Time(at); on {
				c.What = "in"
			}
			out = append(out, c)
			return nil
		})
	return out, err
}

func policyChanges(tx *db.Tx, from, to int64) (out []Change, err error) {
	err = each(tx, `SELECT id, version, proposed_name, why, agreed_at FROM policy WHERE state IN ('active', 'superseded') AND agreed_at >= $1 AND agreed_at < $2
		ORDER BY agreed_at DESC LIMIT $3`, []any{from, to, maxChanges}, func(rows db.Row) error {
		c := Change{Kind: "policy", Href: true, What: "in"}
		var version int
		if err := rows.Scan(&c.ID, &version, &c.By, &c.Why, db.At(&c.At)); err != nil {
			return err
		}
		c.Name = "v" + strconv.Itoa(version)
		out = append(out, c)
		return nil
	})
	return out, err
}

// lineChanges are versions of the rubric, which says where the line is, and of the list of issues that experts name. The first one of
// each comes with the program and rewords nothing.
func lineChanges(tx *db.Tx, from, to int64) (out []Change, err error) {
	err = each(tx, `SELECT kind, version, by_name, reason, agreed_at FROM rubric WHERE state = 'in_force' AND version > 1 AND agreed_at >= $1 AND agreed_at < $2
		ORDER BY agreed_at DESC LIMIT $3`, []any{from, to, maxChanges}, func(rows db.Row) error {
		c := Change{Kind: "line", Href: true, What: "new"}
		var kind string
		var version int
		if err := rows.Scan(&kind, &version, &c.By, &c.Why, db.At(&c.At)); err != nil {
			return err
		}
		if kind == "taxonomy" {
			c.Kind = kind
		}
		c.ID, c.Name = kind, "v"+strconv.Itoa(version)
		out = append(out, c)
		return nil
	})
	return out, err
}

func thresholdChanges(tx *db.Tx, from, to int64) (out []Change, err error) {
	err = each(tx, `SELECT id, version, CASE WHEN ended_at >= $1 AND ended_at < $2 AND state = 'off' THEN 'out' ELSE 'in' END, switched_name, switched_why,
			CASE WHEN ended_at >= $1 AND ended_at < $2 AND state = 'off' THEN ended_at ELSE switched_at END AS moment
		FROM judge_threshold WHERE switched_at >= $1 AND switched_at < $2 OR state = 'off' AND ended_at >= $1 AND ended_at < $2 ORDER BY moment DESC LIMIT $3`,
		[]any{from, to, maxChanges}, func(rows db.Row) error {
			c := Change{Kind: "threshold", Href: true}
			var version int
			if err := rows.Scan(&c.ID, &version, &c.What, &c.By, &c.Why, db.At(&c.At)); err != nil {
				return err
			}
			c.Name = "v" + strconv.Itoa(version)
			out = append(out, c)
			return nil
		})
	return out, err
}

// voices reads what users thought of answers made with a rule, and of the others on the same topics.
type voices struct {
	tx    *db.Tx
	f     Filter
	scope scope
	days  map[string]sheet // by topic
}

func newVoices(tx *db.Tx, f Filter) *voices { return &voices{tx: tx, f: f, days: map[string]sheet{}} }

// weigh sets the votes beside each rule's change.
func (v *voices) weigh(list []Change) (err error) {
	if v.scope, err = scopeOf(v.tx, v.f, false); err != nil {
		return err
	}
	for i := range list {
		if list[i].Kind == "rule" && list[i].What != "out" {
			if err := v.of(&list[i]); err != nil {
				return fmt.Errorf("stats: votes on a rule: %w", err)
			}
			err := db.One(v.tx, "stats: when experts were asked about a rule", `SELECT coalesce(max(at), 0) FROM notice WHERE kind = 'asked' AND object_id = $1`, list[i].ID).Scan(db.At(&list[i].Asked))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// of reads the votes from the day of the change on: on answers that were made with the rule since then, and on the others; where
// there are few others (fewOthers), those of the days before as well.
func (v *voices) of(c *Change) error {
	from := midnight(c.At, v.f.zone())
	if from.Before(v.f.From) {
		from = v.f.From
	}
	with := map[string]sums{} // by topic: n votes, sum of them positive
	topic, _ := v.f.subject()
	err := each(v.tx, `SELECT v.topic, sum(CASE WHEN v.norm > 0.5 THEN 1 ELSE 0 END), count(*), count(DISTINCT v.subject_id)
		FROM (SELECT interaction_id FROM knowledge_usage WHERE item_id = $1 AND created_at >= $2 ORDER BY created_at DESC LIMIT $3) u
		CROSS JOIN vote v ON v.subject_id = u.interaction_id
		WHERE v.at >= $4 AND v.at < $5 AND v.norm <> 0.5 AND ($6 = '' OR v.agent_type = $6) AND `+isTopic(`v.topic`, `$7`)+` GROUP BY v.topic`,
		[]any{c.ID, db.Ms(c.At), maxUses, db.Ms(from), db.Ms(v.f.To), v.f.Agent, topic}, func(rows db.Row) error {
			var name string
			var part, whole, subjects int
			if err := rows.Scan(&name, &part, &whole, &subjects); err != nil {
				return err
			}
			with[name] = sums{n: int64(whole), sum: int64(part)}
			c.Shown += subjects
			return nil
		})
	if err != nil {
		return err
	}
	var on sums
	for _, s := range with {
		on = on.plus(s)
	}
	all, err := v.voted(with, from)
	if err == nil && c.What == "in" && all.n-on.n < fewOthers {
		all, err = v.voted(with, v.f.From)
	}
	if err != nil {
		return err
	}
	c.With = estimate.Of(int(on.sum), int(on.n))
	c.Without = estimate.Of(int(max(all.sum-on.sum, 0)), int(max(all.n-on.n, max(all.sum-on.sum, 0), 0)))
	return nil
}

// voted is what was voted on the topics from a day on.
func (v *voices) voted(topics map[string]sums, from time.Time) (all sums, err error) {
	span := Range{From: from, To: v.f.To, Zone: v.f.Zone}
	for name := range topics {
		days, err := v.topic(name)
		if err != nil {
			return all, err
		}
		good, bad := days.over(span, tally.Positive), days.over(span, tally.Negative)
		all = all.plus(sums{n: good.n + bad.n, sum: good.n})
	}
	return all, nil
}

// topic is what was voted on a topic day by day.
func (v *voices) topic(name string) (sheet, error) {
	if s, ok := v.days[name]; ok {
		return s, nil
	}
	sc := v.scope
	sc.topic = tally.One(name)
	s, err := sc.read(v.tx, tally.Positive, tally.Negative)
	v.days[name] = s
	return s, err
}
