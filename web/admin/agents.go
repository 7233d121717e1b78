package admin

import (
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/pack"
	"preceptor/internal/platform/limiter"
	"preceptor/views/accounts"
	"preceptor/views/admin"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// Agents lists the agents and their tokens.
func (p *Pages) Agents(c echo.Context) error {
	v := session.TakeOnce[admin.AgentsView](c)
	v.Scopes = usualScopes
	return p.agentsPage(c, v, nil)
}

var usualScopes = []account.Scope{account.Submit, account.Recall}

func (p *Pages) agentsPage(c echo.Context, v admin.AgentsView, wrong error) (err error) {
	v.Side, v.Errors = p.side(c), accounts.ErrorsOf(wrong)
	if packs := p.Packs(c, ""); v.Pack == "" && len(packs) == 1 {
		v.Pack = packs[0]
	}
	all, err := p.Accounts.AllAgents(c.Request().Context())
	if err != nil {
		return err
	}
	for _, a := range all {
		if a.Away {
			v.Away = append(v.Away, a)
		} else {
			v.Agents = append(v.Agents, a)
		}
	}
	if v.Tokens, err = p.Accounts.Tokens(c.Request().Context()); err != nil {
		return err
	}
	if v.Voted, err = p.Voted(c.Request().Context()); err != nil {
		return err
	}
	v.Refused = map[string]limiter.Refused{}
	for _, t := range v.Tokens {
		v.Refused[t.ID] = p.Refused(t.ID)
	}
	return render.Page(c, wrong, admin.Agents(p.Frame(c, "Agents and tokens"), v))
}

// AgentName gives an agent another name.
func (p *Pages) AgentName(c echo.Context, v admin.AgentsView) error {
	agentID, base, _ := strings.Cut(v.ID, " ")
	a, err := p.Accounts.RenameAgent(c.Request().Context(), agentID, v.Name, session.Actor(c), base)
	if err != nil {
		v.Scopes = usualScopes
		return p.agentsPage(c, v, err)
	}
	return render.Done(c, "/admin/agents", "Renamed to "+a.Name+". The old name keeps working for the agent.")
}

// AgentAway puts an agent away, or takes it back.
func (p *Pages) AgentAway(c echo.Context, v admin.AgentsView) error {
	agentID, _, _ := strings.Cut(v.ID, " ")
	a, err := p.Accounts.PutAway(c.Request().Context(), agentID, !v.Back, session.Actor(c))
	if err != nil {
		v.Scopes, v.Open = usualScopes, admin.PutAway
		return p.agentsPage(c, v, err)
	}
	said := a.Name + " is put away. You can take it back at any time."
	if v.Back {
		said = a.Name + " is back in use."
	}
	return render.Done(c, "/admin/agents", said)
}

// AgentMove gives an agent another domain.
func (p *Pages) AgentMove(c echo.Context, v admin.AgentsView) error {
	agentID, _, _ := strings.Cut(v.ID, " ")
	a, err := p.Accounts.ChangePack(c.Request().Context(), agentID, v.Pack, session.Actor(c))
	if err != nil {
		v.Scopes, v.Open = usualScopes, admin.Move
		return p.agentsPage(c, v, err)
	}
	return render.Done(c, "/admin/agents", a.Name+" works in "+pack.Title(a.Pack)+" now.")
}

// TokenCreate makes a token; the page that follows shows it, once.
func (p *Pages) TokenCreate(c echo.Context, v admin.AgentsView) error {
	var r form.Reading
	days := r.Whole("expires", v.Days, 0, 3660, "Choose how long the token works.")
	if err := r.Err("Choose how long the token works."); err != nil {
		return p.agentsPage(c, v, err)
	}
	var expires time.Time
	if days > 0 {
		expires = p.Now().Add(time.Duration(days) * 24 * time.Hour)
	}
	ctx := c.Request().Context()
	of, err := p.Accounts.PackFor(ctx, v.Agent, v.Pack)
	if err != nil {
		return p.agentsPage(c, v, err)
	}
	fresh, t, err := p.Accounts.CreateToken(ctx, v.Agent, of, v.Scopes, expires, session.Actor(c))
	if err != nil {
		return p.agentsPage(c, v, err)
	}
	return render.Once(c, "/admin/agents", admin.AgentsView{Fresh: fresh, Of: t.AgentName, Typed: v.Agent,
		Try: p.firstRequest(fresh, v.Scopes)})
}

// firstRequest is a call that works with a token as it stands, and only reads.
func (p *Pages) firstRequest(token string, scopes []account.Scope) string {
	path, body := "/api/feedback/experiences", ""
	switch {
	case slices.Contains(scopes, account.Recall):
		path, body = "/api/recall",
			" \\\n  -H 'Content-Type: application/json' -d '{\"query\": \"What should I know before I answer?\"}'"
	case slices.Contains(scopes, account.Submit):
		path = "/api/guidance"
	}
	return "curl -sS '" + p.Address(path) + "' -H 'Authorization: Bearer " + token + "'" + body
}

// TokenRevoke makes a token useless at once.
func (p *Pages) TokenRevoke(c echo.Context) error {
	if err := p.Accounts.RevokeToken(c.Request().Context(), c.Param("id"), session.Actor(c)); err != nil {
		return err
	}
	return render.Done(c, "/admin/agents", "Token revoked. Requests with it are refused from now on.")
}
