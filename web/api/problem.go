package api

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humaecho"
	"github.com/labstack/echo/v4"

	"preceptor/internal/platform/fault"
	"preceptor/web/render"
)

// problem is a fault on its way through huma.
type problem struct{ render.ProblemBody }

func (p *problem) Error() string { return p.Detail }

// GetStatus is the HTTP status, for huma.
func (p *problem) GetStatus() int { return p.Status }

// ContentType is problem+json, for huma.
func (p *problem) ContentType(string) string { return "application/problem+json" }

// unreadable is a request that is no request: it has a status of its own and no fields.
type unreadable struct {
	status int
	msg    string
}

func (u *unreadable) Error() string { return u.msg }

// fail makes the answer of err, and logs what only the operator should see.
func (h *handlers) fail(ctx context.Context, err error) error {
	c := callOf(ctx).Context
	p := problemOf(c, err)
	if p.Status >= http.StatusInternalServerError && !render.Left(c) {
		h.Log.Error("request failed", "request", p.RequestID, "route", c.Path(), "status", p.Status, "error",
			err.Error())
	}
	if p.RetryAfter > 0 {
		c.Response().Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(p.RetryAfter.Seconds()))))
	}
	return &problem{p.Body()}
}

func problemOf(c echo.Context, err error) render.Problem {
	if u, ok := errors.AsType[*unreadable](err); ok {
		p := render.ProblemOf(c, echo.NewHTTPError(u.status))
		p.Message = u.msg
		return p
	}
	return render.ProblemOf(c, err)
}

// asProblem turns what huma itself finds wrong, with parameters, into our form. What was sent is not echoed.
func asProblem(ctx huma.Context, _ string, v any) (any, error) {
	m, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	p := render.ProblemOf(humaecho.Unwrap(ctx), echo.NewHTTPError(m.Status))
	if len(m.Errors) > 0 {
		p.Message = "A parameter isn't valid."
	}
	for _, e := range m.Errors {
		where, name, _ := strings.Cut(e.Location, ".")
		p.Fields = append(p.Fields, fault.Field{Name: name, Msg: where + " parameter: " + e.Message + "."})
	}
	return &problem{p.Body()}, nil
}
