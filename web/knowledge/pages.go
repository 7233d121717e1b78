// Package knowledge holds the pages of what the advisor knows and learns: rules and cases with their life, conflicts,
// quarantine, the history of the whole base, lessons on their way, and what agents remember.
package knowledge

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/unanswered"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	base "preceptor/views/knowledge"
	"preceptor/views/layout"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/frame"
	"preceptor/web/hidden"
	"preceptor/web/render"
	"preceptor/web/session"
	"preceptor/web/teach"
)

// Pages are the handlers.
type Pages struct {
	*frame.Maker
	*hidden.Guard
	*teach.Teacher
}

const (
	unansweredMost = 100 // groups on the page
	shownBeside    = 10  // questions of a group beside the form of a section
)

// UnansweredList is the questions that nothing answers, in groups.
func (p *Pages) UnansweredList(c echo.Context, v base.UnansweredList) (err error) {
	ctx := c.Request().Context()
	v.Now, v.MaySettle = p.Now(), session.Settles(c)
	if v.Names, _, err = p.AgentNames(ctx); err != nil {
		return err
	}
	if v.Agents, err = p.AgentOptions(ctx, "All agents"); err != nil {
		return err
	}
	v.List, v.Next, v.Totals, err = p.Unanswered.List(ctx,
		unanswered.Filter{AgentID: v.Agent, Aside: v.Aside, Limit: unansweredMost, Cursor: v.Cursor})
	if err != nil {
		return err
	}
	return render.Page(c, nil,
		base.UnansweredPage(p.Frame(c, "Unanswered questions").Broad().Follow("knowledge"), v))
}

// UnansweredShow is one group with its questions.
func (p *Pages) UnansweredShow(c echo.Context) error { return p.showUnanswered(c, "", nil) }

func (p *Pages) showUnanswered(c echo.Context, reason string, wrong error) error {
	ctx := c.Request().Context()
	v := base.UnansweredGroup{Now: p.Now(), MaySettle: session.Settles(c), Reason: reason, Errors: form.Errors(wrong)}
	g, list, err := p.Unanswered.Get(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	names, _, err := p.AgentNames(ctx)
	if err != nil {
		return err
	}
	v.Group, v.AgentName = g, names[g.AgentID]
	for _, q := range list {
		v.Questions = append(v.Questions, base.Asked{Question: q, Href: hidden.CaseHref(c, q.InteractionID)})
	}
	return render.Page(c, wrong,
		base.UnansweredGroupPage(p.Frame(c, "Unanswered questions").Broad().Follow("knowledge"), v))
}

// UnansweredDecide puts a group aside, or back on the list.
func (p *Pages) UnansweredDecide(c echo.Context, in ruleForm) error {
	ctx, id := context.WithoutCancel(c.Request().Context()), c.Param("id")
	if in.Do == "back" {
		if err := p.Unanswered.BringBack(ctx, id, keeper(c)); err != nil {
			return err
		}
		return render.Done(c, layout.TabUnanswered+"/"+id, "The questions are back on the list.")
	}
	if err := p.Unanswered.SetAside(ctx, id, in.Reason, keeper(c)); err != nil {
		return p.showUnanswered(c, in.Reason, err)
	}
	return render.Done(c, layout.TabUnanswered, "Put aside. Questions like these are no longer listed.")
}

// SectionForm is the form of a section: one for the questions of a group, one to edit, or an empty one.
func (p *Pages) SectionForm(c echo.Context, v base.Section) error {
	ctx := c.Request().Context()
	if v.Case != "" {
		k, err := p.Knowledge.Case(ctx, v.Case)
		if err != nil {
			return err
		}
		switch {
		case k.Written():
			v.Version, v.Title, v.When, v.Text = k.Version, k.Title, k.Situation, k.Guidance
		case k.Rewritable():
			a, err := p.Accounts.Agent(ctx, k.AgentID)
			if err != nil && !fault.Is(err, fault.NotFound) {
				return err
			}
			v.Case, v.Of, v.When, v.For = "", k.ID, k.Asked(), k.AgentID
			v.Text = pack.Of(a.Pack).Frames.Bare(k.Guidance)
		default:
			return fault.New(fault.NotFound, "Only sections that were written here can be edited here.")
		}
	}
	if v.Group != "" {
		g, _, err := p.Unanswered.Get(ctx, v.Group)
		if err != nil {
			return err
		}
		v.For = base.ForPack + g.Pack
	}
	return p.showSection(c, v, nil)
}

func (p *Pages) showSection(c echo.Context, v base.Section, wrong error) error {
	v.Message, v.Errors = form.Said(wrong)
	if v.Group != "" {
		_, list, err := p.Unanswered.Get(c.Request().Context(), v.Group)
		if err != nil && !fault.Is(err, fault.NotFound) { // answered meanwhile: what was typed stays
			return err
		}
		v.Questions = list[:min(len(list), shownBeside)]
	}
	agents, err := p.Accounts.Agents(c.Request().Context())
	if err != nil {
		return err
	}
	for _, name := range p.packsOf(agents, v.For) {
		v.Whose = append(v.Whose, ui.Option{Value: base.ForPack + name, Label: "All agents of " + pack.Of(name).Title})
	}
	v.For = cmp.Or(v.For, v.Whose[0].Value)
	for _, a := range agents {
		v.Whose = append(v.Whose, ui.Option{Value: a.ID, Label: a.Name + " alone"})
	}
	title := map[bool]string{true: "Edit a section", false: "Write a section"}[v.Case != ""]
	return render.Page(c, wrong, base.SectionPage(p.Frame(c, title).Broad(), v), fault.Conflict)
}

// packsOf are the packs of agents, and the one that a form has chosen.
func (p *Pages) packsOf(agents []account.Agent, chosen string) (names []string) {
	if name, ok := strings.CutPrefix(chosen, base.ForPack); ok {
		names = []string{name}
	}
	for _, a := range agents {
		if !slices.Contains(names, a.Pack) {
			names = append(names, a.Pack)
		}
	}
	if len(names) == 0 {
		names = []string{pack.Pension}
	}
	return names
}

// SectionSave brings a section into use, and has the questions that it was written for asked again.
func (p *Pages) SectionSave(c echo.Context, v base.Section) error {
	s := knowledge.Section{CaseID: v.Case, Version: v.Version, Title: v.Title, When: v.When, Text: v.Text}
	if name, ok := strings.CutPrefix(v.For, base.ForPack); ok {
		s.Pack = name
	} else if v.For != "" {
		a, err := p.Accounts.Agent(c.Request().Context(), v.For)
		if err != nil {
			return err
		}
		s.AgentID, s.Pack = a.ID, a.Pack
	}
	k, err := p.Unanswered.Write(context.WithoutCancel(c.Request().Context()), v.Group, s, keeper(c))
	if err != nil {
		return p.showSection(c, v, err)
	}
	said := "Saved. The advisor uses it from now on."
	if v.Group != "" {
		said += " The questions it was written for are being asked again; those it answers leave the list."
	}
	return render.Done(c, "/knowledge/cases/"+k.ID, said)
}
