package stats

import (
	"fmt"
	"math"
	"strings"
	"time"

	"preceptor/internal/stats"
	"preceptor/views/ui"
)

// Fallen is the card about days in which satisfaction fell by more than chance.
type Fallen struct {
	*stats.Fall
	Scope Scope
}

// fallQuotes is how many comments the card shows.
const fallQuotes = 3

// LastDays is the period of the last n days.
func LastDays(now time.Time, n int, zone *time.Location) Period {
	r := stats.Days(now, n, zone)
	return Period{Range: r}.within(r.From, r.To)
}

// says is what happened: how far it fell, when, and of how many votes.
func (v Fallen) says() string {
	from, to := v.Around.From, v.Around.To
	s := fmt.Sprintf("%s, %s: %s of %s", points(math.Abs(v.All.Value-v.Before.Value))+" lower",
		days(from, to, v.Scope.Period.zone()), text(v.All), ui.Count(v.All.N, "vote", "votes"))
	if i := intervalText(v.All); i != "" {
		s += " (95% CI " + i + ")"
	}
	return s + fmt.Sprintf(", against %s of %s on the other days from %s. Significant.", text(v.Before),
		ui.Thousands(v.Before.N), days(v.Filter.From, v.Filter.To, v.Scope.Period.zone()))
}

// topicSays is the topic's own figures.
func (v Fallen) topicSays() string {
	if !v.Dip.Known || !v.Rest.Known {
		return ""
	}
	return fmt.Sprintf("%s of its %s were positive, against %s of %s on the same other days", text(v.Dip),
		ui.Count(v.Dip.N, "vote", "votes"), text(v.Rest), ui.Thousands(v.Rest.N))
}

// wide is the period that the days are compared within.
func (v Fallen) wide() Period {
	p := v.Scope.Period.within(v.Filter.From, v.Filter.To)
	p.Topic = v.Topic
	return p
}

// changes is the page of all that was changed around then.
func (v Fallen) changes() string {
	zone := v.Scope.Period.zone()
	return v.wide().address("/stats/changes", "around", v.Around.From.In(zone).Format(time.DateOnly), "until",
		v.Around.To.In(zone).AddDate(0, 0, -1).Format(time.DateOnly))
}

// comments is the address of the dissatisfied comments of those days, on the topic.
func (v Fallen) comments() string {
	return v.wide().within(v.Around.From, v.Around.To).comments("sign", "negative")
}

// blamed says what the votes on answers made with a rule mean.
func blamed(c stats.Change) string {
	if c.Suspect {
		return votesSay(c) + " Significant."
	}
	if c.Kind == "rule" {
		return votesSay(c)
	}
	return ""
}

// ask is the form's address; "" where the change is none that experts are asked about.
func ask(c stats.Change) string {
	if c.Kind != "rule" {
		return ""
	}
	return strings.TrimSuffix(hrefOf(c), "/") + "/ask"
}
