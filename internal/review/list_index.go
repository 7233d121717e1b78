package review

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"preceptor/internal/db"
	"preceptor/internal/interaction"
	"preceptor/internal/search"
)

// listed brings what the lists keep beside a review up to date: where it stands under its flags, and which skips still
// count. It is called in every transaction that changes a review's state, priority or version.
func listed(tx *db.Tx, id string) error {
	if _, err := tx.Exec(`UPDATE review_flag SET (state, place, at) = (
			SELECT r.state, CASE r.state WHEN 'waiting' THEN r.priority ELSE 0 END, CASE r.state WHEN 'waiting' THEN r.created_at ELSE r.decided_at END
			FROM review r WHERE r.id = review_flag.review_id)
		WHERE review_id = $1`, id); err != nil {
		return fmt.Errorf("review: place %s under its flags: %w", id, err)
	}
	// A skip is of one version; a case that moved on is skipped by nobody.
	return db.Exec(tx, fmt.Sprintf("review: end the skips of %s", id), `UPDATE review_skip SET over_at = $1 WHERE review_id = $2 AND over_at = 0
			AND NOT EXISTS (SELECT 1 FROM review r WHERE r.id = review_skip.review_id AND r.state = 'waiting' AND r.version = review_skip.version)`, tx.NowMs(), id)
}

// listNew puts a review that was just queued under its flags and its words.
func listNew(tx *db.Tx, in *interaction.Interaction, flags []Flag) error {
	if err := listFlags(tx, in.ID, flags); err != nil {
		return err
	}
	return search.PutCaseTx(tx, in.ID, words(in))
}

func listFlags(tx *db.Tx, id string, flags []Flag) error {
	stops := map[string]bool{}
	for _, f := range flags {
		if f.Code != "" {
			stops[f.Code] = stops[f.Code] || f.Stops
		}
	}
	for _, code := range slices.Sorted(maps.Keys(stops)) {
		if _, err := tx.Exec(`INSERT INTO review_flag (review_id, code, state, agent_id, task, place, at, stops)
			SELECT id, $1, state, agent_id, task, CASE state WHEN 'waiting' THEN priority ELSE 0 END, CASE state WHEN 'waiting' THEN created_at ELSE decided_at END, $2
			FROM review WHERE id = $3`, code, stops[code], id); err != nil {
			return fmt.Errorf("review: list %s under %s: %w", id, code, err)
		}
	}
	return nil
}

// words are what a case can be found by when it arrives; what people write about it is added as they write it.
func words(in *interaction.Interaction) string {
	c := in.Consultation
	return strings.Join([]string{c.Question, c.Customer.Name, c.Customer.Who(), c.Situation().Text, in.AgentName, in.Guidance}, "\n")
}

// findable adds the words of what a person wrote about a case.
func findable(tx *db.Tx, id string, texts ...string) error {
	return search.AddCaseTx(tx, id, strings.Join(texts, "\n"))
}
