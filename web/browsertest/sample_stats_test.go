package browsertest

import (
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/platform/estimate"
	numbers "preceptor/internal/stats"
	"preceptor/views/layout"
	"preceptor/views/stats"
)

func statsSamples() []Sample {
	wide := func(view func(f layout.Frame, w Words) templ.Component) func(f layout.Frame, w Words) templ.Component {
		return func(f layout.Frame, w Words) templ.Component { f.Wide = true; return view(f, w) }
	}
	return []Sample{
		{"stats", "Statistics", wide(func(f layout.Frame, w Words) templ.Component {
			return stats.SummaryPage(f,
				stats.Summary{Scope: statsScope(w, stats.TabOverview), Satisfaction: satisfaction(w, 60),
					Review: reviewFigures(w, 40), Compliance: lineFigures(w, 40), Learning: gain(w),
					TopicSeries: topicSeries(w, same)})
		})},
		{"stats-fell", "Statistics, satisfaction fell", wide(func(f layout.Frame, w Words) templ.Component {
			return stats.SummaryPage(f,
				stats.Summary{Scope: statsScope(w, stats.TabOverview), Satisfaction: satisfaction(w, 60),
					Fall: fall(w)})
		})},
		{"stats-empty", "Statistics, nothing yet", wide(func(f layout.Frame, w Words) templ.Component {
			return stats.SummaryPage(f, stats.Summary{Scope: statsScope(w, stats.TabOverview)})
		})},
		{"stats-satisfaction", "Satisfaction, with a dip", wide(func(f layout.Frame, w Words) templ.Component {
			return stats.SatisfactionView(f,
				stats.Satisfaction{Scope: statsScope(w, stats.TabSatisfaction), SatisfactionPage: satisfaction(w, 60),
					TopicSeries: topicSeries(w, same)})
		})},
		{"stats-satisfaction-few", "Satisfaction, a few votes", wide(func(f layout.Frame, w Words) templ.Component {
			return stats.SatisfactionView(f,
				stats.Satisfaction{Scope: statsScope(w, stats.TabSatisfaction), SatisfactionPage: fewVotes(w)})
		})},
		{"stats-satisfaction-empty", "Satisfaction, no data", wide(func(f layout.Frame, w Words) templ.Component {
			return stats.SatisfactionView(f, stats.Satisfaction{Scope: statsScope(w, stats.TabSatisfaction)})
		})},
		{"stats-satisfaction-long", "Satisfaction, long names", wide(func(f layout.Frame, w Words) templ.Component {
			v := satisfaction(w, 60)
			for i := range v.Topics {
				v.Topics[i].Name = strings.Repeat(w.Goal+" ", 3)
			}
			s := statsScope(w, stats.TabSatisfaction)
			s.Period.Agent, s.Period.Topic = strings.Repeat(w.Agent, 4), w.Goal
			return stats.SatisfactionView(f,
				stats.Satisfaction{Scope: s, SatisfactionPage: v,
					TopicSeries: topicSeries(w, func(string) string { return strings.Repeat(w.Goal+" ", 3) })})
		})},
		{"stats-satisfaction-error", "Satisfaction, days that can't be",
			wide(func(f layout.Frame, w Words) templ.Component {
				s := statsScope(w, stats.TabSatisfaction)
				s.Period = stats.ReadPeriod(url.Values{"period": {"custom"}, "from": {"2026-11-20"},
					"to": {"2026-11-01"}},
					w.Now, time.UTC)
				return stats.SatisfactionView(f, stats.Satisfaction{Scope: s, SatisfactionPage: satisfaction(w, 60)})
			})},
		{"stats-review", "Review figures", wide(func(f layout.Frame, w Words) templ.Component {
			return stats.ReviewView(f,
				stats.Review{Scope: statsScope(w, stats.TabReview), ReviewPage: reviewFigures(w, 40)})
		})},
		{"stats-review-empty", "Review figures, no data", wide(func(f layout.Frame, w Words) templ.Component {
			return stats.ReviewView(f, stats.Review{Scope: statsScope(w, stats.TabReview)})
		})},
		{"stats-mine", "My statistics", wide(func(f layout.Frame, w Words) templ.Component {
			return stats.MineView(f, stats.Mine{Scope: statsScope(w, "/stats/mine"),
				Row: reviewFigures(w, 40).People[0]})
		})},
		{"stats-compliance", "Compliance figures", wide(func(f layout.Frame, w Words) templ.Component {
			return stats.LineView(f, stats.Line{Scope: statsScope(w, stats.TabCompliance),
				CompliancePage: lineFigures(w, 40)})
		})},
		{"stats-compliance-empty", "Compliance figures, no data", wide(func(f layout.Frame, w Words) templ.Component {
			return stats.LineView(f, stats.Line{Scope: statsScope(w, stats.TabCompliance)})
		})},
		{"stats-learning", "Learning figures", wide(func(f layout.Frame, w Words) templ.Component {
			return stats.GainView(f, stats.Gain{Scope: statsScope(w, stats.TabLearning), LearningPage: gain(w)})
		})},
		{"stats-learning-empty", "Learning figures, no data", wide(func(f layout.Frame, w Words) templ.Component {
			return stats.GainView(f, stats.Gain{Scope: statsScope(w, stats.TabLearning)})
		})},
		{"stats-changes", "What changed", wide(func(f layout.Frame, w Words) templ.Component {
			return stats.ChangesView(f, changes(w))
		})},
		{"stats-changes-none", "What changed, nothing", wide(func(f layout.Frame, w Words) templ.Component {
			v := changes(w)
			v.ChangesPage = numbers.ChangesPage{Around: v.Around}
			return stats.ChangesView(f, v)
		})},
		{"stats-rows", "Rows of a figure", wide(func(f layout.Frame, w Words) templ.Component {
			return stats.RowsView(f, statsRows(w))
		})},
		{"stats-rows-empty", "Rows of a figure, none", wide(func(f layout.Frame, w Words) templ.Component {
			v := statsRows(w)
			v.RowPage = numbers.RowPage{}
			return stats.RowsView(f, v)
		})},
	}
}

func statsScope(w Words, path string) stats.Scope {
	return stats.Scope{Path: path, Now: w.Now, Period: stats.ReadPeriod(url.Values{}, w.Now, time.UTC),
		Choices: numbers.Choices{Agents: []numbers.Choice{{Value: w.Agent, Label: w.Agent}},
			Topics: []numbers.Choice{{Value: "tax_free_cash"}, {Value: "db_transfer"}},
			Teams:  []numbers.Choice{{Value: "t1", Label: w.Name}}}}
}

// ofDay is a share of a day with that of the previous period.
func ofDay(key string, part, whole int) numbers.Figure {
	s := estimate.Of(part, whole)
	return numbers.Figure{Key: key, Unit: numbers.Ratio, Known: whole > 0, Value: s.Value(), Part: part, N: whole,
		Low: s.Low, High: s.High}
}

func before(f, b numbers.Figure) numbers.Figure { f.Before = &b; return f }

func sampleNumber(key string, n, was int) numbers.Figure {
	f := numbers.Figure{Key: key, Unit: numbers.Count, Known: true, Value: float64(n), N: n, Low: float64(n),
		High: float64(n)}
	b := f
	b.Value, b.N = float64(was), was
	return before(f, b)
}

func measured(key string, u numbers.Unit, v, half float64, n int) numbers.Figure {
	return numbers.Figure{Key: key, Unit: u, Known: true, Value: v, N: n, Low: v - half, High: v + half}
}

// dipped is a share over 30 days that falls in the last week but one; on Sundays nobody votes.
func dipped(w Words, key string, volume int, usual, low float64) numbers.Series {
	s := numbers.Series{Key: key, Unit: numbers.Ratio, Step: numbers.Daily}
	midnight := w.Now.UTC().Truncate(24 * time.Hour)
	for i := range 30 {
		from := midnight.AddDate(0, 0, i-29)
		n, rate := volume+(i*7)%11, usual+float64(i%5)/100
		if from.Weekday() == time.Sunday {
			n = 0
		}
		if i >= 19 && i < 26 {
			rate = low
		}
		s.Points = append(s.Points, numbers.Point{From: from, To: from.AddDate(0, 0, 1),
			Figure: before(ofDay(key, int(rate*float64(n)), n), ofDay(key, int(usual*40), 40))})
	}
	return s
}

func total(s numbers.Series, was float64) numbers.Figure {
	part, n := 0, 0
	for _, p := range s.Points {
		part, n = part+p.Part, n+p.N
	}
	return before(ofDay(s.Key, part, n), ofDay(s.Key, int(was*float64(n)), n))
}

func counted(w Words, key string, u numbers.Unit, n int) numbers.Series {
	s := dipped(w, key, n, 1, 1)
	s.Unit = u
	for i := range s.Points {
		f := &s.Points[i].Figure
		f.Unit, f.Value, f.Known = u, float64(f.N), true
		f.Low, f.High = f.Value, f.Value
		f.Before.Unit, f.Before.Value = u, float64(n)
	}
	return s
}

func quote(w Words, hours int) numbers.Row {
	return numbers.Row{Kind: "vote", ID: "v", CaseID: "c", Desk: true, At: w.Now.Add(-time.Duration(hours) * time.Hour),
		Agent: w.Agent, Topic: "tax_free_cash", What: "negative", Text: w.Feedback, Channel: "link"}
}

var sampleTopics = []struct {
	key        string
	volume     int
	usual, low float64
}{{"tax_free_cash", 26, 0.9, 0.3}, {"db_transfer", 18, 0.88, 0.86}, {"drawdown", 9, 0.92, 0.9},
	{"scams", 5, 0.95, 0.95}}

// topicSeries are the same topics over time.
func topicSeries(w Words, name func(string) string) (out []numbers.Series) {
	for _, t := range sampleTopics {
		s := dipped(w, "satisfaction", t.volume, t.usual, t.low)
		s.Name = name(t.key)
		out = append(out, s)
	}
	return out
}

func same(s string) string { return s }

func satisfaction(w Words, volume int) numbers.SatisfactionPage {
	p := numbers.SatisfactionPage{Series: dipped(w, "vote.rate", volume, 0.9, 0.72),
		Volume: counted(w, "vote", numbers.Count, volume)}
	p.Rate, p.Votes = total(p.Series, 0.92), sampleNumber("vote", 1720, 1694)
	p.Positive, p.Negative, p.Neutral = sampleNumber("vote.positive", 1477, 1530),
		sampleNumber("vote.negative", 201, 140), sampleNumber("vote.neutral", 42, 24)
	p.Rating = before(measured("rating", numbers.Score10, 7.9, 0.2, 412),
		measured("rating", numbers.Score10, 8.4, 0.2, 398))
	p.Scale, p.ScaleBefore = [11]int{9, 4, 6, 8, 11, 18, 26, 61, 98, 103, 68},
		[11]int{2, 1, 3, 4, 7, 14, 30, 64, 101, 104, 68}
	for _, t := range sampleTopics {
		s := dipped(w, "vote.rate", t.volume, t.usual, t.low)
		p.Topics = append(p.Topics, numbers.Slice{Key: t.key, Figure: total(s, t.usual), Volume: t.volume * 30})
	}
	p.Agents = []numbers.Slice{{Key: w.Agent, Name: w.Agent, Figure: p.Rate, Volume: 1500},
		{Key: "tutor", Name: "tutor", Figure: before(ofDay("vote.rate", 3, 4), ofDay("vote.rate", 0, 0)), Volume: 4}}
	p.Worst = []numbers.WorstTopic{{Slice: p.Topics[0], Quotes: []numbers.Row{quote(w, 30), quote(w, 52)}}}
	p.OutcomeN = sampleNumber("outcome", 31, 0)
	p.Outcomes = []numbers.Figure{measured("outcome.satisfaction", numbers.Score10, 8.1, 0.4, 31),
		measured("outcome.comprehension", numbers.Score10, 7.7, 0.5, 31),
		measured("outcome.goal", numbers.Score10, 8, 0.4, 31), ofDay("outcome.goals", 24, 27),
		ofDay("outcome.understood", 25, 26), ofDay("outcome.signposted", 12, 12), ofDay("outcome.db", 0, 0)}
	return p
}

// fewVotes is three votes on one day.
func fewVotes(w Words) numbers.SatisfactionPage {
	p := satisfaction(w, 0)
	for i := range p.Series.Points {
		p.Series.Points[i].Figure = ofDay("vote.rate", 0, 0)
	}
	p.Series.Points[24].Figure = ofDay("vote.rate", 2, 3)
	p.Rate, p.Votes, p.Rating = ofDay("vote.rate", 2, 3), sampleNumber("vote", 3, 0),
		numbers.Figure{Unit: numbers.Score10}
	p.Topics, p.Agents, p.Worst, p.Scale, p.ScaleBefore = []numbers.Slice{{Key: "scams", Figure: p.Rate, Volume: 3}},
		nil, nil, [11]int{}, [11]int{}
	p.Outcomes, p.OutcomeN = nil, sampleNumber("outcome", 0, 0)
	return p
}

func reviewFigures(w Words, volume int) numbers.ReviewPage {
	p := numbers.ReviewPage{Series: []numbers.Series{dipped(w, "review.approved", volume, 0.78, 0.74),
		dipped(w, "review.revised", volume, 0.16, 0.2), dipped(w, "review.escalated", volume, 0.05, 0.06)}}
	p.Approved, p.Revised, p.Escalated = total(p.Series[0], 0.75), total(p.Series[1], 0.19), total(p.Series[2], 0.06)
	p.Decisions, p.Returned, p.Sampled = sampleNumber("review.decisions", 1180, 1090),
		ofDay("review.returned", 12, 1180), sampleNumber("review.sampled", 210, 160)
	p.Rating = measured("review.rating", numbers.Score5, 4.2, 0.3, 22)
	p.Queue = numbers.Queue{Length: sampleNumber("queue", 12, 0), Oldest: w.Now.Add(-26 * time.Hour),
		Late: sampleNumber("queue.late", 2, 0), Series: counted(w, "queue", numbers.Count, 9)}
	p.Waited, p.WaitedP90 = before(measured("review.waited", numbers.Seconds, 5400, 0, 1180),
		measured("review.waited", numbers.Seconds, 7900, 0, 1090)),
		measured("review.waited", numbers.Seconds, 61200, 0, 1180)
	p.SLA, p.OnCase, p.OnCaseP90 = ofDay("review.sla", 1140, 1180),
		measured("review.oncase", numbers.Seconds, 140, 0, 1180),
		measured("review.oncase", numbers.Seconds, 420, 0, 1180)
	p.Hasty, p.Edit, p.Rewritten = ofDay("review.hasty", 14, 900),
		measured("review.edit", numbers.Ratio, 0.21, 0.03, 190), ofDay("review.rewritten", 19, 190)
	p.Agreement, p.Caught = ofDay("review.agreement", 41, 44), ofDay("planted.caught", 41, 52)
	p.Volume, p.Edits, p.Catches = counted(w, "review.decisions", numbers.Count, volume),
		dipped(w, "review.edit", 6, 0.2, 0.24), dipped(w, "planted.caught", 2, 0.8, 0.8)
	p.Agents = []numbers.Slice{{Key: w.Agent, Name: w.Agent, Figure: p.Approved, Volume: 1180}}
	p.Tasks = []numbers.Slice{{Key: "db_transfer", Figure: ofDay("review.approved", 140, 260), Volume: 260},
		{Key: "tax_free_cash", Figure: ofDay("review.approved", 410, 470), Volume: 470}}
	for i, name := range []string{w.Name, "Tom Baxter"} {
		row := numbers.PersonRow{ID: "p" + name[:1], Name: name,
			Decisions: sampleNumber("review.decisions", 600-i*120, 0), Seconds: sampleNumber("review.seconds", 40, 0),
			Approved: ofDay("review.approved", 470-i*90, 600-i*120),
			OnCase:   measured("review.oncase", numbers.Seconds, 150-float64(i)*70, 0, 500),
			Hasty:    ofDay("review.hasty", 2+i*10, 450), Caught: ofDay("planted.caught", 22-i*6, 26)}
		if i == 1 {
			row.Signals = []numbers.Signal{{Code: "hasty", Mine: row.Hasty, Others: ofDay("review.hasty", 2, 450)}}
		}
		p.People = append(p.People, row)
	}
	return p
}

func lineFigures(w Words, volume int) numbers.CompliancePage {
	p := numbers.CompliancePage{Series: dipped(w, "compliance.rate", volume, 0.86, 0.85),
		Volume:      counted(w, "compliance.borderline", numbers.Count, 3),
		PanelSeries: dipped(w, "compliance.panel", 3, 0.7, 0.7)}
	p.Drafts, p.Rate, p.Missed, p.FalseAlarms = sampleNumber("compliance.drafts", 1290, 1170), total(p.Series, 0.84),
		ofDay("compliance.missed", 9, 820), ofDay("compliance.false", 31, 170)
	p.Borderline, p.Open, p.Rulings, p.Panel = sampleNumber("compliance.borderline", 88, 71),
		sampleNumber("compliance.open", 3, 0), sampleNumber("compliance.rulings", 85, 70), total(p.PanelSeries, 0.66)
	p.Labels = []numbers.Slice{{Key: "ruling.COMPLIANT_GUIDANCE", Name: "COMPLIANT_GUIDANCE", Volume: 44},
		{Key: "ruling.BORDERLINE", Name: "BORDERLINE", Volume: 12},
		{Key: "ruling.NON_COMPLIANT", Name: "NON_COMPLIANT", Volume: 29}}
	p.Causes = []numbers.Slice{{Key: "borderline.dissent", Name: "dissent", Volume: 61},
		{Key: "borderline.unsure", Name: "unsure", Volume: 20}, {Key: "borderline.sent", Name: "sent", Volume: 7}}
	p.Judges = []numbers.Slice{{Key: "prudence", Name: "Prudence", Figure: ofDay("compliance.judge", 60, 85)},
		{Key: "words", Name: w.Name, Figure: ofDay("compliance.judge", 51, 85)}}
	p.Agents = []numbers.Slice{{Key: w.Agent, Name: w.Agent, Figure: p.Rate}}
	p.Tasks = []numbers.Slice{{Key: "db_transfer", Figure: ofDay("compliance.rate", 200, 290)},
		{Key: "scams", Figure: ofDay("compliance.rate", 90, 92)}}
	return p
}

func gain(w Words) numbers.LearningPage {
	p := numbers.LearningPage{Consultations: sampleNumber("learning.consultations", 2400, 1200),
		Begun: sampleNumber("learning.begun", 64, 51), Accepted: sampleNumber("learning.accepted", 22, 17)}
	size := 0
	for i, n := range []int{10, 20, 50, 100, 200, 500, 1000, 2000, 2400} {
		approved := ofDay("review.approved", (n-size)*(60+i*4)/100, n-size)
		p.Quality = append(p.Quality,
			numbers.QualityPoint{Consultations: n, Approved: approved, Expected: min(0.965, 0.6+float64(i)*0.045)})
		size = n
		at := w.Now.AddDate(0, 0, 7*(i-8))
		p.Cases, p.Rules = append(p.Cases,
			numbers.GrowthPoint{At: at, Consultations: n, Size: n / 2, Expected: n * 6 / 10}),
			append(p.Rules, numbers.GrowthPoint{At: at, Consultations: n, Size: n / 50, Expected: n / 40})
	}
	p.Lessons = []numbers.LessonCell{{Origin: "revise", Stage: "accept", State: "accepted", N: 14},
		{Origin: "revise", Stage: "validate", State: "rejected", N: 22},
		{Origin: "reject", Stage: "accept", State: "accepted", N: 8},
		{Origin: "ruling", Stage: "judge", State: "waiting", N: 3}}
	p.Origins = []numbers.Slice{{Key: "revise", Figure: ofDay("learning.accepted", 14, 41)},
		{Key: "reject", Figure: ofDay("learning.accepted", 8, 20)}}
	p.Help = []numbers.RuleCredit{{ID: "r1", Number: 34, Text: w.Principle, Effect: 0.08, Low: 0.03, High: 0.13,
		Shown: 310}}
	p.Harm = []numbers.RuleCredit{{ID: "r2", Number: 41, Text: w.Principle, Effect: -0.12, Low: -0.2, High: -0.04,
		Shown: 96, Quarantined: true}}
	p.Memory = &numbers.MemoryEffect{Name: "Memory", ID: "e1", With: estimate.Of(420, 500),
		Without: estimate.Of(395, 505), Effect: 0.06, Low: -0.01, High: 0.13, Wanted: 1200, Have: 500}
	return p
}

func changes(w Words) stats.Changes {
	s := statsScope(w, "/stats/changes")
	midnight := w.Now.UTC().Truncate(24 * time.Hour)
	v := stats.Changes{Scope: s}
	v.Around = numbers.Range{From: midnight.AddDate(0, 0, -10), To: midnight.AddDate(0, 0, -3), Zone: time.UTC}
	v.Dip, v.Rest = ofDay("vote.rate", 262, 364), ofDay("vote.rate", 1215, 1314)
	v.Topics = []numbers.Slice{
		{Key: "tax_free_cash", Figure: before(ofDay("vote.rate", 52, 171), ofDay("vote.rate", 540, 600))},
		{Key: "db_transfer", Figure: before(ofDay("vote.rate", 110, 121), ofDay("vote.rate", 330, 371))}}
	v.Quotes = []numbers.Row{quote(w, 100), quote(w, 120), quote(w, 130)}
	v.ChangesPage.Changes = []numbers.Change{
		{Kind: "rule", ID: "r2", Name: "R-41", Title: w.Principle, What: "in", By: w.Name, At: w.Now.AddDate(0, 0, -11),
			Why: w.Reason, Href: true, Shown: 160, With: estimate.Of(41, 160), Without: estimate.Of(640, 711)},
		{Kind: "check", ID: "c1", Name: "PROMISED_RETURN", Title: "A return is promised", What: "in", By: "Priya Shah",
			At: w.Now.AddDate(0, 0, -9), Why: "Found in two drafts.", Href: true},
		{Kind: "rule", ID: "r3", Name: "R-12", Title: w.Principle, What: "new", At: w.Now.AddDate(0, 0, -12),
			Href: true},
		{Kind: "policy", ID: "p1", Name: "v7", What: "in", By: "Ann", At: w.Now.AddDate(0, 0, -12), Why: w.Reason,
			Href: true},
	}
	return v
}

// fall is a fall on one topic, with the rule behind it.
func fall(w Words) *numbers.Fall {
	return &numbers.Fall{ChangesPage: changes(w).ChangesPage, All: ofDay("satisfaction", 262, 364),
		Before: ofDay("satisfaction", 1215, 1314), Topic: "tax_free_cash"}
}

func statsRows(w Words) stats.Rows {
	v := stats.Rows{Scope: statsScope(w, "/stats/rows"), Of: "vote.negative", Title: "Negative votes", Later: true,
		Link: func(r numbers.Row) string { return "/interactions/" + r.CaseID + "/recall" }}
	rated := quote(w, 80)
	rated.Value = measured("", numbers.Score10, 2, 0, 1)
	decided := numbers.Row{Kind: "decision", ID: "d", CaseID: "c", Desk: true, At: w.Now.Add(-90 * time.Hour),
		Agent: w.Agent, Topic: "scams", Person: w.Name, What: "revise"}
	v.RowPage = numbers.RowPage{Rows: []numbers.Row{quote(w, 30), rated, decided}, Next: "more"}
	return v
}
