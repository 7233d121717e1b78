package experts

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/learning"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
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
		views.ListPage(p.Frame(c, "Borderline cases").At("/compliance").Broad().Follow("borderline"), v), fault.Denied)
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
		return render.Done(c, "/todo", "No borderline case is waiting for you that you haven't skipped.")
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

// similarRulings is how many earlier rulings stand beside a case.
const similarRulings = 4

// BorderlineShow is one case, as far as this person may see it now.
func (p *Pages) BorderlineShow(c echo.Context, in struct {
	Mode string `form:"mode"`
}) error {
	return p.showBorderline(c, views.Case{Mode: in.Mode}, nil)
}

// BorderlineBack answers a browser that loads the address of one of a case's forms again.
func (p *Pages) BorderlineBack(c echo.Context) error {
	return c.Redirect(http.StatusSeeOther, "/compliance/"+c.Param("id"))
}

// showBorderline draws a case with the forms that stand in v and what was wrong.
func (p *Pages) showBorderline(c echo.Context, v views.Case, wrong error) (err error) {
	v.Form.Message, v.Form.Errors = form.Said(wrong)
	ctx := c.Request().Context()
	v.Viewer, v.Now = viewer(c), p.Now()
	if v.Remark.Key == "" {
		v.Remark.Key = id.New()
	}
	if v.View, err = p.Borderline.Get(ctx, c.Param("id"), v.Viewer); err != nil {
		return err
	}
	if v.In, err = p.Interactions.Get(ctx, v.View.InteractionID); err != nil {
		return err
	}
	v.Rubric, v.Taxonomy = p.Borderline.Rubric(v.View.Pack), p.Borderline.Taxonomy(v.View.Pack)
	if v.Similar, err = p.Borderline.Similar(ctx, v.View.ID, v.Viewer, similarRulings); err != nil {
		return err
	}
	if v.View.Ruling != nil {
		if v.Lesson, err = p.ruledLesson(ctx, *v.View.Ruling); err != nil {
			return err
		}
		if v.Lesson != nil && v.Lesson.State == learning.Unstated && v.Viewer.Expert {
			e := p.LessonEditor(c, v.Lesson)
			v.Teach = &e
		}
	}
	if v.Mode == views.ModeChange && v.View.Blind != nil && wrong == nil {
		v.Form = views.FormOf(*v.View.Blind)
	}
	if wrong == nil && v.View.Draft != "" && (v.View.Blind == nil || v.Mode == views.ModeChange) {
		kept := views.Form{}
		if err := json.Unmarshal([]byte(v.View.Draft), &kept); err == nil {
			// written by this program; an older form is left alone
			v.Form = kept
		}
	}
	return render.Page(c, wrong,
		views.CasePage(p.Frame(c, "Borderline case").At("/compliance").Broad().Follow("borderline"), v), fault.Denied)
}

// ruledLesson is what a ruling teaches: the one that waits for its sentence first. What an undone ruling on the text
// taught is none of it.
func (p *Pages) ruledLesson(ctx context.Context, r borderline.Ruling) (found *learning.Lesson, err error) {
	list, err := p.Learning.ForInteraction(ctx, r.InteractionID)
	for i := range list {
		l := &list[i]
		cause, _, _ := strings.Cut(l.CauseID, "#")
		if l.Origin == learning.Ruling && cause == r.ID && (found == nil || l.State == learning.Unstated) {
			found = l
		}
	}
	if err != nil || found == nil {
		return nil, err
	}
	return p.Learning.Get(ctx, found.ID)
}

// BorderlineClaim takes a place on a case; the page asks again while it is open. That somebody else has it is no error
// of the page: it says so when it is drawn next.
func (p *Pages) BorderlineClaim(c echo.Context) error {
	err := p.Borderline.Claim(c.Request().Context(), c.Param("id"), expert(c))
	if err != nil && !(render.IsHTMX(c) && fault.Is(err, fault.Conflict)) {
		return err
	}
	if !render.IsHTMX(c) { // taken up again from a list
		return c.Redirect(http.StatusSeeOther, "/compliance/"+c.Param("id"))
	}
	return c.NoContent(http.StatusNoContent)
}

// BorderlineUndo takes back what one did last on a case.
func (p *Pages) BorderlineUndo(c echo.Context) error {
	return p.settled(c, views.Form{}, "", p.Borderline.Undo(c.Request().Context(), c.Param("id"), expert(c)))
}

// BorderlineKeep makes the blind answer the last one.
func (p *Pages) BorderlineKeep(c echo.Context) error {
	said := clicked(c)
	_, err := p.Borderline.Keep(c.Request().Context(), c.Param("id"), expert(c), clicks(said)...)
	return p.settled(c, views.Form{Clicks: said}, "", err)
}

// settled goes back to the case, or shows it with what was typed and what was wrong.
func (p *Pages) settled(c echo.Context, typed views.Form, mode string, err error) error {
	if err != nil {
		return p.showBorderline(c, views.Case{Form: typed, Mode: mode}, err)
	}
	return render.Redirect(c, "/compliance/"+c.Param("id"))
}
