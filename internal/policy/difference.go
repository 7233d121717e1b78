package policy

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Difference is one thing that two policies say differently, in words for a person.
type Difference struct {
	What          string // what it is about
	Before, After string
	Looser        bool        // people would see less than before
	Added, Gone   []Condition // of a list
}

// Differences are what changes for people when q takes p's place.
func (p Policy) Differences(q Policy) []Difference {
	var out []Difference
	add := func(what, before, after string, looser bool) {
		if before != after {
			out = append(out, Difference{What: what, Before: before, After: after, Looser: looser})
		}
	}
	lists := func(what string, all, before, after []Condition) {
		before, after = ordered(before, all), ordered(after, all) // as they were ticked says nothing
		add(what, List(before), List(after), len(beyond(before, after)) > 0)
		if n := len(out); n > 0 && out[n-1].What == what {
			out[n-1].Added, out[n-1].Gone = beyond(after, before), beyond(before, after)
		}
	}
	add("Share of routine drafts a supervisor reviews", Percent(p.Share), Percent(q.Share), q.Share < p.Share)
	lists("Always reviewed", Arriving, p.Always, q.Always)
	lists("Needs a second supervisor", Deciding, p.SecondEyes, q.SecondEyes)
	add("Comes first in the queue", List(ordered(p.First, Hurrying)), List(ordered(q.First, Hurrying)), false)
	add("Seeded checks", planted(p.Planted), planted(q.Planted), q.Planted < p.Planted)
	add("Age at which a review turns amber", Span(p.TargetSoon), Span(q.TargetSoon), q.TargetSoon > p.TargetSoon)
	add("Age at which a review turns red and people are reminded", Span(p.TargetLate), Span(q.TargetLate),
		q.TargetLate > p.TargetLate)
	add("Rapid approvals above", strconv.Itoa(p.WordsPerMin)+" words a minute",
		strconv.Itoa(q.WordsPerMin)+" words a minute", q.WordsPerMin > p.WordsPerMin)
	e, f := p.Experts.or(), q.Experts.or()
	add("Experts asked about a borderline case", strconv.Itoa(e.First), strconv.Itoa(f.First), f.First < e.First)
	add("Experts asked where judges disagree about a guarantee or a vulnerable customer", strconv.Itoa(e.Hard),
		strconv.Itoa(f.Hard), f.Hard < e.Hard)
	add("Most experts asked before adjudication", strconv.Itoa(e.Most), strconv.Itoa(f.Most), f.Most < e.Most)
	add("Drafts that experts can take", Percent(p.ExpertShare), Percent(q.ExpertShare), q.ExpertShare < p.ExpertShare)
	add("Age at which a borderline case is overdue", Span(p.ExpertLate), Span(q.ExpertLate),
		q.ExpertLate > p.ExpertLate)
	return out
}

// beyond are the conditions of list that other lacks.
func beyond(list, other []Condition) (out []Condition) {
	for _, c := range list {
		if !slices.Contains(other, c) {
			out = append(out, c)
		}
	}
	return out
}

// List names conditions: "DB transfer, vulnerable customer"; "nothing" for none.
func List(conditions []Condition) string {
	if len(conditions) == 0 {
		return "nothing"
	}
	names := make([]string, len(conditions))
	for i, c := range conditions {
		names[i] = c.Label()
		if names[i] == "" {
			names[i] = string(c)
		}
	}
	return strings.Join(names, ", ")
}

// Percent writes a share as "40 %".
func Percent(share float64) string {
	return strconv.FormatFloat(percent(share), 'f', -1, 64) + "%"
}

func planted(rate float64) string {
	if rate == 0 {
		return "none"
	}
	return Percent(rate) + " of incoming drafts"
}

// Span writes a duration of a target: "4 hours", "90 minutes", "2 days".
func Span(d time.Duration) string {
	unit := func(n time.Duration, one, many string) string {
		if n == 1 {
			return "1 " + one
		}
		return strconv.Itoa(int(n)) + " " + many
	}
	switch {
	case d >= 48*time.Hour && d%(24*time.Hour) == 0:
		return unit(d/(24*time.Hour), "day", "days")
	case d%time.Hour == 0:
		return unit(d/time.Hour, "hour", "hours")
	}
	return unit(d/time.Minute, "minute", "minutes")
}

// Effect is what another policy would have meant for cases that were there.
type Effect struct {
	Cases                     int
	UnreadBefore, UnreadAfter int // let go with nobody having read them
	SecondBefore, SecondAfter int // of which a second supervisor had to sign
}

// Count adds one case: whether it would go unread and, if not, need a second supervisor, before and after.
func (e *Effect) Count(unreadBefore, secondBefore, unreadAfter, secondAfter bool) {
	e.Cases++
	for n, is := range map[*int]bool{&e.UnreadBefore: unreadBefore, &e.SecondBefore: secondBefore,
		&e.UnreadAfter: unreadAfter, &e.SecondAfter: secondAfter} {
		if is {
			*n++
		}
	}
}
