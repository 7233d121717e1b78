package knowledge

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/knowledge/transfer"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/table"
	"preceptor/internal/platform/table/imports"
	base "preceptor/views/knowledge"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// KnowledgeFile offers the whole base as a file, and takes one in.
func (p *Pages) KnowledgeFile(c echo.Context) error {
	return p.filePage(c, "", nil)
}

func (p *Pages) filePage(c echo.Context, reason string, wrong error) error {
	last, err := p.Imports.Last(c.Request().Context(), imports.Base, "")
	if err != nil {
		return err
	}
	v := base.File{Run: last, Reason: reason, Now: p.Now()}
	if last != nil {
		if err := last.Read(&v.Report); err != nil {
			return err
		}
		if last.ByID == session.Me(c).ID {
			v.Reason = cmp.Or(reason, v.Report.Reason)
		}
	}
	v.Error, v.Errors = form.Said(wrong)
	return render.Page(c, wrong,
		base.FilePage(p.Frame(c, "Export and import").At("/knowledge/file").Broad().Follow("knowledge", imports.Topic),
			v), fault.Unavailable)
}

// KnowledgeExport sends the whole base.
func (p *Pages) KnowledgeExport(c echo.Context) error {
	a := session.Me(c)
	file, err := p.Bases.Export(c.Request().Context(), a.Actor())
	if err != nil {
		return err
	}
	defer file.Close()
	c.Response().Header().Set("Content-Length", strconv.FormatInt(file.Size, 10))
	w, _, finish := render.Download(c, "application/jsonl; charset=utf-8",
		"knowledge-"+p.Now().Format("2006-01-02-1504")+".jsonl", false)
	_, err = file.WriteTo(w)
	return render.Sent(c, err, finish, 0)
}

// KnowledgeImport takes a file in, and brings it into the base beside this request.
func (p *Pages) KnowledgeImport(c echo.Context) error {
	var in struct {
		Reason string `form:"reason"`
	}
	sent, header, err := form.File(c, "Choose a file.")
	if err == nil {
		defer sent.Close()
	}
	if rerr := form.Bind(c, &in); rerr != nil {
		return rerr
	}
	if in.Reason == "" {
		err = fault.WithFields("Fill in the marked fields before importing.",
			append(fault.Fields(err),
				fault.Field{Name: "reason", Msg: "Say why you are importing this and where it is from."})...)
	}
	if err != nil {
		return p.filePage(c, in.Reason, err)
	}
	f, _, err := table.Spool(sent)
	if err != nil {
		return p.filePage(c, in.Reason, err)
	}
	a, name := session.Me(c), filepath.Base(header.Filename)
	run := imports.Run{Kind: imports.Base, Source: name, ByID: a.ID, By: a.Name}
	err = p.Imports.Start(c.Request().Context(), run,
		func(ctx context.Context, progress func(done, total int)) (any, error) {
			rep, err := p.Bases.Import(ctx, f,
				transfer.Options{Name: name, By: a.Actor(), Reason: in.Reason, Progress: progress})
			if err != nil || rep.Bad > 0 {
				rep.Reason = in.Reason
			}
			return rep, errors.Join(err, f.Close())
		})
	if err != nil {
		_ = f.Close()
		return p.filePage(c, in.Reason, err)
	}
	return render.Redirect(c, "/knowledge/file")
}
