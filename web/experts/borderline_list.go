package experts

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/platform/fault"
	views "preceptor/views/compliance"
	"preceptor/views/judges"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// What one page shows at most: texts to rate, and ruled sentences.
const (
	mostRatings   = 50
	mostSentences = 1000 // as many as count
)

// BorderlineList is one of the lists of borderline cases. Who is no expert reads what is ruled.
func (p *Pages) BorderlineList(c echo.Context, in struct {
	List   string `form:"list"`
	Cursor string `form:"cursor"`
}) error {
	return p.borderlineList(c, views.List{Tab: in.List}, in.Cursor, nil)
}

func (p *Pages) borderlineList(c echo.Context, v views.List, cursor string, wrong error) (err error) {
	if !form.Again(wrong, fault.Denied) {
		return wrong
	}
	ctx := c.Request().Context()
	v.Viewer, v.Now = viewer(c), p.Now()
	v.Form.Message, v.Form.Errors = form.Said(wrong)
	if !v.Viewer.Expert && v.Tab != views.TabSentences {
		v.Tab = borderline.ListClosed
	} else if v.Tab == "" {
		v.Tab = borderline.ListWaiting
	}
	if v.Counts, err = p.Borderline.Counts(ctx, v.Viewer); err != nil {
		return err
	}
	switch v.Tab {
	case views.TabSentences:
		if err := p.ruledSentences(ctx, &v); err != nil {
			return err
		}
	case views.TabRatings:
		if v.Ratings, err = p.Borderline.Ratings(ctx, v.Viewer.Person, false, mostRatings); err != nil {
			return err
		}
		if v.Rated, err = p.Borderline.Ratings(ctx, v.Viewer.Person, true, mostRatings); err != nil {
			return err
		}
	default:
		if v.Page, err = p.Borderline.List(ctx,
			borderline.Filter{List: v.Tab, Viewer: v.Viewer, Cursor: cursor}); err != nil {
			return err
		}
	}
	if err := p.budgets(ctx, &v); err != nil {
		return err
	}
	if v.Figures = session.Leads(c); v.Viewer.Expert || v.Figures {
		if v.Stuck, err = p.Borderline.Stuck(ctx); err != nil {
			return err
		}
	}
	if cursor != "" {
		v.First = "/compliance?list=" + v.Tab
	}
	return render.Page(c, wrong,
		views.ListPage(p.Frame(c, "Borderline cases").At("/compliance").Broad().Follow("borderline"), v))
}

// ruledSentences adds those that count, with how many experts agree.
func (p *Pages) ruledSentences(ctx context.Context, v *views.List) error {
	list, err := p.Borderline.Sentences(ctx, v.Viewer.Person, v.Viewer.Expert)
	for _, s := range list[:min(len(list), mostSentences)] {
		if n, ok := p.Validator.Agreed(ctx, s.ID); ok {
			v.Ruled = append(v.Ruled, views.RuledSentence{Sentence: s, Experts: n})
		}
	}
	return err
}

// SentenceEnd ends what experts ruled on a sentence.
func (p *Pages) SentenceEnd(c echo.Context, in struct {
	Reason string `form:"reason"`
}) error {
	if err := p.Borderline.EndSentence(c.Request().Context(), c.Param("id"), in.Reason, expert(c)); err != nil {
		return p.borderlineList(c, views.List{Tab: views.TabSentences,
			Form: views.SentenceForm{ID: c.Param("id"), Reason: in.Reason}}, "", err)
	}
	return render.Done(c, "/compliance?list="+views.TabSentences, "Ended. Later drafts are read without it.")
}

// budgets adds what experts can take, and what is promised of violations that nobody sees.
func (p *Pages) budgets(ctx context.Context, v *views.List) error {
	names, _, err := p.AgentNames(ctx)
	if err != nil {
		return err
	}
	list, err := p.Borderline.Budgets(ctx)
	for _, b := range list {
		v.Budgets = append(v.Budgets, views.AgentBudget{Budget: b, Agent: names[b.AgentID]})
	}
	v.Bound = judges.MissBound(p.Judges.Standing())
	return err
}

// BorderlineListBack answers a browser that loads the address of one of the list's forms again.
func (p *Pages) BorderlineListBack(c echo.Context) error {
	return c.Redirect(http.StatusSeeOther, "/compliance")
}

// BorderlineNext takes the next case that this expert can answer or adjudicate.
func (p *Pages) BorderlineNext(c echo.Context) error {
	id, err := p.Borderline.ClaimNext(c.Request().Context(), expert(c))
	if err != nil {
		return err
	}
	if id == "" {
		return render.Done(c, "/todo", "No borderline case is waiting for you.")
	}
	return render.Redirect(c, "/compliance/"+id)
}

// BorderlineSkip leaves a case to others and takes the next.
func (p *Pages) BorderlineSkip(c echo.Context) error {
	if err := p.Borderline.Skip(context.WithoutCancel(c.Request().Context()), c.Param("id"), expert(c)); err != nil {
		return err
	}
	return p.BorderlineNext(c)
}

// expert is the signed-in person as the borderline cases know them.
func expert(c echo.Context) borderline.Person {
	a := session.Me(c)
	return borderline.Person{ID: a.ID, Name: a.Name}
}

func viewer(c echo.Context) borderline.Viewer {
	a := session.Me(c)
	return borderline.Viewer{Person: expert(c), Expert: a.Has(account.Expert), Decides: session.Leads(c)}
}
