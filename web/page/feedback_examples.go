package page

import (
	"context"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/fault"
	"preceptor/internal/feedback"
	views "preceptor/views/feedback"
	"preceptor/web/render"
	"preceptor/web/session"
)

// ExampleList is the answers that votes made examples.
func (p *Pages) ExampleList(c echo.Context) error {
	return p.showExamples(c, http.StatusOK, views.Examples{})
}

// exampleStates are those of the filter.
var exampleStates = []string{feedback.Active, feedback.Demoted, feedback.Replaced, feedback.Retired, feedback.Erased}

func (p *Pages) showExamples(c echo.Context, status int, v views.Examples) (err error) {
	v.Now, v.State, v.AgentType, v.Cursor = p.Now(), known(c.QueryParam("state"), exampleStates), clipWords(c.QueryParam("agent")), c.QueryParam("cursor")
	a, _ := session.Current(c)
	v.MayRetire, v.MayOpen = mayAccept(c), a.Has(account.Supervisor) || a.Has(account.Manager) || a.Has(account.Admin)
	v.Unread = map[string]string{}
	if typed := clipWords(c.QueryParam("state")); typed != v.State {
		v.Unread["state"] = fmt.Sprintf("choose one of the list; %q is none of it.", typed)
	}
	ctx := c.Request().Context()
	for range 2 {
		v.List, v.Next, err = p.Feedback.Exemplars(ctx, feedback.ExemplarFilter{State: v.State, AgentType: v.AgentType, Cursor: v.Cursor})
		if fieldErrors(err)["cursor"] == "" {
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
	f := p.frame(c, "Examples")
	f.Wide, f.Topics = true, topicsOf()
	return render.Page(c, status, views.ExamplesPage(f, v))
}

// mayAccept tells whether the viewer settles what is learned.
func mayAccept(c echo.Context) bool {
	a, _ := session.Current(c)
	return a.Has(account.Expert) || a.Has(account.Admin)
}

// ExampleRetire takes an example out of use for good.
func (p *Pages) ExampleRetire(c echo.Context) error {
	v := views.Examples{Wrong: c.Param("id"), Why: c.FormValue("why")}
	err := p.Feedback.Retire(context.WithoutCancel(c.Request().Context()), v.Wrong, v.Why, actor(c))
	if err == nil {
		return p.done(c, "/feedback/examples", "The example is retired. Votes do not bring it back.")
	}
	if !fault.Is(err, fault.Invalid) {
		return err
	}
	v.Error = "Say why, in at most 2,000 bytes."
	return p.showExamples(c, http.StatusUnprocessableEntity, v)
}

// NightList is what each night made of its day.
func (p *Pages) NightList(c echo.Context) (err error) {
	ctx := c.Request().Context()
	v := views.Nights{Now: p.Now(), Cursor: c.QueryParam("cursor"), MaySettle: mayAccept(c)}
	status := http.StatusOK
	v.List, v.Next, err = p.Nightly.Nights(ctx, "", v.Cursor)
	if fieldErrors(err)["cursor"] != "" {
		v.Unread, v.Cursor, status = map[string]string{"cursor": cutOff}, "", http.StatusUnprocessableEntity
		v.List, v.Next, err = p.Nightly.Nights(ctx, "", "")
	}
	if err != nil {
		return err
	}
	if v.Lines, err = p.Nightly.Lines(ctx); err != nil {
		return err
	}
	f := p.frame(c, "Nightly summaries")
	f.Wide, f.Topics = true, topicsOf()
	return render.Page(c, status, views.NightsPage(f, v))
}

// PromptEnd takes lines out of a prompt.
func (p *Pages) PromptEnd(c echo.Context) error {
	if err := p.Nightly.EndLines(context.WithoutCancel(c.Request().Context()), c.Param("id"), actor(c)); err != nil {
		return err
	}
	return p.done(c, "/feedback/nightly", "Removed. The next prompt comes without these lines.")
}
