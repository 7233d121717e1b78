package stats

import (
	"time"

	"preceptor/internal/stats/counter"
)

// Range is a period of whole local days: From is the first midnight, To the midnight after the last day.
type Range struct {
	From, To time.Time
	Zone     *time.Location // the desk's; UTC when nil
}

// Filter narrows the figures. Empty fields narrow nothing.
type Filter struct {
	Range
	Agent string // a name that the agent has or had; of observed interactions their agent_type
	Task  string // of guidance; the same as Topic
	Topic string // of observed interactions; the same as Task
	Team  string // id; narrows what people did (Review, and PersonRow) to the team's members of today
	Plain bool   // without the period before
	Exact bool   // medians are of the rows, however many there are
}

// NoTopic is the Topic of a filter for what has none. An empty one narrows nothing.
const NoTopic = "-"

// topicKey is what a filter takes for a topic, topicOf its inverse.
func topicKey(topic string) string {
	if topic == "" {
		return NoTopic
	}
	return topic
}

func topicOf(key string) string {
	if key == NoTopic {
		return ""
	}
	return key
}

// either is one of two values in SQL.
func either(when, yes, no string) string {
	return `CASE WHEN ` + when + ` THEN ` + yes + ` ELSE ` + no + ` END`
}

// isTopic asks in SQL whether a column is of the filter's topic, which is an argument.
func isTopic(column, arg string) string {
	return `(` + arg + ` = '' OR ` + column + ` = ` + either(arg+` = '`+NoTopic+`'`, `''`, arg) + `)`
}

// subject is the one column that task and topic share, as a filter takes it. ok is false when the two contradict each
// other.
func (f Filter) subject() (topic string, ok bool) {
	switch {
	case f.Task == "":
		return f.Topic, true
	case f.Topic == "" || f.Topic == f.Task:
		return f.Task, true
	}
	return "", false
}

func (r Range) zone() *time.Location {
	if r.Zone == nil {
		return time.UTC
	}
	return r.Zone
}

// Days is the range of the last n local days, today included.
func Days(now time.Time, n int, zone *time.Location) Range {
	if zone == nil {
		zone = time.UTC
	}
	today := counter.Day(now, zone)
	return Range{From: counter.Midnight(today+1-max(n, 1), zone), To: counter.Midnight(today+1, zone), Zone: zone}
}

// Between is the range from the local day of first to the local day of last, both included.
func Between(first, last time.Time, zone *time.Location) Range {
	if zone == nil {
		zone = time.UTC
	}
	return Range{From: counter.Midnight(counter.Day(first, zone), zone),
		To:   counter.Midnight(counter.Day(last, zone)+1, zone),
		Zone: zone}
}

// first and last are the local days of the range, as their numbers: days since 1970-01-01, whatever the zone.
func (r Range) first() int { return counter.Day(r.From, r.zone()) }
func (r Range) last() int  { return counter.Day(r.To.Add(-time.Millisecond), r.zone()) }

// Len is how many local days the range has.
func (r Range) Len() int { return max(r.last()-r.first()+1, 0) }

// Before is the period of the same number of local days that ends where this one begins.
func (r Range) Before() Range {
	return Range{From: counter.Midnight(r.first()-r.Len(), r.zone()), To: counter.Midnight(r.first(), r.zone()),
		Zone: r.Zone}
}

// Step is the width of a series' points.
type Step string

// The steps. A series of at most 62 days has a point a day, one of at most a year and a half a point a week (from its
// Monday), and a longer one a point a month.
const (
	Daily   Step = "day"
	Weekly  Step = "week"
	Monthly Step = "month"
)

// Step is the width of a point in a series of this range.
func (r Range) Step() Step {
	switch n := r.Len(); {
	case n <= 62:
		return Daily
	case n <= 550:
		return Weekly
	}
	return Monthly
}

// spans cuts the range into points: each from one local midnight to another. The first and the last may be shorter than
// a step.
func (r Range) spans() (out []Range) {
	step, zone := r.Step(), r.zone()
	for at, last := r.first(), r.last(); at <= last; {
		next := at + 1
		switch t := time.Unix(int64(at)*86400, 0).UTC(); step {
		case Weekly:
			next = at + 7 - (int(t.Weekday())+6)%7
		case Monthly:
			next = counter.Day(time.Date(t.Year(), t.Month()+1, 1, 0, 0, 0, 0, time.UTC), time.UTC)
		}
		next = min(next, last+1)
		out = append(out, Range{From: counter.Midnight(at, zone), To: counter.Midnight(next, zone), Zone: r.Zone})
		at = next
	}
	return out
}

// midnight is the first moment of the local day that t is in.
func midnight(t time.Time, zone *time.Location) time.Time {
	return counter.Midnight(counter.Day(t, zone), zone)
}
