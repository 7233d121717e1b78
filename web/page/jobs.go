package page

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/fault"
	"preceptor/internal/job"
	"preceptor/views/admin"
	"preceptor/web/render"
)

const jobsPerPage = 50

// JobList shows the queue by state; what is parked comes first, because it waits for a person.
func (p *Pages) JobList(c echo.Context) error {
	v := admin.JobsView{State: job.State(c.QueryParam("state"))}
	if v.State == "" {
		v.State = job.Parked
	}
	before, err := number(c.QueryParam("before"))
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	if v.Jobs, err = p.Jobs.List(ctx, job.Filter{State: v.State, Before: before, Limit: jobsPerPage}); err != nil {
		return err
	}
	if v.Counts, err = p.Jobs.Counts(ctx); err != nil {
		return err
	}
	if len(v.Jobs) == jobsPerPage {
		v.Next = "/admin/jobs?state=" + string(v.State) + "&before=" + strconv.FormatInt(v.Jobs[jobsPerPage-1].ID, 10)
	}
	f := p.frame(c, "Jobs")
	f.Topics = "jobs"
	return render.Page(c, http.StatusOK, admin.Jobs(f, v))
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
