package page

import (
	"slices"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/web/session"
)

// seesAllPlanted tells whether the person may see every closed planted check: those who keep the library. To other
// supervisors only those that they signed are shown, or they would learn its drafts before they meet them.
func seesAllPlanted(c echo.Context) bool {
	a := session.Me(c)
	return a.Has(account.Manager) || a.Has(account.Admin)
}

// mayRead answers NotFound for a closed planted check that is not the person's to see.
func (p *Pages) mayRead(c echo.Context, id string) error {
	if seesAllPlanted(c) {
		return nil
	}
	return p.Reviews.MayRead(c.Request().Context(), me(c).ID, id)
}

// OfCase guards every address below that of a case, named by the parameter id.
func (p *Pages) OfCase(h echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := p.mayRead(c, c.Param("id")); err != nil {
			return err
		}
		return h(c)
	}
}

// OfDecision guards what is done to a decision: its refusals would tell that the case was a planted check.
func (p *Pages) OfDecision(h echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		d, err := p.Reviews.Decision(c.Request().Context(), c.Param("id"))
		if err != nil {
			return err
		}
		if err := p.mayRead(c, d.InteractionID); err != nil {
			return err
		}
		return h(c)
	}
}

// withoutHidden leaves out what belongs to cases that mayRead refuses.
func withoutHidden[T any](p *Pages, c echo.Context, list []T, caseOf func(T) string) ([]T, error) {
	if seesAllPlanted(c) || len(list) == 0 {
		return list, nil
	}
	ids := make([]string, len(list))
	for i, one := range list {
		ids[i] = caseOf(one)
	}
	hidden, err := p.Reviews.HiddenFrom(c.Request().Context(), me(c).ID, ids...)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(one T) bool { return hidden[caseOf(one)] }), nil
}
