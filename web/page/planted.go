package page

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/fault"
	"preceptor/internal/review/planted"
	"preceptor/views/stats"
	"preceptor/web/render"
	"preceptor/web/session"
)

// PlantedList is the library of known-bad drafts.
func (p *Pages) PlantedList(c echo.Context) error {
	drafts, err := p.Planted.Library(c.Request().Context())
	if err != nil {
		return err
	}
	f := p.frame(c, "Planted checks")
	if !f.Pension() {
		drafts = slices.DeleteFunc(drafts, func(d planted.Draft) bool { return d.Builtin })
	}
	f.Wide = true
	return render.Page(c, http.StatusOK, stats.LibraryPage(f, stats.Library{Drafts: drafts, Now: p.Now()}))
}

// PlantedNew is the form for a draft of one's own.
func (p *Pages) PlantedNew(c echo.Context) error {
	return p.plantedForm(c, http.StatusOK, stats.PlantedForm{Fields: stats.PlantedFields{Expected: planted.Revise}}, nil)
}

// PlantedShow is one draft: to read, if it comes with the program, and else to change.
func (p *Pages) PlantedShow(c echo.Context) error {
	d, err := p.Planted.Draft(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	return p.plantedForm(c, http.StatusOK, stats.PlantedForm{Draft: d, Fields: stats.FieldsOf(d)}, nil)
}

func (p *Pages) plantedForm(c echo.Context, status int, v stats.PlantedForm, wrong error) error {
	v.Now = p.Now()
	f := p.frame(c, "Planted check")
	f.Path = "/overview/planted"
	if v.Draft.Builtin {
		return render.Page(c, status, stats.PlantedPage(f, v))
	}
	if wrong != nil {
		v.Error, v.Errors = fault.Message(wrong), fieldErrors(wrong)
	}
	return render.Page(c, status, stats.PlantedFormPage(f, v))
}

// PlantedAdd puts a draft into the library.
func (p *Pages) PlantedAdd(c echo.Context) error {
	d, fields, err := plantedTyped(c)
	if err == nil {
		_, err = p.Planted.Add(c.Request().Context(), d, actor(c))
	}
	if fault.Is(err, fault.Invalid) {
		return p.plantedForm(c, http.StatusUnprocessableEntity, stats.PlantedForm{Fields: fields}, err)
	}
	return p.plantedDone(c, err, "It is in the library and will be mixed in.")
}

// PlantedChange changes a draft of one's own.
func (p *Pages) PlantedChange(c echo.Context) error {
	d, fields, err := plantedTyped(c)
	d.ID = c.Param("id")
	d.Version, _ = strconv.Atoi(c.FormValue("version")) // a wrong one is a version that nobody saw
	if err == nil {
		err = p.Planted.Change(c.Request().Context(), d, actor(c))
	}
	if fault.Is(err, fault.Invalid) || fault.Is(err, fault.Conflict) {
		return p.plantedForm(c, fault.KindOf(err).Status(), stats.PlantedForm{Draft: d, Fields: fields}, err)
	}
	return p.plantedDone(c, err, "The change is saved. What is on the desk already stays as it was.")
}

// PlantedRetire keeps a draft from being mixed in.
func (p *Pages) PlantedRetire(c echo.Context) error {
	return p.plantedDone(c, p.Planted.Retire(c.Request().Context(), c.Param("id"), true, actor(c)), "It is not mixed in any more.")
}

// PlantedRestore brings a retired draft back.
func (p *Pages) PlantedRestore(c echo.Context) error {
	return p.plantedDone(c, p.Planted.Retire(c.Request().Context(), c.Param("id"), false, actor(c)), "It is mixed in again.")
}

func (p *Pages) plantedDone(c echo.Context, err error, line string) error {
	if err != nil {
		return err
	}
	if err := session.Flash(c, line); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/overview/planted")
}

// plantedTyped reads a form, and what of it can't be read.
func plantedTyped(c echo.Context) (d planted.Draft, f stats.PlantedFields, err error) {
	v := func(name string) string { return strings.ReplaceAll(c.FormValue(name), "\r\n", "\n") }
	f = stats.PlantedFields{Title: v("title"), Task: v("task"), Problem: v("problem"), Expected: v("expected"), What: v("what"), Question: v("question"), Age: v("age"),
		Literacy: v("literacy"), Goal: v("goal"), DB: v("db"), DC: v("dc"), Features: v("features"), Extra: v("extra"), Vulnerable: v("vulnerable") != "",
		State: v("state") != "", Guidance: v("guidance"), Reasoning: v("reasoning"), Absent: v("absent"), Present: v("present")}
	var wrong []fault.Field
	span := func(name, text string) planted.Range {
		r, ok := parseRange(text)
		if !ok {
			wrong = append(wrong, fault.Field{Name: name, Msg: "Write a whole number, or two with a dash between, the smaller first."})
		}
		return r
	}
	d = planted.Draft{Title: f.Title, Task: f.Task, Problem: f.Problem, Expected: f.Expected, What: f.What, Question: f.Question, Guidance: f.Guidance,
		Reasoning: f.Reasoning, Absent: lines(f.Absent), Present: lines(f.Present),
		Customer: planted.Profile{Age: span("age", f.Age), Literacy: f.Literacy, Vulnerable: f.Vulnerable, Goal: f.Goal}}
	for _, pot := range []struct{ kind, text string }{{"db", f.DB}, {"dc", f.DC}} {
		if strings.TrimSpace(pot.text) != "" {
			d.Customer.Pensions = append(d.Customer.Pensions, planted.Pot{Kind: pot.kind, Value: span(pot.kind, pot.text)})
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
	for _, line := range lines(f.Extra) {
		name, value, ok := strings.Cut(line, ":")
		if name = strings.TrimSpace(name); !ok || name == "" {
			wrong = append(wrong, fault.Field{Name: "extra", Msg: "Write each as name: value."})
			continue
		}
		if d.Customer.Extra == nil {
			d.Customer.Extra = map[string]any{}
		}
		d.Customer.Extra[name] = strings.TrimSpace(value)
	}
	if len(wrong) > 0 {
		return d, f, fault.WithFields("Something can't be read. Nothing you typed is lost.", wrong...)
	}
	return d, f, nil
}

// lines are the lines of a text that say something.
func lines(text string) (out []string) {
	for _, l := range strings.Split(text, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return out
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

// PlantedResults is what became of the planted checks, for managers.
func (p *Pages) PlantedResults(c echo.Context) error { return p.plantedResults(c, false) }

// PlantedMine is what became of those that I decided.
func (p *Pages) PlantedMine(c echo.Context) error { return p.plantedResults(c, true) }

func (p *Pages) plantedResults(c echo.Context, mine bool) (err error) {
	v := stats.Results{Mine: mine, Cursor: c.QueryParam("cursor"), Now: p.Now()}
	whose := ""
	if mine {
		whose = me(c).ID
	}
	if v.Page, err = p.Planted.Results(c.Request().Context(), whose, v.Cursor); err != nil {
		return err
	}
	title := "Planted checks"
	if mine {
		title = "Your planted checks"
	}
	return render.Page(c, http.StatusOK, stats.ResultsPage(p.frame(c, title), v))
}
