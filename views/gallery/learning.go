package gallery

import (
	"encoding/json"
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/stats"
	"preceptor/views/ask"
	base "preceptor/views/knowledge"
	"preceptor/views/layout"
	lessons "preceptor/views/learning"
	figures "preceptor/views/stats"
)

func learningSamples() []Sample {
	return []Sample{
		{"board", "Learning", func(f layout.Frame, w Words) templ.Component { return lessons.BoardPage(f, board(w)) }},
		{"board-empty", "Learning, empty", func(f layout.Frame, w Words) templ.Component {
			return lessons.BoardPage(f, lessons.Board{Now: w.Now})
		}},
		{"lesson", "Lesson, for an expert", func(f layout.Frame, w Words) templ.Component { return lessons.LessonPage(f, lesson(w, true)) }},
		{"lesson-read", "Lesson, for others", func(f layout.Frame, w Words) templ.Component { return lessons.LessonPage(f, lesson(w, false)) }},
		{"lesson-failed", "Lesson whose step failed", func(f layout.Frame, w Words) templ.Component {
			v := lesson(w, true)
			v.Lesson.Stage, v.Lesson.State, v.Lesson.Outcome = learning.StageValidate, learning.Failed, "The model did not answer in time, five times."
			return lessons.LessonPage(f, v)
		}},
		{"knowledge", "Rules", func(f layout.Frame, w Words) templ.Component { return base.BrowsePage(f, browse(w, "rules")) }},
		{"knowledge-cases", "Cases", func(f layout.Frame, w Words) templ.Component { return base.BrowsePage(f, browse(w, "cases")) }},
		{"knowledge-empty", "Knowledge, empty", func(f layout.Frame, w Words) templ.Component {
			return base.BrowsePage(f, base.Browse{Kind: "rules", Now: w.Now})
		}},
		{"knowledge-documents", "Documents to look at", func(f layout.Frame, w Words) templ.Component {
			return base.DocumentsPage(f, base.Documents{Cases: browse(w, "cases").Cases[1:], Documents: 66, Now: w.Now})
		}},
		{"rule", "Rule", func(f layout.Frame, w Words) templ.Component { return base.RulePage(f, rule(w)) }},
		{"knowledge-case", "Case of knowledge", func(f layout.Frame, w Words) templ.Component { return base.CasePage(f, knownCase(w)) }},
	}
}

func otherSamples() []Sample {
	return []Sample{
		{"ask", "Ask, with errors", func(f layout.Frame, w Words) templ.Component { return ask.FormPage(f, question(w)) }},
		{"ask-waiting", "Ask, waiting", func(f layout.Frame, w Words) templ.Component {
			return ask.AnswerPage(f, ask.Answer{In: sampleInteraction(w), ReviewedBy: true, Now: w.Now})
		}},
		{"ask-released", "Ask, answered", func(f layout.Frame, w Words) templ.Component {
			in := sampleInteraction(w)
			in.Status, in.FinalText, in.ReleasedAt = interaction.Released, w.Revised, w.Now
			return ask.AnswerPage(f, ask.Answer{In: in, Now: w.Now})
		}},
		{"overview", "Overview", func(f layout.Frame, w Words) templ.Component { return figures.OverviewPage(f, overview(w)) }},
		{"overview-empty", "Overview, empty", func(f layout.Frame, w Words) templ.Component {
			return figures.OverviewPage(f, figures.Overview{Period: 14, Now: w.Now})
		}},
		{"fault", "Somebody was first", func(f layout.Frame, _ Words) templ.Component {
			return layout.Problem(f, layout.Fault{Status: 409, Message: "The hold has passed: the text has gone out. Write to the customer's adviser instead.", RequestID: "01a1fc10-11df-78ab-93b3-2307e984423f"})
		}},
	}
}

func output(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain structs
	}
	return b
}

func lesson(w Words, may bool) lessons.Lesson {
	l := sampleLesson(w)
	l.Source = &learning.Source{Kind: learning.Revise, Question: w.Question, AgentText: w.Draft, HumanText: w.Revised, Reason: w.Reason, Feedback: w.Feedback, By: "Ann Archer"}
	heads := []learning.Head{{Name: learning.HeadBoundary, Pass: true, Why: "It asks for information and no recommendation."}, {Name: learning.HeadActionable, Pass: true, Why: "It says when, and what to do."},
		{Name: learning.HeadGeneral, Pass: true, Why: w.Reason}, {Name: learning.HeadValue, Pass: false, Why: "R-4 says part of it."}}
	var tests []learning.CaseTest
	for i := range 5 {
		tests = append(tests, learning.CaseTest{CaseID: "c", Number: 60 + i, Kind: learning.TestExemplar, Verdict: []string{learning.Helped, learning.Helped, learning.Hurt, learning.Silent, learning.Helped}[i], Why: w.Reason})
	}
	tests = append(tests, learning.CaseTest{CaseID: "c", Number: 80, Kind: learning.TestMustNotFire, Verdict: learning.Helped, Why: "It stays quiet, as it must."},
		learning.CaseTest{Kind: learning.TestOrigin, Verdict: learning.Helped, Why: "The corrected text does what it asks."})
	l.Steps = []learning.Step{{Name: learning.StageReflect, AnsweredBy: "embedded reasoner", Duration: 12 * time.Millisecond}, {Name: learning.StageValidate, AnsweredBy: "embedded reasoner", Cases: tests},
		{Name: learning.StageJudge, AnsweredBy: "embedded reasoner", Duration: 4 * time.Millisecond, Output: output(learning.Judgement{Accept: true, Heads: heads})}}
	return lessons.Lesson{Lesson: &l, MayAccept: may, MayOpen: true, Now: w.Now, Uses: uses(w)}
}

func uses(w Words) []lessons.Use {
	return []lessons.Use{{InteractionID: "i1", Version: 1, Cited: true, At: w.Now.Add(-time.Hour), MayOpen: true}, {InteractionID: "i2", Version: 1, At: w.Now.Add(-2 * time.Hour)}}
}

func board(w Words) lessons.Board {
	b := lessons.Board{Now: w.Now, Counts: learning.Counts{Reflect: 1, Validate: 2, Accept: 1}}
	for _, stage := range learning.Stages {
		col := lessons.Column{Stage: stage}
		n := map[string]int{learning.StageReflect: 1, learning.StageValidate: 2, learning.StageAccept: 1}[stage]
		for i := range n {
			l := sampleLesson(w)
			l.ID, l.Stage, l.State = stage+string(rune('a'+i)), stage, learning.Running
			if stage == learning.StageReflect {
				l.Title, l.Tried = "", 0
			}
			if stage == learning.StageValidate && i == 1 {
				l.State = learning.Failed
			}
			col.Lessons = append(col.Lessons, l)
		}
		b.Columns = append(b.Columns, col)
	}
	for _, state := range []string{learning.Accepted, learning.Rejected, learning.Nothing} {
		l := sampleLesson(w)
		l.ID, l.State = "s-"+state, state
		b.Settled = append(b.Settled, l)
	}
	return b
}

func sampleRule(w Words) knowledge.Rule {
	return knowledge.Rule{ID: "r12", Number: 12, Version: 2, Status: knowledge.Active, Domain: knowledge.RegulatoryCompliance, CreatedAt: w.Now.Add(-72 * time.Hour), Reason: "Edited and accepted by Edie Lindqvist.",
		RuleText: knowledge.RuleText{Title: "Say what a DB transfer gives up", Principle: w.Principle, Confidence: .8, Provisional: true}}
}

func browse(w Words, kind string) base.Browse {
	c := knownCase(w).Case
	warning := *c
	warning.ID, warning.Number, warning.Guidance = "c2", 41, ""
	return base.Browse{Kind: kind, Rules: []knowledge.Rule{sampleRule(w)}, Cases: []knowledge.Case{*c, warning}, Sizes: knowledge.Sizes{Cases: 104, ActiveRules: 4, Flagged: 1}, Next: "n", Now: w.Now}
}

func rule(w Words) base.Rule {
	r := sampleRule(w)
	first := r.RuleText
	first.Principle = "When the customer has a DB pension, warn because the guarantee is lost"
	by := audit.Actor{Name: "Edie Lindqvist"}
	return base.Rule{Rule: &r, Now: w.Now, Uses: uses(w), UsesMore: true, Lessons: []learning.Lesson{sampleLesson(w)}, Evidence: []base.Evidence{{CaseID: "c1", Number: 40, Title: w.Goal}, {CaseID: "c2", Number: 41, Title: w.Goal, Against: true}},
		Versions: []knowledge.Version{{Version: 2, Status: knowledge.Active, By: by, Reason: r.Reason, CreatedAt: w.Now.Add(-time.Hour), Rule: &r.RuleText}, {Version: 1, Status: knowledge.Candidate, CreatedAt: w.Now.Add(-2 * time.Hour), Rule: &first}}}
}

func knownCase(w Words) base.Case {
	flags := []knowledge.Flag{{Code: "stale_figure", Severity: "major", Quote: "£1,073,100", Why: "The lifetime allowance was abolished on 6 April 2024."}}
	c := &knowledge.Case{ID: "c1", Number: 40, Status: knowledge.Active, Source: knowledge.FromReview, Task: "db_transfer", Approved: true, Exemplar: true, Flags: flags, CreatedAt: w.Now.Add(-48 * time.Hour),
		CaseText: knowledge.CaseText{Title: w.Goal, Situation: w.Question, Guidance: w.Revised, Negative: w.Draft, Reasoning: w.Reason, Outcome: "Released", SuccessFactors: []string{"warning added", "signpost added"}, Citation: "moving/transfer.md#what-you-give-up"}}
	return base.Case{Case: c, Now: w.Now, Uses: uses(w), Duplicates: []knowledge.Duplicate{{Case: *c, Similarity: .97}}}
}

func question(w Words) ask.Form {
	asked := *sampleInteraction(w)
	return ask.Form{Question: w.Question, Age: "fifty", Goal: w.Goal, Pensions: []ask.PensionRow{{Kind: "db", Value: "310,000"}, {Kind: "dc", Value: "lots"}}, Mine: []interaction.Interaction{asked}, Now: w.Now,
		Message: "Something needs another look before this can be asked.", Errors: map[string]string{"age": "Write the age in years, as 58.", "value-1": "Write an amount in pounds, as 42,000."}}
}

func overview(w Words) figures.Overview {
	o := stats.Overview{Decisions: 61, Approved: stats.Of(38, 61), Waiting: 12, Oldest: w.Now.Add(-26 * time.Hour), Typical: 42 * time.Minute, Slow: 19 * time.Hour, Rules: 12, NewRules: 4, Lessons: 23,
		Tasks: []stats.TaskShare{{Task: "db_transfer", Approved: stats.Of(6, 19)}, {Task: "tax_free_cash", Approved: stats.Of(14, 18)}, {Task: w.Agent, Approved: stats.Of(1, 2)}}}
	for i := range 14 {
		o.Days = append(o.Days, stats.Day{Date: w.Now.AddDate(0, 0, i-13), Approved: (i * 7) % 6, Revised: (i * 5) % 4, Denied: i % 3 / 2})
	}
	return figures.Overview{Overview: o, Period: 14, Now: w.Now}
}
