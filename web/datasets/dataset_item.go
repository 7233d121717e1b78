package datasets

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/dataset"
	"preceptor/internal/platform/decimal"
	"preceptor/internal/platform/fault"
	"preceptor/views/datasets"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// DatasetItems lists items, for whoever keeps the set.
func (p *Pages) DatasetItems(c echo.Context, f dataset.ItemFilter) error {
	h, err := p.datasetHead(c, "items")
	if err != nil {
		return err
	}
	f.DatasetID = h.Set.ID
	v := datasets.Items{Head: h, Filter: f}
	if v.Page, err = p.Datasets.Items(c.Request().Context(), f, labeller(c)); err != nil {
		return err
	}
	if v.People, err = p.expertsFor(c, h.Set.ID); err != nil {
		return err
	}
	return render.Page(c, nil, datasets.ItemsPage(p.datasetFrame(c, h.Set.Name), v))
}

// DatasetAssign puts items on a person's list, before what they would find by themselves.
func (p *Pages) DatasetAssign(c echo.Context, in struct {
	Person string   `form:"person"`
	Items  []string `form:"id"`
}) error {
	id := c.Param("id")
	list, err := p.expertsFor(c, id)
	if err != nil {
		return err
	}
	for _, one := range list {
		if one.ID != in.Person {
			continue
		}
		n, err := p.Datasets.Assign(c.Request().Context(), id, []dataset.Person{one.Person}, in.Items, labeller(c))
		if err != nil {
			return err
		}
		line := ui.Count(n, "item is", "items are") + " now on the list of " + one.Name + "."
		if n == 0 {
			line = one.Name + " already has or had all of these. Nothing was changed."
		}
		return render.Done(c, "/datasets/"+id+"/items", line)
	}
	return fault.Wrong("Choose who should label these.", "person", "Choose an expert.")
}

// DatasetItem is one item.
func (p *Pages) DatasetItem(c echo.Context) error { return p.itemPage(c, datasets.Item{}, nil) }

func (p *Pages) itemPage(c echo.Context, v datasets.Item, wrong error) (err error) {
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
	v.Item = *it
	v.Error, v.Errors = form.Said(wrong)
	return render.Page(c, wrong,
		datasets.ItemPage(p.Frame(c, "Item "+strconv.Itoa(it.N)+" of "+v.Set.Name).Broad(), v))
}

// DatasetItemNew is the form for an item by hand.
func (p *Pages) DatasetItemNew(c echo.Context) error {
	return p.newItemPage(c, datasets.NewItem{}, nil)
}

func (p *Pages) newItemPage(c echo.Context, v datasets.NewItem, wrong error) (err error) {
	if v.Head, err = p.datasetHead(c, "items"); err != nil {
		return err
	}
	v.Error, v.Errors = form.Said(wrong)
	return render.Page(c, wrong, datasets.NewItemPage(p.Frame(c, "Write an item"), v))
}

// DatasetItemAdd adds an item that was written by hand.
func (p *Pages) DatasetItemAdd(c echo.Context, v datasets.NewItem) error {
	customer, err := factsTyped(v.Customer)
	if err != nil {
		return p.newItemPage(c, v, err)
	}
	it := dataset.NewItem{Text: dataset.Text{Customer: customer, Question: v.Question, Guidance: v.Guidance},
		Group: v.Group, Source: dataset.ByHand}
	out, err := p.Datasets.Add(c.Request().Context(), c.Param("id"), []dataset.NewItem{it}, labeller(c))
	if err != nil {
		return err
	}
	line := "Item added."
	switch out[0].Result {
	case dataset.Broken:
		return p.newItemPage(c, v, fault.Wrong("This can't be added: "+out[0].Why+".", "guidance", out[0].Why))
	case dataset.Duplicate:
		line = "This item is already here; nothing was added."
	}
	return render.Done(c, "/datasets/"+c.Param("id"), line)
}

// factsTyped reads "age: 58" lines, or a JSON object as it came from elsewhere.
func factsTyped(text string) (json.RawMessage, error) {
	if text == "" || strings.HasPrefix(text, "{") {
		return json.RawMessage(text), nil // the domain checks it
	}
	m := map[string]any{}
	for _, l := range form.Lines(text) {
		name, value, ok := strings.Cut(l, ":")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, fault.Wrong("The customer can't be read.", "customer", "Write each fact as name: value.")
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
func (p *Pages) itemDone(c echo.Context, v datasets.Item, err error, line string) error {
	if err != nil {
		return p.itemPage(c, v, err)
	}
	return render.Done(c, "/datasets/"+c.Param("id")+"/items/"+c.Param("item"), line)
}

// DatasetItemExclude leaves an item out.
func (p *Pages) DatasetItemExclude(c echo.Context, v datasets.Item) error {
	v.Form = "exclude"
	return p.itemDone(c, v, p.Datasets.Exclude(c.Request().Context(), c.Param("item"), v.Reason, labeller(c)),
		"Item left out. Its labels are kept.")
}

// DatasetItemInclude takes an item in again.
func (p *Pages) DatasetItemInclude(c echo.Context) error {
	return p.itemDone(c, datasets.Item{}, p.Datasets.Include(c.Request().Context(), c.Param("item"), labeller(c)),
		"Item included again.")
}

// DatasetItemCheck makes an item a hidden check, or an ordinary one again.
func (p *Pages) DatasetItemCheck(c echo.Context, in struct {
	Off   bool   `form:"off"`
	Label string `form:"label"`
}) error {
	var known *dataset.Answer
	line := "It is now an ordinary item."
	if !in.Off {
		known, line = &dataset.Answer{Label: in.Label}, "It is now a check item."
	}
	err := p.Datasets.PlantCheck(c.Request().Context(), c.Param("item"), known, labeller(c))
	return p.itemDone(c, datasets.Item{Form: "check", Answer: datasets.Answer{Label: in.Label}}, err, line)
}

// DatasetItemErase erases an item for good.
func (p *Pages) DatasetItemErase(c echo.Context, v datasets.Item) error {
	v.Form = "erase"
	err := p.Datasets.Erase(context.WithoutCancel(c.Request().Context()), c.Param("item"), v.Reason, session.Actor(c))
	return p.itemDone(c, v, err, "Item erased. Only the record that it existed is left.")
}
