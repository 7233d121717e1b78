package knowledge

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/knowledge"
	base "preceptor/views/knowledge"
	"preceptor/views/layout"
	"preceptor/web/form"
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
	sources, err := p.Knowledge.Sources(ctx)
	if err != nil {
		return err
	}
	names, _, err := p.AgentNames(ctx)
	if err != nil {
		return err
	}
	n := 0
	for _, s := range sources {
		n += s.Sections
	}
	return render.Page(c, nil,
		base.DocumentsPage(p.Frame(c, "Documents to check").Broad().Follow(),
			base.Documents{Cases: list, Documents: n, Sources: sources, Names: names,
				MayImport: a.Has(account.Admin), Now: p.Now()}))
}

// KnowledgeMore leads to what one looks at now and then.
func (p *Pages) KnowledgeMore(c echo.Context) error {
	return render.Page(c, nil, base.MorePage(p.Frame(c, "More").Broad().Follow()))
}

// growthSteps are the lengths of periods in days, and growthMost how many a chart has room for.
var growthSteps = []int{1, 7, 28, 91, 364}

const growthMost = 100

// KnowledgeGrowth is the size of the base over time.
func (p *Pages) KnowledgeGrowth(c echo.Context) error {
	v, err := p.growth(c.Request().Context())
	if err != nil {
		return err
	}
	return render.Page(c, nil, base.GrowthPage(p.Frame(c, "Growth").Broad().Follow(), v))
}

func (p *Pages) growth(ctx context.Context) (base.Growth, error) {
	v := base.Growth{}
	from, err := p.Knowledge.Beginning(ctx)
	if err != nil || from.IsZero() {
		return v, err
	}
	const day = 24 * time.Hour
	from = from.UTC().Truncate(day)
	days := int(p.Now().Sub(from)/day) + 1
	step := growthSteps[len(growthSteps)-1]
	for _, s := range growthSteps {
		if days/s < growthMost {
			step = s
			break
		}
	}
	n := (days + step - 1) / step
	length := time.Duration(step) * day
	sizes, err := p.Knowledge.Growth(ctx, from, length, n)
	if err != nil {
		return v, err
	}
	decided, err := p.Stats.Decided(ctx, from, length, n)
	if err != nil {
		return v, err
	}
	all, approved := 0, 0
	for i, s := range sizes {
		all, approved = all+decided[i].All, approved+decided[i].Approved
		end := from.Add(time.Duration(i+1)*length - day)
		if end.After(p.Now()) {
			end = p.Now()
		}
		v.Points = append(v.Points, base.GrowthPoint{End: end, Size: s, Consultations: all, Succeeded: approved})
	}
	return v, nil
}

// SourceShow is a document with what changed where it came from.
func (p *Pages) SourceShow(c echo.Context) error { return p.showSource(c, "", nil) }

func (p *Pages) showSource(c echo.Context, reason string, wrong error) (err error) {
	ctx := c.Request().Context()
	v := base.Source{Now: p.Now(), Reason: reason, MaySet: session.Settles(c),
		MayErase: session.Me(c).Has(account.Admin)}
	v.Message, v.Errors = form.Said(wrong)
	if v.Source, v.Changes, err = p.Knowledge.Source(ctx, c.Param("id")); err != nil {
		return err
	}
	if v.InUse, err = p.Knowledge.SectionsOf(ctx, v.Source); err != nil {
		return err
	}
	names, _, err := p.AgentNames(ctx)
	if err != nil {
		return err
	}
	v.Owner = base.OwnerOf(v.Source, names)
	if v.Agents, err = p.AgentsInUse(ctx); err != nil {
		return err
	}
	return render.Page(c, wrong, base.SourcePage(p.Frame(c, "Document").Broad().Follow("knowledge"), v))
}

// SourceDecide reads a document again, reviews what changed, changes whose it is, or withdraws it.
func (p *Pages) SourceDecide(c echo.Context, in struct {
	Do     string `form:"do"`
	Seen   string `form:"seen"`
	Owner  string `form:"owner"`
	Every  int    `form:"every"`
	Erase  bool   `form:"erase"`
	Reason string `form:"reason"`
}) (err error) {
	ctx, id, by := context.WithoutCancel(c.Request().Context()), c.Param("id"), keeper(c)
	switch in.Do {
	case "check":
		err = p.Knowledge.Reread(ctx, id)
	case "take", "leave":
		err = p.Knowledge.ReviewSource(ctx, id, in.Seen, in.Do == "take", by)
	case "withdraw":
		if err = p.Knowledge.WithdrawSource(ctx, id, in.Reason, in.Erase, by); err == nil {
			return render.Redirect(c, layout.TabDocuments)
		}
	case "set":
		packName, shared := strings.CutPrefix(in.Owner, "pack:")
		agent := in.Owner
		if shared {
			agent = ""
		}
		err = p.Knowledge.SetSource(ctx, id, in.Every, agent, packName, by)
	default:
		return echo.NewHTTPError(http.StatusBadRequest)
	}
	if err != nil {
		return p.showSource(c, in.Reason, err)
	}
	return render.Redirect(c, layout.TabDocuments+"/"+id)
}
