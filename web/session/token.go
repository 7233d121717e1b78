package session

import (
	"errors"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/platform/fault"
)

// RequireToken lets in API calls whose bearer token has one of the scopes. A token counts in the Authorization header
// only: addresses end up in logs and histories.
func RequireToken(accounts *account.Directory, scopes ...account.Scope) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			scheme, plain, _ := strings.Cut(c.Request().Header.Get(echo.HeaderAuthorization), " ")
			if !strings.EqualFold(scheme, "Bearer") {
				plain = ""
			}
			t, err := accounts.Authenticate(c.Request().Context(), plain)
			if err != nil {
				if fault.Is(err, fault.Unsigned) {
					c.Response().Header().Set(echo.HeaderWWWAuthenticate, `Bearer realm="Preceptor"`)
					if nerr := accounts.NoteRefusedToken(c.Request().Context(), plain, c.RealIP()); nerr != nil {
						return errors.Join(err, nerr)
					}
				}
				return err
			}
			for _, s := range scopes {
				if t.Has(s) {
					c.Set(tokenKey, t)
					return next(c)
				}
			}
			return fault.New(fault.Denied,
				"This token doesn't have the scope for that. Create one that does under Administration, Agents and "+
					"tokens.")
		}
	}
}

// CurrentToken is the token of an API call that RequireToken let in.
func CurrentToken(c echo.Context) (account.Token, bool) {
	t, ok := c.Get(tokenKey).(account.Token)
	return t, ok
}
