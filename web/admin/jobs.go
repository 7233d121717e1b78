package admin

import (
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
	"preceptor/views/admin"
	"preceptor/views/ui"
	"preceptor/web/render"
	"preceptor/web/session"
)

const jobsPerPage = 50

// JobList shows the queue by state and kind; what is parked comes first, because it waits for a person.
func (p *Pages) JobList(c echo.Context, v admin.JobsView) (err error) {
	v.Side = p.side(c)
	if v.State == "" {
		v.State = job.Parked
	}
	ctx := c.Request().Context()
	if v.Jobs, err = p.Jobs.List(ctx,
		job.Filter{State: v.State, Kind: v.Kind, Before: v.Before, Limit: jobsPerPage}); err != nil {
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
	next := int64(0)
	if len(v.Jobs) == jobsPerPage {
		next = v.Jobs[jobsPerPage-1].ID
	}
	v.Here, v.Pages = ui.Address("/admin/jobs", v), ui.Around("/admin/jobs", v, func(v *admin.JobsView) *int64 {
		return &v.Before
	}, next)
	return render.Page(c, nil, admin.Jobs(p.Frame(c, "Jobs").Follow("jobs"), v))
}

// JobRetry puts a parked job back to work.
func (p *Pages) JobRetry(c echo.Context) error {
	jobID, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || jobID < 1 {
		return fault.New(fault.NotFound, "There is no such job.")
	}
	if err := p.RetryJob(c.Request().Context(), session.Actor(c), jobID); err != nil {
		return err
	}
	return render.Done(c, "/admin/jobs", "Job queued to run again.")
}

// JobRetryKind puts all parked jobs of a kind back to work.
func (p *Pages) JobRetryKind(c echo.Context, in struct {
	Kind string `form:"kind"`
}) error {
	n, err := p.RetryJobs(c.Request().Context(), session.Actor(c), in.Kind)
	if err != nil {
		return err
	}
	return render.Done(c, "/admin/jobs", ui.Count(n, "job")+" queued to run again.")
}

// JobLoop pauses, resumes or runs work that comes again by itself.
func (p *Pages) JobLoop(c echo.Context, in struct {
	Name string `form:"name"`
	Act  string `form:"act"`
}) error {
	act, said := p.PauseJob, "Paused. It won't run until someone resumes it. A run in progress will finish."
	switch in.Act {
	case "pause":
	case "resume":
		act, said = p.ResumeJob, "Resumed. If it missed a run, it runs now."
	case "run":
		act, said = p.RunJob, "Running now."
	default:
		return fault.New(fault.Invalid, "Choose pause, resume or run now.")
	}
	if err := act(c.Request().Context(), session.Actor(c), in.Name); err != nil {
		return err
	}
	return render.Done(c, "/admin/jobs", said)
}
