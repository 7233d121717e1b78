package knowledge

import (
	"context"
	"maps"
	"slices"
	"strings"

	"preceptor/internal/db"
)

// Sizes counts what is active.
type Sizes struct{ Cases, Documents, Rules int }

// Sizes counts the base, along indexes.
func (b *Base) Sizes(ctx context.Context) (Sizes, error) { return db.Read(ctx, b.db, sizesTx) }

func sizesTx(tx *db.Tx) (s Sizes, err error) {
	err = db.One(tx, "knowledge: count what is in use", `SELECT (SELECT count(*) FROM knowledge_case WHERE status = 'active'),
		(SELECT count(*) FROM knowledge_case WHERE source = 'document' AND status = 'active'),
		(SELECT count(*) FROM knowledge_rule WHERE status = 'active')`).Scan(&s.Cases, &s.Documents, &s.Rules)
	return s, err
}

// FlaggedCount is how many cases in use a person should look at.
func (b *Base) FlaggedCount(ctx context.Context) (int, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) (int, error) {
		return db.Value[int](tx, "knowledge: count flagged cases", `SELECT count(*) FROM knowledge_case WHERE flagged = 1 AND +status = 'active'`) // few are flagged, nearly all active
	})
}

// Stand is the number of the base's newest version, and what is in use then.
func (b *Base) Stand(ctx context.Context) (seq int64, s Sizes, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		if seq, err = lastSeq(tx); err != nil {
			return err
		}
		s, err = sizesTx(tx)
		return err
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
