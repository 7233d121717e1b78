package knowledge

import (
	"context"
	"errors"
	"fmt"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
	"preceptor/internal/search"
)

// Vectors are made outside the transaction that writes what they are of; see Vectors.
type Vectors struct {
	model string
	byID  map[string][]float32
}

// Vectors embeds the last versions of items before they are written. With an embedder that is elsewhere it does
// nothing: the background job gives them their vectors.
func (b *Base) Vectors(ctx context.Context, items []Stored) (Vectors, error) {
	v := Vectors{model: b.embedder.Name(), byID: map[string][]float32{}}
	if !b.local {
		return v, nil
	}
	entries := make([]search.Entry, 0, len(items))
	for _, s := range items {
		if s.Last().ErasedAt.IsZero() {
			entries = append(entries, s.entry())
		}
	}
	for len(entries) > 0 {
		batch := entries[:min(embedBatch, len(entries))]
		entries = entries[len(batch):]
		texts := lists.Map(batch, func(e search.Entry) string { return e.Text() })
		made, err := b.embedder.Embed(ctx, texts)
		if err != nil {
			return v, fmt.Errorf("knowledge: embed: %w", err)
		}
		if len(made) != len(texts) {
			return v, fmt.Errorf("knowledge: %s gave %d vectors for %d texts", v.model, len(made), len(texts))
		}
		for i, e := range batch {
			v.byID[e.ID] = made[i]
		}
	}
	return v, nil
}

func (v Vectors) of(id string) ([]float32, string) {
	if made := v.byID[id]; made != nil {
		return made, v.model
	}
	return nil, ""
}

// RestoreCaseTx writes a case with its whole life: ids, authors, reasons and times are those it comes with, and its
// number too unless that is taken here. It must not be here yet. The number it got is returned.
func (b *Base) RestoreCaseTx(tx *db.Tx, c Stored, vectors Vectors) (int, error) {
	if len(c.Versions) == 0 {
		return 0, errEmptyLife
	}
	var err error
	if c.Number, err = freeNumber(tx, "knowledge_case", c.Number); err != nil {
		return 0, err
	}
	last := c.Last()
	err = db.Exec(tx, "knowledge: restore a case",
		`INSERT INTO knowledge_case (id, number, agent_id, source, origin, status, task, domain, exemplar, approved,
				flagged, version, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`, c.ID, c.Number, c.AgentID, c.Source,
		c.Origin, last.Status, last.Task, last.Domain,
		last.Exemplar, last.Approved, len(last.Case.Flags) > 0, last.Version, db.Ms(c.Versions[0].At), db.Ms(last.At))
	if err != nil {
		return 0, err
	}
	for i := range c.Versions {
		then := c
		then.Versions = c.Versions[:i+1]
		at := then.asCase()
		if err := insertCaseVersion(tx, &at); err != nil {
			return 0, err
		}
	}
	tx.Touch("knowledge")
	now := c.asCase()
	now.vector, now.model = vectors.of(c.ID)
	return c.Number, b.indexCase(tx, &now)
}

// RestoreRuleTx is RestoreCaseTx for a rule. None comes into use by it: see Waiting.
func (b *Base) RestoreRuleTx(tx *db.Tx, r Stored, vectors Vectors) (int, error) {
	if len(r.Versions) == 0 {
		return 0, errEmptyLife
	}
	if r.Last().Status == Active {
		return 0, errors.New("knowledge: a rule from another file does not come into use by itself")
	}
	var err error
	if r.Number, err = freeNumber(tx, "knowledge_rule", r.Number); err != nil {
		return 0, err
	}
	last := r.Last()
	err = db.Exec(tx, "knowledge: restore a rule",
		`INSERT INTO knowledge_rule (id, number, agent_id, status, domain, version, created_at, updated_at, review_by)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, r.ID, r.Number, r.AgentID, last.Status, last.Domain, last.Version,
		db.Ms(r.Versions[0].At), db.Ms(last.At), db.Ms(last.ReviewBy))
	if err != nil {
		return 0, err
	}
	for i := range r.Versions {
		then := r
		then.Versions = r.Versions[:i+1]
		at := then.asRule()
		if err := insertRuleVersion(tx, &at); err != nil {
			return 0, err
		}
	}
	tx.Touch("knowledge")
	now := r.asRule()
	now.vector, now.model = vectors.of(r.ID)
	if err := b.indexRule(tx, &now); err != nil {
		return r.Number, err
	}
	return r.Number, b.opts.OnRule(tx, now)
}

// ReviseCaseTx stores what v says as a new version of the case, by whom and why ch says; the status stays unless v's
// takes the case out of use.
func (b *Base) ReviseCaseTx(tx *db.Tx, caseID string, v StoredVersion, ch Change) error {
	c, err := b.CaseTx(tx, caseID)
	if err != nil {
		return err
	}
	c.CaseText, c.Flags = *v.Case, v.Case.Flags
	c.Task, c.Domain, c.Exemplar, c.Approved = v.Task, v.Domain, v.Exemplar, v.Approved
	if v.Status != Active {
		c.Status = v.Status
	}
	c.Version, c.By, c.Reason = c.Version+1, ch.By, ch.Reason
	c.Validity = Validity{ValidFrom: v.ValidFrom, ValidTo: v.ValidTo}
	if err := b.writeCaseVersion(tx, c); err != nil {
		return err
	}
	return record(tx, c.By, "case.changed", "case", c.ID,
		map[string]any{"number": c.Number, "version": c.Version, "source": c.Source, "reason": c.Reason})
}
