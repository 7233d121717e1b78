package stats

import (
	"cmp"
	"context"
	"slices"

	"preceptor/internal/platform/db"
	"preceptor/internal/stats/counter"
)

// How much the page of satisfaction lists.
const (
	mostTopics  = 1_000
	worstOnes   = 5
	worstQuotes = 3
)

var outcomes = []string{counter.Satisfaction, counter.Comprehension, counter.GoalAlignment, counter.GoalsMet,
	counter.Understanding, counter.Signposted, counter.DBWarning}

var votes = []string{counter.Positive, counter.Negative, counter.Neutral}

// with is a figure of the range with that of the period before, where that is wanted.
func (f Filter) with(figure func(r Range) Figure) Figure {
	x := figure(f.Range)
	if !f.Plain {
		x.Before = new(figure(f.Before()))
	}
	return x
}

// series is a figure over the spans of the range, each with that of as many days before.
func (f Filter) series(key, name string, u Unit, figure func(r Range) Figure) Series {
	s := Series{Key: key, Name: name, Unit: u, Step: f.Step()}
	for _, span := range f.spans() {
		p := Point{From: span.From, To: span.To, Figure: figure(span)}
		if !f.Plain {
			back := span.first() - f.Len()
			p.Before = new(figure(Range{From: counter.Midnight(back, f.zone()),
				To: counter.Midnight(back+span.Len(), f.zone()), Zone: f.Zone}))
		}
		s.Points = append(s.Points, p)
	}
	return s
}

func (r *Reader) zoned(f Filter) Filter {
	if f.Zone == nil {
		f.Zone = r.Zone
	}
	return f
}

// Satisfaction reads the page of votes and outcomes. A team narrows nothing: users vote on answers, not on people.
func (r *Reader) Satisfaction(ctx context.Context, f Filter) (p SatisfactionPage, err error) {
	f = r.zoned(f)
	p.Filter = f
	err = r.read(ctx, func(tx *db.Tx) error {
		s, err := scopeOf(tx, f, false)
		if err != nil {
			return err
		}
		days, err := s.read(tx, slices.Concat(votes, outcomes,
			[]string{counter.Rating, counter.Logged, counter.Outcomes})...)
		if err != nil {
			return err
		}
		p.figures(f, days)
		if err := p.scale(tx, s, f); err != nil {
			return err
		}
		if p.Agents, err = s.slices(tx, f, byAgent, satisfied, counter.Positive, counter.Negative,
			counter.Neutral); err != nil {
			return err
		}
		topics, err := s.slices(tx, f, byTopic, satisfied, counter.Positive, counter.Negative, counter.Neutral)
		if err != nil {
			return err
		}
		p.Topics = topics[:min(len(topics), mostTopics)]
		p.Worst = worst(topics)
		return p.quote(tx, f)
	})
	return p, err
}

func satisfied(m map[string]sums) (Figure, int) {
	yes, no := int(m[counter.Positive].n), int(m[counter.Negative].n)
	return ShareOf("satisfaction", yes, yes+no), yes + no + int(m[counter.Neutral].n)
}

func (p *SatisfactionPage) figures(f Filter, days sheet) {
	p.Rate, p.Series = f.with(days.rate), f.series("satisfaction", "", Ratio, days.rate)
	p.Votes, p.Volume = f.with(days.count("votes", votes...)),
		f.series("votes", "", Count, days.count("votes", votes...))
	for measure, into := range map[string]*Figure{counter.Positive: &p.Positive, counter.Negative: &p.Negative,
		counter.Neutral: &p.Neutral, counter.Logged: &p.Logged} {
		*into = f.with(days.count(measure, measure))
	}
	p.OutcomeN = f.with(days.count("outcomes", counter.Outcomes))
	p.Average, p.Rating = f.with(days.mean("avg_feedback", Ratio, counter.Unit, votes...)),
		f.with(days.mean("rating", Score10, counter.Unit, counter.Rating))
	for i, m := range outcomes {
		figure := days.part(m, m)
		if i < 3 {
			figure = days.mean(m, Score10, counter.Unit, m)
		}
		p.Outcomes = append(p.Outcomes, f.with(figure))
	}
}

func (p *SatisfactionPage) scale(tx *db.Tx, s scope, f Filter) error {
	now, before, err := s.spread(tx, counter.Rating, f)
	for b := range p.Scale {
		p.Scale[b], p.ScaleBefore[b] = int(now[b]), int(before[b])
	}
	return err
}

// slices are the parts of a column, those with most in them first; figure makes the figure and the volume of one.
func (s scope) slices(tx *db.Tx, f Filter, by dimension, figure func(m map[string]sums) (Figure, int),
	measures ...string) ([]Slice, error) {
	names, err := s.names(tx, by, measures...)
	if err != nil {
		return nil, err
	}
	if only := map[dimension][]string{byAgent: s.agents, byTopic: {s.topic}}[by]; only[0] != counter.All {
		names = slices.DeleteFunc(names, func(n string) bool { return !slices.Contains(only, n) })
	}
	found, err := s.split(tx, f, by, names, measures...)
	if err != nil {
		return nil, err
	}
	if by == byAgent {
		found = found.of(s.called)
	}
	var out []Slice
	for name, m := range found {
		one := Slice{Key: counter.Name(name), Name: counter.Name(name)}
		if by == byTopic {
			one.Key = topicKey(one.Key)
			one.Name = one.Key
		}
		if one.Figure, one.Volume = figure(m); one.Volume > 0 {
			out = append(out, one)
		}
	}
	slices.SortFunc(out, func(a, b Slice) int {
		return cmp.Or(cmp.Compare(b.Volume, a.Volume), cmp.Compare(a.Key, b.Key))
	})
	return out, nil
}

// worst are the topics that are significantly below all others together.
func worst(topics []Slice) (out []WorstTopic) {
	for i, side := range Apart(topics) {
		if side < 0 {
			out = append(out, WorstTopic{Slice: topics[i]})
		}
	}
	slices.SortStableFunc(out, func(a, b WorstTopic) int { return cmp.Compare(a.Figure.Value, b.Figure.Value) })
	return out[:min(len(out), worstOnes)]
}

// quote adds what users said against answers about the worst topics.
func (p *SatisfactionPage) quote(tx *db.Tx, f Filter) error {
	for i := range p.Worst {
		page, err := quoteSource(p.Worst[i].Key).page(tx, f, RowQuery{Limit: worstQuotes})
		if err != nil {
			return err
		}
		p.Worst[i].Quotes = page.Rows
	}
	return nil
}

// quoteSource are the words against answers on a topic.
func quoteSource(topic string) source {
	s := voteSource
	s.from, s.args = `FROM vote WHERE topic = $1 AND text <> '' AND norm < 0.5`, []any{topicOf(topic)}
	return s
}
