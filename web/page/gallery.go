package page

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/fault"
	"preceptor/views/gallery"
	"preceptor/web/render"
)

// GalleryIndex shows every component.
func (p *Pages) GalleryIndex(c echo.Context) error {
	f := p.frame(c, "Gallery")
	f.Wide = true
	return render.Page(c, http.StatusOK, gallery.Index(f, p.Now()))
}

// GalleryShow shows one page in one state, with made-up content.
func (p *Pages) GalleryShow(c echo.Context) error {
	for _, s := range gallery.Samples() {
		if s.Name == c.Param("name") {
			f := p.frame(c, s.Label)
			f.Wide = true
			return render.Page(c, http.StatusOK, s.View(f, gallery.Plain(p.Now())))
		}
	}
	return fault.New(fault.NotFound, "The gallery has no such page. /ui lists them all.")
}
