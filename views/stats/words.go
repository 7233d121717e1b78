package stats

import (
	"fmt"
	"math"
	"strings"
	"time"

	"preceptor/internal/pack"
	"preceptor/internal/stats"
	"preceptor/internal/stats/turn"
	"preceptor/views/chart"
	"preceptor/views/ui"
)

// The sentences above the charts. Each says what was measured, of how many, and how sure that is.

// text is a figure's value; "No data" without one.
func text(f stats.Figure) string {
	if !f.Known {
		return "No data"
	}
	if f.About {
		return "about " + unit(f.Unit).Text(f.Value)
	}
	return unit(f.Unit).Text(f.Value)
}

// intervalText is "84–91 %", or nothing where there is no interval.
func intervalText(f stats.Figure) string {
	if !f.Interval() {
		return ""
	}
	return chart.Interval(unit(f.Unit), f.Low, f.High)
}

// noteOf is what stands below a figure: of how many, and its interval.
func noteOf(f stats.Figure, of string) string {
	if !f.Known {
		return "nothing was counted in this period"
	}
	var parts []string
	if f.Unit != stats.Count {
		parts = append(parts, "n = "+ui.Count(f.N, strings.TrimSuffix(of, "s"), of))
	}
	if s := intervalText(f); s != "" {
		parts = append(parts, "95% CI "+s)
	}
	return strings.Join(parts, "; ")
}

// change is how a figure differs from the previous period, in words: "3 points up".
func change(f stats.Figure) string {
	by, ok := f.Change()
	if !ok {
		return ""
	}
	size := amount(f.Unit, math.Abs(by))
	switch {
	case size == amount(f.Unit, 0):
		return "as in the previous period"
	case by > 0:
		return size + " up"
	}
	return size + " down"
}

// amount is a difference of two values of a unit.
func amount(u stats.Unit, by float64) string {
	switch u {
	case stats.Ratio:
		return points(by)
	case stats.Seconds:
		return chart.Length.Text(by)
	case stats.Count:
		return chart.Number.Text(math.Round(by))
	}
	return chart.Score.Text(by)
}

// points is a difference of two shares: "4 points".
func points(by float64) string {
	n := int(math.Round(by * 100))
	return ui.Count(n, "point")
}

// claims is how many sentences and tiles of a page may call a change significant.
const claims = 10

// sure says how much a change means.
func sure(f stats.Figure) string {
	switch {
	case f.Sure(claims):
		return "significant"
	case f.Unit == stats.Ratio || f.Interval():
		return "not significant"
	}
	return ""
}

// stands is a sentence on a figure: its value, its interval, of how many, and the change.
func stands(name string, f stats.Figure, of string) string {
	if !f.Known {
		return "No data."
	}
	s := name + " is " + text(f)
	if i := intervalText(f); i != "" {
		s += " (" + i + ")"
	}
	if f.Unit != stats.Count {
		s += " of " + ui.Count(f.N, strings.TrimSuffix(of, "s"), of)
	}
	if by, ok := f.Change(); ok {
		if c := change(f); by != 0 && c != "as in the previous period" {
			s += ", " + c + " from the previous period"
			if w := sure(f); w != "" {
				s += ": " + w
			}
		} else {
			s += ", " + c
		}
	}
	return s + "."
}

// found is what stands out of a series of shares.
type found struct {
	turn.Turn
	Days  string // "from 14 November", "from 14 to 20 November"
	Among string // the days that it is compared within, "30 October to 28 November"
	href  string // what changed around it
	Cause string // the part that accounts for most of it; ""
	open  bool   // lasts to the end
}

// look finds the stretch that differs most, in one of so many series, and the part that made it.
func look(p Period, s stats.Series, among int, parts ...stats.Series) (f found, ok bool) {
	if f.Turn, ok = turn.Find(counts(s), among); !ok {
		return f, false
	}
	f.open = f.To == len(s.Points)
	from, to := s.Points[f.From].From, s.Points[f.To-1].To
	f.Among = days(s.Points[0].From, s.Points[len(s.Points)-1].To, p.zone())
	f.href = p.address("/stats/changes", "around", from.In(p.zone()).Format(time.DateOnly), "until",
		to.In(p.zone()).AddDate(0, 0, -1).Format(time.DateOnly))
	switch {
	case f.open:
		f.Days = "from " + from.In(p.zone()).Format("2 January")
	case f.To == f.From+1 && s.Step == stats.Daily:
		f.Days = "on " + from.In(p.zone()).Format("2 January")
	default:
		a, b := from.In(p.zone()), to.In(p.zone()).AddDate(0, 0, -1)
		f.Days = "from " + a.Format("2 January") + " to " + b.Format("2 January")
		if a.Month() == b.Month() {
			f.Days = "from " + a.Format("2") + " to " + b.Format("2 January")
		}
	}
	var list []turn.Part
	for _, part := range parts {
		list = append(list, turn.Part{Days: counts(part)})
	}
	if b, has := turn.Cause(f.Turn, list); has && b.Holds {
		f.Cause = topicName(parts[b.Part].Name)
	}
	return f, true
}

// fallen is a fall as a chart shows it: its days and its figures are those of the card. ok is false where the chart has
// not all its days.
func fallen(p Period, s stats.Series, fall *stats.Fall, parts []stats.Series) (f found, ok bool) {
	if fall == nil {
		return look(p, s, 1, parts...)
	}
	f.From, f.To = -1, 0
	for i, pt := range s.Points {
		if !pt.From.Before(fall.Around.From) && !pt.To.After(fall.Around.To) {
			if f.To = i + 1; f.From < 0 {
				f.From = i
			}
		}
	}
	f.In, f.Out = turn.Count{Part: fall.All.Part, Whole: fall.All.N},
		turn.Count{Part: fall.Before.Part, Whole: fall.Before.N}
	f.Among, f.href = days(fall.Filter.From, fall.Filter.To, p.zone()), Fallen{fall, Scope{Period: p}}.changes()
	if f.Days = "on " + days(fall.Around.From, fall.Around.To, p.zone()); strings.Contains(f.Days, " to ") {
		f.Days = "from" + f.Days[len("on"):]
	}
	if fall.Topic != "" {
		f.Cause = topicName(fall.Topic)
	}
	return f, f.From >= 0
}

// sentence is "Satisfaction was 14 points lower from 14 November, mainly because of tax-free cash."
func (f found) sentence(name string) string {
	by := f.Change()
	how := "higher"
	if by < 0 {
		how = "lower"
	}
	s := fmt.Sprintf("%s was %s %s %s", name, points(math.Abs(by)), how, f.Days)
	if f.Cause != "" {
		s += ", mainly because of " + pack.Lower(f.Cause)
	}
	return s + "."
}

// mark is the stretch on the chart, with the way to what changed around it.
func (f found) mark(higherIsBetter bool) chart.Mark {
	m := chart.Mark{From: f.From, To: f.To, Tone: "amber", Link: "What changed around then", Href: f.href}
	if f.Change() > 0 == higherIsBetter {
		m.Tone = "green"
	}
	pct := func(c turn.Count) string { return chart.Percent.Text(c.Share()) }
	m.Label = fmt.Sprintf("%s: %s of %s, against %s of %s on the other days from %s.", pack.Upper(f.Days), pct(f.In),
		ui.Thousands(f.In.Whole), pct(f.Out), ui.Thousands(f.Out.Whole), f.Among)
	return m
}
