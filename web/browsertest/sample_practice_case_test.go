package browsertest

import (
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/pack"
	"preceptor/internal/practice/drill"
	"preceptor/internal/review"
	"preceptor/views/layout"
	"preceptor/views/reviews"
)

func practiceCaseSamples() []Sample {
	wide := func(f layout.Frame) layout.Frame { f.Wide = true; return f }
	show := func(answered int, n int, mode string) func(f layout.Frame, w Words) templ.Component {
		return func(f layout.Frame, w Words) templ.Component {
			r := practised20(w, answered)
			v := reviews.PracticeCase(r, &r.Answers[n], review.Person{ID: me, Name: w.Name}, mode, w.Now)
			return reviews.CasePage(wide(f), v)
		}
	}
	return []Sample{
		{"practice-cases", "Practice cases", func(f layout.Frame, w Words) templ.Component {
			return reviews.PracticePage(f,
				reviews.PracticeView{Now: w.Now, Packs: pack.Names(),
					Rounds: []drill.Round{*practised20(w, 7), *practised20(w, 20)}})
		}},
		{"practice-cases-none", "Practice cases, none yet", func(f layout.Frame, w Words) templ.Component {
			return reviews.PracticePage(f, reviews.PracticeView{Now: w.Now})
		}},
		{"practice-case", "A practice case", show(3, 5, "")},
		{"practice-case-revise", "A practice case, revising", show(3, 5, reviews.ModeRevise)},
		{"practice-case-reject", "A practice case, rejecting", show(3, 5, reviews.ModeReject)},
		{"practice-case-answered", "A practice case, answered", show(3, 1, "")},
		{"practice-case-marked", "A practice case, marked", show(20, 1, "")},
		{"practice-result", "A practice result", func(f layout.Frame, w Words) templ.Component {
			return reviews.PracticeResultPage(f, reviews.PracticeResult{Round: practised20(w, 20), Now: w.Now})
		}},
	}
}

// practised20 is a round with its first cases answered, by every outcome in turn; its texts are a sample's words.
func practised20(w Words, answered int) *drill.Round {
	r := &drill.Round{ID: me, Pack: pack.Pension, Begun: w.Now.Add(-time.Hour)}
	for i, c := range drill.Cases(pack.Pension) {
		c.ID, c.Question, c.Customer.Goal = me, w.Question, w.Goal
		a := drill.Answer{N: i + 1, Case: c, Said: drill.Said{At: w.Now.Add(-time.Minute)}}
		if i < answered {
			a.Kind, a.Reason, a.Outcome = review.Return, w.Reason,
				[]string{drill.Caught, drill.Missed, drill.OtherReason}[i%3]
			switch {
			case len(c.Faults) == 0:
				a.Outcome = []string{drill.OverCorrected, drill.Passed}[i%2]
			case i%3 == 1:
				a.Kind, a.Text, a.Left = review.Revise, w.Revised, []int{0}
			case i%3 == 2:
				a.Kind, a.ReasonCode = review.Reject, "scam_risk"
			}
		}
		r.Answers = append(r.Answers, a)
	}
	return r
}
