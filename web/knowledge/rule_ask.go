package knowledge

import (
	"context"

	"github.com/labstack/echo/v4"

	"preceptor/internal/knowledge"
	"preceptor/internal/person"
	"preceptor/internal/platform/fault"
	"preceptor/internal/stats"
	"preceptor/web/render"
	"preceptor/web/session"
)

// RuleAsk asks experts to review a rule that users dislike.
func (p *Pages) RuleAsk(c echo.Context) error {
	ctx := context.WithoutCancel(c.Request().Context())
	r, err := p.Knowledge.Rule(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	me := session.Me(c)
	n, err := p.AskExperts(ctx, r, person.Person{ID: me.ID, Name: me.Name})
	if err != nil {
		return err
	}
	if n == 0 {
		return fault.New(fault.Conflict, "Nobody has the expert role. Ask an administrator to assign it.")
	}
	return render.Done(c, "/knowledge/rules/"+r.ID, "Every expert has been asked in their inbox to review "+r.Label()+
		".")
}

// votesOn is what users thought of answers made with the rule since it came into use; nil when it never did.
func (p *Pages) votesOn(ctx context.Context, versions []knowledge.Version, id string) (*stats.Change, error) {
	since := knowledge.InUseSince(versions)
	if since.IsZero() {
		return nil, nil
	}
	c, err := p.Stats.RuleVotes(ctx, id, since)
	return &c, err
}
