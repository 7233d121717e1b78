// Package datasets holds the pages of gold sets: labelling, rulings, versions, files, and the judges that are measured
// on them.
package datasets

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/compliance/measure"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/views/judges"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/frame"
	"preceptor/web/render"
	"preceptor/web/session"
)

// Pages are the handlers.
type Pages struct {
	*frame.Maker
	uploads uploads
}

const (
	judgesPerPage = 25
	judgesShown   = 5 // of the runs and thresholds, with the judges
)

// previewed are the risks at which a run's page shows what a threshold would do.
var previewed = []float64{0.02, 0.05, 0.1}

// JudgesShow says who votes, how well, and what routes now.
func (p *Pages) JudgesShow(c echo.Context, in judgesForm) error { return p.judgesPage(c, in, nil) }

// judgesForm is what starts a run: "id number" of a version, and its split.
type judgesForm struct {
	Set   string `form:"set"`
	Split string `form:"split"`
}

// pageBefore is where a list by number goes on.
type pageBefore struct {
	Before int `form:"before"`
}

// pages are the addresses of the first page, where this is not it, and of the next, if there is one.
func (b pageBefore) pages(here string, more bool, last int) (first, next string) {
	if b.Before > 0 {
		first = here
	}
	if more {
		next = ui.Address(here, pageBefore{last})
	}
	return first, next
}

func (p *Pages) judgesPage(c echo.Context, in judgesForm, wrong error) error {
	ctx := c.Request().Context()
	v := judges.Overview{Members: evaluate.Members(p.Validator.Panel()), May: session.Settles(c), Chosen: in.Set}
	var err error
	if v.Newest, err = p.Judges.Newest(ctx); err != nil {
		return err
	}
	v.Active, v.Applies = p.Judges.Standing()
	if v.Refits, err = p.Judges.Refits(ctx); err != nil {
		return err
	}
	if v.Thresholds, _, err = p.Judges.Thresholds(ctx, 0, judgesShown); err != nil {
		return err
	}
	if v.Runs, _, err = p.Judges.List(ctx, 0, judgesShown); err != nil {
		return err
	}
	if v.Sets, err = p.measurable(ctx); err != nil {
		return err
	}
	v.Error, _ = form.Said(wrong)
	return render.Page(c, wrong, judges.OverviewPage(p.Frame(c, "Judges").Broad().Follow("judges"), v), fault.NotFound)
}

// measurable are the newest versions of the sets that have one.
func (p *Pages) measurable(ctx context.Context) (sets []judges.Set, err error) {
	list, err := p.Datasets.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, d := range list {
		versions, err := p.Versions.List(ctx, d.ID)
		if err != nil {
			return nil, err
		}
		for _, v := range versions {
			sets = append(sets, judges.Set{DatasetID: d.ID, Number: v.Number,
				Label: d.Name + ", version " + strconv.Itoa(v.Number) + ", " + ui.Count(v.Items, "text")})
		}
	}
	return sets, nil
}

// JudgesMeasure starts a run.
func (p *Pages) JudgesMeasure(c echo.Context, in judgesForm) error {
	set, number, _ := strings.Cut(in.Set, " ")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		return p.judgesPage(c, in, fault.New(fault.Invalid, "Choose a version to measure on."))
	}
	r, err := p.Judges.Start(c.Request().Context(), set, n, in.Split, session.Actor(c), true)
	if err != nil {
		return p.judgesPage(c, in, err)
	}
	return render.Done(c, "/compliance/judges/runs/"+r.ID, "The judges are being measured. You can leave this page.")
}

// JudgeRuns lists runs.
func (p *Pages) JudgeRuns(c echo.Context, in pageBefore) error {
	list, more, err := p.Judges.List(c.Request().Context(), in.Before, judgesPerPage)
	if err != nil {
		return err
	}
	v := judges.Runs{List: list}
	if len(list) > 0 {
		v.Pages.First, v.Pages.Next = in.pages("/compliance/judges/runs", more, list[len(list)-1].Number)
	}
	return render.Page(c, nil, judges.RunsPage(p.Frame(c, "Runs of the judges").Broad().Follow("judges"), v))
}

// JudgeRun shows one run.
func (p *Pages) JudgeRun(c echo.Context) error { return p.judgeRunPage(c, nil) }

func (p *Pages) judgeRunPage(c echo.Context, wrong error) error {
	ctx := c.Request().Context()
	r, err := p.Judges.Get(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	v := judges.RunView{Run: r, May: session.Settles(c)}
	if r.State == evaluate.Done {
		if err := p.previews(ctx, &v); err != nil {
			return err
		}
	}
	v.Error, _ = form.Said(wrong)
	return render.Page(c, wrong,
		judges.RunPage(p.Frame(c, "Run "+strconv.Itoa(r.Number)).Broad().Follow("judges"), v))
}

func (p *Pages) previews(ctx context.Context, v *judges.RunView) error {
	for _, alpha := range previewed {
		content, err := p.Judges.Preview(ctx, v.Run.ID, measure.Aim{Alpha: alpha, Delta: evaluate.DefaultAim.Delta}, "")
		if fault.Is(err, fault.Invalid) {
			v.NoWhy, v.Previews = fault.Message(err), nil
			return nil
		}
		if err != nil {
			return err
		}
		v.Previews = append(v.Previews, judges.Preview{Alpha: alpha, Content: *content})
	}
	return nil
}

// JudgeRunStop ends a run.
func (p *Pages) JudgeRunStop(c echo.Context) error {
	if err := p.Judges.Stop(c.Request().Context(), c.Param("id"), session.Actor(c)); err != nil {
		return p.judgeRunPage(c, err)
	}
	return render.Done(c, "/compliance/judges/runs/"+c.Param("id"), "The run is stopped.")
}

// JudgeWho shows one judge, the checks or the panel in one run.
func (p *Pages) JudgeWho(c echo.Context) error {
	r, err := p.Judges.Get(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	name := c.Param("who")
	if r.Figures != nil {
		for _, who := range []string{name, "judge:" + name} {
			if f := r.Figures.Of(who); f != nil {
				v := judges.One{Run: r, Figure: *f}
				for i, b := range r.Figures.Agreement {
					if b.Judge == f.Who {
						v.Beside = &r.Figures.Agreement[i]
					}
				}
				return render.Page(c, nil,
					judges.OnePage(p.Frame(c, f.Name+", run "+strconv.Itoa(r.Number)).Broad(), v))
			}
		}
	}
	return fault.New(fault.NotFound, "This run measured no judge of that name.")
}

// VersionLearn shows what a version of a gold set has to teach.
func (p *Pages) VersionLearn(c echo.Context) error {
	return p.learnPage(c, judges.Learn{Lessons: true}, nil)
}

func (p *Pages) learnPage(c echo.Context, v judges.Learn, wrong error) (err error) {
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
	return render.Page(c, wrong, judges.LearnPage(p.Frame(c, "Learn from "+v.Name), v), fault.Denied)
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
	if done.Known > 0 {
		line += " " + ui.Count(done.Known, "text has a lesson already.", "texts have a lesson already.")
	}
	return render.Done(c, "/datasets/"+in.DatasetID+"/versions/"+strconv.Itoa(n)+"/learn", line)
}
