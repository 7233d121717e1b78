package browsertest

import (
	"strings"
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/feedback/experiment"
	"preceptor/internal/feedback/link"
	"preceptor/internal/feedback/preference"
	"preceptor/views/experiments"
	views "preceptor/views/feedback"
	"preceptor/views/layout"
	"preceptor/views/preferences"
)

// fromTheRight are words of people who write from right to left, with something of ours among them.
func fromTheRight(w Words) Words {
	w.Question = "كم يمكنني أن آخذ من معاشي بدون ضريبة؟ لدي £310,000 في NHS pension."
	w.Draft = "يمكنك عادةً أخذ ربع المبلغ (25 %) بدون ضريبة. اتصل بـ Pension Wise على 0800 138 3944."
	w.Revised = "في الغالب يمكنك أخذ ربع كل معاش بدون ضريبة، ويخضع الباقي لضريبة الدخل عند سحبه.\n\n- الحد الأقصى " +
		"£268,275\n- الاستشارة مجانية"
	w.Name, w.Goal, w.Agent = "نادية حداد", "تسديد الرهن العقاري", "مستشار-المعاشات"
	w.Reason, w.Feedback = "لم أفهم الجزء الثاني، وما معنى DB؟", "واضح ومفيد، شكراً."
	return w
}

// atLength are words that are as long as they may be, in one piece where a name is asked for.
func atLength(w Words) Words {
	w.Name = strings.Repeat("Featherstonehaugh", 11)
	w.Agent = strings.Repeat("pension-advisor_", 12)
	w.Goal = strings.Repeat("drawdown_and_tax_free_cash_", 7)
	w.Question = strings.Repeat(w.Question+" ", 6)
	w.Draft, w.Revised = strings.Repeat(w.Draft+"\n\n", 5), strings.Repeat(w.Revised+"\n\n", 5)
	w.Reason = strings.Repeat("https://example.org/"+strings.Repeat("a", 150)+" ", 3) + strings.Repeat(w.Reason+" ", 12)
	w.Feedback = strings.Repeat("aaaaaaaaaa", 60)
	return w
}

// hardFeedbackSamples are the pages of feedback, pairs and experiments where they are hardest to draw: erased, refused,
// written from the right, and as long as can be.
func hardFeedbackSamples() []Sample {
	wide := func(f layout.Frame) layout.Frame { f.Wide = true; return f }
	return []Sample{
		{"feedback-link-ended", "Link, ended", func(_ layout.Frame, _ Words) templ.Component {
			return views.ClosedPage(views.Closed{Title: "This link has ended", Text: link.ErrEnded.Error()})
		}},
		{"feedback-link-right", "Link, written from the right", func(_ layout.Frame, w Words) templ.Component {
			v := customer(fromTheRight(w))
			v.Form = views.Form{Vote: "-1", Comment: fromTheRight(w).Reason,
				Message: "Check your answers and try again.",
				Errors:  map[string]string{"comment": "Please shorten it."}}
			return views.LinkPage(v)
		}},
		{"feedback-comments-hard", "Comments, long and from the right", func(f layout.Frame, w Words) templ.Component {
			v, right := saidByUsers(atLength(w)), saidByUsers(fromTheRight(w))
			v.Page.Items = append(v.Page.Items, right.Page.Items...)
			return views.ListPage(wide(f), v)
		}},
		{"feedback-one-erased", "One answer, erased", func(f layout.Frame, w Words) templ.Component {
			v := judged(w)
			v.Subject.Query, v.Subject.Response, v.Subject.Erased, v.Subject.Released = "", "", true, false
			for i := range v.Votes {
				v.Votes[i].Text, v.Votes[i].UserID = "", v.Votes[i].ID
			}
			for i := range v.Outcomes {
				v.Outcomes[i].Issues, v.Outcomes[i].By = nil, ""
			}
			v.Follow, v.Maker, v.Case = nil, nil, ""
			return views.OnePage(wide(f), v)
		}},
		{"feedback-one-hard", "One answer, as long as can be", func(f layout.Frame, w Words) templ.Component {
			return views.OnePage(wide(f), judged(atLength(w)))
		}},
		{"feedback-one-right", "One answer, written from the right", func(f layout.Frame, w Words) templ.Component {
			return views.OnePage(wide(f), judged(fromTheRight(w)))
		}},
		{"feedback-nightly-hard", "Nightly summaries, long names", func(f layout.Frame, w Words) templ.Component {
			v := nights(atLength(w))
			v.Unread = map[string]string{"cursor": "The page number in the address is cut off."}
			return views.NightsPage(wide(f), v)
		}},
		{"feedback-chat-hard", "Chat, long and from the right", func(f layout.Frame, w Words) templ.Component {
			v, right := chatted(atLength(w)), chatted(fromTheRight(w))
			for i := range right.Turns {
				right.Turns[i].ID += "r"
			}
			v.Agent, v.Turns = atLength(w).Agent, append(v.Turns, right.Turns...)
			return views.ChatPage(f, v)
		}},
		{"preferences-hard", "Judging two answers, long and from the right",
			func(f layout.Frame, w Words) templ.Component {
				long, right := atLength(w), fromTheRight(w)
				return preferences.JudgePage(wide(f),
					preferences.Judge{Me: me, Keeper: true, Now: w.Now, Work: preference.Work{
						Now: &preference.Task{PairID: other, Prompt: long.Question, A: right.Revised,
							B: long.Draft + long.Feedback}, Waiting: 1000, Done: 12_041, Skipped: 310},
						Mine: []preference.Mine{{PairID: me, Opening: right.Question, Choice: preference.ABetter,
							At: w.Now.Add(-time.Minute)},
							{PairID: other, Choice: preference.BothBad, At: w.Now.Add(-time.Hour)}}})
			}},
		{"preferences-pairs-hard", "Pairs, long and from the right", func(f layout.Frame, w Words) templ.Component {
			return preferences.PairsPage(wide(f),
				preferences.Pairs{Now: w.Now,
					Page: preference.Page{Items: append(somePairs(atLength(w)), somePairs(fromTheRight(w))...)}})
		}},
		{"experiments-hard", "Experiments, long and from the right", func(f layout.Frame, w Words) templ.Component {
			var list []experiment.Experiment
			for _, words := range []Words{atLength(w), fromTheRight(w)} {
				e := anExperiment(words, experiment.Stopped, experiment.Barred, underway)
				e.Name, e.Treatment, e.Control = words.Goal, words.Agent, words.Name
				list = append(list, e)
			}
			return experiments.ListPage(wide(f), experiments.List{Now: w.Now, Items: list})
		}},
		{"experiments-long", "Experiment, with long words", func(f layout.Frame, w Words) templ.Component {
			e := anExperiment(atLength(w), experiment.Stopped, experiment.ByPerson, underway)
			e.Treatment, e.Control = atLength(w).Goal, atLength(w).Agent
			return experiments.ShowPage(wide(f),
				experiments.Show{Experiment: e, Path: experimentLooks(e, w.Now), Now: w.Now})
		}},
		{"experiments-right", "Experiment, written from the right", func(f layout.Frame, w Words) templ.Component {
			right := fromTheRight(w)
			e := anExperiment(right, experiment.Stopped, experiment.ByPerson, underway)
			e.Name, e.Treatment, e.Control = right.Question, right.Agent, right.Goal
			return experiments.ShowPage(wide(f),
				experiments.Show{Experiment: e, Path: experimentLooks(e, w.Now), Now: w.Now})
		}},
	}
}
