package browsertest

import (
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/feedback/experiment"
	"preceptor/internal/feedback/preference"
	"preceptor/views/experiments"
	"preceptor/views/layout"
	"preceptor/views/preferences"
)

func preferenceSamples() []Sample {
	wide := func(f layout.Frame) layout.Frame { f.Wide = true; return f }
	return []Sample{
		{"preferences", "Judging two answers", func(f layout.Frame, w Words) templ.Component {
			return preferences.JudgePage(wide(f),
				preferences.Judge{Me: me, Keeper: true, Now: w.Now, Work: preference.Work{
					Now: &preference.Task{PairID: other, Prompt: w.Question, A: w.Draft, B: w.Revised}, Waiting: 12,
					Done: 41, Skipped: 1},
					Mine: []preference.Mine{{PairID: me, Opening: w.Goal, Choice: preference.ABetter,
						At: w.Now.Add(-time.Minute)},
						{PairID: other, Opening: w.Question, Choice: preference.BothBad, At: w.Now.Add(-time.Hour)}}})
		}},
		{"preferences-conflict", "Judging, the last answer was not taken",
			func(f layout.Frame, w Words) templ.Component {
				return preferences.JudgePage(wide(f),
					preferences.Judge{Me: me, Now: w.Now,
						Error: "You have judged this pair already. Undo your answer to change it.",
						Work: preference.Work{Now: &preference.Task{PairID: other, Prompt: w.Question, A: w.Revised,
							B: w.Draft}, Waiting: 3}})
			}},
		{"preferences-none", "Judging, no pairs yet", func(f layout.Frame, w Words) templ.Component {
			return preferences.JudgePage(wide(f), preferences.Judge{Keeper: true, Now: w.Now})
		}},
		{"preferences-done", "Judging, all done", func(f layout.Frame, w Words) templ.Component {
			return preferences.JudgePage(wide(f), preferences.Judge{Now: w.Now, Work: preference.Work{Done: 8}})
		}},
		{"preferences-skipped", "Judging, only what was passed over", func(f layout.Frame, w Words) templ.Component {
			return preferences.JudgePage(wide(f), preferences.Judge{Now: w.Now, Work: preference.Work{Skipped: 2}})
		}},
		{"preferences-ranking", "Ranking", func(f layout.Frame, w Words) templ.Component {
			return preferences.RankingPage(wide(f),
				preferences.Ranking{Counts: preference.Counts{Answers: 74, Ties: 9, BothBad: 2},
					Ranking: preference.Rank([]preference.Contest{
						{One: w.Agent, Two: "prompt 4", Ones: 9, Twos: 21, Ties: 6},
						{One: "prompt 4", Two: w.Name, Ones: 18, Twos: 7, Ties: 3},
						{One: w.Agent, Two: w.Name, Ones: 5, Twos: 4, Ties: 1}})})
		}},
		{"preferences-ranking-apart", "Ranking, in groups, one never lost",
			func(f layout.Frame, w Words) templ.Component {
				return preferences.RankingPage(wide(f),
					preferences.Ranking{Ranking: preference.Rank([]preference.Contest{
						{One: w.Agent, Two: "prompt 4", Twos: 6}, {One: "prompt 4", Two: "prompt 5", Ones: 2, Twos: 3},
						{One: "model a", Two: "model b", Ties: 4}})})
			}},
		{"preferences-ranking-none", "Ranking, nothing compared", func(f layout.Frame, w Words) templ.Component {
			return preferences.RankingPage(wide(f), preferences.Ranking{Ranking: preference.Rank(nil)})
		}},
		{"preferences-pairs", "Pairs, with an error", func(f layout.Frame, w Words) templ.Component {
			return preferences.PairsPage(wide(f),
				preferences.Pairs{Now: w.Now, Origin: preference.Revision, From: "soon",
					Counts: preference.Counts{Revisions: 31, Given: 4, API: 12, Judged: 7},
					Error:  "A date isn't valid.",
					Errors: map[string]string{"from": "Enter the date as 1/12/2026, 1 Dec 2026 or 2026-12-01."},
					Page:   preference.Page{Next: "more", Items: somePairs(w)}})
		}},
		{"preferences-pairs-none", "Pairs, none", func(f layout.Frame, w Words) templ.Component {
			return preferences.PairsPage(wide(f), preferences.Pairs{Now: w.Now})
		}},
		{"preferences-new", "Putting a pair in, with an error", func(f layout.Frame, w Words) templ.Component {
			return preferences.NewPage(f,
				preferences.New{Prompt: w.Question, First: w.Draft, FirstMaker: w.Agent, Second: w.Draft,
					Error: "This pair can't be saved yet.",
					Errors: map[string]string{"second": "The two answers are the same.",
						"second_maker": "Write something."}})
		}},
	}
}

func somePairs(w Words) []preference.Pair {
	left, right := preference.Response{Text: w.Draft, Maker: w.Agent},
		preference.Response{Text: w.Revised, Maker: preference.People}
	return []preference.Pair{
		{ID: me, Origin: preference.Revision, Task: "db_transfer", Prompt: w.Question, Left: left, Right: right,
			Chosen: "right", State: preference.Open, At: w.Now.Add(-time.Hour)},
		{ID: other, Origin: preference.API, Prompt: w.Question, Left: left,
			Right: preference.Response{Text: w.Revised, Maker: w.Name}, State: preference.Open,
			Counter: preference.Counter{Answers: 3, Lefts: 1, Rights: 2}, At: w.Now.Add(-30 * time.Hour)},
		{ID: "x", Origin: preference.Given, Left: left, Right: right, State: preference.Erased,
			At: w.Now.Add(-80 * time.Hour)},
	}
}

func experimentSamples() []Sample {
	wide := func(f layout.Frame) layout.Frame { f.Wide = true; return f }
	show := func(state, ended string, c experiment.Counts) func(f layout.Frame, w Words) templ.Component {
		return func(f layout.Frame, w Words) templ.Component {
			e := anExperiment(w, state, ended, c)
			return experiments.ShowPage(wide(f),
				experiments.Show{Experiment: e, Path: experimentLooks(e, w.Now), Now: w.Now})
		}
	}
	return []Sample{
		{"experiments", "Experiments", func(f layout.Frame, w Words) templ.Component {
			return experiments.ListPage(wide(f), experiments.List{Now: w.Now, Items: []experiment.Experiment{
				anExperiment(w, experiment.Running, "", underway),
				anExperiment(w, experiment.Planned, "", experiment.Counts{}),
				anExperiment(w, experiment.Stopped, experiment.Better, helped),
				anExperiment(w, experiment.Stopped, experiment.ByPerson, underway)}})
		}},
		{"experiments-none", "Experiments, none", func(f layout.Frame, w Words) templ.Component {
			return experiments.ListPage(wide(f), experiments.List{Now: w.Now})
		}},
		{"experiments-running", "Experiment, running", show(experiment.Running, "", underway)},
		{"experiments-planned", "Experiment, planned", show(experiment.Planned, "", experiment.Counts{})},
		{"experiments-better", "Experiment, a benefit is shown", show(experiment.Stopped, experiment.Better, helped)},
		{"experiments-worse", "Experiment, harm is shown",
			show(experiment.Stopped, experiment.Worse, experiment.Counts{N: [2]int{610, 604}, Good: [2]int{380, 455}})},
		{"experiments-full", "Experiment, no difference shown",
			show(experiment.Stopped, experiment.Full,
				experiment.Counts{N: [2]int{1204, 1203}, Good: [2]int{935, 901}})},
		{"experiments-stop", "Experiment, stopped without a reason", func(f layout.Frame, w Words) templ.Component {
			e := anExperiment(w, experiment.Running, "", underway)
			return experiments.ShowPage(wide(f),
				experiments.Show{Experiment: e, Now: w.Now, Error: "Say why it ends.",
					Errors: map[string]string{"note": "Give a short reason. It stays on record."}})
		}},
		{"experiments-new", "Planning an experiment, with an error", func(f layout.Frame, w Words) templ.Component {
			plan, _ := experiment.NewPlan(experiment.DefaultAim) // the default can be planned
			return experiments.NewPage(f,
				experiments.New{Name: w.Name, Purpose: experiment.Rule, Metric: experiment.Approved, Baseline: "75",
					Effect: "5", Alpha: "5", Power: "80", Split: "50", Plan: &plan,
					Error: "This experiment can't be planned yet.",
					Errors: map[string]string{
						"rule": "R-71 is about compliance. Such rules are never withheld, so you can't experiment " +
							"on them."}})
		}},
	}
}

var (
	underway = experiment.Counts{N: [2]int{402, 398}, Good: [2]int{321, 301}}
	helped   = experiment.Counts{N: [2]int{801, 812}, Good: [2]int{680, 609}}
)

func anExperiment(w Words, state, ended string, c experiment.Counts) experiment.Experiment {
	plan, _ := experiment.NewPlan(experiment.DefaultAim)
	e := experiment.Experiment{ID: other,
		Input: experiment.Input{Name: "Does memory help? " + w.Goal, Purpose: experiment.Memory, AgentID: me,
			AgentName: w.Agent,
			Treatment: "with memory", Control: "without memory", Metric: experiment.Approved}, Plan: plan, Counts: c,
		Assigned: [2]int{c.N[0] + 9, c.N[1] + 12},
		State:    state, Ended: ended, Version: 1, By: experiment.Person{ID: me, Name: w.Name},
		CreatedAt: w.Now.Add(-200 * time.Hour)}
	if state != experiment.Planned {
		e.StartedAt = w.Now.Add(-190 * time.Hour)
	}
	if ended == experiment.ByPerson {
		e.Note = w.Reason
	}
	return e
}

// experimentLooks are made up such that they end where the counts are.
func experimentLooks(e experiment.Experiment, now time.Time) (list []experiment.Point) {
	end := int(e.Look().Progress * 100)
	for percent := 1; percent <= end; percent++ {
		part := func(n int) int { return n * percent / end }
		c := experiment.Counts{N: [2]int{part(e.Counts.N[0]), part(e.Counts.N[1])},
			Good: [2]int{part(e.Counts.Good[0]), part(e.Counts.Good[1])}}
		l := e.Plan.Look(c)
		list = append(list, experiment.Point{N: c.Total(), Percent: percent, Effect: l.Effect, Low: l.Low, High: l.High,
			At: now.Add(time.Duration(percent-end) * time.Hour)})
	}
	return list
}
