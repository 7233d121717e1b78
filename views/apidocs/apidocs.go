// Package apidocs draws the description of the API for people: each operation with what it takes, what it answers and a
// call to copy; each schema with its fields. It shows the published OpenAPI description and nothing else, so that page
// and contract can't disagree, and it needs no script and no foreign host.
package apidocs

// View is the whole page.
type View struct {
	Version    string
	Intro      string
	SpecHref   string
	Operations []Operation
	Schemas    []Schema
}

// Operation is one thing that a program may ask.
type Operation struct {
	ID, Method, Path string
	Summary, Doc     string
	Scope            string
	Parameters       []Field
	Body             Type // empty when it takes none
	Curl             string
	Others           []Example // the same call in other languages
	Responses        []Response
}

// Example is a call in a language.
type Example struct{ In, Code string }

// Field is a parameter, a header or a field of a schema.
type Field struct {
	Name     string
	In       string // query, path or header; empty for a field of a schema
	Type     Type
	Doc      string
	Required bool
}

// Type is what a value is, in words. Ref names a schema of the page, for a link.
type Type struct {
	Words string
	Ref   string
}

// Response is one kind of answer.
type Response struct {
	Status string
	Means  string
	Type   Type
}

// Schema is an object that is sent or answered.
type Schema struct {
	Name   string
	Doc    string
	Fields []Field
	Free   bool // takes fields that are not listed
}
