package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"preceptor/internal/compliance/intake"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/strict"
)

// maxChecked is how many texts one call may have checked.
const maxChecked = 100

// checkBody describes one text to check. It is not enforced: intake reads what can be read.
type checkBody struct {
	_        struct{} `additionalProperties:"true"`
	ID       any      `json:"id,omitempty" doc:"Returned unchanged."`
	Customer any      `json:"customer,omitempty" doc:"What is known about the customer, in any form: an object with age, literacy, vulnerable, pensions, goal, or what you have."`
	Question string   `json:"question,omitempty" doc:"What the customer asked."`
	TaskType string   `json:"task_type,omitempty"`
	Guidance string   `json:"guidance" doc:"The text to check."`
}

// refusedItem stands in a list for an item that could not be read.
type refusedItem struct {
	ID    json.RawMessage `json:"id,omitempty"`
	Error string          `json:"error"`
}

// check answers with one verdict, or with a list of them in the order of the items.
func (h *handlers) check(ctx context.Context, _ *struct{}) (*output[any], error) {
	c := callOf(ctx)
	raw, err := c.read()
	if err != nil {
		return nil, err
	}
	if _, err := parse(raw); err != nil {
		return nil, err
	}
	raw = bytes.TrimSpace(raw)
	if raw[0] != '[' {
		answer, err := h.checkOne(ctx, raw, c.token.Pack)
		if err != nil {
			at := "/guidance"
			if doubt, ok := errors.AsType[*strict.Error](err); ok && len(doubt.At) > 0 {
				at = doubt.At[0]
			}
			return nil, fault.Wrong(fault.Message(err), at, fault.Message(err))
		}
		return &output[any]{answer}, nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "The list isn't valid JSON.")
	}
	if len(list) > maxChecked {
		return nil, fault.New(fault.Invalid, "Send at most %d texts at once.", maxChecked)
	}
	out := make([]any, 0, len(list))
	for _, one := range list {
		answer, err := h.checkOne(ctx, one, c.token.Pack)
		if err != nil {
			out = append(out, refusedItem{answer.ID, fault.Message(err)})
			continue
		}
		out = append(out, answer)
	}
	return &output[any]{out}, nil
}

func (h *handlers) checkOne(ctx context.Context, raw []byte, packName string) (intake.Answer, error) {
	it, err := intake.Read(raw)
	if err != nil {
		return intake.Answer{ID: it.ID}, err
	}
	asked := it.Consultation()
	asked.Pack = packName
	return intake.Answer{ID: it.ID, Verdict: h.Validate(ctx, it.Guidance, asked)}, nil
}
