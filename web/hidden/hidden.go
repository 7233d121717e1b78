// Package hidden keeps closed seeded checks from those who must not know them. Who keeps the library sees every one; to
// other supervisors only those that they signed are shown, or they would learn its drafts before they meet them.
package hidden

import (
	"slices"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/review"
	"preceptor/web/session"
)

// Guard says who may see which case.
type Guard struct{ reviews *review.Queue }

// New gives the guard of the cases of a queue.
func New(reviews *review.Queue) *Guard { return &Guard{reviews} }

// MayRead answers NotFound for a closed seeded check that is not the person's to see.
func (g *Guard) MayRead(c echo.Context, id string) error {
	if session.Leads(c) {
		return nil
	}
	return g.reviews.MayRead(c.Request().Context(), session.Me(c).ID, id)
}

// OfCase guards every address below that of a case, named by the parameter id.
func (g *Guard) OfCase(h echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := g.MayRead(c, c.Param("id")); err != nil {
			return err
		}
		return h(c)
	}
}

// OfDecision guards what is done to a decision: its refusals would tell that the case was a seeded check.
func (g *Guard) OfDecision(h echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		d, err := g.reviews.Decision(c.Request().Context(), c.Param("id"))
		if err != nil {
			return err
		}
		if err := g.MayRead(c, d.InteractionID); err != nil {
			return err
		}
		return h(c)
	}
}

// Without leaves out what belongs to cases that MayRead refuses.
func Without[T any](g *Guard, c echo.Context, list []T, caseOf func(T) string) ([]T, error) {
	if session.Leads(c) || len(list) == 0 {
		return list, nil
	}
	ids := make([]string, len(list))
	for i, one := range list {
		ids[i] = caseOf(one)
	}
	hidden, err := g.reviews.HiddenFrom(c.Request().Context(), session.Me(c).ID, ids...)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(one T) bool { return hidden[caseOf(one)] }), nil
}

// CaseHref is the page of a case for who is signed in: supervisors have the desk, managers and administrators a page to
// read; "" for others.
func CaseHref(c echo.Context, id string) string {
	switch {
	case id == "":
		return ""
	case session.Me(c).Has(account.Supervisor):
		return "/reviews/" + id
	case session.Leads(c):
		return "/interactions/" + id
	}
	return ""
}
