package evaluator

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strings"
	"time"

	"preceptor/internal/fault"
	"preceptor/internal/strict"
	"preceptor/internal/table"
)

// Result is what an evaluator said: the seed's record, in its order, and where it comes from.
type Result struct {
	Evaluator string   `json:"evaluator_type"`
	QueryIdx  *int     `json:"query_idx"`
	Timestamp string   `json:"timestamp"` // as 2025-12-05 17:30:27, UTC
	ErrorType string   `json:"error_type,omitempty"`
	Issues    []string `json:"issues"`
	IsValid   *bool    `json:"is_valid,omitempty"`
	Score     *float64 `json:"score,omitempty"` // from 0, the worst, to 1
	SQLQuery  string   `json:"sql_query,omitempty"`

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
	for {
		raw, err := lines.Next()
		switch {
		case errors.Is(err, io.EOF):
			return list, nil
		case errors.Is(err, table.ErrLong):
			return nil, fault.New(fault.Invalid, "Line %d is longer than 1 MB.", lines.N)
		case err != nil:
			return nil, err
		case len(bytes.TrimSpace(raw)) == 0:
			continue
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
}

var unclean = regexp.MustCompile(`[^\pL\pN.]+`)

// CleanModel is a model's name for a file: without its provider, with hyphens for what is not a letter, a digit or a dot.
func CleanModel(model string) string {
	return unclean.ReplaceAllString(model[strings.LastIndexByte(model, '/')+1:], "-")
}

// FileName is the name of the file with a model's results at a task.
func FileName(model, task string) string {
	return "resultdicttojsonl_" + CleanModel(model) + "_" + strings.ReplaceAll(task, "/", "-") + ".jsonl"
}

// FromFileName is the model and the task of a file; ok is false for any other name. The model ends at the first underscore.
func FromFileName(name string) (model, task string, ok bool) {
	rest, begins := strings.CutPrefix(name, "resultdicttojsonl_")
	rest, ends := strings.CutSuffix(rest, ".jsonl")
	model, task, parts := strings.Cut(rest, "_")
	return model, task, begins && ends && parts && model != "" && task != ""
}

// Stamp is a time as records have it.
func Stamp(at time.Time) string { return at.UTC().Format(timestamp) }
