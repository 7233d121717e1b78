package page

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/fault"
	"preceptor/internal/job"
	"preceptor/views/admin"
	"preceptor/views/ui"
	"preceptor/web/render"
)

const jobsPerPage = 50

// JobList shows the queue by state and kind; what is parked comes first, because it waits for a person.
func (p *Pages) JobList(c echo.Context) error {
	v := admin.JobsView{Side: p.side(c), State: job.State(c.QueryParam("state")), Kind: c.QueryParam("kind")}
	if v.State == "" {
		v.State = job.Parked
	}
	before, err := number(c.QueryParam("before"))
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	if v.Jobs, err = p.Jobs.List(ctx, job.Filter{State: v.State, Kind: v.Kind, Before: before, Limit: jobsPerPage}); err != nil {
		return err
	}
	if v.Counts, err = p.Jobs.Counts(ctx); err != nil {
		return err
	}
	if v.Loops, err = p.Jobs.Loops(ctx); err != nil {
		return err
	}
	if v.State == job.Parked {
		if v.Parked, err = p.Jobs.Parked(ctx); err != nil {
			return err
		}
	}
	jobAddresses(&v, before)
	f := p.frame(c, "Jobs")
	f.Topics = topicsOf("jobs")
	return render.Page(c, http.StatusOK, admin.Jobs(f, v))
}

// jobAddresses are where this page, the first and the next stand.
func jobAddresses(v *admin.JobsView, before int64) {
	q := url.Values{"state": {string(v.State)}}
	if v.Kind != "" {
		q.Set("kind", v.Kind)
	}
	first := at("/admin/jobs", q)
	v.Here = first
	if before > 0 {
		v.First = first
		q.Set("before", strconv.FormatInt(before, 10))
		v.Here = at("/admin/jobs", q)
	}
	if len(v.Jobs) == jobsPerPage {
		q.Set("before", strconv.FormatInt(v.Jobs[jobsPerPage-1].ID, 10))
		v.Next = at("/admin/jobs", q)
	}
}

// JobRetry puts a parked job back to work.
func (p *Pages) JobRetry(c echo.Context) error {
	jobID, err := number(c.Param("id"))
	if err != nil || jobID == 0 {
		return fault.New(fault.NotFound, "There is no such job.")
	}
	if err := p.RetryJob(c.Request().Context(), actor(c), jobID); err != nil {
		return err
	}
	return p.done(c, "/admin/jobs", "The job is tried again.")
}

// JobRetryKind puts all parked jobs of a kind back to work.
func (p *Pages) JobRetryKind(c echo.Context) error {
	n, err := p.RetryJobs(c.Request().Context(), actor(c), c.Request().PostFormValue("kind"))
	if err != nil {
		return err
	}
	return p.done(c, "/admin/jobs", ui.Count(n, "job is", "jobs are")+" tried again.")
}

// number reads a row number from an address; empty is 0.
func number(s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return 0, fault.New(fault.NotFound, "There is nothing at this address. Start again from the list.")
	}
	return n, nil
}

// JobLoop pauses, resumes or runs work that comes again by itself.
func (p *Pages) JobLoop(c echo.Context) error {
	name := c.FormValue("name")
	act, said := p.PauseJob, "Paused. It does not run until somebody resumes it; a run that is under way ends as it would."
	switch c.FormValue("act") {
	case "pause":
	case "resume":
		act, said = p.ResumeJob, "Resumed. If a run fell out meanwhile, it runs now."
	case "run":
		act, said = p.RunJob, "It runs now."
	default:
		return fault.New(fault.Invalid, "Choose pause, resume or run now.")
	}
	if err := act(c.Request().Context(), actor(c), name); err != nil {
		return err
	}
	return p.done(c, "/admin/jobs", said)
}
