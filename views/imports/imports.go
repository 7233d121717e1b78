// Package imports shows how one import goes or went, the same way for documents, bases and gold sets.
package imports

import (
	"preceptor/internal/platform/table/imports"
	"preceptor/views/layout"
	"preceptor/views/ui"

	"github.com/a-h/templ"
)

// Outcome is what a run's report comes to, in words.
type Outcome struct {
	Title    string // of a run that went through
	Stopped  string // of one that did not; "The import stopped" when empty
	Line     string // what came in, in a sentence
	Facts    []ui.Fact
	Label    string // of the problems
	Problems []imports.Problem
	All      int // how many problems there were
	Refused  int // of its rows
}

// parts are the problems that refused a row, and the remarks on rows that weren't refused.
func (o Outcome) parts() []Outcome {
	refused, notes := o, o
	refused.Problems, notes.Problems, notes.Label = nil, nil, "Remarks on rows that weren't refused"
	if o.files() {
		notes.Label = "Remarks on what was imported"
	}
	for _, p := range o.Problems {
		if p.Note {
			notes.Problems = append(notes.Problems, p)
		} else {
			refused.Problems = append(refused.Problems, p)
		}
	}
	if len(notes.Problems) > 0 {
		refused.All, notes.All = o.Refused, o.All-o.Refused
	}
	return []Outcome{refused, notes}
}

func (o Outcome) stopped() string {
	if o.Stopped == "" {
		return "The import stopped"
	}
	return o.Stopped
}

func (o Outcome) tone() ui.Tone {
	if o.Refused > 0 {
		return ui.Amber
	}
	return ui.Green
}

// files reports whether the problems are of several files.
func (o Outcome) files() bool { return len(o.Problems) > 0 && o.Problems[0].File != "" }

// Follow are the attributes of the element "import" of the page at href, which follows a run that is under way.
func Follow(r *imports.Run, href string) templ.Attributes {
	if r == nil || !r.Running() {
		return nil
	}
	return layout.Live("import", href, imports.Topic)
}
