package counter

import (
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/estimate"
)

// MaxChanges is how many changes of each kind are read, the newest first.
const MaxChanges = 40

// Change is one thing that was put in use, or taken out of it.
type Change struct {
	Kind  string // rule, check, policy, line (the rubric), taxonomy (the issues that experts name), threshold, exemplar
	ID    string
	Name  string // R-34, the check's code, the policy's version
	Title string // the rule's sentence, the check's title; may be foreign text
	What  string // in: taken into use; new: a new wording; days: the same on other days; out: taken out of use
	By    string // who; "" for the program
	At    time.Time
	From  time.Time // the day to come, at At, on which it counts; zero: from At on
	Since time.Time // of a rule that was taken out of use: when it had come into use
	Why   string    // the reason that was given
	Href  bool      // whether there is a page for it

	Became // of rules alone: what became of it

	// Shown, With and Without say what users thought: of rules alone, from the ledger of what drafts were shown.
	Topic   string         // that they are about; "" is all on which it was used
	Shown   int            // interactions of the filter's range that were shown it, and that somebody voted on
	With    estimate.Share // positive of positive and negative votes on those
	Without estimate.Share // the same of all other interactions of that topic, or the same topics, in the same time
	Earlier bool           // and before it, where few voted on others since (fewOthers)
	Suspect bool           // the votes on what was shown it are worse than the others by more than chance
}

// Beside says what Without is of.
func (c Change) Beside() string {
	if c.Earlier {
		return "without it or before it came into use"
	}
	return "without it"
}

// InUse is from when on answers were made with a rule.
func (c Change) InUse() time.Time {
	if c.What == "out" {
		return c.Since
	}
	return c.At
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

// RuleChanges are the versions of rules that put a rule in use, gave it new words or other days, or took it out; what
// was taken out is the wording that held until then, and one that never began is none. A version may be written for a
// case that was added to the evidence, which changes nothing for anybody, so they are read until there are enough. One
// that begins later counts on the day on which it does, unless another came before it; until then it is only
// planned. ids are the rules; none: all.
func RuleChanges(tx *db.Tx, from, to int64, ids ...string) (out []Change, err error) {
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
		if out = append(out, c); len(out) == MaxChanges && only == `` {
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
		ORDER BY v.created_at DESC, v.rule_id DESC, v.version DESC`, append([]any{from, to}, db.Anys(ids)...)...)
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

// Changes are all changes from one moment to another.
func Changes(tx *db.Tx, from, to int64) ([]Change, error) {
	out, err := RuleChanges(tx, from, to)
	for _, query := range otherChanges {
		if err != nil {
			return nil, err
		}
		var some []Change
		some, err = db.Rows(tx, "stats: what changed", func(c *Change) []any {
			c.Href = true
			return []any{&c.Kind, &c.ID, &c.Name, &c.Title, &c.What, &c.By, &c.Why, db.At(&c.At)}
		}, query, from, to, MaxChanges)
		out = append(out, some...)
	}
	return out, err
}
