package checks

import (
	"fmt"
	"strings"
	"time"

	"preceptor/internal/compliance/checklist"
)

// Event is one thing in the history of a check: a wording, or a switch.
type Event struct {
	At      time.Time
	Wording *checklist.Wording
	Before  *checklist.Wording // the wording before; nil of the first
	Switch  *checklist.Switch
}

// Change is one field that a wording changed.
type Change struct{ What, Before, After string }

func changes(before, after *checklist.Wording) (list []Change) {
	add := func(what, a, b string) {
		if a != b {
			list = append(list, Change{what, a, b})
		}
	}
	add("Title", before.Title, after.Title)
	add("Code", before.Code, after.Code)
	add("Severity", before.Severity, after.Severity)
	add("Looks for", before.Source, after.Source)
	add("Message", before.Why, after.Why)
	add("Source", before.Reference, after.Reference)
	add("Must find something in", strings.Join(before.Finds, "\n"), strings.Join(after.Finds, "\n"))
	add("Must leave alone", strings.Join(before.Leaves, "\n"), strings.Join(after.Leaves, "\n"))
	return list
}

// did is what a switch did, in words.
func did(s *checklist.Switch) string {
	what := "the check"
	if s.Version > 0 {
		what = version(s.Version)
	}
	switch {
	case s.State == checklist.Asked:
		return s.By.Name + " asked to switch it off"
	case s.State == checklist.Refused:
		return fmt.Sprintf("%s asked to switch it off; %s refused", s.By.Name, s.Answered.Name)
	case s.State == checklist.Withdrawn:
		return fmt.Sprintf("%s asked to switch it off, then withdrew the request", s.By.Name)
	case s.On:
		return fmt.Sprintf("%s switched %s on", s.By.Name, what)
	case s.Answered.ID != "":
		return fmt.Sprintf("%s and %s switched %s off", s.By.Name, s.Answered.Name, what)
	}
	return fmt.Sprintf("%s switched %s off", s.By.Name, what)
}

func eventIcon(e Event) string {
	switch {
	case e.Wording != nil:
		return "pencil"
	case e.Switch.State != checklist.Done:
		return "clock"
	case e.Switch.On:
		return "check"
	}
	return "cross"
}
