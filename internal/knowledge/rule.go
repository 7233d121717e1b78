package knowledge

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/search"
)

var ruleStatuses = []string{Candidate, Active, Rejected, Withdrawn, Retired, Quarantined}

func (r Rule) entry() search.Entry {
	return search.Entry{Kind: search.KindRule, ID: r.ID, AgentID: r.AgentID, Active: r.Status == Active,
		Title: r.Title, Body: r.Principle, Model: r.model, Vector: r.vector}
}

// PrepareRule computes what AddRuleTx and EditRuleTx may not ask a model for. Call it outside the transaction.
func (b *Base) PrepareRule(ctx context.Context, r *Rule) error {
	v, err := b.embed(ctx, r.entry())
	if err != nil {
		return err
	}
	r.vector, r.model = v, b.embedder.Name()
	return nil
}

func checkRule(r *Rule) error {
	if r.Status == "" {
		r.Status = Candidate
	}
	switch {
	case strings.TrimSpace(r.Principle) == "":
		return fault.Wrong("A rule needs its principle.", "principle",
			"Write it as: When [situation], [action] because [reason].")
	case !slices.Contains(Domains, r.Domain):
		return fault.Wrong("This is not a domain of rules.", "domain", "Choose one of "+strings.Join(Domains, ", ")+".")
	case !slices.Contains(ruleStatuses, r.Status):
		return fmt.Errorf("knowledge: no such rule status %q", r.Status)
	case math.IsNaN(r.Confidence) || r.Confidence < 0 || r.Confidence > 1:
		return fault.Wrong("A confidence has to be between 0 and 1.", "confidence", "Give a number from 0 to 1.")
	}
	r.ErasedAt = time.Time{}
	return r.Validity.check()
}

// AddRuleTx stores a new rule, with the next number; its status is Candidate when empty. One that comes into use passes
// the gate (Vet).
func (b *Base) AddRuleTx(tx *db.Tx, r Rule) (Rule, error) {
	if err := checkRule(&r); err != nil {
		return r, err
	}
	if comesIn(nil, &r) {
		if err := b.gateTx(tx, &r); err != nil {
			return r, err
		}
	}
	return b.PlantRuleTx(tx, r)
}

// PlantRuleTx stores a new rule past the gate: in a copy of the base, where practice tries what nobody may accept.
func (b *Base) PlantRuleTx(tx *db.Tx, r Rule) (Rule, error) {
	r.ID, r.Version, r.CreatedAt = id.New(), 1, tx.Now
	if err := db.One(tx, "knowledge: next rule number", `SELECT coalesce(max(number), 0) + 1
		FROM knowledge_rule`).Scan(&r.Number); err != nil {
		return r, err
	}
	err := db.Exec(tx, "knowledge: add rule",
		`INSERT INTO knowledge_rule (id, number, agent_id, status, domain, version, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, 0, $6, $7)`, r.ID, r.Number, r.AgentID, r.Status, r.Domain, tx.NowMs(), tx.NowMs())
	if err != nil {
		return r, err
	}
	if err := b.writeRuleVersion(tx, &r); err != nil {
		return r, err
	}
	return r, r.record(tx, "rule.added")
}

func (r Rule) record(tx *db.Tx, action string) error {
	return record(tx, r.By, action, "rule", r.ID,
		map[string]any{"number": r.Number, "version": r.Version, "status": r.Status,
			"principle": r.Principle, "domain": r.Domain, "reason": r.Reason})
}

func (b *Base) writeRuleVersion(tx *db.Tx, r *Rule) error {
	r.UpdatedAt = tx.Now
	if r.Status == Active && r.ReviewBy.IsZero() {
		r.ReviewBy = reviewAfter(tx.Now)
	}
	version := *r
	version.ErasedAt = time.Time{}
	if err := insertRuleVersion(tx, &version); err != nil {
		return err
	}
	err := db.Exec(tx, "knowledge: write rule",
		`UPDATE knowledge_rule SET status = $1, domain = $2, review_by = $3, version = $4, updated_at = $5
			WHERE id = $6`,
		r.Status, r.Domain, db.Ms(r.ReviewBy), r.Version, tx.NowMs(), r.ID)
	if err != nil {
		return err
	}
	tx.Touch("knowledge")
	if err := b.indexRule(tx, r); err != nil {
		return err
	}
	return b.opts.OnRule(tx, *r)
}

func insertRuleVersion(tx *db.Tx, r *Rule) error {
	content, err := json.Marshal(r.RuleText)
	if err != nil {
		return fmt.Errorf("knowledge: write rule: %w", err)
	}
	by := actor(r.By)
	seq, err := nextSeq(tx)
	if err != nil {
		return err
	}
	return db.Exec(tx, "knowledge: write rule version",
		`INSERT INTO knowledge_rule_version (rule_id, version, status, content, domain, valid_from, valid_to, review_by,
				erased_at, by_kind, by_id, reason, created_at, seq)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`, r.ID, r.Version, r.Status,
		string(content), r.Domain, db.Ms(r.ValidFrom), db.Ms(r.ValidTo), db.Ms(r.ReviewBy), db.Ms(r.ErasedAt), by.Kind,
		by.ID, r.Reason, db.Ms(r.UpdatedAt), seq)
}

// EditRuleTx stores r's text, domain and status as a new version of the rule r.ID. r.Version is the version that was
// seen; another one is a Conflict. What comes into use passes the gate (Vet).
func (b *Base) EditRuleTx(tx *db.Tx, r Rule) (Rule, error) {
	old, err := b.RuleTx(tx, r.ID)
	if err != nil {
		return r, err
	}
	if err := checkRule(&r); err != nil {
		return r, err
	}
	if err := old.seen(r.Version); err != nil {
		return r, err
	}
	r.Number, r.AgentID, r.CreatedAt, r.Version = old.Number, old.AgentID, old.CreatedAt, old.Version+1
	if comesIn(old, &r) {
		if err := b.gateTx(tx, &r); err != nil {
			return r, err
		}
	}
	if err := b.writeRuleVersion(tx, &r); err != nil {
		return r, err
	}
	return r, r.record(tx, "rule.edited")
}

func (r *Rule) seen(version int) error {
	if version != r.Version {
		return fault.New(fault.Conflict,
			"%s has changed: it is now at version %d and you saw version %d. Check it again.", r.Label(), r.Version,
			version)
	}
	return nil
}

// SetRuleStatusTx moves a rule; a new version of the same text. Moving it where it stands changes nothing. What comes
// into use passes the gate (Vet): a person is told why it can't, and what the program does by itself leaves the rule as
// a candidate.
func (b *Base) SetRuleStatusTx(tx *db.Tx, id, status string, ch Change) (Rule, error) {
	if !slices.Contains(ruleStatuses, status) {
		return Rule{}, fmt.Errorf("knowledge: no such rule status %q", status)
	}
	r, err := b.RuleTx(tx, id)
	if err != nil {
		return Rule{}, err
	}
	if ch.Version != 0 {
		if err := r.seen(ch.Version); err != nil {
			return *r, err
		}
	}
	if r.Status == status {
		return *r, nil
	}
	was := *r
	r.Status = status
	if comesIn(&was, r) {
		switch err := b.gateTx(tx, r); {
		case err != nil && (!fault.Is(err, fault.Invalid) || ch.By.Kind == audit.Person):
			return was, err
		case err != nil:
			status, ch.Reason = Candidate, "Not put back in use: "+fault.First(err)+" "+ch.Reason
		}
	}
	if status == Active && !r.begun(tx.Now) {
		// What held before it left use holds again until the newest wording begins.
		first, err := b.InUseTx(tx, &was)
		if err != nil {
			return was, err
		}
		if first.Version != was.Version {
			first.Status, first.By, first.Reason, first.Version = Active, ch.By, ch.Reason, was.Version+1
			switch err := b.gateTx(tx, first); {
			case err != nil && !fault.Is(err, fault.Invalid):
				return was, err
			case err == nil:
				if err := b.writeRuleVersion(tx, first); err != nil {
					return was, err
				}
				r.Version++
			}
		}
	}
	r.Status, r.By, r.Reason, r.Version = status, ch.By, ch.Reason, r.Version+1
	if err := b.writeRuleVersion(tx, r); err != nil {
		return *r, err
	}
	return *r, r.record(tx, "rule."+status)
}

const ruleColumns = `c.id, c.number, v.version, v.status, c.agent_id, v.domain, c.created_at, v.created_at,
	v.valid_from, v.valid_to, v.erased_at, v.review_by,
	v.content, v.by_kind, v.by_id, v.reason`

const ruleFrom = ` FROM knowledge_rule c JOIN knowledge_rule_version v ON v.rule_id = c.id `

func scanRule(s db.Row) (*Rule, error) {
	var r Rule
	var from, to, erased int64
	var content string
	err := s.Scan(&r.ID, &r.Number, &r.Version, &r.Status, &r.AgentID, &r.Domain, db.At(&r.CreatedAt),
		db.At(&r.UpdatedAt), &from, &to, &erased, db.At(&r.ReviewBy), &content, &r.By.Kind, &r.By.ID, &r.Reason)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fault.New(fault.NotFound, "There is no such rule.")
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(content), &r.RuleText); err != nil {
		return nil, fmt.Errorf("knowledge: rule %s version %d is not readable: %w", r.ID, r.Version, err)
	}
	r.Validity = validity(from, to, erased)
	return &r, nil
}

// RuleTx reads a rule inside a transaction.
func (b *Base) RuleTx(tx *db.Tx, id string) (*Rule, error) {
	return scanRule(db.One(tx, "knowledge: read a rule",
		`SELECT `+ruleColumns+ruleFrom+`AND v.version = c.version WHERE c.id = $1`, id))
}

// RuleVersionTx reads a rule as one of its versions has it.
func (b *Base) RuleVersionTx(tx *db.Tx, id string, version int) (*Rule, error) {
	return scanRule(db.One(tx, "knowledge: read a version of a rule",
		`SELECT `+ruleColumns+ruleFrom+`AND v.version = $1 WHERE c.id = $2`, version, id))
}

// LeftUseTx reports whether a rule left use after one of its versions, be it in use again.
func (b *Base) LeftUseTx(tx *db.Tx, id string, version int) (bool, error) {
	return db.Value[bool](tx, "knowledge: did a rule leave use", `SELECT EXISTS (SELECT 1 FROM knowledge_rule_version
		WHERE rule_id = $1 AND version > $2 AND status IN ('retired', 'withdrawn', 'quarantined'))`, id, version)
}

func (b *Base) readRule(ctx context.Context, where string, args ...any) (*Rule, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) (*Rule, error) {
		return scanRule(db.One(tx, "knowledge: read a rule", `SELECT `+ruleColumns+ruleFrom+where, args...))
	})
}

// Rule reads a rule by id.
func (b *Base) Rule(ctx context.Context, id string) (*Rule, error) {
	return b.readRule(ctx, `AND v.version = c.version WHERE c.id = $1`, id)
}

// RuleAt reads a rule as it stood at a version.
func (b *Base) RuleAt(ctx context.Context, id string, version int) (*Rule, error) {
	return b.readRule(ctx, `WHERE c.id = $1 AND v.version = $2`, id, version)
}

func ruleAtTx(tx *db.Tx, id string, version int) (*Rule, error) {
	return scanRule(db.One(tx, "knowledge: read a rule",
		`SELECT `+ruleColumns+ruleFrom+`WHERE c.id = $1 AND v.version = $2`, id, version))
}

// RuleByNumber reads R-n.
func (b *Base) RuleByNumber(ctx context.Context, n int) (*Rule, error) {
	return b.readRule(ctx, `AND v.version = c.version WHERE c.number = $1`, n)
}

// Rules lists rules, newest number first, and the cursor of the next page.
func (b *Base) Rules(ctx context.Context, f Filter) (rules []Rule, next string, err error) {
	for {
		page, more, err := b.rulePage(ctx, f)
		if err != nil {
			return nil, "", err
		}
		for _, r := range page {
			// a figure among the words is no number of a rule
			named := strings.EqualFold(strings.TrimSpace(f.Text), r.Label())
			if f.Provisional && !r.Provisional || !named && !hasWords(f.Text, r.Title, r.Principle) {
				continue
			}
			if len(rules) == f.limit() {
				return rules, strconv.Itoa(rules[len(rules)-1].Number), nil
			}
			rules = append(rules, r)
		}
		if !more {
			return rules, "", nil
		}
		f.Cursor = strconv.Itoa(page[len(page)-1].Number)
	}
}

func (b *Base) rulePage(ctx context.Context, f Filter) (list []Rule, more bool, err error) {
	const size = 200
	var w keyset.Where
	if err := f.common(&w); err != nil {
		return nil, false, err
	}
	w.Add(` ORDER BY c.number DESC LIMIT ?`, size)
	list, err = db.Read(ctx, b.db, func(tx *db.Tx) ([]Rule, error) {
		rules, err := queryRules(tx, w.SQL, w.Args...)
		for i := range rules {
			if !f.Held || err != nil {
				break
			}
			var held *Rule
			if held, err = b.InUseTx(tx, &rules[i]); err == nil {
				rules[i] = *held
			}
		}
		return rules, err
	})
	return list, len(list) == size, err
}

func queryRules(tx *db.Tx, conditions string, args ...any) (list []Rule, err error) {
	err = db.Each(tx, "knowledge: list rules", func(row db.Row) error {
		r, err := scanRule(row)
		if err != nil {
			return err
		}
		list = append(list, *r)
		return nil
	}, `SELECT `+ruleColumns+ruleFrom+`AND v.version = c.version WHERE 1 = 1`+conditions, args...)
	return list, err
}

// RuleVersions lists a rule's life, newest first.
func (b *Base) RuleVersions(ctx context.Context, id string) ([]Version, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) ([]Version, error) { return versionsOf(tx, search.KindRule, id) })
}
