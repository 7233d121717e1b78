package nightly

import "preceptor/internal/platform/db"

// SpokenTx reports whether votes, outcomes or reported interactions came in under an agent type, whatever its capitals.
func SpokenTx(tx *db.Tx, agentType string) (bool, error) {
	return db.Value[bool](tx, "feedback: look for an agent type", `SELECT
			EXISTS (SELECT 1 FROM vote WHERE lower(agent_type) = lower($1))
			OR EXISTS (SELECT 1 FROM outcome WHERE lower(agent_type) = lower($1))
			OR EXISTS (SELECT 1 FROM observed WHERE lower(agent_type) = lower($1))`, agentType)
}
