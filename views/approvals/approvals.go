// Package approvals shows the changes that wait for a second person.
package approvals

import (
	"preceptor/internal/approval"
	"preceptor/views/accounts"
)

// List is everything that waits.
type List struct {
	Items  []approval.Waiting
	Agents map[string]string // names by id; "": every agent
	Acted  string            // the change that somebody tried to answer
	Typed  string            // why not, as it was typed
	Errors accounts.Errors   // what is wrong with that
}

// about is a change in a few words.
func (v List) about(w approval.Waiting) string {
	title := w.Title
	if w.Kind == approval.ReviewPolicy.Kind {
		title += " for " + v.Agents[w.Subject]
	}
	if name := v.Agents[w.Subject]; w.Kind == approval.PromptFile.Kind && name != "" {
		title = "Prompt file of " + name // as it is called now
	}
	return title
}

func address(w approval.Waiting, act string) string { return "/approvals/" + w.ID + "/" + act }
