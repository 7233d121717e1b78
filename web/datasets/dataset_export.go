package datasets

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/dataset/transfer"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/table/imports"
	"preceptor/views/datasets"
	"preceptor/web/form"
	"preceptor/web/render"
)

// DatasetFiles is import and export of a set.
func (p *Pages) DatasetFiles(c echo.Context, v datasets.Files) error { return p.filesPage(c, v, nil) }

func (p *Pages) filesPage(c echo.Context, v datasets.Files, wrong error) (err error) {
	if v.Head, err = p.datasetHead(c, "files"); err != nil {
		return err
	}
	v.Error, v.Errors = form.Said(wrong)
	if v.Versions, err = p.Versions.List(c.Request().Context(), v.Set.ID); err != nil {
		return err
	}
	v.Live = v.Keeper
	if v.Format == "" {
		v.Format = string(transfer.JSONL)
	}
	if v.Run, err = p.Imports.Last(c.Request().Context(), imports.Dataset, v.Set.ID); err != nil {
		return err
	}
	if v.Run != nil {
		if err := v.Run.Read(&v.Report); err != nil {
			return err
		}
	}
	if v.Gather.Source == "" {
		v.Gather = gatherDefault
	}
	return render.Page(c, wrong,
		datasets.FilesPage(p.datasetFrame(c, v.Set.Name).Follow("datasets", imports.Topic), v))
}

// DatasetExport streams a set or a version. What can be wrong with the choice is said before the first byte; what fails
// later cuts the connection, so that nobody takes half a file for the whole.
func (p *Pages) DatasetExport(c echo.Context, typed datasets.Files) error {
	h, err := p.datasetHead(c, "files")
	if err != nil {
		return err
	}
	o := transfer.ExportOptions{Format: transfer.Format(typed.Format), By: labeller(c), BOM: true}
	if typed.Version != "live" {
		o.Version, err = strconv.Atoi(typed.Version)
		if err != nil || o.Version < 1 {
			return p.filesPage(c, typed, fault.Wrong("This can't be exported.", "version", "Choose one from the list."))
		}
		if _, err := p.Versions.Get(c.Request().Context(), h.Set.ID, o.Version); err != nil {
			return err
		}
	} else if !h.Keeper { // it holds what others said of items that the asker may still meet
		return fault.New(fault.Denied,
			"Only managers and administrators can export the current set. Freeze a version and export that instead.")
	}
	if err := o.Check(); err != nil {
		return p.filesPage(c, typed, err)
	}
	kind := exportTypes[o.Format]
	w, wrote, finish := render.Download(c, kind.kind, fileName(h.Set.Name, o, p.Now()), kind.text)
	o.Wrote = wrote
	done, err := p.Transfer.Export(c.Request().Context(), h.Set.ID, w, o)
	return render.Sent(c, err, finish, done.Rows)
}

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// fileName is what a browser calls the file.
func fileName(set string, o transfer.ExportOptions, now time.Time) string {
	name := strings.Trim(notInNames.ReplaceAllString(strings.ToLower(set), "-"), "-")
	if name == "" {
		name = "dataset"
	}
	if o.Version > 0 {
		name += "-v" + strconv.Itoa(o.Version)
	} else {
		name += "-" + now.Format("2006-01-02-1504")
	}
	if o.Format == transfer.HuggingFace {
		return name + ".zip"
	}
	return name + "." + string(o.Format)
}

// exportTypes are the media types of the formats, and whether the bytes still shrink.
var exportTypes = map[transfer.Format]struct {
	kind string
	text bool
}{
	transfer.JSONL: {"application/jsonl; charset=utf-8", true}, transfer.CSV: {"text/csv; charset=utf-8", true},
	transfer.Parquet: {"application/vnd.apache.parquet", false}, transfer.HuggingFace: {"application/zip", false},
}
