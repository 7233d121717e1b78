package knowledge

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"preceptor/internal/platform/db"
)

// Sizes counts what is in use.
func (b *Base) Sizes(ctx context.Context) (s Size, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		return b.counts.read(tx, func(c *counts) { s = c.now })
	})
	return s, err
}

// Stand is the number of the base's newest version, and what is in use then.
func (b *Base) Stand(ctx context.Context) (seq int64, s Size, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		if seq, err = lastSeq(tx); err != nil {
			return err
		}
		return b.counts.read(tx, func(c *counts) { s = c.now })
	})
	return seq, s, err
}

// Seq is the number of the base's newest version.
func (b *Base) Seq(ctx context.Context) (int64, error) { return db.Read(ctx, b.db, lastSeq) }

// Moved is what came into use between two versions of the base, and what left it.
type Moved struct {
	RulesIn, RulesOut []string // ids, each as it stands at the end
	CasesIn, CasesOut int
}

// None reports whether nothing moved.
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
		FROM knowledge_rule_version v LEFT JOIN knowledge_rule_version p ON p.rule_id = v.rule_id
			AND p.version = v.version - 1
		UNION ALL
		SELECT v.seq, v.case_id, 'c', v.status, coalesce(p.status, '')
		FROM knowledge_case_version v LEFT JOIN knowledge_case_version p ON p.case_id = v.case_id
			AND p.version = v.version - 1
	) AS moved WHERE seq > $1 AND seq <= $2 ORDER BY seq`

// counts is what the base held at each moment, made from its versions. Every change of a case or rule is a version with
// the next number (nextSeq), and none changes its status afterwards, so that following the numbers is enough: a page
// counts what was written since the last one, and the first page after a start everything, along an index that holds no
// text. Queries would take 60 ms for the sizes of 100,000 cases, which stand on every page, and a second for their
// growth. The zero value has followed nothing.
type counts struct {
	mu    sync.Mutex
	next  int64 // the least number that was not counted; versions from before there were numbers have 0
	first int64 // when the first of them was written; 0: there is none
	now   Size
	moves []move
}

// move is a case or rule that came into use, or left it, or was flagged or no more.
type move struct {
	at          int64  // as stored
	source      string // of a case; "" for a rule
	by, flagged int8   // -1 to 1
}

// movesSQL are the versions from a number on with what stood before each. Before a first version is nothing, and
// nothing is looked for.
const movesSQL = `SELECT v.seq, v.created_at, c.source, v.status, v.flagged, coalesce(p.status, ''),
	coalesce(p.flagged, 0)
	FROM knowledge_case_version v JOIN knowledge_case c ON c.id = v.case_id
		LEFT JOIN knowledge_case_version p ON p.case_id = v.case_id AND p.version = CASE
			WHEN v.version > 1 THEN v.version - 1 END
	WHERE v.seq >= $1
	UNION ALL SELECT v.seq, v.created_at, '', v.status, 0, coalesce(p.status, ''), 0
	FROM knowledge_rule_version v LEFT JOIN knowledge_rule_version p ON p.rule_id = v.rule_id AND p.version = CASE
		WHEN v.version > 1 THEN v.version - 1 END
	WHERE v.seq >= $1`

// read brings the counts up to what tx sees and hands them to f. tx must be a reader's: what it sees is committed. One
// that began earlier than the one before gets the newer counts.
func (c *counts) read(tx *db.Tx, f func(*counts)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	// What was read is kept only when all of it could be.
	next, first, now, moves := c.next, c.first, c.now, c.moves
	err := db.Each(tx, "knowledge: count versions", func(row db.Row) error {
		var seq int64
		var m move
		var status, before string
		var flagged, wasFlagged int8
		err := row.Scan(&seq, &m.at, &m.source, &status, &flagged, &before, &wasFlagged)
		if next = max(next, seq+1); first == 0 || m.at < first {
			first = m.at
		}
		if status == Active {
			m.by, m.flagged = 1, flagged
		}
		if before == Active {
			m.by, m.flagged = m.by-1, m.flagged-wasFlagged
		}
		if m.by != 0 || m.flagged != 0 {
			now.move(m)
			moves = append(moves, m)
		}
		return err
	}, movesSQL, c.next)
	if err != nil {
		return err
	}
	c.next, c.first, c.now, c.moves = next, first, now, moves
	f(c)
	return nil
}

// QuarantineTx reports whether a rule other than this one is in quarantine.
func (b *Base) QuarantineTx(tx *db.Tx, but string) (bool, error) {
	return db.Value[bool](tx, "knowledge: is a rule in quarantine",
		`SELECT EXISTS (SELECT 1 FROM knowledge_rule WHERE status = $1 AND id <> $2)`, Quarantined, but)
}
