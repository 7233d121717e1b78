package signal

import (
	"context"

	"preceptor/internal/platform/db"
)

// IssuesOf are what evaluators found in the turn that an agent names ref: by the number of its step, from 1, and by 0
// of the whole.
func (s *Store) IssuesOf(ctx context.Context, agentID, ref string) (map[int][]Signal, error) {
	list, err := db.Read(ctx, s.d, func(tx *db.Tx) ([]Signal, error) {
		return signalsTx(tx, "read the issues of a turn", `
			WHERE kind = 'issue' AND (talk_id, turn_id) = (SELECT talk_id, id FROM turn
				WHERE agent_id = $1 AND ref = $2 AND ref <> '') ORDER BY created_at, id`, agentID, ref)
	})
	found := map[int][]Signal{}
	for _, g := range list {
		step, _ := g.Context["step"].(float64) // what found wrote; none in what was found before steps were counted
		found[int(step)] = append(found[int(step)], g)
	}
	return found, err
}
