package knowledge

import (
	"context"
	"strings"
	"unicode"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
)

const (
	casesHeader = "Similar Cases (from Case Base):"
	rulesHeader = "Relevant Rules (from Rules Base):"
)

// Tokens estimates, on the safe side, how many tokens a model counts in text: a word of six letters or fewer is one, as
// are three digits, and each other sign. It is a count of our own, the same for every model, so that a budget means the
// same everywhere; on English prose it lies some 5 to 20 % above what current tokenisers give.
func Tokens(text string) int {
	n, letters, digits := 0, 0, 0
	flush := func() {
		n += (letters+5)/6 + (digits+2)/3
		letters, digits = 0, 0
	}
	for _, r := range text {
		switch {
		case unicode.IsLetter(r) || r == '\'' || r == '’':
			n += (digits + 2) / 3
			digits = 0
			letters++
		case unicode.IsDigit(r):
			n += (letters + 5) / 6
			letters = 0
			digits++
		default:
			flush()
			if !unicode.IsSpace(r) {
				n++
			}
		}
	}
	flush()
	return n
}

// render writes the blocks, leaves out what the budget does not hold, and joins the prompt. Rules come first into the
// budget, because a compliance rule weighs more than an example; an item is whole or absent, never cut.
func (b *Base) render(ctx context.Context, budget int, checked bool, cases, rules []Item) (*Recall, error) {
	ofRule := uncheckedBlock
	if checked {
		ofRule = ruleBlock
	}
	if err := b.evidence(ctx, rules); err != nil {
		return nil, err
	}
	left := budget
	fits := func(block, header string, first bool) bool {
		cost := Tokens(block)
		if first {
			cost += Tokens(header)
		}
		if budget > 0 && cost > left {
			return false
		}
		left -= cost
		return true
	}
	r := &Recall{}
	for _, it := range rules {
		it.Block = ofRule(it.Rule, it.Evidence)
		if fits(it.Block, rulesHeader, len(r.Rules) == 0) {
			r.Rules = append(r.Rules, it)
		}
	}
	for _, it := range cases {
		it.Block = caseBlock(it.Case)
		if fits(it.Block, casesHeader, len(r.Cases) == 0) {
			r.Cases = append(r.Cases, it)
		}
	}
	r.Items = append(append([]Item{}, r.Cases...), r.Rules...)
	block := func(it Item) string { return it.Block }
	r.Prompt = prompt(lists.Map(r.Cases, block), lists.Map(r.Rules, block))
	r.Tokens = Tokens(r.Prompt)
	return r, nil
}

// prompt is both blocks in the seed's shape (seed 000, "Usage in Guidance"); a block with nothing in it is left out.
func prompt(cases, rules []string) string {
	if len(cases) > 0 {
		cases = append([]string{casesHeader}, cases...)
	}
	if len(rules) > 0 {
		rules = append([]string{rulesHeader}, rules...)
	}
	return strings.Join(append(cases, rules...), "\n\n")
}

func caseBlock(c *Case) string {
	lines := []string{c.Label() + ": " + oneLine(c.Title), "Customer situation: " + oneLine(c.Situation),
		"Guidance provided: " + strings.TrimSpace(c.Guidance)}
	if c.Outcome != "" {
		lines = append(lines, "Outcome: "+oneLine(c.Outcome))
	}
	if len(c.SuccessFactors) > 0 {
		lines = append(lines, "Success factors: "+strings.Join(c.SuccessFactors, ", "))
	}
	if hasMajor(c.Flags) {
		lines = append(lines, "Check before use: "+oneLine(c.Flags[0].Why))
	}
	return strings.Join(lines, "\n")
}

// ruleBlock writes a rule of a pack with compliance checks, as the seed does; evidence is its line (evidenceLine).
func ruleBlock(r *Rule, evidence string) string {
	mark := "✗"
	if r.FCACompliant {
		mark = "✓"
	}
	return ruleLines(r, evidence, " | FCA Compliant: "+mark)
}

// uncheckedBlock writes a rule of a pack that has none.
func uncheckedBlock(r *Rule, evidence string) string { return ruleLines(r, evidence, "") }

func ruleLines(r *Rule, evidence, mark string) string {
	lines := []string{"Rule #" + pad(r.Number) + ": " + oneLine(r.Title), `Principle: "` + oneLine(r.Line()) + `"`,
		"Domain: " + r.Domain,
		"Confidence: " + r.Surely() + mark}
	if evidence != "" {
		lines = append(lines, "Evidence: "+evidence)
	}
	if r.Provisional && !r.Untested() {
		lines = append(lines, "Provisional: "+r.OnTrial())
	}
	return strings.Join(lines, "\n")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// evidence fills in which cases support the rules.
func (b *Base) evidence(ctx context.Context, rules []Item) error {
	var ids []string
	for _, it := range rules {
		ids = append(ids, it.Rule.Supporting...)
	}
	if len(ids) == 0 {
		return nil
	}
	return b.db.Read(ctx, func(tx *db.Tx) error {
		numbers, err := numbersTx(tx, ids)
		for i := range rules {
			rules[i].Evidence = evidenceLine(rules[i].Rule, numbers)
		}
		return err
	})
}

// evidenceLine is the evidence of a rule in words, in its order; a case that is not there is left out. The case that a
// rule was made from, which is a draft that somebody rejected or rewrote, is named where no other case speaks for it.
func evidenceLine(r *Rule, numbers map[string]int) string {
	var applied, made []string
	for _, id := range r.Supporting {
		n, ok := numbers[id]
		switch {
		case !ok:
		case r.Made(id):
			made = append(made, pad(n))
		default:
			applied = append(applied, pad(n))
		}
	}
	switch {
	case len(applied) > 0:
		return "Successfully applied in cases " + strings.Join(applied, ", ")
	case len(made) == 1:
		return "Made from case " + made[0]
	case len(made) > 1:
		return "Made from cases " + strings.Join(made, ", ")
	}
	return ""
}

// numbersTx finds the numbers of cases.
func numbersTx(tx *db.Tx, ids []string) (map[string]int, error) {
	numbers := map[string]int{}
	for _, batch := range db.Batches(ids) {
		args := db.Anys(batch)
		err := db.Each(tx, "knowledge: read evidence", db.Pairs(numbers),
			`SELECT id, number FROM knowledge_case WHERE id IN (`+db.In(1, len(batch))+`)`, args...)
		if err != nil {
			return nil, err
		}
	}
	return numbers, nil
}
