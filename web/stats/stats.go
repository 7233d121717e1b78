package stats

import (
	"net/http"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"preceptor/internal/platform/fault"
	numbers "preceptor/internal/stats"
	"preceptor/views/chart"
	"preceptor/views/stats"
	"preceptor/web/form"
	"preceptor/web/hidden"
	"preceptor/web/render"
	"preceptor/web/session"
)

// statsQuery is what an address of the statistics says beside the period.
type statsQuery struct {
	Format string `form:"format"` // of a file: csv or png
	Chart  string `form:"chart"`  // the one that is to be a file; the first of the page
	Of     string `form:"of"`     // the figure whose rows are listed
	Person string `form:"person"`
	Since  string `form:"since"`
	Search string `form:"q"`
	After  string `form:"after"`
	Around string `form:"around"` // the days that stood out
	Until  string `form:"until"`
}

// statsScope reads what a page of the statistics is about from its address.
func (p *Pages) statsScope(c echo.Context, path string) (s stats.Scope, err error) {
	fields, err := form.Values(c)
	if err != nil {
		return s, err
	}
	s = stats.Scope{Path: path, Period: stats.ReadPeriod(fields, p.Now(), p.zone()), Now: p.Now(),
		Behind: p.Stats.Behind(c.Request().Context())}
	if a, err := p.Accounts.AgentByName(c.Request().Context(), s.Period.Agent); err == nil {
		s.Period.Agent = a.Name // the address may have one that it had
	}
	if s.Choices, err = p.Stats.Choices(c.Request().Context()); err != nil {
		return s, err
	}
	all, err := p.Accounts.AllAgents(c.Request().Context())
	for i, o := range s.Choices.Agents {
		for _, a := range all {
			if a.Name == o.Value {
				s.Choices.Agents[i].Label = a.Label()
			}
		}
	}
	return s, err
}

// zone is whose days the figures are of.
func (p *Pages) zone() *time.Location {
	if p.Stats.Zone == nil {
		return time.UTC
	}
	return p.Stats.Zone
}

// statsPage answers with the page, or with one of its charts or tables as a file: ?chart=rate&format=csv.
func (p *Pages) statsPage(c echo.Context, in statsQuery, s stats.Scope, v any,
	view templ.Component) error {
	switch in.Format {
	case "":
		status := http.StatusOK
		if len(s.Period.Errors) > 0 {
			status = http.StatusUnprocessableEntity
		}
		return render.Status(c, status, view)
	case "csv":
		if len(s.Period.Errors) > 0 {
			return fault.New(fault.Invalid, "The dates in this address aren't valid. Choose them on the page.")
		}
		if v, ok := v.(interface{ ScopeOf(string) stats.Scope }); ok {
			s = v.ScopeOf(in.Chart)
		}
		var charts []chart.Chart
		if v, ok := v.(interface{ Charts() []chart.Chart }); ok {
			charts = v.Charts()
		}
		if v, ok := v.(interface{ Files() []stats.File }); ok {
			for _, f := range v.Files() {
				if f.ID == in.Chart {
					return p.figures(c, s.FileName(f.ID, "csv"), s.Notes(f.Title), f.Table)
				}
			}
		}
		return p.chartFile(c, s, charts, in.Chart)
	}
	return fault.New(fault.Invalid, "Charts are available as csv.")
}

// chartFile sends a chart as a file; without an id the first of the page.
func (p *Pages) chartFile(c echo.Context, s stats.Scope, charts []chart.Chart, id string) error {
	for _, ch := range charts {
		if id == "" || ch.ID == id {
			return p.figures(c, s.FileName(ch.ID, "csv"), s.Notes(ch.Title), ch.Table())
		}
	}
	return fault.New(fault.NotFound, "This page has no such chart.")
}

// StatsSummary is the first page of the statistics.
func (p *Pages) StatsSummary(c echo.Context, in statsQuery) error {
	s, err := p.statsScope(c, stats.TabOverview)
	if err != nil {
		return err
	}
	ctx, f := c.Request().Context(), s.Period.Filter()
	v := stats.Summary{Scope: s}
	if v.Satisfaction, err = p.Stats.Satisfaction(ctx, f); err != nil {
		return err
	}
	if v.TopicSeries, err = p.Stats.TopicSeries(ctx, f, stats.TopicsOf(v.Satisfaction)); err != nil {
		return err
	}
	if v.Fall, err = p.Stats.Fall(ctx, f); err != nil {
		return err
	}
	if v.Review, err = p.Stats.Review(ctx, f); err != nil {
		return err
	}
	if v.Compliance, err = p.Stats.Compliance(ctx, f); err != nil {
		return err
	}
	if v.Learning, err = p.Stats.Learning(ctx, f); err != nil {
		return err
	}
	return p.statsPage(c, in, s, v, stats.SummaryPage(p.Frame(c, "Statistics").Broad(), v))
}

// StatsSatisfaction is what users say.
func (p *Pages) StatsSatisfaction(c echo.Context, in statsQuery) error {
	s, err := p.statsScope(c, stats.TabSatisfaction)
	if err != nil {
		return err
	}
	v := stats.Satisfaction{Scope: s}
	if v.SatisfactionPage, err = p.Stats.Satisfaction(c.Request().Context(), s.Period.Filter()); err != nil {
		return err
	}
	if v.Fall, err = p.Stats.Fall(c.Request().Context(), s.Period.Filter()); err != nil {
		return err
	}
	if v.TopicSeries, err = p.Stats.TopicSeries(c.Request().Context(), s.Period.Filter(),
		stats.TopicsOf(v.SatisfactionPage)); err != nil {
		return err
	}
	return p.statsPage(c, in, s, v, stats.SatisfactionView(p.Frame(c, "Satisfaction").Broad(), v))
}

// StatsReview is the desk's work.
func (p *Pages) StatsReview(c echo.Context, in statsQuery) error {
	s, err := p.statsScope(c, stats.TabReview)
	if err != nil {
		return err
	}
	v := stats.Review{Scope: s}
	if v.ReviewPage, err = p.Stats.Review(c.Request().Context(), s.Period.Filter()); err != nil {
		return err
	}
	if v.Talks, err = p.Stats.Conversations(c.Request().Context(), s.Period.Filter()); err != nil {
		return err
	}
	return p.statsPage(c, in, s, v, stats.ReviewView(p.Frame(c, "Review figures").Broad(), v))
}

// StatsCompliance is how the line was kept.
func (p *Pages) StatsCompliance(c echo.Context, in statsQuery) error {
	s, err := p.statsScope(c, stats.TabCompliance)
	if err != nil {
		return err
	}
	v := stats.Line{Scope: s}
	if v.CompliancePage, err = p.Stats.Compliance(c.Request().Context(), s.Period.Filter()); err != nil {
		return err
	}
	return p.statsPage(c, in, s, v, stats.LineView(p.Frame(c, "Compliance figures").Broad(), v))
}

// StatsLearning is whether it gets better.
func (p *Pages) StatsLearning(c echo.Context, in statsQuery) error {
	s, err := p.statsScope(c, stats.TabLearning)
	if err != nil {
		return err
	}
	v := stats.Gain{Scope: s}
	if v.LearningPage, err = p.Stats.Learning(c.Request().Context(), s.Period.Filter()); err != nil {
		return err
	}
	return p.statsPage(c, in, s, v, stats.GainView(p.Frame(c, "Learning figures").Broad(), v))
}

// StatsMine is what managers see of one's own decisions.
func (p *Pages) StatsMine(c echo.Context, in statsQuery) error {
	s, err := p.statsScope(c, "/stats/mine")
	if err != nil {
		return err
	}
	me := session.Me(c)
	v := stats.Mine{Scope: s}
	if v.Row, err = p.Stats.Mine(c.Request().Context(), s.Period.Filter(), me.ID); err != nil {
		return err
	}
	return p.statsPage(c, in, s, v, stats.MineView(p.Frame(c, "My statistics").Broad(), v))
}

// StatsRows lists what a figure was counted from.
func (p *Pages) StatsRows(c echo.Context, in statsQuery) error {
	s, err := p.statsScope(c, "/stats/rows")
	if err != nil {
		return err
	}
	v := stats.Rows{Scope: s, Person: in.Person, Since: in.Since}
	if v.Person != "" {
		switch a, err := p.Accounts.Get(c.Request().Context(), v.Person); {
		case fault.Is(err, fault.NotFound):
			return fault.New(fault.NotFound, "There is no such person.")
		case err != nil:
			return err
		default:
			v.Name = a.Name
		}
	}
	return p.listRows(c, in, v)
}

// StatsMyRows lists the reader's own rows of a figure, and nobody else's.
func (p *Pages) StatsMyRows(c echo.Context, in statsQuery) error {
	s, err := p.statsScope(c, "/stats/mine/rows")
	if err != nil {
		return err
	}
	if !numbers.OwnRows(in.Of) {
		return fault.New(fault.Invalid, "You have no rows for %q.", in.Of)
	}
	me := session.Me(c)
	s.Period.Team = "" // of one's own there is nothing to narrow
	return p.listRows(c, in, stats.Rows{Scope: s, Person: me.ID, Name: me.Name, Mine: true})
}

func (p *Pages) listRows(c echo.Context, in statsQuery, v stats.Rows) (err error) {
	s := v.Scope
	q := numbers.RowQuery{Of: in.Of, Person: v.Person, Search: in.Search, After: in.After}
	if q.Since, err = time.Parse(time.RFC3339Nano, v.Since); v.Since != "" && err != nil {
		return fault.New(fault.Invalid,
			"This address is incomplete: “since” isn't a time. Open the page from Statistics again.")
	}
	v.Of, v.Title, v.Search, v.Later, v.Link = q.Of, stats.RowsTitle(q.Of), q.Search, q.After != "", p.rowLink(c)
	ctx, f := c.Request().Context(), s.Period.Filter()
	if v.RowPage, err = p.Stats.Rows(ctx, f, q); err != nil {
		return err
	}
	if in.Format == "csv" {
		for q.Limit = 200; v.RowPage.Next != "" && len(v.RowPage.Rows) < stats.MostRows; {
			q.After = v.RowPage.Next
			more, err := p.Stats.Rows(ctx, f, q)
			if err != nil {
				return err
			}
			v.RowPage.Rows, v.RowPage.Next = append(v.RowPage.Rows, more.Rows...), more.Next
		}
		return p.figures(c, s.FileName(strings.ReplaceAll(q.Of, ":", "-"), "csv"), v.Notes(), v.Table())
	}
	frame := p.Frame(c, v.Title)
	frame.Wide = true
	status := http.StatusOK
	if len(s.Period.Errors) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return render.Status(c, status, stats.RowsView(frame, v))
}

// rowLink gives the page of a row's case that the reader may open: who does not decide has a page to read.
func (p *Pages) rowLink(c echo.Context) func(numbers.Row) string {
	return func(r numbers.Row) string {
		switch {
		case r.Kind == "lesson":
			return "/learning/" + r.ID
		case r.CaseID == "" || r.Kind == "planted":
			return ""
		case r.Kind == "vote" || r.Kind == "outcome" || r.Kind == "observed":
			return "/feedback/" + r.CaseID
		case r.Desk:
			return hidden.CaseHref(c, r.CaseID)
		}
		return ""
	}
}

// StatsChanges leads from a dip to its cause.
func (p *Pages) StatsChanges(c echo.Context, in statsQuery) error {
	s, err := p.statsScope(c, "/stats/changes")
	if err != nil {
		return err
	}
	around, err := in.days(s.Period)
	if err != nil {
		return err
	}
	v := stats.Changes{Scope: s}
	if v.ChangesPage, err = p.Stats.Changes(c.Request().Context(), s.Period.Filter(), around); err != nil {
		return err
	}
	return p.statsPage(c, in, s, v,
		stats.ChangesView(p.Frame(c, "What changed").At(stats.TabSatisfaction).Broad(), v))
}

// days reads the days that stood out.
func (in statsQuery) days(p stats.Period) (numbers.Range, error) {
	zone := p.Range.Zone
	from, err := time.ParseInLocation(time.DateOnly, in.Around, zone)
	if err != nil {
		return numbers.Range{}, fault.New(fault.Invalid, "The address has no dates. Open this page from a chart.")
	}
	to, err := time.ParseInLocation(time.DateOnly, in.Until, zone)
	if err != nil {
		to = from
	}
	if to.Before(from) || to.Sub(from) > 400*24*time.Hour {
		return numbers.Range{}, fault.New(fault.Invalid,
			"The dates in the address can't be shown. Open this page from a chart.")
	}
	return numbers.Between(from.Add(12*time.Hour), to.Add(12*time.Hour), zone), nil
}
