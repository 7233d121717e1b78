package demo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/rule"
)

// doubts leaves two things for an expert to look at: a rule that a colleague put in quarantine, and two rules of which
// one was reworded, for a day to come, so that it contradicts the other. Both are made through the doors that experts
// use. Where the demo's rules don't lend themselves to it, it leaves them alone.
func (w *Filling) doubts(ctx context.Context) error {
	if w.Credit == nil {
		return nil
	}
	rules, _, err := w.Knowledge.Rules(ctx, knowledge.Filter{Status: knowledge.Active, Limit: 50})
	if err != nil {
		return err
	}
	used, err := w.contradict(ctx, rules)
	if err != nil {
		return fmt.Errorf("reword a rule: %w", err)
	}
	for _, r := range rules { // newest first
		if used[r.ID] || r.Domain == knowledge.RegulatoryCompliance || len(rules) < 4 {
			continue
		}
		w.clock.Set(w.clock.Now().Add(4 * time.Minute))
		by := w.expert[1%len(w.expert)]
		err := w.Credit.Doubt(ctx, r.ID,
			"Two supervisors told me that drafts that follow it read oddly. Let us look at what it did before the "+
				"advisor is given it again.", r.Version,
			by)
		if err != nil {
			return fmt.Errorf("doubt a rule: %w", err)
		}
		break
	}
	return w.Jobs.Drain(ctx)
}

// contradict has an expert turn a rule round, from next month on, so that it forbids what another asks for; it tells
// which rules it used.
func (w *Filling) contradict(ctx context.Context, rules []knowledge.Rule) (used map[string]bool, err error) {
	used = map[string]bool{}
	for _, kept := range rules {
		if kept.Statement.Do.Kind != rule.Include || kept.Domain == knowledge.RegulatoryCompliance {
			continue
		}
		for _, r := range rules {
			if r.ID == kept.ID || r.Domain == knowledge.RegulatoryCompliance || r.Statement.Do.Kind != rule.Ask {
				continue
			}
			edit := knowledge.EditOf(&r)
			edit.Statement.When = append(slices.Clone(kept.Statement.When), r.Statement.When...)
			edit.Statement.Do = rule.Act{Kind: rule.Never, Phrases: []string{kept.Statement.Do.Text}}
			edit.Statement.Because = "drafts are getting long, and this is said on the follow-up call"
			edit.ValidFrom, edit.Reason = knowledge.DayOf(w.clock.Now().AddDate(0, 1, 0)),
				"Drafts are getting long. From next month on this is said on the follow-up call."
			by := w.expert[2%len(w.expert)]
			w.clock.Set(w.clock.Now().Add(7 * time.Minute))
			if _, err := w.Knowledge.EditRule(ctx, r.ID, edit, r.Version,
				knowledge.Person{ID: by.ID, Name: by.Name, Roles: by.Roles}); err != nil {
				return used, err
			}
			used[kept.ID], used[r.ID] = true, true
			return used, nil
		}
	}
	return used, nil
}
