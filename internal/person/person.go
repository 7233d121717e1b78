// Package person is who does something, as every domain names them and as the audit log does.
package person

import "preceptor/internal/audit"

// Person is an account by its id, with the name it had.
type Person struct {
	ID   string
	Name string
}

// As is how the person is named to a reader, who may be the same person in another tab: as the subject of what they
// did.
func (p Person) As(readerID string) string {
	if p.ID != "" && p.ID == readerID {
		return "You, in another tab,"
	}
	return p.Name
}

// Operator is who has the command line, and so the file. No account has this id.
var Operator = Person{ID: "operator", Name: "command line"}

// Actor is the person as the audit log and the histories name them.
func (p Person) Actor() audit.Actor {
	if p == Operator {
		return audit.System(p.Name)
	}
	return audit.Actor{Kind: audit.Person, ID: p.ID, Name: p.Name}
}
