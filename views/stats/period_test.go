package stats

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/platform/estimate"
	"preceptor/internal/stats"
	"preceptor/internal/stats/turn"
	"preceptor/views/chart"
)

func london(t interface{ Fatal(...any) }) *time.Location {
	zone, err := time.LoadLocation("Europe/London")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func TestAnAddressNamesItsDays(t *testing.T) {
	zone := london(t)
	now := time.Date(2026, 11, 22, 0, 30, 0, 0, zone)
	for _, c := range []struct{ query, days, before string }{
		{"", "24 October to 22 November 2026", "24 September to 23 October 2026"},
		{"period=7", "16 to 22 November 2026", "9 to 15 November 2026"},
		{"period=month", "1 to 22 November 2026", "10 to 31 October 2026"},
		{"period=last-month", "1 to 31 October 2026", "31 August to 30 September 2026"}, // the clocks go back in it
		{"period=custom&from=2026-03-28&to=2026-03-30", "28 to 30 March 2026", "25 to 27 March 2026"},
		{"from=2026-01-05&to=2026-01-05", "5 January 2026", "4 January 2026"},
		{"from=2025-12-20&to=2026-01-05", "20 December 2025 to 5 January 2026", "3 to 19 December 2025"},
		{"period=7&compare=none", "16 to 22 November 2026", ""},
		{"period=30&from=2026-10-24&to=2026-11-22", "24 October to 22 November 2026",
			"24 September to 23 October 2026"},
		{"period=nonsense", "24 October to 22 November 2026", "24 September to 23 October 2026"},
	} {
		q, _ := url.ParseQuery(c.query)
		p := ReadPeriod(q, now, zone)
		if got := p.words(); got != c.days || len(p.Errors) > 0 {
			t.Errorf("%q is %s %v, want %s", c.query, got, p.Errors, c.days)
		}
		if got := p.before(); got != c.before {
			t.Errorf("%q is compared with %s, want %s", c.query, got, c.before)
		}
	}
	q, _ := url.ParseQuery("period=30&from=2026-10-24&to=2026-11-22")
	if p := ReadPeriod(q, now, zone); p.Preset != "30" {
		t.Error("the days that the form was shown with are taken for typed ones")
	}
	for _, bad := range []string{"period=custom", "from=2026-11-20&to=2026-11-01", "from=x&to=2026-11-01",
		"from=1990-01-01&to=2026-11-01", "from=2010-01-01&to=2026-11-01", "from=2026-02-30"} {
		q, _ := url.ParseQuery(bad)
		if p := ReadPeriod(q, now, zone); len(p.Errors) == 0 || p.Range.Len() != 30 {
			t.Errorf("%q is taken: %s", bad, p.words())
		}
	}
}

func TestAnAddressComesBackAsItWent(t *testing.T) {
	zone := london(t)
	rapid.Check(t, func(t *rapid.T) {
		now := time.UnixMilli(rapid.Int64Range(1_700_000_000_000, 2_000_000_000_000).Draw(t, "now"))
		q := url.Values{}
		for name, of := range map[string]*rapid.Generator[string]{
			"period":  rapid.SampledFrom([]string{"", "7", "30", "90", "month", "last-month", "custom", "x"}),
			"from":    rapid.SampledFrom([]string{"", "2026-03-01", "2025-10-26", "no"}),
			"to":      rapid.SampledFrom([]string{"", "2026-03-29", "2025-10-27"}),
			"compare": rapid.SampledFrom([]string{"", "none"}), "agent": rapid.String(), "topic": rapid.String(),
			"team": rapid.String(),
		} {
			if v := of.Draw(t, name); v != "" {
				q.Set(name, v)
			}
		}
		p := ReadPeriod(q, now, zone)
		if p.Range.Len() < 1 || !p.Range.From.Before(p.Range.To) || p.Range.From.In(zone).Hour() != 0 {
			t.Fatalf("%v: %v to %v", q, p.Range.From, p.Range.To)
		}
		if len(p.Errors) > 0 {
			return
		}
		back, err := url.ParseQuery(p.Query())
		if err != nil {
			t.Fatal(err)
		}
		if again := ReadPeriod(back, now, zone); again.Range != p.Range || again.Filter() != p.Filter() ||
			again.Query() != p.Query() {
			t.Fatalf("%q became %q", p.Query(), again.Query())
		}
		if day := p.within(p.Range.From, p.Range.To); day.Range.Len() != p.Range.Len() ||
			ReadPeriod(day.values(), now, zone).Range != p.Range {
			t.Fatalf("the days of %q became %q", p.Query(), day.Query())
		}
	})
}

func figureOf(part, whole int) stats.Figure {
	s := estimate.Of(part, whole)
	return stats.Figure{Key: "satisfaction", Unit: stats.Ratio, Known: whole > 0, Value: s.Value(), Part: part,
		N: whole, Low: s.Low, High: s.High}
}

func TestSentencesSayWhatIsSure(t *testing.T) {
	f := figureOf(88, 100)
	before := figureOf(85, 100)
	f.Before = &before
	if got := stands("Satisfaction", f,
		"votes"); got != "Satisfaction is 88% (80–93%) of 100 votes, 3 points up from the previous period: not "+
		"significant." {
		t.Error(got)
	}
	if got := noteOf(figureOf(1, 1), "votes"); !strings.HasPrefix(got, "n = 1 vote;") {
		t.Error(got)
	}
	much := figureOf(50, 100)
	f.Before = &much
	if got := stands("Satisfaction", f, "votes"); !strings.HasSuffix(got,
		"38 points up from the previous period: significant.") {
		t.Error(got)
	}
	if got := stands("Satisfaction", stats.Figure{Unit: stats.Ratio}, "votes"); got != "No data." {
		t.Error(got)
	}
	same := f
	same.Before = &f
	if got := stands("Satisfaction", same, "votes"); !strings.HasSuffix(got, ", as in the previous period.") {
		t.Error(got)
	}
	fell := found{Turn: turn.Turn{In: turn.Count{Part: 72, Whole: 100}, Out: turn.Count{Part: 910, Whole: 1000}},
		Days: "from 14 November", Cause: "Tax-free cash"}
	if got := fell.sentence("Satisfaction"); got != "Satisfaction was 19 points lower from 14 November, mainly "+
		"because of tax-free cash." {
		t.Error(got)
	}
	for _, name := range []string{"State Pension", "DB transfer"} { // names and abbreviations keep their capitals
		fell.Cause = name
		if got := fell.sentence("Satisfaction"); !strings.HasSuffix(got, ", mainly because of "+name+".") {
			t.Error(got)
		}
	}
}

func TestTheDaysOfATurnAreNamed(t *testing.T) {
	zone := london(t)
	p := ReadPeriod(url.Values{}, time.Date(2026, 11, 22, 12, 0, 0, 0, zone), zone)
	s := stats.Series{Key: "satisfaction", Unit: stats.Ratio, Step: stats.Daily}
	for i := range 30 {
		from := time.Date(2026, 10, 24+i, 0, 0, 0, 0, zone)
		part := 92
		if i >= 21 && i < 27 {
			part = 60
		}
		s.Points = append(s.Points, stats.Point{From: from, To: time.Date(2026, 10, 25+i, 0, 0, 0, 0, zone),
			Figure: figureOf(part, 100)})
	}
	f, ok := look(p, s, 1)
	if !ok || f.Days != "from 14 to 19 November" {
		t.Fatalf("%q %v", f.Days, ok)
	}
	m := f.mark(true)
	if m.Tone != "amber" || !strings.Contains(m.Href, "around=2026-11-14") ||
		!strings.Contains(m.Href, "until=2026-11-19") || m.From != 21 || m.To != 27 {
		t.Errorf("%+v", m)
	}
	// A fall has the figures of the card, and the days that those are of, whatever the page's.
	day := func(month time.Month, d int) time.Time { return time.Date(2026, month, d, 0, 0, 0, 0, zone) }
	fall := &stats.Fall{All: figureOf(360, 600), Before: figureOf(640, 744), ChangesPage: stats.ChangesPage{
		Filter: stats.Filter{Range: stats.Range{From: day(10, 14), To: day(11, 20), Zone: zone}},
		Around: stats.Range{From: day(11, 14), To: day(11, 20), Zone: zone}}}
	week := s
	week.Points = s.Points[23:]
	f, _ = fallen(p, week, fall, nil)
	m = f.mark(true)
	if m.Label != "From 14 to 19 November 2026: 60% of 600, against 86% of 744 on the other days from 14 October to "+
		"19 November 2026." || m.Href != (Fallen{fall, Scope{Period: p}}).changes() ||
		!strings.Contains(m.Href, "from=2026-10-14") {
		t.Errorf("%+v", m)
	}
	c := Satisfaction{Scope: Scope{Path: TabSatisfaction, Period: p},
		SatisfactionPage: stats.SatisfactionPage{Series: s, Rate: figureOf(2700, 3000)}}.Charts()
	if c[0].Says != "Satisfaction was 32 points lower from 14 to 19 November." || len(c[0].Marks) != 1 {
		t.Errorf("%q", c[0].Says)
	}
	ids := map[string]bool{}
	for _, ch := range c {
		if ids[ch.ID] || ch.ID == "" {
			t.Errorf("two charts are called %q", ch.ID)
		}
		ids[ch.ID] = true
	}
}

func TestFiguresSayHowLateTheyAre(t *testing.T) {
	for behind, want := range map[time.Duration]string{0: "", 5 * time.Second: "",
		12*time.Second + 300*time.Millisecond: "Figures as of 12 seconds ago"} {
		if got := (Scope{Behind: behind}).late(); got != want {
			t.Errorf("%s behind: %q, want %q", behind, got, want)
		}
	}
}

// Nothing is compared with fewer than 30.
func TestRatingsOfAFewAreNotComparedWith(t *testing.T) {
	var v Satisfaction
	v.Scale[8] = 40
	for _, n := range []int{29, 30} {
		v.ScaleBefore[8] = n
		for _, row := range v.scale().Bars.Rows {
			if (row.Before != nil) != (n >= 30) {
				t.Errorf("after %d ratings: %+v", n, row)
			}
		}
		before := figureOf(n/2, n)
		p := stats.Point{Figure: figureOf(20, 40)}
		p.Before = &before
		raw := figuresFile("", "", []named{{"", p.Figure}}).Rows[0][5].Raw
		of := bars(Period{}, "Topic", "votes", []stats.Slice{{Figure: p.Figure}}, 0, nil)
		cell := chart.Chart{Bars: of}.Table().Rows[0][5]
		if few := beforeText(p.Figure) == "Too few to compare (29)" && raw == "" && cell.Raw == "" &&
			cell.Text == "too few to compare"; few != (n < 30) || !few && raw != cell.Raw {
			t.Errorf("after %d votes: the table says %q, the file %q, the bars %+v", n, beforeText(p.Figure), raw, cell)
		}
		if l := line(Period{}, stats.Series{Unit: stats.Ratio, Points: []stats.Point{p}}); len(l.Series) != n-28 {
			t.Errorf("after %d votes: %d lines", n, len(l.Series))
		}
	}
}

// Who approved another's revision didn't revise.
func TestSecondApprovalsOfRevisionsAreNoRevisions(t *testing.T) {
	for kind, want := range map[string]string{"second": "Revision approved", "decision": "Revised"} {
		if got := whatText(stats.Row{Kind: kind, What: "revise"}); got != want {
			t.Errorf("%s: %q", kind, got)
		}
	}
}

// The rows of a share say by which rule each counts.
func TestRowsSayByWhichPolicyTheyCount(t *testing.T) {
	for of, says := range map[string]string{"sla": "target in the policy in force when it was made",
		"hasty": "reading speed in the policy in force when it was made", "votes": ""} {
		notes := Rows{Of: of}.Notes()
		if last := notes[len(notes)-1]; says != "" && !strings.Contains(last, says) || says == "" && len(notes) != 3 {
			t.Errorf("%s: %q", of, notes)
		}
	}
}
