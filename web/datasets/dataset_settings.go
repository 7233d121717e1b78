package datasets

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/dataset"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/views/datasets"
	"preceptor/web/form"
	"preceptor/web/render"
)

// DatasetNew is the form for a set, with the issues that the experts of a pack name.
func (p *Pages) DatasetNew(c echo.Context, in struct {
	Pack string `form:"pack"`
}) error {
	set := dataset.DefaultSettings() // of pensions
	name := pack.Of(cmp.Or(in.Pack, p.UsualPack(c))).Name
	if name != pack.Of(set.Pack).Name {
		t := p.Borderline.Taxonomy(name)
		set.Pack, set.Codes = name, t.Codes()
	}
	if v := p.Borderline.Rubric(name).Version; v > 1 || set.Pack != "" {
		set.Rubric = fmt.Sprintf("%s, version %d", pack.Title(name), v)
	}
	return p.datasetNew(c, datasets.FormOf(set), nil)
}

func (p *Pages) datasetNew(c echo.Context, v datasets.Form, wrong error) error {
	v.New, v.Head = true, datasets.Head{Now: p.Now()}
	v.Error, v.Errors = form.Said(wrong)
	experts, err := p.Accounts.With(c.Request().Context(), account.Expert)
	if err != nil {
		return err
	}
	v.Experts = len(experts)
	f := p.Frame(c, "New dataset").At("/datasets")
	f.Pack = v.Pack
	return render.Page(c, wrong, datasets.NewPage(f, v))
}

// DatasetAdd makes a set.
func (p *Pages) DatasetAdd(c echo.Context, typed datasets.Form) error {
	set, err := settingsTyped(typed)
	var d *dataset.Dataset
	if err == nil {
		d, err = p.Datasets.Create(c.Request().Context(), set, labeller(c))
	}
	if err != nil {
		return p.datasetNew(c, typed, named(err))
	}
	return render.Done(c, "/datasets/"+d.ID, "Dataset created. It has no items yet.")
}

// named says at the name that it is taken.
func named(err error) error {
	if fault.Is(err, fault.Conflict) && len(fault.Fields(err)) == 0 {
		return &fault.Error{Kind: fault.Conflict, Msg: fault.Message(err),
			Fields: []fault.Field{{Name: "name", Msg: "Choose another name."}}}
	}
	return err
}

// settingsTyped reads the form, and what of it can't be read.
func settingsTyped(f datasets.Form) (dataset.Settings, error) {
	var r form.Reading
	number := func(name, typed string) int {
		return r.Whole(name, strings.TrimSuffix(typed, "%"), math.MinInt, math.MaxInt, "Write a whole number.")
	}
	set := dataset.Settings{Name: f.Name, Description: f.Description, Purpose: f.Purpose, Guidelines: f.Guidelines,
		Rubric: f.Rubric, Licence: f.Licence, Pack: f.Pack,
		Labels: form.Lines(f.Labels), Boundaries: form.Lines(f.Boundaries), Codes: form.Lines(f.Codes),
		Overlap: number("overlap", f.Overlap), MaxLabels: number("max_labels", f.MaxLabels),
		CheckShare: number("check_share", f.CheckShare), Invited: f.InvitedOnly, AgreeOn: f.AgreeOn, Reveal: f.Reveal,
		Adjudicate: f.Adjudicate}
	return set, r.Err("Some fields can't be read. Nothing you typed is lost.")
}

// DatasetSettings is the form of a set that is there, with who labels.
func (p *Pages) DatasetSettings(c echo.Context) error {
	h, err := p.datasetHead(c, "settings")
	if err != nil {
		return err
	}
	v := datasets.FormOf(h.Set.Settings)
	v.VersionTyped = h.Set.Version
	return p.settingsPage(c, h, v, nil)
}

func (p *Pages) settingsPage(c echo.Context, h datasets.Head, v datasets.Form, wrong error) (err error) {
	v.Head = h
	v.Error, v.Errors = form.Said(wrong)
	if v.People, err = p.expertsFor(c, h.Set.ID); err != nil {
		return err
	}
	if v.Stuck, err = p.Datasets.Stuck(c.Request().Context(), h.Set.ID); err != nil {
		return err
	}
	v.Experts = v.Rulers
	return render.Page(c, wrong, datasets.SettingsPage(p.datasetFrame(c, h.Set.Name), v))
}

// expertsFor are all who may label, with what they did in a set, and those who took part and are no experts any more.
func (p *Pages) expertsFor(c echo.Context, datasetID string) (list []dataset.Member, err error) {
	experts, err := p.Accounts.With(c.Request().Context(), account.Expert)
	if err != nil {
		return nil, err
	}
	members, err := p.Datasets.Members(c.Request().Context(), datasetID)
	for _, e := range experts {
		one := dataset.Member{Person: dataset.Person{ID: e.ID, Name: e.Name}}
		if i := slices.IndexFunc(members, func(m dataset.Member) bool { return m.ID == e.ID }); i >= 0 {
			one = members[i]
			one.Name = e.Name // as they are called now
		}
		list = append(list, one)
	}
	return list, err
}

// DatasetSave changes the settings.
func (p *Pages) DatasetSave(c echo.Context, typed datasets.Form) error {
	set, err := settingsTyped(typed)
	if err == nil {
		_, err = p.Datasets.Update(c.Request().Context(), c.Param("id"), typed.VersionTyped, set, labeller(c))
	}
	if !form.Again(err) {
		return err
	}
	if err != nil {
		h, herr := p.datasetHead(c, "settings")
		if herr != nil {
			return herr
		}
		return p.settingsPage(c, h, typed, err)
	}
	return render.Done(c, "/datasets/"+c.Param("id")+"/settings", "Settings saved.")
}

// DatasetState opens or closes a set.
func (p *Pages) DatasetState(c echo.Context, in struct {
	Version int    `form:"version"`
	State   string `form:"state"`
}) error {
	d, err := p.Datasets.SetState(c.Request().Context(), c.Param("id"), in.Version, in.State, labeller(c))
	if err != nil {
		return err
	}
	return render.Done(c, "/datasets/"+d.ID+"/settings", fmt.Sprintf("The dataset is %s now.", d.State))
}

// DatasetOrder has the items that nobody has begun come next in another order.
func (p *Pages) DatasetOrder(c echo.Context, in struct {
	How string `form:"how"`
}) error {
	err := p.Judges.Order(c.Request().Context(), c.Param("id"), in.How, labeller(c))
	if err != nil {
		return err
	}
	return render.Done(c, "/datasets/"+c.Param("id")+"/settings",
		"The items are being put in order. It can take a few minutes; you can go on labelling.")
}

// DatasetPeople says who is invited: those who are ticked, and nobody else.
func (p *Pages) DatasetPeople(c echo.Context, form struct {
	People []string `form:"people"`
}) error {
	ctx, id := c.Request().Context(), c.Param("id")
	list, err := p.expertsFor(c, id)
	if err != nil {
		return err
	}
	var invite []dataset.Person
	for _, one := range list {
		in := slices.Contains(form.People, one.ID)
		switch {
		case in && !one.Invited:
			invite = append(invite, one.Person)
		case !in && one.Invited:
			if err := p.Datasets.Uninvite(ctx, id, one.ID, labeller(c)); err != nil {
				return err
			}
		}
	}
	if len(invite) > 0 {
		if err := p.Datasets.Invite(ctx, id, invite, labeller(c)); err != nil {
			return err
		}
	}
	return render.Done(c, "/datasets/"+id+"/settings", "Invitations saved.")
}
