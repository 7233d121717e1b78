package knowledge

import (
	"slices"

	"preceptor/internal/audit"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
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

// maxReason bounds what a person writes as a reason, in characters.
const maxReason = 2000

// Reason is a reason as it is kept; none is refused.
func Reason(typed string) (string, error) {
	typed = text.Typed(typed)
	long := text.TooLong(typed, maxReason)
	switch {
	case typed == "":
		return "", fault.Wrong("Say why.", "reason", "Say why, for people who read the history.")
	case long != "":
		return "", fault.Wrong("The reason is too long.", "reason", long)
	}
	return typed, nil
}
