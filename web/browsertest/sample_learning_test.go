package browsertest

import (
	"encoding/json"
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
	"preceptor/internal/rule"
	numbers "preceptor/internal/stats"
	"preceptor/views/ask"
	"preceptor/views/layout"
	lessons "preceptor/views/learning"
	"preceptor/views/statement"
	figures "preceptor/views/stats"
)

func learningSamples() []Sample {
	return []Sample{
		{"board", "Learning", func(f layout.Frame, w Words) templ.Component { return lessons.BoardPage(f, board(w)) }},
		{"board-empty", "Learning, empty", func(f layout.Frame, w Words) templ.Component {
			return lessons.BoardPage(f, lessons.Board{Now: w.Now})
		}},
		{"lesson", "Lesson, for an expert", func(f layout.Frame, w Words) templ.Component {
			return lessons.LessonPage(f, lesson(w, true))
		}},
		{"lesson-read", "Lesson, for others", func(f layout.Frame, w Words) templ.Component {
			return lessons.LessonPage(f, lesson(w, false))
		}},
		{"lesson-failed", "Lesson whose step failed", func(f layout.Frame, w Words) templ.Component {
			v := lesson(w, true)
			v.Lesson.Stage, v.Lesson.State, v.Lesson.Outcome = learning.StageValidate, learning.Failed,
				"The model did not answer in time, five times."
			return lessons.LessonPage(f, v)
		}},
		{"lesson-back", "Lesson being sent back, with errors", func(f layout.Frame, w Words) templ.Component {
			v := lesson(w, true)
			v.Note, v.To, v.Errors, v.Message = w.Feedback, learning.StageRefine,
				map[string]string{"note": "At most 4,000 characters."}, "The note is too long."
			return lessons.LessonPage(f, v)
		}},
		{"lesson-rejected", "Lesson that was not kept", func(f layout.Frame, w Words) templ.Component {
			v := lesson(w, true)
			v.Lesson.Stage, v.Lesson.State, v.Lesson.Outcome, v.Lesson.SentBack = learning.StageValidate,
				learning.Rejected, "Dropped: "+w.Reason, 1
			return lessons.LessonPage(f, v)
		}},
		{"lesson-needs", "Lesson that needs a sentence", func(f layout.Frame, w Words) templ.Component {
			return lessons.LessonPage(f, needsSentence(w))
		}},
		{"lesson-guess", "Lesson that was guessed", func(f layout.Frame, w Words) templ.Component {
			v := lesson(w, true)
			v.Lesson.Guessed, v.Teach.Guessed = true, "guessed from the edit"
			return lessons.LessonPage(f, v)
		}},
		{"board-several", "Learning, several lessons selected, with errors",
			func(f layout.Frame, w Words) templ.Component {
				v := board(w)
				v.Bulk = lessons.Several{Reason: w.Reason, Errors: map[string]string{"reason": "Say why."},
					Message: "Say why you reject them.",
					Ticked:  []learning.Seen{{ID: v.Columns[4].Lessons[0].ID}},
					Left:    []learning.Left{{Lesson: v.Settled[0], Why: "This lesson is settled already."}}}
				return lessons.BoardPage(f, v)
			}},
		{"lesson-preview", "Accept several rules", func(f layout.Frame, w Words) templ.Component {
			v := board(w)
			return lessons.PreviewPage(f,
				lessons.Preview{Rules: v.Columns[4].Lessons,
					Left: []learning.Left{{Lesson: v.Settled[0], Why: "This lesson is settled already."}}})
		}},
	}
}

func otherSamples() []Sample {
	return []Sample{
		{"ask", "Ask, with errors", func(f layout.Frame, w Words) templ.Component {
			return ask.FormPage(f, question(w))
		}},
		{"ask-first", "Ask, no agent yet", func(f layout.Frame, w Words) templ.Component {
			return ask.FormPage(f, ask.Form{Pack: pack.Of(pack.GeneralName), Domain: pack.Pension, Question: w.Question,
				Now: w.Now, Errors: map[string]string{"domain": "Choose whom to ask."}})
		}},
		{"ask-waiting", "Ask, waiting", func(f layout.Frame, w Words) templ.Component {
			return ask.AnswerPage(f, ask.Answer{In: sampleInteraction(w), ReviewedBy: true, Now: w.Now})
		}},
		{"ask-released", "Ask, answered", func(f layout.Frame, w Words) templ.Component {
			in := sampleInteraction(w)
			in.Status, in.FinalText, in.ReleasedAt = interaction.Released, w.Revised, w.Now
			return ask.AnswerPage(f, ask.Answer{In: in, Now: w.Now})
		}},
		{"overview", "Overview", func(f layout.Frame, w Words) templ.Component {
			return figures.OverviewPage(f, overview(w))
		}},
		{"overview-empty", "Overview, empty", func(f layout.Frame, w Words) templ.Component {
			return figures.OverviewPage(f, figures.Overview{Period: 14, Now: w.Now})
		}},
		{"busy", "The demo is filled", func(f layout.Frame, _ Words) templ.Component {
			return layout.Busy(f, "Filling the desk: 60 of 67 drafts")
		}},
		{"fault", "Somebody was first", func(f layout.Frame, _ Words) templ.Component {
			return layout.Problem(f,
				layout.Fault{Status: 409,
					Message:   "The hold has passed: the text has gone out. Write to the customer's adviser instead.",
					RequestID: "01a1fc10-11df-78ab-93b3-2307e984423f"})
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
	l.Source = &learning.Source{Kind: learning.Revise, Question: w.Question, AgentText: w.Draft, HumanText: w.Revised,
		Reason: w.Reason, Feedback: w.Feedback, By: "Ann Archer"}
	l.Steps = steps(w)
	v := lessons.Lesson{Lesson: &l, MayAccept: may, Case: "/reviews/i1", Now: w.Now,
		Rule: &lessons.Rule{Status: knowledge.Candidate, Version: 1}, Uses: uses(w)}
	if may {
		v.Teach = &statement.Editor{Form: statement.Of(
			rule.Statement{When: statedFor(), Do: rule.Act{Kind: rule.Include, Text: w.Revised}, Because: w.Reason},
			nil), Base: "/learning/l1",
			Pack: pack.Of(pack.Pension), One: true, Legend: "The rule", Preview: statedPreview(w)}
		v.Teach.Preview.Rules, v.Teach.Preview.More = v.Teach.Preview.Rules[:1], 0
	}
	return v
}

// needsSentence is a lesson that waits for somebody to state it.
func needsSentence(w Words) lessons.Lesson {
	v := lesson(w, true)
	l := v.Lesson
	l.Stage, l.State, l.Outcome, l.RuleID, l.RuleText, l.Steps, l.Tried = learning.StageReflect, learning.Unstated,
		"More than one thing changed, and nobody has said which of it should happen next time.", "", "", nil, 0
	l.Source.Flags = []learning.Flag{{Code: "MISSING_DB_WARNING",
		Why:   "The guaranteed income given up is never mentioned.",
		Quote: "If it were transferred, you could take £77,500"},
		{Code: "PERSONAL_RECOMMENDATION", Why: "It tells this customer what to do.", Quote: w.Draft}}
	v.Rule, v.Uses = nil, nil
	v.Teach.One, v.Teach.Legend, v.Teach.Form = false, "", stated(w)
	return v
}

// steps are a story in which everything happens once.
func steps(w Words) []learning.Step {
	heads := []learning.Head{{Name: learning.HeadBoundary, Pass: true,
		Why: "It asks for information and no recommendation."},
		{Name: learning.HeadActionable, Pass: true, Why: "It says when, and what to do."},
		{Name: learning.HeadGeneral, Pass: true, Why: w.Reason},
		{Name: learning.HeadValue, Pass: false, Why: "R-4 says part of it."}}
	var tests []learning.CaseTest
	for i := range 5 {
		tests = append(tests, learning.CaseTest{CaseID: "c", Number: 60 + i, Kind: learning.TestExemplar,
			Verdict: []string{learning.Helped, learning.Helped, learning.Hurt, learning.Silent, learning.Helped}[i],
			Why:     w.Reason})
	}
	tests = append(tests, learning.CaseTest{CaseID: "c", Number: 80, Kind: learning.TestMustNotFire,
		Verdict: learning.Helped, Why: "It stays quiet, as it must."},
		learning.CaseTest{Kind: learning.TestOrigin, Verdict: learning.Helped,
			Why: "The corrected text does what it asks."})
	gate := learning.Gate{Kind: learning.GateWilson, Valid: true, Provisional: true, Helpful: 3, Tried: 4, Silent: 1,
		Held: 1, MustNotFire: 1, Lower: .37, Upper: .95, Why: "3 of 4 cases; provisional."}
	failed := gate
	failed.Valid, failed.Why = false, "it also fired in 3 of 10 cases that it is not for."
	at, by := w.Now.Add(-time.Hour), "embedded reasoner"
	done := func(name string, in, out any) learning.Step {
		return learning.Step{Name: name, State: learning.StepDone, AnsweredBy: by, Duration: 12 * time.Millisecond,
			At: at, Input: output(in), Output: output(out)}
	}
	note := learning.Note{By: "Edie Lindqvist", Text: w.Feedback, To: learning.StageReflect, Rule: w.Principle}
	reflected := learning.Reflection{Title: w.Goal, Problem: w.Reason, RootCause: w.Reason, Principle: w.Principle,
		Domain: learning.RiskDisclosure, Why: "The reviewer said so."}
	list := []learning.Step{
		{Name: learning.StageReflect, State: learning.StepFailed, AnsweredBy: "openai/gpt-5-mini",
			Duration: 61 * time.Second, At: at, Input: output(struct{}{}),
			Output: output(map[string]string{"error": "The model server did not answer within 1m0s. Try again."})},
		done(learning.StageReflect, map[string]any{"kind": "revise", "reason": w.Reason}, reflected),
		done(learning.StageValidate, map[string]string{"principle": w.Principle}, failed),
		done(learning.StepBack, map[string]string{"rule": w.Principle},
			map[string]string{"to": learning.StageReflect, "note": w.Feedback}),
		done(learning.StageReflect, map[string]any{"note": note}, reflected),
		done(learning.StageValidate, map[string]string{"principle": w.Principle}, gate),
		done(learning.StageRefine, map[string]string{"principle": w.Principle},
			map[string]string{"rule": w.Principle + ", and for good"}),
		done(learning.StageJudge, struct{}{},
			learning.Judgement{Accept: true, Heads: heads, Why: w.Reason, Regulation: []learning.Regulation{
				{Reference: "COBS 19.1", Title: "Pension transfers",
					Summary: "A firm starts from the assumption that a transfer will not suit the customer.",
					From:    "2020-10-01", Cited: true},
				{Reference: "LTA", Title: "The lifetime allowance", Summary: w.Goal, To: "2024-04-06", Ended: true}}}),
		done(learning.StageCase, struct{}{}, map[string]any{"case": "c", "number": 127}),
		done(learning.StageAccept, struct{}{}, map[string]any{"accepted": false, "reason": w.Reason}),
	}
	list[2].Cases, list[5].Cases = tests, tests
	list[1].AnsweredBy, list[1].TokensIn, list[1].TokensOut = "openai/gpt-5-mini", 1204, 180
	return list
}

func uses(w Words) []lessons.Use {
	return []lessons.Use{{InteractionID: "i1", Version: 1, Cited: true, At: w.Now.Add(-time.Hour), Href: "/reviews/i1"},
		{InteractionID: "i2", Version: 1, At: w.Now.Add(-2 * time.Hour)}}
}

func board(w Words) lessons.Board {
	b := lessons.Board{Now: w.Now, Counts: learning.Counts{Reflect: 2, Unstated: 1, Validate: 2, Accept: 2, Failed: 1,
		Urgent: 1, Oldest: w.Now.Add(-30 * time.Hour), FailedOldest: w.Now.Add(-time.Hour)}, MaySettle: true}
	b.Unclaimed = []knowledge.Rule{sampleRule(w)}
	b.Counts.Unclaimed = 1
	for _, stage := range learning.Stages {
		col := learning.BoardColumn{Stage: stage}
		for i := range map[string]int{learning.StageReflect: 2, learning.StageValidate: 2,
			learning.StageAccept: 2}[stage] {
			l := sampleLesson(w)
			l.ID, l.Stage, l.State = stage+string(rune('a'+i)), stage, learning.Running
			switch {
			case stage == learning.StageReflect && i == 1:
				l.State, l.Problem = learning.Unstated, w.Reason
			case stage == learning.StageReflect:
				l.Title, l.Tried, l.SentBack = "", 0, 2
			case stage == learning.StageValidate && i == 1:
				l.State, l.Outcome = learning.Failed, "Validate failed: the model did not answer in time."
			case stage == learning.StageAccept:
				l.State, l.Urgent, l.Provisional, l.Guessed = learning.Waiting, i == 0, i == 0, i == 1
			}
			col.Lessons, col.Total = append(col.Lessons, l), col.Total+1
		}
		b.Columns = append(b.Columns, col)
	}
	for i := range 2 {
		l := sampleLesson(w)
		l.ID, l.State, l.Stage, l.Helpful, l.Tried, l.RuleNumber = "t-"+string(rune('a'+i)), learning.Accepted,
			learning.StageAccept, 1+3*i, 5, 20+i
		b.Trial = append(b.Trial, learning.Trying{Lesson: l, Failing: i == 0, Needs: 13})
	}
	unmade := sampleLesson(w)
	unmade.ID, unmade.Outcome = "unmade", "The case could not be made: the embedder does not answer."
	b.Cases = []learning.Lesson{unmade}
	for _, state := range []string{learning.Accepted, learning.Rejected, learning.Nothing} {
		l := sampleLesson(w)
		l.ID, l.State, l.Outcome = "s-"+state, state, "Not accepted by Edie Lindqvist: "+w.Reason
		b.Settled = append(b.Settled, l)
	}
	return b
}

func question(w Words) ask.Form {
	asked := *sampleInteraction(w)
	return ask.Form{Agent: w.Agent, Agents: []string{w.Agent, "it-helpdesk"}, Pack: pack.Of(pack.Pension),
		Question: w.Question, Age: "fifty", Goal: w.Goal,
		Pensions: []ask.PensionRow{{Kind: "db", Value: "310,000"}, {Kind: "dc", Value: "lots"}},
		Mine:     []interaction.Interaction{asked}, Now: w.Now,
		Message: "Check your answers before asking.",
		Errors: map[string]string{"age": "Enter the age in years, for example 58.",
			"value-1": "Enter an amount in pounds, for example 42,000."}}
}

func overview(w Words) figures.Overview {
	o := numbers.Overview{Review: reviewFigures(w, 14), Rules: 12, NewRules: 4, Lessons: 23}
	return figures.Overview{Overview: o, Period: 14, Now: w.Now}
}
