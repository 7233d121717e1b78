package compliance

import (
	"encoding/json"
	"fmt"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
)

// Bare is the verdict without words: which issues of which severity, who voted how, and how sure; neither what they
// quote nor what they say about it. It is what an erasure leaves.
func (v Verdict) Bare() Verdict {
	v.Issues, v.LeftOut, v.Because = bareIssues(v.Issues), bareIssues(v.LeftOut), nil
	votes := make([]Vote, len(v.Judges))
	for i, j := range v.Judges {
		j.Reasoning, j.Why, j.Issues, j.Weighs = "", "", bareIssues(j.Issues), nil
		votes[i] = j
	}
	v.Judges = votes
	return v
}

func bareIssues(list []Issue) []Issue {
	return lists.Map(list, func(one Issue) Issue {
		return Issue{Code: one.Code, Severity: one.Severity, Reference: one.Reference, By: one.By}
	})
}

// EraseTx takes the words out of every verdict on an interaction, and the hashes of the texts. It returns how many
// verdicts there were; again is as once.
func (st *Store) EraseTx(tx *db.Tx, interactionID string) (int, error) {
	bare := map[string]string{}
	err := db.Each(tx, fmt.Sprintf("compliance: erase the verdicts on %s", interactionID), func(row db.Row) error {
		var id, body string
		if err := row.Scan(&id, &body); err != nil {
			return err
		}
		var v Verdict
		if err := json.Unmarshal([]byte(body), &v); err != nil {
			return fmt.Errorf("compliance: decode a verdict: %w", err)
		}
		b, err := json.Marshal(v.Bare())
		if err != nil {
			return fmt.Errorf("compliance: encode a verdict: %w", err)
		}
		bare[id] = string(b)
		return nil
	}, `SELECT id, verdict FROM verdict WHERE interaction_id = $1`, interactionID)
	if err != nil {
		return 0, err
	}
	for id, body := range bare {
		if err := db.Exec(tx, "compliance: erase the verdicts on "+interactionID,
			`UPDATE verdict SET verdict = $1, text_hash = '' WHERE id = $2`, body, id); err != nil {
			return 0, err
		}
	}
	return len(bare), nil
}
