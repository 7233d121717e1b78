package practice

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
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

// goodMost is how many persons' best answers are held against each other, best first.
const goodMost = 200

// Good are the consultations of a training that served their customers, best first, one of each group of near ones.
// They are read from what the run kept, so that what was erased there is proposed no more.
func (s *Runs) Good(ctx context.Context, run Run, p *People) (out []Example, err error) {
	best := map[string]*Example{} // by person
	if err := s.each(ctx, run.ID, phaseTrain, true, func(one Session) {
		switch e := best[one.Person]; {
		case !one.FCACompliant || len(one.Dialogue) < 2:
		case e == nil:
			best[one.Person] = &Example{Session: one}
		default:
			e.Alike++
			if one.good() > e.good() {
				e.Session = one
			}
		}
	}); err != nil {
		return nil, err
	}
	list := slices.SortedFunc(maps.Values(best), func(a, b *Example) int {
		return cmp.Or(cmp.Compare(b.good(), a.good()), cmp.Compare(a.N, b.N))
	})
	var words []map[string]bool
	for _, e := range list[:min(len(list), goodMost)] {
		if e.who = p.of(e.Person); e.who == nil || pack.Of(e.who.Situation.Pack).Unanswered(e.Guidance()) {
			continue // what was kept before that counted, too
		}
		e.Question, e.Task = e.who.Question, e.who.Situation.Task
		said := text.Set(text.Words(e.Guidance()))
		at := 0
		for at < len(out) && (out[at].Task != e.Task || text.Jaccard(words[at], said) < alike) {
			at++
		}
		if at < len(out) {
			out[at].Alike += e.Alike + 1
			continue
		}
		out, words = append(out, *e), append(words, said)
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
