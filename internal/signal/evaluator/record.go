package evaluator

import (
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"time"

	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/strict"
	"preceptor/internal/platform/table"
)

// Result is what an evaluator said: the seed's record, in its order, and where it comes from.
type Result struct {
	Evaluator string   `json:"evaluator_type" doc:"The evaluator's name."`
	QueryIdx  *int     `json:"query_idx" required:"false" doc:"Which query, as you count them."`
	Timestamp string   `json:"timestamp" required:"false" doc:"As 2025-12-05 17:30:27, UTC; if left out, the current time."`
	ErrorType string   `json:"error_type,omitempty" doc:"Of a whole trajectory: the kind of error."`
	Issues    []string `json:"issues" doc:"What is wrong, a sentence each; empty if nothing is wrong."`
	IsValid   *bool    `json:"is_valid,omitempty"`
	Score     *float64 `json:"score,omitempty" minimum:"0" maximum:"1" doc:"0 is the worst. Notes are ordered by it."`
	SQLQuery  string   `json:"sql_query,omitempty" doc:"The query that it is about."`

	Step    int    `json:"-"` // which of the turn's steps, from 1; 0: the whole
	Turn    string `json:"-"`
	Session string `json:"-"`
}

const timestamp = "2006-01-02 15:04:05"

// At is the time of a result.
func (r Result) At() time.Time {
	at, _ := time.Parse(timestamp, r.Timestamp)
	return at
}

// Check says what is wrong with a record, to stand behind "it" or "the line"; "" for nothing.
func (r Result) Check() string {
	_, err := time.Parse(timestamp, r.Timestamp)
	switch {
	case r.Evaluator == "":
		return "has no evaluator_type"
	case err != nil:
		return "has no time such as 2025-12-05 17:30:27 in the field timestamp"
	case r.Issues == nil:
		return "has no list in the field issues"
	case r.Score != nil && (*r.Score < 0 || *r.Score > 1):
		return "has no number from 0 to 1 in the field score"
	}
	return ""
}

// Write writes a file of records.
func Write(w io.Writer, results []Result) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, r := range results {
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// longestLine is how many bytes a record may have.
const longestLine = 1 << 20

// Read reads a file of records. Blank lines are passed over; the first record that is wrong ends it, with its line.
func Read(r io.Reader) (list []Result, err error) {
	lines := table.NewLines(r, longestLine)
	for raw, err := range lines.All() {
		if err != nil {
			return nil, fault.Wrap(fault.KindOf(err), err, "Line %d: %s", lines.N, fault.Message(err))
		}
		var result Result
		if err := strict.Into(raw, &result); err != nil {
			return nil, fault.New(fault.Invalid, "Line %d %v.", lines.N, err)
		}
		if wrong := result.Check(); wrong != "" {
			return nil, fault.New(fault.Invalid, "Line %d %s.", lines.N, wrong)
		}
		list = append(list, result)
	}
	return list, nil
}

var unclean = regexp.MustCompile(`[^\pL\pN.]+`)

// CleanModel is a model's name for a file: without its provider, with hyphens for what is not a letter, a digit or a
// dot.
func CleanModel(model string) string {
	return unclean.ReplaceAllString(model[strings.LastIndexByte(model, '/')+1:], "-")
}

// FileName is the name of the file with a model's results at a task.
func FileName(model, task string) string {
	return "resultdicttojsonl_" + CleanModel(model) + "_" + strings.ReplaceAll(task, "/", "-") + ".jsonl"
}

// Stamp is a time as records have it.
func Stamp(at time.Time) string { return at.UTC().Format(timestamp) }
