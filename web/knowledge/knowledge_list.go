package knowledge

import (
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/knowledge"
	base "preceptor/views/knowledge"
	"preceptor/web/render"
	"preceptor/web/session"
)

// knowledgePerPage is also how many answers a search shows.
const knowledgePerPage = 50

// idlePerPage is how many items that are not in use a search shows beside.
const idlePerPage = 20

// KnowledgeList is the rules or the cases, or what comes near a question.
func (p *Pages) KnowledgeList(c echo.Context, v base.Browse) error {
	if err := p.browse(c, &v); err != nil {
		return err
	}
	f := p.Frame(c, "Knowledge").Broad().Follow()
	f.OwnSearch = true
	return render.Page(c, nil, base.BrowsePage(f, v))
}

func (p *Pages) browse(c echo.Context, v *base.Browse) (err error) {
	a, ctx := session.Me(c), c.Request().Context()
	if v.Kind == base.KindCases {
		v.Provisional = false
	} else {
		v.Kind, v.Task, v.Source, v.Exemplar, v.Flagged = base.KindRules, "", "", false, false
	}
	v.Now, v.MayImport = p.Now(), a.Has(account.Admin)
	if v.Agents, err = p.AgentOptions(ctx, "All agents"); err != nil {
		return err
	}
	if err := p.fillBrowse(c, v); err != nil {
		return err
	}
	return p.whatTheyDid(c, v)
}

// fillBrowse reads the page: what is in use comes by meaning when something is asked for, and the rest by its words.
func (p *Pages) fillBrowse(c echo.Context, v *base.Browse) (err error) {
	ctx := c.Request().Context()
	f := knowledge.Filter{AgentID: v.Agent, Domain: v.Domain, Task: v.Task, Source: v.Source, Status: v.From,
		Text: v.Query, Provisional: v.Provisional,
		Exemplar: v.Exemplar, Flagged: v.Flagged, Held: true, Cursor: v.Cursor, Limit: knowledgePerPage}
	v.Nearest = v.Query != "" && (v.From == "" || v.From == knowledge.Active)
	switch {
	case v.Nearest:
		kind := map[string]string{base.KindRules: "rule", base.KindCases: "case"}[v.Kind]
		found, err := p.Knowledge.Find(ctx, kind, f)
		v.Found, v.More, v.Other = found.Items, found.More, found.Other
		if err != nil || v.From != "" || v.Cursor != "" {
			return err
		}
		return p.fillIdle(c, v, f)
	case v.Kind == base.KindRules:
		v.Rules, v.Next, err = p.Knowledge.Rules(ctx, f)
	case v.Query != "":
		var more bool
		v.Cases, more, err = p.Knowledge.CasesWith(ctx, f)
		if more {
			v.More = 1
		}
	default:
		v.Cases, v.Next, err = p.Knowledge.Cases(ctx, f)
	}
	return err
}

// fillIdle adds what is not in use and has the words of the question: who looks for a rule does not know where it
// stands.
func (p *Pages) fillIdle(c echo.Context, v *base.Browse, f knowledge.Filter) (err error) {
	ctx := c.Request().Context()
	if f.Limit = idlePerPage; v.Kind == base.KindCases {
		f.Status = knowledge.Retired
		v.Cases, _, err = p.Knowledge.CasesWith(ctx, f)
	} else {
		v.Rules, err = p.Knowledge.Idle(ctx, f)
	}
	return err
}

// whatTheyDid adds to each item of the page how often it was used lately, and what that did.
func (p *Pages) whatTheyDid(c echo.Context, v *base.Browse) (err error) {
	var ids []string
	for _, r := range v.Rules {
		ids = append(ids, r.ID)
	}
	for _, k := range v.Cases {
		ids = append(ids, k.ID)
	}
	for _, it := range v.Found {
		ids = append(ids, it.ID)
	}
	if v.Used, err = p.Knowledge.UsesSince(c.Request().Context(), ids,
		p.Now().Add(-base.UsedDays*24*time.Hour)); err != nil {
		return err
	}
	v.Effects, err = p.Credit.Effects(c.Request().Context(), ids)
	return err
}

// DocumentList is the imported sections that a person should look at.
func (p *Pages) DocumentList(c echo.Context) error {
	a := session.Me(c)
	ctx := c.Request().Context()
	list, err := p.Knowledge.FlaggedDocuments(ctx)
	if err != nil {
		return err
	}
	n, err := p.Knowledge.Sizes(ctx)
	if err != nil {
		return err
	}
	sources, err := p.Knowledge.Sources(ctx)
	if err != nil {
		return err
	}
	names, _, err := p.AgentNames(ctx)
	if err != nil {
		return err
	}
	return render.Page(c, nil,
		base.DocumentsPage(p.Frame(c, "Documents to check").Broad().Follow(),
			base.Documents{Cases: list, Documents: n.Documents, Sources: sources, Names: names,
				MayImport: a.Has(account.Admin), Now: p.Now()}))
}
