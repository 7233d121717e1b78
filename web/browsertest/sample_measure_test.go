package browsertest

import (
	"fmt"
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/platform/estimate"
	"preceptor/internal/review"
	"preceptor/internal/review/planted"
	ondesk "preceptor/internal/stats/desk"
	"preceptor/views/exports"
	"preceptor/views/layout"
	"preceptor/views/stats"
	"preceptor/views/ui"
)

func measureSamples() []Sample {
	return []Sample{
		{"overview-desk", "Desk, for managers", func(f layout.Frame, w Words) templ.Component {
			f.Wide = true
			return stats.DeskPage(f, deskFigures(w))
		}},
		{"overview-desk-empty", "Desk, nothing yet", func(f layout.Frame, w Words) templ.Component {
			f.Wide = true
			return stats.DeskPage(f, stats.Desk{Days: 28, Off: true, Scope: stats.Scope{Now: w.Now}})
		}},
		{"overview-desk-quiet", "Desk, nothing stands out", func(f layout.Frame, w Words) templ.Component {
			f.Wide = true
			v := deskFigures(w)
			v.Review.People, v.Pace.People = v.Review.People[1:2], nil
			v.Planted = ondesk.Planted{}
			return stats.DeskPage(f, v)
		}},
		{"overview-hasty", "Rapid approvals", func(f layout.Frame, w Words) templ.Component {
			f.Wide = true
			return stats.HastyPage(f, hasty(w))
		}},
		{"overview-hasty-empty", "Rapid approvals, none", func(f layout.Frame, w Words) templ.Component {
			return stats.HastyPage(f, stats.Hasty{Days: 28, Now: w.Now})
		}},
		{"overview-planted", "Seeded checks, the library", func(f layout.Frame, w Words) templ.Component {
			f.Wide = true
			return stats.LibraryPage(f, stats.Library{Drafts: plantedDrafts(w), Now: w.Now})
		}},
		{"overview-planted-draft", "Seeded check of the program", func(f layout.Frame, w Words) templ.Component {
			return stats.PlantedPage(f, stats.PlantedForm{Draft: plantedDrafts(w)[0], Now: w.Now})
		}},
		{"overview-planted-form", "Seeded check, writing one", func(f layout.Frame, w Words) templ.Component {
			return stats.PlantedFormPage(f,
				stats.PlantedForm{Fields: stats.PlantedFields{Expected: planted.Revise}, Now: w.Now})
		}},
		{"overview-planted-error", "Seeded check, with an error", func(f layout.Frame, w Words) templ.Component {
			d := plantedDrafts(w)[1]
			return stats.PlantedFormPage(f, stats.PlantedForm{Draft: d, Fields: stats.FieldsOf(d), Now: w.Now,
				Error: "Something is missing before this can be saved. Nothing you typed is lost.",
				Errors: map[string]string{"absent": "With these phrases the draft has no problem. Enter words in the " +
					"draft that must go, or words it lacks.", "age": "Write a whole number."}})
		}},
		{"overview-planted-results", "Seeded checks, what became of them",
			func(f layout.Frame, w Words) templ.Component {
				return stats.ResultsPage(f,
					stats.Results{Page: planted.Page{Items: plantedResults(w), Next: "more"}, Now: w.Now})
			}},
		{"queue-planted", "My seeded checks", func(f layout.Frame, w Words) templ.Component {
			return stats.ResultsPage(f,
				stats.Results{Page: planted.Page{Items: plantedResults(w)}, Mine: true, Now: w.Now})
		}},
		{"queue-planted-empty", "My seeded checks, none yet", func(f layout.Frame, w Words) templ.Component {
			return stats.ResultsPage(f, stats.Results{Mine: true, Now: w.Now})
		}},
		{"exports", "Exports", func(f layout.Frame, w Words) templ.Component {
			return exports.Page(f, exportChoice(w))
		}},
		{"exports-own", "Exports, of one's own", func(f layout.Frame, w Words) templ.Component {
			return exports.Page(f, exports.View{Own: true})
		}},
		{"exports-error", "Exports, with an error", func(f layout.Frame, w Words) templ.Component {
			v := exportChoice(w)
			v.Form = exports.Form{Set: "skips", Format: "jsonl", From: "2026-11-20", To: "2026-11-01"}
			v.Error, v.Errors = "This can't be exported: The end must be after the start.",
				map[string]string{"to": "The end must be after the start."}
			return exports.Page(f, v)
		}},
	}
}

func deskFigures(w Words) stats.Desk {
	v := stats.Desk{Days: 28, Scope: stats.Scope{Now: w.Now, Path: "/overview/desk",
		Period: stats.LastDays(w.Now, 28, time.UTC)}}
	p := &v.Planted
	p.From, p.To, p.Caught, p.Open = w.Now.AddDate(0, 0, -7*12), w.Now, estimate.Of(41, 52), 3
	for i, n := range []int{0, 2, 5, 4, 6, 3, 5, 7, 4, 6, 5, 5} {
		p.Weeks = append(p.Weeks, ondesk.PlantedWeek{Monday: w.Now.AddDate(0, 0, 7*(i-12)),
			Caught: estimate.Of(n-n/4, n)})
	}
	p.Problems = []ondesk.PlantedPart{{Code: "wrong_facts", Caught: estimate.Of(18, 26)},
		{Code: "personal_recommendation", Caught: estimate.Of(9, 11)},
		{Code: "missing_warning", Caught: estimate.Of(8, 9)}, {Code: "scam_risk", Caught: estimate.Of(6, 6)}}
	v.Review = reviewFigures(w, 28)
	v.Pace.People = map[string]ondesk.PersonPace{}
	for i, person := range v.Review.People {
		v.Pace.People[person.ID] = ondesk.PersonPace{WPM: 182 + 150*i,
			Streak: ondesk.Streak{N: 23 * i, Since: w.Now.Add(-50 * time.Hour)}}
	}
	return v
}

func hasty(w Words) stats.Hasty {
	v := stats.Hasty{Person: w.Name, Days: 28, Now: w.Now}
	for i := range 4 {
		v.Items = append(v.Items, ondesk.Hasty{CaseID: fmt.Sprintf("01a1ff93-cf0f-72a5-ae34-798b1ac6f9f%d", i),
			Person: w.Name, Task: "db_transfer", At: w.Now.Add(-time.Duration(i) * time.Hour),
			Second: i == 2, Took: time.Duration(5+i) * time.Second, Words: 180 + 11*i,
			WPM: (180 + 11*i) * 60 / (5 + i)})
	}
	return v
}

func plantedDrafts(w Words) []planted.Draft {
	return []planted.Draft{
		{ID: "b01", Builtin: true, Version: 1, Task: "tax_free_cash", Problem: "wrong_facts", Expected: planted.Revise,
			Title:    "Claims that a third is tax free",
			What:     "Usually a quarter of a pot can be taken free of tax, not a third.",
			Question: w.Question, Guidance: w.Draft, Used: 4, UsedAt: w.Now.Add(-30 * time.Hour)},
		{ID: "o1", Version: 2, Task: "db_transfer", Problem: "missing_warning", Expected: planted.Reject, Title: w.Name,
			What: w.Reason, Question: w.Question, Guidance: w.Draft, ByName: w.Name,
			Absent: []string{w.Goal},
			Customer: planted.Profile{Age: planted.Range{54, 61}, Literacy: "low", Goal: w.Goal,
				Pensions: []planted.Pot{{Kind: "db", Value: planted.Range{90000, 200000}}}}},
		{ID: "b02", Builtin: true, Version: 1, Task: "scams", Problem: "scam_risk", Expected: planted.Reject,
			Title: "A pension loan before 55", Retired: true},
	}
}

func plantedResults(w Words) []planted.Result {
	r := planted.Result{InteractionID: "i9", Person: review.Person{ID: other, Name: w.Name}, Outcome: planted.Caught,
		Kind: review.Reject, Task: "transfer", Problem: "scam_risk",
		What: "An unexpected call, a free review, a guaranteed 9 % and a courier for the papers: all signs of a " +
			"scam, and the draft warns of none.", At: w.Now.Add(-2 * time.Hour)}
	missed := r
	missed.Outcome, missed.Kind, missed.Task, missed.Problem, missed.What = planted.Missed, review.Revise,
		"tax_free_cash", "wrong_facts", w.Reason
	approved := missed
	approved.Kind, approved.Second = review.Approve, true
	return []planted.Result{r, missed, approved}
}

func exportChoice(w Words) exports.View {
	return exports.View{Zone: "Europe/London",
		Agents: []ui.Option{{Label: "all agents"}, {Value: "a1", Label: w.Agent}},
		People: []ui.Option{{Label: "everyone"}, {Value: me, Label: w.Name}}}
}
