package knowledge

import (
	"maps"
	"regexp"
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

// Outdated is a case or a rule in use that rests on what a section said before it was changed, or went.
type Outdated struct {
	Case *Case
	Rule *Rule
	Says string // its sentence; "" where it only cites the section
	Now  string // the section's; "" where that went
}

// Why is what it rests on. Of a case that cites the section alone, there is no sentence of its own.
func (o Outdated) Why(section Case) string {
	quoted := func(s string) string { return "“" + strings.TrimSuffix(s, ".") + "”" }
	switch {
	case o.Now != "":
		return " rests on an older wording of " + section.name() + ", which now says " + quoted(o.Now) + "."
	case o.Rule != nil:
		return " says " + quoted(o.Says) + ", as " + section.name() + " did, which is no longer in use."
	}
	return " rests on " + section.name() + ", which is no longer in use."
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

// before are the texts that a section had, but for what it says now where it is in use.
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

// wentTx follows where sections left use, all of them before: what rests on them is withheld, and rules that rest on
// them alone go to quarantine.
func (b *Base) wentTx(tx *db.Tx, gone []string, why string) error {
	for _, id := range gone {
		section, err := b.CaseTx(tx, id)
		if err == nil {
			err = b.rewordedTx(tx, section, "")
		}
		if err != nil {
			return err
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return b.quarantineRestingTx(tx, gone, why)
}

// rewordedTx marks the cases that rest on what a section said before it was changed or went, and unmarks those that say
// what it says again. Of only, a case that is new, nothing else is looked at.
func (b *Base) rewordedTx(tx *db.Tx, section *Case, only string) error {
	if section.Version == 1 {
		return nil
	}
	cases, err := casesTx(tx, `WHERE ($1 = '' OR c.id = $2) AND c.status = 'active' AND c.source <> 'document'
		AND c.interaction_id <> '' AND c.interaction_id IN (SELECT u.interaction_id FROM knowledge_usage u
			WHERE u.item_id = $3) ORDER BY c.number`, only, only, section.ID)
	if err != nil {
		return err
	}
	g, err := b.goneTx(tx, section)
	if err != nil {
		return err
	}
	var found []Outdated
	for i := range cases {
		c := &cases[i]
		o, ok := g.said(c.Guidance)
		if !ok && g.lost {
			if ok, err = citesTx(tx, c.InteractionID, section.ID); err != nil {
				return err
			}
			ok = ok && !g.still(c.Guidance)
		}
		if had := c.RestsOn(section.ID); had != ok {
			ch := Change{By: audit.System(importer), Reason: "Its section says the same again."}
			if err := b.markTx(tx, c, section.ID, ok, flagOf(section, o), ch); err != nil {
				return err
			}
		}
		if o.Case = c; ok {
			found = append(found, o)
		}
	}
	if only == "" && len(g.sentences) > 0 {
		rules, err := b.LivingTx(tx)
		if err != nil {
			return err
		}
		for i := range rules {
			r := &rules[i]
			if section.AgentID != "" && r.AgentID != "" && r.AgentID != section.AgentID {
				continue
			}
			if o, ok := g.said(r.demands(pack.Of(section.Pack))); ok {
				o.Rule = r
				found = append(found, o)
			}
		}
	}
	if len(found) == 0 && only != "" {
		return nil
	}
	return b.opts.OnOutdated(tx, *section, found, only == "")
}

// citesTx reports whether a draft names a section as its source.
func citesTx(tx *db.Tx, interaction, section string) (bool, error) {
	return db.Value[bool](tx, "knowledge: look for a citation", `SELECT EXISTS (SELECT 1 FROM knowledge_usage
		WHERE interaction_id = $1 AND item_id = $2 AND cited = 1)`, interaction, section)
}

// demands is what a rule has a draft say, without what it forbids or replaces, and without for whom.
func (r Rule) demands(p *pack.Pack) string {
	if r.Statement.Do.Kind == rule.Never {
		return ""
	}
	said := strings.Join(r.Statement.Do.Texts(), ".\n\n")
	if r.Statement.Empty() {
		said = r.Principle
	}
	forbids := func(s string) bool {
		s = strings.ToLower(s)
		return slices.ContainsFunc(p.Frames.Never, func(w string) bool { return strings.Contains(s, w) })
	}
	return strings.Join(slices.DeleteFunc(lists.Map(phrase.Sentences(said), func(sp phrase.Span) string {
		return sp.In(said)
	}), forbids), " ")
}

func flagOf(section *Case, o Outdated) Flag {
	return Flag{Code: olderWording, Severity: "major", Quote: o.Says, Of: section.ID,
		Why: "This answer" + o.Why(*section) + " It isn't given to agents until a person decides."}
}

// name is how people call a section.
func (c Case) name() string { return firstOf(c.Citation, c.Label()+", “"+c.Title+"”") }

// bornTx looks whether a case that is new rests on what a section that its draft was shown said before.
func (b *Base) bornTx(tx *db.Tx, c Case) error {
	if c.InteractionID == "" || c.Source == FromDocument || c.Guidance == "" {
		return nil
	}
	shown, err := casesTx(tx, `WHERE c.source = 'document' AND c.version > 1 AND c.id IN (SELECT u.item_id
		FROM knowledge_usage u WHERE u.interaction_id = $1) ORDER BY c.number`, c.InteractionID)
	for i := range shown {
		if err == nil {
			err = b.rewordedTx(tx, &shown[i], c.ID)
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

// gone is what a section doesn't say any more.
type gone struct {
	compare   compare.Func
	sentences []claimed // that went
	now       []claimed // that are there
	left      bool      // the section is in use no more
	lost      bool      // and nothing else says all that it said
}

// claimed is a sentence with its telling words and its figures.
type claimed struct {
	text    string
	stems   map[string]bool
	figures []string
}

// citedMark names a source in an answer.
var citedMark = regexp.MustCompile(` ?\[\d+\]`)

// claimedIn are the sentences of a text, without the marks of their sources. One as "It is £899." is about what the one
// before it is about.
func claimedIn(s string) []claimed {
	s = citedMark.ReplaceAllString(s, "")
	var last map[string]bool
	return lists.Map(phrase.Sentences(s), func(sp phrase.Span) claimed {
		t := strings.TrimSpace(sp.In(s))
		stems := pack.ContentStems(t)
		maps.DeleteFunc(stems, func(w string, _ bool) bool { return strings.ContainsAny(w, "0123456789") })
		if len(stems) == 0 && last != nil {
			stems = last
		}
		last = stems
		return claimed{t, stems, compare.Figures(t)}
	})
}

// goneTx compares what a section said with what it says, or where it left use, with the sections beside it and those
// in nearly its words.
func (b *Base) goneTx(tx *db.Tx, section *Case) (g gone, err error) {
	g = gone{compare: b.Compare, left: section.Status != Active}
	now := []Case{*section}
	if g.left {
		alike, err := duplicatesTx(tx, section.ID)
		if err != nil {
			return g, err
		}
		if now, err = besideTx(tx, *section); err != nil {
			return g, err
		}
		now = append(now, slices.DeleteFunc(alike, func(c Case) bool { return c.Status != Active })...)
	}
	for _, c := range now {
		g.now = append(g.now, claimedIn(whole(c.CaseText))...)
	}
	was, err := before(tx, section)
	for _, old := range was {
		for _, s := range claimedIn(old) {
			if same := func(o claimed) bool { return o.text == s.text }; !slices.ContainsFunc(g.now, same) &&
				!slices.ContainsFunc(g.sentences, same) {
				g.sentences = append(g.sentences, s)
			}
		}
	}
	g.lost = g.left && slices.ContainsFunc(claimedIn(section.Guidance), func(s claimed) bool {
		return !slices.ContainsFunc(g.now, func(o claimed) bool { return o.text == s.text })
	})
	return g, err
}

// still reports whether a text has a sentence that is there word for word.
func (g gone) still(s string) bool {
	return slices.ContainsFunc(claimedIn(s), func(c claimed) bool {
		return slices.ContainsFunc(g.now, func(n claimed) bool { return n.text == c.text })
	})
}

// said is a sentence of a text that says what went: it has a figure that no sentence on the same has any more, or is
// what was said, and what is said now is the opposite, or nothing.
func (g gone) said(s string) (o Outdated, ok bool) {
	for _, c := range claimedIn(s) {
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
			now := func(at func(r compare.Relation) bool) bool {
				return slices.ContainsFunc(g.now, func(n claimed) bool { return at(g.compare.Of(c.text, n.text)) })
			}
			denied := same && now(func(r compare.Relation) bool { return r >= compare.Contradicts })
			if dropped || denied || same && g.left && !now(func(r compare.Relation) bool { return r == compare.Same }) {
				o.Says = c.text
				if !g.left {
					o.Now = g.instead(was).text
				}
				return o, true
			}
		}
	}
	return o, false
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
		if k := 4*text.Common(n.stems, was.stems) - len(n.stems); k > most || best.text == "" {
			most, best = k, n
		}
	}
	return best
}
