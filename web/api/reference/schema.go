package reference

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"preceptor/internal/interaction"
)

// SchemaPrefix begins the address of each schema.
const SchemaPrefix = "#/components/schemas/"

// names of the schemas that would otherwise be called after our Go types.
var schemaNames = map[string]string{
	"guidanceBody": "Submission", "actionBody": "Action", "approvedAction": "ApprovedAction",
	"consultationBody": "Consultation", "messageBody": "Message", "receipt": "Receipt", "links": "Links",
	"guidanceAnswer": "Guidance", "decisionAnswer": "Decision", "eventAnswer": "Event", "overruled": "Overruled",
	"deliveryAnswer": "Delivery", "guidanceList": "GuidanceList",
	"recallBody": "RecallQuery", "recallAnswer": "Recall", "adviseBody": "AdviceQuery", "ProblemBody": "Problem",
	"Item":            "KnowledgeItem",
	"interactionBody": "Interaction", "logged": "Logged", "voteBody": "Vote", "voteAnswer": "VoteStored",
	"outcomeBody": "Outcome", "outcomeAnswer": "OutcomeStored",
	"ruleLine": "Rule", "ruleList": "RuleList",
	"examplesAnswer": "Examples", "statsAnswer": "AgentStats", "statsFeedback": "AgentStatsFeedback",
	"topicFigures": "TopicStats",
	"pairBody":     "Pair", "answerBody": "PairAnswer", "pairAnswer": "PairJudged", "assignBody": "Assignment",
	"assignAnswer": "Arm", "choiceBody": "Choice", "experimentBody": "Experiment",
	"experimentAnswer": "ExperimentStarted", "trialBody": "Trial", "trialAnswer": "TrialRecorded",
	"reportBody": "EvaluationReport", "Result": "Evaluation", "Section": "NoteSection",
	"reportAnswer": "EvaluationsStored", "notesAnswer": "Notes", "reactionsBody": "Reactions", "Reaction": "Reaction",
	"remindersAnswer": "Reminders", "Slice": "ReminderEffect", "fileBody": "ObservationFile",
	"learningsBody": "LearningsFile", "Imported": "LearningsImported",
	"turnBody": "Turn", "turnAnswer": "TurnRecorded", "sessionBody": "SessionEnd", "sessionAnswer": "SessionSummary",
	"proposalAnswer": "Proposal", "effect": "LearningEffect", "learningsAnswer": "Learnings",
	"experienceBody": "Experience", "experienceAnswer": "ExperienceStored", "experienceList": "ExperienceList",
}

// SchemaName is what the schema of a type is called.
func SchemaName(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if name, ok := schemaNames[t.Name()]; ok {
		return name
	}
	return huma.DefaultSchemaNamer(t, hint)
}

// Customer describes what interaction.Customer reads.
func Customer(r huma.Registry) *huma.Schema {
	text := func(what string) *huma.Schema { return &huma.Schema{Type: huma.TypeString, Description: what} }
	zero, oldest := 0.0, 120.0
	r.Map()["Pension"] = &huma.Schema{
		Type: huma.TypeObject, AdditionalProperties: false, Required: []string{"kind"},
		Description: "One pension of the customer.",
		Properties: map[string]*huma.Schema{
			"kind": {Type: huma.TypeString, Enum: anys(interaction.PensionKinds),
				Description: "Defined benefit, defined contribution, State Pension, or not known."},
			"value_gbp": {Type: huma.TypeNumber, Minimum: &zero, Description: "In pounds."},
			"features": {Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeString},
				Description: "Special features, such as protected tax-free cash."},
		},
	}
	r.Map()["Customer"] = &huma.Schema{
		Type: huma.TypeObject, AdditionalProperties: true,
		Description: "Who is asking. These fields are checked; any others are kept unchanged.",
		Properties: map[string]*huma.Schema{
			"age":      {Type: huma.TypeInteger, Minimum: &zero, Maximum: &oldest, Description: "In years."},
			"pensions": {Type: huma.TypeArray, Items: &huma.Schema{Ref: SchemaPrefix + "Pension"}},
			"literacy": {Type: huma.TypeString, Enum: anys(interaction.Literacies),
				Description: "How well they understand money matters."},
			"vulnerable": {Type: huma.TypeBoolean, Description: "Whether they need particular care."},
			"goal":       text("What they want to achieve."),
			"name":       text("Their name. It is replaced before anything is learned from it or sent to a model."),
		},
	}
	return &huma.Schema{Ref: SchemaPrefix + "Customer"}
}

func anys(list []string) (out []any) {
	for _, s := range list {
		out = append(out, s)
	}
	return out
}
