package api

import (
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

	"preceptor/internal/interaction"
	"preceptor/web/api/reference"
)

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
func (customer) Schema(r huma.Registry) *huma.Schema { return reference.Customer(r) }

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
