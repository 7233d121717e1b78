package api

import (
	"context"
	"slices"
	"strings"

	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
	"preceptor/internal/signal"
	"preceptor/internal/signal/turn"
)

// recallBody asks for knowledge before an agent answers.
type recallBody struct {
	Query       string        `json:"query,omitempty" doc:"What the customer asks, at most 20,000 bytes. Required, unless messages end with it."`
	Messages    []messageBody `json:"messages,omitempty" doc:"The conversation so far, as with guidance. A question that means little alone is read with what it refers to."`
	Customer    customer      `json:"customer,omitempty"`
	TaskType    string        `json:"task_type,omitempty" doc:"Limits the cases to this task."`
	UserID      string        `json:"user_id,omitempty" doc:"Your id for the user. Anything that applies to this user alone is returned in notes. Experiments on memory count only named users: send the same id with the result."`
	Model       string        `json:"model,omitempty" doc:"Which model will answer. Notes depend on it."`
	Context     freeObject    `json:"context,omitempty" doc:"file, language, project and any other keys, as in turns. Rules with a scope are returned only where it applies."`
	TokenBudget int           `json:"token_budget,omitempty" minimum:"0" maximum:"1000000" doc:"The most tokens for prompt; 0 is no limit."`
	TopK        int           `json:"top_k,omitempty" minimum:"0" maximum:"20" doc:"The most cases, and the most rules; by default 3 and 4."`
	Agent       string        `json:"agent,omitempty" doc:"Your agent's name; the token says it too."`
}

// recallAnswer is what an agent is given.
type recallAnswer struct {
	Prompt string           `json:"prompt" doc:"Sections to put before the question: similar cases, relevant rules."`
	Tokens int              `json:"tokens" doc:"The length of prompt."`
	Items  []knowledge.Item `json:"items" doc:"What the prompt is made of; send the ids back as knowledge_used. The score orders this answer only; legs has its parts. A rule has its confidence once a case has tested it."`
	Notes  string           `json:"notes,omitempty" doc:"What evaluators found wrong in earlier turns, worst first, and what this user asked for. Also at the end of prompt."`
	Note   string           `json:"note,omitempty" doc:"Set when nothing related was found."`
}

// adviseBody asks our own advisor.
type adviseBody struct {
	Agent        string           `json:"agent,omitempty" doc:"Your agent's name; the token says it too."`
	Consultation consultationBody `json:"consultation"`
}

func (h *handlers) recall(ctx context.Context, c *call, _ *struct{}, body recallBody) (out recallAnswer, err error) {
	if err := c.ownAgent(body.Agent); err != nil {
		return out, err
	}
	who, wrong := body.Customer.read("/customer")
	if len(body.Query) > interaction.MaxQuestion {
		wrong = append(wrong, fault.Field{Name: "/query", Msg: text.TooBig(body.Query, interaction.MaxQuestion)})
	}
	talk := interaction.Consultation{Customer: who, Question: body.Query, TaskType: interaction.TaskForm(body.TaskType),
		Pack: c.token.Pack, Messages: readMessages(body.Messages)}
	if body.Query == "" && len(talk.Messages) == 0 {
		wrong = append(wrong, fault.Field{Name: "/query", Msg: interaction.NoQuestion})
	}
	if wrong = slices.Concat(wrong, talk.Converse("")); len(wrong) > 0 {
		return out, fault.WithFields(summary(wrong), wrong...)
	}
	asked := talk.Situation()
	about, err := body.Context.object()
	if err != nil {
		return out, err
	}
	asked.Scopes = turn.Scopes(c.token.AgentName, body.TaskType, about)
	for _, name := range c.token.Former {
		asked.Scopes = append(asked.Scopes, turn.Scopes(name, "", nil)...)
	}
	r, without, err := h.Recall(ctx, knowledge.Query{AgentID: c.token.AgentID, Text: talk.Question, Situation: asked,
		Known: who.Personal(), Task: talk.TaskType, TokenBudget: body.TokenBudget,
		TopCases: body.TopK, TopRules: body.TopK}, body.UserID)
	if err != nil {
		return out, err
	}
	out = recallAnswer{Prompt: r.Prompt, Tokens: r.Tokens, Note: r.Note(),
		Items: append([]knowledge.Item{}, r.Items...)}
	ask := signal.Ask{AgentID: c.token.AgentID, User: body.UserID, Task: body.TaskType, Model: body.Model,
		Scopes: asked.Scopes}
	if !without.Learned { // an experiment's arm without memory goes without notes, too
		given, err := h.Signals.Given(ctx, ask)
		if err != nil {
			return out, err
		}
		out.add(given, body.TokenBudget)
	}
	var lessons []string
	for _, it := range r.Rules {
		lessons = append(lessons, it.Rule.CreatedFrom)
	}
	return out, h.Signals.Gave(ctx, ask, out.Notes != "", lessons)
}

// add puts notes at the end of the prompt, where the budget has room for them.
func (a *recallAnswer) add(notes string, budget int) {
	more := knowledge.Tokens(notes)
	if notes == "" || budget > 0 && a.Tokens+more > budget {
		return
	}
	a.Notes, a.Prompt, a.Tokens = notes, strings.TrimLeft(a.Prompt+"\n\n"+notes, "\n"), a.Tokens+more
}

func (h *handlers) advise(ctx context.Context, c *call, key *interaction.Idempotency,
	body adviseBody) (*receiptOutput, error) {
	if err := c.ownAgent(body.Agent); err != nil {
		return nil, err
	}
	consultation, err := body.Consultation.read()
	if err != nil {
		return nil, err
	}
	rec, err := h.Interactions.AdviseReceipt(ctx, interaction.Submission{AgentID: c.token.AgentID,
		AgentName: c.token.AgentName, Origin: interaction.OriginAdvise, By: c.token.Actor(),
		Consultation: consultation}, key)
	if err != nil {
		return nil, err
	}
	return receiptOf(rec), nil
}
