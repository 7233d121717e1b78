package page

import (
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/fault"
	"preceptor/views/accounts"
	"preceptor/views/admin"
	"preceptor/web/render"
)

// Agents lists the agents and their tokens.
func (p *Pages) Agents(c echo.Context) error {
	return p.agentsPage(c, http.StatusOK, admin.AgentsView{Scopes: []account.Scope{account.Submit, account.Recall}})
}

func (p *Pages) agentsPage(c echo.Context, status int, v admin.AgentsView) error {
	var err error
	v.Side = p.side(c)
	if v.Agents, err = p.Accounts.Agents(c.Request().Context()); err != nil {
		return err
	}
	if v.Tokens, err = p.Accounts.Tokens(c.Request().Context()); err != nil {
		return err
	}
	return render.Page(c, status, admin.Agents(p.frame(c, "Agents and tokens"), v))
}

// TokenCreate makes a token and shows it, once: the answer to this form is the only place where it ever stands.
func (p *Pages) TokenCreate(c echo.Context) error {
	r := c.Request()
	v := admin.AgentsView{Agent: r.PostFormValue("agent"), Pack: r.PostFormValue("pack")}
	for _, s := range r.PostForm["scopes"] {
		v.Scopes = append(v.Scopes, account.Scope(s))
	}
	days, err := strconv.Atoi(r.PostFormValue("days"))
	if err != nil || days < 0 || days > 3660 {
		v.Errors = accounts.Errors{"expires": "Choose how long the token works."}
		return p.agentsPage(c, http.StatusUnprocessableEntity, v)
	}
	var expires time.Time
	if days > 0 {
		expires = p.Now().Add(time.Duration(days) * 24 * time.Hour)
	}
	v.Fresh, _, err = p.Accounts.CreateToken(r.Context(), v.Agent, v.Pack, v.Scopes, expires, actor(c))
	if fault.Is(err, fault.Invalid) {
		v.Errors = accounts.ErrorsOf(err)
		return p.agentsPage(c, http.StatusUnprocessableEntity, v)
	}
	if err != nil {
		return err
	}
	v.Agent, v.Pack, v.Scopes = "", "", []account.Scope{account.Submit, account.Recall}
	return p.agentsPage(c, http.StatusOK, v)
}

// TokenRevoke makes a token useless at once.
func (p *Pages) TokenRevoke(c echo.Context) error {
	if err := p.Accounts.RevokeToken(c.Request().Context(), c.Param("id"), actor(c)); err != nil {
		return err
	}
	return p.done(c, "/admin/agents", "The token is revoked; the next request with it is refused.")
}
