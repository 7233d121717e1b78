package learning

import (
	"context"
	"slices"
	"strings"

	"preceptor/internal/pack"
)

// Alternative is a better text than the one that failed, to hold against it (seed 000, get_better_alternative).
type Alternative struct {
	From   string `json:"from"` // BetterHuman, BetterCase or BetterDraft
	CaseID string `json:"case_id,omitempty"`
	Number int    `json:"number,omitempty"` // of the case
	Text   string `json:"text"`
}

// Where a better text comes from, the best first: a person's, what people approved for a like customer, what the advisor writes under
// the rules that are in use now.
const (
	BetterHuman = "human"
	BetterCase  = "case"
	BetterDraft = "draft"
)

// likeEnough is how alike two customers have to be, in the words that describe them, for the guidance of one to be held against a
// draft for the other; 0 to 1.
const likeEnough = 0.35

// better looks for the text that a failed one is held against; nil when there is none.
func (p *Pipeline) better(ctx context.Context, src *Source) (*Alternative, error) {
	if strings.TrimSpace(src.HumanText) != "" {
		return &Alternative{From: BetterHuman, Text: src.HumanText}, nil
	}
	cases, err := p.approvedCases(ctx, src, "")
	if err != nil {
		return nil, err
	}
	mine := situationText(src.Situation)
	var best *Alternative
	top := likeEnough
	for _, c := range cases {
		if c.situation.HoldsDB() != src.Situation.HoldsDB() || src.Situation.Task != "" && c.situation.Task != "" && c.situation.Task != src.Situation.Task || c.Guidance == src.AgentText {
			continue
		}
		if s := likeness(mine, situationText(c.situation)); s > top {
			top, best = s, &Alternative{From: BetterCase, CaseID: c.ID, Number: c.Number, Text: c.Guidance}
		}
	}
	if best != nil || p.drafter == nil {
		return best, nil
	}
	rules, err := p.rulesInUse(ctx, src.AgentID)
	if err != nil || len(rules) == 0 {
		return nil, err
	}
	text, err := p.drafter(ctx, DraftFor{AgentID: src.AgentID, Situation: src.Situation, Rules: rules})
	if err != nil || text == "" || text == src.AgentText {
		return nil, err
	}
	return &Alternative{From: BetterDraft, Text: text}, nil
}

// fromBetter makes lessons of what approved guidance for a like customer does and the failed draft did not. It is the weakest
// evidence there is, so only what protects the customer counts, and only where nobody said anything better. What the advisor itself
// would write now is no evidence.
func (e evidence) fromBetter() []candidate {
	b := e.src.Better
	if e.src.Kind == Revise || b == nil || b.From == BetterDraft || e.allowed() {
		return nil
	}
	text := clip(b.Text, 60_000)
	came, _, _ := pack.MoveDiff(clip(e.src.AgentText, 60_000), text)
	var out []candidate
	for _, name := range order {
		m := movebook[name]
		if m.domain == PensionEducation || !slices.ContainsFunc(came, func(c pack.Change) bool { return c.Move == name }) || !e.suits(name) {
			continue
		}
		if name == pack.WarnGuarantees && !e.src.Situation.HoldsDB() {
			continue
		}
		why := "Approved guidance for such a customer does it (case " + itoa(b.Number) + "), and the draft that failed did not."
		if b.From == BetterHuman {
			why = "The better text does it, and the draft that failed did not."
		}
		out = append(out, m.candidate(name, 1+m.weight/2, why))
	}
	return out
}
