package page

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/dataset"
	"preceptor/internal/decimal"
	"preceptor/internal/fault"
	"preceptor/views/datasets"
	"preceptor/views/ui"
	"preceptor/web/render"
)

// DatasetItems lists items, for whoever keeps the set.
func (p *Pages) DatasetItems(c echo.Context) error {
	h, err := p.datasetHead(c, "items")
	if err != nil {
		return err
	}
	f := dataset.ItemFilter{DatasetID: h.Set.ID, State: c.QueryParam("state"), Label: c.QueryParam("label"), Flagged: c.QueryParam("flagged") != "",
		Checks: c.QueryParam("checks") != "", Cursor: c.QueryParam("cursor")}
	v := datasets.Items{Head: h, Filter: f}
	if v.Page, err = p.Datasets.Items(c.Request().Context(), f, labeller(c)); err != nil {
		return err
	}
	if v.People, err = p.expertsFor(c, h.Set.ID); err != nil {
		return err
	}
	return render.Page(c, http.StatusOK, datasets.ItemsPage(p.datasetFrame(c, h.Set.Name), v))
}

// DatasetAssign puts items on a person's list, before what they would find by themselves.
func (p *Pages) DatasetAssign(c echo.Context) error {
	id := c.Param("id")
	list, err := p.expertsFor(c, id)
	if err != nil {
		return err
	}
	for _, one := range list {
		if one.ID != c.FormValue("person") {
			continue
		}
		n, err := p.Datasets.Assign(c.Request().Context(), id, []dataset.Person{{ID: one.ID, Name: one.Name}}, c.Request().PostForm["id"], labeller(c))
		if err != nil {
			return err
		}
		line := ui.Count(n, "item is", "items are") + " on the list of " + one.Name + " now."
		if n == 0 {
			line = one.Name + " has or had all of these already. Nothing was changed."
		}
		return p.datasetDone(c, "/datasets/"+id+"/items", line)
	}
	return fault.WithFields("Choose who is to label these.", fault.Field{Name: "person", Msg: "Choose an expert."})
}

// DatasetItem is one item.
func (p *Pages) DatasetItem(c echo.Context) error {
	return p.itemPage(c, http.StatusOK, datasets.Item{}, nil)
}

func (p *Pages) itemPage(c echo.Context, status int, v datasets.Item, wrong error) (err error) {
	if v.Head, err = p.datasetHead(c, "items"); err != nil {
		return err
	}
	it, err := p.Datasets.Item(c.Request().Context(), c.Param("item"), labeller(c))
	if err != nil {
		return err
	}
	if it.DatasetID != v.Set.ID {
		return fault.New(fault.NotFound, "There is no such item in this dataset.")
	}
	if v.Rulers, v.Waits, err = p.Datasets.RulersOf(c.Request().Context(), it.ID, labeller(c)); err != nil {
		return err
	}
	if v.Item = *it; wrong != nil {
		v.Error, v.Errors = fault.Message(wrong), fieldErrors(wrong)
	}
	f := p.frame(c, "Item "+strconv.Itoa(it.N)+" of "+v.Set.Name)
	f.Wide = true
	return render.Page(c, status, datasets.ItemPage(f, v))
}

// DatasetItemNew is the form for an item by hand.
func (p *Pages) DatasetItemNew(c echo.Context) error {
	h, err := p.datasetHead(c, "items")
	if err != nil {
		return err
	}
	return render.Page(c, http.StatusOK, datasets.NewItemPage(p.frame(c, "Write an item"), datasets.NewItem{Head: h}))
}

// DatasetItemAdd adds an item that was written by hand.
func (p *Pages) DatasetItemAdd(c echo.Context) error {
	h, err := p.datasetHead(c, "items")
	if err != nil {
		return err
	}
	v := datasets.NewItem{Head: h, Question: c.FormValue("question"), Customer: c.FormValue("customer"), Guidance: c.FormValue("guidance"), Group: c.FormValue("group")}
	customer, wrong := factsTyped(v.Customer)
	line := "The item is added."
	if wrong == nil {
		var out []dataset.Outcome
		out, err = p.Datasets.Add(c.Request().Context(), h.Set.ID, []dataset.NewItem{{Text: dataset.Text{Customer: customer, Question: v.Question, Guidance: v.Guidance},
			Group: v.Group, Source: dataset.ByHand}}, labeller(c))
		switch {
		case err != nil:
			return err
		case out[0].Result == dataset.Broken:
			wrong = fault.WithFields("This can't be added: "+out[0].Why+".", fault.Field{Name: "guidance", Msg: out[0].Why})
		case out[0].Result == dataset.Duplicate:
			line = "This very item is here already; nothing was added."
		}
	}
	if wrong != nil {
		v.Error, v.Errors = fault.Message(wrong), fieldErrors(wrong)
		return render.Page(c, http.StatusUnprocessableEntity, datasets.NewItemPage(p.frame(c, "Write an item"), v))
	}
	return p.datasetDone(c, "/datasets/"+h.Set.ID, line)
}

// factsTyped reads "age: 58" lines, or a JSON object as it came from elsewhere.
func factsTyped(text string) (json.RawMessage, error) {
	text = strings.TrimSpace(text)
	if text == "" || strings.HasPrefix(text, "{") {
		return json.RawMessage(text), nil // the domain checks it
	}
	m := map[string]any{}
	for _, l := range lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		name, value, ok := strings.Cut(l, ":")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, fault.WithFields("The customer can't be read.", fault.Field{Name: "customer", Msg: "Write each fact as name: value."})
		}
		value = strings.TrimSpace(value)
		if n, err := decimal.Parse(value); err == nil {
			m[name] = n
		} else {
			m[name] = value
		}
	}
	return json.Marshal(m)
}

// itemDone goes back to the item, or shows it with what was wrong with a form.
func (p *Pages) itemDone(c echo.Context, form string, typed datasets.Answer, err error, line string) error {
	if k := fault.KindOf(err); err != nil && (k == fault.Invalid || k == fault.Conflict) {
		return p.itemPage(c, k.Status(), datasets.Item{Form: form, Reason: c.FormValue("reason"), Answer: typed}, err)
	}
	if err != nil {
		return err
	}
	return p.datasetDone(c, "/datasets/"+c.Param("id")+"/items/"+c.Param("item"), line)
}

// DatasetItemExclude leaves an item out.
func (p *Pages) DatasetItemExclude(c echo.Context) error {
	err := p.Datasets.Exclude(c.Request().Context(), c.Param("item"), c.FormValue("reason"), labeller(c))
	return p.itemDone(c, "exclude", datasets.Answer{}, err, "The item is left out. Its labels stay.")
}

// DatasetItemInclude takes an item in again.
func (p *Pages) DatasetItemInclude(c echo.Context) error {
	return p.itemDone(c, "", datasets.Answer{}, p.Datasets.Include(c.Request().Context(), c.Param("item"), labeller(c)), "The item is in again.")
}

// DatasetItemCheck makes an item a hidden check, or an ordinary one again.
func (p *Pages) DatasetItemCheck(c echo.Context) error {
	var known *dataset.Answer
	line := "It is an ordinary item again."
	if c.FormValue("off") == "" {
		known, line = &dataset.Answer{Label: c.FormValue("label")}, "It is a check item now."
	}
	err := p.Datasets.PlantCheck(c.Request().Context(), c.Param("item"), known, labeller(c))
	return p.itemDone(c, "check", datasets.Answer{Label: c.FormValue("label")}, err, line)
}

// DatasetItemErase erases an item for good.
func (p *Pages) DatasetItemErase(c echo.Context) error {
	err := p.Datasets.Erase(context.WithoutCancel(c.Request().Context()), c.Param("item"), c.FormValue("reason"), actor(c))
	return p.itemDone(c, "erase", datasets.Answer{}, err, "The item is erased. A tombstone is left.")
}
