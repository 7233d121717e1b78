package page

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/fault"
	"preceptor/views/accounts"
	"preceptor/web/render"
)

// SetupForm shows the page behind the set-up link, while it works.
func (p *Pages) SetupForm(c echo.Context) error {
	secret := c.Param("secret")
	if err := p.Accounts.CheckSetup(c.Request().Context(), secret); err != nil {
		return err
	}
	return p.setupPage(c, http.StatusOK, accounts.SetupView{Secret: secret, Roles: []account.Role{account.Supervisor}})
}

// Setup makes the first administrator and signs them in.
func (p *Pages) Setup(c echo.Context) error {
	r := c.Request()
	n := account.NewAccount{Email: r.PostFormValue("email"), Name: r.PostFormValue("name"), Password: r.PostFormValue("password"), Roles: postedRoles(r)}
	a, err := p.Accounts.Setup(r.Context(), c.Param("secret"), n)
	if fault.Is(err, fault.Invalid) {
		return p.setupPage(c, http.StatusUnprocessableEntity,
			accounts.SetupView{Secret: c.Param("secret"), Email: n.Email, Name: n.Name, Roles: n.Roles, Errors: accounts.ErrorsOf(err)})
	}
	if err != nil {
		return err
	}
	return p.begin(c, a, "/")
}

func (p *Pages) setupPage(c echo.Context, status int, v accounts.SetupView) error {
	c.Response().Header().Set("Referrer-Policy", "no-referrer") // the address is a secret
	return render.Page(c, status, accounts.Setup(p.frame(c, "Make the first account"), v))
}

// postedRoles reads the boxes of a form.
func postedRoles(r *http.Request) []account.Role {
	if r.PostForm == nil {
		return nil
	}
	var roles []account.Role
	for _, v := range r.PostForm["roles"] {
		roles = append(roles, account.Role(v))
	}
	return roles
}
