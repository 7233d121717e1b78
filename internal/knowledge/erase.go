package knowledge

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/privacy"
	"preceptor/internal/search"
)

// eraser is what the index can do for good; search.Memory and search.Tables can.
type eraser interface {
	EraseTx(tx *db.Tx, kind, id string) (bool, error)
}

// CasesOfTx finds the cases that were made from something: a decision, a ruling, a dataset item.
func (b *Base) CasesOfTx(tx *db.Tx, origins []string) (ids []string, err error) {
	for _, batch := range db.Batches(origins) {
		args := db.Anys(batch)
		more, err := db.Column[string](tx, "knowledge: find what was made from them", `SELECT id
			FROM knowledge_case WHERE origin <> '' AND origin IN (`+db.In(1, len(batch))+
			`) AND source <> 'document' ORDER BY id`, args...)
		if err != nil {
			return nil, err
		}
		ids = append(ids, more...)
	}
	return ids, nil
}

// CaseTextsTx are what the versions of a case say to a customer, the agent's own words among them.
func (b *Base) CaseTextsTx(tx *db.Tx, caseID string) (texts []string, err error) {
	err = db.Each(tx, "knowledge: read what a case said", func(row db.Row) error {
		var c CaseText
		err := row.Scan(db.JSON(&c))
		texts = append(texts, c.Guidance, c.Negative)
		return err
	}, `SELECT content FROM knowledge_case_version WHERE case_id = $1 AND erased_at = 0`, caseID)
	return texts, err
}

// EraseCaseTx empties a case for good, every version of it, which the law may demand, and takes its words and vector
// out of the indexes. The case stays as a number that says when it was erased; nothing brings it back. It returns how
// many versions were emptied; again is none.
func (b *Base) EraseCaseTx(tx *db.Tx, caseID, why string, by audit.Actor) (int, error) {
	var left int
	if err := db.One(tx, "knowledge: erase a case", `SELECT count(*) FROM knowledge_case_version
		WHERE case_id = $1 AND erased_at = 0`, caseID).Scan(&left); err != nil {
		return 0, err
	}
	if left == 0 {
		return 0, nil
	}
	mark := audit.ErasedText(tx.Now)
	if err := b.RetireCaseTx(tx, caseID, Change{By: by, Reason: mark}); err != nil {
		return 0, err
	}
	content, err := json.Marshal(CaseText{Title: mark})
	if err != nil {
		return 0, err
	}
	if err := db.Exec(tx, "knowledge: erase a case",
		`UPDATE knowledge_case_version SET content = $1, hash = '', reason = $2, erased_at = $3 WHERE case_id = $4`,
		string(content), mark, tx.NowMs(), caseID); err != nil {
		return 0, err
	}
	if err := db.Exec(tx, "knowledge: erase a case", `UPDATE knowledge_case SET flagged = 0 WHERE id = $1`,
		caseID); err != nil {
		return 0, err
	}
	if err := errors.Join(b.unindexTx(tx, search.KindCase, caseID), eraseShownTx(tx, caseID, nil)); err != nil {
		return 0, err
	}
	if _, err := audit.EraseTx(tx, "case", caseID, why, by); err != nil {
		return 0, err
	}
	tx.Touch("knowledge")
	return left, nil
}

func (b *Base) unindexTx(tx *db.Tx, kind, id string) error {
	if e, ok := b.index.(eraser); ok {
		_, err := e.EraseTx(tx, kind, id)
		return err
	}
	return b.index.DeleteTx(tx, kind, id)
}

// EraseUsageTx takes the words out of why an interaction was shown what it was shown, and what was said of it alone out
// of its prompt: that it was shown these items stays, what they had to do with the customer goes.
func (b *Base) EraseUsageTx(tx *db.Tx, interactionID string) (int, error) {
	n, err := changed(tx, `UPDATE knowledge_usage SET why = '' WHERE interaction_id = $1 AND why <> ''`, interactionID)
	if err != nil {
		return n, err
	}
	more, err := b.ErasePromptTx(tx, interactionID)
	return n + more, err
}

func changed(tx *db.Tx, query string, args ...any) (int, error) {
	return db.Change(tx, "knowledge: erase", query, args...)
}

// EraseWordsTx takes words out of every version of every rule that holds one, which only happens when a name or number
// came past the pseudonyms, and the question of an interaction where it was picked as an example. What a rule says of
// customers in general stays; one that is for nobody any more is retired. It returns how many rules held one.
func (b *Base) EraseWordsTx(tx *db.Tx, of string, words []string, why string, by audit.Actor) (int, error) {
	hit, err := rulesWith(tx, of, words)
	if err != nil {
		return 0, err
	}
	rules := map[string]bool{} // whether an example was taken out of them
	for _, v := range hit {
		if v.picked {
			if err := b.forgetTx(tx, &v, of); err != nil {
				return 0, err
			}
		}
		if err := db.Exec(tx, "knowledge: erase words of a rule",
			`UPDATE knowledge_rule_version SET content = $1, reason = $2 WHERE rule_id = $3 AND version = $4`,
			v.content, v.reason, v.rule, v.version); err != nil {
			return 0, err
		}
		rules[v.rule] = rules[v.rule] || v.picked
	}
	for id, picked := range rules {
		shown := words
		if picked {
			shown = nil // prompts have its sentence
		}
		if err := errors.Join(b.unindexTx(tx, search.KindRule, id), eraseShownTx(tx, id, shown)); err != nil {
			return 0, err
		}
		r, err := b.RuleTx(tx, id)
		if err != nil {
			return 0, err
		}
		if picked && len(r.Statement.When) == 0 && (r.Status == Active || r.Status == Quarantined) {
			r.Status = Retired
		}
		// A version more, so that whoever keeps the rules in memory reads them again.
		r.By, r.Reason, r.Version = by, audit.ErasedText(tx.Now), r.Version+1
		if err := b.writeRuleVersion(tx, r); err != nil {
			return 0, err
		}
		if _, err := audit.EraseTx(tx, "rule", id, why, by); err != nil {
			return 0, err
		}
		tx.Touch("knowledge")
	}
	return len(rules), nil
}

type ruleWords struct {
	rule, content, reason string
	version               int
	picked                bool // an example was taken out
}

// rulesWith finds the versions that hold one of the words, with the words taken out.
func rulesWith(tx *db.Tx, of string, words []string) (hit []ruleWords, err error) {
	err = db.Each(tx, "knowledge: look for words in rules", func(row db.Row) error {
		var v ruleWords
		if err := row.Scan(&v.rule, &v.version, &v.content, &v.reason); err != nil {
			return err
		}
		v.picked = of != "" && strings.Contains(v.content, `"of":"`+of)
		var content any
		if err := json.Unmarshal([]byte(v.content), &content); err != nil {
			return fmt.Errorf("knowledge: rule %s version %d is not readable: %w", v.rule, v.version, err)
		}
		without, found := takenOut(content, words)
		reason := privacy.Without(v.reason, words...)
		if !found && !v.picked && reason == v.reason {
			return nil
		}
		body, err := json.Marshal(without)
		if err != nil {
			return err
		}
		v.content, v.reason = string(body), reason
		hit = append(hit, v)
		return nil
	}, `SELECT rule_id, version, content, reason FROM knowledge_rule_version ORDER BY rule_id, version`)
	return hit, err
}

// forgetTx takes out the examples that were picked of an interaction.
func (b *Base) forgetTx(tx *db.Tx, v *ruleWords, of string) error {
	r, err := b.RuleTx(tx, v.rule)
	if err != nil {
		return err
	}
	packName, err := b.packOf(tx, r.AgentID)
	if err != nil {
		return err
	}
	var t RuleText
	if err := json.Unmarshal([]byte(v.content), &t); err != nil {
		return err
	}
	now := RuleOf(t.Statement.Without(of), pack.Of(packName))
	t.Statement, t.Title, t.Principle, t.Situation = now.Statement, now.Title, now.Principle, now.Situation
	content, err := json.Marshal(t)
	v.content = string(content)
	return err
}

// takenOut is a JSON value without the words; found reports whether it held one.
func takenOut(v any, words []string) (out any, found bool) {
	switch v := v.(type) {
	case string:
		s := privacy.Without(v, words...)
		return s, s != v
	case []any:
		for i := range v {
			one, hit := takenOut(v[i], words)
			v[i], found = one, found || hit
		}
	case map[string]any:
		for name := range v {
			if name == "kind" || name == "op" || name == "place" { // of a statement: no words of anybody's
				continue
			}
			one, hit := takenOut(v[name], words)
			v[name], found = one, found || hit
		}
	}
	return v, found
}
