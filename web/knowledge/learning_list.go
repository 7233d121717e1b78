package knowledge

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
	lessons "preceptor/views/learning"
	"preceptor/views/statement"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/hidden"
	"preceptor/web/render"
	"preceptor/web/session"
)

const (
	columnLength  = 30
	settledLength = 20
)

// LearningList is the board.
func (p *Pages) LearningList(c echo.Context, in struct {
	learning.BoardFilter `form:"filter"`
	Outcome              string `form:"outcome"`
	Cursor               string `form:"cursor"`
}) error {
	f := in.BoardFilter
	f.Domain, f.Origin = form.OneOf(f.Domain, learning.Domains), form.OneOf(f.Origin, learning.Origins)
	return p.showBoard(c, http.StatusOK,
		lessons.Board{Filter: f, Outcome: form.OneOf(in.Outcome, lessons.Outcomes), Cursor: in.Cursor})
}

func (p *Pages) showBoard(c echo.Context, status int, v lessons.Board) error {
	v.Filter.Settled, v.Filter.Each, v.MaySettle, v.Now = blindToPlanted(session.Me(c)), columnLength,
		session.Settles(c), p.Now()
	if err := p.board(c.Request().Context(), &v); err != nil {
		return err
	}
	return render.Status(c, status,
		lessons.BoardPage(p.Frame(c, "Learning").At("/learning").Broad().Follow("knowledge"),
			v))
}

// board reads what the page shows of the lessons that were chosen.
func (p *Pages) board(ctx context.Context, v *lessons.Board) (err error) {
	f := v.Filter
	if v.Counts, err = p.Learning.CountsOf(ctx, f); err != nil {
		return err
	}
	if v.Board, err = p.Learning.Board(ctx, f); err != nil {
		return err
	}
	if !f.Narrow() {
		if v.Unclaimed, err = p.Learning.Unclaimed(ctx); err != nil {
			return err
		}
	}
	if v.Agents, err = p.AgentOptions(ctx); err != nil {
		return err
	}
	ended, err := p.Learning.List(ctx,
		learning.Filter{Ended: true, State: v.Outcome, Settled: f.Settled, AgentID: f.AgentID, Domain: f.Domain,
			Origin:      f.Origin,
			Provisional: f.Provisional, Cursor: v.Cursor, Limit: settledLength})
	v.Settled, v.Next = ended.Items, ended.Next
	return err
}

// blindToPlanted reports whether the account decides cases and looks after nothing: such a person must not tell a
// seeded check by what is learned of it.
func blindToPlanted(a account.Account) bool {
	return !a.Has(account.Expert) && !a.Has(account.Manager) && !a.Has(account.Admin)
}

// usesShown is how many drafts a rule's or case's page lists.
const usesShown = 20

// LearningShow is one lesson.
func (p *Pages) LearningShow(c echo.Context) error {
	v, err := p.lessonView(c)
	if err != nil {
		return err
	}
	return p.showLesson(c, http.StatusOK, v)
}

func (p *Pages) lessonView(c echo.Context) (v lessons.Lesson, err error) {
	v = lessons.Lesson{Now: p.Now(), MayAccept: session.Settles(c)}
	if v.Lesson, err = p.Learning.Get(c.Request().Context(), c.Param("id")); err != nil {
		return v, err
	}
	v.MayAskAgain = v.MayAccept && v.Lesson.MayReflectAgain() && p.Learning.HasModel()
	v.Case = hidden.CaseHref(c, v.Lesson.InteractionID)
	if err := p.teachLesson(c, &v); err != nil {
		return v, err
	}
	if v.Lesson.RuleID == "" {
		return v, nil
	}
	rule, err := p.Knowledge.Rule(c.Request().Context(), v.Lesson.RuleID)
	if err != nil {
		return v, err
	}
	v.Rule = &lessons.Rule{Status: rule.Status, Version: rule.Version,
		Failing: rule.Status == knowledge.Active && p.Learning.Failing(*v.Lesson)}
	if v.Beside, err = p.besideLesson(c.Request().Context(), v.Lesson.RuleID); err != nil {
		return v, err
	}
	if v.MayAccept && v.Open() {
		if v.Against, err = p.against(c, v.Lesson, nil, knowledge.Instead{}); err != nil {
			return v, err
		}
	}
	v.Uses, v.UsesMore, err = p.usesOf(c, v.Lesson.RuleID)
	return v, err
}

// against is what says the opposite of a lesson's rule, or of what is typed in its place.
func (p *Pages) against(c echo.Context, l *learning.Lesson, edited *rule.Statement,
	in knowledge.Instead) (a statement.Against, err error) {
	a.V, err = p.Learning.Against(c.Request().Context(), *l, edited, in)
	a.In = in
	return a, err
}

func (p *Pages) showLesson(c echo.Context, status int, v lessons.Lesson) error {
	title := v.Lesson.Title
	if title == "" {
		title = "A lesson"
	}
	return render.Status(c, status,
		lessons.LessonPage(p.Frame(c, title).At("/learning/"+v.Lesson.ID).Broad().Follow("knowledge"), v))
}

// usesOf lists the drafts that were shown a rule or case.
func (p *Pages) usesOf(c echo.Context, id string) (out []lessons.Use, more bool, err error) {
	list, err := p.Knowledge.UsesOf(c.Request().Context(), id, usesShown+1)
	if err != nil {
		return nil, false, err
	}
	if len(list) > usesShown {
		list, more = list[:usesShown], true
	}
	for _, u := range list {
		out = append(out, lessons.Use{InteractionID: u.InteractionID, Version: u.Version, Cited: u.Cited, At: u.At,
			Href: hidden.CaseHref(c, u.InteractionID)})
	}
	return out, more, nil
}

// LearningSeveral leads back to the board, where the act on several is.
func (p *Pages) LearningSeveral(c echo.Context) error {
	return c.Redirect(http.StatusSeeOther, "/learning")
}

// showSeveral shows the board with what was selected and typed, and what was wrong.
func (p *Pages) showSeveral(c echo.Context, v lessons.Several, wrong error) error {
	if !form.Again(wrong) {
		return wrong
	}
	v.Message, v.Errors = form.Said(wrong)
	return p.showBoard(c, form.Status(wrong), lessons.Board{Bulk: v})
}

// LearningSettle does one act on what is selected. To accept takes a second look: the sentences are shown first.
func (p *Pages) LearningSettle(c echo.Context, v lessons.Several) (err error) {
	seen, ctx := seenLessons(v.Ticks), context.WithoutCancel(c.Request().Context())
	v.Ticked = seen
	var b learning.Bulk
	var said string
	switch v.Act {
	case "accept":
		return p.previewLessons(c, v)
	case "confirm":
		b, err = p.Learning.AcceptMany(ctx, seen, keeper(c))
		said = ui.Count(b.Done, "rule is", "rules are") + " in use from the next draft."
	case "reject":
		b, err = p.Learning.RejectMany(ctx, seen, v.Reason, keeper(c))
		said = ui.Count(b.Done, "rule is", "rules are") + " not used. Your reason is kept with each."
	case "retry":
		b, err = p.Learning.RetryMany(ctx, seen, keeper(c))
		said = ui.Count(b.Done, "step is", "steps are") + " tried again."
	default:
		err = fault.New(fault.Invalid, "Choose what to do with the selected lessons.")
	}
	if err != nil {
		return p.showSeveral(c, v, err)
	}
	if len(b.Left) > 0 {
		return p.showSeveral(c, lessons.Several{Done: said, Left: b.Left}, nil)
	}
	return render.Done(c, "/learning", said)
}

// previewLessons shows the sentences that would be let in, and which of those ticked are not among them.
func (p *Pages) previewLessons(c echo.Context, ticked lessons.Several) error {
	list, err := p.Learning.Pick(c.Request().Context(), ticked.Ticked)
	if err != nil {
		return p.showSeveral(c, ticked, err)
	}
	var v lessons.Preview
	for _, l := range list {
		if why := l.WhyAlone(); why != "" {
			v.Left = append(v.Left, learning.Left{Lesson: l, Why: why})
			continue
		}
		v.Rules = append(v.Rules, l)
	}
	return render.Page(c, nil,
		lessons.PreviewPage(p.Frame(c, "Accept these rules?").At("/learning/several").Follow(), v))
}

// seenLessons reads ticks, each a lesson's id and the version that was on the screen.
func seenLessons(ticks []string) (out []learning.Seen) {
	for _, t := range ticks {
		id, version, _ := strings.Cut(t, ":")
		n, _ := strconv.Atoi(version) // a wrong one is a version that nobody saw
		if !slices.ContainsFunc(out, func(s learning.Seen) bool { return s.ID == id }) {
			out = append(out, learning.Seen{ID: id, Version: n})
		}
	}
	return out
}
