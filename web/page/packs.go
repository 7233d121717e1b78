package page

import (
	"slices"

	"github.com/labstack/echo/v4"

	"preceptor/internal/pack"
)

// packs lists the packs that the desk's agents work in. If they can't be read there is none: no page fails for it.
func (p *Pages) packs(c echo.Context) (names []string) {
	list, err := p.Accounts.Agents(c.Request().Context())
	if err != nil {
		p.Log.Warn("list the agents", "error", err.Error())
	}
	for _, a := range list {
		if !slices.Contains(names, a.Pack) {
			names = append(names, a.Pack)
		}
	}
	return names
}

// usualPack is the pack that a form begins with: pension where an agent has it or there is no agent, as the examples of help expect.
func (p *Pages) usualPack(c echo.Context) string {
	names := p.packs(c)
	if len(names) == 0 || slices.Contains(names, pack.Pension) {
		return pack.Pension
	}
	return pack.GeneralName
}
