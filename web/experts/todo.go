// Package experts holds the pages of compliance experts: what they have to do, borderline cases, the line that they
// rule by, ratings of what went out, and checks.
package experts

import (
	"cmp"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/compliance/borderline"
	"preceptor/internal/dataset"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/conflict"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
	views "preceptor/views/compliance"
	known "preceptor/views/knowledge"
	"preceptor/views/layout"
	lessons "preceptor/views/learning"
	"preceptor/views/ui"
	"preceptor/web/frame"
	"preceptor/web/render"
	"preceptor/web/session"
	"preceptor/web/teach"
)

// Pages are the handlers.
type Pages struct {
	*frame.Maker
	*teach.Teacher
}

// todoEach is how many of one kind the page lists.
const todoEach = 30

// Todo is what waits for an expert.
func (p *Pages) Todo(c echo.Context) error {
	v := views.Todo{Now: p.Now()}
	for _, add := range []func(echo.Context, *views.Todo) error{
		p.todoCases, p.todoRatings, p.todoLessons, p.todoKnowledge, p.todoStandards, p.todoLabels,
	} {
		if err := add(c, &v); err != nil {
			return err
		}
	}
	slices.SortStableFunc(v.Items, func(a, b views.TodoItem) int {
		return cmp.Or(cmp.Compare(a.Rank(v.Now), b.Rank(v.Now)), a.Since.Compare(b.Since))
	})
	return render.Page(c, nil,
		views.TodoPage(p.Frame(c, "To do").Broad().Follow("borderline", "knowledge", "datasets"), v))
}

func (p *Pages) todoCases(c echo.Context, v *views.Todo) error {
	for _, list := range []string{borderline.ListWaiting, borderline.ListAdjudication} {
		page, err := p.Borderline.List(c.Request().Context(),
			borderline.Filter{List: list, Viewer: viewer(c), Limit: todoEach})
		if err != nil {
			return err
		}
		for _, r := range page.Items {
			it := views.TodoItem{Since: r.CreatedAt, Kind: "Borderline case", Title: pack.Label(r.Task),
				Words: "“" + r.Opening + "”", Href: "/compliance/" + r.ID, Target: r.TargetAt, Skipped: r.Skipped}
			if r.Skipped {
				it.Again = it.Href + "/claim"
			}
			switch {
			case len(r.Holders) > 0:
				it.Why = r.Holders[0] + " is working on it"
			case r.Pending:
				it.Why = "keep or change your answer"
			case list == borderline.ListAdjudication:
				it.Why = "experts disagree"
			}
			v.Items = append(v.Items, it)
		}
	}
	return nil
}

func (p *Pages) todoRatings(c echo.Context, v *views.Todo) error {
	list, err := p.Borderline.Ratings(c.Request().Context(), expert(c), false, todoEach)
	for _, r := range list {
		v.Items = append(v.Items, views.TodoItem{Since: r.CreatedAt, Kind: "Quality rating", Title: pack.Label(r.Task),
			Words: "“" + r.Opening + "”", Href: "/compliance/ratings/" + r.ID})
	}
	return err
}

func (p *Pages) todoLessons(c echo.Context, v *views.Todo) error {
	ctx := c.Request().Context()
	b, err := p.Learning.Board(ctx, learning.BoardFilter{Each: todoEach})
	if err != nil {
		return err
	}
	for _, l := range b.Needs() {
		v.Items = append(v.Items, views.TodoItem{Since: l.CreatedAt, Kind: lessons.NeedLabel(l),
			Title: lessons.Title(l), Words: lessons.About(l), Href: "/learning/" + l.ID, Urgent: l.Urgent})
	}
	rules, err := p.Learning.Unclaimed(ctx)
	for _, r := range rules {
		v.Items = append(v.Items, views.TodoItem{Since: r.UpdatedAt, Kind: "Imported rule to accept", Title: r.Label(),
			Words: r.Principle, Href: "/knowledge/rules/" + r.ID})
	}
	return err
}

func (p *Pages) todoKnowledge(c echo.Context, v *views.Todo) error {
	ctx := c.Request().Context()
	conflicts, _, err := p.Conflicts.List(ctx, conflict.Filter{Limit: todoEach})
	if err != nil {
		return err
	}
	for _, k := range conflicts {
		v.Items = append(v.Items, views.TodoItem{Since: k.FoundAt, Kind: "Conflict", Title: known.ConflictTitle(k),
			Words: known.ConflictWhy(k), Href: "/knowledge/conflicts/" + k.ID})
	}
	held, _, err := p.Knowledge.Rules(ctx, knowledge.Filter{Status: knowledge.Quarantined, Limit: todoEach})
	if err != nil {
		return err
	}
	due, err := p.Knowledge.Due(ctx, v.Now, todoEach)
	if err != nil {
		return err
	}
	rule := func(kind string, since time.Time, r knowledge.Rule) {
		v.Items = append(v.Items, views.TodoItem{Since: since, Kind: kind, Title: r.Label(), Words: r.Principle,
			Href: layout.TabQuarantine + "#rule-" + r.ID})
	}
	for _, r := range held {
		rule("Rule in quarantine", r.UpdatedAt, r)
	}
	for _, r := range due {
		rule("Rule due for review", r.ReviewBy, r)
	}
	n, err := p.Knowledge.Sizes(ctx)
	v.Count(n.Flagged, "Documents to check", ui.Count(n.Flagged, "section looks", "sections look")+" out of date",
		layout.TabDocuments)
	if err != nil {
		return err
	}
	changed, err := p.Knowledge.CountChangedSources(ctx)
	v.Count(changed, "Documents that changed", ui.Count(changed, "document")+" changed at the source",
		layout.TabDocuments)
	if err != nil {
		return err
	}
	open, err := p.Unanswered.Totals(ctx)
	v.Beside(open.Questions, "Unanswered questions", known.Unanswered(open), layout.TabUnanswered)
	return err
}

// todoStandards are what colleagues and agents proposed.
func (p *Pages) todoStandards(c echo.Context, v *views.Todo) error {
	ctx := c.Request().Context()
	n, err := p.Signals.Waiting(ctx)
	if err != nil {
		return err
	}
	v.Beside(n, "Agents' proposals", ui.Count(n, "proposal from a session", "proposals from sessions"),
		"/learning/sessions")
	waiting, err := p.Approvals.Waiting(ctx, session.Me(c).ID)
	if err != nil {
		return err
	}
	for _, w := range waiting {
		if w.ForMe() {
			v.Items = append(v.Items,
				views.TodoItem{Since: w.Proposed.At, Kind: w.Label(), Title: w.Title, Words: w.Reason,
					Why: "needs your agreement", Href: "/approvals#" + w.ID})
		}
	}
	return nil
}

// todoLabels are the sets in which the expert has something to label.
func (p *Pages) todoLabels(c echo.Context, v *views.Todo) error {
	ctx, me := c.Request().Context(), dataset.Person(expert(c))
	sets, err := p.Datasets.List(ctx)
	if err != nil {
		return err
	}
	for _, d := range sets {
		f, err := p.Datasets.Progress(ctx, d.ID, me)
		if err != nil {
			return err
		}
		n, skipped := f.Left, f.Mine.Skipped
		v.Labels += n
		if n > 0 {
			it := views.TodoItem{Kind: "Labels", Title: d.Name,
				Words: "Up to " + ui.Count(n, "text") + " to label", Href: "/datasets/" + d.ID + "/label"}
			if skipped > 0 {
				it.Words += ", " + ui.Thousands(skipped) + " skipped"
				it.Skipped, it.Again = skipped >= n, it.Href+"/unskip"
			}
			v.Items = append(v.Items, it)
		}
		disputed, err := p.Datasets.Waiting(ctx, d.ID, dataset.ItemDisputed, me, "", todoEach)
		if err != nil {
			return err
		}
		v.Beside(len(disputed.Items), "Disputed labels",
			ui.Count(len(disputed.Items), "text")+" of "+d.Name+" to rule on", "/datasets/"+d.ID+"/adjudicate")
	}
	return nil
}
