package practice

import (
	"context"
	_ "embed"
	"encoding/json"
	"strings"

	"preceptor/internal/llm"
)

// The prompts' files never change: other words are a new file with the next number.
const customerPrompts = "reply.v1, judge.v1"

var (
	//go:embed prompt/reply.v1.txt
	replyText string
	//go:embed prompt/judge.v1.txt
	judgeText string
)

var (
	replySchema = json.RawMessage(
		`{"type":"object","properties":{"said":{"type":"string"},"done":{"type":"boolean"}},"required":["said","done"],"additionalProperties":false}`)
	judgeSchema = json.RawMessage(
		`{"type":"object","properties":{"told":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"quote":{"type":"string"}},` +
			`"required":["id","quote"],"additionalProperties":false}}},"required":["told"],"additionalProperties":false}`)
)

// mostTurns is how many answers a customer of a model hears at most.
const mostTurns = 3

// Prompted is the customer whom a language model plays, and the judge that asks it. A need counts where the model
// quotes the advisor's own words for it. Where the model fails the consultation fails, and with it the run, which can
// go on: another judge in its midst would make the figures no measure.
type Prompted struct{ gen llm.Generator }

// NewPrompted is the customer of a model.
func NewPrompted(gen llm.Generator) Prompted { return Prompted{gen} }

// Name is the model and the prompts.
func (p Prompted) Name() string { return p.gen.Name() + " (" + customerPrompts + ")" }

// Turns is how many answers they hear.
func (Prompted) Turns() int { return mostTurns }

// Reply has the model say what the customer says. It is told who they are and not what they need.
func (p Prompted) Reply(ctx context.Context, who *Person, dialogue []Turn) (said string, done bool, err error) {
	var answer struct {
		Said string
		Done bool
	}
	err = p.ask(ctx, "practice_reply", replyText, replySchema,
		map[string]any{"you": map[string]any{"who": who.Persona, "age": who.Age, "facts": who.Facts, "goal": who.Goal,
			"understanding": who.Literacy, "vulnerable": who.Vulnerable}, "talk": dialogue}, &answer)
	return strings.TrimSpace(answer.Said), answer.Done, err
}

// Judge asks which needs the advisor met.
func (p Prompted) Judge(ctx context.Context, who *Person, dialogue []Turn) (map[string]bool, error) {
	type thing struct {
		ID   string `json:"id"`
		What string `json:"what"`
	}
	list, asked := make([]thing, len(who.Needs)), map[string]bool{}
	for i, n := range who.Needs {
		list[i], asked[n.ID] = thing{n.ID, n.Plain}, true
	}
	var answer struct {
		Told []struct{ ID, Quote string }
	}
	if err := p.ask(ctx, "practice_judge", judgeText, judgeSchema, map[string]any{"needed": list, "talk": dialogue},
		&answer); err != nil {
		return nil, err
	}
	met, text := map[string]bool{}, words(advised(dialogue))
	for _, t := range answer.Told {
		if quote := words(t.Quote); asked[t.ID] && quote != "" && strings.Contains(text, quote) {
			met[t.ID] = true
		}
	}
	return met, nil
}

// words is a text without what a model changes as it copies.
func words(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }

func (p Prompted) ask(ctx context.Context, name, system string, schema json.RawMessage, material, answer any) error {
	text, err := json.Marshal(material)
	if err != nil {
		return err
	}
	_, fenced := llm.Fence(string(text))
	r, err := p.gen.Generate(ctx, llm.Request{System: system, Prompt: fenced,
		SchemaName: name, Schema: schema, MaxTokens: 800})
	if err == nil {
		err = llm.CheckAnswer(p.gen.Name(), schema, r.Text)
	}
	if err != nil {
		return err
	}
	return r.Decode(answer)
}
