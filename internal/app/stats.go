package app

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/judging"
	"preceptor/internal/config"
	"preceptor/internal/db"
	"preceptor/internal/erase"
	"preceptor/internal/feedback"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/lists"
	"preceptor/internal/review"
	"preceptor/internal/stats"
	"preceptor/internal/stats/tally"
)

// openStats finds the desk's zone: the one that the settings name, or the one whose days the file has counted, or the default.
func (a *App) openStats(ctx context.Context) error {
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
	a.Zone, a.Tally, a.Stats = zone, tally.New(a.DB, zone), stats.New(a.DB)
	a.Stats.Zone = zone
	return nil
}

// joinStats has everything counted in the transaction of its cause. It comes last: what is counted has to be written by then.
func (a *App) joinStats() {
	k := a.Tally
	decided := func(tx *db.Tx, d *review.Decision) error { return k.CaseTx(tx, d.InteractionID) }
	for _, hooks := range []*[]review.Hook{&a.Reviews.OnDecided, &a.Reviews.OnUndone, &a.Reviews.OnReleased, &a.Reviews.OnRecalled, &a.Reviews.OnClosed, &a.Reviews.OnSettled} {
		*hooks = append(*hooks, decided)
	}
	a.Interactions.OnSubmitted = append(a.Interactions.OnSubmitted, func(tx *db.Tx, in *interaction.Interaction) error { return k.CaseTx(tx, in.ID) })
	a.Judging.OnVerdict = append(a.Judging.OnVerdict, func(tx *db.Tx, j judging.Judged) error { return k.CaseTx(tx, j.Interaction.ID) })
	ruled := func(tx *db.Tx, c *borderline.Case, _ *borderline.Ruling, _ compliance.Verdict, _ []borderline.Answer) error {
		return k.CaseTx(tx, c.InteractionID)
	}
	a.Borderline.OnRuled, a.Borderline.OnRulingUndone = append(a.Borderline.OnRuled, ruled), append(a.Borderline.OnRulingUndone, ruled)
	a.Borderline.OnOpened, a.Borderline.OnRated = append(a.Borderline.OnOpened, k.CaseTx), append(a.Borderline.OnRated, k.CaseTx)
	a.Erase.Also = append(a.Erase.Also, erase.Also{Place: "Statistics", EraseTx: func(tx *db.Tx, g erase.Gone) (int, error) {
		if g.Interaction == "" {
			return 0, nil
		}
		return 0, k.CaseTx(tx, g.Interaction) // there is no text; a case that waited does so no more
	}})
	a.Stats.Base = stats.Base{Beginning: a.Knowledge.Beginning, Growth: a.baseSizes, ExpectedCases: knowledge.ExpectedCases, ExpectedRules: knowledge.ExpectedRules}
	a.Stats.Credit = a.ruleCredit
}

// countFeedback has votes, outcomes and observed interactions counted, and what an agent asks for by the days of the same zone.
func (a *App) countFeedback(b *feedback.Book) {
	k := a.Tally
	b.Zone = a.Zone
	b.OnVote(func(tx *db.Tx, old *feedback.Vote, now feedback.Vote, s feedback.Subject) error {
		var was *tally.Vote
		if old != nil {
			v := tallied(*old, s)
			was = &v
		}
		return k.VoteTx(tx, was, tallied(now, s))
	})
	b.OnOutcome(func(tx *db.Tx, old *feedback.Outcome, now feedback.Outcome, s feedback.Subject) error {
		var was *tally.Outcome
		if old != nil {
			o := talliedOutcome(*old, s)
			was = &o
		}
		return k.OutcomeTx(tx, was, talliedOutcome(now, s))
	})
	b.OnLog(func(tx *db.Tx, o feedback.Observation) error {
		return k.LoggedTx(tx, o.AgentType, o.Topic, db.Ms(o.At))
	})
}

func tallied(v feedback.Vote, s feedback.Subject) tally.Vote {
	return tally.Vote{AgentType: s.AgentType, Topic: s.Topic, Rating: v.Kind == feedback.Rating, Value: v.Value, Norm: v.Norm, At: db.Ms(v.At)}
}

func talliedOutcome(o feedback.Outcome, s feedback.Subject) tally.Outcome {
	return tally.Outcome{AgentType: s.AgentType, Topic: s.Topic, Satisfaction: o.Satisfaction, Comprehension: o.Comprehension,
		GoalAlignment: o.GoalAlignment, GoalsMet: said(o.GoalsMet), Understanding: said(o.UnderstandingChecked), Signposted: said(o.Signposted),
		Warning: said(o.DBWarningGiven), At: db.Ms(o.At)}
}

func said(b *bool) sql.NullBool {
	if b == nil {
		return sql.NullBool{}
	}
	return sql.NullBool{Bool: *b, Valid: true}
}

// countAnew counts everything again where the sums are not those of this program and zone.
func (a *App) countAnew(ctx context.Context) error {
	told := false
	_, err := a.Tally.Ready(ctx, func(done int) {
		if !told && done >= tellFrom {
			a.say("The statistics are counted anew, which happens once after an update or a change of the time zone ...")
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

// ruleCredit finds the rules with the largest help and harm by real decisions, of those in use and in quarantine.
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
		if r.Effect > 0 && len(help) < n {
			help = append(help, r)
		}
	}
	for _, r := range slices.Backward(all) {
		if r.Effect < 0 && len(harm) < n {
			harm = append(harm, r)
		}
	}
	return help, harm, nil
}
