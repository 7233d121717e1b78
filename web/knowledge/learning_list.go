package knowledge

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/learning"
	lessons "preceptor/views/learning"
	"preceptor/web/form"
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
	return render.Status(c, status, lessons.BoardPage(p.Frame(c, "Learning").At("/learning").Broad().Follow("knowledge"),
		v))
}

// board reads what the page shows of the lessons that were chosen.
func (p *Pages) board(ctx context.Context, v *lessons.Board) (err error) {
	f := v.Filter
	if v.Counts, err = p.Learning.CountsOf(ctx, f.Settled); err != nil {
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
