package guest

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"preceptor/internal/feedback"
	"preceptor/internal/feedback/link"
	"preceptor/internal/feedback/preference"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/limiter"
	views "preceptor/views/feedback"
	"preceptor/web/form"
	"preceptor/web/render"
)

// How often a link may be used, and an address may come. An address may be a whole office's, so it is given more; what
// is not one of our links is none of theirs.
var (
	linkOpens    = limiter.Pace{Burst: 60, Every: 5 * time.Second}
	linkSends    = limiter.Pace{Burst: 12, Every: 30 * time.Second}
	addressOpens = limiter.Pace{Burst: 600, Every: 500 * time.Millisecond}
	addressSends = limiter.Pace{Burst: 120, Every: 2 * time.Second}
	addressWrong = limiter.Pace{Burst: 30, Every: 10 * time.Second}
)

// guest is somebody without an account who came by a signed link, to the page of its own or to the one inside the
// widget.
type guest struct {
	token  string
	link   link.Link
	about  feedback.Subject
	pair   *preference.Task // of a link to two answers
	chose  string
	widget bool
	theme  string
}

// path is where the guest's page stands.
func (g guest) path() string {
	if g.widget {
		return "/widget/" + g.token
	}
	return "/f/" + g.token
}

// guestSaid is what comes from a guest's page.
type guestSaid struct {
	views.Form `form:"said"`
	Theme      string `form:"theme"`
	Saved      bool   `form:"saved"`
}

// FeedbackLink is the page behind a signed link.
func (p *Pages) FeedbackLink(c echo.Context, in guestSaid) error { return p.guestPage(c, in, false) }

// FeedbackLinkSend takes what was said on the page behind a link.
func (p *Pages) FeedbackLinkSend(c echo.Context, in guestSaid) error {
	return p.guestSends(c, in, false)
}

// Widget is the small page inside the widget.
func (p *Pages) Widget(c echo.Context, in guestSaid) error { return p.guestPage(c, in, true) }

// WidgetSend takes what was said in the widget.
func (p *Pages) WidgetSend(c echo.Context, in guestSaid) error { return p.guestSends(c, in, true) }

func (p *Pages) guestPage(c echo.Context, in guestSaid, widget bool) error {
	g, err := p.guestOf(c, in.Theme, widget, false)
	if err != nil {
		return p.closed(c, g, err)
	}
	v, err := p.guestView(c, g)
	if err != nil {
		return err
	}
	v.Saved = in.Saved
	return p.guestShows(c, http.StatusOK, g, v)
}

// guestOf finds out who comes with a link, and holds up whoever comes too often. What is before the tag of a link was
// checked costs next to nothing, and so it is not held up by its token.
func (p *Pages) guestOf(c echo.Context, theme string, widget, sends bool) (g guest, err error) {
	g = guest{token: c.Param("token"), widget: widget, theme: form.OneOf(theme, []string{"light", "dark"})}
	p.forGuests(c, widget)
	from, what, perLink, perAddress := network(c.RealIP()), "open ", linkOpens, addressOpens
	if sends {
		what, perLink, perAddress = "send ", linkSends, addressSends
	}
	if err := p.limits.Take(what+from, perAddress); err != nil {
		return g, err
	}
	ctx := c.Request().Context()
	if g.link, err = p.Links.Open(ctx, g.token); err != nil {
		if errors.Is(err, link.ErrForged) {
			if slow := p.limits.Take("wrong "+from, addressWrong); slow != nil {
				return g, slow
			}
		}
		return g, err
	}
	if g.link.Pair {
		g.about.Released = true
		g.pair, g.chose, err = p.Preferences.Ask(ctx, g.link.SubjectID, "", g.link.UserID)
		if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Conflict) {
			err = errTakenBack
		}
	} else {
		g.about, err = p.Feedback.Subject(ctx, g.link.SubjectID)
	}
	if err != nil {
		return g, err
	}
	if !g.about.Released {
		return g, errTakenBack
	}
	return g, p.limits.Take(what+g.token, perLink)
}

var errTakenBack = fault.New(fault.NotFound,
	"The answer this link is about was withdrawn or erased. You don't need to do anything.")

// network is the part of an address that one customer of a provider can't change at will: the address itself, of IPv6
// its first half.
func network(ip string) string {
	a, err := netip.ParseAddr(ip)
	if err != nil {
		return ip
	}
	if a = a.Unmap(); a.Is4() {
		return a.String()
	}
	half, _ := a.WithZone("").Prefix(64) // 64 is a length that every IPv6 address has
	return half.String()
}

// forGuests are the headers of a page for people without an account. The widget's page alone may be framed: by
// ourselves and by the sites that the operator named.
func (p *Pages) forGuests(c echo.Context, widget bool) {
	h := c.Response().Header()
	h.Set("X-Robots-Tag", "noindex, nofollow")
	if !widget {
		return
	}
	who := strings.Join(append([]string{"'self'"}, p.WidgetOrigins...), " ")
	h.Set("Content-Security-Policy", strings.Replace(h.Get("Content-Security-Policy"), "frame-ancestors 'none'",
		"frame-ancestors "+who, 1))
	h.Del("X-Frame-Options") // it knows no list, and browsers that know frame-ancestors don't read it
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
}

// guestView is the page with what this person said before.
func (p *Pages) guestView(c echo.Context, g guest) (v views.Public, err error) {
	v = views.Public{Path: g.path(), Theme: g.theme, At: g.about.At, Until: g.link.Until}
	if g.widget {
		v.Origins = p.WidgetOrigins
	}
	if v.Pair = g.pair; v.Pair != nil {
		v.Form.Vote, v.Had = g.chose, g.chose != ""
		return v, nil
	}
	if !g.widget && !g.link.Bare {
		v.Query, v.Response = g.about.Query, g.about.Response
	}
	ctx := c.Request().Context()
	mine, err := p.Feedback.VotesBy(ctx, g.link.UserID, g.about.ID)
	if err != nil {
		return v, err
	}
	if vote, ok := mine[g.about.ID]; ok && (vote.Kind == feedback.Rating || vote.Value != 0) {
		v.Had, v.Form = true, formOfVote(vote)
	}
	said, err := p.Feedback.HasOutcome(ctx, g.about.ID, g.link.UserID)
	v.AskOutcome = !said
	return v, err
}

func formOfVote(vote feedback.Vote) views.Form {
	f := views.Form{Comment: vote.Text}
	switch feedback.Sign(vote.Norm) {
	case feedback.Positive:
		f.Vote = "1"
	case feedback.Negative:
		f.Vote = "-1"
	}
	if vote.Kind == feedback.Rating {
		f.Rating = strconv.FormatFloat(vote.Value, 'f', -1, 64)
	}
	return f
}

func (p *Pages) guestShows(c echo.Context, status int, g guest, v views.Public) error {
	var page templ.Component = views.LinkPage(v)
	if g.widget {
		page = views.WidgetPage(v)
	}
	return render.Status(c, status, page)
}

// closed says why a link does not open. Nothing here reports whether there is such an answer: without a link that was
// ours, there is none.
func (p *Pages) closed(c echo.Context, g guest, err error) error {
	v := views.Closed{Title: "This link doesn't work", Text: fault.Message(err), Theme: g.theme, Widget: g.widget,
		Origins: p.WidgetOrigins}
	status := http.StatusNotFound
	switch {
	case errors.Is(err, link.ErrExpired):
		v.Title, status = "This link has expired", http.StatusGone
	case errors.Is(err, link.ErrEnded):
		v.Title, status = "This link has ended", http.StatusGone
	case errors.Is(err, errTakenBack):
		v.Title, status = "This answer was withdrawn", http.StatusGone
	case fault.Is(err, fault.Limited):
		v.Title, status = "One moment, please", http.StatusTooManyRequests
		render.RetryAfter(c, err)
	case fault.Is(err, fault.NotFound):
	default:
		return err
	}
	return render.Status(c, status, views.ClosedPage(v))
}

func (p *Pages) guestSends(c echo.Context, in guestSaid, widget bool) error {
	g, err := p.guestOf(c, in.Theme, widget, true)
	if fault.Is(err, fault.Limited) && (g.about.ID != "" || g.pair != nil) {
		return p.guestAgain(c, g, in.Form, err) // a person in a hurry keeps what they typed
	}
	if err != nil {
		return p.closed(c, g, err)
	}
	typed := in.Form
	if g.pair != nil {
		ctx := context.WithoutCancel(c.Request().Context())
		if _, err := p.Preferences.Choose(ctx, g.link.SubjectID, "", typed.Vote, g.link.UserID); err != nil {
			return p.guestAgain(c, g, typed, err)
		}
		return c.Redirect(http.StatusSeeOther, views.Public{Path: g.path(), Theme: g.theme}.Action("saved", "1"))
	}
	vote, outcome, wrong := g.read(typed)
	if len(wrong) == 0 {
		wrong, err = p.keepGuest(c, g, vote, outcome)
	}
	switch {
	case err != nil:
		return p.guestAgain(c, g, typed, err)
	case len(wrong) > 0:
		typed.Errors = wrong
		return p.guestAgain(c, g, typed, fault.New(fault.Invalid, "Check your answers and try again."))
	}
	v := views.Public{Path: g.path(), Theme: g.theme}
	return c.Redirect(http.StatusSeeOther, v.Action("saved", "1"))
}

// guestAgain shows the page with what was typed and what is wrong. Faults that no guest can do anything about go to the
// edge.
func (p *Pages) guestAgain(c echo.Context, g guest, typed views.Form, cause error) error {
	status, ok := render.Again(c, cause)
	if !ok {
		return cause
	}
	v, err := p.guestView(c, g)
	if err != nil {
		return err
	}
	typed.Message = fault.Message(cause)
	v.Form = typed
	return p.guestShows(c, status, g, v)
}

// keepGuest stores what was said. How it went is said once by each person: another form changes the opinion, and piles
// up no evidence.
func (p *Pages) keepGuest(c echo.Context, g guest, vote feedback.Vote,
	outcome *feedback.Outcome) (wrong map[string]string, err error) {
	ctx := context.WithoutCancel(c.Request().Context())
	if _, err = p.Feedback.Vote(ctx, vote); err != nil || outcome == nil {
		return guestFaults(err), ifOther(err)
	}
	err = p.Feedback.AddFirstOutcome(ctx, *outcome)
	return guestFaults(err), ifOther(err)
}

// ifOther is err unless its fields say what to mend.
func ifOther(err error) error {
	if fault.Is(err, fault.Invalid) && len(guestFaults(err)) > 0 {
		return nil
	}
	return err
}

// guestFaults are the domain's fields by the names of the form's.
func guestFaults(err error) map[string]string {
	names := map[string]string{"feedback_text": "comment", "feedback_value": "rating", "satisfaction": "rating",
		"comprehension": "understood", "goal_alignment": "goals"}
	out := map[string]string{}
	for _, f := range fault.Fields(err) {
		if name := names[strings.TrimPrefix(f.Name, "/")]; name != "" {
			out[name] = f.Msg
		}
	}
	return out
}
