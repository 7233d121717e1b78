package api

import (
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"preceptor/internal/interaction"
)

const schemaPrefix = "#/components/schemas/"

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
	"assignAnswer": "Arm", "trialBody": "Trial", "trialAnswer": "TrialRecorded",
	"reportBody": "EvaluationReport", "Result": "Evaluation", "Section": "NoteSection",
	"reportAnswer": "EvaluationsStored", "notesAnswer": "Notes", "reactionsBody": "Reactions", "Reaction": "Reaction",
	"remindersAnswer": "Reminders", "Slice": "ReminderEffect", "fileBody": "ObservationFile",
	"learningsBody": "LearningsFile", "Imported": "LearningsImported",
	"turnBody": "Turn", "turnAnswer": "TurnRecorded", "sessionBody": "SessionEnd", "sessionAnswer": "SessionSummary",
	"proposalAnswer": "Proposal",
	"experienceBody": "Experience", "experienceAnswer": "ExperienceStored", "experienceList": "ExperienceList",
}

func schemaName(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if name, ok := schemaNames[t.Name()]; ok {
		return name
	}
	return huma.DefaultSchemaNamer(t, hint)
}

// raw is JSON that is kept as it came.
type raw = json.RawMessage

// customer is a customer that is not read yet, so that what is wrong in it can be named by pointer.
type customer struct{ raw json.RawMessage }

// UnmarshalJSON keeps the JSON.
func (c *customer) UnmarshalJSON(b []byte) error {
	c.raw = append(raw(nil), b...)
	return nil
}

// Schema describes what interaction.Customer reads.
func (customer) Schema(r huma.Registry) *huma.Schema {
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
			"pensions": {Type: huma.TypeArray, Items: &huma.Schema{Ref: schemaPrefix + "Pension"}},
			"literacy": {Type: huma.TypeString, Enum: anys(interaction.Literacies),
				Description: "How well they understand money matters."},
			"vulnerable": {Type: huma.TypeBoolean, Description: "Whether they need particular care."},
			"goal":       text("What they want to achieve."),
			"name":       text("Their name. It is replaced before anything is learned from it or sent to a model."),
		},
	}
	return &huma.Schema{Ref: schemaPrefix + "Customer"}
}

func anys(list []string) (out []any) {
	for _, s := range list {
		out = append(out, s)
	}
	return out
}

// used is knowledge that the agent was shown.
type used struct{ interaction.Used }

// Schema is an id alone, or with its version.
func (used) Schema(huma.Registry) *huma.Schema {
	one := 1.0
	return &huma.Schema{OneOf: []*huma.Schema{
		{Type: huma.TypeString, Description: "An id that recall returned."},
		{Type: huma.TypeObject, AdditionalProperties: false, Required: []string{"id"},
			Properties: map[string]*huma.Schema{
				"id":      {Type: huma.TypeString},
				"version": {Type: huma.TypeInteger, Minimum: &one},
			}},
	}}
}

// freeList and freeObject are JSON that is kept and not looked into.
type (
	freeList   struct{ raw json.RawMessage }
	freeObject struct{ raw json.RawMessage }
)

// UnmarshalJSON keeps the JSON; null is nothing.
func (f *freeList) UnmarshalJSON(b []byte) error { f.raw = keep(b); return nil }

// UnmarshalJSON keeps the JSON; null is nothing.
func (f *freeObject) UnmarshalJSON(b []byte) error { f.raw = keep(b); return nil }

func keep(b []byte) raw {
	if string(b) == "null" {
		return nil
	}
	return append(raw(nil), b...)
}

// object is what was kept, with the values of encoding/json.
func (f freeObject) object() (out map[string]any, err error) {
	if len(f.raw) > 0 {
		err = json.Unmarshal(f.raw, &out)
	}
	return out, err
}

// Schema is a list of anything.
func (freeList) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{}}
}

// Schema is an object with anything in it.
func (freeObject) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}
