package conflict

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
)

const (
	consolidateEvery = 6 * time.Hour
	checkAgain       = 10 * time.Minute // a comparison that waits longer than this is queued again
	consolidateMost  = 500              // of each, per run; the next run goes on
)

// Consolidate proposes what could be cleared up: near-duplicate cases, and rules and cases that nobody was shown while
// others like them were. It also queues comparisons that are missing. It may run twice. What is read of the whole base
// is read beside the writers, and they wait only for what is written of it.
func (s *Store) Consolidate(ctx context.Context) error {
	var missing []knowledge.Rule
	var lost []string
	var twins []knowledge.Twins
	var unused []knowledge.UnusedItem
	err := s.d.Read(ctx, func(tx *db.Tx) (err error) {
		if missing, lost, err = s.findMissingTx(tx); err != nil {
			return err
		}
		if twins, err = s.kb.TwinsTx(tx, consolidateMost); err != nil {
			return err
		}
		unused, err = s.kb.UnusedTx(tx, tx.Now.Add(-s.Policy.UnusedFor), s.Policy.Others, consolidateMost)
		return err
	})
	if err != nil {
		return err
	}
	steps := []func(tx *db.Tx) error{
		func(tx *db.Tx) error { return s.casesTx(tx, twins) },
		func(tx *db.Tx) error { return s.unusedTx(tx, unused) },
		s.usedAgainTx,
	}
	if len(missing)+len(lost) > 0 {
		steps = append(steps, s.missingTx)
	}
	for _, step := range steps {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := s.d.Write(ctx, step); err != nil {
			return err
		}
	}
	return nil
}

// ScanArgs looks what was changed in bulk.
type ScanArgs struct{}

// Kind names the job.
func (ScanArgs) Kind() string { return "knowledge.conflicts.all" }

func (s *Store) RulesChangedTx(tx *db.Tx) error { return s.jobs.InsertTx(tx, ScanArgs{}) }

func (s *Store) scan(ctx context.Context, _ ScanArgs) error { return s.Consolidate(ctx) }

// missingTx queues the comparison of living rules that were not compared with the text they have, as after a rollback,
// from an older version of the program or since the day on which that text came into use, and of those whose job was
// lost; and ends the conflicts of rules that left use unseen.
func (s *Store) missingTx(tx *db.Tx) error {
	missing, gone, err := s.findMissingTx(tx)
	if err != nil {
		return err
	}
	for _, r := range missing {
		// One whose job was lost would be taken for queued.
		if _, err := tx.Exec(`DELETE FROM knowledge_conflict_check
			WHERE rule_id = $1 AND done = 0 AND at < $2`, r.ID, tx.NowMs()-checkAgain.Milliseconds()); err != nil {
			return err
		}
		if err := s.RuleWrittenTx(tx, r); err != nil {
			return err
		}
	}
	for _, ruleID := range gone {
		r, err := s.kb.RuleTx(tx, ruleID)
		if err != nil {
			return err
		}
		if err := s.RuleWrittenTx(tx, *r); err != nil {
			return err
		}
	}
	if len(missing) == consolidateMost {
		return s.RulesChangedTx(tx)
	}
	return nil
}

// findMissingTx lists living rules that have to be compared, up to consolidateMost, and rules that were compared and
// live no more.
func (s *Store) findMissingTx(tx *db.Tx) (missing []knowledge.Rule, gone []string, err error) {
	rules, err := s.kb.LivingTx(tx)
	if err != nil {
		return nil, nil, err
	}
	checks, err := checksTx(tx)
	if err != nil {
		return nil, nil, err
	}
	for i := range rules {
		wordings, err := s.kb.WordingsTx(tx, &rules[i])
		if err != nil {
			return nil, nil, err
		}
		k, ok := checks[rules[i].ID]
		delete(checks, rules[i].ID)
		lost := ok && !k.done && tx.NowMs()-k.at > checkAgain.Milliseconds()
		if (!ok || k.text != textsOf(wordings) || lost) && len(missing) < consolidateMost {
			missing = append(missing, rules[i])
		}
	}
	return missing, slices.Sorted(maps.Keys(checks)), nil
}

// compared is which text of a rule was compared, or waits for it.
type compared struct {
	text string
	done bool
	at   int64
}

func checksTx(tx *db.Tx) (map[string]compared, error) {
	out := map[string]compared{}
	err := db.Each(tx, "conflict: read comparisons", func(row db.Row) error {
		var ruleID string
		var k compared
		if err := row.Scan(&ruleID, &k.text, &k.done, &k.at); err != nil {
			return err
		}
		out[ruleID] = k
		return nil
	}, `SELECT rule_id, text, done, at FROM knowledge_conflict_check`)
	return out, err
}

// casesTx raises the near-duplicates among cases in use that package knowledge knows of, and ends pairs of which one
// left use.
func (s *Store) casesTx(tx *db.Tx, twins []knowledge.Twins) error {
	for _, t := range twins {
		c := Conflict{Kind: Duplicate, ItemKind: OfCases, LeftID: t.Left.ID, RightID: t.Right.ID,
			Confidence: t.Similarity, FoundBy: "import",
			Why: fmt.Sprintf("The two texts have %d%% of their word triples in common.",
				int(t.Similarity*100+0.5)),
			leftText: hashOf(t.Left.Guidance), rightText: hashOf(t.Right.Guidance)}
		if x, y, ok := knowledge.Against(s.kb.Compare, t.Left, t.Right); ok && t.Contradict {
			c.Kind, c.Confidence, c.Why = Contradiction, sureSome, opposites(x, y)
		}
		if err := s.putTx(tx, c); err != nil {
			return err
		}
	}
	open, err := queryTx(tx, `WHERE state = 'open' AND item_kind <> 'rule'
		ORDER BY found_at, id LIMIT $1`, 4*consolidateMost)
	if err != nil {
		return err
	}
	for _, c := range open {
		for _, itemID := range []string{c.LeftID, c.RightID} {
			if itemID == "" || c.ItemKind == OfBoth && itemID == c.LeftID || c.rests() && itemID == c.RightID {
				continue // a rule's own end ends it, and the section may be gone
			}
			k, err := s.kb.CaseTx(tx, itemID)
			if err != nil {
				return err
			}
			if k.Status != knowledge.Active {
				if err := s.closeTx(tx, c, Gone, "", k.Label()+" is no longer in use.",
					knowledge.Person{}); err != nil {
					return err
				}
				break
			}
		}
	}
	return nil
}

// unusedTx raises what nobody was shown for long while its like was.
func (s *Store) unusedTx(tx *db.Tx, list []knowledge.UnusedItem) error {
	for _, u := range list {
		kept, err := queryTx(tx, `WHERE left_id = $1 AND right_id = '' AND kind = 'unused' AND state = 'settled'
				AND outcome = 'keep' AND closed_at > $2`,
			u.ID, tx.Now.Add(-s.Policy.KeptFor).UnixMilli())
		if err != nil {
			return err
		}
		if len(kept) > 0 {
			continue
		}
		c := Conflict{Kind: Unused, ItemKind: u.Kind, LeftID: u.ID, Confidence: 1, FoundBy: "usage ledger",
			leftText: hashOf(u.ID, u.Last.UTC().Format(time.DateOnly)), Why: whyUnused(u, s.Policy)}
		if err := s.putTx(tx, c); err != nil {
			return err
		}
	}
	return nil
}

func whyUnused(u knowledge.UnusedItem, p Policy) string {
	days := int(p.UnusedFor.Hours() / 24)
	if u.Last.IsZero() {
		return fmt.Sprintf("No draft ever used it. Others of its kind were used in %d drafts in the last %d days.",
			u.Others, days)
	}
	return fmt.Sprintf("No draft used it in the last %d days, while others of its kind were used in %d drafts.", days,
		u.Others)
}

// usedAgainTx ends what was raised as unused and is used again, or in use no more.
func (s *Store) usedAgainTx(tx *db.Tx) error {
	open, err := queryTx(tx, `WHERE state = 'open' AND kind = 'unused' ORDER BY found_at, id LIMIT $1`, consolidateMost)
	if err != nil {
		return err
	}
	for _, c := range open {
		last, inUse, err := s.kb.LastShownTx(tx, c.ItemKind, c.LeftID)
		if err != nil {
			return err
		}
		why := ""
		switch {
		case !inUse:
			why = "It is no longer in use."
		case last.After(c.FoundAt):
			why = "A draft has used it since."
		}
		if why == "" {
			continue
		}
		if err := s.closeTx(tx, c, Gone, "", why, knowledge.Person{}); err != nil {
			return err
		}
	}
	return nil
}
