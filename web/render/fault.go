package render

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"preceptor/internal/platform/fault"
)

// Problem is a fault as an edge shows it.
type Problem struct {
	Status     int // HTTP
	Title      string
	Heading    string // of a page, where the status's own would mislead
	Message    string // for a person; says what to do next
	RequestID  string
	Fields     []fault.Field
	RetryAfter time.Duration // zero when unknown
}

// Views are the components that show a problem; web sets them, so that render knows no layout.
type Views struct {
	Page   func(c echo.Context, p Problem) templ.Component
	Notice func(p Problem) templ.Component
}

const viewsKey, logKey = "render.views", "render.log"

// Use gives every request the views for its faults and the log in which their causes are kept.
func Use(v Views, log *slog.Logger) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			c.Set(viewsKey, v)
			c.Set(logKey, log)
			return next(c)
		}
	}
}

// Fault answers with err, in the form its asker understands, and logs what only the operator should see.
func Fault(c echo.Context, err error) error {
	if c.Response().Committed {
		return nil
	}
	p := ProblemOf(c, err)
	logFault(c, p, err)
	h := c.Response().Header()
	if p.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(p.RetryAfter.Seconds()))))
	}
	h.Set("Cache-Control", "no-store")
	if c.Request().Method == http.MethodHead {
		return c.NoContent(p.Status)
	}
	v, _ := c.Get(viewsKey).(Views)
	switch {
	case strings.HasPrefix(c.Request().URL.Path, openAI):
		return openAIJSON(c, p)
	case ForPrograms(c.Request().URL.Path):
		return problemJSON(c, p)
	case (IsHTMX(c) || boostedForm(c)) && v.Notice != nil:
		h.Set("HX-Retarget", "#notice")
		h.Set("HX-Reswap", "innerHTML")
		h.Set("HX-Reselect", ".notice") // a boosted form would look for its region
		return orPlain(c, p, Status(c, p.Status, v.Notice(p)))
	case p.Status == http.StatusUnauthorized && c.Request().Method == http.MethodGet:
		return c.Redirect(http.StatusSeeOther, "/sign-in?next="+url.QueryEscape(c.Request().URL.RequestURI()))
	case v.Page != nil:
		if p.Status == http.StatusServiceUnavailable && p.RetryAfter > 0 && c.Request().Method == http.MethodGet {
			h.Set("Refresh", h.Get("Retry-After"))
		}
		return orPlain(c, p, Status(c, p.Status, v.Page(c, p)))
	}
	return plain(c, p)
}

// boostedForm reports whether htmx sent a form whose answer takes the page's place. On a fault the page stays, with all
// that was typed, and the notice stands above it.
func boostedForm(c echo.Context) bool {
	return c.Request().Header.Get("HX-Boosted") == "true" && c.Request().Method != http.MethodGet
}

// ProblemOf translates err. Echo's own errors (no such route, wrong method, body too large) keep their status.
func ProblemOf(c echo.Context, err error) Problem {
	p := Problem{RequestID: RequestID(c), Heading: fault.Title(err), Fields: fault.Fields(err),
		RetryAfter: fault.RetryAfter(err)}
	_, classified := errors.AsType[*fault.Error](err)
	he, isEcho := errors.AsType[*echo.HTTPError](err)
	_, tooLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case tooLarge || (isEcho && he.Code == http.StatusRequestEntityTooLarge):
		p.Status = http.StatusRequestEntityTooLarge
	case !classified && isEcho:
		p.Status = he.Code
	default:
		p.Status = fault.KindOf(err).Status()
		p.Message = fault.Message(err)
	}
	p.Title = titles[p.Status]
	if p.Title == "" {
		p.Title = "That didn't work"
	}
	if p.Message == "" {
		p.Message = messages[p.Status]
	}
	if p.Message == "" {
		p.Message = fault.InternalMessage
	}
	return p
}

var titles = map[int]string{
	http.StatusBadRequest:            "Bad request",
	http.StatusUnauthorized:          "Sign in first",
	http.StatusForbidden:             "You don't have access",
	http.StatusNotFound:              "Not found",
	http.StatusMethodNotAllowed:      "Method not allowed",
	http.StatusConflict:              "Conflict",
	http.StatusRequestEntityTooLarge: "Too large",
	http.StatusUnsupportedMediaType:  "Unsupported content type",
	http.StatusUnprocessableEntity:   "Please check what you typed",
	http.StatusTooManyRequests:       "Too many requests",
	http.StatusInternalServerError:   "Something went wrong",
	http.StatusServiceUnavailable:    "Temporarily unavailable",
}

// codes are what programs go by.
var codes = map[int]string{
	http.StatusBadRequest:            "bad_request",
	http.StatusUnauthorized:          fault.Unsigned.String(),
	http.StatusForbidden:             fault.Denied.String(),
	http.StatusNotFound:              fault.NotFound.String(),
	http.StatusMethodNotAllowed:      "method_not_allowed",
	http.StatusConflict:              fault.Conflict.String(),
	http.StatusRequestEntityTooLarge: "too_large",
	http.StatusUnsupportedMediaType:  "unsupported_media_type",
	http.StatusUnprocessableEntity:   fault.Invalid.String(),
	http.StatusTooManyRequests:       fault.Limited.String(),
	http.StatusInternalServerError:   fault.Internal.String(),
	http.StatusServiceUnavailable:    fault.Unavailable.String(),
}

// messages are for statuses that the router and the body limit give, which carry no text of ours.
var messages = map[int]string{
	http.StatusBadRequest: "The request is not well formed. Check it and send it again.",
	http.StatusNotFound: "There is nothing at this address, or you don't have access to it. Start again " +
		"from the home page.",
	http.StatusMethodNotAllowed:      "This address doesn't accept that method.",
	http.StatusRequestEntityTooLarge: "That is too large. Shorten it, or send it in parts.",
	http.StatusUnsupportedMediaType:  "This address doesn't accept that content type. Send JSON as application/json.",
}

// Left reports whether whoever asked has gone meanwhile: what was broken off for that is no fault of ours.
func Left(c echo.Context) bool { return errors.Is(c.Request().Context().Err(), context.Canceled) }

func logFault(c echo.Context, p Problem, err error) {
	log, ok := c.Get(logKey).(*slog.Logger)
	if !ok || p.Status < http.StatusInternalServerError || Left(c) {
		return
	}
	log.Error("request failed", "request", p.RequestID, "route", c.Path(), "status", p.Status, "error", err.Error())
}

// ProblemBody is a problem as the API answers with it (RFC 9457).
type ProblemBody struct {
	Title    string         `json:"title" doc:"What kind of problem it is, in a few words."`
	Status   int            `json:"status" doc:"The HTTP status."`
	Code     string         `json:"code" enum:"bad_request,unsigned,denied,not_found,method_not_allowed,conflict,too_large,unsupported_media_type,invalid,limited,internal,unavailable" doc:"What kind of problem it is, for programs; these names don't change."`
	Detail   string         `json:"detail" doc:"What happened and what to do next."`
	Instance string         `json:"instance,omitempty" doc:"The request's number in our log."`
	Errors   []ProblemField `json:"errors,omitempty" doc:"What is wrong with the request, field by field."`
}

// ProblemField is one wrong field: a pointer into the body, or the name of a parameter or header.
type ProblemField struct {
	Detail    string `json:"detail" doc:"What is wrong and what to send instead."`
	Pointer   string `json:"pointer,omitempty" doc:"Where in the body, as a JSON pointer in a URI fragment (RFC 6901)." example:"#/consultation/question"`
	Parameter string `json:"parameter,omitempty" doc:"Which query parameter or header." example:"Idempotency-Key"`
}

// Body is the problem in the API's form. A field whose name is empty or begins with a slash is a pointer into the body.
func (p Problem) Body() ProblemBody {
	b := ProblemBody{Title: p.Title, Status: p.Status, Code: codes[p.Status], Detail: p.Message}
	if p.RequestID != "" {
		b.Instance = "urn:request:" + p.RequestID
	}
	for _, f := range p.Fields {
		if f.Name == "" || f.Name[0] == '/' {
			b.Errors = append(b.Errors, ProblemField{Detail: f.Msg, Pointer: "#" + f.Name})
		} else {
			b.Errors = append(b.Errors, ProblemField{Detail: f.Msg, Parameter: f.Name})
		}
	}
	return b
}

func problemJSON(c echo.Context, p Problem) error {
	b, err := json.Marshal(p.Body())
	if err != nil {
		return plain(c, p)
	}
	return c.Blob(p.Status, "application/problem+json", b)
}

func orPlain(c echo.Context, p Problem, err error) error {
	if err != nil && !c.Response().Committed {
		return plain(c, p)
	}
	return err
}

func plain(c echo.Context, p Problem) error {
	return c.String(p.Status, p.Title+"\n\n"+p.Message+"\n")
}
