package advisor

import (
	"regexp"
	"slices"
	"strings"

	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/phrase"
	"preceptor/internal/platform/text"
	"preceptor/internal/rule"
)

// acts are what the rules demand whose conditions hold.
type acts struct {
	swaps []swap
	bans  []*ban
	texts []wording
}

// ban is a phrase that is never said.
type ban struct {
	phrase    string
	id, label string
	hit       bool // a sentence was left out for it
}

// wording is a text to include, ask or point to.
type wording struct {
	kind, place, text string
	id, label         string
	of                *knowledge.Rule
}

// settle sorts the acts of the recalled rules. before is the answer without rules.
func (c *composition) settle(before string) {
	var met []knowledge.Item
	for _, it := range c.r.Recall.Rules {
		if it.Rule == nil || it.Rule.Statement.Empty() {
			c.leave(it.ID, "", "%s has no conditions that can be checked, please check: %s", it.Label, it.Text)
			continue
		}
		switch r := matched(it, c.r.Situation, before); r.State {
		case rule.Met:
			met = append(met, it)
		case rule.NotMet:
			c.step("Rule %s does not apply to this customer.", it.Label)
		default:
			c.step("Rule %s stays out: it is not known whether %s.", it.Label,
				rule.Words(rule.Statement{When: r.Open}, c.pack).Situation)
		}
	}
	for _, it := range met {
		if i := slices.IndexFunc(met, func(o knowledge.Item) bool { return o.Rule.Excepts(it.Rule) }); i >= 0 {
			c.step("Rule %s stays out: %s is its exception for this customer.", it.Label, met[i].Label)
			continue
		}
		c.demand(it, it.Rule.Statement.Do)
	}
	c.agree()
	order := func(id string) int {
		return slices.IndexFunc(c.r.Recall.Rules, func(it knowledge.Item) bool { return it.ID == id })
	}
	slices.SortStableFunc(c.unmet, func(a, b interaction.Unmet) int { return order(a.Rule) - order(b.Rule) })
	slices.SortStableFunc(c.acts.swaps, func(a, b swap) int { return len(b.avoid) - len(a.avoid) })
}

// agree leaves out of two texts that contradict each other, where nobody decided which holds, that of the rule for more
// customers, or else that of the less fitting one, and tells the supervisor.
func (c *composition) agree() {
	var kept []wording
	for _, w := range c.acts.texts {
		i := slices.IndexFunc(kept, func(k wording) bool {
			_, _, against := c.r.Compare.Against(k.text, w.text)
			return against
		})
		if i < 0 {
			kept = append(kept, w)
			continue
		}
		out := w
		if o := rule.Overlaps(w.of.Statement.When, kept[i].of.Statement.When); o.LeftNarrower && !o.Equal() {
			out, kept[i] = kept[i], w
		}
		x, y, _ := c.r.Compare.Against(out.text, kept[i].text)
		c.leave(out.id, out.text, "%s is not carried out: it says “%s”, and %s says “%s”. Check which holds.",
			out.label, x, kept[i].label, y)
	}
	c.acts.texts = kept
}

// matched is what recall found of a rule's conditions, held against the answer where only that was missing.
func matched(it knowledge.Item, s pack.Situation, before string) rule.Result {
	st, r := it.Rule.Statement, it.Match
	on := rule.Subject{Pack: pack.Of(s.Pack), Situation: s, Scopes: s.Scopes, Draft: &before}
	switch {
	case r.State == rule.Unknown && len(r.Open) == 0: // nobody looked
		return rule.Match(st, on)
	case !r.OpenOnDraft():
		return r
	}
	var alike []string // the examples that recall found near, which only an embedder can tell
	for _, c := range r.Held {
		if c.Kind == rule.Like && !c.Not {
			alike = append(alike, c.Values...)
		}
	}
	on.Like = func(examples []string) (likeness, near, wide float64) {
		if slices.ContainsFunc(examples, func(e string) bool { return slices.Contains(alike, e) }) {
			return 1, 1, 1
		}
		return 0, 1, 1
	}
	return rule.Match(st, on)
}

// demand files an act.
func (c *composition) demand(it knowledge.Item, a rule.Act) {
	switch a.Kind {
	case rule.Include, rule.Ask, rule.Point:
		if text := strings.TrimSpace(a.Text); text != "" {
			c.acts.texts = append(c.acts.texts, wording{a.Kind, a.Place, text, it.ID, it.Label, it.Rule})
		}
	case rule.Never:
		for _, p := range a.Phrases {
			c.acts.bans = append(c.acts.bans, bansOf(p, it)...)
		}
		c.cited[it.ID] = true
	case rule.Replace:
		for _, w := range a.Swaps {
			if w.Avoid == "" || w.Say == "" {
				continue // being typed
			}
			c.acts.swaps = append(c.acts.swaps, swap{avoid: w.Avoid, say: w.Say, id: it.ID, label: it.Label})
		}
	default:
		c.leave(it.ID, "", "%s applies, please check: %s", it.Label, a.Text)
	}
}

// bansOf are a phrase's sentences, each of its own where it has several; a citation is no word of one.
func bansOf(never string, it knowledge.Item) (out []*ban) {
	never = citationRE.ReplaceAllString(never, "")
	spans := phrase.Sentences(never)
	for _, sp := range spans {
		if len(spans) > 1 && len(strings.Fields(sp.In(never))) < longPhrase {
			continue // "Yes." would forbid every sentence with the word
		}
		out = append(out, &ban{phrase: sp.In(never), id: it.ID, label: it.Label})
	}
	return out
}

// longPhrase is how many words a phrase has that is a sentence rather than a term.
const longPhrase = 4

// forbids finds the rule that forbids a text, as it would be said. A whole sentence is forbidden also as it stands
// before replacements: it may have been stated before they were.
func (a acts) forbids(text string) *ban {
	if len(a.bans) == 0 {
		return nil
	}
	said, _ := a.swap(text)
	for _, b := range a.bans {
		if pack.HasPhrase(said, b.phrase) || len(strings.Fields(b.phrase)) >= longPhrase &&
			pack.HasPhrase(text, b.phrase) {
			return b
		}
	}
	return nil
}

// hitLabels are the rules for which sentences were left out.
func (a acts) hitLabels() (labels []string) {
	for _, b := range a.bans {
		if b.hit && !slices.Contains(labels, b.label) {
			labels = append(labels, b.label)
		}
	}
	return labels
}

// allowed is the choice without what rules forbid or place elsewhere; not ok when what is left is a stump.
func (c *composition) allowed(pool []passage, plain [][]passage) (chosen [][]passage, ok bool) {
	placed := c.placed(textOf(plain))
	left, moved, hit := make([]passage, 0, len(pool)), 0, false
	inPlain := func(p passage) bool {
		return slices.ContainsFunc(plain, func(run []passage) bool { return slices.ContainsFunc(run, p.same) })
	}
	for _, p := range pool {
		elsewhere := slices.ContainsFunc(placed, func(s string) bool { return says(p.text, s) })
		b := c.acts.forbids(p.text)
		if elsewhere || b != nil {
			if inPlain(p) && elsewhere {
				moved++
			}
			if inPlain(p) && b != nil {
				b.hit, hit = true, true
			}
			continue
		}
		left = append(left, p)
	}
	if moved == 0 && !hit {
		return plain, true
	}
	stand := standing(left)
	for _, p := range left {
		if !slices.ContainsFunc(stand, p.same) && inPlain(p) {
			c.step("Also left out, because it refers back to what a rule left out: “%s”", p.text)
		}
	}
	chosen = c.choose(stand)
	return chosen, !hit || 2*sentences(chosen) >= sentences(plain)-moved
}

func sentences(chosen [][]passage) (n int) {
	for _, run := range chosen {
		n += len(run)
	}
	return n
}

// placed are the sentences of texts that a rule puts in a place of their own, so that the answer leaves them out there.
// A text that stands with its topic is one only if the answer says a part of it.
func (c *composition) placed(plain string) (out []string) {
	for _, w := range c.acts.texts {
		if w.kind != rule.Include || w.place == rule.AtTopic && saysAll(plain, w.text) ||
			c.acts.forbids(w.text) != nil {
			continue
		}
		for _, sp := range phrase.Sentences(w.text) {
			out = append(out, sp.In(w.text))
		}
	}
	return out
}

// includesAnswer reports whether a text that a rule includes meets the question, and will be said.
func (c *composition) includesAnswer() bool {
	question := pack.ContentStems(c.r.Situation.Question)
	return slices.ContainsFunc(c.acts.texts, func(w wording) bool {
		n := text.Common(question, pack.ContentStems(w.text))
		return w.kind == rule.Include && c.acts.forbids(w.text) == nil && c.fits(w) &&
			n >= min(2, max(1, len(question)))
	})
}

// carryOut adds what rules demand, each text once.
func (c *composition) carryOut() {
	for _, w := range c.acts.texts {
		if b := c.acts.forbids(w.text); b != nil {
			c.leave(w.id, w.text, "%s is not carried out: %s says never to say “%s”.", w.label, b.label, b.phrase)
			continue
		}
		if !c.fits(w) {
			c.leave(w.id, w.text, "%s is not carried out: %s: “%s”", w.label, misfit(w.text), w.text)
			continue
		}
		c.cited[w.id] = true
		if c.says(w.text) {
			c.step("Rule %s applies; the draft does this already.", w.label)
			continue
		}
		p := paragraph{pieces: []piece{{text: w.text, kind: interaction.MarkRule, label: w.label}}}
		switch {
		case w.kind == rule.Ask:
			c.asked = append(c.asked, p)
		case w.kind == rule.Point:
			c.tail = append(c.tail, p)
		case w.place == rule.AtStart:
			c.lead = append(c.lead, p)
		case w.place == rule.AtEnd:
			c.last = append(c.last, p)
		default:
			at, _ := c.nearest(w.text)
			c.body = slices.Insert(c.body, at, p)
		}
		c.step("Rule %s applies: added “%s”.", w.label, w.text)
	}
	for _, b := range c.acts.bans {
		if b.hit {
			c.step("Rule %s applies: left out what has “%s”.", b.label, b.phrase)
		}
	}
}

// thisRE finds what a question asks about, which a draft without an answer doesn't have.
var thisRE = regexp.MustCompile(`(?i)\b(?:this|these|those)\b`)

// fits reports whether a text reads as part of the draft: it greets nobody a second time, and what points back has
// something on its subject before it.
func (c *composition) fits(w wording) bool {
	_, on := c.nearest(w.text)
	beside := on && w.place == rule.AtTopic && w.kind == rule.Include
	if w.kind == rule.Ask && len(c.sources) == 0 && thisRE.MatchString(w.text) {
		return false
	}
	return !addressRE.MatchString(w.text) && (beside || !leansRE.MatchString(w.text))
}

// misfit is why a text doesn't fit, in words.
func misfit(text string) string {
	switch {
	case addressRE.MatchString(text):
		return "it would greet the customer a second time"
	case !leansRE.MatchString(text):
		return "this draft answers nothing that it could ask about"
	}
	return "it says “" + leansRE.FindString(text) + "”, and nothing in this draft before it says what is meant"
}

// nearest is the place in the body after the paragraph that shares most of a text's telling words; its end where none
// does, and not on its subject.
func (c *composition) nearest(wanted string) (at int, on bool) {
	stems, most := pack.ContentStems(wanted), 0
	at = len(c.body)
	for i, p := range c.body {
		for _, one := range p.pieces {
			if n := text.Common(stems, pack.ContentStems(one.text)); n > most || n == most && n > 0 && at == i {
				most, at = n, i+1
			}
		}
	}
	return at, most > 0
}

// says reports whether the draft so far says all of a text.
func (c *composition) says(text string) bool {
	var said []string
	for _, p := range c.parts() {
		for _, one := range p.pieces {
			said = append(said, one.text)
		}
	}
	return saysAll(strings.Join(said, "\n\n"), text)
}
