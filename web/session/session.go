// Package session says who is asking: the signed-in account of a page, the agent's token of an API call.
//
// gorilla/sessions is the envelope only: its Store interface over account's session rows. The cookie carries 32 random
// bytes and nothing else; whose they are, since when and with which roles is read from the database with every request,
// so sign-out, disabling and a role change count at the next one. Nothing is signed or encrypted here because there is
// nothing in the cookie to protect but the secret itself, and there is no key to lose or rotate.
//
// The cookie is "__Host-preceptor" (Secure, HttpOnly, SameSite=Lax, Path=/, no Domain) over TLS. On plain http, which
// is served on the loopback only, browsers refuse that prefix, so the name is "preceptor" without Secure.
//
// One line for the next page ("The password is changed.") stands in the session's row, not in a cookie.
package session

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/gorilla/sessions"
	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/platform/fault"
)

// Keeper opens and ends sessions in the browser's cookie and the account's rows.
type Keeper struct {
	accounts *account.Directory
	store    *store
}

// New keeps sessions of accounts; secure says that people come over TLS.
func New(accounts *account.Directory, secure bool) *Keeper {
	name := "preceptor"
	if secure {
		name = "__Host-preceptor"
	}
	return &Keeper{accounts: accounts, store: &store{name: name, secure: secure, lifetime: accounts.Lifetime()}}
}

// store is gorilla's Store: the session's id is the cookie's value, and its values live in the database.
type store struct {
	name     string
	secure   bool
	lifetime time.Duration
}

func (s *store) Get(r *http.Request, name string) (*sessions.Session, error) {
	return sessions.GetRegistry(r).Get(s, name)
}

func (s *store) New(r *http.Request, name string) (*sessions.Session, error) {
	g := sessions.NewSession(s, name)
	g.Options = &sessions.Options{Path: "/", MaxAge: int(s.lifetime.Seconds()), Secure: s.secure, HttpOnly: true,
		SameSite: http.SameSiteLaxMode}
	g.IsNew = true
	if c, err := r.Cookie(name); err == nil && c.Value != "" {
		g.ID, g.IsNew = c.Value, false
	}
	return g, nil
}

func (s *store) Save(_ *http.Request, w http.ResponseWriter, g *sessions.Session) error {
	http.SetCookie(w, sessions.NewCookie(g.Name(), g.ID, g.Options))
	return nil
}

// Keys under which a request carries what was found out about it.
const (
	keeperKey  = "session.keeper"
	accountKey = "session.account"
	rowKey     = "session.row"
	tokenKey   = "session.token"
)

// Load finds out who is asking. A request without a session goes on as nobody's; one whose session has ended too.
func (k *Keeper) Load(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Set(keeperKey, k)
		g, err := k.store.Get(c.Request(), k.store.name)
		if err != nil {
			return err
		}
		if g.IsNew {
			return next(c)
		}
		find := k.accounts.Session
		if byItself(c.Request()) {
			find = k.accounts.Peek
		}
		s, a, err := find(c.Request().Context(), g.ID)
		switch {
		case fault.Is(err, fault.Unsigned): // go on as nobody
		case err != nil:
			return err
		default:
			c.Set(accountKey, a)
			c.Set(rowKey, s)
		}
		return next(c)
	}
}

// byItself reports whether the page asks without a person: it follows the stream of changes, or fetches a part again
// because of it.
func byItself(r *http.Request) bool {
	h := r.Header
	return r.Method == http.MethodGet &&
		(h.Get("Accept") == "text/event-stream" || h.Get("HX-Request") == "true" && h.Get("HX-Boosted") != "true")
}

// Lives reports whether the session that a long answer was begun for has not ended since: signed out, run out, or its
// account disabled. A database that does not answer ends nothing.
func (k *Keeper) Lives(c echo.Context) bool {
	g, err := k.store.Get(c.Request(), k.store.name)
	if err != nil || g.IsNew {
		return false
	}
	_, _, err = k.accounts.Peek(c.Request().Context(), g.ID)
	return !fault.Is(err, fault.Unsigned)
}

// HasCookie reports whether the request carries a session cookie, live or not.
func (k *Keeper) HasCookie(r *http.Request) bool {
	_, err := r.Cookie(k.store.name)
	return err == nil
}

// Begin signs the browser in: the session it had ends and a new one, with a new id, takes its place.
func (k *Keeper) Begin(c echo.Context, who account.Account) error {
	g, err := k.store.Get(c.Request(), k.store.name)
	if err != nil {
		return err
	}
	if !g.IsNew {
		if err := k.accounts.EndSession(c.Request().Context(), g.ID); err != nil {
			return err
		}
	}
	ctx := c.Request().Context()
	if g.ID, err = k.accounts.StartSessionOf(ctx, who, c.Request().UserAgent(), c.RealIP()); err != nil {
		return err
	}
	s, a, err := k.accounts.Session(ctx, g.ID)
	if err != nil {
		return err
	}
	c.Set(accountKey, a)
	c.Set(rowKey, s)
	return g.Save(c.Request(), c.Response())
}

// End signs the browser out, on the server first.
func (k *Keeper) End(c echo.Context) error {
	g, err := k.store.Get(c.Request(), k.store.name)
	if err != nil {
		return err
	}
	if !g.IsNew {
		if err := k.accounts.EndSession(c.Request().Context(), g.ID); err != nil {
			return err
		}
	}
	g.ID, g.Options.MaxAge = "", -1
	c.Response().Header().Set("Clear-Site-Data", `"cache", "storage"`)
	return g.Save(c.Request(), c.Response())
}

// Current is the signed-in account.
func Current(c echo.Context) (account.Account, bool) {
	a, ok := c.Get(accountKey).(account.Account)
	return a, ok
}

// Me is the signed-in account of a page that only such accounts reach.
func Me(c echo.Context) account.Account {
	a, _ := Current(c)
	return a
}

// Leads reports whether the signed-in person is a manager or an administrator: they see items, checks and figures of
// people, and every seeded check. Those who label and decide don't.
func Leads(c echo.Context) bool {
	a := Me(c)
	return a.Has(account.Manager) || a.Has(account.Admin)
}

// Settles reports whether the signed-in person is an expert or an administrator by now: they settle what is learned and
// switched.
func Settles(c echo.Context) bool {
	a := Me(c)
	return a.Has(account.Expert) || a.Has(account.Admin)
}

// SameAuthor refuses a form that somebody else opened at this browser: what they typed and saw is nobody else's to
// sign.
func SameAuthor(c echo.Context, as string) error {
	if as != "" && as != Me(c).ID {
		return fault.New(fault.Denied,
			"Someone else has since signed in on this browser. Nothing was saved or decided.")
	}
	return nil
}

// Actor is the signed-in person as the audit log names them.
func Actor(c echo.Context) audit.Actor { return Me(c).Actor() }

// CurrentSession is the signed-in browser's session.
func CurrentSession(c echo.Context) (account.Session, bool) {
	s, ok := c.Get(rowKey).(account.Session)
	return s, ok
}

// RequireRole lets in accounts that have one of the roles in effect; without any role named, every signed-in account.
func RequireRole(roles ...account.Role) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			a, ok := Current(c)
			if !ok {
				return fault.New(fault.Unsigned,
					"You are not signed in, or your session has ended. Sign in to continue; what you typed is still "+
						"on this page.")
			}
			for _, r := range roles {
				if a.Has(r) {
					return next(c)
				}
			}
			if len(roles) == 0 {
				return next(c)
			}
			denied := fault.New(fault.Denied,
				"Your roles don't allow this. An administrator can change them under Administration, People.")
			if i := slices.IndexFunc(a.Waiting, func(r account.Role) bool {
				return slices.Contains(roles, r)
			}); i >= 0 {
				denied = account.Waits(a.Waiting[i], a.Starts[a.Waiting[i]])
			}
			if k, ok := c.Get(keeperKey).(*Keeper); ok {
				if err := k.accounts.NoteDenied(c.Request().Context(), a, c.Request().Method, c.Path()); err != nil {
					return errors.Join(denied, err)
				}
			}
			return denied
		}
	}
}

// Flash keeps one line for the next page of this session, which may be the answer to this very request.
func Flash(c echo.Context, line string) error {
	k, ok := c.Get(keeperKey).(*Keeper)
	s, signedIn := CurrentSession(c)
	if !ok || !signedIn {
		return nil
	}
	err := k.accounts.Notify(context.WithoutCancel(c.Request().Context()), s.ID, line)
	if err == nil {
		s.Notice = line
		c.Set(rowKey, s)
	}
	return err
}

// Warns begins a line that says that nothing was done.
const Warns = "! "

// TakeFlash returns the line kept for this page, once; "" when there is none.
func TakeFlash(c echo.Context) string {
	k, ok := c.Get(keeperKey).(*Keeper)
	s, signedIn := CurrentSession(c)
	if !ok || !signedIn || s.Notice == "" {
		return ""
	}
	line := s.Notice
	s.Notice = ""
	c.Set(rowKey, s)
	if err := k.accounts.Notify(c.Request().Context(), s.ID, ""); err != nil {
		return "" // it is shown on the next page instead
	}
	return line
}
