package home

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
	"preceptor/views/accounts"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
	"preceptor/web/teach"
)

// SetupForm shows the page behind the set-up link, while it works.
func (p *Pages) SetupForm(c echo.Context) error {
	if err := p.Accounts.CheckSetup(c.Request().Context(), c.Param("secret")); err != nil {
		return err
	}
	return p.setupPage(c, session.NewPerson{Roles: []account.Role{account.Supervisor}}, nil)
}

// Setup makes the first administrator and signs them in.
func (p *Pages) Setup(c echo.Context, in session.NewPerson) error {
	a, err := p.Accounts.Setup(c.Request().Context(), c.Param("secret"), in.Account())
	if fault.Is(err, fault.Invalid) {
		return p.setupPage(c, in, err)
	}
	if err != nil {
		return err
	}
	return p.begin(c, a, signIn{})
}

// JoinForm shows the page behind a link with which a person chooses a password. Looking at it uses nothing up: programs
// that preview links do so too.
func (p *Pages) JoinForm(c echo.Context) error { return p.joinPage(c, nil) }

// Join sets the password that was chosen and signs the person in.
func (p *Pages) Join(c echo.Context, in session.NewPerson) error {
	a, err := p.Accounts.UseLink(c.Request().Context(), c.Param("secret"), string(in.Password), c.RealIP())
	if fault.Is(err, fault.Invalid) {
		return p.joinPage(c, err)
	}
	if err != nil {
		return err
	}
	return p.begin(c, a, signIn{})
}

func (p *Pages) joinPage(c echo.Context, wrong error) error {
	c.Response().Header().Set("Referrer-Policy", "no-referrer") // the address is a secret
	a, err := p.Accounts.CheckLink(c.Request().Context(), c.Param("secret"), c.RealIP())
	if err != nil {
		return err
	}
	v := accounts.JoinView{Secret: c.Param("secret"), Account: a, Errors: accounts.ErrorsOf(wrong)}
	return render.Page(c, wrong, accounts.Join(p.Frame(c, "Choose your password"), v))
}

func (p *Pages) setupPage(c echo.Context, in session.NewPerson, wrong error) error {
	v := accounts.SetupView{Secret: c.Param("secret"), Email: in.Email, Name: in.Name, Roles: in.Roles,
		Errors: accounts.ErrorsOf(wrong)}
	c.Response().Header().Set("Referrer-Policy", "no-referrer") // the address is a secret
	return render.Page(c, wrong, accounts.Setup(p.Frame(c, "Create the first account"), v))
}

// SignInForm shows the sign-in page. Who is signed in already goes on.
func (p *Pages) SignInForm(c echo.Context, in signIn) error {
	if _, ok := session.Current(c); ok {
		return render.Redirect(c, in.Next)
	}
	return p.signInPage(c, in, nil)
}

// signIn is the form of the page, with what was typed at the desk before a session ended.
type signIn struct {
	Email    string        `form:"email"`
	Password form.Verbatim `form:"password"`
	Account  string        `form:"account"` // of the demo
	Next     string        `form:"next"`
	kept     `form:"kept"`
}

// SignIn checks e-mail and password and starts a session.
func (p *Pages) SignIn(c echo.Context, in signIn) error {
	a, err := p.Accounts.SignIn(c.Request().Context(), in.Email, string(in.Password), c.RealIP())
	if fault.Is(err, fault.Unsigned) || fault.Is(err, fault.Limited) {
		render.RetryAfter(c, err)
		return p.signInPage(c, in, err)
	}
	if err != nil {
		return err
	}
	return p.begin(c, a, in)
}

func (p *Pages) begin(c echo.Context, a account.Account, in signIn) error {
	next := in.Next
	if to := p.takeIn(c, a, in.kept); to != "" {
		next = to
	}
	if err := p.Sessions.Begin(c, a); err != nil {
		return err
	}
	return render.Redirect(c, next)
}

func (p *Pages) signInPage(c echo.Context, in signIn, wrong error) error {
	any, err := p.Accounts.Any(c.Request().Context())
	if err != nil {
		return err
	}
	v := accounts.SignInView{Email: in.Email, Next: render.Local(in.Next), NobodyYet: !any, Kept: in.kept.fields()}
	v.Error, _ = form.Said(wrong)
	if p.demoFor(c) {
		if v.Demo, err = p.demoAccounts(c); err != nil {
			return err
		}
	}
	return render.Page(c, wrong, accounts.SignIn(p.Frame(c, "Sign in"), v), fault.Unsigned, fault.Limited)
}

// SignOut ends the session on the server and in the browser.
func (p *Pages) SignOut(c echo.Context) error {
	if err := p.Sessions.End(c); err != nil {
		return err
	}
	return render.Redirect(c, "/sign-in")
}

// demoFor reports whether one-click sign-in is offered: in the demo, to this machine.
func (p *Pages) demoFor(c echo.Context) bool { return p.Demo && session.Local(c.Request()) }

func (p *Pages) demoAccounts(c echo.Context) ([]account.Account, error) {
	all, err := p.Accounts.List(c.Request().Context())
	if err != nil {
		return nil, err
	}
	var list []account.Account
	for _, a := range all {
		if !a.Disabled && !a.Invited {
			list = append(list, a)
		}
	}
	slices.SortStableFunc(list, func(a, b account.Account) int { // those who decide first, as the roles are listed
		return slices.Index(account.Roles, a.Roles[0]) - slices.Index(account.Roles, b.Roles[0])
	})
	return list, nil
}

// DemoSignIn signs in as one of the demo's people, without a password.
func (p *Pages) DemoSignIn(c echo.Context, in signIn) error {
	if !p.demoFor(c) {
		return echo.ErrNotFound
	}
	a, err := p.Accounts.Get(c.Request().Context(), in.Account)
	if err != nil {
		return err
	}
	return p.begin(c, a, in)
}

// atDesk is a form of the desk, as far as it goes over a sign-in when its session had ended.
type atDesk struct {
	Case       string        `form:"case"`
	As         string        `form:"as"`
	Mode       string        `form:"mode"`
	Version    string        `form:"version"`
	Text       form.Verbatim `form:"text"`
	Reason     string        `form:"reason"`
	ReasonCode string        `form:"reason_code"`
	Filter     string        `form:"filter"`
}

// kept is the same on the sign-in page, where it stands hidden. It is a draft of its author afterwards: nothing is
// sent, and whoever signs in looks at the case as it is then, and decides.
type kept struct {
	Case       string        `form:"kept_case"`
	As         string        `form:"kept_as"`
	Mode       string        `form:"kept_mode"`
	Version    string        `form:"kept_version"`
	Text       form.Verbatim `form:"kept_text"`
	Reason     string        `form:"kept_reason"`
	ReasonCode string        `form:"kept_reason_code"`
	Filter     string        `form:"kept_filter"`
	Stated     string        `form:"kept_stated"` // one field of many
}

// keptOf is what a form of the desk carries; nil when the request is none.
func keptOf(c echo.Context) []accounts.Kept {
	var in atDesk
	if c.Request().Method != http.MethodPost || form.Bind(c, &in) != nil || in.Mode == "" {
		return nil
	}
	k := kept{in.Case, in.As, in.Mode, in.Version, in.Text, in.Reason, in.ReasonCode, in.Filter,
		teach.Keep(teach.Of(c))}
	return k.fields()
}

// fields are the hidden ones; none without a case.
func (k kept) fields() (list []accounts.Kept) {
	if k.Case == "" {
		return nil
	}
	for name, values := range ui.Query(k) {
		list = append(list, accounts.Kept{Name: name, Value: values[0]})
	}
	slices.SortFunc(list, func(a, b accounts.Kept) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// takeIn saves what was typed before the sign-in as a draft of who typed it, and says where it stands. What somebody
// else typed at this browser is not theirs and is dropped.
func (p *Pages) takeIn(c echo.Context, a account.Account, k kept) (to string) {
	if k.Case == "" || k.As != a.ID || !a.Has(account.Supervisor) {
		return ""
	}
	d := review.Draft{CaseID: k.Case, Mode: k.Mode, Text: string(k.Text), Reason: k.Reason, ReasonCode: k.ReasonCode,
		Stated: k.Stated}
	d.Version, _ = strconv.Atoi(k.Version) // a wrong one is a version that nobody saw; it is kept as such
	if _, err := p.Reviews.SaveDraft(c.Request().Context(), review.Person{ID: a.ID, Name: a.Name}, d); err != nil {
		p.Log.Info("what was typed before a sign-in is not saved", "error", err.Error())
	}
	filter := strings.TrimPrefix(k.Filter, "?")
	if filter != "" {
		filter += "&"
	}
	return "/reviews/" + k.Case + "?" + filter + "mode=" + d.Mode
}
