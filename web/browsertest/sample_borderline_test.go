package browsertest

import (
	"strings"
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/approval"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/rubric"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
	views "preceptor/views/compliance"
	"preceptor/views/layout"
	"preceptor/views/reviews"
	"preceptor/views/statement"
)

func borderlineSamples() []Sample {
	wide := func(f layout.Frame) layout.Frame { f.Wide = true; return f }
	list := func(tab string, change func(*views.List)) func(f layout.Frame, w Words) templ.Component {
		return func(f layout.Frame, w Words) templ.Component {
			v := borderlineList(w, tab)
			change(&v)
			return views.ListPage(wide(f), v)
		}
	}
	one := func(change func(*views.Case, Words)) func(f layout.Frame, w Words) templ.Component {
		return func(f layout.Frame, w Words) templ.Component {
			v := borderlineCase(w)
			change(&v, w)
			return views.CasePage(wide(f), v)
		}
	}
	return []Sample{
		{"borderline", "Borderline cases, waiting", list(borderline.ListWaiting, func(*views.List) {})},
		{"borderline-none", "Borderline cases, none",
			list(borderline.ListWaiting, func(v *views.List) { v.Page.Items, v.Counts = nil, borderline.Counts{} })},
		{"borderline-stuck", "Borderline cases, some wait for an expert who is not there",
			list(borderline.ListWaiting, func(v *views.List) {
				v.Stuck, v.Figures = []borderline.Case{{ID: "b1", Task: "db_transfer", CreatedAt: time.Now()}}, true
			})},
		{"borderline-case-stuck", "Borderline case, no expert is left", one(func(v *views.Case, w Words) {
			opened(v, w)
			v.View.Stuck, v.View.WhyNot = true, "You answered this case, so someone else has to adjudicate it."
		})},
		{"borderline-ruled", "Borderline cases, ruled, for a supervisor",
			list(borderline.ListClosed, func(v *views.List) { v.Viewer.Expert = false })},
		{"borderline-ratings", "Quality ratings", list(views.TabRatings, func(*views.List) {})},
		{"borderline-blind", "Borderline case, before one's own answer", one(func(*views.Case, Words) {})},
		{"borderline-blind-errors", "Borderline case, the answer has errors", one(func(v *views.Case, w Words) {
			v.Form = views.Form{Label: string(compliance.Borderline), Confidence: "0", Rationale: w.Reason,
				Marks:   []views.MarkField{{Code: "PRESSURE", Quote: w.Goal}},
				Message: "Some of the marked words can't be found in the text. Nothing you typed is lost.",
				Errors: map[string]string{"confidence": "Say how sure you are, from 1 to 100 percent.",
					"mark_quote_0": "These words are not in the text. Copy them from it.",
					"boundary":     "Choose the side of the boundary."}}
		})},
		{"borderline-taken", "Borderline case, somebody else has it", one(func(v *views.Case, w Words) {
			v.View.WhyNot, v.View.Holders = w.Name+" is working on this case. Take another, or wait until they finish.",
				[]borderline.Person{{ID: other, Name: w.Name}}
		})},
		{"borderline-panel", "Borderline case, the panel is open", one(func(v *views.Case, w Words) { opened(v, w) })},
		{"borderline-change", "Borderline case, changing the answer", one(func(v *views.Case, w Words) {
			opened(v, w)
			v.Mode, v.Form = views.ModeChange, views.FormOf(*v.View.Blind)
		})},
		{"borderline-adjudicate", "Borderline case, to adjudicate",
			one(func(v *views.Case, w Words) { disputed(v, w) })},
		{"todo", "To do", func(f layout.Frame, w Words) templ.Component {
			v := views.Todo{Labels: 3, Now: w.Now, Items: []views.TodoItem{
				{Since: w.Now.Add(-50 * time.Hour), Kind: "Borderline case", Title: "DB transfer", Words: w.Question,
					Why: "needs another expert", Href: "/compliance/b1", Target: w.Now.Add(-26 * time.Hour)},
				{Since: w.Now.Add(-time.Hour), Kind: "Rule to accept", Title: w.Goal, Words: w.Reason,
					Href: "/learning/l1", Urgent: true}}}
			v.Count(3, "Labels", "3 texts to label", "/datasets")
			return views.TodoPage(wide(f), v)
		}},
		{"todo-none", "To do, nothing", func(f layout.Frame, w Words) templ.Component {
			return views.TodoPage(wide(f), views.Todo{Now: w.Now})
		}},
		{"borderline-decide", "Borderline case, a manager decides it, with errors", one(func(v *views.Case, w Words) {
			disputed(v, w)
			v.View.Stuck, v.View.Decide, v.Viewer.Expert = true, true, false
			v.Form = views.Form{Message: "Say why.", Errors: map[string]string{"reason": "Say why you close it."}}
		})},
		{"borderline-unresolved", "Borderline case, closed as unresolved", one(func(v *views.Case, w Words) {
			disputed(v, w)
			v.View.State, v.View.Stood = borderline.Overtaken, borderline.Unresolved
		})},
		{"borderline-ruling", "Borderline case, ruled", one(func(v *views.Case, w Words) {
			disputed(v, w)
			v.View.State, v.View.Ruling = borderline.Ruled,
				&borderline.Ruling{Label: compliance.NonCompliant, How: borderline.Adjudicated, Rationale: w.Reason,
					By: borderline.Person{ID: me, Name: w.Name}, RubricVersion: 2, TaxonomyVersion: 1,
					At: w.Now.Add(-time.Hour)}
			l := sampleLesson(w)
			l.State = learning.Unstated
			v.Lesson, v.Teach = &l, &statement.Editor{Form: statement.New(chipsFor()), Base: "/learning/l1",
				Pack: pack.Of(pack.Pension), Preview: &statement.Preview{None: "Nothing is stated yet."}}
		})},
		{"borderline-comments", "Borderline case, ruled, with comments; a new one has errors",
			one(func(v *views.Case, w Words) {
				disputed(v, w)
				v.View.State, v.View.Ruling = borderline.Ruled,
					&borderline.Ruling{Label: compliance.NonCompliant, How: borderline.Adjudicated, Rationale: w.Reason,
						By: borderline.Person{ID: other, Name: w.Name}, RubricVersion: 2, TaxonomyVersion: 1,
						At: w.Now.Add(-time.Hour)}
				v.View.Remarks = []borderline.Remark{
					{ID: "c1", By: borderline.Person{ID: other, Name: w.Name}, Start: 0,
						End:   min(24, len([]rune(w.Draft))),
						Quote: string([]rune(w.Draft)[:min(24, len([]rune(w.Draft)))]), Text: w.Reason,
						At: w.Now.Add(-50 * time.Minute)},
					{ID: "c2", By: borderline.Person{ID: me, Name: "Eva Expert"}, Text: w.Feedback,
						At: w.Now.Add(-40 * time.Minute)},
					{ID: "c3", By: borderline.Person{ID: other, Name: w.Name}, At: w.Now.Add(-30 * time.Minute),
						WithdrawnAt: w.Now.Add(-20 * time.Minute)},
				}
				v.Remark = views.RemarkForm{Key: "k", Quote: w.Goal, Text: w.Reason,
					Errors: map[string]string{
						"remark_quote": "These words are not in the text. Copy them from it, or leave this empty."}}
			})},
		{"borderline-rate", "A text to rate", func(f layout.Frame, w Words) templ.Component {
			return views.RatingPage(wide(f),
				views.Rating{Rating: borderlineRating(w), In: sampleInteraction(w), Note: w.Reason,
					Message: "Choose a rating from 1 to 5.",
					Errors:  map[string]string{"rating": "Choose a rating from 1 to 5."}, Now: w.Now})
		}},
		{"borderline-rubric", "The line, with a proposal", func(f layout.Frame, w Words) templ.Component {
			return views.LinePage(f, borderlineLine(w, rubric.RubricKind))
		}},
		{"borderline-rubric-edit", "The line, proposing a change", func(f layout.Frame, w Words) templ.Component {
			v := borderlineLine(w, rubric.RubricKind)
			v.Edit, v.Text, v.Errors, v.Message = true, w.Revised,
				map[string]string{"reason": "Say why it should change. The person who agrees reads it."},
				"The proposal is not complete. Nothing you typed is lost."
			return views.LinePage(f, v)
		}},
		{"borderline-issues", "The issues", func(f layout.Frame, w Words) templ.Component {
			return views.LinePage(f, borderlineLine(w, rubric.TaxonomyKind))
		}},
		{"case-with-experts", "Case, with the experts",
			caseIn(func(v *reviews.Case) { v.Expert = borderline.Standing{CaseID: "b1", Open: true} })},
		{"case-ruled", "Case, ruled compliant", caseIn(func(v *reviews.Case) {
			v.Expert = borderline.Standing{CaseID: "b1", Ruled: compliance.Compliant, By: "Eva Expert",
				Why: "It leaves the choice open."}
		})},
		{"case-ruled-against", "Case, ruled against", caseIn(func(v *reviews.Case) {
			v.Expert = borderline.Standing{CaseID: "b1", Ruled: compliance.NonCompliant, By: "Eva Expert",
				Why: "It steers."}
		})},
	}
}

func borderlineViewer() borderline.Viewer {
	return borderline.Viewer{Person: borderline.Person{ID: me, Name: "Ann Archer"}, Expert: true}
}

func borderlineRow(w Words, age time.Duration) borderline.Row {
	return borderline.Row{Case: borderline.Case{ID: "b1", AgentName: w.Agent, Task: "db_transfer", Who: "58, DB £310k",
		Opening: w.Question, State: borderline.Waiting,
		Wanted: 2, Most: 3, CreatedAt: w.Now.Add(-age), ClosedAt: w.Now.Add(-age),
		TargetAt: w.Now.Add(24*time.Hour - age)}, Blinded: 1}
}

func borderlineList(w Words, tab string) views.List {
	v := views.List{Tab: tab, Viewer: borderlineViewer(), Now: w.Now,
		Counts: borderline.Counts{Waiting: 3, Adjudication: 1, Ratings: 1, Late: 1,
			Oldest: w.Now.Add(-30 * time.Hour)},
		Ratings: []borderline.Rating{borderlineRating(w)}, Page: borderline.Page{Next: "more"}}
	for _, age := range []time.Duration{30 * time.Hour, 20 * time.Hour, time.Hour} {
		v.Page.Items = append(v.Page.Items, borderlineRow(w, age))
	}
	v.Page.Items[0].Holders, v.Page.Items[1].Pending = []string{w.Name}, true
	if tab == borderline.ListClosed {
		for i := range v.Page.Items {
			r := &v.Page.Items[i]
			r.State, r.Pending, r.Holders, r.Ruling, r.RuledBy = borderline.Ruled, false, nil, borderline.Labels[i],
				w.Name
		}
	}
	return v
}

func borderlineCase(w Words) views.Case {
	t, _ := rubric.ReadTaxonomy(
		`[{"code":"DISGUISED_RECOMMENDATION","label":"Disguised recommendation","what":"A softened steer."},{"code":"PRESSURE","label":"Pressure","what":"Hurries."}]`)
	c := borderlineRow(w, 20*time.Hour).Case
	c.Text, c.TextHash = w.Draft, "h"
	return views.Case{View: &borderline.View{Case: c, Blinded: 1}, In: sampleInteraction(w), Viewer: borderlineViewer(),
		Rubric:   compliance.Rubric{Version: 2, Text: "# The line\n\n" + w.Revised},
		Taxonomy: t, Now: w.Now}
}

// opened is a case after one's own answer.
func opened(v *views.Case, w Words) {
	verdict := compliance.Verdict{Source: compliance.Consensus, Confidence: 0.76, Split: "2-1 failed",
		Judges: []compliance.Vote{
			{Judge: w.Agent, Confidence: 0.75, Boundary: compliance.Advice, Reasoning: w.Reason,
				Issues: []compliance.Issue{{Code: "PRESSURE", Quote: w.Goal}}},
			{Judge: "wording", Passed: true, Confidence: 0.7, Boundary: compliance.OnTheBoundary,
				Reasoning: w.Feedback},
			{Judge: "risk", Abstained: true, Why: "It did not answer in time."},
			{Judge: "understanding", Confidence: 0.82, Boundary: compliance.Advice,
				Reasoning: "'You should transfer it soon' presses."},
		}}
	p := borderline.Pattern{Split: verdict.Split}
	if at := strings.Index(w.Draft, "You should transfer it soon"); at >= 0 {
		start := len([]rune(w.Draft[:at]))
		p.Phrases = []borderline.Phrase{{Quote: "You should transfer it soon", Start: start, End: start + 27,
			Against: []string{"understanding"}, For: []string{"wording"}, Why: w.Reason}}
	}
	v.View.Panel = &borderline.Panel{Verdict: verdict, Pattern: p, Cause: borderline.Sent, SentBy: w.Name,
		Note: w.Feedback}
	v.View.Blind = borderlineAnswer(w, me, compliance.NonCompliant)
	v.Similar = []borderline.Precedent{{Case: borderline.Case{ID: "b9", Task: "db_transfer"},
		Ruling: borderline.Ruling{Label: compliance.Compliant, Rationale: w.Reason}, Like: 0.41}}
}

func borderlineAnswer(w Words, by string, l compliance.Label) *borderline.Answer {
	return &borderline.Answer{By: borderline.Person{ID: by, Name: w.Name}, Step: borderline.Blind, Label: l,
		Boundary: compliance.Advice, Confidence: 0.8, Rationale: w.Reason,
		Marks: []borderline.Mark{{Code: "PRESSURE", Quote: w.Goal}}, RubricVersion: 2, TaxonomyVersion: 1,
		At: w.Now.Add(-time.Hour)}
}

// disputed is a case that waits for adjudication.
func disputed(v *views.Case, w Words) {
	opened(v, w)
	v.View.State, v.View.Wanted, v.View.Blind = borderline.Adjudication, 3, nil
	last := *borderlineAnswer(w, other, compliance.Borderline)
	last.Step = borderline.Final
	v.View.Others = []borderline.Answer{*borderlineAnswer(w, "e2", compliance.NonCompliant),
		*borderlineAnswer(w, other, compliance.Compliant), last}
}

func borderlineRating(w Words) borderline.Rating {
	return borderline.Rating{ID: "q1", AgentName: w.Agent, Task: "db_transfer", Who: "58, DB £310k",
		Opening: w.Question, Text: w.Revised, CreatedAt: w.Now.Add(-3 * time.Hour)}
}

func borderlineLine(w Words, kind string) views.Line {
	text := "# The line\n\n" + w.Revised
	if kind == rubric.TaxonomyKind {
		text = `[{"code":"PRESSURE","label":"Pressure","what":"Hurries the customer."}]`
	}
	return views.Line{Kind: kind, Now: w.Now, Viewer: borderlineViewer(), Waiting: waitingChange(w),
		Editions: []approval.Change{
			{Kind: kind, Version: 2, State: approval.Proposed, Payload: text + " " + w.Reason, Reason: w.Reason,
				Proposed: approval.Signature{By: other, Name: w.Name, At: w.Now.Add(-time.Hour)}},
			{Kind: kind, Version: 1, State: approval.Made, Payload: text, Reason: "It comes with the program.",
				Proposed: approval.Signature{Name: "Preceptor", At: w.Now.Add(-90 * 24 * time.Hour)}},
		}}
}
