package page

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/knowledge"
	base "preceptor/views/knowledge"
	"preceptor/web/render"
	"preceptor/web/session"
)

const (
	knowledgePerPage = 50
	searchResults    = 20
)

// KnowledgeList is the rules or the cases, or what comes near a question.
func (p *Pages) KnowledgeList(c echo.Context) error {
	v, err := p.browse(c)
	if err != nil {
		return err
	}
	f := p.frame(c, "Knowledge")
	f.Wide, f.OwnSearch, f.Topics = true, true, topicsOf()
	return render.Page(c, http.StatusOK, base.BrowsePage(f, v))
}

func (p *Pages) browse(c echo.Context) (v base.Browse, err error) {
	a, _ := session.Current(c)
	ctx := c.Request().Context()
	v = base.Browse{Kind: "rules", Query: c.QueryParam("q"), Domain: c.QueryParam("domain"), Task: c.QueryParam("task"), Source: c.QueryParam("source"),
		From: c.QueryParam("status"), Cursor: c.QueryParam("cursor"), Now: p.Now(), MayImport: a.Has(account.Admin)}
	if c.QueryParam("kind") == "cases" {
		v.Kind = "cases"
	}
	if v.Sizes, err = p.Knowledge.Sizes(ctx); err != nil {
		return v, err
	}
	f := knowledge.Filter{Domain: v.Domain, Task: v.Task, Source: v.Source, Status: v.From, Cursor: v.Cursor, Limit: knowledgePerPage}
	switch {
	case v.Query != "":
		v.Found, err = p.Knowledge.Search(ctx, knowledge.Query{AgentID: knowledge.AnyAgent, Text: v.Query, Task: v.Task}, searchResults)
	case v.Kind == "rules":
		v.Rules, v.Next, err = p.Knowledge.Rules(ctx, f)
	default:
		v.Cases, v.Next, err = p.Knowledge.Cases(ctx, f)
	}
	return v, err
}

// DocumentList is the imported sections that a person should look at.
func (p *Pages) DocumentList(c echo.Context) error {
	a, _ := session.Current(c)
	ctx := c.Request().Context()
	list, err := p.Knowledge.FlaggedDocuments(ctx)
	if err != nil {
		return err
	}
	n, err := p.Knowledge.Sizes(ctx)
	if err != nil {
		return err
	}
	f := p.frame(c, "Documents to look at")
	f.Wide, f.Topics = true, topicsOf()
	return render.Page(c, http.StatusOK, base.DocumentsPage(f, base.Documents{Cases: list, Documents: n.BySource[knowledge.FromDocument], MayImport: a.Has(account.Admin), Now: p.Now()}))
}
