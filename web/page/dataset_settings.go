package page

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/dataset"
	"preceptor/internal/fault"
	"preceptor/views/datasets"
	"preceptor/web/render"
)

// DatasetNew is the form for a set.
func (p *Pages) DatasetNew(c echo.Context) error {
	return p.datasetNew(c, http.StatusOK, datasets.FormOf(dataset.DefaultSettings()), nil)
}

func (p *Pages) datasetNew(c echo.Context, status int, v datasets.Form, wrong error) error {
	v.New = true
	v.Head = datasets.Head{Now: p.Now()}
	if wrong != nil {
		v.Error, v.Errors = fault.Message(wrong), fieldErrors(wrong)
	}
	f := p.frame(c, "New dataset")
	f.Path = "/datasets"
	return render.Page(c, status, datasets.NewPage(f, v))
}

// DatasetAdd makes a set.
func (p *Pages) DatasetAdd(c echo.Context) error {
	set, typed, err := settingsTyped(c)
	var d *dataset.Dataset
	if err == nil {
		d, err = p.Datasets.Create(c.Request().Context(), set, labeller(c))
	}
	if k := fault.KindOf(err); err != nil && (k == fault.Invalid || k == fault.Conflict) {
		return p.datasetNew(c, k.Status(), typed, named(err))
	}
	if err != nil {
		return err
	}
	return p.datasetDone(c, "/datasets/"+d.ID, "The dataset is made. It has no items yet.")
}

// named says at the name that it is taken.
func named(err error) error {
	if fault.Is(err, fault.Conflict) && len(fault.Fields(err)) == 0 {
		return fault.WithFields(fault.Message(err), fault.Field{Name: "name", Msg: "Choose another name."})
	}
	return err
}

// settingsTyped reads the form, and what of it can't be read.
func settingsTyped(c echo.Context) (set dataset.Settings, f datasets.Form, err error) {
	v := func(name string) string { return strings.ReplaceAll(c.FormValue(name), "\r\n", "\n") }
	f = datasets.Form{Name: v("name"), Description: v("description"), Purpose: v("purpose"), Guidelines: v("guidelines"), Rubric: v("rubric"), Licence: v("licence"),
		Labels: v("labels"), Boundaries: v("boundaries"), Codes: v("codes"), Overlap: v("overlap"), MaxLabels: v("max_labels"), CheckShare: v("check_share"),
		AgreeOn: v("agree_on"), VersionTyped: v("version"), InvitedOnly: v("invited") != "", Reveal: v("reveal") != "", Adjudicate: v("adjudicate") != ""}
	var wrong []fault.Field
	number := func(name, text string) int {
		n, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "%")))
		if err != nil {
			wrong = append(wrong, fault.Field{Name: name, Msg: "Write a whole number."})
		}
		return n
	}
	set = dataset.Settings{Name: f.Name, Description: f.Description, Purpose: f.Purpose, Guidelines: f.Guidelines, Rubric: f.Rubric, Licence: f.Licence,
		Labels: lines(f.Labels), Boundaries: lines(f.Boundaries), Codes: lines(f.Codes), Overlap: number("overlap", f.Overlap), MaxLabels: number("max_labels", f.MaxLabels),
		CheckShare: number("check_share", f.CheckShare), Invited: f.InvitedOnly, AgreeOn: f.AgreeOn, Reveal: f.Reveal, Adjudicate: f.Adjudicate}
	if set.MaxLabels < set.Overlap && len(wrong) == 0 {
		set.MaxLabels = set.Overlap // who raises the one means the other as well
	}
	if len(wrong) > 0 {
		return set, f, fault.WithFields("Something can't be read. Nothing you typed is lost.", wrong...)
	}
	return set, f, nil
}

// DatasetSettings is the form of a set that is there, with who labels.
func (p *Pages) DatasetSettings(c echo.Context) error {
	h, err := p.datasetHead(c, "settings")
	if err != nil {
		return err
	}
	v := datasets.FormOf(h.Set.Settings)
	v.VersionTyped = strconv.Itoa(h.Set.Version)
	return p.settingsPage(c, http.StatusOK, h, v, nil)
}

func (p *Pages) settingsPage(c echo.Context, status int, h datasets.Head, v datasets.Form, wrong error) (err error) {
	if v.Head = h; wrong != nil {
		v.Error, v.Errors = fault.Message(wrong), fieldErrors(wrong)
	}
	if v.People, err = p.expertsFor(c, h.Set.ID); err != nil {
		return err
	}
	if v.Standstill, err = p.Datasets.Standstill(c.Request().Context(), h.Set.ID); err != nil {
		return err
	}
	return render.Page(c, status, datasets.SettingsPage(p.datasetFrame(c, h.Set.Name), v))
}

// expertsFor are all who may label, with what they did in a set, and those who took part and are no experts any more.
func (p *Pages) expertsFor(c echo.Context, datasetID string) (list []datasets.Person, err error) {
	experts, err := p.Accounts.With(c.Request().Context(), account.Expert)
	if err != nil {
		return nil, err
	}
	members, err := p.Datasets.Members(c.Request().Context(), datasetID)
	for _, e := range experts {
		one := datasets.Person{ID: e.ID, Name: e.Name}
		for _, m := range members {
			if m.ID == e.ID {
				one.Invited, one.Done, one.LastAt = m.Invited, m.Done, m.LastAt
			}
		}
		list = append(list, one)
	}
	return list, err
}

// DatasetSave changes the settings.
func (p *Pages) DatasetSave(c echo.Context) error {
	set, typed, err := settingsTyped(c)
	version, _ := strconv.Atoi(typed.VersionTyped) // a wrong one is a version that nobody saw
	if err == nil {
		_, err = p.Datasets.Update(c.Request().Context(), c.Param("id"), version, set, labeller(c))
	}
	if k := fault.KindOf(err); err != nil && (k == fault.Invalid || k == fault.Conflict) {
		h, herr := p.datasetHead(c, "settings")
		if herr != nil {
			return herr
		}
		return p.settingsPage(c, k.Status(), h, typed, err)
	}
	if err != nil {
		return err
	}
	return p.datasetDone(c, "/datasets/"+c.Param("id")+"/settings", "The settings are saved.")
}

// DatasetState opens or closes a set.
func (p *Pages) DatasetState(c echo.Context) error {
	version, _ := strconv.Atoi(c.FormValue("version"))
	d, err := p.Datasets.SetState(c.Request().Context(), c.Param("id"), version, c.FormValue("state"), labeller(c))
	if err != nil {
		return err
	}
	return p.datasetDone(c, "/datasets/"+d.ID+"/settings", fmt.Sprintf("The dataset is %s now.", d.State))
}

// DatasetPeople says who is invited: those who are ticked, and nobody else.
func (p *Pages) DatasetPeople(c echo.Context) error {
	ctx, id := c.Request().Context(), c.Param("id")
	list, err := p.expertsFor(c, id)
	if err != nil {
		return err
	}
	ticked := c.Request().PostForm["people"]
	var invite []dataset.Person
	for _, one := range list {
		in := slices.Contains(ticked, one.ID)
		switch {
		case in && !one.Invited:
			invite = append(invite, dataset.Person{ID: one.ID, Name: one.Name})
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
	return p.datasetDone(c, "/datasets/"+id+"/settings", "Who is invited is saved.")
}
