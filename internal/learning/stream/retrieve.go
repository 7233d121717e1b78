package stream

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"preceptor/internal/platform/db"
)

const (
	recentMost  = 300 // memories that are looked at because they are recent
	weightyMost = 100 // and because they are weighty
	readAtOnce  = 32
)

// Recalled is a memory with why it was found.
type Recalled struct {
	Memory
	Score, Recency, Relevance float64
}

// Retrieve is what an agent remembers about a text: the k memories of the highest recency × importance × relevance, of
// the most recent and the weightiest ones. Memories after the one numbered upto are left out (0 leaves none out), and
// so are those of but.
func (s *Store) Retrieve(ctx context.Context, agentID, text string, upto int64, k int,
	but ...Memory) ([]Recalled, error) {
	var found []Memory
	err := s.d.Read(ctx, func(tx *db.Tx) error {
		if upto <= 0 {
			upto = beyond
		}
		recent, err := memoriesTx(tx, `WHERE agent_id = $1 AND seq <= $2 AND withdrawn_at = 0
			ORDER BY seq DESC LIMIT $3`, agentID, upto, recentMost)
		if err != nil {
			return err
		}
		weighty, err := memoriesTx(tx, `WHERE agent_id = $1 AND seq <= $2 AND withdrawn_at = 0
			ORDER BY importance DESC, seq DESC LIMIT $3`, agentID, upto, weightyMost)
		if err != nil {
			return err
		}
		found = recent
		for _, m := range weighty {
			if !slices.ContainsFunc(recent, func(r Memory) bool { return r.Seq == m.Seq }) {
				found = append(found, m)
			}
		}
		found = slices.DeleteFunc(found, func(m Memory) bool {
			return slices.ContainsFunc(but, func(b Memory) bool { return b.Seq == m.Seq })
		})
		return nil
	})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return s.rank(ctx, text, found, k)
}

// rank embeds the question and what may answer it, and keeps the k best; the newer one on a tie. It begins with the
// most recent and weightiest, and ends where no relevance could lift what is left above the k best: reading a memory
// takes some milliseconds.
func (s *Store) rank(ctx context.Context, text string, found []Memory, k int) ([]Recalled, error) {
	now := s.d.Now()
	most := func(m Memory) float64 { return Score(Recency(now.Sub(m.At)), Weight(m.Importance), 1) }
	better := func(x, y float64, a, b Memory) int { return cmp.Or(cmp.Compare(y, x), cmp.Compare(b.Seq, a.Seq)) }
	slices.SortFunc(found, func(a, b Memory) int { return better(most(a), most(b), a, b) })
	low, _ := s.near.Unlike()
	var out []Recalled
	for batch := range slices.Chunk(found, readAtOnce) {
		if k > 0 && len(out) >= k && out[k-1].Score > most(batch[0]) {
			break
		}
		texts := []string{text}
		for _, m := range batch {
			texts = append(texts, m.Text)
		}
		vectors, err := s.near.Embed(ctx, texts)
		if err != nil {
			return nil, fmt.Errorf("stream: embed: %w", err)
		}
		for i, m := range batch {
			r := Recalled{Memory: m, Recency: Recency(now.Sub(m.At))}
			r.Relevance = Relevance(vectors[0], vectors[i+1], low)
			r.Score = Score(r.Recency, Weight(m.Importance), r.Relevance)
			if r.Score > 0 {
				out = append(out, r)
			}
		}
		slices.SortFunc(out, func(a, b Recalled) int { return better(a.Score, b.Score, a.Memory, b.Memory) })
	}
	return out[:min(k, len(out))], nil
}
