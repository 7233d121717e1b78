package datasets

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/dataset/version"
	"preceptor/internal/platform/fault"
	"preceptor/views/datasets"
	"preceptor/web/form"
	"preceptor/web/render"
)

// rowsShown is how many rows of a version one page has.
const rowsShown = 50

// DatasetVersions lists the frozen versions of a set.
func (p *Pages) DatasetVersions(c echo.Context) error {
	d := version.DefaultShares
	return p.versionsPage(c, datasets.Versions{Train: strconv.Itoa(d.Train), Accept: strconv.Itoa(d.Accept),
		Test: strconv.Itoa(d.Test)}, nil)
}

func (p *Pages) versionsPage(c echo.Context, v datasets.Versions, wrong error) (err error) {
	if v.Head, err = p.datasetHead(c, "versions"); err != nil {
		return err
	}
	v.Error, v.Errors = form.Said(wrong)
	if v.List, err = p.Versions.List(c.Request().Context(), v.Set.ID); err != nil {
		return err
	}
	if v.Ready, err = p.Datasets.Ready(c.Request().Context(), v.Set.ID, labeller(c)); err != nil {
		return err
	}
	if v.Stuck, err = p.Datasets.Stuck(c.Request().Context(), v.Set.ID); err != nil {
		return err
	}
	return render.Page(c, wrong, datasets.VersionsPage(p.datasetFrame(c, v.Set.Name), v))
}

// DatasetFreeze freezes what is final.
func (p *Pages) DatasetFreeze(c echo.Context, v datasets.Versions) error {
	shares, err := sharesTyped(v)
	var made *version.Version
	if err == nil {
		made, err = p.Versions.Freeze(context.WithoutCancel(c.Request().Context()), c.Param("id"),
			version.Options{Note: v.Note, Shares: shares, Seed: v.Secret, By: labeller(c)})
	}
	if err != nil {
		return p.versionsPage(c, v, err)
	}
	return render.Done(c, "/datasets/"+c.Param("id")+"/versions/"+strconv.Itoa(made.Number),
		"Version "+strconv.Itoa(made.Number)+" is frozen.")
}

func sharesTyped(v datasets.Versions) (version.Shares, error) {
	var r form.Reading
	number := func(typed string) int {
		return r.Whole("shares", typed, math.MinInt, math.MaxInt, "Write three whole numbers.")
	}
	s := version.Shares{Train: number(v.Train), Accept: number(v.Accept), Test: number(v.Test)}
	if wrong := r.Wrongs(); len(wrong) > 0 {
		return s, fault.WithFields("The splits can't be read.", wrong[0])
	}
	if s.Train+s.Accept+s.Test != 100 || min(s.Train, s.Accept, s.Test) < 0 {
		return s, fault.Wrong("The splits don't add up.", "shares", "They have to add up to 100.")
	}
	return s, nil
}

// DatasetVersion is one frozen version.
func (p *Pages) DatasetVersion(c echo.Context, in versionQuery) error {
	return p.versionPage(c, in, nil)
}

// versionQuery is the part of a version that its page shows.
type versionQuery struct {
	Split string `form:"split"`
	After int    `form:"after"`
	With  *int   `form:"with"` // the version it is compared with; nil: the one before
}

// DatasetVerify hashes a version anew and says whether it is as it was frozen.
func (p *Pages) DatasetVerify(c echo.Context, in versionQuery) error {
	v, err := p.versionOf(c)
	if err != nil {
		return err
	}
	found, erased, err := p.Versions.Verify(c.Request().Context(), v.ID)
	if err != nil {
		return err
	}
	return p.versionPage(c, in, &datasets.Checked{Findings: found, Erased: erased})
}

func (p *Pages) versionOf(c echo.Context) (*version.Version, error) {
	n, err := strconv.Atoi(c.Param("n"))
	if err != nil || n < 1 {
		return nil, fault.New(fault.NotFound, "There is no such version of this dataset.")
	}
	return p.Versions.Get(c.Request().Context(), c.Param("id"), n)
}

func (p *Pages) versionPage(c echo.Context, in versionQuery, checked *datasets.Checked) error {
	ctx := c.Request().Context()
	h, err := p.datasetHead(c, "versions")
	if err != nil {
		return err
	}
	v := datasets.Version{Head: h, Checked: checked, Split: in.Split}
	if !slices.Contains(version.Splits, v.Split) {
		v.Split = ""
	}
	if v.Version, err = p.versionOf(c); err != nil {
		return err
	}
	if v.Others, err = p.Versions.List(ctx, h.Set.ID); err != nil {
		return err
	}
	if v.Rows, err = p.Versions.Page(ctx, v.Version.ID, v.Split, in.After, rowsShown+1); err != nil {
		return err
	}
	if len(v.Rows) > rowsShown {
		v.Rows = v.Rows[:rowsShown]
		v.More = v.Rows[rowsShown-1].N
	}
	if err := p.compared(ctx, in.With, &v); err != nil {
		return err
	}
	return render.Page(c, nil,
		datasets.VersionPage(p.Frame(c, "Version "+strconv.Itoa(v.Version.Number)+" of "+h.Set.Name).Broad(), v))
}

// compared adds what changed from another version: the one that was asked for, else the one before.
func (p *Pages) compared(ctx context.Context, asked *int, v *datasets.Version) (err error) {
	with := v.Version.Number - 1
	if asked != nil {
		with = *asked
	}
	for _, o := range v.Others {
		if o.Number != with || with == v.Version.Number {
			continue
		}
		from, to := o.ID, v.Version.ID
		if with > v.Version.Number {
			from, to = to, from
		}
		if v.Diff, err = p.Versions.Diff(ctx, from, to); err != nil {
			return err
		}
		v.With = with
	}
	return nil
}
