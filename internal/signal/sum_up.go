package signal

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/text/compare"
)

const (
	summedMost = 60 // of an agent's learnings that wait are looked at for the same, the newest
	sumsKey    = "sums"
)

// notSummed leaves out learnings for which a proposal that sums them up stands: it is the one that waits.
const notSummed = ` AND NOT (kind = 'learning' AND EXISTS (SELECT 1 FROM signal p WHERE p.agent_id = signal.agent_id
	AND p.state = 'open' AND p.kind = 'proposal' AND substr(p.context, 1, 7) = '{"sums"'
	AND p.context LIKE '%' || signal.id || '%'))`

// Sums are the ids of the learnings that a proposal sums up: approved, it stands in their place.
func (g Signal) Sums() (ids []string) {
	list, _ := g.Context[sumsKey].([]any)
	for _, id := range list {
		ids = append(ids, fmt.Sprint(id))
	}
	return ids
}

// sumUp proposes one sentence where two or more users of an agent ask surely for the same, and for the same work, so
// that a person decides once. What is only near in meaning stands beside a proposal (Beside): a person tells. It
// composes nothing: the one that was asked for most often stands for all, in the session in which it was said.
func (s *Store) sumUp(ctx context.Context, t Session) error {
	list, err := db.Read(ctx, s.d, func(tx *db.Tx) ([]Signal, error) {
		return signalsTx(tx, "list what may be the same", `
			WHERE agent_id = $1 AND kind = 'learning' AND state IN ('open', 'kept') AND content <> ''
			ORDER BY updated_at DESC, id DESC LIMIT $2`, t.AgentID, summedMost)
	})
	for len(list) > 1 && err == nil {
		var same, rest []Signal
		for _, g := range list {
			if g.ID == list[0].ID || g.Scope == list[0].Scope &&
				s.kb.Compare.Of(list[0].Content, g.Content) == compare.Same {
				same = append(same, g)
			} else {
				rest = append(rest, g)
			}
		}
		if list = rest; len(same) > 1 {
			err = s.proposeSum(ctx, t, same)
		}
	}
	return err
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
		list, err := signalsTx(tx, "list what is summed up", `
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
	return s.d.Write(ctx, func(tx *db.Tx) error {
		tx.Touch(Topic)
		if len(had) == 0 {
			_, err := addOnceTx(tx, sum)
			return err
		}
		// One more came to it. Where an expert has it on screen it stays where it is; where they decided, that stands.
		n, err := db.Change(tx, "signal: let a sum grow", `UPDATE signal SET count = $1, evidence = $2, context = $3,
			confidence = $4, updated_at = $5 WHERE id = $6 AND state = 'open'`, sum.Count, jsonOf(sum.Evidence),
			jsonOf(sum.Context), sum.Confidence, tx.NowMs(), had[0].ID)
		for _, g := range had[1:] { // two grew together
			if err == nil && n > 0 {
				err = db.Exec(tx, "signal: take a smaller sum back", `DELETE FROM signal WHERE id = $1 AND state = 'open'`,
					g.ID)
			}
		}
		return err
	})
}
