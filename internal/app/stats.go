package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"preceptor/internal/config"
	"preceptor/internal/knowledge"
	"preceptor/internal/lists"
	"preceptor/internal/stats"
	"preceptor/internal/stats/tally"
)

// openTally finds the desk's zone: the one that the settings name, or the one whose days the file has counted, or the default.
func (a *App) openTally(ctx context.Context) error {
	name := a.cfg.Zone
	if name == "" {
		var err error
		if name, err = tally.StoredZone(ctx, a.DB); err != nil {
			return err
		}
	}
	zone, err := config.Location(name)
	if err != nil {
		return fmt.Errorf("app: the desk's zone: %w", err)
	}
	a.Zone, a.Tally = zone, tally.New(a.DB, zone)
	return nil
}

// countAnew counts everything again where the sums are not those of this program and zone.
func (a *App) countAnew(ctx context.Context) error {
	told := false
	_, err := a.Tally.Ready(ctx, func(done int) {
		if !told && done >= tellFrom {
			a.say("The statistics are being recounted, which happens once after an update or a change of the time zone ...")
			told = true
		}
	})
	return err
}

// tellFrom is from how many rows on it takes long enough to say so.
const tellFrom = 50_000

// baseSizes are the sizes of both bases at the ends of some periods.
func (a *App) baseSizes(ctx context.Context, from time.Time, step time.Duration, n int) (cases, rules []int, err error) {
	sizes, err := a.Knowledge.Growth(ctx, from, step, n)
	for _, s := range sizes {
		cases, rules = append(cases, s.Cases()), append(rules, s.Rules)
	}
	return cases, rules, err
}

// mostRules bounds the rules that are weighed for the page of learning.
const mostRules = 1_000

// ruleCredit finds the rules with the largest help and harm by real decisions, of those in use and in quarantine. One whose interval
// spans 0 is in neither list.
func (a *App) ruleCredit(ctx context.Context, n int) (help, harm []stats.RuleCredit, err error) {
	var all []stats.RuleCredit
	for _, status := range []string{knowledge.Active, knowledge.Quarantined} {
		for cursor, more := "", true; more && len(all) < mostRules; more = cursor != "" {
			var rules []knowledge.Rule
			if rules, cursor, err = a.Knowledge.Rules(ctx, knowledge.Filter{Status: status, Limit: 500, Cursor: cursor}); err != nil {
				return nil, nil, err
			}
			ids := lists.Map(rules, func(r knowledge.Rule) string { return r.ID })
			effects, err := a.Credit.Effects(ctx, ids)
			if err != nil {
				return nil, nil, err
			}
			for _, r := range rules {
				if e := effects[r.ID]; e.Shown > 0 {
					all = append(all, stats.RuleCredit{ID: r.ID, Number: r.Number, Text: r.Principle, Effect: e.Effect, Low: e.Low, High: e.High, Shown: e.Shown,
						Quarantined: status == knowledge.Quarantined})
				}
			}
		}
	}
	slices.SortStableFunc(all, func(x, y stats.RuleCredit) int {
		return cmp.Or(cmp.Compare(y.Effect, x.Effect), cmp.Compare(x.Number, y.Number))
	})
	for _, r := range all {
		if r.Low > 0 && len(help) < n {
			help = append(help, r)
		}
	}
	for _, r := range slices.Backward(all) {
		if r.High < 0 && len(harm) < n {
			harm = append(harm, r)
		}
	}
	return help, harm, nil
}
