package knowledge

import (
	"maps"
	"slices"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/pack"
	"preceptor/internal/phrase"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/text"
	"preceptor/internal/platform/text/compare"
	"preceptor/internal/rule"
	"preceptor/internal/search"
)

// olderWording is the code of the flag of a case that says what a section said before. It is kept out of recall until a
// person has looked: a conflict asks for that.
const olderWording = "older_wording"

// Outdated is a case or a rule in use that says what a section said before.
type Outdated struct {
	Case *Case
	Rule *Rule
	Says string // its sentence
	Now  string // the section's
}

// RestsOn reports whether a case says what the section of this id said before; of "", any section.
func (c Case) RestsOn(section string) bool {
	return slices.ContainsFunc(c.Flags, func(f Flag) bool {
		return f.Code == olderWording && (section == "" || f.Of == section)
	})
}

// WithheldTx says why agents aren't given what was made of these interactions; "" where they are, or nothing was.
func (b *Base) WithheldTx(tx *db.Tx, interactions []string) (why string, err error) {
	for _, batch := range db.Batches(interactions) {
		cases, err := casesTx(tx, `WHERE c.interaction_id <> '' AND c.interaction_id IN (`+db.In(1, len(batch))+`)
			ORDER BY c.number`, db.Anys(batch)...)
		if err != nil {
			return "", err
		}
		for _, c := range cases {
			i := slices.IndexFunc(c.Flags, func(f Flag) bool { return f.Code == olderWording })
			switch {
			case c.Guidance == "" && c.ErasedAt.IsZero(): // a warning
			case c.Status != Active:
				why = firstOf(why, c.Label()+" was retired: "+c.Reason)
			case i < 0:
				return "", nil
			default:
				why = firstOf(why, c.Label()+": "+c.Flags[i].Why)
			}
		}
	}
	return why, nil
}

// before are the texts that a section had, newest first, but for what it says now where it is in use.
func before(tx *db.Tx, section *Case) (out []string, err error) {
	life, err := versionsOf(tx, search.KindCase, section.ID)
	for _, v := range life {
		if s := whole(*v.Case); section.Status != Active || s != whole(section.CaseText) {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), err
}

// whole is all that a section says, its heading too.
func whole(c CaseText) string { return c.Title + ".\n\n" + c.Guidance }

// rewordedTx marks the cases that rest on what a section said before it was changed or went, and unmarks those that say
// what it says again. now are the sections to go by. Of only, a case that is new, nothing else is looked at.
func (b *Base) rewordedTx(tx *db.Tx, section *Case, now []Case, only string) error {
	was, err := before(tx, section)
	if err != nil || len(was) == 0 {
		return err
	}
	g := b.gone(was, now)
	cases, err := casesTx(tx, `WHERE ($1 = '' OR c.id = $2) AND c.status = 'active' AND c.source <> 'document'
		AND c.interaction_id <> '' AND c.interaction_id IN (SELECT u.interaction_id FROM knowledge_usage u
			WHERE u.item_id = $3) ORDER BY c.number`, only, only, section.ID)
	if err != nil {
		return err
	}
	found := map[string][]Outdated{}
	for i := range cases {
		c := &cases[i]
		o, of, ok := g.said(c.Guidance)
		if of == "" {
			of = section.ID
		}
		if had := c.RestsOn(of); had != ok {
			ch := Change{By: audit.System(importer), Reason: "Its section says the same again."}
			if err := b.markTx(tx, c, of, ok, flagOf(section, of, o), ch); err != nil {
				return err
			}
		}
		if o.Case = c; ok {
			found[of] = append(found[of], o)
		}
	}
	if only == "" && len(g.sentences) > 0 {
		if err := b.rulesTx(tx, section, g, found); err != nil {
			return err
		}
	}
	for i := range now {
		all := only == "" && now[i].ID == section.ID
		if len(found[now[i].ID]) == 0 && !all {
			continue
		}
		if err := b.opts.OnOutdated(tx, now[i], found[now[i].ID], all); err != nil {
			return err
		}
	}
	return nil
}

// rulesTx adds the rules that say what a section said before.
func (b *Base) rulesTx(tx *db.Tx, section *Case, g gone, found map[string][]Outdated) error {
	rules, err := b.LivingTx(tx)
	for i := range rules {
		r := &rules[i]
		if section.AgentID != "" && r.AgentID != "" && r.AgentID != section.AgentID {
			continue
		}
		if o, of, ok := g.said(r.demands(pack.Of(section.Pack))); ok && of != "" {
			o.Rule = r
			found[of] = append(found[of], o)
		}
	}
	return err
}

// demands is what a rule has a draft say, without what it forbids or replaces.
func (r Rule) demands(p *pack.Pack) string {
	if r.Statement.Do.Kind == rule.Never {
		return ""
	}
	said := r.Principle
	for _, s := range r.Statement.Do.Swaps {
		said = strings.ReplaceAll(said, s.Avoid, "")
	}
	forbids := func(s string) bool {
		s = strings.ToLower(s)
		return slices.ContainsFunc(p.Frames.Never, func(w string) bool { return strings.Contains(s, w) })
	}
	return strings.Join(slices.DeleteFunc(lists.Map(phrase.Sentences(said), func(sp phrase.Span) string {
		return sp.In(said)
	}), forbids), " ")
}

func flagOf(section *Case, of string, o Outdated) Flag {
	f := Flag{Code: olderWording, Severity: "major", Quote: o.Says, Of: of,
		Why: "Rests on an older wording of " + section.name() + ", which now says “" +
			strings.TrimSuffix(o.Now, ".") + "”."}
	if o.Now == "" {
		f.Why = "Rests on " + section.name() + ", which is no longer in use."
	}
	f.Why += " It isn't given to agents until a person decides."
	return f
}

// name is how people call a section.
func (c Case) name() string { return firstOf(c.Citation, c.Label()+", “"+c.Title+"”") }

// markTx adds the flag to a case, or takes that of the section away, as ch says.
func (b *Base) markTx(tx *db.Tx, c *Case, of string, add bool, f Flag, ch Change) error {
	c.Flags = slices.DeleteFunc(slices.Clone(c.Flags), func(f Flag) bool {
		return f.Code == olderWording && f.Of == of
	})
	c.By, c.Reason, c.Version = ch.By, ch.Reason, c.Version+1
	if add {
		c.Flags, c.Reason = append([]Flag{f}, c.Flags...), f.Why
	}
	return b.writeCaseVersion(tx, c)
}

// LookedTx takes the mark off a case that a person keeps, though a section says something else.
func (b *Base) LookedTx(tx *db.Tx, caseID, section string, ch Change) error {
	c, err := b.CaseTx(tx, caseID)
	if err != nil || !c.RestsOn(section) || c.Status != Active {
		return err
	}
	if err := b.markTx(tx, c, section, false, Flag{}, ch); err != nil {
		return err
	}
	return record(tx, ch.By, "case.kept", "case", c.ID,
		map[string]any{"number": c.Number, "version": c.Version, "reason": ch.Reason})
}

// bornTx looks whether a case that is new says what a section that its draft was shown said before.
func (b *Base) bornTx(tx *db.Tx, c Case) error {
	if c.InteractionID == "" || c.Source == FromDocument || c.Guidance == "" {
		return nil
	}
	shown, err := casesTx(tx, `WHERE c.source = 'document' AND c.version > 1 AND c.id IN (SELECT u.item_id
		FROM knowledge_usage u WHERE u.interaction_id = $1) ORDER BY c.number`, c.InteractionID)
	for i := range shown {
		now := []Case{shown[i]}
		if shown[i].Status != Active && err == nil {
			now, err = besideTx(tx, shown[i])
		}
		if err == nil {
			err = b.rewordedTx(tx, &shown[i], now, c.ID)
		}
	}
	return err
}

// besideTx are the sections in use of the document that a section is of, or was.
func besideTx(tx *db.Tx, section Case) ([]Case, error) {
	if section.Path == "" {
		return nil, nil
	}
	return casesTx(tx, `WHERE c.agent_id = $1 AND c.source = 'document' AND c.status = 'active' AND c.origin <> ''
		AND c.origin >= $2 AND c.origin < $3 ORDER BY c.number`, section.AgentID, section.Path+"#", section.Path+"$")
}

// gone is what sections don't say any more.
type gone struct {
	compare   compare.Func
	sentences []claimed // that went
	now       []claimed // that are there
}

// claimed is a sentence with its telling words, its figures, and the section that it is of.
type claimed struct {
	text    string
	stems   map[string]bool
	figures []string
	of      string
}

// claimedIn are the sentences of a text. One as "It is £899." is about what the one before it is about.
func claimedIn(s, of string) []claimed {
	var last map[string]bool
	return lists.Map(phrase.Sentences(s), func(sp phrase.Span) claimed {
		t := strings.TrimSpace(sp.In(s))
		stems := pack.ContentStems(t)
		maps.DeleteFunc(stems, func(w string, _ bool) bool { return strings.ContainsAny(w, "0123456789") })
		if len(stems) == 0 && last != nil {
			stems = last
		}
		last = stems
		return claimed{t, stems, compare.Figures(t), of}
	})
}

func (b *Base) gone(was []string, now []Case) gone {
	g := gone{compare: b.Compare}
	for _, c := range now {
		g.now = append(g.now, claimedIn(whole(c.CaseText), c.ID)...)
	}
	for _, old := range was {
		for _, s := range claimedIn(old, "") {
			if same := func(o claimed) bool { return o.text == s.text }; !slices.ContainsFunc(g.now, same) &&
				!slices.ContainsFunc(g.sentences, same) {
				g.sentences = append(g.sentences, s)
			}
		}
	}
	return g
}

// said is a sentence of a text that says what went, and the one of a section that is there in its place: it has a
// figure that no sentence on the same has any more, or is what was said, and what is said now is the opposite.
func (g gone) said(s string) (o Outdated, of string, ok bool) {
	for _, c := range claimedIn(s, "") {
		for _, was := range g.sentences {
			kept := func(f string, n claimed) bool {
				return slices.Contains(n.figures, f) && 2*text.Common(n.stems, was.stems) >= len(was.stems)
			}
			common := text.Common(c.stems, was.stems)
			dropped := slices.ContainsFunc(was.figures, func(f string) bool {
				return slices.Contains(c.figures, f) && common >= enough(f) &&
					!slices.ContainsFunc(g.now, func(n claimed) bool { return kept(f, n) })
			})
			same := common == max(len(c.stems), len(was.stems)) && g.compare.Of(c.text, was.text) == compare.Same
			denied := same && slices.ContainsFunc(g.now, func(n claimed) bool {
				return g.compare.Of(c.text, n.text) >= compare.Contradicts
			})
			if dropped || denied || same && len(g.now) == 0 {
				n := g.instead(was)
				return Outdated{Says: c.text, Now: n.text}, n.of, true
			}
		}
	}
	return o, "", false
}

// enough is how many telling words two sentences need in common to be about the same figure: an amount or a share is
// telling itself.
func enough(figure string) int {
	if strings.ContainsAny(figure, "£$€%") {
		return 1
	}
	return 2
}

// instead is the sentence nearest to one that went.
func (g gone) instead(was claimed) (best claimed) {
	most := -1
	for _, n := range g.now {
		if k := 4*text.Common(n.stems, was.stems) - len(n.stems); k > most || best.of == "" {
			most, best = k, n
		}
	}
	return best
}
