package knowledge

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"preceptor/internal/db"
)

// Sizes counts what is active.
type Sizes struct {
	Cases, Flagged                int
	ActiveRules, QuarantinedRules int
	BySource                      map[string]int // active cases
}

// Sizes counts the base.
func (b *Base) Sizes(ctx context.Context) (s Sizes, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		return b.counts.read(tx, func(c *counts) {
			s = c.sizes
			s.BySource = maps.Clone(c.sizes.BySource)
		})
	})
	return s, err
}

// Stand is the number of the base's newest version, and what is in use then.
func (b *Base) Stand(ctx context.Context) (seq int64, s Sizes, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		if seq, err = lastSeq(tx); err != nil {
			return err
		}
		return b.counts.read(tx, func(c *counts) { s = c.sizes })
	})
	return seq, s, err
}

// Moved is what came into use between two versions of the base, and what left it.
type Moved struct {
	RulesIn, RulesOut []string // ids, each as it stands at the end
	CasesIn, CasesOut int
}

// None tells whether nothing moved.
func (m Moved) None() bool { return len(m.RulesIn)+len(m.RulesOut)+m.CasesIn+m.CasesOut == 0 }

// Moved is what moved after a version, up to another.
func (b *Base) Moved(ctx context.Context, after, upTo int64) (m Moved, err error) {
	was, is := map[string]bool{}, map[string]bool{}
	follow := func(row db.Row) error {
		var itemID, kind, status, before string
		if err := row.Scan(&itemID, &kind, &status, &before); err != nil {
			return err
		}
		if _, seen := was[kind+itemID]; !seen {
			was[kind+itemID] = before == Active
		}
		is[kind+itemID] = status == Active
		return nil
	}
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "knowledge: what moved", follow, movedSQL, after, upTo)
	})
	for _, key := range slices.Sorted(maps.Keys(is)) {
		in, isRule := is[key], strings.HasPrefix(key, "r")
		switch {
		case in == was[key]:
		case isRule && in:
			m.RulesIn = append(m.RulesIn, key[1:])
		case isRule:
			m.RulesOut = append(m.RulesOut, key[1:])
		case in:
			m.CasesIn++
		default:
			m.CasesOut++
		}
	}
	return m, err
}

const movedSQL = `SELECT id, kind, status, before FROM (
		SELECT v.seq AS seq, v.rule_id AS id, 'r' AS kind, v.status AS status, coalesce(p.status, '') AS before
		FROM knowledge_rule_version v LEFT JOIN knowledge_rule_version p ON p.rule_id = v.rule_id AND p.version = v.version - 1
		UNION ALL
		SELECT v.seq, v.case_id, 'c', v.status, coalesce(p.status, '')
		FROM knowledge_case_version v LEFT JOIN knowledge_case_version p ON p.case_id = v.case_id AND p.version = v.version - 1
	) AS moved WHERE seq > $1 AND seq <= $2 ORDER BY seq`

// counts is what the base held at each moment, made from its versions. Every change of a case or rule is a version with the next number
// (nextSeq), and none changes its status afterwards, so that following the numbers is enough: a page counts what was written since the last
// one, and the first page after a start everything, along an index that holds no text. The zero value has followed nothing.
type counts struct {
	mu    sync.Mutex
	begun bool
	seq   int64 // of the last version that was counted
	first int64 // when the first of them was written; 0: there is none
	sizes Sizes
	moves []move
}

// move is a case or rule that came into use, or left it.
type move struct {
	at     int64  // as stored
	source string // of a case; "" for a rule
	by     int8   // 1 or -1
}

// read brings the counts up to what tx sees and hands them to f. tx must be a reader's: what it sees is committed. One that began
// earlier than the one before gets the newer counts.
func (c *counts) read(tx *db.Tx, f func(*counts)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.begun {
		c.sizes.BySource, c.seq = map[string]int{}, -1 // versions from before there were numbers have 0
	}
	// What was read is kept only when all of it could be.
	next := counts{seq: c.seq, first: c.first, sizes: c.sizes}
	next.sizes.BySource = maps.Clone(c.sizes.BySource)
	if err := next.cases(tx, c.seq); err != nil {
		return fmt.Errorf("knowledge: count cases: %w", err)
	}
	if err := next.rules(tx, c.seq); err != nil {
		return fmt.Errorf("knowledge: count rules: %w", err)
	}
	c.begun, c.seq, c.first, c.sizes, c.moves = true, next.seq, next.first, next.sizes, append(c.moves, next.moves...)
	f(c)
	return nil
}

// caseMovesSQL and ruleMovesSQL are the versions after a number with what stood before each. Before a first version is nothing, and
// nothing is looked for.
const (
	caseMovesSQL = `SELECT v.seq, v.created_at, c.source, v.status, v.flagged, coalesce(p.status, ''), coalesce(p.flagged, 0)
		FROM knowledge_case_version v JOIN knowledge_case c ON c.id = v.case_id
			LEFT JOIN knowledge_case_version p ON p.case_id = v.case_id AND p.version = CASE WHEN v.version > 1 THEN v.version - 1 END
		WHERE v.seq > $1`
	ruleMovesSQL = `SELECT v.seq, v.created_at, v.status, coalesce(p.status, '')
		FROM knowledge_rule_version v LEFT JOIN knowledge_rule_version p ON p.rule_id = v.rule_id AND p.version = CASE WHEN v.version > 1 THEN v.version - 1 END
		WHERE v.seq > $1`
)

func (c *counts) met(seq, at int64) {
	c.seq = max(c.seq, seq)
	if c.first == 0 || at < c.first {
		c.first = at
	}
}

func (c *counts) cases(tx *db.Tx, after int64) error {
	return db.Each(tx, "knowledge: count cases", func(row db.Row) error {
		var seq, at int64
		var source, status, before string
		var flagged, wasFlagged int
		if err := row.Scan(&seq, &at, &source, &status, &flagged, &before, &wasFlagged); err != nil {
			return err
		}
		c.met(seq, at)
		if before == Active {
			c.addCase(source, -1, wasFlagged)
		}
		if status == Active {
			c.addCase(source, 1, flagged)
		}
		if (status == Active) != (before == Active) {
			c.moved(at, source, status == Active)
		}
		return nil
	}, caseMovesSQL, after)
}

func (c *counts) addCase(source string, by, flagged int) {
	c.sizes.Cases += by
	c.sizes.Flagged += by * flagged
	if c.sizes.BySource[source] += by; c.sizes.BySource[source] == 0 {
		delete(c.sizes.BySource, source)
	}
}

func (c *counts) moved(at int64, source string, in bool) {
	m := move{at: at, source: source, by: -1}
	if in {
		m.by = 1
	}
	c.moves = append(c.moves, m)
}

func (c *counts) rules(tx *db.Tx, after int64) error {
	return db.Each(tx, "knowledge: count rules", func(row db.Row) error {
		var seq, at int64
		var status, before string
		if err := row.Scan(&seq, &at, &status, &before); err != nil {
			return err
		}
		c.met(seq, at)
		c.addRule(before, -1)
		c.addRule(status, 1)
		if (status == Active) != (before == Active) {
			c.moved(at, "", status == Active)
		}
		return nil
	}, ruleMovesSQL, after)
}

func (c *counts) addRule(status string, by int) {
	switch status {
	case Active:
		c.sizes.ActiveRules += by
	case Quarantined:
		c.sizes.QuarantinedRules += by
	}
}
