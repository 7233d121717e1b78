package practice

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"preceptor/internal/knowledge"
	"preceptor/internal/phrase"
	"preceptor/internal/platform/lists"
)

// Why a consultation wasn't successful, by what weighs most of what was missed.
const (
	NoSource      = "no_source"      // a fact that no section says
	WrongSource   = "wrong_source"   // what a section says, and the answer doesn't
	RuleMissing   = "rule_missing"   // a warning or next step that no section says: a rule has to
	NotUnderstood = "not_understood" // too long for its reader; all else was well
	NotCompliant  = "not_compliant"  // a check found what would stop it; whatever else was missed
	Unanswered    = "unanswered"     // it says that there is no guidance
	Elsewhere     = "elsewhere"      // it answers another question
	ToMend        = "to_mend"        // a check found what a supervisor would mend; all else was well
	Left          = "left_out"       // a question, next step or warning that was due; all else was well
)

// whys are the reasons in the order in which they are told, with the words for each.
var whys = [][2]string{{NoSource, "no section has the answer"},
	{WrongSource, "a section has it and the answer doesn't"},
	{RuleMissing, "a warning or next step is missing that only a rule can add"},
	{NotUnderstood, "too long for the reader"}, {NotCompliant, "not compliant"},
	{Unanswered, "the advisor had no answer"}, {Elsewhere, "the answer is about something else"},
	{ToMend, "compliant, but a check asks for a change"},
	{Left, "a question, next step or warning that was due is missing"},
	{"flagged", "a check found a problem"}} // of runs from before these were told apart

// Failures is how many consultations weren't successful, and why, in one sentence; "" where all were, or nobody kept
// why.
func (m Metrics) Failures() string {
	var parts []string
	n := 0
	for _, why := range whys {
		if c := m.Failed[why[0]]; c > 0 {
			n += c
			parts = append(parts, fmt.Sprintf("%d: %s", c, why[1]))
		}
	}
	if n == 0 {
		return ""
	}
	said := fmt.Sprintf("Why %d weren't successful. %s.", n, strings.Join(parts, "; "))
	if found := slices.Sorted(maps.Keys(m.Found)); len(found) > 0 {
		said += " Checks found: " + strings.Join(lists.Map(found, func(code string) string {
			return fmt.Sprintf("%s (%d)", strings.ToLower(strings.ReplaceAll(code, "_", " ")), m.Found[code])
		}), ", ") + "."
	}
	return said
}

// Covered finds what the sections in use say of the needs, once: practice changes rules and cases, not documents.
func (p *People) Covered(ctx context.Context, base *knowledge.Base, agentID string) (map[string]bool, error) {
	held := map[string]bool{}
	f := knowledge.Filter{AgentID: agentID, Source: knowledge.FromDocument, Status: knowledge.Active, Limit: 500}
	for {
		list, next, err := base.Cases(ctx, f)
		if err != nil {
			return nil, err
		}
		for _, c := range list {
			for _, sp := range phrase.Sentences(c.Guidance) {
				if need := p.recognise().says(sp.In(c.Guidance)); need != "" {
					held[need] = true
				}
			}
		}
		if f.Cursor = next; next == "" {
			return held, nil
		}
	}
}

// explain says why an outcome wasn't a success, and whether the base has the answer: all facts that are needed.
func (o *Outcome) explain(who *Person, held map[string]bool) {
	missed := map[string]bool{}
	for _, id := range o.Missed {
		missed[id] = true
	}
	weight := map[string]float64{}
	o.InBase = true
	var all, got float64
	for _, n := range who.Needs {
		all += n.Weight
		if n.Kind == Fact && !n.checksUnderstanding() && !held[n.ID] {
			o.InBase = false
		}
		switch {
		case !missed[n.ID]:
			got += n.Weight
		case held[n.ID]:
			weight[WrongSource] += n.Weight
		case n.Kind == Fact && !n.checksUnderstanding():
			weight[NoSource] += n.Weight
		default:
			weight[RuleMissing] += n.Weight
		}
	}
	if o.Successful {
		return
	}
	switch {
	case !o.FCACompliant:
		o.Why = NotCompliant
		return
	case o.Unanswered:
		o.Why = Unanswered
	case o.Elsewhere:
		o.Why = Elsewhere
	case len(o.Issues) > 0:
		o.Why = ToMend
	default:
		o.Why = Left
	}
	if 2*got > all {
		if o.Comprehension <= 5 {
			o.Why = NotUnderstood
		}
		if min(o.GoalAlignment, o.Satisfaction) > 5 || len(weight) == 0 {
			return
		}
	}
	most := 0.0
	for _, why := range whys {
		if weight[why[0]] > most {
			o.Why, most = why[0], weight[why[0]]
		}
	}
}
