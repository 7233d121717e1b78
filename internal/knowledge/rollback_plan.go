package knowledge

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/search"
)

// What a rollback does to an item.
const (
	RollbackBack    = "back"    // comes back into use
	RollbackOut     = "out"     // leaves use: it was not in use then, or was not there
	RollbackChanged = "changed" // stays in use and says what it said then
	LeftErased      = "erased"  // stays as it is: what it said then was erased
	LeftQuarantined = "quarantined"
	RollbackWaits   = "waits" // what it said then would not pass the gate now (Vet), so that it waits for a person
)

// RollbackItem is what a rollback does, or would do, to one item.
type RollbackItem struct {
	Kind    string // search.KindCase or search.KindRule
	ID      string
	Label   string
	Title   string
	From    int    // the version that holds
	To      int    // the version whose text is put back; From when only the status changes
	Status  string // after it
	Outcome string // RollbackBack, RollbackOut, RollbackChanged, RollbackWaits, LeftErased or LeftQuarantined
	Why     string // of RollbackWaits
	Before  string // what it says now, or said when it left use, to show the difference
	After   string // what it will say
	Version int    // that says so

	// A wording that begins on a day to come: what will hold from then on, or when the one begins that is dropped.
	Next     string
	NextFrom time.Time
	Dropped  time.Time

	held     int // the version that holds until Next begins and is put back before it; 0 for none
	document bool
}

// LeftOut reports whether the rollback leaves the item as it is although it was different then.
func (i RollbackItem) LeftOut() bool { return i.Outcome == LeftErased || i.Outcome == LeftQuarantined }

// moment is an item as it is and as it was.
type moment struct {
	kind, id   string
	agent      string
	source     string // of a case
	number     int
	head, then version
	// The newest versions since then that were quarantined and in use; 0 for none.
	quarantined, active int
}

// version is what the plan asks of a version; number 0 is none.
type version struct {
	number  int
	status  string
	content string
	rest    string // what else it says: domain, dates and the like
	erased  bool
	from    time.Time // when it begins
}

func (v version) says(w version) bool { return v.content == w.content && v.rest == w.rest }

// plan says what a rollback does to an item, as status, version whose text is put back, and outcome; "" leaves it
// alone. In use is what counts: candidates are on their way through a lesson and stay there, and what is out of use and
// was out of use stays as it is. What goes out of use is retired and never put in quarantine, from which no rollback
// could take it again.
func (m moment) plan() (status string, to int, outcome string) {
	if m.then.number == 0 || m.then.status != Active {
		if m.head.status != Active {
			return "", 0, ""
		}
		return Retired, m.head.number, RollbackOut
	}
	switch {
	case m.head.status == Active && m.head.says(m.then) && !m.head.erased:
		return "", 0, ""
	case m.head.erased || m.then.erased:
		return m.head.status, m.head.number, LeftErased
	case m.head.status == Quarantined || m.quarantined > m.active:
		return m.head.status, m.head.number, LeftQuarantined // a person ends a quarantine, and never a rollback
	case m.head.status == Active:
		return Active, m.then.number, RollbackChanged
	}
	return Active, m.then.number, RollbackBack
}

// item is the plan for m with what a page shows of it; ok is false when nothing happens to it.
func (m moment) item() (it RollbackItem, ok bool) {
	it = RollbackItem{Kind: m.kind, ID: m.id, From: m.head.number,
		document: m.source == FromDocument}
	if it.Status, it.To, it.Outcome = m.plan(); it.Outcome == "" {
		return it, false
	}
	it.Title, it.Before = said(m.kind, m.head)
	it.Label = Rule{Number: m.number}.Label()
	if m.kind == search.KindCase {
		it.Label = Case{Number: m.number}.Label()
	}
	it.After, it.Version = it.Before, it.From
	if it.To == m.then.number && it.To != 0 {
		it.Title, it.After = said(m.kind, m.then)
		it.Version = it.To
	}
	return it, true
}

// said is the title and the text of a version; one that was erased says nothing.
func said(kind string, v version) (title, text string) {
	w := Version{Case: &CaseText{}}
	into := any(w.Case)
	if kind == search.KindRule {
		w = Version{Rule: &RuleText{}}
		into = w.Rule
	}
	if v.erased || json.Unmarshal([]byte(v.content), into) != nil {
		return "", ""
	}
	return w.said()
}

func (v Version) said() (title, text string) {
	if v.Rule != nil {
		return v.Rule.Title, v.Rule.Principle
	}
	return v.Case.Title, cmp.Or(v.Case.Guidance, v.Case.Negative)
}

// dated gives an item the wordings in use where its newest may not have begun: what held last, and what will hold.
func (b *Base) dated(tx *db.Tx, m moment, it RollbackItem) (RollbackItem, error) {
	if it.Outcome == LeftErased || m.head.from.IsZero() && m.then.from.IsZero() {
		return it, nil
	}
	life, err := versionsOf(tx, m.kind, m.id)
	if err != nil {
		return it, err
	}
	last := LastInForce(life, tx.Now)
	if last != nil {
		_, it.Before = last.said()
	}
	if it.Outcome != RollbackBack && it.Outcome != RollbackChanged {
		if last != nil && it.Outcome != RollbackWaits {
			it.Title, it.After = last.said()
			it.Version = last.Version
		}
		return it, nil
	}
	if it.Outcome == RollbackChanged && m.head.from.After(tx.Now) && !m.head.says(m.then) {
		it.Dropped = m.head.from
	}
	if !m.then.from.After(tx.Now) {
		return it, nil
	}
	it.Next, it.NextFrom, it.After = it.After, m.then.from, ""
	then := slices.IndexFunc(life, func(v Version) bool { return v.Version == it.To })
	held := InForce(life[then:], tx.Now)
	if held == nil {
		return it, nil
	}
	if m.kind == search.KindRule {
		r, err := ruleAtTx(tx, m.id, held.Version)
		if err != nil {
			return it, err
		}
		switch err := b.gateTx(tx, r); {
		case fault.Is(err, fault.Invalid):
			return it, nil // nothing holds until the day
		case err != nil:
			return it, err
		}
	}
	it.held, it.Version = held.Version, held.Version
	it.Title, it.After = held.said()
	return it, nil
}

// changedRules are the rules with a version since then; changedCases likewise. Only what changed is looked at, through
// the index on seq: with an id that is put together the engine does not walk the table in the order of ids instead.
const changedRules = `SELECT c.id, c.number, c.agent_id, '',
		h.version, h.status, h.content, h.domain || ' ' || h.valid_from || ' ' || h.valid_to, h.erased_at, h.valid_from,
		coalesce(t.version, 0), coalesce(t.status, ''), coalesce(t.content, ''),
			coalesce(t.domain || ' ' || t.valid_from || ' ' || t.valid_to, ''),
		coalesce(t.erased_at, 0),
			coalesce(t.valid_from, 0),
		coalesce((SELECT max(q.version) FROM knowledge_rule_version q
			WHERE q.rule_id = c.id AND q.seq > $1 AND q.status = 'quarantined'), 0),
		coalesce((SELECT max(a.version) FROM knowledge_rule_version a
			WHERE a.rule_id = c.id AND a.seq > $2 AND a.status = 'active'), 0)
	FROM (SELECT DISTINCT rule_id || '' AS rule_id FROM knowledge_rule_version WHERE seq > $3) s
		JOIN knowledge_rule c ON c.id = s.rule_id
		JOIN knowledge_rule_version h ON h.rule_id = c.id AND h.version = c.version
		LEFT JOIN knowledge_rule_version t ON t.rule_id = c.id
			AND t.version = (SELECT max(w.version) FROM knowledge_rule_version w WHERE w.rule_id = c.id AND w.seq <= $4)
	ORDER BY c.number`

const changedCases = `SELECT c.id, c.number, c.agent_id, c.source,
		h.version, h.status, h.content,
			h.task || ' ' || h.domain || ' ' || h.exemplar || h.approved || ' ' || h.valid_from || ' ' || h.valid_to,
			h.erased_at, h.valid_from,
		coalesce(t.version, 0), coalesce(t.status, ''), coalesce(t.content, ''),
		coalesce(t.task || ' ' || t.domain || ' ' || t.exemplar || t.approved || ' ' || t.valid_from || ' ' || t.valid_to, ''), coalesce(t.erased_at, 0), coalesce(t.valid_from, 0),
		coalesce((SELECT max(q.version) FROM knowledge_case_version q
			WHERE q.case_id = c.id AND q.seq > $1 AND q.status = 'quarantined'), 0),
		coalesce((SELECT max(a.version) FROM knowledge_case_version a
			WHERE a.case_id = c.id AND a.seq > $2 AND a.status = 'active'), 0)
	FROM (SELECT DISTINCT case_id || '' AS case_id FROM knowledge_case_version WHERE seq > $3) s
		JOIN knowledge_case c ON c.id = s.case_id
		JOIN knowledge_case_version h ON h.case_id = c.id AND h.version = c.version
		LEFT JOIN knowledge_case_version t ON t.case_id = c.id
			AND t.version = (SELECT max(w.version) FROM knowledge_case_version w WHERE w.case_id = c.id AND w.seq <= $4)
	ORDER BY c.number`

// gated leaves a rule waiting whose text would come into use and does not pass the gate.
func (b *Base) gated(tx *db.Tx, m moment, it RollbackItem) (RollbackItem, error) {
	if it.Kind != search.KindRule || it.Status != Active || it.To != m.then.number {
		return it, nil
	}
	var text RuleText
	if err := json.Unmarshal([]byte(m.then.content), &text); err != nil {
		return it, fmt.Errorf("knowledge: plan a rollback: %w", err)
	}
	packName, err := b.packOf(tx, m.agent)
	if err != nil {
		return it, err
	}
	if why := b.vetText(packName, text); why != nil {
		it.Status, it.Outcome, it.Why = Candidate, RollbackWaits, fault.First(why)
	}
	return it, nil
}

// planTx is what putting the base back to a state would do, rules first, by number.
func (b *Base) planTx(tx *db.Tx, s State) (list []RollbackItem, err error) {
	for _, part := range []struct{ kind, query string }{{search.KindRule, changedRules},
		{search.KindCase, changedCases}} {
		err := db.Each(tx, "knowledge: plan a rollback", func(row db.Row) error {
			m := moment{kind: part.kind}
			var erased, erasedThen int64
			if err := row.Scan(&m.id, &m.number, &m.agent, &m.source, &m.head.number, &m.head.status, &m.head.content,
				&m.head.rest, &erased, db.At(&m.head.from),
				&m.then.number, &m.then.status, &m.then.content, &m.then.rest, &erasedThen, db.At(&m.then.from),
				&m.quarantined, &m.active); err != nil {
				return err
			}
			m.head.erased, m.then.erased = erased > 0, erasedThen > 0
			it, ok := m.item()
			if !ok {
				return nil
			}
			it, err := b.gated(tx, m, it)
			if err == nil {
				it, err = b.dated(tx, m, it)
			}
			list = append(list, it)
			return err
		}, part.query, s.Seq, s.Seq, s.Seq, s.Seq)
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}
