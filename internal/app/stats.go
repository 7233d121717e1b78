package app

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/estimate"
	"preceptor/internal/platform/lists"
	"preceptor/internal/stats"
	"preceptor/internal/stats/counter"
)

// openCounter finds the desk's zone: the one that the settings name, or the one whose days the file has counted, or the
// default.
func (a *App) openCounter(ctx context.Context) error {
	name := a.cfg.Zone
	if name == "" {
		var err error
		if name, err = counter.StoredZone(ctx, a.DB); err != nil {
			return err
		}
	}
	zone, err := config.Location(name)
	if err != nil {
		return fmt.Errorf("app: the desk's zone: %w", err)
	}
	a.Zone, a.Counter = zone, counter.New(a.DB, zone)
	return nil
}

// countAnew counts everything again where the sums are not those of this program and zone.
func (a *App) countAnew(ctx context.Context) error {
	was, err := counter.StoredZone(ctx, a.DB)
	if err != nil {
		return err
	}
	if now := a.Zone.String(); was != "" && was != now {
		if err := a.DB.Write(ctx, func(tx *db.Tx) error {
			return audit.Note(tx, audit.System("settings"), "settings.zone", "desk", "zone",
				map[string]string{"before": was, "after": now})
		}); err != nil {
			return fmt.Errorf("app: record the change of the time zone: %w", err)
		}
	}
	told := false
	_, err = a.Counter.Ready(ctx, func(done int) {
		if !told && done >= tellFrom {
			a.say("The statistics are being recounted, which happens once after an update or a change of the time " +
				"zone ...")
			told = true
		}
	})
	return err
}

// tellFrom is from how many rows on it takes long enough to say so.
const tellFrom = 50_000

// baseSizes are the sizes of both bases at the ends of some periods.
func (a *App) baseSizes(ctx context.Context, from time.Time, step time.Duration,
	n int) (cases, rules []int, err error) {
	sizes, err := a.Knowledge.Growth(ctx, from, step, n)
	for _, s := range sizes {
		cases, rules = append(cases, s.Cases()-s.Practised), append(rules, s.Rules)
	}
	return cases, rules, err
}

// mostRules bounds the rules that are weighed for the page of learning.
const mostRules = 1_000

// ruleCredit finds the rules with the largest help and harm by real decisions, of those in use and in quarantine. One
// whose effect chance may have made, of so many, is in neither list.
func (a *App) ruleCredit(ctx context.Context, n int) (help, harm []stats.RuleCredit, err error) {
	var all []stats.RuleCredit
	for _, status := range []string{knowledge.Active, knowledge.Quarantined} {
		for cursor, more := "", true; more && len(all) < mostRules; more = cursor != "" {
			var rules []knowledge.Rule
			if rules, cursor, err = a.Knowledge.Rules(ctx,
				knowledge.Filter{Status: status, Held: true, Limit: 500, Cursor: cursor}); err != nil {
				return nil, nil, err
			}
			ids := lists.Map(rules, func(r knowledge.Rule) string { return r.ID })
			effects, err := a.Credit.Effects(ctx, ids)
			if err != nil {
				return nil, nil, err
			}
			for _, r := range rules {
				if e := effects[r.ID]; e.Shown > 0 {
					all = append(all,
						stats.RuleCredit{ID: r.ID, Number: r.Number, Text: r.Principle, Effect: e.Effect, Low: e.Low,
							High: e.High, Shown: e.Shown,
							Quarantined: status == knowledge.Quarantined})
				}
			}
		}
	}
	slices.SortStableFunc(all, func(x, y stats.RuleCredit) int {
		return cmp.Or(cmp.Compare(y.Effect, x.Effect), cmp.Compare(x.Number, y.Number))
	})
	ps := make([]float64, len(all))
	for i, r := range all {
		if ps[i] = math.NaN(); r.Shown >= estimate.Few && r.High > r.Low {
			ps[i] = math.Erfc(math.Abs(r.Effect) / (r.High - r.Low) * 2 * estimate.Z95 / math.Sqrt2)
		}
	}
	sure := estimate.Holm(ps)
	for i, r := range all {
		if sure[i] && r.Effect > 0 && len(help) < n {
			help = append(help, r)
		}
	}
	for i, r := range slices.Backward(all) {
		if sure[i] && r.Effect < 0 && len(harm) < n {
			harm = append(harm, r)
		}
	}
	return help, harm, nil
}
