package knowledge

import (
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	base "preceptor/views/knowledge"
	"preceptor/views/layout"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// SourceShow is a document with what changed where it came from.
func (p *Pages) SourceShow(c echo.Context) error { return p.showSource(c, nil) }

func (p *Pages) showSource(c echo.Context, wrong error) (err error) {
	if !form.Again(wrong) {
		return wrong
	}
	ctx := c.Request().Context()
	v := base.Source{Now: p.Now(), MaySet: session.Settles(c)}
	v.Message, v.Errors = form.Said(wrong)
	if v.Source, v.Changes, err = p.Knowledge.Source(ctx, c.Param("id")); err != nil {
		return err
	}
	names, _, err := p.AgentNames(ctx)
	if err != nil {
		return err
	}
	v.Owner = base.OwnerOf(v.Source, names)
	if v.Agents, err = p.AgentOptions(ctx); err != nil {
		return err
	}
	return render.Page(c, wrong, base.SourcePage(p.Frame(c, "Document").Broad().Follow("knowledge"), v))
}

// SourceDecide reads a document again, reviews what changed, changes whose it is, or withdraws it.
func (p *Pages) SourceDecide(c echo.Context, in struct {
	Do    string `form:"do"`
	Seen  string `form:"seen"`
	Owner string `form:"owner"`
	Every int    `form:"every"`
}) (err error) {
	ctx, id, by := context.WithoutCancel(c.Request().Context()), c.Param("id"), keeper(c)
	switch in.Do {
	case "check":
		err = p.Knowledge.Reread(ctx, id)
	case "take", "leave":
		err = p.Knowledge.ReviewSource(ctx, id, in.Seen, in.Do == "take", by)
	case "withdraw":
		if err = p.Knowledge.WithdrawSource(ctx, id, by); err == nil {
			return render.Redirect(c, layout.TabDocuments)
		}
	case "set":
		packName, shared := strings.CutPrefix(in.Owner, "pack:")
		agent := in.Owner
		if shared {
			agent = ""
		}
		err = p.Knowledge.SetSource(ctx, id, in.Every, agent, packName, by)
	default:
		return echo.NewHTTPError(http.StatusBadRequest)
	}
	if err != nil {
		return p.showSource(c, err)
	}
	return render.Redirect(c, layout.TabDocuments+"/"+id)
}
