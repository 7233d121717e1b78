package page

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/review"
	"preceptor/views/reviews"
	"preceptor/views/ui"
	"preceptor/web/render"
)

// ReviewList is the queue.
func (p *Pages) ReviewList(c echo.Context) error {
	f := filter(c)
	v, err := p.queueView(c, f)
	if err != nil {
		return err
	}
	fr := p.frame(c, "Reviews")
	fr.Wide, fr.Topics = true, topicsOf()
	return render.Page(c, http.StatusOK, reviews.QueuePage(fr, v))
}

func (p *Pages) queueView(c echo.Context, f review.Filter) (v reviews.Queue, err error) {
	ctx := c.Request().Context()
	page, err := p.Reviews.List(ctx, f)
	if err != nil {
		return v, err
	}
	n, err := p.Reviews.Counts(ctx, f.Viewer)
	if err != nil {
		return v, err
	}
	v = reviews.Queue{State: f.State, Needs: n.Needs, Others: n.Others, Done: n.Done, Skipped: n.Skipped, Oldest: n.Oldest, Rows: page.Items, Next: page.Next, Cursor: f.Cursor,
		Agent: f.AgentID, Task: f.Task, Targets: reviews.DefaultTargets, Viewer: f.Viewer, Now: p.Now()}
	if v.Agents, err = p.agentOptions(c); err != nil {
		return v, err
	}
	v.Rail, err = p.rail(c)
	return v, err
}

func (p *Pages) agentOptions(c echo.Context) ([]ui.Option, error) {
	agents, err := p.Accounts.Agents(c.Request().Context())
	if err != nil {
		return nil, err
	}
	out := []ui.Option{{Value: "", Label: "All agents"}}
	for _, a := range agents {
		out = append(out, ui.Option{Value: a.ID, Label: a.Name})
	}
	return out, nil
}
