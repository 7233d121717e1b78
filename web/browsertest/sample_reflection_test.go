package browsertest

import (
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/compliance"
	"preceptor/internal/learning"
	"preceptor/internal/learning/stream"
	"preceptor/views/layout"
	lessons "preceptor/views/learning"
	"preceptor/views/ui"
)

func reflectionSamples() []Sample {
	return []Sample{
		{"reflections", "Reflections", func(f layout.Frame, w Words) templ.Component {
			return lessons.ReflectionsPage(f, reflections(w))
		}},
		{"reflections-empty", "Reflections, none, confidence off", func(f layout.Frame, w Words) templ.Component {
			v := reflections(w)
			v.List, v.Bands, v.Next = nil, false, ""
			return lessons.ReflectionsPage(f, v)
		}},
		{"reflections-memories", "Memories", func(f layout.Frame, w Words) templ.Component {
			v := reflections(w)
			v.Memories, v.Stream = true, memories(w)
			return lessons.ReflectionsPage(f, v)
		}},
		{"reflections-recalled", "What an agent remembers about something",
			func(f layout.Frame, w Words) templ.Component {
				v := reflections(w)
				v.Memories, v.Query, v.Filter.AgentID, v.Next = true, w.Goal, "a1", ""
				v.Found = []stream.Recalled{{Memory: memories(w)[0], Score: .41, Recency: .89, Relevance: .58}}
				return lessons.ReflectionsPage(f, v)
			}},
	}
}

func memories(w Words) []stream.Memory {
	at := w.Now.Add(-3 * time.Hour)
	return []stream.Memory{
		{Seq: 4, ID: "m4", Kind: stream.Decision, What: learning.Reject, InteractionID: "i4", Task: "db_transfer",
			Text: w.Reason, Importance: 8, ScoredBy: "embedded scorer", At: at},
		{Seq: 3, ID: "m3", Kind: stream.Verdict, What: string(compliance.Ambiguous), InteractionID: "i3",
			Task: "consolidation", Text: w.Feedback, Importance: 3, ScoredBy: "embedded scorer", At: at,
			Withdrawn: true},
		{Seq: 2, ID: "m2", Kind: stream.Ruling, What: "BORDERLINE", Text: w.Reason, Importance: 7,
			ScoredBy: "openai/small (reflect.v1)", At: at},
		{Seq: 1, ID: "m1", Kind: stream.Insights, What: "task:tax", Text: w.Goal, Importance: 6,
			ScoredBy: "embedded reflection", At: at},
	}
}

func reflections(w Words) lessons.Reflections {
	l := sampleLesson(w)
	var cites []stream.Cite
	for i, m := range memories(w) {
		cites = append(cites, stream.Cite{Memory: m, Earlier: i == 3})
	}
	return lessons.Reflections{
		Agents: []ui.Option{{Value: "a1", Label: w.Agent}}, Threshold: 150, Bands: true, MayOpen: true, Next: "n",
		Now: w.Now,
		Standings: []lessons.AgentStanding{
			{Name: w.Agent, Standing: stream.Standing{AgentID: "a1", Total: 92, Memories: 21,
				Day: map[string]int{string(compliance.Clarify): 3}}}},
		Lessons: map[string]*learning.Lesson{l.ID: &l},
		Shown:   map[string]lessons.Shown{"r12": {Label: "R-12", Href: "/knowledge/rules/r12"}},
		List: []stream.Reflection{
			{ID: "f2", AgentID: "a1", State: stream.Due, Total: 151, Memories: 30, DueAt: w.Now},
			{ID: "f1", AgentID: "a1", AgentName: w.Agent, State: stream.Done, Total: 152, Memories: 19,
				AnsweredBy: "embedded reflection", DueAt: w.Now.Add(-time.Hour), DoneAt: w.Now,
				Insights: []stream.Insight{
					{ID: "n1", Theme: "code:MISSING_DB_WARNING", Text: w.Reason, Importance: 9, Principle: w.Principle,
						LessonID: l.ID, Cites: cites},
					{ID: "n2", Theme: "shown:r12", Text: w.Goal, Importance: 6, Cites: cites[:1]},
					{ID: "n3", Theme: "task:tax", Text: w.Goal, Importance: 5, Principle: w.Principle, LessonID: l.ID,
						Again: true, Cites: cites[:2]},
				}},
			{ID: "f0", AgentID: "a1", AgentName: w.Agent, State: stream.Done, Total: 150, Memories: 70,
				AnsweredBy: "embedded reflection", DueAt: w.Now.Add(-30 * time.Hour), DoneAt: w.Now},
		},
	}
}
