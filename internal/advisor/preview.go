package advisor

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/lists"
	"preceptor/internal/rule"
)

const (
	previewLatest = 40 // interactions that a preview looks through
	previewDrafts = 6  // of them that are drafted at most
	previewShown  = 3  // examples of either kind
)

// PreviewFor is a statement that is being edited.
type PreviewFor struct {
	InteractionID string // whose draft is shown; with "" it is Situation's
	AgentID       string
	RuleID        string // the rule that is edited, which is left out; "" for a new one
	Statement     rule.Statement
	Situation     pack.Situation
}

// Preview is what a statement would do, by the embedded advisor. Nothing of it is stored.
type Preview struct {
	Without, With string
	Met           bool      // its conditions hold for this customer
	Undone        string    // why With doesn't do it all the same
	Instead       []string  // labels of rules that say the opposite, which With goes without
	Yields        []string  // and of those for fewer customers, which hold instead of it where they apply
	Changes       []Example // recent questions whose draft it would change, the least alike first
	Stays         []Example // those on which it stays silent, the most alike first, and then those that don't change
}

// Example is a question of a customer. The drafts are empty where the statement stays silent.
type Example struct {
	InteractionID, Question, Without, With string
	// Bars are the conditions that keep it out whatever it is like; one such example is enough.
	Bars []rule.Condition
	Met  bool // its conditions hold
}

// Preview drafts with and without a statement. It holds the statement against the agent's latest interactions first,
// which is cheap, and drafts for few of them.
func (s *Service) Preview(ctx context.Context, f PreviewFor) (out Preview, err error) {
	subject := interaction.Interaction{AgentID: f.AgentID}
	situation := f.Situation
	if f.InteractionID != "" {
		in, err := s.interactions.Get(ctx, f.InteractionID)
		if err != nil {
			return out, err
		}
		subject, situation = *in, in.Consultation.Situation()
		f.AgentID = cmp.Or(f.AgentID, in.AgentID)
	}
	r := s.knowledge.Match(ctx, f.Statement, situation)
	out.Met = r.State == rule.Met
	both, err := s.both(ctx, f, situation, subject.Consultation.Customer, r)
	if err != nil {
		return out, err
	}
	out.Without, out.With, out.Undone = both.plain.Text, both.ruled.Text, undone(both.ruled, f.Statement.Do)
	out.Instead, out.Yields = both.instead, both.yields
	out.Met = out.Met || r.OpenOnDraft() && out.Without != out.With
	page, err := s.interactions.List(ctx, interaction.Filter{AgentID: f.AgentID, Limit: previewLatest})
	if err != nil {
		return out, err
	}
	var met, missed []nearby
	for i := range page.Items {
		in := &page.Items[i]
		if in.ID == f.InteractionID || !in.ErasedAt.IsZero() || in.Consultation.Question == "" {
			continue
		}
		n := nearby{in: in, situation: in.Consultation.Situation()}
		n.near = s.knowledge.Alike(f.Statement, situation.Question, n.situation)
		n.match = s.knowledge.Match(ctx, f.Statement, n.situation)
		n.says = slices.ContainsFunc(avoided(f.Statement.Do), func(p string) bool {
			return pack.HasPhrase(in.Guidance, p)
		})
		if n.match.State == rule.Met || n.match.OpenOnDraft() {
			met = append(met, n)
		} else {
			n.bars = s.knowledge.Bars(f.Statement, n.situation)
			missed = append(missed, n)
		}
	}
	slices.SortStableFunc(met, func(a, b nearby) int {
		if a.says != b.says { // only what says it can change
			return map[bool]int{true: -1, false: 1}[a.says]
		}
		return cmp.Compare(a.near, b.near)
	})
	slices.SortStableFunc(missed, func(a, b nearby) int { return cmp.Compare(b.near, a.near) })
	var same []Example
	for _, n := range met[:min(previewDrafts, len(met))] {
		e := n.example()
		both, err := s.both(ctx, f, n.situation, n.in.Consultation.Customer, n.match)
		if err != nil {
			return out, err
		}
		e.Without, e.With, e.Met = both.plain.Text, both.ruled.Text, true
		for _, label := range both.yields {
			if !slices.Contains(out.Yields, label) {
				out.Yields = append(out.Yields, label)
			}
		}
		if e.Without == e.With {
			same = append(same, e)
		} else if len(out.Changes) < previewShown {
			out.Changes = append(out.Changes, e)
		}
	}
	barred := false
	for _, n := range missed {
		if e := n.example(); len(out.Stays) < previewShown && !(barred && len(e.Bars) > 0) {
			out.Stays, barred = append(out.Stays, e), barred || len(e.Bars) > 0
		}
	}
	out.Stays = append(out.Stays, same[:min(len(same), previewShown-len(out.Stays))]...)
	return out, nil
}

// avoided are the words that an act takes out.
func avoided(do rule.Act) []string {
	return append(lists.Map(do.Swaps, func(s rule.Swap) string { return s.Avoid }), do.Phrases...)
}

// nearby is a recent question, and how alike it is to those that the statement is about.
type nearby struct {
	in        *interaction.Interaction
	situation pack.Situation
	match     rule.Result
	near      float64
	says      bool // its draft said what the statement takes out
	bars      []rule.Condition
}

func (n nearby) example() Example {
	return Example{InteractionID: n.in.ID, Question: n.in.Consultation.Question, Bars: n.bars}
}

// tried is what the advisor drafts without and with a statement.
type tried struct {
	plain, ruled    Draft
	instead, yields []string // as in Preview
}

// both drafts without and with a statement: in place of rules that say the opposite, and not where one of those is for
// fewer customers.
func (s *Service) both(ctx context.Context, f PreviewFor, situation pack.Situation, c interaction.Customer,
	match rule.Result) (out tried, err error) {
	r := Request{Situation: situation, Name: c.Name, Known: c.Personal()}
	if err := s.look(ctx, f.AgentID, &r, knowledge.Withhold{}); err != nil {
		return out, err
	}
	r.Recall.Rules = slices.DeleteFunc(r.Recall.Rules, func(it knowledge.Item) bool { return it.ID == f.RuleID })
	if out.plain, err = (Embedded{}).Draft(ctx, r); err != nil {
		return out, err
	}
	r.Recall.Rules = slices.DeleteFunc(r.Recall.Rules, func(it knowledge.Item) bool {
		if it.Rule == nil || match.State != rule.Met || it.Match.State != rule.Met ||
			rule.Clash(f.Statement.Do, it.Rule.Statement.Do, r.Compare) == "" {
			return false
		}
		if o := rule.Overlaps(f.Statement.When, it.Rule.Statement.When); o.RightNarrower && !o.LeftNarrower {
			out.yields = append(out.yields, it.Label)
			return false
		}
		out.instead = append(out.instead, it.Label)
		return true
	})
	if len(out.yields) > 0 {
		out.ruled, out.instead = out.plain, nil
		out.ruled.Unmet = []interaction.Unmet{{Rule: previewed,
			Note: strings.Join(out.yields, " and ") + " says the opposite for fewer customers, and holds here."}}
		return out, nil
	}
	r.Recall.Rules = append(r.Recall.Rules, stated(previewed, f.Statement, match, situation.Pack))
	out.ruled, err = Embedded{}.Draft(ctx, r)
	return out, err
}

// previewed is the id and label of the rule that is tried.
const previewed = "This rule"

// undone is why a draft doesn't do what the rule that is tried asks for; "" where it does, or isn't asked to.
func undone(d Draft, do rule.Act) string {
	for _, u := range d.Unmet {
		if u.Rule == previewed {
			return u.Note
		}
	}
	if len(d.Notes) > 0 && do.Text != "" && do.Kind != rule.Other && !d.Cited[previewed] {
		return d.Notes[len(d.Notes)-1] // no draft could be made
	}
	return ""
}

// stated is a statement as an item of a recall.
func stated(label string, st rule.Statement, match rule.Result, packName string) knowledge.Item {
	r := &knowledge.Rule{ID: label, RuleText: knowledge.RuleOf(st, pack.Of(packName))}
	return knowledge.Item{Kind: "rule", ID: label, Label: label, Text: r.Principle, Rule: r, Match: match}
}

// Answer is what the embedded advisor answers now. Nothing is stored.
func (s *Service) Answer(ctx context.Context, agentID string, situation pack.Situation) (Draft, error) {
	r := Request{Situation: situation}
	if err := s.look(ctx, agentID, &r, knowledge.Withhold{}); err != nil {
		return Draft{}, err
	}
	return Embedded{}.Draft(ctx, r)
}

// Practise is what the advisor answers a virtual customer, without what is withheld. Nothing is stored, and nobody
// stands in for a model that fails.
func (s *Service) Practise(ctx context.Context, agentID string, situation pack.Situation,
	without knowledge.Withhold) (string, error) {
	r := Request{Situation: situation}
	if err := s.look(ctx, agentID, &r, without); err != nil {
		return "", err
	}
	d, err := s.drafter.Draft(ctx, r)
	return d.Text, err
}
