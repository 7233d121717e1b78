package datasets

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"mime/multipart"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/dataset"
	"preceptor/internal/dataset/transfer"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/table"
	"preceptor/internal/platform/table/imports"
	"preceptor/views/datasets"
	"preceptor/web/form"
	"preceptor/web/render"
)

// An upload waits for its mapping this long, and so many wait at once.
const (
	uploadWaits = time.Hour
	uploadsMost = 16
)

// sentFile is a file that was sent and is to be imported. Its file has no name in any folder any more, so nothing of it
// is left when the program ends.
type sentFile struct {
	file    *os.File
	size    int64
	name    string
	dataset string
	by      string
	at      time.Time
	preview transfer.Preview
}

// uploads are the files that wait for their mapping.
type uploads struct {
	mu    sync.Mutex
	files map[string]*sentFile
}

// keep takes a file in and drops those that waited too long.
func (u *uploads) keep(key string, up *sentFile) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.files == nil {
		u.files = map[string]*sentFile{}
	}
	for key, old := range u.files {
		if up.at.Sub(old.at) > uploadWaits || old.by == up.by && old.dataset == up.dataset {
			_ = old.file.Close()
			delete(u.files, key)
		}
	}
	if len(u.files) >= uploadsMost {
		return fault.New(fault.Limited, "Too many files are waiting to be imported. Try again in a few minutes.")
	}
	u.files[key] = up
	return nil
}

// find gives a file that this process has; nil when it has none such.
func (u *uploads) find(key, datasetID, by string) *sentFile {
	u.mu.Lock()
	defer u.mu.Unlock()
	if up := u.files[key]; up != nil && up.dataset == datasetID && up.by == by {
		return up
	}
	return nil
}

// sent finds a file that a person sent, to this server or another one.
func (p *Pages) sent(ctx context.Context, key string, set *dataset.Dataset, by string) (*sentFile, error) {
	if up := p.uploads.find(key, set.ID, by); up != nil {
		return up, nil
	}
	f, size, name, err := p.Imports.Fetch(ctx, key, shelf(set.ID, by))
	if err != nil {
		return nil, err
	}
	up, err := p.look(f, size, name, set)
	if err != nil {
		return nil, err
	}
	up.by, up.at = by, p.Now()
	return up, p.uploads.keep(key, up)
}

// shelf is whose a file is on other servers, and for what.
func shelf(datasetID, by string) string { return datasetID + " " + by }

// take lets go of a file that is being imported.
func (u *uploads) take(key string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.files, key)
}

// DatasetUpload takes a file and shows what is in it.
func (p *Pages) DatasetUpload(c echo.Context) error {
	h, err := p.datasetHead(c, "files")
	if err != nil {
		return err
	}
	in, header, err := form.File(c, "Choose a file.")
	if err != nil {
		return p.filesPage(c, datasets.Files{}, err)
	}
	defer in.Close()
	up, err := p.spool(in, header, h.Set)
	if fault.Is(err, fault.Invalid) {
		err = fault.Wrong(fault.Message(err), "file", "Choose another file.")
	}
	if err != nil {
		return p.filesPage(c, datasets.Files{}, err)
	}
	up.by, up.at = labeller(c).ID, p.Now()
	key := id.New()
	if err := p.uploads.keep(key, up); err != nil {
		_ = up.file.Close()
		return err
	}
	if err := p.Imports.Shelve(c.Request().Context(), key, shelf(h.Set.ID, up.by), up.name,
		io.NewSectionReader(up.file, 0, up.size)); err != nil {
		return err
	}
	v := mappingOf(h, up)
	v.Upload, v.Chosen, v.Labels, v.Format = key, up.preview.Guess, transfer.Ignored, string(up.preview.Format)
	v.Rater = transfer.RaterOf(up.name)
	if err := p.asBefore(c.Request().Context(), &v); err != nil {
		return err
	}
	return p.mappingPage(c, v, nil)
}

// earlierRuns is among how many imports one of a like file is looked for.
const earlierRuns = 20

// asBefore chooses what was chosen for the last file of the set with such fields.
func (p *Pages) asBefore(ctx context.Context, v *datasets.Mapping) error {
	runs, err := p.Imports.List(ctx, imports.Dataset, v.Set.ID, earlierRuns)
	for _, run := range runs {
		var rep transfer.Report
		if err := run.Read(&rep); err != nil {
			return err
		}
		if run.Failure == "" && v.Preview.Fits(rep) && (rep.Labels != transfer.AsKnown || v.Checks) {
			v.Chosen, v.Labels, v.Like = v.Preview.Like(rep), rep.Labels, &run
			v.Preview.Choose(v.Chosen.Label)
			for _, l := range slices.Sorted(maps.Keys(rep.Mapping.Labels)) {
				if !slices.Contains(v.Preview.Labels, l) {
					v.Preview.Labels = append(v.Preview.Labels, l)
				}
			}
			break
		}
	}
	return err
}

// spool keeps what was sent and looks into it.
func (p *Pages) spool(in multipart.File, header *multipart.FileHeader, set *dataset.Dataset) (*sentFile, error) {
	f, size, err := table.Spool(in)
	if err != nil {
		return nil, err
	}
	return p.look(f, size, filepath.Base(header.Filename), set)
}

func (p *Pages) look(f *os.File, size int64, name string, set *dataset.Dataset) (up *sentFile, err error) {
	up = &sentFile{file: f, size: size, name: name, dataset: set.ID}
	if up.preview, err = p.lookAs(up, "", set); err != nil {
		_ = f.Close()
		return nil, err
	}
	return up, nil
}

// lookAs reads the first rows of a file in a format; "" finds it.
func (p *Pages) lookAs(up *sentFile, as transfer.Format, set *dataset.Dataset) (transfer.Preview, error) {
	preview, err := p.Transfer.LookAs(up.name, io.NewSectionReader(up.file, 0, up.size), as, &set.Settings)
	return preview, cmp.Or(err, preview.None)
}

func mappingOf(h datasets.Head, up *sentFile) datasets.Mapping {
	return datasets.Mapping{Head: h, Name: up.name, Size: up.size, Preview: up.preview, Checks: h.Keeper}
}

func (p *Pages) mappingPage(c echo.Context, v datasets.Mapping, wrong error) error {
	v.Error, v.Errors = form.Said(wrong)
	return render.Page(c, wrong,
		datasets.MappingPage(p.Frame(c, "Import preview").At("/datasets/"+v.Set.ID+"/files").Broad(), v))
}

// DatasetImport reads an uploaded file into the set, beside this request, and goes to the page that shows how far it
// is.
func (p *Pages) DatasetImport(c echo.Context, in mappingForm) error {
	h, err := p.datasetHead(c, "files")
	if err != nil {
		return err
	}
	up, err := p.sent(c.Request().Context(), in.Upload, h.Set, labeller(c).ID)
	if err != nil {
		return err
	}
	v := mappingOf(h, up)
	v.Upload, v.Chosen, v.Labels, v.Rater, v.Format = in.Upload, in.mapping(), in.Labels, in.Rater, in.Format
	if as := transfer.Format(in.Format); as != up.preview.Format {
		preview, err := p.lookAs(up, as, h.Set)
		if err != nil {
			why := fault.Message(err)
			return p.mappingPage(c, v, fault.Wrong(why, "format", why))
		}
		v.Preview = preview
	}
	if in.Shown != "" && in.Shown != in.Format { // nobody has seen these fields
		v.Chosen, v.Again = v.Preview.Guess, true
		return p.mappingPage(c, v, nil)
	}
	v.Preview.Choose(v.Chosen.Label)
	if err = importable(v, in.LabelsThere); err == nil {
		err = p.startImport(c, up, transfer.ImportOptions{Format: transfer.Format(v.Format), Name: up.name,
			Mapping: &v.Chosen, Labels: v.Labels, Rater: v.Rater, By: labeller(c)})
	}
	if err != nil {
		return p.mappingPage(c, v, err)
	}
	p.uploads.take(in.Upload)
	if err := p.Imports.Unshelve(c.Request().Context(), in.Upload); err != nil {
		return err
	}
	return render.Redirect(c, "/datasets/"+h.Set.ID+"/files")
}

// mappingForm says which field of a file is what. The names of fields are those of the file, blanks included.
type mappingForm struct {
	Upload      string        `form:"upload"`
	Labels      string        `form:"labels"`
	Rater       string        `form:"rater"`
	Format      string        `form:"format"`
	Shown       string        `form:"shown"` // the format in which its rows were shown
	ID          form.Verbatim `form:"external"`
	Group       form.Verbatim `form:"group"`
	Customer    form.Verbatim `form:"customer"`
	Question    form.Verbatim `form:"question"`
	Messages    form.Verbatim `form:"messages"`
	Guidance    form.Verbatim `form:"guidance"`
	Label       form.Verbatim `form:"map_label"`
	Boundary    form.Verbatim `form:"map_boundary"`
	Codes       form.Verbatim `form:"codes"`
	Rationale   form.Verbatim `form:"map_rationale"`
	Notes       form.Verbatim `form:"map_notes"`
	RaterField  form.Verbatim `form:"map_rater"`
	LabelsThere []string      `form:"from"`
	LabelsHere  []string      `form:"to"`
}

func (in mappingForm) mapping() transfer.Mapping {
	m := transfer.Mapping{ID: string(in.ID), Group: string(in.Group), Customer: string(in.Customer),
		Question: string(in.Question), Messages: string(in.Messages),
		Guidance: string(in.Guidance), Label: string(in.Label),
		Boundary: string(in.Boundary), Codes: string(in.Codes), Rationale: string(in.Rationale),
		Notes: string(in.Notes), Rater: string(in.RaterField), Labels: map[string]string{}}
	for i, from := range in.LabelsThere {
		if to := form.Nth(in.LabelsHere, i); to != "" {
			m.Labels[from] = to
		}
	}
	return m
}

// importable says what keeps a mapping from being used; asked are the spellings that the form asked about.
func importable(v datasets.Mapping, asked []string) error {
	var r form.Reading
	if v.Chosen.Guidance == "" {
		r.Wrong("guidance", "Choose the field that holds the text to label.")
	}
	if v.Labels == transfer.AsKnown && !v.Keeper {
		r.Wrong("labels", "Only managers and administrators who don't label can add check items.")
	}
	if v.Labels != transfer.Ignored && slices.ContainsFunc(v.Preview.Unlike(&v.Set.Settings),
		func(l string) bool { return !slices.Contains(asked, l) }) {
		r.Wrong("names", "Say which label each spelling in the file means. As written, these rows can't be imported.")
	}
	return r.Err("Fill in the marked fields before importing.")
}

// startImport reads the file while the browser may go.
func (p *Pages) startImport(c echo.Context, up *sentFile, o transfer.ImportOptions) error {
	run := imports.Run{Kind: imports.Dataset, Subject: up.dataset, Source: up.name, ByID: o.By.ID, By: o.By.Name,
		Total: int(up.size)}
	return p.Imports.Start(c.Request().Context(), run,
		func(ctx context.Context, progress func(done, total int)) (any, error) {
			o.Progress = func(_ int, bytes int64) { progress(int(bytes), int(up.size)) }
			rep, err := p.Transfer.Import(ctx, up.dataset, io.NewSectionReader(up.file, 0, up.size), o)
			return rep, errors.Join(err, up.file.Close())
		})
}
