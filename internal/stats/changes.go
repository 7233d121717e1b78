package stats

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
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
	// maxChanges is how many changes of each kind are shown, the newest first.
	maxChanges = 40
	// maxUses is how many of the newest answers made with a rule its votes are taken from.
	maxUses = 20_000
	// maxBlamed is how many rules, those that most disliked answers of the days were made with, are weighed whenever they
	// came into use.
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
		if p.Changes, err = changesIn(tx, db.Ms(around.From.Add(-lead)), db.Ms(around.To)); err != nil {
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
			return !c.Suspect
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
	ids = slices.DeleteFunc(ids, func(id string) bool { return p.has(id) })
	if err != nil || len(ids) == 0 {
		return err
	}
	came, err := ruleChanges(tx, 0, db.Ms(in.To), ids...)
	for _, c := range came {
		if c.What == "in" && !p.has(c.ID) { // the last time
			p.Changes = append(p.Changes, c)
		}
	}
	return err
}

// has reports whether a rule that is in use is among the changes.
func (p *ChangesPage) has(id string) bool {
	return slices.ContainsFunc(p.Changes, func(c Change) bool {
		return c.Kind == "rule" && c.ID == id && c.What != "out"
	})
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

// wording is what a version of a rule tells an advisor, read from its content; of an erased one nothing. Its evidence,
// its confidence and what it was made from are no part of it.
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

// ruleChanges are the versions of rules that put a rule in use, gave it new words or other days, or took it out; what
// was taken out is the wording that held until then, and one that never began is none. A version may be written for a
// case that was added to the evidence, which changes nothing for anybody, so they are read until there are enough. One
// that begins later counts on the day on which it does, unless another came before it; until then it is only planned. ids are the rules; none: all.
func ruleChanges(tx *db.Tx, from, to int64, ids ...string) (out []Change, err error) {
	only := ``
	if len(ids) > 0 {
		only = ` AND v.rule_id IN (` + db.In(3, len(ids)) + `)`
	}
	err = db.Each(tx, "stats: what changed", func(rows db.Row) error {
		c := Change{Kind: "rule", Href: true}
		var number int
		var created, begins int64
		var status, before, content, old string
		var otherDays bool
		if err := rows.Scan(&c.ID, &number, &status, &before, &content, &old, &otherDays, &c.By, &c.Why, &created,
			&begins, db.At(&c.Since)); err != nil {
			return err
		}
		var now, was wording
		if err := errors.Join(now.read(content), was.read(old)); err != nil {
			return err
		}
		c.Name, c.Title = "R-"+strconv.Itoa(number), now.Principle
		switch {
		case status != "active" && c.Since.IsZero():
			return nil
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
		c.At = db.Time(created)
		switch dated := (c.What == "in" || c.What == "new") && begins > created; {
		case dated && begins >= from && begins < to:
			c.At = db.Time(begins)
		case created < from || created >= to:
			return nil
		case dated:
			c.From = db.Time(begins)
		}
		if out = append(out, c); len(out) == maxChanges && only == `` {
			return db.ErrEnough
		}
		return nil
	}, `SELECT v.rule_id, r.number, v.status, coalesce(p.status, ''), coalesce(h.content, v.content),
		coalesce(p.content, ''),
		v.valid_from <> coalesce(p.valid_from, 0) OR v.valid_to <> coalesce(p.valid_to, 0),
			coalesce(a.name, ''), v.reason, v.created_at, v.valid_from,
			coalesce((SELECT min(s.created_at) FROM knowledge_rule_version s
				WHERE s.rule_id = v.rule_id AND s.version <= h.version AND s.version > coalesce((
				SELECT max(o.version) FROM knowledge_rule_version o
				WHERE o.rule_id = v.rule_id AND o.version < h.version AND o.status <> 'active'), 0)), 0)
		FROM knowledge_rule_version v JOIN knowledge_rule r ON r.id = v.rule_id
		LEFT JOIN knowledge_rule_version p ON p.rule_id = v.rule_id AND p.version = v.version - 1
			LEFT JOIN account a ON a.id = v.by_id
		LEFT JOIN knowledge_rule_version h ON v.status <> 'active' AND h.rule_id = v.rule_id AND h.version = (
			SELECT max(b.version) FROM knowledge_rule_version b
			WHERE b.rule_id = v.rule_id AND b.version < v.version AND b.valid_from <= v.created_at)
			AND h.status = 'active' AND (h.valid_to = 0 OR h.valid_to > v.created_at)
		WHERE (v.created_at >= $1 AND v.created_at < $2 OR v.valid_from >= $1 AND v.valid_from < $2
			AND NOT EXISTS (SELECT 1 FROM knowledge_rule_version n
			WHERE n.rule_id = v.rule_id AND n.version > v.version AND n.created_at <= v.valid_from
				AND (n.status <> 'active' OR n.valid_from < v.valid_from)))
				AND (v.status = 'active' OR p.status = 'active')`+only+`
		ORDER BY v.created_at DESC, v.rule_id DESC, v.version DESC`, append([]any{from, to}, args(ids)...)...)
	return out, err
}

// otherChanges are the queries for what else was put in use, by kind, id, name, title, what, by, why and at. The first
// version of the rubric, which says where the line is, and of the list of issues that experts name come with the
// program and reword nothing.
var otherChanges = []string{
	`SELECT 'check', s.subject, coalesce(v.code, s.subject), coalesce(v.title, ''), CASE
		WHEN s.payload = replace(s.payload, '"on":true', '') THEN 'out' ELSE 'in' END, s.proposed_name, s.reason,
		s.decided_at
		FROM approval s LEFT JOIN check_version v ON v.check_id = s.subject
			AND s.payload <> replace(s.payload, '{"version":' || v.version || ',', '')
		WHERE s.kind = 'check' AND s.state IN ('agreed', 'made') AND s.decided_at >= $1 AND s.decided_at < $2
			ORDER BY s.decided_at DESC, s.id DESC LIMIT $3`,
	`SELECT 'policy', id, 'v' || version, CASE WHEN subject = '' THEN 'all agents'
		ELSE coalesce((SELECT g.name FROM agent g WHERE g.id = subject), '') END, 'in', proposed_name, reason,
		decided_at
		FROM approval WHERE kind = 'policy' AND state = 'agreed' AND decided_at >= $1 AND decided_at < $2
			ORDER BY decided_at DESC, id DESC LIMIT $3`,
	`SELECT CASE kind WHEN 'taxonomy' THEN kind ELSE 'line' END, subject, 'v' || version, '', 'new', proposed_name,
		reason, decided_at
		FROM approval r WHERE kind IN ('rubric', 'taxonomy') AND state IN ('agreed', 'made')
			AND decided_at >= $1 AND decided_at < $2
			AND version > (SELECT min(f.version) FROM approval f WHERE f.kind = r.kind AND f.subject = r.subject
				AND f.state IN ('agreed', 'made'))
			ORDER BY decided_at DESC, id DESC LIMIT $3`,
	`SELECT kind, id, 'v' || version, '', CASE WHEN ended_at >= $1 AND ended_at < $2
		AND state = 'off' THEN 'out' ELSE 'in' END, switched_name, switched_why,
			CASE WHEN ended_at >= $1 AND ended_at < $2 AND state = 'off' THEN ended_at ELSE switched_at END AS moment
		FROM judge_threshold WHERE switched_at >= $1 AND switched_at < $2 OR state = 'off' AND ended_at >= $1
			AND ended_at < $2 ORDER BY moment DESC, id DESC LIMIT $3`,
}

// changesIn are all changes from one moment to another.
func changesIn(tx *db.Tx, from, to int64) ([]Change, error) {
	out, err := ruleChanges(tx, from, to)
	for _, query := range otherChanges {
		if err != nil {
			return nil, err
		}
		var some []Change
		some, err = db.Rows(tx, "stats: what changed", func(c *Change) []any {
			c.Href = true
			return []any{&c.Kind, &c.ID, &c.Name, &c.Title, &c.What, &c.By, &c.Why, db.At(&c.At)}
		}, query, from, to, maxChanges)
		out = append(out, some...)
	}
	return out, err
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
