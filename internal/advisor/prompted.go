package advisor

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/knowledge"
	"preceptor/internal/llm"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/lists"
	"preceptor/internal/privacy"
)

//go:embed prompt/system.txt
var systemPrompt string

//go:embed prompt/draft.txt
var draftPrompt string

//go:embed prompt/schema.json
var draftSchema json.RawMessage

// longestDraft bounds what a model may hand in, in bytes.
const longestDraft = 20_000

// Prompted is the drafter that asks a language model.
type Prompted struct {
	model llm.Generator
	priv  *privacy.Pseudonymiser
}

// NewPrompted asks model; what is personal is replaced by priv before it is sent and put back into the answer.
func NewPrompted(model llm.Generator, priv *privacy.Pseudonymiser) *Prompted {
	return &Prompted{model: model, priv: priv}
}

// Name is the model's.
func (p *Prompted) Name() string { return p.model.Name() }

// consultationData is what the model is sent as data.
type consultationData struct {
	Question string              `json:"question"`
	Goal     string              `json:"goal,omitempty"`
	Told     string              `json:"told,omitempty"`
	Name     string              `json:"name,omitempty"`
	Topic    string              `json:"topic,omitempty"`
	Profile  map[string][]string `json:"profile,omitempty"` // the fields of the pack, by label
	Cases    []shown             `json:"cases"`
	Rules    []shown             `json:"rules"`
	Note     string              `json:"supervisor_note,omitempty"`
}

type shown struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Text string `json:"text"`

	Provisional bool `json:"provisional,omitempty"`
}

type answer struct {
	Guidance  string   `json:"guidance"`
	Reasoning string   `json:"reasoning"`
	CitedIDs  []string `json:"cited_ids"`
}

// Draft asks the model once. An answer that names knowledge it was not given, or is empty or endless, is refused and
// may be asked for again.
func (p *Prompted) Draft(ctx context.Context, r Request) (Draft, error) {
	if r.Recall == nil {
		r.Recall = &knowledge.Recall{}
	}
	data, key, err := p.data(r)
	if err != nil {
		return Draft{}, err
	}
	sent := knowledge.Sent{knowledge.NewMessage("advisor/system.txt", systemPrompt,
		map[string][]knowledge.Part{"Domain": own(domainText(pack.Of(r.Situation.Pack)))}),
		knowledge.NewMessage("advisor/draft.txt", draftPrompt, map[string][]knowledge.Part{
			"Boundary": own("=== " + id.Secret(18) + " ==="), "Data": data, "Examples": own(r.Shots.text())}),
		knowledge.NewMessage("advisor/schema.json", string(draftSchema), nil)}
	texts := sent.Texts()
	resp, err := p.model.Generate(ctx,
		llm.Request{System: texts[0], Prompt: texts[1], SchemaName: "guidance_draft", Schema: json.RawMessage(texts[2]),
			MaxTokens: 2000})
	if err != nil {
		return Draft{}, err
	}
	var a answer
	if err := resp.Decode(&a); err != nil {
		return Draft{}, err
	}
	cited, err := a.check(r.Recall)
	if err != nil {
		return Draft{}, err
	}
	return Draft{Text: key.Restore(strings.TrimSpace(a.Guidance)), Reasoning: key.Restore(a.Reasoning),
		Model: resp.Model, Cited: cited, Sent: sent}, nil
}

// fieldBreak parts the fields while they are pseudonymised together, so that one person has one token in all of them.
const fieldBreak = "\n\x1e\n"

// data is the consultation and the recall as one JSON object without personal data, in parts: what the customer said
// and what recalled knowledge says are erased for reasons of their own.
func (p *Prompted) data(r Request) ([]knowledge.Part, privacy.Map, error) {
	s := r.Situation
	domain := pack.Of(s.Pack)
	names, values := profile(domain, s)
	fields := slices.Concat([]string{s.Question, s.Goal, s.Text, r.Name, r.Note}, values)
	safe, key := p.priv.Pseudonymise(strings.Join(fields, fieldBreak), r.Known...)
	if fields = strings.Split(safe, fieldBreak); len(fields) != 5+len(values) {
		return nil, nil, fault.New(fault.Invalid, "The consultation has characters that can't be sent to a model.")
	}
	mark := id.Secret(18)
	q := consultationData{Question: fields[0], Goal: fields[1], Told: fields[2], Name: fields[3], Note: fields[4],
		Topic: topicOf(domain, s).Label,
		Cases: show(r.Recall.Cases, mark), Rules: show(r.Recall.Rules, mark)}
	for i, name := range names {
		if q.Profile == nil {
			q.Profile = map[string][]string{}
		}
		q.Profile[name] = append(q.Profile[name], fields[5+i])
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(q); err != nil {
		return nil, nil, fmt.Errorf("advisor: encode the consultation: %w", err)
	}
	return parts(strings.TrimSpace(b.String()), mark, r.Recall), key, nil
}

// profile lists what the profile says in the pack's fields, each value with the label of its field. The goal stands for
// itself.
func profile(p *pack.Pack, s pack.Situation) (labels, values []string) {
	for _, f := range p.Fields {
		list, _ := s.Field(f.Name)
		for _, v := range list {
			if f.Name != "goal" {
				labels, values = append(labels, f.Label), append(values, p.ValueLabel(f.Name, v))
			}
		}
	}
	return labels, values
}

// domainText is what a model is told about the domain.
func domainText(p *pack.Pack) string {
	if p.Frames.Signpost == "" {
		return p.Prompt
	}
	return p.Prompt + " When the customer asks to be told what to do, say this: " + p.Frames.Signpost
}

// show lists items with a mark and the id where their texts will stand.
func show(items []knowledge.Item, mark string) []shown {
	return lists.Map(items, func(it knowledge.Item) shown {
		return shown{ID: it.ID, Name: it.Label, Text: mark + it.ID + mark,
			Provisional: it.Rule != nil && it.Rule.Provisional}
	})
}

// parts cuts encoded data where show's marks are, with the quotation marks around them, and puts the items' texts
// there. A mark is a secret, so that nothing a customer types is one.
func parts(data, mark string, recall *knowledge.Recall) (out []knowledge.Part) {
	said := map[string]string{}
	for _, it := range slices.Concat(recall.Cases, recall.Rules) {
		said[it.ID] = it.Text
	}
	for {
		before, rest, found := strings.Cut(data, `"`+mark)
		out = append(out, knowledge.Part{Text: before, Own: true})
		if !found {
			return out
		}
		itemID, after, _ := strings.Cut(rest, mark+`"`)
		out, data = append(out, knowledge.Part{Text: knowledge.JSONString(said[itemID]), ItemID: itemID}), after
	}
}

func own(text string) []knowledge.Part { return []knowledge.Part{{Text: text, Own: true}} }

// check holds an answer against what the model was given.
func (a answer) check(recall *knowledge.Recall) (map[string]bool, error) {
	if strings.TrimSpace(a.Guidance) == "" {
		return nil, fault.New(fault.Unavailable, "The model answered without any guidance.")
	}
	if len(a.Guidance)+len(a.Reasoning) > longestDraft {
		return nil, fault.New(fault.Unavailable, "The model's answer was far too long.")
	}
	given := map[string]bool{}
	for _, it := range recall.Cases {
		given[it.ID] = true
	}
	for _, it := range recall.Rules {
		given[it.ID] = true
	}
	cited := map[string]bool{}
	for _, id := range a.CitedIDs {
		if !given[id] {
			return nil, fault.New(fault.Unavailable, "The model cited knowledge that it was not given.")
		}
		cited[id] = true
	}
	return cited, nil
}
