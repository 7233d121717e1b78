package browsertest

import (
	"encoding/json"
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/knowledge"
	dom "preceptor/internal/practice"
	"preceptor/internal/stats"
	"preceptor/views/layout"
	"preceptor/views/practice"
	"preceptor/views/ui"
)

func practiceSamples() []Sample {
	wide := func(f layout.Frame) layout.Frame { f.Wide = true; return f }
	show := func(kind, state, wrong string) func(f layout.Frame, w Words) templ.Component {
		return func(f layout.Frame, w Words) templ.Component {
			v := practice.Show{Run: practised(w, kind, state), Agent: w.Agent, Stats: true,
				MayPropose: true, Error: wrong,
				Questions: map[string]string{"P1/a": w.Question}, Asked: map[string]string{"fees": w.Principle}}
			if err := v.Read(); err != nil {
				panic(err)
			}
			if kind == dom.Comparison || state == dom.Done && kind == dom.Training {
				v.Nightly = true
				v.Night = &practice.Night{Night: dom.Night{Last: v.Run,
					Gain: dom.Figure{Of: -.2, Low: -.3, High: -.1, N: 30}},
					Moved:  knowledge.Moved{RulesIn: []string{me}, RulesOut: []string{me}, CasesIn: 2, CasesOut: 1},
					Labels: map[string]string{me: w.Principle}}
			}
			if kind == dom.Training {
				if v.Curve = v.Trained.Curve; state != dom.Done {
					v.Curve = []dom.Point{
						{Customers: 100, Quality: dom.Figure{Of: .1, Low: .05, High: .2, N: 100},
							NeedsMet: dom.Figure{Of: .3, Low: .2, High: .4, N: 100}}}
				}
				v.Before, v.After = []dom.Session{{Person: "P1/a", Outcome: dom.Outcome{Missed: []string{"fees"}}}},
					[]dom.Session{{Person: "P1/a", Outcome: dom.Outcome{Met: []string{"fees"}}}}
			}
			return practice.ShowPage(wide(f), v)
		}
	}
	return []Sample{
		{"practice", "Practice, with an error", func(f layout.Frame, w Words) templ.Component {
			return practice.ListPage(wide(f),
				practice.List{Stats: true, Now: w.Now, Names: map[string]string{"a": w.Agent},
					Agents: []ui.Option{{Value: "a", Label: w.Agent}},
					Plan:   practice.Plan{Customers: "many", Split: "1", Seed: "1"}, Error: "The run can't start yet.",
					Errors: map[string]string{"customers": "Enter a whole number from 1 to 50,000."},
					Runs: []dom.Run{practised(w, dom.Training, dom.Running), practised(w, dom.Training, dom.Done),
						practised(w, dom.Evaluation, dom.Done), practised(w, dom.Training, dom.Failed)}})
		}},
		{"practice-none", "Practice, no runs", func(f layout.Frame, w Words) templ.Component {
			return practice.ListPage(wide(f), practice.List{Now: w.Now})
		}},
		{"practice-running", "Practice, a training runs", show(dom.Training, dom.Running, "")},
		{"practice-done", "Practice, a training is done",
			show(dom.Training, dom.Done, "Select the rules to propose first.")},
		{"practice-failed", "Practice, a training stopped", show(dom.Training, dom.Failed, "")},
		{"practice-ablated", "Practice, an ablation", show(dom.Ablation, dom.Done, "")},
		{"practice-ablating", "Practice, an ablation runs", show(dom.Ablation, dom.Running, "")},
		{"practice-comparing", "Practice, a comparison runs", show(dom.Comparison, dom.Running, "")},
		{"practice-compared", "Practice, a comparison", show(dom.Comparison, dom.Done, "")},
		{"practice-history", "Practice beside real people", func(f layout.Frame, w Words) templ.Component {
			one := practised(w, dom.Evaluation, dom.Done)
			one.Base, one.Judge = dom.Stand{Seq: 9, Rules: 12, Cases: 1203}, w.Reason
			older := one
			older.Base = dom.Stand{Seq: 7, Rules: 14, Cases: 1200}
			list, err := practice.Measured([]dom.Run{one, older, practised(w, dom.Evaluation, dom.Done)})
			if err != nil {
				panic(err)
			}
			return practice.HistoryPage(wide(f),
				practice.History{Agent: "a",
					Agents: []ui.Option{{Value: "a", Label: w.Agent}, {Value: "b", Label: w.Agent}}, Runs: list,
					Stats: true, Now: w.Now,
					Real: practice.RealRows(stats.ReviewPage{Approved: stats.ShareOf("", 40, 60)},
						stats.SatisfactionPage{})})
		}},
		{"practice-history-none", "Practice, nothing measured", func(f layout.Frame, w Words) templ.Component {
			return practice.HistoryPage(wide(f),
				practice.History{Agent: "a", Agents: []ui.Option{{Value: "a", Label: w.Agent}}, Now: w.Now})
		}},
		{"practice-evaluated", "Practice, an evaluation", show(dom.Evaluation, dom.Done, "")},
	}
}

// practised is a run in the words of a sample.
func practised(w Words, kind, state string) dom.Run {
	r := dom.Run{ID: me, Plan: dom.Plan{AgentID: "a", Kind: kind, Seed: 7, Customers: 300}, Done: 300, State: state,
		StartedAt: w.Now.Add(-time.Hour), UpdatedAt: w.Now}
	share := dom.Figure{Of: .41, Low: .36, High: .46, N: 300}
	score := dom.Figure{Of: 5.6, Low: 5.2, High: 6, N: 300}
	m := dom.Metrics{RiskAssessmentAccuracy: share, GuidanceAppropriateness: share, ComplianceRate: share,
		Satisfaction: score, Comprehension: score, GoalAlignment: score, NeedsMet: share, OverallQuality: share}
	var result any = m
	if kind == dom.Training || kind == dom.Comparison {
		t := dom.Trained{Customers: 300, Lessons: 2, Accepted: 1, Before: m, After: m,
			Gain: dom.Figure{Of: .2, Low: .1, High: .3, N: 120},
			Rules: []dom.Rule{{Need: "fees", Rule: w.Principle, Accepted: true},
				{Need: "x", Rule: w.Principle, Why: w.Reason}}}
		for n := 100; n <= 300; n += 100 {
			t.Curve = append(t.Curve,
				dom.Point{Customers: n, Quality: share, NeedsMet: share, Cases: n / 10, Rules: n / 20})
		}
		result = t
	}
	if kind == dom.Ablation {
		a := dom.Ablated{Pack: "pension", Customers: 300, Seeds: 5, Judge: dom.Told{Found: .64, False: .29}}
		for _, name := range []string{dom.Baseline, dom.CasesOnly, dom.RulesOnly, dom.Full, dom.WrongArm,
			dom.OtherArm} {
			arm := dom.Arm{Name: name, Metrics: m, Against: dom.Baseline,
				NeedsMet: dom.Figure{Of: .2, Low: .1, High: .3, N: 120}}
			if name == dom.Baseline {
				arm.Against = ""
			}
			a.Arms = append(a.Arms, arm)
		}
		result = a
	}
	if kind == dom.Comparison {
		r.Customers, r.Done = 0, 0
	}
	switch state {
	case dom.Running:
		r.Done = min(r.Customers, 140)
	case dom.Failed:
		r.Done, r.Error = 140, w.Reason
	}
	if state == dom.Done {
		r.Result, _ = json.Marshal(result)
	}
	return r
}
