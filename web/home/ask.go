package home

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/feedback/chat"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/decimal"
	"preceptor/internal/platform/fault"
	"preceptor/views/ask"
	"preceptor/web/render"
	"preceptor/web/session"
)

// askedShown is how many of my questions the page lists.
const askedShown = 8

// AskForm is the page on which somebody tries the advisor.
func (p *Pages) AskForm(c echo.Context, in ask.Form) error {
	return p.askPage(c, http.StatusOK, ask.Form{Agent: in.Agent})
}

func (p *Pages) askPage(c echo.Context, status int, v ask.Form) (err error) {
	if _, err := p.askedAgent(c, &v); err != nil {
		return err
	}
	v.Now = p.Now()
	return render.Status(c, status, ask.FormPage(p.Frame(c, "Ask the advisor").Broad().Follow(), v))
}

// Ask sends a question to our own advisor. The draft goes to the desk, and the answer comes once it is released.
func (p *Pages) Ask(c echo.Context, v ask.Form) error {
	a := session.Me(c)
	v.Errors = map[string]string{}
	for i := range min(len(v.Kinds), len(v.Values), ask.Rows) {
		v.Pensions = append(v.Pensions, ask.PensionRow{Kind: v.Kinds[i], Value: v.Values[i]})
	}
	asked, err := p.askedAgent(c, &v)
	if err != nil {
		return err
	}
	consultation := consultationOf(&v)
	if len(v.Errors) > 0 {
		v.Message = "Check your answers before asking."
		return p.askPage(c, http.StatusUnprocessableEntity, v)
	}
	ctx := context.WithoutCancel(c.Request().Context())
	agent, err := p.Accounts.EnsureAgentBy(ctx, asked.Name, asked.Pack, a.Actor())
	if err == nil {
		err = agent.CheckPack(asked.Pack)
	}
	id := ""
	if err == nil {
		id, err = p.Interactions.Advise(ctx, consultation, agent.ID, agent.Name, interaction.OriginAsk, a.Actor(), nil)
	}
	if fault.Is(err, fault.Invalid) {
		v.Errors, v.Message = askErrors(err), fault.Message(err)
		v.Errors["domain"] = v.Errors["agent"]
		return p.askPage(c, http.StatusUnprocessableEntity, v)
	}
	if err != nil {
		return err
	}
	return render.Redirect(c, "/ask/"+id)
}

// askedAgent is the agent that the form asks, among those whose answers people review: the one chosen, else the one
// that this person asked last, else the first. Where there is none, the question makes one of the domain that the
// person chooses.
func (p *Pages) askedAgent(c echo.Context, v *ask.Form) (chosen account.Agent, err error) {
	ctx := c.Request().Context()
	_, reviewed, err := p.Room.Rooms(ctx)
	if err != nil {
		return chosen, err
	}
	if v.All, err = p.Accounts.AllAgents(ctx); err != nil {
		return chosen, err
	}
	if v.Mine, err = p.Interactions.Asked(ctx, session.Me(c).ID, askedShown); err != nil {
		return chosen, err
	}
	if len(reviewed) == 0 {
		v.Agent, v.Pack = "", pack.Of(pack.GeneralName)
		if _, ok := pack.Named(v.Domain); ok && v.Domain != "" {
			chosen = account.Agent{Name: ask.NewAgent(v.Domain), Pack: v.Domain}
			v.Agent, v.Pack = chosen.Name, pack.Of(v.Domain)
		}
		return chosen, nil
	}
	among := func(id string) bool {
		return slices.ContainsFunc(reviewed, func(r chat.Agent) bool { return r.ID == id })
	}
	last := slices.IndexFunc(v.Mine, func(in interaction.Interaction) bool { return among(in.AgentID) })
	v.Agents = nil // of a form shown again
	for _, a := range v.All {
		if !among(a.ID) {
			continue
		}
		v.Agents = append(v.Agents, a.Name)
		if a.Name == v.Agent || chosen.Name == "" ||
			last >= 0 && a.ID == v.Mine[last].AgentID && chosen.Name != v.Agent {
			chosen = a
		}
	}
	v.Agent, v.Pack = chosen.Name, pack.Of(chosen.Pack)
	return chosen, nil
}

// AskShow is one question and what became of it: for whoever asked it, and for supervisors.
func (p *Pages) AskShow(c echo.Context) error {
	a := session.Me(c)
	ctx, id := c.Request().Context(), c.Param("id")
	mine, err := p.Interactions.AskedBy(ctx, id, a.ID)
	if err != nil {
		return err
	}
	if !mine && !a.Has(account.Supervisor) {
		return fault.New(fault.NotFound,
			"You haven't asked this question. Ask it again, or look at the list of your questions.")
	}
	in, err := p.Interactions.Get(ctx, id)
	if err != nil {
		return err
	}
	return render.Page(c, nil,
		ask.AnswerPage(p.Frame(c, "Your question").At("/ask/"+id).Follow("interactions"),
			ask.Answer{In: in, ReviewedBy: a.Has(account.Supervisor), Now: p.Now()}))
}

// consultationOf reads the form; what can't be read is noted in v.Errors.
func consultationOf(v *ask.Form) interaction.Consultation {
	c := interaction.Consultation{Question: v.Question,
		Customer: interaction.Customer{Literacy: v.Literacy, Goal: v.Goal}}
	if v.Question == "" {
		v.Errors["question"] = "Enter what the customer wants to know."
	}
	if v.Agent == "" {
		v.Errors["domain"] = "Choose whom to ask."
	}
	if v.Pack.Name != pack.Pension {
		c.Customer = factsOf(v)
		return c
	}
	if v.Age != "" {
		age, err := strconv.Atoi(v.Age)
		if err != nil || age < 0 || age > 120 {
			v.Errors["age"] = "Enter the age in years, for example 58."
		}
		c.Customer.Age = &age
	}
	if v.Vulnerable {
		yes := true
		c.Customer.Vulnerable = &yes
	}
	for i, row := range v.Pensions {
		if row.Kind == "" && row.Value == "" {
			continue
		}
		pension, err := pensionOf(row)
		if err != "" {
			v.Errors[fmt.Sprintf("value-%d", i)] = err
		}
		c.Customer.Pensions = append(c.Customer.Pensions, pension)
	}
	return c
}

// factsOf reads a customer from lines such as "os: Windows 11".
func factsOf(v *ask.Form) (who interaction.Customer) {
	facts := map[string]any{}
	for line := range strings.Lines(v.Facts) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if name, value = strings.TrimSpace(name), strings.TrimSpace(value); !ok || name == "" || value == "" {
			v.Errors["facts"] = "Enter each fact as a name, a colon and a value, for example os: Windows 11."
			return who
		}
		facts[strings.ReplaceAll(strings.ToLower(name), " ", "_")] = value
	}
	if b, err := json.Marshal(facts); err == nil {
		who = interaction.CustomerLoosely(b)
	}
	return who
}

// pensionOf reads one line, and says what is wrong with it.
func pensionOf(row ask.PensionRow) (p interaction.Pension, wrong string) {
	p.Kind = row.Kind
	if p.Kind == "" {
		p.Kind = "unknown"
	}
	if row.Value == "" {
		return p, ""
	}
	pounds, err := decimal.Amount(row.Value)
	if err != nil || pounds < 0 || pounds > 1e9 {
		return p, "Enter an amount in pounds, for example 42,000."
	}
	p.ValueGBP = &pounds
	return p, ""
}

// askErrors turns the domain's pointers into the names of this form's fields.
func askErrors(err error) map[string]string {
	out := map[string]string{}
	for _, f := range fault.Fields(err) {
		name := f.Name[strings.LastIndexByte(f.Name, '/')+1:]
		out[name] = f.Msg
	}
	return out
}
