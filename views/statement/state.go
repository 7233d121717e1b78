package statement

import (
	"preceptor/internal/knowledge"
	"preceptor/views/ui"
)

// RuleState is the status of a rule or a case as tone, sign and words.
func RuleState(status string) (tone ui.Tone, icon, words string) {
	tone, icon = ui.Neutral, "info"
	switch status {
	case knowledge.Active:
		tone, icon = ui.Green, "check"
	case knowledge.Candidate:
		tone, icon = ui.Amber, "person"
	case knowledge.Rejected:
		tone, icon = ui.Red, "cross"
	case knowledge.Withdrawn:
		icon = "undo"
	case knowledge.Quarantined:
		tone = ui.Red
	}
	return tone, icon, knowledge.StatusWords(status)
}
