package page

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/fault"
	"preceptor/views/judges"
	"preceptor/views/ui"
	"preceptor/web/render"
)

// VersionLearn shows what a version of a gold set has to teach.
func (p *Pages) VersionLearn(c echo.Context) error {
	return p.learnPage(c, http.StatusOK, judges.Learn{Lessons: true}, nil)
}

func (p *Pages) learnPage(c echo.Context, status int, v judges.Learn, wrong error) error {
	ctx := c.Request().Context()
	n, err := strconv.Atoi(c.Param("n"))
	if err != nil || n < 1 {
		return fault.New(fault.NotFound, "There is no such version.")
	}
	if v.Teaching, err = p.Judges.CanTeach(ctx, c.Param("id"), n); err != nil {
		return err
	}
	agents, err := p.Accounts.Agents(ctx)
	if err != nil {
		return err
	}
	for _, a := range agents {
		v.Agents = append(v.Agents, ui.Option{Value: a.ID, Label: a.Name})
	}
	if wrong != nil {
		v.Error = fault.Message(wrong)
	}
	return render.Page(c, status, judges.LearnPage(p.frame(c, "Learn from "+v.Name), v))
}

// VersionTeach has the learning path take what a person ticked.
func (p *Pages) VersionTeach(c echo.Context) error {
	ctx := c.Request().Context()
	form, err := c.FormParams()
	if err != nil {
		return fault.Wrap(fault.Invalid, err, "The form can't be read. Load the page again.")
	}
	v := judges.Learn{Agent: form.Get("agent"), Ticked: form["approve"], Lessons: form.Get("lessons") != ""}
	n, err := strconv.Atoi(c.Param("n"))
	if err != nil {
		return fault.New(fault.NotFound, "There is no such version.")
	}
	in := evaluate.TeachInput{DatasetID: c.Param("id"), Number: n, Approved: v.Ticked, Lessons: v.Lessons, By: actor(c)}
	agents, err := p.Accounts.Agents(ctx)
	if err != nil {
		return err
	}
	for _, a := range agents {
		if a.ID == v.Agent {
			in.Agent = evaluate.Agent{ID: a.ID, Name: a.Name}
		}
	}
	if in.Agent.ID == "" {
		return p.learnPage(c, http.StatusUnprocessableEntity, v, fault.New(fault.Invalid, "Choose whose knowledge it becomes."))
	}
	if form.Get("act") == "rest" {
		for _, id := range form["shown"] {
			if !slices.Contains(v.Ticked, id) {
				in.Passed = append(in.Passed, id)
			}
		}
	}
	done, err := p.Judges.Teach(ctx, in)
	switch k := fault.KindOf(err); {
	case err == nil:
		line := fmt.Sprintf("%s, %s.", ui.Count(done.Exemplars, "exemplar kept", "exemplars kept"), ui.Count(done.Lessons, "lesson begun", "lessons begun"))
		return p.done(c, "/datasets/"+in.DatasetID+"/versions/"+strconv.Itoa(n)+"/learn", line)
	case k == fault.Invalid || k == fault.Conflict || k == fault.Denied:
		return p.learnPage(c, k.Status(), v, err)
	}
	return err
}
