package counter

import (
	"errors"
	"time"

	"preceptor/internal/platform/db"
)

// Became is what became of a rule whatever changed: of one that is out of use its status, since when, and who decided
// that; and when experts were last asked to review it, zero for never.
type Became struct {
	Now      string
	NowSince time.Time
	NowBy    string
	Asked    time.Time
}

// Read reads it, the status from the first of the rule's last versions that have it.
func (s *Became) Read(tx *db.Tx, ruleID string) error {
	return errors.Join(db.One(tx, "stats: asks", `SELECT coalesce(max(at), 0)
		FROM notice WHERE kind = 'asked' AND object_id = $1`, ruleID).Scan(db.At(&s.Asked)),
		db.Each(tx, "stats: out of use", func(row db.Row) error {
			return row.Scan(&s.Now, db.At(&s.NowSince), &s.NowBy)
		}, `SELECT v.status, v.created_at, coalesce(a.name, '')
			FROM knowledge_rule_version v LEFT JOIN account a ON a.id = v.by_id
			WHERE v.rule_id = $1 AND v.status <> 'active' AND v.version > (SELECT coalesce(max(o.version), 0)
				FROM knowledge_rule_version o JOIN knowledge_rule r ON r.id = o.rule_id
				WHERE o.rule_id = $1 AND o.status <> r.status)
			ORDER BY v.version LIMIT 1`, ruleID))
}
