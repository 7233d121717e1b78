package review

import (
	"strings"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/search"
)

// putFlags writes the flags of a review as lists are narrowed by them, once each. What else the row has is as the
// review came: nothing goes by it.
func putFlags(tx *db.Tx, id string, flags []Flag) error {
	for _, f := range flags {
		if f.Code == "" {
			continue
		}
		if err := db.Exec(tx, "review: list "+id+" under "+f.Code, `INSERT INTO review_flag (review_id, code, state,
				agent_id, task, place, at, stops)
			SELECT id, $1, state, agent_id, task, priority, created_at, $2 FROM review WHERE id = $3
			ON CONFLICT (review_id, code) DO UPDATE SET stops = CASE excluded.stops
				WHEN 1 THEN 1 ELSE review_flag.stops END`, f.Code, f.Stops, id); err != nil {
			return err
		}
	}
	return nil
}

// words are what a case can be found by when it arrives; what people write about it is added as they write it.
func words(in *interaction.Interaction) string {
	c := in.Consultation
	return strings.Join([]string{c.Question, c.Customer.Name, c.Customer.Who(), c.Customer.Words(), in.AgentName,
		in.Guidance, in.Actions.Text(), in.MetadataWords()}, "\n")
}

// findable adds the words of what a person wrote about a case.
func findable(tx *db.Tx, id string, texts ...string) error {
	text := strings.TrimSpace(strings.Join(texts, "\n"))
	if text == "" {
		return nil
	}
	return search.AddCaseTx(tx, id, text)
}
