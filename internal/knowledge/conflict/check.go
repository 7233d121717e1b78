package conflict

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

const (
	askMost = 8    // pairs of one rule that a model is asked about
	askNear = 0.12 // and how near they must be
)

// CheckArgs compares a rule with all others.
type CheckArgs struct {
	RuleID string `json:"rule_id"`
}

// Kind names the job.
func (CheckArgs) Kind() string { return "knowledge.conflicts" }

// textsOf is the hash of all wordings of a rule that are compared, and of their days, which say beside which rules it
// is given.
func textsOf(wordings []knowledge.Rule) string {
	if len(wordings) == 1 && !wordings[0].Dated() {
		return textOf(wordings[0])
	}
	var parts []string
	for _, w := range wordings {
		parts = append(parts, textOf(w), knowledge.DayOf(w.ValidFrom), knowledge.DayOf(w.ValidTo))
	}
	return hashOf(parts...)
}

// textOf is the hash of what is compared of a wording.
func textOf(r knowledge.Rule) string {
	if r.Statement.Empty() {
		return hashOf(r.AgentID, r.Principle)
	}
	return hashOf(append([]string{r.AgentID, r.Principle, r.Statement.Key()}, r.Statement.Except...)...)
}

func hashOf(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

func living(r knowledge.Rule) bool {
	return r.Status == knowledge.Active || r.Status == knowledge.Candidate
}

// RuleWrittenTx queues the comparison of a rule whose text is new among those in use or waiting, and ends what it
// conflicted with when it left them. It runs in every write of a rule. A quarantined rule keeps its conflicts, and is
// compared again when it comes back.
func (s *Store) RuleWrittenTx(tx *db.Tx, r knowledge.Rule) error {
	if !living(r) {
		if err := db.Exec(tx, "conflict: forget a comparison", `DELETE FROM knowledge_conflict_check
			WHERE rule_id = $1`, r.ID); err != nil {
			return err
		}
		if r.Status == knowledge.Quarantined {
			return nil
		}
		return s.endTx(tx, r.ID, r.Label()+" is no longer in use.")
	}
	if err := s.exceptedTx(tx, r); err != nil {
		return err
	}
	wordings, err := s.kb.WordingsTx(tx, &r)
	if err != nil {
		return err
	}
	if n, err := db.Change(tx, "conflict: queue a comparison", `INSERT INTO knowledge_conflict_check (rule_id, text,
			done, at) VALUES ($1, $2, 0, $3)
		ON CONFLICT (rule_id) DO UPDATE SET text = excluded.text, done = 0, at = excluded.at
			WHERE knowledge_conflict_check.text <> excluded.text`,
		r.ID, textsOf(wordings), tx.NowMs()); err != nil || n == 0 {
		return err
	}
	return s.jobs.InsertTx(tx, CheckArgs{r.ID})
}

// endTx ends the open conflicts of an item.
func (s *Store) endTx(tx *db.Tx, itemID, why string) error {
	open, err := queryTx(tx, `WHERE state = 'open' AND (left_id = $1 OR right_id = $2)`, itemID, itemID)
	for _, c := range open {
		if err = s.closeTx(tx, c, Gone, "", why, knowledge.Person{}); err != nil {
			break
		}
	}
	return err
}

// Pending reports whether a rule's text waits to be compared with the others.
func (s *Store) Pending(ctx context.Context, ruleID string) (waits bool, err error) {
	err = s.d.Read(ctx, func(tx *db.Tx) error {
		var done bool
		found, err := db.One(tx, "conflict: look whether a rule waits", `SELECT done
			FROM knowledge_conflict_check WHERE rule_id = $1`, ruleID).Find(&done)
		waits = found && !done
		return err
	})
	return waits, err
}

// worded is a rule that is compared, with its wordings.
type worded struct {
	knowledge.Rule
	wordings []knowledge.Rule
}

// pair is a finding about a wording of a rule and one of another.
type pair struct {
	rule, other knowledge.Rule
	texts       string    // the other's textsOf
	from        time.Time // when both are given
	finding     Finding   // the lower number is left
}

// check compares a rule with all others that its agent may be given.
func (s *Store) check(ctx context.Context, a CheckArgs) error {
	r, err := db.Read(ctx, s.d, func(tx *db.Tx) (worded, error) { return s.wordedTx(tx, a.RuleID) })
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil || !living(r.Rule) {
		return err
	}
	pairs, err := s.pairs(ctx, r)
	if err != nil {
		return err
	}
	if pairs, err = s.compare(ctx, pairs); err != nil {
		return err
	}
	return s.d.Write(ctx, func(tx *db.Tx) error { return s.checkedTx(tx, r, pairs) })
}

func (s *Store) wordedTx(tx *db.Tx, ruleID string) (w worded, err error) {
	r, err := s.kb.RuleTx(tx, ruleID)
	if err != nil {
		return w, err
	}
	w.Rule = *r
	w.wordings, err = s.kb.WordingsTx(tx, r)
	return w, err
}

// pairs are r's wordings with those of the living rules that stand beside it in a recall, now or on a day to come.
func (s *Store) pairs(ctx context.Context, r worded) (out []pair, err error) {
	for _, status := range []string{knowledge.Active, knowledge.Candidate} {
		f := knowledge.Filter{AgentID: r.AgentID, Status: status, Limit: 500}
		for {
			list, next, err := s.kb.Rules(ctx, f)
			if err != nil {
				return nil, err
			}
			err = s.d.Read(ctx, func(tx *db.Tx) error {
				for i := range list {
					if list[i].ID == r.ID {
						continue
					}
					wordings, err := s.kb.WordingsTx(tx, &list[i])
					if err != nil {
						return err
					}
					for _, x := range r.wordings {
						for _, y := range wordings {
							if from, ok := x.Together(y.Validity, tx.Now); ok && !x.Excepts(&y) && !y.Excepts(&x) {
								out = append(out, pair{rule: x, other: y, texts: textsOf(wordings), from: from})
							}
						}
					}
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
			if next == "" {
				break
			}
			f.Cursor = next
		}
	}
	return out, nil
}

// compare finds what the two of each pair are to each other, and keeps the pairs of which it finds something.
func (s *Store) compare(ctx context.Context, pairs []pair) (out []pair, err error) {
	type near struct {
		pair
		by float64
	}
	var ask []near
	for _, p := range pairs {
		left, right := ordered(p.rule, p.other)
		if p.finding, err = s.embedded.Compare(ctx, textOfRule(left), textOfRule(right)); err != nil {
			return nil, err
		}
		n := near{pair: p}
		f := n.finding
		if s.model != nil && f.Kind == FoundNothing {
			n.by = s.embedded.near(textOfRule(left), textOfRule(right))
		}
		switch {
		case s.model != nil && (f.Kind != FoundNothing || n.by >= askNear):
			ask = append(ask, n)
		case f.Kind != FoundNothing:
			out = append(out, n.pair)
		}
	}
	slices.SortStableFunc(ask, func(a, b near) int {
		return cmp.Or(cmp.Compare(rank(b.finding.Kind), rank(a.finding.Kind)), cmp.Compare(b.by, a.by))
	})
	for i, n := range ask {
		if i < askMost {
			n.finding = s.ask(ctx, n.rule, n.other, n.finding)
		}
		if n.finding.Kind != FoundNothing {
			out = append(out, n.pair)
		}
	}
	return out, nil
}

// rank says what is looked at first.
func rank(kind string) int {
	switch kind {
	case FoundContradiction:
		return 3
	case FoundDuplicate:
		return 2
	case FoundNarrower:
		return 1
	}
	return 0
}

// ask has the model's word on a pair. A contradiction of which the embedded detector is sure is raised whatever the
// model says.
func (s *Store) ask(ctx context.Context, r, o knowledge.Rule, seen Finding) Finding {
	left, right := ordered(r, o)
	f, err := s.model.Compare(ctx, textOfRule(left), textOfRule(right))
	if err != nil {
		s.log.Warn("the model did not compare two rules; the embedded detector did", "model", s.model.Name(), "error",
			err.Error())
		return seen
	}
	if seen.Kind == FoundContradiction && seen.Confidence > unsure && f.Kind != FoundContradiction {
		seen.Why += " " + s.model.Name() + " disagrees: " + f.Why
		return seen
	}
	return f
}

// checkedTx writes what was found, unless the rule has changed since.
func (s *Store) checkedTx(tx *db.Tx, was worded, pairs []pair) error {
	r, err := s.wordedTx(tx, was.ID)
	if err != nil {
		return err
	}
	if !living(r.Rule) || textsOf(r.wordings) != textsOf(was.wordings) {
		return nil // its next comparison is queued, or none is needed
	}
	// One conflict of two rules: the most pressing, and of those the first to come.
	slices.SortStableFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(rank(b.finding.Kind), rank(a.finding.Kind)), a.from.Compare(b.from))
	})
	found := map[string]bool{}
	for _, p := range pairs {
		if found[p.other.ID] {
			continue
		}
		o, err := s.wordedTx(tx, p.other.ID)
		if err != nil {
			return err
		}
		if !living(o.Rule) || textsOf(o.wordings) != p.texts {
			continue // as above
		}
		found[o.ID] = true
		if err := s.putTx(tx, between(p.rule, p.other, p.finding)); err != nil {
			return err
		}
	}
	if err := s.partedTx(tx, r, found); err != nil {
		return err
	}
	_, err = tx.Exec(`UPDATE knowledge_conflict_check SET done = 1, at = $1
		WHERE rule_id = $2 AND text = $3`, tx.NowMs(), r.ID, textsOf(r.wordings))
	tx.Touch("knowledge")
	return err
}

// ordered puts the lower number left.
func ordered(r, o knowledge.Rule) (left, right knowledge.Rule) {
	if o.Number < r.Number {
		return o, r
	}
	return r, o
}

// between is the conflict of two rules.
func between(r, o knowledge.Rule, f Finding) Conflict {
	left, right := ordered(r, o)
	return Conflict{Kind: f.Kind, ItemKind: OfRules, LeftID: left.ID, RightID: right.ID, Narrower: f.Narrower,
		Confidence: f.Confidence, Why: f.Why, FoundBy: f.By,
		leftText: textOf(left), rightText: textOf(right)}
}

// partedTx ends the open pairs of a rule that were not found again.
func (s *Store) partedTx(tx *db.Tx, r worded, found map[string]bool) error {
	open, err := queryTx(tx, `WHERE state = 'open' AND item_kind <> 'case' AND right_id <> ''
		AND (left_id = $1 OR right_id = $2)`, r.ID, r.ID)
	if err != nil {
		return err
	}
	for _, c := range open {
		other, text := c.LeftID, c.rightText
		if other == r.ID {
			other, text = c.RightID, c.leftText
		}
		if found[other] || slices.ContainsFunc(r.wordings, func(w knowledge.Rule) bool { return textOf(w) == text }) {
			continue
		}
		if err := s.closeTx(tx, c, Gone, "", r.Label()+" was reworded.", knowledge.Person{}); err != nil {
			return err
		}
	}
	return nil
}

// putTx raises a conflict, unless it is open already or a person kept both over the same texts. Every other answer took
// one of the texts out, so finding both again means that it was undone: the conflict is open again. A contradiction
// takes the place of less.
func (s *Store) putTx(tx *db.Tx, c Conflict) error {
	open, err := queryTx(tx, `WHERE left_id = $1 AND right_id = $2 AND state <> 'gone'
		ORDER BY found_at DESC, id DESC`, c.LeftID, c.RightID)
	if err != nil {
		return err
	}
	for _, o := range open {
		same := o.leftText == c.leftText && o.rightText == c.rightText
		switch {
		case o.State == Open && (same || rank(o.Kind) >= rank(c.Kind)) && o.Kind == c.Kind:
			_, err := tx.Exec(`UPDATE knowledge_conflict SET left_text = $1, right_text = $2, why = $3, confidence = $4
				WHERE id = $5`, c.leftText, c.rightText, c.Why, c.Confidence, o.ID)
			return err
		case o.State == Open:
			if err := s.closeTx(tx, o, Gone, "", "The comparison has changed since.", knowledge.Person{}); err != nil {
				return err
			}
		case same && o.Kind == c.Kind && (o.Outcome == KeepBoth || c.ItemKind == OfBoth && o.Outcome == Keep):
			return nil
		case same && o.Kind == c.Kind:
			return s.reopenTx(tx, o, c)
		}
	}
	c.ID, c.State, c.FoundAt, c.Version = id.New(), Open, tx.Now, 1
	if err := db.Exec(tx, "conflict: raise", `INSERT INTO knowledge_conflict (id, kind, item_kind, left_id, right_id,
			left_text, right_text, narrower, confidence, why, found_by, found_at, state)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'open')`,
		c.ID, c.Kind, c.ItemKind, c.LeftID, c.RightID, c.leftText, c.rightText, c.Narrower, c.Confidence, c.Why,
		c.FoundBy, tx.NowMs()); err != nil {
		return err
	}
	if err := recordTx(tx, c, "conflict.found", me); err != nil {
		return err
	}
	tx.Touch("knowledge")
	return s.hooks.OnFound(tx, c)
}

// reopenTx opens a conflict again; its answer stays on it, for whoever is to answer anew.
func (s *Store) reopenTx(tx *db.Tx, was, c Conflict) error {
	c.ID, c.State, c.Outcome, c.Note = was.ID, Open, was.Outcome, was.Note
	if err := db.Exec(tx, "conflict: reopen", `UPDATE knowledge_conflict
		SET state = 'open', why = $1, confidence = $2, narrower = $3, found_by = $4, found_at = $5, closed_at = 0,
			version = version + 1 WHERE id = $6`,
		c.Why, c.Confidence, c.Narrower, c.FoundBy, tx.NowMs(), c.ID); err != nil {
		return err
	}
	if err := recordTx(tx, c, "conflict.reopened", me); err != nil {
		return err
	}
	tx.Touch("knowledge")
	return s.hooks.OnFound(tx, c)
}
