package advisor

import (
	"context"
	"slices"
	"strings"

	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
)

// Cut is a sentence of a section that a draft cites and doesn't have.
type Cut struct {
	Source    string // the section's label
	Text, Why string
}

// Cuts are the sentences that the embedded advisor left out of the sections that a draft cites, and that the text,
// which is under review, doesn't have. They are found again from the versions that it was shown, used; what is left out
// of every draft (questions, examples, references to a page, figures out of date) isn't among them, nor is any of a
// released text.
func (s *Service) Cuts(ctx context.Context, in *interaction.Interaction, used []knowledge.UsedItem,
	text string) (out []Cut, err error) {
	if in.Drafter != EmbeddedName {
		return nil, nil
	}
	situation := in.Consultation.Situation()
	situation.At = in.CreatedAt
	for _, u := range used {
		if u.Kind != "case" || !u.Cited {
			continue
		}
		c, err := s.knowledge.CaseAt(ctx, u.ID, u.Version)
		if err != nil {
			return nil, err
		}
		if it := (knowledge.Item{ID: u.ID, Label: u.Label, Title: u.Title, Text: u.Text, Case: c}); !released(it) {
			out = append(out, cutsOf(it, situation, text)...)
		}
	}
	return out, nil
}

// cutsOf are those of one section.
func cutsOf(it knowledge.Item, s pack.Situation, draft string) (out []Cut) {
	r := Request{Situation: s, Recall: &knowledge.Recall{Cases: []knowledge.Item{it}}}
	p := pack.Of(s.Pack)
	topic := topicOf(p, s)
	all := passages(r, p)
	fit := fitting(standing(all), r, p, topic)
	kept, long := shorten(fit, s)
	in := func(list []passage, one passage) bool { return slices.ContainsFunc(list, one.same) }
	for _, one := range all {
		if in(kept, one) || saysAll(draft, one.text) {
			continue
		}
		cut := Cut{Source: it.Label, Text: strings.TrimSpace(listMarkRE.ReplaceAllString(one.text, "")),
			Why: "It points back to a sentence that was left out."}
		if of, common := foreignIn(one.text, r, p, topic); len(of) > 0 && !common {
			cut.Why = "Not in the profile: " + strings.Join(slices.Compact(of), ", ") + "."
		} else if in(long, one) {
			cut.Why = "The section is long."
		}
		out = append(out, cut)
	}
	return out
}

// tellLeftOut says what the draft hasn't of the sections that it cites.
func (c *composition) tellLeftOut() {
	said := c.cut
	for _, para := range c.parts() {
		for _, p := range para.pieces {
			said += "\n" + p.text
		}
	}
	plain := func(s string) string { return " " + strings.Join(pack.Words(clean(s)), " ") + " " }
	said = plain(said)
	for _, it := range c.r.Recall.Cases {
		if !c.cited[it.ID] || it.Case == nil || it.Case.Source != knowledge.FromDocument {
			continue
		}
		var out []string
		for block := range strings.SplitSeq(it.Text, "\n\n") {
			for _, sp := range sentencesOf(block, it) {
				if s := plain(sp.In(block)); strings.TrimSpace(s) != "" && !strings.Contains(said, s) {
					out = append(out, "“"+clean(sp.In(block))+"”")
				}
			}
		}
		if len(out) > 0 {
			c.step("Left out of %s: %s", it.Label, strings.Join(out, " "))
		}
	}
}

// Told is what a supervisor has to know of a draft whose text is text by now. used is what it was shown. A rule that is
// no longer in use isn't in it, nor one that wants said what the text says.
func Told(in *interaction.Interaction, used []knowledge.UsedItem, text string) []string {
	out := slices.Clone(in.Provenance.Notes)
	for _, u := range in.Provenance.Unmet {
		gone := slices.ContainsFunc(used, func(k knowledge.UsedItem) bool {
			return k.ID == u.Rule && k.Status != knowledge.Active
		})
		if !gone && (u.Text == "" || !saysAll(text, u.Text)) {
			out = append(out, u.Note)
		}
	}
	return out
}
