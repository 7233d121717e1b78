package signal

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/text"
	"preceptor/internal/signal/learned"
	"preceptor/internal/signal/observe"
)

const (
	summedMost = 60 // of an agent's learnings that wait are looked at for near ones, the newest
	sumsKey    = "sums"
)

// Sums are the ids of the learnings that a proposal sums up: approved, it stands in their place.
func (g Signal) Sums() (ids []string) {
	list, _ := g.Context[sumsKey].([]any)
	for _, id := range list {
		ids = append(ids, fmt.Sprint(id))
	}
	return ids
}

// sumUp proposes one sentence where two or more learnings of an agent that wait are near in meaning and for the same
// work, so that a person decides once. It composes nothing: without a model the one that was asked for most often
// stands for all, and the session in which it was said shows it.
func (s *Store) sumUp(ctx context.Context, t Session) error {
	list, err := db.Read(ctx, s.d, func(tx *db.Tx) ([]Signal, error) {
		return db.List(tx, "signal: list what may be near", scanSignal, `SELECT `+columns+` FROM signal
			WHERE agent_id = $1 AND kind = 'learning' AND state IN ('open', 'kept') AND content <> ''
			ORDER BY updated_at DESC, id DESC LIMIT $2`, t.AgentID, summedMost)
	})
	for len(list) > 1 && err == nil {
		var rest []Signal
		near := list[:1:1]
		for _, g := range list[1:] {
			ok := false
			if ok, err = s.nearAll(ctx, near, g); err != nil {
				return err
			}
			if ok {
				near = append(near, g)
			} else {
				rest = append(rest, g)
			}
		}
		if list = rest; len(near) > 1 {
			err = s.proposeSum(ctx, t, near)
		}
	}
	return err
}

// nearAll reports whether g says nearly what each of near does, for the same work: one of two has all telling words of
// the other. Two that each have a word of their own may want different things, as English and German, and the newer
// isn't told from the older.
func (s *Store) nearAll(ctx context.Context, near []Signal, g Signal) (bool, error) {
	for _, o := range near {
		ok := o.Scope == g.Scope && within(o.Content, g.Content)
		var err error
		if ok && !learned.Same(s.kb.Compare, o.Content, g.Content) {
			ok, err = learned.Near(ctx, s.embedder, s.kb.Compare, o.Content, g.Content)
		}
		if !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// within reports whether one of two texts has all telling words of the other.
func within(a, b string) bool {
	x, y := pack.ContentStems(a), pack.ContentStems(b)
	return text.Common(x, y) == min(len(x), len(y))
}

func (s *Store) proposeSum(ctx context.Context, t Session, near []Signal) error {
	slices.SortFunc(near, func(x, y Signal) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.ID, y.ID))
	})
	ids := lists.Map(near, func(g Signal) string { return g.ID })
	sum := Signal{AgentID: t.AgentID, AgentName: t.AgentName, TalkID: near[0].TalkID, Producer: Learner, Kind: Proposal,
		Category: near[0].Category, Scope: near[0].Scope, Content: near[0].Content, Confidence: near[0].Confidence,
		Priority: 2, Count: len(near), State: Open, Context: map[string]any{sumsKey: ids},
		Evidence: lists.Map(near, func(g Signal) string { return "Replaces “" + g.Content + "”" })}
	had, err := db.Read(ctx, s.d, func(tx *db.Tx) (had []Signal, err error) {
		list, err := db.List(tx, "signal: list what is summed up", scanSignal, `SELECT `+columns+` FROM signal
			WHERE agent_id = $1 AND kind = 'proposal' AND producer = 'learner' AND substr(context, 1, 7) = '{"sums"'
				AND updated_at > $2 ORDER BY created_at, id`, t.AgentID, db.Ms(tx.Now.Add(-neverProposed)))
		return slices.DeleteFunc(list, func(g Signal) bool {
			return !slices.ContainsFunc(g.Sums(), func(id string) bool { return slices.Contains(ids, id) })
		}), err
	})
	if err != nil || slices.ContainsFunc(had, func(g Signal) bool { // decided on, or as it was
		return g.State != Open || len(g.Sums()) >= len(ids)
	}) {
		return err
	}
	p, _ := observe.Refine(ctx, s.generator, observe.Proposal{Category: sum.Category, Content: sum.Content,
		Evidence: lists.Map(near, func(g Signal) string { return g.Content })})
	sum.Content = p.Content
	return s.d.Write(ctx, func(tx *db.Tx) error {
		tx.Touch(Topic)
		if len(had) == 0 {
			return addOnceTx(tx, sum)
		}
		// One more came to it. Where an expert has it on screen it stays where it is; where they decided, that stands.
		n, err := db.Change(tx, "signal: let a sum grow", `UPDATE signal SET content = $1, count = $2, evidence = $3,
			context = $4, confidence = $5, updated_at = $6 WHERE id = $7 AND state = 'open'`, sum.Content, sum.Count,
			jsonOf(sum.Evidence), jsonOf(sum.Context), sum.Confidence, tx.NowMs(), had[0].ID)
		for _, g := range had[1:] { // two grew together
			if err == nil && n > 0 {
				err = db.Exec(tx, "signal: take a smaller sum back", `DELETE FROM signal WHERE id = $1 AND state = 'open'`,
					g.ID)
			}
		}
		return err
	})
}
