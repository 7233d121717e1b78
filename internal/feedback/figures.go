package feedback

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/estimate"
	"preceptor/internal/platform/fault"
)

// topTopics is how many topics Figures names.
const topTopics = 10

// Figures are how an agent did over some days: seed 001's AgentPerformanceMetrics. Votes count on the day of their
// present version, interactions on their own.
type Figures struct {
	AgentType    string
	Days         int
	From, To     time.Time // From is the midnight of the first day, To is now
	Interactions int       // reported ones, and guidance that was released
	Positive     int
	Negative     int
	Neutral      int
	Topics       []TopicFigures // most interactions first; those without a topic are in none
}

// TopicFigures are those of one topic.
type TopicFigures struct {
	Topic string
	Count int     // interactions
	Votes int     // of any kind
	Mean  float64 // of the votes' norms, 0 to 1; meaningless without votes
}

// Satisfaction is positive / (positive + negative); ok is false where there is neither.
func (f Figures) Satisfaction() (rate float64, ok bool) {
	if f.Positive+f.Negative == 0 {
		return 0, false
	}
	return float64(f.Positive) / float64(f.Positive+f.Negative), true
}

// Interval is the 95 % Wilson interval of the satisfaction; 0 to 1 where there is none.
func (f Figures) Interval() (low, high float64) {
	return estimate.Wilson(f.Positive, f.Positive+f.Negative, estimate.Z95)
}

// MaxDays is the longest period of Figures.
const MaxDays = 366

// Figures reckons up the last days local days, today included: those that the pages of the statistics mean by "7 days",
// so that an agent and its manager read the same numbers. agentID is whose interactions and votes count; agentName is
// its name, whose released guidance counts where agentType is that name.
func (b *Book) Figures(ctx context.Context, agentID, agentName, agentType string, days int) (f Figures, err error) {
	if days < 1 || days > MaxDays {
		return f, fault.Wrong("The period can't be used.", "days", fmt.Sprintf("Send 1 to %d.", MaxDays))
	}
	now := b.db.Now().In(b.settings.Zone)
	y, m, d := now.Date()
	f = Figures{AgentType: agentType, Days: days, From: time.Date(y, m, d+1-days, 0, 0, 0, 0, b.settings.Zone),
		To: now.Add(time.Millisecond)}
	topics := map[string]*TopicFigures{}
	of := func(topic string) *TopicFigures {
		form := interaction.TaskForm(topic)
		if topics[form] == nil {
			topics[form] = &TopicFigures{Topic: topic}
		}
		topics[form].Topic = min(topics[form].Topic, topic) // one name for all its spellings: that with capitals
		return topics[form]
	}
	names, err := b.Names(ctx, agentID, agentType)
	if err != nil {
		return f, err
	}
	if slices.ContainsFunc(names, func(one string) bool {
		return strings.EqualFold(strings.TrimSpace(one), agentName)
	}) {
		f.AgentType = agentName
		released, err := b.interactions.ReleasedByTask(ctx, agentID, f.From, f.To)
		if err != nil {
			return f, err
		}
		for task, n := range released {
			f.Interactions += n
			of(task).Count += n
		}
	}
	in, args := db.In(4, len(names)), append([]any{agentID, db.Ms(f.From), db.Ms(f.To)}, db.Anys(names)...)
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		logged := map[string]int{}
		if err := db.Each(tx, "feedback: figures", db.Pairs(logged), `SELECT topic, count(*) FROM observed
			WHERE agent_id = $1 AND created_at >= $2 AND created_at < $3 AND agent_type IN (`+in+`) GROUP BY topic`,
			args...); err != nil {
			return err
		}
		for topic, n := range logged {
			f.Interactions += n
			of(topic).Count += n
		}
		return db.Each(tx, "feedback: figures", func(row db.Row) error {
			var topic string
			var n, ups, downs int
			var sum float64
			if err := row.Scan(&topic, &n, &sum, &ups, &downs); err != nil {
				return err
			}
			f.Positive, f.Negative, f.Neutral = f.Positive+ups, f.Negative+downs, f.Neutral+n-ups-downs
			t := of(topic)
			t.Mean = (t.Mean*float64(t.Votes) + sum) / float64(t.Votes+n)
			t.Votes += n
			return nil
		}, `SELECT topic, count(*), sum(norm), coalesce(sum(CASE WHEN norm > 0.5 THEN 1 ELSE 0 END), 0),
			coalesce(sum(CASE WHEN norm < 0.5 THEN 1 ELSE 0 END), 0)
			FROM vote WHERE agent_id = $1 AND at >= $2 AND at < $3 AND agent_type IN (`+in+`) AND `+CastSQL+`
			GROUP BY topic`, args...)
	})
	for _, t := range topics {
		if t.Topic != "" {
			f.Topics = append(f.Topics, *t)
		}
	}
	slices.SortFunc(f.Topics, func(x, y TopicFigures) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(y.Votes, x.Votes), cmp.Compare(x.Topic, y.Topic))
	})
	f.Topics = f.Topics[:min(topTopics, len(f.Topics))]
	return f, err
}
