package datasets

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/views/judges"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// VersionLearn shows what a version of a gold set has to teach.
func (p *Pages) VersionLearn(c echo.Context) error {
	return p.learnPage(c, judges.Learn{Lessons: true}, nil)
}

func (p *Pages) learnPage(c echo.Context, v judges.Learn, wrong error) (err error) {
	if !form.Again(wrong, fault.Denied) {
		return wrong
	}
	ctx := c.Request().Context()
	n, err := strconv.Atoi(c.Param("n"))
	if err != nil || n < 1 {
		return fault.New(fault.NotFound, "There is no such version.")
	}
	if v.Teaching, err = p.Judges.CanTeach(ctx, c.Param("id"), n); err != nil {
		return err
	}
	if v.Agents, err = p.learners(ctx, c.Param("id")); err != nil {
		return err
	}
	v.Error, _ = form.Said(wrong)
	return render.Page(c, wrong, judges.LearnPage(p.Frame(c, "Learn from "+v.Name), v))
}

// learners are the agents that a set can teach: those of its pack.
func (p *Pages) learners(ctx context.Context, datasetID string) (out []ui.Option, err error) {
	set, err := p.Datasets.Get(ctx, datasetID)
	if err != nil {
		return nil, err
	}
	_, agents, err := p.AgentNames(ctx)
	for _, a := range agents {
		if pack.Of(a.Pack).Name == pack.Of(set.Pack).Name {
			out = append(out, ui.Option{Value: a.ID, Label: a.Name})
		}
	}
	return out, err
}

// VersionTeach has the learning path take what a person ticked.
func (p *Pages) VersionTeach(c echo.Context, v judges.Learn) error {
	ctx := c.Request().Context()
	n, err := strconv.Atoi(c.Param("n"))
	if err != nil {
		return fault.New(fault.NotFound, "There is no such version.")
	}
	in := evaluate.TeachInput{DatasetID: c.Param("id"), Number: n, Approved: v.Ticked, Lessons: v.Lessons,
		By: session.Actor(c)}
	agents, err := p.learners(ctx, in.DatasetID)
	if err != nil {
		return err
	}
	for _, a := range agents {
		if a.Value == v.Agent {
			in.Agent = evaluate.Agent{ID: a.Value, Name: a.Label}
		}
	}
	if in.Agent.ID == "" {
		return p.learnPage(c, v, fault.New(fault.Invalid, "Choose whose knowledge to add it to."))
	}
	if v.Act == "rest" {
		in.Passed = slices.DeleteFunc(v.Seen, func(id string) bool { return slices.Contains(v.Ticked, id) })
	}
	done, err := p.Judges.Teach(ctx, in)
	if err != nil {
		return p.learnPage(c, v, err)
	}
	line := fmt.Sprintf("%s, %s.", ui.Count(done.Exemplars, "exemplar kept", "exemplars kept"),
		ui.Count(done.Lessons, "lesson begun", "lessons begun"))
	return render.Done(c, "/datasets/"+in.DatasetID+"/versions/"+strconv.Itoa(n)+"/learn", line)
}
