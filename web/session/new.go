package session

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/platform/fault"
	"preceptor/web/form"
)

// NewPerson is the form of an account: the first one, another, or what is changed of one.
type NewPerson struct {
	Email    string         `form:"email"`
	Name     string         `form:"name"`
	Password form.Verbatim  `form:"password"`
	Roles    []account.Role `form:"roles"`
	Base     string         `form:"base"` // of a change: what was on the screen before
}

// Account is what was typed.
func (n NewPerson) Account() account.NewAccount {
	return account.NewAccount{Email: n.Email, Name: n.Name, Password: string(n.Password), Roles: n.Roles}
}

// Local reports whether the peer is this machine itself and asked for it by a name of the loopback. A request that went
// through a proxy is not local, and neither is one whose name was rebound to this machine by somebody's name server.
func Local(r *http.Request) bool {
	for _, h := range []string{"X-Forwarded-For", "X-Real-Ip", "Forwarded"} {
		if r.Header.Get(h) != "" {
			return false
		}
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !peer.Addr().Unmap().IsLoopback() {
		return false
	}
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	a, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && a.Unmap().IsLoopback()
}

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
