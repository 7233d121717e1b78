package stats

import (
	"context"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/feedback"
	"preceptor/internal/platform/fault"
	views "preceptor/views/feedback"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// ExampleList is the answers that votes made examples.
func (p *Pages) ExampleList(c echo.Context, v views.Examples) error {
	return p.showExamples(c, http.StatusOK, v)
}

// exampleStates are those of the filter.
var exampleStates = []string{feedback.Active, feedback.Demoted, feedback.Replaced, feedback.Retired, feedback.Erased}

func (p *Pages) showExamples(c echo.Context, status int, v views.Examples) (err error) {
	typed := clipWords(v.State)
	v.Now, v.State, v.AgentType = p.Now(), form.OneOf(v.State, exampleStates), clipWords(v.AgentType)
	a := session.Me(c)
	v.MayRetire, v.MayOpen = session.Settles(c), a.Has(account.Supervisor) || session.Leads(c)
	v.Unread = map[string]string{}
	if typed != v.State {
		v.Unread["state"] = fmt.Sprintf("choose one from the list; %q is not on it.", typed)
	}
	ctx := c.Request().Context()
	for range 2 {
		v.List, v.Next, err = p.Feedback.Exemplars(ctx,
			feedback.ExemplarFilter{State: v.State, AgentType: v.AgentType, Cursor: v.Cursor})
		if form.Errors(err)["cursor"] == "" {
			break
		}
		v.Unread["cursor"], v.Cursor = cutOff, ""
	}
	if err != nil {
		return err
	}
	if len(v.Unread) > 0 {
		status = http.StatusUnprocessableEntity
	}
	if v.Agents, err = p.Feedback.AgentTypes(ctx); err != nil {
		return err
	}
	return render.Page(c, status, views.ExamplesPage(p.Frame(c, "Examples").Broad().Follow(), v))
}

// ExampleRetire takes an example out of use for good.
func (p *Pages) ExampleRetire(c echo.Context, v views.Examples) error {
	err := p.Feedback.Retire(context.WithoutCancel(c.Request().Context()), c.Param("id"), v.Why, session.Actor(c))
	if err == nil {
		return render.Done(c, "/feedback/examples", "Example retired. Votes won't bring it back.")
	}
	if !fault.Is(err, fault.Invalid) {
		return err
	}
	v.Wrong, v.Error = c.Param("id"), "Give a reason, in at most 2,000 characters."
	return p.showExamples(c, http.StatusUnprocessableEntity, v)
}

// NightList is what each night made of its day.
func (p *Pages) NightList(c echo.Context, in struct {
	Cursor string `form:"cursor"`
}) (err error) {
	ctx := c.Request().Context()
	v := views.Nights{Cursor: in.Cursor}
	status := http.StatusOK
	v.List, v.Next, err = p.Nightly.Nights(ctx, v.Cursor)
	if form.Errors(err)["cursor"] != "" {
		v.Unread, v.Cursor, status = map[string]string{"cursor": cutOff}, "", http.StatusUnprocessableEntity
		v.List, v.Next, err = p.Nightly.Nights(ctx, "")
	}
	if err != nil {
		return err
	}
	return render.Page(c, status, views.NightsPage(p.Frame(c, "Nightly summaries").Broad().Follow(), v))
}
