package feedback

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/interaction"
	"preceptor/internal/llm"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// shortlist is how many exemplars of an agent and topic, best first, are compared with a query.
const shortlist = 500

// Relevant is the cosine that an exemplar must reach to be given for a query where no topic was named: below it
// likeness means nothing.
const Relevant = 0.63

// Examples gives active exemplars: nearest to the query, where there is one, else by weight. None is no error.
func (b *Book) Examples(ctx context.Context, a Ask) ([]Exemplar, error) {
	a.AgentType, a.Topic, a.Query = strings.TrimSpace(a.AgentType), strings.TrimSpace(a.Topic),
		strings.TrimSpace(a.Query)
	switch {
	case a.AgentType == "":
		return nil, fault.Wrong("Send an agent type.", "agent_type", "This is required: send a text.")
	case a.Limit < 0 || a.Limit > MaxExamples:
		return nil, fault.Wrong("The limit can't be used.", "limit", fmt.Sprintf("Send 1 to %d.", MaxExamples))
	case a.Limit == 0:
		a.Limit = DefaultExamples
	}
	b.watch.Look()
	list, generation, ok := b.cache.Get(a, b.db.Now())
	if !ok {
		var err error
		if list, err = b.look(ctx, a); err != nil {
			return nil, err
		}
		b.cache.Put(a, generation, list, b.db.Now())
	}
	list = slices.Clone(list)
	return list, b.counts(ctx, list)
}

// look reads what Examples gives.
func (b *Book) look(ctx context.Context, a Ask) (list []Exemplar, err error) {
	var p probe
	if a.Query != "" {
		p = b.embed(ctx, Subject{}, a.Query)
	}
	type near struct {
		Exemplar
		cosine float64
	}
	var found []near
	names, err := b.Names(ctx, a.AgentID, a.AgentType)
	if err != nil {
		return nil, err
	}
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		query, args := ` FROM exemplar e JOIN query_group g ON g.id = e.group_id
			WHERE e.state = 'active'`, []any(nil)
		if !a.AllTypes || a.AgentID == "" {
			query, args = query+` AND e.agent_type IN (`+db.In(1, len(names))+`)`, db.Anys(names)
		}
		if a.AgentID != "" {
			args = append(args, a.AgentID)
			only, err := b.releasedOnly(tx, a.AgentID, a.AgentType, "e.good_subject")
			if err != nil {
				return err
			}
			query += fmt.Sprintf(` AND e.agent_id = $%d`, len(args)) + only
		}
		if a.Topic != "" {
			spelt, err := db.Column[string](tx, "feedback: list topics", `SELECT DISTINCT e.topic`+query, args...)
			if spelt = alike(spelt, a.Topic); err != nil || len(spelt) == 0 {
				return err
			}
			query += ` AND e.topic IN (` + db.In(len(args)+1, len(spelt)) + `)`
			args = append(args, db.Anys(spelt)...)
		}
		args = append(args, shortlist)
		return db.Each(tx, "feedback: look for examples", func(row db.Row) error {
			var model string
			var vector []byte
			e, err := scanExemplar(db.More(row, &model, &vector))
			if err != nil {
				return err
			}
			n := near{e, -1}
			if p.vector != nil && model == p.model {
				n.cosine = llm.Dot(p.vector, llm.Vector(vector))
			}
			if plain(e.Query) == plain(a.Query) {
				n.cosine = 1
			}
			found = append(found, n)
			return nil
		}, `SELECT e.`+strings.ReplaceAll(exemplarColumns, ", ", ", e.")+`, g.model, g.vector`+query+
			fmt.Sprintf(` ORDER BY e.weight DESC, e.id LIMIT $%d`, len(args)), args...)
	})
	if err != nil {
		return nil, err
	}
	if p.vector != nil {
		found = slices.DeleteFunc(found, func(n near) bool {
			return a.Topic == "" && n.cosine < Relevant && n.cosine > -1
		})
		slices.SortStableFunc(found, func(x, y near) int { return cmp.Compare(y.cosine, x.cosine) })
	}
	for _, n := range found[:min(a.Limit, len(found))] {
		list = append(list, n.Exemplar)
	}
	return list, nil
}

// alike are those of topics that are another spelling of one: "Tax free cash" is tax_free_cash.
func alike(topics []string, topic string) []string {
	return slices.DeleteFunc(topics, func(t string) bool {
		return interaction.TaskForm(t) != interaction.TaskForm(topic)
	})
}

// counts fills in the use counts as they are now: a use is not a change, and leaves the cache as it is.
func (b *Book) counts(ctx context.Context, list []Exemplar) error {
	if len(list) == 0 {
		return nil
	}
	at, args := map[string]int{}, make([]any, len(list))
	for i, e := range list {
		at[e.ID], args[i] = i, e.ID
	}
	return b.db.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "feedback: read use counts", func(row db.Row) error {
			var exemplarID string
			var n int
			if err := row.Scan(&exemplarID, &n); err != nil {
				return err
			}
			list[at[exemplarID]].UseCount = n
			return nil
		}, `SELECT id, use_count FROM exemplar WHERE id IN (`+db.In(1, len(args))+`)`, args...)
	})
}

// UsedBy lists the exemplars that an answer was written with, the first used first.
func (b *Book) UsedBy(ctx context.Context, subjectID string) ([]Exemplar, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) ([]Exemplar, error) {
		return exemplarsTx(tx, `WHERE id IN (SELECT exemplar_id FROM exemplar_use WHERE subject_id = $1)
			ORDER BY created_at, id`, subjectID)
	})
}

// FewShotHeader begins the block of examples.
const FewShotHeader = "Here are examples of good responses:"

// FewShot is the block of examples in seed 001's form, byte for byte; "" without any. Only tutors have students. A text
// of several lines is indented from its second line on, so that nothing that a user typed can pass for the block's own
// lines.
//
//	Here are examples of good responses:
//	---
//	Example 1:
//	Student Question: What is photosynthesis?
//	Good Response: Photosynthesis is the process by which plants convert...
//	---
func FewShot(list []Exemplar) string {
	if len(list) == 0 {
		return ""
	}
	s := FewShotHeader + "\n---"
	for i, e := range list {
		asks := map[bool]string{true: "Student", false: "Customer"}[strings.Contains(e.AgentType, "tutor")]
		s += fmt.Sprintf("\nExample %d:\n%s Question: %s\nGood Response: %s\n---", i+1, asks, within(e.Query),
			within(e.Good))
	}
	return s
}

func within(text string) string {
	lines := strings.FieldsFunc(strings.TrimSpace(text), func(r rune) bool {
		return strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r)
	})
	return strings.Join(lines, "\n  ")
}

// instructions is the line before which a template takes its examples.
const instructions = "Instructions:"

// Enhance puts the block into a template, as seed 001's enhance_prompt does: before its Instructions, or at its end
// where it has none, with a blank line on either side. A template without examples stays as it is.
func Enhance(template string, list []Exemplar) string {
	block := FewShot(list)
	if block == "" {
		return template
	}
	if at := strings.Index("\n"+template, "\n"+instructions); at >= 0 {
		head := strings.TrimRight(template[:at], "\n")
		if head != "" {
			head += "\n\n"
		}
		return head + block + "\n\n" + template[at:]
	}
	return strings.TrimRight(template, "\n") + "\n\n" + block + "\n"
}
