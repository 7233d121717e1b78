package stats

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/pack"
	"preceptor/internal/review/planted"
	"preceptor/views/stats"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// PlantedList is the library of known-bad drafts.
func (p *Pages) PlantedList(c echo.Context) error {
	drafts, err := p.Planted.Library(c.Request().Context())
	if err != nil {
		return err
	}
	f := p.Frame(c, "Seeded checks")
	if !f.Pension() {
		drafts = slices.DeleteFunc(drafts, func(d planted.Draft) bool { return d.Builtin })
	}
	f.Wide = true
	return render.Page(c, nil, stats.LibraryPage(f, stats.Library{Drafts: drafts, Now: p.Now()}))
}

// PlantedNew is the form for a draft of one's own.
func (p *Pages) PlantedNew(c echo.Context, in stats.PlantedFields) error {
	return p.plantedForm(c, stats.PlantedForm{Fields: stats.PlantedFields{Pack: in.Pack,
		Expected: planted.Revise}}, nil)
}

// PlantedShow is one draft: to read, if it comes with the program, and else to change.
func (p *Pages) PlantedShow(c echo.Context, in stats.PlantedFields) error {
	d, err := p.Planted.Draft(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	fields := stats.FieldsOf(d)
	fields.Pack = cmp.Or(in.Pack, fields.Pack)
	return p.plantedForm(c, stats.PlantedForm{Draft: d, Fields: fields}, nil)
}

func (p *Pages) plantedForm(c echo.Context, v stats.PlantedForm, wrong error) error {
	v.Now = p.Now()
	f := p.Frame(c, "Seeded check")
	f.Path = "/overview/planted"
	if v.Draft.Builtin {
		return render.Page(c, wrong, stats.PlantedPage(f, v))
	}
	if f.Pack = v.Fields.Pack; pack.CheckName(f.Pack) != nil {
		f.Pack = f.UsualPack()
	}
	v.Domains = f.PackTabs("/overview/planted/" + cmp.Or(v.Draft.ID, "new"))
	f.Packs = []string{f.Pack} // whose fields and topics the form has
	v.Error, v.Errors = form.Said(wrong)
	return render.Page(c, wrong, stats.PlantedFormPage(f, v))
}

// PlantedAdd puts a draft into the library.
func (p *Pages) PlantedAdd(c echo.Context, fields stats.PlantedFields) error {
	d, err := plantedTyped(fields)
	if err == nil {
		_, err = p.Planted.Add(c.Request().Context(), d, session.Actor(c))
	}
	if err != nil {
		return p.plantedForm(c, stats.PlantedForm{Fields: fields}, err)
	}
	return render.Done(c, "/overview/planted", "Added to the library. It will now be mixed in.")
}

// PlantedChange changes a draft of one's own.
func (p *Pages) PlantedChange(c echo.Context, fields stats.PlantedFields) error {
	d, err := plantedTyped(fields)
	d.ID, d.Version = c.Param("id"), fields.Version
	if err == nil {
		err = p.Planted.Change(c.Request().Context(), d, session.Actor(c))
	}
	if err != nil {
		return p.plantedForm(c, stats.PlantedForm{Draft: d, Fields: fields}, err)
	}
	return render.Done(c, "/overview/planted", "Saved. Checks already in the queue don't change.")
}

// PlantedRetire keeps a draft from being mixed in.
func (p *Pages) PlantedRetire(c echo.Context) error {
	return p.plantedDone(c, p.Planted.Retire(c.Request().Context(), c.Param("id"), true, session.Actor(c)),
		"Retired. It won't be mixed in any more.")
}

// PlantedRestore brings a retired draft back.
func (p *Pages) PlantedRestore(c echo.Context) error {
	return p.plantedDone(c, p.Planted.Retire(c.Request().Context(), c.Param("id"), false, session.Actor(c)),
		"Back in use. It will be mixed in again.")
}

func (p *Pages) plantedDone(c echo.Context, err error, line string) error {
	if err != nil {
		return err
	}
	return render.Done(c, "/overview/planted", line)
}

// plantedTyped reads a form, and what of it can't be read.
func plantedTyped(f stats.PlantedFields) (d planted.Draft, err error) {
	var r form.Reading
	span := func(name, text string) planted.Range {
		span, ok := parseRange(text)
		if !ok {
			r.Wrong(name, "Enter a whole number, or a range such as 54-61.")
		}
		return span
	}
	d = planted.Draft{Title: f.Title, Task: f.Task, Problem: f.Problem, Expected: f.Expected, What: f.What,
		Question: f.Question, Guidance: f.Guidance,
		Reasoning: f.Reasoning, Absent: form.Lines(f.Absent), Present: form.Lines(f.Present),
		Customer: planted.Profile{Pack: f.Pack, Age: span("age", f.Age), Literacy: f.Literacy, Vulnerable: f.Vulnerable,
			Goal: f.Goal}}
	for _, pot := range []struct{ kind, text string }{{"db", f.DB}, {"dc", f.DC}} {
		if pot.text != "" {
			d.Customer.Pensions = append(d.Customer.Pensions,
				planted.Pot{Kind: pot.kind, Value: span(pot.kind, pot.text)})
		}
	}
	if f.State {
		d.Customer.Pensions = append(d.Customer.Pensions, planted.Pot{Kind: "state"})
	}
	for _, feature := range strings.Split(f.Features, ",") {
		if feature = strings.TrimSpace(feature); feature != "" && len(d.Customer.Pensions) > 0 {
			d.Customer.Pensions[0].Features = append(d.Customer.Pensions[0].Features, feature)
		}
	}
	for _, line := range form.Lines(f.Extra) {
		name, value, ok := strings.Cut(line, ":")
		if name = strings.TrimSpace(name); !ok || name == "" {
			r.Wrong("extra", "Enter each as name: value.")
			continue
		}
		if d.Customer.Extra == nil {
			d.Customer.Extra = map[string]any{}
		}
		d.Customer.Extra[name] = strings.TrimSpace(value)
	}
	return d, r.Err("Something isn't valid. Nothing you typed is lost.")
}

// parseRange reads "54" or "54-61"; nothing is no range.
func parseRange(text string) (r planted.Range, ok bool) {
	text = strings.NewReplacer(" ", "", ",", "", "£", "", "–", "-").Replace(text)
	if text == "" {
		return r, true
	}
	from, to, two := strings.Cut(text, "-")
	if !two {
		to = from
	}
	var err1, err2 error
	r[0], err1 = strconv.Atoi(from)
	r[1], err2 = strconv.Atoi(to)
	return r, err1 == nil && err2 == nil && r[0] >= 0 && r[0] <= r[1] && r[1] < 1_000_000_000
}

// PlantedResults is what became of the seeded checks, for managers.
func (p *Pages) PlantedResults(c echo.Context, v stats.Results) error {
	return p.plantedResults(c, v.Cursor, false)
}

// PlantedMine is what became of those that I decided.
func (p *Pages) PlantedMine(c echo.Context, v stats.Results) error {
	return p.plantedResults(c, v.Cursor, true)
}

func (p *Pages) plantedResults(c echo.Context, cursor string, mine bool) (err error) {
	v := stats.Results{Mine: mine, Cursor: cursor, Now: p.Now()}
	whose := ""
	if mine {
		whose = session.Me(c).ID
	}
	if v.Page, err = p.Planted.Results(c.Request().Context(), whose, v.Cursor); err != nil {
		return err
	}
	title := "Seeded checks"
	if mine {
		title = "Your seeded checks"
	}
	return render.Page(c, nil, stats.ResultsPage(p.Frame(c, title), v))
}
