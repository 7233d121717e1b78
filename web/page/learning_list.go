package page

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/learning"
	lessons "preceptor/views/learning"
	"preceptor/web/render"
	"preceptor/web/session"
)

const (
	columnLength  = 30
	settledLength = 20
)

// LearningList is the board.
func (p *Pages) LearningList(c echo.Context) error {
	v, err := p.board(c)
	if err != nil {
		return err
	}
	f := p.frame(c, "Learning")
	f.Wide, f.Topics = true, topicsOf()
	return render.Page(c, http.StatusOK, lessons.BoardPage(f, v))
}

func (p *Pages) board(c echo.Context) (v lessons.Board, err error) {
	ctx := c.Request().Context()
	v = lessons.Board{Cursor: c.QueryParam("cursor"), Now: p.Now()}
	a, _ := session.Current(c)
	settled := !a.Has(account.Expert) && !a.Has(account.Manager) && !a.Has(account.Admin) // they decide, and must not tell planted checks by it
	if v.Counts, err = p.Learning.CountsOf(ctx, settled); err != nil {
		return v, err
	}
	for _, stage := range learning.Stages {
		page, err := p.Learning.List(ctx, learning.Filter{Stage: stage, Open: true, Rules: true, Settled: settled, Limit: columnLength})
		if err != nil {
			return v, err
		}
		v.Columns = append(v.Columns, lessons.Column{Stage: stage, Lessons: page.Items, More: max(0, inColumn(v.Counts, stage)-len(page.Items))})
	}
	ended, err := p.Learning.List(ctx, learning.Filter{Ended: true, Settled: settled, Cursor: v.Cursor, Limit: settledLength})
	v.Settled, v.Next = ended.Items, ended.Next
	return v, err
}

func inColumn(n learning.Counts, stage string) int {
	return map[string]int{learning.StageReflect: n.Reflect, learning.StageValidate: n.Validate, learning.StageRefine: n.Refine,
		learning.StageJudge: n.Judge, learning.StageAccept: n.Accept}[stage]
}
