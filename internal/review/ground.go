package review

import (
	"slices"
	"strings"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/phrase"
	"preceptor/internal/policy"
)

// Ground is why a review needs two supervisors, and where that is from.
type Ground struct {
	Fact  string // a policy's condition, or OwnQuestion and the like
	From  string // "the profile", "the question" …; "" where the fact says enough
	Words string // that say it
}

// Grounds are those of a review that needs two supervisors. What was only in an earlier text of it has no words.
func (i *Item) Grounds() (list []Ground) {
	if i.TwoEyes == "" || i.Interaction == nil {
		return nil
	}
	c := i.Interaction.Consultation
	s := c.Situation().Known()
	p := pack.Of(c.Pack)
	said := places{p.Phrases(), c.Question,
		[]*phrase.Reading{s.Words(), p.Phrases().ReadText(i.Interaction.Before(), nil),
			p.Phrases().ReadText(i.Text, nil)}}
	for _, fact := range strings.FieldsFunc(i.TwoEyes, func(r rune) bool { return r == ',' }) {
		g := Ground{Fact: fact}
		at := slices.IndexFunc(p.TakesTwo, func(t pack.TakesTwo) bool { return t.Fact == fact })
		switch {
		case fact == string(policy.Vulnerable) && s.Vulnerable, fact == string(policy.DBPension) && s.HasDB:
			g.From = "the profile"
		case fact == string(policy.Vulnerable):
			said.ground(&g, []string{"q_fragile", "d_fragile"})
		case fact == string(policy.DBPension):
			for _, t := range p.TakesTwo {
				said.ground(&g, slices.Concat(t.Own, t.Named))
			}
		case at >= 0 && s.Task == fact && i.Interaction.TaskTypeBy == interaction.ByAgent:
			g.From = "the task that the agent named"
		case at >= 0:
			if said.ground(&g, p.TakesTwo[at].Acts); g.From == "" {
				g.From = "the topic, as Preceptor reads it"
			}
		}
		list = append(list, g)
	}
	return list
}

// places are what is read for the facts of a case, in the order of placeNames.
type places struct {
	*phrase.Lexicon
	question string // the customer's words are those and what their profile says in words
	read     []*phrase.Reading
}

var placeNames = []string{"the question", "the conversation before", "the answer"}

// ground notes the first words that have one of the classes.
func (p places) ground(g *Ground, classes []string) {
	defer func() {
		if g.From == placeNames[0] && !strings.Contains(p.question, g.Words) {
			g.From = "the profile"
		}
	}()
	for i, r := range p.read {
		for _, s := range r.Sentences {
			for _, m := range s.Matches {
				if g.From == "" && slices.ContainsFunc(classes, func(name string) bool {
					return p.Holds(r, name) && p.Find(name) == m.Class
				}) {
					g.From, g.Words = placeNames[i], s.Words(r.Text, m)
				}
			}
		}
	}
}
