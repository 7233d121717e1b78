package advisor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
)

// EmbeddedName is how drafts of the embedded drafter are labelled.
const EmbeddedName = "embedded advisor"

// Embedded is the drafter without a model: retrieval, selection, and the moves of the rules. It is deterministic.
type Embedded struct{}

// Name is EmbeddedName.
func (Embedded) Name() string { return EmbeddedName }

// Draft composes guidance. It fails only without a recall.
func (Embedded) Draft(_ context.Context, r Request) (Draft, error) {
	if r.Recall == nil {
		r.Recall = &knowledge.Recall{}
	}
	cases := len(r.Recall.Cases)
	r.Recall = r.Shots.within(r.Recall)
	c := &composition{r: r, cited: map[string]bool{}}
	c.note("Read the question as %s.%s", pack.Label(taskOf(r.Situation)), who(r.Situation))
	c.note("Was shown %s and %s.", counted(cases, "case"), counted(len(r.Recall.Rules), "rule"))
	if n := len(r.Shots.Items); n > 0 {
		c.note("Was shown %s of an answer that customers liked.", counted(n, "example"))
	}
	c.answer()
	c.applyRules()
	c.heed()
	c.refer()
	return Draft{Text: c.text(), Reasoning: strings.Join(c.steps, "\n"), Cited: c.cited}, nil
}

func counted(n int, what string) string {
	switch n {
	case 0:
		return "no " + what
	case 1:
		return "one " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// who says what the drafter took from the profile.
func who(s pack.Situation) string {
	var parts []string
	if s.Age > 0 {
		parts = append(parts, fmt.Sprintf("aged %d", s.Age))
	}
	if s.HoldsDB() {
		parts = append(parts, "has a defined benefit pension")
	}
	if s.HasDC {
		parts = append(parts, "has a defined contribution pension")
	}
	if s.Literacy != "" {
		parts = append(parts, s.Literacy+" literacy")
	}
	if s.Fragile() {
		parts = append(parts, "vulnerable circumstances")
	}
	if s.AsksForChoice() {
		parts = append(parts, "asks to be told what to do")
	}
	if len(parts) == 0 {
		return ""
	}
	return " Customer: " + strings.Join(parts, ", ") + "."
}

// between parts paragraphs that are reworded as one text.
const between = "\n\n"

// composition is a draft in the making.
type composition struct {
	r       Request
	lead    []string // before anything else
	body    []string // paragraphs, with their citations
	added   []string // what rules demand after the answer
	asked   []string // questions to the customer
	checks  []string // checks of understanding, last
	sources []string
	steps   []string
	cited   map[string]bool
}

func (c *composition) note(format string, args ...any) {
	c.steps = append(c.steps, fmt.Sprintf(format, args...))
}

// wanted is how many sentences answer a reader: fewer for low literacy.
func wanted(s pack.Situation) int {
	switch s.Reads() {
	case "low":
		return 5
	case "high":
		return 8
	}
	return 7
}

// answer fills the body with the sentences that answer the question, a paragraph for each case.
func (c *composition) answer() {
	list := passages(c.r)
	rate(list, c.r)
	chosen := choose(list, wanted(c.r.Situation))
	if len(chosen) == 0 {
		c.body = []string{"We do not have reviewed guidance that answers this question yet. MoneyHelper offers free and impartial guidance, and your pension provider can tell you how your own pension works."}
		c.note("Found no passage that answers the question, so it points to free guidance instead.")
		return
	}
	for _, run := range chosen {
		var sentences []string
		for _, p := range run {
			sentences = append(sentences, suit(p.text, c.r.Situation))
		}
		it := c.r.Recall.Cases[run[0].item]
		c.cited[it.ID] = true
		c.sources = append(c.sources, sourceName(it))
		c.body = append(c.body, fmt.Sprintf("%s [%d]", strings.Join(sentences, " "), len(c.sources)))
		c.note("Took %s from %s (%s).", counted(len(sentences), "sentence"), it.Label, sourceName(it))
	}
	if c.r.Situation.Reads() == "low" {
		c.body = strings.Split(plainPrinciple.Rewrite(strings.Join(c.body, between)), between)
	}
}

// sourceName is how a source is shown to the reader.
func sourceName(it knowledge.Item) string {
	if it.Case == nil {
		return it.Label
	}
	switch it.Case.Source {
	case knowledge.FromDocument:
		page, heading := it.Case.Page, it.Case.Heading
		if page == "" || page == heading {
			return heading
		}
		return page + ": " + heading
	}
	return "earlier guidance, " + it.Label
}

// applyRules does what the recalled rules demand that apply: first what has to be added, then how it is worded.
func (c *composition) applyRules() {
	type applying struct {
		item knowledge.Item
		p    pack.Principle
		why  string
		did  bool
	}
	var rules []applying
	for _, it := range c.r.Recall.Rules {
		p, err := pack.ParsePrinciple(it.Text)
		if err != nil {
			c.note("Rule %s can't be read; left out.", it.Label)
			continue
		}
		ok, why := p.Applies(c.r.Situation)
		if !ok {
			c.note("Rule %s does not apply to this customer.", it.Label)
			continue
		}
		c.cited[it.ID] = true
		rules = append(rules, applying{item: it, p: p, why: strings.Join(why, "; ")})
	}
	for i := range rules {
		rules[i].did = c.add("Rule "+rules[i].item.Label+" applies ("+rules[i].why+")", rules[i].p)
	}
	for _, a := range rules {
		if !c.reword("Rule "+a.item.Label+" applies ("+a.why+")", a.p) && !a.did {
			c.note("Rule %s applies (%s); the draft does this already.", a.item.Label, a.why)
		}
	}
}

// refer points those who ask for a choice, or need help, to who may give it; last, so that nothing is said twice.
func (c *composition) refer() {
	if end := closing(c.r.Situation, c.plain()); end != "" {
		c.added = append(c.added, end)
		c.note("The customer asks for a choice or needs help, so the draft points to those who may advise.")
	}
}

// add puts in what a principle demands and the draft lacks, and tells whether it did. because is what asked for it.
func (c *composition) add(because string, p pack.Principle) bool {
	missing := p.Missing(c.r.Situation, c.plain())
	if missing == "" {
		return false
	}
	where := "after the answer"
	switch {
	case p.Lead() || leads(p):
		c.lead = append(c.lead, missing)
		where = "before the answer"
	case slices.Contains(p.Moves(), pack.CheckUnderstanding):
		c.checks = append(c.checks, missing)
		where = "at the end"
	case strings.HasSuffix(missing, "?"):
		c.asked = append(c.asked, missing)
		where = "at the end"
	default:
		c.added = append(c.added, missing)
	}
	c.note("%s: added %s %q.", because, where, missing)
	return true
}

// leads tells whether a rule's first move belongs before the answer even if the rule does not say so: a warning about
// guarantees or scams that comes last comes too late.
func leads(p pack.Principle) bool {
	for _, m := range p.Moves() {
		if m == pack.WarnGuarantees || m == pack.ScamWarning || m == pack.Empathy {
			return true
		}
	}
	return false
}

// reword applies a principle's phrasing to every part, and tells whether anything changed.
func (c *composition) reword(because string, p pack.Principle) bool {
	changed := false
	for _, part := range []*[]string{&c.lead, &c.body, &c.added, &c.asked, &c.checks} {
		before := strings.Join(*part, between)
		if now := p.Rewrite(before); now != before {
			*part = strings.Split(now, between)
			changed = true
		}
	}
	if changed {
		c.note("%s: reworded the draft.", because)
	}
	return changed
}

// plain is the draft so far without greeting and sources.
func (c *composition) plain() string {
	var parts []string
	for _, list := range [][]string{c.lead, c.body, c.added, c.asked, c.checks} {
		parts = append(parts, list...)
	}
	return strings.Join(parts, "\n\n")
}

func (c *composition) text() string {
	start := opening(c.r)
	if len(c.lead) == 0 && len(c.sources) > 0 {
		start += bridge(c.r.Situation)
	}
	parts := []string{start, c.plain()}
	if len(c.sources) > 0 {
		var b strings.Builder
		b.WriteString("Sources:")
		for i, s := range c.sources {
			fmt.Fprintf(&b, "\n[%d] %s", i+1, s)
		}
		parts = append(parts, b.String())
	}
	return strings.Join(parts, "\n\n")
}
