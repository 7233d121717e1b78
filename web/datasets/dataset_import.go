package datasets

import (
	"context"
	"errors"
	"io"
	"mime/multipart"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/dataset"
	"preceptor/internal/dataset/transfer"
	"preceptor/internal/fault"
	"preceptor/internal/id"
	"preceptor/views/datasets"
	"preceptor/web/form"
	"preceptor/web/render"
)

// An upload waits for its mapping this long, and so many wait at once.
const (
	uploadWaits = time.Hour
	uploadsMost = 16
)

// sentFile is a file that was sent and is to be imported. Its file has no name in any folder any more, so nothing of it is left
// when the program ends.
type sentFile struct {
	file    *os.File
	size    int64
	name    string
	dataset string
	by      string
	at      time.Time
	preview transfer.Preview
}

// uploads are the files that wait, and for each dataset the import that runs or ran last.
type uploads struct {
	mu    sync.Mutex
	files map[string]*sentFile
	runs  map[string]*datasets.ImportRun
}

// keep takes a file in and drops those that waited too long.
func (u *uploads) keep(up *sentFile) (string, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.files == nil {
		u.files, u.runs = map[string]*sentFile{}, map[string]*datasets.ImportRun{}
	}
	for key, old := range u.files {
		if up.at.Sub(old.at) > uploadWaits || old.by == up.by && old.dataset == up.dataset {
			_ = old.file.Close()
			delete(u.files, key)
		}
	}
	if len(u.files) >= uploadsMost {
		return "", fault.New(fault.Limited, "Too many files wait for their import. Try again in some minutes.")
	}
	key := id.New()
	u.files[key] = up
	return key, nil
}

func (u *uploads) find(key, datasetID, by string) (*sentFile, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	up := u.files[key]
	if up == nil || up.dataset != datasetID || up.by != by {
		return nil, fault.New(fault.NotFound, "This file is not here any more. Send it again.")
	}
	return up, nil
}

// begin takes a file out and notes that it is being imported.
func (u *uploads) begin(key string, up *sentFile) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if run := u.runs[up.dataset]; run != nil && run.Running {
		return fault.New(fault.Conflict, "Another file is being imported into this dataset. Wait until that is done.")
	}
	delete(u.files, key)
	u.runs[up.dataset] = &datasets.ImportRun{Name: up.name, Size: up.size, Running: true}
	return nil
}

func (u *uploads) update(datasetID string, f func(*datasets.ImportRun)) {
	u.mu.Lock()
	defer u.mu.Unlock()
	f(u.runs[datasetID])
}

// last is a copy of the run of a dataset; nil when there was none since the program started.
func (u *uploads) last(datasetID string) *datasets.ImportRun {
	u.mu.Lock()
	defer u.mu.Unlock()
	run := u.runs[datasetID]
	if run == nil {
		return nil
	}
	out := *run
	return &out
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
		err = fault.WithFields(fault.Message(err), fault.Field{Name: "file", Msg: "Choose another file."})
	}
	if err != nil {
		return p.filesPage(c, datasets.Files{}, err)
	}
	up.by, up.at = labeller(c).ID, p.Now()
	key, err := p.uploads.keep(up)
	if err != nil {
		_ = up.file.Close()
		return err
	}
	v := mappingOf(h, up)
	v.Upload, v.Chosen, v.Labels, v.Format = key, up.preview.Guess, transfer.Ignored, string(up.preview.Format)
	return p.mappingPage(c, v, nil)
}

// spool copies what was sent into a file without a name and looks into it.
func (p *Pages) spool(in multipart.File, header *multipart.FileHeader, set *dataset.Dataset) (*sentFile, error) {
	f, err := os.CreateTemp("", "preceptor-import-*")
	if err != nil {
		return nil, err
	}
	up := &sentFile{file: f, name: filepath.Base(header.Filename), dataset: set.ID}
	err = os.Remove(f.Name()) // what is open stays readable
	if err == nil {
		up.size, err = io.Copy(f, in)
	}
	if err == nil {
		up.preview, err = p.Transfer.Look(up.name, io.NewSectionReader(f, 0, up.size), &set.Settings)
	}
	if err == nil && len(up.preview.Rows) == 0 {
		err = fault.New(fault.Invalid, "No row can be read in this file. It should be JSON Lines, CSV, a Label Studio export or records as JSON.")
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return up, nil
}

func mappingOf(h datasets.Head, up *sentFile) datasets.Mapping {
	return datasets.Mapping{Head: h, Name: up.name, Size: up.size, Preview: up.preview, Checks: h.Keeper}
}

func (p *Pages) mappingPage(c echo.Context, v datasets.Mapping, wrong error) error {
	if !form.Again(wrong) {
		return wrong
	}
	v.Error, v.Errors = form.Said(wrong)
	return render.Page(c, form.Status(wrong), datasets.MappingPage(p.Frame(c, "What is in the file").At("/datasets/"+v.Set.ID+"/files").Broad(), v))
}

// DatasetImport reads an uploaded file into the set, beside this request, and goes to the page that shows how far it is.
func (p *Pages) DatasetImport(c echo.Context, in mappingForm) error {
	h, err := p.datasetHead(c, "files")
	if err != nil {
		return err
	}
	up, err := p.uploads.find(in.Upload, h.Set.ID, labeller(c).ID)
	if err != nil {
		return err
	}
	v := mappingOf(h, up)
	v.Upload, v.Chosen, v.Labels, v.Rater, v.Format = in.Upload, in.mapping(), in.Labels, in.Rater, in.Format
	if err = importable(v); err == nil {
		err = p.uploads.begin(in.Upload, up)
	}
	if err != nil {
		return p.mappingPage(c, v, err)
	}
	p.startDatasetImport(c, up, transfer.ImportOptions{Format: transfer.Format(v.Format), Name: up.name, Mapping: &v.Chosen, Labels: v.Labels, Rater: v.Rater, By: labeller(c)})
	return render.Redirect(c, "/datasets/"+h.Set.ID+"/files")
}

// mappingForm says which field of a file is what. The names of fields are those of the file, blanks included.
type mappingForm struct {
	Upload      string        `form:"upload"`
	Labels      string        `form:"labels"`
	Rater       string        `form:"rater"`
	Format      string        `form:"format"`
	ID          form.Verbatim `form:"external"`
	Group       form.Verbatim `form:"group"`
	Customer    form.Verbatim `form:"customer"`
	Question    form.Verbatim `form:"question"`
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
	m := transfer.Mapping{ID: string(in.ID), Group: string(in.Group), Customer: string(in.Customer), Question: string(in.Question), Guidance: string(in.Guidance), Label: string(in.Label),
		Boundary: string(in.Boundary), Codes: string(in.Codes), Rationale: string(in.Rationale), Notes: string(in.Notes), Rater: string(in.RaterField), Labels: map[string]string{}}
	for i, from := range in.LabelsThere {
		if to := form.Nth(in.LabelsHere, i); to != "" {
			m.Labels[from] = to
		}
	}
	return m
}

// importable says what keeps a mapping from being used.
func importable(v datasets.Mapping) error {
	var r form.Reading
	if v.Chosen.Guidance == "" {
		r.Wrong("guidance", "Choose the field with the text that is labelled.")
	}
	if v.Labels == transfer.AsKnown && !v.Keeper {
		r.Wrong("labels", "Check items are planted by managers and administrators, who don't label.")
	}
	return r.Err("Something is missing before this can come in.")
}

// startDatasetImport reads the file while the browser may go.
func (p *Pages) startDatasetImport(c echo.Context, up *sentFile, o transfer.ImportOptions) {
	o.Progress = func(rows int, bytes int64) {
		p.uploads.update(up.dataset, func(run *datasets.ImportRun) { run.Rows, run.Bytes = rows, bytes })
	}
	p.work.Go(c, func(ctx context.Context) {
		rep, err := p.Transfer.Import(ctx, up.dataset, io.NewSectionReader(up.file, 0, up.size), o)
		err = errors.Join(err, up.file.Close())
		if err != nil {
			p.Log.Warn("an import into a dataset stopped", "error", err.Error())
		}
		p.uploads.update(up.dataset, func(run *datasets.ImportRun) {
			run.Running, run.Report, run.Rows, run.Bytes = false, rep, rep.Rows, run.Size
			if err != nil {
				run.Failure = fault.Message(err)
			}
		})
	})
}
