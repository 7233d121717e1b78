package knowledge

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/db"
)

// StoredCase is a case with its whole life as the tables hold it, for who carries the base from one file to another.
type StoredCase struct {
	ID             string
	Number         int
	AgentID        string
	Source, Origin string
	Versions       []StoredVersion // oldest first, at least one
}

// StoredRule is a rule with its whole life.
type StoredRule struct {
	ID       string
	Number   int
	AgentID  string
	Versions []StoredVersion // oldest first, at least one
}

// StoredVersion is one version of a case or of a rule: Case or Rule is set.
type StoredVersion struct {
	Version  int
	Status   string
	Task     string // cases
	Domain   string
	Exemplar bool // cases
	Approved bool // cases
	Case     *CaseText
	Rule     *RuleText
	Validity
	ReviewBy time.Time // rules; zero: never
	By       audit.Actor
	Reason   string
	At       time.Time
}

// Last is the version that holds.
func (c StoredCase) Last() StoredVersion { return c.Versions[len(c.Versions)-1] }

// Last is the version that holds.
func (r StoredRule) Last() StoredVersion { return r.Versions[len(r.Versions)-1] }

// whole is the case as its last version has it.
func (c StoredCase) whole() Case {
	v := c.Last()
	return Case{ID: c.ID, Number: c.Number, Version: v.Version, Status: v.Status, Source: c.Source, Origin: c.Origin, AgentID: c.AgentID, Task: v.Task, Domain: v.Domain,
		Exemplar: v.Exemplar, Approved: v.Approved, Flags: v.Case.Flags, Validity: v.Validity, CaseText: *v.Case, CreatedAt: c.Versions[0].At, UpdatedAt: v.At, By: v.By, Reason: v.Reason}
}

func (r StoredRule) whole() Rule {
	v := r.Last()
	return Rule{ID: r.ID, Number: r.Number, Version: v.Version, Status: v.Status, AgentID: r.AgentID, Domain: v.Domain, ReviewBy: v.ReviewBy, Validity: v.Validity, RuleText: *v.Rule,
		CreatedAt: r.Versions[0].At, UpdatedAt: v.At, By: v.By, Reason: v.Reason}
}

const storedCaseColumns = `c.id, c.number, c.agent_id, c.source, c.origin, v.version, v.status, v.task, v.domain, v.exemplar, v.approved, v.content,
	v.valid_from, v.valid_to, v.erased_at, v.by_kind, v.by_id, v.reason, v.created_at
	FROM knowledge_case c JOIN knowledge_case_version v ON v.case_id = c.id`

const storedRuleColumns = `c.id, c.number, c.agent_id, v.version, v.status, v.domain, v.content,
	v.valid_from, v.valid_to, v.review_by, v.erased_at, v.by_kind, v.by_id, v.reason, v.created_at
	FROM knowledge_rule c JOIN knowledge_rule_version v ON v.rule_id = c.id`

// StoredCasesTx reads the next n cases with numbers above after, by number.
func (b *Base) StoredCasesTx(tx *db.Tx, after, n int) ([]StoredCase, error) {
	return storedCases(tx, `SELECT `+storedCaseColumns+` WHERE c.number IN (SELECT number FROM knowledge_case WHERE number > $1 ORDER BY number LIMIT $2)
		ORDER BY c.number, v.version`, after, n)
}

// StoredRulesTx reads the next n rules with numbers above after, by number.
func (b *Base) StoredRulesTx(tx *db.Tx, after, n int) ([]StoredRule, error) {
	return storedRules(tx, `SELECT `+storedRuleColumns+` WHERE c.number IN (SELECT number FROM knowledge_rule WHERE number > $1 ORDER BY number LIMIT $2)
		ORDER BY c.number, v.version`, after, n)
}

// StoredCaseTx finds a case by its id, or by what it was made from where that is known; nil when there is none.
func (b *Base) StoredCaseTx(tx *db.Tx, caseID, agentID, source, origin string) (*StoredCase, error) {
	list, err := storedCases(tx, `SELECT `+storedCaseColumns+` WHERE c.id = $1 ORDER BY v.version`, caseID)
	if err == nil && len(list) == 0 && origin != "" {
		list, err = storedCases(tx, `SELECT `+storedCaseColumns+caseOfOrigin+` ORDER BY v.version`, agentID, source, origin)
	}
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// StoredRuleTx finds a rule by its id; nil when there is none.
func (b *Base) StoredRuleTx(tx *db.Tx, ruleID string) (*StoredRule, error) {
	list, err := storedRules(tx, `SELECT `+storedRuleColumns+` WHERE c.id = $1 ORDER BY v.version`, ruleID)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

func storedCases(tx *db.Tx, query string, args ...any) (list []StoredCase, err error) {
	err = each(tx, query, args, func(rows db.Row) error {
		var c StoredCase
		v := StoredVersion{Case: &CaseText{}}
		var content string
		var from, to, erased int64
		if err := rows.Scan(&c.ID, &c.Number, &c.AgentID, &c.Source, &c.Origin, &v.Version, &v.Status, &v.Task, &v.Domain, &v.Exemplar, &v.Approved, &content,
			&from, &to, &erased, &v.By.Kind, &v.By.ID, &v.Reason, db.At(&v.At)); err != nil {
			return err
		}
		if err := unmarshalKept(content, v.Case); err != nil {
			return fmt.Errorf("case %s version %d is not readable: %w", c.ID, v.Version, err)
		}
		v.Validity = validity(from, to, erased)
		if n := len(list); n == 0 || list[n-1].ID != c.ID {
			list = append(list, c)
		}
		last := &list[len(list)-1]
		last.Versions = append(last.Versions, v)
		return nil
	})
	return list, err
}

func storedRules(tx *db.Tx, query string, args ...any) (list []StoredRule, err error) {
	err = each(tx, query, args, func(rows db.Row) error {
		var r StoredRule
		v := StoredVersion{Rule: &RuleText{}}
		var content string
		var from, to, erased int64
		if err := rows.Scan(&r.ID, &r.Number, &r.AgentID, &v.Version, &v.Status, &v.Domain, &content,
			&from, &to, db.At(&v.ReviewBy), &erased, &v.By.Kind, &v.By.ID, &v.Reason, db.At(&v.At)); err != nil {
			return err
		}
		if err := unmarshalKept(content, v.Rule); err != nil {
			return fmt.Errorf("rule %s version %d is not readable: %w", r.ID, v.Version, err)
		}
		v.Validity = validity(from, to, erased)
		if n := len(list); n == 0 || list[n-1].ID != r.ID {
			list = append(list, r)
		}
		last := &list[len(list)-1]
		last.Versions = append(last.Versions, v)
		return nil
	})
	return list, err
}

// unmarshalKept reads a text; one that was erased may be nothing at all.
func unmarshalKept(content string, to any) error {
	if content == "" {
		return nil
	}
	return json.Unmarshal([]byte(content), to)
}

func each(tx *db.Tx, query string, args []any, scan func(rows db.Row) error) error {
	return db.Each(tx, "knowledge: read what is stored", scan, query, args...)
}

// freeNumber is n when nothing of the table has it, and else the next one.
func freeNumber(tx *db.Tx, table string, n int) (int, error) {
	var taken bool
	var next int
	err := db.One(tx, "knowledge: find a free number", `SELECT EXISTS (SELECT 1 FROM `+table+` WHERE number = $1), (SELECT coalesce(max(number), 0) + 1 FROM `+table+`)`, n).Scan(&taken, &next)
	if err != nil {
		return 0, err
	}
	if taken {
		return next, nil
	}
	return n, nil
}

var errEmptyLife = errors.New("knowledge: an item without versions")

// KnownStatus tells whether items of this program can have the status.
func KnownStatus(status string) bool { return slices.Contains(ruleStatuses, status) }
