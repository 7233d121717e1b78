package knowledge

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/fault"
	"preceptor/internal/search"
)

const caseColumns = `c.id, c.number, c.version, v.status, c.source, c.origin, c.agent_id, c.task, c.domain, c.exemplar,
	c.approved,
	c.created_at, c.updated_at, v.valid_from, v.valid_to, v.erased_at, v.content, v.by_kind, v.by_id, v.reason,
	c.interaction_id`

// caseAtColumns are caseColumns of any version.
const caseAtColumns = `c.id, c.number, v.version, v.status, c.source, c.origin, c.agent_id, v.task, v.domain,
	v.exemplar, v.approved,
	c.created_at, v.created_at, v.valid_from, v.valid_to, v.erased_at, v.content, v.by_kind, v.by_id, v.reason,
	c.interaction_id`

const caseFrom = ` FROM knowledge_case c JOIN knowledge_case_version v ON v.case_id = c.id AND v.version = c.version `

func scanCase(s db.Row) (*Case, error) {
	var c Case
	var from, to, erased int64
	err := s.Scan(&c.ID, &c.Number, &c.Version, &c.Status, &c.Source, &c.Origin, &c.AgentID, &c.Task, &c.Domain,
		&c.Exemplar, &c.Approved,
		db.At(&c.CreatedAt), db.At(&c.UpdatedAt), &from, &to, &erased, db.JSON(&c.CaseText), &c.By.Kind, &c.By.ID,
		&c.Reason, &c.InteractionID)
	if err != nil {
		return nil, err
	}
	c.Flags = c.CaseText.Flags
	c.Validity = validity(from, to, erased)
	return &c, nil
}

func oneCase(row db.Row) (*Case, error) {
	c, err := scanCase(row)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fault.New(fault.NotFound, "There is no such case.")
	}
	return c, err
}

// CaseTx reads a case inside a transaction.
func (b *Base) CaseTx(tx *db.Tx, caseID string) (*Case, error) {
	return oneCase(db.One(tx, "knowledge: read a case", `SELECT `+caseColumns+caseFrom+`WHERE c.id = $1`, caseID))
}

// caseOfOrigin says that the origin is not empty though its readers know it: the index holds only those, and the
// planner does not look into a bound parameter, so without the words every written case read all cases.
const caseOfOrigin = ` WHERE c.agent_id = $1 AND c.source = $2 AND c.origin = $3 AND c.origin <> ''`

// CaseOfOriginTx reads the case made from origin, as FromReview and a decision's id; nil when there is none.
func (b *Base) CaseOfOriginTx(tx *db.Tx, agentID, source, origin string) (*Case, error) {
	if origin == "" {
		return nil, nil
	}
	c, _, err := db.First(tx, "knowledge: read a case", scanCase, `SELECT `+caseColumns+caseFrom+caseOfOrigin, agentID,
		source, origin)
	return c, err
}

func (b *Base) readCase(ctx context.Context, where string, args ...any) (*Case, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) (*Case, error) {
		return oneCase(db.One(tx, "knowledge: read a case", `SELECT `+caseColumns+caseFrom+where, args...))
	})
}

// Case reads a case by id.
func (b *Base) Case(ctx context.Context, id string) (*Case, error) {
	return b.readCase(ctx, `WHERE c.id = $1`, id)
}

func caseAtTx(tx *db.Tx, id string, version int) (*Case, error) {
	return oneCase(db.One(tx, "knowledge: read a case", `SELECT `+caseAtColumns+`
		FROM knowledge_case c JOIN knowledge_case_version v ON v.case_id = c.id
		WHERE c.id = $1 AND v.version = $2`, id, version))
}

// CaseAt reads a case as it was at a version.
func (b *Base) CaseAt(ctx context.Context, id string, version int) (*Case, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) (*Case, error) { return caseAtTx(tx, id, version) })
}

// CaseByNumber reads Case #n.
func (b *Base) CaseByNumber(ctx context.Context, n int) (*Case, error) {
	return b.readCase(ctx, `WHERE c.number = $1`, n)
}

func (f Filter) limit() int {
	switch {
	case f.Limit <= 0:
		return 50
	case f.Limit > 500:
		return 500
	}
	return f.Limit
}

func (f Filter) common(w *keyset.Where) error {
	w.If(f.AgentID != "" && f.AgentID != search.AnyAgent, "c.agent_id IN ('', ?)", f.AgentID)
	w.Is("c.status", f.Status)
	w.Is("c.domain", f.Domain)
	if f.Cursor != "" {
		n, err := strconv.Atoi(f.Cursor)
		if err != nil {
			return fault.New(fault.Invalid, "This page link is not one of ours. Start from the first page.")
		}
		w.If(true, "c.number < ?", n)
	}
	return nil
}

// Cases lists cases, newest number first, and the cursor of the next page. Text is not looked at: see Find and
// CasesWith.
func (b *Base) Cases(ctx context.Context, f Filter) (cases []Case, next string, err error) {
	var w keyset.Where
	if err := f.common(&w); err != nil {
		return nil, "", err
	}
	w.Is("c.source", f.Source)
	w.Is("c.task", f.Task)
	w.If(f.Flagged, "c.flagged = 1")
	w.If(f.Exemplar, "c.exemplar = 1")
	cases, err = b.listCases(ctx, w, f.limit()+1, f.Held)
	if err == nil && len(cases) > f.limit() {
		cases = cases[:f.limit()]
		next = strconv.Itoa(cases[len(cases)-1].Number)
	}
	return cases, next, err
}

func (b *Base) listCases(ctx context.Context, w keyset.Where, n int, held bool) ([]Case, error) {
	w.Add(` ORDER BY c.number DESC LIMIT ?`, n)
	return db.Read(ctx, b.db, func(tx *db.Tx) ([]Case, error) {
		list, err := casesTx(tx, `WHERE 1 = 1`+w.SQL, w.Args...)
		for i := range list {
			if !held || err != nil {
				break
			}
			var used *Case
			if used, err = b.CaseInUseTx(tx, &list[i]); err == nil {
				list[i] = *used
			}
		}
		return list, err
	})
}

func casesTx(tx *db.Tx, where string, args ...any) (list []Case, err error) {
	err = db.Each(tx, "knowledge: list cases", func(row db.Row) error {
		c, err := scanCase(row)
		if err != nil {
			return err
		}
		list = append(list, *c)
		return nil
	}, `SELECT `+caseColumns+caseFrom+where, args...)
	return list, err
}

// CaseVersions lists a case's life, newest first.
func (b *Base) CaseVersions(ctx context.Context, id string) ([]Version, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) ([]Version, error) { return versionsOf(tx, search.KindCase, id) })
}

// versionsOf is the life of a rule or a case, newest first.
func versionsOf(tx *db.Tx, kind, id string) ([]Version, error) {
	if kind == search.KindRule {
		return versions(tx, `SELECT version, status, by_kind, by_id, reason, created_at, domain, valid_from, valid_to,
				erased_at, review_by, content
			FROM knowledge_rule_version WHERE rule_id = $1
			ORDER BY version DESC`, id, func(v *Version, content string) error {
			v.Rule = &RuleText{}
			return json.Unmarshal([]byte(content), v.Rule)
		})
	}
	return versions(tx, `SELECT version, status, by_kind, by_id, reason, created_at, domain, valid_from, valid_to,
			erased_at, 0, content
		FROM knowledge_case_version WHERE case_id = $1
		ORDER BY version DESC`, id, func(v *Version, content string) error {
		v.Case = &CaseText{}
		return json.Unmarshal([]byte(content), v.Case)
	})
}

func versions(tx *db.Tx, query, id string, read func(*Version, string) error) (list []Version, err error) {
	list, err = db.List(tx, "knowledge: list versions", func(row db.Row) (v Version, err error) {
		var from, to, erased int64
		var content string
		var by audit.Actor
		if err := row.Scan(&v.Version, &v.Status, &by.Kind, &by.ID, &v.Reason, db.At(&v.CreatedAt), &v.Domain, &from,
			&to, &erased, db.At(&v.ReviewBy), &content); err != nil {
			return v, err
		}
		v.By, v.Validity = by, validity(from, to, erased)
		if err := read(&v, content); err != nil {
			return v, fmt.Errorf("knowledge: version %d is not readable: %w", v.Version, err)
		}
		return v, nil
	}, query, id)
	return list, err
}

// ExemplarFilter narrows Exemplars.
type ExemplarFilter struct {
	AgentID string // own and shared; "" all
	Domain  string
	Task    string
	Not     string // an origin to leave out: the decision that the lesson comes from
}

// Exemplars lists up to n cases that people approved: those of the task first, then those of the domain, newest first;
// without a task and a domain, all. Each is a walk along an index that ends with the n-th.
func (b *Base) Exemplars(ctx context.Context, f ExemplarFilter, n int) (list []Case, err error) {
	type walk struct{ cond, value, but string }
	var walks []walk
	if f.Task != "" {
		walks = append(walks, walk{"c.task = ?", f.Task, ""})
	}
	if f.Domain != "" {
		walks = append(walks, walk{"c.domain = ?", f.Domain, f.Task})
	}
	if len(walks) == 0 {
		walks = []walk{{cond: "? = ''"}}
	}
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		for _, w := range walks {
			var q keyset.Where
			q.Add(`WHERE `+w.cond+` AND c.exemplar = 1 AND c.approved = 1 AND c.status = 'active'
				AND c.flagged = 0 AND (? = '' OR c.origin <> ?)`, w.value, f.Not, f.Not)
			q.If(w.but != "", `c.task <> ?`, w.but)
			q.If(f.AgentID != "", `c.agent_id IN ('', ?)`, f.AgentID)
			q.Add(` ORDER BY c.number DESC LIMIT ?`, n-len(list))
			more, err := casesTx(tx, q.SQL, q.Args...)
			if err != nil {
				return err
			}
			list = append(list, more...)
		}
		return nil
	})
	return list, err
}

// Duplicates lists the near-duplicates linked to a case, likest first.
func (b *Base) Duplicates(ctx context.Context, id string) ([]Case, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) ([]Case, error) { return duplicatesTx(tx, id) })
}

func duplicatesTx(tx *db.Tx, id string) ([]Case, error) {
	return casesTx(tx, `
		JOIN (SELECT other_id AS id, similarity FROM knowledge_duplicate WHERE contradicts = 0 AND case_id = $1
		UNION ALL SELECT case_id, similarity FROM knowledge_duplicate
			WHERE contradicts = 0 AND other_id = $2) d ON d.id = c.id ORDER BY d.similarity DESC, c.id`, id, id)
}

// FlaggedDocuments lists active cases of documents that a person should look at, by source.
func (b *Base) FlaggedDocuments(ctx context.Context) ([]Case, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) ([]Case, error) {
		return casesTx(tx, `WHERE c.flagged = 1 AND c.status = 'active'
			AND c.source = 'document'
			ORDER BY c.origin, c.number`)
	})
}

// OwnsTx reports whether an agent has a case or a rule of its own.
func OwnsTx(tx *db.Tx, agentID string) (bool, error) {
	return db.Value[bool](tx, "knowledge: look for an agent's own", `SELECT
		EXISTS (SELECT 1 FROM knowledge_case WHERE agent_id = $1)
		OR EXISTS (SELECT 1 FROM knowledge_rule WHERE agent_id = $1)`, agentID)
}
