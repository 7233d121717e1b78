package transfer

import (
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/platform/table/imports"
)

// Report is what became of a file.
type Report struct {
	Format     Format            `json:"format"`
	Mapping    Mapping           `json:"mapping"`
	Labels     string            `json:"labels,omitempty"` // how they were read, and whose they were if nobody's
	Rater      string            `json:"rater,omitempty"`
	Unused     []string          `json:"unused"`           // the first mostUnused fields that are no part of an item
	Beside     []string          `json:"beside,omitempty"` // fields that were read with the labels
	Rows       int               `json:"rows"`
	Added      int               `json:"added"`
	Duplicates int               `json:"duplicates"`
	Here       []string          `json:"here,omitempty"` // where the first mostHere of them stand in the file
	Labelled   int               `json:"labelled"`       // of Duplicates, that got the final label they lacked
	Broken     int               `json:"broken"`
	Noted      int               `json:"noted"`    // taken, with a remark among the problems
	Problems   []imports.Problem `json:"problems"` // the first MaxProblems
}

// Used are the fields of the file that were read, each with the part of an item that it was where the names differ.
func (r *Report) Used() []string {
	return slices.Sorted(slices.Values(append(r.Mapping.Used(), r.Beside...)))
}

// AlreadyHere are the places of the rows that were here before.
func (r *Report) AlreadyHere() string {
	out := strings.Join(r.Here, ", ")
	if more := r.Duplicates - len(r.Here); more > 0 && out != "" {
		out += fmt.Sprintf(" and %d more", more)
	}
	return out
}

func (r *Report) problem(line int, why string, note bool) {
	if len(r.Problems) < MaxProblems {
		r.Problems = append(r.Problems, imports.Problem{Line: line, Why: why, Note: note})
	}
}

// place names an element of an array, which may all be on one line.
func (r *row) place() string {
	if r.nth == 0 {
		return ""
	}
	return r.where() + ": "
}

// where is that, or the row's line.
func (r *row) where() string {
	if r.nth > 0 {
		return fmt.Sprintf("element %d", r.nth)
	}
	return fmt.Sprintf("line %d", r.line)
}

// besideLabels are the fields of our own exports that are read with labels, whatever the mapping.
var besideLabels = []string{"codes", "confidence", "label_by", "labels"}

// unused notes which of a row's fields are no part of an item.
func (in *importing) unused(names []string) {
	for _, n := range names {
		list := &in.rep.Unused
		if in.o.Labels != Ignored && slices.Contains(besideLabels, n) &&
			(n != "codes" || in.mapping.Codes == "issues") {
			list = &in.rep.Beside
		}
		if len(*list) < mostUnused && !in.mapping.has(n) && !slices.Contains(*list, n) {
			*list = append(*list, n)
		}
	}
}

// left notes what is around the rows and not read.
func (in *importing) left(names []string) {
	for _, n := range names {
		if len(in.rep.Unused) < mostUnused {
			in.rep.Unused = add(in.rep.Unused, n)
		}
	}
}
