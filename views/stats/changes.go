package stats

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"strings"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/stats"
	"preceptor/views/chart"
	"preceptor/views/layout"
	"preceptor/views/ui"
)

// Changes is the page between a dip in a chart and its cause: what users wrote in those days, and what had been put in
// use.
type Changes struct {
	Scope
	stats.ChangesPage
}

// Charts are the charts of the page.
func (v Changes) Charts() []chart.Chart {
	c := chart.Chart{ID: "topics", Title: "By topic on those days",
		Bars: bars(v.Period, "Topic", "votes", v.Topics, 8, v.votesOn), Note: more(len(v.Topics), 8, "topics")}
	c.Bars.Prior = strings.Replace(c.Bars.Prior, "Previous period", "The other days", 1)
	c.Says = extremes(v.Topics, "topic")
	zone := v.Period.zone()
	return []chart.Chart{v.files(c, "around", v.Around.From.In(zone).Format(time.DateOnly), "until",
		v.Around.To.In(zone).AddDate(0, 0, -1).Format(time.DateOnly))}
}

// votesOn is the address of the votes of those days on a topic.
func (v Changes) votesOn(s stats.Slice) string {
	p := v.Period.within(v.Around.From, v.Around.To)
	p.Topic = s.Key
	return p.rows(s.Figure.Key)
}

// sentence is what happened, in one line.
func (v Changes) sentence() string {
	if !v.Dip.Known {
		return "No votes on these days."
	}
	s := fmt.Sprintf("Satisfaction was %s of %s", text(v.Dip), ui.Count(v.Dip.N, "vote"))
	if i := intervalText(v.Dip); i != "" {
		s += " (" + i + ")"
	}
	if !v.Rest.Known {
		return s + "; there is nothing to compare it with."
	}
	by := v.Dip.Value - v.Rest.Value
	word := "more"
	if by < 0 {
		word = "fewer"
	}
	return fmt.Sprintf("%s: %s %s than on the other days from %s (%s of %s).", s, points(math.Abs(by)), word,
		v.Period.words(), text(v.Rest), ui.Thousands(v.Rest.N))
}

// suspects and others are the changes, those first whose votes surely are worse.
func (v Changes) suspects() (out []stats.Change) {
	for _, c := range v.ChangesPage.Changes {
		if c.Suspect {
			out = append(out, c)
		}
	}
	return out
}

func (v Changes) others() (out []stats.Change) {
	for _, c := range v.ChangesPage.Changes {
		if !c.Suspect {
			out = append(out, c)
		}
	}
	return out
}

// comments is the address of the comments of those days.
func (v Changes) comments(more ...string) string {
	return v.Period.within(v.Around.From, v.Around.To).comments(more...)
}

// votes is the address of the votes on what was shown a rule.
func (v Changes) votes(c stats.Change) string {
	return v.Period.address("/stats/rows", "of", "rule:"+c.ID, "since", c.InUse().UTC().Format(time.RFC3339Nano))
}

// hrefOf is the page of a change; "" without one.
func hrefOf(c stats.Change) string {
	if !c.Href {
		return ""
	}
	switch c.Kind {
	case "rule":
		return "/knowledge/rules/" + url.PathEscape(c.ID)
	case "check":
		return "/compliance/checks/" + url.PathEscape(c.ID)
	case "policy":
		return "/admin/policies/" + url.PathEscape(c.ID)
	case "line":
		return layout.Frame{}.OfPack(layout.TabRubric, c.ID)
	case "taxonomy":
		return layout.Frame{}.OfPack(layout.TabIssues, c.ID)
	case "threshold", "judge":
		return "/compliance/judges/thresholds/" + url.PathEscape(c.ID)
	}
	return ""
}

var kindWords = map[string]string{"rule": "Rule", "check": "Check", "policy": "Review policy",
	"line": "Guidance boundary", "taxonomy": "List of issues", "threshold": "Judges' threshold",
	"judge": "Judge's version", "exemplar": "Example"}

var whatWords = map[string]string{"in": "put into use", "new": "reworded", "days": "rescheduled",
	"out": "taken out of use"}

// toCome are whatWords of what is planned for a day.
var toCome = map[string]string{"in": "will be put into use from", "new": "will be reworded from"}

func changeWords(c stats.Change) string {
	s := cmp.Or(kindWords[c.Kind], c.Kind)
	if c.Name != "" {
		s += " " + c.Name
	}
	if (c.Kind == "line" || c.Kind == "taxonomy") && c.ID != pack.Pension {
		s += " of " + pack.Title(c.ID)
	}
	if !c.From.IsZero() {
		return s + " " + toCome[c.What] + " " + c.From.In(knowledge.UK).Format("2 January 2006")
	}
	return s + " " + cmp.Or(whatWords[c.What], c.What)
}

// nowSays is what became of a rule since; "" where it is in use.
func nowSays(c stats.Change) string {
	if c.Now == "" {
		return ""
	}
	s := pack.Upper(knowledge.StatusWords(c.Now)) + " since " + ui.Absolute(c.NowSince)
	if c.NowBy != "" {
		s += ", by " + c.NowBy
	}
	return s + "."
}

// votesSay sets the votes on what was shown a rule against the others.
func votesSay(c stats.Change) string {
	where, used := "on the same topics", "answers that used it"
	if c.Topic != "" {
		where = "on " + pack.Lower(topicName(c.Topic))
		used = "answers " + where + " that used it"
	}
	if c.With.Whole == 0 {
		return "No votes on " + used + "."
	}
	s := fmt.Sprintf("Satisfaction %s of %s with it", percent(c.With)+" "+bracketed(c.With),
		ui.Count(c.With.Whole, "vote"))
	if c.Without.Whole == 0 {
		return s + "; there are no others " + where + "."
	}
	return s + ", " + percent(c.Without) + " " + bracketed(c.Without) + " " + c.Beside() + ", " + where + "."
}

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
		days(from, to, v.Scope.Period.zone()), text(v.All), ui.Count(v.All.N, "vote"))
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
		ui.Count(v.Dip.N, "vote"), text(v.Rest), ui.Thousands(v.Rest.N))
}

// wide is the period that the days are compared within.
func (v Fallen) wide() Period {
	p := v.Scope.Period.within(v.Filter.From, v.Filter.To)
	p.Topic = v.Topic
	return p
}

// changedSays is how much was changed around then.
func (v Fallen) changedSays() string {
	n := len(v.ChangesPage.Changes)
	if n == 0 {
		return "Nothing changed in the days before."
	}
	return ui.Count(n, "change was", "changes were") + " made around then."
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
