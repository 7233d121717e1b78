package practice

import (
	"fmt"
	"time"

	"preceptor/internal/practice"
	"preceptor/internal/stats"
	"preceptor/views/ui"
)

// HistoryHome is its address.
const HistoryHome = Home + "/history"

// History is what was measured of an agent, on virtual customers and by real people.
type History struct {
	Agent  string // id
	Agents []ui.Option
	Runs   []Show         // that measured the base, newest first
	Real   []practice.Row // of real people
	Stats  bool           // the reader may see them
	Now    time.Time
}

// Measured are the runs that measured the base as it was, newest first. Each has its result read.
func Measured(list []practice.Run) (out []Show, err error) {
	for _, r := range list {
		if r.State != practice.Done || r.Kind != practice.Training && r.Kind != practice.Evaluation {
			continue
		}
		v := Show{Run: r}
		if err := v.Read(); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// metrics are of the base as it was when the run began.
func (v Show) metrics() practice.Metrics {
	if v.Kind == practice.Training {
		return v.Trained.Before
	}
	return v.Metrics
}

func rulesOf(s practice.Stand) int { return s.Rules }
func casesOf(s practice.Stand) int { return s.Cases }

// size is how much of the base was in use, and how much more than at the measurement before.
func (v History) size(i int, of func(practice.Stand) int) string {
	now := v.Runs[i].Base
	if now.Seq == 0 {
		return "unknown"
	}
	n := of(now)
	if i+1 < len(v.Runs) && v.Runs[i+1].Base.Seq > 0 {
		if by := n - of(v.Runs[i+1].Base); by != 0 {
			return fmt.Sprintf("%s (%+d)", ui.Thousands(n), by)
		}
	}
	return ui.Thousands(n)
}

// RealRows are seed 000's RealWorldMetrics, and the share of votes that are positive.
func RealRows(r stats.ReviewPage, s stats.SatisfactionPage) []practice.Row {
	row := func(name string, score bool, f stats.Figure) practice.Row {
		n := f.N
		if !f.Known {
			n = 0
		}
		return practice.Row{Name: name, Score: score,
			Figure: practice.Figure{Of: f.Value, Low: f.Low, High: f.High, N: n}}
	}
	out := []practice.Row{row("Approved unchanged", false, r.Approved), row("Revised", false, r.Revised),
		row("Rejected", false, r.Escalated),
		row("Positive votes", false, s.Rate)}
	if len(s.Outcomes) > 0 {
		out = append(out, row("Customer satisfaction, 0 to 10", true, s.Outcomes[0]))
	}
	return append(out, row("Expert rating, 1 to 5", true, r.Rating))
}
