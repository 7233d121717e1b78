package demo

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/conflict"
	"preceptor/internal/pack"
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
			by)
		if err != nil {
			return fmt.Errorf("doubt a rule: %w", err)
		}
		break
	}
	return w.Jobs.Drain(ctx)
}

// wish is what a colleague could want to be left unsaid, and why.
type wish struct {
	kept   *regexp.Regexp // a demand of the rule that stays
	whom   *regexp.Regexp // the situation of the rule that is reworded
	unsaid string         // what that asks to leave out; "" for the very demand
	reason string
}

// wishes come in the order in which they make sense: figures that frighten people who can't use them, then what may be said later, then
// anything.
var wishes = []wish{
	{regexp.MustCompile(`lump sum allowance`), regexp.MustCompile(`literacy|vulnerable`), "mention the lump sum allowance",
		"Figures of a quarter of a million and more put people off who will never come near them. From next month on we leave them out here."},
	{regexp.MustCompile(`^(mention|explain|point|say|give|show|set out|compare)`), regexp.MustCompile(`.`), "", "Drafts are getting long. From next month on this is said on the follow-up call."},
	{regexp.MustCompile(`.`), regexp.MustCompile(`.`), "", "Drafts are getting long. From next month on this is said on the follow-up call."},
}

// contradict rewords one rule, from next month on, so that it forbids what another asks for; it tells which rules it used.
func (w *seeder) contradict(ctx context.Context, rules []knowledge.Rule) (used map[string]bool, err error) {
	for _, wanted := range wishes {
		if used, err = w.contradictOnce(ctx, rules, wanted); err != nil || len(used) > 0 {
			return used, err
		}
	}
	return used, nil
}

func (w *seeder) contradictOnce(ctx context.Context, rules []knowledge.Rule, wanted wish) (used map[string]bool, err error) {
	used = map[string]bool{}
	for _, kept := range rules {
		p, err := pack.ParsePrinciple(kept.Principle)
		if err != nil || kept.Domain == knowledge.RegulatoryCompliance {
			continue
		}
		demands := p.Demands()
		if len(demands) == 0 || demands[0].Not || !wanted.kept.MatchString(demands[0].Text) {
			continue
		}
		unsaid := cmp.Or(wanted.unsaid, demands[0].Text)
		for _, r := range rules {
			b, err := pack.ParsePrinciple(r.Principle)
			if err != nil || r.ID == kept.ID || r.Domain == knowledge.RegulatoryCompliance || !wanted.whom.MatchString(b.Situation) {
				continue
			}
			b.Action += ", and do not " + unsaid
			f, err := conflict.NewEmbedded().Compare(ctx, conflict.Text{ID: kept.ID, Principle: kept.Principle}, conflict.Text{ID: r.ID, Principle: b.String()})
			if err != nil {
				return used, err
			}
			if f.Kind != conflict.FoundContradiction {
				continue
			}
			used[kept.ID], used[r.ID] = true, true
			return used, w.reword(ctx, r, b.String(), wanted.reason)
		}
	}
	return used, nil
}

// reword has an expert change a rule from next month on.
func (w *seeder) reword(ctx context.Context, r knowledge.Rule, text, reason string) error {
	edit := knowledge.EditOf(&r)
	edit.Principle, edit.ValidFrom, edit.Reason = text, knowledge.DayOf(w.clock.Now().AddDate(0, 1, 0)), reason
	by := w.expert[2%len(w.expert)]
	w.clock.Set(w.clock.Now().Add(7 * time.Minute))
	_, err := w.Knowledge.EditRule(ctx, r.ID, edit, r.Version, knowledge.Person{ID: by.ID, Name: by.Name, Roles: by.Roles})
	return err
}
