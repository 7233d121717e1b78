package practice

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/text"
)

// Example is a consultation of a training that may become a case: the best of those that are much alike.
type Example struct {
	Session
	Question string
	Task     string
	Alike    int    // how many others it stands for
	Case     string // the number of the case that it is, once it is adopted
	who      *Person
}

// Guidance is what the customer was told.
func (e Example) Guidance() string { return e.Dialogue[1].Text }

// alike is from what share of common words on two answers to one kind of question are near ones.
const alike = 0.7

// Good are the consultations of a training that served their customers, best first, one of each group of near ones.
// They are read from what the run kept, so that what was erased there is proposed no more.
func (s *Runs) Good(ctx context.Context, run Run, p *People) (out []Example, err error) {
	list, err := s.Sessions(ctx, run.ID, phaseTrain)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(a, b Session) int { return cmp.Compare(b.good(), a.good()) })
	var words []map[string]bool
	for _, one := range list {
		who := p.of(one.Person)
		if who == nil || !one.Successful || !one.FCACompliant || len(one.Dialogue) < 2 {
			continue
		}
		said := text.Set(text.Words(one.Dialogue[1].Text))
		at := 0
		for at < len(out) && out[at].Person != one.Person &&
			(out[at].Task != who.Situation.Task || text.Jaccard(words[at], said) < alike) {
			at++
		}
		if at < len(out) {
			out[at].Alike++
			continue
		}
		out, words = append(out, Example{Session: one, Question: who.Question, Task: who.Situation.Task, who: who}),
			append(words, said)
	}
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		for i := range out {
			c, err := s.base.CaseOfOriginTx(tx, run.AgentID, knowledge.FromPractice, out[i].Person)
			if err != nil {
				return err
			}
			if c != nil && c.Status == knowledge.Active && c.Guidance == out[i].Guidance() {
				out[i].Case = c.Label()
			}
		}
		return nil
	})
	return out, err
}

// of is the person of a key; nil where the pack has them no more.
func (p *People) of(key string) *Person {
	id, author, _ := strings.Cut(key, "/")
	for _, l := range p.Lives {
		if l.ID == id && p.words[id][author] != "" {
			return p.person(l, author)
		}
	}
	return nil
}

// Adopt makes cases of examples, by their persons, in the base of real people and in one transaction. They are marked
// as practised. One that is a case already changes nothing, and one that was retired stays so. Only experts and admins
// may.
func (s *School) Adopt(ctx context.Context, list []Example, persons []string, by knowledge.Person) (n int, err error) {
	if err := by.May("adopt what was practised"); err != nil {
		return 0, err
	}
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		for _, e := range list {
			if e.Case != "" || !slices.Contains(persons, e.Person) {
				continue
			}
			made, err := s.Learning.AdoptTx(tx, s.success(e.who, &e.Session), by)
			if err != nil {
				return err
			}
			if made {
				n++
			}
		}
		return nil
	})
	return n, err
}

// success is what a case is made of.
func (s *School) success(who *Person, c *Session) learning.Source {
	src := s.source(who.Key())
	src.Kind, src.InteractionID, src.Situation, src.Task, src.Question = learning.Outcome, who.Key(), who.Situation,
		who.Situation.Task, who.Question
	src.HumanText = c.Dialogue[1].Text
	src.Scores = &learning.Scores{Satisfaction: c.Satisfaction, Comprehension: c.Comprehension,
		GoalAlignment: c.GoalAlignment}
	return src
}
