package stats

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/fault"
	dom "preceptor/internal/practice"
	"preceptor/internal/stats"
	"preceptor/views/practice"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/frame"
	"preceptor/web/render"
	"preceptor/web/session"
)

const practiceRuns = 50

// PracticeList lists what was practised.
func (p *Pages) PracticeList(c echo.Context) error {
	return p.practicePage(c, practice.Plan{Customers: "200", Split: "1", Seed: "1"}, nil)
}

func (p *Pages) practicePage(c echo.Context, plan practice.Plan, wrong error) (err error) {
	ctx := c.Request().Context()
	v := practice.List{Plan: plan, Stats: readsStats(c), Now: p.Now()}
	v.Error, v.Errors = form.Said(wrong)
	if v.Runs, err = p.Practice.List(ctx, "", practiceRuns); err != nil {
		return err
	}
	names, agents, err := p.AgentNames(ctx)
	if err != nil {
		return err
	}
	v.Names = names
	for _, a := range agents {
		people, err := dom.Of(a.Pack)
		if err != nil {
			continue // a pack without practice customers
		}
		v.Agents = append(v.Agents, ui.Option{Value: a.ID, Label: a.Name})
		at := slices.IndexFunc(v.Trades, func(t practice.Trade) bool { return t.Name == people.Trade() })
		if at < 0 {
			at = len(v.Trades)
			v.Trades = append(v.Trades, practice.Trade{Name: people.Trade(), Customers: len(people.Lives),
				Questions: len(people.Questions())})
		}
		t := &v.Trades[at]
		t.Agents = append(t.Agents, a.Name)
		if fits, err := p.Practice.Fits(ctx, a.ID, a.Pack); err != nil {
			return err
		} else if !fits {
			t.Unsaid = append(t.Unsaid, a.Name)
		}
	}
	if v.Plan.Agent == "" && len(v.Agents) > 1 {
		if v.Plan.Agent, err = p.busiest(ctx, v.Agents); err != nil {
			return err
		}
	}
	f := p.Frame(c, "Practice").Broad().Follow("practice")
	return render.Page(c, wrong, practice.ListPage(f, v))
}

// busiest is which of the agents people decided most for in the last days; "" when nothing was decided.
func (p *Pages) busiest(ctx context.Context, agents []ui.Option) (id string, err error) {
	r, err := p.Stats.Review(ctx, stats.Filter{Range: stats.Days(p.Now(), realDays, p.zone())})
	most := 0
	for _, s := range r.Agents {
		at := slices.IndexFunc(agents, func(a ui.Option) bool { return a.Label == s.Name })
		if at >= 0 && s.Volume > most {
			id, most = agents[at].Value, s.Volume
		}
	}
	return id, err
}

// readsStats reports whether the reader has the other pages of the statistics; experts have practice alone.
func readsStats(c echo.Context) bool {
	me := session.Me(c)
	return me.Has(account.Manager) || me.Has(account.Admin)
}

// PracticeBegin begins a run.
func (p *Pages) PracticeBegin(c echo.Context, in practice.Plan) error {
	ctx := c.Request().Context()
	var fields []fault.Field
	number := func(name, typed string, most int) int {
		n, err := strconv.Atoi(strings.ReplaceAll(strings.TrimSpace(typed), ",", ""))
		if err != nil || n < 1 || n > most {
			fields = append(fields,
				fault.Field{Name: name, Msg: "Enter a whole number from 1 to " + ui.Thousands(most) + "."})
		}
		return n
	}
	plan := dom.Plan{By: session.Actor(c), AgentID: in.Agent, Kind: dom.Training, Trade: in.Trade,
		Split: number("split", in.Split, dom.Splits) - 1, Seed: uint64(number("seed", in.Seed, 1_000_000))}
	switch in.Kind {
	case dom.Evaluation:
		plan.Kind = dom.Evaluation
	case dom.Ablation:
		plan.Kind, plan.Customers = dom.Ablation, number("customers", in.Customers, 3_000)*dom.Splits*dom.Seeds
	case practice.OwnAblation:
		plan.Kind = dom.Ablation
	default:
		plan.Customers = number("customers", in.Customers, 50_000)
	}
	if a, err := p.Accounts.Agent(ctx, in.Agent); err != nil {
		fields = append(fields, fault.Field{Name: "agent", Msg: "Choose an agent from the list."})
	} else if people, err := dom.Of(a.Pack); err != nil {
		fields = append(fields,
			fault.Field{Name: "agent", Msg: "There are no practice customers for this agent's domain."})
	} else if fits, err := p.Practice.Fits(ctx, a.ID, a.Pack); err != nil {
		return err
	} else if !fits && !in.Trade {
		fields = append(fields, fault.Field{Name: "trade", Msg: "Practice has customers of " + people.Trade() +
			" alone. Tick this if it is what the agent does."})
	}
	if len(fields) > 0 {
		return p.practicePage(c, in, fault.WithFields("The run can't start yet.", fields...))
	}
	run, err := p.Practise(ctx, plan)
	if err != nil {
		return p.practicePage(c, in, err)
	}
	return c.Redirect(http.StatusSeeOther, practice.Home+"/"+run.ID)
}

// PracticeShow is one run.
func (p *Pages) PracticeShow(c echo.Context, in struct {
	Format string `form:"format"`
}) error {
	return p.practiceRun(c, in.Format, nil)
}

func (p *Pages) practiceRun(c echo.Context, format string, wrong error) error {
	ctx := c.Request().Context()
	me := session.Me(c)
	run, err := p.Practice.Get(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	agent, err := p.Accounts.Agent(ctx, run.AgentID)
	if err != nil {
		return err
	}
	v := practice.Show{Run: run, Agent: agent.Name, MayPropose: me.Has(account.Expert) || me.Has(account.Admin),
		Stats: readsStats(c)}
	v.Error, _ = form.Said(wrong)
	if err := v.Read(); err != nil {
		return err
	}
	if v.Curve = v.Trained.Curve; len(v.Curve) == 0 {
		if v.Curve, err = p.Practice.Curve(ctx, run); err != nil {
			return err
		}
	}
	if v.Before, v.After, err = p.Practice.Tested(ctx, run.ID); err != nil {
		return err
	}
	if v.Examples, err = p.PractisedWell(ctx, run); err != nil {
		return err
	}
	if v.Night, err = p.night(ctx, run); err != nil {
		return err
	}
	if people, err := dom.Of(agent.Pack); err == nil {
		v.Questions, v.Asked, v.Trade = people.Questions(), people.Plain(), people.Trade()
	}
	if run.Kind == dom.Ablation && format == "csv" {
		name, notes := p.asOf("Arms of a practice run", "ablation")
		return p.figures(c, name, notes, practice.ArmFigures(v.Ablated))
	}
	f := p.Frame(c, "Practice").At(practice.Home).Broad().Follow("practice")
	return render.Page(c, wrong, practice.ShowPage(f, v))
}

// night is how a nightly run went against the one before it; nil where there is none.
func (p *Pages) night(ctx context.Context, run dom.Run) (*practice.Night, error) {
	if !run.Nightly || run.State != dom.Done {
		return nil, nil
	}
	n, err := p.Practice.Against(ctx, run)
	if err != nil || n == nil {
		return nil, err
	}
	out := &practice.Night{Night: *n, Labels: map[string]string{}}
	if out.Moved, err = p.Knowledge.Moved(ctx, n.Last.Base.Seq, run.Base.Seq); err != nil {
		return nil, err
	}
	for _, id := range slices.Concat(out.RulesIn, out.RulesOut) {
		r, err := p.Knowledge.Rule(ctx, id)
		if err != nil {
			return nil, err
		}
		out.Labels[id] = r.Label()
	}
	return out, nil
}

// PracticeHistory sets practice beside what real people say, and follows it over the states of the base.
func (p *Pages) PracticeHistory(c echo.Context, in struct {
	Agent string `form:"agent"`
}) error {
	ctx := c.Request().Context()
	v := practice.History{Stats: readsStats(c), Now: p.Now()}
	_, agents, err := p.AgentNames(ctx)
	if err != nil {
		return err
	}
	var shown account.Agent
	for _, a := range agents {
		v.Agents = append(v.Agents, ui.Option{Value: a.ID, Label: a.Name})
		if a.ID == in.Agent || in.Agent == "" && shown.ID == "" {
			shown = a
		}
	}
	if shown.ID == "" {
		return fault.New(fault.NotFound, "There is no such agent.")
	}
	v.Agent = shown.ID
	runs, err := p.Practice.List(ctx, shown.ID, practiceRuns)
	if err != nil {
		return err
	}
	if v.Runs, err = practice.Measured(runs); err != nil {
		return err
	}
	if v.Stats {
		f := stats.Filter{Range: stats.Days(p.Now(), realDays, p.zone()), Agent: shown.Name, Plain: true}
		review, err := p.Stats.Review(ctx, f)
		if err != nil {
			return err
		}
		said, err := p.Stats.Satisfaction(ctx, f)
		if err != nil {
			return err
		}
		v.Real = practice.RealRows(review, said)
	}
	return render.Page(c, nil, practice.HistoryPage(p.Frame(c, "Practice").At(practice.Home).Broad(), v))
}

// realDays is how far back the figures of real people go.
const realDays = 30

// PracticeCompare begins a comparison of the selected rules.
func (p *Pages) PracticeCompare(c echo.Context, in struct {
	Rules []int `form:"rule"`
}) error {
	if len(in.Rules) == 0 {
		return p.practiceRun(c, "", fault.New(fault.Invalid, "Select the rules to compare first."))
	}
	run, err := p.ComparePractised(c.Request().Context(), c.Param("id"), in.Rules, session.Actor(c))
	if err != nil {
		return p.practiceRun(c, "", err)
	}
	return c.Redirect(http.StatusSeeOther, practice.Home+"/"+run.ID)
}

// practiceDone goes back to the run, or shows it with what was in the way.
func (p *Pages) practiceDone(c echo.Context, err error, line string) error {
	if err != nil {
		return p.practiceRun(c, "", err)
	}
	return render.Done(c, practice.Home+"/"+c.Param("id"), line)
}

// PracticeResume has a run that stopped go on.
func (p *Pages) PracticeResume(c echo.Context) error {
	return p.practiceDone(c, p.PractiseOn(c.Request().Context(), c.Param("id"), session.Actor(c)), "The run continues.")
}

// PracticeStop ends a run, which can be continued.
func (p *Pages) PracticeStop(c echo.Context) error {
	ctx := context.WithoutCancel(c.Request().Context())
	return p.practiceDone(c, p.Practice.Stop(ctx, c.Param("id"), session.Actor(c)),
		"Stopped. You can continue it later.")
}

// PracticeAdopt makes cases of the selected consultations.
func (p *Pages) PracticeAdopt(c echo.Context, in struct {
	Persons []string `form:"person"`
}) error {
	if len(in.Persons) == 0 {
		return p.practiceRun(c, "", fault.New(fault.Invalid, "Select the examples to adopt first."))
	}
	me := session.Me(c)
	n, err := p.AdoptPractised(c.Request().Context(), c.Param("id"), in.Persons,
		knowledge.Person{ID: me.ID, Name: me.Name, Roles: frame.RoleNames(me)})
	line := ui.Count(n, "example was adopted", "examples were adopted") +
		". From the next draft on, the advisor can use what was adopted."
	if n == 0 {
		line = "These examples were adopted or retired before."
	}
	return p.practiceDone(c, err, line)
}

// PracticePropose begins a lesson of each selected rule.
func (p *Pages) PracticePropose(c echo.Context, in struct {
	Rules []int `form:"rule"`
}) error {
	if len(in.Rules) == 0 {
		return p.practiceRun(c, "", fault.New(fault.Invalid, "Select the rules to propose first."))
	}
	n, err := p.ProposePractised(c.Request().Context(), c.Param("id"), in.Rules)
	line := ui.Count(n, "rule was proposed", "rules were proposed") + ". They wait for you under Learning."
	if n == 0 {
		line = "These rules were proposed before."
	}
	return p.practiceDone(c, err, line)
}
