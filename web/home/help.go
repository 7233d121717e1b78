package home

import (
	"github.com/labstack/echo/v4"

	"preceptor/help"
	"preceptor/internal/platform/fault"
	"preceptor/views/home"
	"preceptor/web/render"
)

// HelpList is the list of help pages.
func (p *Pages) HelpList(c echo.Context) error {
	return render.Page(c, nil, home.HelpListPage(p.Frame(c, "Help"), help.Pages()))
}

// HelpShow is one page of help.
func (p *Pages) HelpShow(c echo.Context) error {
	page, ok := help.Find(c.Param("page"))
	if !ok {
		return fault.New(fault.NotFound, "There is no help page with this name. See Help for the full list.")
	}
	return render.Page(c, nil, home.HelpPage(p.Frame(c, page.Title).Broad(), page, help.Pages()))
}
