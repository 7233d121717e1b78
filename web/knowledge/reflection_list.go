package knowledge

import (
	"context"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/compliance"
	"preceptor/internal/learning"
	streams "preceptor/internal/learning/stream"
	"preceptor/internal/platform/fault"
	lessons "preceptor/views/learning"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

const (
	recalledMost = 12 // memories that answer a question
	longestQuery = 400
)

// ReflectionList is what agents remember, and the insights that came of it.
func (p *Pages) ReflectionList(c echo.Context, in struct {
	streams.Filter `form:"filter"`
	View           string `form:"view"`
	Query          string `form:"q"`
}) error {
	ctx := c.Request().Context()
	a := session.Me(c)
	agents, err := p.AgentOptions(ctx)
	if err != nil {
		return err
	}
	v := lessons.Reflections{Agents: agents, Memories: in.View == "memories", Query: clipQuery(in.Query),
		Threshold: p.Stream.Threshold(),
		Bands:     p.Stream.UsesConfidence(), MayOpen: a.Has(account.Supervisor), Now: p.Now()}
	v.Filter = streams.Filter{AgentID: form.OneOf(in.AgentID, valuesOf(agents)),
		Kind: form.OneOf(in.Kind, streams.Kinds), What: form.OneOf(in.What, bandNames()), Cursor: in.Cursor}
	if v.Memories {
		err = p.memories(ctx, &v)
	} else {
		err = p.reflections(ctx, &v)
	}
	if err != nil {
		return err
	}
	return render.Page(c, nil,
		lessons.ReflectionsPage(p.Frame(c, "Reflections").Broad().Follow("reflections"), v))
}

// memories fills in the stream, or what an agent remembers about a question; without an agent the first one is asked.
func (p *Pages) memories(ctx context.Context, v *lessons.Reflections) (err error) {
	if v.Query == "" {
		v.Stream, v.Next, err = p.Stream.Memories(ctx, v.Filter)
		return err
	}
	if v.Filter.AgentID == "" && len(v.Agents) > 0 {
		v.Filter.AgentID = v.Agents[0].Value
	}
	v.Found, err = p.Stream.Retrieve(ctx, v.Filter.AgentID, v.Query, 0, recalledMost)
	return err
}

func (p *Pages) reflections(ctx context.Context, v *lessons.Reflections) (err error) {
	if v.List, v.Next, err = p.Stream.List(ctx, v.Filter); err != nil {
		return err
	}
	if v.Filter.Cursor == "" {
		for _, agent := range v.Agents {
			if v.Filter.AgentID != "" && v.Filter.AgentID != agent.Value {
				continue
			}
			s, err := p.Stream.Standing(ctx, agent.Value)
			if err != nil {
				return err
			}
			v.Standings = append(v.Standings, lessons.AgentStanding{Name: agent.Label, Standing: s})
		}
	}
	return p.cameOf(ctx, v)
}

// cameOf looks up the lessons and the knowledge that insights speak of. What is no longer there is left out.
func (p *Pages) cameOf(ctx context.Context, v *lessons.Reflections) error {
	v.Lessons, v.Shown = map[string]*learning.Lesson{}, map[string]lessons.Shown{}
	for _, r := range v.List {
		for _, in := range r.Insights {
			if in.LessonID != "" && v.Lessons[in.LessonID] == nil {
				l, err := p.Learning.Get(ctx, in.LessonID)
				if err != nil && !fault.Is(err, fault.NotFound) {
					return err
				}
				v.Lessons[in.LessonID] = l
			}
			if id, ok := strings.CutPrefix(in.Theme, "shown:"); ok {
				if err := p.shownItem(ctx, id, v.Shown); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (p *Pages) shownItem(ctx context.Context, id string, into map[string]lessons.Shown) error {
	r, err := p.Knowledge.Rule(ctx, id)
	if err == nil {
		into[id] = lessons.Shown{Label: r.Label(), Href: "/knowledge/rules/" + id}
		return nil
	}
	if !fault.Is(err, fault.NotFound) {
		return err
	}
	k, err := p.Knowledge.Case(ctx, id)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	into[id] = lessons.Shown{Label: k.Label(), Href: "/knowledge/cases/" + id}
	return nil
}

func valuesOf(options []ui.Option) (out []string) {
	for _, o := range options {
		out = append(out, o.Value)
	}
	return out
}

func bandNames() (out []string) {
	for _, b := range []compliance.Band{compliance.Clarify, compliance.Ambiguous, compliance.NegativeExample,
		compliance.ExemplarOffer} {
		out = append(out, string(b))
	}
	return out
}

func clipQuery(q string) string {
	if r := []rune(q); len(r) > longestQuery {
		return string(r[:longestQuery])
	}
	return q
}
