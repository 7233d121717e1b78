package admin

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/fault"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/views/accounts"
	"preceptor/views/admin"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// ImportForm shows the form and how the last import went.
func (p *Pages) ImportForm(c echo.Context) error {
	return p.importPage(c, admin.ImportView{}, nil)
}

func (p *Pages) importPage(c echo.Context, v admin.ImportView, wrong error) error {
	if !form.Again(wrong) {
		return wrong
	}
	v.Side, v.Run, v.Errors = p.side(c), p.imports.Last(), accounts.ErrorsOf(wrong)
	if v.Pack == "" {
		v.Pack = p.UsualPack(c)
	}
	runs, err := p.Knowledge.Imports(c.Request().Context(), 20)
	if err != nil {
		return err
	}
	for _, r := range runs {
		switch {
		case r.FinishedAt.IsZero() && p.imports.Last() != nil: // the one that runs
		case v.Run == nil:
			run := importRun(r)
			v.Run = &run
		default:
			v.Earlier = append(v.Earlier, importRun(r))
		}
	}
	return render.Page(c, form.Status(wrong), admin.Import(p.Frame(c, "Import"), v))
}

// ImportFolder imports a folder of the server.
func (p *Pages) ImportFolder(c echo.Context, v admin.ImportView) error {
	var r form.Reading
	info, err := os.Stat(v.Folder)
	switch {
	case !filepath.IsAbs(v.Folder):
		r.Wrong("folder", "Give the whole path, as /srv/guidance.")
	case err != nil || !info.IsDir():
		r.Wrong("folder", "There is no such folder on the server, or it can't be read.")
	}
	if err := r.Err("The folder can't be read."); err != nil {
		return p.importPage(c, v, err)
	}
	root, err := os.OpenRoot(v.Folder) // links that lead out of the folder are not followed
	if err != nil {
		return fault.Wrap(fault.Invalid, err, "The folder can't be read.")
	}
	return p.startImport(c, v, v.Folder, root.FS(), root)
}

// ImportUpload imports a zip file that was uploaded.
func (p *Pages) ImportUpload(c echo.Context) error {
	var v admin.ImportView
	up, header, err := form.File(c, "Choose a zip file.")
	if err == nil {
		defer up.Close()
	}
	if berr := form.Bind(c, &v); err == nil { // also without a file, so that what was chosen stays
		err = berr
	}
	if err != nil {
		return p.importPage(c, v, err)
	}
	files, err := openUpload(up)
	if fault.Is(err, fault.Invalid) {
		err = fault.WithFields(fault.Message(err), fault.Field{Name: "file", Msg: fault.Message(err)})
	}
	if err != nil {
		return p.importPage(c, v, err)
	}
	return p.startImport(c, v, filepath.Base(header.Filename), files, files)
}

// startImport runs the import beside this request and goes to the page that shows how far it is. files is closed at
// its end.
func (p *Pages) startImport(c echo.Context, v admin.ImportView, source string, files fs.FS, closer io.Closer) error {
	o := knowledge.ImportOptions{By: session.Actor(c), Progress: func(done, total int, _ string) {
		p.imports.Update(func(run *admin.ImportRun) { run.Done, run.Total = done, total })
	}}
	err := p.prepareImport(c, v, source, &o)
	if err != nil {
		if cerr := closer.Close(); cerr != nil {
			p.Log.Warn("close an import's files", "error", cerr.Error())
		}
		return p.importPage(c, v, err)
	}
	p.work.Go(c, func(ctx context.Context) {
		_, err := p.Knowledge.ImportFrom(ctx, source, files, o)
		if err = errors.Join(err, closer.Close()); err != nil {
			p.Log.Warn("an import stopped", "error", err.Error())
		}
		p.imports.End()
	})
	return render.Redirect(c, "/admin/import")
}

func (p *Pages) prepareImport(c echo.Context, v admin.ImportView, source string, o *knowledge.ImportOptions) error {
	if v.Pack != "" {
		if err := pack.CheckName(v.Pack); err != nil {
			return err
		}
	}
	o.Pack = v.Pack
	if strings.TrimSpace(v.Agent) != "" {
		agent, err := p.Accounts.EnsureAgent(c.Request().Context(), v.Agent, v.Pack)
		if err != nil {
			return err
		}
		o.AgentID, o.Pack = agent.ID, agent.Pack
	}
	me := session.Me(c)
	run := admin.ImportRun{Source: source, By: me.Name, StartedAt: p.Now(), Running: true, Poll: "/admin/import"}
	return p.imports.Begin(run, func(before admin.ImportRun) error {
		return fault.New(fault.Conflict, "%s is being imported by %s. Wait until that is done.", before.Source, before.By)
	})
}

// importRun is how an import went, for a view.
func importRun(r knowledge.ImportRun) admin.ImportRun {
	run := admin.ImportRun{Source: r.Source, By: r.By, StartedAt: r.StartedAt, Error: r.Failure, New: r.Report.Imported, Updated: r.Report.Updated}
	if r.FinishedAt.IsZero() {
		run.Error = "Preceptor was stopped while it ran. Import again; what is there already is not doubled."
		return run
	}
	run.Summary = []ui.Fact{
		{Label: "Documents", Value: ui.Thousands(r.Report.Files)},
		{Label: "New cases", Value: ui.Thousands(r.Report.Imported)},
		{Label: "Updated", Value: ui.Thousands(r.Report.Updated)},
		{Label: "Unchanged", Value: ui.Thousands(r.Report.Unchanged)},
		{Label: "Retired, because their section is gone", Value: ui.Thousands(r.Report.Retired)},
		{Label: "Flagged for a person", Value: ui.Thousands(len(r.Report.Flagged))},
		{Label: "Nearly the same as another", Value: ui.Thousands(len(r.Report.Duplicates))},
	}
	for _, s := range r.Report.Skipped {
		run.Skipped = append(run.Skipped, admin.ImportProblem{File: s.File, Line: s.Line, Why: s.Why})
	}
	return run
}
