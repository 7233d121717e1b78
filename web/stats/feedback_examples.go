package stats

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/feedback"
	"preceptor/internal/feedback/link"
	"preceptor/internal/platform/decimal"
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
	return render.Status(c, status, views.ExamplesPage(p.Frame(c, "Examples").Broad().Follow(), v))
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
	v := views.Nights{Cursor: in.Cursor, Now: p.Now()}
	status := http.StatusOK
	v.List, v.Next, err = p.Nightly.Nights(ctx, v.Cursor)
	if form.Errors(err)["cursor"] != "" {
		v.Unread, v.Cursor, status = map[string]string{"cursor": cutOff}, "", http.StatusUnprocessableEntity
		v.List, v.Next, err = p.Nightly.Nights(ctx, "")
	}
	if err != nil {
		return err
	}
	if v.Cursor == "" {
		if v.Prompts, err = p.Nightly.Prompts(ctx); err != nil {
			return err
		}
	}
	return render.Status(c, status,
		views.NightsPage(p.Frame(c, "Nightly summaries and prompt files").Broad().Follow(), v))
}

// SubjectFollowUp keeps a supervisor's account of how it went.
func (p *Pages) SubjectFollowUp(c echo.Context, typed views.FollowUp) error {
	v, err := p.subjectView(c)
	if err != nil {
		return err
	}
	if v.Follow == nil {
		return fault.New(fault.Conflict, "This answer hasn't reached the customer, so there is nothing to follow up.")
	}
	typed.HasDB = v.Follow.HasDB
	o, err := followUp(c, typed)
	if err == nil {
		_, err = p.Feedback.AddOutcome(context.WithoutCancel(c.Request().Context()), o)
	}
	if err == nil {
		return render.Done(c, "/feedback/"+v.Subject.ID, "Outcome saved.")
	}
	if !form.Again(err, fault.Limited) {
		return err
	}
	typed.Message, typed.Errors = fault.Message(err), form.PlainErrors(err)
	v.Follow = &typed
	return p.showSubject(c, form.Status(err), v)
}

// followUp reads the form, and says what can't be read.
func followUp(c echo.Context, f views.FollowUp) (feedback.Outcome, error) {
	a := session.Me(c)
	o := feedback.Outcome{SubjectID: c.Param("id"), By: a.ID, ByName: a.Name, Channel: feedback.ChannelDesk,
		Issues: form.Lines(f.Issues)}
	var r form.Reading
	score := func(name, typed string) float64 {
		x, err := decimal.Parse(typed)
		if err != nil || x < 0 || x > 10 {
			r.Wrong(name, decimal.Say(err, "Enter a number from 0 to 10."))
		}
		return x
	}
	o.Satisfaction, o.Comprehension, o.GoalAlignment = score("satisfaction", f.Satisfaction),
		score("comprehension", f.Comprehension), score("goal_alignment", f.GoalAlignment)
	known := func(name, typed string) *bool {
		switch typed {
		case "yes", "no":
			yes := typed == "yes"
			return &yes
		case "":
		default:
			r.Wrong(name, "Choose yes, no or not known.")
		}
		return nil
	}
	o.GoalsMet, o.UnderstandingChecked = known("goals_met", f.GoalsMet), known("understanding_checked", f.Checked)
	o.Signposted, o.DBWarningGiven = known("signposted", f.Signposted), known("db_warning_given", f.Warned)
	return o, r.Err("Check your answers and try again.")
}

// SubjectLink makes a link for a customer; the page that follows shows it, once.
func (p *Pages) SubjectLink(c echo.Context, typed views.Maker) error {
	v, err := p.subjectView(c)
	if err != nil {
		return err
	}
	if v.Maker == nil {
		return fault.New(fault.Conflict, "This answer hasn't reached the customer, so you can't ask about it.")
	}
	v.Maker = &typed
	days, err := strconv.Atoi(v.Maker.Days)
	if err != nil || days < 1 || days > 90 {
		v.Maker.Errors = map[string]string{"expires_in_hours": "Choose how long the link should work."}
		return p.showSubject(c, http.StatusUnprocessableEntity, v)
	}
	token, made, err := p.Links.New(context.WithoutCancel(c.Request().Context()),
		link.Request{SubjectID: v.Subject.ID, UserID: v.Maker.User,
			Life: time.Duration(days) * 24 * time.Hour, Bare: v.Maker.Bare}, session.Actor(c))
	if fault.Is(err, fault.Invalid) {
		v.Maker.Errors = form.PlainErrors(err)
		return p.showSubject(c, http.StatusUnprocessableEntity, v)
	}
	if err != nil {
		return err
	}
	v.Maker.User, v.Maker.Link, v.Maker.Until = "", p.Address("/f/"+token), made.Until
	return render.Once(c, "/feedback/"+v.Subject.ID, v.Maker)
}

// SubjectBack answers a browser that loads the address of a form again: it shows the answer.
func (p *Pages) SubjectBack(c echo.Context) error {
	v, err := p.subjectView(c)
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/feedback/"+v.Subject.ID)
}

// LinksEnd makes every link that was made so far useless, at once.
func (p *Pages) LinksEnd(c echo.Context) error {
	if err := p.Links.End(c.Request().Context(), session.Actor(c)); err != nil {
		return err
	}
	return render.Done(c, "/admin/agents", "All existing feedback links have been ended.")
}
