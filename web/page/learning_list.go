package page

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/learning"
	lessons "preceptor/views/learning"
	"preceptor/views/ui"
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
	f.Wide, f.Topics = true, topicsOf("knowledge")
	return render.Page(c, http.StatusOK, lessons.BoardPage(f, v))
}

func (p *Pages) board(c echo.Context) (v lessons.Board, err error) {
	ctx := c.Request().Context()
	a, _ := session.Current(c)
	f := learning.BoardFilter{AgentID: c.QueryParam("agent"), Domain: known(c.QueryParam("domain"), learning.Domains), Origin: known(c.QueryParam("origin"), learning.Origins),
		Provisional: c.QueryParam("provisional") != "", Settled: blindToPlanted(a), Each: columnLength}
	v = lessons.Board{Filter: f, Outcome: known(c.QueryParam("outcome"), lessons.Outcomes), Cursor: c.QueryParam("cursor"), MaySettle: maySettle(a), MayRecall: !blindToPlanted(a), Now: p.Now()}
	if v.Counts, err = p.Learning.CountsOf(ctx, f.Settled); err != nil {
		return v, err
	}
	if v.Board, err = p.Learning.Board(ctx, f); err != nil {
		return v, err
	}
	if !f.Narrow() {
		if v.Unclaimed, err = p.Learning.Unclaimed(ctx); err != nil {
			return v, err
		}
	}
	agents, err := p.Accounts.Agents(ctx)
	if err != nil {
		return v, err
	}
	for _, agent := range agents {
		v.Agents = append(v.Agents, ui.Option{Value: agent.ID, Label: agent.Name})
	}
	ended, err := p.Learning.List(ctx, learning.Filter{Ended: true, State: v.Outcome, Settled: f.Settled, AgentID: f.AgentID, Domain: f.Domain, Origin: f.Origin,
		Provisional: f.Provisional, Cursor: v.Cursor, Limit: settledLength})
	v.Settled, v.Next = ended.Items, ended.Next
	return v, err
}

// blindToPlanted tells whether the account decides cases and looks after nothing: such a person must not tell a planted check by
// what is learned of it.
func blindToPlanted(a account.Account) bool {
	return !a.Has(account.Expert) && !a.Has(account.Manager) && !a.Has(account.Admin)
}

func maySettle(a account.Account) bool { return a.Has(account.Expert) || a.Has(account.Admin) }

// known is value if it is one of list, and nothing otherwise.
func known(value string, list []string) string {
	if slices.Contains(list, value) {
		return value
	}
	return ""
}
