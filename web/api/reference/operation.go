package reference

import (
	_ "embed"
	"strconv"
	"strings"
)

// operations.txt has of each operation, in the order in which a newcomer needs them, what people read of it, its answer
// where that is not 200 and its refusals beside those that all share; and for examples a query, an idempotency key, and
// a body that works as it stands but for the id of an interaction.
//
//go:embed operations.txt
var operationText string

// Operation is what operations.txt has of an operation.
type Operation struct {
	place int
	Words map[string]string
	body  string
}

// Operations are those of operations.txt, by their ids.
var Operations = func() map[string]Operation {
	out := map[string]Operation{}
	for place, part := range strings.Split("\n"+operationText, "\n# ")[1:] {
		head, body, _ := strings.Cut(part, "\n\n")
		id, lines, _ := strings.Cut(strings.TrimSpace(head), "\n")
		one := Operation{place, map[string]string{}, strings.TrimSpace(body)}
		for line := range strings.SplitSeq(lines, "\n") {
			name, value, _ := strings.Cut(line, ": ")
			one.Words[name] = value
		}
		out[id] = one
	}
	return out
}()

// Statuses are the HTTP statuses that it has under a name.
func (d Operation) Statuses(name string) (list []int) {
	for _, word := range strings.Fields(d.Words[name]) {
		status, _ := strconv.Atoi(word) // a test compares the description with what is answered
		list = append(list, status)
	}
	return list
}

// ExampleOf is what the page of the API shows of an operation.
func ExampleOf(id string) Example {
	d := Operations[id]
	return Example{Place: d.place, Query: d.Words["query"], Key: d.Words["key"], Body: d.body}
}
