package pack

import "strings"

// Change is a move that one text has and the other has not, with the words that make it.
type Change struct {
	Move  Move
	Label string // as "guarantee warning added"
	Text  string // the words, of the text that has them
}

var moveNames = map[Move]string{
	WarnGuarantees: "warning about guaranteed benefits", SignpostAdvice: "signpost to regulated advice", SignpostGuidance: "signpost to free guidance",
	CheckUnderstanding: "check of understanding", Risk: "risk", TaxNote: "note on tax", ScamWarning: "scam warning", CheckFeatures: "check for special features",
	CheckFees: "note on charges", BalanceOptions: "balance of options", Empathy: "acknowledgement of feelings", Analogy: "everyday comparison", Ask: "question",
	personalPhrasing: "personal phrasing", promiseMade: "promise", jargonUsed: "technical term", Figures: "figure", Say: "statement",
}

// Name is the move in words, as "signpost to regulated advice".
func (m Move) Name() string {
	if n, ok := moveNames[m]; ok {
		return n
	}
	return strings.ReplaceAll(string(m), "_", " ")
}

// Faults of a text, which a person removes rather than adds.
func (m Move) fault() bool { return m == personalPhrasing || m == promiseMade || m == jargonUsed }

// PersonalPhrasing, PromiseMade and JargonUsed are the moves that stand for faults in a text; MoveDiff reports them as removed.
const (
	PersonalPhrasing = personalPhrasing
	PromiseMade      = promiseMade
	JargonUsed       = jargonUsed
)

// MoveDiff names what a person added, removed or softened in turning before into after. Words that only moved are no change.
func MoveDiff(before, after string) (added, removed, softened []Change) {
	was, is := movesByKind(before), movesByKind(after)
	for _, m := range orderedMoves {
		old, now := fresh(was[m], after), fresh(is[m], before)
		switch {
		case m.fault():
			removed = append(removed, faultsGone(m, was[m], is[m], before, after)...)
			if m != jargonUsed && len(is[m]) > len(was[m]) {
				added = append(added, Change{m, m.Name() + " added", is[m][len(is[m])-1]})
			}
		case len(now) > 0 && (len(was[m]) == 0 || m == Ask || m == Risk):
			added = append(added, Change{m, m.Name() + " added", strings.Join(now, " ")})
		case len(old) > 0 && len(is[m]) == 0:
			removed = append(removed, Change{m, m.Name() + " removed", strings.Join(old, " ")})
		}
	}
	a, r := figureChanges(before, after)
	added, removed = append(added, a...), append(removed, r...)
	if c, ok := newStatement(before, after, added); ok {
		added = append(added, c)
	}
	for i := 0; i < len(removed); i++ { // "you should" that became "some people" was softened
		c := removed[i]
		if c.Move == personalPhrasing && softerRE.MatchString(after) && !softerRE.MatchString(before) {
			softened = append(softened, Change{personalPhrasing, "personal phrasing softened", c.Text})
			removed = append(removed[:i], removed[i+1:]...)
			i--
		}
	}
	return added, removed, softened
}

var (
	softerRE     = ci(`some people|options? include|one option|many people (?:choose|consider)|people (?:choose|consider)|it is (?:possible|up to you)|you can choose`)
	orderedMoves = []Move{WarnGuarantees, ScamWarning, SignpostAdvice, SignpostGuidance, Risk, TaxNote, CheckFeatures, CheckFees, BalanceOptions, Empathy, Analogy, CheckUnderstanding, Ask, personalPhrasing, promiseMade, jargonUsed}
)

// movesByKind is the words of each move of a text.
func movesByKind(text string) map[Move][]string {
	out := map[Move][]string{}
	for _, f := range DetectMoves(text) {
		out[f.Move] = append(out[f.Move], text[f.Start:f.End])
	}
	for _, sp := range JargonIn(text) {
		out[jargonUsed] = append(out[jargonUsed], sp.In(text))
	}
	return out
}

// fresh is the sentences that other does not carry.
func fresh(sentences []string, other string) []string {
	var out []string
	for _, s := range sentences {
		if !strings.Contains(other, s) {
			out = append(out, s)
		}
	}
	return out
}

func faultsGone(m Move, was, is []string, before, after string) []Change {
	if len(is) >= len(was) {
		return nil
	}
	left := map[string]int{}
	for _, s := range is {
		left[strings.ToLower(s)]++
	}
	var gone []string
	for _, s := range was {
		if left[strings.ToLower(s)] > 0 {
			left[strings.ToLower(s)]--
			continue
		}
		gone = append(gone, s)
	}
	if len(gone) == 0 {
		return nil
	}
	label := m.Name() + " removed"
	if m == jargonUsed {
		label = "jargon simplified"
		if len(ContentStems(after)) < len(ContentStems(before))/2 {
			return nil // the text was cut, not simplified
		}
	}
	return []Change{{m, label, strings.Join(gone, "; ")}}
}

// figureChanges pairs a figure that went with one of its kind that came in its place.
func figureChanges(before, after string) (added, removed []Change) {
	gone, come := figuresOnlyIn(before, after), figuresOnlyIn(after, before)
	for _, g := range gone {
		paired := false
		for i, c := range come {
			if c.Kind == g.Kind && near(before, after, g, c) {
				added = append(added, Change{Figures, "figure corrected", g.Text + " to " + c.Text})
				come = append(come[:i], come[i+1:]...)
				paired = true
				break
			}
		}
		if !paired {
			removed = append(removed, Change{Figures, "figure removed", sentenceAt(before, g.Start)})
		}
	}
	for _, c := range come {
		added = append(added, Change{Figures, "figure added", sentenceAt(after, c.Start)})
	}
	return added, removed
}

func figuresOnlyIn(a, b string) []Figure {
	have := map[string]bool{}
	for _, f := range FindFigures(b) {
		have[f.Kind+Pounds(f.Value)] = true
	}
	var out []Figure
	for _, f := range FindFigures(a) {
		if key := f.Kind + Pounds(f.Value); !have[key] {
			have[key] = true
			out = append(out, f)
		}
	}
	return out
}

// near tells whether two figures stand in sentences about the same thing.
func near(before, after string, g, c Figure) bool {
	return overlap(ContentStems(sentenceAt(before, g.Start)), ContentStems(sentenceAt(after, c.Start))) >= 0.4
}

func sentenceAt(text string, at int) string {
	for _, sp := range SentenceSpans(text) {
		if at >= sp.Start && at < sp.End {
			return sp.In(text)
		}
	}
	return ""
}

// newStatement is the sentences of after that say what before does not, when no known move accounts for them.
func newStatement(before, after string, added []Change) (Change, bool) {
	have := ContentStems(before)
	var out []string
	for _, sp := range SentenceSpans(after) {
		s := sp.In(after)
		if strings.Contains(before, s) || accounted(s, added) {
			continue
		}
		if stems := ContentStems(s); len(stems) >= 3 && overlap(stems, have) < 0.5 {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return Change{}, false
	}
	return Change{Say, "statement added", strings.Join(out, " ")}, true
}

func accounted(s string, added []Change) bool {
	for _, c := range added {
		if strings.Contains(c.Text, s) {
			return true
		}
	}
	return false
}
