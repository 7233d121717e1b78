package knowledge

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/learning"
	"preceptor/internal/platform/fault"
	lessons "preceptor/views/learning"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/render"
)

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
