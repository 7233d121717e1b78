package stream

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"preceptor/internal/db"
)

const (
	recentMost  = 300 // memories that are looked at because they are recent
	weightyMost = 100 // and because they are weighty
)

// Recalled is a memory with why it was found.
type Recalled struct {
	Memory
	Score, Recency, Relevance float64
}

// Retrieve is what an agent remembers about a text: the k memories of the highest recency × importance × relevance, of the most
// recent and the weightiest ones. Memories after the one numbered upto are left out (0 leaves none
// out), and so are those of but.
func (s *Store) Retrieve(ctx context.Context, agentID, text string, upto int64, k int, but ...Memory) ([]Recalled, error) {
	var found []Memory
	err := s.d.Read(ctx, func(tx *db.Tx) error {
		if upto <= 0 {
			upto = beyond
		}
		recent, err := memoriesTx(tx, `SELECT `+columns+` FROM memory WHERE agent_id = $1 AND seq <= $2 AND withdrawn_at = 0 ORDER BY seq DESC LIMIT $3`, agentID, upto, recentMost)
		if err != nil {
			return err
		}
		weighty, err := memoriesTx(tx, `SELECT `+columns+` FROM memory WHERE agent_id = $1 AND seq <= $2 AND withdrawn_at = 0 ORDER BY importance DESC, seq DESC LIMIT $3`, agentID, upto, weightyMost)
		if err != nil {
			return err
		}
		found = recent
		for _, m := range weighty {
			if !slices.ContainsFunc(recent, func(r Memory) bool { return r.Seq == m.Seq }) {
				found = append(found, m)
			}
		}
		found = slices.DeleteFunc(found, func(m Memory) bool { return slices.ContainsFunc(but, func(b Memory) bool { return b.Seq == m.Seq }) })
		return nil
	})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return s.rank(ctx, text, found, k)
}

// rank embeds the question and what may answer it, and keeps the k best; the newer one on a tie.
func (s *Store) rank(ctx context.Context, text string, found []Memory, k int) ([]Recalled, error) {
	texts := make([]string, 0, len(found)+1)
	texts = append(texts, text)
	for _, m := range found {
		texts = append(texts, m.Text)
	}
	vectors, err := s.near.Embed(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("stream: embed: %w", err)
	}
	now := s.d.Now()
	out := make([]Recalled, 0, len(found))
	for i, m := range found {
		r := Recalled{Memory: m, Recency: Recency(now.Sub(m.At)), Relevance: Relevance(vectors[0], vectors[i+1])}
		r.Score = Score(r.Recency, Weight(m.Importance), r.Relevance)
		if r.Score > 0 {
			out = append(out, r)
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		if out[i].Score != out[j].Score {
			return out[i].Score > out[j].Score
		}
		return out[i].Seq > out[j].Seq
	})
	return out[:min(k, len(out))], nil
}
