package demo

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/conflict"
	"preceptor/internal/pension"
)

// doubts leaves two things for an expert to look at: a rule that a colleague put in quarantine, and two rules of which one was
// reworded, for a day to come, so that it contradicts the other. Both are made through the doors that experts use. Where the
// demo's rules don't lend themselves to it, it leaves them alone.
func (w *seeder) doubts(ctx context.Context) error {
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
		err := w.Credit.Doubt(ctx, r.ID, "Two supervisors told me that drafts that follow it read oddly. Let us look at what it did before the advisor is given it again.", r.Version,
			knowledge.Person{ID: by.ID, Name: by.Name, Roles: by.Roles})
		if err != nil {
			return fmt.Errorf("doubt a rule: %w", err)
		}
		break
	}
	return w.Jobs.Drain(ctx)
}

// contradict rewords one rule, from next month on, so that it forbids what another asks for; it tells which rules it used. What
// somebody could wish to say later, a fact or a pointer, is taken before what nobody would forbid, such as kind words.
func (w *seeder) contradict(ctx context.Context, rules []knowledge.Rule) (used map[string]bool, err error) {
	for _, any := range []bool{false, true} {
		if used, err = w.contradictOnce(ctx, rules, any); err != nil || len(used) > 0 {
			return used, err
		}
	}
	return used, nil
}

// deferrable is how a demand begins that a colleague may well want to leave for later.
var deferrable = regexp.MustCompile(`^(mention|explain|point|say|give|show|set out|compare)`)

func (w *seeder) contradictOnce(ctx context.Context, rules []knowledge.Rule, any bool) (used map[string]bool, err error) {
	used = map[string]bool{}
	detector := conflict.NewEmbedded()
	for _, kept := range rules {
		p, err := pension.ParsePrinciple(kept.Principle)
		if err != nil || kept.Domain == knowledge.RegulatoryCompliance {
			continue
		}
		demands := p.Demands()
		if len(demands) == 0 || demands[0].Not || !any && !deferrable.MatchString(demands[0].Text) {
			continue
		}
		for _, r := range rules {
			b, err := pension.ParsePrinciple(r.Principle)
			if err != nil || r.ID == kept.ID || r.Domain == knowledge.RegulatoryCompliance {
				continue
			}
			b.Action += ", and do not " + demands[0].Text
			f, err := detector.Compare(ctx, conflict.Text{ID: kept.ID, Principle: kept.Principle}, conflict.Text{ID: r.ID, Principle: b.String()})
			if err != nil {
				return used, err
			}
			if f.Kind != conflict.FoundContradiction {
				continue
			}
			edit := knowledge.EditOf(&r)
			edit.Principle, edit.ValidFrom = b.String(), knowledge.DayOf(w.clock.Now().AddDate(0, 1, 0))
			edit.Reason = "Drafts are getting long. From next month on this is said on the follow-up call."
			by := w.expert[2%len(w.expert)]
			w.clock.Set(w.clock.Now().Add(7 * time.Minute))
			if _, err := w.Knowledge.EditRule(ctx, r.ID, edit, r.Version, knowledge.Person{ID: by.ID, Name: by.Name, Roles: by.Roles}); err != nil {
				return used, err
			}
			used[kept.ID], used[r.ID] = true, true
			return used, nil
		}
	}
	return used, nil
}
