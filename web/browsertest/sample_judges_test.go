package browsertest

import (
	"fmt"
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/audit"
	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/compliance/measure"
	"preceptor/internal/compliance/refit"
	datasetversion "preceptor/internal/dataset/version"
	"preceptor/internal/interaction"
	"preceptor/views/judges"
	"preceptor/views/layout"
	"preceptor/views/ui"
)

func judgesSamples() []Sample {
	wide := func(view func(f layout.Frame, w Words) templ.Component) func(f layout.Frame, w Words) templ.Component {
		return func(f layout.Frame, w Words) templ.Component { f.Wide = true; return view(f, w) }
	}
	return []Sample{
		{"compliance-judges", "Judges, a threshold in force", wide(func(f layout.Frame, w Words) templ.Component {
			run, t := judgeRun(w, true), judgeThreshold(w, evaluate.Active)
			return judges.OverviewPage(f,
				judges.Overview{Members: run.Members, Newest: &run, Active: &t, Applies: true, May: true,
					Refits:     judgeRefits(w),
					Thresholds: []evaluate.Threshold{judgeThreshold(w, evaluate.Proposed)},
					Sets:       []judges.Set{{DatasetID: "d", Number: 2, Label: w.Name + ", version 2, 240 texts"}}})
		})},
		{"compliance-judges-new", "Judges, not measured yet", wide(func(f layout.Frame, w Words) templ.Component {
			return judges.OverviewPage(f, judges.Overview{})
		})},
		{"compliance-judges-changed", "Judges, the panel has changed",
			wide(func(f layout.Frame, w Words) templ.Component {
				run, t := judgeRun(w, false), judgeThreshold(w, evaluate.Active)
				return judges.OverviewPage(f,
					judges.Overview{Members: run.Members, Active: &t, Runs: []evaluate.Run{run},
						Error: "Run 8 measures this already. Wait for it, or stop it first."})
			})},
		{"compliance-judges-one", "One judge", wide(func(f layout.Frame, w Words) templ.Component {
			run := judgeRun(w, true)
			return judges.OnePage(f, judges.One{Run: run, Figure: run.Figures.Who[2],
				Beside: &run.Figures.Agreement[0]})
		})},
		{"compliance-judges-runs", "Runs of the judges", wide(func(f layout.Frame, w Words) templ.Component {
			failed := judgeRun(w, false)
			failed.State, failed.Split = evaluate.Failed, "test"
			return judges.RunsPage(f,
				judges.Runs{List: []evaluate.Run{judgeRun(w, false), failed, judgeRun(w, true)},
					Pages: ui.Pages{Next: "/compliance/judges/runs?before=1"}})
		})},
		{"compliance-judges-runs-empty", "Runs of the judges, none",
			wide(func(f layout.Frame, w Words) templ.Component { return judges.RunsPage(f, judges.Runs{}) })},
		{"compliance-judges-run", "A run, with what thresholds would do",
			wide(func(f layout.Frame, w Words) templ.Component {
				none := judgeThreshold(w, evaluate.Proposed).Content
				none.Threshold.Certified, none.Threshold.Reason = false,
					"There are 48 violations in the accept split. To promise that no more than 2% are missed it "+
						"takes 149 at the least, so everything goes to experts."
				return judges.RunPage(f, judges.RunView{Run: judgeRun(w, true), May: true,
					Previews: []judges.Preview{{Alpha: 0.02, Content: none},
						{Alpha: 0.05, Content: judgeThreshold(w, evaluate.Proposed).Content}}})
			})},
		{"compliance-judges-run-going", "A run under way", wide(func(f layout.Frame, w Words) templ.Component {
			return judges.RunPage(f, judges.RunView{Run: judgeRun(w, false), May: true})
		})},
		{"compliance-judges-run-failed", "A run that failed", wide(func(f layout.Frame, w Words) templ.Component {
			run := judgeRun(w, false)
			run.State, run.Failure = evaluate.Failed,
				"The panel has changed since this run began. Start a new one; the answers so far are kept."
			return judges.RunPage(f, judges.RunView{Run: run, Error: "Run 8 has ended already."})
		})},
		{"compliance-judges-thresholds", "Thresholds", wide(func(f layout.Frame, w Words) templ.Component {
			return judges.ThresholdsPage(f,
				judges.Thresholds{List: []evaluate.Threshold{judgeThreshold(w, evaluate.Proposed),
					judgeThreshold(w, evaluate.Active), judgeThreshold(w, evaluate.Superseded)}})
		})},
		{"compliance-judges-thresholds-empty", "Thresholds, none", wide(func(f layout.Frame, w Words) templ.Component {
			return judges.ThresholdsPage(f, judges.Thresholds{})
		})},
		{"compliance-judges-threshold", "A threshold, proposed", func(f layout.Frame, w Words) templ.Component {
			return judges.ThresholdPage(f,
				judges.ThresholdView{Threshold: judgeThreshold(w, evaluate.Proposed), Run: judgeRun(w, true), May: true,
					Same: true})
		}},
		{"compliance-judges-threshold-asked", "A threshold, waiting for a second person",
			func(f layout.Frame, w Words) templ.Component {
				t := judgeThreshold(w, evaluate.Proposed)
				waits := waitingChange(w)
				t.Asked = &waits.Change
				return judges.ThresholdPage(f,
					judges.ThresholdView{Threshold: t, Run: judgeRun(w, true), May: true, Waiting: waitingChange(w),
						Same: true, Importers: []datasetversion.Importer{{ID: "p", Name: w.Name, Labels: 480}},
						ByAsker: true})
			}},
		{"compliance-judges-version", "A version of the judge, proposed",
			func(f layout.Frame, w Words) templ.Component {
				return judges.ThresholdPage(f,
					judges.ThresholdView{Threshold: judgeVersion(w, evaluate.Proposed), May: true, Same: true,
						Routes: true})
			}},
		{"compliance-judges-version-on", "A version of the judge that counts",
			func(f layout.Frame, w Words) templ.Component {
				return judges.ThresholdPage(f,
					judges.ThresholdView{Threshold: judgeVersion(w, evaluate.Active), May: true, Same: true})
			}},
		{"dataset-learn", "Learn from a version", func(f layout.Frame, w Words) templ.Component {
			return judges.LearnPage(f,
				judges.Learn{Teaching: judgeTeaching(w), Agents: []ui.Option{{Value: "a", Label: w.Agent}},
					Ticked: []string{"1"}, Lessons: true, Error: "Choose whose knowledge to add it to."})
		}},
		{"dataset-learn-nothing", "Learn from a version, nothing left", func(f layout.Frame, w Words) templ.Component {
			return judges.LearnPage(f, judges.Learn{Teaching: evaluate.Teaching{Name: w.Name, Taught: 144}})
		}},
		{"compliance-judges-threshold-error", "A threshold, switched without a reason",
			func(f layout.Frame, w Words) templ.Component {
				return judges.ThresholdPage(f,
					judges.ThresholdView{Threshold: judgeThreshold(w, evaluate.Active), Run: judgeRun(w, true),
						May: true, Why: w.Reason,
						Error:  "Version 3 is superseded by now. Reload to see what holds.",
						Errors: map[string]string{"why": "Say why. Your reason is kept on record."}})
			}},
	}
}

// judgeRun is a run of three; done, or under way.
func judgeRun(w Words, done bool) evaluate.Run {
	r := evaluate.Run{ID: "r", Number: 8, Name: w.Name + ", version 2", State: evaluate.Running, Total: 240, Done: 96,
		By: audit.Actor{Name: w.Name}, At: w.Now.Add(-time.Hour), EndedAt: w.Now,
		Members: []evaluate.Member{{Name: "boundary", Identity: "embedded 1", Local: true},
			{Name: "risk", Identity: "embedded 1", Local: true}, {Name: "strict", Identity: "openai/" + w.Agent}}}
	if !done {
		return r
	}
	r.State, r.Done = evaluate.Done, 240
	f, err := evaluate.Measure(judgeAnswers(), r.Members)
	if err != nil {
		panic(err) // the sample's labels are ours
	}
	f.Agreement = []measure.Beside{{Judge: "panel", WithExperts: measure.Figure{Value: 0.61},
		AmongExperts: measure.Figure{Value: 0.72}}}
	r.Figures = &f
	return r
}

// judgeAnswers are made up: what three judges said of 240 texts, some wrongly.
func judgeAnswers() (list []evaluate.Answered) {
	for i := range 240 {
		truth, p := measure.Compliant, 0.05+0.002*float64(i%90)
		switch {
		case i%5 < 2:
			truth, p = measure.NonCompliant, 0.97-0.003*float64(i%80)
		case i%5 == 2:
			truth, p = measure.Borderline, 0.45
		}
		if i%19 == 0 {
			p = 1 - p
		}
		a := evaluate.Answered{N: i + 1, ID: fmt.Sprint(i), Truth: truth, Codes: []string{}, Split: "test"}
		for _, who := range []string{"panel", "checks", "judge:boundary", "judge:risk", "judge:strict"} {
			s := evaluate.Said{Who: who, Label: measure.Compliant, Violation: p, Codes: []string{}, DurationMs: 12,
				Tokens: 310}
			if p > 0.5 {
				s.Label, s.Codes = measure.NonCompliant, []string{"PERSONAL_RECOMMENDATION"}
			}
			if who == "checks" {
				s.Violation = -1
			}
			a.Said = append(a.Said, s)
		}
		list = append(list, a)
	}
	return list
}

func judgeThreshold(w Words, state string) evaluate.Threshold {
	t := evaluate.Threshold{ID: "t", Version: 3, State: state, ProposedAt: w.Now.Add(-2 * time.Hour),
		Content: evaluate.Content{
			Threshold: measure.Threshold{Aim: evaluate.DefaultAim, Certified: true, Value: 0.215, Violations: 96,
				Needed: 59}, Method: measure.Platt,
			Calibrations: map[string]measure.Calibration{"boundary": {Method: measure.Platt},
				"strict": {Method: measure.Platt}},
			Calibration: map[string]evaluate.Calibration{"boundary": {Before: measure.Figure{Value: 0.14},
				After: measure.Figure{Value: 0.04}},
				"strict": {Before: measure.Figure{Value: 0.21},
					After: measure.Figure{Undefined: "there are no scores"}}},
			Fitted: evaluate.Part{Items: 240, Violations: 96}, Certified: evaluate.Part{Items: 240, Violations: 96},
			ByChecks: 11,
			Tested: measure.Outcome{Items: 120, Decided: measure.NewRate(57, 120), Escalated: measure.NewRate(63, 120),
				Missed: measure.NewRate(2, 51), Needless: measure.NewRate(14, 69)}}}
	if state == evaluate.Active || state == evaluate.Superseded {
		t.Switched, t.SwitchedAt, t.SwitchedWhy = audit.Actor{Name: w.Name}, w.Now.Add(-time.Hour), w.Reason
	}
	if state == evaluate.Superseded {
		t.Ended, t.EndedAt, t.EndedWhy = audit.Actor{Name: w.Name}, w.Now, "Version 4 took its place."
	}
	return t
}

// judgeVersion is what a pack's labels taught the judge in the program.
func judgeVersion(w Words, state string) evaluate.Threshold {
	t := judgeThreshold(w, state)
	t.ID, t.Version, t.Kind, t.Pack, t.Content = "v", 7, evaluate.ForJudge, "general", evaluate.Content{}
	t.Refitted = &evaluate.Refitted{Report: refit.Report{Labels: 140, Violations: 62, Customers: 91, Tested: 140,
		Of: 62, Low: 0.018, High: 0.094,
		Before: refit.Score{AUC: 0.861, Found: 31}, After: refit.Score{AUC: 0.917, Found: 44},
		Curve: []refit.Point{{Labels: 36, Score: refit.Score{AUC: 0.858, Found: 29}},
			{Labels: 71, Score: refit.Score{AUC: 0.884, Found: 36}},
			{Labels: 104, Score: refit.Score{AUC: 0.902, Found: 40}},
			{Labels: 140, Score: refit.Score{AUC: 0.917, Found: 44}}}}}
	return t
}

func judgeRefits(w Words) []evaluate.Refit {
	proposed, active := judgeVersion(w, evaluate.Proposed), judgeVersion(w, evaluate.Active)
	active.Version, active.Pack = 5, "pension"
	unsure := proposed.Refitted.Report
	unsure.Low, unsure.More = -0.004, 40
	return []evaluate.Refit{{Pack: "general", Report: proposed.Refitted.Report, At: w.Now, Proposed: &proposed},
		{Pack: "pension", Report: unsure, At: w.Now, Active: &active},
		{Pack: "other", Report: refit.Report{Labels: 12, Violations: 3, Lacking: refit.FewViolations, More: 8},
			At: w.Now}}
}

func judgeTeaching(w Words) evaluate.Teaching {
	t := evaluate.Teaching{Name: w.Name + ", version 2", Fails: 31, Border: 12, Taught: 3, More: 20}
	for _, id := range []string{"1", "2"} {
		g := evaluate.Gold{Item: evaluate.Item{ID: id, Guidance: w.Revised,
			Consultation: interaction.Consultation{Question: w.Question}}, Kind: evaluate.Exemplar}
		g.Answer.Rationale = w.Reason
		t.Passes = append(t.Passes, g)
	}
	return t
}
