package stats

import (
	"fmt"

	"preceptor/internal/stats"
	"preceptor/views/chart"
	"preceptor/views/ui"
)

// Review is the page of the desk's work over a period.
type Review struct {
	Scope
	stats.ReviewPage
	Talks stats.Conversations
}

// Mine is one person's own page: the same figures as managers see of them.
type Mine struct {
	Scope
	Row stats.PersonRow
}

var rateNames = []struct {
	name string
	of   func(stats.ReviewPage) stats.Figure
}{
	{"Approved unchanged", func(p stats.ReviewPage) stats.Figure { return p.Approved }},
	{"Revised", func(p stats.ReviewPage) stats.Figure { return p.Revised }},
	{"Escalated", func(p stats.ReviewPage) stats.Figure { return p.Escalated }},
}

// Charts are the charts of the page.
func (v Review) Charts() []chart.Chart {
	rates := chart.Chart{ID: "rates", Title: "Outcomes of drafts", Multi: &chart.Multi{},
		Says: stands("Approval", v.Approved, "decisions"),
		Note: "Escalated drafts were rejected, which hands the customer to a person."}
	for i, r := range rateNames {
		f := r.of(v.ReviewPage)
		s := seriesOf(v.Series, f.Key)
		p := chart.Panel{Name: r.name, Says: text(f) + suffix(change(f)), Line: line(v.Period, s)}
		if turn, ok := look(v.Period, s, len(rateNames)); ok {
			p.Says = turn.sentence(r.name)
			if i == 0 {
				rates.Says = turn.sentence("Approval")
				rates.Marks = []chart.Mark{turn.mark(true)}
			}
		}
		rates.Multi.Panels = append(rates.Multi.Panels, p)
	}
	work := chart.Chart{ID: "work", Title: "Work over time", Multi: &chart.Multi{Own: true}, Says: v.workSays(),
		Note: "Each has its own scale; all share one time axis. Seeded checks aren't counted as waiting at the end " +
			"of a day."}
	for _, p := range []struct {
		name string
		s    stats.Series
	}{{"Decisions", v.Volume}, {"Waiting at the end of the day", v.Queue.Series},
		{"Words changed in revisions", v.Edits}, {"Seeded checks caught", v.Catches}} {
		work.Multi.Panels = append(work.Multi.Panels, chart.Panel{Name: p.name, Line: line(v.Period, p.s)})
	}
	return []chart.Chart{v.files(rates), v.files(work),
		v.parts("tasks", "Approved unchanged, by task", "Task", "decisions", v.Tasks, v.byTopic),
		v.parts("agents", "Approved unchanged, by agent", "Agent", "decisions", v.Agents, v.byAgent)}
}

func suffix(s string) string {
	if s == "" {
		return ""
	}
	return ", " + s
}

func (v Review) workSays() string {
	s := ui.Count(v.Decisions.N, "decision") + suffix(change(v.Decisions))
	if v.Queue.Length.Known {
		s += "; " + ui.Count(v.Queue.Length.N, "draft is", "drafts are") + " waiting now"
		if v.Period.Team != "" {
			s += " at the whole desk"
		}
		if !v.Queue.Oldest.IsZero() {
			s += "; the oldest arrived " + ui.AgoSentence(v.Queue.Oldest, v.Now)
		}
	}
	return s + "."
}

// desk are the figures below the charts.
func (v Review) desk() []named {
	return []named{
		{"Decided within the target", v.SLA}, {"Arrival to decision, median", v.Waited},
		{"Arrival to decision, nine in ten decided within", v.WaitedP90},
		{"Escalated, question to closed by a person, median", v.Answered},
		{"Time per review, median", v.OnCase}, {"Time per review, nine in ten decided within", v.OnCaseP90},
	}
}

// talks are the figures of whole conversations; none where there was none.
func (v Review) talks() []named {
	c := v.Talks
	return []named{
		{"Conversations", c.N}, {"Ended with an answer that was sent", c.Answered},
		{"Escalated on the way", c.Escalated}, {"Customer's messages until the first answer was sent, median", c.Turns},
		{"Customer's wait for an answer, median", c.Waited}, {"Last vote is positive", c.Satisfied},
	}
}

// care are the figures about how carefully it was worked.
func (v Review) care() []named {
	return []named{
		{"Quality rated by experts, 1 to 5", v.Rating}, {"Second supervisor agreed", v.Agreement},
		{"Seeded checks caught", v.Caught}, {"Rapid approvals", v.Hasty}, {"Recalled after they were sent", v.Recalled},
		{"Words changed in revisions, mean", v.Edit}, {"Revisions that changed more than half", v.Rewritten},
		{"Escalated and closed by a person", v.Person}, {"Sent back to the agent", v.Returned},
		{"Sent by sampling, not reviewed", v.Sampled},
		{"Expired before a decision", v.Expired}, {"Withdrawn by the agent", v.Withdrawn},
	}
}

// signalText is a sign of approving without reading, in words that blame nobody.
func signalText(s stats.Signal) string {
	pair := fmt.Sprintf(" (%s against %s of the others, significant)", text(s.Mine), text(s.Others))
	switch s.Code {
	case "hasty":
		return "Has more rapid approvals" + pair + ". Texts that were read before read fast."
	case "unchanged":
		return "Approves unchanged more often" + pair + ". Different reviews can explain that."
	case "misses":
		return "Catches fewer seeded checks" + pair + "."
	}
	return s.Code + pair
}

// leastHasty is how many rapid approvals are worth naming a person for: one or two can be a mistaken key.
const leastHasty = 3

var nothingStandsOut = fmt.Sprintf(
	"Nothing stands out: nobody has %d or more rapid approvals, or differs significantly from the others.", leastHasty)

// standsOut is what a person's figures ask to follow up, the same on every page: rapid approvals, few as they may be,
// and what differs significantly from the others. None says why.
func standsOut(p stats.PersonRow) (rapidly string, found []string) {
	if p.Hasty.Part >= leastHasty {
		rapidly = fmt.Sprintf("Rapid approvals: %d of %s (%s).", p.Hasty.Part, ui.Thousands(p.Hasty.N), text(p.Hasty))
	}
	for _, s := range p.Signals {
		if s.Code == "hasty" {
			rapidly = signalText(s)
		} else {
			found = append(found, signalText(s))
		}
	}
	return rapidly, found
}

// hastyHref is the list of a person's rapid approvals.
func hastyHref(p stats.PersonRow) string { return "/overview/desk/hasty?person=" + p.ID }

// personRows is the address of the rows of one person's figure.
func (v Review) personRows(p stats.PersonRow, f stats.Figure) string {
	return v.Period.address("/stats/rows", "of", f.Key, "person", p.ID)
}

// figures are one person's figures.
func (v Mine) figures() []named {
	r := v.Row
	return []named{{"Decisions", r.Decisions}, {"Second approvals", r.Seconds}, {"Approved unchanged", r.Approved},
		{"Time per review, median", r.OnCase}, {"Rapid approvals", r.Hasty}, {"Seeded checks caught", r.Caught}}
}
