package page

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/decimal"
	"preceptor/internal/fault"
	"preceptor/internal/feedback"
	views "preceptor/views/feedback"
	"preceptor/web/session"
)

// SubjectFollowUp keeps a supervisor's account of how it went.
func (p *Pages) SubjectFollowUp(c echo.Context) error {
	v, err := p.subjectView(c)
	if err != nil {
		return err
	}
	if v.Follow == nil {
		return fault.New(fault.Conflict, "This answer is not with its reader, so there is nothing to follow up.")
	}
	typed, o := followUp(c)
	typed.HasDB = v.Follow.HasDB
	v.Follow = &typed
	if len(typed.Errors) == 0 {
		_, err = p.Feedback.AddOutcome(context.WithoutCancel(c.Request().Context()), o)
		if err == nil {
			return p.done(c, "/feedback/"+v.Subject.ID, "The outcome is kept.")
		}
		if !fault.Is(err, fault.Invalid) && !fault.Is(err, fault.Limited) && !fault.Is(err, fault.Conflict) {
			return err
		}
		v.Follow.Message, v.Follow.Errors = fault.Message(err), plainFields(err)
		return p.showSubject(c, fault.KindOf(err).Status(), v)
	}
	v.Follow.Message = "Something needs another look."
	return p.showSubject(c, http.StatusUnprocessableEntity, v)
}

// plainFields are the domain's fields by their names; those of a list's items count for the list.
func plainFields(err error) map[string]string {
	out := map[string]string{}
	for _, f := range fault.Fields(err) {
		name, _, _ := strings.Cut(strings.TrimPrefix(f.Name, "/"), "/")
		out[name] = f.Msg
	}
	return out
}

// followUp reads the form, and notes what can't be read.
func followUp(c echo.Context) (f views.FollowUp, o feedback.Outcome) {
	a, _ := session.Current(c)
	f = views.FollowUp{Satisfaction: strings.TrimSpace(c.FormValue("satisfaction")), Comprehension: strings.TrimSpace(c.FormValue("comprehension")),
		GoalAlignment: strings.TrimSpace(c.FormValue("goal_alignment")), Issues: strings.ReplaceAll(c.FormValue("issues"), "\r\n", "\n"),
		GoalsMet: c.FormValue("goals_met"), Checked: c.FormValue("understanding_checked"), Signposted: c.FormValue("signposted"), Warned: c.FormValue("db_warning_given"),
		Errors: map[string]string{}}
	o = feedback.Outcome{SubjectID: c.Param("id"), By: a.ID, ByName: a.Name, Channel: feedback.ChannelDesk}
	for _, s := range []struct {
		name, typed string
		into        *float64
	}{{"satisfaction", f.Satisfaction, &o.Satisfaction}, {"comprehension", f.Comprehension, &o.Comprehension}, {"goal_alignment", f.GoalAlignment, &o.GoalAlignment}} {
		x, err := decimal.Parse(s.typed)
		if err != nil || x < 0 || x > 10 {
			f.Errors[s.name] = decimal.Say(err, "Write a number from 0 to 10.")
		}
		*s.into = x
	}
	for _, t := range []struct {
		name, typed string
		into        **bool
	}{{"goals_met", f.GoalsMet, &o.GoalsMet}, {"understanding_checked", f.Checked, &o.UnderstandingChecked}, {"signposted", f.Signposted, &o.Signposted}, {"db_warning_given", f.Warned, &o.DBWarningGiven}} {
		switch t.typed {
		case "yes", "no":
			yes := t.typed == "yes"
			*t.into = &yes
		case "":
		default:
			f.Errors[t.name] = "Choose yes, no or not known."
		}
	}
	for _, line := range strings.Split(f.Issues, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			o.Issues = append(o.Issues, line)
		}
	}
	return f, o
}

// SubjectLink makes a link for a customer, and shows it once: the answer to this form is the only place where it stands.
func (p *Pages) SubjectLink(c echo.Context) error {
	v, err := p.subjectView(c)
	if err != nil {
		return err
	}
	if v.Maker == nil {
		return fault.New(fault.Conflict, "This answer is not with its reader, so nobody can be asked about it.")
	}
	v.Maker = &views.Maker{User: strings.TrimSpace(c.FormValue("user_id")), Days: c.FormValue("days"), Bare: c.FormValue("bare") == "yes"}
	days, err := strconv.Atoi(v.Maker.Days)
	if err != nil || days < 1 || days > 90 {
		v.Maker.Errors = map[string]string{"expires_in_hours": "Choose how long the link works."}
		return p.showSubject(c, http.StatusUnprocessableEntity, v)
	}
	token, link, err := p.Feedback.NewLink(context.WithoutCancel(c.Request().Context()), feedback.LinkRequest{SubjectID: v.Subject.ID, UserID: v.Maker.User,
		Life: time.Duration(days) * 24 * time.Hour, Bare: v.Maker.Bare}, actor(c))
	if fault.Is(err, fault.Invalid) {
		v.Maker.Errors = plainFields(err)
		return p.showSubject(c, http.StatusUnprocessableEntity, v)
	}
	if err != nil {
		return err
	}
	v.Maker = &views.Maker{Days: v.Maker.Days, Bare: v.Maker.Bare, Link: p.Address("/f/" + token), Until: link.Until}
	return p.showSubject(c, http.StatusOK, v)
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
	if err := p.Feedback.EndLinks(c.Request().Context(), actor(c)); err != nil {
		return err
	}
	return p.done(c, "/admin/agents", "No feedback link that was made so far works any more.")
}
