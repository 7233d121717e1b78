package interaction

import (
	"encoding/json"
	"fmt"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// The limits of a submission, in bytes of UTF-8.
const (
	MaxGuidance  = 200 << 10
	MaxReasoning = 200 << 10
	MaxQuestion  = 20_000
	MaxSteps     = 256 << 10
	MaxMetadata  = 64 << 10
	maxModel     = 200
	maxTask      = 100
	maxUsed      = 200
)

// NoQuestion is what is said of a consultation in which nobody asks anything.
const NoQuestion = "Send what the customer asked."

// Submission is one piece of guidance that an agent brings.
type Submission struct {
	AgentID       string
	AgentName     string
	Origin        string // OriginAPI when empty
	By            audit.Actor
	Consultation  Consultation
	Guidance      string
	Reasoning     string
	Model         string
	Drafter       string
	KnowledgeUsed []Used
	Steps         json.RawMessage
	Metadata      json.RawMessage
	Handling
	Actions Actions // beside Guidance, or without
	Revises string  // the agent's own interaction that was sent back, which this one answers anew; usually empty

	noText bool
	follow Follow // what Store.Read said of the text, if it was read already
}

// check lists what is wrong with a submission, by JSON pointer into the API's body.
func (sub *Submission) check() error {
	var wrong []fault.Field
	need := func(pointer, value, msg string) {
		if strings.TrimSpace(value) == "" {
			wrong = append(wrong, fault.Field{Name: pointer, Msg: msg})
		}
	}
	limit := func(pointer, s string, most int) {
		if len(s) > most {
			wrong = append(wrong, fault.Field{Name: pointer, Msg: text.TooBig(s, most)})
		}
	}
	need("/agent", sub.AgentName, "Say which agent this is from.")
	need("/guidance", sub.Guidance, "Send the text that would go to the customer, or actions.")
	limit("/guidance", sub.Guidance, MaxGuidance)
	limit("/reasoning", sub.Reasoning, MaxReasoning)
	limit("/model", sub.Model, maxModel)
	limit("/steps", string(sub.Steps), MaxSteps)
	limit("/metadata", string(sub.Metadata), MaxMetadata)
	wrong = append(wrong, sub.Consultation.check()...)
	wrong = append(wrong, sub.Handling.check()...)
	wrong = append(wrong, sub.Actions.check()...)
	wrong = append(wrong, checkUsed(sub.KnowledgeUsed)...)
	return refuse(wrong)
}

func (c *Consultation) check() []fault.Field {
	var wrong []fault.Field
	switch {
	case strings.TrimSpace(c.Question) == "":
		wrong = append(wrong, fault.Field{Name: "/consultation/question", Msg: NoQuestion})
	case len(c.Question) > MaxQuestion:
		wrong = append(wrong, fault.Field{Name: "/consultation/question", Msg: text.TooBig(c.Question, MaxQuestion)})
	}
	if len(c.TaskType) > maxTask {
		wrong = append(wrong, fault.Field{Name: "/consultation/task_type", Msg: text.TooBig(c.TaskType, maxTask)})
	}
	wrong = append(wrong, c.checkMessages("/consultation")...)
	for _, f := range c.Customer.Check() {
		wrong = append(wrong, fault.Field{Name: "/consultation/customer" + f.Name, Msg: f.Msg})
	}
	return wrong
}

func checkUsed(list []Used) []fault.Field {
	if len(list) > maxUsed {
		return []fault.Field{{Name: "/knowledge_used", Msg: fmt.Sprintf("At most %d are accepted.", maxUsed)}}
	}
	var wrong []fault.Field
	for i, u := range list {
		if u.ID == "" || len(u.ID) > maxTask || u.Version < 0 {
			wrong = append(wrong, fault.Field{Name: fmt.Sprintf("/knowledge_used/%d", i),
				Msg: "Send an id that recall returned, or {\"id\", \"version\"}."})
		}
	}
	return wrong
}

// refuse makes one fault of what is wrong; nil when nothing is.
func refuse(wrong []fault.Field) error {
	switch len(wrong) {
	case 0:
		return nil
	case 1:
		return fault.WithFields("One field needs your attention: "+wrong[0].Msg, wrong...)
	}
	return fault.WithFields(fmt.Sprintf("%d fields need your attention.", len(wrong)), wrong...)
}

// TaskForm is the one form of a task type: lower case, underscores between words; "" when none was named.
func TaskForm(s string) string {
	task := strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return r == ' ' || r == '_' || r == '-' || r == '\t' || r == '\n' || r == '\r'
	}), "_")
	if task == "unknown" {
		return ""
	}
	return task
}

// settleTask puts the task type into its one form and classifies the question when the agent named none. It tells who
// named it.
func (c *Consultation) settleTask() string {
	if c.TaskType = TaskForm(c.TaskType); c.TaskType != "" {
		return ByAgent
	}
	c.TaskType = pack.Of(c.Pack).TopicIn(c.Situation())
	return ByPreceptor
}

// clean replaces broken UTF-8, which neither JSON nor a page can carry. Nothing else of what was sent is changed.
func (sub *Submission) clean() {
	for _, s := range []*string{&sub.AgentName, &sub.Guidance, &sub.Reasoning, &sub.Model, &sub.Revises} {
		*s = strings.ToValidUTF8(*s, "\uFFFD")
	}
	sub.Consultation.clean()
	sub.Actions.clean()
	if len(sub.Actions) > 0 && strings.TrimSpace(sub.Guidance) == "" {
		sub.noText, sub.Guidance = true, sub.Actions.Text()
	}
	if sub.Consultation.NoText = sub.noText; !sub.noText {
		sub.Consultation.Acts = sub.Actions.Text()
	}
	sub.Consultation.Beside = saidBefore(sub.Steps, sub.Metadata)
}

func (c *Consultation) clean() {
	for _, s := range []*string{&c.Question, &c.TaskType, &c.Thread, &c.Customer.Goal, &c.Customer.Name} {
		*s = strings.ToValidUTF8(*s, "\uFFFD")
	}
	c.fitMessages()
}
