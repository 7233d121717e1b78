package knowledge

import (
	"slices"

	"preceptor/internal/audit"
	"preceptor/internal/platform/fault"
)

// Person is who has a hand in what the advisor knows: accepts, edits, settles, rolls back. Learning, conflicts and
// credit ask it, too.
type Person struct {
	ID, Name string
	Roles    []string
}

// Actor is the person in the log.
func (p Person) Actor() audit.Actor { return audit.Actor{Kind: audit.Person, ID: p.ID, Name: p.Name} }

// May refuses whoever is neither expert nor administrator; what ends "Only an expert or an administrator can ...".
func (p Person) May(what string) error {
	if slices.Contains(p.Roles, "expert") || slices.Contains(p.Roles, "admin") {
		return nil
	}
	return fault.New(fault.Denied, "Only an expert or an administrator can %s. Ask one of them.", what)
}
