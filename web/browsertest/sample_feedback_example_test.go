package browsertest

import (
	"time"

	"preceptor/internal/feedback"
	"preceptor/internal/feedback/nightly"
	views "preceptor/views/feedback"
)

func liked(w Words) views.Examples {
	at := w.Now.Add(-30 * time.Hour)
	return views.Examples{Now: w.Now, Next: "n", Cursor: "c", Agents: []string{w.Agent, "tutor"}, AgentType: "tutor",
		MayRetire: true, MayOpen: true, Wrong: "e2", Error: "Give a reason, in at most 2,000 characters.",
		List: []feedback.Exemplar{
			{ID: "e1", AgentType: "tutor", Topic: "Photosynthesis", Query: w.Question, Good: w.Revised, Bad: w.Draft,
				GoodSubject: "i1", Weight: .86, Score: 5, UseCount: 12, State: feedback.Active, ChangedAt: at},
			{ID: "e2", AgentType: w.Agent, Topic: "db_transfer", Query: w.Question, Good: w.Revised, GoodSubject: "i2",
				Weight: .75, Score: 2, UseCount: 1, State: feedback.Active, ChangedAt: at},
			{ID: "e3", AgentType: w.Agent, Query: w.Question, Good: w.Revised, GoodSubject: "i3", Weight: .5, Score: -1,
				State: feedback.Demoted, Why: "Voted down: 2 for it, 3 against.", ChangedAt: at.Add(-time.Hour)},
		}}
}

func nights(w Words) views.Nights {
	clear := nightly.Pattern{Feature: "example", Label: "give an example", Liked: 31, OfLiked: 40, Disliked: 6,
		OfDis: 25, Low: .21, High: .74, Days: 28}
	turned := nightly.Pattern{Feature: "list", Label: "have a list", Liked: 4, OfLiked: 40, Disliked: 15, OfDis: 25,
		Low: -.76, High: -.2, Days: 28}
	vague := nightly.Pattern{Feature: "figure", Label: "give a figure", Liked: 20, OfLiked: 40, Disliked: 12, OfDis: 25,
		Low: -.3, High: .33, Days: 28}
	return views.Nights{Next: "n", Cursor: "c",
		List: []nightly.Night{
			{ID: "n1", Day: "2026-11-21", AgentType: "tutor", Interactions: 120, Positive: 40, Negative: 25, Neutral: 3,
				Promoted: 2, Demoted: 1, Retired: 1, Patterns: []nightly.Pattern{clear, turned, vague}},
			{ID: "n2", Day: "2026-11-21", AgentType: w.Agent, Interactions: 8, Positive: 3,
				Patterns: []nightly.Pattern{vague}},
			{ID: "n3", Day: "2026-11-20", AgentType: w.Agent, Interactions: 2},
		}}
}
