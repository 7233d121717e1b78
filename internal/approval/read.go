package approval

import (
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// changes reads changes, each with who agreed to what took its place.
const changes = `SELECT c.id, c.kind, c.subject, c.version, c.base, c.payload, c.reason, c.state, c.proposed_by,
	c.proposed_name, c.proposed_at,
		c.decided_by, c.decided_name, c.decided_at, c.answer, coalesce(n.decided_by, ''), coalesce(n.decided_name, ''),
			coalesce(n.decided_at, 0)
	FROM approval c LEFT JOIN approval n ON c.state IN ('agreed', 'made') AND n.kind = c.kind
		AND n.state IN ('agreed', 'made') AND n.version = (
		SELECT min(o.version) FROM approval o
		WHERE o.kind = c.kind AND o.subject = c.subject AND o.state IN ('agreed', 'made') AND o.version > c.version) `

func scan(row db.Row) (c Change, err error) {
	err = row.Scan(&c.ID, &c.Kind, &c.Subject, &c.Version, &c.Base, &c.Payload, &c.Reason, &c.State, &c.Proposed.By,
		&c.Proposed.Name, db.At(&c.Proposed.At),
		&c.Decided.By, &c.Decided.Name, db.At(&c.Decided.At), &c.Answer, &c.Replaced.By, &c.Replaced.Name,
		db.At(&c.Replaced.At))
	return c, err
}

func listTx(tx *db.Tx, where string, args ...any) ([]Change, error) {
	return db.List(tx, "approval: list", scan, changes+where, args...)
}

// ErrNone is that there is no such change.
var ErrNone = fault.New(fault.NotFound, "There is no such change. It may be listed under another version.")

// ByID reads one change; NotFound when there is none.
func ByID(tx *db.Tx, id string) (Change, error) {
	return scan(db.One(tx, "approval: read a change", changes+`WHERE c.id = $1`, id).Or(ErrNone))
}

// ByVersion reads the change of this number; NotFound when there is none.
func ByVersion(tx *db.Tx, kind string, version int) (Change, error) {
	return scan(db.One(tx, "approval: read a version", changes+`WHERE c.kind = $1 AND c.version = $2`, kind,
		version).Or(ErrNone))
}

// InForce are the changes of a kind that are in force, at most one for each subject.
func InForce(tx *db.Tx, kind string) ([]Change, error) {
	return listTx(tx, `WHERE c.kind = $1 AND c.state IN ('agreed', 'made') AND c.version IN (
		SELECT max(o.version) FROM approval o WHERE o.kind = $1 AND o.state IN ('agreed', 'made') GROUP BY o.subject)
			ORDER BY c.version DESC`, kind)
}

// NewestAgreed is the newest change of a subject that two people agreed to; ok: there is one.
func NewestAgreed(tx *db.Tx, kind, subject string) (c Change, ok bool, err error) {
	list, err := listTx(tx, `WHERE c.kind = $1 AND c.subject = $2 AND c.state = 'agreed'
		ORDER BY c.version DESC LIMIT 1`, kind, subject)
	if len(list) > 0 {
		return list[0], true, err
	}
	return c, false, err
}

// InForceOf are those of two subjects, which may be the same.
func InForceOf(tx *db.Tx, kind, subject, other string) ([]Change, error) {
	return listTx(tx, `WHERE c.kind = $1 AND c.state IN ('agreed', 'made') AND c.version IN (
		SELECT max(o.version) FROM approval o WHERE o.kind = $1 AND o.state IN ('agreed', 'made')
			AND o.subject IN ($2, $3) GROUP BY o.subject)`,
		kind, subject, other)
}

// OpenOf are the changes of a kind that wait, the oldest first.
func OpenOf(tx *db.Tx, kind string) ([]Change, error) {
	return listTx(tx, `WHERE c.state = 'proposed' AND c.kind = $1 ORDER BY c.proposed_at, c.id`, kind)
}

// Decided are the newest changes of a kind but for those that were withdrawn.
func Decided(tx *db.Tx, kind string, limit int) ([]Change, error) {
	return listTx(tx, `WHERE c.kind = $1 AND c.state <> 'withdrawn'
		ORDER BY c.proposed_at DESC, c.id DESC LIMIT $2`, kind, limit)
}

// Of are the changes of a subject, the newest first.
func Of(tx *db.Tx, kind, subject string) ([]Change, error) {
	return listTx(tx, `WHERE c.kind = $1 AND c.subject = $2
		ORDER BY c.proposed_at DESC, c.id DESC LIMIT 200`, kind, subject)
}

// List is a page of the numbered changes of a kind, the newest first, below a version.
func List(tx *db.Tx, kind string, before, limit int) ([]Change, error) {
	return listTx(tx, `WHERE c.kind = $1 AND c.version > 0 AND c.version < $2
		ORDER BY c.version DESC LIMIT $3`, kind, before, limit)
}
