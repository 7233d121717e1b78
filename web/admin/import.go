package admin

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/table"
	"preceptor/internal/platform/table/imports"
	"preceptor/views/accounts"
	"preceptor/views/admin"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// ImportForm shows the form and how the last import went.
func (p *Pages) ImportForm(c echo.Context) error {
	return p.importPage(c, admin.ImportView{}, nil)
}

func (p *Pages) importPage(c echo.Context, v admin.ImportView, wrong error) error {
	v.Side, v.Errors = p.side(c), accounts.ErrorsOf(wrong)
	if packs := p.Packs(c, ""); v.Pack == "" && len(packs) == 1 {
		v.Pack = packs[0]
	}
	var err error
	if v.Shares, err = p.Knowledge.DocumentShares(c.Request().Context()); err != nil {
		return err
	}
	runs, err := p.Imports.List(c.Request().Context(), imports.Documents, "", 20)
	if err != nil {
		return err
	}
	for _, r := range runs {
		line := admin.ImportRun{Run: r}
		if err := r.Read(&line.Report); err != nil {
			return err
		}
		v.Runs = append(v.Runs, line)
	}
	return render.Page(c, wrong, admin.Import(p.Frame(c, "Import").Follow(imports.Topic, "knowledge"), v))
}

// ImportDomain gives the documents that are every agent's to the agents of a domain, beside this request.
func (p *Pages) ImportDomain(c echo.Context, in struct {
	Pack string `form:"pack"`
}) error {
	if err := pack.CheckName(in.Pack); err != nil {
		return p.importPage(c, admin.ImportView{}, err)
	}
	by := session.Actor(c)
	run := imports.Run{Kind: imports.Documents, Source: "Documents without a domain", ByID: by.ID, By: by.Name}
	err := p.Imports.Start(c.Request().Context(), run,
		func(ctx context.Context, progress func(done, total int)) (any, error) {
			r, err := p.Knowledge.GivePack(ctx, in.Pack, by, progress)
			return r.Kept(), err
		})
	if err != nil {
		return p.importPage(c, admin.ImportView{}, err)
	}
	return render.Redirect(c, "/admin/import")
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

// maxAddresses bounds the web pages of one import.
const maxAddresses = 500

// ImportPages imports web pages by their addresses.
func (p *Pages) ImportPages(c echo.Context, v admin.ImportView) error {
	list := slices.Compact(form.Lines(v.Addresses))
	var r form.Reading
	switch {
	case len(list) == 0:
		r.Wrong("addresses", "Give at least one address, as https://host/page.")
	case len(list) > maxAddresses:
		r.Wrong("addresses", "Import at most 500 pages at once.")
	}
	err := r.Err("The pages can't be imported.")
	if err == nil {
		source := list[0]
		if len(list) > 1 {
			source += " and " + strconv.Itoa(len(list)-1) + " more"
		}
		err = p.queueImport(c, v, source,
			func(ctx context.Context, o knowledge.ImportOptions) (knowledge.ImportReport, error) {
				return p.Knowledge.ImportAddresses(ctx, list, o)
			}, io.NopCloser(nil))
	}
	if err == nil {
		return render.Redirect(c, "/admin/import")
	}
	return p.importPage(c, v, err)
}

// ImportUpload imports a document or a zip file that was uploaded.
func (p *Pages) ImportUpload(c echo.Context) error {
	var v admin.ImportView
	up, header, err := form.File(c, "Choose a document or a zip file.")
	if err == nil {
		defer up.Close()
	}
	if berr := form.Bind(c, &v); err == nil { // also without a file, so that what was chosen stays
		err = berr
	}
	if err != nil {
		return p.importPage(c, v, err)
	}
	name := filepath.Base(header.Filename)
	files, err := openUpload(up, name)
	if fault.Is(err, fault.Invalid) {
		err = fault.Wrong(fault.Message(err), "file", fault.Message(err))
	}
	if err != nil {
		return p.importPage(c, v, err)
	}
	return p.startImport(c, v, name, files, files)
}

// startImport runs the import beside this request and goes to the page that shows how far it is. files is closed at
// its end.
func (p *Pages) startImport(c echo.Context, v admin.ImportView, source string, files fs.FS, closer io.Closer) error {
	err := p.queueImport(c, v, source,
		func(ctx context.Context, o knowledge.ImportOptions) (knowledge.ImportReport, error) {
			o.Folder = v.Folder
			if u, ok := files.(*upload); ok {
				o.Left = u.left
			}
			return p.Knowledge.Import(ctx, files, o)
		}, closer)
	if err == nil {
		return render.Redirect(c, "/admin/import")
	}
	if cerr := closer.Close(); cerr != nil {
		p.Log.Warn("close an import's files", "error", cerr.Error())
	}
	return p.importPage(c, v, err)
}

func (p *Pages) queueImport(c echo.Context, v admin.ImportView, source string,
	work func(context.Context, knowledge.ImportOptions) (knowledge.ImportReport, error), closer io.Closer) error {
	if err := p.known(c, v); err != nil {
		return err
	}
	whose := []knowledge.ImportOptions{}
	for name := range strings.SplitSeq(v.Agent, ",") {
		if name = strings.TrimSpace(name); name == "" && v.Agent != "" {
			continue
		}
		of, err := p.Accounts.PackFor(c.Request().Context(), name, v.Pack)
		if err != nil {
			return err
		}
		o := knowledge.ImportOptions{Source: source, By: session.Actor(c), Pack: of}
		if name != "" {
			agent, err := p.Accounts.EnsureAgentBy(c.Request().Context(), name, of, o.By)
			if err != nil {
				return err
			}
			o.AgentID, o.Pack = agent.ID, agent.Pack
		}
		whose = append(whose, o)
	}
	if len(whose) == 0 {
		return fault.Wrong("Name an agent, or leave the field empty.", "agent", "Name an agent, or leave it empty.")
	}
	run := imports.Run{Kind: imports.Documents, Subject: whose[0].AgentID, Source: source, ByID: whose[0].By.ID,
		By: whose[0].By.Name}
	return p.Imports.Start(c.Request().Context(), run,
		func(ctx context.Context, progress func(done, total int)) (any, error) {
			var all knowledge.ImportReport
			for i, o := range whose {
				o.Progress = func(done, total int) { progress(i*total+done, len(whose)*total) }
				r, err := work(ctx, o)
				all.Add(r)
				if err != nil {
					return all.Kept(), errors.Join(err, closer.Close())
				}
			}
			return all.Kept(), closer.Close()
		})
}

// known asks before agents are made: a name that nobody has may be one mistyped. Those of an empty program are made.
func (p *Pages) known(c echo.Context, v admin.ImportView) error {
	ctx := c.Request().Context()
	agents, err := p.Accounts.Agents(ctx)
	if err != nil || len(agents) == 0 || v.Create {
		return err
	}
	for name := range strings.SplitSeq(v.Agent, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		_, err := p.Accounts.AgentByName(ctx, name)
		if fault.Is(err, fault.NotFound) {
			return fault.Wrong("No agent is called "+name+". Nothing was imported.", "agent",
				"No agent is called "+name+". Correct the name, or tick the box to create it.")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// The limits of an uploaded zip file: a small file may unpack to a very large one.
const (
	maxEntries  = 20_000
	maxEntry    = 33 << 20  // bytes of one document
	maxUnpacked = 256 << 20 // bytes of all
)

// upload is a zip file that was uploaded; Close lets go of it.
type upload struct {
	*zip.Reader
	io.Closer
	left []knowledge.Skipped
}

// openUpload copies what was uploaded to a file of our own, because the request's goes with the request, and checks
// that what is no document by its name is a zip file of a bearable size.
func openUpload(from io.Reader, name string) (*upload, error) {
	if knowledge.Importable(name) {
		packed, err := packOne(from, name)
		if err != nil {
			return nil, err
		}
		from = packed
	}
	f, size, err := table.Spool(from)
	if err != nil {
		return nil, err
	}
	z, err := readZip(f, size)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &upload{z, f, once(z)}, nil
}

// packOne makes a zip file of a document.
func packOne(from io.Reader, name string) (*bytes.Buffer, error) {
	packed := &bytes.Buffer{}
	z := zip.NewWriter(packed)
	w, err := z.CreateHeader(&zip.FileHeader{Name: name})
	if err == nil {
		_, err = io.Copy(w, io.LimitReader(from, maxEntry))
	}
	return packed, errors.Join(err, z.Close())
}

func readZip(f io.ReaderAt, size int64) (*zip.Reader, error) {
	z, err := zip.NewReader(f, size)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err,
			"This is not a zip file, nor a document that can be read (PDF, .docx, .html, .md, .txt).")
	}
	for _, e := range z.File {
		if e.Name == "[Content_Types].xml" || e.Name == "mimetype" {
			return nil, fault.New(fault.Invalid, "This is an Office file or an e-book, not a zip file of documents. "+
				"Save it as PDF or .docx.")
		}
	}
	left := uint64(maxUnpacked) // counted down, because sizes that a file claims can run a sum over
	tooLarge := len(z.File) > maxEntries
	for _, e := range z.File {
		if e.UncompressedSize64 > left {
			tooLarge = true
			break
		}
		left -= e.UncompressedSize64
	}
	if tooLarge {
		return nil, fault.New(fault.Invalid,
			"The zip file unpacks to more than 20,000 files or 256 MB. Send it in parts.")
	}
	return z, nil
}

const macFolder = "__MACOSX" // which a Mac adds, with what its own programs keep of each file

// once takes out what keeps a zip file from being read as folders, and says which files: one of a name that was there
// before, that is a folder's or that leads out of the file, and what a Mac adds.
func once(z *zip.Reader) (left []knowledge.Skipped) {
	folders, seen := map[string]bool{}, map[string]int{}
	mac := 0
	z.File = slices.DeleteFunc(z.File, func(e *zip.File) bool {
		parts := strings.Split(strings.ReplaceAll(e.Name, `\`, "/"), "/")
		switch {
		case strings.HasSuffix(e.Name, "/"):
		case slices.Contains(parts, ".."):
			left = append(left, knowledge.Skipped{File: e.Name, Bad: true, Why: "its path leads out of the zip file"})
		case parts[0] == macFolder:
			mac++
		default:
			return false
		}
		return true
	})
	if mac > 0 {
		left = append(left, knowledge.Skipped{File: macFolder, Why: "the folder has no documents: a Mac wrote it"})
	}
	for _, e := range z.File {
		for dir := path.Dir(named(e)); dir != "." && !folders[dir]; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	z.File = slices.DeleteFunc(z.File, func(e *zip.File) bool {
		name := named(e)
		seen[name]++
		switch n := seen[name]; {
		case n == 1 && folders[name]:
			left = append(left, knowledge.Skipped{File: name, Bad: true,
				Why: "the zip file has a folder of this name, too"})
		case n == 2 && !folders[name]:
			left = append(left, knowledge.Skipped{File: name, Bad: true,
				Why: "the zip file has it more than once; the first was read"})
		}
		return folders[name] || seen[name] > 1
	})
	return left
}

// named is an entry's name as fs.FS has it.
func named(e *zip.File) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(e.Name, `\`, "/")), "/")
}

// Open implements fs.FS. What a header says of a size is not believed: reading stops at maxEntry.
func (u *upload) Open(name string) (fs.File, error) {
	f, err := u.Reader.Open(name)
	if err != nil {
		return nil, err
	}
	if d, ok := f.(fs.ReadDirFile); ok {
		return d, nil
	}
	return &bounded{File: f, name: name, left: maxEntry}, nil
}

type bounded struct {
	fs.File
	name string
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("%s is larger than 32 MB", b.name)
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.File.Read(p)
	b.left -= int64(n)
	return n, err
}
