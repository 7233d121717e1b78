package api

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/fault"
)

// decode reads a body of type T: JSON, as its published schema says, everything that is wrong at once. It also returns
// the hash for an idempotency key.
func decode[T any](h *handlers, c *call) (body T, hash string, err error) {
	raw, err := c.read()
	if err != nil {
		return body, "", err
	}
	tree, err := parse(raw)
	if err != nil {
		return body, "", err
	}
	k := checker{schemas: h.schemas}
	k.value(h.schemas.Schema(reflect.TypeFor[T](), false, ""), "", tree)
	if len(k.wrong) > 0 {
		k.wrong = append(k.wrong, moreFaults(tree)...)
		return body, "", fault.WithFields(summary(k.wrong), k.wrong...)
	}
	if err := json.Unmarshal(raw, &body); err != nil {
		return body, "", fmt.Errorf("api: a body that fits its schema can't be read: %w", err)
	}
	hash, err = digest(c.Request().Method+" "+c.Path(), tree)
	return body, hash, err
}

// moreFaults finds what is wrong with the customer of a body that is refused anyway, and whether it asks nothing, so
// that nothing has to be mended twice.
func moreFaults(tree any) (wrong []fault.Field) {
	body, _ := tree.(map[string]any)
	at := "/customer"
	if consultation, ok := body["consultation"].(map[string]any); ok {
		body, at = consultation, "/consultation/customer"
		if body["question"] == nil && body["messages"] == nil {
			wrong = []fault.Field{{Name: "/consultation/question", Msg: interaction.NoQuestion}}
		}
	}
	who, ok := body["customer"].(map[string]any)
	if !ok {
		return wrong
	}
	raw, err := json.Marshal(who)
	if err != nil {
		return wrong
	}
	_, more := customer{raw}.read(at)
	return append(wrong, more...)
}

func summary(wrong []fault.Field) string {
	if len(wrong) == 1 {
		return "One field needs your attention."
	}
	return fmt.Sprintf("%d fields need your attention.", len(wrong))
}

// read is what was asked and by whom, and lists what is wrong with the customer.
func (b consultationBody) read() (interaction.Consultation, error) {
	who, wrong := b.Customer.read("/consultation/customer")
	if len(wrong) > 0 {
		return interaction.Consultation{}, fault.WithFields(summary(wrong), wrong...)
	}
	c := interaction.Consultation{Customer: who, Question: b.Question, Thread: b.Thread,
		TaskType: strings.TrimSpace(b.TaskType)}
	c.Messages = readMessages(b.Messages)
	return c, nil
}

func readMessages(list []messageBody) (out []interaction.Message) {
	for _, m := range list {
		one := interaction.Message{Role: m.Role, Text: m.Text, Tool: m.Tool}
		if m.At != nil {
			one.At = *m.At
		}
		out = append(out, one)
	}
	return out
}

// read makes a customer of the raw JSON; pointers begin at at.
func (c customer) read(at string) (who interaction.Customer, wrong []fault.Field) {
	if len(c.raw) == 0 {
		return who, nil
	}
	err := who.UnmarshalJSON(c.raw)
	for _, f := range fault.Fields(err) {
		wrong = append(wrong, fault.Field{Name: at + f.Name, Msg: f.Msg})
	}
	return who, wrong
}
