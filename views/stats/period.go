package stats

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"preceptor/internal/platform/decimal"
	"preceptor/internal/stats"
	"preceptor/views/ui"
)

// Period is what a page of the statistics is about, as its address says it: a range of days, what it is compared with,
// and what it is narrowed to. Everything is in the address, so that a page can be sent to somebody.
type Period struct {
	Preset   string // last-week, 7, 30, 90, month, last-month or custom
	From, To string // as typed, days of a custom range: 2026-11-21, both included
	Alone    bool   // without the previous period
	Agent    string
	Topic    string
	Team     string
	Errors   map[string]string

	Range stats.Range
}

// DefaultPreset is the range of an address that names none.
const DefaultPreset = "30"

var presets = []struct{ value, label string }{
	{"last-week", "Last week"}, {"7", "7 days"}, {"30", "30 days"}, {"90", "90 days"}, {"month", "This month"},
	{"last-month", "Last month"},
}

// maxDays bounds a range: ten years.
const maxDays = 3660

// ReadPeriod reads an address. What can't be understood is said in Errors, and the default range stands in for it.
func ReadPeriod(q url.Values, now time.Time, zone *time.Location) Period {
	topic := q.Get("topic")
	if topic == "" {
		topic = q.Get("task") // the same column: guidance calls it task
	}
	p := Period{Preset: q.Get("period"), From: q.Get("from"), To: q.Get("to"), Alone: q.Get("compare") == "none",
		Agent: q.Get("agent"), Topic: topic, Team: q.Get("team"), Errors: map[string]string{}}
	if p.Preset == "" && (p.From != "" || p.To != "") {
		p.Preset = "custom"
	}
	if p.preset(now, zone); p.Preset != "custom" &&
		(p.typedOther(p.From, p.Range.From) || p.typedOther(p.To, p.Range.To.Add(-time.Hour))) {
		p.Preset = "custom" // the form sends the days that it was shown with; other ones were typed
	}
	if p.Preset == "custom" {
		p.custom(now, zone)
	}
	return p
}

// typedOther reports whether a day was typed that is not the one of t.
func (p *Period) typedOther(typed string, t time.Time) bool {
	return typed != "" && typed != t.In(p.zone()).Format(time.DateOnly)
}

// preset sets the range of a preset.
func (p *Period) preset(now time.Time, zone *time.Location) {
	y, m, d := now.In(zone).Date()
	switch p.Preset {
	case "7", "30", "90":
		n, _ := strconv.Atoi(p.Preset) // one of these
		p.Range = stats.Days(now, n, zone)
	case "last-week": // Monday to Sunday
		monday := d - (int(now.In(zone).Weekday())+6)%7
		p.Range = stats.Between(time.Date(y, m, monday-7, 12, 0, 0, 0, zone),
			time.Date(y, m, monday-1, 12, 0, 0, 0, zone), zone)
	case "month":
		p.Range = stats.Between(time.Date(y, m, 1, 12, 0, 0, 0, zone), now, zone)
	case "last-month":
		p.Range = stats.Between(time.Date(y, m-1, 1, 12, 0, 0, 0, zone), time.Date(y, m, 0, 12, 0, 0, 0, zone), zone)
	default:
		if p.Preset != "custom" {
			p.Preset = DefaultPreset
		}
		p.Range = stats.Days(now, 30, zone)
	}
}

func (p *Period) custom(now time.Time, zone *time.Location) {
	from, to := p.day("from", p.From, zone), p.day("to", p.To, zone)
	if p.From == "" {
		p.Errors["from"] = "Enter the first day, for example 2026-11-01."
	}
	if p.To == "" {
		to = now
		p.To = now.In(zone).Format(time.DateOnly)
	}
	switch {
	case len(p.Errors) > 0:
	case to.Before(from):
		p.Errors["to"] = "The last day is before the first."
	case to.Sub(from) > maxDays*24*time.Hour:
		p.Errors["from"] = "Choose at most ten years."
	}
	if len(p.Errors) > 0 {
		p.Range = stats.Days(now, 30, zone)
		return
	}
	p.Range = stats.Between(from, to, zone)
}

// day is noon of a typed day, which every clock has.
func (p *Period) day(name, s string, zone *time.Location) time.Time {
	t, err := decimal.Day(s, zone)
	if s != "" && (err != nil || t.Year() < 2000 || t.Year() > 2200) {
		p.Errors[name] = decimal.ErrDay.Error()
	}
	return t.Add(12 * time.Hour)
}

// Filter is the period as the reader takes it.
func (p Period) Filter() stats.Filter {
	return stats.Filter{Range: p.Range, Agent: p.Agent, Topic: p.Topic, Team: p.Team, Plain: p.Alone}
}

// values is the period as an address.
func (p Period) values() url.Values {
	v := url.Values{}
	set := func(name, value string) {
		if value != "" {
			v.Set(name, value)
		}
	}
	if p.Preset != DefaultPreset {
		set("period", p.Preset)
	}
	if p.Preset == "custom" {
		set("from", p.From)
		set("to", p.To)
	}
	if p.Alone {
		v.Set("compare", "none")
	}
	set("agent", p.Agent)
	set("topic", p.Topic)
	set("team", p.Team)
	return v
}

// Query is the period as the part of an address behind the question mark; "" for the default.
func (p Period) Query() string { return p.values().Encode() }

// address is a page of this period, with further values.
func (p Period) address(path string, more ...string) string {
	v := p.values()
	for i := 0; i+1 < len(more); i += 2 {
		v.Del(more[i])
		if more[i+1] != "" {
			v.Set(more[i], more[i+1])
		}
	}
	if len(v) == 0 {
		return path
	}
	return path + "?" + v.Encode()
}

// within is the same filter for other days: those from one local midnight to another.
func (p Period) within(from, to time.Time) Period {
	zone := p.zone()
	p.Preset, p.From, p.To = "custom", from.In(zone).Format(time.DateOnly),
		to.In(zone).Add(-time.Hour).Format(time.DateOnly)
	p.Range = stats.Range{From: from, To: to, Zone: zone}
	return p
}

func (p Period) zone() *time.Location {
	if p.Range.Zone == nil {
		return time.UTC
	}
	return p.Range.Zone
}

// other is the address of another range with the same filter.
func (p Period) other(path, value string) string {
	p.Preset = value
	return p.address(path)
}

// problems are the errors of the address, each with the field that it is of.
func (p Period) problems() (out []string) {
	for _, f := range []struct{ name, label string }{{"from", "First day"}, {"to", "Last day"}} {
		if e := p.Errors[f.name]; e != "" {
			out = append(out, f.label+": "+e)
		}
	}
	return out
}

// rows is the address of the rows behind a figure; "" where it has none.
func (p Period) rows(key string) string {
	if !stats.HasRows(key) {
		return ""
	}
	return p.address("/stats/rows", "of", key)
}

// comments is the address of what users wrote in these days.
func (p Period) comments(more ...string) string {
	v := url.Values{"from": {p.Range.From.In(p.zone()).Format(time.DateOnly)},
		"to": {p.Range.To.In(p.zone()).Add(-time.Hour).Format(time.DateOnly)}}
	for i, pairs := 0, append([]string{"agent", p.Agent, "topic", p.Topic}, more...); i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			v.Set(pairs[i], pairs[i+1])
		}
	}
	return "/feedback?" + v.Encode()
}

// words says which days these are: "24 October to 22 November 2026".
func (p Period) words() string { return days(p.Range.From, p.Range.To, p.zone()) }

// days are the days from one local midnight to another, as people say them.
func days(from, to time.Time, zone *time.Location) string {
	a, b := from.In(zone), to.In(zone).Add(-time.Hour)
	switch {
	case a.YearDay() == b.YearDay() && a.Year() == b.Year():
		return a.Format("2 January 2006")
	case a.Year() != b.Year():
		return a.Format("2 January 2006") + " to " + b.Format("2 January 2006")
	case a.Month() == b.Month():
		return a.Format("2") + " to " + b.Format("2 January 2006")
	}
	return a.Format("2 January") + " to " + b.Format("2 January 2006")
}

// before says which days the figures are compared with; "" when with none.
func (p Period) before() string {
	if p.Alone {
		return ""
	}
	r := p.Range.Before()
	return days(r.From, r.To, p.zone())
}

// byTeam reports whether a team narrows anything on the page: what people did is theirs, what users said is not.
func (s Scope) byTeam() bool { return s.Path == TabOverview || s.Path == TabReview }

// offersTeam reports whether the page lets one choose a team.
func (s Scope) offersTeam() bool {
	return s.byTeam() && (len(s.Choices.Teams) > 0 || s.Period.Team != "")
}

// narrowed reports whether a filter is set that the page goes by.
func (s Scope) narrowed() bool {
	return s.Period.Agent != "" || s.Period.Topic != "" || s.byTeam() && s.Period.Team != ""
}

// others says what the form lets one choose.
func (s Scope) others() string {
	if s.offersTeam() {
		return "Change dates, agent, topic or team"
	}
	return "Change dates, agent or topic"
}

// filter is what the figures are narrowed to, in words; "" where they are not.
func (s Scope) filter() string {
	var out []string
	if s.Period.Agent != "" {
		out = append(out, "agent "+s.Period.Agent)
	}
	if s.Period.Topic != "" {
		out = append(out, "topic "+topicName(s.Period.Topic))
	}
	if s.Period.Team != "" && s.byTeam() {
		out = append(out, "team "+teamName(s))
	}
	return strings.Join(out, "; ")
}

// Notes are what the first lines of a file say: what is in it, of which days in whose zone, and what it is narrowed to.
func (s Scope) Notes(title string) []string {
	period := s.Period.words()
	if s.Ever {
		period = "everything until " + s.Now.In(s.Period.zone()).Format("2 January 2006")
	}
	return []string{"Preceptor: " + title, "Period: " + period + "; days of " + s.Period.zone().String(),
		"Filter: " + cmp.Or(s.filter(), "none")}
}

// FileName names a file after what is in it, its filter, its days and their zone.
func (s Scope) FileName(id, ending string) string {
	r := s.Period.Range
	first, last := r.From.In(s.Period.zone()).Format(time.DateOnly),
		r.To.In(s.Period.zone()).Add(-time.Hour).Format(time.DateOnly)
	if s.Ever {
		first, last = "until", s.Now.In(s.Period.zone()).Format(time.DateOnly)
	}
	parts := []string{"preceptor", id, s.filter(), first, last, s.Period.zone().String()}
	var b strings.Builder
	for _, c := range strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "-") {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' {
			c = '-'
		}
		b.WriteRune(c)
	}
	return b.String() + "." + ending
}

// Scope is what all pages of the statistics share.
type Scope struct {
	Path    string // of this page
	Period  Period
	Choices stats.Choices
	Now     time.Time
	Behind  time.Duration // what a replica has yet to hear
	Ever    bool          // of all days there were, whatever the period
}

// shownBehind is how late figures may be without saying so.
const shownBehind = 5 * time.Second

// late says how old the figures are where a replica is so far behind that somebody may wonder.
func (s Scope) late() string {
	if s.Behind <= shownBehind {
		return ""
	}
	return "Figures as of " + ui.Count(int(s.Behind.Seconds()), "second", "seconds") + " ago"
}

// options are the choices of one filter. A value of the address that is none of them is kept, so that what is narrowed
// is seen.
func options(all string, list []stats.Choice, current string) []ui.Option {
	out := []ui.Option{{Value: "", Label: all}}
	found := current == ""
	for _, c := range list {
		out = append(out, ui.Option{Value: c.Value, Label: cmp.Or(c.Label, c.Value)})
		found = found || c.Value == current
	}
	if !found {
		out = append(out, ui.Option{Value: current, Label: current})
	}
	return out
}

// topics are the choices of tasks and topics in words, that of the address among them.
func topics(list []stats.Choice, current string) []stats.Choice {
	out := slices.Clone(list)
	if current != "" && !slices.ContainsFunc(list, func(c stats.Choice) bool { return c.Value == current }) {
		out = append(out, stats.Choice{Value: current})
	}
	for i, c := range out {
		if c.Label == "" || c.Label == c.Value {
			out[i].Label = topicName(c.Value)
		}
	}
	return out
}
